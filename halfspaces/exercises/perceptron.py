"""The exercises of the chapter on the perceptron."""

from functools import cache
from itertools import combinations, permutations

import numpy as np

from halfspaces.exercises import case_tools as tools
from halfspaces.exercises import define, fail_if, read_numbers
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from halfspaces.exercises.texts import NUMBER_WORDS
from halfspaces.formatting import format_value
from mlcore.data import digits
from mlcore.features import standardize
from mlcore.geometry import augment
from mlcore.perceptron import mistake_bound, perceptron, perceptron_trace
from mlcore.svm import hard_margin


@exercise(x=[[range(-2, 3)] * 2] * 4, y=[(-1, 1)] * 4)
def by_hand(x=((1, 1), (-2, 1), (-1, 2), (2, -2)), y=(1, -1, 1, -1)):
    X, y = np.array(x, float), np.array(y, float)
    run = perceptron_trace(X, y, bias=False, max_updates=9)
    suitable = run.converged and run.updates >= 4 and len({*x}) == 4 and X.any(axis=1).all()
    if not suitable or len({*y}) < 2:
        return None

    def explain_w(w):
        z = y * (X @ w)
        q = int(np.argmax(z <= 0))
        fail_if(z[q] > 0, "not_the_last_w")
        return {"place": q + 1, "margin": z[q]}

    return Exercise(
        {"passes": NUMBER_WORDS[run.epochs]},
        final_w=Number(run.w[-1], explain=explain_w),
        updates=Number(run.updates, {run.epochs: "passes"}),
    )


@exercise(x=[range(-3, 7)] * 4, y=[(-1, 1)] * 4)
def certificate(x=(-1, 0, 1, 5), y=(1, -1, -1, 1)):
    alternating = [(i, k, j) for i, k, j in permutations(range(4), 3)
        if y[i] != y[k] != y[j] and x[i] < x[k] < x[j]]  # fmt: skip
    if len({*x}) < 4 or not alternating:
        return None
    solution, (i, k, j) = np.zeros(4), alternating[0]
    solution[[i, k, j]] = x[j] - x[k], x[j] - x[i], x[k] - x[i]
    Z = np.column_stack([np.ones(4), x])
    return define.certificate(Z, y, solution, "each example")


def final_weights(X, y, bug=""):
    """Return the final weights of the perceptron, trained without a constant feature."""
    w = perceptron(X, y, bias=False, max_epochs=10**5).w
    return -w if bug == "minus" else w


@exercise
def my_perceptron():
    # the second data set needs 3,200 passes; with integers a margin of 0 is exactly 0
    cases = [(np.array([[1.0, 2.0], [2.0, 1.0]]), np.ones(2))]
    cases += [(np.array([[2.0, 80.0], [1.0, 80.0]]), np.array([1.0, -1.0]))]
    for X in np.random.default_rng(1).normal(size=(20, 30, 3)):
        cases.append((X, np.where(X @ [1.0, -2.0, 0.5] > 0, 1.0, -1.0)))

    def explain_w(w, X, y):
        mistakes = int((y * (X @ w) <= 0).sum())
        fail_if(mistakes, "mistakes_left", w=w, mistakes=mistakes)
        fail_if(not mistakes, "another_w", w=w)

    return Function(final_weights, cases, explain=explain_w)


@exercise
def with_constant():
    rng, cases = np.random.default_rng(5), []
    for c in (1.0, 0.25):
        X = rng.normal(size=(20, 2))
        cases.append((X, np.where(X @ [1.0, -1.0] + 0.7 > 0, 1.0, -1.0), c))
    # the last data set needs 3,200 passes
    cases.append((np.array([[2.0], [1.0]]), np.array([1.0, -1.0]), 80.0))

    def w_and_b(X, y, c, bug=""):
        *w, v = final_weights(augment(X, constant=c), y)
        return np.array(w), {"v": v, "v / c": v / c, "sign": -c * v}.get(bug, c * v)

    return Function(w_and_b, cases)


@exercise
def keep_best():
    def count_mistakes(w, X, y):
        return (y * (w @ X.T) <= 0).sum(axis=-1)

    def weight_path(X, y, updates):
        return perceptron_trace(X, y, bias=False, max_updates=updates).w

    def best_w(X, y, updates):
        path = weight_path(X, y, updates)
        return path[count_mistakes(path, X, y).argmin()]

    def check_w(answer, X, y, updates):
        w = read_numbers(answer, (2,), "w, of shape (2,)")
        path = weight_path(X, y, updates)
        mistakes, fewest = count_mistakes(w, X, y), count_mistakes(path, X, y).min()
        on_path, case = np.isclose(path, w).all(axis=1).any(), {"y": y, "updates": updates}
        fail_if(not w.any(), "zero")
        fail_if(not on_path, "not_on_path", w=w, **case)
        fail_if(mistakes > fewest, "not_best", mistakes=mistakes, fewest=fewest, **case)

    return Function(best_w, early_stopping_cases, check=check_w)


def early_stopping_cases():
    """Yield data sets whose last example causes an update, and numbers of updates to make.

    In half of the cases the last update before the stop gives the best w, in the other half
    the first update after it.
    """
    found, rng = 0, np.random.default_rng(2)
    while found < 12:
        X = rng.integers(-3, 4, size=(8, 2)).astype(float)
        X[0] += not X[0].any()  # else the first update changes nothing
        y = np.where(X @ [1.0, 0.5] + rng.normal(size=8) > 0, 1.0, -1.0)
        run = perceptron_trace(X, y, bias=False, max_updates=40)
        mistakes = (y * (run.w @ X.T) <= 0).sum(axis=1)
        best = [t for t in range(2, run.updates) if mistakes[t] < mistakes[:t].min()]
        if not run.converged and best and len(y) - 1 in run.chosen[: best[-1] - 1]:
            yield X, y, best[-1] - found % 2
            found += 1


same_count = define.true_false("perceptron", "same_count")


@cache
def count_updates(pair) -> int:
    data = digits(negative=pair[0], positive=pair[1])
    return perceptron(augment(data.X), data.y, bias=False, max_epochs=1000).updates


@exercise(among=tuple(combinations(range(10), 5)))
def hardest_pair(among=tuple(range(10))):
    counts = {pair: count_updates(pair) for pair in combinations(among, 2)}
    hardest = low, high = max(counts, key=counts.get)

    def explain_pair(pair):
        updates = counts.get(tuple(pair))
        fail_if(updates is None, "not_a_pair")
        return {"pair": pair, "updates": updates}

    return Exercise(
        {"low": low, "high": high, "updates": counts[hardest], "counts": counts},
        pair=Number(hardest, explain=explain_pair),
        updates=Number(counts[hardest]),
    )


@exercise(minimum=range(3, 13), label=(-1, 1))
def reaches_bound(minimum=3, label=1):
    def check_rows(rows):
        X, fewest = np.asarray(rows, object), NUMBER_WORDS[minimum]
        is_matrix = X.ndim == 2 and X.size and minimum <= len(X) <= 100
        fail_if(not is_matrix, "not_a_matrix", fewest=fewest, rows=format_value(rows))
        X = read_numbers(rows, X.shape, "the rows of a matrix")
        fail_if(not 1e-6 < np.abs(X).max() < 1e6, "too_small_or_large")
        y = np.full(len(X), float(label))
        best = hard_margin(X, y, bias=False)
        fail_if(not best.separable, "not_separable")
        bound = mistake_bound(np.linalg.norm(X, axis=1).max(), best.margin)
        fail_if(bound > 1000, "narrow_margin", bound=bound)
        updates = perceptron(X, y, bias=False, max_epochs=10**4).updates
        numbers = {"updates": updates, "bound": bound}
        fail_if(updates < minimum, "too_few_updates", **numbers)
        fail_if(not np.isclose(updates, bound, rtol=1e-8), "bound_not_reached", **numbers)
        return numbers

    return FreeForm(check_rows, tuple(map(tuple, np.eye(minimum).tolist())))


@case
def last(source=0):
    w = tools.draw_direction(np.random.default_rng([11, source]), 6)
    names = [f"pitch of voice, measure {k} (Hz)" for k in range(1, 7)]

    def draw(rng, trap):
        half, parts = tools.draw_distance(rng) / 2, []
        for n in (300, tools.N_TEST):
            y = np.sort(tools.draw_labels(rng, n))
            Z = rng.normal(size=(n, 6)) + np.outer(y, half * w)
            if not trap:
                Z += np.outer(4 * y - Z @ w, w)  # all at distance 4 from the plane
            parts += [150 + 20 * Z, y]
        return parts

    def decide(X, y, names, route=""):
        def fit(X, y):
            if route == "last w":
                rule = perceptron(standardize(X), y, max_epochs=50)
                return lambda Q: rule.predict(standardize(Q, like=X))
            return tools.fit_rule(X, y, route)

        return tools.decide_and_claim(fit, X, y, route)

    routes = {"last w": "decision", "nearest": "decision"}
    return Case(draw, names, decide, routes, max_regret=0.02, max_width=0.2, seed=source)
