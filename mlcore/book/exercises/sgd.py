"""Checkers for the exercises of the chapter on stochastic gradient descent."""

from copy import copy

import numpy as np

from mlcore import losses
from mlcore.book.exercises import NotYet, call, checker, compare, numbers, short
from mlcore.optim import constant, power, sgd


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


def _run(gradient, order, w0, shrink=0.0, **options):
    """The steps of mlcore, along these examples in this order."""
    gradient = copy(gradient)
    gradient.order, gradient.shrink = order, shrink
    return sgd(gradient, len(order), w0, **options).w


@checker
def my_sgd(answer):
    for seed in range(5):
        gradient = Gradient(seed)
        rng = np.random.default_rng(seed)
        w0, order = rng.normal(size=2), rng.integers(6, size=9).tolist()
        kept = w0.copy()
        for steps, name in (
            (constant(0.5), "constant"),
            (power(2.0, 1.0), "decreasing"),
        ):
            got = call(answer, gradient, w0, steps, order)
            if got is w0 or not np.array_equal(w0, kept):
                raise NotYet("It changed or returned w0 itself. Work on a copy.")
            want = _run(gradient, order, w0, steps=steps)
            compare(got, want, f"With {name} steps and 9 draws it", "Is the size of "
                    "the first step steps(1), of the second steps(2), and is each "
                    "gradient taken at the newest w?")  # fmt: skip
    return "Ten runs with repeated draws, each equal to mlcore's."


@checker
def two_step_bias(answer):
    for seed in range(4):
        gradient = Gradient(seed, n=3 + seed)
        w = np.random.default_rng(seed).normal(size=2)
        for eta in (2.0, 0.5):
            want = _two_step_bias(gradient, 3 + seed, w, eta)
            got = call(answer, gradient, 3 + seed, w, eta)
            compare(got, want, f"For {3 + seed} examples and eta = {eta:g} it",
                    f"There are {(3 + seed) ** 2} pairs, all equally likely, and the "
                    "second gradient is taken where the first step ended.",
                    rtol=1e-7)  # fmt: skip
    size = np.abs(_two_step_bias(Gradient(0, n=3), 3, np.ones(2), 2.0)).max()
    return (
        f"Eight cases, exactly. The difference is no rounding: {size:.4f} in one of them."
    )


def _two_step_bias(gradient, n, w, eta):
    def ends(w):
        return np.array([w - eta * gradient(w, i) for i in range(n)])

    both = np.mean([ends(first) for first in ends(w)], axis=(0, 1))
    return both - ends(ends(w).mean(axis=0)).mean(axis=0)


@checker
def best_step(answer):
    threshold, fastest = numbers(answer, (2,), "two step sizes")
    bend = np.array([9.0, 1.0])
    if not np.isclose(threshold, 2 / 9, rtol=1e-3):
        factors = 1 - threshold * bend
        raise NotYet(
            f"At the step size {threshold:.4g} the coordinates are multiplied by "
            f"{factors[0]:.4g} and {factors[1]:.4g}. At the threshold, which factor "
            "just reaches 1 in absolute value?"
        )
    worst = np.abs(1 - fastest * bend).max()
    if not np.isclose(fastest, 0.2, rtol=1e-3):
        raise NotYet(
            f"With {fastest:.4g} the slower coordinate keeps {worst:.4g} of its error in "
            "a step. Can both coordinates be made to shrink by the same factor?"
        )
    return "Below 2/9 it converges; with 1/5 both errors shrink by the factor 0.8."


@checker
def schedules(answer):
    if not isinstance(answer, str) or not set(answer.lower()) <= set("abcde, "):
        raise NotYet(f"Give letters from a to e in a string; this is {short(answer)}.")
    given = set(answer.lower()) - set(", ")
    hints = {
        "a": "3/(t+10) is between 1/(4t) and 3/t",
        "b": "the squares of 1/sqrt(t+1) are 1/(t+1)",
        "c": "compare the sums of t^(-0.6) and of t^(-1.2) with integrals",
        "d": "the sum of 2^(-t) is 1, so how far can the steps reach?",
        "e": "1/(1+ln t) is larger than 1/sqrt(t) from some t on",
    }
    for letter in sorted(given ^ set("ac")):
        verb = "is in your answer" if letter in given else "is not in your answer"
        raise NotYet(f"({letter}) {verb}. Think again: {hints[letter]}.")
    return "Both sums are as wanted for 3/(t+10) and t^(-0.6), and for no other."


@checker
def batch_size(answer):
    sizes = numbers(answer, (2,), "two batch sizes")
    wants = (400, 286)
    ways = ("drawn independently", "drawn without replacement")
    for size, want, way, apart in zip(sizes, wants, ways, (False, True), strict=True):
        if not 1 <= size <= 1000 or size != round(size):
            raise NotYet(f"A batch size is an integer from 1 to 1000; got {size:g}.")
        factor = (1000 - size) / 999 if apart else 1.0
        if size != want:
            few = "more than 0.01" if size < want else "but a smaller batch also does"
            raise NotYet(
                f"{way.capitalize()}, {size:g} examples have the variance "
                f"{4 / size * factor:.5f}, {few}. Which formula belongs to this way?"
            )
    return "400 independent examples; 286 suffice if none is drawn twice."


@checker
def one_pass(answer):
    gradient, order = Gradient(3, n=20), range(20)
    for lambda_, eta in ((0.5, 0.1), (2.0, 0.01), (0.0, 1.0)):
        w, a_point = np.array([1.0, -2.0]), {"steps": constant(eta)}
        got = numbers(call(answer, gradient, 20, w, eta, lambda_), (2,), "back w (d,)")
        slips = (
            (2 * lambda_, "one pass applies the whole penalty twenty times"),
            (2 * lambda_ / 20 / eta, "the penalty is not multiplied by eta"),
            (lambda_ / 20, "the gradient of lambda |w|^2 has a factor 2"),
            (0.0, "the penalty is missing"),
        )
        for shrink, slip in slips:
            if lambda_ and np.allclose(got, _run(gradient, order, w, shrink, **a_point)):
                raise NotYet(
                    f"With lambda = {lambda_:g} and eta = {eta:g} a pass over 20 examples "
                    f"goes to {short(got)}: {slip}. Where would such passes end?"
                )
        compare(got, _run(gradient, order, w, 2 * lambda_ / 20, **a_point),
                f"With lambda = {lambda_:g} and eta = {eta:g} a pass",
                "Update once for each i, in order, at the newest w.")  # fmt: skip
    return "Three passes, each as it should be: each point has its share of the penalty."


@checker
def averaged(answer):
    for seed in range(5):
        gradient = Gradient(seed)
        rng = np.random.default_rng(seed)
        w0, order = rng.normal(size=2), rng.integers(6, size=7).tolist()
        want = _run(gradient, order, w0, steps=constant(0.5), average=True)
        got = call(answer, gradient, w0, 0.5, order)
        last = _run(gradient, order, w0, steps=constant(0.5))
        if np.shape(got) == (2,) and np.allclose(got, last):
            raise NotYet("It returned the last point, not the mean of all.")
        compare(got, want, "After 7 steps it", "Each of the seven points after the "
                "start has the weight 1/7, and the start has none.")  # fmt: skip
    return "Five runs, each equal to mlcore's average."
