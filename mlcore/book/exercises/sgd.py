"""The exercises of the chapter on stochastic gradient descent."""

from copy import copy
from functools import partial
from itertools import product

import numpy as np

from mlcore import losses
from mlcore.book.exercises import checker, number, numbers, refuse
from mlcore.book.exercises.kit import Answer, Exercise, Function, Number, exercise
from mlcore.book.exercises.words import short
from mlcore.data import digits
from mlcore.logistic import logistic
from mlcore.optim import StepSize, constant, gradient_descent, sgd


@exercise
def by_hand():
    orders = "You give {}. The mean is over both orders, 1, 2 and 2, 1."
    return Exercise(
        "Independent draws agree with gradient descent, and the two orders do not.",
        one_step=Number(0.25, {
            -0.25: "You give {}. The step goes against the slope: w - eta J'.",
            0.5: "You give {}. The mean is half the sum of -1/2 and the other end.",
        }, "For the mean after one step you give {}, not right. Where does each of the "
            "two examples send w = 0?"),
        independent=Number(0.1875, {
            0.75: "You give {}. The mean of four takes all four pairs, 1, 1 and 2, 2 as "
                "well.",
        }, "For the mean of four you give {}, not right. Make a table of four rows, as "
            "the text does. At which w is the second slope?"),
        different=Number(0.75, {1.5: orders, 0.0: orders},
            "For the mean of two orders you give {}, not right. Only the rows in which "
            "the two examples differ count."),
    )  # fmt: skip


@exercise
def best_step(bend=(9.0, 1.0)):
    def factors(eta):
        return "{:.4g} and {:.4g}".format(*np.abs(1 - eta * np.array(bend)))

    return Exercise(
        "Below 2/9 it converges; with 1/5 both errors shrink by the factor 0.8.",
        threshold=Number(2 / max(bend), hint=lambda eta: f"At the step size {eta:.4g} the "
            f"errors are multiplied by {factors(eta)} in absolute value. At the "
            "threshold, which factor just reaches 1?"),
        fastest=Number(2 / sum(bend), hint=lambda eta: f"With {eta:.4g} the two errors "
            f"are multiplied by {factors(eta)} in absolute value, and the larger counts. "
            "Can both coordinates be made to shrink by the same factor?"),
    )  # fmt: skip


class Gradient:
    """The gradients of the logistic losses of n random examples, without penalty."""

    def __init__(self, seed: int, n: int = 6):
        rng = np.random.default_rng(seed)
        self.X, self.y = rng.normal(size=(n, 2)), rng.choice([-1.0, 1.0], n)
        self.order, self.shrink = range(n), 0.0

    def __call__(self, w, i):
        x, y = self.X[self.order[i]], self.y[self.order[i]]
        return y * losses.logistic.slope(y * (x @ w)) * x + self.shrink * w

    def __repr__(self):
        return "gradient"


def run(gradient, order, w0, shrink=0.0, **options):
    """The steps of mlcore, along these examples in this order."""
    gradient = copy(gradient)
    gradient.order, gradient.shrink = order, shrink
    return sgd(gradient, len(order), w0, **options).w


def drawn():
    """(gradient, w0, order) of five runs with nine draws."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        yield Gradient(seed), rng.normal(size=2), rng.integers(6, size=9).tolist()


@exercise
def my_sgd():
    class Named(StepSize):
        """Step sizes that a reply can name."""

        def __repr__(self):
            return f"steps(t) = {self.eta:g}{' / t' * (self.p > 0)}"

    def right(gradient, w, steps, order, sign=-1, later=0):
        for t, i in enumerate(order, start=1):
            w = w + sign * steps(max(t + later, 1)) * gradient(w, i)
        return w

    def at_start(gradient, w, steps, order):
        return w - sum(steps(t) * gradient(w, i) for t, i in enumerate(order, start=1))

    slips = {
        partial(right, later=1): "starts at t = 2",
        partial(right, later=-1): "takes each step with the size of the one before",
        lambda g, w, steps, order: right(g, w, constant(steps.eta), order): "uses the "
            "first size for all steps",
        lambda g, w, steps, order: right(g, w, steps, order[::-1]): "goes through the "
            "order from its end",
        lambda g, w, steps, order: right(g, w, steps, range(6)): "ignores the order that "
            "it is given",
        partial(right, sign=1): "goes uphill: what is the sign of a step",
        at_start: "takes all gradients at w0",
    }  # fmt: skip
    sizes = Named(0.5, 0.0), Named(2.0, 1.0)
    praise = "Ten runs with repeated draws, each equal to mlcore's."
    return Exercise(praise, function=Function(
        lambda g, w0, steps, order: run(g, order, w0, steps=steps),
        lambda: ((g, w0, steps, order) for g, w0, order in drawn() for steps in sizes),
        slips, "Is the size of the first step steps(1), of the second steps(2), and is "
            "each gradient taken at the newest w?",
        lambda g, w0, steps, order: f"With {steps!r}", ("and 9 draws it",), "{tried} your "
            "run {said}.",
    ))  # fmt: skip


@exercise
def averaged():
    def path(gradient, w0, eta, order):
        """The start and the point after each step."""
        points = [w0]
        for i in order:
            points.append(points[-1] - eta * gradient(points[-1], i))
        return np.array(points)

    def of(mean):
        return lambda g, w0, eta, order, skip: mean(path(g, w0, eta, order), skip)

    slips = {
        of(lambda points, skip: points[-1]): "is the last point, not the mean",
        of(lambda points, skip: points.mean(axis=0)): "is the mean of all points, the "
            "start among them",
        of(lambda points, skip: points[1:].mean(axis=0)): "is the mean of all points: "
            "leave out the first skip of them",
        of(lambda points, skip: points[skip + 2 :].mean(axis=0)): "takes one point too few",
        of(lambda points, skip: points[skip + 1 :].sum(axis=0) / 9): "is a sum divided by "
            "the number of all steps, and fewer points were added",
        of(lambda points, skip: points[skip + 1 :].sum(axis=0)): "is the sum of the points",
    }  # fmt: skip
    return Exercise("Ten runs, each the mean of just those points.", function=Function(
        of(lambda points, skip: points[skip + 1 :].mean(axis=0)),
        lambda: ((g, w0, 0.5, order, skip) for g, w0, order in drawn() for skip in (0, 4)),
        slips, "Is the mean over the points after the steps skip + 1, ..., 9, each with "
            "the same weight?",
        lambda g, w0, eta, order, skip: f"With 9 steps and skip = {skip}", wrong="{tried} "
            "what you return {said}.",
    ))  # fmt: skip


@exercise
def two_step_bias():
    def cases():
        for n, eta, different in product(range(3, 7), (2.0, 0.5), (False, True)):
            w = np.random.default_rng(n - 3).normal(size=2)
            yield Gradient(n - 3, n=n), n, w, eta, different

    def right(gradient, n, w, eta, different, steps=2, descent=1):
        def ends(w):
            return np.array([w - eta * gradient(w, i) for i in range(n)])

        pairs = np.array([ends(first) for first in ends(w)])
        share = (1 - np.eye(n)) / (n * (n - 1)) if different else np.full((n, n), 1 / n**2)
        down = w
        for _ in range(steps):
            down = down + descent * (ends(down).mean(axis=0) - down)
        return np.tensordot(share, pairs, 2) - down

    def fault(got, gradient, n, w, eta, different):
        pairs = n * (n - 1) if different else n**2
        return (
            f"gave {short(got)}, which is not right. There are {pairs} pairs, all equally "
            "likely, and the second gradient is taken where the first step ended."
        )

    praise = "Sixteen cases, exactly; none of the biases is zero."
    return Exercise(praise, function=Function(
        right, cases, {
            lambda *case: -right(*case): "the sign is turned: it is the stochastic mean "
                "minus descent.",
            lambda *case: right(*case[:4], not case[4]): "this is the bias of the other "
                "kind of pairs.",
            lambda *case: 0 * right(*case): "it is zero; is the second gradient taken "
                "where the first step ended, and then averaged?",
            partial(right, steps=1): "the mean over the pairs is compared with one step "
                "of descent, not two.",
            lambda *case: right(*case, descent=case[1]): "a step of descent takes the "
                "mean of the gradients, not their sum.",
            lambda *case: right(*case, steps=0) + case[2]: "this is the mean of w(2) "
                "itself, and nothing is taken away from it.",
        },
        "",
        lambda g, n, w, eta, different: f"For {n} examples, eta = {eta:g} and "
            f"different={different}",
        ("",), "{tried} you return {got}: {said}", fault, rtol=1e-7,
    ))  # fmt: skip


@exercise
def one_pass():
    def cases():
        for lambda_, eta in ((0.5, 0.15), (2.0, 0.01), (0.0, 1.0)):
            yield Gradient(3, n=20), 20, np.array([1.0, -2.0]), eta, lambda_

    def shrinking(shrink):
        """A pass in which each step shrinks w in the same way."""

        def a_pass(g, n, w, eta, lambda_):
            return run(g, range(n), w, shrink(lambda_, eta), steps=constant(eta))

        return a_pass

    def apart(before=0.0, after=0.0, end=0.0, part=1.0, inside=0.0):
        """A pass that takes the gradient and the penalty at different points."""

        def a_pass(gradient, n, w, eta, lambda_):
            share = 2 * eta * lambda_ / n
            for i in range(n):
                w = w - share * before * w
                w = w - eta * part * gradient(w, i) - share * inside * w
                w = w - share * after * w
            return w - share * end * w

        return a_pass

    divided = "the gradients are divided by n, but the objective has their sum"
    slips = {
        apart(after=1): "the penalty is taken after the step; take both at the same w",
        apart(before=1): "the penalty is taken before the gradient; take both at the same "
            "w",
        apart(end=20): "the penalty is applied once, at the end of the pass; each update "
            "needs both parts",
        apart(part=1 / 20, inside=1): divided,
        apart(part=1 / 20, inside=20): f"{divided}, and the penalty once",
        shrinking(lambda lambda_, eta: 2 * lambda_): "one pass applies the whole penalty "
            "twenty times",
        shrinking(lambda lambda_, eta: 2 * lambda_ / 20 / eta): "the penalty is not "
            "multiplied by eta",
        shrinking(lambda lambda_, eta: 2 * lambda_ / eta): "the penalty is not multiplied "
            "by eta, and not divided",
        shrinking(lambda lambda_, eta: lambda_ / 20): "the gradient of lambda |w|^2 has a "
            "factor 2",
        shrinking(lambda lambda_, eta: lambda_): "the gradient of lambda |w|^2 has a "
            "factor 2, and one pass applies the penalty twenty times",
        shrinking(lambda lambda_, eta: 0.0): "the penalty is missing",
        shrinking(lambda lambda_, eta: -2 * lambda_ / 20): "the penalty pushes w away "
            "from zero",
    }  # fmt: skip
    praise = "Three passes, each as it should be: each point has its share of the penalty."
    return Exercise(praise, function=Function(
        shrinking(lambda lambda_, eta: 2 * lambda_ / 20), cases, slips, "Update once for "
            "each i, in order, at the newest w.",
        lambda g, n, w, eta, lambda_: f"With lambda = {lambda_:g} and eta = {eta:g}", ("a "
            "pass",),
        "{tried} a pass over 20 examples goes to {got}: {said}. Where would such passes "
        "end?",
    ))  # fmt: skip


@exercise
def schedules():
    def string(right, name, asks, hints):
        def judge(answer):
            known = isinstance(answer, str) and set(answer.lower()) <= set("abcdef, ")
            refuse(
                (
                    not known,
                    f"Give letters from a to f in a string; this is {short(answer)}.",
                )
            )
            given = set(answer.lower()) - set(", ")
            wrong = sorted(given ^ set(right))
            refuse(
                (len(wrong) > 1, f"In {name} {len(wrong)} of the six letters are wrong or "
                 f"missing. Ask of each sequence: {asks}"),
                *((True, f"({q}) {'is' if q in given else 'is not'} in {name}. Think "
                    f"again: {hints[q]}") for q in wrong),
            )  # fmt: skip

        return Answer(right, judge)

    return Exercise(
        "For two of them the mean square tends to zero without both conditions.",
        mean_square=string("abce", "the first string", "Does the step tend to zero, and "
            "is the sum of all steps infinite?", {
            "a": "3/(t+10) lies between 1/(4t) and 3/t.",
            "b": "which of the two conditions of the theorem would it violate?",
            "c": "compare the sum of t^(-0.6) with an integral.",
            "d": "the sum of all steps is 1, so how much of the start remains?",
            "e": "it tends to zero, slowly, and it is larger than 1/t; a run can look "
            "stuck.",
            "f": "every second step lets in the same amount of noise, for ever.",
        }),
        both=string("ac", "the second string", "Is the sum of the steps infinite, and "
            "that of their squares finite?", {
            "a": "its squares are at most 9/t^2, and its sum is at least that of 1/(4t).",
            "b": "its squares are 1/(t+1).",
            "c": "its squares are t^(-1.2).",
            "d": "how far can steps with the sum 1 reach?",
            "e": "1/(1+ln t) is larger than 1/sqrt(t) from some t on.",
            "f": "infinitely many of its steps are 1/2.",
        }),
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
        def other(n):
            if what == "certificate" and n <= true:
                return (
                    f", and the gap itself is not small before step {true}. Can a promise "
                    "come before the fact?"
                )
            return (
                " is not right. Are the pixels divided by 16, is the mean image of these "
                "images subtracted, and is eta = 1/L with the lambda in L?"
            )

        return Number(right, {
            right - 1: ": one too few. After how many steps is the test met, if the start "
                "is step 0?",
            right + 1: ": one too many. Steps are counted, and the start is step 0.",
        } | slips, other, "{} for the " + what)  # fmt: skip

    return Exercise(
        f"Certified after {certified} steps; it had been true after {true}.",
        certified=count(certified, "certificate", {
            steps(square / lam): ": the two is lost: the bound is |g|^2 / (2 lambda).",
            steps(np.sqrt(square) / (2 * lam)): ": the length of the gradient is not "
                "squared.",
            steps(np.sqrt(square)): ": the length alone bounds nothing; divide its square.",
        }),
        true=count(true, "gap", {}),
    )  # fmt: skip


@checker
def fair_orders(a, c, w):
    a, c = (numbers(v, (3,), f"{name}, three numbers") for v, name in ((a, "a"), (c, "c")))
    w = number(w, "w, one number")
    g = a * w - c
    refuse((a.min() <= 0, f"Your a are {short(a)}. All three must be above zero."))
    for values, name in ((a, "curvatures"), (g, "slopes at w")):
        close = np.diff(np.sort(values)).min() <= 1e-6 * np.abs(values).max()
        refuse((close, f"Your {name} are {short(values)}; no two may be equal."))
    sizes = np.abs(a).max(), np.abs(g).max()
    extreme = max(sizes) > 1e100 or min(sizes) < 1e-100
    refuse((extreme, "Numbers below 1e100 and above 1e-100 will do."))
    da, dg = a - a.mean(), g - g.mean()
    bias = -(da @ dg) / 6
    refuse((abs(bias) > 1e-9 * np.abs(da).max() * np.abs(dg).max(), "The slopes at w are "
        f"{short(g)}, and with eta = 1 two different examples end at {bias:.6g} from "
        "where they should, on average. Which covariance must be zero?"))  # fmt: skip
    return "Two different examples, in all six orders, end on average where descent does."
