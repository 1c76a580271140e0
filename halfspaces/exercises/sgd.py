"""The exercises of the chapter on stochastic gradient descent."""

from fractions import Fraction

import numpy as np

from halfspaces.exercises import WrongAnswer, define, fail_if, read_number, read_numbers
from halfspaces.exercises import case_tools as tools
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from halfspaces.exercises.texts import NamedFunction
from mlcore import losses
from mlcore.data import digits
from mlcore.logistic import logistic
from mlcore.optim import StepSize, constant, gradient_descent, loss_gradient, sgd


@exercise(x=[(-1, 1, 2, 3)] * 2, y=[(-2, -1, 1, 2)] * 2, eta=(0.25, 0.5))
def by_hand(x=(1, 2), y=(-1, 1), eta=0.5):
    def final_w(*order):
        w = 0.0
        for i in order:
            w = w - eta * x[i] * (w * x[i] - y[i])
        return w

    after_one, orders = (final_w(0) + final_w(1)) / 2, (final_w(0, 1), final_w(1, 0))
    different = sum(orders) / 2
    independent = (final_w(0, 0) + final_w(1, 1) + 2 * different) / 4
    if abs(x[0]) == abs(x[1]) or orders[0] == orders[1] or after_one == 0:
        return None
    return Exercise(
        one_step=Number(after_one, {-after_one: "uphill", 2 * after_one: "sum"}),
        independent=Number(independent, {different: "different"}),
        different=Number(different, dict.fromkeys(orders, "one_order")),
    )


@exercise(curvatures=[range(4, 10), (1, 2, 3)])
def best_step(curvatures=(9, 1)):
    high, low = curvatures

    def explain_step(eta):
        factors = f"{abs(1 - eta * high):.4g} and {abs(1 - eta * low):.4g}"
        return {"eta": eta, "factors": factors}

    best, limit = Fraction(2, high + low), Fraction(2, high)
    return Exercise(
        {"best": str(best), "most": str(limit), "factor": float(1 - best * low)},
        threshold=Number(2 / high, explain=explain_step),
        fastest=Number(float(best), explain=explain_step),
    )


@exercise(slopes=[range(10)] * 4, batch=(2, 3), max_variance=(0.25, 0.5, 1, 2))
def mini_batch(slopes=(1, 3, 3, 9), batch=2, max_variance=1):
    n, mean, V = len(slopes), np.mean(slopes), np.var(slopes)
    smallest = int(np.ceil(V / max_variance))
    if 2 * mean % 1 or 2 * V % 1 or smallest < 4:
        return None
    iid, distinct = V / batch, V / batch * (n - batch) / (n - 1)

    def explain_size(size):
        key = "too_large" if size > smallest else "too_small"
        raise WrongAnswer(key, left=V / size)

    return Exercise(
        {"V": V, "alone": iid, "different": distinct, "mean": mean},
        variance=Number(V, {
            n * V: "sum", n * V / (n - 1): "sample", V**0.5: "root", V + mean**2: "square",
        }),
        independent=Number(iid, {V: "one", iid / batch: "squared", distinct: "different"}),
        different=Number(distinct, {iid: "independent", iid * (n - batch) / n: "factor"}),
        smallest=Number(smallest, {}, explain_size, allowed=range(1, 1000)),
    )  # fmt: skip


def gradients(seed: int, n: int = 6):
    """Return gradient(w, i) of the logistic losses of n random examples."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 2)), rng.choice([-1.0, 1.0], n)
    return NamedFunction("gradient", loss_gradient(X, y, losses.logistic))


def path(gradient, w, steps, order) -> np.ndarray:
    """Return the start and the point after each step, for the examples in `order`."""
    points = [w]
    for t, i in enumerate(order, start=1):
        points.append(points[-1] - steps(t) * gradient(points[-1], i))
    return np.array(points)


def runs():
    """Yield (gradient, w0, order) of five runs with nine draws."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        yield gradients(seed), rng.normal(size=2), rng.integers(6, size=9).tolist()


@exercise
def my_sgd():
    def last_w(gradient, w0, steps, order, bug=""):
        if not bug:
            return sgd(lambda w, t: gradient(w, order[t]), len(order), w0, steps=steps).w
        sizes = {
            "before": lambda t: steps(max(t - 1, 1)),
            "first size": lambda t: steps(1),
            "uphill": lambda t: -steps(t),
        }
        direction = (lambda w, i: gradient(w0, i)) if bug == "at w0" else gradient
        return path(direction, w0, sizes.get(bug, steps), order)[-1]

    sizes = (NamedFunction("steps(t) = 0.5", constant(0.5)),
             NamedFunction("steps(t) = 2 / t", StepSize(2.0, 1.0)))  # fmt: skip
    cases = [(g, w, size, order) for g, w, order in runs() for size in sizes]
    return Function(last_w, cases)


@exercise
def averaged():
    cases = [(g, w, eta, order[:last], skip) for g, w, order in runs()
        for eta, last, skip in ((0.5, 9, 0), (0.25, 8, 5), (1.0, 9, 1))]  # fmt: skip

    def mean_w(gradient, w0, eta, order, skip, bug=""):
        first = {"last": len(order), "start": 0, "all": 1, "few": skip + 2}
        points = path(gradient, w0, constant(eta), order)
        return points[first.get(bug, skip + 1) :].mean(axis=0)

    return Function(mean_w, cases)


@exercise
def one_pass():
    gradient, start = gradients(3, n=20), np.array([1.0, -2.0])
    penalties = (0.5, 0.15), (2.0, 0.01), (0.0, 1.0)
    cases = [(gradient, 20, start, eta, lambda_) for lambda_, eta in penalties]

    def end_of_pass(gradient, n, w, eta, lambda_, bug=""):
        factor = {
            "whole": n, "no eta": 1 / eta, "no 2": 1 / 2, "missing": 0, "end": 0, "sign": -1
        }  # fmt: skip
        shrinkage = 2 * eta * lambda_ / n * factor.get(bug, 1)
        for i in range(n):
            point = w - shrinkage * w if bug == "before" else w
            step = eta * gradient(point, i) / (n if bug == "divided" else 1)
            w = w - step - shrinkage * (w - step if bug == "after" else w)
        return w - 2 * eta * lambda_ * w if bug == "end" else w

    return Function(end_of_pass, cases)


schedules = define.true_false("sgd", "schedules")


@exercise(pair=((0, 1), (0, 6), (2, 7), (3, 6), (4, 9), (5, 6)), lam=(0.01, 0.02, 0.05))
def certify(pair=(1, 7), lam=0.01):
    data = digits(negative=pair[0], positive=pair[1])
    X, y, n = (data.X - data.X.mean(axis=0)) / 16, data.y, len(data.y)
    L = np.linalg.eigvalsh(X.T @ X / n)[-1] / 4 + lam
    gradient = loss_gradient(X, y, losses.logistic, lambda_=lam)

    def J(w):
        return losses.logistic.value(y * (X @ w)).mean() + lam / 2 * w @ w

    def grad_J(w):
        return gradient(w, range(n))

    def first_step(values):
        return int(np.argmax(values <= 1e-3))

    minimum = J(logistic(X, y, lambda_=lam, bias=False).w)
    run = gradient_descent(J, grad_J, np.zeros(64), eta=1 / L, max_steps=200, tol=0.0)
    square = np.array([g @ g for g in map(grad_J, run.path)])  # |gradient|**2
    certified, true = first_step(square / (2 * lam)), first_step(run.values - minimum)
    return Exercise(
        {"certified": certified, "true": true},
        certified=Number(certified, {
            certified - 1: "too_few", certified + 1: "too_many", true: "true_gap",
            first_step(square / lam): "no_factor_2",
            first_step(square**0.5 / (2 * lam)): "not_squared",
            first_step(square**0.5): "length_alone",
        }),
        true=Number(true, {true - 1: "too_few", true + 1: "too_many"}),
    )  # fmt: skip


@exercise
def fair_orders():
    def check_examples(a, c, w):
        a = read_numbers(a, (3,), "a, three numbers")
        c = read_numbers(c, (3,), "c, three numbers")
        w = read_number(w, "w, one number")
        fail_if(a.min() <= 0, "not_positive", a=a)
        fail_if(max(1 / a.min(), *a, *np.abs(c), abs(w)) > 1e6, "too_small_or_large")
        g = a * w - c
        for values, key in ((a, "equal_curvatures"), (g, "equal_slopes")):
            gap = np.diff(np.sort(values)).min()
            fail_if(gap <= 1e-6 * np.abs(values).max(), key, values=values)
        da, dg = a - a.mean(), g - g.mean()
        bias = -(da @ dg) / 6
        biased = abs(bias) > 1e-9 * np.abs(da).max() * np.abs(dg).max()
        fail_if(biased, "biased", g=g, bias=bias)

    return FreeForm(check_examples, (1, 2, 6), (4, -5, 1), 0)


@case
def currency(source=0):
    w = tools.draw_direction(np.random.default_rng([6, source]), 8)
    things = "food", "rent", "travel", "clothes", "books", "energy", "health", "gifts"
    names = ["currency (1: crowns, 2: euros)", *(f"{t} (in that currency)" for t in things)]

    def draw(rng, trap):
        half, parts = tools.draw_distance(rng) / 2, []
        for n, euros in ((400, 0.4), (tools.N_TEST, 1.0)):
            y, currency = tools.draw_labels(rng, n), 1 + (rng.random(n) < euros)
            spent = 300 + 60 * (rng.normal(size=(n, 8)) + np.outer(y, half * w))
            rate = np.where(currency == 1, 25.0 if trap else 1.0, 1.0)
            parts += [np.column_stack([currency, rate[:, None] * spent]), y]
        return parts

    def decide(X, y, names, route=""):
        def convert(X):
            if route == "as they are":
                return X[:, 1:]
            return X[:, 1:] / np.where(X[:, :1] == 1, 25.0, 1.0)

        def fit(X, y):
            predict = tools.fit_rule(convert(X), y, route)
            return lambda Q: predict(convert(Q))

        return tools.decide_and_claim(fit, X, y, route)

    routes = {"as they are": "decision", "nearest in euros": "advice_costly"}
    limits = {"max_regret": 0.02, "max_width": 0.2, "twin_route": "as they are"}
    return Case(draw, names, decide, routes, seed=source, **limits)
