"""The exercises of the chapter on stochastic gradient descent."""

from itertools import product

import numpy as np

from mlcore import losses
from mlcore.book.exercises import checker, number, numbers, refuse
from mlcore.book.exercises.kit import Answer, Exercise, Function, Number, exercise
from mlcore.book.exercises.words import Named, short
from mlcore.data import digits
from mlcore.logistic import logistic
from mlcore.optim import StepSize, constant, gradient_descent, sgd


@exercise
def by_hand(x=(1.0, 2.0), y=(-1.0, 1.0), eta=0.5):
    def end(*order):
        w = 0.0
        for i in order:
            w = w - eta * x[i] * (w * x[i] - y[i])
        return w

    one, orders = (end(0) + end(1)) / 2, (end(0, 1), end(1, 0))
    different = sum(orders) / 2
    return Exercise(
        "Independent draws agree with gradient descent, and the two orders do not.",
        one_step=Number(one, {
            -one: "You give {}. The step goes against the slope: w - eta J'.",
            2 * one: "You give {}. The mean is half the sum of the two ends.",
        }, "After one step you give {}, not right. Where does each example send w = 0?"),
        independent=Number((end(0, 0) + end(1, 1) + 2 * different) / 4, {
            different: "You give {}. The mean of four takes the pairs 1, 1 and 2, 2, too.",
        }, "For the mean of four you give {}, not right. Make a table of four rows, as the "
           "text does. At which w is the second slope?"),
        different=Number(different, dict.fromkeys(
            orders, "You give {}. The mean is over both orders, 1, 2 and 2, 1.",
        ), "You give {}, not right. Only the rows in which the two examples differ count."),
    )  # fmt: skip


@exercise
def best_step(bend=(9.0, 1.0)):
    def factors(eta):
        return "{:.4g} and {:.4g}".format(*np.abs(1 - eta * np.array(bend)))

    return Exercise(
        "Below 2/9 it converges; with 1/5 both errors shrink by the factor 0.8.",
        threshold=Number(2 / max(bend), hint=lambda eta: f"At the step size {eta:.4g} the "
            f"errors are multiplied by {factors(eta)} in absolute value. At the threshold, "
            "which factor just reaches 1?"),
        fastest=Number(2 / sum(bend), hint=lambda eta: f"With {eta:.4g} the two errors are "
            f"multiplied by {factors(eta)} in absolute value, and the larger counts. Can "
            "both coordinates be made to shrink by the same factor?"),
    )  # fmt: skip


def gradients(seed: int, n: int = 6):
    """gradient(w, i) of the logistic losses of n random examples, without penalty."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 2)), rng.choice([-1.0, 1.0], n)

    def gradient(w, i):
        return y[i] * losses.logistic.slope(y[i] * (X[i] @ w)) * X[i]

    return Named("gradient", gradient)


def path(gradient, w, steps, order) -> np.ndarray:
    """The start, and the point after each step along these examples."""
    points = [w]
    for t, i in enumerate(order, start=1):
        points.append(points[-1] - steps(t) * gradient(points[-1], i))
    return np.array(points)


def drawn():
    """(gradient, w0, order) of five runs with nine draws."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        yield gradients(seed), rng.normal(size=2), rng.integers(6, size=9).tolist()


@exercise
def my_sgd():
    def right(gradient, w0, steps, order, slip=""):
        if not slip:
            return sgd(lambda w, t: gradient(w, order[t]), len(order), w0, steps=steps).w
        sizes = {
            "before": lambda t: steps(max(t - 1, 1)),
            "first size": lambda t: steps(1),
            "uphill": lambda t: -steps(t),
        }
        along = (lambda w, i: gradient(w0, i)) if slip == "at w0" else gradient
        return path(along, w0, sizes.get(slip, steps), order)[-1]

    sizes = (Named("steps(t) = 0.5", constant(0.5)),
             Named("steps(t) = 2 / t", StepSize(2.0, 1.0)))  # fmt: skip
    return Exercise("Ten runs with repeated draws, each equal to mlcore's.", run=Function(
        right, lambda: ((g, w, size, order) for g, w, order in drawn() for size in sizes), {
            "before": "takes each step with the size of the one before",
            "first size": "uses the first size for all steps",
            "uphill": "goes uphill: what is the sign of a step",
            "at w0": "takes all gradients at w0",
        }, "Is the size of the first step steps(1), of the second steps(2), and is each "
        "gradient taken at the newest w?", lambda g, w0, steps, order: f"With {steps!r}",
        ("and 9 draws it",),
        "{tried} your run {said}.",
    ))  # fmt: skip


@exercise
def averaged():
    def right(gradient, w0, eta, order, skip, slip=""):
        first = {"last": len(order), "start": 0, "all": 1, "few": skip + 2}
        points = path(gradient, w0, constant(eta), order)
        return points[first.get(slip, skip + 1) :].mean(axis=0)

    return Exercise("Ten runs, each the mean of just those points.", mean=Function(
        right, lambda: ((g, w, 0.5, order, k) for g, w, order in drawn() for k in (0, 4)), {
            "last": "is the last point, not the mean",
            "start": "is the mean of all points, the start among them",
            "all": "is the mean of all points: leave out the first skip of them",
            "few": "takes one point too few",
        }, "Is the mean over the points after the steps skip + 1, ..., 9, each with the "
        "same weight?", lambda g, w0, eta, order, skip: f"With 9 steps and skip = {skip}",
        wrong="{tried} what you return {said}.",
    ))  # fmt: skip


@exercise
def two_step_bias():
    cases = []
    for n, eta, different in product(range(3, 7), (2.0, 0.5), (False, True)):
        w = np.random.default_rng(n - 3).normal(size=2)
        cases.append((gradients(n - 3, n=n), n, w, eta, different))

    def right(gradient, n, w, eta, different, slip=""):
        different ^= slip == "other kind"
        pairs = ((i, k) for i in range(n) for k in range(n) if i != k or not different)
        mean = np.mean([path(gradient, w, constant(eta), pair)[-1] for pair in pairs], 0)
        for _ in range(1 if slip == "one step" else 2):
            slope = np.mean([gradient(w, i) for i in range(n)], axis=0)
            w = w - eta * slope * (n if slip == "sum" else 1)
        return w - mean if slip == "sign" else mean - w

    return Exercise("Sixteen cases, exactly; none of the biases is zero.", bias=Function(
        right, cases, {
            "sign": "the sign is turned: it is the stochastic mean minus descent.",
            "other kind": "this is the bias of the other kind of pairs.",
            "one step": "the mean is compared with one step of descent, not two.",
            "sum": "a step of descent takes the mean of the gradients, not their sum.",
        }, "", lambda g, n, w, eta, different:
        f"For {n} examples, eta = {eta:g} and different={different}",
        wrong="{tried} you return {got}: {said}", rtol=1e-7,
        fault=lambda got, g, n, w, eta, different: f"gave {short(got)}, which is not "
        f"right. There are {n * (n - different)} pairs, all equally likely, and the second "
        "gradient is taken where the first step ended.",
    ))  # fmt: skip


@exercise
def one_pass():
    gradient, start = gradients(3, n=20), np.array([1.0, -2.0])
    prices = (0.5, 0.15), (2.0, 0.01), (0.0, 1.0)
    cases = [(gradient, 20, start, eta, lambda_) for lambda_, eta in prices]

    def right(gradient, n, w, eta, lambda_, slip=""):
        factor = {"whole": n, "no eta": 1 / eta, "no 2": 1 / 2, "missing": 0, "end": 0}
        share = 2 * eta * lambda_ / n * factor.get(slip, 1)
        for i in range(n):
            step = eta * gradient(w, i) / (n if slip == "divided" else 1)
            w = w - step - share * (w - step if slip == "after" else w)
        return w - 2 * eta * lambda_ * w if slip == "end" else w

    praise = "Three passes, each as it should be: each point has its share of the penalty."
    return Exercise(praise, w=Function(
        right, cases, {
            "after": "the penalty is taken after the step; take both at the same w",
            "end": "the penalty is applied once, at the end; each update needs both parts",
            "divided": "the gradients are divided by n, but the objective has their sum",
            "whole": "one pass applies the whole penalty twenty times",
            "no eta": "the penalty is not multiplied by eta",
            "no 2": "the gradient of lambda |w|^2 has a factor 2",
            "missing": "the penalty is missing",
        }, "Update once for each i, in order, at the newest w.",
        lambda g, n, w, eta, lambda_: f"With lambda = {lambda_:g} and eta = {eta:g}",
        ("a pass",), "{tried} a pass over 20 examples goes to {got}: {said}. Where would "
        "such passes end?",
    ))  # fmt: skip


@exercise
def schedules():
    def letters(right, which, asks, *hints):
        said = {q: f"({q}) is{' not' * (q in right)} in the {which} string. Think again: "
                f"{hint}" for q, hint in zip("abcdef", hints, strict=True)}  # fmt: skip

        def judge(answer):
            known = isinstance(answer, str) and set(answer.lower()) <= set("abcdef, ")
            refuse((not known, "Give letters from a to f in a string; this is "
                    f"{short(answer)}."))  # fmt: skip
            wrong = sorted((set(answer.lower()) - set(", ")) ^ set(right))
            refuse((len(wrong) > 1, f"In the {which} string {len(wrong)} of the six "
                    f"letters are wrong or missing. Ask of each sequence: {asks}"),
                   *((True, said[q]) for q in wrong))  # fmt: skip

        return Answer(right, judge, {"".join({*right} ^ {q}): said[q] for q in said})

    return Exercise(
        "For two of them the mean square tends to zero without both conditions.",
        mean_square=letters("abce", "first", "Does the step tend to zero, and is the sum "
            "of all steps infinite?",
            "3/(t+10) lies between 1/(4t) and 3/t.",
            "which of the two conditions of the theorem would it violate?",
            "compare the sum of t^(-0.6) with an integral.",
            "the sum of all steps is 1, so how much of the start remains?",
            "it tends to zero, slowly, and it is larger than 1/t; a run can look stuck.",
            "every second step lets in the same amount of noise, for ever."),
        both=letters("ac", "second", "Is their sum infinite, and that of squares finite?",
            "its squares are at most 9/t^2, and its sum is at least that of 1/(4t).",
            "its squares are 1/(t+1).",
            "its squares are t^(-1.2).",
            "how far can steps with the sum 1 reach?",
            "1/(1+ln t) is larger than 1/sqrt(t) from some t on.",
            "infinitely many of its steps are 1/2."),
    )  # fmt: skip


@exercise
def certify(lam=0.01):
    data = digits(negative=1, positive=7)
    X, y, n = (data.X - data.X.mean(axis=0)) / 16, data.y, len(data.y)
    L = np.linalg.eigvalsh(X.T @ X / n)[-1] / 4 + lam

    def J(w):
        return losses.logistic.value(y * (X @ w)).mean() + lam / 2 * w @ w

    def full(w):
        return X.T @ (y * losses.logistic.slope(y * (X @ w))) / n + lam * w

    def steps(values):
        return int(np.argmax(values <= 1e-3))

    low = J(logistic(X, y, lambda_=lam, bias=False).w)
    run = gradient_descent(J, full, np.zeros(64), eta=1 / L, max_steps=200, tol=0.0)
    square = np.array([full(w) @ full(w) for w in run.path])
    certified, true = steps(square / (2 * lam)), steps(run.values - low)

    def count(right, what, slips):
        return Number(right, {
            right - 1: ": one too few. When is it met, if the start is step 0?",
            right + 1: ": one too many. Steps are counted, and the start is step 0.",
        } | slips, " is not right. Are the pixels divided by 16, is the mean image of "
            "these images subtracted, and is eta = 1/L with the lambda in L?",
            f"{{}} for the {what}")  # fmt: skip

    return Exercise(
        f"Certified after {certified} steps; it had been true after {true}.",
        certified=count(certified, "certificate", {
            true: f", and the gap is not small before {true}. Can a promise come earlier?",
            steps(square / lam): ": the two is lost: the bound is |g|^2 / (2 lambda).",
            steps(square**0.5 / (2 * lam)): ": the length of the gradient is not squared.",
            steps(square**0.5): ": the length alone bounds nothing; divide its square.",
        }),
        true=count(true, "gap", {}),
    )  # fmt: skip


@checker
def fair_orders(a, c, w):
    a, c = (numbers(v, (3,), f"{name}, three numbers") for v, name in ((a, "a"), (c, "c")))
    w = number(w, "w, one number")
    refuse((a.min() <= 0, f"Your a are {short(a)}. All three must be above zero."),
           (max(1 / a.min(), *a, *np.abs(c), abs(w)) > 1e6, "Stay with numbers up to a "
            "million, and with a from a millionth."))  # fmt: skip
    g = a * w - c
    for values, name in ((a, "curvatures"), (g, "slopes at w")):
        close = np.diff(np.sort(values)).min() <= 1e-6 * np.abs(values).max()
        refuse((close, f"Your {name} are {short(values)}; no two may be equal."))
    da, dg = a - a.mean(), g - g.mean()
    bias = -(da @ dg) / 6
    refuse((abs(bias) > 1e-9 * np.abs(da).max() * np.abs(dg).max(), "The slopes at w are "
            f"{short(g)}, and with eta = 1 two different examples end at {bias:.6g} from "
            "where they should, on average. Which covariance must be zero?"))  # fmt: skip
    return "Two different examples, in all six orders, end on average where descent does."
