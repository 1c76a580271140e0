"""The order of the tests, and the kernel of BLAS that they run with."""

import os
import signal

import pytest

from tests.helpers import kernels

for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"):
    os.environ.pop(name, None)  # `make` in a test is not a part of `make test`

# After nohup, or in the background of a script, what tests start would ignore these.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# A worker that begins with one of these at the end keeps all waiting: they come first.
LONGEST = ["test_answers", "test_engines", "test_pages", "test_session", "test_grabbed"]
LONGEST += ["test_make", "test_lab", "test_live", "test_student", "test_print", "test_life"]
LONGEST += ["multiclass.ipynb", "boosting.ipynb", ".ipynb", "test_playing", "test_proofs"]
LONGEST += ["test_address", "test_homework", "test_notebooks", "test_submissions"]
LONGEST += ["test_safety", "test_estimators", "test_leukemia_study", "test_wheel"]
LONGEST += ["test_reader_names"]


def pytest_report_header():
    return f"kernel {kernels.blas()}, NumPy's vectors: {' '.join(kernels.vectors())}"


def pytest_sessionstart(session):
    """No test is blamed for a kernel that computes wrongly."""
    if fault := kernels.wrong():
        pytest.exit(
            f"The kernel {kernels.blas()} of BLAS is faulty: {fault}.", returncode=1
        )


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: rank(item.path.name))


def rank(file: str) -> int:
    return next((k for k, name in enumerate(LONGEST) if name in file), len(LONGEST))
