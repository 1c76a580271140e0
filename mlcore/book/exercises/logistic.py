"""Checkers for the exercises of the chapter on logistic regression."""

from functools import cache

import numpy as np

from mlcore import losses
from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    compare,
    numbers,
    short,
    tidy,
    truths,
)
from mlcore.data import breast_cancer, overlapping
from mlcore.logistic import logistic, sigmoid
from mlcore.solvers.likelihood import MeanLoss


def _near(got, want, digits: int) -> bool:
    """Whether numbers are right to so many decimals, up to half a unit of the last one."""
    return bool(np.all(np.abs(np.asarray(got) - want) <= 0.5001 * 10.0**-digits))


@checker
def odds(answer):
    center, factor, chance = numbers(answer, (3,), "three numbers")
    if not _near(center, 15, 3):
        if _near(center, -15, 3):
            raise NotYet("Your center is -15, where the score is -24. Which sign has b?")
        raise NotYet(
            f"At your center, {tidy(center)}, the score is {tidy(0.8 * center - 12)}. "
            "What is the score where the probability is one half?"
        )
    if not _near(factor, np.exp(0.8), 3):
        if abs(factor - np.exp(0.8)) < 0.03:
            raise NotYet(f"Your factor, {tidy(factor)}, is near: compute three decimals.")
        slips = {
            0.8: "that is added to the log-odds",
            1.8: "that is 1 + 0.8, right only for tiny weights",
            np.exp(-0.8): "that is one pixel less",
            0.2: "that is the largest slope of the probability",
        }
        said = next((why for slip, why in slips.items() if _near(factor, slip, 3)), None)
        said = f" ({said})" if said else ""
        raise NotYet(
            f"Your factor is {tidy(factor)}{said}. The log-odds rise by 0.8 a pixel: what "
            "does adding to a logarithm do to the number itself?"
        )
    if not _near(chance, sigmoid(1.6), 3):
        if _near(chance, sigmoid(-1.6), 3):
            raise NotYet(f"{tidy(chance)} is the probability of the label -1 at 17 pixels.")
        raise NotYet(
            f"Your probability at 17 pixels is {tidy(chance)}. The score there is 1.6; "
            "did you put it into the logistic function, and round to three decimals?"
        )
    return "One half at 15 pixels; each pixel multiplies the odds by 2.226; 0.832 at 17."


_FOUR = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([-1.0, 1.0, -1.0, -1.0])


@checker
def two_steps(by_gradient, by_newton):
    J = MeanLoss(*_FOUR, np.zeros(1))
    g, H = J.gradient(np.zeros(2)), J.hessian(np.zeros(2))
    eta, delta = 1 / np.linalg.eigvalsh(H).max(), np.linalg.solve(H, g)
    first = numbers(by_gradient, (2,), "(w, b) after the gradient step, a pair of numbers")
    second = numbers(by_newton, (2,), "(w, b) after the Newton step, a pair of numbers")
    if _near(first, -delta, 3) and _near(second, -eta * g, 3):
        raise NotYet(
            f"You give {short(first)} and then {short(second)}. Which of the two steps "
            "divides each slope by its own curvature? The gradient step comes first."
        )
    for point, step, name in ((first, eta * g, "gradient"), (second, delta, "Newton")):
        if _near(point, -step, 3):
            continue
        came = f"After the {name} step you are at {short(point)}"
        loss = f"with the mean loss {J.value(point):.4f}; the start has 0.6931"
        if _near(point, step, 3) or _near(point, g, 3):
            raise NotYet(f"{came}, {loss}. In which direction does a loss fall?")
        if _near(point, -len(_FOUR[1]) * step, 3):
            raise NotYet(f"{came}, {len(_FOUR[1])} times too far. Is L a sum or a mean?")
        if name == "gradient" and _near(point, -step / len(_FOUR[1]), 3):
            raise NotYet(
                f"{came}, {len(_FOUR[1])} times too near. Are the gradient and L_1 both "
                "those of the mean?"
            )
        if _near(point[::-1], -step, 3):
            raise NotYet(f"{came}: w comes first, then b.")
        if name == "Newton" and _near(point, -eta * g, 3):
            raise NotYet(f"{came}, as by the gradient. Divide each slope by its curvature.")
        if name == "gradient" and _near(point, -g, 3):
            raise NotYet(f"{came}, a step of size 1. How large is the steepest curvature?")
        if name == "gradient" and _near(point, -delta, 3):
            raise NotYet(f"{came}. A gradient step has the same size for w and for b.")
        raise NotYet(
            f"{came}, {loss}. At the start every probability is one half: make a table "
            "like that of the text, with four rows for these examples."
        )
    return (
        "Both go the same way in w; in b the Newton step goes two and a half times as far."
    )


@checker
def log_loss(function):
    z = np.array([-700.0, -30.0, -1.5, 0.0, 0.5, 40.0, 700.0])
    with np.errstate(all="ignore"):
        pair = call(function, z)
    if not isinstance(pair, (tuple, list, np.ndarray)) or len(pair) != 2:
        raise NotYet(f"It returned {short(pair)}; return a pair (values, slopes).")
    for name, got, right in (
        ("losses", pair[0], losses.logistic.value),
        ("slopes", pair[1], losses.logistic.slope),
    ):
        want = right(z)
        coarse = getattr(got, "dtype", None) in (np.float16, np.float32)
        try:
            got = np.asarray(got, float)
        except (TypeError, ValueError):
            raise NotYet(f"The {name} are {short(got)}, which is not numbers.") from None
        if got.shape != z.shape:
            shape = f"have the shape {got.shape}" if got.shape else "are a single number"
            raise NotYet(f"For 7 margins the {name} {shape}; return one for each.")
        if name == "losses" and np.allclose(got, losses.logistic.slope(z)):
            raise NotYet("The first array holds the slopes; the losses come first.")
        if not np.isfinite(got).all():
            raise NotYet(
                f"For margins from -700 to 700 the {name} came out as {short(got)}. Which "
                "exponential overflows?"
            )
        wrong = ~np.isclose(got, want, rtol=1e-9, atol=0)
        if not wrong.any():
            continue
        if np.allclose(got, -want):
            raise NotYet(f"The {name} have the wrong sign.")
        if np.allclose(got, right(-z)):
            raise NotYet(f"The {name} are those of -z: a large margin costs little.")
        if coarse:
            raise NotYet(f"The {name} are float32, which has seven digits, not nine.")
        if np.allclose(got, want / np.log(2)):
            raise NotYet(f"The {name} are in bits. Which logarithm is in nats?")
        low, high = abs(got[0]) < abs(want[0]) - 1, abs(got[-1]) > abs(want[-1]) > 0
        if not wrong[2:5].any() and wrong[[0, -1]].any() and (low or high):
            raise NotYet(
                f"The {name} are right for small margins, but those of -700 and 700 look "
                f"cut off: {got[0]:.6g} and {got[-1]:.6g}. Did you clip something?"
            )
        q = int(np.argmin(np.where(wrong, np.abs(z), np.inf)))
        small = abs(got[q] - want[q]) < 1e-9
        hint = (
            "In 1 + e^-40 the small number is lost: is there a way without adding it to 1?"
            if small
            else "Compare with ln(1 + e^-z) and -1 / (1 + e^z) there, on paper."
        )
        raise NotYet(f"Of the {name}, that at z = {z[q]:g} is {got[q]:.6g}. {hint}")
    return "Values and slopes, nine digits of each from -700 to 700."


def _cases():
    rng = np.random.default_rng(3)
    for d in (1, 2, 4):
        X = rng.normal(size=(60, d))
        score = X @ rng.normal(size=d)
        t = (rng.random(60) < 1 / (1 + np.exp(-score))).astype(float)
        yield X, t, 0.3 * rng.normal(size=d)


@checker
def gradient(function):
    for X, t, w in _cases():
        v = np.append(w, 0.4)
        J = MeanLoss(X, 2 * t - 1, np.zeros(len(w)))
        want = J.gradient(v)
        got = call(function, X, t, w, 0.4)
        if isinstance(got, np.ndarray) and got.shape == (len(w),):
            raise NotYet(
                f"For d = {len(w)} it returned {len(w)} derivatives; where is b's?"
            )
        got = numbers(got, want.shape, f"back d + 1 = {len(v)} derivatives in one array")
        g = X @ w + 0.4
        one_formula = -t * sigmoid(-t * g)
        slips = {
            "Against it the loss rises. What is subtracted from what?": -want,
            "This is the gradient of the sum, and the loss is a mean.": len(t) * want,
            "The sign is wrong, and it is the sum's; the loss is a mean.": -len(t) * want,
            "The derivative by b comes last.": np.roll(want, 1),
            "The derivative by b is a mean, too.": np.append(want[:-1], len(t) * want[-1]),
            "The formula with -y sigma(-z) is for labels -1 and +1; yours are 0 and 1, and "
            "those with 0 contribute nothing.": np.append(
                X.T @ one_formula, one_formula.sum()
            )
            / len(t),
            "Are the labels 0 and 1 for you? They look like -1 and +1.": np.append(
                X.T @ (sigmoid(g) - 2 * t + 1), np.sum(sigmoid(g) - 2 * t + 1)
            )
            / len(t),
            "Is b missing from the score?": np.append(
                X.T @ (sigmoid(X @ w) - t), np.sum(sigmoid(X @ w) - t)
            )
            / len(t),
        }
        for said, slip in slips.items():
            if np.allclose(got, slip) and not np.allclose(slip, want):
                raise NotYet(f"For d = {len(w)} it gave {short(got)}. {said}")
        compare(got, want, f"For d = {len(w)} it", "Each example adds (s - t) (x, 1) / n.")
    return "Three data sets, and the gradient that the fit uses."


def _ent(a):
    a = np.asarray(a, float)
    inside = (a > 0) & (a < 1)
    p = np.where(inside, a, 0.5)
    return np.where(inside, -p * np.log(p) - (1 - p) * np.log1p(-p), 0.0)


def _weighted():
    """(X, y, weights, the bound or None, what is special)."""
    X, y = np.array([[-3.0], [1.0], [2.0]]), np.array([-1.0, 1.0, -1.0])
    yield X, y, np.array([0.1, 0.5, 0.4]), _ent([0.1, 0.5, 0.4]).mean(), ""
    yield X, y, np.array([0.2, 1.0, 0.8]), _ent([0.2, 1.0, 0.8]).mean(), "one"
    yield X, y, np.zeros(3), 0.0, "zero"
    yield X, y, np.array([0.25, 1.25, 1.0]), None, "above"
    yield X, y, np.array([-0.1, -0.5, -0.4]), None, "below"
    yield X, y, np.array([0.0, 0.8, 0.4]), None, "constant"
    yield X, y, np.array([0.3, 0.5, 0.2]), None, "feature"
    yield X, y, np.array([0.1, 0.7, 0.6]), None, "feature"
    yield X, y, np.array([0.1, 0.5001, 0.4001]), None, "feature"
    two = np.column_stack([X, [1.0, 0.0, 0.0]])
    yield two, y, np.array([0.1, 0.5, 0.4]), None, "feature"
    yield np.column_stack([X, -X]), y, np.array([0.1, 0.7, 0.6]), None, "feature"
    wide = overlapping(40, 3, separation=1.0, rng=5)
    X1 = np.column_stack([wide.X, np.ones(40)])
    v = MeanLoss(wide.X, wide.y, np.zeros(3))
    step = np.linalg.solve(v.hessian(np.zeros(4)), v.gradient(np.zeros(4)))
    a = 0.5 * (0.5 + wide.y * (X1 @ step) / 4)
    yield wide.X, wide.y, a, _ent(a).mean(), ""


@checker
def bound(function):
    special = {
        "above": "No line steeper than -1 lies under the log loss, so weights above 1 fail",
        "below": "Weights must not be negative",
        "constant": "The constant feature belongs to the sum, too: do both labels get the "
        "same weight",
        "feature": "The labels balance, but the sum of a y x is not zero",
    }
    for X, y, a, want, kind in _weighted():
        tried = f"For {len(y)} examples and the weights {short(a)}"
        try:
            with np.errstate(all="ignore"):
                got = call(function, X, y, a)
        except NotYet as fault:
            if "returned nothing" not in str(fault):
                raise
            got = None
        if want is None:
            if got is not None:
                mark = "?" if kind == "constant" else "."
                raise NotYet(
                    f"{tried} you return {short(got)}. {special[kind]}{mark} They prove "
                    "nothing: return None."
                )
            continue
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
        got = float(numbers(got, (), "one number or None"))
        if want and np.isclose(got, len(y) * want):
            raise NotYet(f"{tried} you return {tidy(got)}, a sum; L is a mean.")
        if want and np.isclose(got, -want):
            raise NotYet(f"{tried} you return {tidy(got)}. Can an entropy be negative?")
        if want and np.isclose(got, want / np.log(2)):
            raise NotYet(f"{tried} you return {tidy(got)}. Which logarithm is in nats?")
        if want and np.isclose(got, np.mean(-a * np.log(np.maximum(a, 1e-300)))):
            raise NotYet(f"{tried} you return {tidy(got)}. The entropy has two terms.")
        compare(got, want, f"{tried} it", "The bound is the mean of ent(a).", 1e-8)
    return "Twelve sets of weights: four bounds, and eight that prove nothing."


@cache
def _probabilities(change: int | None, seed: int):
    """Of each example's own label, before or after a change; and before it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2)) + np.array([1.0, 0.0])
    y = np.where(rng.random(30) < sigmoid(X @ [1.0, -1.0]), 1.0, -1.0)
    lam = 0.0 if change == 0 else 0.1
    before = logistic(X, y, lambda_=lam, tol=1e-20)
    changed = [
        (10 * X, y),
        (10 * X, y),
        (X + np.array([3.0, -2.0]), y),
        (X, -y),
        (np.repeat(X, 2, axis=0), np.repeat(y, 2)),
        (np.column_stack([X, X[:, 0]]), y),
    ]
    X_new, y_new = changed[change]
    after = logistic(X_new, y_new, lambda_=lam, tol=1e-20)
    s = sigmoid(y * before.decision_function(X))
    s_new = sigmoid(y_new * after.decision_function(X_new))
    return s, s_new[::2] if change == 4 else s_new


def _moved(change: int):
    """The first example whose probability moved by more than 0.001, or nothing."""
    for seed in range(3):
        s, s_new = _probabilities(change, seed)
        gap = np.abs(s - s_new)
        if gap.max() > 1e-3:
            q = int(gap.argmax())
            return s[q], s_new[q]
    return None


@checker
def same_probabilities(stays):
    stays = truths(stays, 6)
    right = [_moved(change) is None for change in range(6)]
    wrong = [q for q in range(6) if stays[q] != right[q]]
    believed = [q for q in wrong if stays[q]]
    if believed:
        before, after = _moved(believed[0])
        raise NotYet(
            f"Number {believed[0] + 1} changes them: on one data set an example had the "
            f"probability {before:.3f} before, and {after:.3f} after it."
        )
    if wrong:
        raise NotYet(
            f"Number {wrong[0] + 1} leaves all of them as they are. Which (w, b) "
            "after the change gives every example its old score, or its old margin?"
        )
    return "It matters which scores can be reached, and what the penalty charges for them."


@cache
def _alone():
    tumors = breast_cancer()
    fits = [logistic(tumors.X[:, [q]], tumors.y) for q in range(30)]
    return tumors.features, np.array([fit.values[-1] for fit in fits])


@checker
def most_telling(feature, loss):
    features, values = _alone()
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
    slips = {
        len(breast_cancer().y) * values[q]: "a sum over the tumors; the loss is a mean",
        -values[q]: "the mean log-likelihood; the loss is minus that",
        np.exp(-values[q]): "the probability per tumor, and not the loss",
        values[q] / np.log(2): "in bits; the book's unit is the nat",
    }
    for slip, said in slips.items():
        if abs(told - slip) < 6e-4 * max(1, abs(slip)):
            raise NotYet(f"The measurement is right. Your number, {tidy(told)}, is {said}.")
    if not _near(told, values[q], 3):
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
            f"The weights of the negative examples add up to {tidy(a[y < 0].sum())}, those "
            f"of the positive ones to {tidy(a[y > 0].sum())}. The constant feature asks "
            "for equal sums."
        )
    if abs((a * y) @ x) > 1e-9:
        raise NotYet(
            f"The sums of the two labels are equal, but the sum of a y x is "
            f"{tidy((a * y) @ x)}, and not 0."
        )
    reached = _ent(a).mean()
    if reached < 0.58:
        raise NotYet(
            f"The weights are a certificate, and prove that no hyperplane has a mean log "
            f"loss below {reached:.4f}. You need 0.58. What freedom do the two equations "
            "leave, and which weights have the largest entropy?"
        )
    return f"No hyperplane is below {reached:.4f}: your friend is refuted."
