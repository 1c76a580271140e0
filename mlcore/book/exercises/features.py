"""Checkers for the exercises of the chapter on features."""

from functools import cache

import numpy as np

from mlcore import separation
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
from mlcore.data import breast_cancer
from mlcore.features import standardize

CORNERS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
XOR = np.array([1.0, 1.0, -1.0, -1.0])


@checker
def xor(w, b):
    w = numbers(w, (3,), "w, three numbers, for x1, x2 and x1 x2")
    b = numbers(b, (), "b, one number")
    z = XOR * (np.column_stack([CORNERS, CORNERS.prod(axis=1)]) @ w + b)
    rounding = 1e-9 * (np.abs(w).sum() + abs(b))
    if z.min() <= rounding:
        place = tuple(CORNERS[z.argmin()].astype(int).tolist())
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
    if a.min() < 0 or not a.any():
        raise NotYet(
            f"Your weights are {short(a)}. None may be negative, and not all may be zero: "
            "otherwise the sum of weighted margins proves nothing."
        )
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
    got = [numbers(part, (), what) for part in (separable, not_separable, smallest_n)]
    yes, no, least = (float(part) for part in got)
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
            raise NotYet(f"{said}{_columns(d, p, got.shape[1])}.")
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


def _columns(d: int, p: int, count: int) -> str:
    """Why there may be `count` columns instead of p."""
    if d == 1:
        return ": with one feature there is one product, its square"
    reasons = (
        (d * d, "every product of two different features is there twice"),
        (p - d, "the squares are missing"),
        (p + d, "the features themselves are there, too; only products are wanted"),
        (p + d + 1, "the features and the constant are there, too"),
    )
    fitting = [reason for columns, reason in reasons if columns == count]
    return ": " + ", or ".join(fitting) if fitting else ""


class _Counted:
    """Counts how often the solvers behind the separation functions are called."""

    names = ("highest_least", "widest_margin")

    def __enter__(self):
        self.calls = 0
        self.solvers = {name: getattr(separation, name) for name in self.names}
        for name, solver in self.solvers.items():
            setattr(separation, name, self._counting(solver))
        return self

    def _counting(self, solver):
        def counted(*args):
            self.calls += 1
            return solver(*args)

        return counted

    def __exit__(self, *error):
        for name, solver in self.solvers.items():
            setattr(separation, name, solver)


@checker
def shatters(function):
    rng = np.random.default_rng(4)
    line = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    cases = [line, np.array([[1.0], [2.0]]), np.array([[1.0], [1.0]])]
    for d in (1, 2, 3):
        cases += [np.vstack([np.zeros(d), np.eye(d)]), rng.normal(size=(d + 2, d))]
    six, thirty = rng.normal(size=(6, 6)), rng.normal(size=(30, 40))
    mean = np.vstack([thirty[:-1], thirty[:4].mean(axis=0)])
    for X in [*cases, six, thirty, mean]:
        want = X is not mean if len(X) > 6 else separation.shatters(X)
        with _Counted() as solved:
            got = call(function, X)
        if not isinstance(got, (bool, np.bool_)):
            raise NotYet(f"Return True or False; for {short(X)} it returned {short(got)}.")
        if got != want and want:
            raise NotYet(
                f"For {short(X)} it returned False, but there is a rule for each labeling "
                "of these points. Did you leave room for the bias?"
            )
        if got != want:
            many = len(X) > X.shape[1] + 1
            raise NotYet(
                f"For {short(X)} it returned True. Is there a labeling of these points "
                "that no rule separates? "
                + (
                    f"(How many points of dimension {X.shape[1]} can be shattered?)"
                    if many
                    else "(Are they in a special position?)"
                )
            )
        if solved.calls > 8:
            raise NotYet(
                f"The answer for {len(X)} points is right, but it took {solved.calls} "
                "linear programs. For 30 points there would be about half a billion: use "
                "a theorem instead of trying."
            )
    return f"{len(cases) + 3} sets of points, the largest with 30 points in 40 dimensions."


def _counterexamples() -> dict[int, tuple]:
    """For each change of ex-stays that can fail: data before and after it."""
    y = np.array([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
    X = np.array([[0, 0], [0.9, 0], [0, 0.9], [1.1, 0], [0, 1.1], [0.55, 0.55]])
    slope = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [3.0, 1.0]])
    up = np.array([-1.0, 1.0, -1.0, 1.0])
    return {
        1: (slope, up, slope[:, :1], up, "without x2 the labels along x1 are -, +, -, +"),
        4: (X, y, X**3, y, "the cube of (0.55, 0.55) lies among cubes of the other class"),
        5: (CORNERS[:3], XOR[:3], CORNERS, XOR, "three corners of a square, and the fourth "
            "with the label that makes XOR"),
    }  # fmt: skip


@checker
def stays(answers):
    answers = truths(answers, 6)
    fails = _counterexamples()
    for q, value in enumerate(answers):
        if value and q in fails:
            raise NotYet(
                f"Number {q + 1} does not always keep a separation. For example: "
                f"{fails[q][-1]}."
            )
    for q, value in enumerate(answers):
        if not value and q not in fails:
            raise NotYet(
                f"Number {q + 1} always keeps a separation. Start with a rule (w, b) that "
                "separates before the change; which rule does it afterwards?"
            )
    return "What a rule can undo, or ignore, keeps the data separable."


@cache
def _lucky(*, bias: bool) -> int:
    """The largest n for which the first n tumors with the coin of ex-memory separate."""
    X = standardize(breast_cancer().X)
    y = np.random.default_rng(1).choice([-1.0, 1.0], len(X))
    low, high = 1, len(X)  # a subset of a separable set is separable
    while high - low > 1:
        middle = (low + high) // 2
        found = separation.separating_halfspace(X[:middle], y[:middle], bias=bias)
        low, high = (middle, high) if found.separable else (low, middle)
    return low


@checker
def memory(longest_luck):
    n = float(numbers(longest_luck, (), "the largest n, one whole number"))
    right = _lucky(bias=True)
    if n == right:
        return f"The first {right} tumors can be separated, and 2p is 62."
    if n == right + 1:
        raise NotYet(f"The first {right + 1} are the first set that fails. And before it?")
    if n == _lucky(bias=False):
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
    from itertools import product

    for size in (1, 2, 3, 5, 8):
        x = 0.5 ** np.arange(1, size + 1)
        for labels in product((1.0, -1.0), repeat=size):
            y = np.array(labels)
            omega = float(numbers(call(function, y), (), "back one number, omega"))
            if omega <= 0:
                raise NotYet(f"For y = {short(y)} omega is {tidy(omega)}, not positive.")
            z = y * np.sin(omega * x)
            if (z <= 1e-9).any():
                q = int(np.argmax(z <= 1e-9))
                raise NotYet(
                    f"For y = {short(y)} it returned omega = {tidy(omega)}, and at x = "
                    f"1/{2 ** (q + 1)} the sine is {tidy(np.sin(omega * x[q]))}, but the "
                    f"label is {y[q]:+.0f}. Which c decides at this point?"
                )
    return "All labelings of 1, 2, 3, 5 and 8 points, with one number each time."
