"""Checkers for the exercises of the chapter on geometry."""

import numpy as np
import sympy as sp

from exercises import NotYet, call, checker, compare, expect, short
from mlcore.geometry import foot_of_origin
from mlcore.geometry import shatters as mlcore_shatters
from mlcore.geometry import signed_distance as mlcore_distance


@checker
def foot(answer):
    filled(answer)
    own = foot_of_origin([3.0, 4.0], -10.0)
    for name, point, side, want in (
        ("", answer[0], answer[1], own),
        (" of the slide", answer[2], answer[3], -own),
    ):
        compare(np.shape(point), (2,), f"The foot{name}", "Give a pair of numbers.")
        sign = -10 if name == "" else +10
        score = 3 * point[0] + 4 * point[1] + sign
        if abs(score) > 1e-9:
            raise NotYet(
                f"Your foot{name}, {short(point)}, has 3 x1 + 4 x2 {sign:+} = {score:g}, "
                "so it is not on the line. By what is the multiple of w divided?"
            )
        compare(
            point, want, f"Your foot{name}", "It is on the line; is it along w?", 1e-6
        )
        compare(
            side,
            np.sign(want[0]),
            f"Your direction{name}",
            "Compare the signs of the foot and of w.",
        )
    return "(1.2, 1.6) along w; with the minus on the slide (-1.2, -1.6), against it."


@checker
def signed_distance(answer):
    rng = np.random.default_rng(1)
    easy = np.array([[3.0, 2.5], [0.0, 0.0]]), np.array([1.0, 2.0]), -4.0
    cases = [easy]
    for _ in range(100):
        d = int(rng.integers(1, 6))
        cases.append((rng.normal(size=(4, d)), rng.normal(size=d), rng.normal()))
    for X, w, b in cases:
        expect(answer, (X, w, b), mlcore_distance(X, w, b), "The score, with its sign, "
               "over the length of w: is all of it divided?")  # fmt: skip
    return "101 hyperplanes in up to five dimensions."


@checker
def acute(answer):
    filled(answer)
    w, b, x = answer
    compare(np.shape(w), (2,), "The shape of your w", "Give w as a pair of numbers.")
    compare(np.shape(x), (2,), "The shape of your x", "Give x as a pair of numbers.")
    w, b, x = np.asarray(w, float), float(b), np.asarray(x, float)
    if not w.any():
        raise NotYet("With w = 0 there is no hyperplane.")
    if w @ x <= 0:
        raise NotYet(f"w.x = {w @ x:g}: this angle is not acute.")
    if w @ x + b >= 0:
        raise NotYet(f"g(x) = {w @ x + b:g}, so the prediction is +1. Which b lowers it?")
    far, plane = np.linalg.norm(x), abs(b) / np.linalg.norm(w)
    if far <= plane:
        raise NotYet(
            f"x is at distance {far:.3g} from the origin and the hyperplane at {plane:.3g}. "
            "Move x along the hyperplane."
        )
    return f"w.x = {w @ x:g}, and g(x) = {w @ x + b:g}."


@checker
def augment(answer):
    rng = np.random.default_rng(2)
    for c in (1.0, 2.0, -0.5, 100.0):
        X, w, b = rng.normal(size=(5, 3)), rng.normal(size=3), rng.normal()
        got = call(answer, X, w, b, c)
        if not isinstance(got, tuple) or len(got) != 2:
            raise NotYet("Return two things: the long matrix and the long weights.")
        long_X = np.column_stack([np.full(5, c), X])
        compare(got[0], long_X, f"With c = {c:g} your matrix", "The constant is first.")
        compare(np.shape(got[1]), (4,), "The shape of your weights", "One for each column.")
        compare(long_X @ got[1], X @ w + b, f"With c = {c:g} the vector of scores",
                "What must the first weight be, if it is multiplied by c?")  # fmt: skip
    return "Four constants, and the same scores with each."


@checker
def loglog(answer):
    try:
        z = sp.sympify(answer)
        value = complex(sp.exp(-sp.exp(-z)))
        assert abs(value.imag) < 1e-9
    except (sp.SympifyError, TypeError, AssertionError):
        raise NotYet(f"Give one real number; this is {short(answer)}.") from None
    if abs(value.real - 0.5) > 1e-9:
        raise NotYet(f"There f is {value.real:.4f}. Take logarithms of f(z) = 1/2, twice.")
    return f"The boundary is at the score {float(z):.4f}."


@checker
def products(answer):
    rng = np.random.default_rng(3)
    for d in range(1, 7):
        X = rng.normal(size=(50, d))
        got = np.asarray(call(answer, X), float)
        p = d * (d + 1) // 2
        hint = "Is each pair there once, and are the squares?"
        compare(got.shape, (50, p), f"For d = {d} the shape", hint)
        rank = np.linalg.matrix_rank(got)
        if rank < p:
            raise NotYet(f"For d = {d} the rank is {rank} and not {p}. {hint}")
        want = np.stack([X[:, q] * X[:, r] for q in range(d) for r in range(q, d)], 1)
        by_first = np.lexsort(want[:3]), np.lexsort(got[:3])
        compare(got[:, by_first[1]], want[:, by_first[0]], f"For d = {d} it",
                "Some column is not a product of two features.")  # fmt: skip
    return "Ranks 1, 3, 6, 10, 15, 21 for one to six features."


@checker
def xor(answer):
    filled(answer)
    compare(np.shape(answer[0]), (3,), "The shape of your w", "Give three numbers.")
    w, b = np.asarray(answer[0], float), float(answer[1])
    X, y = np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), np.array([1, 1, -1, -1])
    z = y * (np.column_stack([X, X.prod(axis=1)]) @ w + b)
    if z.min() <= 0:
        place = X[int(z.argmin())].tolist()
        raise NotYet(
            f"At {place} the functional margin is {z.min():g}. Start with b, the score of "
            "(0, 0), then choose what each coordinate alone must add."
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
                f"For {short(X)} it returned {short(got)}. Which labeling has no separating "
                "hyperplane there, if any?"
            )
    return f"{len(cases)} sets of points, with points in line and repeated points."


@checker
def no_bias(answer):
    compare(np.shape(answer), (4,), "The shape of your weights", "Give four numbers.")
    a, x = np.asarray(answer, float), np.array([-2.0, -1.0, 1.0, 2.0])
    y = np.array([1.0, -1.0, -1.0, 1.0])
    if a.min() < 0 or not np.isclose(a.sum(), 1):
        raise NotYet(f"The smallest weight is {a.min():g} and their sum {a.sum():g}.")
    sums = np.array([(a * y) @ x, (a * y) @ x**2])
    if not np.allclose(sums, 0, atol=1e-9):
        raise NotYet(
            f"The sums of a y x and of a y x^2 are {sums[0]:.4g} and {sums[1]:.4g}; both "
            "must be zero. How much larger are the squares outside?"
        )
    return "For every w the mean of y w.phi(x) is zero, so not all can be positive."


def filled(answer):
    """NotYet if a part of the answer still is three dots."""
    if any(part is ... for part in answer):
        raise NotYet("Replace all the dots with your answer.")
