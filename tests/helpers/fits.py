"""Every fit of the shelf: its objective, its certificate, and who else knows the answer."""

from collections.abc import Callable
from dataclasses import dataclass, field

import certificates as by
import numpy as np
from scipy.optimize import linprog
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.svm import SVC, LinearSVC

from mlcore.generative import lda
from mlcore.l1_svm import l1_svm
from mlcore.lasso import fista, ista, lasso, lasso_path
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.logistic import logistic, softmax_regression
from mlcore.separation import max_margin, separating_halfspace
from mlcore.svm import hard_margin, soft_margin


def _linear(model, X, y, s):
    """w and b of a model of scikit-learn."""
    model.fit(X, y, s)
    w, b = np.array(model.coef_, float), np.array(model.intercept_, float)
    return (w, b) if w.ndim > 1 and len(w) > 2 else (np.ravel(w), float(np.ravel(b)[0]))


def _their(kind, **options):
    """An answer of scikit-learn; what is a function gives an option from price and s."""

    def other(X, y, s, price, bias):
        given = {k: v(price, s) if callable(v) else v for k, v in options.items()}
        return _linear(kind(fit_intercept=bias, **given), X, y, s)

    return other


def _their_machine(X, y, s, price, bias):
    C = 1 / (price * s.sum()) if price else 1e6
    if bias:
        return _linear(SVC(kernel="linear", C=C, tol=1e-9), X, y, s)
    return _linear(
        LinearSVC(loss="hinge", C=C, fit_intercept=False, max_iter=10**5), X, y, s
    )


def _their_lda(X, y, s, price, bias):
    model = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    return model.coef_[0], float(model.intercept_[0])


def _program(X, y, s, C, bias):
    """The L1-SVM as the textbook writes it: w = u - v, and a loss for each example."""
    n, d = X.shape
    cost = np.concatenate([np.ones(2 * d), [0.0], C * s])
    Z = y[:, None] * np.column_stack([X, -X, np.ones(n)])
    bounds = [(0, None)] * (2 * d) + [(None, None)] + [(0, None)] * n
    x = linprog(cost, np.hstack([-Z, -np.eye(n)]), -np.ones(n), bounds=bounds).x
    return x[:d] - x[d : 2 * d], x[2 * d]


@dataclass(frozen=True)
class Row:
    """A fit of the shelf.

    kind       of y: numbers, signs, apart (signs that a hyperplane separates), labels
    price      the name and the value
    near       near(fit, J at 0): how far above the minimum it may be, as it says
    point      point(fit): w and b
    """

    function: Callable
    claims: Callable
    objective: Callable
    other: Callable
    kind: str = "signs"
    price: tuple = ()
    near: Callable = lambda fit, J: 0.0
    weighted: bool = False
    biases: bool = False
    options: dict = field(default_factory=dict)
    point: Callable = lambda fit: (fit.w, fit.b)

    @property
    def cost(self) -> float:
        return self.price[1] if self.price else 0.0

    def arguments(self, X, y, *, s=None, **bias):
        name = "labels" if self.kind == "labels" else "y"
        given = {"X": X, name: y, **self.options, **bias}
        given |= dict([self.price]) if self.price else {}
        return given | ({} if s is None else {"sample_weight": s})

    def value(self, w, b, X, y, s):
        return self.objective(w, b, X, y, s, self.cost)


NEWTON = {"solver": "newton-cholesky", "tol": 1e-12}
MAXIMUM = _their(LogisticRegression, C=np.inf, **NEWTON)
LIKELY = {
    "other": _their(LogisticRegression, C=lambda price, s: 1 / (price * s.sum()), **NEWTON),
    "price": ("lambda_", 0.05),
    "near": lambda fit, J: 1e-12,  # the default tol
    "weighted": True,
}
PLAIN = {"objective": by.squares, "kind": "numbers", "biases": True}
LASSO = {
    "objective": by.absolute,
    "other": _their(Lasso, alpha=lambda price, s: price / 2 / len(s), tol=1e-12),
    "kind": "numbers",
    "price": ("lambda_", 3.0),
    "near": lambda fit, J: fit.gap * J,
}
MARGIN = {"other": _their_machine, "biases": True}
APART = MARGIN | {"objective": by.closeness, "kind": "apart"}
ROWS = {
    "least squares": Row(
        least_squares, by.of_ridge, **PLAIN, other=_their(LinearRegression), weighted=True
    ),
    "ridge": Row(
        ridge,
        by.of_ridge,
        **PLAIN,
        other=_their(Ridge, alpha=lambda price, s: price),
        price=("lambda_", 3.0),
        weighted=True,
    ),
    "lasso": Row(lasso, by.of_lasso, **LASSO),
    "lasso path": Row(
        lasso_path,
        by.of_lasso_path,
        **LASSO | {"price": ("until", 3.0), "near": lambda path, J: 1e-8 * J},
        point=lambda path: (path.W[-1], float(path.b[-1])),
    ),
    "fista": Row(fista, by.of_proximal, **LASSO, options={"max_steps": 10**4}),
    "ista": Row(ista, by.of_proximal, **LASSO, options={"max_steps": 10**5}),
    "logistic": Row(
        logistic,
        by.of_logistic,
        by.log_loss,
        **LIKELY | {"other": MAXIMUM, "price": ("lambda_", 0.0)},
        biases=True,
    ),
    "penalized logistic": Row(logistic, by.of_logistic, by.log_loss, **LIKELY, biases=True),
    "softmax": Row(
        softmax_regression,
        by.of_softmax,
        by.softmax_loss,
        **LIKELY,
        kind="labels",
        point=lambda fit: (fit.W, fit.b),
    ),
    "soft margin": Row(
        soft_margin,
        by.of_soft_margin,
        by.hinge,
        **MARGIN,
        price=("lambda_", 0.05),
        near=lambda fit, J: fit.gap,
        weighted=True,
    ),
    "hard margin": Row(hard_margin, by.of_hard_margin, **APART),
    "max margin": Row(max_margin, by.of_max_margin, **APART),
    "l1 svm": Row(
        l1_svm,
        by.of_l1_svm,
        by.sparse_hinge,
        _program,
        price=("C", 0.5),
        near=lambda fit, J: fit.gap * J,
    ),
    "lda": Row(lda, by.of_lda, by.discriminant, _their_lda),
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
