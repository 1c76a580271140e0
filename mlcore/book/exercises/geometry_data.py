"""Data, right answers and slips of the checkers on geometry."""

from functools import cache

import numpy as np

from mlcore.book.exercises.answers import near
from mlcore.book.exercises.words import short, tidy
from mlcore.data import breast_cancer, separable
from mlcore.features import standardize
from mlcore.geometry import augment
from mlcore.separation import max_margin

# by hand
W, POINT = np.array([2.0, -1.0, 2.0]), np.array([4.0, 1.0, 4.0])
OTHER_SCORES = {15: "Is the bias in it?", 18: "Which sign has b?"}
OTHER_RHOS = {
    12: "That is the score. What is it divided by?",
    4 / 3: "It is the score over the square of the length of w.",
    12 / 5: "The length of w is not the sum of the sizes of its entries.",
    12 / 18**0.5: "The length is that of w alone; is b in yours?",
    -4: "On which side of the plane does x lie?",
    5: "Is the bias in it?",
}
OTHER_MARGINS = {4: "What is the label of x?", -12: "That is the functional margin."}

OTHER_LOGLOGS = {
    np.log(np.log(2)): "That is the boundary of the complementary log-log, "
    "1 - exp(-exp(z)).",
    np.log(2): "One logarithm is not enough: take it a second time.",
    0.0: "Not every activation takes its middle at 0.",
    0.5: "One half is the value that f should have there.",
}


def fault_of_point(point) -> str | None:
    """Why it is not the point of the plane that is nearest to x; None if it is."""
    left, way = point @ W - 3, 4 / 3 * W
    if near(point, POINT - way):
        return None
    if near(point, POINT - way, 1):
        return (
            f"Your nearest point {short(point)} is near, but three digits after the point "
            "are wanted: give more digits, or exact fractions such as 2/3."
        )
    if near(point, POINT + way, 1):
        return (
            f"Your nearest point {short(point)} has the score {tidy(left)}: it is farther "
            "away than x. Which sign has the step along w, if the score has to fall?"
        )
    if near(point, way, 1) or near(point, -way, 1):
        return (
            f"Your nearest point {short(point)} is the way between x and a point of the "
            "plane. Where does this way lead, if it starts at x?"
        )
    if abs(left) > 0.0025:
        return (
            f"Your nearest point {short(point)} has the score {tidy(left)}, so it is not "
            "on the plane. By what is the score divided, and in which direction do you "
            "walk?"
        )
    return (
        f"Your point {short(point)} is on the plane, but it is "
        f"{tidy(np.linalg.norm(point - POINT))} away from x. Is the way from x to it a "
        "multiple of w?"
    )


def hyperplanes():
    """(X, w, b) of 51 hyperplanes, with points."""
    rng = np.random.default_rng(1)
    yield np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([4.0, 3.0]), -14.0
    for _ in range(50):
        d = int(rng.integers(1, 6))
        yield rng.normal(size=(4, d)), rng.normal(size=d), float(rng.normal())


def other_distances(X, w, b):
    """(distances, what is said) of each slip."""
    g, length = X @ w + b, np.linalg.norm(w)
    return (
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
    )


def points_on_a_line():
    """(x, y) of 32 sets that a cut separates, the positive ones on either side."""
    x, y = np.array([1.0, 2.0, 5.0, 9.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    yield x, y
    yield x, -y
    rng = np.random.default_rng(2)
    for _ in range(30):
        x = rng.normal(size=8) + rng.normal()
        left = x < np.sort(x)[rng.integers(1, 8)]
        yield x, np.where(left, 1.0, -1.0) * rng.choice([-1, 1])


def fault_of_cut(w, b, x, y, best) -> str | None:
    """Why a cut is not the best one; None if it is."""
    least = (y * (w * x + b)).min()
    if w != np.sign(best.w[0]):
        return (
            f"your w is {tidy(w)}, and the smallest margin of your rule is "
            f"{tidy(least)}. On which side of the cut are the positive points?"
        )
    if np.isclose(least, best.margin, rtol=1e-9):
        return None
    if np.isclose(abs(b), abs(best.b)):
        return (
            f"your b is {tidy(b)}. The two points are right, but is it the "
            "bias, or the place of the cut? Where is w x + b zero?"
        )
    return (
        f"your cut is at {tidy(-b / w)}, where the smallest margin is "
        f"{tidy(least)}; another cut has more. Which two points matter?"
    )


def rotated(X, y, rng):
    turn = rng.uniform(0, 2 * np.pi)
    return X @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]], y


def with_one_far(X, y, rng):
    best = max_margin(X, y)
    point = rng.normal(size=2)
    side = 1.0 if point @ best.w + best.b > 0 else -1.0
    return np.vstack([X, point + side * best.margin * best.w]), np.append(y, side)


CHANGES = (
    lambda X, y, rng: (10 * X, y),
    lambda X, y, rng: (X + rng.normal(size=2), y),
    lambda X, y, rng: (X, -y),
    rotated,
    lambda X, y, rng: (augment(X, constant=7.0), y),
    lambda X, y, rng: (np.column_stack([X, rng.normal(size=len(X))]), y),
    lambda X, y, rng: (X * [1, 10], y),
    with_one_far,
)


@cache
def margins(number: int):
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


@cache
def between_means():
    """Sizes of the scores of all samples, and w, for the rule of the nearer mean."""
    tumors = breast_cancer()
    T, bad = standardize(tumors.X), tumors.y > 0
    u, v = T[bad].mean(axis=0), T[~bad].mean(axis=0)
    return np.abs(T @ (u - v) + (v @ v - u @ u) / 2), u - v
