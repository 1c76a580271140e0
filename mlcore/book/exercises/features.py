"""The exercises of the chapter on features."""

from itertools import product

import numpy as np

from mlcore.book.exercises import NotYet, call, checker, number, numbers, refuse
from mlcore.book.exercises.answers import (
    check_certificate,
    compare,
    floats,
    shape_of,
    truth,
)
from mlcore.book.exercises.kit import Exercise, Number, Truths, exercise
from mlcore.book.exercises.words import short, tidy
from mlcore.data import breast_cancer
from mlcore.features import standardize
from mlcore.geometry import augment
from mlcore.separation import separating_halfspace

CORNERS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
XOR = np.array([1.0, 1.0, -1.0, -1.0])


@checker
def xor(w, b):
    w = numbers(w, (3,), "w, three numbers, for x1, x2 and x1 x2")
    b = number(b, "b, one number")
    z = XOR * (np.column_stack([CORNERS, CORNERS.prod(axis=1)]) @ w + b)
    place, least = tuple(CORNERS[z.argmin()].astype(int).tolist()), f"{tidy(z.min())}."
    least += " Zero does not separate." * (least == "0.")
    refuse((z.min() <= 1e-9, f"At {place} the functional margin is {least} Start with b, "
        "the score of (0, 0), then choose what each coordinate alone must "
        "add."))  # fmt: skip
    return f"The four functional margins are {', '.join(map(tidy, z))}."


@checker
def no_bias(weights):
    a = numbers(weights, (4,), "four weights, one for each point")
    x, y = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([1.0, -1.0, -1.0, 1.0])
    check_certificate(a)
    one, two = (a * y) @ x, (a * y) @ x**2
    refuse(
        (abs(one) > 1e-9 * a.max(), f"The sum of a y x is {tidy(one)}, not 0. The points "
         "lie symmetrically: what does that suggest for the weights of x and -x?"),
        (abs(two) > 1e-9 * a.max(), "The sum of a y x is 0, but that of a y x^2 is "
         f"{tidy(two)}. How many times as large are the squares of the outer points?"),
    )  # fmt: skip
    return "Every w has margins whose sum with these weights is zero: not all are positive."


@exercise
def count():
    factor = "{} is not the count: check the factor 2 in front of the sum, and the base "
    factor += "case C(n, 1)."

    def other_sum(no):
        return f"84 and {{}} make {tidy(84 + no)}. How many labelings are there in all?"

    return Exercise(
        "84 of 128 at seven points, half at eight, and fewer from nine on.",
        separable=Number(84, {
            44: "44 and 84: is this the count for p = 3 (how many numbers can a linear "
                "rule with a bias choose in space?), or are the two in the other order?",
            42: factor, 64: factor,
        }, "{} labelings is not right. In the recurrence each number is the sum of the "
            "one above it and the one to the left; the closed form has n - 1 on top."),
        not_separable=Number(44, {}, other_sum),
        smallest_n=Number(9, {8: "At 8 points it is exactly half, and the question is for "
            "fewer than half."}, "The counts are right. {} is not the smallest n with "
            "fewer than half. For which n is it exactly half?"),
    )  # fmt: skip


@checker
def products(function):
    rng = np.random.default_rng(3)
    for d in (2, 1, 3, 4, 5, 6):  # at d = 2 each slip has a number of columns of its own
        X, (left, right) = rng.normal(size=(50, d)), np.triu_indices(d)
        answer, p = call(function, X), len(left)
        came, why = shape_of(answer), {
            (p, 50): ": it is transposed; each example is a row",
            (50, d * d): ": every product of two different features is there twice",
            (50, p - d): ": the squares are missing",
            (50, p + d): ": the features themselves are there, too",
            (50, p + d + 1): ": the features and the constant are there, too",
        }  # fmt: skip
        refuse((came != (50, p), f"For X of shape (50, {d}) it returned the shape {came}, "
            f"not (50, {p}){why.get(came, '')}."))  # fmt: skip
        both = floats(answer), X[:, left] * X[:, right]
        compare(*(F[:, np.lexsort(F[:3])] for F in both), f"For d = {d} it", "The number "
            "is right. Is each a product of two features, and none doubled?")  # fmt: skip
    return "1, 3, 6, 10, 15, 21 products of one to six features."


@checker
def shatters(function):
    for X in point_sets():
        n, d = X.shape
        want = np.linalg.matrix_rank(augment(X)) == n
        try:
            got = truth(call(function, X), short(X))
        except NotYet as stopped:
            refuse((n == 30, f"{stopped} To try all labelings of 30 points, about a "
                "billion, would take years: use a theorem."))  # fmt: skip
            raise
        ask = "Are they in a special position?"
        if n > d + 1:
            ask = f"How many points of dimension {d} can be shattered?"
        refuse(
            (want and not got, f"For {short(X)} it returned False, but there is a rule "
             "for each labeling of these points. Did you leave room for the bias?"),
            (got and not want, f"For {short(X)} it returned True. Is there a labeling of "
             f"these points that no rule separates? ({ask})"),
        )  # fmt: skip
    return "12 sets of points, the largest with 30 points in 40 dimensions."


def point_sets():
    """Points of which linear rules shatter some, the smallest first."""
    rng = np.random.default_rng(4)
    yield from map(np.array, ([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], [[1.0], [2.0]]))
    yield np.array([[1.0], [1.0]])
    for d in (1, 2, 3):
        yield from (np.vstack([np.zeros(d), np.eye(d)]), rng.normal(size=(d + 2, d)))
    yield rng.normal(size=(6, 6))
    thirty = rng.normal(size=(30, 40))
    yield from (thirty, np.vstack([thirty[:-1], thirty[:4].mean(axis=0)]))


def counterexamples() -> dict[int, tuple]:
    """For each change of ex-stays that can fail: data before and after it."""
    y = np.array([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
    X = np.array([[0, 0], [0.9, 0], [0, 0.9], [1.1, 0], [0, 1.1], [0.55, 0.55]])
    slope = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [3.0, 1.0]])
    up = np.array([-1.0, 1.0, -1.0, 1.0])
    return {
        2: (slope, up, slope[:, :1], up, "without x2 the labels along x1 are -, +, -, +"),
        5: (X, y, X**3, y, "the cube of (0.55, 0.55) lies among cubes of the other class"),
        6: (CORNERS[:3], XOR[:3], CORNERS, XOR, "three corners of a square, and the "
            "fourth with the label that makes XOR"),
    }  # fmt: skip


@exercise
def stays():
    fails = counterexamples()
    never = "does not always keep a separation. For example: {}."
    always = (
        "always keeps a separation. Start with a rule (w, b) that separates before the "
        "change; which rule does it afterwards?"
    )
    praise = "What a rule can undo, or ignore, keeps the data separable."
    return Exercise(praise, answers=Truths(*(
        (q not in fails, never.format(fails[q][-1]) if q in fails else always)
        for q in range(1, 7)
    )))  # fmt: skip


@exercise
def memory():
    X = standardize(breast_cancer().X)
    y = np.random.default_rng(1).choice([-1.0, 1.0], len(X))

    def lucky(bias):
        """The largest n for which the first n tumors with this coin separate."""
        low, high = 1, len(X)  # a subset of a separable set is separable
        while high - low > 1:
            n = (low + high) // 2
            separable = separating_halfspace(X[:n], y[:n], bias=bias).separable
            low, high = (n, high) if separable else (low, n)
        return low

    def other(n):
        if n > right:
            return "The first {} tumors with these labels cannot be separated."
        return f"The first {{}} can be separated, and so can {n + 1:.0f}: go on."

    right = lucky(bias=True)
    slips = {
        right + 1: "The first {} are the first set that fails. And before it?",
        lucky(bias=False): "{} is the answer for rules without a bias.",
        569: "All 569? Did you use the true labels, and not the coin?",
    }
    praise = f"The first {right} tumors can be separated, and 2p is 62."
    largest = Number(right, slips, other, among=range(1, len(X) + 1))
    return Exercise(praise, largest_n=largest)


@checker
def sine(function):
    for size in (1, 2, 3, 5, 8):
        x = 0.5 ** np.arange(1, size + 1)
        for y in map(np.array, product((1.0, -1.0), repeat=size)):
            omega = number(call(function, y), "back one number, omega")
            said, sines = f"For y = {short(y)}", np.sin(omega * x)
            q = int(np.argmax(y * sines <= 1e-9))
            refuse(
                (omega <= 0, f"{said} omega is {tidy(omega)}, not positive."),
                (y[q] * sines[q] <= 1e-9, f"{said} it returned omega = {tidy(omega)}, and "
                 f"at x = 1/{2 ** (q + 1)} the sine is {tidy(sines[q])}, but the label is "
                 f"{y[q]:+.0f}. Which c decides at this point?"),
            )  # fmt: skip
    return "All labelings of 1, 2, 3, 5 and 8 points, with one number each time."
