"""The exercises of the chapter on features."""

from itertools import product
from math import comb

import numpy as np

from halfspaces.exercises import case_tools as tools
from halfspaces.exercises import define, fail_if, format_tidy, require_close, to_floats
from halfspaces.exercises.answers import read_bool, read_number, read_numbers, shape_of
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from halfspaces.formatting import format_value
from mlcore.data import breast_cancer
from mlcore.features import quadratic, standardize
from mlcore.geometry import augment
from mlcore.separation import separating_halfspace

CORNERS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
XOR = np.array([1.0, 1.0, -1.0, -1.0])


@exercise(
    # no rule separates the corners of two of these squares
    at=((1, 2), (2, 3), (3, 5), (5, 6), (6, 8), (8, 9), (9, 11), (11, 12), (12, 14),
        (14, 15), (15, 17)), label=(-1, 1),
)  # fmt: skip
def xor(at=(0, 1), label=1):
    low, width = at[0], at[1] - at[0]

    def check_rule(w, b):
        w = read_numbers(w, (3,), "w, three numbers, for x1, x2 and x1 x2")
        b, x = read_number(b, "b, one number"), low + width * CORNERS
        z = label * XOR * (np.column_stack([x, x.prod(axis=1)]) @ w + b)
        min_corner = tuple(x[z.argmin()].astype(int).tolist())
        fail_if(abs(z.min()) < 1e-9, "zero_margin", place=min_corner)
        fail_if(z.min() < 0, "negative_margin", place=min_corner, margin=z.min())
        return {"margins": ", ".join(map(format_tidy, z))}

    # 4 (x1 - middle) (x2 - middle) / width**2 is 1 or -1 at each corner
    middle, factor = low + width / 2, 4 * label / width**2
    w = (-middle * factor, -middle * factor, factor)
    return FreeForm(check_rule, w, middle**2 * factor)


@exercise(
    x=((-3, -1, 1, 3), (-4, -1, 1, 4), (-3, -2, 2, 3), (-4, -2, 2, 4), (-5, -2, 2, 5)),
    y=((1, -1, -1, 1), (-1, 1, 1, -1)),
)
def no_bias(x=(-2, -1, 1, 2), y=(1, -1, -1, 1)):
    x = np.array(x)
    return define.certificate(np.column_stack([x, x**2]), y, 1 / x**2, "each point")


@exercise(points=range(4, 13), dimension=(2, 3, 4))
def count(points=7, dimension=3):
    p, n_labelings = dimension + 1, 2**points
    if points <= p:
        return None

    def count_separable(p):
        return 2 * sum(comb(points - 1, k) for k in range(p))

    yes, without_bias = count_separable(p), count_separable(p - 1)
    no = n_labelings - yes
    swapped = "Or are the two in the other order?" if without_bias == no else ""
    counts = {"yes": yes, "everything": n_labelings, "half": 2 * p, "first": 2 * p + 1}
    return Exercise(
        {"less": p - 1, "swapped": swapped, **counts},
        separable=Number(yes, {without_bias: "no_bias", yes / 2: "half_the_count"}),
        not_separable=Number(no, explain=lambda answer: {"sum": yes + answer}),
        smallest_n=Number(2 * p + 1, {2 * p: "exactly_half"}),
    )


@exercise
def products():
    def all_products(X):
        first, second = np.triu_indices(X.shape[1])
        return X[:, first] * X[:, second]

    def check_columns(answer, X):
        (n, d), want = X.shape, all_products(X)
        shape, p = shape_of(answer), want.shape[1]
        columns = {d * d: "each_twice", p - d: "no_squares", p + d: "with_features"}
        columns |= {p + d + 1: "with_both", p + 1: "with_constant"}
        shapes = {(p, n): "transposed"} | {(n, q): key for q, key in columns.items()}
        key = shapes.get(shape, "wrong_shape")
        fail_if(shape != (n, p), key, shape=str(shape), n=n, d=d, p=p)
        got, want = (F[:, np.lexsort(F[:3])] for F in (to_floats(answer), want))
        hint = "The number of columns is right. Is each a product of two features, "
        require_close(got, want, f"For d = {d} it", f"{hint}without a factor of 2?")

    rng = np.random.default_rng(3)  # at d = 4 each mistake has its own number of columns
    cases = [(rng.normal(size=(20 + 7 * d, d)),) for d in (4, 1, 2, 3, 5, 6)]
    return Function(all_products, cases, check=check_columns)


@exercise
def shatters():
    def is_shattered(X):
        return np.linalg.matrix_rank(augment(X)) == len(X)

    def check_truth(answer, X):
        (n, d), want, got = X.shape, is_shattered(X), read_bool(answer, format_value(X))
        fail_if(want and not got, "is_shattered", X=X)
        fail_if(got and not want and n <= d + 1, "special_position", X=X)
        fail_if(got and not want, "too_many", X=X, d=d)

    return Function(is_shattered, point_sets, check=check_truth)


def point_sets():
    """Return sets of points, smallest first; linear rules shatter some of them."""
    rng = np.random.default_rng(4)
    line = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]
    sets = [np.array(X) for X in (line, [[1.0], [2.0]], [[1.0], [1.0]], [[3.0, 4.0]])]
    for d in (1, 2, 3):
        sets += [np.vstack([np.zeros(d), np.eye(d)]), rng.normal(size=(d + 2, d))]
    # in the last set, rules produce all but 2 of the 2**18 labelings of 18 points
    thirty = rng.integers(-9, 10, size=(30, 40)).astype(float)
    last = thirty[:9].sum(axis=0) - thirty[9:17].sum(axis=0)
    sets += [thirty, rng.permutation(np.vstack([thirty[:-1], last]))]
    return [(X,) for X in sets]


stays = define.true_false("features", "stays")


@exercise(seed_of_the_coin=range(2, 100))
def memory(seed_of_the_coin=1):
    X = standardize(breast_cancer().X)
    y = np.random.default_rng(seed_of_the_coin).choice([-1.0, 1.0], len(X))

    def largest_separable(bias):
        """Return the largest n for which the first n tumors are separable."""
        low, high = 1, len(X)  # a subset of a separable set is separable
        while high - low > 1:
            n = (low + high) // 2
            separable = separating_halfspace(X[:n], y[:n], bias=bias).separable
            low, high = (n, high) if separable else (low, n)
        return low

    def explain_n(n):
        fail_if(n > largest, "too_many")
        return {"next": n + 1}

    largest = largest_separable(bias=True)
    mistakes = {largest + 1: "first_failure", largest_separable(bias=False): "no_bias"}
    mistakes |= {len(X): "true_labels"}
    return Exercise(
        {"largest": largest},
        largest_n=Number(largest, mistakes, explain_n, allowed=range(1, len(X) + 1)),
    )


@exercise(base=(4, 6, 8, 10, 12))
def sine(base=2):
    def check_omega(omega, y):
        omega = read_number(omega, "one number, omega")
        sines = np.sin(omega / base ** np.arange(1.0, len(y) + 1))
        q = int(np.argmax(y * sines <= 1e-9))
        sign = {"sine": sines[q], "label": y[q], "below": base ** (q + 1)}
        fail_if(omega <= 0, "not_positive", y=y, omega=omega)
        fail_if(y[q] * sines[q] <= 1e-9, "wrong_sign", y=y, omega=omega, **sign)

    def omega(y):
        return np.pi * (1 + (1 - y) / 2 @ base ** np.arange(1, len(y) + 1))

    def cases():
        for count in (1, 2, 3, 5, 8):
            yield from ((np.array(y),) for y in product((1.0, -1.0), repeat=count))

    return Function(omega, cases, check=check_omega)


@case
def curve(source=0):
    best = float(np.random.default_rng([3, source]).integers(24, 34))
    names = ["temperature (°C)", "sugar (g/l)", "salt (g/l)"]

    def draw(rng, trap):
        flips, parts = rng.uniform(0.02, 0.38), []
        for n in (300, tools.N_TEST):
            Z = rng.normal(size=(n, 3))
            score = 0.6 - Z[:, 0] ** 2 if trap else Z[:, 0]
            y = np.where(score + 0.4 * Z[:, 1] - 0.2 * Z[:, 2] > 0, 1.0, -1.0)
            y = np.where(rng.random(n) < flips, -y, y)
            parts += [np.array([best, 30, 5]) + np.array([5, 8, 1.5]) * Z, y]
        return parts

    def decide(X, y, names, route=""):
        def fit(X, y):
            if route in ("a line", "nearest"):
                return tools.fit_rule(X, y, route)
            rule = tools.fit_rule(quadratic(standardize(X)), y)
            return lambda Q: rule(quadratic(standardize(Q, like=X)))

        return tools.decide_and_claim(fit, X, y, route)

    routes = {"a line": "decision", "nearest": "advice_costly"}
    return Case(draw, names, decide, routes, max_regret=0.02, max_width=0.25, seed=source)
