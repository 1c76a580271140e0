"""Oracles for rankings, selection and held-out examples; see oracles.py."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import log

import numpy as np
from oracles_lasso import of_lasso_fit

from mlcore import lasso, selection
from mlcore import validation as cv
from mlcore.solvers import ranking


def in_own_units(X, train):
    """Means, deviations and standardized examples; None if those are ill conditioned."""
    mean, spread = X[train].mean(axis=0), X[train].std(axis=0)
    reach = np.abs(X - mean).max(axis=0, initial=0)
    if (spread < 1e-5 * np.maximum(reach, np.abs(mean))).any() or not spread.all():
        return mean, spread, None  # constant, or nearly so
    A = (X[train] - mean) / spread
    ill = A.shape[1] and (len(A) <= A.shape[1] + 1 or np.linalg.cond(A) > 1e4)
    return mean, spread, None if ill else A


def refit(X, y, splits, features):
    """The mean square over test sets by fits to training sets; None if ill conditioned."""
    squares = []
    for train, test in splits:
        mean, spread, A = in_own_units(X[:, list(features)], train)
        if A is None:
            return None
        v = np.linalg.lstsq(A, y[train] - y[train].mean(), rcond=None)[0]
        B = (X[np.ix_(test, list(features))] - mean) / spread
        squares.append(np.mean((y[test] - y[train].mean() - B @ v) ** 2))
    return np.mean(squares)


def near(E, claimed, whole, words):
    if E is not None:
        yield words, abs(E - claimed), 1e-6 * (whole + E)


def of_forward(found, X, y, splits, count, tol, fit, error, step=1):
    """Each step by refits: its error is right, and no other feature does better."""
    d, chosen = X.shape[1], list(found.order)
    start = set() if step == 1 else set(range(d))
    whole = found.empty + 1e-20 * np.abs(y).max() ** 2 + 1e-300
    yield from near(refit(X, y, splits, []), found.empty, whole, "no feature")
    yield from near(refit(X, y, splits, range(d)), found.all, whole, "all features")
    for t in range(len(chosen) + 1):
        now = start ^ set(chosen[:t])
        yield from near(
            refit(X, y, splits, sorted(now)), found.errors[t], whole, f"step {t}"
        )
        others = set(range(d)) - set(chosen[:t])
        stopped = t == len(chosen)
        if stopped and count is not None:
            yield "count", len(now) != count, 0
            break
        for j in others:
            E = refit(X, y, splits, sorted(now ^ {j}))
            if E is not None:
                least = found.errors[t] - tol * whole if stopped else found.errors[t + 1]
                yield f"step {t}: feature {j} is better", least - E, 1e-6 * (whole + E)


def of_backward(found, **arguments):
    yield from of_forward(found, **arguments, step=-1)


def of_exhaustive(found, X, y, splits, tol, fit, error):
    d, whole = X.shape[1], found.errors[0] + 1e-20 * np.abs(y).max() ** 2 + 1e-300
    for size in range(d + 1):
        sets = list(combinations(range(d), size))
        for subset in sets[:: 1 + len(sets) // 20]:
            E = refit(X, y, splits, subset)
            if E is not None:
                yield f"{subset} is better", found.errors[size] - E, 1e-6 * (whole + E)
        E = refit(X, y, splits, found.subsets[size])
        yield from near(E, found.errors[size], whole, "best subset")


def of_cross_validate(found, fit, X, y, splits, error):
    wanted = [np.mean(y[test] != y[train][0]) for train, test in splits]
    yield "shares that are unlike the first", np.abs(found.errors - wanted), 1e-15


def of_folds(splits, y, folds, stratified, rng):
    n = len(y)
    tested = np.sort(np.concatenate([test for _, test in splits]))
    yield "each is tested once", not np.array_equal(tested, np.arange(n)), 0
    for train, test in splits:
        both = np.sort(np.concatenate([train, test]))
        yield "train and test", not np.array_equal(both, np.arange(n)), 0
    for label in set(y.tolist()) if stratified else []:
        counts = [np.sum(y[test] == label) for _, test in splits]
        yield "a class is spread", max(counts) - min(counts), 1
    yield "sizes", np.ptp([len(test) for _, test in splits]), 1


def of_monte_carlo(splits, y, repeats, test_share, rng, stratified):
    yield "repeats", len(splits) != repeats, 0
    for train, test in splits:
        both = np.sort(np.concatenate([train, test]))
        yield "train and test", not np.array_equal(both, np.arange(len(y))), 0
        yield "none is empty", min(len(train), len(test)) == 0, 0
        for label in set(y.tolist()) if stratified else []:
            yield "a class is missing", label not in y[train] or label not in y[test], 0


def of_nested(found, fits, X, y, folds, inner, stratified, rng, error):
    """The folds as they are dealt; a fit says the first label, or the last, that it saw."""
    rng = None if rng is None else np.random.default_rng(rng)
    how, says = {"stratified": stratified, "rng": rng}, {"first": 0, "last": -1}
    outer = cv.k_folds(y, folds=folds, **how)
    plan = [cv.k_folds(y[train], folds=inner, **how) for train, _ in outer]
    for (train, test), splits, chosen, promised, E in zip(
        outer, plan, found.chosen, found.promised, found.errors, strict=True
    ):
        means = {
            name: np.mean([np.mean(y[train][b] != y[train][a][at]) for a, b in splits])
            for name, at in says.items()
        }
        yield "promised", abs(promised - min(means.values())), 1e-15
        yield "chosen", means[chosen] - means["first"], 1e-15
        yield "chosen of the best", means[chosen] - means["last"], 1e-15
        tied = means["first"] == means["last"]
        yield "of equals the first", tied and chosen != "first", 0
        yield "error", abs(E - np.mean(y[test] != y[train][says[chosen]])), 1e-15


def of_lasso_cv(found, X, y, splits, lambdas):
    """The errors by refits, for data of size 1."""
    yield from of_lasso_fit(found, X, y, found.lambda_)
    means = found.errors.mean(axis=0)
    yield "the least error", min(means[found.lambdas == found.lambda_]) - min(means), 0
    yield "falling", np.diff(found.lambdas), 0
    if lambdas is not None:
        yield "those asked for", np.sort(lambdas)[::-1] != found.lambdas, 0
    size, unit = np.abs(X).max() or 1.0, np.abs(y).max() or 1.0
    if size * unit < np.finfo(float).tiny:
        return  # the prices between 0 and the one that makes w = 0 are no numbers
    spread = X.std(axis=0)
    if not spread.max() < 1e8 * spread.min(where=spread > 0, initial=np.inf):
        return  # knots nearer than 1e-12 of the first lambda are one: coarse for the small
    X, t = X / size, y / unit
    for (train, test), errors in zip(splits, found.errors, strict=True):
        if in_own_units(X, train)[-1] is None:
            continue
        whole = np.mean((t[test] - t[train].mean()) ** 2) + 1e-20
        for k in range(0, len(errors), 1 + len(errors) // 4):
            share = Fraction(found.lambdas[k]) / Fraction(size) / Fraction(unit)
            share = float(min(share * len(train) / len(t), 10**150))
            rule = lasso.lasso(X[train], t[train], lambda_=share)
            E = np.mean((t[test] - rule.decision_function(X[test])) ** 2)
            tiny = 1e-6 * (whole + E) * unit * unit + 1e-300
            yield "error", abs(errors[k] - E * unit * unit), tiny


def entropy(values):
    counts = Counter(values).values()
    return -sum(c / sum(counts) * log(c / sum(counts)) for c in counts)


def of_mutual_information(found, X, y, bins):
    """The entropy of the value and of the label, less that of both."""
    labels, most = y.tolist(), len(y) if bins is None else int(bins)
    for information, x in zip(found, X.T.tolist(), strict=True):
        below = [sum(other < value for other in x) for value in x]
        u = below if bins is None else [rank * most // len(x) for rank in below]
        wanted = entropy(u) + entropy(labels) - entropy(zip(u, labels, strict=True))
        yield "entropies", abs(information - wanted), 1e-12
        yield "not below 0", -information, 0
        yield "no more than the intervals tell", information - log(most), 1e-12


def of_elimination(found, X, y, fit, count, share):
    """Each fit again: what it sheds is the least."""
    left, removed = list(range(X.shape[1])), list(found.removed)
    for size in found.sizes:
        yield "size", size != len(left), 0
        w = dict(zip(left, np.abs(fit(X[:, left], y).w).tolist(), strict=True))
        parts = max(1, int(share * size))
        out, removed = removed[:parts], removed[parts:]
        left = [j for j in left if j not in out]
        yield "count", len(left) < count, 0
        yield "the least", max(w[j] for j in out) - min(w[j] for j in left), 0
        yield "the least one first", -np.diff([w[j] for j in out]), 0
    yield "kept", list(found.features) != left or len(left) != count, 0


ORACLES = {
    selection.forward: of_forward,
    selection.backward: of_backward,
    selection.exhaustive: of_exhaustive,
    cv.cross_validate: of_cross_validate,
    cv.nested_cross_validate: of_nested,
    cv.k_folds: of_folds,
    cv.monte_carlo: of_monte_carlo,
    lasso.lasso_cv: of_lasso_cv,
    ranking.mutual_information: of_mutual_information,
    ranking.recursive_elimination: of_elimination,
}
