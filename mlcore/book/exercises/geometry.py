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


def parts(answer, count: int):
    """The parts of an answer; NotYet if their number is wrong or one is three dots."""
    if not isinstance(answer, (tuple, list)) or len(answer) != count:
        raise NotYet(f"Give {count} things; this is {short(answer)}.")
    if any(part is ... for part in answer):
        raise NotYet("Replace all the dots with your answer.")
    return answer
