"""Checkers for the exercises of the chapter on stochastic gradient descent."""

from copy import copy
from functools import cache

import numpy as np

from mlcore import losses
from mlcore.book.exercises import NotYet, call, checker, compare, numbers, short, tidy
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


def _run(gradient, order, w0, shrink=0.0, **options):
    """The steps of mlcore, along these examples in this order."""
    gradient = copy(gradient)
    gradient.order, gradient.shrink = order, shrink
    return sgd(gradient, len(order), w0, **options).w


def _one(answer, what):
    """One finite number, else NotYet."""
    return float(numbers(answer, (), what))


def _seen_as(got, slips):
    """The sentence of the first slip whose answer this is, else None."""
    for answer, sentence in slips:
        if np.shape(got) == np.shape(answer) and np.allclose(got, answer):
            return sentence
    return None


@checker
def by_hand(one_step, independent, different):
    names = ("the mean after one step", "the mean of four", "the mean of two orders")
    wants, came = (0.25, 0.1875, 0.75), []
    for answer, name in zip((one_step, independent, different), names, strict=True):
        came.append(_one(answer, f"{name}, one number"))
    first, four, two = came
    slips = (
        (first, -0.25, "step goes against the slope: w - eta J'"),
        (first, 0.5, "mean is half the sum of -1/2 and the other end"),
        (two, 1.5, "mean is over both orders, 1, 2 and 2, 1"),
        (two, 0.0, "mean is over both orders, 1, 2 and 2, 1"),
        (four, 0.75, "mean of four takes all four pairs, 1, 1 and 2, 2 as well"),
    )
    for answer, slip, sentence in slips:
        if abs(answer - slip) < 1e-3:
            raise NotYet(f"You give {tidy(answer)}. The {sentence}.")
    hints = (
        "Where does each of the two examples send w = 0?",
        "Make a table of four rows, as the text does. At which w is the second slope?",
        "Only the rows in which the two examples differ count.",
    )
    for answer, want, name, hint in zip(came, wants, names, hints, strict=True):
        if abs(answer - want) > 0.0005 + 1e-9:
            raise NotYet(f"For {name} you give {tidy(answer)}, not right. {hint}")
    return "Independent draws agree with gradient descent, and the two orders do not."


@checker
def best_step(threshold, fastest):
    threshold = _one(threshold, "the threshold, one number")
    fastest = _one(fastest, "the fastest step size, one number")
    bend = np.array([9.0, 1.0])
    if abs(threshold - 2 / 9) > 0.0005 + 1e-9:
        factors = 1 - threshold * bend
        raise NotYet(
            f"At the step size {threshold:.4g} the coordinates are multiplied by "
            f"{factors[0]:.4g} and {factors[1]:.4g}. At the threshold, which factor "
            "just reaches 1 in absolute value?"
        )
    factors = np.abs(1 - fastest * bend)
    if abs(fastest - 0.2) > 0.0005 + 1e-9:
        raise NotYet(
            f"With {fastest:.4g} the two errors are multiplied by {factors[0]:.4g} and "
            f"{factors[1]:.4g} in absolute value, and the larger counts. Can both "
            "coordinates be made to shrink by the same factor?"
        )
    return "Below 2/9 it converges; with 1/5 both errors shrink by the factor 0.8."


@checker
def my_sgd(function):
    for seed in range(5):
        gradient, rng = Gradient(seed), np.random.default_rng(seed)
        w0, order = rng.normal(size=2), rng.integers(6, size=9).tolist()
        for steps in STEPS:
            got = numbers(call(function, gradient, w0, steps, order), (2,), "back w (d,)")
            slips = (
                (_along(gradient, w0, steps, order, later=1), "starts at t = 2"),
                (_along(gradient, w0, steps, order, later=-1), "takes each step with the "
                 "size of the one before"),
                (_run(gradient, order, w0, steps=constant(steps.eta)),
                 "uses the first size for all steps"),
                (_run(gradient, order[::-1], w0, steps=steps), "goes through the order "
                 "from its end"),
                (_run(gradient, range(6), w0, steps=steps), "ignores the order that it is "
                 "given"),
                (_along(gradient, w0, steps, order, sign=1), "goes uphill: what is the "
                 "sign of a step"),
                (_at_start(gradient, w0, steps, order), "takes all gradients at w0"),
            )  # fmt: skip
            want = _run(gradient, order, w0, steps=steps)
            slip = None if np.allclose(got, want) else _seen_as(got, slips)
            if slip:
                raise NotYet(f"With {steps!r} your run {slip}.")
            compare(got, want, f"With {steps!r} and 9 draws it", "Is the "
                    "size of the first step steps(1), of the second steps(2), and is each "
                    "gradient taken at the newest w?")  # fmt: skip
    return "Ten runs with repeated draws, each equal to mlcore's."


def _along(gradient, w, steps, order, sign=-1, later=0):
    for t, i in enumerate(order, start=1):
        w = w + sign * steps(max(t + later, 1)) * gradient(w, i)
    return w


def _at_start(gradient, w0, steps, order):
    return w0 - sum(steps(t) * gradient(w0, i) for t, i in enumerate(order, start=1))


@checker
def averaged(function):
    for seed in range(5):
        gradient, rng = Gradient(seed), np.random.default_rng(seed)
        w0, order = rng.normal(size=2), rng.integers(6, size=9).tolist()
        points = [w0]
        for i in order:
            points.append(points[-1] - 0.5 * gradient(points[-1], i))
        points = np.array(points)
        for skip in (0, 4):
            got = call(function, gradient, w0, 0.5, order, skip)
            got = numbers(got, (2,), "back the mean (d,)")
            want = points[skip + 1 :].mean(axis=0)
            slips = (
                (points[-1], "is the last point, not the mean"),
                (points.mean(axis=0), "is the mean of all points, the start among them"),
                (points[1:].mean(axis=0), "is the mean of all points: leave out the first "
                 "skip of them"),
                (points[skip:].mean(axis=0), "takes one point too many: with skip = 0 the "
                 "start is already left out"),
                (points[skip + 2 :].mean(axis=0), "takes one point too few"),
                (points[skip + 1 :].sum(axis=0) / len(order), "is a sum divided by the "
                 "number of all steps, and fewer points were added"),
                (points[skip + 1 :].sum(axis=0), "is the sum of the points"),
            )  # fmt: skip
            slip = None if np.allclose(got, want) else _seen_as(got, slips)
            if slip:
                raise NotYet(f"With 9 steps and skip = {skip} what you return {slip}.")
            hint = (
                "Is the mean over the points after the steps skip + 1, ..., 9, each with "
                "the same weight?"
            )
            compare(got, want, f"With 9 steps and skip = {skip} it", hint)
    return "Ten runs, each the mean of just those points."


@checker
def two_step_bias(function):
    for seed in range(4):
        n = 3 + seed
        gradient, w = Gradient(seed, n=n), np.random.default_rng(seed).normal(size=2)
        for eta in (2.0, 0.5):
            wants = {flag: _two_step_bias(gradient, n, w, eta, flag) for flag in (0, 1)}
            for different in (False, True):
                got = call(function, gradient, n, w, eta, different)
                got, want = numbers(got, (2,), "back (d,)"), wants[different]
                what = f"For {n} examples, eta = {eta:g} and different={different}"
                slips = (
                    (-want, "the sign is turned: it is the stochastic mean minus descent"),
                    (wants[not different], "this is the bias of the other kind of pairs"),
                    (0 * want, "it is zero; is the second gradient taken where the first "
                     "step ended, and then averaged?"),
                    (_two_step_bias(gradient, n, w, eta, different, 1), "the mean over the "
                     "pairs is compared with one step of descent, not two"),
                    (_two_step_bias(gradient, n, w, eta, different, descent=n), "a step of "
                     "descent takes the mean of the gradients, not their sum"),
                    (_two_step_bias(gradient, n, w, eta, different, 0) + w, "this is the "
                     "mean of w(2) itself, and nothing is taken away from it"),
                )  # fmt: skip
                close = np.allclose(got, want, rtol=1e-7, atol=1e-12)
                slip = None if close else _seen_as(got, slips)
                if slip:
                    end = "" if slip.endswith("?") else "."
                    raise NotYet(f"{what} you return {short(got)}: {slip}{end}")
                pairs = n * (n - 1) if different else n**2
                compare(got, want, what, f"There are {pairs} pairs, all equally likely, "
                        "and the second gradient is taken where the first step ended.",
                        rtol=1e-7)  # fmt: skip
    return "Sixteen cases, exactly; none of the biases is zero."


def _two_step_bias(gradient, n, w, eta, different, steps=2, descent=1):
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


@checker
def one_pass(function):
    gradient, order = Gradient(3, n=20), range(20)
    for lambda_, eta in ((0.5, 0.15), (2.0, 0.01), (0.0, 1.0)):
        w, a_point = np.array([1.0, -2.0]), {"steps": constant(eta)}
        got = numbers(call(function, gradient, 20, w, eta, lambda_), (2,), "back w (d,)")
        shrinks = (
            (2 * lambda_, "one pass applies the whole penalty twenty times"),
            (2 * lambda_ / 20 / eta, "the penalty is not multiplied by eta"),
            (2 * lambda_ / eta, "the penalty is not multiplied by eta, and not divided"),
            (lambda_ / 20, "the gradient of lambda |w|^2 has a factor 2"),
            (lambda_, "the gradient of lambda |w|^2 has a factor 2, and one pass applies "
             "the penalty twenty times"),
            (0.0, "the penalty is missing"),
            (-2 * lambda_ / 20, "the penalty pushes w away from zero"),
        )  # fmt: skip
        want = _run(gradient, order, w, 2 * lambda_ / 20, **a_point)
        if lambda_ and not np.allclose(got, want):
            runs = [(_run(gradient, order, w, s, **a_point), slip) for s, slip in shrinks]
            slip = _seen_as(got, runs)
            apart = _seen_as(got, _penalty_apart(gradient, w, eta, lambda_ / 20))
            if apart:
                raise NotYet(f"With lambda = {lambda_:g} and eta = {eta:g} {apart}.")
            if slip:
                raise NotYet(
                    f"With lambda = {lambda_:g} and eta = {eta:g} a pass over 20 examples "
                    f"goes to {short(got)}: {slip}. Where would such passes end?"
                )
        compare(got, want, f"With lambda = {lambda_:g} and eta = {eta:g} a pass",
                "Update once for each i, in order, at the newest w.")  # fmt: skip
    return "Three passes, each as it should be: each point has its share of the penalty."


def _penalty_apart(gradient, w, eta, share):
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


@checker
def schedules(mean_square, both):
    asked = ((mean_square, "abce", CONVERGES, "the first string"),
             (both, "ac", MEETS_BOTH, "the second string"))  # fmt: skip
    for answer, *_ in asked:
        if not isinstance(answer, str) or not set(answer.lower()) <= set("abcdef, "):
            raise NotYet(f"Give letters from a to f in a string; this is {short(answer)}.")
    for answer, want, hints, name in asked:
        given = set(answer.lower()) - set(", ")
        wrong = sorted(given ^ set(want))
        if len(wrong) > 1:
            asks = (
                "Does the step tend to zero, and is the sum of all steps infinite?",
                "Is the sum of the steps infinite, and that of their squares finite?",
            )
            raise NotYet(
                f"In {name} {len(wrong)} of the six letters are wrong or missing. Ask of "
                f"each sequence: {asks[name != 'the first string']}"
            )
        for letter in wrong:
            verb = "is in" if letter in given else "is not in"
            hint = hints[letter] + "." * (not hints[letter].endswith("?"))
            raise NotYet(f"({letter}) {verb} {name}. Think again: {hint}")
    return "For two of them the mean square tends to zero without both conditions."


@cache
def _descent_on_digits():
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


@checker
def certify(certified, true):
    asked = [_one(a, "a number of steps") for a in (certified, true)]
    counts = _descent_on_digits()
    wants = (counts["certified"], counts["true"])
    if asked[0] < asked[1]:
        raise NotYet(
            f"Your certificate comes after step {tidy(asked[0])}, and the gap itself is "
            f"small after step {tidy(asked[1])}. Can a promise come before the fact?"
        )
    for answer, want, what in zip(asked, wants, ("certificate", "gap"), strict=True):
        if answer == want - 1:
            raise NotYet(
                f"{tidy(answer)} for the {what}: one too few. After how many steps is "
                "the test met, if the start is step 0?"
            )
        if answer == want + 1:
            raise NotYet(
                f"{tidy(answer)} for the {what}: one too many. Steps are counted, and the "
                "start is step 0."
            )
        for slip, count in counts.items():
            if what == "certificate" and answer == count != want and slip != "true":
                raise NotYet(f"{tidy(answer)} for the certificate: {slip}.")
        hint = (
            "Are the pixels divided by 16, is the mean image of these images subtracted, "
            "and is eta = 1/L with the lambda in L?"
        )
        if answer != want:
            raise NotYet(f"{tidy(answer)} steps for the {what} is not right. {hint}")
    return f"Certified after {wants[0]} steps; it had been true after {wants[1]}."


@checker
def fair_orders(a, c, w):
    a, c = (numbers(v, (3,), f"{name}, three numbers") for v, name in ((a, "a"), (c, "c")))
    w = _one(w, "w, one number")
    g = a * w - c
    if a.min() <= 0:
        raise NotYet(f"Your a are {short(a)}. All three must be above zero.")
    for values, name in ((a, "curvatures"), (g, "slopes at w")):
        scale = np.abs(values).max()
        if np.diff(np.sort(values)).min() <= 1e-6 * scale:
            raise NotYet(f"Your {name} are {short(values)}; no two may be equal.")
    sizes = np.abs(a).max(), np.abs(g).max()
    if max(sizes) > 1e100 or min(sizes) < 1e-100:
        raise NotYet("Numbers below 1e100 and above 1e-100 will do.")
    da, dg = a - a.mean(), g - g.mean()
    bias = -(da @ dg) / 6
    if abs(bias) > 1e-9 * np.abs(da).max() * np.abs(dg).max():
        raise NotYet(
            f"The slopes at w are {short(g)}, and with eta = 1 two different examples end "
            f"at {bias:.6g} from where they should, on average. Which covariance must be "
            "zero?"
        )
    return "Two different examples, in all six orders, end on average where descent does."
