"""Fit 4 GB of examples on two workers with 1 GB of memory each.

`python benchmarks/beyond_memory.py [--rows 10_000_000]` starts a local Dask cluster and
prints one line for each fit.  Each pass over the data draws the examples block by block
from a seed; nothing is written to disk.  Each method fits a tenth of the rows first, then
all of them: the peak memory of this process should not grow.  The tests compare the results
with fits in memory.
"""

import argparse
import resource
from time import perf_counter

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster, get_worker

from mlcore.out_of_core import forward, least_squares, logistic, ridge

FEATURES, BLOCK = 50, 100_000  # columns and rows of a block of 40 MB
# A worker may not move data to disk: it is killed if it exceeds its memory.
NO_DISK = {f"distributed.worker.memory.{key}": False for key in ("target", "spill")}


def make_block(block_id):
    """Draw features in several units, and labels -1 and +1 from a logistic model.

    The worker counts its blocks.
    """
    worker = get_worker()
    worker.blocks_made = getattr(worker, "blocks_made", 0) + 1
    rng = np.random.default_rng([2024, block_id[0]])
    X = rng.standard_normal((BLOCK, FEATURES))
    scores = X @ np.linspace(1, -1, FEATURES) / 3 + 0.5
    X *= np.logspace(-2, 2, FEATURES)
    X += np.arange(FEATURES)
    y = np.where(rng.logistic(size=BLOCK) < scores, 1.0, -1.0)
    return np.column_stack([X, y])


def count_blocks(dask_worker):
    return getattr(dask_worker, "blocks_made", 0)


def peak_megabytes() -> float:
    """Return the peak memory of this process, on Linux."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def make_data(blocks: int):
    """Build lazy arrays X and y."""
    rows = da.map_blocks(
        make_block,
        chunks=((BLOCK,) * blocks, (FEATURES + 1,)),
        dtype=float,
        meta=np.empty((0, 0)),
    )
    return rows[:, :-1], rows[:, -1]


FITS = {
    "least squares": least_squares,
    "ridge": lambda X, y: ridge(X, y, lambda_=10.0),
    "logistic": lambda X, y: logistic(X, y, tol=1e-24),
    "forward": forward,
}


def main(rows: int) -> None:
    blocks = max(10, rows // BLOCK)
    dask.config.set(NO_DISK)
    resources = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "1GB"}
    with (
        LocalCluster(**resources, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        print(f"{'':14}{'rows':>12}{'passes':>8}{'seconds':>9}{'peak memory':>20}")
        for count in blocks // 10, blocks:
            for name, fit in FITS.items():
                before, start = sum(client.run(count_blocks).values()), perf_counter()
                fit(*make_data(count))
                seconds = perf_counter() - start
                passes = (sum(client.run(count_blocks).values()) - before) / count
                row = f"{name:14}{count * BLOCK:>12_}{passes:8.2f}{seconds:9.1f}"
                print(f"{row}{peak_megabytes():17.0f} MB", flush=True)
        workers = [peak / 1024 for peak in client.run(peak_megabytes).values()]
    print(f"\npeak memory of workers: {', '.join(f'{peak:.2f} GB' for peak in workers)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    main(parser.parse_args().rows)
