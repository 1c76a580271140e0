"""Data, right answers and slips of the checkers on the support vector machine."""

from functools import cache

import numpy as np

from mlcore.book.exercises.words import short
from mlcore.data import digits, overlapping
from mlcore.svm import hard_margin, soft_margin

FOUR_X, FOUR_Y = np.array([2.0, -1.0, 1.0, -2.0]), np.array([1.0, 1.0, -1.0, -1.0])
THREE_X, THREE_Y = np.array([[1.0], [3.0], [4.0]]), np.array([-1.0, 1.0, 1.0])
REFUSED = (
    ((1.0, 0.0, 0.0), 1.0, "do not cancel b, so they bound nothing"),
    ((1.5, 1.5, 0.0), 1.0, "are partly above the price C = 1"),
    ((0.5, 0.5, 0.0), 0.4, "are partly above the price C = 0.4"),
    ((0.5, 1.0, -0.5), 1.0, "are partly negative, which turns an inequality round"),
    ((0.5, 0.5 + 1e-6, 0.0), 1.0, "with 1e-6 added to the second do not cancel b"),
)
NEARLY = (  # admissible, but for 1e-12
    ((0.5, 0.5 + 1e-12, 0.0), 1.0),
    ((0.5, 0.5, -1e-12), 1.0),
    ((0.5, 0.5, 0.0), 0.5 - 1e-12),
)


def admissible():
    """(X, y, weights, C, how the case is called) of the bound by weights."""
    for a in ([0.5, 0.5, 0.0], [0.5, 0.0, 0.5]):
        a = np.array(a)
        yield THREE_X, THREE_Y, a, 1.0, f"three points and the weights {short(a)}"
    data = overlapping(12, 2, separation=1.0, rng=5)
    fit = soft_margin(data.X, data.y, lambda_=0.2)
    half = np.where(data.y > 0, (data.y < 0).mean(), (data.y > 0).mean()) * fit.C
    for a in (fit.a, half):
        yield data.X, data.y, a, fit.C, "12 points and admissible weights"


def bound(X, y, a):
    """What admissible weights prove of the objective."""
    return a.sum() - ((a * y) @ X) @ ((a * y) @ X) / 2


def other_bounds(X, y, a):
    """(bound, what is said) of each slip."""
    square = a.sum() - bound(X, y, a)  # half of the square
    yield a.sum() - 2 * square, "What factor does the square of v have?"
    yield a.sum() + square, "Is the square of v added, or taken away?"
    yield a.sum() - ((a @ X) @ (a @ X)) / 2, "Do the labels go into v?"
    yield a.sum() - np.sqrt(2 * square) / 2, "Is it the length of v, or its square?"
    yield a.mean() - square, "Is it the sum of the weights, or their mean?"
    yield square - a.sum(), "Is the sign of the whole right?"


def batch_runs():
    """(X, y, batches) of mini-batches for Pegasos, of 1, 2, 7 and 40 steps."""
    for seed, steps in ((0, 1), (1, 2), (2, 7), (3, 40)):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(9, 2)) + np.array([1.5, 0.0])
        y = np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0])
        yield X, y, [rng.permutation(9)[: rng.integers(1, 5)] for _ in range(steps)]


def kernel_runs():
    """(K, y, picks): products of two features, and which example each step picks."""
    for seed, steps in ((1, 1), (0, 60), (2, 7), (4, 300)):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(8, 2)), np.array([1.0, -1, -1, 1, 1, -1, 1, -1])
        yield (1 + X @ X.T) ** 2, y, rng.integers(8, size=steps)


OTHER_RUNS = {
    "sum": "Is it the mean over the batch, or its sum?",
    "last": "Is it a mean over steps, or the last step?",
    "all": "The mean is over the last half of the steps, not over all.",
    "early": "Which steps have t > T/2, if T is odd or 1?",
    "no bias": "Does b move?",
    "new w": "Is the test made with the w from before the step?",
    "mistakes": "Who is a hit: an example with z < 1, or only a mistake?",
    "from 2": "Is the first step t = 1, of size 1/lambda?",
    "no label": "Do the labels go into the step?",
    "no shrink": "Does w shrink in every step?",
    "no lambda": "What is the step size: 1/t, or 1/(lambda t)?",
    "b shrinks": "Does b shrink? It has no penalty.",
    "one array": "Is each w that you keep an array of its own? `w *= ...` and `w += ...` "
    "change the ones kept before.",
    "against": "Does the step go along y x, or against it?",
    "over n": "Is the mean over the batch, or over all n examples?",
    "b unseen": "Is b in the score?",
    "hits only": "Is the mean over all examples of the batch, or over its hits only?",
    "in turn": "Are all hits of a batch decided before w and b move?",
}


def pegasos(X, y, lambda_, batches, slip=""):
    """The right run, or the run of a student with this slip."""
    w, b, seen = np.zeros(X.shape[1]), 0.0, []
    for t, part in enumerate(batches, start=2 if slip == "from 2" else 1):
        eta = 1 / t if slip == "no lambda" else 1 / (lambda_ * t)
        shrunk = w if slip == "no shrink" else (1 - 1 / t) * w
        z = X[part] @ (shrunk if slip == "new w" else w)
        z = y[part] * (z + b * (slip != "b unseen"))
        hit = z <= 0 if slip == "mistakes" else z < 1
        if slip == "in turn":
            hit = hits_in_turn(X, y, shrunk, b, part, eta)
        signs = hit * (1.0 if slip == "no label" else y[part])
        signs = -signs if slip == "against" else signs
        size = {"sum": 1, "over n": len(y)}.get(slip, len(part))
        size = max(hit.sum(), 1) if slip == "hits only" else size
        w = shrunk + eta / size * (signs @ X[part])
        b = b * (1 - 1 / t) if slip == "b shrinks" else b
        b = b + eta / size * signs.sum() * (slip != "no bias")
        seen.append((*w, b))
    first = {"last": len(seen) - 1, "all": 0, "early": (len(seen) + 1) // 2}
    first = min(first.get(slip, len(seen) // 2), len(seen) - 1)
    means = np.mean(seen[first:], axis=0)
    return np.append(seen[-1][:-1], means[-1]) if slip == "one array" else means


def hits_in_turn(X, y, w, b, part, eta):
    """The hits of a batch, if w and b move after each of its examples."""
    hits = []
    for q in part:
        hits.append(y[q] * (X[q] @ w + b) < 1)
        move = eta / len(part) * hits[-1] * y[q]
        w, b = w + move * X[q], b + move
    return np.array(hits)


OTHER_HITS = {
    "signed": "Do you count hits, or add labels?",
    "no label": "Do the labels of the examples hit so far go into the score?",
    "no label now": "Is it the score that is below 1, or the score times the label?",
    "by t": "After t - 1 steps, what is w in terms of the hits: by what do you divide?",
    "no lambda": "Where is lambda in the score?",
    "n": "Is there an n in the score? Look at the card on a step times lambda t.",
    "mistakes": "Who is a hit: an example with z < 1, or only a mistake?",
    "all": "Is every pick a hit?",
    "undivided": "The card gives lambda (t - 1) w: by what is the sum divided?",
    "share": "Do you count the hits, or give their share of the steps?",
}


def hits(K, y, lambda_, picks, slip=""):
    h = np.zeros(len(y))
    for t, i in enumerate(picks, start=1):
        past = {"by t": t, "n": len(y) * (t - 1)}.get(slip, t - 1)
        past = past * (1 if slip == "no lambda" else lambda_)
        past = 1 if slip == "undivided" else past
        signs = h * (1 if slip == "no label" else y)
        z = y[i] * (signs @ K[i]) / past if past else 0.0
        z = z * y[i] if slip == "no label now" else z
        h[i] += slip == "all" or (z <= 0 if slip == "mistakes" else z < 1)
    h = h / len(picks) if slip == "share" else h
    return h * y if slip == "signed" else h


@cache
def changes():
    """w before and after each of the six changes, on one data set."""
    X = np.array([[2.0, 1.0], [2.0, -1.0], [0.0, 0.0], [-1.0, 1.0], [1.5, 3.0]])
    y, C = np.array([1.0, 1.0, -1.0, -1.0, 1.0]), 0.4

    def w(X, y, C):
        return soft_margin(X, y, lambda_=1 / (len(y) * C)).w

    old = soft_margin(X, y, lambda_=1 / (5 * C))
    z = y * (X @ old.w + old.b)
    beyond, inside = int(z.argmax()), int(z.argmin())
    far, near = X.copy(), X.copy()
    far[beyond] += 5 * y[beyond] * old.w
    near[inside] += 0.1 * y[inside] * old.w / (old.w @ old.w)
    twice = np.vstack([X, X]), np.append(y, y)
    after = [
        w(far, y, C),
        w(near, y, C),
        w(X + np.array([3.0, -2.0]), y, C),
        w(10 * X, y, C),
    ]
    after += [w(*twice, C), w(*twice, C / 2)]
    return [(old.w, new) for new in after]


@cache
def left_out():
    data = digits(negative=3, positive=8)
    support = hard_margin(data.X, data.y).support
    wrong = set()
    for q in support:
        kept = np.arange(len(data.y)) != q
        fit = hard_margin(data.X[kept], data.y[kept])
        if data.y[q] * (fit.w @ data.X[q] + fit.b) <= 0:
            wrong.add(float(q))
    return wrong, set(support.astype(float).tolist())
