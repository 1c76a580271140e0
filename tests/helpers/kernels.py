"""The kernels of BLAS: which one computes here, and what the others would compute.

    python tests/helpers/kernels.py all | today | Haswell ... COMMAND ...

runs a command that tests, as processors with other kernels would run it.  OpenBLAS has
more kernels for x86-64 than the five below, but none that rounds in yet another way.
Without arguments it names the kernel, and says what that computes wrongly.
"""

import os
import subprocess
import sys
import time
from datetime import date
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


# What NumPy finds beyond its baseline where OpenBLAS has the kernel of this name.
KERNELS: dict[str, list[str]] = {"Prescott": [], "Nehalem": [], "Sandybridge": []}
KERNELS |= {"Haswell": [name for name in vectors() if name == "X86_V3"]}
KERNELS |= {"SkylakeX": vectors()}


def setting(kernel: str) -> dict[str, str]:
    """The environment in which a process computes with this kernel."""
    lacks = [name for name in vectors() if name not in KERNELS[kernel]]
    return {"OPENBLAS_CORETYPE": kernel, "NPY_DISABLE_CPU_FEATURES": " ".join(lacks)}


def used(kernel: str) -> str:
    """What computes where this kernel is asked for; no text if the processor lacks it."""
    command, env = [sys.executable, __file__], os.environ | setting(kernel)
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    return "" if done.returncode < 0 else done.stdout.strip()  # an illegal instruction


def runs(wanted: str):
    """What to run: the title and the environment of each."""
    if wanted not in ("all", "today", *KERNELS):
        sys.exit(f"KERNEL must be all, today or one of {', '.join(KERNELS)}")
    here = {used(name): name for name in KERNELS}  # two names may come to the same
    here.pop("", None)
    names = [*here.values()]
    if wanted == "today":
        others = [name for found, name in here.items() if found != blas()] or names
        wanted = others[date.today().toordinal() % len(others)]
    if wanted in KERNELS and wanted not in names:
        sys.exit(f"KERNEL must be one that this processor has: {', '.join(names)}")
    for found, name in here.items():
        if wanted in ("all", name):
            threads = "2" if name == names[-1] else "1"
            title = f"kernel {name} ({found}), threads: {threads}, NumPy's vectors: "
            env = setting(name) | {"OPENBLAS_NUM_THREADS": threads}
            yield title + (" ".join(KERNELS[name]) or "none"), env


def main(wanted: str, *command: str) -> None:
    results = []
    for title, env in runs(wanted):
        print(title, flush=True)
        start = time.monotonic()
        failed = subprocess.run(command, env=os.environ | env).returncode
        result = "failed" if failed else "passed"
        results.append(f"{result} in {time.monotonic() - start:.0f} s: {title}")
    print(*results, sep="\n")
    sys.exit(any(result.startswith("failed") for result in results))


if __name__ == "__main__":
    if sys.argv[1:]:
        main(*sys.argv[1:])
    print(blas())
    sys.exit(wrong() or None)
