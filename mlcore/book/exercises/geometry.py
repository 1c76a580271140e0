"""The exercises of the chapter on geometry."""

import numpy as np

from mlcore.book.exercises import checker, first, number, numbers, refuse
from mlcore.book.exercises.kit import Exercise, Function, Number, Truths, exercise
from mlcore.book.exercises.words import short, tidy
from mlcore.data import breast_cancer, separable
from mlcore.features import standardize
from mlcore.geometry import augment as longer
from mlcore.separation import max_margin


@exercise
def by_hand(w=(2, -1, 2), b=-3, x=(4, 1, 4), y=-1):
    w, x = np.array(w, float), np.array(x, float)
    score, length = w @ x + b, np.linalg.norm(w)
    rho, way = score / length, score / length**2 * w

    def misses(point):
        left, far = tidy(w @ point + b), tidy(np.linalg.norm(point - x))
        if abs(w @ point + b) > 0.0025:
            return (
                f"Your nearest point {{}} has the score {left}, so it is not on the "
                "plane. By what is the score divided, and in which direction do you walk?"
            )
        return (
            f"Your point {{}} is on the plane, but it is {far} away from x. Is the way "
            "from x to it a multiple of w?"
        )

    def asked(name, right, slips):
        hint = "Write down its formula, and put in the numbers again."
        return Number(right, slips, hint, f"Your {name} is {{}}, which is not right. ")

    between = (
        "Your nearest point {} is the way between x and a point of the plane. Where does "
        "this way lead, if it starts at x?"
    )
    farther = tidy(w @ (x + way) + b)
    return Exercise(
        "The score of your point is 0, and it is 4 away from x: nothing is nearer.",
        score=asked("score", score, {
            score - b: "Is the bias in it?", score - 2 * b: "Which sign has b?",
        }),
        distance=asked("signed distance", rho, {
            score: "That is the score. What is it divided by?",
            score / length**2: "It is the score over the square of the length of w.",
            score / np.abs(w).sum(): "The length of w is not the sum of the sizes of its "
                "entries.",
            score / np.hypot(length, b): "The length is that of w alone; is b in yours?",
            -rho: "On which side of the plane does x lie?",
            (score - b) / length: "Is the bias in it?",
        }),
        nearest_point=Number(x - way, {
            tuple(x + way): f"Your nearest point {{}} has the score {farther}: it is "
                "farther away than x. Which sign has the step along w, if the score has "
                "to fall?",
            tuple(way): between, tuple(-way): between,
        }, misses),
        margin=asked("geometric margin", y * rho, {
            rho: "What is the label of x?", y * score: "That is the functional margin.",
        }),
    )  # fmt: skip


@exercise
def signed_distance():
    def cases():
        rng = np.random.default_rng(1)
        yield np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([4.0, 3.0]), -14.0
        for _ in range(50):
            d = int(rng.integers(1, 6))
            yield rng.normal(size=(4, d)), rng.normal(size=d), float(rng.normal())

    def norm(w):
        return np.linalg.norm(w)

    return Exercise("51 hyperplanes in up to five dimensions.", function=Function(
        lambda X, w, b: (X @ w + b) / norm(w), cases, {
            lambda X, w, b: np.abs(X @ w + b) / norm(w): "The side is lost: which sign "
                "has the score?",
            lambda X, w, b: X @ w / norm(w) + b: "Is all of the score divided, the bias "
                "too?",
            lambda X, w, b: X @ w + b / norm(w): "Is all of the score divided, or only "
                "the bias?",
            lambda X, w, b: X @ w / norm(w): "The bias is missing.",
            lambda X, w, b: (X @ w - b) / norm(w): "The bias has a plus sign in this book.",
            lambda X, w, b: -(X @ w + b) / norm(w): "The sign is reversed: this is "
                "-g/||w||. Where is it positive?",
            lambda X, w, b: (X @ w + b) / norm(w) ** 2: "By the length of w, or by its "
                "square?",
            lambda X, w, b: X @ w + b: "This is the score. What is it divided by?",
            lambda X, w, b: (X @ w + b) / norm([*w, b]): "The length is that of w alone; "
                "is b in yours?",
            lambda X, w, b: (X @ w + b) / np.abs(w).sum(): "The length of w is the root "
                "of the sum of squares.",
        },
        "It is the score, with its sign, over the length of w.",
        lambda X, w, b: f"For w = {short(w)} and b = {b:.4g}",
        wrong="{tried} it gave {got}, which is not right. {said}",
    ))  # fmt: skip


@checker
def acute(w, b, x):
    w, x = numbers(w, (2,), "w, two numbers"), numbers(x, (2,), "x, two numbers")
    b = number(b, "b, a number")
    sizes = np.abs(w).max(), np.abs(x).max()
    extreme = (
        max(sizes) > 1e100 or 0 < min(sizes) < 1e-100
    )  # a length overflows, or is lost
    refuse(
        (extreme, "Lengths from 1e-100 up to 1e100 will do for w and x."),
        (not w.any(), "w = 0 has no line, and makes no angle with anything."),
    )
    along, score = w @ x, w @ x + b
    far, line = np.linalg.norm(x), abs(b) / np.linalg.norm(w)
    refuse(
        (along <= 0, f"w.x = {tidy(along)}: this angle is not acute."),
        (score >= 0, f"g(x) = {tidy(score)}, so the prediction is +1. Which b lowers it?"),
        (far <= line, f"x is at the distance {far:.3g} from the origin, and the line at "
         f"{line:.3g}. In which direction can x move without coming nearer to the line?"),
    )  # fmt: skip
    return f"w.x = {along:.6g}, g(x) = {score:.6g}, and {far:.3g} > {line:.3g}."


@exercise
def best_cut():
    def cases():
        x, y = np.array([1.0, 2.0, 5.0, 9.0]), np.array([-1.0, -1.0, 1.0, 1.0])
        yield x, y
        yield x, -y
        rng = np.random.default_rng(2)
        for _ in range(30):
            x = rng.normal(size=8) + rng.normal()
            left = x < np.sort(x)[rng.integers(1, 8)]
            yield x, np.where(left, 1.0, -1.0) * rng.choice([-1, 1])

    def right(x, y):
        best = max_margin(x[:, None], y)
        return np.sign(best.w[0]), best.b / abs(best.w[0]), best.margin

    def fault(w, b, room, x, y):
        (own, bias, most), least = right(x, y), tidy((y * (w * x + b)).min())
        return first(
            (abs(w) != 1, f"your w is {tidy(w)}; it should be +1 or -1."),
            (w != own, f"your w is {tidy(w)}, and the smallest margin of your rule is "
             f"{least}. On which side of the cut are the positive points?"),
            (np.isclose(abs(b), abs(bias)) and not np.isclose(b, bias), "your b is "
             f"{tidy(b)}. The two points are right, but is it the bias, or the place of "
             "the cut? Where is w x + b zero?"),
            (not np.isclose(b, bias, rtol=1e-9), f"your cut is at {tidy(-b * w)}, where "
             f"the smallest margin is {least}; another cut has more. Which two points "
             "matter?"),
            (np.isclose(room, 2 * most), f"your margin is {tidy(room)}, the whole gap. "
             "How far is the cut from the nearest point?"),
            (True, f"your margin is {tidy(room)}, which is not right. The cut is right. "
             "How far is it from the nearest point?"),
        )  # fmt: skip

    return Exercise(
        "32 sets of points, with the positive ones to the right or to the left.",
        function=Function(right, cases, {}, "Give back w, b and the margin.",
            lambda x, y: f"For x = {short(x)} and y = {short(y)}",
            ("your w", "your b", "your margin"), fault=fault),
    )  # fmt: skip


@exercise
def same_margin():
    def rotated(X, y, rng):
        turn = rng.uniform(0, 2 * np.pi)
        return X @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]], y

    def with_one_far(X, y, rng):
        best = max_margin(X, y)
        point = rng.normal(size=2)
        side = 1.0 if point @ best.w + best.b > 0 else -1.0
        return np.vstack([X, point + side * best.margin * best.w]), np.append(y, side)

    def fact(change, hint="Which distances does the change alter, if any?"):
        rng = np.random.default_rng(5)
        for _ in range(20):
            sample = separable(6, 2, margin=0.2, rng=rng)
            X, y = sample.X, sample.y
            changed, labels = change(X, y, rng)
            if min(map(len, map(set, (y, labels)))) < 2:
                continue
            before, after = max_margin(X, y).margin, max_margin(changed, labels).margin
            if not np.isclose(before, after, rtol=1e-6):
                return False, ("does not always keep it: on one data set the margin was "
                    f"{before:.4f} before the change and is {after:.4f} "
                    "after it.")  # fmt: skip
        return True, f"always keeps it. {hint}"

    far = (
        "Does the old widest hyperplane still keep gamma? And can one more example make "
        "the margin larger?"
    )
    praise = "Margins are made of distances, and of which examples are on which side."
    return Exercise(praise, stays=Truths(
        fact(lambda X, y, rng: (10 * X, y)),
        fact(lambda X, y, rng: (X + rng.normal(size=2), y)),
        fact(lambda X, y, rng: (X, -y)),
        fact(rotated),
        fact(lambda X, y, rng: (longer(X, constant=7.0), y)),
        fact(lambda X, y, rng: (np.column_stack([X, rng.normal(size=len(X))]), y)),
        fact(lambda X, y, rng: (X * [1, 10], y)),
        fact(with_one_far, far),
    ))  # fmt: skip


@exercise
def loglog():
    def value(z):
        with np.errstate(over="ignore"):
            return f"At {{}} f is {np.exp(-np.exp(-z)):.6f}. "

    half = -np.log(np.log(2))
    slips = {
        -half: "That is the boundary of the complementary log-log, 1 - exp(-exp(z)).",
        np.log(2): "One logarithm is not enough: take it a second time.",
        0.0: "Not every activation takes its middle at 0.",
        0.5: "One half is the value that f should have there.",
    }
    return Exercise(
        "It is positive, so the boundary lies inside the side g(x) > 0.",
        score=Number(half, {z: value(z) + said for z, said in slips.items()},
            lambda z: value(z) + "Take logarithms of f(z) = 1/2, twice.", digits=4),
    )  # fmt: skip


@exercise
def augment():
    def cases():
        rng = np.random.default_rng(2)
        for c in (2.0, 1.0, -0.5, 100.0):
            yield rng.normal(size=(5, 3)), rng.normal(size=3), float(rng.normal()), c

    def right(X, w, b, c):
        return np.column_stack([np.full(len(X), c), X]), np.array([b / c, *w])

    def fault(Z, v, X, w, b, c):
        longer, own = right(X, w, b, c)[0], v[0]
        others = {
            b: " (that is b)",
            b * c: " (that is b times c)",
            -b / c: " (its sign is wrong)",
        }
        slip = first(*((np.isclose(own, other), said) for other, said in others.items()))
        last = np.allclose(v, [*w, b / c]) or np.allclose(v, [*w, b])
        return first(
            (np.allclose(Z, np.roll(longer, -1, axis=1)), "your constant is the last "
             "column; it should be the first."),
            (c != 1 and np.allclose(Z[:, 0], 1), "your first column is 1 everywhere, not "
             "c."),
            (not np.allclose(Z, longer), "your matrix is not right: a column with the "
             "constant comes first, then the columns of X."),
            (last, "your matrix has the constant first, your weights have b last."),
            (not np.allclose(v[1:], w), "the weights of the features should stay as they "
             "are."),
            (True, f"your first weight is {own:.4g}{slip}. The constant multiplies it in "
             "every score: how much does it contribute?"),
        )  # fmt: skip

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
        if not 0 <= q < len(size) or q != int(q):
            return f"The samples have the numbers 0 to {len(size) - 1}; not {{}}."
        return (
            f"Sample {{}} is {size[int(q)] / length:.3f} standard deviations away from "
            "the boundary, and another is nearer. Is T standardized, and is the bias in "
            "your score?"
        )

    slips = {
        -score / largest: "Give its size, without a sign.",
        score / length: "That is the distance, where all features move.",
        score: "That is the size of the score. What does one unit of x_j add to it?",
        score / np.abs(w).min(): "That is the worst single feature. Which is best?",
        score / largest**2: "Is the weight squared?",
    }
    one = {nearest + 1: "Do you count from 1? Number {} of the code is another."}
    return Exercise(
        "A fifth of a standard deviation of one feature, and the boundary is reached.",
        number_of_the_sample=Number(nearest, one, farther),
        change=Number(score / largest, slips, "By how much does the score change with one "
            "feature?", "The sample is right. Your change is {}. "),
    )  # fmt: skip


@checker
def shrinks(rows, labels):
    X = np.asarray(rows, object)
    refuse((X.ndim != 2, f"Give a matrix, one example a row; this is {short(rows)}."))
    X = numbers(rows, X.shape, "the rows of a matrix")
    y = numbers(labels, (len(X),), "one label for each row")
    refuse(
        (not set(y.tolist()) <= {-1.0, 1.0}, f"Labels are -1 or +1; these are {short(y)}."),
        (len(set(y.tolist())) < 2, "Both labels must occur: with one alone there is no "
         "widest margin."),
    )  # fmt: skip
    wide = max_margin(X, y)
    refuse((not wide.separable, "No hyperplane separates your examples."))
    refuse((wide.margin < 1 - 1e-9, f"The margin with a bias is {wide.margin:.4g}; at "
        "least 1 is wanted."))  # fmt: skip
    narrow = max_margin(longer(X), y, bias=False).margin
    alone = wide.margin / np.hypot(1, wide.b)  # wide.w has length 1
    refuse(
        (alone <= 0.01 < narrow, f"The widest hyperplane has only {alone:.2g} after "
         f"augmentation, but another one has {narrow:.4g}. Which direction separates your "
         "examples nearer to the origin?"),
        (narrow > 0.01, f"The margin is {wide.margin:.4g}, but after augmentation it is "
         f"still {narrow:.4g}. On what does the factor between the two depend?"),
    )  # fmt: skip
    after = f"{narrow:.2g}" if narrow > 0 else "too small to be told from rounding"
    return f"The margin is {wide.margin:.4g}, and after augmentation {after}."
