"""The BLAS kernel in use, and a test of its results."""

from itertools import product

import numpy as np
from scipy import linalg
from threadpoolctl import threadpool_info


def name() -> str:
    """Return the kernel in use; two names if NumPy and SciPy use different kernels."""
    libraries = [info for info in threadpool_info() if info["user_api"] == "blas"]
    names = {info.get("architecture", info["internal_api"]) for info in libraries}
    return ", ".join(sorted(names)) or "unknown"


def simd_features() -> list[str]:
    """List the CPU features that NumPy uses beyond its baseline."""
    return np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])


def error() -> str:
    """Describe the first wrong result of the kernel; "" if all are right.

    All intermediate numbers are small integers, so sums are exact in any order.
    """
    rng = np.random.default_rng(0)
    for m, k, n in product([1, 4, 9, 130], repeat=3):
        A, B = rng.integers(-9, 10, (m, k)), rng.integers(-9, 10, (k, n))
        for order in "CF":
            AB = A.astype(float, order) @ B.astype(float)
            if not np.array_equal(AB, A @ B):
                return f"a product of {m} x {k} and {k} x {n} integers is wrong"
    size = 130  # the pivots are 2, the entries below them at most 1
    lower, upper = np.tri(size, k=-1) * rng.integers(-1, 2, (2, size, size))
    A = rng.permutation((2 * np.eye(size) + lower) @ (np.eye(size) + upper.T))
    x = rng.integers(-9, 10, size)
    solutions = np.linalg.solve(A, A @ x), linalg.lu_solve(linalg.lu_factor(A), A @ x)
    if not all(np.array_equal(x, y) for y in solutions):  # SciPy may use another BLAS
        return f"the solution of {size} linear equations is wrong"
    return ""


if __name__ == "__main__":
    print(name())
