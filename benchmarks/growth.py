"""How time grows with n and with d: the fitted exponent beside the one of the theory."""

from pathlib import Path
from statistics import median
from time import perf_counter

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from benchmarks import problems
from mlcore.boosting import adaboost
from mlcore.lasso import lasso_path
from mlcore.least_squares import least_squares
from mlcore.logistic import logistic
from mlcore.neighbors import knn
from mlcore.perceptron import perceptron
from mlcore.selection import forward
from mlcore.svm import pegasos, soft_margin
from mlcore.validation import k_folds

EXAMPLES = 2 ** np.arange(12, 18)  # n, with d = 32
FEATURES = 2 ** np.arange(4, 9)  # d, with n = 8192
D, N = 32, 8192
TASKS = {  # name: (run, exponent of n, exponent of d), for n >> d
    "perceptron, 3 epochs": (lambda X, y: perceptron(X, y, max_epochs=3), 1, 1),
    "least_squares": (least_squares, 1, 2),
    "forward, 8 features": (
        lambda X, y: forward(X, y, splits=k_folds(y, stratified=False), count=8),
        1,
        2,
    ),
    "lasso_path": (lambda X, y: lasso_path(X, y), 1, 2),
    "logistic": (lambda X, y: logistic(X, y, lambda_=1e-3), 1, 2),
    "soft_margin": (lambda X, y: soft_margin(X, y, lambda_=1e-3), 1, 2),
    "pegasos, 2 epochs": (
        lambda X, y: pegasos(X, y, lambda_=1e-3, epochs=2, rng=0, batch=256),
        1,
        1,
    ),
    "adaboost, 5 rounds": (lambda X, y: adaboost(X, y, rounds=5), 1, 1),
    "knn, 200 queries": (lambda X, y: knn(X, y, X[:200], k=5), 1, 1),
}


def seconds(run, n: int, d: int) -> float:
    X, y = problems.logistic_model(int(n), int(d))
    times = []
    for _ in range(4):
        start = perf_counter()
        run(X, y)
        times.append(perf_counter() - start)
    problems.logistic_model.cache_clear()
    return median(times[1:])


def exponent(sizes, times) -> float:
    """The slope on log axes over the larger half, where overheads weigh less."""
    half = len(sizes) // 2
    return float(np.polyfit(np.log(sizes[half:]), np.log(times[half:]), 1)[0])


def main(path: Path) -> None:
    print("\ngrowth of time: fitted exponent (exponent of the theory)")
    print(f"{'':26}{'in n, d = 32':>18}{'in d, n = 8192':>18}")
    curves = {}
    for name, (run, of_n, of_d) in TASKS.items():
        in_n = np.array([seconds(run, n, D) for n in EXAMPLES])
        in_d = np.array([seconds(run, N, d) for d in FEATURES])
        curves[name] = in_n, in_d
        p, q = exponent(EXAMPLES, in_n), exponent(FEATURES, in_d)
        print(f"{name:26}{p:14.2f} ({of_n}){q:14.2f} ({of_d})", flush=True)
    plot(curves, path)


def plot(curves, path: Path) -> None:
    matplotlib.rcParams["svg.hashsalt"] = "halfspaces"
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for name, times in curves.items():
        for axes, sizes, values in zip(panels, (EXAMPLES, FEATURES), times, strict=True):
            axes.loglog(sizes, 1000 * values, "o-", markersize=3, label=name)
    panels[0].set(xlabel="examples n, with d = 32", ylabel="time (ms)")
    panels[1].set(xlabel="features d, with n = 8192")
    panels[1].legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main(Path(__file__).with_name("growth.svg"))
