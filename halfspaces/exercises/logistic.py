"""The exercises of the chapter on logistic regression."""

import numpy as np

from halfspaces.exercises import Said, call, first, floats, kit, numbers, refuse
from halfspaces.exercises.kit import Exercise, Function, Number, Open, exercise
from halfspaces.formatting import format_number
from mlcore import losses
from mlcore.data import breast_cancer, overlapping
from mlcore.geometry import augment
from mlcore.logistic import logistic, sigmoid


@exercise(w=(0.2, 0.4, 0.5, 0.6, 1.0, 1.2), b=range(-12, 0), at=range(3, 30))
def odds(w=0.8, b=-12, at=17):
    center, p = -b / w, sigmoid(w * at + b)
    if 2 * center % 1 > 1e-9 or not 1 <= abs(at - center) <= 4:
        return None
    twice, there, factor = 2 * b, w * at + b, np.exp(w)
    others = {w: "added", 1 + w: "tiny", np.exp(-w): "less", w / 4: "slope"}
    return Exercise(
        Said("praise", **locals()),
        center=Number(center, {-center: "sign"}, lambda x: Said("hint", score=w * x + b)),
        factor=Number(factor, others),
        probability=Number(p, {1 - p: "other_label"}),
    )


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

    def loss(name, w):
        return Said(name, loss=losses.logistic.value(y * (Z @ w)).mean())

    def after(step, slips):
        common = {tuple(-n * step): "far"}
        common |= {tuple(w): loss("uphill", w) for w in (step, g)}
        return Number(-step, common | slips, lambda w: loss("hint", w))

    return Exercise(
        Said("praise", times=delta[1] / (eta * g[1])),
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

    def judge(function):
        with np.errstate(all="ignore"):
            pair = call(function, z)
        two = isinstance(pair, (tuple, list, np.ndarray)) and len(pair) == 2
        refuse((not two, "no_pair"), **locals())
        nine_digits("losses", z, pair[0], losses.logistic.value)
        nine_digits("slopes", z, pair[1], losses.logistic.slope)

    return Open(judge, lambda z: (losses.logistic.value(z), losses.logistic.slope(z)))


def nine_digits(name, z, answer, right):
    """NotYet unless the answer has nine digits of what is right at all margins."""
    got, want = floats(answer), right(z)
    refuse((got.shape != want.shape, "shape"), **locals())
    off = np.abs(got - want)
    wrong = ~(off <= 1e-9 * np.abs(want))
    q = int(np.argmin(np.where(wrong, np.abs(z), np.inf)))
    q = q if np.isfinite(got).all() else int(np.argmin(np.isfinite(got)))
    at, size, there, last = z[q], abs(z[q]), got[q], got[-1]
    ends = off[0] > 1 or abs(got[-1]) > 2 * abs(want[-1])
    cut = ends and not wrong[np.abs(z) < 2].any()
    refuse(
        (name == "losses" and np.allclose(got, losses.logistic.slope(z)), "exchanged"),
        (not np.isfinite(got).all(), "overflow"),
        (np.allclose(got, -want), "wrong_sign"),
        (np.allclose(got, right(-z)), "other_sign"),
        (np.allclose(got, want / np.log(2)), "bits"),
        (cut, "cut_off"),
        (wrong.any() and off[q] < 1e-9, "lost"),
        (wrong.any() and off[q] < 1e-6 * abs(want[q]), "rounded"),
        (wrong.any(), "elsewhere"),
        **locals(),
    )


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
    def fault(got, X, y, a):
        off = np.abs((a * y) @ X).max()
        return first(
            (a.max() > 1, "above_1"),
            (a.min() < 0, "negative"),
            (abs(a @ y) > 1e-9, "constant"),
            (off > 1e-9, "not_zero"),
            **locals(),
        )

    def right(X, y, a, slip=""):
        if fault(None, X, y, a):
            return None
        half = -a * np.log(a + (a == 0))
        mean = half.mean() if slip == "one term" else entropy(a).mean()
        return mean * {"sum": len(a), "sign": -1, "bits": 1 / np.log(2)}.get(slip, 1)

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
        truth = isinstance(minimum, (bool, np.bool_))
        refuse((not truth, "no_truth"), **locals())
        if minimum:
            refuse((not exists, "none"), (direction is not None, "no_direction"))
            return "minimum"
        v = numbers(direction, (3,), "the direction: three numbers, (w_1, w_2, b)")
        z = Z @ v
        q = int(z.argmin())
        noise, place, least = 1e-9 * np.abs(v).max(), q + 1, z[q]
        refuse((least < -noise, "rises"), (not z.max() > noise, "flat"), **locals())
        return Said("praise", margins=", ".join(format_number(part, "tidy") for part in z))

    return Open(judge, exists, None if exists else tuple(far.x))


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
        refuse((not known, "unknown"), names=names)
        value, name = values[names.index(name)], name.rsplit(" (", 1)[0]
        refuse((value > least, "larger"), **locals())

    slips = {samples * least: "sum", -least: "likelihood", least / np.log(2): "bits"}
    return Exercise(
        Said("praise", **locals()),
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
        negative, positive, total = a[~up].sum(), a[up].sum(), a * y @ x
        refuse(
            (a.min() < 0 or a.max() > 1, "no_weights"),
            (abs(a @ y) > 1e-9, "unequal"),
            (abs(total) > 1e-9, "not_zero"),
            (reached < least, "less"),
            **locals(),
        )
        return Said("praise", **locals())

    return Open(judge, tuple(right))
