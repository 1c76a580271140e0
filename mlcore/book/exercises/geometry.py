"""The exercises of the chapter on geometry."""

import numpy as np

from mlcore.book.exercises import first, kit, number, numbers, refuse, short, tidy
from mlcore.book.exercises.kit import Exercise, Function, Number, Open, exercise
from mlcore.data import breast_cancer
from mlcore.features import standardize
from mlcore.geometry import augment as longer
from mlcore.linear import sgn
from mlcore.separation import max_margin


@exercise(
    w=((1, 2, -2), (2, 1, 2), (-2, 2, 1), (2, 3, -6), (6, -2, 3)), b=range(-9, 10),
    x=[range(-3, 6)] * 3, y=(-1, 1),
)  # fmt: skip
def by_hand(w=(2, -1, 2), b=-3, x=(4, 1, 4), y=-1):
    w, x = np.array(w, float), np.array(x, float)
    score, length = w @ x + b, np.linalg.norm(w)
    rho, way = score / length, score / length**2 * w

    def misses(point):
        left, far = w @ point + b, np.linalg.norm(point - x)
        return (f"Your nearest point {{}} has the score {tidy(left)}, so it is not on the "
            "plane. By what is the score divided, and in which direction do you walk?"
            ) if abs(left) > 0.0025 else (f"Your point {{}} is on the plane, but it is "
            f"{tidy(far)} away from x. Is the way from x to it a "
            "multiple of w?")  # fmt: skip

    return Exercise(
        f"The score of your point is 0, and it is {tidy(abs(rho))} away from x: nothing is "
        "nearer.",
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
        refuse(
            (not w.any(), "With w = (0, 0) there is no line."),
            (sign * along <= 0, f"w.x = {tidy(along)}: this angle is not {angle}."),
            (sgn(score) == sign, f"g(x) = {tidy(score)}, so the prediction is {sign:+}. "
             f"Which b {lowers} it?"),
        )  # fmt: skip
        far, line = np.linalg.norm(x), abs(b) / np.linalg.norm(w)
        refuse((far <= times * line, f"x is at the distance {far:.3g} from the origin, and "
            f"the line at {line:.3g}. In which direction can x move without coming nearer "
            "to the line?"))  # fmt: skip
        return f"w.x = {along:.6g}, g(x) = {score:.6g}, and {far:.3g} > {times * line:.3g}."

    w, b, x = (0, 1), -2 * sign, (5 * times, sign)
    return Open(judge, w, b, x, slips={
        (w, -b, x): "so the prediction is", (w, b, (0, sign)): "without coming nearer",
        (w, b, (5, -sign)): "this angle is not",
    })  # fmt: skip


@exercise
def best_cut():
    x, y = np.array([1.0, 2.0, 5.0, 9.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    rng, cases = np.random.default_rng(2), [(x, y), (x, -y)]
    for cut in rng.integers(1, 8, size=30):
        x = rng.normal(size=8) + rng.normal()
        cases.append((x, np.where(x < np.sort(x)[cut], 1.0, -1.0) * rng.choice([-1, 1])))

    def right(x, y):
        best = max_margin(x[:, None], y)
        return np.sign(best.w[0]), best.b / abs(best.w[0]), best.margin

    def fault(w, b, room, x, y):
        (own, bias, most), least = right(x, y), tidy((y * (w * x + b)).min())
        return first(
            (w != own, f"your w is {tidy(w)}, and the smallest margin of your rule is "
             f"{least}. On which side of the cut are the positive points?"),
            (np.isclose(b, -bias), f"your b is {tidy(b)}: is that the place of the cut?"),
            (not np.isclose(b, bias), f"your cut is at {tidy(-b * w)}, where the smallest "
             f"margin is {least}; another cut has more. Which two points matter?"),
            (np.isclose(room, 2 * most), f"your margin is {tidy(room)}, the whole gap."),
        )  # fmt: skip

    return Function(right, cases, fault=fault)


same_margin = kit.truths("geometry", "same_margin")


@exercise(value=(0.05, 0.1, 0.2, 0.25, 0.3, 0.6, 0.7, 0.75, 0.8, 0.9))
def loglog(value=0.5):
    score = -np.log(-np.log(value))
    slips = {
        np.log(-np.log(1 - value)): "That is the score of the complementary log-log, "
        "1 - exp(-exp(z)).",
        -np.log(value): "One logarithm is not enough: take it a second time.",
        value: f"{value:g} is the value that f should have there.",
    }

    def at(z, said=f"Take logarithms of f(z) = {value:g}, twice."):
        with np.errstate(over="ignore"):
            return f"At {{}} f is {np.exp(-np.exp(-z)):.6f}. {said}"

    right = Number(score, {z: at(z, said) for z, said in slips.items()}, at, digits=4)
    sign, side = ("positive", ">") if score > 0 else ("negative", "<")
    praise = f"It is {sign}, so the boundary lies inside the side g(x) {side} 0."
    return Exercise(praise, score=right)


@exercise
def augment():
    def right(X, w, b, c, slip=""):
        Z, v = np.column_stack([np.full(len(X), c), X]), np.array([b / c, *w])
        last = np.roll(v, -1)
        return {"last": (np.roll(Z, -1, axis=1), last), "b": (Z, last)}.get(slip, (Z, v))

    def fault(Z, v, X, w, b, c):
        return first((np.allclose(Z[:, 0], c) and np.allclose(v[1:], w), "your first "
            f"weight is {v[0]:.4g}. The constant multiplies it in every score: how much "
            "does it contribute?"))  # fmt: skip

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
        return (f"Sample {{}} is {size[int(q)] / length:.3f} standard deviations away from "
            "the boundary, and another is nearer. Is T standardized? Is the bias in "
            "it?")  # fmt: skip

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
        refuse((X.ndim != 2, f"Give a matrix, one example a row; this is {short(rows)}."))
        X = numbers(rows, X.shape, "the rows of a matrix")
        y = numbers(labels, (len(X),), "one label for each row")
        refuse((set(y) != {-1, 1}, "Labels are -1 and +1, and both occur; yours are "
            f"{short(y)}."))  # fmt: skip
        before = max_margin(X, y)
        after = max_margin(longer(X, constant=constant), y, bias=False).margin
        refuse(
            (not before.separable, "No hyperplane separates your examples."),
            (before.margin < wide - 1e-9, f"The margin with a bias is {before.margin:.4g}, "
             f"below {wide}."),
            (after > narrow, f"The margin is {before.margin:.4g}, but after augmentation "
             f"it is still {after:.4g}. On what does the factor between the two depend?"),
        )  # fmt: skip
        after = f"{after:.2g}" if after > 0 else "too small to be told from rounding"
        return f"The margin is {before.margin:.4g}, and after augmentation {after}."

    def pair(near, gap):
        return ((near,), (near + gap,)), (-1, 1)

    far = 2 * wide * constant / narrow
    slips = {pair(far / 10, 2 * wide): "still", pair(far, wide): f"below {wide}"}
    return Open(judge, *pair(far, 2 * wide), slips=slips)
