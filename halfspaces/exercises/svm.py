"""The exercises of the chapter on the support vector machine."""

import numpy as np

from halfspaces.exercises import Said, first, kit, number, numbers, refuse
from halfspaces.exercises.kit import Exercise, Function, Number, Open, exercise
from halfspaces.formatting import format_value
from mlcore.data import digits, overlapping
from mlcore.linear import sgn
from mlcore.scalings import constant_of
from mlcore.svm import hard_margin, objective, soft_margin


@exercise(lines=((1, 0.5), (2, 1), (3, 1.5)), c=(2, 3, 4, 5))
def slopes(lines=(1, 0.5), c=3):
    a, _ = lines  # the slope of one line, and how high it is at 1/2
    if c <= a:
        return None
    right = ((-c, -c), (-c, -a), (-a, 0))

    def other(given):
        for z, (low, high), want in zip(("0", "1/2", "1"), given, right, strict=True):
            if low > high or not np.allclose((low, high), want):
                name = "order" if low > high else "hint"
                return Said(name, z=z, low=low, high=high)

    return Exercise(slopes=Number(right, {((c, c), (a, c), (0, a)): "rises"}, other))


@exercise(x=[range(-3, 4)] * 4, C=(0.25, 0.5, 1))
def four_points(x=(2, -1, 1, -2), C=0.5):
    x, y = np.array(x, float), np.array([1.0, 1.0, -1.0, -1.0])
    fit = soft_margin(x[:, None], y, lambda_=1 / (4 * C))
    eighths = 8 * np.array([fit.w[0], fit.b, *fit.a])
    inside = (fit.a > 1e-6) & (fit.a < C - 1e-6)
    whole = np.allclose(eighths, eighths.round(), atol=1e-5) and fit.converged
    if not whole or inside.sum() != 2 or len({*x}) < 4:
        return None
    w, b, *a = eighths.round() / 8

    def judge(weight, bias, duals):
        w, b = number(weight, "w as one number"), number(bias, "b as one number")
        a = numbers(duals, (4,), "four weights a, in the order of the examples")
        v, z = float(a @ (y * x)), y * (w * x + b)
        other_v, positive, negative = abs(w - v) > 4e-3, a[:2].sum(), a[2:].sum()
        refuse(
            (a.min() < -1e-9 or a.max() > C + 1e-9, "no_weights"),
            (abs(a @ y) > 2e-3, "unequal"),
            (other_v and np.isclose(w, a @ x), "no_labels"),
            (other_v, "other_v"),
            **locals(),
        )
        for q in range(4):
            end, where = (0, "above") if z[q] > 1 else (C, "below")
            wrong = abs(z[q] - 1) > 0.002 and abs(a[q] - end) > 1e-3
            refuse((wrong, "weight"), at=q + 1, z=z[q], weight=a[q], where=where)
        return Said("praise", value=C * 4 * fit.value)

    return Open(judge, w, b, tuple(a))


@exercise
def lower_bound():
    X, y = np.array([[1.0], [3.0], [4.0]]), np.array([-1.0, 1.0, 1.0])
    data = overlapping(12, 2, separation=1.0, rng=5)
    half = np.where(data.y > 0, (data.y < 0).mean(), (data.y > 0).mean())
    cases = [(X, y, np.array(a), C) for a, C in (
        ((0.5, 0.5, 0.0), 1.0), ((0.5, 0.0, 0.5), 1.0), ((1.0, 0.0, 0.0), 1.0),
        ((1.5, 1.5, 0.0), 1.0), ((0.5, 0.5, 0.0), 0.4), ((0.5, 0.5 + 3e-9, -3e-9), 1.0),
        ((0.5, 0.5 + 3e-9, 0.0), 1.0), ((0.5, 0.5, 0.0), 0.5 - 3e-9),
        ((0.5, 0.5 + 1e-12, -1e-12), 0.5),
    )]  # fmt: skip

    def refused(X, y, a, C, off=1e-9):
        """Why the weights are not admissible, if they are not."""
        least, by, sum_ = a.min(), a.max() - C, a @ y
        return first(
            (least < -off, "negative"),
            (by > off, "above"),
            (abs(sum_) > off, "unequal"),
            **locals(),
        )

    def right(X, y, a, C, slip=""):
        v = (a if slip == "labels" else a * y) @ X
        bound = a.sum() - {"factor": 1, "added": -1 / 2}.get(slip, 1 / 2) * (v @ v)
        return None if refused(X, y, a, C) else bound

    return Function(
        right,
        [*cases, (data.X, data.y, half, 1.0)],
        tried=lambda X, y, a, C: f"The weights {format_value(tuple(a.tolist()))}",
        fault=lambda got, *case: refused(*case),
        none=lambda *case: "barely" if refused(*case, off=0.0) else "admissible",
    )


@exercise
def batch_pegasos():
    def cases():
        for k, steps in ((0, 1), (1, 2), (2, 7), (3, 40)):
            rng = np.random.default_rng(k)
            X = rng.normal(size=(9, 2)) + np.array([1.5, 0.0])
            y = np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0])
            batches = [rng.permutation(9)[: rng.integers(1, 5)] for _ in range(steps)]
            yield X, y, 0.3, batches
        # its second score is 1
        yield np.eye(2), np.ones(2), 1.0, [np.array([0]), np.array([1])]

    def right(X, y, lambda_, batches, slip=""):
        w, b, seen = np.zeros(X.shape[1]), 0.0, []
        for t, part in enumerate(batches, start=1):
            price, old, hits = 1 if slip == "no lambda" else lambda_, (w, b), 0
            step = 1 / (price * (t + (slip == "t + 1")))
            w = w if slip == "no shrink" else (1 - 1 / t) * w
            b = (1 - 1 / t) * b if slip == "b shrinks" else b
            move, by, shrunk = np.zeros(len(w)), 0.0, (w, b)
            for q in part:
                now = w + step * move / len(part), b + step * by / len(part)
                v, c = {"in turn": now, "new w": shrunk}.get(slip, old)
                score = X[q] @ v + (0 if slip == "test without b" else c)
                score = score if slip == "no label" else y[q] * score
                hit = score < 1 or (slip == "one" and score == 1)
                hit = score <= 0 if slip == "mistakes" else hit
                move, by, hits = move + hit * y[q] * X[q], by + hit * y[q], hits + hit
            step /= {"sum": 1, "hits": max(hits, 1)}.get(slip, len(part))
            w, b = w + step * move, 0.0 if slip == "no b" else b + step * by
            seen.append((*w, b))
        first = {"last": len(seen) - 1, "all": 0}.get(slip, len(seen) // 2)
        means = np.mean(seen[first:], axis=0)
        return w if slip == "one array" else means[:-1], means[-1]

    return Function(right, cases, rtol=1e-7)


@exercise
def kernel_hits():
    y, cases = np.array([1.0, -1, -1, 1, 1, -1, 1, -1]), []
    for k, steps in ((1, 1), (0, 60), (2, 7), (4, 300)):
        rng = np.random.default_rng(k)
        X, picks = rng.normal(size=(8, 2)), rng.integers(8, size=steps)
        cases.append(((1 + X @ X.T) ** 2, y, 0.2, picks))
    # its second score is 1
    cases.append((np.array([[1, 1.25], [1.25, 2]]), np.ones(2), 1.0, np.array([0, 0, 1])))

    def right(K, y, lambda_, picks, slip=""):
        hits = np.zeros(len(y))
        for t, i in enumerate(picks, start=1):
            past = (1 if slip == "no lambda" else lambda_) * (t - (slip != "by t"))
            score = (hits if slip == "no label" else hits * y) @ K[i]
            score = score if slip == "no own label" else y[i] * score
            early = t == 1 and slip != "first"
            hit = early or (score <= 0 if slip == "mistakes" else score < past)
            hits[i] += hit or slip == "all" or (slip == "one" and score == past)
        counts = {"signed": hits * y, "once": np.minimum(hits, 1)}
        return counts.get(slip, hits)

    return Function(right, cases)


same_w = kit.truths("svm", "same_w")


@exercise(pair=((1, 9), (2, 8), (3, 5), (3, 9), (4, 9), (5, 9), (7, 9), (8, 9)))
def leave_one_out(pair=(3, 8)):
    data = digits(negative=pair[0], positive=pair[1])
    n, support, right = len(data.y), {*hard_margin(data.X, data.y).support.tolist()}, set()
    for q in support:
        fit = hard_margin(np.delete(data.X, q, axis=0), np.delete(data.y, q))
        if data.y[q] * (fit.w @ data.X[q] + fit.b) <= 0:
            right.add(q)
    if not right:
        return None

    def judge(wrong):
        flat = np.ravel(sorted(wrong) if isinstance(wrong, (set, frozenset)) else wrong)
        given = set(flat.tolist())
        indices = not given or (flat.dtype.kind in "iufO" and given <= set(range(n)))
        refuse((not indices, "no_indices"), last=n - 1, wrong=format_value(wrong))
        extra = given - right
        image = min(extra, default=0)
        refuse(
            (given == support, "support"),
            (not given, "none"),
            (given == {q + 1 for q in right}, "from_1"),
            (extra, "extra"),
            (given != right, "more"),
            **locals(),
        )

    share, bound = len(right) / n, len(support) / n
    praise = Said("praise", **locals())
    return Exercise(praise, wrong=kit.Answer(sorted(right), judge))


@exercise(constant=(0.1, 0.2, 0.25, 1, 2, 5), n=(50, 100, 400, 500, 1000))
def translated(constant=0.5, n=200):
    lambda_ = 2 / (constant * n)  # of |w|**2 + constant * sum of losses, see sv-scalings
    half = "where does |w|² have a half, and where not?"
    sum_or_mean = f"is the loss a sum there, or a mean over the {n} examples?"

    def given(name, right):
        return Number(right, {
            right / 2: f"a factor 2 is missing: {half}",
            2 * right: f"a factor 2 is too much: {half}",
            right * n: sum_or_mean, right / n: sum_or_mean,
        }, "compare the price of |w|² with the price of one example's loss.",
        f"{name} = {{}} does not give this minimizer; ", digits=7)  # fmt: skip

    constants = {
        "lambda": lambda_,
        "C of SVC": constant_of("SVC", lambda_=lambda_, n=n),
        "alpha": lambda_,  # of SGDClassifier
        "the c of the mean": lambda_ / 2,
        "the c of the sum": lambda_ * n / 2,
    }
    names = {"lambda": "λ"}
    return Exercise(**{k: given(names.get(k, k), v) for k, v in constants.items()})


@exercise(positive=(1, 2, 3), length=(0.5, 1, 1.5))
def loose_bias(positive=2, length=1):
    y = np.array(positive * [1.0] + (4 - positive) * [-1.0])

    def judge(points, lambda_):
        x = numbers(points, (4,), "four numbers")
        lambda_ = number(lambda_, "lambda, a number")
        fair = 1e-6 <= lambda_ <= 1e6 and np.abs(x).max() <= 1e6
        refuse((not fair, "far"), **locals())
        X = x[:, None]
        fit = soft_margin(X, y, lambda_=lambda_)
        small = abs(fit.w[0]) <= 1e-7 * fit.C * np.abs(x).sum()
        zero = small and abs(fit.w[0]) * np.ptp(x) <= 1e-6
        refuse((zero, "zero"))
        corners = y - X @ fit.w  # J is linear in b between these
        J = np.array([objective(X, y, fit.w, float(c), lambda_=lambda_) for c in corners])
        best = corners[J - J.min() <= 1e-9]
        room, low, high = round(np.ptp(best), 5), best.min(), best.max()
        refuse((room < length - 1e-6, "held"), **locals())
        accuracy = np.mean(sgn(X @ fit.w + best.mean()) == y)
        return Said("praise", **locals())

    far = (1, *(positive - 1) * [50], -1, *(3 - positive) * [-50])
    return Open(judge, far, 5)
