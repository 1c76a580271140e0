"""The exercises of the chapter on features."""

from itertools import product
from math import comb

import numpy as np

from mlcore.book.exercises import kinds, kit, number, numbers, refuse
from mlcore.book.exercises.answers import compare, floats, shape_of, truth
from mlcore.book.exercises.kit import Exercise, Function, Number, Open, exercise
from mlcore.book.exercises.words import short, tidy
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
        place, least = tuple(x[z.argmin()].astype(int).tolist()), tidy(z.min())
        least += ". Zero does not separate." if least == "0" else "."
        refuse((z.min() <= 1e-9, f"At {place} the functional margin is {least} Start with "
            "b, the score of (0, 0), then choose what each coordinate alone must "
            "add."))  # fmt: skip
        return f"The four functional margins are {', '.join(map(tidy, z))}."

    w = (-2 * label / corner, -2 * label / corner, 4 * label / corner**2)
    return Open(judge, w, label, slips={(w, -label): "the functional margin is -1."})


@exercise(
    x=((-3, -1, 1, 3), (-4, -1, 1, 4), (-3, -2, 2, 3), (-4, -2, 2, 4), (-5, -2, 2, 5)),
    y=((1, -1, -1, 1), (-1, 1, 1, -1)),
)
def no_bias(x=(-2, -1, 1, 2), y=(1, -1, -1, 1)):
    x = np.array(x)
    return kinds.certificate(
        np.column_stack([x, x**2]), y, 1 / x**2, "each point", "The sum of a y x is {}, "
        "not 0. The points lie symmetrically: what does that suggest for the weights of x "
        "and -x?", "The sum of a y x is 0, but that of a y x^2 is {}. How many times as "
        "large are the squares of the outer points?",
    )  # fmt: skip


@exercise(points=range(4, 10), dimension=(2, 3, 4))
def count(points=7, dimension=3):
    p, everything = dimension + 1, 2**points
    if points <= p:
        return None

    def separable(p):
        return 2 * sum(comb(points - 1, k) for k in range(p))

    def other_sum(no):
        return f"{yes} and {{}} make {tidy(yes + no)}. How many labelings are there in all?"

    yes = separable(p)
    swapped = separable(p - 1) == everything - yes
    swapped = "Or are the two in the other order?" if swapped else ""
    return Exercise(
        f"{yes} of {everything} at {points} points, half at {2 * p}, and fewer from "
        f"{2 * p + 1} on.",
        separable=Number(yes, {
            separable(p - 1): f"{{}} is the count for p = {p - 1}: how many numbers can a "
                f"linear rule with a bias choose in {dimension} dimensions? {swapped}",
            yes / 2: "half",
        }),
        not_separable=Number(everything - yes, {}, other_sum),
        smallest_n=Number(2 * p + 1, {2 * p: "half"}),
    )  # fmt: skip


@exercise
def products():
    def right(X):
        left, right = np.triu_indices(X.shape[1])
        return X[:, left] * X[:, right]

    def judge(answer, X):
        (n, d), want = X.shape, right(X)
        came, p = shape_of(answer), want.shape[1]
        why = {
            (p, n): ": it is transposed; each example is a row",
            (n, d * d): ": every product of two different features is there twice",
            (n, p - d): ": the squares are missing",
            (n, p + d): ": the features themselves are there, too",
            (n, p + d + 1): ": the features and the constant are there, too",
            (n, p + 1): ": a constant is there, too",
        }
        refuse((came != (n, p), f"For X of shape ({n}, {d}) it returned the shape {came}, "
            f"not ({n}, {p}){why.get(came, '')}."))  # fmt: skip
        both = floats(answer), want
        compare(*(F[:, np.lexsort(F[:3])] for F in both), f"For d = {d} it", "The number "
            "is right. Is each a product of two features, and none doubled?"
        )  # fmt: skip

    rng = np.random.default_rng(3)  # at d = 4 each slip has its own number of columns
    cases = [(rng.normal(size=(20 + 7 * d, d)),) for d in (4, 1, 2, 3, 5, 6)]
    return Function(right, cases, {
        lambda X: right(X).T: "it is transposed", lambda X: 2 * right(X): "none doubled?",
        lambda X: np.hstack([X, right(X)]): "the features themselves",
    }, judge=judge)  # fmt: skip


@exercise
def shatters():
    def right(X):
        return np.linalg.matrix_rank(augment(X)) == len(X)

    def judge(answer, X):
        (n, d), want, got = X.shape, right(X), truth(answer, short(X))
        few, ask = n <= d + 1, f"How many points of dimension {d} can be shattered?"
        ask = "Are they in a special position?" if few else ask
        refuse(
            (want and not got, f"For {short(X)} it returned False, but there is a rule for "
             "each labeling of these points. Did you leave room for the bias?"),
            (got and not want, f"For {short(X)} it returned True. Is there a labeling of "
             f"these points that no rule separates? ({ask})"),
        )  # fmt: skip

    return Function(right, point_sets, {
        lambda X: len(X) <= X.shape[1] + 1: "Are they in a special position?",
        lambda X: np.linalg.matrix_rank(X) == len(X): "Did you leave room for the bias?",
        lambda X: right(X) or len(X) > 3: "of dimension 2 can be shattered?",
    }, judge=judge)  # fmt: skip


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
        if n > right:
            return "The first {} tumors with these labels cannot be separated."
        return f"The first {{}} can be separated, and so can {n + 1:.0f}: go on."

    right = lucky(bias=True)
    slips = {right + 1: "fails", lucky(bias=False): "no_bias", len(X): "true_labels"}
    praise = f"The first {right} tumors can be separated, and 2p is 62."
    largest = Number(right, slips, other, among=range(1, len(X) + 1))
    return Exercise(praise, largest_n=largest)


@exercise(base=(4, 6, 8, 10, 12))
def sine(base=2):
    def judge(omega, y):
        omega, said = number(omega, "back one number, omega"), f"For y = {short(y)}"
        sines = np.sin(omega / base ** np.arange(1.0, len(y) + 1))
        q = int(np.argmax(y * sines <= 1e-9))
        refuse(
            (omega <= 0, f"{said} omega is {tidy(omega)}, not positive."),
            (y[q] * sines[q] <= 1e-9, f"{said} it returned omega = {tidy(omega)}, and at "
             f"x = 1/{base ** (q + 1)} the sine is {tidy(sines[q])}, but the label is "
             f"{y[q]:+.0f}. Which c decides at this point?"),
        )  # fmt: skip

    def omega(y, shift=1, sign=1):
        return np.pi * (1 + (1 - sign * y) / 2 @ base ** np.arange(shift, len(y) + shift))

    def cases():
        for count in (1, 2, 3, 5, 8):
            yield from ((np.array(y),) for y in product((1.0, -1.0), repeat=count))

    return Function(omega, cases, {
        lambda y: omega(y, sign=-1): "but the label is +1", lambda y: -omega(y): "positive",
        lambda y: omega(y, shift=0): "Which c decides",
    }, judge=judge)  # fmt: skip
