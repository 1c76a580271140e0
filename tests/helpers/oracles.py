"""Oracles of what has a formula: scores, features, losses, votes, data; see claims.py."""

from collections import Counter
from itertools import combinations
from itertools import combinations_with_replacement as words
from math import log

import numpy as np

from mlcore import (
    boosting,
    features,
    geometry,
    least_squares,
    linear,
    logistic,
    metrics,
    multiclass,
    neighbors,
    optim,
    scalings,
    selection,
    separation,
    svm,
)
from tests.helpers.claims import EPS, TINY, doubt, equals
from tests.helpers.public import BAYES, BOOSTED, LIKELY, RESTS, RULE, SOFT, STUMP


def sign(score):
    return np.where(np.asarray(score) >= 0, 1.0, -1.0)


# Scores, what is chosen by them, and probabilities


def of_scores(W, b):
    return equals(
        lambda X: X @ W.T + b, size=lambda X: 99 * (np.abs(X) @ np.abs(W.T) + abs(b))
    )


def of_choice(W, b, classes):
    """No class is ahead of the one found, nor an earlier one level with it."""

    def oracle(found, X):
        g, tiny = X @ W.T + b, 2 * doubt(X, W.T, b).max(axis=1)
        k = np.array([classes.index(label) for label in found.tolist()])
        own = g[np.arange(len(g)), k]
        earlier = np.arange(len(classes)) < k[:, None]
        yield "a class is ahead", (g - own[:, None]).max(axis=1), tiny
        level = (g >= own[:, None] + tiny[:, None]) & earlier
        yield "an earlier class", level, 0

    return oracle


def of_shares(W, b):
    """exp(g_k) over their sum; with one row of W the other score is 0."""

    def share(X):
        g = X @ W.T + b
        if len(W) == 1:
            return 1 / (1 + np.exp(np.clip(-g[:, 0], -700, 700)))
        e = np.exp(g - g.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    return equals(
        share, size=lambda X: 99 * (1 + np.abs(X).max() * np.abs(W).sum()), near=EPS
    )


def of_bayes(found, X):
    """By the two normal densities, whose quadratic terms cancel."""
    far = [
        np.einsum("ij,jk,ik->i", X - m, np.linalg.inv(BAYES.covariance), X - m)
        for m in BAYES.means
    ]
    t = np.clip((far[1] - far[0]) / 2, -700, 700)
    wanted = 1 / (1 + (1 - BAYES.prior) / BAYES.prior * np.exp(t))
    yield "share of the density", np.abs(found - wanted), 1e-12 * (1 + np.maximum(*far))


def of_one(plane):
    """The oracle of a rule: w and b as a matrix of one row, and one number."""
    return plane.w[None], np.array([plane.b])


# Several classes.  The rule of `public` sums the examples of +1, and less those of -1.


def same_sum(rule, plus, minus):
    size = np.abs(plus).sum(axis=0) + np.abs(minus).sum(axis=0)
    yield "sum", np.abs(rule.w - plus.sum(axis=0) + minus.sum(axis=0)), 1e-14 * size


def of_one_vs_rest(found, fit, X, labels, form):
    classes = np.unique(labels)
    yield "classes", found.classes.tolist() != classes.tolist(), 0
    learned = classes if form == "K" else classes[:-1]
    for label, rule in zip(learned, found.rules, strict=True):
        yield from same_sum(rule, X[labels == label], X[labels != label])


def of_one_vs_one(found, fit, X, labels):
    classes = np.unique(labels)
    yield "pairs", list(found.pairs) != list(combinations(range(len(classes)), 2)), 0
    for (k, other), rule in zip(found.pairs, found.rules, strict=True):
        yield from same_sum(rule, X[labels == classes[k]], X[labels == classes[other]])


def of_linear_machine(found, fit, X, labels):
    """The sum of Kesler's z: K - 1 times the own examples, less all others."""
    classes, rows = np.unique(labels), np.column_stack([X, np.ones(len(X))])
    yield "classes", found.classes.tolist() != classes.tolist(), 0
    times = np.where(labels[:, None] == classes, len(classes) - 1, -1)
    off = np.abs(np.column_stack([found.W, found.b]) - times.T @ rows)
    yield "weights", off, 1e-13 * np.abs(times).T @ np.abs(rows)


# Votes, neighbors, shares


def said_by(stump, X):
    return np.where(X[:, stump.feature] >= stump.threshold, stump.sign, -stump.sign)


def votes(X):
    """The score after each round, a row each."""
    told = [a * said_by(h, X) for a, h in zip(BOOSTED.alpha, BOOSTED.stumps, strict=True)]
    return np.cumsum(told, axis=0)


def of_best_stump(stump, X, y, weights):
    D = weights / weights.sum()
    yield "error", abs(D[said_by(stump, X) != y].sum() - stump.error), 1e-12
    yield "another stump is better", stump.error - least_error(X, y, D), 1e-12


def least_error(X, y, D):
    """The least weighted error of any stump, by trying all of them."""
    least = min(D[y < 0].sum(), D[y > 0].sum())
    for column in X.T:
        wrong = [D[sign(column - t) != y].sum() for t in np.unique(column)]
        least = min(least, *wrong, D.sum() - max(wrong))
    return least


def of_adaboost(fit, X, y, rounds, start, keep_weights):
    """Round after round by the definition."""
    D = np.ones(len(y))
    if start == "balanced":
        D = D / np.where(y > 0, D[y > 0].sum(), D[y < 0].sum())
    D = D / D.sum()
    first, F = D, np.zeros(len(y))
    for t, h in enumerate(fit.stumps):
        said = said_by(h, X)
        error = D[said != y].sum()
        yield "weights", np.abs(fit.weights[t] - D) if keep_weights else 0, 1e-9
        yield "another stump is better", error - least_error(X, y, D), 1e-9
        yield "epsilon", abs(error - fit.epsilon[t]), 1e-9
        F = F + fit.alpha[t] * said
        if fit.stopped == "perfect":
            yield "one stump alone", [len(fit.stumps) != 1, error], 0
            break
        odds = (1 - fit.epsilon[t]) / fit.epsilon[t]
        yield "alpha", abs(fit.alpha[t] - np.log(odds) / 2), 1e-9
        D = D * np.exp(-fit.alpha[t] * y * said)
        yield "Z", abs(fit.Z[t] - D.sum()), 1e-9
        yield "the bound is the loss", abs(fit.bound[t] - first @ np.exp(-y * F)), 1e-9
        D = D / D.sum()
    yield "scores", np.abs(fit.decision_function(X) - F), 1e-9 * fit.alpha.sum()
    if fit.stopped == "no edge":
        yield "there is an edge", 0.5 - least_error(X, y, D), 1e-9
    yield "rounds", fit.stopped == "rounds" and len(fit.stumps) != rounds, 0


def of_knn(found, X, labels, queries, k):
    true = np.linalg.norm(X - queries[:, None], axis=2)
    size = 1e-7 * (np.abs(X).max() + np.abs(queries).max())  # of squares that cancel
    for far, i, distances, said in zip(
        true, found.indices, found.distances, found.predicted, strict=True
    ):
        yield "distances", np.abs(distances - far[i]), 1e-12 * far[i] + 1e-9 * size
        yield "all different", len(set(i.tolist())) != k, 0
        rest = np.delete(far, i)
        yield "the nearest", far[i].max() - rest.min(initial=np.inf), size
        counts = Counter(labels[i].tolist())
        most = [v for v in labels[i].tolist() if counts[v] == max(counts.values())]
        yield "most votes, of equals the nearest", said != most[0], 0


def of_confusion(found, y, predicted):
    pairs = Counter(zip(y.tolist(), predicted.tolist(), strict=True))
    yield "all counted", found.counts.sum() != len(y), 0
    for k, true in enumerate(found.classes.tolist()):
        for m, said in enumerate(found.classes.tolist()):
            yield f"{true} as {said}", found.counts[k, m] != pairs[true, said], 0


def entropy(values):
    counts = Counter(values).values()
    return -sum(c / sum(counts) * log(c / sum(counts)) for c in counts)


def mutual_information(X, y, bins):
    """The entropy of the value and of the label, less that of both."""
    labels, found = y.tolist(), []
    for x in X.T.tolist():
        u = [sum(other < value for other in x) for value in x]
        u = u if bins is None else [rank * int(bins) // len(x) for rank in u]
        found.append(entropy(u) + entropy(labels) - entropy(zip(u, labels, strict=True)))
    return found


def of_univariate(found, X, y, score):
    sizes = np.abs(found.scores[found.order])  # some may be infinite
    yield "order", sizes[1:] > sizes[:-1], 0
    Z, t = X - X.mean(axis=0), y - y.mean()
    varied = Z.std(axis=0) > 1e-9 * np.abs(X).max(axis=0)
    if score == "correlation" and t.std() > 1e-9 * np.abs(y).max():
        for z, r in zip(Z.T[varied], found.scores[varied], strict=True):
            yield "correlation", abs(r - np.corrcoef(z, t)[0, 1]), 1e-6
    yield "a constant has 0", found.scores[np.ptp(X, axis=0) == 0], 0


# Features


def polynomial(X, degree=2):
    kinds = [w for k in range(1, degree + 1) for w in words(range(X.shape[1]), k)]
    return np.column_stack([X[:, word].prod(axis=1) for word in kinds])


def fourier(X, order, period):
    turns = X[:, :, None] * np.arange(1, order + 1) / period
    angles = 2 * np.pi * (turns % 1)
    return np.stack([np.cos(angles), np.sin(angles)], axis=3).reshape(len(X), -1)


def haar(X, levels):
    """Each wavelet at each point, by its interval."""
    columns = []
    for x in X.T:
        for level in range(levels):
            for k in range(2**level):
                t = 2 * (2**level * x - k)
                steps = ((t >= 0) & (t < 1)) * 1.0 - ((t >= 1) & (t < 2))
                columns.append(2 ** (level / 2) * steps)
    return np.column_stack(columns)


def of_standardize(Z, X, like):
    like = X if like is None else like
    mean, spread = like.mean(axis=0), like.std(axis=0)
    fixed = np.ptp(like, axis=0) == 0
    yield "a constant becomes 0", np.abs(Z[:, fixed]).max(initial=0), 0
    clear = spread > 1e-9 * np.abs(like).max(axis=0)
    wanted = (X[:, clear] - mean[clear]) / spread[clear]
    rough = 1e-5 if (np.abs(mean) > 1e4 * spread).any() else 1e-11
    yield "in deviations", np.abs(Z[:, clear] - wanted), rough * (1 + np.abs(wanted))


def of_shatters(answer, X):
    """Radon: just the affinely independent points are shattered."""
    Z = X - X.mean(axis=0)
    Z = np.column_stack([Z / np.maximum(np.abs(Z).max(axis=0), TINY), np.ones(len(X))])
    sizes = np.linalg.svd(Z)[1]
    least = sizes[-1] if len(X) <= Z.shape[1] else 0.0
    yield "dependent points", answer and least < 1e-13, 0
    yield "independent points", not answer and least > 1e-5, 0


# Numbers


def of_sizes(steps, eta, p=0.0):
    for t in (1, 2, 100):
        wanted = np.asarray(eta, float) / t ** float(p)
        yield "eta / t**p", np.abs(steps(t) - wanted), 1e-14 * wanted


def of_pseudo_inverse(P, A):
    """The four equations of Penrose, as far as the condition number lets them hold."""
    size = max(1.0, np.linalg.norm(P) * np.linalg.norm(A))
    error = 99 * max(A.shape) * EPS * size
    yield "A P A = A", np.linalg.norm(A @ P @ A - A), error * np.linalg.norm(A)
    yield "P A P = P", np.linalg.norm(P @ A @ P - P), error * np.linalg.norm(P)
    yield "A P is symmetric", np.linalg.norm(A @ P - (A @ P).T), error
    yield "P A is symmetric", np.linalg.norm(P @ A - (P @ A).T), error


def rounded(X, w, b, **_):
    return 99 * (np.abs(X) @ np.abs(w) + np.abs(b))


def distance(X, w, b):
    return (X @ w + b) / np.linalg.norm(w)


def machine(X, y, w, b, lambda_):
    return np.maximum(0, 1 - y * (X @ w + b)).mean() + lambda_ / 2 * w @ w


SIZED = {"near": EPS, "size": lambda X, w, b, **_: rounded(X, w, b) / np.linalg.norm(w)}
RULES = np.array([rule.w for rule in RESTS.rules])
ORACLES = {
    linear.sgn: equals(lambda score: sign(score)),
    RULE.decision_function: of_scores(*of_one(RULE)),
    RULE.predict: of_choice(np.array([RULE.w, 0 * RULE.w]), np.array([RULE.b, 0]), [1, -1]),
    RESTS.scores: of_scores(RULES, np.zeros(3)),
    RESTS.predict: of_choice(RULES, np.zeros(3), [*"abc"]),
    RESTS.claims: equals(lambda X: X @ RULES.T >= 0),
    multiclass.one_vs_rest: of_one_vs_rest,
    multiclass.one_vs_one: of_one_vs_one,
    multiclass.linear_machine: of_linear_machine,
    LIKELY.probability: of_shares(*of_one(LIKELY)),
    SOFT.decision_function: of_scores(SOFT.W, SOFT.b),
    SOFT.probability: of_shares(SOFT.W, SOFT.b),
    SOFT.predict: of_choice(SOFT.W, SOFT.b, [*"abc"]),
    BAYES.probability: of_bayes,
    STUMP.predict: equals(lambda X: said_by(STUMP, X)),
    BOOSTED.decision_function: equals(lambda X: votes(X)[-1]),
    BOOSTED.predict: equals(lambda X: sign(votes(X)[-1])),
    BOOSTED.staged_scores: equals(votes),
    BOOSTED.staged_margins: equals(
        lambda X, y: y * votes(X) / np.cumsum(BOOSTED.alpha)[:, None]
    ),
    boosting.best_stump: of_best_stump,
    boosting.adaboost: of_adaboost,
    boosting.vote_weight: equals(lambda epsilon: np.log((1 - epsilon) / epsilon) / 2),
    neighbors.knn: of_knn,
    metrics.zero_one_error: equals(lambda y, predicted: np.mean(y != predicted)),
    metrics.confusion: of_confusion,
    selection.mutual_information: equals(mutual_information, size=lambda y, **_: len(y)),
    selection.univariate: of_univariate,
    features.polynomial: equals(polynomial),
    features.quadratic: equals(polynomial),
    features.rbf: equals(
        lambda X, centers, width: np.exp(
            -((X[:, None] - centers) ** 2).sum(axis=2) / (2 * width**2)
        ),
        size=lambda X, centers, width: 1 + (np.abs(X).max() / width) ** 2 * EPS,
        near=1e-11,
    ),
    features.rectified: equals(
        lambda X, directions, offsets: np.maximum(0, X @ directions.T + offsets),
        size=lambda X, directions, offsets: rounded(X, directions.T, offsets),
    ),
    features.fourier: equals(
        fourier, size=lambda X, order, period: 99 * order * (1 + np.abs(X).max() / period)
    ),
    features.haar: equals(haar),
    features.standardize: of_standardize,
    geometry.signed_distance: equals(distance, **SIZED),
    geometry.geometric_margin: equals(lambda y, **plane: y * distance(**plane), **SIZED),
    geometry.functional_margin: equals(
        lambda X, y, w, b: y * (X @ w + b), near=EPS, size=rounded
    ),
    geometry.project: equals(
        lambda X, w, b: X - distance(X, w, b)[:, None] * w / np.linalg.norm(w),
        near=EPS,
        size=lambda X, w, b: SIZED["size"](X, w, b)[:, None] + np.abs(X).max(),
    ),
    geometry.closest_point_to_origin: equals(lambda w, b: -b * w / (w @ w)),
    geometry.augment: equals(
        lambda X, constant: np.insert(X, X.shape[1], constant, axis=1)
    ),
    separation.shatters: of_shatters,
    svm.objective: equals(
        machine, size=lambda **of: 1 + machine(**of) + rounded(**of).max()
    ),
    scalings.constant_of: lambda found, form, lambda_, n: [
        ("back", abs(scalings.lambda_of(form, constant=found, n=n) / lambda_ - 1), 1e-12)
    ],
    scalings.lambda_of: lambda found, form, constant, n: [
        ("back", abs(scalings.constant_of(form, lambda_=found, n=n) / constant - 1), 1e-12)
    ],
    logistic.sigmoid: equals(lambda z: np.exp(-np.logaddexp(0, -np.asarray(z)))),
    logistic.logit: equals(lambda p: np.log(p) - np.log1p(-np.asarray(p)), near=1e-9),
    optim.constant: of_sizes,
    optim.inverse_t: lambda steps, alpha: of_sizes(steps, 1 / alpha, 1.0),
    optim.power: of_sizes,
    least_squares.pseudo_inverse: of_pseudo_inverse,
}
