"""Data, right answers and slips of the checkers on several classes."""

from functools import cache
from itertools import combinations

import numpy as np

FORMS = (0, 130, 256, 386, 516, 646, 776, 906, 1029, 1157, 1287, 1415, 1545, 1667, 1797)

X, P, TRUTH = np.array([2.0, 1.0]), np.array([1, 2, 5]) / 8, np.eye(3)
GRADIENT = np.outer(P - TRUTH[0], X)
OTHER_GRADIENTS = (
    (-GRADIENT, "The sizes are right. Is it the gradient, or the step against it?"),
    (np.outer(P, X), "These are probabilities times the example. Where is the truth?"),
    (np.outer(P - TRUTH[1], X), "The truth is subtracted in the wrong row. Of which class "
     "is it?"),
    (np.outer(P - TRUTH[2], X), "The truth is subtracted in the wrong row. Of which class "
     "is it?"),
    (np.outer(np.log([1, 2, 5]) - TRUTH[0], X), "You subtract the truth from the scores. "
     "What are the probabilities?"),
    (GRADIENT[:, ::-1], "The two columns are exchanged: the constant comes last."),
)  # fmt: skip

OTHER_WISHES = {
    "the sign is reversed; the product with v should be positive": {"sign": -1},
    "the constant 1 is missing": {"constant": "none"},
    "the constant comes first; the text appends it": {"constant": "first"},
    "it has a row for its own class, too, which is no rival": {"order": "own class, too"},
    "the rivals are not in increasing order": {"order": "cyclic"},
    "it is sorted by feature; each class has a block of its own": {"order": "by feature"},
}
OTHER_VOTES = {
    "zero": "a score of exactly 0 is a vote for the first class of the pair.",
    "no rule for ties": "the votes are right, but what decides between equal votes?",
    "lost scores": "in the sums, the score of a pair counts for its first class, and with "
    "a minus for its second.",
    "no votes": "the sums of scores decide among classes with equally many votes only.",
    "last of equals": "of classes that are equal in votes and in sums you take the last; "
    "the first is asked.",
    "order of the pairs": "the columns are the pairs (0, 1), (0, 2), and so on to the last "
    "class, then (1, 2), (1, 3), and so on.",
}
OTHER_HESSIANS = {
    "sum": "this is the Hessian of the sum; that of the mean is wanted",
    "diagonal": "the blocks of a class with itself miss a term",
    "blocks": "the blocks of two different classes are not zero",
    "coupling": "what couples the classes is missing, so it is not flat along a change "
    "that is the same for all of them",
    "by feature": "the rows are sorted by feature; row k r + j belongs to V[k, j]",
}


def softmax(scores):
    """The probabilities along the last axis."""
    P = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return P / P.sum(axis=-1, keepdims=True)


def rivals():
    """(x, its class, number of classes)."""
    rng = np.random.default_rng(6)
    yield np.array([2.0, 1.0]), 1, 3
    for d, c, K in ((1, 0, 2), (3, 2, 4)):
        yield rng.integers(2, 9, d) * 1.0, c, K


def wishes(x, c, K, *, constant="last", order="increasing", sign=1):
    """Kesler's vectors of one example, or those of a slip."""
    ends = {"last": [*x, 1.0], "first": [1.0, *x], "none": [*x]}
    a = np.array(ends[constant])
    rivals = [q for q in range(K) if q != c]
    if order == "cyclic":
        rivals = [(c + step) % K for step in range(1, K)]
    if order == "own class, too":
        rivals = list(range(K))
    Z = np.zeros((len(rivals), K, len(a)))
    for row, rival in zip(Z, rivals, strict=True):
        row[c] += sign * a
        row[rival] -= sign * a
    if order == "by feature":
        Z = Z.transpose(0, 2, 1)
    return Z.reshape(len(rivals), -1)


def elected(S, K, slip=""):
    """The class that the pairs elect, for each row of scores; or what a slip elects."""
    votes, sums = np.zeros((len(S), K)), np.zeros((len(S), K))
    pairs = list(combinations(range(K), 2))
    if slip == "order of the pairs":
        pairs = sorted(pairs, key=lambda pair: pair[::-1])
    for scores, (k, l) in zip(S.T, pairs, strict=True):  # noqa: E741
        won = scores > 0 if slip == "zero" else scores >= 0
        votes[:, k] += won
        votes[:, l] += ~won
        sums[:, k] += scores
        sums[:, l] -= 0 if slip == "lost scores" else scores
    if slip == "no votes":
        return sums.argmax(axis=1)
    if slip == "no rule for ties":
        return votes.argmax(axis=1)
    tied = votes == votes.max(axis=1, keepdims=True)
    sums = np.where(tied, sums, -np.inf)
    if slip == "last of equals":
        return K - 1 - sums[:, ::-1].argmax(axis=1)
    return sums.argmax(axis=1)


def ballots():
    """(scores of all pairs, number of classes), with votes and sums that are equal."""
    rng = np.random.default_rng(5)
    for K in (3, 4, 3, 5, 2):
        yield rng.integers(-3, 4, size=(60, K * (K - 1) // 2)).astype(float), K
        yield rng.normal(size=(40, K * (K - 1) // 2)), K


def scored():
    """(scores, class), in four of them beyond what an exponential can hold."""
    rng = np.random.default_rng(7)
    for K, c in ((2, 0), (3, 2), (6, 1)):
        yield rng.normal(size=K), c
    yield np.array([1000.0, 0.0, 999.0]), 0
    yield np.array([0.0, 1000.0]), 0
    yield np.array([-1000.0, -1001.0]), 1
    yield np.array([2000.0, 0.0]), 0  # less their mean, one of them is still too large


def loss_of(scores, c):
    """The log loss, without an exponential that overflows."""
    top = scores.max()
    return top - scores[c] + np.log(np.exp(scores - top).sum())


def other_losses(scores, c, value):
    """(loss, what is said) of each slip, one of which is known by the size of the value."""
    want, top = loss_of(scores, c), scores.max()
    small = (
        "it returned {}, which is too small. Is a probability that became 0 raised to a "
        "small number? Avoid the probability instead."
    )
    half = (
        "it returned {}. What you subtract from the scores in the sum must be subtracted "
        "from the score of the class, too."
    )
    other = (
        "it returned {}. It is the logarithm of the sum of exponentials, less one of the "
        "scores: which one?"
    )
    yield -want, "it returned {}; the sign is wrong."
    yield softmax(scores)[c], "it returned the probability; the loss is wanted."
    if 0 < value < want and top - scores[c] > 700:
        yield value, small
    yield want - top, half
    yield want / np.log(2), "you took the logarithm to base 2; nats are wanted."
    rest = np.append(np.delete(scores, c), 0.0)
    yield from ((want + scores[c] - score, other) for score in rest)


def curvature(V, A, slip=""):
    """The Hessian of the mean softmax loss, row k r + j for V[k, j]; or a slip's."""
    (K, r), P = V.shape, softmax(A @ V.T)
    bend = -P[:, :, None] * P[:, None, :]
    if slip == "coupling":
        bend = np.zeros_like(bend)
    if slip != "diagonal":
        bend[:, range(K), range(K)] += P
    if slip == "blocks":
        bend = bend * np.eye(K)
    H = np.einsum("imk,ij,il->mjkl", bend, A, A)
    H = H if slip == "sum" else H / len(A)
    if slip == "by feature":
        H = H.transpose(1, 0, 3, 2)
    return H.reshape(K * r, K * r)


@cache
def misread(neighbors: int, mixed: bool = False) -> tuple[int, ...]:
    """How many images of each form the neighbors on the other forms misread."""
    from sklearn.datasets import load_digits

    from mlcore.neighbors import knn

    images, digit = load_digits(return_X_y=True)
    form = np.searchsorted(FORMS[1:], np.arange(len(digit)), side="right")
    if mixed:
        form = np.arange(len(digit)) % 14
    counts = []
    for q in range(14):
        there = form == q
        said = knn(images[~there], digit[~there], images[there], k=neighbors).predicted
        counts.append(int((said != digit[there]).sum()))
    return tuple(counts)
