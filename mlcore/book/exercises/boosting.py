"""Checkers for the exercises of the chapter on boosting."""

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    compare,
    floats,
    mistaken,
    named,
    number,
    numbers,
    shape_of,
    short,
    tidy,
    truths,
)
from mlcore.book.exercises import boosting_data as data
from mlcore.boosting import best_stump


@checker
def by_hand(weights, smallest_error):
    D = numbers(weights, (5,), "the five weights after round 1")
    smallest = number(smallest_error, "the smallest error in round 2")
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
    if not np.allclose(D, [1 / 8, 1 / 8, 1 / 2, 1 / 8, 1 / 8], rtol=0, atol=5e-4):
        raise NotYet(
            f"The weights {short(D)} are not right. What share of the new weights does the "
            "rule just used get wrong?"
        )
    if np.isclose(smallest, 0.5, atol=5e-4):
        raise NotYet("One half is the error of the rule just used; others are better.")
    if np.isclose(smallest, 1 / 8, atol=5e-4):
        raise NotYet(
            "An error of 1/8 would mean a single light mistake. Which stump gets x = 3 and "
            "three of the others right? A threshold has only two sides."
        )
    if not np.isclose(smallest, 1 / 4, rtol=0, atol=5e-4):
        raise NotYet(
            f"The error {tidy(smallest)} is not right. Try every threshold, with both "
            "signs, and add the weights of its mistakes."
        )
    return "Half of the weight on one example, and a stump that errs on a quarter."


@checker
def abstain(function):
    rng = np.random.default_rng(0)
    for _ in range(8):
        parts = right, silent, wrong = rng.dirichlet([3, 3, 3]).tolist()
        want = data.smallest_sum(*parts)
        Z = number(call(function, *parts), "back one number")
        tried = f"For the weights {right:.3f}, {silent:.3f}, {wrong:.3f} your Z is {Z:.4f}"
        slip = named(Z, data.other_sums(*parts), want)
        if slip:
            raise NotYet(f"{tried}. {slip} By what factor does h = 0 change a weight?")
        if not np.isclose(Z, want, rtol=1e-6):
            side = "above" if want < Z else "below"
            raise NotYet(
                f"{tried}, which is {side} the smallest value. Write the sum as three "
                "terms, and see which of them depend on alpha."
            )
    return "Eight sets of weights: silence keeps its share, and the rest is as before."


@checker
def first_weights(function):
    for y, c in data.costs():
        n = len(y)
        D = numbers(call(function, y, c), (n,), "back D, of the shape (n,)")
        cost = np.where(y > 0, c, 1.0)
        rare = int((y > 0).sum())
        tried = f"For c = {c:g} and {rare} positive example{'s' * (rare > 1)} of {n}"
        if not np.isclose(D.sum(), 1):
            raise NotYet(f"{tried} your weights have the sum {tidy(D.sum())}, not 1.")
        if not np.allclose(D, cost / cost.sum()):
            if c != 1 and np.allclose(D, (1 / cost) / (1 / cost).sum()):
                raise NotYet(f"{tried} you have 1/c in the place of c: who costs more?")
            if not D[y < 0].any():
                raise NotYet(
                    f"{tried} your negative examples weigh nothing: a mistake on one of "
                    "them would be free."
                )
            ratio = D[y > 0].mean() / D[y < 0].mean()
            raise NotYet(
                f"{tried} a positive example weighs {tidy(ratio)} times a negative one. "
                "What does one mistake cost, and which weights does the theorem put "
                "beside it?"
            )
    return "Four data sets: each example weighs what a mistake on it costs."


@checker
def boost(function):
    for H, y, rounds in data.votes():
        (n, m), want = H.shape, data.descent(H, y, rounds)
        answer = call(function, H, y, rounds)
        tried = f"For {n} examples, {m} rules and {rounds} round{'s' * (rounds > 1)}"
        if isinstance(answer, tuple) and any(np.ndim(part) for part in answer):
            raise NotYet(
                f"{tried} it returned a tuple of {len(answer)} things; return the "
                "coefficients a alone."
            )
        if shape_of(answer) == (rounds,) != (m,):
            raise NotYet(
                f"{tried} it returned {rounds} number{'s' * (rounds > 1)}, one for each "
                f"round; return one for each rule, of shape ({m},), with the sum of what "
                "the rule was given."
            )
        a = numbers(answer, (m,), f"back a, of shape ({m},)")
        others = (
            (data.descent(H, y, rounds, **slip), said) for slip, said in data.OTHER_DESCENTS
        )
        slip = named(a, others, want)
        if slip:
            raise NotYet(f"{tried} your weights {short(a)} are not right. {slip}")
        hint = "Choose the rule with the largest size of the edge, starting from 1/n."
        compare(a, want, f"{tried} it", hint, rtol=1e-6)
    return "Four tables of votes, and each time the point where coordinate descent is."


@checker
def rounds_needed(function):
    for n, r in data.EDGES:
        T = number(call(function, n, r), "back one integer")
        says = f"For n = {n} and r = {r:.4g} you say {tidy(T)}"
        if not T.is_integer() or T < 1:
            raise NotYet(f"{says}: give an integer >= 1.")
        product, before = ((1 - r**2) ** (rounds / 2) for rounds in (T, T - 1))
        if product * n > 1 + 1e-9:
            raise NotYet(
                f"{says}. After so many rounds the product is {product:.4g}, and one "
                f"mistake is the share {1 / n:.4g}: this does not rule it out yet."
            )
        if before * n <= 1 + 1e-9:
            after = f"After one round less the product is {before:.4g}"
            if np.isclose(before * n, 1, rtol=1e-9):
                raise NotYet(
                    f"{says}. {after}, which equals 1/n. Suppose that one example is "
                    "wrong: how large is the mean loss at least, if no other term is zero? "
                    "If your formula allows equality, is it lost to rounding?"
                )
            raise NotYet(
                f"{says}. {after}, and 1/n is {1 / n:.4g}: fewer rounds are enough."
            )
    return "Six pairs of n and r: T rounds prove it, and T - 1 do not."


@checker
def same_margins(stays):
    stays = truths(stays, len(data.CHANGES))
    shifts = [data.shift_of(change) for change in data.CHANGES]
    wrong = mistaken(stays, [shift == 0 for shift in shifts])
    if wrong and stays[wrong[0]]:
        raise NotYet(
            f"Number {wrong[0] + 1} does not always leave the margins: on one data set a "
            f"margin moved by {shifts[wrong[0]]:.2f} within six rounds."
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
    h = best_stump(data.FIVE_X, data.FIVE_Y, D)
    edge = 1 - 2 * h.error
    if edge > 1 / 3 + 2.5e-3:
        says = ", ".join("+" if s > 0 else "-" for s in h.predict(data.FIVE_X))
        raise NotYet(
            f"Under your weights the stump that says {says} has the edge {tidy(edge)}, so "
            "they prove only that no smallest margin is above that. Which of its right "
            "answers should lose weight?"
        )
    if edge > 1 / 3 + 1e-9:
        above = np.ceil(1e4 * edge) / 1e4
        return (
            f"No stump has an edge above {above:.4f}, so no vote gives all five more. Up "
            "to the rounding of your weights this is 1/3."
        )
    return "No stump has an edge above 1/3, so no vote gives all five more than 1/3."


@checker
def no_edge(points, labels):
    try:
        X, y = floats(points), floats(labels)
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


@checker
def last_mistake(from_round, growing):
    T = number(from_round, "the round from which on there is no mistake, one number")
    grow = number(growing, "the number of images, one number")
    first, good, up, down, beside = data.ones_and_eights()
    if first == T:
        raise NotYet(
            f"After round {first} there is no mistake, but a later round brings one back. "
            "Look for the last mistake, not for the first zero."
        )
    if good - 1 == T:
        raise NotYet(f"After round {good - 1} an image is still wrong. Is a row 0 round 1?")
    if good != T:
        raise NotYet(
            f"Your round is {tidy(T)}, which is not right. Is z = 0 a mistake, and do you "
            "run 150 rounds?"
        )
    if grow == down:
        raise NotYet(f"{down} is the number of those that shrink.")
    if 0 < grow < 1:
        raise NotYet("The round is right. Give the number of images, not their share.")
    if grow in beside:
        raise NotYet(
            f"The round is right; as to the images, this is the number for round "
            f"{beside[grow]}. Row 0 is round 1, so after round {good} is row {good - 1}."
        )
    if grow != up:
        raise NotYet(
            f"The round is right; your number of images is {tidy(grow)}, which is not "
            "right. Compare normalized margins after that round and after round 150."
        )
    return f"From round {good} on; {up} margins grow after it, and {down} shrink."
