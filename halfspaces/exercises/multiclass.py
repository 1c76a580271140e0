"""The exercises of the chapter on several classes."""

from itertools import combinations

import numpy as np

from halfspaces.exercises import WrongAnswer, define, fail_if, format_tidy, read_numbers
from halfspaces.exercises import case_tools as tools
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from mlcore.least_squares import ridge
from mlcore.neighbors import knn


@exercise(
    w=((-1, 1, 2), (-1, 0.5, 2), (-2, 1, 2), (-2, 0.5, 1), (-1, 1, 3)), b=[range(-6, 3)] * 3
)
def claims(w=(-1, 0.5, 1), b=(0, -1, -3)):
    w, b = np.array(w), np.array(b)
    zero, changes = -b / w, -np.diff(b) / np.diff(w)
    if np.diff(zero).min() <= 0 or changes[0] >= changes[1]:
        return None

    def scores(x):
        return {"scores": ", ".join(map(format_tidy, w * x + b))}

    return Exercise(
        gap=Number(zero[1] - zero[0]),
        overlap=Number(zero[2], {}, scores),
        first_change=Number(changes[0], {changes[1]: "larger_first"}, scores),
        second_change=Number(changes[1], {}, scores),
    )


@exercise(
    x=(-2, -1, 1, 3), exp_scores=((1, 2, 1), (1, 3, 4), (2, 5, 3), (1, 4, 5), (3, 1, 6)),
    label=(1, 2, 3),
)  # fmt: skip
def step(x=2, exp_scores=(1, 2, 5), label=1):
    x, c, one_hot = np.array([x, 1.0]), label - 1, np.eye(3)
    p = np.array(exp_scores) / sum(exp_scores)
    solution = np.outer(p - one_hot[c], x)

    def tuples(array):
        return tuple(map(tuple, array))

    def explain_derivatives(got):
        sums = got.sum(axis=0)
        fail_if(np.allclose(got[:, 0], solution[:, 0], atol=5e-4), "only_w_right")
        fail_if(np.abs(sums).max() > 0.0015, "wrong_sums", sums=sums)

    return Exercise(derivatives=Number(solution, {
        tuples(-solution): "descent", tuples(np.outer(p, x)): "no_truth",
        **{tuples(np.outer(p - one_hot[k], x)): "other_class" for k in range(3) if k != c},
        tuples(np.outer(np.log(exp_scores) - one_hot[c], x)): "scores",
        tuples(solution[:, ::-1]): "columns",
    }, explain_derivatives))  # fmt: skip


@exercise
def kesler():
    rng = np.random.default_rng(6)
    cases = [(np.array([2.0, 1.0]), 1, 3)]
    cases += [(rng.integers(2, 9, d) * 1.0, c, K) for d, c, K in ((1, 0, 2), (3, 2, 4))]

    def kesler_rows(x, c, K, bug=""):
        """Return Kesler's vectors of one example."""
        a = {"first": [1.0, *x], "no constant": [*x]}.get(bug, [*x, 1.0])
        a = np.array(a) * (-1 if bug == "sign" else 1)
        rivals = [q for q in range(K) if q != c or bug == "own class"]
        Z = np.zeros((len(rivals), K, len(a)))
        for row, rival in zip(Z, rivals, strict=True):
            row[c] += a
            row[rival] -= a
        Z = Z.transpose(0, 2, 1) if bug == "by feature" else Z
        return Z.reshape(len(rivals), -1)

    return Function(kesler_rows, cases)


@exercise
def vote():
    rng, cases = np.random.default_rng(5), []  # integer scores tie in votes and sums
    for K, scale in ((3, 1), (4, 1), (3, 1e9), (5, 1), (2, 1)):  # 1e9: sums only break ties
        pairs = K * (K - 1) // 2
        cases.append((rng.integers(-3, 4, size=(60, pairs)).astype(float), K))
        cases.append((scale * rng.normal(size=(40, pairs)), K))

    def elect(S, K, bug=""):
        """Return the class with the most pairwise votes, for each row of scores."""
        votes, sums = np.zeros((len(S), K)), np.zeros((len(S), K))
        for scores, (p, q) in zip(S.T, combinations(range(K), 2), strict=True):
            won = scores > 0 if bug == "zero" else scores >= 0
            votes[:, p] += won
            votes[:, q] += ~won
            sums[:, p] += scores
            sums[:, q] -= scores
        wins = votes == votes.max(axis=1, keepdims=True)
        if bug in ("no rule for ties", "no votes"):
            return (votes if bug == "no rule for ties" else sums).argmax(axis=1)
        return np.where(wins, sums, -np.inf).argmax(axis=1) + (bug == "from 1")

    def explain_class(answer, S, K):
        q = int((answer != elect(S, K)).argmax())
        raise WrongAnswer("other_class", scores=S[q], elected=answer[q])

    return Function(elect, cases, explain=explain_class)


@exercise(cuts=[range(-4, 1), range(1, 5)])
def design(cuts=(-1, 2)):
    low, high = cuts

    def check_machine(weights, biases):
        w, b = (read_numbers(v, (3,), f"three {name}")
            for v, name in ((weights, "weights"), (biases, "biases")))  # fmt: skip
        key = "wrong_biases" if w[0] < w[1] < w[2] else "wrong_slopes"
        both_sides = (low - 1e-6, low + 1e-6, high - 1e-6, high + 1e-6)
        for x in (-1000, low - 0.5, *both_sides, (low + high) / 2, high + 0.5, 1000):
            scores, want = w * x + b, int(x > low) + int(x > high)
            loses = scores[want] <= np.delete(scores, want).max()
            text = ", ".join(f"{g:.7g}" for g in scores)
            fail_if(loses, key, x=x, scores=text, label=want + 1)
        x = (low + high) / 2
        return {"x": x, "scores": ", ".join(map(format_tidy, w * x + b))}

    return FreeForm(check_machine, (-1, 0, 1), (low, 0, -high))


same_predictions = define.true_false("multiclass", "same_predictions")


@exercise
def log_loss():
    rng = np.random.default_rng(7)
    cases = [(rng.normal(size=K), c) for K, c in ((2, 0), (3, 2), (6, 1))]
    # exponentials overflow or underflow
    for s, c in (([1000, 0, 999], 0), ([0, 1000], 0), ([-1000, -1001], 1), ([0, 3000], 0)):
        cases.append((np.array(s, float), c))

    def softmax_loss(scores, c, bug=""):
        largest = scores.max()
        own = {"no own score": 0, "largest": scores[c] + largest}.get(bug, scores[c])
        offset = largest - own
        loss = np.log(np.exp(scores - largest).sum()) + offset
        rivals = np.exp(np.delete(scores, c) - largest).sum()
        return {
            "probability": np.exp(-loss), "sign": -loss, "bits": loss / np.log(2),
            "mean": loss / len(scores), "rivals": np.log(rivals) + offset,
            "others": -np.log(-np.expm1(-loss)),
        }.get(bug, loss)  # fmt: skip

    def explain_loss(value, scores, c):
        clipped = scores.max() - scores[c] > 700 and 0 < value < softmax_loss(scores, c)
        fail_if(clipped, "clipped_probability", value=value)

    return Function(softmax_loss, cases, explain=explain_loss)


@exercise
def hessian():
    rng, cases = np.random.default_rng(8), []
    for K, r, n in ((2, 2, 5), (3, 2, 7), (4, 3, 6)):
        V, A = rng.normal(size=(K, r)), rng.normal(size=(n, r))
        A[:, -1] = 1.0
        cases.append((V, A))

    def curvature(V, A, bug=""):
        """Return the Hessian of the mean softmax loss, row k r + j for V[k, j]."""
        (K, r), scores = V.shape, A @ V.T
        P = np.exp(scores - scores.max(axis=1, keepdims=True))
        P = P / P.sum(axis=1, keepdims=True)
        second = -P[:, :, None] * P[:, None, :]
        if bug != "diagonal":
            second[:, range(K), range(K)] += P
        second = second * np.eye(K) if bug == "blocks" else second
        H = np.einsum("imk,ij,il->mjkl", second, A, A) / (1 if bug == "sum" else len(A))
        H = H.transpose(1, 0, 3, 2) if bug == "by feature" else H
        return H.reshape(K * r, K * r)

    def explain_entries(H, V, A):
        common = np.tile(np.arange(1.0, len(V.T) + 1), len(V))
        form = common @ H @ common
        fail_if(abs(form) > 1e-4, "not_flat", form=form)

    return Function(curvature, cases, explain=explain_entries, rtol=1e-8)


@exercise(neighbors=(3, 4, 5, 6, 7))
def strangers(neighbors=1):
    from sklearn.datasets import load_digits

    images, digit = load_digits(return_X_y=True)
    # the first image of each form, a sheet of digits filled in by one hand
    starts = 0, 130, 256, 386, 516, 646, 776, 906, 1029, 1157, 1287, 1415, 1545, 1667
    form = np.searchsorted(starts[1:], np.arange(len(digit)), side="right")

    def count_misread(k=neighbors, held_out=form):
        """Yield how many images of each form are misread by rules fitted to the others."""
        for q in range(14):
            test = held_out == q
            found = knn(images[~test], digit[~test], images[test], k=k)
            yield int((found.predicted != digit[test]).sum())

    counts, other = list(count_misread()), 3 if neighbors < 3 else 1
    worst = max(counts)
    if counts.count(worst) > 1:
        return None
    total, mixed = sum(counts), sum(count_misread(held_out=np.arange(len(digit)) % 14))
    mistakes = {sum(count_misread(other)): "other_k", mixed: "mixed_forms", 0: "itself"}
    fewer = {}
    for q, count in enumerate(counts, start=1):
        key = "from_0" if q == counts.index(worst) else "fewer"
        fewer |= {q: WrongAnswer(key, count=count)} if count < worst else {}
    return Exercise(
        {"total": total, "worst": worst, "other": other},
        total=Number(total, mistakes),
        form=Number(counts.index(worst) + 1, fewer, allowed=range(1, 15)),
        most=Number(worst),
    )


@case
def codes(source=0):
    rng = np.random.default_rng([10, source])
    w, effects = tools.draw_direction(rng, 4), rng.permutation(np.linspace(-1.6, 1.6, 9))
    names = ["ward (code 1 to 9)", *(f"blood value {k} (mmol/l)" for k in range(1, 5))]

    def draw(rng, trap):
        flips, parts = rng.uniform(0.02, 0.35), []
        for n in (400, tools.N_TEST):
            ward, Z = rng.integers(9, size=n), rng.normal(size=(n, 4))
            effect = effects[ward] if trap else np.sort(effects)[ward]
            y = np.where(effect + Z @ w > 0, 1.0, -1.0)
            y = np.where(rng.random(n) < flips, -y, y)
            parts += [np.column_stack([ward + 1, 5 + Z]), y]
        return parts

    def decide(X, y, names, route=""):
        def lift(X):
            if route == "code as a number":
                return X
            wards = X[:, :1] == np.arange(1, 10)
            return X[:, 1:] if route == "without the ward" else np.hstack([wards, X[:, 1:]])

        def fit(X, y):
            if route == "nearest":
                return tools.fit_rule(X, y, route)
            rule = ridge(lift(X), y, lambda_=0.01)
            return lambda Q: rule.predict(lift(Q))

        return tools.decide_and_claim(fit, X, y, route)

    routes = {"code as a number": "decision", "without the ward": "advice_costly"}
    routes |= {"nearest": "advice_costly"}
    return Case(draw, names, decide, routes, max_regret=0.03, max_width=0.2, seed=source)
