"""Data, right answers and slips of the checkers on stochastic gradient descent."""

from copy import copy
from functools import cache

import numpy as np

from mlcore import losses
from mlcore.data import digits
from mlcore.logistic import logistic
from mlcore.optim import StepSize, constant, gradient_descent, sgd


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


class Named(StepSize):
    """Step sizes that a reply can name."""

    def __repr__(self):
        return f"steps(t) = {self.eta:g}{' / t' * (self.p > 0)}"


STEPS = (Named(0.5, 0.0), Named(2.0, 1.0))


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


def other_runs(gradient, w0, steps, order):
    """(end of the run, what is said) of each slip."""
    return (
        (along(gradient, w0, steps, order, later=1), "starts at t = 2"),
        (along(gradient, w0, steps, order, later=-1), "takes each step with the size of "
         "the one before"),
        (run(gradient, order, w0, steps=constant(steps.eta)),
         "uses the first size for all steps"),
        (run(gradient, order[::-1], w0, steps=steps), "goes through the order from its "
         "end"),
        (run(gradient, range(6), w0, steps=steps), "ignores the order that it is given"),
        (along(gradient, w0, steps, order, sign=1), "goes uphill: what is the sign of a "
         "step"),
        (at_start(gradient, w0, steps, order), "takes all gradients at w0"),
    )  # fmt: skip


def along(gradient, w, steps, order, sign=-1, later=0):
    for t, i in enumerate(order, start=1):
        w = w + sign * steps(max(t + later, 1)) * gradient(w, i)
    return w


def at_start(gradient, w0, steps, order):
    return w0 - sum(steps(t) * gradient(w0, i) for t, i in enumerate(order, start=1))


def path(gradient, w0, eta, order):
    """The start and the point after each step."""
    points = [w0]
    for i in order:
        points.append(points[-1] - eta * gradient(points[-1], i))
    return np.array(points)


def other_means(points, skip):
    """(mean of points, what is said) of each slip."""
    return (
        (points[-1], "is the last point, not the mean"),
        (points.mean(axis=0), "is the mean of all points, the start among them"),
        (points[1:].mean(axis=0), "is the mean of all points: leave out the first skip of "
         "them"),
        (points[skip:].mean(axis=0), "takes one point too many: with skip = 0 the start is "
         "already left out"),
        (points[skip + 2 :].mean(axis=0), "takes one point too few"),
        (points[skip + 1 :].sum(axis=0) / (len(points) - 1), "is a sum divided by the "
         "number of all steps, and fewer points were added"),
        (points[skip + 1 :].sum(axis=0), "is the sum of the points"),
    )  # fmt: skip


def bias_after_two(gradient, n, w, eta, different, steps=2, descent=1):
    def ends(w):
        return np.array([w - eta * gradient(w, i) for i in range(n)])

    pairs = np.array([ends(first) for first in ends(w)])
    share = np.full((n, n), 1 / n**2)
    if different:
        share = (1 - np.eye(n)) / (n * (n - 1))
    down = w
    for _ in range(steps):
        down = down + descent * (ends(down).mean(axis=0) - down)
    return np.tensordot(share, pairs, 2) - down


def other_biases(gradient, n, w, eta, different):
    """(bias, what is said) of each slip."""
    want = bias_after_two(gradient, n, w, eta, different)
    return (
        (-want, "the sign is turned: it is the stochastic mean minus descent."),
        (bias_after_two(gradient, n, w, eta, not different), "this is the bias of the "
         "other kind of pairs."),
        (0 * want, "it is zero; is the second gradient taken where the first step ended, "
         "and then averaged?"),
        (bias_after_two(gradient, n, w, eta, different, 1), "the mean over the pairs is "
         "compared with one step of descent, not two."),
        (bias_after_two(gradient, n, w, eta, different, descent=n), "a step of descent "
         "takes the mean of the gradients, not their sum."),
        (bias_after_two(gradient, n, w, eta, different, 0) + w, "this is the mean of w(2) "
         "itself, and nothing is taken away from it."),
    )  # fmt: skip


def other_passes(gradient, w, eta, lambda_):
    """(end of a pass over 20 examples, what is said) where the penalty is wrong."""
    factors = (
        (2 * lambda_, "one pass applies the whole penalty twenty times"),
        (2 * lambda_ / 20 / eta, "the penalty is not multiplied by eta"),
        (2 * lambda_ / eta, "the penalty is not multiplied by eta, and not divided"),
        (lambda_ / 20, "the gradient of lambda |w|^2 has a factor 2"),
        (lambda_, "the gradient of lambda |w|^2 has a factor 2, and one pass applies the "
         "penalty twenty times"),
        (0.0, "the penalty is missing"),
        (-2 * lambda_ / 20, "the penalty pushes w away from zero"),
    )  # fmt: skip
    for shrink, sentence in factors:
        yield run(gradient, range(20), w, shrink, steps=constant(eta)), sentence


def penalty_apart(gradient, w, eta, share):
    """Passes that take the gradient and the penalty at different points, and why."""

    def a_pass(w, before=0.0, after=0.0, end=0.0, part=1.0, inside=0.0):
        for i in range(20):
            w = w - eta * 2 * before * w
            w = w - eta * (part * gradient(w, i) + 2 * inside * w)
            w = w - eta * 2 * after * w
        return w - eta * 2 * end * w

    return (
        (a_pass(w, after=share), "the penalty is taken after the step; take both at the "
         "same w"),
        (a_pass(w, before=share), "the penalty is taken before the gradient; take both at "
         "the same w"),
        (a_pass(w, end=20 * share), "the penalty is applied once, at the end of the pass; "
         "each update needs both parts"),
        (a_pass(w, part=1 / 20, inside=share), "the gradients are divided by n, but the "
         "objective has their sum"),
        (a_pass(w, part=1 / 20, inside=20 * share), "the gradients are divided by n, but "
         "the objective has their sum, and the penalty once"),
    )  # fmt: skip


CONVERGES = {
    "a": "3/(t+10) lies between 1/(4t) and 3/t",
    "b": "which of the two conditions of the theorem would it violate?",
    "c": "compare the sum of t^(-0.6) with an integral",
    "d": "the sum of all steps is 1, so how much of the start remains?",
    "e": "it tends to zero, slowly, and it is larger than 1/t; a run can look stuck",
    "f": "every second step lets in the same amount of noise, for ever",
}
MEETS_BOTH = {
    "a": "its squares are at most 9/t^2, and its sum is at least that of 1/(4t)",
    "b": "its squares are 1/(t+1)",
    "c": "its squares are t^(-1.2)",
    "d": "how far can steps with the sum 1 reach?",
    "e": "1/(1+ln t) is larger than 1/sqrt(t) from some t on",
    "f": "infinitely many of its steps are 1/2",
}


@cache
def descent_on_digits():
    """The steps until certified and until true, and those of some slips."""
    data, lam = digits(negative=1, positive=7), 0.01
    X, y, n = (data.X - data.X.mean(axis=0)) / 16, data.y, len(data.y)
    L = np.linalg.eigvalsh(X.T @ X / n)[-1] / 4 + lam

    def J(w):
        return losses.logistic.value(y * (X @ w)).mean() + lam / 2 * w @ w

    def full(w):
        return X.T @ (y * losses.logistic.slope(y * (X @ w))) / n + lam * w

    low = J(logistic(X, y, lambda_=lam, bias=False).w)
    run = gradient_descent(J, full, np.zeros(64), eta=1 / L, max_steps=200, tol=0.0)
    square = np.array([full(w) @ full(w) for w in run.path])
    tests = {
        "certified": square / (2 * lam),
        "true": run.values - low,
        "the two is lost: the bound is |g|^2 / (2 lambda)": square / lam,
        "the length of the gradient is not squared": np.sqrt(square) / (2 * lam),
        "the length alone bounds nothing; divide its square": np.sqrt(square),
    }
    return {name: int(np.argmax(values <= 1e-3)) for name, values in tests.items()}
