"""Checkers for the exercises of the chapter on boosting."""

from functools import cache

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    compare,
    numbers,
    short,
    tidy,
    truths,
)
from mlcore.boosting import adaboost, best_stump
from mlcore.data import digits

FIVE_X = np.arange(1.0, 6.0)[:, None]
FIVE_Y = np.array([1.0, 1.0, -1.0, 1.0, 1.0])


@checker
def by_hand(weights, smallest_error):
    D = numbers(weights, (5,), "the five weights after round 1")
    smallest = numbers(smallest_error, (), "the smallest error in round 2")
    total, share = D.sum(), D[2] / D.sum() if D.sum() else 0.0
    if np.isclose(total, 0.8, atol=2.5e-3) and np.isclose(share, 0.5, atol=2.5e-3):
        raise NotYet("Your weights have the sum 0.8. By what must they be divided?")
    if not np.isclose(total, 1, atol=2.5e-3):
        raise NotYet(f"Your weights have the sum {tidy(total)}; it should be 1.")
    if np.isclose(share, 0.8, atol=2.5e-3):
        raise NotYet(
            "You give 0.8 of the weight to the one mistake. Is the half in alpha there? "
            "After round 1 its rule should be worth no more than a coin."
        )
    if np.isclose(share, 0.2, atol=2.5e-3):
        raise NotYet("The mistake has as much weight as before. Who should gain weight?")
    hint = "What share of the new weights does the rule just used get wrong?"
    fault = f"The weights {short(D)} are not right."
    _near(D, [1 / 8, 1 / 8, 1 / 2, 1 / 8, 1 / 8], fault, hint)
    if np.isclose(smallest, 0.5, atol=5e-4):
        raise NotYet("One half is the error of the rule just used; others are better.")
    if np.isclose(smallest, 1 / 8, atol=5e-4):
        raise NotYet(
            "An error of 1/8 would mean a single light mistake. Which stump gets x = 3 and "
            "three of the others right? A threshold has only two sides."
        )
    _near(
        smallest,
        1 / 4,
        f"The error {tidy(smallest)} is not right.",
        "Try every threshold, with both signs, and add the weights of its mistakes.",
    )
    return "Half of the weight on one example, and a stump that errs on a quarter."


def _near(got, want, fault, hint):
    if not np.allclose(got, want, rtol=0, atol=5e-4):
        raise NotYet(f"{fault} {hint}")


@checker
def abstain(function):
    rng = np.random.default_rng(0)
    for _ in range(8):
        right, silent, wrong = (float(s) for s in rng.dirichlet([3, 3, 3]))
        want = silent + 2 * np.sqrt(right * wrong)
        Z = float(numbers(call(function, right, silent, wrong), (), "back one number"))
        tried = f"For the weights {right:.3f}, {silent:.3f}, {wrong:.3f} your Z is {Z:.4f}"
        slips = {
            2 * np.sqrt(right * (wrong + silent)): "You count silence as a mistake.",
            2 * np.sqrt((right + silent) * wrong): "You count silence as right.",
            2
            * np.sqrt(
                (right + silent / 2) * (wrong + silent / 2)
            ): "You count silence as half right and half wrong.",
            2 * np.sqrt(right * wrong): "The silent examples are missing from the sum.",
            2
            * np.sqrt(right * wrong)
            / (
                right + wrong
            ): "You divide by the weight of the others; the silent ones are missing.",
            silent + np.sqrt(right * wrong): "How many terms meet at the minimum?",
        }
        for slip, hint in slips.items():
            if np.isclose(Z, slip) and not np.isclose(slip, want):
                raise NotYet(f"{tried}. {hint} By what factor does h = 0 change a weight?")
        if not np.isclose(Z, want, rtol=1e-6):
            side = "above" if want < Z else "below"
            raise NotYet(
                f"{tried}, which is {side} the smallest value. Write the sum as three "
                "terms, and see which of them depend on alpha."
            )
    return "Eight sets of weights: silence keeps its share, and the rest is as before."


@checker
def first_weights(function):
    rng = np.random.default_rng(3)
    for n, c in ((4, 1.0), (10, 3.0), (25, 0.2), (60, 50.0)):
        y = rng.permutation(np.where(np.arange(n) < max(n // 5, 1), 1.0, -1.0))
        D = numbers(call(function, y, c), (n,), "back D, of the shape (n,)")
        cost = np.where(y > 0, c, 1.0)
        rare = int((y > 0).sum())
        tried = f"For c = {c:g} and {rare} positive example{'s' * (rare > 1)} of {n}"
        if not np.isclose(D.sum(), 1):
            raise NotYet(f"{tried} your weights have the sum {tidy(D.sum())}, not 1.")
        if not np.allclose(D, cost / cost.sum()):
            if c != 1 and np.allclose(D, (1 / cost) / (1 / cost).sum()):
                raise NotYet(f"{tried} you have 1/c in the place of c: who costs more?")
            ratio = D[y > 0].mean() / max(D[y < 0].mean(), 1e-300)
            raise NotYet(
                f"{tried} a positive example weighs {tidy(ratio)} times a negative one. "
                "What does one mistake cost, and which weights does the theorem put "
                "beside it?"
            )
    return "Four data sets: each example weighs what a mistake on it costs."


def descent(
    H,
    y,
    rounds,
    *,
    half=0.5,
    turn=True,
    share=True,
    add=True,
    grow=1,
    sign=1,
    more=0,
    lost=False,
):
    """Coordinate descent on the exponential loss of the votes H @ a; with slips."""
    y = np.ones(len(y)) if sign == 0 else y
    D, a = np.full(len(y), 1 / len(y)), np.zeros(H.shape[1])
    for _ in range(rounds + more):
        r = (D * y) @ H
        k = int(np.abs(r).argmax() if turn else r.argmax())
        errs = D[H[:, k] != y].sum()
        with np.errstate(all="ignore"):  # a slip may end anywhere
            alpha = half * np.log((1 - errs) / errs)
            D = D * np.exp(-grow * alpha * y * H[:, k])
            D = D / D.sum() if share else D
        alpha = abs(alpha) if lost else alpha  # its sign
        a[k] = a[k] + alpha if add else alpha
    return -a if sign < 0 else a


SLIPS = (
    ({"half": 1.0}, "Is the half in alpha there?"),
    ({"share": False}, "Do the weights have the sum 1 before an error is read off?"),
    ({"turn": False}, "What about a rule whose opposite is better than all others?"),
    ({"add": False}, "A rule may be chosen again: do you add to its weight?"),
    ({"grow": -1}, "Who gains weight in your program, the mistakes or the others?"),
    ({"sign": 0}, "Do the labels y enter the edges and the new weights?"),
    ({"sign": -1}, "All signs are reversed: is alpha positive if a rule is mostly right?"),
    ({"lost": True}, "Some sign is lost: which weight should a negative edge give?"),
    ({"more": 1}, "This is the answer for one round more."),
    ({"more": -1}, "This is the answer for one round less."),
)


def _shape(answer):
    try:
        return np.shape(answer)
    except ValueError:  # rows of unequal length
        return None


@checker
def boost(function):
    rng = np.random.default_rng(1)
    for n, m, rounds in ((12, 3, 1), (30, 4, 2), (40, 5, 9), (60, 8, 25)):
        y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
        keep = rng.random((n, m)) < rng.uniform(0.2, 0.75, size=m)
        H = np.where(keep, y[:, None], -y[:, None])
        want = descent(H, y, rounds)
        answer = call(function, H, y, rounds)
        tried = f"For {n} examples, {m} rules and {rounds} round{'s' * (rounds > 1)}"
        if isinstance(answer, tuple) and any(np.ndim(part) for part in answer):
            raise NotYet(
                f"{tried} it returned a tuple of {len(answer)} things; return the "
                "coefficients a alone."
            )
        if _shape(answer) == (rounds,) != (m,):
            raise NotYet(
                f"{tried} it returned {rounds} number{'s' * (rounds > 1)}, one for each "
                f"round; return one for each rule, of shape ({m},), with the sum of what "
                "the rule was given."
            )
        a = numbers(answer, (m,), f"back a, of shape ({m},)")
        for slip, hint in SLIPS:
            other = descent(H, y, rounds, **slip)
            if np.allclose(a, other) and not np.allclose(a, want):
                raise NotYet(f"{tried} your weights {short(a)} are not right. {hint}")
        hint = "Choose the rule with the largest size of the edge, starting from 1/n."
        compare(a, want, tried, hint, rtol=1e-6)
    return "Four tables of votes, and each time the point where coordinate descent is."


@checker
def rounds_needed(function):
    equal = 3**0.5 / 2  # the product is then (1/2)**T
    for n, r in (
        (2, 0.5),
        (20, 0.9),
        (100, 0.1),
        (2, equal),
        (64, equal),
        (10**6, 0.03),
    ):
        T = float(numbers(call(function, n, r), (), "back one integer"))
        if not T.is_integer() or T < 1:
            given = f"For n = {n} and r = {r:.4g} you say {tidy(T)}"
            raise NotYet(f"{given}: give an integer >= 1.")
        product, before = ((1 - r**2) ** (rounds / 2) for rounds in (T, T - 1))
        says = f"For n = {n} and r = {r:.4g} you say {tidy(T)}."
        if product * n > 1 + 1e-9:
            raise NotYet(
                f"{says} After so many rounds the product is {product:.4g}, and one "
                f"mistake is the share {1 / n:.4g}: this does not rule it out yet."
            )
        if before * n <= 1 + 1e-9:
            after = f"After one round less the product is {before:.4g}"
            if np.isclose(before * n, 1, rtol=1e-9):
                raise NotYet(
                    f"{says} {after}, which equals 1/n. Suppose that one example is "
                    "wrong: how large is the mean loss at least, if no other term is zero? "
                    "If your formula allows equality, is it lost to rounding?"
                )
            raise NotYet(
                f"{says} {after}, and 1/n is {1 / n:.4g}: fewer rounds are enough."
            )
    return "Six pairs of n and r: T rounds prove it, and T - 1 do not."


CHANGES = ("scale", "cube", "rotate", "twice", "flip", "positive twice")


@cache
def shift_of(change):
    """The largest change of a training margin y F on some data, rounded; 0: always none."""
    rng = np.random.default_rng(5)
    worst = 0.0
    for _ in range(3):
        X = rng.normal(size=(40, 3))
        y = np.where((X**2).sum(axis=1) + rng.normal(size=40) > 2.5, 1.0, -1.0)
        before = y * adaboost(X, y, rounds=6).decision_function(X)
        new, sign, turn = X.copy(), y.copy(), np.sqrt(0.5)
        if change == "scale":
            new[:, 0] *= 10
        if change == "cube":
            new[:, 0] **= 3
        if change == "rotate":
            new[:, :2] = X[:, :2] @ np.array([[turn, turn], [-turn, turn]])
        if change == "flip":
            sign = -y
        if change == "twice":
            new, sign = np.repeat(X, 2, axis=0), np.repeat(y, 2)
        if change == "positive twice":
            new, sign = np.vstack([X, X[y > 0]]), np.append(y, y[y > 0])
        after = sign * adaboost(new, sign, rounds=6).decision_function(new)
        after = after[::2] if change == "twice" else after[: len(y)]
        worst = max(worst, float(np.abs(after - before).max()))
    return round(worst, 2)


@checker
def same_margins(stays):
    stays = truths(stays, len(CHANGES))
    shifts = [shift_of(change) for change in CHANGES]
    wrong = [q for q in range(len(CHANGES)) if stays[q] != (shifts[q] == 0)]
    believed = [q for q in wrong if stays[q]]
    if believed:
        q = believed[0]
        raise NotYet(
            f"Number {q + 1} does not always leave the margins: on one data set a margin "
            f"moved by {shifts[q]:.2f} within six rounds."
        )
    if wrong:
        raise NotYet(
            f"Number {wrong[0] + 1} always leaves the margins. What do stumps see of a "
            "feature, and through which products do labels and answers meet?"
        )
    return "Stumps see the order of the values, and the weights see y h and shares only."


@checker
def certificate(weights):
    D = numbers(weights, (5,), "the five weights, one for each example")
    if D.min() < 0 or not np.isclose(D.sum(), 1, atol=2.5e-3):
        raise NotYet(
            f"Your weights {short(D)} have the sum {tidy(D.sum())}. A distribution has the "
            "sum 1, and no weight below 0."
        )
    h = best_stump(FIVE_X, FIVE_Y, D)
    edge = 1 - 2 * h.error
    if edge > 1 / 3 + 2.5e-3:
        says = ", ".join("+" if s > 0 else "-" for s in h.predict(FIVE_X))
        raise NotYet(
            f"Under your weights the stump that says {says} has the edge {tidy(edge)}, so "
            "they prove only that no smallest margin is above that. Which of its right "
            "answers should lose weight?"
        )
    if edge > 1 / 3 + 1e-9:
        return (
            "Up to the rounding of your weights no stump has an edge above 1/3, so no vote "
            "gives all five more than 1/3."
        )
    return "No stump has an edge above 1/3, so no vote gives all five more than 1/3."


@checker
def no_edge(points, labels):
    try:
        X, y = np.asarray(points, float), np.asarray(labels, float)
    except (TypeError, ValueError):
        raise NotYet("Give a matrix of points, one a row, and a list of labels.") from None
    if X.ndim != 2:
        raise NotYet(
            f"The points should be the rows of a matrix; this has shape {X.shape}."
        )
    if X.shape[1] < 2 or len(X) < 6:
        raise NotYet(
            f"Six points or more are wanted, with two features or more; these are {len(X)} "
            f"with {X.shape[1]}."
        )
    if y.shape != (len(X),):
        raise NotYet(f"{len(X)} points need {len(X)} labels; yours have shape {y.shape}.")
    if not (np.isfinite(X).all() and np.isfinite(y).all()):
        raise NotYet("All numbers should be finite.")
    if len(np.unique(X, axis=0)) < len(X):
        raise NotYet("Two of your points are equal; all should differ.")
    if set(y.tolist()) != {-1.0, 1.0}:
        found = ", ".join(tidy(value) for value in sorted(set(y.tolist())))
        raise NotYet(f"The labels should be -1 and +1, both of them; yours are {found}.")
    h = best_stump(X, y, np.ones(len(y)))
    if h.error < 0.5 - 1e-9:
        rule = f"feature {h.feature} against {h.threshold:.4g}"
        if h.threshold < -1e100:
            rule = "the constant rule"
        raise NotYet(
            f"A stump, {rule}, has the error {h.error:.4g}. Count the labels on either "
            "side of each threshold: what should the difference be?"
        )
    return f"{len(y)} points, and no stump is better than chance: AdaBoost cannot start."


@cache
def ones_and_eights():
    """First round without mistake, the round from which on there is none, two counts."""
    data = digits(negative=1, positive=8)
    margins = adaboost(data.X, data.y, rounds=150).staged_margins(data.X, data.y)
    mistakes = (margins <= 0).sum(axis=1)
    first, good = int(np.argmax(mistakes == 0)) + 1, int(np.flatnonzero(mistakes)[-1]) + 2
    grown = margins[-1] - margins[good - 1]
    return first, good, int((grown > 0).sum()), int((grown < 0).sum())


@checker
def last_mistake(from_round, growing):
    T = numbers(from_round, (), "the round from which on there is no mistake, one number")
    grow = numbers(growing, (), "the number of images, one number")
    first, good, up, down = ones_and_eights()
    if first == T:
        raise NotYet(
            f"After round {first} there is no mistake, but a later round brings one back. "
            "Look for the last mistake, not for the first zero."
        )
    if good - 1 == T:
        raise NotYet(f"After round {good - 1} an image is still wrong. Is a row 0 round 1?")
    compare(T, good, "Your round", "Is z = 0 a mistake, and do you run 150 rounds?")
    if grow == down:
        raise NotYet(f"{down} is the number of those that shrink.")
    if 0 < grow < 1:
        raise NotYet("The round is right. Give the number of images, not their share.")
    compare(
        grow,
        up,
        "The round is right; your number of images",
        "Compare normalized margins after that round and after round 150.",
    )
    return f"From round {good} on; {up} margins grow after it, and {down} shrink."
