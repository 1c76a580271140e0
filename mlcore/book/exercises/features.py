"""The exercises of the chapter on features."""

from itertools import product

import numpy as np

from mlcore import separation
from mlcore.book.exercises import (
    NotYet,
    call,
    check_certificate,
    checker,
    compare,
    first,
    number,
    numbers,
    refuse,
    truth,
)
from mlcore.book.exercises.kit import Exercise, Number, Truths, exercise
from mlcore.book.exercises.words import short, tidy
from mlcore.data import breast_cancer
from mlcore.features import standardize

CORNERS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
XOR = np.array([1.0, 1.0, -1.0, -1.0])


@checker
def xor(w, b):
    w = numbers(w, (3,), "w, three numbers, for x1, x2 and x1 x2")
    b = number(b, "b, one number")
    z = XOR * (np.column_stack([CORNERS, CORNERS.prod(axis=1)]) @ w + b)
    rounding = 1e-9 * (np.abs(w).sum() + abs(b))
    place = tuple(CORNERS[z.argmin()].astype(int).tolist())
    zero = abs(z.min()) <= rounding
    least = "0. Zero does not separate." if zero else f"{tidy(z.min())}."
    refuse((z.min() <= rounding, f"At {place} the functional margin is {least} Start with "
        "b, the score of (0, 0), then choose what each coordinate alone "
        "must add."))  # fmt: skip
    return f"The four functional margins are {', '.join(map(tidy, z))}."


@checker
def no_bias(weights):
    a = numbers(weights, (4,), "four weights, one for each point")
    x, y = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([1.0, -1.0, -1.0, 1.0])
    check_certificate(a)
    one, two = (a * y) @ x, (a * y) @ x**2
    refuse(
        (abs(one) > 1e-9 * a.sum(), f"The sum of a y x is {tidy(one)}, not 0. The points "
         "lie symmetrically: what does that suggest for the weights of x and -x?"),
        (abs(two) > 1e-9 * a.sum(), "The sum of a y x is 0, but that of a y x^2 is "
         f"{tidy(two)}. How many times as large are the squares of the outer points?"),
    )  # fmt: skip
    return "Every w has margins whose sum with these weights is zero: not all are positive."


@exercise
def count():
    def other_sum(yes, no):
        return (
            f"{tidy(yes)} and {tidy(no)} make {tidy(yes + no)}. How many labelings have "
            "seven points in all?"
        )

    factor = (
        "{} is not the count: check the factor 2 in front of the sum, and the base case "
        "C(n, 1)."
    )
    return Exercise(
        "84 of 128 at seven points, half at eight, and fewer from nine on.",
        separable=Number(84, {
            44: "44 and 84: is this the count for p = 3 (how many numbers can a linear "
                "rule with a bias choose in space?), or are the two in the other order?",
            42: factor, 64: factor,
        }, "{} labelings is not right. In the recurrence each number is the sum of the "
            "one above it and the one to the left of that; the closed form has n - 1 on "
            "top in its binomials, not n."),
        not_separable=Number(44, {}, lambda no: other_sum(84, no)),
        smallest_n=Number(9,
            {8: "But at 8 points it is exactly half, and the question is for fewer than "
                "half."},
            "{} is not the smallest n with fewer than half. For which n is it exactly "
            "half?", "The counts are right. "),
    )  # fmt: skip


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
            raise NotYet(f"For d = {d} the rows have different lengths. Each of the 50 "
                f"rows needs the same {p} products.") from None  # fmt: skip
        refuse((got.ndim != 2 or got.dtype.kind not in "iuf", f"For d = {d} an array of "
            f"shape (50, {p}) is wanted."))  # fmt: skip
        said = f"For X of shape (50, {d}) it returned the shape {got.shape}, not (50, {p})"
        refuse(
            (got.shape == (p, 50), f"{said}: it is transposed; each example is a row."),
            (len(got) != 50, f"{said}: there should be one row for each example."),
            (got.shape[1] != p, f"{said}{other_columns(d, p, got.shape[1])}."),
            (
                not np.isfinite(got).all(),
                f"For d = {d} some of the numbers are not finite.",
            ),
        )
        ours, yours = (F[:, np.lexsort(F[:3])] for F in (want, got.astype(float)))  # sorted
        hint = (
            "The number of columns is right. Is each of them a product of two features? "
            "And is none of them doubled?"
        )
        compare(yours, ours, f"For d = {d} it", hint)
    return "1, 3, 6, 10, 15, 21 products of one to six features."


def other_columns(d: int, p: int, count: int) -> str:
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


@checker
def shatters(function):
    for X, want in point_sets():
        with Counted() as solved:
            got = truth(call(function, X), short(X))
        n, d = X.shape
        ask = "Are they in a special position?"
        if n > d + 1:
            ask = f"How many points of dimension {d} can be shattered?"
        refuse(
            (want and not got, f"For {short(X)} it returned False, but there is a rule "
             "for each labeling of these points. Did you leave room for the bias?"),
            (got and not want, f"For {short(X)} it returned True. Is there a labeling of "
             f"these points that no rule separates? ({ask})"),
            (solved.calls > 8, f"The answer for {n} points is right, but it took "
             f"{solved.calls} linear programs. For 30 points there would be about half a "
             "billion: use a theorem instead of trying."),
        )  # fmt: skip
    return "12 sets of points, the largest with 30 points in 40 dimensions."


def point_sets():
    """(points, whether linear rules shatter them)."""
    rng = np.random.default_rng(4)
    sets = [np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])]
    sets += [np.array([[1.0], [2.0]]), np.array([[1.0], [1.0]])]
    for d in (1, 2, 3):
        sets += [np.vstack([np.zeros(d), np.eye(d)]), rng.normal(size=(d + 2, d))]
    sets.append(rng.normal(size=(6, 6)))
    yield from ((X, separation.shatters(X)) for X in sets)
    thirty = rng.normal(size=(30, 40))
    mean = np.vstack([thirty[:-1], thirty[:4].mean(axis=0)])
    yield from ((thirty, True), (mean, False))


class Counted:
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
            middle = (low + high) // 2
            found = separation.separating_halfspace(X[:middle], y[:middle], bias=bias)
            low, high = (middle, high) if found.separable else (low, middle)
        return low

    def other(n):
        return first(
            (n != round(n) or not 1 <= n <= 569, "A whole number from 1 to 569 is wanted; "
             "this is {}."),
            (n > right, "The first {} tumors with these labels cannot be separated."),
            (True, f"The first {{}} can be separated, and so can {n + 1:.0f}: go on."),
        )  # fmt: skip

    right = lucky(bias=True)
    slips = {
        right + 1: "The first {} are the first set that fails. And before it?",
        lucky(bias=False): "{} is the answer for rules without a bias.",
        569: "All 569? Did you use the true labels, and not the coin?",
    }
    praise = f"The first {right} tumors can be separated, and 2p is 62."
    return Exercise(praise, largest_n=Number(right, slips, other))


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
