"""The order of the tests, and the kernel of BLAS that they run with."""

import os
import signal

import kernels
import pytest

for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"):
    os.environ.pop(name, None)  # `make` in a test is not a part of `make test`

# After nohup, or in the background of a script, what tests start would ignore these.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# A worker that begins with one of these at the end keeps all waiting: they come first.
LONGEST = ["test_engines", "test_answers", "test_pages", "test_print", "test_student"]
LONGEST += ["test_session", "test_life", "test_lab", "test_live", "test_make"]
LONGEST += ["test_proofs", "test_notebooks", "sgd.ipynb", "multiclass.ipynb"]
LONGEST += [".ipynb", "test_leukemia_study", "test_wheel"]
LONGEST += ["test_safety", "test_estimators", "test_imports"]


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
    found = (rank for rank, name in enumerate(LONGEST) if name in file)
    return next(found, len(LONGEST))
