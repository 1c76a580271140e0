"""Where the time goes: the share of each kind of work, and a floor that the machine sets.

`python -m benchmarks --where` writes where.csv into this folder; `make bench` does, too.
Each fit runs once more line by line, and the time of a line of `mlcore` is that of the
work it names: products (@, dot), factorizations, sorts and scans, checks of arguments,
and the rest, which is arithmetic on arrays and Python around it.  What tracing costs is
measured and taken off.  All times are the processor's, so other programs disturb little.

A floor is a part of the work that the algorithm has to do, done by NumPy alone on arrays
of that shape in the same run; for methods that go step by step, for as many steps as
were taken.  What stands above it is what could be gained at most.
"""

import ast
import csv
import sys
from collections import Counter
from functools import cache, partial
from pathlib import Path
from time import process_time

import numpy as np

import mlcore
from benchmarks import problems
from mlcore import losses
from mlcore.boosting import adaboost
from mlcore.generative import lda
from mlcore.l1_svm import l1_svm_path
from mlcore.lasso import lasso_path
from mlcore.least_squares import least_squares
from mlcore.logistic import logistic
from mlcore.multiclass import one_vs_rest
from mlcore.neighbors import knn
from mlcore.optim import constant, loss_gradient, sgd
from mlcore.perceptron import perceptron
from mlcore.selection import forward
from mlcore.separation import max_margin
from mlcore.svm import pegasos, soft_margin
from mlcore.validation import k_folds

HOME = str(Path(mlcore.__file__).parent)
NAMES = {  # a line is of the first kind of which it has a name
    "factorizations": "cholesky eigh svd qr solve lstsq inv lower_inverse",
    "products": "dot einsum outer",
    "sorts and scans": "sort argsort lexsort partition argpartition cumsum argmin argmax "
    "searchsorted unique bincount flatnonzero",
}
KINDS = [*NAMES, "checks", "rest"]


@cache
def kinds(file: str) -> dict[int, str]:
    """The kind of work that stands on each line of a file."""
    found = {}
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if not isinstance(node, ast.stmt) or hasattr(node, "body"):
            continue
        names = {getattr(part, "attr", getattr(part, "id", "")) for part in ast.walk(node)}
        if any(isinstance(part, ast.MatMult) for part in ast.walk(node)):
            names.add("dot")
        kind = next((k for k, words in NAMES.items() if names & set(words.split())), "rest")
        found |= dict.fromkeys(range(node.lineno, node.end_lineno + 1), kind)
    return found


def kind_of(file: str, line: int) -> str:
    if Path(file).name in ("checks.py", "options.py"):
        return "checks"
    return kinds(file).get(line, "rest")


def traced(run) -> tuple[Counter, Counter]:
    """Of each (file, line) the seconds, with those of calls elsewhere, and how often."""
    seconds, times = Counter(), Counter()
    place, since = None, process_time()

    def local(frame, event, argument):
        nonlocal place, since
        seconds[place] += process_time() - since
        if event == "return" and frame.f_back is not None:
            frame = frame.f_back
        else:
            times[frame.f_code.co_filename, frame.f_lineno] += 1
        place = frame.f_code.co_filename, frame.f_lineno
        since = process_time()
        return local

    def enter(frame, event, argument):
        own = frame.f_code.co_filename.startswith((HOME, __file__))
        return local(frame, event, argument) if own else None

    sys.settrace(enter)
    try:
        run()
    finally:
        sys.settrace(None)
    return seconds, times


def empty_loop():
    for _ in range(10_000):
        pass


def shares(run) -> dict[str, float]:
    """The share of each kind in the time, in percent."""
    seconds, times = traced(empty_loop)
    extra = sum(seconds.values()) / sum(times.values())  # what tracing adds to a line
    total = dict.fromkeys(KINDS, 0.0)
    seconds, times = traced(run)
    for (file, line), spent in ((at, s) for at, s in seconds.items() if at):
        if file.startswith(HOME):
            total[kind_of(file, line)] += max(0.0, spent - extra * times[file, line])
    return {kind: 100 * spent / sum(total.values()) for kind, spent in total.items()}


def least(run, budget=0.5) -> float:
    """The least milliseconds of several runs."""
    times, start = [], process_time()
    while len(times) < 3 or (len(times) < 30 and process_time() - start < budget):
        before = process_time()
        run()
        times.append(process_time() - before)
    return 1000 * min(times)


def row_products(X, count):
    """The product with one row, as often as asked: the least that a step by rows needs."""
    w = np.zeros(X.shape[1])
    for x in [X[0]] * count:
        x.dot(w)


def stumps(X, rounds):
    order = np.argsort(X, axis=0)
    D = np.ones(len(X))
    for _ in range(rounds):
        np.cumsum(D[order], axis=0)


def of_squares(X, y):
    """Name, X, the fit, what the floor is, and the work of the floor given the fit."""
    splits = k_folds(y, stratified=False)

    def gram(fit):
        return X.T @ X

    yield "least squares", X, lambda: least_squares(X, y), "X'X", gram
    run = partial(forward, X, y, splits=splits, count=10)
    yield "forward selection, 10", X, run, "X'X", gram
    yield "lasso path", X, lambda: lasso_path(X, y), "X'X", gram


def of_classes(X, y):
    """The same."""
    n, A, w = len(X), problems.with_ones(X), np.ones(X.shape[1])
    gradient, origin = loss_gradient(A, y, losses.logistic), np.zeros(A.shape[1])
    C = np.logspace(0.1, 2, 30) / (2 * abs((y - y.mean()) @ X).max())
    F = X.astype("f4")
    epochs = partial(sgd, gradient, n, origin, steps=constant(1e-3), epochs=5)

    def gram(fit):
        return X.T @ X

    def passes(count):  # there and back
        return [(X @ w, y @ X) for _ in range(count)]

    def five(fit):
        return passes(5)

    yield "lda", X, lambda: lda(X, y), "X'X", gram
    run, what = (
        partial(logistic, X, y, lambda_=1 / n),
        "a pass there and back for each step",
    )
    yield "logistic", X, run, what, lambda fit: passes(len(fit.values))
    what = "a product with each of 5 n rows"
    yield (
        "SGD, batch 1",
        A,
        partial(epochs, batch=1),
        what,
        lambda _: row_products(A, 5 * n),
    )
    what = "five passes there and back"
    yield "SGD, batch 32", A, partial(epochs, batch=32), what, five
    run = partial(pegasos, X, y, lambda_=1e-2, epochs=5, rng=0, batch=32)
    yield "Pegasos, batch 32", X, run, what, five
    yield "SVM, exact", X, partial(soft_margin, X, y, lambda_=10 / n), "X'X", gram
    run, what = partial(l1_svm_path, X, y, C=C), "a pass there and back for each C"
    yield "L1 SVM, 30 values of C", X, run, what, lambda fit: passes(30)
    what = "sort the columns, sum up each in each round"
    run = partial(adaboost, X, y, rounds=10)
    yield "AdaBoost, 10 stumps", X, run, what, lambda fit: stumps(X, 10)
    what = "the products with 300 rows, in single precision"
    run = partial(knn, X, y, X[:300], k=5)
    yield "5 neighbors of 300", X, run, what, lambda fit: F[:300] @ F.T


def of_margins(X, y):
    """The same."""

    def walk(fit):
        return [X @ fit.w for _ in fit.mistakes], row_products(X, fit.updates)

    what = "a pass for each epoch, a product for each mistake"
    yield "perceptron", X, partial(perceptron, X, y, max_epochs=200), what, walk
    yield "widest margin", X, lambda: max_margin(X, y), "a pass", lambda fit: X @ fit.w


def tasks():
    for n, d in (20_000, 50), (1_000, 300):
        yield from of_squares(*problems.measured(n, d))
        yield from of_classes(*problems.logistic_model(n, d))
        yield from of_margins(*problems.separable(n, d, 0.01))
    X, y = problems.four(5_000, 100)
    fit = partial(logistic, lambda_=1e-3)
    run, what = lambda: one_vs_rest(fit, X, y), "X'X for each of four classes"
    yield "one v rest, logistic", X, run, what, lambda _: [X.T @ X for _ in range(4)]


def main(path: Path) -> None:
    print("\nwhere the time goes: shares in percent, and a floor that NumPy sets")
    print(f"{'task':24}{'data':>12}{'ms':>9}{'floor':>9}", *(f"{k:>16}" for k in KINDS))
    rows = []
    for task, X, run, what, work in tasks():
        fit, data = run(), "{} x {}".format(*X.shape)
        ours, floor, parts = least(run), least(lambda f=fit, w=work: w(f)), shares(run)
        rows.append([task, data, ours, floor, *parts.values(), what])
        numbers = [f"{share:16.0f}" for share in parts.values()] + [" "]
        print(f"{task:24}{data:>12}{ours:9.3g}{floor:9.3g}", *numbers, what, flush=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["task", "data", "ms", "floor ms", *KINDS, "floor"])
        table.writerows(
            [[c if isinstance(c, str) else f"{c:.3g}" for c in r] for r in rows]
        )
