"""Every fit of the shelf, and its certificate."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from mlcore.generative import lda
from mlcore.l1_svm import l1_svm
from mlcore.lasso import fista, ista, lasso, lasso_path
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.logistic import logistic, softmax_regression
from mlcore.separation import separating_halfspace
from mlcore.svm import hard_margin, soft_margin
from tests.helpers import certificates as by


@dataclass(frozen=True)
class Row:
    """A fit of the shelf.

    claims   what proves it, see certificates.py
    kind     of y: numbers, signs, apart (signs that a hyperplane separates), labels
    options  with the price, if it has one
    """

    function: Callable
    claims: Callable
    kind: str = "signs"
    options: dict = field(default_factory=dict)
    weighted: bool = False
    biases: bool = False

    def arguments(self, X, y, *, s=None, **bias):
        name = "labels" if self.kind == "labels" else "y"
        given = {"X": X, name: y, **self.options, **bias}
        return given | ({} if s is None else {"sample_weight": s})


BOTH = {"weighted": True, "biases": True}
PRICE, LIKELY = {"lambda_": 3.0}, {"lambda_": 0.05}
ROWS = {
    "least squares": Row(least_squares, by.of_ridge, "numbers", **BOTH),
    "ridge": Row(ridge, by.of_ridge, "numbers", PRICE, **BOTH),
    "lasso": Row(lasso, by.of_lasso, "numbers", PRICE),
    "lasso path": Row(lasso_path, by.of_lasso_path, "numbers", {"lambda_min": 3.0}),
    "fista": Row(fista, by.of_proximal, "numbers", PRICE | {"max_steps": 10**4}),
    "ista": Row(ista, by.of_proximal, "numbers", PRICE | {"max_steps": 10**5}),
    "logistic": Row(logistic, by.of_logistic, **BOTH),
    "penalized logistic": Row(logistic, by.of_logistic, "signs", LIKELY, **BOTH),
    "softmax": Row(softmax_regression, by.of_softmax, "labels", LIKELY, weighted=True),
    "soft margin": Row(soft_margin, by.of_soft_margin, "signs", LIKELY, **BOTH),
    "hard margin": Row(hard_margin, by.of_hard_margin, "apart", biases=True),
    "l1 svm": Row(l1_svm, by.of_l1_svm, "signs", {"C": 0.5}),
    "lda": Row(lda, by.of_lda),
}
ORACLES = {row.function: row.claims for row in ROWS.values()} | {
    indicator_regression: by.of_indicator,
    separating_halfspace: by.of_separating_halfspace,
}


def hard(kind, seed):
    """Ties, copies, a constant, units of their own; more columns than rows, or fewer."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(3, 40), rng.integers(1, 20)
    X = rng.normal(size=(n, d)) + 2 if seed % 2 else rng.integers(-2, 3, size=(n, d)) / 1.0
    scores = X @ rng.normal(size=d) + seed % 3 * rng.normal(size=n)
    X = np.column_stack([X, X[:, 0], -X[:, -1], np.full(n, 0.1)])
    y = np.where(scores >= np.median(scores), 1.0, -1.0)
    if kind == "numbers":
        y = scores.round(seed % 4)
    elif kind == "labels":
        y = y + (X[:, 0] > 2)
    return X * 10.0 ** rng.integers(-3, 4, size=d + 3), y
