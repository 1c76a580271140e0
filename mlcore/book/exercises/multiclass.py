"""Checkers for the exercises of the chapter on several classes."""

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    numbers,
    short,
    tidy,
    truths,
)
from mlcore.book.exercises.multiclass_data import (
    OTHER_HESSIANS,
    OTHER_VOTES,
    OTHER_WISHES,
    ballots,
    curvature,
    elected,
    misread,
    softmax,
    wishes,
)


@checker
def claims(answer):
    gap, twice, first, second = numbers(answer, (4,), "four numbers")
    near = 0.0005 + 1e-12
    if abs(gap - 2) > near:
        raise NotYet(
            f"Nobody claims an interval of length {tidy(gap)}, you say. From where to "
            "where are all three scores negative?"
        )
    if abs(twice - 3) > near:
        raise NotYet(
            f"At x = {tidy(twice)} the scores are {_scores_at(twice)}. Which is the "
            "smallest x at which two of them are at least 0?"
        )
    if first > second:
        raise NotYet("Give the smaller of the two changes first.")
    for change, want in ((first, 2 / 3), (second, 4.0)):
        if abs(change - want) > near:
            raise NotYet(
                f"At x = {tidy(change)} the scores are {_scores_at(change)}. Where the "
                "prediction changes, the two largest scores are equal."
            )
    return "Compared by size, the three scores leave no gap and no overlap."


def _scores_at(x):
    return ", ".join(tidy(g) for g in (-x, x / 2 - 1, x - 3))


@checker
def step(answer):
    if np.shape(answer) == (2, 3):
        raise NotYet("This has two rows. Give a row for each of the three classes.")
    if np.shape(answer) in ((3,), (3, 1)):
        raise NotYet(
            "These are three numbers. Each class has two weights, one for the feature and "
            "one for the constant 1."
        )
    given = numbers(answer, (3, 2), "a row of two numbers for each of the three classes")
    x, p = np.array([2.0, 1.0]), np.array([1, 2, 5]) / 8
    truth = np.eye(3)

    def is_(rate):
        return np.allclose(given, np.outer(rate, x), rtol=0, atol=0.0005 + 1e-12)

    if is_(p - truth[0]):
        return "The columns sum to zero: what the classes 2 and 3 give up, class 1 gets."
    if is_(truth[0] - p):
        raise NotYet("The sizes are right. Is it the gradient, or the step against it?")
    if is_(p):
        raise NotYet("These are probabilities times the example. Where is the truth?")
    if is_(p - truth[1]) or is_(p - truth[2]):
        raise NotYet("The truth is subtracted in the wrong row. Of which class is it?")
    if is_(np.log([1, 2, 5]) - truth[0]):
        raise NotYet("You subtract the truth from the scores. What are the probabilities?")
    if np.allclose(given[:, ::-1], np.outer(p - truth[0], x), rtol=0, atol=0.0005):
        raise NotYet("The two columns are exchanged: the constant comes last.")
    if np.allclose(given[:, 0], (p - truth[0]) * 2, rtol=0, atol=0.0005 + 1e-12):
        raise NotYet(
            "The derivatives by the w are right. The example has the constant 1 for the "
            "biases: what are the derivatives by them?"
        )
    if not np.allclose(given.sum(axis=0), 0, atol=0.0015):
        raise NotYet(
            f"Your columns sum to {short(given.sum(axis=0))}. What does probability minus "
            "truth sum to?"
        )
    raise NotYet("Begin with the three probabilities: e to the scores, over their sum.")


@checker
def kesler(function):
    rng = np.random.default_rng(6)
    cases = [(np.array([2.0, 1.0]), 1, 3)]
    cases += [(rng.integers(2, 9, d) * 1.0, c, K) for d, c, K in ((1, 0, 2), (3, 2, 4))]
    for x, c, K in cases:
        want = wishes(x, c, K)
        got = call(function, x, c, K)
        tried = f"For x = {short(x)} of class {c} among {K}"
        for words, slip in OTHER_WISHES.items():
            other = wishes(x, c, K, **slip)
            if np.array_equal(got, other) and not np.array_equal(other, want):
                raise NotYet(f"{tried}: {words}.")
        rows = numbers(got, want.shape, f"back {K - 1} rows of {want.shape[1]} numbers")
        wrong = np.flatnonzero((np.abs(rows - want) > 1e-9).any(axis=1))
        if wrong.size:
            raise NotYet(
                f"{tried}, row {wrong[0]} is {short(rows[wrong[0]].tolist())}. Which "
                "blocks of it are not zero, and what do they hold?"
            )
    return "One row for each rival, and two blocks in it that are not zero."


@checker
def vote(function):
    for S, K in ballots():
        want = elected(S, K)
        got = call(function, S, K)
        tried = f"For {len(S)} rows and K = {K}"
        if np.shape(got) == (len(S), K):
            raise NotYet(
                f"{tried} it returned an array of shape ({len(S)}, {K}), one number for "
                "each class. Which class is elected?"
            )
        said = numbers(got, want.shape, f"back {len(S)} classes for {len(S)} rows")
        for slip, hint in OTHER_VOTES.items():
            other = elected(S, K, slip)
            if (other != want).any() and np.array_equal(said, other):
                raise NotYet(f"{tried}: {hint}")
        if np.array_equal(said, want + 1):
            raise NotYet(f"{tried} your classes run from 1 to K; count them from 0.")
        wrong = np.flatnonzero(said != want)
        if wrong.size:
            raise NotYet(
                f"For K = {K} and the scores {short(S[wrong[0]])} you elect class "
                f"{tidy(said[wrong[0]])}. How many votes does each class have, and of "
                "those with the most, which sum of scores?"
            )
    return "Ten elections, many of them with equal votes."


@checker
def design(weights, biases):
    w = numbers(weights, (3,), "three weights")
    b = numbers(biases, (3,), "three biases")
    near = np.array([-1e-6, 1e-6])
    points = [-1000, -10, -1.5, *(near - 1), 0, 1.3, *(near + 2), 2.5, 10, 1000]
    for x in points:
        scores, want = w * x + b, int(x > -1) + int(x > 2)
        if scores[want] <= np.delete(scores, want).max():
            hint = "Which slope must be the largest, and which the smallest?"
            if w[0] < w[1] < w[2]:
                hint = "The slopes are in order. Where is each score equal to the next one?"
            raise NotYet(
                f"At x = {x:.7g} the scores are ({', '.join(f'{g:.7g}' for g in scores)}), "
                f"but class {want + 1} should win. {hint}"
            )
    return f"At x = 0.5 the scores are ({', '.join(map(tidy, w * 0.5 + b))})."


@checker
def same_predictions(answer):
    said = truths(answer, 6)
    right = [True, False, True, False, True, False]
    examples = {
        2: "the scores (2, 1.5, -1) elect class 1, but (2, 4.5, -1) elect class 2",
        4: "the scores (1, 0, -2) elect class 1, but their squares elect class 3",
        6: "of (0, 1) of class A and (2, 0) of class B, A is nearer to (0, 0); with the "
        "second feature three times as large B is",
    }
    for number, (value, want) in enumerate(zip(said, right, strict=True), start=1):
        if value and not want:
            raise NotYet(f"Number {number} can change a prediction: {examples[number]}.")
    for number, (value, want) in enumerate(zip(said, right, strict=True), start=1):
        if want and not value:
            raise NotYet(
                f"Number {number} never changes a prediction. What does it do to the order "
                "of the scores, or of the distances?"
            )
    return "Only the order counts, of the scores at a point or of the distances from it."


@checker
def log_loss(function):
    rng = np.random.default_rng(7)
    cases = [(rng.normal(size=K), c) for K, c in ((2, 0), (3, 2), (6, 1))]
    cases += [(np.array([1000.0, 0.0, 999.0]), 0), (np.array([0.0, 1000.0]), 0)]
    cases += [(np.array([-1000.0, -1001.0]), 1)]
    for scores, c in cases:
        with np.errstate(all="ignore"):
            got = call(function, scores, c)
            p = softmax(scores)[c]
        top = scores.max()
        want = top - scores[c] + np.log(np.exp(scores - top).sum())
        tried = f"For the scores {short(scores)} and class {c}"
        try:
            value = float(np.asarray(got, float))
        except (TypeError, ValueError):
            raise NotYet(f"{tried} it returned {short(got)}; return one number.") from None
        if np.isclose(value, want, rtol=1e-9, atol=1e-12):
            continue
        if not np.isfinite(value):
            raise NotYet(
                f"{tried} it returned {short(value)}. Which change of all scores is "
                "harmless, and is the logarithm of a quotient needed?"
            )
        if np.isclose(value, -want):
            raise NotYet(f"{tried} it returned {tidy(value)}; the sign is wrong.")
        if np.isclose(value, p):
            raise NotYet(f"{tried} it returned the probability; the loss is wanted.")
        if 0 < value < want and top - scores[c] > 700:
            raise NotYet(
                f"{tried} it returned {tidy(value)}, which is too small. Is a probability "
                "that became 0 raised to a small number? Avoid the probability instead."
            )
        if np.isclose(value, want - top):
            raise NotYet(
                f"{tried} it returned {tidy(value)}. What you subtract from the scores in "
                "the sum must be subtracted from the score of the class, too."
            )
        if np.isclose(value, want / np.log(2)):
            raise NotYet(f"{tried} you took the logarithm to base 2; nats are wanted.")
        if np.isclose(value, want + scores[c] - np.append(scores, 0)).any():
            raise NotYet(
                f"{tried} it returned {tidy(value)}. It is the logarithm of the sum of "
                "exponentials, less one of the scores: which one?"
            )
        raise NotYet(
            f"{tried} it returned {tidy(value)}. Work this case out by hand: the "
            "exponentials, their sum, its logarithm, and the score to be subtracted."
        )
    return "Six examples, and finite where the exponentials are not."


@checker
def hessian(function):
    rng = np.random.default_rng(8)
    for K, r, n in ((2, 2, 5), (3, 2, 7), (4, 3, 6)):
        V, A = rng.normal(size=(K, r)), rng.normal(size=(n, r))
        A[:, -1] = 1.0
        want, got = curvature(V, A), call(function, V, A)
        tried = f"For K = {K}, r = {r}, n = {n}"
        H = numbers(got, want.shape, f"back a matrix with {K * r} rows and columns")
        if np.allclose(H, want, rtol=1e-8, atol=1e-10):
            continue
        for slip, hint in OTHER_HESSIANS.items():
            if np.allclose(H, curvature(V, A, slip)):
                raise NotYet(f"{tried}: {hint}.")
        if np.allclose(H, -want):
            raise NotYet(f"{tried} every sign is reversed.")
        if not np.allclose(H, H.T):
            raise NotYet(f"{tried} your matrix is not symmetric, as a Hessian is.")
        common = np.tile(rng.normal(size=r), K)
        bent = common @ H @ common
        why = f"{tried} it is flat where it should be, but not right elsewhere"
        if abs(bent) > 1e-9:
            why = (
                f"{tried}: for a vector that is the same in all classes the quadratic form "
                f"is {tidy(bent)}; it is 0 for the Hessian"
            )
        raise NotYet(f"{why}. Compare an entry with a finite difference of the gradient.")
    return "Three Hessians, each flat along changes that are the same for all classes."


@checker
def strangers(total, form, most):
    counts = misread(1)
    given = [numbers(v, (), "three whole numbers") for v in (total, form, most)]
    wrong, number, worst = (float(v) for v in given)
    if wrong == sum(misread(3)):
        raise NotYet(f"{tidy(wrong)} is the number for three neighbors; one is wanted.")
    if wrong == sum(misread(1, mixed=True)):
        raise NotYet(
            f"{tidy(wrong)} is the number for every fourteenth image. Hold out whole forms."
        )
    if wrong == 0:
        raise NotYet("No image is its own neighbor here: its form must not be learned.")
    if wrong != sum(counts):
        raise NotYet(
            f"{tidy(wrong)} is not the number of misread images. Does each of the fourteen "
            "folds hold one form, up to the place where the next begins?"
        )
    if not 1 <= number <= 14 or number % 1:
        raise NotYet(f"Forms have the numbers 1 to 14; this is {tidy(number)}.")
    if counts[int(number) - 1] != max(counts):
        raise NotYet(
            f"Misread on form {tidy(number)}: {counts[int(number) - 1]}, and more on "
            "another one. Do you count the forms from 1?"
        )
    if worst != max(counts):
        raise NotYet(
            f"The form is right, but not that it has {tidy(worst)} misread images."
        )
    return f"{sum(counts)} images, {max(counts)} of them on one form of fourteen."
