"""The order of the tests, and a check of the BLAS kernel."""

import os
import signal

import pytest

from tests.helpers import blas_kernel

for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"):
    os.environ.pop(name, None)  # so that a test can run `make` independently

# After nohup and in scripts, processes started by tests would ignore these signals.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# Run the slowest files first so that no worker is left with one at the end.
LONGEST = ["test_answers", "test_engines", "test_pages", "test_session", "test_interactive"]
LONGEST += [
    "test_make",
    "test_lab",
    "test_live",
    "test_student",
    "test_print",
    "test_offline",
]
LONGEST += [
    "multiclass.ipynb",
    "boosting.ipynb",
    ".ipynb",
    "test_playground",
    "test_proofs",
]
LONGEST += ["test_address", "test_homework", "test_notebooks", "test_submissions"]
LONGEST += ["test_safety", "test_estimators", "test_leukemia_study", "test_wheel"]
LONGEST += ["test_reader_names"]


def pytest_report_header():
    features = " ".join(blas_kernel.simd_features())
    return f"BLAS kernel {blas_kernel.name()}, NumPy's SIMD features: {features}"


def pytest_sessionstart(session):
    """Stop if the BLAS kernel computes wrong results."""
    if fault := blas_kernel.error():
        pytest.exit(
            f"The BLAS kernel {blas_kernel.name()} is faulty: {fault}.", returncode=1
        )


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: rank(item.path.name))


def rank(file: str) -> int:
    return next((k for k, name in enumerate(LONGEST) if name in file), len(LONGEST))
