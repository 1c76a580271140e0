"""Oracles for rules with a margin: machines, perceptrons, geometry; see oracles.py."""

from fractions import Fraction

import numpy as np
from oracles import EPS, exact, length, rounding

from mlcore import geometry, l1_svm, losses, separation, svm
from mlcore.perceptron import perceptron, perceptron_trace


def hinge_mean(X, y, w, b, s):
    """The mean hinge loss, and how much of it may be rounding of w and b."""
    z = y * (X @ w + b)
    slack = s @ rounding(X, w, b) / sum(s)
    return s @ np.maximum(Fraction(0), 1 - z) / sum(s), slack


def of_soft_margin(fit, X, y, lambda_, bias, sample_weight):
    """The duality gap, from w, b and a alone.

    Where a float has too few digits for the weights, the lengths of the examples or the
    directions they span, the least J need not be found; what is told about it is true.
    """
    s = np.ones(len(y)) if sample_weight is None else sample_weight
    kept = s / s.max() > 0  # far smaller ones are left out
    X, y, s, a = exact(X[kept]), exact(y[kept]), exact(s[kept]), exact(fit.a[kept])
    yield "a of examples without weight is 0", np.abs(fit.a[~kept]).sum(), 0
    w, b, lambda_ = exact(fit.w), Fraction(fit.b), Fraction(lambda_)
    loss, slack = hinge_mean(X, y, w, b, s)
    value = loss + lambda_ / 2 * (w @ w)
    slack += Fraction(1e-12) * value
    yield "value is J", abs(Fraction(fit.value) - value), slack
    most = s / (lambda_ * sum(s))
    yield "0 <= a", -a, 0
    yield "a <= C", a - most, Fraction(1e-9) * most
    origin = s @ X / sum(s) if bias else X[0] * 0
    v = (a * y) @ (X - origin)
    dual = lambda_ * sum(a) - lambda_ / 2 * (v @ v)
    if bias:
        slack += lambda_ * abs(sum(a * y)) * abs(b + w @ origin)
        yield "the a_i y_i add up to 0", abs(sum(a * y)), Fraction(1e-9) * sum(a)
    # rounding of each a moves v so far: no a in floats need prove more
    lengths = np.array([length(x) for x in X - origin])
    off = Fraction(16 * EPS) * (a @ lengths)
    slack += lambda_ * (length(v) + off) * off
    yield "no J is lower by more", value - dual, Fraction(1.01 * fit.gap) + 2 * slack
    spans = [max(sizes) / min(sizes[sizes > 0], default=1) for sizes in (s, lengths)]
    Z = ((X - origin) / (max(lengths) or 1)).astype(float)
    if fit.converged or max(*spans, np.linalg.cond(Z)) < 1e-3 / EPS:
        allowed = Fraction(1e-8) * value + 2 * slack + Fraction(1e-12)
        yield "J is the least", fit.gap, allowed


def of_hard_margin(fit, X, y, bias):
    if not fit.separable:
        yield "w is 0", np.abs(fit.w).max(), 0
        return
    X, y, w, b, a = exact(X), exact(y), exact(fit.w), Fraction(fit.b), exact(fit.a)
    error = rounding(X, w, b)
    yield "y (w @ x + b) >= 1", 1 - y * (X @ w + b), Fraction(1e-9) + 2 * error
    yield "a >= 0", -a, 0
    yield "|w| = 1 / margin", abs(length(w) * Fraction(fit.margin) - 1), 1e-12
    squared = w @ w
    yield "the sum of a is |w|**2", abs(sum(a) - squared), Fraction(1e-9) * squared
    origin = X[0] * (1 if bias else 0)
    v, size = (a * y) @ (X - origin), max(abs(X - origin).max(), 1)
    off = Fraction(1e-9) * length(w) + Fraction(len(y) * 64 * EPS) * sum(a) * size
    yield "w is the sum of a y x", length(v - w), off
    if bias:
        yield "the a_i y_i add up to 0", abs(sum(a * y)), Fraction(1e-12) * sum(a)


def of_max_margin(fit, X, y, bias):
    X, y, u = exact(X), exact(y), exact(fit.weights)
    origin = sum(X) / len(X) if bias else X[0] * 0
    Z = X - origin
    size = abs(Z).max() + abs(origin).max() * Fraction(len(origin) * EPS)
    tiny = Fraction(1e-12) * size + Fraction(4 * len(origin) * EPS) * abs(origin).max()
    parts = [u[y > 0], u[y < 0]] if bias else [u]
    yield "weights >= 0", -u, 0
    yield "weights add up to 1", [abs(sum(part) - 1) for part in parts], 1e-12
    bound = length((u * y) @ Z) / len(parts)  # no margin is wider
    if not fit.separable:
        yield "w and b are 0", np.abs([*fit.w, fit.b]).max(), 0
        yield "the weights prove it", bound, 4 * tiny
        return
    w, b, margin = exact(fit.w), Fraction(fit.b), Fraction(fit.margin)
    yield "|w| is 1", abs(length(w) - 1), 1e-12
    error = rounding(X, w, b).max() + tiny / 100 + Fraction(1e-300)
    yield "margin is the least", abs((y * (X @ w + b)).min() - margin), error
    yield "no margin is wider", bound - margin, error + Fraction(1e-9) * margin


def of_separating_halfspace(fit, X, y, bias):
    X, y = exact(X), exact(y)
    if fit.separable:
        w, b = exact(fit.w), Fraction(fit.b)
        z = y * (X @ w + b)
        yield "beyond rounding", z <= 0, 0
        yield "y (w @ x + b) >= 1", 1 - z, Fraction(1e-9) + rounding(X, w, b)
        return
    a = exact(fit.certificate)
    origin = (X.min(axis=0) + X.max(axis=0)) / 2 if bias else X[0] * 0
    reach = np.maximum(abs(X - origin).max(axis=0), Fraction(1e-250))
    yield "a >= 0", -a, 0
    yield "a adds up to 1", abs(sum(a) - 1), 1e-9
    yield "a y x adds up to 0", abs((a * y) @ (X - origin)) / reach, 2e-9
    if bias:
        yield "a y adds up to 0", abs(sum(a * y)), 2e-9


def of_l1_svm(fit, X, y, C):
    """|w|_1 + C sum of hinge against the objective that is claimed, and its gap."""
    X, y, w, b, C = exact(X), exact(y), exact(fit.w), Fraction(fit.b), Fraction(C)
    size = abs(X - sum(X) / len(X)).max() or 1
    loss, slack = hinge_mean(X, y, w, b, exact(np.ones(len(y))))
    value = sum(abs(w)) + C * len(y) * loss
    slack = C * len(y) * slack + Fraction(1e-9) * value + Fraction(1e-300)
    slack += len(y) * Fraction(5e-324) / size  # what is said is rounded to these
    yield "objective", abs(value - Fraction(fit.objective) / size), slack
    yield "at most n weights", max(0, np.count_nonzero(fit.w) - len(y)), 0
    yield "converged", not fit.converged, 0


def of_l1_svm_path(path, X, y, C, max_steps, tol):
    """The gradient of the loss against the slope of the penalty, which is 1."""
    Z = X - X[0]  # far from 0 the mean of X is rounded by more than rows differ
    mean, Z = X.mean(axis=0), Z - Z.mean(axis=0)
    size = np.abs(Z).max() or 1.0
    A = np.column_stack([Z / size, np.ones(len(X))]) * y[:, None]
    for c, w, b, converged in zip(path.C, path.W, path.b, path.converged, strict=True):
        error = np.abs(X) @ np.abs(w) + abs(b)
        if not converged or EPS * error.max() > 1e-9:
            continue
        v = np.append(w * size, b + mean @ w)
        xi = np.maximum(0.0, 1 - A @ v)
        g = 2 * c * size * (xi @ A)  # minus the gradient
        rough = tol + 1e-9 + 99 * c * size * EPS * len(y) * (1 + error.max())
        yield "no slope of b", abs(g[-1]), rough
        off = np.where(v[:-1] != 0, np.abs(g[:-1] - np.sign(v[:-1])), np.abs(g[:-1]) - 1)
        yield "the slopes are those of a minimum", off, rough


def of_perceptron(fit, X, y, bias, start, max_epochs, rng):
    X, y, w, b = exact(X), exact(y), exact(fit.w), Fraction(fit.b)
    yield "no epoch errs more than n times", max(fit.mistakes) - len(y), 0
    yield "only the last is clean", 0 in fit.mistakes[:-1], 0
    if fit.converged:
        yield "all are right", -(y * (X @ w + b)), rounding(X, w, b)
    else:
        yield "it ran to max_epochs", len(fit.mistakes) != max_epochs, 0


def of_perceptron_trace(run, X, y, bias, start, eta, max_updates):
    """Every step: the rows passed by are right, the chosen one is not, and is added."""
    i, n = 0, len(y)
    for w, b, new, c, chosen in zip(
        run.w, run.b, run.w[1:], run.b[1:], run.chosen, strict=False
    ):
        passed = np.arange(i, i + 1 + (chosen - i) % n) % n
        with np.errstate(over="ignore"):
            z = y[passed] * (X[passed] @ w + b)
            doubt = 9 * (len(w) + 2) * EPS * (np.abs(X[passed]) @ np.abs(w) + abs(b))
        yield "those passed by are right", -z[:-1], doubt[:-1]
        yield "the chosen one is a mistake", z[-1], doubt[-1]
        step = eta * y[chosen] * X[chosen]
        yield "it is added", np.abs(new - w - step), 4 * EPS * (np.abs(w) + np.abs(step))
        yield "b", abs(c - b - bias * eta * y[chosen]), 4 * EPS * (abs(b) + eta)
        i = chosen + 1
    yield "converged or out of updates", not run.converged and run.updates < max_updates, 0
    if run.converged:
        z, w = y * (X @ run.w[-1] + run.b[-1]), np.abs(run.w[-1])
        doubt = 9 * (len(w) + 2) * EPS * (np.abs(X) @ w + abs(run.b[-1]))
        yield "all are right", -z, doubt


def of_signed_distance(distances, X, w, b):
    X, w, b = exact(X), exact(w), Fraction(b)
    size = length(w)
    off = abs(exact(distances) - (X @ w + b) / size)
    yield "(w @ x + b) / |w|", off, rounding(X, w, b) / size + Fraction(5e-324) * len(w)


def of_project(points, X, w, b):
    """On the hyperplane, and straight below x."""
    P, X, w, b = exact(points), exact(X), exact(w), Fraction(b)
    size = length(w)
    error = Fraction(9 * (len(w) + 2) * EPS) * (abs(X).max() * len(w) + abs(b) / size)
    error += Fraction(1e-300)
    yield "on the hyperplane", abs((P @ w + b) / size), error * len(w)
    foot = X - np.outer((X @ w + b) / size, w / size)
    yield "the nearest point", abs(P - foot), error


def of_functional_margin(z, X, y, w, b):
    X, y, w, b = exact(X), exact(y), exact(w), Fraction(b)
    yield (
        "y (w @ x + b)",
        abs(exact(z) - y * (X @ w + b)),
        rounding(X, w, b) + Fraction(1e-300),
    )


def of_geometric_margin(margins, X, y, w, b):
    yield from of_signed_distance(y * margins, X, w, b)


def of_objective(J, X, y, w, b, lambda_):
    X, y, w, b = exact(X), exact(y), exact(w), Fraction(b)
    loss, slack = hinge_mean(X, y, w, b, exact(np.ones(len(y))))
    value = loss + Fraction(lambda_) / 2 * (w @ w)
    yield "J", abs(Fraction(J) - value), slack + Fraction(1e-12) * value + Fraction(1e-300)


def of_descent(fit, X, y, lambda_, steps, bias):
    """J at the answer is the least of the values."""
    w = np.abs(fit.w)
    error = EPS * 9 * len(w) * ((np.abs(X) @ w).max() + abs(fit.b)) + 1e-9
    z = y * (X @ fit.w + fit.b)
    J = losses.hinge.value(z).mean() + lambda_ / 2 * (fit.w @ fit.w)
    least = fit.values.min()
    yield "the best one met", abs(J - least), error + 1e-9 * least
    yield "values of all steps", len(fit.values) != steps + 1, 0
    yield "no bias", not bias and fit.b != 0, 0


ORACLES = {
    svm.soft_margin: of_soft_margin,
    svm.hard_margin: of_hard_margin,
    svm.objective: of_objective,
    svm.subgradient_descent: of_descent,
    separation.max_margin: of_max_margin,
    separation.separating_halfspace: of_separating_halfspace,
    l1_svm.l1_svm: of_l1_svm,
    l1_svm.l1_svm_path: of_l1_svm_path,
    perceptron: of_perceptron,
    perceptron_trace: of_perceptron_trace,
    geometry.signed_distance: of_signed_distance,
    geometry.project: of_project,
    geometry.functional_margin: of_functional_margin,
    geometry.geometric_margin: of_geometric_margin,
}
