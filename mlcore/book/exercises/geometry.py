"""Checkers for the exercises of the chapter on geometry."""

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    compare,
    mistaken,
    named,
    near,
    number,
    numbers,
    short,
    tidy,
    truths,
)
from mlcore.book.exercises import geometry_data as data
from mlcore.geometry import augment as longer
from mlcore.separation import max_margin


@checker
def by_hand(score, distance, nearest, margin):
    g = number(score, "the score, one number")
    rho = number(distance, "the signed distance, one number")
    point = numbers(nearest, (3,), "the nearest point, three numbers")
    own = number(margin, "the geometric margin, one number")
    _is(g, 12, "score", data.OTHER_SCORES)
    _is(rho, 4, "signed distance", data.OTHER_RHOS)
    fault = data.fault_of_point(point)
    if fault:
        raise NotYet(fault)
    _is(own, -4, "geometric margin", data.OTHER_MARGINS)
    return "The score of your point is 0, and it is 4 away from x: nothing is nearer."


def _is(got, want, name: str, slips: dict):
    """NotYet, with the sentence of a known slip, unless `got` is `want` to three digits."""
    if not near(got, want):
        hint = "Write down its formula, and put in the numbers again."
        hint = named(got, slips.items(), same=near) or hint
        raise NotYet(f"Your {name} is {tidy(got)}, which is not right. {hint}")


@checker
def signed_distance(function):
    for X, w, b in data.hyperplanes():
        want, got = (X @ w + b) / np.linalg.norm(w), call(function, X, w, b)
        hint = "It is the score, with its sign, over the length of w."
        if np.shape(got) == want.shape and np.asarray(got).dtype.kind in "if":
            hint = named(got, data.other_distances(X, w, b), want) or hint
        compare(got, want, f"For w = {short(w)} and b = {b:.4g} it", hint)
    return "51 hyperplanes in up to five dimensions."


@checker
def acute(w, b, x):
    w, x = numbers(w, (2,), "w, two numbers"), numbers(x, (2,), "x, two numbers")
    b = number(b, "b, a number")
    sizes = np.abs(w).max(), np.abs(x).max()
    if max(sizes) > 1e100 or 0 < min(sizes) < 1e-100:  # a length overflows, or is lost
        raise NotYet("Lengths from 1e-100 up to 1e100 will do for w and x.")
    if not w.any():
        raise NotYet("w = 0 has no line, and makes no angle with anything.")
    along, score = w @ x, w @ x + b
    if along <= 0:
        raise NotYet(f"w.x = {tidy(along)}: this angle is not acute.")
    if score >= 0:
        raise NotYet(f"g(x) = {tidy(score)}, so the prediction is +1. Which b lowers it?")
    far, line = np.linalg.norm(x), abs(b) / np.linalg.norm(w)
    if far <= line:
        raise NotYet(
            f"x is at the distance {far:.3g} from the origin, and the line at {line:.3g}. "
            "In which direction can x move without coming nearer to the line?"
        )
    return f"w.x = {along:.6g}, g(x) = {score:.6g}, and {far:.3g} > {line:.3g}."


@checker
def best_cut(function):
    for x, y in data.points_on_a_line():
        got = call(function, x, y)
        tried = f"For x = {short(x)} and y = {short(y)}"
        if not isinstance(got, (tuple, list, np.ndarray)) or len(got) != 3:
            raise NotYet(f"{tried} it returned {short(got)}; return w, b and the margin.")
        w, b, room = (number(part, "three numbers, w, b and the margin") for part in got)
        if abs(w) != 1:
            raise NotYet(f"{tried} your w is {tidy(w)}; it should be +1 or -1.")
        best = max_margin(x[:, None], y)
        fault = data.fault_of_cut(w, b, x, y, best)
        if fault:
            raise NotYet(f"{tried} {fault}")
        if np.isclose(room, 2 * best.margin):
            raise NotYet(
                f"{tried} your margin is {tidy(room)}, the whole gap. How far is the cut "
                "from the nearest point?"
            )
        if not np.isclose(room, best.margin, rtol=1e-9):
            raise NotYet(
                f"{tried} your margin is {tidy(room)}, which is not right. The cut is "
                "right. How far is it from the nearest point?"
            )
    return "32 sets of points, with the positive ones to the right or to the left."


@checker
def same_margin(stays):
    stays = truths(stays, len(data.CHANGES))
    wrong = mistaken(
        stays, [data.margins(number) is None for number in range(len(data.CHANGES))]
    )
    if wrong and stays[wrong[0]]:
        before, after = data.margins(wrong[0])
        raise NotYet(
            f"Number {wrong[0] + 1} does not always keep it: on one data set the margin "
            f"was {before:.4f} before the change and is {after:.4f} after it."
        )
    if wrong == [7]:
        raise NotYet(
            "Number 8 always keeps it. Does the old widest hyperplane still keep gamma? "
            "And can one more example make the margin larger?"
        )
    if wrong:
        raise NotYet(
            f"Number {wrong[0] + 1} always keeps it. Which distances does the change "
            "alter, if any?"
        )
    return "Margins are made of distances, and of which examples are on which side."


@checker
def loglog(answer):
    score = number(answer, "one real number")
    want = -np.log(np.log(2))
    if not near(score, want, 4):
        with np.errstate(over="ignore"):
            value = np.exp(-np.exp(-score))
        hint = "Take logarithms of f(z) = 1/2, twice."
        hint = named(score, data.OTHER_LOGLOGS.items(), same=near) or hint
        if abs(score - want) <= 0.005:
            hint = "That is near; give four digits after the point."
        raise NotYet(f"At {tidy(score)} f is {value:.6f}. {hint}")
    return "It is positive, so the boundary lies inside the side g(x) > 0."


@checker
def augment(function):
    rng = np.random.default_rng(2)
    for c in (2.0, 1.0, -0.5, 100.0):
        X, w, b = rng.normal(size=(5, 3)), rng.normal(size=3), float(rng.normal())
        got = call(function, X, w, b, c)
        if not isinstance(got, (tuple, list)) or len(got) != 2:
            raise NotYet("Return two things: the longer matrix and the longer weights.")
        want = np.column_stack([np.full(5, c), X])
        if np.shape(got[0]) == want.shape:
            if np.allclose(got[0], np.roll(want, -1, axis=1)):
                raise NotYet("Your constant is the last column; it should be the first.")
            if c != 1 and np.allclose(np.asarray(got[0], float)[:, 0], 1):
                raise NotYet(f"With c = {c:g} your first column is 1 everywhere, not c.")
        hint = "A column with the constant comes first, then the columns of X."
        compare(got[0], want, f"For the matrix, with c = {c:g}, it", hint)
        weights = numbers(got[1], (4,), "one weight for each of the four columns")
        if np.allclose(weights, [*w, b / c]) or np.allclose(weights, [*w, b]):
            raise NotYet("Your matrix has the constant first, your weights have b last.")
        if not np.allclose(weights[1:], w):
            raise NotYet("The weights of the features should stay as they are.")
        slips = {b: "that is b", b * c: "that is b times c", -b / c: "its sign is wrong"}
        if not np.isclose(weights[0], b / c):
            slip = named(weights[0], slips.items())
            raise NotYet(
                f"With c = {c:g} and b = {b:.4g} your first weight is {weights[0]:.4g}"
                f"{f' ({slip})' if slip else ''}. The constant multiplies it in every "
                "score: how much does it contribute?"
            )
    return "Four constants, and the same scores with each."


@checker
def doubtful(sample, change):
    which = number(sample, "the number of the sample, one number")
    made = number(change, "the change, one number")
    size, w = data.between_means()
    want, scores = int(size.argmin()), len(size)
    if which == want + 1:
        raise NotYet(f"Do you count from 1? Number {tidy(which)} of the code is another.")
    if not (0 <= which < scores and which == int(which)):
        raise NotYet(f"The samples have the numbers 0 to {scores - 1}; not {tidy(which)}.")
    if which != want:
        raise NotYet(
            f"Sample {tidy(which)} is {size[int(which)] / np.linalg.norm(w):.3f} standard "
            "deviations away from the boundary, and another is nearer. Is T standardized, "
            "and is the bias in your score?"
        )
    largest = np.abs(w).max()
    right = size[want] / largest
    slips = {
        -right: "Give its size, without a sign.",
        size[want] / np.linalg.norm(w): "That is the distance, where all features move.",
        size[want]: "That is the size of the score. What does one unit of x_j add to it?",
        size[want] / np.abs(w).min(): "That is the worst single feature. Which is best?",
        size[want] / largest**2: "Is the weight squared?",
    }
    if not near(made, right):
        hint = "By how much does the score change with one feature?"
        hint = named(made, slips.items(), same=near) or hint
        if abs(made - right) <= 0.006:
            hint = "That is near; give three digits after the point."
        raise NotYet(f"The sample is right. Your change is {tidy(made)}. {hint}")
    return "A fifth of a standard deviation of one feature, and the boundary is reached."


@checker
def shrinks(rows, labels):
    X = np.asarray(rows, object)
    if X.ndim != 2:
        raise NotYet(f"Give a matrix, one example a row; this is {short(rows)}.")
    X = numbers(rows, X.shape, "the rows of a matrix")
    y = numbers(labels, (len(X),), "one label for each row")
    if not (set(y.tolist()) <= {-1.0, 1.0}):
        raise NotYet(f"Labels are -1 or +1; these are {short(y)}.")
    if len(set(y.tolist())) < 2:
        raise NotYet("Both labels must occur: with one alone there is no widest margin.")
    wide = max_margin(X, y)
    if not wide.separable:
        raise NotYet("No hyperplane separates your examples.")
    if wide.margin < 1 - 1e-9:
        raise NotYet(f"The margin with a bias is {wide.margin:.4g}; at least 1 is wanted.")
    narrow = max_margin(longer(X), y, bias=False).margin
    alone = wide.margin / np.hypot(1, wide.b)  # wide.w has length 1
    if alone <= 0.01 < narrow:
        raise NotYet(
            f"The widest hyperplane has only {alone:.2g} after augmentation, but another "
            f"one has {narrow:.4g}. Which direction separates your examples nearer to the "
            "origin?"
        )
    if narrow > 0.01:
        raise NotYet(
            f"The margin is {wide.margin:.4g}, but after augmentation it is still "
            f"{narrow:.4g}. On what does the factor between the two depend?"
        )
    after = f"{narrow:.2g}" if narrow > 0 else "too small to be told from rounding"
    return f"The margin is {wide.margin:.4g}, and after augmentation {after}."
