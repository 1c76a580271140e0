"""Checkers for the exercises of the chapter on geometry."""

import numpy as np
import sympy as sp

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
from mlcore.geometry import foot_of_origin
from mlcore.geometry import signed_distance as mlcore_distance
from mlcore.separation import shatters as mlcore_shatters


@checker
def foot(answer):
    first, direction, second, other = parts(answer, 4)
    own = foot_of_origin([3.0, 4.0], -10.0)
    for name, point, side, bias in (
        ("", first, direction, -10),
        (" of the slide", second, other, 10),
    ):
        point = numbers(point, (2,), f"the foot{name}, two numbers")
        side = numbers(side, (), f"the direction{name}, +1 or -1")
        score = point @ [3, 4] + bias
        if abs(score) > 1e-9:
            raise NotYet(
                f"Your foot{name}, {short(point)}, has 3 x1 + 4 x2 {bias:+} = "
                f"{tidy(score)}, so it is not on the line. By what is the multiple of w "
                "divided?"
            )
        hint = "It is on the line; does it also lie along w?"
        compare(point, -np.sign(bias) * own, f"Your foot{name}", hint)
        hint = "Compare the foot with w."
        compare(side, -np.sign(bias), f"Your direction{name}", hint)
    return "(1.2, 1.6) along w; with the minus on the slide (-1.2, -1.6), against it."


@checker
def signed_distance(answer):
    rng = np.random.default_rng(1)
    cases = [(np.array([[3.0, 2.5], [0.0, 0.0]]), np.array([1.0, 2.0]), -4.0)]
    for _ in range(100):
        d = int(rng.integers(1, 6))
        cases.append((rng.normal(size=(4, d)), rng.normal(size=d), rng.normal()))
    hint = "It is the score, with its sign, over the length of w: is all of it divided?"
    for X, w, b in cases:
        expect(answer, (X, w, b), mlcore_distance(X, w, b), hint)
    return "101 hyperplanes in up to five dimensions."


@checker
def acute(answer):
    w, b, x = parts(answer, 3)
    w, x = numbers(w, (2,), "w, two numbers"), numbers(x, (2,), "x, two numbers")
    b = numbers(b, (), "b, a number")
    product, score = w @ x, w @ x + b
    if product <= 0:
        raise NotYet(f"w.x = {product:g}: this angle is not acute.")
    if score >= 0:
        raise NotYet(f"g(x) = {score:g}, so the prediction is +1. Which b lowers it?")
    far, plane = np.linalg.norm(x), abs(b) / np.linalg.norm(w)
    if far <= plane:
        raise NotYet(
            f"x is at distance {far:.3g} from the origin, the hyperplane at {plane:.3g}. "
            "Move x along the hyperplane."
        )
    return f"w.x = {product:g}, g(x) = {score:g}, and {far:.3g} is more than {plane:.3g}."


@checker
def augment(answer):
    rng = np.random.default_rng(2)
    for c in (1.0, 2.0, -0.5, 100.0):
        X, w, b = rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal()
        got = call(answer, X, w, b, c)
        if not isinstance(got, tuple) or len(got) != 2:
            raise NotYet("Return two things: the long matrix and the long weights.")
        want = np.column_stack([np.full(5, c), X])
        compare(got[0], want, f"With c = {c:g} your matrix", "The constant is first.")
        weights = numbers(got[1], (4,), "one weight for each column")
        hint = "What must the first weight be, if it is multiplied by c?"
        compare(want @ weights, X @ w + b, f"With c = {c:g} the vector of scores", hint)
    return "Four constants, and the same scores with each."


@checker
def loglog(answer):
    try:
        score = float(sp.sympify(answer))
    except (sp.SympifyError, TypeError, ValueError):
        raise NotYet(f"Give one real number; this is {short(answer)}.") from None
    with np.errstate(over="ignore"):
        value = np.exp(-np.exp(-score))
    if not abs(value - 0.5) < 1e-9:
        raise NotYet(f"There f is {value:.4f}. Take logarithms of f(z) = 1/2, twice.")
    return f"The boundary is at the score {score:.4f}."


@checker
def products(answer):
    rng = np.random.default_rng(3)
    for d in range(1, 7):
        X = rng.normal(size=(50, d))
        want = np.stack([X[:, q] * X[:, r] for q in range(d) for r in range(q, d)], 1)
        got = call(answer, X)
        hint = "Is each pair there once, and are the squares?"
        compare(np.shape(got), want.shape, f"For d = {d} the shape", hint)
        got = np.asarray(got, float)
        ours, yours = (F[:, np.lexsort(F[:3])] for F in (want, got))  # in one order
        compare(yours, ours, f"For d = {d} it", hint)
    return "1, 3, 6, 10, 15, 21 products of one to six features."


@checker
def xor(answer):
    w, b = parts(answer, 2)
    w, b = numbers(w, (3,), "w, three numbers"), numbers(b, (), "b, a number")
    X, y = np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), np.array([1, 1, -1, -1])
    z = y * (np.column_stack([X, X.prod(axis=1)]) @ w + b)
    if z.min() <= 0:
        place = tuple(X[z.argmin()].tolist())
        raise NotYet(
            f"At {place} the functional margin is {tidy(z.min())}. Start with b, the "
            "score of (0, 0), then choose what each coordinate alone must add."
        )
    return f"The four functional margins are {short(z)}."


@checker
def shatters(answer):
    rng = np.random.default_rng(4)
    line = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    cases = [line, line[:2], np.array([[1.0], [1.0]])]
    for d in (1, 2, 3):
        cases += [np.vstack([np.zeros(d), np.eye(d)]), rng.normal(size=(d + 2, d))]
    for X in cases:
        got = call(answer, X)
        if not isinstance(got, (bool, np.bool_)) or got != mlcore_shatters(X):
            raise NotYet(
                f"For {short(X)} it returned {short(got)}. Is there a labeling of these "
                "points that no line separates?"
            )
    return f"{len(cases)} sets of points, some of them in line, some of them equal."


@checker
def no_bias(answer):
    a, x = numbers(answer, (4,), "four weights"), np.array([-2.0, -1.0, 1.0, 2.0])
    y = np.array([1.0, -1.0, -1.0, 1.0])
    if a.min() < -1e-9 or not np.isclose(a.sum(), 1):
        raise NotYet(
            f"The smallest weight is {tidy(a.min())} and their sum {tidy(a.sum())}."
        )
    sums = np.array([(a * y) @ x, (a * y) @ x**2])
    if not np.allclose(sums, 0, atol=1e-9):
        raise NotYet(
            f"The sums of a y x and of a y x^2 are {tidy(sums[0])} and {tidy(sums[1])}; "
            "both must be zero. How much larger are the squares outside?"
        )
    return "For every w the mean of y w.phi(x) is zero, so not all can be positive."


def parts(answer, count: int):
    """The parts of an answer; NotYet if their number is wrong or one is three dots."""
    if not isinstance(answer, (tuple, list)) or len(answer) != count:
        raise NotYet(f"Give {count} things; this is {short(answer)}.")
    if any(part is ... for part in answer):
        raise NotYet("Replace all the dots with your answer.")
    return answer
