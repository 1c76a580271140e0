"""The exercises of the chapter on logistic regression."""

import numpy as np

from halfspaces.exercises import WrongAnswer, call, define, fail_if, format_tidy, to_floats
from halfspaces.exercises import case_tools as tools
from halfspaces.exercises.answers import passes, read_numbers
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from halfspaces.formatting import format_value
from mlcore import losses
from mlcore.data import breast_cancer, overlapping
from mlcore.features import standardize
from mlcore.generative import lda
from mlcore.geometry import augment
from mlcore.linear import sgn
from mlcore.logistic import logistic, sigmoid


@exercise(w=(0.2, 0.4, 0.5, 0.6, 1.0, 1.2), b=range(-12, 0), at=range(3, 30))
def odds(w=0.8, b=-12, at=17):
    center, p = -b / w, sigmoid(w * at + b)
    if 2 * center % 1 > 1e-9 or not 1 <= abs(at - center) <= 4:
        return None
    factor, values = np.exp(w), {"center": center, "p": p, "twice": 2 * b}
    mistakes = {w: "added", 1 + w: "one_plus_w", 1 / factor: "inverse", w / 4: "slope"}
    return Exercise(
        values | {"factor": factor, "there": w * at + b},
        center=Number(center, {-center: "sign_of_b"}, lambda x: {"score": w * x + b}),
        factor=Number(factor, mistakes),
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

    def loss(w):
        return {"loss": losses.logistic.value(y * (Z @ w)).mean()}

    def number_after(step, mistakes):
        common = {tuple(-n * step): "n_times"}
        common |= {tuple(w): WrongAnswer("uphill", **loss(w)) for w in (step, g)}
        return Number(-step, common | mistakes, loss)

    return Exercise(
        {"times": delta[1] / (eta * g[1])},
        gradient_step=number_after(eta * g, {
            tuple(-eta * g / n): "one_nth", tuple(-g): "size_1", tuple(-delta): "newton",
        }),
        newton_step=number_after(delta, {
            tuple(-delta[::-1]): "b_first", tuple(-eta * g): "gradient",
        }),
    )  # fmt: skip


@exercise
def log_loss():
    # in [5, 36], a program may use its formula for large margins too early
    large = np.array([5.0, 10, 17, 18, 20, 20.01, 25, 30, 36, 40, 700])
    z = np.array([*-large[::-1], -1.5, 0, 0.5, *large])

    def check_losses_and_slopes(function):
        with np.errstate(all="ignore"):
            pair = call(function, z)
        is_pair = isinstance(pair, (tuple, list, np.ndarray)) and len(pair) == 2
        fail_if(not is_pair, "not_a_pair", pair=format_value(pair))
        check_digits("losses", z, pair[0], losses.logistic.value)
        check_digits("slopes", z, pair[1], losses.logistic.slope)

    return FreeForm(
        check_losses_and_slopes,
        lambda z: (losses.logistic.value(z), losses.logistic.slope(z)),
    )


def check_digits(name, z, answer, function):
    """Raise WrongAnswer unless the answer has nine digits of function(z) at all margins."""
    got, want, values = to_floats(answer), function(z), {"name": name}
    fail_if(got.shape != want.shape, "wrong_shape", z=z, got=got, **values)
    error, finite = np.abs(got - want), np.isfinite(got)
    wrong = ~(error <= 1e-9 * np.abs(want))
    q = int(np.argmin(np.where(wrong, np.abs(z), np.inf)))
    q = q if finite.all() else int(np.argmin(finite))
    example = {"at": z[q], "size": abs(z[q]), "there": got[q], **values}
    ends_differ = error[0] > 1 or abs(got[-1]) > 2 * abs(want[-1])
    clipped = ends_differ and not wrong[np.abs(z) < 2].any()
    swapped = name == "losses" and np.allclose(got, losses.logistic.slope(z))
    fail_if(swapped, "swapped")
    fail_if(not finite.all(), "overflow", **example)
    fail_if(np.allclose(got, -want), "wrong_sign", **values)
    fail_if(np.allclose(got, function(-z)), "minus_z", **values)
    fail_if(np.allclose(got, want / np.log(2)), "bits", **values)
    fail_if(clipped, "clipped", first=got[0], last=got[-1], **values)
    fail_if(wrong.any() and error[q] < 1e-9, "digits_lost", **example)
    fail_if(wrong.any() and error[q] < 1e-6 * abs(want[q]), "rounded", **example)
    fail_if(wrong.any(), "elsewhere", **example)


@exercise
def gradient():
    rng, cases = np.random.default_rng(3), []
    for d in (1, 2, 4):
        X = rng.normal(size=(60, d))
        p = sigmoid(X @ rng.normal(size=d))
        cases.append((X, (rng.random(60) < p) * 1.0, 0.3 * rng.normal(size=d), 0.4))

    def mean_gradient(X, t, w, b, bug=""):
        score = X @ w + b * (bug != "no b")
        errors = {
            "labels": sigmoid(score) - (2 * t - 1),
            "margins": -t * sigmoid(-t * score),
        }.get(bug, sigmoid(score) - t)
        g = np.append(X.T @ errors, errors.sum()) / len(X)
        others = {"up": -g, "sum": len(X) * g, "b first": np.roll(g, 1), "w alone": g[:-1]}
        return others.get(bug, g)

    return Function(mean_gradient, cases)


def entropy(a):
    """Return -a ln a - (1 - a) ln(1 - a), which is 0 where a is 0 or 1."""
    a = np.asarray(a, float)
    inside = (a > 0) & (a < 1)
    p = np.where(inside, a, 0.5)
    return np.where(inside, -p * np.log(p) - (1 - p) * np.log1p(-p), 0.0)


@exercise
def bound():
    def check_weights(got, X, y, a):
        size = np.abs((a * y) @ X).max()
        fail_if(a.max() > 1, "above_1", got=got)
        fail_if(a.min() < 0, "negative", got=got)
        fail_if(abs(a @ y) > 1e-9, "unequal_classes", got=got)
        fail_if(size > 1e-9, "sum_not_zero", got=got, size=size)

    def mean_entropy(X, y, a, bug=""):
        if not passes(check_weights, None, X, y, a):
            return None
        half = -a * np.log(a + (a == 0))
        mean = half.mean() if bug == "one term" else entropy(a).mean()
        return mean * {"sum": len(a), "sign": -1, "bits": 1 / np.log(2)}.get(bug, 1)

    return Function(mean_entropy, [*weight_cases()], explain=check_weights, rtol=1e-8)


def weight_cases():
    """Yield (X, y, weights): four give a bound, nine prove nothing."""
    X, y = np.array([[-3.0], [1.0], [2.0]]), np.array([-1.0, 1.0, -1.0])
    for a in (
        [0.1, 0.5, 0.4], [0.2, 1.0, 0.8], [0.0, 0.0, 0.0], [0.2002, 1.001, 0.8008],
        [-0.1, -0.5, -0.4], [0.0, 0.8, 0.4], [0.3, 0.5, 0.2], [0.1, 0.7, 0.6],
        [0.1, 0.5 + 3e-9, 0.4 + 3e-9], [0.3, 0.3, 0.4],
    ):  # fmt: skip
        yield X, y, np.array(a)
    # for one of the two columns the sum is not 0
    for columns in ([X, np.eye(3, 1)], [np.eye(3, 1), X]):
        yield np.hstack(columns), y, np.array([0.1, 0.5, 0.4])
    data = overlapping(40, 3, separation=1.0, rng=5)
    fit = logistic(data.X, data.y, tol=1e-20)  # its weights add up to 0 up to rounding
    yield data.X, data.y, sigmoid(-data.y * fit.decision_function(data.X))


@exercise(x=[[range(-2, 3)] * 2] * 6, y=[(-1, 1)] * 6)
def existence(x=((0, 0), (2, 0), (1, 0), (0, 1), (1, 2), (2, 1)), y=(-1, -1, 1, 1, 1, 1)):
    from scipy.optimize import linprog

    Z = np.array(y)[:, None] * augment(np.array(x, float))
    if len({*x}) < 6 or abs(sum(y)) > 2 or np.linalg.matrix_rank(Z) < 3:
        return None
    # maximize the sum of the margins if all margins are >= 0
    best = linprog(-Z.sum(axis=0), -Z, np.zeros(6), bounds=[(-1, 1)] * 3)
    exists = best.fun > -1e-9

    def check_existence(minimum, proof):
        is_bool = isinstance(minimum, (bool, np.bool_))
        fail_if(not is_bool, "not_a_truth", minimum=format_value(minimum))
        if minimum:
            fail_if(not exists, "no_minimum")
            a = read_numbers(proof, (6,), "the proof: six weights, one for each example")
            fail_if(a.min() <= 1e-3 * a.max(), "invalid_weights", a=a)
            fail_if(np.abs(a @ Z).max() > 1e-4 * a.max(), "sum_not_zero", sums=a @ Z)
            return {"key": "minimum"}
        v = read_numbers(proof, (3,), "the direction: three numbers, (w_1, w_2, b)")
        z, rounding = Z @ v, 1e-9 * np.abs(v).max()
        fail_if(z.min() < -rounding, "loss_rises", place=z.argmin() + 1, margin=z.min())
        fail_if(not z.max() > rounding, "all_zero")
        return {"margins": ", ".join(map(format_tidy, z))}

    if not exists:
        return FreeForm(check_existence, False, tuple(best.x))
    weights = linprog(np.ones(6), A_eq=Z.T, b_eq=np.zeros(3), bounds=(1, None)).x
    return FreeForm(check_existence, True, tuple(weights))


same_probabilities = define.true_false("logistic", "same_probabilities")


@exercise(
    among=((0, 9), (10, 19), (20, 29), (0, 19), (10, 29)), samples=(300, 400, 450, 500, 569)
)
def most_telling(among=(0, 29), samples=569):
    tumors, columns = breast_cancer(), range(among[0], among[1] + 1)
    names, y = [tumors.features[q] for q in columns], tumors.y[:samples]
    values = [logistic(tumors.X[:samples, [q]], y).values[-1] for q in columns]
    smallest, count = min(values), {10: "ten", 20: "twenty", 30: "thirty"}[len(names)]

    def check_name(name):
        fail_if(not isinstance(name, str) or name not in names, "unknown", names=names)
        value, name = values[names.index(name)], name.rsplit(" (", 1)[0]
        fail_if(value > smallest, "larger_loss", name=name, value=value)

    mistakes = {samples * smallest: "sum", -smallest: "likelihood"}
    mistakes |= {smallest / np.log(2): "bits", np.exp(-smallest): "per_example"}
    return Exercise(
        {"count": count},
        feature=define.Custom(names[int(np.argmin(values))], check_name),
        loss=Number(smallest, mistakes),
    )


@exercise(
    x=((0, 1, 3, 4), (0, 2, 3, 5), (0, 1, 4, 5), (0, 1, 5, 6), (0, 3, 4, 7), (0, 2, 5, 7),
       (0, 1, 6, 7), (0, 3, 5, 8), (0, 1, 7, 8), (0, 3, 7, 10)),
    y=((-1, 1, -1, 1), (1, -1, 1, -1)), min_bound=tuple(k / 100 for k in range(45, 69)),
)  # fmt: skip
def refutes(x=(0, 1, 2, 3), y=(-1, 1, -1, 1), min_bound=0.58):
    inner, outer = x[2] - x[1], x[3] - x[0]
    candidates = np.outer(np.arange(1, 100) / 100, (inner / outer, 1, 1, inner / outer))
    weights = candidates[entropy(candidates).mean(axis=1).argmax()]
    if not min_bound + 0.005 < entropy(weights).mean() < min_bound + 0.015:
        return None

    def check_weights(weights):
        a = read_numbers(weights, (4,), "four weights, one for each example")
        positive, bound, total = np.array(y) > 0, entropy(a).mean(), a * y @ x
        sums = {"negative": a[~positive].sum(), "positive": a[positive].sum()}
        ends = {"smallest": a.min(), "largest": a.max()}
        fail_if(a.min() < 0 or a.max() > 1, "invalid_weights", **ends)
        # both may be off by 1e-6, and by rounding
        fail_if(abs(a @ y) > 1.000001e-6, "unequal_classes", **sums)
        fail_if(abs(total) > 1.000001e-6, "sum_not_zero", total=total)
        reached = f"{np.floor(1e4 * bound) / 1e4:.4f}"  # rounded down, to be a bound
        fail_if(bound < min_bound, "too_low", reached=reached)
        return {"reached": reached}

    return FreeForm(check_weights, tuple(weights))


@case
def costs(source=0):
    cost_missed = 12  # of a cracked bolt that is not found
    w = tools.draw_direction(np.random.default_rng([5, source]), 15)
    names = [f"echo at {k} kHz (dB)" for k in range(5, 20)]

    def draw(rng, trap):
        half, parts = tools.draw_distance(rng) / 2, []
        for n in (600, 2 * tools.N_TEST):
            y = tools.draw_labels(rng, n, 0.1)
            parts += [40 + 6 * (rng.normal(size=(n, 15)) + np.outer(y, half * w)), y]
        return parts

    def loss(t, predicted, trap=True):
        return np.where(t > 0, cost_missed if trap else 1.0, 1.0) * (t != predicted)

    def decide(X, y, names, route=""):
        limit = 0.0 if route in ("one half", "copies") else -np.log(cost_missed)

        def fit(X, y):
            rule = lda(standardize(X), y)
            threshold = 1e9 if route == "all good" else limit
            return lambda Q: sgn(rule.decision_function(standardize(Q, like=X)) - threshold)

        if route == "copies":
            times = np.where(y > 0, cost_missed, 1)
            X, y = np.repeat(X, times, axis=0), np.repeat(y, times)
        measure = tools.zero_one_loss if route == "fraction of errors" else loss
        return tools.decide_and_claim(fit, X, y, route, loss=measure)

    routes = {"one half": "decision", "all good": "decision"}
    routes |= {"fraction of errors": "claim", "copies": "advice_high"}
    limits = {"max_regret": 0.1, "max_width": 0.56, "twin_route": "one half"}
    return Case(draw, names, decide, routes, **limits, seed=source, loss=loss)
