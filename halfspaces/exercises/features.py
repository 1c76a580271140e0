"""The exercises of the chapter on features."""

from itertools import product
from math import comb

import numpy as np

from halfspaces.exercises import Said, kinds, kit, number, numbers, refuse
from halfspaces.exercises.answers import compare, floats, shape_of, truth
from halfspaces.exercises.kit import Exercise, Function, Number, Open, exercise
from halfspaces.formatting import format_number, format_value
from mlcore.data import breast_cancer
from mlcore.features import standardize
from mlcore.geometry import augment
from mlcore.separation import separating_halfspace

CORNERS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
XOR = np.array([1.0, 1.0, -1.0, -1.0])


@exercise(corner=(2, 3, 4), label=(-1, 1))
def xor(corner=1, label=1):
    def judge(w, b):
        w = numbers(w, (3,), "w, three numbers, for x1, x2 and x1 x2")
        b, x = number(b, "b, one number"), corner * CORNERS
        z = label * XOR * (np.column_stack([x, x.prod(axis=1)]) @ w + b)
        place, least = tuple(x[z.argmin()].astype(int).tolist()), z.min()
        refuse((abs(least) < 1e-9, "zero"), (least <= 1e-9, "negative"), **locals())
        return Said("praise", margins=", ".join(format_number(part, "tidy") for part in z))

    w = (-2 * label / corner, -2 * label / corner, 4 * label / corner**2)
    return Open(judge, w, label)


@exercise(
    x=((-3, -1, 1, 3), (-4, -1, 1, 4), (-3, -2, 2, 3), (-4, -2, 2, 4), (-5, -2, 2, 5)),
    y=((1, -1, -1, 1), (-1, 1, 1, -1)),
)
def no_bias(x=(-2, -1, 1, 2), y=(1, -1, -1, 1)):
    x = np.array(x)
    return kinds.certificate(np.column_stack([x, x**2]), y, 1 / x**2, "each point")


@exercise(points=range(4, 10), dimension=(2, 3, 4))
def count(points=7, dimension=3):
    p, everything = dimension + 1, 2**points
    if points <= p:
        return None

    def separable(p):
        return 2 * sum(comb(points - 1, k) for k in range(p))

    yes, half, less, right = separable(p), 2 * p, p - 1, 2 * p + 1
    swapped = separable(less) == everything - yes
    swapped = "Or are the two in the other order?" if swapped else ""
    return Exercise(
        Said("praise", **locals()),
        separable=Number(yes, {separable(less): "no_bias", yes / 2: "half"}),
        not_separable=Number(everything - yes, {}, lambda no: Said("hint", sum=yes + no)),
        smallest_n=Number(right, {half: "half"}),
    )


@exercise
def products():
    def right(X):
        left, right = np.triu_indices(X.shape[1])
        return X[:, left] * X[:, right]

    def judge(answer, X):
        (n, d), want = X.shape, right(X)
        came, p = shape_of(answer), want.shape[1]
        columns = {d * d: "twice", p - d: "no_squares", p + d: "features"}
        columns |= {p + d + 1: "both", p + 1: "constant"}
        shapes = {(p, n): "turned"} | {(n, q): name for q, name in columns.items()}
        refuse((came != (n, p), shapes.get(came, "shape")), came=str(came), n=n, d=d, p=p)
        both = floats(answer), want
        compare(*(F[:, np.lexsort(F[:3])] for F in both), f"For d = {d} it", "The number "
            "is right. Is each a product of two features, and none doubled?"
        )  # fmt: skip

    rng = np.random.default_rng(3)  # at d = 4 each slip has its own number of columns
    cases = [(rng.normal(size=(20 + 7 * d, d)),) for d in (4, 1, 2, 3, 5, 6)]
    return Function(right, cases, judge=judge)


@exercise
def shatters():
    def right(X):
        return np.linalg.matrix_rank(augment(X)) == len(X)

    def judge(answer, X):
        (n, d), want, got = X.shape, right(X), truth(answer, format_value(X))
        refuse(
            (want and not got, "shattered"),
            (got and not want and n <= d + 1, "special"),
            (got and not want, "many"),
            **locals(),
        )

    return Function(right, point_sets, judge=judge)


def point_sets():
    """Points of which linear rules shatter some, the smallest first."""
    rng = np.random.default_rng(4)
    line = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]
    sets = [np.array(X) for X in (line, [[1.0], [2.0]], [[1.0], [1.0]], [[3.0, 4.0]])]
    for d in (1, 2, 3):
        sets += [np.vstack([np.zeros(d), np.eye(d)]), rng.normal(size=(d + 2, d))]
    # in the last set 2 of 2**16 labelings of sixteen points are not possible
    thirty = rng.normal(size=(30, 40))
    sets += [thirty, np.vstack([thirty[:-1], thirty[:15].mean(axis=0)])]
    return [(X,) for X in sets]


stays = kit.truths("features", "stays")


@exercise(seed_of_the_coin=range(2, 100))
def memory(seed_of_the_coin=1):
    X = standardize(breast_cancer().X)
    y = np.random.default_rng(seed_of_the_coin).choice([-1.0, 1.0], len(X))

    def lucky(bias):
        """The largest n for which the first n tumors with this coin separate."""
        low, high = 1, len(X)  # a subset of a separable set is separable
        while high - low > 1:
            n = (low + high) // 2
            separable = separating_halfspace(X[:n], y[:n], bias=bias).separable
            low, high = (n, high) if separable else (low, n)
        return low

    def other(n):
        return Said("too_many" if n > right else "hint", next=n + 1)

    right = lucky(bias=True)
    slips = {right + 1: "fails", lucky(bias=False): "no_bias", len(X): "true_labels"}
    largest = Number(right, slips, other, among=range(1, len(X) + 1))
    return Exercise(Said("praise", right=right), largest_n=largest)


@exercise(base=(4, 6, 8, 10, 12))
def sine(base=2):
    def judge(omega, y):
        omega = number(omega, "back one number, omega")
        sines = np.sin(omega / base ** np.arange(1.0, len(y) + 1))
        q = int(np.argmax(y * sines <= 1e-9))
        sine, label, below = sines[q], y[q], base ** (q + 1)
        refuse((omega <= 0, "not_positive"), (label * sine <= 1e-9, "label"), **locals())

    def omega(y):
        return np.pi * (1 + (1 - y) / 2 @ base ** np.arange(1, len(y) + 1))

    def cases():
        for count in (1, 2, 3, 5, 8):
            yield from ((np.array(y),) for y in product((1.0, -1.0), repeat=count))

    return Function(omega, cases, judge=judge)
