"""Checkers for the exercises of the chapter on geometry."""

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
from mlcore.data import breast_cancer, separable
from mlcore.features import standardize
from mlcore.geometry import augment as longer
from mlcore.separation import max_margin

HALF = 0.0005 * (1 + 1e-9)  # half a unit of the third digit after the point


@checker
def by_hand(score, distance, nearest, margin):
    g = numbers(score, (), "the score, one number")
    rho = numbers(distance, (), "the signed distance, one number")
    near = numbers(nearest, (3,), "the nearest point, three numbers")
    own = numbers(margin, (), "the geometric margin, one number")
    w, x = np.array([2.0, -1.0, 2.0]), np.array([4.0, 1.0, 4.0])
    _is(g, 12, "score", {15: "Is the bias in it?", 18: "Which sign has b?"})
    slips = {
        12: "That is the score. What is it divided by?",
        4 / 3: "It is the score over the square of the length of w.",
        12 / 5: "The length of w is not the sum of the sizes of its entries.",
        12 / 18**0.5: "The length is that of w alone; is b in yours?",
        -4: "On which side of the plane does x lie?",
        5: "Is the bias in it?",
    }
    _is(rho, 4, "signed distance", slips)
    left = near @ w - 3
    right = x - 4 / 3 * w
    if HALF < np.abs(near - right).max() <= 0.05:
        raise NotYet(
            f"Your nearest point {short(near)} is near, but three digits after the point "
            "are wanted: give more digits, or exact fractions such as 2/3."
        )
    if np.abs(near - (x + 4 / 3 * w)).max() <= 0.05:
        raise NotYet(
            f"Your nearest point {short(near)} has the score {tidy(left)}: it is farther "
            "away than x. Which sign has the step along w, if the score has to fall?"
        )
    if min(np.abs(near - 4 / 3 * w).max(), np.abs(near + 4 / 3 * w).max()) <= 0.05:
        raise NotYet(
            f"Your nearest point {short(near)} is the way between x and a point of the "
            "plane. Where does this way lead, if it starts at x?"
        )
    if abs(left) > 5 * HALF:
        raise NotYet(
            f"Your nearest point {short(near)} has the score {tidy(left)}, so it is not on "
            "the plane. By what is the score divided, and in which direction do you walk?"
        )
    if np.abs(near - right).max() > HALF:
        raise NotYet(
            f"Your point {short(near)} is on the plane, but it is {tidy(_away(near, x))} "
            "away from x. Is the way from x to it a multiple of w?"
        )
    slips = {4: "What is the label of x?", -12: "That is the functional margin."}
    _is(own, -4, "geometric margin", slips)
    return "The score of your point is 0, and it is 4 away from x: nothing is nearer."


def _away(point, other) -> float:
    return float(np.linalg.norm(point - other))


def _is(got, want, name: str, slips: dict):
    """NotYet, with the sentence of a known slip, unless `got` is `want` to three digits."""
    if abs(got - want) <= HALF:
        return
    said = [hint for value, hint in slips.items() if abs(got - value) <= HALF]
    hint = said[0] if said else "Write down its formula, and put in the numbers again."
    raise NotYet(f"Your {name} is {tidy(got)}, which is not right. {hint}")


@checker
def signed_distance(function):
    rng = np.random.default_rng(1)
    cases = [(np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([4.0, 3.0]), -14.0)]
    for _ in range(50):
        d = int(rng.integers(1, 6))
        cases.append((rng.normal(size=(4, d)), rng.normal(size=d), float(rng.normal())))
    for X, w, b in cases:
        g, length = X @ w + b, np.linalg.norm(w)
        slips = [
            (np.abs(g) / length, "The side is lost: which sign has the score?"),
            (X @ w / length + b, "Is all of the score divided, the bias too?"),
            (X @ w + b / length, "Is all of the score divided, or only the bias?"),
            (X @ w / length, "The bias is missing."),
            ((X @ w - b) / length, "The bias has a plus sign in this book."),
            (-g / length, "The sign is reversed: this is -g/||w||. Where is it positive?"),
            (g / length**2, "By the length of w, or by its square?"),
            (g, "This is the score. What is it divided by?"),
            (g / np.hypot(length, b), "The length is that of w alone; is b in yours?"),
            (g / np.abs(w).sum(), "The length of w is the root of the sum of squares."),
        ]
        got = call(function, X, w, b)
        tried = f"For w = {short(w)} and b = {b:.4g} it"
        hint = "It is the score, with its sign, over the length of w."
        if np.shape(got) == g.shape and np.asarray(got).dtype.kind in "if":
            known = [h for value, h in slips if np.allclose(got, value)]
            hint = known[0] if known and not np.allclose(got, g / length) else hint
        compare(got, g / length, tried, hint)
    return "51 hyperplanes in up to five dimensions."


@checker
def acute(w, b, x):
    w, x = numbers(w, (2,), "w, two numbers"), numbers(x, (2,), "x, two numbers")
    b = numbers(b, (), "b, a number")
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
    return f"w.x = {tidy(along)}, g(x) = {tidy(score)}, and {far:.3g} > {line:.3g}."


@checker
def best_cut(function):
    rng = np.random.default_rng(2)
    cases = [(np.array([1.0, 2.0, 5.0, 9.0]), np.array([-1.0, -1.0, 1.0, 1.0]))]
    cases.append((cases[0][0], -cases[0][1]))
    for _ in range(30):
        x = rng.normal(size=8) + rng.normal()
        left = x < np.sort(x)[rng.integers(1, 8)]
        cases.append((x, np.where(left, 1.0, -1.0) * rng.choice([-1, 1])))
    for x, y in cases:
        best = max_margin(x[:, None], y)
        got = call(function, x, y)
        tried = f"For x = {short(x)} and y = {short(y)}"
        if not isinstance(got, (tuple, list, np.ndarray)) or len(got) != 3:
            raise NotYet(f"{tried} it returned {short(got)}; return w, b and the margin.")
        w, b, room = (
            numbers(part, (), "three numbers, w, b and the margin") for part in got
        )
        if abs(w) != 1:
            raise NotYet(f"{tried} your w is {tidy(w)}; it should be +1 or -1.")
        z = y * (w * x + b)
        wrong = w == np.sign(best.w[0]) and not np.isclose(z.min(), best.margin, rtol=1e-9)
        if wrong and np.isclose(abs(b), abs(best.b)):
            raise NotYet(
                f"{tried} your b is {tidy(b)}. The two points are right, but is it the "
                "bias, or the place of the cut? Where is w x + b zero?"
            )
        if w != np.sign(best.w[0]):
            raise NotYet(
                f"{tried} your w is {tidy(w)}, and the smallest margin of your rule is "
                f"{tidy(z.min())}. On which side of the cut are the positive points?"
            )
        if not np.isclose(z.min(), best.margin, rtol=1e-9):
            raise NotYet(
                f"{tried} your cut is at {tidy(-b / w)}, where the smallest margin is "
                f"{tidy(z.min())}; another cut has more. Which two points matter?"
            )
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
    stays = truths(stays, len(CHANGES))
    right = [_margins(number) is None for number in range(len(CHANGES))]
    wrong = [q for q in range(len(CHANGES)) if stays[q] != right[q]]
    believed = [q for q in wrong if stays[q]]
    if believed:
        before, after = _margins(believed[0])
        raise NotYet(
            f"Number {believed[0] + 1} does not always keep it: on one data set the margin "
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


def _rotated(X, y, rng):
    turn = rng.uniform(0, 2 * np.pi)
    return X @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]], y


def _with_one_far(X, y, rng):
    best = max_margin(X, y)
    point = rng.normal(size=2)
    side = 1.0 if point @ best.w + best.b > 0 else -1.0
    return np.vstack([X, point + side * best.margin * best.w]), np.append(y, side)


CHANGES = (
    lambda X, y, rng: (10 * X, y),
    lambda X, y, rng: (X + rng.normal(size=2), y),
    lambda X, y, rng: (X, -y),
    _rotated,
    lambda X, y, rng: (longer(X, constant=7.0), y),
    lambda X, y, rng: (np.column_stack([X, rng.normal(size=len(X))]), y),
    lambda X, y, rng: (X * [1, 10], y),
    _with_one_far,
)


@cache
def _margins(number: int):
    """Margins before and after a change, on the first set where they differ, or None."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        sample = separable(6, 2, margin=0.2, rng=rng)
        X, y = sample.X, sample.y
        changed, labels = CHANGES[number](X, y, rng)
        if min(map(len, map(set, (y, labels)))) < 2:
            continue
        before, after = max_margin(X, y).margin, max_margin(changed, labels).margin
        if not np.isclose(before, after, rtol=1e-6):
            return before, after
    return None


@checker
def loglog(answer):
    score = float(numbers(answer, (), "one real number"))
    want = -np.log(np.log(2))
    if not abs(score - want) <= 0.00005:
        with np.errstate(over="ignore"):
            value = np.exp(-np.exp(-score))
        known = {
            -want: "That is the boundary of the complementary log-log, 1 - exp(-exp(z)).",
            np.log(2): "One logarithm is not enough: take it a second time.",
            0.0: "Not every activation takes its middle at 0.",
            0.5: "One half is the value that f should have there.",
        }
        said = [hint for slip, hint in known.items() if abs(score - slip) <= 0.0005]
        hint = said[0] if said else "Take logarithms of f(z) = 1/2, twice."
        near = abs(score - want) <= 0.005
        hint = "That is near; give four digits after the point." if near else hint
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
        said = [words for value, words in slips.items() if np.isclose(weights[0], value)]
        if not np.isclose(weights[0], b / c):
            raise NotYet(
                f"With c = {c:g} and b = {b:.4g} your first weight is "
                f"{weights[0]:.4g}{''.join(f' ({s})' for s in said[:1])}. The constant "
                "multiplies it in every score: how much does it contribute?"
            )
    return "Four constants, and the same scores with each."


@checker
def doubtful(sample, change):
    which = numbers(sample, (), "the number of the sample, one number")
    made = numbers(change, (), "the change, one number")
    size, w = _between_means()
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
    slips = {
        size[want] / np.linalg.norm(w): "That is the distance, where all features move.",
        size[want]: "That is the size of the score. What does one unit of x_j add to it?",
        size[want] / np.abs(w).min(): "That is the worst single feature. Which is best?",
        size[want] / largest**2: "Is the weight squared?",
    }
    if abs(made - size[want] / largest) > HALF:
        said = [hint for value, hint in slips.items() if abs(made + 0 - value) <= HALF]
        if abs(made + size[want] / largest) <= HALF:
            said = ["Give its size, without a sign."]
        if abs(made - size[want] / largest) <= 0.006:
            said = ["That is near; give three digits after the point."]
        hint = said[0] if said else "By how much does the score change with one feature?"
        raise NotYet(f"The sample is right. Your change is {tidy(made)}. {hint}")
    return "A fifth of a standard deviation of one feature, and the boundary is reached."


@cache
def _between_means():
    """Sizes of the scores of all samples, and w, for the rule of the nearer mean."""
    tumors = breast_cancer()
    T, bad = standardize(tumors.X), tumors.y > 0
    u, v = T[bad].mean(axis=0), T[~bad].mean(axis=0)
    return np.abs(T @ (u - v) + (v @ v - u @ u) / 2), u - v


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
