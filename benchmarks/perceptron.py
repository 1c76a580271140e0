"""Time the perceptron beside scikit-learn's and beside the loop over single rows.

`python benchmarks/perceptron.py` prints a table.  All three visit the examples in the
same order for the same number of epochs, on one thread, in turn.  Equal answers first:
"equal" says whether w and b are the same to the last bit.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy

from statistics import median
from time import perf_counter

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import Perceptron

from mlcore.perceptron import perceptron

REPEATS = 9


def row_loop(X, y, epochs):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(epochs):
        for i in range(len(X)):
            if y[i] * (X[i].dot(w) + b) <= 0:
                w, b = w + y[i] * X[i], b + y[i]
    return w, b


def ours(X, y, epochs):
    fit = perceptron(X, y, max_epochs=epochs)
    return fit.w, fit.b


def scikit_learn(X, y, epochs):
    model = Perceptron(shuffle=False, tol=None, max_iter=epochs).fit(X, y)
    return model.coef_[0], model.intercept_[0]


def separable(n, d, margin):
    """n points of the unit sphere, none within `margin` of a random hyperplane."""
    rng = np.random.default_rng(0)
    w = rng.normal(size=d)
    X = rng.normal(size=(3 * n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    scores = X @ w / np.linalg.norm(w)
    far = np.flatnonzero(abs(scores) >= margin)[:n]
    return X[far], np.sign(scores[far])


def data():
    for n, d, margin in (20_000, 50, 0.05), (20_000, 50, 0.01), (2_000, 20, 0.02):
        yield f"separable {n} x {d}, margin {margin}", *separable(n, d, margin), 100
    X, digit = load_digits(return_X_y=True)
    pair = np.isin(digit, [3, 8])
    yield "digits 3 and 8", X[pair], np.where(digit[pair] == 8, 1.0, -1.0), 100
    X, label = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    yield "breast cancer, never separates", X, np.where(label == 1, 1.0, -1.0), 200


def milliseconds(functions, *arguments):
    """The median time of each function, all run in turn after a warm-up."""
    times = {function: [] for function in functions}
    for _ in range(REPEATS + 1):
        for function in functions:
            start = perf_counter()
            function(*arguments)
            times[function].append(1000 * (perf_counter() - start))
    return [median(times[function][1:]) for function in functions]


def main():
    print(
        f"{'data':36}{'epochs':>7}{'updates':>8}{'ours ms':>9}{'sklearn':>9}{'ratio':>7}"
        f"{'rows':>9}{'ratio':>7}  equal"
    )
    functions = ours, scikit_learn, row_loop
    for name, X, y, max_epochs in data():
        fit = perceptron(X, y, max_epochs=max_epochs)
        epochs = len(fit.mistakes)
        (w, b), *others = (function(X, y, epochs) for function in functions)
        equal = all(np.array_equal(w, v) and b == c for v, c in others)
        mine, sklearn, rows = milliseconds(functions, X, y, epochs)
        print(
            f"{name:36}{epochs:7}{fit.updates:8}{mine:9.2f}{sklearn:9.2f}"
            f"{sklearn / mine:7.2f}{rows:9.1f}{rows / mine:7.1f}  {equal}"
        )


if __name__ == "__main__":
    main()
