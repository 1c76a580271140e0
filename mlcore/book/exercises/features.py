"""Checkers for the exercises of the chapter on features."""

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    check_certificate,
    checker,
    compare,
    mistaken,
    number,
    numbers,
    short,
    tidy,
    truth,
    truths,
)
from mlcore.book.exercises import features_data as data


@checker
def xor(w, b):
    w = numbers(w, (3,), "w, three numbers, for x1, x2 and x1 x2")
    b = number(b, "b, one number")
    z = data.XOR * (np.column_stack([data.CORNERS, data.CORNERS.prod(axis=1)]) @ w + b)
    rounding = 1e-9 * (np.abs(w).sum() + abs(b))
    if z.min() <= rounding:
        place = tuple(data.CORNERS[z.argmin()].astype(int).tolist())
        least = f"{tidy(z.min())}."
        if abs(z.min()) <= rounding:
            least = "0. Zero does not separate."
        raise NotYet(
            f"At {place} the functional margin is {least} Start with b, the score of "
            "(0, 0), then choose what each coordinate alone must add."
        )
    return f"The four functional margins are {', '.join(map(tidy, z))}."


@checker
def no_bias(weights):
    a = numbers(weights, (4,), "four weights, one for each point")
    x, y = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([1.0, -1.0, -1.0, 1.0])
    check_certificate(a)
    first, second = (a * y) @ x, (a * y) @ x**2
    if abs(first) > 1e-9 * a.sum():
        raise NotYet(
            f"The sum of a y x is {tidy(first)}, not 0. The points lie symmetrically: "
            "what does that suggest for the weights of x and -x?"
        )
    if abs(second) > 1e-9 * a.sum():
        raise NotYet(
            f"The sum of a y x is 0, but that of a y x^2 is {tidy(second)}. How many times "
            "as large are the squares of the outer points?"
        )
    return "Every w has margins whose sum with these weights is zero: not all are positive."


@checker
def count(separable, not_separable, smallest_n):
    what = "three whole numbers"
    yes, no, least = (number(part, what) for part in (separable, not_separable, smallest_n))
    if (yes, no) == (44, 84):
        raise NotYet(
            "44 and 84: is this the count for p = 3 (how many numbers can a linear rule "
            "with a bias choose in space?), or are the two in the other order?"
        )
    if yes + no != 2**7:
        raise NotYet(
            f"{tidy(yes)} and {tidy(no)} make {tidy(yes + no)}. How many labelings have "
            "seven points in all?"
        )
    if yes in (42, 64):
        raise NotYet(
            f"{tidy(yes)} is not the count: check the factor 2 in front of the sum, and "
            "the base case C(n, 1)."
        )
    if yes != 84:
        raise NotYet(
            f"{tidy(yes)} labelings is not right. In the recurrence each number is the sum "
            "of the one above it and the one to the left of that; the closed form has "
            "n - 1 on top in its binomials, not n."
        )
    if least == 8:
        raise NotYet(
            "The counts are right. But at 8 points it is exactly half, and the question "
            "is for fewer than half."
        )
    if least != 9:
        raise NotYet(
            f"The counts are right, but {tidy(least)} is not the smallest n with fewer "
            "than half. For which n is it exactly half?"
        )
    return "84 of 128 at seven points, half at eight, and fewer from nine on."


@checker
def products(function):
    rng = np.random.default_rng(3)
    for d in (2, 1, 3, 4, 5, 6):  # at d = 2 each slip has a number of columns of its own
        X = rng.normal(size=(50, d))
        want = np.stack([X[:, q] * X[:, r] for q in range(d) for r in range(q, d)], 1)
        answer, p = call(function, X), want.shape[1]
        try:
            got = np.asarray(answer)
        except ValueError:
            raise NotYet(
                f"For d = {d} the rows have different lengths. Each of the 50 rows needs "
                f"the same {p} products."
            ) from None
        if got.ndim != 2 or got.dtype.kind not in "iuf":
            raise NotYet(f"For d = {d} an array of shape (50, {p}) is wanted.")
        said = f"For X of shape (50, {d}) it returned the shape {got.shape}, not (50, {p})"
        if got.shape == (p, 50):
            raise NotYet(f"{said}: it is transposed; each example is a row.")
        if len(got) != 50:
            raise NotYet(f"{said}: there should be one row for each example.")
        if got.shape[1] != p:
            raise NotYet(f"{said}{data.other_columns(d, p, got.shape[1])}.")
        got = got.astype(float)
        if not np.isfinite(got).all():
            raise NotYet(f"For d = {d} some of the numbers are not finite.")
        ours, yours = (F[:, np.lexsort(F[:3])] for F in (want, got))  # in one order
        hint = (
            "The number of columns is right. Is each of them a product of two features? "
            "And is none of them doubled?"
        )
        compare(yours, ours, f"For d = {d} it", hint)
    return "1, 3, 6, 10, 15, 21 products of one to six features."


@checker
def shatters(function):
    for X, want in data.point_sets():
        with data.Counted() as solved:
            got = truth(call(function, X), short(X))
        if want and not got:
            raise NotYet(
                f"For {short(X)} it returned False, but there is a rule for each labeling "
                "of these points. Did you leave room for the bias?"
            )
        if got and not want:
            d = X.shape[1]
            ask = "Are they in a special position?"
            if len(X) > d + 1:
                ask = f"How many points of dimension {d} can be shattered?"
            raise NotYet(
                f"For {short(X)} it returned True. Is there a labeling of these points "
                f"that no rule separates? ({ask})"
            )
        if solved.calls > 8:
            raise NotYet(
                f"The answer for {len(X)} points is right, but it took {solved.calls} "
                "linear programs. For 30 points there would be about half a billion: use "
                "a theorem instead of trying."
            )
    return "12 sets of points, the largest with 30 points in 40 dimensions."


@checker
def stays(answers):
    answers = truths(answers, 6)
    fails = data.counterexamples()
    wrong = mistaken(answers, [q not in fails for q in range(6)])
    if wrong and answers[wrong[0]]:
        raise NotYet(
            f"Number {wrong[0] + 1} does not always keep a separation. For example: "
            f"{fails[wrong[0]][-1]}."
        )
    if wrong:
        raise NotYet(
            f"Number {wrong[0] + 1} always keeps a separation. Start with a rule (w, b) "
            "that separates before the change; which rule does it afterwards?"
        )
    return "What a rule can undo, or ignore, keeps the data separable."


@checker
def memory(longest_luck):
    n = number(longest_luck, "the largest n, one whole number")
    right = data.lucky(bias=True)
    if n == right:
        return f"The first {right} tumors can be separated, and 2p is 62."
    if n == right + 1:
        raise NotYet(f"The first {right + 1} are the first set that fails. And before it?")
    if n == data.lucky(bias=False):
        raise NotYet(f"{tidy(n)} is the answer for rules without a bias.")
    if n != round(n) or not 1 <= n <= 569:
        raise NotYet(f"A whole number from 1 to 569 is wanted; this is {tidy(n)}.")
    if n == 569:
        raise NotYet("All 569? Did you use the true labels, and not the coin?")
    if n > right:
        raise NotYet(f"The first {n:.0f} tumors with these labels cannot be separated.")
    raise NotYet(f"The first {n:.0f} can be separated, and so can {n + 1:.0f}: go on.")


@checker
def sine(function):
    for x, y in data.labelings():
        omega = number(call(function, y), "back one number, omega")
        if omega <= 0:
            raise NotYet(f"For y = {short(y)} omega is {tidy(omega)}, not positive.")
        missed = y * np.sin(omega * x) <= 1e-9
        if missed.any():
            q = int(np.argmax(missed))
            raise NotYet(
                f"For y = {short(y)} it returned omega = {tidy(omega)}, and at x = "
                f"1/{2 ** (q + 1)} the sine is {tidy(np.sin(omega * x[q]))}, but the "
                f"label is {y[q]:+.0f}. Which c decides at this point?"
            )
    return "All labelings of 1, 2, 3, 5 and 8 points, with one number each time."
