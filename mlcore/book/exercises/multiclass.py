"""Checkers for the exercises of the chapter on several classes."""

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    compare,
    expect,
    numbers,
    short,
    tidy,
)
from mlcore.neighbors import knn


@checker
def count_rules(answer):
    twice, same = numbers(answer, (2,), "two numbers of classes")
    for value, factor in ((twice, 2), (same, 1)):
        pairs = value * (value - 1) / 2
        if value < 2 or value % 1:
            raise NotYet(f"{value:g} is no number of classes; it is an integer from 2 on.")
        if pairs != factor * value:
            raise NotYet(
                f"With K = {value:g} there are {pairs:g} pairs, and {factor} K is "
                f"{factor * value:g}. Divide the equation by K."
            )
    return "10 pairs against 5 rules, and 3 pairs against 3 rules."


@checker
def predict(answer):
    rng = np.random.default_rng(2)
    for K in (2, 3, 5):
        scores = rng.normal(size=(8, K)) - 5
        classes = np.array(list("pqrst"))[rng.permutation(5)[:K]]
        got = np.asarray(call(answer, scores, classes))
        if got.shape != (8,):
            raise NotYet(
                f"For scores of shape (8, {K}) it returned shape {got.shape}; one class "
                "for each row is wanted."
            )
        if got.dtype.kind != "U":
            raise NotYet(
                f"It returned {short(got[0])} for the first row, which is no class: is it "
                "the largest score, or its place?"
            )
        wrong = np.flatnonzero(got != classes[scores.argmax(axis=1)])
        if wrong.size:
            raise NotYet(
                f"A row with scores {short(scores[wrong[0]])} and classes "
                f"{''.join(classes)} got {got[wrong[0]]!r}. Where is the largest score?"
            )
    return "A name for each row, also where all scores are negative."


@checker
def votes(answer):
    hint = "Count how often each class occurs in a row, those that never occur included."
    cases = [([[0, 0, 1], [0, 2, 2]], 3), ([[0]], 2), ([[1, 0, 1, 0, 0, 2]] * 2, 4)]
    for winners, K in cases:
        winners = np.array(winners)
        want = np.array([np.bincount(row, minlength=K) for row in winners])
        expect(answer, (winners, K), want, hint)
    return "Each row sums to the number of pairs."


@checker
def midpoint(answer):
    points = numbers(answer, (2, 2), "two points of the plane")

    def gap(point):
        ranked = np.sort([point[0], point[1], 0.0])
        return ranked[2] - ranked[1]

    for point in points:
        if gap(point) > 1e-9:
            raise NotYet(
                f"{short(point)} has the scores ({point[0]:g}, {point[1]:g}, 0), and the "
                "two largest differ: it is inside a region."
            )
    middle = points.mean(axis=0)
    if gap(middle) <= 1e-9:
        raise NotYet(
            f"The middle {short(middle)} is on a boundary as well. Take the two points "
            "from different boundaries."
        )
    between = tidy(gap(middle))
    return f"At the middle {short(middle)} the two largest scores differ by {between}."


@checker
def gradient(answer):
    rng = np.random.default_rng(3)
    hint = "It is probability minus truth: what is subtracted at the place c?"
    for K in (2, 3, 6):
        scores, c = rng.normal(size=K), int(rng.integers(K))
        p = np.exp(scores) / np.exp(scores).sum()
        expect(answer, (scores, c), p - (np.arange(K) == c), hint)
    huge = np.array([1000.0, 0.0, 999.0])
    with np.errstate(all="ignore"):
        got = call(answer, huge, 0)
    tail = np.exp(-1.0) / (1 + np.exp(-1.0))
    tried, hint = f"gradient({short(huge)}, 0)", "Which change of all scores is harmless?"
    compare(got, [-tail, 0.0, tail], tried, hint)
    return "Right for 2, 3 and 6 classes, and at scores of 1000."


@checker
def neighbors(answer):
    rng = np.random.default_rng(4)
    X, labels = rng.normal(size=(30, 2)), np.array(list("abc"))[rng.integers(0, 3, 30)]
    for k in (1, 3, 5, 30):
        for point in rng.normal(size=(5, 2)):
            want = knn(X, labels, point[None], k=k).predicted[0]
            got = call(answer, X, labels, point, k)
            if str(got) != want:
                raise NotYet(
                    f"With k = {k}, near {short(point)}, it said {short(got)}; "
                    f"{want!r} has most of the neighbors, or of equal counts the nearest."
                )
    line, name = np.array([[0.0], [1.0]]), np.array(["b", "a"])
    got = call(answer, line, name, np.array([0.2]), 2)
    if str(got) != "b":
        raise NotYet(
            f"Examples b at 0 and a at 1, the point 0.2, k = 2: it said {short(got)}. One "
            "vote each, and b is nearer."
        )
    return "Right for 1, 3, 5 and 30 neighbors, and where the counts are equal."


@checker
def loud(answer):
    factor = float(numbers(answer, (), "a number"))
    if abs(factor - 4 / 3) > 1e-3:
        raise NotYet(
            f"With the factor {factor:g} the score of rule 2 is {1.5 * factor:g}, and the "
            "one of rule 1 is 2."
        )
    return "Any factor above 4/3, though each rule for two classes says what it said."
