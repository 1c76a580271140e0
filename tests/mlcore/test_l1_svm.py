"""The L1-norm SVM: its linear program, and its limits."""

import numpy as np
from scipy.optimize import linprog

from mlcore.l1_svm import l1_svm
from tests.helpers.assertions import score_error
from tests.helpers.optimality_cases import Case


def l1_svm_claims(fit, X, y, C=1.0):
    """Compare with the usual linear program: w = u - v, and one loss per example."""
    (n, d), Z = X.shape, y[:, None] * np.column_stack([X, -X, np.ones(len(y))])
    cost = np.repeat([1.0, 0.0, C], [2 * d, 1, n])
    bounds = [(0, None)] * (2 * d) + [(None, None)] + [(0, None)] * n
    x = linprog(cost, np.hstack([-Z, -np.eye(n)]), -np.ones(n), bounds=bounds).x
    x = np.zeros(len(cost)) if x is None else x
    w, b = x[:d] - x[d : 2 * d], x[2 * d]
    value, optimum = (
        np.abs(v).sum() + C * np.maximum(0, 1 - y * (X @ v + c)).sum()
        for v, c in ((fit.w, fit.b), (w, b))
    )
    error = C * (score_error(X, fit.w, fit.b) + score_error(X, w, b)).sum() + 1e-9 * value
    yield "at most n weights", np.count_nonzero(fit.w), n
    yield "no weight is -0", np.signbit(fit.w[fit.w == 0]), 0
    yield "value", abs(fit.value - value), error
    yield "duality gap", value - fit.duality_gap - optimum, error
    yield "converged", fit.converged != (fit.relative_gap < 1e-6), 0


ORACLES = {l1_svm: l1_svm_claims}
CASES = [Case(l1_svm, options={"C": 0.5})]
ERRORS = {"C * max |X - mean| must be": lambda: l1_svm([[0], [5 / 3]], [1, -1], C=1.3e9)}
