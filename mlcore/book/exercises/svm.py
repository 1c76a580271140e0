"""The exercises of the chapter on the support vector machine."""

from functools import partial

import numpy as np

from mlcore.book.exercises import checker, first, number, numbers, refuse
from mlcore.book.exercises.kit import Answer, Exercise, Function, Number, Truths, exercise
from mlcore.book.exercises.words import short, tidy
from mlcore.data import digits, overlapping
from mlcore.linear import sgn
from mlcore.scalings import constant_of, lambda_of
from mlcore.svm import hard_margin, objective, soft_margin


@exercise
def slopes():
    right = np.array([(-3, -3), (-3, -1), (-1, 0)])

    def judge(answer):
        given = numbers(answer, (3, 2), "three pairs (least slope, largest slope)")
        for z, pair, want in zip(("0", "1/2", "1"), given, right, strict=True):
            refuse(
                (pair[0] > pair[1], f"At z = {z}, give the smaller slope first; got "
                 f"{short(pair)}."),
                (np.allclose(pair, -want[::-1]), f"At z = {z} the sizes are right, but "
                 "does the function rise?"),
                (not np.allclose(pair, want), f"At z = {z}, the slopes from {pair[0]:g} "
                 f"to {pair[1]:g} are not it. Which of the three lines is highest just "
                 "left of that point, which just right?"),
            )  # fmt: skip

    praise = "One slope where one line is highest, an interval where two of them meet."
    return Exercise(praise, answer=Answer(right, judge))


@checker
def four_points(weight, bias, duals):
    w, b = number(weight, "w as one number"), number(bias, "b as one number")
    a = numbers(duals, (4,), "four weights a, in the order of the examples")
    x, y, C = np.array([2.0, -1.0, 1.0, -2.0]), np.array([1.0, 1.0, -1.0, -1.0]), 0.5
    v, z = float(a @ (y * x)), y * (w * x + b)
    flipped = " Do the labels go into the sum?" if np.isclose(w, a @ x) else ""
    refuse(
        (a.min() < -1e-9 or a.max() > C + 1e-9, "Each weight must be between 0 and C = "
         f"0.5; these are {short(a)}."),
        (abs(a @ y) > 2e-3, f"The positive examples have {tidy(a[:2].sum())} of weight in "
         f"all, the negative ones {tidy(a[2:].sum())}. Does b cancel?"),
        (abs(w - v) > 4e-3, f"Your weights make v = {tidy(v)}, and your w is "
         f"{tidy(w)}.{flipped}"),
    )  # fmt: skip
    for q in range(4):
        above, below = z[q] > 1.002 and a[q] > 1e-3, z[q] < 0.998 and a[q] < C - 1e-3
        refuse((above or below, f"Example {q + 1} has z = {tidy(z[q])} and the weight "
            f"{tidy(a[q])}. What must be the weight of an example with z "
            f"{'above' if above else 'below'} 1?"))  # fmt: skip
    return "All conditions hold, so nothing is better: objective and bound both are 1.625."


@exercise
def lower_bound():
    X_3, y_3 = np.array([[1.0], [3.0], [4.0]]), np.array([-1.0, 1.0, 1.0])
    refused = {
        ((1.0, 0.0, 0.0), 1.0): "do not cancel b, so they bound nothing; return None for "
         "them.",
        ((1.5, 1.5, 0.0), 1.0): "are partly above the price C = 1; return None for them.",
        ((0.5, 0.5, 0.0), 0.4): "are partly above the price C = 0.4; return None for them.",
        ((0.5, 1.0, -0.5), 1.0): "are partly negative, which turns an inequality round; "
         "return None for them.",
        ((0.5, 0.5 + 1e-6, 0.0), 1.0): "with 1e-6 added to the second do not cancel b; "
         "return None for them.",
    }  # fmt: skip

    near = "miss a condition by 1e-12 only, so they are admissible."
    nearly = dict.fromkeys((
        ((0.5, 0.5 + 1e-12, 0.0), 1.0),
        ((0.5, 0.5, -1e-12), 1.0),
        ((0.5, 0.5, 0.0), 0.5 - 1e-12),
    ), near)  # fmt: skip

    def cases():
        yield X_3, y_3, np.array([0.5, 0.5, 0.0]), 1.0
        yield X_3, y_3, np.array([0.5, 0.0, 0.5]), 1.0
        data = overlapping(12, 2, separation=1.0, rng=5)
        fit = soft_margin(data.X, data.y, lambda_=0.2)
        half = np.where(data.y > 0, (data.y < 0).mean(), (data.y > 0).mean()) * fit.C
        yield from ((data.X, data.y, a, fit.C) for a in (fit.a, half))
        yield from ((X_3, y_3, np.array(a), C) for a, C in [*refused, *nearly])

    def of(bound):
        def answer(X, y, a, C):
            v = (a * y) @ X
            return None if (tuple(a.tolist()), C) in refused else bound(a, v @ v / 2, a @ X)

        return answer

    return Exercise(
        "For the three points your bound is the objective itself: nothing can beat it.",
        function=Function(of(lambda a, half, v: a.sum() - half), cases, {
            of(lambda a, half, v: a.sum() - 2 * half): "What factor does the square of v "
                "have?",
            of(lambda a, half, v: a.sum() + half): "Is the square of v added, or taken "
                "away?",
            of(lambda a, half, v: a.sum() - v @ v / 2): "Do the labels go into v?",
            of(lambda a, half, v: a.sum() - np.sqrt(2 * half) / 2): "Is it the length of "
                "v, or its square?",
            of(lambda a, half, v: a.mean() - half): "Is it the sum of the weights, or "
                "their mean?",
            of(lambda a, half, v: half - a.sum()): "Is the sign of the whole right?",
        }, "Compare with the theorem, term by term.",
        lambda X, y, a, C: f"The weights {short(tuple(a.tolist()))}",
        ("have another bound; yours",), "{tried} have another bound than {got}. {said}",
        lambda got, X, y, a, C: refused.get((tuple(a.tolist()), C)),
        none=lambda X, y, a, C: nearly.get((tuple(a.tolist()), C))),
    )  # fmt: skip


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
    start = {"last": len(seen) - 1, "all": 0, "early": (len(seen) + 1) // 2}
    start = min(start.get(slip, len(seen) // 2), len(seen) - 1)
    means = np.mean(seen[start:], axis=0)
    return w if slip == "one array" else means[:-1], means[-1]


def hits_in_turn(X, y, w, b, part, eta):
    """The hits of a batch, if w and b move after each of its examples."""
    hits = []
    for q in part:
        hits.append(y[q] * (X[q] @ w + b) < 1)
        move = eta / len(part) * hits[-1] * y[q]
        w, b = w + move * X[q], b + move
    return np.array(hits)


def after(*case):
    """How a reply begins: after how many steps."""
    return f"After {len(case[-1])} step{'s' * (len(case[-1]) > 1)}"


@exercise
def batch_pegasos():
    def cases():
        for seed, steps in ((0, 1), (1, 2), (2, 7), (3, 40)):
            rng = np.random.default_rng(seed)
            X = rng.normal(size=(9, 2)) + np.array([1.5, 0.0])
            y = np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0])
            batches = [rng.permutation(9)[: rng.integers(1, 5)] for _ in range(steps)]
            yield X, y, 0.3, batches

    slips = {
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
        "one array": "Is each w that you keep an array of its own? `w *= ...` and `w += "
        "...` change the ones kept before.",
        "against": "Does the step go along y x, or against it?",
        "over n": "Is the mean over the batch, or over all n examples?",
        "b unseen": "Is b in the score?",
        "hits only": "Is the mean over all examples of the batch, or over its hits only?",
        "in turn": "Are all hits of a batch decided before w and b move?",
    }  # fmt: skip

    def of_none(X, y, lambda_, batches):
        """The mean over steps with t > T/2, counted from 1, which has none if T is 1."""
        return pegasos(X, y, lambda_, batches) if len(batches) > 1 else (np.nan, np.nan)

    slips = {partial(pegasos, slip=slip): said for slip, said in slips.items()}
    slips[of_none] = "Which steps have t > T/2, if T is 1?"
    praise = "Four runs, of 1, 2, 7 and 40 steps, and the same means as ours."
    return Exercise(praise, function=Function(
        pegasos, cases, slips, "Compare with the algorithm, line by line.", after,
        ("your w", "your b"),
        "{tried} your (w, b) is {all}. {said}",
        lambda w, *rest: np.isnan(w).any() and f"your w is nan. {slips[of_none]}",
        rtol=1e-7,
    ))  # fmt: skip


@exercise
def kernel_hits():
    def cases():
        for seed, steps in ((1, 1), (0, 60), (2, 7), (4, 300)):
            rng = np.random.default_rng(seed)
            X, y = rng.normal(size=(8, 2)), np.array([1.0, -1, -1, 1, 1, -1, 1, -1])
            yield (1 + X @ X.T) ** 2, y, 0.2, rng.integers(8, size=steps)

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

    slips = {
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

    def none_at_first(h, K, y, lambda_, picks):
        return first((len(picks) == 1 and not h.any(), f"your counts {short(h)} are not "
            "right. Before the first step w = 0, so the score is 0: is that example a "
            "hit?"))  # fmt: skip

    praise = "Four runs with products of two features, and nobody computed a feature."
    return Exercise(praise, function=Function(
        hits, cases, {partial(hits, slip=slip): said for slip, said in slips.items()},
        "How does the score follow from the counts so far?", after, ("your function",),
        "{tried} your counts {got} are not right. {said}", none_at_first,
    ))  # fmt: skip


@exercise
def same_w(C=0.4):
    X = np.array([[2.0, 1.0], [2.0, -1.0], [0.0, 0.0], [-1.0, 1.0], [1.5, 3.0]])
    y = np.array([1.0, 1.0, -1.0, -1.0, 1.0])
    old = soft_margin(X, y, lambda_=1 / (5 * C))
    z = y * (X @ old.w + old.b)
    beyond, inside = int(z.argmax()), int(z.argmin())
    far, near = X.copy(), X.copy()
    far[beyond] += 5 * y[beyond] * old.w
    near[inside] += 0.1 * y[inside] * old.w / (old.w @ old.w)

    def fact(X, y, C=C):
        w = soft_margin(X, y, lambda_=1 / (len(y) * C)).w
        before, after = (short(v.round(3)) for v in (old.w, w))
        moves = (
            f"does not always leave w: on one data set it was {before} before and {after} "
            "after it."
        )
        stays = (
            "always leaves w. Take the weights a of the old data: which weights satisfy "
            "all conditions after the change?"
        )
        return (True, stays) if np.allclose(w, old.w, atol=1e-6) else (False, moves)

    twice = np.vstack([X, X]), np.append(y, y)
    facts = fact(far, y), fact(near, y), fact(X + np.array([3.0, -2.0]), y), fact(10 * X, y)
    praise = "The conditions decide, and they see only some of what changes."
    return Exercise(praise, stays=Truths(*facts, fact(*twice), fact(*twice, C / 2)))


@exercise
def leave_one_out():
    data = digits(negative=3, positive=8)
    support, right = set(hard_margin(data.X, data.y).support.tolist()), set()
    for q in support:
        fit = hard_margin(np.delete(data.X, q, axis=0), np.delete(data.y, q))
        if data.y[q] * (fit.w @ data.X[q] + fit.b) <= 0:
            right.add(q)

    def judge(wrong):
        wrong = sorted(wrong) if isinstance(wrong, (set, frozenset)) else wrong
        flat = np.atleast_1d(np.asarray(wrong))
        refuse(
            (
                flat.dtype == bool,
                "Give the indices of the images, not True or False for each.",
            )
        )
        given = set(numbers(flat, (flat.size,), "a list of indices").tolist())
        extra = sorted(given - right)
        refuse(
            (any(not 0 <= q <= 356 or q % 1 for q in given), "Indices are whole numbers "
             f"from 0 to 356; these are {short(wrong)}."),
            (given == support, "These are the support vectors: the images that *can* go "
             "wrong."),
            (not given, "Some image does go wrong. Is it left out of the fit that is to "
             "classify it, and is every support vector tried?"),
            (given == {q + 1 for q in right}, f"{short(sorted(given))}: does Python count "
             "from 0 or from 1?"),
            (extra, f"Image {min(extra, default=0):g} is classified correctly when it is "
             "left out."),
            (given != right, f"{len(given)} found, and there are more. Did you try all?"),
        )  # fmt: skip

    n = len(data.y)
    share = f"{len(right)} of {n}, or {len(right) / n:.1%}"
    praise = f"{share}; the bound was {len(support) / n:.1%}."
    return Exercise(praise, wrong=Answer(sorted(right), judge))


@exercise
def translated(constant=0.5, n=200):
    lambda_ = lambda_of("Zisserman", constant=constant, n=n)
    half = "where does |w|^2 have a half, and where not?"
    sum_or_mean = f"is the loss a sum there, or a mean over the {n} examples?"

    def given(name, right):
        slips = {right / 2: f"a factor 2 is missing: {half}", 2 * right: "a factor 2 is "
            f"too much: {half}",
                 right * n: sum_or_mean, right / n: sum_or_mean}  # fmt: skip
        hint = "compare the price of |w|^2 with the price of one example's loss."
        return Number(right, slips, hint, f"{name} = {{}} makes another minimizer; ", 7)

    forms = {
        "C of SVC": "SVC",
        "alpha": "SGDClassifier",
        "the c of the mean": "Krause mean",
        "the c of the sum": "Krause sum",
    }
    wanted = {name: constant_of(form, lambda_=lambda_, n=n) for name, form in forms.items()}
    wanted = {"lambda": lambda_, **wanted}
    praise = "Five constants, one ratio of prices."
    return Exercise(praise, **{name: given(name, right) for name, right in wanted.items()})


@checker
def loose_bias(points, lambda_):
    x, y = numbers(points, (4,), "four numbers"), np.array([1.0, 1.0, -1.0, -1.0])
    lambda_ = number(lambda_, "lambda, a number")
    fair = 1e-6 <= lambda_ <= 1e6 and np.abs(x).max() <= 1e6
    refuse((not fair, "Stay with numbers up to a million, and with lambda from 1e-6 to "
        f"1e6; these are {short(x)} and {short(lambda_)}."))  # fmt: skip
    X = x[:, None]
    fit = soft_margin(X, y, lambda_=lambda_)
    small = abs(fit.w[0]) <= 1e-7 * fit.C * np.abs(x).sum()
    zero = small and abs(fit.w[0]) * np.ptp(x) <= 1e-6
    refuse((zero, "Here w = 0: the rule ignores x. Put the classes apart."))
    corners = y - X @ fit.w  # J is linear in b between these
    J = np.array([objective(X, y, fit.w, float(c), lambda_=lambda_) for c in corners])
    best = corners[J - J.min() <= 1e-9]
    refuse((np.ptp(best) < 1 - 1e-6, f"w = {fit.w[0]:.3g}, and the best b form an "
        f"interval of length {round(np.ptp(best), 5):g}. For b to be loose, no example "
        "may hold it: which z_i must then be below 1, and what does lambda "
        "do to w?"))  # fmt: skip
    accuracy = np.mean(sgn(X @ fit.w + best.mean()) == y)
    return f"Every b from {best.min():.3g} to {best.max():.3g}; accuracy {accuracy:.0%}."
