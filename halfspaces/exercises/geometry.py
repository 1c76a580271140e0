"""The exercises of the chapter on geometry."""

import numpy as np

from halfspaces.exercises import WrongAnswer, define, fail_if, read_number, read_numbers
from halfspaces.exercises import case_tools as tools
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from halfspaces.formatting import format_value
from mlcore.data import breast_cancer
from mlcore.features import standardize
from mlcore.geometry import augment as add_constant
from mlcore.linear import sgn
from mlcore.neighbors import knn
from mlcore.svm import hard_margin


@exercise(
    w=((1, 2, -2), (2, 1, 2), (-2, 2, 1), (2, 3, -6), (6, -2, 3)), b=range(-9, 10),
    x=[range(-3, 6)] * 3, y=(-1, 1),
)  # fmt: skip
def by_hand(w=(2, -1, 2), b=-3, x=(4, 1, 4), y=-1):
    w, x = np.array(w, float), np.array(x, float)
    score, length = w @ x + b, np.linalg.norm(w)
    rho, step = score / length, score / length**2 * w

    def explain_point(point):
        fail_if(abs(w @ point + b) > 0.0025, "not_on_plane", score=w @ point + b)
        return {"distance": np.linalg.norm(point - x)}

    steps = dict.fromkeys((tuple(step), tuple(-step)), "difference")
    return Exercise(
        {"distance": abs(rho)},
        score=Number(score, {score - b: "no_bias", score - 2 * b: "sign_of_b"}),
        distance=Number(rho, {
            score: "score", score / length**2: "divided_by_square",
            score / np.hypot(length, b): "length_with_b", -rho: "wrong_side",
        }),
        nearest_point=Number(x - step, steps, explain_point),
        margin=Number(y * rho, {rho: "no_label", y * score: "functional_margin"}),
    )  # fmt: skip


@exercise
def signed_distance():
    def distances(X, w, b, bug=""):
        length, score = np.linalg.norm(w), X @ w + b
        return {
            "no side": np.abs(score) / length,
            "b whole": X @ w / length + b,
            "w whole": X @ w + b / length,
            "no b": X @ w / length,
            "minus b": (X @ w - b) / length,
            "minus": -score / length,
            "score": score,
            "square": score / length**2,
            "with b": score / np.linalg.norm([*w, b]),
        }.get(bug, score / length)

    rng = np.random.default_rng(1)
    cases = [(np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([4.0, 3.0]), -14.0)]
    for d in rng.integers(1, 6, size=50):
        cases.append((rng.normal(size=(4, d)), rng.normal(size=d), rng.normal()))
    return Function(distances, cases)


@exercise(angle=("acute", "obtuse"), times=range(2, 13))
def acute(angle="acute", times=1):
    sign, change = (1, "lowers") if angle == "acute" else (-1, "raises")

    def check_line_and_point(w, b, x):
        w, x = (read_numbers(v, (2,), f"{k}, two numbers") for k, v in (("w", w), ("x", x)))
        product, score = w @ x, w @ x + read_number(b, "b, a number")
        fail_if(not w.any(), "no_line")
        fail_if(sign * product <= 0, "wrong_angle", product=product)
        values = {"score": score, "sign": sign, "change": change}
        fail_if(sgn(score) == sign, "wrong_prediction", **values)
        to_point, to_line = np.linalg.norm(x), abs(b) / np.hypot(*w)
        fail_if(to_point <= times * to_line, "too_near", to_point=to_point, to_line=to_line)
        bound = times * to_line
        return {"product": product, "score": score, "to_point": to_point, "bound": bound}

    return FreeForm(check_line_and_point, (0, 1), -2 * sign, (5 * times, sign))


@exercise
def best_cut():
    x, y = np.array([1.0, 2.0, 5.0, 9.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    rng, cases = np.random.default_rng(2), [(x, y), (x, -y)]
    for cut in rng.integers(1, 8, size=30):
        x = rng.normal(size=8) + rng.normal()
        cases.append((x, np.where(x < np.sort(x)[cut], 1.0, -1.0) * rng.choice([-1, 1])))

    def best(x, y):
        fit = hard_margin(x[:, None], y)
        return np.sign(fit.w[0]), fit.b / abs(fit.w[0]), fit.margin

    def explain_cut(w, b, margin, x, y):
        (best_w, best_b, largest), smallest = best(x, y), (y * (w * x + b)).min()
        fail_if(not np.isclose(abs(w), 1), "length_of_w", w=w)
        fail_if(w != best_w, "wrong_direction", w=w, smallest=smallest)
        fail_if(np.isclose(b, -best_b), "sign_of_b", b=b)
        fail_if(not np.isclose(b, best_b), "wrong_cut", cut=-b * w, smallest=smallest)
        fail_if(np.isclose(margin, 2 * largest), "whole_gap", margin=margin)

    return Function(best, cases, explain=explain_cut)


same_margin = define.true_false("geometry", "same_margin")


@exercise(value=tuple(k / 25 for k in range(1, 25)))
def loglog(value=0.5):
    score = -np.log(-np.log(value))
    sign, side = ("positive", ">") if score > 0 else ("negative", "<")

    def f(z):
        with np.errstate(over="ignore"):
            return {"f": np.exp(-np.exp(-z))}

    keys = {np.log(-np.log(1 - value)): "other", -np.log(value): "once", value: "value"}
    mistakes = {z: WrongAnswer(key, **f(z)) for z, key in keys.items()}
    number = Number(score, mistakes, f, digits=4)
    return Exercise({"sign": sign, "side": side}, score=number)


@exercise
def augment():
    def augmented_rows(X, w, b, c, bug=""):
        Z, v = np.column_stack([np.full(len(X), c), X]), np.array([b / c, *w])
        last = np.roll(v, -1)
        return {"last": (np.roll(Z, -1, axis=1), last), "b": (Z, last)}.get(bug, (Z, v))

    def explain_weight(Z, v, X, w, b, c):
        others_right = np.allclose(Z[:, 0], c) and np.allclose(v[1:], w)
        fail_if(others_right, "first_weight", v=v)

    rng = np.random.default_rng(2)
    cases = [(rng.normal(size=(n, d)), rng.normal(size=d), rng.normal(), c) for n, d, c in
        ((5, 3, 2.0), (2, 1, 1.0), (4, 6, -0.5), (7, 2, 100.0))]  # fmt: skip
    return Function(augmented_rows, cases, explain=explain_weight)


@exercise(samples=(101, 163, 168, 233, 237, 354, 366, 499, 510))
def doubtful(samples=569):
    tumors = breast_cancer()
    T, malignant = standardize(tumors.X[:samples]), tumors.y[:samples] > 0
    u, v = T[malignant].mean(axis=0), T[~malignant].mean(axis=0)
    w, scores = u - v, np.abs(T @ (u - v) + (v @ v - u @ u) / 2)
    length, nearest, score = np.linalg.norm(w), int(scores.argmin()), scores.min()
    largest = np.abs(w).max()

    def explain_sample(q):
        return {"distance": scores[int(q)] / length}

    mistakes, indices = {nearest + 1: "from_1"}, range(len(scores))
    return Exercise(
        number_of_the_sample=Number(nearest, mistakes, explain_sample, allowed=indices),
        change=Number(score / largest, {
            -score / largest: "sign", score / length: "distance", score: "score",
        }),
    )  # fmt: skip


@exercise(
    wide=(1, 2, 3, 5), narrow=(0.01, 0.02, 0.05, 0.1), constant=(1, 2, 4),
    largest=(100, 200, 500, 1000, 2000, 5000, 10_000),
)  # fmt: skip
def shrinks(wide=1, narrow=0.01, constant=1, largest=1000):
    far = 2 * wide * constant / narrow
    if not 2 * far < largest <= 5 * far:
        return None

    def check_examples(rows, labels):
        X = np.asarray(rows, object)
        fail_if(X.ndim != 2, "not_a_matrix", rows=format_value(rows))
        X = read_numbers(rows, X.shape, "the rows of a matrix")
        fail_if(X.shape[1] > 2, "too_wide", d=X.shape[1])
        size = np.abs(X).max(initial=0)
        fail_if(size > largest, "too_large", size=size)
        y = read_numbers(labels, (len(X),), "one label for each row")
        fail_if(set(y) != {-1, 1}, "not_labels", y=y)
        before = hard_margin(X, y)
        fail_if(not before.separable, "not_separable")
        fail_if(before.margin < wide - 1e-9, "too_narrow", before=before.margin)
        after = hard_margin(add_constant(X, constant=constant), y, bias=False).margin
        kept = before.margin / np.hypot(1, before.b / constant / np.linalg.norm(before.w))
        values = {"before": before.margin, "kept": kept, "after": after}
        fail_if(after > narrow + 1e-9 >= kept, "another_is_wide", **values)
        fail_if(after > narrow + 1e-9, "still_wide", **values)
        return values

    return FreeForm(check_examples, ((far,), (far + 2 * wide,)), (-1, 1))


@case
def units(source=0):
    scale = np.random.default_rng([2, source]).permutation([1.0, 1000.0])
    length_unit, diameter_unit = ("mm" if s == 1 else "µm" for s in scale)
    names = [f"length ({length_unit})", f"diameter ({diameter_unit})"]

    def draw(rng, trap):
        spread, parts = rng.uniform(0.2, 0.5), []
        for n in (300, tools.N_TEST):
            kind = rng.integers(3, size=(n, 2))
            y = np.where(kind.sum(axis=1) % 2, 1.0, -1.0)
            Z = 4 + kind + spread * rng.normal(size=(n, 2))
            parts += [Z * (scale if trap else 1), y]
        return parts

    def decide(X, y, names, route=""):
        def fit(X, y):
            if route == "a line":
                return tools.fit_rule(X, y)
            if route == "majority":
                return lambda Q: np.full(len(Q), sgn(y.sum()))
            size = 1.0 if route == "as they are" else X.std(axis=0)
            return lambda Q: knn(X / size, y, Q / size, k=15).predicted

        return tools.decide_and_claim(fit, X, y, route)

    routes = {"as they are": "decision", "a line": "advice_costly"}
    routes |= {"majority": "advice_costly", "training error": "advice_low"}
    return Case(draw, names, decide, routes, max_regret=0.02, max_width=0.18, seed=source)
