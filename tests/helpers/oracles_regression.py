"""Oracles for least squares and likelihoods; see oracles.py."""

from fractions import Fraction

import numpy as np
from oracles import EPS, exact, length

from mlcore import generative, least_squares, logistic


def _weighted(X, y, bias, sample_weight):
    """X and y less their means, as fractions, and the weights up to 1."""
    s = exact(np.ones(len(y)) if sample_weight is None else sample_weight)
    X, y, s = exact(X)[s > 0], exact(y)[s > 0], s[s > 0]
    share = s / sum(s) if bias else s * 0
    return X - share @ X, y - share @ y, s, (share @ X, share @ y)


def of_ridge(fit, X, y, lambda_=0.0, bias=True, sample_weight=None):
    """The normal equations, column by column, each in its own unit."""
    Z, t, s, (mean, level) = _weighted(X, y, bias, sample_weight)
    w, lambda_ = exact(fit.w), Fraction(lambda_)
    slope = (s * (t - Z @ w)) @ Z - lambda_ * w
    columns = [length(column) for column in Z.T * _root(s)]
    terms = (
        length(t * _root(s))
        + (Fraction(EPS) * length(exact(y)) + Fraction(1e-300)) * max(_root(s))
        + sum(c * abs(v) for c, v in zip(columns, w, strict=True))
    )
    raw = Fraction(99 * EPS) * max(length(c) for c in exact(X).T * _root(s).max())
    rough = Fraction(1e-7) * (terms + raw * sum(abs(w))) * np.array(columns, object)
    rough += raw * (raw + np.array(columns, object)) * sum(abs(w)) + raw * terms
    rough += Fraction(1e-7) * lambda_ * abs(w) + Fraction(1e-300)
    # What is smaller than this beside y, or at all, vanishes from w.
    gone = 9 * Fraction(5e-324) * len(w) * max(1, *abs(exact(y)))
    rough += gone * (max(columns) * np.array(columns, object) + lambda_)
    yield "normal equations", abs(slope), rough
    off = abs(Fraction(fit.b) - (level - mean @ w))
    tiny = Fraction(1e-12) * (max(abs(exact(y))) + abs(mean) @ abs(w)) + Fraction(1e-300)
    yield "b", off, tiny if bias else 0


def _root(s):
    """Square roots of weights, as fractions."""
    return exact(np.sqrt((s / max(s)).astype(float))) * Fraction(float(max(s)) ** 0.5)


def of_pseudo_inverse(P, A, tol):
    """The four equations of Penrose, as far as the condition number lets them hold."""
    unit = np.abs(A).max()
    if unit == 0:
        yield "0", np.abs(P).max(), 0
        return
    A, P = A / unit, P * unit
    if np.abs(P).max() > 1e12:
        return  # without a tolerance rounding is inverted, too
    tol = EPS * max(A.shape) if tol is None else tol
    error = 99 * max(A.shape) * EPS * max(1, np.linalg.norm(P)) * np.linalg.norm(A)
    yield "A P A = A", np.linalg.norm(A @ P @ A - A), 4 * len(A.T) * tol + error
    yield "P A P = P", np.linalg.norm(P @ A @ P - P), error * np.linalg.norm(P)
    yield "A P is symmetric", np.linalg.norm(A @ P - (A @ P).T), error
    yield "P A is symmetric", np.linalg.norm(P @ A - (P @ A).T), error


def of_logistic(fit, X, y, lambda_, bias, tol, max_steps, sample_weight):
    """The gradient and its Newton step, at the answer, each feature in its own unit."""
    y = 2 * y - 1 if (y == 0).any() else y
    s = np.ones(len(y)) if sample_weight is None else sample_weight / sample_weight.max()
    X, y, s = X[s > 0], y[s > 0], s[s > 0] / s.mean()
    s = s / s.mean()
    with np.errstate(over="ignore", under="ignore"):
        g = X @ fit.w + fit.b
        sizes = np.abs(X) @ np.abs(fit.w)
        columns = X / np.maximum(np.abs(X).max(axis=0), 1e-300)
        columns -= columns.mean(axis=0) * bias
        if np.linalg.matrix_rank(columns, tol=1e-5) < len(fit.w):
            # found in coordinates that mix the features
            sizes = np.linalg.norm(X, axis=1) * np.linalg.norm(fit.w)
        error = EPS * (sizes + abs(fit.b)).max()
        J = (s @ np.logaddexp(0, -y * g)) / len(y) + lambda_ / 2 * (fit.w @ fit.w)
    rough = 9 * len(fit.w) * error + 1e-9 * J
    yield "the last value is J", abs(fit.values[-1] - J), rough + 1e-15
    yield "no step goes up", np.diff(fit.values), 1e-9 * fit.values[0]
    if not fit.converged:
        return
    sure = (y * g > 1e3 * len(fit.w) * error).all()
    yield "separable, no minimum", lambda_ == 0 and sure, 0
    mean = s @ X / len(y) if bias else np.zeros(X.shape[1])
    Z = X - mean
    Z = np.where(np.abs(Z).max(axis=0) > 1e-150, Z, 0.0)  # the others count as constant
    unit = np.maximum(np.abs(Z).max(axis=0), 1e-300)
    with np.errstate(over="ignore"):
        steep = np.sqrt(lambda_) / unit
    if rough > 1e-6 or not (steep < 1e100).all():
        return  # scores are rounding, or w is 0
    A = np.column_stack([Z / unit, np.full(len(y), float(bias))])
    P = np.append(steep**2, 0.0)
    p = 1 / (1 + np.exp(np.clip(y * g, -700, 700)))
    slope = P * np.append(fit.w * unit, 0.0) - (s * p * y) @ A / len(y)
    H = (A.T * (s * p * (1 - p))) @ A / len(y) + np.diag(P)
    scale = 1 / np.sqrt(np.maximum(np.diag(H), 1e-300))
    H, slope = H * np.outer(scale, scale), slope * scale
    gap = slope @ np.linalg.pinv(H, rcond=1e-10, hermitian=True) @ slope / 2
    yield "the gap is at most tol", gap, 2 * tol + 1e-9 + rough


def of_softmax(fit, X, labels, lambda_, tol, max_steps, sample_weight):
    s = np.ones(len(X)) if sample_weight is None else sample_weight / sample_weight.max()
    X, labels, s = X[s > 0], labels[s > 0], s[s > 0]
    yield "classes", list(fit.classes) != sorted(set(labels.tolist())), 0
    yield "sums of W", np.abs(fit.W.sum(axis=0)), 1e-9 * (1 + np.abs(fit.W).sum(axis=0))
    yield "no step goes up", np.diff(fit.values), 1e-9 * fit.values[0]
    g = X @ fit.W.T + fit.b
    error = EPS * (np.abs(X) @ np.abs(fit.W.T) + np.abs(fit.b)).max()
    own = labels[:, None] == fit.classes
    ahead = (
        np.where(own, g, np.inf).min(axis=1) - np.where(own, -np.inf, g).max(axis=1)
    ).min()
    if fit.converged:
        yield "separable", lambda_ == 0 and ahead > 1e3 * X.shape[1] * error, 0
    if not fit.converged or error > 1e-9 or lambda_ > 1e20:
        return
    p = np.exp(g - g.max(axis=1, keepdims=True))
    slope = ((p / p.sum(axis=1, keepdims=True) - own).T * s) / s.sum()
    rough = np.sqrt(tol) * 2 + 1e-5
    yield "no slope of b", np.abs(slope.sum(axis=1)), rough
    size = np.abs(X - X.mean(axis=0)).max() + 1e-300
    off = np.abs(slope @ (X - X.mean(axis=0)) + lambda_ * fit.W)
    yield "no slope of W", off, rough * (size + np.sqrt(lambda_))


def of_lda(fit, X, y):
    E, sides = exact(X), [y < 0, y > 0]
    means = np.array([sum(E[side]) / sum(map(int, side)) for side in sides])
    reach = abs(E).max(axis=0)
    yield "means", abs(exact(fit.means) - means), Fraction(1e-12) * reach
    yield "prior", abs(fit.prior - np.mean(y > 0)), 1e-15
    D = E - means[(y > 0).astype(int)]
    S, found = D.T @ D / len(y), exact(fit.factor).T @ exact(fit.factor)
    size = np.array([length(column) for column in D.T]) + Fraction(len(y) * EPS) * reach
    yield "covariance", abs(S - found), Fraction(1e-9) * np.outer(size, size)
    middle = np.log(fit.prior / (1 - fit.prior)) - (means[0] + means[1]) @ exact(fit.w) / 2
    terms = (abs(means[0]) + abs(means[1])) @ abs(exact(fit.w)) + 1
    yield "b", abs(Fraction(fit.b) - middle), Fraction(1e-12) * terms
    unit = np.where(size > Fraction(1e-9) * reach, size, 0)
    if fit.rank == X.shape[1] and all(unit):
        w = exact(fit.w) * unit
        off = abs((S @ exact(fit.w) - (means[1] - means[0])) / unit)
        step = max(abs((means[1] - means[0]) / unit))
        yield "S w = m1 - m0", off, Fraction(1e-7) * (max(abs(w)) + step)


def of_ridge_path(rules, lambdas, **data):
    for rule, lambda_ in zip(rules, lambdas, strict=True):
        yield from of_ridge(rule, lambda_=lambda_, **data)


ORACLES = {
    least_squares.least_squares: of_ridge,
    least_squares.ridge: of_ridge,
    least_squares.ridge_path: of_ridge_path,
    least_squares.pseudo_inverse: of_pseudo_inverse,
    logistic.logistic: of_logistic,
    logistic.softmax_regression: of_softmax,
    generative.lda: of_lda,
}
