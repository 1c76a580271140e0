"""How much memory each algorithm takes beside the data: the peak, as a multiple of X."""

import tracemalloc

import numpy as np

from benchmarks import problems
from mlcore.boosting import adaboost
from mlcore.generative import lda
from mlcore.lasso import lasso_cv, lasso_path
from mlcore.least_squares import least_squares
from mlcore.logistic import logistic
from mlcore.neighbors import knn
from mlcore.perceptron import perceptron
from mlcore.selection import backward, forward
from mlcore.separation import max_margin
from mlcore.svm import pegasos, soft_margin
from mlcore.validation import k_folds


def tasks():
    X, y = problems.syn20k()
    S, signs = problems.separable(20_000, 50, 0.01)
    splits = k_folds(y, stratified=False)
    yield "perceptron", S, lambda: perceptron(S, signs)
    yield "max_margin", S, lambda: max_margin(S, signs, bias=False)
    yield "least_squares", X, lambda: least_squares(X, y)
    yield "forward, 10 features", X, lambda: forward(X, y, splits=splits, count=10)
    yield "backward, 40 features", X, lambda: backward(X, y, splits=splits, count=40)
    yield "lasso_path", X, lambda: lasso_path(X, y)
    yield "lasso_cv", X, lambda: lasso_cv(X, y, splits=splits)
    yield "logistic", X, lambda: logistic(X, y)
    yield "lda", X, lambda: lda(X, y)
    yield "soft_margin", X, lambda: soft_margin(X, y, lambda_=1 / len(X))
    yield "pegasos", X, lambda: pegasos(X, y, lambda_=1e-3, epochs=2, rng=0, batch=256)
    yield "adaboost, 20 rounds", X, lambda: adaboost(X, y, rounds=20)
    yield "knn, 2000 queries", X, lambda: knn(X, y, X[:2000], k=5)


def main() -> None:
    print("\npeak memory beside X, 20000 x 50 (8 MB), as a multiple of X")
    for name, X, run in tasks():
        run()  # what is imported or kept on the first call is not counted
        tracemalloc.start()
        run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"{name:26}{peak / np.asarray(X).nbytes:6.1f}", flush=True)


if __name__ == "__main__":
    main()
