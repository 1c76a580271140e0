"""Divide the tests among workers, longest first, and check the BLAS kernel."""

import os
import re
import signal

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.helpers import blas_kernel

for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"):
    os.environ.pop(name, None)  # or `make` in a test would inherit them from `make test`

# Under nohup and in scripts, processes started by tests would ignore these signals.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# Run the longest units of work first, so that no worker starts one at the end.  While the
# first unit that needs the site builds it, the other worker runs notebooks.
LONGEST = ["webkit", "test_grading", "test_answers", "firefox", "test_session"]
LONGEST += ["boosting.ipynb", "sgd.ipynb", "multiclass.ipynb", ".ipynb", "site/test_proofs"]
LONGEST += ["test_student", "test_case_study", "test_accessibility", "test_pages"]
LONGEST += ["test_access_layout", "test_cases", "test_offline", "test_interactive"]
LONGEST += ["test_homework", "test_prove", "test_reading_paths", "test_lab", "test_print"]
LONGEST += ["test_make", "test_submissions", "test_safety", "test_notebooks"]
# Each test of these files is a unit of work: it is long and shares no fixture.
SPLIT_FILES = ("test_answers", "test_reading_paths", "site/test_proofs")


def work_unit(test: str) -> str:
    """Return the unit of work of a test: its file, its file and engine, or the test."""
    file, _, rest = test.partition("::")
    if any(name in file for name in SPLIT_FILES):
        return test
    engine = re.search("firefox|webkit", rest) if "engines" in file else None
    return file + (engine[0] if engine else "")


class WorkUnitScheduling(LoadScopeScheduling):
    """Run all tests of a unit of work on the same worker."""

    def _split_scope(self, nodeid):
        return work_unit(nodeid)


def pytest_xdist_make_scheduler(config, log):
    return WorkUnitScheduling(config, log)


def pytest_report_header():
    features = " ".join(blas_kernel.simd_features())
    return f"BLAS kernel {blas_kernel.name()}, NumPy's SIMD features: {features}"


def pytest_sessionstart(session):
    """Stop if the BLAS kernel computes wrong results."""
    if error := blas_kernel.error():
        pytest.exit(f"The BLAS kernel {blas_kernel.name()} is faulty: {error}.", 1)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: rank(work_unit(item.nodeid)))


def rank(unit: str) -> int:
    return next((k for k, name in enumerate(LONGEST) if name in unit), len(LONGEST))
