"""The kernel of BLAS: which one computes here, and what it computes wrongly."""

from itertools import product

import numpy as np
from scipy import linalg
from threadpoolctl import threadpool_info


def blas() -> str:
    """The kernel in use, or two where NumPy's BLAS and SciPy's differ."""
    found = [info for info in threadpool_info() if info["user_api"] == "blas"]
    names = {info.get("architecture", info["internal_api"]) for info in found}
    return ", ".join(sorted(names)) or "unknown"


def vectors() -> list[str]:
    """The instructions that NumPy uses here beyond its baseline."""
    return np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])


def wrong() -> str:
    """What is computed wrongly, in a sentence, or no text.

    All numbers on the way are whole and small, so sums are exact in any order.
    """
    rng = np.random.default_rng(0)
    for m, k, n in product([1, 4, 9, 130], repeat=3):
        A, B = rng.integers(-9, 10, (m, k)), rng.integers(-9, 10, (k, n))
        for order in "CF":
            found = A.astype(float, order) @ B.astype(float)
            if not np.array_equal(found, A @ B):
                return f"a product of {m} x {k} by {k} x {n} whole numbers comes out wrong"
    size = 130  # the pivots are 2, and what stands below them is at most 1
    lower, upper = np.tri(size, k=-1) * rng.integers(-1, 2, (2, size, size))
    A = rng.permutation((2 * np.eye(size) + lower) @ (np.eye(size) + upper.T))
    x = rng.integers(-9, 10, size)
    found = np.linalg.solve(A, A @ x), linalg.lu_solve(linalg.lu_factor(A), A @ x)
    if not all(np.array_equal(x, y) for y in found):  # SciPy has a BLAS of its own
        return f"the solution of {size} equations in whole numbers comes out wrong"
    return ""


if __name__ == "__main__":
    print(blas())
