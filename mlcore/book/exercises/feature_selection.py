"""Checkers for the exercises of the chapter on feature selection."""

from types import SimpleNamespace

import numpy as np

from mlcore.book.exercises import NotYet, call, checker, compare, expect, numbers, short
from mlcore.lasso import lasso
from mlcore.validation import k_folds


@checker
def best_weight(answer):
    cases = [(3.0, 1.0, 2.0), (-3.0, 2.0, 1.0), (0.4, 1.0, 1.0), (5.0, 4.0, 2.0),
             (-0.2, 3.0, 1.0), (2.0, 0.5, 0.0)]  # fmt: skip
    for c, square, lambda_ in cases:
        want = np.sign(c) * max(0.0, abs(c) - lambda_ / 2) / square
        expect(answer, (c, square, lambda_), want, "Divide the objective by the square: "
               "which a and which lambda does the theorem see then?")  # fmt: skip
    return "Six cases, on both sides of the threshold."


@checker
def coordinate_descent(answer):
    rng = np.random.default_rng(1)
    for lambda_ in (0.5, 20.0, 60.0):
        X = rng.normal(size=(50, 5)) * [1.0, 0.5, 2.0, 1.0, 1.0]
        target = X @ [2.0, 0.0, -1.0, 0.0, 0.5] + 0.3 * rng.normal(size=50)
        mirrored = np.vstack([X, -X]), np.append(target, -target)  # so that b = 0
        want = lasso(*mirrored, lambda_=2 * lambda_).w
        got = numbers(call(answer, X, target, lambda_), (5,), "back w (d,)")
        compare(got, want, f"For lambda = {lambda_:g} it", "Does the residual leave out "
                "feature j, and are there enough passes?", rtol=1e-5)  # fmt: skip
        if np.any((got == 0) != (want == 0)):
            raise NotYet(
                f"For lambda = {lambda_:g} it gave {short(got)}: close, but a weight that "
                "is exactly 0 at the minimum is not exactly 0. Is there a threshold?"
            )
    return "Three prices, the weights of mlcore, and the same exact zeros."


class Named:
    """A function that a verdict can quote."""

    def __init__(self, name, function):
        self.name, self.function = name, function

    def __call__(self, *args):
        return self.function(*args)

    def __repr__(self):
        return self.name


def _tables():
    """(how it came about, errors of sets as a function, d)."""
    yield "nothing is better than nothing", lambda S: 1.0 + 0.1 * len(S), 3
    yield "only feature 0 counts", lambda S: 0.25 if 0 in S else 0.5, 4
    yield "every feature is needed", lambda S: 5.0 - len(S), 3
    yield "nothing is worth keeping", lambda S: float(len(S)), 2
    yield "any feature is as good as any", lambda S: 0.5, 3
    for seed in range(8):
        errors = np.random.default_rng(seed).random(32)
        yield "errors drawn at random", lambda S, e=errors: e[sum(2**q for q in S)], 5


def _forward(error, d):
    S, last = [], error([])
    while len(S) < d:
        rest = [q for q in range(d) if q not in S]
        values = [error([*S, q]) for q in rest]
        if min(values) >= last:
            break
        S, last = [*S, rest[int(np.argmin(values))]], min(values)
    return S


def _backward(error, d):
    S = list(range(d))
    last = error(S)
    while S:
        values = [error([p for p in S if p != q]) for q in S]
        if min(values) >= last:
            break
        last = min(values)
        S.pop(int(np.argmin(values)))
    return S


def _same_choice(answer, right, hint):
    for story, error, d in _tables():
        got, want = call(answer, Named("error", error), d), right(error, d)
        if not isinstance(got, (list, tuple, np.ndarray)):
            raise NotYet(f"A list of features is wanted; it gave {short(got)}.")
        if [*got] != want:
            raise NotYet(
                f"Where {story} ({d} features), it gave {short([*got])}; that is not the "
                f"set where the errors lead. {hint}"
            )
    return "Thirteen tables of errors, and the right set for each."


@checker
def my_forward(answer):
    hint = (
        "What is the error before the first step, and is an equal error a reason to go on?"
    )
    return _same_choice(answer, _forward, hint)


@checker
def my_backward(answer):
    hint = "What is the error of all features, and may the last one go as well?"
    return _same_choice(answer, _backward, hint)


@checker
def skipped(answer):
    rss = numbers(answer, (4,), "four sums of squares, for k = 0, 1, 2, 3")
    if rss[-1] < 0 or np.any(np.diff(rss) >= 0):
        raise NotYet(f"{short(rss)} does not fall, or goes below 0.")
    for k in (1, 2):
        least = max((rss[k] - rss[m]) / (m - k) for m in range(k + 1, 4))
        most = min((rss[m] - rss[k]) / (k - m) for m in range(k))
        if max(least, 0) <= most:
            raise NotYet(
                f"For lambda = {most:.4g} no size is better than k = {k}. Draw the four "
                "dots: which lines touch them from below?"
            )
    return "Every price selects 0 or 3 features."


@checker
def proximal_step(answer):
    rng = np.random.default_rng(3)
    for lambda_ in (0.0, 4.0, 30.0):
        X, target, w = rng.normal(size=(20, 4)), rng.normal(size=20), rng.normal(size=4)
        L = 2 * np.linalg.eigvalsh(X.T @ X)[-1]
        a = w - 2 * X.T @ (X @ w - target) / L
        want = np.sign(a) * np.maximum(0, np.abs(a) - lambda_ / L)
        got = numbers(call(answer, X, target, w, lambda_, L), (4,), "back w (d,)")
        compare(got, want, f"For lambda = {lambda_:g} it", "Which way does the gradient "
                "2 X'(Xw - y) point, and what is lambda / L for?")  # fmt: skip
    return "Three steps, with no price, a small and a large one."


@checker
def honest_error(answer):
    def choose(X, y):
        return np.argsort(-np.abs(X.T @ y), kind="stable")[:4].tolist()

    def fit(X, y):
        return SimpleNamespace(predict=lambda Q: np.where(Q @ (X.T @ y) >= 0, 1.0, -1.0))

    rng = np.random.default_rng(4)
    for _ in range(3):
        X, y = rng.normal(size=(30, 80)), np.tile([1.0, -1.0], 15)
        splits = k_folds(y, folds=6)
        errors, peeked = [], []
        for train, test in splits:
            for S, out in ((choose(X[train], y[train]), errors), (choose(X, y), peeked)):
                rule = fit(X[train][:, S], y[train])
                out.append(np.mean(rule.predict(X[test][:, S]) != y[test]))
        tools = Named("choose", choose), Named("fit", fit)
        got = numbers(call(answer, *tools, X, y, splits), (), "back one number")
        if not np.isclose(got, np.mean(errors)):
            asked = "Which examples does `choose` see, and is the mean over the splits?"
            if np.isclose(got, np.mean(peeked)):
                asked = "The test examples took part in the choice: what may it see?"
            raise NotYet(
                f"On 30 examples of pure noise with 80 features it gave {got:.3f}. {asked}"
            )
    return "Pure noise, three times, and no peeking."
