"""Checkers for the exercises of the chapter on the support vector machine."""

from functools import cache

import numpy as np

from mlcore.book.exercises import (
    Nothing,
    NotYet,
    call,
    checker,
    compare,
    numbers,
    short,
    tidy,
    truths,
)
from mlcore.data import digits, overlapping
from mlcore.linear import sgn
from mlcore.scalings import constant_of, lambda_of
from mlcore.svm import hard_margin, objective, soft_margin

FOUR_X, FOUR_Y = np.array([2.0, -1.0, 1.0, -2.0]), np.array([1.0, 1.0, -1.0, -1.0])


@checker
def slopes(answer):
    given = numbers(answer, (3, 2), "three pairs (least slope, largest slope)")
    where = ("0", "1/2", "1")
    for z, pair, want in zip(where, given, ((-3, -3), (-3, -1), (-1, 0)), strict=True):
        if pair[0] > pair[1]:
            raise NotYet(f"At z = {z}, give the smaller slope first; got {short(pair)}.")
        if np.allclose(pair, np.negative(want)[::-1]) and np.any(want):
            raise NotYet(f"At z = {z} the sizes are right, but does the function rise?")
        if not np.allclose(pair, want):
            raise NotYet(
                f"At z = {z}, the slopes from {pair[0]:g} to {pair[1]:g} are not it. Which "
                "of the three lines is highest just left of that point, which just right?"
            )
    return "One slope where one line is highest, an interval where two of them meet."


@checker
def four_points(weight, bias, duals):
    w = float(numbers(weight, (), "w as one number"))
    b = float(numbers(bias, (), "b as one number"))
    a = numbers(duals, (4,), "four weights a, in the order of the examples")
    C = 0.5
    if a.min() < -1e-9 or a.max() > C + 1e-9:
        raise NotYet(f"Each weight must be between 0 and C = 0.5; these are {short(a)}.")
    if abs(a @ FOUR_Y) > 2e-3:
        raise NotYet(
            f"The positive examples have {tidy(a[:2].sum())} of weight in all, the "
            f"negative ones {tidy(a[2:].sum())}. Does b cancel?"
        )
    v = float(a @ (FOUR_Y * FOUR_X))
    if abs(w - v) > 4e-3:
        flipped = "Do the labels go into the sum?" if np.isclose(w, a @ FOUR_X) else ""
        raise NotYet(
            f"Your weights make v = {tidy(v)}, and your w is {tidy(w)}. {flipped}".strip()
        )
    z = FOUR_Y * (w * FOUR_X + b)
    for q in range(4):
        said = f"Example {q + 1} has z = {tidy(z[q])} and the weight {tidy(a[q])}"
        if z[q] > 1.002 and a[q] > 1e-3:
            raise NotYet(f"{said}. What must be the weight of an example with z above 1?")
        if z[q] < 0.998 and a[q] < C - 1e-3:
            raise NotYet(f"{said}. What must be the weight of an example with z below 1?")
    return "All conditions hold, so nothing is better: objective and bound both are 1.625."


@checker
def lower_bound(function):
    three_X, three_y = np.array([[1.0], [3.0], [4.0]]), np.array([-1.0, 1.0, 1.0])
    admissible = [(three_X, three_y, np.array([0.5, 0.5, 0.0]), 1.0)]
    admissible.append((three_X, three_y, np.array([0.5, 0.0, 0.5]), 1.0))
    data = overlapping(12, 2, separation=1.0, rng=5)
    fit = soft_margin(data.X, data.y, lambda_=0.2)
    half = np.where(data.y > 0, (data.y < 0).mean(), (data.y > 0).mean()) * fit.C
    admissible += [(data.X, data.y, fit.a, fit.C), (data.X, data.y, half, fit.C)]
    for X, y, a, C in admissible:
        want = a.sum() - ((a * y) @ X) @ ((a * y) @ X) / 2
        tried = "three points and the weights " + short(a)
        tried = tried if len(a) == 3 else f"{len(a)} points and admissible weights"
        got = call(function, X, y, a, C)
        if np.shape(got) != ():
            raise NotYet(f"Return one number; {short(got)} is an array or a list.")
        bound = float(numbers(got, (), f"back one number for {tried}"))
        square = a.sum() - want  # half of the square
        named = {
            a.sum() - 2 * square: "What factor does the square of v have?",
            a.sum() + square: "Is the square of v added, or taken away?",
            a.sum() - ((a @ X) @ (a @ X)) / 2: "Do the labels go into v?",
            a.sum() - np.sqrt(2 * square) / 2: "Is it the length of v, or its square?",
            a.mean() - square: "Is it the sum of the weights, or their mean?",
            square - a.sum(): "Is the sign of the whole right?",
        }
        for value, hint in named.items():
            if not np.isclose(value, want) and np.isclose(bound, value):
                raise NotYet(f"For {tried} you return {tidy(bound)}. {hint}")
        compare(bound, want, f"For {tried} it", "Compare with the theorem, term by term.")
    refused = (
        ((1.0, 0.0, 0.0), 1.0, "do not cancel b, so they bound nothing"),
        ((1.5, 1.5, 0.0), 1.0, "are partly above the price C = 1"),
        ((0.5, 0.5, 0.0), 0.4, "are partly above the price C = 0.4"),
        ((0.5, 1.0, -0.5), 1.0, "are partly negative, which turns an inequality round"),
        ((0.5, 0.5 + 1e-6, 0.0), 1.0, "with 1e-6 added to the second do not cancel b"),
    )
    for a, C, why in refused:
        if _or_none(function, three_X, three_y, np.array(a), C) is not None:
            raise NotYet(f"The weights {short(a)} {why}; return None for them.")
    nearly = ((0.5 + 1e-12, 0.0, 1.0), (0.5, -1e-12, 1.0), (0.5, 0.0, 0.5 - 1e-12))
    for second, third, C in nearly:
        a = np.array([0.5, second, third])
        got = _or_none(function, three_X, three_y, a, C)
        if got is None:
            raise NotYet("Weights that miss a condition by 1e-12 only are admissible.")
        numbers(got, (), "back one number for weights that miss a condition by 1e-12")
    return "For the three points your bound is the objective itself: nothing can beat it."


def _or_none(function, *args):
    try:
        return call(function, *args)
    except Nothing:
        return None


@checker
def batch_pegasos(function):
    for seed, steps in ((0, 1), (1, 2), (2, 7), (3, 40)):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(9, 2)) + np.array([1.5, 0.0])
        y = np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0])
        batches = [rng.permutation(9)[: rng.integers(1, 5)] for _ in range(steps)]
        pair = call(function, X, y, 0.3, batches)
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise NotYet(f"It returned {short(pair)}; return a pair (w, b).")
        if steps == 1 and "nan" in short(pair[0]):
            raise NotYet("One batch gives nan. Which steps have t > T/2, if T is 1?")
        w = numbers(pair[0], (2,), "back w of shape (2,)")
        b = float(numbers(pair[1], (), "back b as one number"))
        own, want = np.array([*w, b]), np.array(_pegasos(X, y, 0.3, batches))
        if np.allclose(own, want, rtol=1e-7, atol=1e-9):
            continue
        tried = f"After {steps} step{'s' * (steps > 1)} your (w, b)"
        for slip, hint in SLIPS.items():
            if np.allclose(own, _pegasos(X, y, 0.3, batches, slip), rtol=1e-7, atol=1e-9):
                raise NotYet(f"{tried} is {short(own)}. {hint}")
        tried = tried.replace("your (w, b)", "your function")
        compare(own, want, tried, "Compare with the algorithm, line by line.")
    return "Four runs, of 1, 2, 7 and 40 steps, and the same means as ours."


SLIPS = {
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


def _pegasos(X, y, lambda_, batches, slip=""):
    """The right run, or the run of a student with this slip."""
    w, b, seen = np.zeros(X.shape[1]), 0.0, []
    for t, part in enumerate(batches, start=2 if slip == "from 2" else 1):
        eta = 1 / t if slip == "no lambda" else 1 / (lambda_ * t)
        shrunk = w if slip == "no shrink" else (1 - 1 / t) * w
        z = X[part] @ (shrunk if slip == "new w" else w)
        z = y[part] * (z + b * (slip != "b unseen"))
        hit = z <= 0 if slip == "mistakes" else z < 1
        if slip == "in turn":
            hit = _hits_in_turn(X, y, shrunk, b, part, eta)
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


def _hits_in_turn(X, y, w, b, part, eta):
    """The hits of a batch, if w and b move after each of its examples."""
    hits = []
    for q in part:
        hits.append(y[q] * (X[q] @ w + b) < 1)
        move = eta / len(part) * hits[-1] * y[q]
        w, b = w + move * X[q], b + move
    return np.array(hits)


@checker
def kernel_hits(function):
    for seed, steps in ((1, 1), (0, 60), (2, 7), (4, 300)):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(8, 2)), np.array([1.0, -1, -1, 1, 1, -1, 1, -1])
        K, picks = (1 + X @ X.T) ** 2, rng.integers(8, size=steps)
        got = call(function, K, y, 0.2, picks)
        h = numbers(got, (8,), "back the hits, one count for each example")
        want = _hits(K, y, 0.2, picks)
        if np.array_equal(h, want):
            continue
        tried = f"After {steps} step{'s' * (steps > 1)} your counts {short(h)}"
        if steps == 1 and not h.any():
            raise NotYet(
                f"{tried} are not right. Before the first step w = 0, so the score is 0: "
                "is that example a hit?"
            )
        for slip, hint in HIT_SLIPS.items():
            if np.allclose(h, _hits(K, y, 0.2, picks, slip)):
                raise NotYet(f"{tried} are not right. {hint}")
        tried = tried.replace(f"your counts {short(h)}", "your function")
        compare(h, want, tried, "How does the score follow from the counts so far?")
    return "Four runs with products of two features, and nobody computed a feature."


HIT_SLIPS = {
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


def _hits(K, y, lambda_, picks, slip=""):
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


@checker
def same_w(stays):
    stays = truths(stays, 6)
    for number, (value, (before, after)) in enumerate(
        zip(stays, _changes(), strict=True), start=1
    ):
        same = np.allclose(before, after, atol=1e-6)
        if value and not same:
            raise NotYet(
                f"Number {number} does not always leave w: on one data set it was "
                f"{short(before.round(3))} before and {short(after.round(3))} after it."
            )
        if same and not value:
            raise NotYet(
                f"Number {number} always leaves w. Take the weights a of the old data: "
                "which weights satisfy all conditions after the change?"
            )
    return "The conditions decide, and they see only some of what changes."


@cache
def _changes():
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


@checker
def leave_one_out(wrong):
    wrong = sorted(wrong) if isinstance(wrong, (set, frozenset)) else wrong
    flat = np.atleast_1d(np.asarray(wrong))
    if flat.dtype == bool:
        raise NotYet("Give the indices of the images, not True or False for each.")
    given = set(numbers(flat, (flat.size,), "a list of indices").tolist())
    right, support = _left_out()
    if given and (min(given) < 0 or max(given) > 356 or any(q % 1 for q in given)):
        raise NotYet(f"Indices are whole numbers from 0 to 356; these are {short(wrong)}.")
    if given == support:
        raise NotYet("These are the support vectors: the images that *can* go wrong.")
    if not given:
        raise NotYet(
            "Some image does go wrong. Is it left out of the fit that is to classify it, "
            "and is every support vector tried?"
        )
    if given == {q + 1 for q in right}:
        raise NotYet(f"{short(sorted(given))}: does Python count from 0 or from 1?")
    extra = sorted(given - right)
    if extra:
        raise NotYet(f"Image {extra[0]:g} is classified correctly when it is left out.")
    if given != right:
        raise NotYet(f"{len(given)} found, and there are more. Did you try all?")
    bound = len(support) / 357
    return f"{len(right)} of 357, or {len(right) / 357:.1%}; the bound was {bound:.1%}."


@cache
def _left_out():
    data = digits(negative=3, positive=8)
    support = hard_margin(data.X, data.y).support
    wrong = set()
    for q in support:
        kept = np.arange(len(data.y)) != q
        fit = hard_margin(data.X[kept], data.y[kept])
        if data.y[q] * (fit.w @ data.X[q] + fit.b) <= 0:
            wrong.add(float(q))
    return wrong, set(support.astype(float).tolist())


@checker
def translated(answer):
    given = numbers(answer, (5,), "five constants")
    lambda_ = lambda_of("Zisserman", constant=0.5, n=200)
    forms = ("SVC", "SGDClassifier", "Krause mean", "Krause sum")
    want = [lambda_, *(constant_of(form, lambda_=lambda_, n=200) for form in forms)]
    names = ("lambda", "C of SVC", "alpha", "the c of the mean", "the c of the sum")
    for name, own, right in zip(names, given, want, strict=True):
        if np.isclose(own, right, rtol=1e-6):
            continue
        slips = {
            0.5: "a factor 2 is missing: where does |w|^2 have a half, and where not?",
            2: "a factor 2 is too much: where does |w|^2 have a half, and where not?",
            200: "is the loss a sum there, or a mean over the 200 examples?",
            1 / 200: "is the loss a sum there, or a mean over the 200 examples?",
        }
        hint = "compare the price of |w|^2 with the price of one example's loss."
        for factor, words in slips.items():
            hint = words if np.isclose(own, factor * right, rtol=1e-6) else hint
        raise NotYet(f"{name} = {own:g} makes another minimizer; {hint}")
    return "Five constants, one ratio of prices."


@checker
def loose_bias(points, lambda_):
    x, y = numbers(points, (4,), "four numbers"), np.array([1.0, 1.0, -1.0, -1.0])
    lambda_ = float(numbers(lambda_, (), "lambda, a number"))
    if not (1e-6 <= lambda_ <= 1e6 and np.abs(x).max() <= 1e6):
        raise NotYet(
            "Stay with numbers up to a million, and with lambda from 1e-6 to 1e6; "
            f"these are {short(x)} and {short(lambda_)}."
        )
    X = x[:, None]
    fit = soft_margin(X, y, lambda_=lambda_)
    small = abs(fit.w[0]) <= 1e-7 * fit.C * np.abs(x).sum()
    if small and abs(fit.w[0]) * np.ptp(x) <= 1e-6:
        raise NotYet("Here w = 0: the rule ignores x. Put the classes apart.")
    corners = y - X @ fit.w  # J is linear in b between these
    J = np.array([objective(X, y, fit.w, float(c), lambda_=lambda_) for c in corners])
    best = corners[J - J.min() <= 1e-9]
    if np.ptp(best) < 1 - 1e-6:
        raise NotYet(
            f"w = {fit.w[0]:.3g}, and the best b form an interval of length "
            f"{round(np.ptp(best), 5):g}. For b to be loose, no example may hold it: which "
            "z_i must then be below 1, and what does lambda do to w?"
        )
    accuracy = np.mean(sgn(X @ fit.w + best.mean()) == y)
    return f"Every b from {best.min():.3g} to {best.max():.3g}; accuracy {accuracy:.0%}."
