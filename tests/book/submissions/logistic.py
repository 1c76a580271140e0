"""Answers to the exercises of the chapter on logistic regression: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import logistic as check
from mlcore.logistic import sigmoid


def losses_of(z, *, sign=1, swap=False, shape=None):
    values, slopes = np.logaddexp(0, -z), -np.exp(-np.logaddexp(0, z))
    pair = (slopes, values) if swap else (sign * values, sign * slopes)
    return pair if shape is None else tuple(part.reshape(shape) for part in pair)


def by_cases(z):
    values = [np.log1p(np.exp(-v)) if v > 0 else np.log1p(np.exp(v)) - v for v in z]
    return [
        values,
        [-np.exp(-v) / (1 + np.exp(-v)) if v > 0 else -1 / (1 + np.exp(v)) for v in z],
    ]


def as_it_stands(z):
    return np.log(1 + np.exp(-z)), -1 / (1 + np.exp(z))


def one_minus(z):
    return np.logaddexp(0, -z), 1 / (1 + np.exp(-np.clip(z, -600, 600))) - 1


def right_at_zero(z):
    values, slopes = losses_of(z)
    return values * (1 + np.abs(z)), slopes


def gradient(X, t, w, b, *, sign=1, mean=True, in_score=True):
    excess = sign * (sigmoid(X @ w + (b if in_score else 0)) - t)
    return np.append(X.T @ excess, excess.sum()) / (len(t) if mean else 1)


def other_labels(X, t, w, b):
    return gradient(X, 2 * t - 1, w, b)


def ruins_labels(X, t, w, b):
    t -= sigmoid(X @ w + b)
    return -np.append(X.T @ t, t.sum()) / len(t)


def bound(X, y, a, *, constant=True, label=True, top=True, bottom=True, scale=None):
    Z = np.column_stack([X, np.ones(len(X))]) if constant else X
    sums = (a * y if label else a) @ Z
    outside = (bottom and a.min() < 0) or (top and a.max() > 1)
    if outside or np.abs(sums).max() > 1e-9:
        return None
    p = a[(a > 0) & (a < 1)]
    value = -np.sum(p * np.log(p) + (1 - p) * np.log(1 - p))
    return value / (len(a) if scale is None else scale)


def sums_are(small):
    """A bound that looks at the sums in a way of its own."""

    def answer(X, y, a):
        inside = a.min() >= 0 and a.max() <= 1
        sums = (a * y) @ np.column_stack([X, np.ones(len(X))])
        return bound(0 * X, y, a) if inside and small(sums) else None

    return answer


def one_formula(X, t, w, b):
    push = -t * sigmoid(-t * (X @ w + b))
    return np.append(X.T @ push, push.sum()) / len(t)


def bias_not_averaged(X, t, w, b):
    return gradient(X, t, w, b) * np.append(np.ones(len(w)), len(t))


def clipped_probability(z):
    s = np.clip(sigmoid(z), 1e-12, 1)
    return -np.log(s), losses_of(z)[1]


def with_nan(X, y, a):
    if bound(X, y, a) is None:
        return None
    return -np.mean(a * np.log(a) + (1 - a) * np.log(1 - a))


def moved_inside(eps):
    """A bound whose logarithms are those of weights a little inside."""

    def answer(X, y, a):
        p = np.clip(a, eps, 1 - eps)
        value = -np.mean(p * np.log(p) + (1 - p) * np.log(1 - p))
        return None if bound(X, y, a) is None else value

    return answer


def bit_added(X, y, a, bit=1e-12):
    value = -np.mean(a * np.log(a + bit) + (1 - a) * np.log(1 - a + bit))
    return None if bound(X, y, a) is None else value


def score_for_probability(X, t, w, b):
    return np.append(X.T @ (X @ w + b - t), (X @ w + b - t).sum()) / len(t)


def half_entropy(X, y, a):
    if bound(X, y, a) is None:
        return None
    return -np.sum([q * np.log(q) for q in a if q > 0]) / len(a)


THE_SIX = (True, False, True, True, True, False)
PERIMETER = "worst perimeter (pixels)"

RIGHT = [
    (check.odds, ((15, 2.226, 0.832),)),
    (check.odds, ([15.0, np.exp(0.8), sigmoid(1.6)],)),
    (check.odds, (np.array([15, 2.2255, 0.8320]),)),
    (check.odds, (15, 2.226, 0.832)),
    (check.two_steps, ((-2 / 5, -2 / 5), (-2 / 5, -1))),
    (check.two_steps, (np.array([-0.4, -0.4]), [-0.4, -1.0])),
    (check.log_loss, (losses_of,)),
    (check.log_loss, (by_cases,)),
    (check.log_loss, (lambda z: np.array(losses_of(z)),)),
    (check.gradient, (gradient,)),
    (check.gradient, (lambda X, t, w, b: gradient(X, t, w, b).tolist(),)),
    (check.bound, (bound,)),
    (
        check.bound,
        (lambda X, y, a: None if bound(X, y, a) is None else np.array(bound(X, y, a)),),
    ),
    (check.bound, (moved_inside(1e-15),)),
    (check.bound, (bit_added,)),
    (check.same_probabilities, (THE_SIX,)),
    (check.same_probabilities, (np.array(THE_SIX),)),
    (check.most_telling, (PERIMETER, 0.184)),
    (check.most_telling, (PERIMETER, np.float64(0.1840772766))),
    (check.refutes, ((0.2, 0.6, 0.6, 0.2),)),
    (check.refutes, (np.array([0.19, 0.57, 0.57, 0.19]),)),
    (check.refutes, ([0.2, 0.6, 0.6, 0.2],)),
]


WRONG = [
    (check.odds, ((-15, 2.226, 0.832),), "Which sign has b?"),
    (check.odds, ((12, 2.226, 0.832),), "the score is -2.4"),
    (check.odds, ((15, 0.8, 0.832),), "added to the log-odds"),
    (check.odds, ((15, 1.8, 0.832),), "tiny weights"),
    (check.odds, ((15, 0.449, 0.832),), "one pixel less"),
    (check.odds, ((15, 2.23, 0.832),), "compute three decimals"),
    (check.odds, ((15, 2.226, 0.168),), "the label -1"),
    (check.odds, ((15, 2.226, 0.8),), "round to three decimals"),
    (check.odds, ((15, 2.226),), "the probability, three numbers, of shape (3,)"),
    (check.odds, (("15", "2", "3"),), "Give the center, the factor and the probability"),
    (check.odds, (15, 2.226), "Give the center, the factor and the probability"),
    (check.two_steps, ((0.4, 0.4), (-0.4, -1)), "In which direction does a loss fall?"),
    (check.two_steps, ((0.25, 0.25), (-0.4, -1)), "In which direction does a loss fall?"),
    (check.two_steps, ((-1.6, -1.6), (-0.4, -1)), "Is L a sum or a mean?"),
    (check.two_steps, ((-0.25, -0.25), (-0.4, -1)), "a step of size 1"),
    (check.two_steps, ((-0.4, -1), (-0.4, -1)), "both slopes by the same number"),
    (check.two_steps, ((-0.4, -0.4), (-0.4, -0.4)), "Divide each slope"),
    (check.two_steps, ((-0.1, -0.1), (-0.4, -1)), "4 times too near"),
    (check.two_steps, ((-0.4, -1), (-0.4, -0.4)), "The gradient step comes first"),
    (check.two_steps, ((-0.4, -0.4), (-1, -0.4)), "w comes first"),
    (check.two_steps, ((-0.4, -0.4), (0.4, 1)), "In which direction"),
    (check.two_steps, ((-0.4, -0.4), (-0.3, -1)), "with four rows"),
    (check.two_steps, (-0.4, (-0.4, -1)), "a pair of numbers"),
    (check.log_loss, (as_it_stands,), "In 1 + e^-40 the small number is lost"),
    (check.log_loss, (lambda z: as_it_stands(10 * z),), "overflows?"),
    (check.log_loss, (one_minus,), "Of the slopes, that at z"),
    (check.log_loss, (lambda z: losses_of(z, sign=-1),), "the wrong sign"),
    (check.log_loss, (lambda z: losses_of(-z),), "those of -z"),
    (check.log_loss, (lambda z: losses_of(z, swap=True),), "the losses come first"),
    (check.log_loss, (lambda z: losses_of(np.clip(z, -500, 500)),), "clip something?"),
    (check.log_loss, (clipped_probability,), "clip something?"),
    (
        check.log_loss,
        (lambda z: (losses_of(z)[0], losses_of(np.clip(z, -500, 500))[1]),),
        "The slopes are right for small margins",
    ),
    (check.log_loss, (lambda z: np.array(losses_of(z)) / np.log(2),), "are in bits"),
    (
        check.log_loss,
        (lambda z: losses_of(z.astype(np.float32)),),
        "float32, which has seven digits",
    ),
    (check.log_loss, (lambda z: losses_of(z)[0],), "return a pair"),
    (check.log_loss, (right_at_zero,), "Of the losses, that at z = 0.5 is"),
    (check.log_loss, (lambda z: losses_of(z, shape=(7, 1)),), "have the shape (7, 1)"),
    (check.log_loss, (lambda z: losses_of(z)[0][:2],), "are a single number"),
    (check.log_loss, (lambda z: losses_of(z)[0] * [1, 1 + 1e-6],), "ValueError"),
    (check.gradient, (lambda *a: gradient(*a, sign=-1),), "What is subtracted"),
    (check.gradient, (lambda *a: gradient(*a, mean=False),), "gradient of the sum"),
    (
        check.gradient,
        (lambda *a: gradient(*a, in_score=False),),
        "b missing from the score",
    ),
    (check.gradient, (lambda *a: gradient(*a)[:-1],), "where is b's?"),
    (check.gradient, (lambda *a: np.roll(gradient(*a), 1),), "comes last"),
    (check.gradient, (one_formula,), "those with 0 contribute nothing"),
    (check.gradient, (bias_not_averaged,), "by b is a mean, too"),
    (check.gradient, (other_labels,), "look like -1 and +1"),
    (check.gradient, (ruins_labels,), "changed its argument number 2"),
    (check.gradient, (lambda *a: (gradient(*a)[:-1], 0.1),), "derivatives in one array"),
    (
        check.gradient,
        (lambda *a: gradient(*a).astype(np.float32),),
        "It is right to about seven digits; nine are compared. Is it float32",
    ),
    (check.gradient, (score_for_probability,), "subtract the label from the score"),
    (check.bound, (moved_inside(1e-6),), "are weights moved away from 0 and 1?"),
    (check.bound, (moved_inside(1e-9),), "are weights moved away from 0 and 1?"),
    (
        check.bound,
        (lambda *a: None if bound(*a) is None else np.float32(bound(*a)),),
        "Is it float32, rounded, or are weights moved",
    ),
    (check.bound, (lambda X, y, a: bound(X, y, a) and 2 * bound(X, y, a),), "not right"),
    (check.bound, (lambda *a: bound(*a, constant=False),), "the same weight?"),
    (check.bound, (lambda *a: bound(*a, label=False),), "they are admissible"),
    (check.bound, (lambda *a: bound(*a, scale=1),), "a sum; L is a mean"),
    (check.bound, (lambda *a: bound(*a, top=False),), "No line steeper than -1"),
    (check.bound, (lambda *a: bound(*a, bottom=False),), "must not be negative"),
    (check.bound, (sums_are(lambda sums: sums.max() <= 1e-9),), "a y x is not zero"),
    (
        check.bound,
        (sums_are(lambda sums: np.abs(sums[[0, -1]]).max() <= 1e-9),),
        "a y x is not zero",
    ),
    (
        check.bound,
        (sums_are(lambda s: max(abs(s[:-1].sum()), abs(s[-1])) <= 1e-9),),
        "a y x is not zero",
    ),
    (
        check.bound,
        (sums_are(lambda sums: np.abs(sums).max() <= 0.3),),
        "a y x is not zero",
    ),
    (
        check.bound,
        (sums_are(lambda sums: np.abs(sums).max() <= 1e-3),),
        "[0.1, 0.5001, 0.4001]",
    ),
    (check.bound, (with_nan,), "What should 0 times ln 0 count as?"),
    (check.bound, (half_entropy,), "The entropy has two terms"),
    (check.bound, (lambda *a: None,), "they are admissible"),
    (check.bound, (lambda *a: [bound(*a)],), "Give one number or None"),
    (check.bound, (lambda X, y, a: -(bound(X, y, a) or 0.0),), "be negative?"),
    (check.same_probabilities, ((True,) * 6,), "Number 2 changes them"),
    (check.same_probabilities, ((False,) * 6,), "Number 1 leaves all of them"),
    (
        check.same_probabilities,
        ((True, False, True, True, True, True),),
        "Number 6 changes",
    ),
    (
        check.same_probabilities,
        ((True, False, False, True, True, False),),
        "Number 3 leaves",
    ),
    (check.same_probabilities, ((1, 0, 1, 1, 1, 0),), "is True or False; these are (1, 0"),
    (check.same_probabilities, ((True, False),), "Six values are wanted"),
    (
        check.most_telling,
        ("worst radius (pixels)", 0.201),
        "another measurement reaches less",
    ),
    (check.most_telling, (22, 0.184), "Give the name as in"),
    (check.most_telling, ("worst perimeter", 0.184), "Give the name as in"),
    (check.most_telling, (PERIMETER, 104.74), "a sum over the tumors"),
    (check.most_telling, (PERIMETER, -0.184), "minus that"),
    (check.most_telling, (PERIMETER, 0.832), "probability per tumor"),
    (check.most_telling, (PERIMETER, 0.266), "in bits"),
    (check.most_telling, (PERIMETER, 0.18), "rounded to three decimals"),
    (check.refutes, ((0.1, 0.3, 0.3, 0.1),), "prove that no hyperplane"),
    (check.refutes, ((0.5, 0.5, 0.5, 0.5),), "the sum of a y x is 1"),
    (check.refutes, ((0.5, 0.5, 0.5, 0.4),), "for equal sums"),
    (check.refutes, ((0.5, 1.5, 1.5, 0.5),), "between 0 and 1"),
    (check.refutes, ((0, 0, 0, 0),), "below 0.0000"),
    (check.refutes, ((0.2, 0.6, 0.6),), "of shape (4,)"),
    (check.refutes, (np.float32([0.2, 0.6, 0.6, 0.2]),), "not 0 up to 1e-9"),
    (check.refutes, ((0.2, 0.6, 0.6, 0.2 + 1e-7),), "up to 1e-9"),
]
