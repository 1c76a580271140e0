"""Data, right answers and slips of the checkers on logistic regression."""

from functools import cache

import numpy as np

from mlcore.book.exercises.answers import named
from mlcore.data import breast_cancer, overlapping
from mlcore.logistic import logistic, sigmoid
from mlcore.solvers.likelihood import MeanLoss

FOUR = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([-1.0, 1.0, -1.0, -1.0])
MARGINS = np.array([-700.0, -30.0, -1.5, 0.0, 0.5, 40.0, 700.0])
OTHER_FACTORS = {
    0.8: "that is added to the log-odds",
    1.8: "that is 1 + 0.8, right only for tiny weights",
    np.exp(-0.8): "that is one pixel less",
    0.2: "that is the largest slope of the probability",
}


def other_steps(name, g, eta, delta):
    """(where a slip leads in the step of this name, what is said)."""
    n, newton = len(FOUR[1]), name == "Newton"
    step = delta if newton else eta * g
    up = ", {loss}. In which direction does a loss fall?"
    yield step, up
    yield g, up
    yield -n * step, f", {n} times too far. Is L a sum or a mean?"
    if not newton:
        yield -step / n, (f", {n} times too near. Are the gradient and L_1 both those of "
                          "the mean?")  # fmt: skip
    yield -step[::-1], ": w comes first, then b."
    if newton:
        yield -eta * g, ", as by the gradient. Divide each slope by its curvature."
        return
    yield -g, ", a step of size 1. How large is the steepest curvature?"
    yield -delta, ". A gradient step multiplies both slopes by the same number, 1 / L_1."


def fault_of_digits(name, got, right, coarse) -> str:
    """What is said of values at the seven margins that do not have nine right digits."""
    want = right(MARGINS)
    seven = f"The {name} are float32, which has seven digits, not nine."
    slips = [
        (-want, f"The {name} have the wrong sign."),
        (right(-MARGINS), f"The {name} are those of -z: a large margin costs little."),
        *([(got, seven)] if coarse else []),
        (want / np.log(2), f"The {name} are in bits. Which logarithm is in nats?"),
    ]
    return named(got, slips) or lost_digits(name, got, want)


def lost_digits(name, got, want) -> str:
    """What is said if only large margins, or small digits, are wrong."""
    wrong = ~np.isclose(got, want, rtol=1e-9, atol=0)
    low, high = abs(got[0]) < abs(want[0]) - 1, abs(got[-1]) > abs(want[-1]) > 0
    if not wrong[2:5].any() and wrong[[0, -1]].any() and (low or high):
        return (
            f"The {name} are right for small margins, but those of -700 and 700 look "
            f"cut off: {got[0]:.6g} and {got[-1]:.6g}. Did you clip something?"
        )
    q = int(np.argmin(np.where(wrong, np.abs(MARGINS), np.inf)))
    hint = "Compare with ln(1 + e^-z) and -1 / (1 + e^z) there, on paper."
    if abs(got[q] - want[q]) < 1e-9:
        hint = (
            "In 1 + e^-40 the small number is lost: is there a way without adding it to 1?"
        )
    return f"Of the {name}, that at z = {MARGINS[q]:g} is {got[q]:.6g}. {hint}"


def samples():
    """(X, t, w) with labels 0 and 1."""
    rng = np.random.default_rng(3)
    for d in (1, 2, 4):
        X = rng.normal(size=(60, d))
        score = X @ rng.normal(size=d)
        t = (rng.random(60) < 1 / (1 + np.exp(-score))).astype(float)
        yield X, t, 0.3 * rng.normal(size=d)


def mean_gradient(X, t, v):
    """The gradient of the mean log loss at v = (w, b)."""
    return MeanLoss(X, 2 * t - 1, np.zeros(X.shape[1])).gradient(v)


def other_gradients(X, t, v):
    """(gradient, what is said) of each slip."""
    n, want = len(t), mean_gradient(X, t, v)
    g = X @ v[:-1] + v[-1]

    def summed(errors):
        return np.append(X.T @ errors, errors.sum()) / n

    return (
        (-want, "Against it the loss rises. What is subtracted from what?"),
        (n * want, "This is the gradient of the sum, and the loss is a mean."),
        (-n * want, "The sign is wrong, and it is the sum's; the loss is a mean."),
        (np.roll(want, 1), "The derivative by b comes last."),
        (np.append(want[:-1], n * want[-1]), "The derivative by b is a mean, too."),
        (summed(-t * sigmoid(-t * g)), "The formula with -y sigma(-z) is for labels -1 and "
         "+1; yours are 0 and 1, and those with 0 contribute nothing."),
        (summed(sigmoid(g) - 2 * t + 1), "Are the labels 0 and 1 for you? They look like "
         "-1 and +1."),
        (summed(g - t), "You subtract the label from the score; what is s?"),
        (summed(sigmoid(X @ v[:-1]) - t), "Is b missing from the score?"),
    )  # fmt: skip


def entropy(a):
    """-a ln a - (1 - a) ln(1 - a), and 0 where a is 0 or 1."""
    a = np.asarray(a, float)
    inside = (a > 0) & (a < 1)
    p = np.where(inside, a, 0.5)
    return np.where(inside, -p * np.log(p) - (1 - p) * np.log1p(-p), 0.0)


def weighted():
    """(X, y, weights, the bound or None, what is special)."""
    X, y = np.array([[-3.0], [1.0], [2.0]]), np.array([-1.0, 1.0, -1.0])
    yield X, y, np.array([0.1, 0.5, 0.4]), entropy([0.1, 0.5, 0.4]).mean(), ""
    yield X, y, np.array([0.2, 1.0, 0.8]), entropy([0.2, 1.0, 0.8]).mean(), "one"
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
    yield wide.X, wide.y, a, entropy(a).mean(), ""


def other_entropies(a, want):
    """(number for the mean entropy, what is said) of each slip."""
    logs = np.log(np.maximum(a, 1e-300))
    return (
        (len(a) * want, "{}, a sum; L is a mean."),
        (-want, "{}. Can an entropy be negative?"),
        (want / np.log(2), "{}. Which logarithm is in nats?"),
        (np.mean(-a * logs), "{}. The entropy has two terms."),
    )


NO_PROOF = {
    "above": "No line steeper than -1 lies under the log loss, so weights above 1 fail.",
    "below": "Weights must not be negative.",
    "constant": "The constant feature belongs to the sum, too: do both labels get the same "
    "weight?",
    "feature": "The labels balance, but the sum of a y x is not zero.",
}


@cache
def probabilities(change: int | None, seed: int):
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


def moved(change: int):
    """The first example whose probability moved by more than 0.001, or nothing."""
    for seed in range(3):
        s, s_new = probabilities(change, seed)
        gap = np.abs(s - s_new)
        if gap.max() > 1e-3:
            q = int(gap.argmax())
            return s[q], s_new[q]
    return None


@cache
def alone():
    """The names of the measurements, and the mean loss of each one's own fit."""
    tumors = breast_cancer()
    fits = [logistic(tumors.X[:, [q]], tumors.y) for q in range(30)]
    return tumors.features, np.array([fit.values[-1] for fit in fits])


def other_losses(loss):
    """(number for the loss, what is said) of each slip."""
    return (
        (len(breast_cancer().y) * loss, "a sum over the tumors; the loss is a mean"),
        (-loss, "the mean log-likelihood; the loss is minus that"),
        (np.exp(-loss), "the probability per tumor, and not the loss"),
        (loss / np.log(2), "in bits; the book's unit is the nat"),
    )
