"""Oracles for the lasso and proximal descent; see oracles.py."""

from fractions import Fraction

import numpy as np
from oracles import EPS, exact, length
from public_regression import PATH, SMALL

from mlcore import lasso

RIDGE = 1e-10  # of the lasso: it makes copies share


def _centered(X, y):
    """X and y less their means, as fractions, and the means."""
    X, y = exact(X), exact(y)
    mean, level = sum(X) / len(X), sum(y) / len(y)
    return X - mean, y - level, mean, level


def _sizes(Z, t, y):
    """The lengths of the features, and of t with the rounding of y."""
    columns = np.array([length(z) for z in Z.T], object)
    return columns, length(t) + Fraction(EPS) * length(exact(y)) + Fraction(1e-300)


def of_lasso(fit, X, y, lambda_, claims=True):
    """No slope is above lambda, and it is lambda where w is not 0; w, b may be rounded.

    The minimum is that with RIDGE |z_j w_j|**2 added, so its slopes are off by twice
    RIDGE |z_j|**2 |w_j|; how far that is from the minimum is for `fit.gap` to say.
    """
    (Z, t, mean, level), w = _centered(X, y), exact(fit.w)
    g, lambda_ = 2 * (t - Z @ w) @ Z, Fraction(lambda_)
    columns, size = _sizes(Z, t, y)
    raw = np.array([length(x) for x in exact(X).T], object) * Fraction(EPS) * size
    raw += Fraction(9 * sum(X.shape) * EPS) * columns * (columns @ abs(w))
    raw += 2 * Fraction(RIDGE) * columns**2 * abs(w) + Fraction(1e-300)
    off = Fraction(1e-12) * (abs(mean) @ abs(w) + max(abs(exact(y)))) + Fraction(1e-300)
    yield "b", abs(Fraction(fit.b) - (level - mean @ w)), off
    # in units that are farther apart the fit may say that it has not converged
    alike = max(columns) < 10**8 * min(columns[columns > 0], default=1)
    if claims and (alike or getattr(fit, "converged", False)):
        # a step along z_j gains the square of the excess over |2 z_j|: at most the gap
        near = Fraction(1e-7 if alike else 2 * (fit.gap + 1e-12) ** 0.5)
        yield "slopes", abs(g) - lambda_, near * columns * size + raw
        gap = lambda_ * sum(abs(w)) - g @ w
        yield (
            "slopes where w is not 0",
            abs(gap),
            (1 if alike else 2) * near * size**2 + raw @ abs(w),
        )


def of_lasso_fit(fit, X, y, lambda_):
    """The gap is no lie, and it is small unless the ridge moves w, or hides the dual."""
    yield from of_lasso(fit, X, y, lambda_)
    (Z, t, *_), w, price = _centered(X, y), exact(fit.w), Fraction(lambda_)
    columns, size = _sizes(Z, t, y)
    better = _without_ridge(Z, t, w, columns, price)
    above = _lasso_value(Z, t, w, price) - _lasso_value(Z, t, better, price)
    v, far = columns * abs(w), columns * abs(better)
    raw = np.array([length(x) for x in exact(X).T], object) @ (abs(w) + abs(better))
    # products in the dual may be 1e-12 too large; X and y are rounded when centered
    noise = Fraction(9 * len(t) * EPS) * (length(exact(y)) + raw) + Fraction(1e-300)
    rough = Fraction(1e-11) * size * (size + sum(v) + sum(far)) + noise * (size + noise)
    rough += Fraction(1e-300) * sum(abs(w) + abs(better))
    yield "gap", above, Fraction(fit.gap) * size**2 + rough
    size_of = np.abs(X - X.mean(axis=0)).max(axis=0)
    alike = size_of.max() < 1e8 * size_of.min(where=size_of > 0, initial=np.inf)
    alike &= np.abs(y).max() >= 1e-300 * size_of.max()  # or w would be no number
    # the ridge lifts the minimum by at most RIDGE |v|**2, v that without it
    moved = Fraction(RIDGE) * max(v @ v, far @ far) > Fraction(1e-7) * size**2
    # it shares w among dependent features, whose slopes cannot all be lambda: then the
    # dual has the residual made smaller by pull / lambda, which costs twice that share
    pull = max(2 * Fraction(RIDGE) * columns * v)
    pulled = 0 < price < 10**7 * pull and _dependent(Z, columns, w)
    yield "converged", alike and not fit.converged and not moved and not pulled, 0


def _lasso_value(Z, t, w, lambda_):
    r = t - Z @ w
    return r @ r + lambda_ * sum(abs(w))


def _used(Z, columns, w):
    """The features whose weights are not 0, each of length 1."""
    used = (w != 0) & (columns > 0)
    return used, (Z[:, used] / columns[used]).astype(float)


def _dependent(Z, columns, w):
    """Whether the features in use are dependent, but for what the ridge outweighs."""
    S = _used(Z, columns, w)[1]
    return np.linalg.matrix_rank(S, tol=RIDGE**0.5) < S.shape[1]


def _without_ridge(Z, t, w, columns, lambda_):
    """Where all slopes of the features in use are lambda, with the signs of w.

    Three steps of refinement in fractions.  It is the minimum if no sign changes and
    no other slope is above lambda; whatever it is, its value is above the minimum.
    """
    used, S = _used(Z, columns, w)
    unit, signs, w = length(t), np.sign(w.astype(float)).astype(int), w.copy()
    for _ in range(3 if unit else 0):
        off = (t - Z @ w) @ Z - lambda_ / 2 * signs
        off = np.clip(off[used] / columns[used] / unit, -2, 2).astype(float)  # soon below 1
        step = np.linalg.lstsq(S, np.linalg.lstsq(S.T, off)[0])[0]
        w[used] += exact(step) * unit / columns[used]
    return w


def lasso_gap(X, y, w, lambda_):
    """How far w may be above the minimum by duality, and the objective of w = 0.

    The residual u, made smaller until 2 |u @ z| <= lambda, is a point of the dual.  The
    features that it is at right angles to but for rounding are taken out of it before:
    in large units their rounding alone is more than lambda.
    """
    Z, t, _, _ = _centered(X, y)
    w, lambda_ = exact(w), Fraction(lambda_)
    r = t - Z @ w
    limit, dual = Fraction(1e-12) * length(t), Fraction(0)
    level = [z for z in Z.T if abs(r @ z) <= limit * length(z)]
    for u in r, _at_right_angles(r, level):
        slope = 2 * max(abs(u @ Z))
        u = u if slope <= lambda_ else u * (lambda_ / slope)
        dual = max(dual, 2 * u @ t - u @ u)
    return _lasso_value(Z, t, w, lambda_) - dual, t @ t


def _at_right_angles(u, vectors):
    """What is left of u without its part in the span of some vectors, in fractions."""
    basis = []
    for z in vectors:
        for q in basis:
            z = z - q * ((q @ z) / (q @ q))
        if any(z):
            basis.append(z)
            u = u - z * ((z @ u) / (z @ z))
    return u


def of_proximal(fit, X, y, lambda_, max_steps, tol):
    yield from of_lasso(fit, X, y, lambda_, claims=False)
    yield "converged", fit.converged and fit.gap > tol, 0
    yield "out of steps", not fit.converged and len(fit.values) <= max_steps, 0
    if fit.converged:
        gap, whole = lasso_gap(X, y, fit.w, lambda_)
        yield "gap at most tol", gap, Fraction(tol + 1e-9) * whole


def of_lasso_path(path, X, y, until):
    yield "the first w is 0", np.abs(path.W[0]).max(), 0
    yield "falling", np.diff(path.lambdas), 0
    yield "complete", path.complete and path.lambdas[-1] > max(until, 0), 0
    for lambda_ in (path.lambdas[:-1] + path.lambdas[1:])[-3:] / 2:
        if lambda_ <= 1e150:  # above, `at` refuses it
            yield from of_lasso(path.at(lambda_), X, y, lambda_)


def of_path_at(rule, lambda_):
    X, y = SMALL
    yield from of_lasso(rule, np.array(X), np.array(y, float), lambda_)


ORACLES = {
    lasso.lasso: of_lasso_fit,
    lasso.lasso_path: of_lasso_path,
    PATH.at: of_path_at,
    lasso.ista: of_proximal,
    lasso.fista: of_proximal,
}
