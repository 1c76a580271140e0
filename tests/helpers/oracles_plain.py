"""Oracles for votes, neighbors, features and descent; see oracles.py."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement as words
from math import cos, exp, pi, prod, sin

import numpy as np
from oracles import EPS, exact, length, rounding

from mlcore import boosting, features, metrics, neighbors, optim, scalings
from mlcore.solvers import ranking


def least_error(X, y, D):
    """The least weighted error of any stump, by trying all of them."""
    least = min(D[y < 0].sum(), D[y > 0].sum())
    for column in X.T:
        for threshold in np.unique(column):
            wrong = D[np.where(column >= threshold, 1, -1) != y].sum()
            least = min(least, wrong, D.sum() - wrong)
    return least


def said_by(stump, X):
    return np.where(X[:, stump.feature] >= stump.threshold, stump.sign, -stump.sign)


def of_best_stump(stump, X, y, weights):
    D = weights / weights.max()
    D = D / D.sum()
    yield "error", abs(D[said_by(stump, X) != y].sum() - stump.error), 1e-12
    yield "another stump is better", stump.error - least_error(X, y, D), 1e-12


def of_adaboost(fit, X, y, rounds, start, keep_weights, sample_weight):
    """Round after round by the definition."""
    s = np.ones(len(y)) if sample_weight is None else sample_weight / sample_weight.max()
    D = s / s.sum()
    if start == "balanced":
        D = np.where(y > 0, s / (2 * s[y > 0].sum()), s / (2 * s[y < 0].sum()))
    first, F = D, np.zeros(len(y))
    for t, h in enumerate(fit.stumps):
        said = said_by(h, X)
        error = D[said != y].sum()
        yield "another stump is better", error - least_error(X, y, D), 1e-9
        yield "epsilon", [abs(error - fit.epsilon[t]), fit.epsilon[t] - 0.5], [1e-9, 0]
        F = F + fit.alpha[t] * said
        if fit.stopped == "perfect":
            yield "one stump alone", [len(fit.stumps) != 1, error], 0
            break
        odds = (1 - fit.epsilon[t]) / fit.epsilon[t]
        yield "alpha", abs(fit.alpha[t] - np.log(odds) / 2), 1e-9
        D = D * np.exp(-fit.alpha[t] * y * said)
        yield "Z", abs(fit.Z[t] - D.sum()), 1e-9
        D = D / D.sum()
    wrong = first[np.where(F >= 0, 1, -1) != y].sum()
    if fit.stumps:
        yield "the bound", wrong - fit.bound[-1], 1e-9
    yield "predict", np.abs(fit.decision_function(X) - F), 1e-9 * fit.alpha.sum()
    if fit.stopped == "no edge":
        yield "there is an edge", 0.5 - least_error(X, y, D), 1e-9
    if fit.stopped == "rounds":
        yield "rounds", len(fit.stumps) != rounds, 0


def of_knn(found, X, labels, queries, k):
    E = exact(X)
    for q, i, far, says in zip(
        exact(queries), found.indices, found.distances, found.predicted, strict=True
    ):
        true = np.array([length(row) for row in E - q])
        tiny = Fraction(1e-12) * true + Fraction(1e-307)
        yield "distances", abs(exact(far) - true[i]), tiny[i]
        rest = np.setdiff1d(np.arange(len(X)), i)
        yield "all different", len(set(i.tolist())) != k, 0
        if len(rest):
            yield "the nearest", max(true[i]) - min(true[rest]), 2 * max(tiny)
        votes = Counter(labels[i].tolist())
        most = [
            label for label in labels[i].tolist() if votes[label] == max(votes.values())
        ]
        yield "most votes", says != most[0], 0


def of_zero_one(error, y, predicted):
    pairs = zip(y.tolist(), predicted.tolist(), strict=True)
    yield "share", abs(error * len(y) - sum(a != b for a, b in pairs)), 1e-9


def of_confusion(found, y, predicted):
    pairs = Counter(zip(y.tolist(), predicted.tolist(), strict=True))
    yield "all counted", found.counts.sum() != len(y), 0
    for k, true in enumerate(found.classes.tolist()):
        for l, said in enumerate(found.classes.tolist()):  # noqa: E741
            yield f"{true} as {said}", found.counts[k, l] != pairs[true, said], 0


def of_polynomial(phi, X, degree=2):
    E, d = exact(X), X.shape[1]
    kinds = [w for k in range(1, degree + 1) for w in words(range(d), k)]
    yield "columns", phi.shape[1] != len(kinds), 0
    for column, word in zip(phi.T, kinds, strict=True):
        wanted = np.array([prod(row[j] for j in word) for row in E], object)
        tiny = Fraction(degree * EPS) * abs(wanted) + Fraction(1e-300)
        yield f"product {word}", abs(exact(column) - wanted), tiny


def of_rbf(phi, X, centers, width):
    for x, row in zip(exact(X), phi, strict=True):
        for m, value in zip(exact(centers), row, strict=True):
            t = ((x - m) @ (x - m)) / (2 * Fraction(width) ** 2)
            yield "exp(-t)", abs(value - (exp(-t) if t < 800 else 0)), 1e-12


def of_rectified(phi, X, directions, offsets):
    X, A, c = exact(X), exact(directions), exact(offsets)
    for column, a, offset in zip(phi.T, A, c, strict=True):
        wanted = np.maximum(Fraction(0), X @ a + offset)
        yield (
            "max(0, a x + c)",
            abs(exact(column) - wanted),
            rounding(X, a, offset) + Fraction(1e-300),
        )


def of_fourier(waves, X, order, period):
    turns = exact(X) / Fraction(period)
    for row, wave in zip(turns, waves, strict=True):
        angles = [2 * pi * float((k * t) % 1) for t in row for k in range(1, order + 1)]
        wanted = [part(angle) for angle in angles for part in (cos, sin)]
        yield "waves", np.abs(wave - wanted), 1e-14 * order + 1e-14


def of_standardize(Z, X, like):
    like = exact(X if like is None else like)
    X, mean = exact(X), sum(like) / len(like)
    for j in range(len(mean)):
        centered = like[:, j] - mean[j]
        if not any(centered):
            yield "a constant becomes 0", np.abs(Z[:, j]).max(), 0
            continue
        spread = length(centered) / Fraction(len(like) ** 0.5)
        wanted = (X[:, j] - mean[j]) / spread
        yield (
            f"column {j}",
            abs(exact(Z[:, j]) - wanted),
            Fraction(1e-11) * (1 + abs(wanted)),
        )


def of_univariate(found, X, y, score):
    yield "order", np.diff(-np.abs(found.scores[found.order])) < 0, 0
    if score != "correlation":
        return
    E, t = exact(X), exact(y)
    Z, t = E - sum(E) / len(E), t - sum(t) / len(t)
    for z, raw, r in zip(Z.T, E.T, found.scores, strict=True):
        size = length(z) * length(t)
        wanted = z @ t / size if size else 0
        if size and length(z) > Fraction(1e-9) * length(raw) + Fraction(1e-290):
            yield "correlation", abs(Fraction(r) - wanted), 1e-6
        yield "a constant has 0", 0 if any(z) else r, 0


def of_bowl(run, f, gradient, w0, max_steps, tol, **rest):
    yield "the path starts at w0", np.abs(run.path[0] - w0).max(), 0
    yield "the path ends at w", np.abs(run.path[-1] - run.w).max(), 0
    yield "the last value", abs(run.values[-1] - f(run.w)), 1e-12 * run.values[-1]
    if run.converged and "eta" in rest:
        yield "the gradient is small", np.linalg.norm(run.w), tol * (1 + 1e-12)
    elif run.converged:
        yield "the gap is small", f(run.w), tol * (1 + 1e-12) + 1e-12 * f(w0)


def of_constant_of(constant, form, lambda_, n):
    if constant >= 1e-150:  # else it is refused
        back = scalings.lambda_of(form, constant=constant, n=n)
        yield "there and back", abs(back - lambda_), 1e-12 * lambda_


def of_lambda_of(lambda_, form, constant, n):
    if lambda_ >= 1e-150:
        back = scalings.constant_of(form, lambda_=lambda_, n=n)
        yield "there and back", abs(back - constant), 1e-12 * constant


ORACLES = {
    boosting.best_stump: of_best_stump,
    boosting.adaboost: of_adaboost,
    neighbors.knn: of_knn,
    metrics.zero_one_error: of_zero_one,
    metrics.confusion: of_confusion,
    features.polynomial: of_polynomial,
    features.quadratic: of_polynomial,
    features.rbf: of_rbf,
    features.rectified: of_rectified,
    features.fourier: of_fourier,
    features.standardize: of_standardize,
    ranking.univariate: of_univariate,
    optim.gradient_descent: of_bowl,
    optim.newton: of_bowl,
    scalings.constant_of: of_constant_of,
    scalings.lambda_of: of_lambda_of,
}
