"""What the fits of the shelf minimize, and what they say about that: the book's formulas.

They are written anew; X (n, d), y (n,), and s (n,) says how often each example counts.
The claims are as in claims.py.
"""

import numpy as np
from scipy.optimize import linprog

from mlcore.lasso import LassoFit
from mlcore.linear import LinearRule
from tests.helpers.claims import EPS, TINY, doubt


def absolute(w, b, X, y, s, price):
    return s @ (y - X @ w - b) ** 2 + price * np.abs(w).sum()


def log_loss(w, b, X, y, s, price):
    return s @ np.logaddexp(0, -y * (X @ w + b)) / s.sum() + price / 2 * w @ w


def softmax_loss(W, b, X, y, s, price):
    g = X @ W.T + b
    own = np.unique(y, return_inverse=True)[1]
    loss = np.logaddexp.reduce(g, axis=1) - g[np.arange(len(y)), own]
    return s @ loss / s.sum() + price / 2 * (W**2).sum()


def hinge(w, b, X, y, s, price):
    return s @ np.maximum(0, 1 - y * (X @ w + b)) / s.sum() + price / 2 * w @ w


def sparse_hinge(w, b, X, y, C):
    return np.abs(w).sum() + C * np.maximum(0, 1 - y * (X @ w + b)).sum()


# Claims.  Those of a fit with a bias are for data less their mean.


def _centered(X, y, s, bias):
    share = s / s.sum() * bool(bias)
    return X - share @ X, y - share @ y, share @ X, share @ y


def _ones(y, sample_weight):
    return np.ones(len(y)) if sample_weight is None else sample_weight


def of_ridge(fit, X, y, lambda_=0.0, bias=True, sample_weight=None):
    """The normal equations, column by column, each in its own unit."""
    s = _ones(y, sample_weight)
    X, y, s = X[s > 0], y[s > 0], s[s > 0]
    Z, t, mean, level = _centered(X, y, s, bias)
    w, root = fit.w, np.sqrt(s)
    slope = (s * (t - Z @ w)) @ Z - lambda_ * w
    columns = np.linalg.norm(root[:, None] * Z, axis=0)
    raw = 99 * EPS * np.linalg.norm(root[:, None] * X, axis=0)
    terms = root @ np.abs(t) + EPS * root @ np.abs(y) + (columns + raw) @ np.abs(w)
    # singular values below 1e-7 of the largest count as 0
    rough = 1e-7 * (columns * terms + lambda_ * np.abs(w)) + raw * terms + TINY
    yield "normal equations", np.abs(slope), rough
    near = 1e-12 * (np.abs(y).max() + np.abs(mean) @ np.abs(w)) + TINY
    yield "b", abs(fit.b - (level - mean @ w)), near if bias else 0
    if hasattr(fit, "rank"):
        sizes = np.linalg.svd(root[:, None] * Z / np.maximum(columns, raw + TINY))[1]
        sure = ((sizes > 1e-5) | (sizes < 1e-9)).all() and (columns > 1e3 * raw).all()
        yield "rank", sure and fit.rank != (sizes > 1e-5).sum(), 0


def of_indicator(found, X, labels):
    """A least squares fit for each class, whose scores sum to 1."""
    classes = np.unique(labels)
    yield "classes", found.classes.tolist() != classes.tolist(), 0
    for label, w, b in zip(classes, found.W, found.b, strict=True):
        yield from of_ridge(LinearRule(w, float(b)), X, (labels == label).astype(float))
    size = np.abs(X) @ np.abs(found.W).sum(axis=0) + np.abs(found.b).sum()
    sums = X @ found.W.sum(axis=0) + found.b.sum()
    yield "sum of the scores", np.abs(sums - 1), 1e-9 * (1 + size)


def of_lasso(fit, X, y, lambda_, gap=None):
    """No slope is above lambda, and it is lambda where w is not 0, as the gap allows.

    A step along v from a w that is at most e above the minimum gains the square of its
    excess over |2 Z v|**2: so the excess is at most 2 |Z v| e**0.5.
    """
    Z, t, mean, level = _centered(X, y, np.ones(len(y)), True)
    w, whole = fit.w, t @ t
    gap = fit.duality_gap / max(whole, TINY) if gap is None else gap
    if isinstance(fit, LassoFit):
        yield "converged", fit.converged != (fit.duality_gap <= 1e-6 * whole), 0
    r, columns = t - Z @ w, np.linalg.norm(Z, axis=0)
    raw = 99 * EPS * np.linalg.norm(X, axis=0) * (np.linalg.norm(y) + columns @ np.abs(w))
    far = 2 * np.sqrt((gap + 4 * EPS) * whole)
    g = 2 * r @ Z
    yield "slopes", np.abs(g) - lambda_, far * columns + raw + TINY
    excess = np.abs(lambda_ * np.abs(w).sum() - g @ w)
    yield (
        "slopes where w is not 0",
        excess,
        far * np.linalg.norm(Z @ w) + raw @ abs(w) + TINY,
    )
    near = 1e-12 * (np.abs(mean) @ np.abs(w) + np.abs(y).max()) + TINY
    yield "b", abs(fit.b - (level - mean @ w)), near
    used = w != 0  # the least value with these signs is no lower than the gap says
    better, A = w.copy(), Z[:, used] / columns[used]
    down = np.linalg.lstsq(A.T @ A, np.sign(w[used]) / columns[used], rcond=1e-13)[0]
    better[used] = (np.linalg.lstsq(A, t)[0] - lambda_ / 2 * down) / columns[used]
    value, least = (absolute(v, 0.0, Z, t, np.ones(len(t)), lambda_) for v in (w, better))
    yield "gap", value - least, gap * whole + 1e-11 * (value + whole) + TINY


def lasso_gap(fit, X, y, lambda_):
    """How far w may be above the minimum by duality, and the objective of w = 0."""
    Z, t, *_ = _centered(X, y, np.ones(len(y)), True)
    r = t - Z @ fit.w
    u = r * min(1.0, lambda_ / max(2 * np.abs(r @ Z).max(), TINY))
    return absolute(fit.w, 0.0, Z, t, np.ones(len(t)), lambda_) - 2 * u @ t + u @ u, t @ t


def of_proximal(fit, X, y, lambda_, max_steps=1000, tol=1e-8):
    yield from of_lasso(fit, X, y, lambda_)
    yield "converged", fit.converged != (fit.duality_gap <= tol * fit.values[0]), 0
    yield "value", fit.value != fit.values[-1], 0
    yield "out of steps", not fit.converged and len(fit.values) <= max_steps, 0
    if lambda_ > 0:  # else it is 0 or all, as rounding decides about the slopes
        gap, whole = lasso_gap(fit, X, y, lambda_)
        yield "the gap is that of the residual", gap - fit.duality_gap, 1e-9 * whole + TINY
    yield "path", np.abs(fit.path[[0, -1]] - [0 * fit.w, fit.w]), 0


def of_lasso_path(path, X, y, lambda_min):
    yield "the first w is 0", np.abs(path.W[0]).max(), 0
    yield "falling", np.diff(path.lambdas), 0
    yield "complete", path.lambdas[-1] > lambda_min, 0
    Z, t, *_ = _centered(X, y, np.ones(len(y)), True)
    top = 2 * np.abs(t @ Z).max()
    near = 1e-9 * top + 99 * EPS * np.linalg.norm(X, axis=0).max() * np.linalg.norm(y)
    yield "the first knot", abs(path.lambdas[0] - top), near + TINY
    middle = (path.lambdas[:-1] + path.lambdas[1:]) / 2
    for lambda_ in [*path.lambdas[:-1], *middle][:: 1 + len(middle) // 9]:
        yield from of_lasso(path.at(lambda_), X, y, lambda_, gap=1e-9)


def of_logistic(fit, X, y, lambda_=0.0, bias=True, tol=1e-12, sample_weight=None, **_):
    """A step along a coordinate gains the square of its slope over twice the curvature."""
    y, s = (2 * y - 1 if (y == 0).any() else y), _ones(y, sample_weight)
    X, y, s = X[s > 0], y[s > 0], s[s > 0] / s.sum()
    error = 99 * doubt(X, fit.w, fit.b).max()
    J = log_loss(fit.w, fit.b, X, y, s, lambda_)
    yield "the last value is J", abs(fit.values[-1] - J), error + 1e-9 * J
    yield (
        "the last norm is |w|",
        abs(fit.norms[-1] - np.linalg.norm(fit.w)),
        1e-9 * J + error,
    )
    yield "no step goes up", np.diff(fit.values), 1e-9 * fit.values[0]
    yield "no bias", not bias and fit.b != 0, 0
    if fit.converged:
        z = y * (X @ fit.w + fit.b)
        yield "separable, no minimum", lambda_ == 0 and (z > error).all(), 0
        missing = s * y / (1 + np.exp(np.clip(z, -700, 700)))
        Z = X - s @ X if bias else X
        slope = np.append(lambda_ * fit.w - missing @ Z, bias * missing.sum())
        bend = np.append(s @ Z**2 / 4 + lambda_, 0.25)
        rough = (error + 1e-12) * np.append(s @ np.abs(X) + lambda_ * np.abs(fit.w), 1)
        yield "slopes", np.abs(slope), np.sqrt(4 * tol * bend) + rough


def of_softmax(fit, X, labels, lambda_=0.0, tol=1e-12, sample_weight=None, **_):
    """A class that has no weight is a class all the same."""
    s = _ones(labels, sample_weight)
    yield "classes", fit.classes.tolist() != np.unique(labels).tolist(), 0
    yield "sums of W", np.abs(fit.W.sum(axis=0)), 1e-9 * (1 + np.abs(fit.W).sum(axis=0))
    yield "sum of b", abs(fit.b.sum()), 1e-9 * (1 + np.abs(fit.b).sum())
    yield "no step goes up", np.diff(fit.values), 1e-9 * fit.values[0]
    J = softmax_loss(fit.W, fit.b, X, labels, s, lambda_)
    X, labels, s = X[s > 0], labels[s > 0], s[s > 0] / s.sum()
    error = 99 * doubt(X, fit.W.T, fit.b).max()
    yield "the last value is J", abs(fit.values[-1] - J), error + 1e-9 * J
    if fit.converged:
        g, own = X @ fit.W.T + fit.b, labels[:, None] == fit.classes
        ahead = g[own] - np.where(own, -np.inf, g).max(axis=1)
        yield "separable, no minimum", lambda_ == 0 and (ahead > error).all(), 0
        p = np.exp(g - g.max(axis=1, keepdims=True))
        missing = (p / p.sum(axis=1, keepdims=True) - own) * s[:, None]
        Z = X - s @ X
        bend = s @ Z**2 / 2 + lambda_
        rough = (error + 1e-12) * (s @ np.abs(X) + lambda_ * np.abs(fit.W))
        slope = np.abs(missing.T @ Z + lambda_ * fit.W)
        yield "slopes of W", slope, np.sqrt(4 * tol * bend) + rough
        yield "slopes of b", np.abs(missing.sum(axis=0)), np.sqrt(2 * tol) + error + 1e-12


def of_soft_margin(fit, X, y, lambda_=0.01, bias=True, sample_weight=None):
    """The duality gap, from w, b and a alone: what is said about it is true."""
    s = _ones(y, sample_weight)
    yield "a of examples without weight is 0", fit.a[s == 0], 0
    X, y, a, s = X[s > 0], y[s > 0], fit.a[s > 0], s[s > 0]
    w, most = fit.w, s / (lambda_ * s.sum())
    value = hinge(w, fit.b, X, y, s, lambda_)
    slack = doubt(X, w, fit.b).max() + 1e-12 * value
    yield "value is J", abs(fit.value - value), slack
    yield "C", abs(fit.C - 1 / (lambda_ * len(s))), 1e-12 * fit.C
    yield "0 <= a <= C", np.maximum(-a, a - (1 + 1e-9) * most), 0
    origin = s @ X / s.sum() * bool(bias)
    v = (a * y) @ (X - origin)
    dual = lambda_ * a.sum() - lambda_ / 2 * v @ v
    if bias:
        slack += lambda_ * abs(a @ y) * abs(fit.b + w @ origin)
        yield "the a_i y_i add up to 0", abs(a @ y), 1e-9 * a.sum()
    # rounding of each a moves v so far: no a in floats need prove more
    off = 16 * EPS * a @ np.linalg.norm(X - origin, axis=1)
    slack += lambda_ * (np.linalg.norm(v) + off) * off
    yield "no J is lower by more", value - dual, 1.01 * fit.duality_gap + 2 * slack
    near = 2 * np.sqrt(
        2 * (fit.duality_gap + 2 * slack) / lambda_
    )  # both are so near to the best
    yield "w is the sum of a y x", np.linalg.norm(w - v), near
    yield "relative gap", abs(fit.relative_gap - fit.duality_gap / fit.value), EPS
    clear = abs(fit.relative_gap - 1e-8) > 1e-15
    yield "converged", clear and fit.converged != (fit.relative_gap <= 1e-8), 0


def of_hard_margin(fit, X, y, bias=True):
    """The dual variables bound all margins; without a margin, the certificate proves it."""
    origin = X.mean(axis=0) * bool(bias)
    error = 1e-12 * np.abs(X).max() * len(origin)
    proof = fit.a * fit.margin**2 if fit.separable else fit.certificate
    yield "weights >= 0", -proof, 0
    yield "weights add up to 1", abs(proof.sum() - 1), 2e-12
    yield "y @ a is 0", bool(bias) * abs(proof @ y), 1e-12
    bound = np.linalg.norm((proof * y) @ (X - origin))  # no margin is wider
    if not fit.separable:
        yield "w, b, a and margin are 0", np.abs([*fit.w, fit.b, *fit.a, fit.margin]), 0
        yield "the certificate proves it", bound, 4 * error
        return
    w, u = fit.w, fit.unit_w
    yield "|unit_w| is 1", abs(np.linalg.norm(u) - 1), 1e-12
    z = y * (X @ u + fit.unit_b)
    yield "margin is the smallest", abs(z.min() - fit.margin), error
    yield "no margin is wider", bound - fit.margin, error + 1e-9 * fit.margin
    off = 1e-9 * np.linalg.norm(w) + 99 * EPS * fit.a @ np.linalg.norm(X, axis=1)
    yield "w is the sum of a y x", np.linalg.norm((fit.a * y) @ (X - origin) - w), off
    yield "no bias", not bias and fit.b != 0, 0


def of_separating_halfspace(fit, X, y, bias=True):
    if fit.separable:
        z = y * (X @ fit.w + fit.b)
        yield "y (w @ x + b) >= 1", 1 - z, 1e-9 + doubt(X, fit.w, fit.b)
        yield "no bias", not bias and fit.b != 0, 0
        return
    a = fit.certificate
    origin = (X.min(axis=0) + X.max(axis=0)) / 2 * bool(bias)
    reach = np.maximum(np.abs(X - origin).max(axis=0), 1e-9 * np.abs(X).max() + TINY)
    yield "a >= 0", -a, 0
    yield "a adds up to 1", abs(a.sum() - 1), 1e-9
    yield "a y x adds up to 0", np.abs((a * y) @ (X - origin)) / reach, 2e-9
    yield "a y adds up to 0", bool(bias) * abs(a @ y), 2e-9


def of_l1_svm(fit, X, y, C=1.0):
    """Beside it the program of the textbook: w = u - v, and a loss for each example."""
    (n, d), Z = X.shape, y[:, None] * np.column_stack([X, -X, np.ones(len(y))])
    cost = np.repeat([1.0, 0.0, C], [2 * d, 1, n])
    bounds = [(0, None)] * (2 * d) + [(None, None)] + [(0, None)] * n
    x = linprog(cost, np.hstack([-Z, -np.eye(n)]), -np.ones(n), bounds=bounds).x
    u, v, b, _ = np.split(np.zeros(len(cost)) if x is None else x, [d, 2 * d, 2 * d + 1])
    value, other = (sparse_hinge(*of, X, y, C) for of in ((fit.w, fit.b), (u - v, b)))
    slack = C * (doubt(X, fit.w, fit.b) + doubt(X, u - v, b)).sum() + 1e-9 * value
    yield "at most n weights", np.count_nonzero(fit.w), n
    yield "value", abs(fit.value - value), slack
    yield "no lower than by the gap", value - fit.duality_gap - other, slack
    yield "converged", fit.converged != (fit.relative_gap < 1e-6), 0


def of_lda(fit, X, y):
    means = np.array([X[y < 0].mean(axis=0), X[y > 0].mean(axis=0)])
    reach = np.abs(X).max(axis=0)
    yield "means", np.abs(fit.means - means), 1e-12 * reach
    yield "prior", abs(fit.prior - np.mean(y > 0)), 1e-15
    D = X - means[(y > 0).astype(int)]
    S, size = D.T @ D / len(y), np.sqrt((D**2).mean(axis=0)) + 99 * EPS * reach
    near = 1e-9 * np.outer(size, size) + np.outer(EPS * reach, EPS * reach)
    yield "covariance", np.abs(S - fit.covariance), 9 * near + TINY
    middle = np.log(fit.prior / (1 - fit.prior)) - means.sum(axis=0) @ fit.w / 2
    yield "b", abs(fit.b - middle), 1e-12 * (1 + np.abs(means).sum(axis=0) @ np.abs(fit.w))
    if fit.rank == X.shape[1] and (size > 1e-9 * reach).all():
        off = np.abs(S @ fit.w - (means[1] - means[0])) / size
        step = np.abs(means[1] - means[0]) / size
        rounding = 9 * EPS * (reach / size).max()
        yield "S w = m1 - m0", off, 1e-7 * (np.abs(fit.w) @ size + step.max()) + rounding
