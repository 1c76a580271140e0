"""The exercises of the chapter on geometry."""

import numpy as np

from mlcore.book.exercises import checker, first, number, numbers, refuse, short, tidy
from mlcore.book.exercises.kit import Exercise, Function, Number, Truths, exercise
from mlcore.data import breast_cancer
from mlcore.features import standardize
from mlcore.geometry import augment as longer
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

    def asked(name, right, slips):
        hint = "Write down its formula, and put in the numbers again."
        return Number(right, slips, hint, f"Your {name} is {{}}, which is not right. ")

    between = "Your nearest point {} is the way between x and a point of the plane. Where "
    between += "does this way lead, if it starts at x?"
    return Exercise(
        f"The score of your point is 0, and it is {tidy(abs(rho))} away from x: nothing is "
        "nearer.",
        score=asked("score", score, {
            score - b: "Is the bias in it?", score - 2 * b: "Which sign has b?",
        }),
        distance=asked("signed distance", rho, {
            score: "That is the score. What is it divided by?",
            score / length**2: "It is the score over the square of the length of w.",
            score / np.hypot(length, b): "The length is that of w alone; is b in yours?",
            -rho: "On which side of the plane does x lie?",
        }),
        nearest_point=Number(x - way, {tuple(way): between, tuple(-way): between}, misses),
        margin=asked("geometric margin", y * rho, {
            rho: "What is the label of x?", y * score: "That is the functional margin.",
        }),
    )  # fmt: skip


@exercise
def signed_distance(seed=0):
    def right(X, w, b):
        return (X @ w + b) / norm(w)

    norm, rng = np.linalg.norm, np.random.default_rng(1 + seed)
    cases = [(np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([4.0, 3.0]), -14.0)]
    for d in rng.integers(1, 6, size=50):
        cases.append((rng.normal(size=(4, d)), rng.normal(size=d), rng.normal()))
    slips = {
        lambda *case: np.abs(right(*case)): "The side is lost: which sign has the score?",
        lambda X, w, b: X @ w / norm(w) + b: "Is all of the score divided, the bias too?",
        lambda X, w, b: X @ w + b / norm(w): "Is all of it divided, or only the bias?",
        lambda X, w, b: right(X, w, 0): "The bias is missing.",
        lambda X, w, b: right(X, w, -b): "The bias has a plus sign in this book.",
        lambda *case: -right(*case): "This is -g/||w||. Where is it positive?",
        lambda X, w, b: X @ w + b: "This is the score. What is it divided by?",
        lambda *case: right(*case) / norm(case[1]): "By the length of w, or its square?",
        lambda X, w, b: (X @ w + b) / norm([*w, b]): "Is b in your length of w?",
    }
    return Exercise("51 hyperplanes in up to five dimensions.", function=Function(
        right, cases, slips, "It is the score, with its sign, over the length of w.",
        lambda X, w, b: f"For w = {short(w)} and b = {b:.4g}",
        wrong="{tried} it gave {got}, which is not right. {said}",
    ))  # fmt: skip


@checker
def acute(w, b, x):
    w, x = numbers(w, (2,), "w, two numbers"), numbers(x, (2,), "x, two numbers")
    b = number(b, "b, a number")
    along, score = w @ x, w @ x + b
    refuse((along <= 0, f"w.x = {tidy(along)}: this angle is not acute."))
    far, line = np.linalg.norm(x), abs(b) / np.linalg.norm(w)
    refuse(
        (score >= 0, f"g(x) = {tidy(score)}, so the prediction is +1. Which b lowers it?"),
        (far <= line, f"x is at the distance {far:.3g} from the origin, and the line at "
         f"{line:.3g}. In which direction can x move without coming nearer to the line?"),
    )  # fmt: skip
    return f"w.x = {along:.6g}, g(x) = {score:.6g}, and {far:.3g} > {line:.3g}."


@exercise
def best_cut(seed=0):
    x, y = np.array([1.0, 2.0, 5.0, 9.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    rng, cases = np.random.default_rng(2 + seed), [(x, y), (x, -y)]
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

    praise = "32 sets of points, with the positive ones to the right or to the left."
    hint = "How far is the cut from the nearest point? Return w, which is +1 or -1, b and "
    return Exercise(praise, function=Function(
        right, cases, {}, f"{hint}this margin.",
        lambda x, y: f"For x = {short(x)} and y = {short(y)}",
        ("your w", "your b", "your margin"), fault=fault,
    ))  # fmt: skip


@exercise
def same_margin():
    no = "does not always keep it: the points (0, 0) and (1, 0) of two classes have the "
    no += "margin 0.5, and after it "
    always = "always keeps it. Which distances does the change alter, if any? And can one "
    always += "more example make the margin larger?"
    praise = "Margins are made of distances, and of which examples are on which side."
    fails = {1: no + "5.", 6: no + "0.707, if the values are 0 and 1.", 7: no + "5."}
    return Exercise(praise, stays=Truths.except_for(fails, 8, always))


@exercise(value=(0.05, 0.1, 0.2, 0.25, 0.3, 0.6, 0.7, 0.75, 0.8, 0.9))
def loglog(value=0.5):
    """The value stands for 1/2."""
    score = -np.log(-np.log(value))
    slips = {
        np.log(-np.log(1 - value)): "That is the score of the complementary log-log, "
            "1 - exp(-exp(z)).",
        -np.log(value): "One logarithm is not enough: take it a second time.",
        value: f"{value:g} is the value that f should have there.",
    }  # fmt: skip

    def at(z, said=f"Take logarithms of f(z) = {value:g}, twice."):
        with np.errstate(over="ignore"):
            return f"At {{}} f is {np.exp(-np.exp(-z)):.6f}. {said}"

    right = Number(score, {z: at(z, said) for z, said in slips.items()}, at, digits=4)
    sign, side = ("positive", ">") if score > 0 else ("negative", "<")
    praise = f"It is {sign}, so the boundary lies inside the side g(x) {side} 0."
    return Exercise(praise, score=right)


@exercise
def augment(seed=0):
    def right(X, w, b, c):
        return np.column_stack([np.full(len(X), c), X]), np.array([b / c, *w])

    def fault(Z, v, X, w, b, c):
        ours = right(X, w, b, c)[0]
        return first(
            (np.allclose(Z, np.roll(ours, -1, axis=1)), "your constant comes last."),
            (not np.allclose(Z, ours), "your matrix is not right: a column with the "
             "constant c comes first, then the columns of X."),
            (np.isclose(v[-1], b / c) or np.isclose(v[-1], b), "your matrix has the "
             "constant first, your weights have b last."),
            (np.allclose(v[1:], w), f"your first weight is {v[0]:.4g}. The constant "
             "multiplies it in every score: how much does it contribute?"),
            (True, "the weights of the features should stay as they are."),
        )  # fmt: skip

    rng = np.random.default_rng(2 + seed)
    cases = [(rng.normal(size=(n, d)), rng.normal(size=d), rng.normal(), c) for n, d, c in
        ((5, 3, 2.0), (2, 1, 1.0), (4, 6, -0.5), (7, 2, 100.0))]  # fmt: skip
    return Exercise("Four constants, and the same scores with each.", function=Function(
        right, cases, {}, "A column with the constant comes first, then the columns of X.",
        lambda X, w, b, c: f"With c = {c:g} and b = {b:.4g}",
        ("the longer matrix", "the longer weights"), fault=fault,
    ))  # fmt: skip


@exercise
def doubtful():
    """The sample nearest to the boundary of the rule of the nearer mean."""
    tumors = breast_cancer()
    T, bad = standardize(tumors.X), tumors.y > 0
    u, v = T[bad].mean(axis=0), T[~bad].mean(axis=0)
    w, size = u - v, np.abs(T @ (u - v) + (v @ v - u @ u) / 2)
    length, nearest, score = np.linalg.norm(w), int(size.argmin()), size.min()
    largest = np.abs(w).max()

    def farther(q):
        return (f"Sample {{}} is {size[int(q)] / length:.3f} standard deviations away from "
            "the boundary, and another is nearer. Is T standardized? Is the bias in "
            "it?")  # fmt: skip

    slips = {
        -score / largest: "Give its size, without a sign.",
        score / length: "That is the distance, where all features move.",
        score: "That is the size of the score. What does one unit of x_j add to it?",
    }
    one = {nearest + 1: "Do you count from 1? Number {} of the code is another."}
    hint = "By how much does the score change with one feature?"
    return Exercise(
        "A fifth of a standard deviation of one feature, and the boundary is reached.",
        number_of_the_sample=Number(nearest, one, farther, among=range(len(size))),
        change=Number(score / largest, slips, hint, "The sample is right. Your change is "
            "{}. "),
    )  # fmt: skip


@checker
def shrinks(rows, labels):
    X = np.asarray(rows, object)
    refuse((X.ndim != 2, f"Give a matrix, one example a row; this is {short(rows)}."))
    X = numbers(rows, X.shape, "the rows of a matrix")
    y = numbers(labels, (len(X),), "one label for each row")
    refuse(
        (set(y) != {-1, 1}, f"Labels are -1 and +1, and both occur; yours are {short(y)}.")
    )
    wide, narrow = max_margin(X, y), max_margin(longer(X), y, bias=False).margin
    refuse(
        (not wide.separable, "No hyperplane separates your examples."),
        (wide.margin < 1 - 1e-9, f"The margin with a bias is {wide.margin:.4g}, below 1."),
        (narrow > 0.01, f"The margin is {wide.margin:.4g}, but after augmentation it is "
         f"still {narrow:.4g}. On what does the factor between the two depend?"),
    )  # fmt: skip
    after = f"{narrow:.2g}" if narrow > 0 else "too small to be told from rounding"
    return f"The margin is {wide.margin:.4g}, and after augmentation {after}."
