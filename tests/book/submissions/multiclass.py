"""Answers to the exercises of the chapter on several classes: right ones, and slips."""

from fractions import Fraction as F
from itertools import combinations

import numpy as np
import sympy as sp

from mlcore.book.exercises import multiclass as check
from mlcore.book.exercises.multiclass_data import curvature, elected, wishes
from mlcore.multiclass import linear_machine
from mlcore.perceptron import PerceptronFit


def kesler_by_blocks(x, c, K):
    a, rows = np.array([*x, 1]), []
    for rival in range(K):
        if rival != c:
            blocks = [a if q == c else -a if q == rival else 0 * a for q in range(K)]
            rows.append(np.concatenate(blocks).tolist())
    return rows


def changes_the_example(x, c, K):
    x *= -1
    return wishes(-x, c, K)


def vote_by_lists(S, K):
    answer = []
    for row in S.tolist():
        votes, sums = [0] * K, [0.0] * K
        for g, (k, l) in zip(row, combinations(range(K), 2), strict=True):  # noqa: E741
            votes[k if g >= 0 else l] += 1
            sums[k] += g
            sums[l] -= g
        answer.append(max(range(K), key=lambda q: (votes[q], sums[q])))
    return answer


def last_of_equal_sums(S, K):
    """Counts the classes from the end, so that `max` takes the last of equals."""
    answer = []
    for row in S.tolist():
        sums = [[0, 0.0] for _ in range(K)]
        for g, (k, l) in zip(row, combinations(range(K), 2), strict=True):  # noqa: E741
            sums[k if g >= 0 else l][0] += 1
            sums[k][1] += g
            sums[l][1] -= g
        answer.append(max(reversed(range(K)), key=lambda q: sums[q]))
    return answer


def counts_votes(S, K):
    votes = np.zeros((len(S), K))
    for g, (k, l) in zip(S.T, combinations(range(K), 2), strict=True):  # noqa: E741
        votes[:, k] += g >= 0
        votes[:, l] += g < 0
    return votes


def last_of_equals(S, K):
    return K - 1 - elected(np.flip(-S, axis=1), K)


def loss(scores, c):
    top = max(scores)
    return top + np.log(np.sum(np.exp(scores - top))) - scores[c]


def shifted_by(shift):
    """The loss, with another number than the largest score taken from all scores."""

    def answer(s, c):
        left = s - shift(s)
        return np.log(np.exp(left).sum()) - left[c]

    return answer


def naive_loss(scores, c):
    return -np.log(np.exp(scores[c]) / np.exp(scores).sum())


def log_of_share(scores, c):
    e = np.exp(scores - scores.max())
    return -np.log(e[c] / e.sum())


def share(scores, c):
    e = np.exp(scores - scores.max())
    return e[c] / e.sum()


def clipped_loss(scores, c):
    return -np.log(max(share(scores, c), 1e-300))


def changes_scores(scores, c):
    scores -= scores.max()
    return loss(scores, c)


def hessian_by_differences(V, A):
    def gradient(v):
        S = A @ v.reshape(V.shape).T
        P = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
        return (P.T @ A / len(A)).ravel()

    step = 1e-6 * np.eye(V.size)
    rows = [(gradient(V.ravel() + e) - gradient(V.ravel() - e)) / 2e-6 for e in step]
    return np.round(rows, 12)


def hessian_by_forward_differences(V, A):
    def gradient(v):
        P = np.exp(A @ v.reshape(V.shape).T)
        return ((P / P.sum(axis=1, keepdims=True)).T @ A / len(A)).ravel()

    steps = 1e-6 * np.eye(V.size)
    return [(gradient(V.ravel() + e) - gradient(V.ravel())) / 1e-6 for e in steps]


def hessian_by_loops(V, A):
    K, r = V.shape
    H = np.zeros((K * r, K * r))
    for x in A:
        p = np.exp(V @ x) / np.exp(V @ x).sum()
        for m in range(K):
            for k in range(K):
                block = p[m] * ((m == k) - p[k]) * np.outer(x, x)
                H[m * r : m * r + r, k * r : k * r + r] += block / len(A)
    return H.tolist()


def slip(compute, *chosen):
    return lambda *args: compute(*args, *chosen)


def wish_of(**chosen):
    return lambda x, c, K: wishes(x, c, K, **chosen)


def kesler_of_mlcore(x, c, K):
    """The rows that `linear_machine` hands to its fit, in another order."""
    seen = {}

    def fit(Z, signs):
        seen["Z"] = signs[:, None] * Z
        return PerceptronFit(np.zeros(Z.shape[1]), 0.0, (0,))

    others = [q for q in range(K) if q != c]
    X = np.array([x, *[x + q + 1 for q in others]])
    linear_machine(fit, X, np.array([c, *others]))
    rows = seen["Z"][: K - 1]
    return rows[np.argsort([(c + step) % K for step in range(1, K)])]


STEP = np.outer([-7 / 8, 1 / 4, 5 / 8], [2, 1])
BARE = np.outer([1 / 8, 1 / 4, 5 / 8], [2, 1])
TRUE = (True, False, True, False, True, False)
RIGHT = [
    (check.claims, ((2, 3, 2 / 3, 4),)),
    (check.claims, ([2.0, 3, 0.667, 4.0],)),
    (check.claims, ((F(2), 3, F(2, 3), sp.Integer(4)),)),
    (check.claims, (2, 3, 2 / 3, 4)),
    (check.step, (STEP,)),
    (check.step, ([(-1.75, -0.875), (0.5, 0.25), (1.25, 0.625)],)),
    (check.step, ([(F(-7, 4), F(-7, 8)), (F(1, 2), F(1, 4)), (F(5, 4), F(5, 8))],)),
    (check.design, ((-1, 0, 1), (-1, 0, -2))),
    (check.design, (np.array([0.0, 2.0, 5.0]), [0, 2, -4])),
    (check.kesler, (wishes,)),
    (check.kesler, (kesler_by_blocks,)),
    (check.kesler, (kesler_of_mlcore,)),
    (check.vote, (elected,)),
    (check.vote, (vote_by_lists,)),
    (check.log_loss, (loss,)),
    (check.log_loss, (lambda s, c: np.array([np.logaddexp.reduce(s) - s[c]])[0],)),
    (check.same_predictions, (TRUE,)),
    (check.same_predictions, (np.array(TRUE),)),
    (check.strangers, (65, 1, 12)),
    (check.strangers, (np.int64(65), 1.0, 12)),
    (check.hessian, (curvature,)),
    (check.hessian, (hessian_by_loops,)),
]
WRONG = [
    (check.claims, ((3, 3, 2 / 3, 4),), "an interval of length 3"),
    (check.claims, ((2, 2, 2 / 3, 4),), "At x = 2 the scores are -2, 0, -1"),
    (check.claims, ((2, 3, 4, 2 / 3),), "the smaller of the two changes first"),
    (check.claims, ((2, 3, 0, 3),), "At x = 0 the scores are 0, -1, -3"),
    (check.claims, ((2, 3, 0.66, 4),), "At x = 0.66"),
    (check.claims, ((2, 3, 2 / 3, 3),), "At x = 3 the scores are -3, 0.5, 0"),
    (check.claims, ((2, 3, 4),), "the two changes, four numbers, of shape (4,)"),
    (check.claims, (2, 3, 4), "the two changes, four numbers, of shape (4,)"),
    (check.claims, ((2, 3, "2/3", 4),), "Give the gap, the overlap and the two changes"),
    (check.step, (-STEP,), "Is it the gradient, or the step against it?"),
    (check.step, (BARE,), "Where is the truth?"),
    (check.step, (BARE - [[0, 0], [0, 0], [2, 1]],), "in the wrong row"),
    (check.step, (STEP.T,), "Give a row for each of the three classes"),
    (check.step, (STEP[:, 0],), "Each class has two weights"),
    (check.step, (STEP[:, :1],), "Each class has two weights"),
    (check.step, (STEP[:, ::-1],), "the constant comes last"),
    (check.step, (np.outer(np.log([1, 2, 5]) - [1, 0, 0], [2, 1]),), "from the scores"),
    (check.step, (STEP * [1, 0],), "The derivatives by the w are right"),
    (check.step, (STEP + 0.1,), "Your columns sum to"),
    (check.step, (STEP / 5,), "Begin with the three probabilities"),
    (check.step, ([(-1.75, np.nan), (0.5, 0.25), (1.25, 0.625)],), "all of them finite"),
    (check.step, ([(1, 2), (3,), (4, 5)],), "Give a row of two numbers for each"),
    (check.design, ((-1, 1, 1), (-1, 1, -2)), "Which slope must be the largest"),
    (check.design, ((1, 0, -1), (-1, 0, -2)), "At x = -1000"),
    (check.design, ((0, 0, 0), (0, 0, 0)), "but class 1 should win"),
    (check.design, ((-1, 0, 1), (-1.01, 0, -2)), "At x = -1.000001"),
    (check.design, ((-1, 0, 1), (-1, 0, -2.01)), "The slopes are in order"),
    (check.design, ((-1, 0, 1), (1, 0, 2)), "class 2 should win"),
    (check.design, ((-1, 0), (-1, 0, -2)), "Give three weights"),
    (check.kesler, (wish_of(sign=-1),), "the sign is reversed"),
    (check.kesler, (wish_of(constant="none"),), "the constant 1 is missing"),
    (check.kesler, (wish_of(constant="first"),), "the constant comes first"),
    (check.kesler, (wish_of(order="own class, too"),), "a row for its own class"),
    (check.kesler, (wish_of(order="cyclic"),), "not in increasing order"),
    (check.kesler, (wish_of(order="by feature"),), "sorted by feature"),
    (check.kesler, (lambda x, c, K: abs(wishes(x, c, K)),), "row 0 is [2, 1, 1, 2, 1, 1"),
    (check.kesler, (lambda x, c, K: wishes(x, c, K)[0],), "back 2 rows of 9 numbers"),
    (check.kesler, (changes_the_example,), "changed its argument number 1"),
    (check.kesler, (lambda x, c, K: None,), "returned nothing"),
    (check.vote, (slip(elected, "zero"),), "a score of exactly 0 is a vote"),
    (check.vote, (slip(elected, "no rule for ties"),), "what decides between equal votes"),
    (check.vote, (slip(elected, "lost scores"),), "with a minus for its second"),
    (check.vote, (slip(elected, "no votes"),), "with equally many votes only"),
    (check.vote, (slip(elected, "order of the pairs"),), "the columns are the pairs"),
    (check.vote, (counts_votes,), "Which class is elected?"),
    (check.vote, (lambda S, K: elected(S, K) + 1,), "count them from 0"),
    (check.vote, (last_of_equals,), "you elect class"),
    (check.vote, (last_of_equal_sums,), "equal in votes and in sums you take the last"),
    (check.vote, (lambda S, K: [[0, 1], [2]],), "back 60 classes for 60 rows"),
    (check.vote, (lambda S, K: elected(S, K)[:, None],), "back 60 classes for 60 rows"),
    (check.log_loss, (naive_loss,), "leaves no exponential above 1"),
    (check.log_loss, (log_of_share,), "is the logarithm of a quotient needed?"),
    (check.log_loss, (shifted_by(np.mean),), "leaves no exponential above 1"),
    (check.log_loss, (shifted_by(np.median),), "leaves no exponential above 1"),
    (check.log_loss, (shifted_by(lambda s: (s.max() + s.min()) / 2),), "[2000, 0]"),
    (
        check.log_loss,
        (shifted_by(lambda s: s[-1]),),
        "For the scores [2000, 0] and class 0",
    ),
    (check.log_loss, (lambda s, c: np.float32(loss(s, c)),), "about seven digits"),
    (check.log_loss, (lambda s, c: round(loss(s, c), 6),), "Is it float32, rounded, or"),
    (check.log_loss, (lambda s, c: -np.log(share(s, c) + 1e-8),), "inside the logarithm?"),
    (check.log_loss, (clipped_loss,), "Avoid the probability instead"),
    (check.log_loss, (lambda s, c: -loss(s, c),), "the sign is wrong"),
    (check.log_loss, (share,), "it returned the probability"),
    (check.log_loss, (lambda s, c: loss(s, c) / np.log(2),), "to base 2"),
    (check.log_loss, (lambda s, c: loss(s, c - 1),), "less one of the scores: which one?"),
    (check.log_loss, (lambda s, c: loss(s, c) + s[c],), "less one of the scores"),
    (check.log_loss, (lambda s, c: loss(s, c) - s.max(),), "score of the class, too"),
    (check.log_loss, (lambda s, c: loss(s, c) / len(s),), "Work this case out by hand"),
    (check.log_loss, (lambda s, c: loss(s, c) - np.log(len(s)),), "out by hand"),
    (check.log_loss, (lambda s, c: s - s.max(),), "return one number"),
    (check.log_loss, (changes_scores,), "changed its argument number 1"),
    (check.same_predictions, ((True,) * 6,), "Number 2 can change a prediction"),
    (check.same_predictions, ((True, False, True, True, True, False),), "Number 4 can"),
    (check.same_predictions, ((True, False, True, False, True, True),), "Number 6 can"),
    (check.same_predictions, ((False,) * 6,), "Number 1 never changes"),
    (check.same_predictions, ((True, False) * 2 + (False, False),), "Number 5 never"),
    (check.same_predictions, ((True, False, True),), "Six values are wanted"),
    (check.same_predictions, ((1, 0, 1, 0, 1, 0),), "is True or False"),
    (check.strangers, (60, 1, 11), "the number for three neighbors"),
    (check.strangers, (22, 1, 12), "Hold out whole forms"),
    (check.strangers, (0, 1, 0), "its form must not be learned"),
    (check.strangers, (64, 1, 12), "up to the place where the next begins"),
    (check.strangers, (65, 0, 12), "Forms have the numbers 1 to 14"),
    (check.strangers, (65, 13, 12), "Misread on form 13: 11, and"),
    (check.strangers, (65, 1, 11), "The form is right"),
    (check.strangers, ((65, 1), 1, 12), "three whole numbers"),
    (check.hessian, (slip(curvature, "sum"),), "the Hessian of the sum"),
    (check.hessian, (slip(curvature, "diagonal"),), "miss a term"),
    (check.hessian, (slip(curvature, "blocks"),), "two different classes are not zero"),
    (check.hessian, (slip(curvature, "coupling"),), "couples the classes"),
    (check.hessian, (slip(curvature, "by feature"),), "sorted by feature"),
    (check.hessian, (lambda V, A: -curvature(V, A),), "every sign is reversed"),
    (check.hessian, (lambda V, A: np.triu(curvature(V, A)),), "is not symmetric"),
    (check.hessian, (lambda V, A: curvature(V, A) / 2,), "flat where it should be"),
    (check.hessian, (lambda V, A: np.eye(V.size),), "it is 0 for the Hessian"),
    (check.hessian, (hessian_by_forward_differences,), "or a difference quotient?"),
    (
        check.hessian,
        (lambda V, A: curvature(V, A).astype(np.float32),),
        "It is right to about seven digits; eight are compared",
    ),
    (check.hessian, (lambda V, A: A.T @ A,), "back a matrix with 4 rows and columns"),
]
