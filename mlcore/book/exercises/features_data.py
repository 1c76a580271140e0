"""Data, right answers and slips of the checkers on features."""

from functools import cache
from itertools import product

import numpy as np

from mlcore import separation
from mlcore.data import breast_cancer
from mlcore.features import standardize

CORNERS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
XOR = np.array([1.0, 1.0, -1.0, -1.0])


def other_columns(d: int, p: int, count: int) -> str:
    """Why there may be `count` columns instead of p."""
    if d == 1:
        return ": with one feature there is one product, its square"
    reasons = (
        (d * d, "every product of two different features is there twice"),
        (p - d, "the squares are missing"),
        (p + d, "the features themselves are there, too; only products are wanted"),
        (p + d + 1, "the features and the constant are there, too"),
    )
    fitting = [reason for columns, reason in reasons if columns == count]
    return ": " + ", or ".join(fitting) if fitting else ""


def point_sets():
    """(points, whether linear rules shatter them)."""
    rng = np.random.default_rng(4)
    sets = [np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])]
    sets += [np.array([[1.0], [2.0]]), np.array([[1.0], [1.0]])]
    for d in (1, 2, 3):
        sets += [np.vstack([np.zeros(d), np.eye(d)]), rng.normal(size=(d + 2, d))]
    yield from ((X, separation.shatters(X)) for X in sets)
    six, thirty = rng.normal(size=(6, 6)), rng.normal(size=(30, 40))
    mean = np.vstack([thirty[:-1], thirty[:4].mean(axis=0)])
    yield from ((six, separation.shatters(six)), (thirty, True), (mean, False))


class Counted:
    """Counts how often the solvers behind the separation functions are called."""

    names = ("highest_least", "widest_margin")

    def __enter__(self):
        self.calls = 0
        self.solvers = {name: getattr(separation, name) for name in self.names}
        for name, solver in self.solvers.items():
            setattr(separation, name, self._counting(solver))
        return self

    def _counting(self, solver):
        def counted(*args):
            self.calls += 1
            return solver(*args)

        return counted

    def __exit__(self, *error):
        for name, solver in self.solvers.items():
            setattr(separation, name, solver)


def counterexamples() -> dict[int, tuple]:
    """For each change of ex-stays that can fail: data before and after it."""
    y = np.array([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
    X = np.array([[0, 0], [0.9, 0], [0, 0.9], [1.1, 0], [0, 1.1], [0.55, 0.55]])
    slope = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [3.0, 1.0]])
    up = np.array([-1.0, 1.0, -1.0, 1.0])
    return {
        1: (slope, up, slope[:, :1], up, "without x2 the labels along x1 are -, +, -, +"),
        4: (X, y, X**3, y, "the cube of (0.55, 0.55) lies among cubes of the other class"),
        5: (CORNERS[:3], XOR[:3], CORNERS, XOR, "three corners of a square, and the fourth "
            "with the label that makes XOR"),
    }  # fmt: skip


@cache
def lucky(*, bias: bool) -> int:
    """The largest n for which the first n tumors with the coin of ex-memory separate."""
    X = standardize(breast_cancer().X)
    y = np.random.default_rng(1).choice([-1.0, 1.0], len(X))
    low, high = 1, len(X)  # a subset of a separable set is separable
    while high - low > 1:
        middle = (low + high) // 2
        found = separation.separating_halfspace(X[:middle], y[:middle], bias=bias)
        low, high = (middle, high) if found.separable else (low, middle)
    return low


def labelings():
    """(x, y): points of the sine, and each labeling of them."""
    for size in (1, 2, 3, 5, 8):
        for labels in product((1.0, -1.0), repeat=size):
            yield 0.5 ** np.arange(1, size + 1), np.array(labels)
