"""The exercises of the chapter on logistic regression."""

import numpy as np

from mlcore import losses
from mlcore.book.exercises import call, first, floats, kit, numbers, refuse
from mlcore.book.exercises.kit import Exercise, Function, Number, Open, exercise
from mlcore.book.exercises.words import short, shown, tidy
from mlcore.data import breast_cancer, overlapping
from mlcore.geometry import augment
from mlcore.logistic import logistic, sigmoid


@exercise(w=(0.2, 0.4, 0.5, 0.6, 1.0, 1.2), b=range(-12, 0), at=range(3, 30))
def odds(w=0.8, b=-12, at=17):
    center, p = -b / w, sigmoid(w * at + b)
    if 2 * center % 1 > 1e-9 or not 1 <= abs(at - center) <= 4:
        return None
    asked = f"The log-odds rise by {w:g} a pixel: what does adding to a logarithm do to "
    asked += "the number itself?"
    others = {
        w: "that is added to the log-odds",
        1 + w: f"that is 1 + {w:g}, right only for tiny weights",
        np.exp(-w): "that is one pixel less",
        w / 4: "that is the largest slope of the probability",
    }
    return Exercise(
        f"One half at {center:g} pixels; each pixel multiplies the odds by "
        f"{np.exp(w):.3f}; {p:.3f} at {at}.",
        center=Number(center, {-center: "Your center is {}, where the score is "
            f"{2 * b:g}. Which sign has b?"}, lambda x: "At your center, {}, the score is "
            f"{tidy(w * x + b)}. What is the score where the probability is one half?"),
        factor=Number(np.exp(w), {x: f" ({why}). {asked}" for x, why in others.items()},
            f". {asked}"),
        probability=Number(p, {1 - p: "{} is the "
            f"probability of the label -1 at {at} pixels."}, f"Your probability at {at} "
            f"pixels is {{}}. The score there is {w * at + b:g}; did you put it into the "
            "logistic function, and round to three decimals?"),
    )  # fmt: skip


@exercise(
    x=((-3, -1, 1, 3), (-3, -1, 0, 4), (-2, -2, 1, 3), (-4, -1, 2, 3), (-2, -1, 0, 3)),
    y=[(-1, 1)] * 4,
)
def two_steps(x=(-2, -1, 1, 2), y=(-1, 1, -1, -1)):
    n, y, Z = len(y), np.array(y, float), augment(np.array(x, float)[:, None])
    g, H = -y @ Z / (2 * n), Z.T @ Z / (4 * n)  # at the start, where s is 1/2
    eta, delta = 1 / np.linalg.eigvalsh(H).max(), np.linalg.solve(H, g)
    if not g.all():
        return None

    def uphill(w):
        loss = losses.logistic.value(y * (Z @ w)).mean()
        return f", with the mean loss {loss:.4f}; the start has 0.6931"

    def after(step, slips):
        common = {tuple(-n * step): "far"}
        for w in step, g:
            common[tuple(w)] = f"{uphill(w)}. In which direction does a loss fall?"
        return Number(-step, common | slips, lambda w: f"{uphill(w)}. At the start every "
            "probability is one half: make a table like that of the text, with four rows "
            "for these examples.")  # fmt: skip

    return Exercise(
        "Both go the same way in w; in b the Newton step goes "
        f"{delta[1] / (eta * g[1]):g} times as far.",
        gradient_step=after(eta * g, {
            tuple(-eta * g / n): "near", tuple(-g): "size_1", tuple(-delta): "newton",
        }),
        newton_step=after(delta, {
            tuple(-delta[::-1]): "order", tuple(-eta * g): "gradient",
        }),
    )  # fmt: skip


@exercise
def log_loss():
    # from 5 to 36 either way: where a formula for large margins may be taken too early
    far = np.array([5.0, 10, 17, 18, 20, 25, 30, 36, 40, 700])
    z = np.array([*-far[::-1], -1.5, 0, 0.5, *far])

    def right(z):
        return losses.logistic.value(z), losses.logistic.slope(z)

    def judge(function):
        with np.errstate(all="ignore"):
            pair = call(function, z)
        refuse((not isinstance(pair, (tuple, list, np.ndarray)) or len(pair) != 2,
                f"It returned {short(pair)}; return a pair (values, slopes)."))  # fmt: skip
        nine_digits("losses", z, pair[0], losses.logistic.value)
        nine_digits("slopes", z, pair[1], losses.logistic.slope)
        return "Values and slopes, nine digits of each from -700 to 700."

    def late(z):
        """The formula for large margins, from 30 on."""
        return np.where(z > 30, np.exp(-z), np.log(1 + np.exp(-z))), right(z)[1]

    def early(z):
        return np.where(z < -5, -z, right(z)[0]), right(z)[1]

    return Open(judge, right, slips={
        lambda z: right(z)[::-1]: "the losses come first", lambda z: right(-z): "of -z",
        lambda z: right(np.clip(z, -500, 500)): "clip something?",
        lambda z: np.divide(right(z), np.log(2)): "are in bits",
        lambda z: (right(z)[0], 1 / (1 + np.exp(-z)) - 1): "the small number is lost",
        late: "that at z = 17", early: "that at z = -10",
    })  # fmt: skip


def nine_digits(name, z, answer, right):
    """NotYet unless the answer has nine digits of what is right at all margins."""
    got, want = floats(answer), right(z)
    refuse((got.shape != want.shape, f"For {len(z)} margins the {name} have the shape "
        f"{got.shape}; return one for each."))  # fmt: skip
    off = np.abs(got - want)
    wrong = ~(off <= 1e-9 * np.abs(want))
    q = int(np.argmin(np.where(wrong, np.abs(z), np.inf)))
    endless = int(np.argmin(np.isfinite(got)))
    ends = off[0] > 1 or abs(got[-1]) > 2 * abs(want[-1])
    cut = ends and not wrong[np.abs(z) < 2].any()
    refuse(
        (name == "losses" and np.allclose(got, losses.logistic.slope(z)), "The first array "
         "holds the slopes; the losses come first."),
        (not np.isfinite(got).all(), f"Of the {name}, that at z = {z[endless]:g} is "
         f"{got[endless]:g}. Which exponential overflows?"),
        (np.allclose(got, -want), f"The {name} have the wrong sign."),
        (np.allclose(got, right(-z)), f"The {name} are those of -z, not of z."),
        (np.allclose(got, want / np.log(2)), f"The {name} are in bits, and not in nats."),
        (cut, f"The {name} are right for small margins, but those of {z[0]:g} and "
         f"{z[-1]:g} look cut off: {got[0]:.6g} and {got[-1]:.6g}. Did you clip "
         "something?"),
        (wrong.any(), f"Of the {name}, that at z = {z[q]:g} is {got[q]:.6g}. "
         + first((off[q] < 1e-9, f"In 1 + e^-{abs(z[q]):.0f} the small number is lost: is "
             "there a way without adding it to 1?"),
            (off[q] < 1e-6 * abs(want[q]), "Is it float32, or rounded?"),
            (True, "Compare with ln(1 + e^-z) and -1 / (1 + e^z) there, on paper."),
        )),
    )  # fmt: skip


@exercise
def gradient():
    rng, cases = np.random.default_rng(3), []
    for d in (1, 2, 4):
        X = rng.normal(size=(60, d))
        p = sigmoid(X @ rng.normal(size=d))
        cases.append((X, (rng.random(60) < p) * 1.0, 0.3 * rng.normal(size=d), 0.4))

    def right(X, t, w, b, slip=""):
        score = X @ w + b * (slip != "no b")
        errors = {
            "labels": sigmoid(score) - (2 * t - 1),
            "margins": -t * sigmoid(-t * score),
        }.get(slip, sigmoid(score) - t)
        g = np.append(X.T @ errors, errors.sum()) / len(X)
        others = {"up": -g, "sum": len(X) * g, "b first": np.roll(g, 1), "w alone": g[:-1]}
        return others.get(slip, g)

    return Function(right, cases)


def entropy(a):
    """-a ln a - (1 - a) ln(1 - a), and 0 where a is 0 or 1."""
    a = np.asarray(a, float)
    inside = (a > 0) & (a < 1)
    p = np.where(inside, a, 0.5)
    return np.where(inside, -p * np.log(p) - (1 - p) * np.log1p(-p), 0.0)


@exercise
def bound():
    def proves_nothing(X, y, a):
        off = np.abs((a * y) @ X).max()
        return first(
            (a.max() > 1, "No line under the log loss is steeper than -1: a is at most 1."),
            (a.min() < 0, "Weights must not be negative."),
            (abs(a @ y) > 1e-9, "The constant feature belongs to the sum, too: do both "
             "labels get the same weight?"),
            (off > 1e-9, f"The sum of a y x is not zero, but {off:.1g} in size."),
        )  # fmt: skip

    def right(X, y, a, slip=""):
        if proves_nothing(X, y, a):
            return None
        half = -a * np.log(a + (a == 0))
        mean = half.mean() if slip == "one term" else entropy(a).mean()
        return mean * {"sum": len(a), "sign": -1, "bits": 1 / np.log(2)}.get(slip, 1)

    def fault(got, *case):
        why = proves_nothing(*case)
        return why and f"you return {shown(got)}. {why} They prove nothing: return None."

    return Function(right, [*weighted()], fault=fault, rtol=1e-8)


def weighted():
    """(X, y, weights): four bounds, and nine that prove nothing."""
    X, y = np.array([[-3.0], [1.0], [2.0]]), np.array([-1.0, 1.0, -1.0])
    for a in (
        [0.1, 0.5, 0.4], [0.2, 1.0, 0.8], [0.0, 0.0, 0.0], [0.2002, 1.001, 0.8008],
        [-0.1, -0.5, -0.4], [0.0, 0.8, 0.4], [0.3, 0.5, 0.2], [0.1, 0.7, 0.6],
        [0.1, 0.5 + 3e-9, 0.4 + 3e-9], [0.3, 0.3, 0.4],
    ):  # fmt: skip
        yield X, y, np.array(a)
    for other in ([X, np.eye(3, 1)], [np.eye(3, 1), X]):  # the last, or the first, is wrong
        yield np.hstack(other), y, np.array([0.1, 0.5, 0.4])
    wide = overlapping(40, 3, separation=1.0, rng=5)
    fit = logistic(wide.X, wide.y, tol=1e-20)  # its certificate balances up to rounding
    yield wide.X, wide.y, sigmoid(-wide.y * fit.decision_function(wide.X))


@exercise(x=[[range(-2, 3)] * 2] * 6, y=[(-1, 1)] * 6)
def existence(x=((0, 0), (2, 0), (1, 0), (0, 1), (1, 2), (2, 1)), y=(-1, -1, 1, 1, 1, 1)):
    from scipy.optimize import linprog

    Z = np.array(y)[:, None] * augment(np.array(x, float))
    if len({*x}) < 6 or abs(sum(y)) > 2 or np.linalg.matrix_rank(Z) < 3:
        return None
    # the largest sum of margins none of which is below 0
    far = linprog(-Z.sum(axis=0), -Z, np.zeros(6), bounds=[(-1, 1)] * 3)
    exists = far.fun > -1e-9

    def judge(minimum, direction):
        refuse((not isinstance(minimum, (bool, np.bool_)), "Give True or False first; this "
                f"is {short(minimum)}."))  # fmt: skip
        if minimum:
            refuse((not exists, "There is a (w, b) for which no margin is below 0, and "
                    "some are above it. Which examples could have the margin 0?"),
                   (direction is not None, "If there is a minimum, no direction is wanted: "
                    "give None."))  # fmt: skip
            return "Every direction makes some margin negative, so the loss rises far out."
        v = numbers(direction, (3,), "the direction: three numbers, (w_1, w_2, b)")
        z = Z @ v
        q = int(z.argmin())
        refuse((z[q] < -1e-9 * np.abs(v).max(), f"With your (w, b) example {q + 1} has the "
                f"margin {tidy(z[q])}: farther and farther that way its loss has no end."),
               (not z.max() > 1e-9 * np.abs(v).max(), "All your margins are 0: along it "
                "no loss falls."),
               )  # fmt: skip
        return f"The margins are {', '.join(map(tidy, z))}: the loss falls for ever."

    if exists:
        return Open(judge, True, None, slips={(False, (1, 0, 0)): "has the margin"})
    slips = {(True, None): "no margin is below 0, and some are above it"}
    return Open(judge, False, tuple(far.x), slips=slips)


same_probabilities = kit.truths("logistic", "same_probabilities")


@exercise(
    among=((0, 9), (10, 19), (20, 29), (0, 19), (10, 29)), samples=(300, 400, 450, 500, 569)
)
def most_telling(among=(0, 29), samples=569):
    tumors, places = breast_cancer(), range(among[0], among[1] + 1)
    names, y = [tumors.features[q] for q in places], tumors.y[:samples]
    values = [logistic(tumors.X[:samples, [q]], y).values[-1] for q in places]
    least, count = min(values), {10: "ten", 20: "twenty", 30: "thirty"}[len(names)]

    def judge(name):
        known = isinstance(name, str) and name in names
        refuse((not known, f"Give a name of `tumors.features`, such as {names[0]!r}."))
        value = values[names.index(name)]
        refuse((value > least, f"The {name.rsplit(' (', 1)[0]} alone reaches {value:.3f}, "
            f"and another measurement reaches less. Did you try all {count}?"))  # fmt: skip

    slips = {samples * least: "sum", -least: "likelihood", least / np.log(2): "bits"}
    return Exercise(
        f"The fit of one measurement, {count} times; this one has the smallest loss.",
        feature=kit.Answer(names[int(np.argmin(values))], judge),
        loss=Number(least, slips),
    )


@exercise(
    x=((1, 2, 3, 4), (-3, -1, 1, 3), (0, 1, 3, 4), (-2, -1, 1, 2), (-4, -2, 2, 4),
       (0, 2, 3, 5), (1, 3, 4, 6), (0, 1, 4, 5), (-1, 0, 3, 4)),
    y=((-1, 1, -1, 1), (1, -1, 1, -1)), least=(0.51, 0.58, 0.63, 0.65),
)  # fmt: skip
def refutes(x=(0, 1, 2, 3), y=(-1, 1, -1, 1), least=0.58):
    near, far = x[2] - x[1], x[3] - x[0]
    both = np.outer(np.arange(1, 100) / 100, (near / far, 1, 1, near / far))
    right = both[entropy(both).mean(axis=1).argmax()]
    if not least + 0.005 < entropy(right).mean() < least + 0.015:
        return None

    def judge(weights):
        a = numbers(weights, (4,), "four weights, one for each example")
        up, reached = np.array(y) > 0, entropy(a).mean()
        refuse(
            (a.min() < 0 or a.max() > 1, "Each weight lies between 0 and 1; not "
             f"{short(a)}."),
            (abs(a @ y) > 1e-9, "The weights of the negative examples add up to "
             f"{a[~up].sum():.10g}, those of the positive ones to {a[up].sum():.10g}. "
             "The constant feature asks for equal sums, up to 1e-9."),
            (abs(a * y @ x) > 1e-9, "The sums of the two labels are equal, but the sum of "
             f"a y x is {a * y @ x:.3g}, and not 0 up to 1e-9."),
            (reached < least, "The weights are a certificate, and prove that no hyperplane "
             f"has a mean log loss below {reached:.4f}. You need {least}. What freedom do "
             "the two equations leave, and which weights have the largest entropy?"),
        )  # fmt: skip
        return f"No hyperplane is below {reached:.4f}: your friend is refuted."

    slips = {(tuple(right / 2),): "You need", ((0.5,) * 4,): "the sum of a y x is"}
    return Open(judge, tuple(right), slips=slips)
