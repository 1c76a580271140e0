"""The exercises of the chapter on least squares."""

import numpy as np

from halfspaces.exercises import WrongAnswer, call, define, fail_if, to_floats
from halfspaces.exercises import case_tools as tools
from halfspaces.exercises.answers import read_number, read_numbers
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from mlcore.data import breast_cancer
from mlcore.features import polynomial
from mlcore.geometry import augment
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.validation import k_folds


@exercise(
    x=((-1, 0, 1), (1, 2, 3), (-2, -1, 0), (-1, 0, 2), (0, 1, 3)), y=[range(-2, 7)] * 3
)
def by_hand(x=(0, 1, 2), y=(1, 2, 4)):
    x, y = np.array(x, float), np.array(y, float)
    fit = least_squares(x[:, None], y)
    errors = y - fit.decision_function(x[:, None])
    if abs(fit.w[0]) < 0.1 or np.abs(errors).max() < 0.1:
        return None

    def explain_line(line):
        e = y - (line[0] * x + line[1])
        return {"residuals": e, "sum": e.sum(), "product": e @ x}

    w, b = fit.w[0], fit.b
    return Exercise(w_and_b=Number((w, b), {(b, w): "swapped"}, explain_line, digits=4))


@exercise(
    left_side=((1, 2), (2, -1), (3, 1), (-1, 3), (2, 2)), right_side=(5, 8, 10, 16, 20, -10)
)
def shortest_of_many(left_side=(1, 3), right_side=10):
    row = np.array(left_side, float)
    solution = right_side / (row @ row) * row
    if right_side % (row @ row):
        return None

    def check_vectors(shortest, null):
        w = read_numbers(shortest, (2,), "the shortest solution, a pair of numbers")
        v = read_numbers(null, (2,), "a vector v, a pair of numbers")
        change, product, length = row @ v, w @ v, np.linalg.norm(w)
        changes_sum = not v.any() or abs(change) > 2e-4 * np.hypot(*v)
        fail_if(abs(row @ w - right_side) > 2e-4, "not_a_solution", w=w, left=row @ w)
        fail_if(changes_sum, "changes_the_sum", v=v, change=change)
        is_shortest = np.allclose(w, solution, atol=1e-4)
        fail_if(not is_shortest, "not_shortest", w=w, length=length, product=product)

    return FreeForm(check_vectors, solution, (row[1], -row[0]))


@exercise
def my_ridge():
    rng, cases = np.random.default_rng(5), []
    for n, d, penalty in [(12, 2, 1.0), (9, 3, 0.3), (4, 6, 2.0), (30, 4, 100.0)]:
        cases.append((rng.normal(size=(n, d)) + 2, rng.normal(size=n) + 5, penalty))

    def ridge_fit(X, y, penalty, bug=""):
        lambdas = {"n": len(y) * penalty, "1/n": penalty / len(y)}
        X = augment(X) if bug == "penalized bias" else X
        bias = bug not in ("no bias", "penalized bias")
        fit = ridge(X, y, lambda_=lambdas.get(bug, penalty), bias=bias)
        return (fit.w[:-1], fit.w[-1]) if bug == "penalized bias" else (fit.w, fit.b)

    def explain_b(w, b, X, y, penalty):
        w_right = np.allclose(w, ridge_fit(X, y, penalty)[0])
        fail_if(w_right, "w_right", b=b, sum=(y - X @ w - b).sum())

    return Function(ridge_fit, cases, explain=explain_b, rtol=1e-5)


@exercise(max_degree=(8, 9), error=("squared", "absolute"))
def choose_degree(max_degree=8, error="squared"):
    terms = {"squared": (np.square, "squares"), "absolute": (np.abs, "absolute values")}
    loss, noun = terms[error]

    def choose_by(error_of):
        return lambda *sample: 1 + int(mean_errors(error_of, max_degree, *sample).argmin())

    choose = choose_by(lambda residuals: loss(residuals).mean())
    choose_by_roots = choose_by(lambda residuals: np.mean(residuals**2) ** 0.5)
    choose_by_sums = choose_by(lambda residuals: loss(residuals).sum())

    def check_degrees(function):
        data, chosen = [*curves()], []
        for sample in data:
            got = read_number(call(function, *sample), "one degree")
            fail_if(got == 0, "index", got=got)
            fail_if(got not in range(1, max_degree + 1), "not_a_degree", got=got)
            chosen.append(int(got))
        wrong = [q for q, sample in enumerate(data) if chosen[q] != choose(*sample)]
        if wrong:
            fail_if(chosen == [choose_by_roots(*sample) for sample in data], "roots")
            by_sums = chosen == [choose_by_sums(*sample) for sample in data]
            fail_if(by_sums, "sums", noun=noun)
            q = wrong[0]
            errors = mean_errors(lambda r: loss(r).mean(), max_degree, *data[q])
            raise WrongAnswer(
                "larger_error", place=q + 1, degree=chosen[q], error=errors[chosen[q] - 1],
                smallest=errors.min(), noun=noun,
            )  # fmt: skip

    return FreeForm(check_degrees, choose)


def curves():
    """Yield eight tuples (x, y, splits); the last has test sets of 4, 10, 26 examples."""
    fold_rng = np.random.default_rng(6)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        a, x = rng.normal(size=seed % 4 + 2), rng.uniform(-1, 1, 40)
        k = {2: 1, 4: 8, 5: 9}.get(seed)  # the degree of a Chebyshev polynomial
        y = np.cos(k * np.arccos(x)) if k else np.polyval(a, x)
        y += 0.1 * rng.standard_t(2, 40)
        tests = np.split(np.random.default_rng(0).permutation(40), [4, 14])
        uneven = [(np.setdiff1d(np.arange(40), test), test) for test in tests]
        even = k_folds(y, folds=5, stratified=False, rng=fold_rng)
        yield x, y, uneven if seed == 7 else even


def mean_errors(error_of, max_degree, x, y, splits):
    """Return the mean over the splits of error_of(test residuals), for each degree."""
    F, table = polynomial(x[:, None], degree=max_degree), np.zeros(max_degree)
    for degree in range(1, max_degree + 1):
        for train, test in splits:
            fit = least_squares(F[train, :degree], y[train])
            residuals = y[test] - fit.decision_function(F[test, :degree])
            table[degree - 1] += error_of(residuals) / len(splits)
    return table


@exercise
def how_far():
    def position(x, y, t):
        n, P, Q = len(x), x @ y, x @ x
        return (Q + (n + 1) * P * t) / (P - n * t) if n * t < P else 0.0

    def explain_position(D, x, y, t):
        n, P, Q, want = len(x), x @ y, x @ x, position(x, y, t)
        threshold = (P * D - Q) / ((n + 1) * P + n * D)
        fail_if(want == 0, "no_position", D=D)
        fail_if(D == 0, "position_exists", D=D)
        fail_if(D < 0, "negative", D=D)
        fail_if(not np.isclose(D, want, rtol=1e-4), "elsewhere", D=D, threshold=threshold)

    ten, rng = np.linspace(1, 2, 10), np.random.default_rng(8)
    cases = [(np.r_[ten, -ten], np.repeat([1.0, -1.0], 10), 1.0)]
    for n, fraction in [(6, 0.0), (10, 0.3), (8, 0.9), (20, 0.6), (6, 1.1), (8, 1.4)]:
        y = np.tile([1.0, -1.0], n // 2)
        x = 1.5 * y + rng.normal(0, 0.5, n)
        x -= x.mean()
        cases.append((x, y, fraction * np.mean(x * y)))
    cases += [(np.array([1.0, 3, -1, -3]), np.array([1.0, 1, -1, -1]), 2.0)]

    def if_none(*case):
        return "" if position(*case) else "none"

    return Function(position, cases, explain=explain_position, rtol=1e-6, if_none=if_none)


same_scores = define.true_false("least_squares", "same_scores")


@exercise(column=range(20))
def pulls_hardest(column=20):
    x, y = breast_cancer().X[:, [column]], breast_cancer().y
    full = least_squares(x, y)

    def shift(q):
        """Return the change of the threshold without tumor q."""
        fit = least_squares(np.delete(x, q, axis=0), np.delete(y, q))
        return full.b / full.w[0] - fit.b / fit.w[0]

    def explain_index(q):
        return {"shift": shift(int(q))}

    shifts = np.abs([shift(q) for q in range(len(y))])
    largest, (second, first) = int(np.argmax(shifts)), np.sort(shifts)[-2:]
    if second > 0.99 * first:
        return None
    score = full.decision_function(x)[largest]
    residuals = {y[largest] - score: "residual", score - y[largest]: "residual"}
    return Exercise(
        {"largest": largest},
        index=Number(largest, {}, explain_index, allowed=range(len(y))),
        score=Number(score, residuals, digits=2),
    )


LIFTS = {  # centers of the classes: the fewest powers of x that suffice
    (-4, -2, 0, 2, 4): (1, 4), (-3, -1, 1, 3, 5): (1, 2, 3), (-2, 0, 2, 4, 6): (1, 2, 3),
    (0, 2, 4, 6, 8): (1, 2, 3), (0, 2, 4, 6): (1, 2), (-5, -3, -1, 1, 3, 5): (3, 6),
}  # fmt: skip


@exercise(at=tuple(LIFTS))
def lift(at):
    def check_features(function):
        x = (np.array(at)[:, None] + np.linspace(-0.45, 0.45, 21)).ravel()
        n, features = len(x), to_floats(call(function, x))
        shape, classes = features.shape, np.repeat(np.arange(len(at)), 21)
        fits = len(shape) == 2 and shape[0] == n and 1 <= shape[1] <= 4
        fail_if(not fits and shape[1:] == x.shape, "transposed", n=n, shape=shape)
        fail_if(not fits, "wrong_shape", n=n, shape=shape)
        powers = (x / x[0]) ** np.arange(17)[:, None]
        for column in features.T:
            atol = 1e-9 * np.abs(column).max()
            equal = [np.allclose(column, column[0] * power, atol=atol) for power in powers]
            fail_if(equal[0], "constant")
            fail_if(not any(equal), "not_a_power")
        wrong = indicator_regression(features, classes).predict(features) != classes
        ways = ["add", "add or exchange", "add, exchange, or leave out"]
        way = [*ways, "exchange or leave out"][shape[1] - 1]  # with 1, 2, 3, 4 features
        places = ", ".join(f"{at[q]:g}" for q in np.unique(classes[wrong]))
        fail_if(wrong.any(), "mistakes", count=wrong.sum(), n=n, places=places, way=way)
        fail_if(shape[1] > len(LIFTS[at]), "too_many", n=n, count=shape[1])
        return {"n": n, "count": shape[1]}

    return FreeForm(check_features, lambda x: x[:, None] ** LIFTS[at])


@case
def far(source=0):
    rng = np.random.default_rng([4, source])
    names = ["weight at birth (kg)", "length at birth (cm)", "week of birth (weeks)"]
    names += [f"blood value {k} (mmol/l)" for k in range(1, 5)]
    center, spread = np.array([[3.4, 51, 39.5, 4, 5, 6, 7], [0.5, 2.4, 1.5, 1, 1, 1, 1]])
    w = np.hstack([1.0, 0.6 * tools.draw_direction(rng, 6)])
    w /= np.linalg.norm(w)

    def draw(rng, trap):
        half, parts = tools.draw_distance(rng) / 2, []
        for n in (300, tools.N_TEST):
            y = tools.draw_labels(rng, n)
            Z = rng.normal(size=(n, 7)) + np.outer(y, half * w)
            parts += [center + spread * Z, y]
        if trap:
            typed_in_grams = rng.choice(300, size=6, replace=False)
            parts[0][typed_in_grams, 0] *= 1000
        return parts

    def decide(X, y, names, route=""):
        def repair(X):
            X = X.copy()
            grams = X[:, 0] > 100
            X[grams, 0] /= 1000
            return X if route != "without the weight" else X[:, 1:]

        def fit(X, y):
            if route == "all rows":
                return tools.fit_rule(X, y)
            if route == "nearest":
                return tools.fit_rule(repair(X), y, route)
            predict = tools.fit_rule(repair(X), y)
            return lambda Q: predict(repair(Q))

        return tools.decide_and_claim(fit, X, y, route)

    routes = {"all rows": "decision", "without the weight": "advice_costly"}
    routes |= {"nearest": "advice_costly"}
    return Case(draw, names, decide, routes, max_regret=0.02, max_width=0.2, seed=source)
