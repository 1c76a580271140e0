"""The exercises of the chapter on boosting."""

from itertools import product

import numpy as np

from halfspaces.exercises import WrongAnswer, define, fail_if, format_tidy, read_numbers
from halfspaces.exercises import case_tools as tools
from halfspaces.exercises.answers import shape_of
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from halfspaces.exercises.texts import NUMBER_WORDS
from halfspaces.formatting import format_value
from mlcore.boosting import adaboost, best_stump
from mlcore.data import digits


@exercise(y=[(1, 1, 1, -1)] * 6)
def by_hand(y=(1, 1, -1, 1, 1)):
    n, wrong, y = len(y), y.count(-1), np.array(y, float)
    if wrong not in (1, 2):
        return None

    def weights(factor):
        D = np.where(y > 0, 1.0, factor)
        return tuple(D / D.sum())

    odds = (n - wrong) / wrong
    D, without_half = weights(odds), weights(odds**2)
    smallest = min(D)
    error = best_stump(np.arange(1.0, n + 1)[:, None], y, np.array(D)).error
    if error <= smallest:
        return None
    total = 2 * odds**0.5 / (odds + 1)  # of the new weights before they are normalized
    mistakes = {tuple(np.multiply(D, total)): "not_normalized", without_half: "no_half"}

    def explain_weights(D):
        fail_if(abs(D.sum() - 1) > 0.0025, "wrong_sum", sum=D.sum())

    values = {"mistakes": NUMBER_WORDS[wrong], "examples": NUMBER_WORDS[n], "error": error}
    return Exercise(
        values | {"total": total, "share": wrong * max(without_half), "light": smallest},
        weights=Number(D, mistakes | {weights(1): "as_before"}, explain_weights),
        smallest_error=Number(error, {1 / 2: "same_rule", smallest: "light_mistake"}),
    )


@exercise
def abstain():
    cases = np.random.default_rng(0).dirichlet([3, 3, 3], size=8).tolist()

    def smallest_sum(right, silent, wrong, bug=""):
        """Return the sum of the new weights at the best alpha."""
        split = {"wrong": (0, 1), "right": (1, 0), "half": (0.5, 0.5)}.get(bug, (0, 0))
        root = np.sqrt((right + split[0] * silent) * (wrong + split[1] * silent))
        factor = {"divided": 2 / (right + wrong), "factor": 1}.get(bug, 2)
        return (silent if bug in ("", "factor") else 0) + factor * root

    return Function(smallest_sum, cases, rtol=1e-6)


@exercise
def first_weights():
    rng, cases = np.random.default_rng(3), []
    for n, c in ((4, 1.0), (10, 3.0), (25, 0.2), (60, 50.0)):
        y = rng.permutation(np.where(np.arange(n) < max(n // 5, 1), 1.0, -1.0))
        cases.append((y, c))

    def initial_weights(y, c, bug=""):
        cost = np.where(y > 0, 1 / c if bug == "inverse" else c, bug != "positive")
        return cost / cost.sum()

    def describe(y, c):
        rare = int((y > 0).sum())
        examples = f"{rare} positive example{'s' * (rare > 1)} of {len(y)}"
        return f"For c = {c:g} and {examples}"

    def explain(D, y, c):
        fail_if(abs(D.sum() - 1) > 1e-6, "wrong_sum", sum=D.sum())
        uneven = max(np.ptp(D[y > 0]), np.ptp(D[y < 0])) > 1e-6
        fail_if(uneven, "uneven")
        raise WrongAnswer("wrong_ratio", ratio=D[y > 0].mean() / D[y < 0].mean())

    return Function(initial_weights, cases, case=describe, explain=explain, rtol=1e-6)


@exercise
def boost():
    def descent(H, y, rounds, bug=""):
        """Minimize the exponential loss of the votes H @ a by coordinate descent."""
        D, a = np.full(len(y), 1 / len(y)), np.zeros(H.shape[1])
        for _ in range(rounds):
            r = (D * y) @ H
            *_, second, first = np.sort(np.abs(r))
            if bug == "tie" and (first - second < 1e-6 or first > 1 - 1e-6):
                return None
            k = int((r if bug == "opposite" else np.abs(r)).argmax())
            error = D[H[:, k] != y].sum()
            alpha = (1 if bug == "half" else 1 / 2) * np.log((1 - error) / error)
            D = D * np.exp((alpha if bug == "others" else -alpha) * y * H[:, k])
            D = D if bug == "sum" else D / D.sum()
            alpha = abs(alpha) if bug == "size" else alpha
            a[k] = alpha + (0 if bug == "again" else a[k])
        return -a if bug == "signs" else a

    rng, cases = np.random.default_rng(1), []
    for n, m, rounds in ((12, 3, 1), (30, 4, 2), (40, 5, 9), (60, 8, 25)):
        y, a = np.where(rng.random(n) < 0.5, 1.0, -1.0), None
        while a is None:  # until in each round one rule is best and makes a mistake
            draws = rng.random((n, m))
            keep = draws < rng.uniform(0.2, 0.75, size=m)
            H = np.where(keep, y[:, None], -y[:, None])
            a = descent(H, y, rounds, "tie")
        cases.append((H, y, rounds))
    return Function(descent, cases, rtol=1e-6)


@exercise
def rounds_needed():
    half = 3**0.5 / 2  # for r = half the bound is (1/2)**T
    cases = [(2, 0.5), (20, 0.9), (100, 0.1), (2, half), (64, half), (10**6, 0.03)]

    def explain_rounds(T, n, r):
        product, before = ((1 - r**2) ** (rounds / 2) for rounds in (T, T - 1))
        fail_if(not float(T).is_integer() or T < 1, "not_an_integer", T=T)
        fail_if(product * n > 1 + 1e-9, "too_few", T=T, product=product, one=1 / n)
        fail_if(np.isclose(before * n, 1, rtol=1e-9), "equality", T=T, before=before)
        raise WrongAnswer("too_many", T=T, before=before, one=1 / n)

    def rounds(n, r):
        return np.ceil(2 * np.log(n) / -np.log(1 - r**2) - 1e-9)

    return Function(rounds, cases, explain=explain_rounds)


same_margins = define.true_false("boosting", "same_margins")


@exercise(
    y=tuple(y for y in product((-1, 1), repeat=5) if np.count_nonzero(np.diff(y)) == 2)
)
def certificate(y=(1, 1, -1, 1, 1)):
    x = np.arange(1.0, 6.0)[:, None]

    def check_weights(weights):
        D = read_numbers(weights, (5,), "the five weights, one for each example")
        is_distribution = D.min() >= 0 and np.isclose(D.sum(), 1, atol=2.5e-3)
        fail_if(not is_distribution, "not_a_distribution", D=D, sum=D.sum())
        h = best_stump(x, np.array(y, float), D)
        edge = 1 - 2 * h.error
        signs = ", ".join("+" if s > 0 else "-" for s in h.predict(x))
        fail_if(edge > 1 / 3 + 3e-3, "larger_edge", edge=edge, signs=signs)
        key = "rounded" if edge > 1 / 3 + 1e-9 else "praise"
        return {"key": key, "above": np.ceil(1e4 * edge) / 1e4}

    blocks = np.cumsum(np.diff(y, prepend=y[0]) != 0)  # three runs of equal labels
    return FreeForm(check_weights, tuple(1 / 3 / np.bincount(blocks)[blocks]))


@exercise
def no_edge():
    def check_points(points, labels):
        shape = shape_of(points) or ()
        fits = len(shape) == 2 and shape[0] >= 6 and shape[1] >= 2
        fail_if(not fits, "not_a_matrix", points=format_value(points))
        X = read_numbers(points, shape, "the points")
        y = read_numbers(labels, shape[:1], "the labels")
        found = sorted(set(y.tolist()))
        fail_if(len(np.unique(X, axis=0)) < len(X), "equal_points")
        labels = ", ".join(map(format_tidy, found))
        fail_if(found != [-1.0, 1.0], "not_labels", labels=labels)
        h = best_stump(X, y, np.ones(len(y)))
        rule = f"feature {h.feature} against {h.threshold:.4g}"
        rule = "the constant rule" if h.threshold < -1e100 else rule
        fail_if(h.error < 0.5 - 1e-9, "better_stump", rule=rule, error=h.error)
        return {"y": y}

    # For each value of a feature there are two points of the ring, with both labels.
    ring = tuple((q, (q + k) % 3) for q in range(3) for k in (0, 1))
    return FreeForm(check_points, ring, 3 * (1, -1))


@exercise(
    pair=((0, 5), (1, 2), (1, 3), (1, 8), (1, 9), (2, 3), (4, 7), (5, 7)),
    rounds=range(100, 201, 10),
)
def last_mistake(pair=(1, 8), rounds=150):
    data = digits(negative=pair[0], positive=pair[1])
    margins = adaboost(data.X, data.y, rounds=rounds).staged_margins(data.X, data.y)
    mistakes = (margins <= 0).sum(axis=1)
    first_zero = int(np.argmax(mistakes == 0)) + 1
    zero_from = int(np.flatnonzero(mistakes)[-1]) + 2  # no mistakes from there on
    if zero_from > rounds - 10:
        return None

    def count_growing(after):
        return int((margins[-1] > margins[after - 1]).sum())

    up, down = count_growing(zero_from), int((margins[-1] < margins[zero_from - 1]).sum())
    wrong = {down: "shrinking", up / len(data.y): "fraction"}
    wrong |= {count_growing(zero_from + 1): "next_round"}
    early = {first_zero: "first_zero", zero_from - 1: "too_early"}
    values = {"good": zero_from, "zero": first_zero, "up": up, "down": down}
    return Exercise(
        values | {"next": zero_from + 1, "row": zero_from - 1},
        from_round=Number(zero_from, early),
        growing=Number(up, wrong),
    )


@case
def nurses(source=0):
    rng = np.random.default_rng([8, source])
    w, careless = tools.draw_direction(rng, 10), rng.integers(1, 5)
    names = ["nurse (1 to 4)", *(f"blood value {k} (mmol/l)" for k in range(1, 11))]

    def draw(rng, trap):
        half, parts = tools.draw_distance(rng, 0.05, 0.35) / 2, []
        for n in (400, tools.N_TEST):
            y, nurse = tools.draw_labels(rng, n), rng.integers(1, 5, size=n)
            X = 5 + rng.normal(size=(n, 10)) + np.outer(y, half * w)
            parts += [np.column_stack([nurse, X]), y]
        if trap:
            wrong = (parts[0][:, 0] == careless) & (rng.random(400) < 0.5)
            parts[1] = np.where(wrong, -parts[1], parts[1])
        return parts

    def decide(X, y, names, route=""):
        if route != "all rows":
            X, y = X[X[:, 0] != careless], y[X[:, 0] != careless]

        def fit(X, y):
            rule = tools.fit_rule(X[:, 1:], y, route)
            return lambda Q: rule(Q[:, 1:])

        return tools.decide_and_claim(fit, X, y, route)

    routes = {"all rows": "claim", "nearest": "advice_costly"}
    return Case(draw, names, decide, routes, max_regret=0.025, max_width=0.2, seed=source)
