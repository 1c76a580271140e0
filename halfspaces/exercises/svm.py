"""The exercises of the chapter on the support vector machine."""

from itertools import product

import numpy as np

from halfspaces.exercises import WrongAnswer, define, fail_if, passes
from halfspaces.exercises import case_tools as tools
from halfspaces.exercises.answers import read_number, read_numbers
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from halfspaces.formatting import format_value
from mlcore.data import digits, overlapping, ring
from mlcore.linear import sgn
from mlcore.svm import hard_margin, objective, soft_margin
from mlcore.validation import k_folds


@exercise(heights=((1, 0.5), (2, 1), (3, 1.5), (4, 2)), c=range(2, 9))
def slopes(heights=(1, 0.5), c=3):
    a, _ = heights  # of the line a (1 - z), at z = 0 and z = 1/2
    if c <= a:
        return None
    solution = ((-c, -c), (-c, -a), (-a, 0))

    def explain_slopes(got):
        for z, (low, high), want in zip(("0", "1/2", "1"), got, solution, strict=True):
            fail_if(low > high, "larger_first", z=z)
            equal = np.allclose((low, high), want)
            fail_if(not equal, "wrong_slopes", z=z, low=low, high=high)

    rising = ((c, c), (a, c), (0, a))
    return Exercise(slopes=Number(solution, {rising: "rises"}, explain_slopes))


@exercise(x=[range(-3, 4)] * 4, C=(0.25, 0.5, 1))
def four_points(x=(2, -1, 1, -2), C=0.5):
    x, y = np.array(x, float), np.array([1.0, 1.0, -1.0, -1.0])
    fit = soft_margin(x[:, None], y, lambda_=1 / (4 * C))
    eighths = 8 * np.array([fit.w[0], fit.b, *fit.a])
    inside = (fit.a > 1e-6) & (fit.a < C - 1e-6)
    is_exact = np.allclose(eighths, eighths.round(), atol=1e-5) and fit.converged
    if not is_exact or inside.sum() != 2 or len({*x}) < 4:
        return None
    w, b, *a = eighths.round() / 8

    def check_conditions(weight, bias, duals):
        w = read_number(weight, "w as one number")
        b = read_number(bias, "b as one number")
        a = read_numbers(duals, (4,), "four dual variables a, in the order of the examples")
        v, z = float(a @ (y * x)), y * (w * x + b)
        positive, negative = a[:2].sum(), a[2:].sum()
        unequal, w_differs = abs(a @ y) > 2e-3, abs(w - v) > 4e-3
        ends = {"smallest": a.min(), "largest": a.max()}
        fail_if(a.min() < -1e-9 or a.max() > C + 1e-9, "invalid_duals", **ends)
        fail_if(unequal, "unequal_classes", positive=positive, negative=negative)
        fail_if(w_differs and np.isclose(w, a @ x), "no_labels", v=v, w=w)
        fail_if(w_differs, "other_v", v=v, w=w)
        for q in range(4):
            required, where = (0, "above") if z[q] > 1 else (C, "below")
            wrong = abs(z[q] - 1) > 0.002 and abs(a[q] - required) > 1e-3
            fail_if(wrong, "wrong_dual", at=q + 1, z=z[q], dual=a[q], where=where)
        return {"value": C * 4 * fit.value}

    return FreeForm(check_conditions, w, b, tuple(a))


@exercise
def lower_bound():
    X, y = np.array([[1.0], [3.0], [4.0]]), np.array([-1.0, 1.0, 1.0])
    data = overlapping(12, 2, separation=1.0, rng=5)
    cases = [(X, y, np.array(a), C) for a, C in (
        ((0.5, 0.5, 0.0), 1.0), ((0.5, 0.0, 0.5), 1.0), ((1.0, 0.0, 0.0), 1.0),
        ((1.5, 1.5, 0.0), 1.0), ((0.5, 0.5, 0.0), 0.4), ((0.5, 0.5 + 3e-9, -3e-9), 1.0),
        ((0.5, 0.5 + 2e-9, 0.0), 1.0), ((0.5, 0.5, 0.0), 0.5 - 3e-9),
        ((0.5, 0.5 + 1e-12, -1e-12), 0.5),
    )]  # fmt: skip

    def check_duals(got, X, y, a, C, tol=1e-9):
        smallest, excess, total = a.min(), a.max() - C, a @ y
        fail_if(smallest < -tol, "negative", smallest=smallest)
        fail_if(excess > tol, "above_C", C=C, excess=excess)
        fail_if(abs(total) > tol, "unequal_classes", total=total)

    def dual_bound(X, y, a, C, bug=""):
        v = (a if bug == "labels" else a * y) @ X
        bound = a.sum() - {"factor": 1, "added": -1 / 2}.get(bug, 1 / 2) * (v @ v)
        return bound if passes(check_duals, None, X, y, a, C) else None

    def describe(X, y, a, C):
        return f"The dual variables {format_value(tuple(a.tolist()))}"

    def if_none(*args):
        return "admissible" if passes(check_duals, None, *args, 0.0) else "rounding"

    cases.append((data.X, data.y, np.full(12, 0.5), 1.0))

    return Function(dual_bound, cases, case=describe, explain=check_duals, if_none=if_none)


@exercise
def batch_pegasos():
    def cases():
        for k, steps in ((0, 1), (1, 2), (2, 7), (3, 40)):
            rng = np.random.default_rng(k)
            X = rng.normal(size=(9, 2)) + np.array([1.5, 0.0])
            y = np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0])
            batches = [rng.permutation(9)[: rng.integers(1, 5)] for _ in range(steps)]
            yield X, y, 0.3, batches
        # in step 2 the score is exactly 1, which is not a hit
        yield np.eye(2), np.ones(2), 1.0, [np.array([0]), np.array([1])]

    def mean_w_and_b(X, y, lambda_, batches, bug=""):
        w, b, path = np.zeros(X.shape[1]), 0.0, []
        for t, batch in enumerate(batches, start=1):
            penalty, old, hits = 1 if bug == "no lambda" else lambda_, (w, b), 0
            step = 1 / (penalty * (t + (bug == "t + 1")))
            w = w if bug == "no shrink" else (1 - 1 / t) * w
            b = (1 - 1 / t) * b if bug == "b shrinks" else b
            dw, db, shrunk = np.zeros(len(w)), 0.0, (w, b)
            for q in batch:
                now = w + step * dw / len(batch), b + step * db / len(batch)
                w_test, b_test = {"in turn": now, "new w": shrunk}.get(bug, old)
                score = X[q] @ w_test + (0 if bug == "test without b" else b_test)
                score = score if bug == "no label" else y[q] * score
                hit = score < 1 or (bug == "one" and score == 1)
                hit = score <= 0 if bug == "mistakes" else hit
                dw, db, hits = dw + hit * y[q] * X[q], db + hit * y[q], hits + hit
            step /= {"sum": 1, "hits": max(hits, 1)}.get(bug, len(batch))
            w, b = w + step * dw, 0.0 if bug == "no b" else b + step * db
            path.append((*w, b))
        first = {"last": len(path) - 1, "all": 0}.get(bug, len(path) // 2)
        means = np.mean(path[first:], axis=0)
        return w if bug == "one array" else means[:-1], means[-1]

    return Function(mean_w_and_b, cases, rtol=1e-7)


@exercise
def kernel_hits():
    y, cases = np.array([1.0, -1, -1, 1, 1, -1, 1, -1]), []
    for k, steps in ((1, 1), (0, 60), (2, 7), (4, 300)):
        rng = np.random.default_rng(k)
        X, picks = rng.normal(size=(8, 2)), rng.integers(8, size=steps)
        cases.append(((1 + X @ X.T) ** 2, y, 0.2, picks))
    # in step 2 the score is exactly 1, which is not a hit
    cases.append((np.array([[1, 1.25], [1.25, 2]]), np.ones(2), 1.0, np.array([0, 0, 1])))

    def count_hits(K, y, lambda_, picks, bug=""):
        hits = np.zeros(len(y))
        for t, i in enumerate(picks, start=1):
            threshold = (1 if bug == "no lambda" else lambda_) * (t - (bug != "by t"))
            score = (hits if bug == "no label" else hits * y) @ K[i]
            score = score if bug == "no own label" else y[i] * score
            first = t == 1 and bug != "first"
            hit = first or (score <= 0 if bug == "mistakes" else score < threshold)
            hits[i] += hit or bug == "all" or (bug == "one" and score == threshold)
        return {"signed": hits * y, "once": np.minimum(hits, 1)}.get(bug, hits)

    return Function(count_hits, cases)


same_w = define.true_false("svm", "same_w")


@exercise(
    pair=(
        (0, 4), (0, 5), (1, 4), (1, 6), (1, 8), (1, 9), (2, 3), (2, 6), (2, 8), (3, 5),
        (3, 9), (4, 6), (4, 7), (4, 8), (5, 7), (5, 8), (5, 9), (7, 9), (8, 9),
    )
)  # fmt: skip
def leave_one_out(pair=(3, 8)):
    data = digits(negative=pair[0], positive=pair[1])
    n, support, wrong = len(data.y), {*hard_margin(data.X, data.y).support.tolist()}, set()
    for q in support:
        fit = hard_margin(np.delete(data.X, q, axis=0), np.delete(data.y, q))
        if data.y[q] * (fit.w @ data.X[q] + fit.b) <= 0:
            wrong.add(q)
    if not wrong:
        return None

    def check_images(images):
        flat = np.ravel(sorted(images) if isinstance(images, (set, frozenset)) else images)
        got = set(flat.tolist())
        valid = not got or (flat.dtype.kind in "iufO" and got <= set(range(n)))
        fail_if(not valid, "not_indices", last=n - 1, given=format_value(images))
        fail_if(got == support, "support_vectors")
        fail_if(not got, "none")
        fail_if(got == {q + 1 for q in wrong}, "from_1")
        extra = got - wrong
        fail_if(extra, "extra", image=min(extra, default=0))
        fail_if(got != wrong, "incomplete", given=got)

    shares = {"share": len(wrong) / n, "bound": len(support) / n}
    values = {"misclassified": wrong, "n": n, **shares}
    return Exercise(values, wrong=define.Custom(sorted(wrong), check_images))


def fit_rbf(X, y, width, C):
    """Fit the soft margin with the RBF kernel; return its score function."""

    def kernel(Q):
        return np.exp(-((Q[:, None] - X) ** 2).sum(axis=2) / (2 * width**2))

    eigenvalues, vectors = np.linalg.eigh(kernel(X))
    F = vectors * np.sqrt(np.maximum(eigenvalues, 0))  # features: F @ F.T = kernel(X)
    rule = soft_margin(F, y, lambda_=1 / (len(y) * C))
    return lambda Q: kernel(Q) @ (rule.a * y) + rule.b


def mean_errors(X, y, widths, Cs, splits) -> dict:
    """Return {(width, C): the mean error on the test parts}."""

    def error(train, test, pair):
        return np.mean(y[test] * fit_rbf(X[train], y[train], *pair)(X[test]) <= 0)

    pairs = product(widths, Cs)
    return {pair: np.mean([error(*split, pair) for split in splits]) for pair in pairs}


@exercise
def choose_kernel():
    def cases():
        for seed in (2, 6, 3):
            data, flipped = ring(30, rng=seed), np.arange(30) % 10 == 7
            y = np.where(flipped, -data.y, data.y)
            yield data.X, y, (0.3, 1.0, 3.0), (1.0, 100.0), k_folds(y, folds=5, rng=seed)

    def best(X, y, widths, Cs, splits):
        errors = mean_errors(X, y, widths, Cs, splits)
        return min(errors, key=errors.get)

    def check_pair(answer, X, y, widths, Cs, splits):
        pair = tuple(read_numbers(answer, (2,), "a pair (width, C)").tolist())
        errors, rows = mean_errors(X, y, widths, Cs, splits), np.arange(len(y))
        pair = next((p for p in errors if np.allclose(p, pair, rtol=1e-6)), pair)
        fail_if(pair not in errors, "not_offered", pair=pair, widths=widths, Cs=Cs)
        error, smallest = errors[pair], min(errors.values())
        if error > smallest + 1e-9:
            training_errors = mean_errors(X, y, widths, Cs, [(rows, rows)])
            peeked = training_errors[pair] == min(training_errors.values())
            key = "training" if peeked else "larger_error"
            raise WrongAnswer(key, pair=pair, error=error, smallest=smallest)

    return Function(best, cases, check=check_pair)


@exercise(positive=(1, 2, 3), length=(0.5, 0.6, 0.75, 0.8, 1, 1.2, 1.25, 1.5))
def loose_bias(positive=2, length=1):
    y = np.array(positive * [1.0] + (4 - positive) * [-1.0])

    def check_points(points, lambda_):
        x = read_numbers(points, (4,), "four numbers")
        lambda_ = read_number(lambda_, "lambda, a number")
        in_range = 1e-6 <= lambda_ <= 1e6 and np.abs(x).max() <= 1e6
        fail_if(not in_range, "out_of_range", x=x, lambda_=format_value(lambda_))
        X = x[:, None]
        fit = soft_margin(X, y, lambda_=lambda_)
        w = fit.w[0]
        largest = fit.C * np.abs(x).sum()  # bound on |w|
        is_small = abs(w) <= 1e-7 * largest and abs(w) * np.ptp(x) <= 1e-6
        fail_if(is_small or abs(w) <= 1e-12 * largest, "zero_w")
        corners = y - X @ fit.w  # J is linear in b between these
        J = np.array([objective(X, y, fit.w, float(c), lambda_=lambda_) for c in corners])
        best = corners[J - J.min() <= 1e-9]
        found = np.ptp(best)
        fail_if(found < length - 1e-5, "unique_b", w=w, found=round(found, 4))
        accuracy = np.mean(sgn(X @ fit.w + best.mean()) == y)
        return {"low": best.min(), "high": best.max(), "accuracy": accuracy}

    far = (1, *(positive - 1) * [50], -1, *(3 - positive) * [-50])
    return FreeForm(check_points, far, 5)


@case
def groups(source=0):
    w = tools.draw_direction(np.random.default_rng([7, source]), 12)
    names = ["person (number)", *(f"stride measure {k} (cm)" for k in range(1, 13))]

    def draw(rng, trap):
        half, parts, numbers = tools.draw_distance(rng) / 2, [], rng.permutation(10**4)
        training = (120, 5) if trap else (600, 1)  # people, walks of each
        for n, walks in (training, (tools.N_TEST, 1)):
            y, who, numbers = tools.draw_labels(rng, n), numbers[:n], numbers[n:]
            Z = rng.normal(size=(n, 12)) + np.outer(y, half * w)
            y, who, Z = (np.repeat(v, walks, axis=0) for v in (y, who, Z))
            X = np.column_stack([who, 70 + 8 * (Z + 0.3 * rng.normal(size=Z.shape))])
            order = rng.permutation(len(y))
            parts += [X[order], y[order]]
        return parts

    def decide(X, y, names, route=""):
        def fit(X, y):
            rule = tools.fit_rule(X[:, 1:], y, route)
            return lambda Q: rule(Q[:, 1:])

        if route == "rows counted":
            predicted = tools.predict_out_of_fold(fit, X, y, tools.make_folds(y, X[:, 0]))
            return fit(X, y), *tools.mean_interval(tools.zero_one_loss(y, predicted))
        people = None if route == "folds of rows" else X[:, 0]
        return tools.decide_and_claim(fit, X, y, route, groups=people)

    routes = {"folds of rows": "claim", "rows counted": "claim", "nearest": "advice_costly"}
    return Case(draw, names, decide, routes, max_regret=0.02, max_width=0.28, seed=source)
