"""Checkers for the exercises of the chapter on logistic regression."""

import numpy as np
import sympy as sp

from mlcore import losses
from mlcore.book.exercises import NotYet, call, checker, compare, numbers, short
from mlcore.logistic import logistic
from mlcore.solvers.likelihood import MeanLoss


@checker
def odds(answer):
    center, factor, chance = numbers(answer, (3,), "three numbers")
    where = "w = 0.8 per pixel and b = -12"
    compare(center, 15, f"With {where} your center", "There the score is zero.", 1e-3)
    hint = "The log-odds rise by 0.8 a pixel. What does a sum of logarithms do to the odds?"
    compare(factor, np.exp(0.8), "Your factor", hint, 1e-3)
    compare(chance, 0.832018, "Your probability at 17", "The score there is 1.6.", 1e-3)
    return "One half at 15 pixels; each pixel multiplies the odds by 2.226; 0.832 at 17."


@checker
def log_loss(answer):
    z = np.array([-800.0, -30.0, -1.5, 0.0, 0.5, 40.0, 800.0])
    with np.errstate(all="ignore"):
        value, slope = call(answer, z)
    value = np.asarray(value, float)
    if value.shape != z.shape or not np.isfinite(value).all():
        raise NotYet(
            f"For margins from -800 to 800 the loss came out as {short(value)}. Which "
            "exponential overflows? There is a function of NumPy for ln(e^a + e^c)."
        )
    hint = "Compare with ln(1 + exp(-z)) by hand for z = 0 and z = 40."
    compare(value, losses.logistic.value(z), "The loss", hint)
    compare(value[5], losses.logistic.value(40.0), "The loss at 40", "1 + 1e-18 is 1.")
    hint = "The slope is -sigma(-z): near -1 on the left, near 0 on the right."
    compare(slope, losses.logistic.slope(z), "The slope", hint)
    hint = "Subtracting from 1 loses the small numbers."
    compare(np.asarray(slope)[5], losses.logistic.slope(40.0), "The slope at 40", hint)
    return "Value and slope, from -800 to 800."


@checker
def below_one(answer):
    if any(part is ... for part in answer):
        raise NotYet("Replace the dots with a margin and a base.")
    try:
        place, base = (complex(sp.N(sp.sympify(part))) for part in answer)
    except (TypeError, ValueError, sp.SympifyError):
        raise NotYet(
            f"Give a pair, the margin and the base; this is {short(answer)}."
        ) from None
    place, base = numbers([place.real, base.real], (2,), "a pair of numbers")
    tried = f"ln(1 + exp(-z)) at z = {place:.4f}"
    compare(np.logaddexp(0, -place), 1.0, tried, "Solve it for the value 1.", 1e-6)
    if base <= 1:
        raise NotYet(f"A base of {base:.4g} makes the loss negative or undefined.")
    at_zero = np.log(2) / np.log(base)
    if not np.isclose(at_zero, 1, rtol=1e-6):
        word = "above 1, so a smaller loss" if at_zero > 1 else "below 1, so no bound"
        raise NotYet(
            f"With base {base:.4g} the loss at z = 0 is {at_zero:.4f}, {word}. What should "
            "it be where the step is?"
        )
    return "ln passes 1 at -ln(e - 1), and base 2 makes the loss touch the step at 0."


def _cases():
    rng = np.random.default_rng(3)
    for d in (1, 2, 4):
        X = rng.normal(size=(60, d))
        score = X @ rng.normal(size=d)
        t = (rng.random(60) < 1 / (1 + np.exp(-score))).astype(float)
        yield X, t, 0.3 * rng.normal(size=d)


@checker
def gradient(answer):
    for X, t, w in _cases():
        v = np.append(w, 0.4)
        J = MeanLoss(X, 2 * t - 1, np.zeros(len(w)))
        want = J.gradient(v)
        got = numbers(call(answer, X, t, w, 0.4), want.shape, "the d + 1 derivatives")
        if np.allclose(got, -want):
            rise = J.value(v - 0.1 * got) - J.value(v)
            raise NotYet(
                f"Against your gradient the loss rises by {rise:.4f}. What is subtracted "
                "from what?"
            )
        if np.allclose(got, len(t) * want):
            raise NotYet("This is the gradient of the sum; the loss is a mean.")
        compare(got, want, f"With d = {len(w)} it", "Each example gives (s - t) (x, 1).")
    return "Three data sets, and the gradient that the fit uses."


@checker
def newton_step(answer):
    for X, t, w in _cases():
        J = MeanLoss(X, 2 * t - 1, np.zeros(len(w)))
        want = w - np.linalg.solve(J.hessian(w), J.gradient(w))
        got = numbers(call(answer, X, t, w), want.shape, "the new w (d,)")
        hint = "The weights s (1 - s) go into the sum of squares, and into the responses."
        compare(got, want, f"From {short(w)} it", hint, 1e-8)
    return "Three data sets; the weighted least squares step is the Newton step."


@checker
def tiny_loss(answer):
    w = numbers(answer, (2,), "w, a pair of numbers")
    X = np.array([[1.0, 0.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, 1.0]])
    z = np.array([1.0, 1.0, -1.0, -1.0]) * (X @ w)
    length, loss = np.linalg.norm(w), losses.logistic.value(z).mean()
    if length > 15:
        raise NotYet(f"The length of w is {length:.4g}, and 15 is allowed.")
    if z.min() <= 0:
        raise NotYet(f"w = {short(w)} does not separate: the margins are {short(z)}.")
    if loss >= 1e-6:
        raise NotYet(
            f"The mean log loss is {loss:.3g}, the smallest margin {z.min():.4g}. Which "
            "direction gives the largest smallest margin for its length?"
        )
    return f"Mean log loss {loss:.2g} at length {length:.4g}; longer would be smaller."


@checker
def lda_rule(answer):
    rng = np.random.default_rng(4)
    for d, prior in ((1, 0.5), (2, 0.2), (3, 0.9)):
        m_minus, m_plus = rng.normal(size=(2, d))
        root = rng.normal(size=(d + 3, d))
        Sigma = root.T @ root / 3
        w, b = call(answer, m_minus, m_plus, Sigma, prior)
        want = np.linalg.solve(Sigma, m_plus - m_minus)
        hint = "It is the inverse of the covariance times a difference of means."
        compare(w, want, f"In {d} dimensions, w", hint, 1e-8)
        want_b = np.log(prior / (1 - prior)) - (m_plus + m_minus) @ want / 2
        hint = "What is the score halfway between the means, if the classes are not equal?"
        compare(b, want_b, f"With prior {prior:g}, b", hint, 1e-8)
    return "Three dimensions, three priors."


@checker
def standard_errors(answer):
    rng = np.random.default_rng(6)
    for n in (80, 320):
        X = rng.normal(size=(n, 2))
        y = np.where(rng.random(n) < 1 / (1 + np.exp(-X[:, 0])), 1.0, -1.0)
        fit = logistic(X, y)
        H = MeanLoss(X, y, np.zeros(2)).hessian(np.append(fit.w, fit.b))
        want = np.sqrt(np.diag(np.linalg.inv(n * H)))
        got = numbers(call(answer, X, fit.w, fit.b), (3,), "three standard errors")
        hint = "Is your Hessian that of the sum of the losses, bias included?"
        compare(got, want, f"With {n} examples it", hint, 1e-8)
    return "Right for 80 examples and for 320: four times the data, half the error."
