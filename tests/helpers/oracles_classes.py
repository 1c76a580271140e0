"""Oracles for several classes, votes and probabilities; see oracles.py."""

from fractions import Fraction
from itertools import combinations
from math import exp

import numpy as np
from oracles import EPS, exact, rounding
from oracles_plain import said_by
from oracles_regression import of_ridge
from public import RULE
from public_families import BAYES, BOOSTED, REDUCED, STUMP, fit, soft
from public_regression import INDICATOR, SMALL

from mlcore import least_squares, linear, multiclass

RESTS, DUELS, MACHINE = REDUCED


def scores_of(X, W, b):
    """X @ W.T + b in fractions, and how far any summation may be off."""
    X = exact(X)
    G = [X @ exact(w) + Fraction(float(c)) for w, c in zip(W, b, strict=True)]
    doubts = [rounding(X, exact(w), Fraction(float(c))) for w, c in zip(W, b, strict=True)]
    doubts = np.transpose(doubts)
    return np.transpose(G), doubts + Fraction(1e-300) * (doubts > 0)


def of_scores(W, b):
    def oracle(scores, X, **of):
        G, doubt = scores_of(X, W, b)
        found = exact(scores).reshape(G.shape)
        yield "w @ x + b", abs(found - G), doubt

    return oracle


def of_predict(W, b, classes):
    """No class is ahead of the one found, nor an earlier one level with it."""

    def oracle(found, X, **of):
        for label, g, doubt in zip(found.tolist(), *scores_of(X, W, b), strict=True):
            k = classes.index(label)
            tiny = 2 * max(doubt)
            yield "an earlier class", any(g[:k] >= g[k] + tiny), 0
            yield "a later class", any(g[k + 1 :] > g[k] + tiny), 0

    return oracle


def of_probability(W, b):
    """exp(g_k) over their sum; with one row of W the other score is 0."""

    def oracle(found, X):
        G, doubts = scores_of(X, W, b)
        if len(W) == 1:
            G, found = np.column_stack([G, 0 * G]), np.column_stack([found, 1 - found])
        for p, g, doubt in zip(found, G, doubts, strict=True):
            terms = [exp(max(v - max(g), -800)) for v in g]
            wanted = np.array(terms) / sum(terms)
            yield "share", np.abs(p - wanted), float(min(1, 2 * max(doubt))) + 1e-15

    return oracle


def of_bayes(found, X):
    """By the two normal densities, whose quadratic terms cancel."""
    S, means, X = exact(BAYES.covariance), exact(BAYES.means), exact(X)
    inverse = np.array([[S[1, 1], -S[0, 1]], [-S[1, 0], S[0, 0]]])
    inverse = inverse / (S[0, 0] * S[1, 1] - S[0, 1] * S[1, 0])
    doubts = Fraction(1e-13) * (abs(X) @ abs(exact(BAYES.w)) + Fraction(abs(BAYES.b)) + 1)
    for p, x, doubt in zip(found, X, doubts, strict=True):
        far = [(x - m) @ inverse @ (x - m) for m in means]
        t = max(-700, min(700, (far[1] - far[0]) / 2))
        odds = (1 - BAYES.prior) / BAYES.prior * exp(t)
        yield "share of the density", abs(p - 1 / (1 + odds)), float(min(1, doubt))


def of_sgn(signs, score):
    pairs = zip(np.ravel(signs).tolist(), np.ravel(score).tolist(), strict=True)
    yield "side", sum(sign != (1 if g >= 0 else -1) for sign, g in pairs), 0


def of_claims(claims, X):
    scores, doubt = scores_of(X, [rule.w for rule in RESTS.rules], [0.0] * 3)
    yield "claimed", ~claims & (scores >= doubt), 0
    yield "not claimed", claims & (scores < -doubt), 0


def duels(X):
    """Of each row the duels won by each class, the sums of scores, and their doubt."""
    rules, K = DUELS.rules, len(DUELS.classes)
    G, doubts = scores_of(X, [rule.w for rule in rules], [rule.b for rule in rules])
    for g, doubt in zip(G, doubts, strict=True):
        won, sums = [0] * K, [Fraction(0)] * K
        for score, (k, other) in zip(g, DUELS.pairs, strict=True):
            won[k if score >= 0 else other] += 1
            sums[k], sums[other] = sums[k] + score, sums[other] - score
        sure = all((abs(g) > doubt) | (doubt == 0))
        yield sure, np.array(won), np.array(sums), sum(doubt)


def of_votes(votes, X):
    yield "each duel has a winner", votes.sum(axis=1) != len(DUELS.rules), 0
    for found, (sure, won, _, _) in zip(votes, duels(X), strict=True):
        yield "votes", sure and any(found != won), 0


def of_duel_scores(scores, X):
    for found, (sure, won, sums, doubt) in zip(scores, duels(X), strict=True):
        wanted = won + sums / (3 + 3 * abs(sums))
        off = abs(exact(found) - wanted) if sure else 0
        yield "votes, then sums", off, doubt + Fraction(1e-14)


def of_duel_predict(found, X):
    for label, (sure, won, sums, doubt) in zip(found.tolist(), duels(X), strict=True):
        k = DUELS.classes.tolist().index(label)
        tied = won == max(won)
        if sure:
            yield "most votes", not tied[k], 0
            yield "largest sum", max(sums[tied]) - sums[k], 2 * doubt
            ahead = tied[:k] & (sums[:k] >= sums[k] + 2 * doubt)
            yield "the first", any(ahead), 0


def of_one_vs_rest(found, fit, X, labels, form):
    classes = sorted(set(labels.tolist()))
    yield "classes", found.classes.tolist() != classes, 0
    learned = classes if form == "K" else classes[:-1]
    for label, rule in zip(learned, found.rules, strict=True):
        yield from same_sum(rule, X[labels == label], X[labels != label])


def of_one_vs_one(found, fit, X, labels):
    classes = sorted(set(labels.tolist()))
    yield "pairs", list(found.pairs) != list(combinations(range(len(classes)), 2)), 0
    for (k, other), rule in zip(found.pairs, found.rules, strict=True):
        yield from same_sum(rule, X[labels == classes[k]], X[labels == classes[other]])


def same_sum(rule, plus, minus):
    """The rule of public_families sums the examples of +1, and less those of -1."""
    plus, minus = exact(plus), exact(minus)
    off = abs(exact(rule.w) * 10**160 - sum(plus) + sum(minus))
    size = sum(abs(plus)) + sum(abs(minus))
    n = len(plus) + len(minus)
    yield "the other class", off, Fraction(4 * n * EPS) * size + Fraction(5e-324) * 10**160


def of_linear_machine(found, fit, X, labels):
    """The sum of Kesler's z: K - 1 times the own examples, less all others."""
    classes = sorted(set(labels.tolist()))
    yield "classes", found.classes.tolist() != classes, 0
    rows = exact(np.column_stack([X, np.ones(len(X))]))
    for label, w, b in zip(classes, found.W, found.b, strict=True):
        times = np.where(labels == label, len(classes) - 1, -1).astype(object)
        off = abs(np.append(exact(w), Fraction(b)) * 10**160 - times @ rows)
        tiny = Fraction(9 * len(X) * EPS) * (abs(times) @ abs(rows))
        yield "weights", off, tiny + Fraction(5e-324) * len(X) * 10**161


def of_indicator(found, X, labels):
    """A least squares fit for each class, whose scores sum to 1."""
    yield "classes", found.classes.tolist() != sorted(set(labels.tolist())), 0
    for k, label in enumerate(found.classes.tolist()):
        rule = linear.LinearRule(found.W[:, k], float(found.b[k]))
        yield from of_ridge(rule, X, (labels == label).astype(float))
    with np.errstate(over="ignore"):
        sums = X @ found.W.sum(axis=1) + found.b.sum()
        size = np.abs(X).max(axis=0) @ np.abs(found.W).sum(axis=1)
    yield "sum of the scores", np.abs(sums - 1), 1e-9 * (1 + size + np.abs(found.b).sum())


def of_stump(signs, X):
    yield "side", signs != said_by(STUMP, X), 0


def votes(X):
    """The score after each round, a row each."""
    told = [a * said_by(h, X) for a, h in zip(BOOSTED.alpha, BOOSTED.stumps, strict=True)]
    return np.array([sum(told[: t + 1]) for t in range(len(told))])


def of_staged(wanted):
    def oracle(found, X, **y):
        yield "after each round", np.abs(found - wanted(votes(X), **y)), 1e-14

    return oracle


SMALL_W, SMALL_B = INDICATOR.example(0).W.T, INDICATOR.example(0).b
RULES_W, RULES_B = [rule.w for rule in RESTS.rules], [rule.b for rule in RESTS.rules]
ORACLES = {
    linear.sgn: of_sgn,
    RULE.decision_function: of_scores([RULE.w], [RULE.b]),
    RULE.predict: of_predict([RULE.w, 0 * RULE.w], [RULE.b, 0.0], [1, -1]),
    RESTS.scores: of_scores(RULES_W, RULES_B),
    RESTS.claims: of_claims,
    RESTS.predict: of_predict(RULES_W, RULES_B, list("abc")),
    DUELS.votes: of_votes,
    DUELS.scores: of_duel_scores,
    DUELS.predict: of_duel_predict,
    MACHINE.scores: of_scores(MACHINE.W, MACHINE.b),
    MACHINE.predict: of_predict(MACHINE.W, MACHINE.b, list("abc")),
    multiclass.one_vs_rest: of_one_vs_rest,
    multiclass.one_vs_one: of_one_vs_one,
    multiclass.linear_machine: of_linear_machine,
    least_squares.indicator_regression: of_indicator,
    least_squares.IndicatorFit.decision_function: of_scores(SMALL_W, SMALL_B),
    least_squares.IndicatorFit.predict: of_predict(SMALL_W, SMALL_B, SMALL[1]),
    fit.probability: of_probability([fit.w], [fit.b]),
    soft.decision_function: of_scores(soft.W, soft.b),
    soft.probability: of_probability(soft.W, soft.b),
    soft.predict: of_predict(soft.W, soft.b, [1, 2, 3]),
    BAYES.probability: of_bayes,
    STUMP.predict: of_stump,
    BOOSTED.decision_function: of_staged(lambda F: F[-1]),
    BOOSTED.predict: of_staged(lambda F: np.where(F[-1] >= 0, 1, -1)),
    BOOSTED.staged_scores: of_staged(lambda F: F),
    BOOSTED.staged_predictions: of_staged(lambda F: np.where(F >= 0, 1, -1)),
    BOOSTED.staged_margins: of_staged(
        lambda F, y: y * F / np.cumsum(BOOSTED.alpha)[:, None]
    ),
}
