"""Checkers for the exercises of the chapter on several classes."""

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    few_digits,
    floats,
    mistaken,
    named,
    near,
    number,
    numbers,
    shape_of,
    short,
    tidy,
    truths,
)
from mlcore.book.exercises import multiclass_data as data


@checker
def claims(answer):
    parts = "the gap, the overlap and the two changes, four numbers"
    gap, twice, first, second = numbers(answer, (4,), parts)
    if not near(gap, 2):
        raise NotYet(
            f"Nobody claims an interval of length {tidy(gap)}, you say. From where to "
            "where are all three scores negative?"
        )
    if not near(twice, 3):
        raise NotYet(
            f"At x = {tidy(twice)} the scores are {_scores_at(twice)}. Which is the "
            "smallest x at which two of them are at least 0?"
        )
    if first > second:
        raise NotYet("Give the smaller of the two changes first.")
    for change, want in ((first, 2 / 3), (second, 4.0)):
        if not near(change, want):
            raise NotYet(
                f"At x = {tidy(change)} the scores are {_scores_at(change)}. Where the "
                "prediction changes, the two largest scores are equal."
            )
    return "Compared by size, the three scores leave no gap and no overlap."


def _scores_at(x):
    return ", ".join(tidy(g) for g in (-x, x / 2 - 1, x - 3))


@checker
def step(answer):
    if shape_of(answer) == (2, 3):
        raise NotYet("This has two rows. Give a row for each of the three classes.")
    if shape_of(answer) in ((3,), (3, 1)):
        raise NotYet(
            "These are three numbers. Each class has two weights, one for the feature and "
            "one for the constant 1."
        )
    given = numbers(answer, (3, 2), "a row of two numbers for each of the three classes")
    if near(given, data.GRADIENT):
        return "The columns sum to zero: what the classes 2 and 3 give up, class 1 gets."
    slip = named(given, data.OTHER_GRADIENTS, same=near)
    if slip:
        raise NotYet(slip)
    if near(given[:, 0], data.GRADIENT[:, 0]):
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
    for x, c, K in data.rivals():
        want, got = data.wishes(x, c, K), call(function, x, c, K)
        tried = f"For x = {short(x)} of class {c} among {K}"
        others = (
            (data.wishes(x, c, K, **slip), words)
            for words, slip in data.OTHER_WISHES.items()
        )
        slip = named(got, others, want, same=np.array_equal)
        if slip:
            raise NotYet(f"{tried}: {slip}.")
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
    for S, K in data.ballots():
        want = data.elected(S, K)
        got = call(function, S, K)
        tried = f"For {len(S)} rows and K = {K}"
        if shape_of(got) == (len(S), K):
            raise NotYet(
                f"{tried} it returned an array of shape ({len(S)}, {K}), one number for "
                "each class. Which class is elected?"
            )
        said = numbers(got, want.shape, f"back {len(S)} classes for {len(S)} rows")
        others = (
            (data.elected(S, K, slip), hint) for slip, hint in data.OTHER_VOTES.items()
        )
        slip = named(said, others, want, same=np.array_equal)
        if slip:
            raise NotYet(f"{tried}: {slip}")
        if np.array_equal(said, want + 1):
            raise NotYet(f"{tried} your classes run from 1 to K; count them from 0.")
        wrong = np.flatnonzero(said != want)
        if wrong.size:
            raise NotYet(
                f"For K = {K} and the scores {short(S[wrong[0]])} you elect class "
                f"{tidy(said[wrong[0]])}. How many votes does each class have, and of "
                "those with the most, which sum of scores?"
            )
    return "Ten tables of elections, many of them with equal votes."


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
    wrong = mistaken(said, right)
    if wrong and said[wrong[0]]:
        q = wrong[0] + 1
        raise NotYet(f"Number {q} can change a prediction: {examples[q]}.")
    if wrong:
        raise NotYet(
            f"Number {wrong[0] + 1} never changes a prediction. What does it do to the "
            "order of the scores, or of the distances?"
        )
    return "Only the order counts, of the scores at a point or of the distances from it."


@checker
def log_loss(function):
    for scores, c in data.scored():
        with np.errstate(all="ignore"):
            got = call(function, scores, c)
        tried = f"For the scores {short(scores)} and class {c}"
        try:
            value = float(floats(got))
        except (TypeError, ValueError):
            raise NotYet(f"{tried} it returned {short(got)}; return one number.") from None
        if np.isclose(value, data.loss_of(scores, c), rtol=1e-9, atol=1e-12):
            continue
        if not np.isfinite(value):
            raise NotYet(
                f"{tried} it returned {short(value)}. Which number, subtracted from all "
                "scores, leaves no exponential above 1, and is the logarithm of a quotient "
                "needed?"
            )
        want = data.loss_of(scores, c)
        few = few_digits(value, want, 1e-9)
        if few:
            raise NotYet(
                f"{tried} it returned {tidy(value)}. {few} Is it float32, rounded, or is "
                "something added inside the logarithm?"
            )
        slip = named(value, data.other_losses(scores, c, value), want) or (
            "it returned {}. Work this case out by hand: the exponentials, their sum, its "
            "logarithm, and the score to be subtracted."
        )
        raise NotYet(f"{tried} {slip.format(tidy(value))}")
    return "Seven examples, and finite where the exponentials are not."


@checker
def hessian(function):
    rng = np.random.default_rng(8)
    for K, r, n in ((2, 2, 5), (3, 2, 7), (4, 3, 6)):
        V, A = rng.normal(size=(K, r)), rng.normal(size=(n, r))
        A[:, -1] = 1.0
        want, got = data.curvature(V, A), call(function, V, A)
        tried = f"For K = {K}, r = {r}, n = {n}"
        H = numbers(got, want.shape, f"back a matrix with {K * r} rows and columns")
        few = few_digits(H, want, 1e-8)
        if few:
            raise NotYet(
                f"{tried} your matrix is near, but not exact. {few} Is it float32, "
                "rounded, or a difference quotient?"
            )
        if np.allclose(H, want, rtol=1e-8, atol=1e-8 * np.abs(want).max()):
            continue
        others = (
            (data.curvature(V, A, slip), hint) for slip, hint in data.OTHER_HESSIANS.items()
        )
        slip = named(H, others)
        if slip:
            raise NotYet(f"{tried}: {slip}.")
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
    counts = data.misread(1)
    wrong, which, worst = (number(v, "three whole numbers") for v in (total, form, most))
    if wrong == sum(data.misread(3)):
        raise NotYet(f"{tidy(wrong)} is the number for three neighbors; one is wanted.")
    if wrong == sum(data.misread(1, mixed=True)):
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
    if not 1 <= which <= 14 or which % 1:
        raise NotYet(f"Forms have the numbers 1 to 14; this is {tidy(which)}.")
    if counts[int(which) - 1] != max(counts):
        raise NotYet(
            f"Misread on form {tidy(which)}: {counts[int(which) - 1]}, and more on "
            "another one. Do you count the forms from 1?"
        )
    if worst != max(counts):
        raise NotYet(
            f"The form is right, but not that it has {tidy(worst)} misread images."
        )
    return f"{sum(counts)} images, {max(counts)} of them on one form of fourteen."
