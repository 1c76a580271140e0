"""Checkers for the exercises of the chapter on logistic regression."""

import numpy as np

from mlcore import losses
from mlcore.book.exercises import (
    Nothing,
    NotYet,
    call,
    checker,
    compare,
    floats,
    mistaken,
    named,
    near,
    number,
    numbers,
    short,
    tidy,
    truths,
)
from mlcore.book.exercises import logistic_data as data
from mlcore.logistic import sigmoid
from mlcore.solvers.likelihood import MeanLoss


@checker
def odds(answer):
    parts = "the center, the factor and the probability, three numbers"
    center, factor, chance = numbers(answer, (3,), parts)
    if not near(center, 15):
        if near(center, -15):
            raise NotYet("Your center is -15, where the score is -24. Which sign has b?")
        raise NotYet(
            f"At your center, {tidy(center)}, the score is {tidy(0.8 * center - 12)}. "
            "What is the score where the probability is one half?"
        )
    if not near(factor, np.exp(0.8)):
        if abs(factor - np.exp(0.8)) < 0.03:
            raise NotYet(f"Your factor, {tidy(factor)}, is near: compute three decimals.")
        said = named(factor, data.OTHER_FACTORS.items(), same=near)
        said = f" ({said})" if said else ""
        raise NotYet(
            f"Your factor is {tidy(factor)}{said}. The log-odds rise by 0.8 a pixel: what "
            "does adding to a logarithm do to the number itself?"
        )
    if not near(chance, sigmoid(1.6)):
        if near(chance, sigmoid(-1.6)):
            raise NotYet(f"{tidy(chance)} is the probability of the label -1 at 17 pixels.")
        raise NotYet(
            f"Your probability at 17 pixels is {tidy(chance)}. The score there is 1.6; "
            "did you put it into the logistic function, and round to three decimals?"
        )
    return "One half at 15 pixels; each pixel multiplies the odds by 2.226; 0.832 at 17."


@checker
def two_steps(by_gradient, by_newton):
    J = MeanLoss(*data.FOUR, np.zeros(1))
    g, H = J.gradient(np.zeros(2)), J.hessian(np.zeros(2))
    eta, delta = 1 / np.linalg.eigvalsh(H).max(), np.linalg.solve(H, g)
    first = numbers(by_gradient, (2,), "(w, b) after the gradient step, a pair of numbers")
    second = numbers(by_newton, (2,), "(w, b) after the Newton step, a pair of numbers")
    if near(first, -delta) and near(second, -eta * g):
        raise NotYet(
            f"You give {short(first)} and then {short(second)}. Which of the two steps "
            "divides each slope by its own curvature? The gradient step comes first."
        )
    for point, step, name in ((first, eta * g, "gradient"), (second, delta, "Newton")):
        if near(point, -step):
            continue
        slip = named(point, data.other_steps(name, g, eta, delta), same=near) or (
            ", {loss}. At the start every probability is one half: make a table like that "
            "of the text, with four rows for these examples."
        )
        loss = f"with the mean loss {J.value(point):.4f}; the start has 0.6931"
        raise NotYet(
            f"After the {name} step you are at {short(point)}{slip.format(loss=loss)}"
        )
    return (
        "Both go the same way in w; in b the Newton step goes two and a half times as far."
    )


@checker
def log_loss(function):
    with np.errstate(all="ignore"):
        pair = call(function, data.MARGINS)
    if not isinstance(pair, (tuple, list, np.ndarray)) or len(pair) != 2:
        raise NotYet(f"It returned {short(pair)}; return a pair (values, slopes).")
    _nine_digits("losses", pair[0], losses.logistic.value)
    _nine_digits("slopes", pair[1], losses.logistic.slope)
    return "Values and slopes, nine digits of each from -700 to 700."


def _nine_digits(name, answer, right):
    """NotYet unless the answer has nine digits of what is right at the seven margins."""
    coarse = getattr(answer, "dtype", None) in (np.float16, np.float32)
    try:
        got = floats(answer)
    except (TypeError, ValueError):
        raise NotYet(f"The {name} are {short(answer)}, which is not numbers.") from None
    if got.shape != data.MARGINS.shape:
        shape = f"have the shape {got.shape}" if got.shape else "are a single number"
        raise NotYet(f"For 7 margins the {name} {shape}; return one for each.")
    if name == "losses" and np.allclose(got, losses.logistic.slope(data.MARGINS)):
        raise NotYet("The first array holds the slopes; the losses come first.")
    if not np.isfinite(got).all():
        raise NotYet(
            f"For margins from -700 to 700 the {name} came out as {short(got)}. Which "
            "exponential overflows?"
        )
    want = right(data.MARGINS)
    if np.isclose(got, want, rtol=1e-9, atol=0).all():
        return
    raise NotYet(data.fault_of_digits(name, got, right, coarse))


@checker
def gradient(function):
    for X, t, w in data.samples():
        v, tried = np.append(w, 0.4), f"For d = {len(w)} it"
        got = call(function, X, t, w, 0.4)
        if isinstance(got, np.ndarray) and got.shape == (len(w),):
            raise NotYet(f"{tried} returned {len(w)} derivatives; where is b's?")
        got = numbers(got, v.shape, f"back d + 1 = {len(v)} derivatives in one array")
        want = data.mean_gradient(X, t, v)
        slip = named(got, data.other_gradients(X, t, v), want)
        if slip:
            raise NotYet(f"{tried} gave {short(got)}. {slip}")
        hint = "Each example adds (s - t) (x, 1) / n."
        nearly = "Is it float32, rounded, or a difference quotient?"
        compare(got, want, tried, hint, nearly=nearly)
    return "Three data sets, and the gradient that the fit uses."


@checker
def bound(function):
    for X, y, a, want, kind in data.weighted():
        tried = f"For {len(y)} examples and the weights {short(a)}"
        try:
            with np.errstate(all="ignore"):
                got = call(function, X, y, a)
        except Nothing:
            got = None
        if want is not None:
            _is_bound(got, a, want, tried)
        elif got is not None:
            raise NotYet(
                f"{tried} you return {short(got)}. {data.NO_PROOF[kind]} They prove "
                "nothing: return None."
            )
    return "Twelve sets of weights: four bounds, and eight that prove nothing."


def _is_bound(got, a, want, tried):
    """NotYet unless this is the mean entropy of admissible weights."""
    if got is None:
        raise NotYet(
            f"{tried} nothing came back, but they are admissible: all lie between 0 "
            "and 1, and the sums are 0 up to rounding, 1e-9."
        )
    try:
        not_a_number = np.shape(got) == () and np.isnan(float(got))
    except (TypeError, ValueError):
        not_a_number = False
    if not_a_number:
        raise NotYet(f"{tried} it is nan. What should 0 times ln 0 count as?")
    got = number(got, "one number or None")
    if abs(got - want) < 1e-9:
        return
    slip = named(got, data.other_entropies(a, want)) if want else None
    if slip:
        raise NotYet(f"{tried} you return {slip.format(tidy(got))}")
    nearly = "Is it float32, rounded, or are weights moved away from 0 and 1?"
    compare(got, want, f"{tried} it", "The bound is the mean of ent(a).", 1e-8, nearly)


@checker
def same_probabilities(stays):
    stays = truths(stays, 6)
    wrong = mistaken(stays, [data.moved(change) is None for change in range(6)])
    if wrong and stays[wrong[0]]:
        before, after = data.moved(wrong[0])
        raise NotYet(
            f"Number {wrong[0] + 1} changes them: on one data set an example had the "
            f"probability {before:.3f} before, and {after:.3f} after it."
        )
    if wrong:
        raise NotYet(
            f"Number {wrong[0] + 1} leaves all of them as they are. Which (w, b) "
            "after the change gives every example its old score, or its old margin?"
        )
    return "It matters which scores can be reached, and what the penalty charges for them."


@checker
def most_telling(feature, loss):
    features, values = data.alone()
    if not isinstance(feature, str) or feature not in features:
        example = features[0]
        raise NotYet(
            f"Give the name as in `tumors.features`, such as {example!r}; this is "
            f"{short(feature)}."
        )
    told = numbers(loss, (), "the mean log loss, one number")
    q = features.index(feature)
    if q != values.argmin():
        raise NotYet(
            f"The {feature.rsplit(' (', 1)[0]} alone reaches {values[q]:.3f}, and another "
            "measurement reaches less. Did you try all thirty?"
        )

    def close(given, slip):
        return abs(given - slip) < 6e-4 * max(1, abs(slip))

    slip = named(told, data.other_losses(values[q]), same=close)
    if slip:
        raise NotYet(f"The measurement is right. Your number, {tidy(told)}, is {slip}.")
    if not near(told, values[q]):
        raise NotYet(
            f"The measurement is right. Your loss is {tidy(told)}; is the fit without "
            "penalty, converged, and the number rounded to three decimals?"
        )
    return "The fit of one measurement, thirty times; this one has the smallest loss."


@checker
def refutes(weights):
    a = numbers(weights, (4,), "four weights, one for each example")
    x, y = np.arange(4.0), np.array([-1.0, 1.0, -1.0, 1.0])
    if a.min() < 0 or a.max() > 1:
        raise NotYet(f"Your weights are {short(a)}; each has to lie between 0 and 1.")
    if abs(a @ y) > 1e-9:
        raise NotYet(
            f"The weights of the negative examples add up to {a[y < 0].sum():.10g}, those "
            f"of the positive ones to {a[y > 0].sum():.10g}. The constant feature asks "
            "for equal sums, up to 1e-9."
        )
    if abs((a * y) @ x) > 1e-9:
        raise NotYet(
            f"The sums of the two labels are equal, but the sum of a y x is "
            f"{(a * y) @ x:.3g}, and not 0 up to 1e-9."
        )
    reached = data.entropy(a).mean()
    if reached < 0.58:
        raise NotYet(
            f"The weights are a certificate, and prove that no hyperplane has a mean log "
            f"loss below {reached:.4f}. You need 0.58. What freedom do the two equations "
            "leave, and which weights have the largest entropy?"
        )
    return f"No hyperplane is below {reached:.4f}: your friend is refuted."
