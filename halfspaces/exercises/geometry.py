"""The exercises of the chapter on geometry."""

import numpy as np

from halfspaces.exercises import Said, first, kit, number, numbers, refuse
from halfspaces.exercises.kit import Exercise, Function, Number, Open, exercise
from mlcore.data import breast_cancer
from mlcore.features import standardize
from mlcore.geometry import augment as longer
from mlcore.linear import sgn
from mlcore.svm import hard_margin


@exercise(
    w=((1, 2, -2), (2, 1, 2), (-2, 2, 1), (2, 3, -6), (6, -2, 3)), b=range(-9, 10),
    x=[range(-3, 6)] * 3, y=(-1, 1),
)  # fmt: skip
def by_hand(w=(2, -1, 2), b=-3, x=(4, 1, 4), y=-1):
    w, x = np.array(w, float), np.array(x, float)
    score, length = w @ x + b, np.linalg.norm(w)
    rho, way = score / length, score / length**2 * w

    def misses(point):
        left = w @ point + b
        name = "off_plane" if abs(left) > 0.0025 else "elsewhere"
        return Said(name, left=left, far=np.linalg.norm(point - x))

    return Exercise(
        Said("praise", far=abs(rho)),
        score=Number(score, {score - b: "no_bias", score - 2 * b: "sign"}),
        distance=Number(rho, {
            score: "score", score / length**2: "square",
            score / np.hypot(length, b): "with_b", -rho: "side",
        }),
        nearest_point=Number(x - way, {tuple(way): "way", tuple(-way): "way"}, misses),
        margin=Number(y * rho, {rho: "distance", y * score: "functional"}),
    )  # fmt: skip


@exercise
def signed_distance():
    def right(X, w, b, slip=""):
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
        }.get(slip, score / length)

    rng = np.random.default_rng(1)
    cases = [(np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([4.0, 3.0]), -14.0)]
    for d in rng.integers(1, 6, size=50):
        cases.append((rng.normal(size=(4, d)), rng.normal(size=d), rng.normal()))
    return Function(right, cases)


@exercise(angle=("acute", "obtuse"), times=(2, 3, 4, 5, 10))
def acute(angle="acute", times=1):
    sign, lowers = (1, "lowers") if angle == "acute" else (-1, "raises")

    def judge(w, b, x):
        w, x = numbers(w, (2,), "w, two numbers"), numbers(x, (2,), "x, two numbers")
        along, score = w @ x, w @ x + number(b, "b, a number")
        change = lowers
        refuse(
            (not w.any(), "no_line"),
            (sign * along <= 0, "angle"),
            (sgn(score) == sign, "side"),
            **locals(),
        )
        far, line = np.linalg.norm(x), abs(b) / np.linalg.norm(w)
        least = times * line
        refuse((far <= least, "near"), **locals())
        return Said("praise", **locals())

    return Open(judge, (0, 1), -2 * sign, (5 * times, sign))


@exercise
def best_cut():
    x, y = np.array([1.0, 2.0, 5.0, 9.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    rng, cases = np.random.default_rng(2), [(x, y), (x, -y)]
    for cut in rng.integers(1, 8, size=30):
        x = rng.normal(size=8) + rng.normal()
        cases.append((x, np.where(x < np.sort(x)[cut], 1.0, -1.0) * rng.choice([-1, 1])))

    def right(x, y):
        best = hard_margin(x[:, None], y)
        return np.sign(best.w[0]), best.b / abs(best.w[0]), best.margin

    def fault(w, b, room, x, y):
        (own, bias, most), cut, least = right(x, y), -b * w, (y * (w * x + b)).min()
        return first(
            (not np.isclose(abs(w), 1), "length"),
            (w != own, "side"),
            (np.isclose(b, -bias), "place"),
            (not np.isclose(b, bias), "other_cut"),
            (np.isclose(room, 2 * most), "gap"),
            **locals(),
        )

    return Function(right, cases, fault=fault)


same_margin = kit.truths("geometry", "same_margin")


@exercise(value=(0.05, 0.1, 0.2, 0.25, 0.3, 0.6, 0.7, 0.75, 0.8, 0.9))
def loglog(value=0.5):
    score = -np.log(-np.log(value))
    slips = {np.log(-np.log(1 - value)): "other", -np.log(value): "once", value: "value"}

    def at(z, name="hint"):
        with np.errstate(over="ignore"):
            return Said(name, f=np.exp(-np.exp(-z)))

    right = Number(score, {z: at(z, name) for z, name in slips.items()}, at, digits=4)
    sign, side = ("positive", ">") if score > 0 else ("negative", "<")
    return Exercise(Said("praise", **locals()), score=right)


@exercise
def augment():
    def right(X, w, b, c, slip=""):
        Z, v = np.column_stack([np.full(len(X), c), X]), np.array([b / c, *w])
        last = np.roll(v, -1)
        return {"last": (np.roll(Z, -1, axis=1), last), "b": (Z, last)}.get(slip, (Z, v))

    def fault(Z, v, X, w, b, c):
        others_right = np.allclose(Z[:, 0], c) and np.allclose(v[1:], w)
        return first((others_right, "first_weight"), v=v)

    rng = np.random.default_rng(2)
    cases = [(rng.normal(size=(n, d)), rng.normal(size=d), rng.normal(), c) for n, d, c in
        ((5, 3, 2.0), (2, 1, 1.0), (4, 6, -0.5), (7, 2, 100.0))]  # fmt: skip
    return Function(right, cases, fault=fault)


@exercise(samples=(101, 163, 168, 233, 237, 354, 366, 499, 510))
def doubtful(samples=569):
    tumors = breast_cancer()
    T, bad = standardize(tumors.X[:samples]), tumors.y[:samples] > 0
    u, v = T[bad].mean(axis=0), T[~bad].mean(axis=0)
    w, size = u - v, np.abs(T @ (u - v) + (v @ v - u @ u) / 2)
    length, nearest, score = np.linalg.norm(w), int(size.argmin()), size.min()
    largest = np.abs(w).max()

    def farther(q):
        return Said("hint", far=size[int(q)] / length)

    one, every = {nearest + 1: "from_1"}, range(len(size))
    others = {-score / largest: "sign", score / length: "distance", score: "score"}
    return Exercise(
        number_of_the_sample=Number(nearest, one, farther, among=every),
        change=Number(score / largest, others),
    )


@exercise(wide=(1, 2, 3, 5), narrow=(0.01, 0.02, 0.05, 0.1), constant=(1, 2, 4))
def shrinks(wide=1, narrow=0.01, constant=1):
    def judge(rows, labels):
        X = np.asarray(rows, object)
        refuse((X.ndim != 2, "no_matrix"), **locals())
        X = numbers(rows, X.shape, "the rows of a matrix")
        y = numbers(labels, (len(X),), "one label for each row")
        refuse((set(y) != {-1, 1}, "labels"), **locals())
        before = hard_margin(X, y)
        after = hard_margin(longer(X, constant=constant), y, bias=False).margin
        refuse(
            (not before.separable, "not_separable"),
            (before.margin < wide - 1e-9, "below"),
            (after > narrow, "still"),
            **locals(),
        )
        after = f"{after:.2g}" if after > 0 else "too small to be told from rounding"
        return Said("praise", **locals())

    far = 2 * wide * constant / narrow
    return Open(judge, ((far,), (far + 2 * wide,)), (-1, 1))
