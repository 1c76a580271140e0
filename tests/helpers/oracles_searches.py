"""Oracles of what searches: selection, validation, perceptrons, descents; see claims.py."""

from functools import partial
from itertools import combinations

import numpy as np

from mlcore import lasso, optim, selection, svm
from mlcore import validation as cv
from mlcore.perceptron import perceptron, perceptron_trace
from tests.helpers.certificates import hinge, of_lasso
from tests.helpers.claims import EPS, TINY, doubt
from tests.helpers.public import toward


def in_own_units(X, train):
    """Means, deviations and standardized examples; None if those are ill conditioned."""
    mean, spread = X[train].mean(axis=0), X[train].std(axis=0)
    reach = np.abs(X - mean).max(axis=0, initial=0)
    if (spread <= 1e-5 * np.maximum(reach, np.abs(mean))).any():
        return mean, spread, None  # constant, or nearly so
    A = (X[train] - mean) / spread
    ill = A.shape[1] and (len(A) <= A.shape[1] + 1 or np.linalg.cond(A) > 1e4)
    return mean, spread, None if ill else A


def refit(X, y, splits, features):
    """The mean square over test sets by fits to training sets; None if ill conditioned."""
    squares = []
    for train, test in splits:
        mean, spread, A = in_own_units(X[:, list(features)], train)
        if A is None:
            return None
        v = np.linalg.lstsq(A, y[train] - y[train].mean(), rcond=None)[0]
        B = (X[np.ix_(test, list(features))] - mean) / spread
        squares.append(np.mean((y[test] - y[train].mean() - B @ v) ** 2))
    return np.mean(squares)


def near(E, claimed, whole, words):
    if E is not None:
        yield words, abs(E - claimed), 1e-6 * (whole + E)


def of_forward(found, X, y, splits, n_features, tol, fit, error, step=1):
    """Each step by refits: its error is right, and no other feature does better."""
    d, chosen = X.shape[1], list(found.order)
    start = set() if step == 1 else set(range(d))
    whole = found.empty + 1e-20 * np.abs(y).max() ** 2 + TINY
    again = partial(refit, X, y, splits)
    yield from near(again([]), found.empty, whole, "no feature")
    yield from near(again(range(d)), found.all, whole, "all features")
    for t in range(len(chosen) + 1):
        now = start ^ set(chosen[:t])
        yield from near(again(sorted(now)), found.errors[t], whole, f"step {t}")
        stopped = t == len(chosen)
        if stopped and n_features is not None:
            yield "n_features", len(now) != n_features, 0
            break
        least = found.errors[t] - tol * whole if stopped else found.errors[t + 1]
        for j in set(range(d)) - set(chosen[:t]):
            E = again(sorted(now ^ {j}))
            if E is not None:
                yield f"step {t}: feature {j} is better", least - E, 1e-6 * (whole + E)


def of_exhaustive(found, X, y, splits, tol, fit, error):
    whole = found.errors[0] + 1e-20 * np.abs(y).max() ** 2 + TINY
    for size, (claimed, best) in enumerate(zip(found.errors, found.subsets, strict=True)):
        sets = list(combinations(range(X.shape[1]), size))
        for subset in sets[:: 1 + len(sets) // 20]:
            E = refit(X, y, splits, subset)
            if E is not None:
                yield f"{subset} is better", claimed - E, 1e-6 * (whole + E)
        yield from near(refit(X, y, splits, best), claimed, whole, "best subset")


def of_elimination(found, X, y, fit, n_features, fraction):
    """Each fit again: what it sheds is the least."""
    left, removed = list(range(X.shape[1])), list(found.removed)
    for size in found.sizes:
        yield "size", size != len(left), 0
        w = dict(zip(left, np.abs(fit(X[:, left], y).w).tolist(), strict=True))
        parts = max(1, int(fraction * size))
        out, removed = removed[:parts], removed[parts:]
        left = [j for j in left if j not in out]
        yield "n_features", len(left) < n_features, 0
        yield "the least", max(w[j] for j in out) - min(w[j] for j in left), 0
        yield "the least one first", -np.diff([w[j] for j in out]), 0
    yield "kept", list(found.features) != left or len(left) != n_features, 0


def of_folds(splits, y, folds, stratified, rng):
    n, tests = len(y), np.concatenate([test for _, test in splits])
    yield "each example is tested once", not np.array_equal(np.sort(tests), np.arange(n)), 0
    yield "folds", len(splits) != folds, 0
    for train, test in splits:
        yield "the others train", [*train] != sorted({*range(n)} - {*test}), 0
    for label in [None, *np.unique(y)][: None if stratified else 1]:
        held = [sum(label is None or y[i] == label for i in test) for _, test in splits]
        yield "as even as can be", max(held) - min(held), 1


def of_monte_carlo(splits, y, repeats, test_fraction, rng, stratified):
    yield "repeats", len(splits) != repeats, 0
    for train, test in splits:
        yield "each once", sorted([*train, *test]) != [*range(len(y))], 0
        for label in np.unique(y) if stratified else [None]:
            held, n = (sum(label in (None, v) for v in part) for part in (y[test], y))
            yield "share", held != min(max(round(test_fraction * n), 1), n - 1), 0


def of_cross_validate(found, fit, X, y, splits, error):
    wanted = [np.mean(y[test] != y[train][0]) for train, test in splits]
    yield "shares that are unlike the first", np.abs(found.errors - wanted), 1e-15


def of_lasso_cv(found, X, y, splits, lambdas):
    """The errors by refits."""
    yield from of_lasso(found, X, y, found.lambda_)
    means = found.errors.mean(axis=0)
    yield "the least error", min(means[found.lambdas == found.lambda_]) - min(means), 0
    yield "falling", np.diff(found.lambdas), 0
    if lambdas is not None:
        asked = np.sort(lambdas)[::-1]
        yield "those asked for", np.abs(asked - found.lambdas), EPS * np.abs(asked)
    for (train, test), errors in zip(splits, found.errors, strict=True):
        if in_own_units(X, train)[-1] is None:
            continue
        whole = np.mean((y[test] - y[train].mean()) ** 2) + EPS * np.abs(y).max() ** 2
        for k in range(0, len(errors), 1 + len(errors) // 4):
            share = found.lambdas[k] * len(train) / len(y)
            rule = lasso.lasso(X[train], y[train], lambda_=share)
            E = np.mean((y[test] - rule.decision_function(X[test])) ** 2)
            yield "error", abs(errors[k] - E), 1e-6 * (whole + E)


def of_perceptron(fit, X, y, bias, start, max_epochs, rng):
    """The loop over rows, as the book has it, and no rounding is another."""
    rng = None if rng is None else np.random.default_rng(rng)
    X, w, b = np.ascontiguousarray(X), np.zeros(X.shape[1]) if start is None else start, 0.0
    mistakes = []
    while len(mistakes) < max_epochs and 0 not in mistakes:
        mistakes.append(0)
        for i in range(len(y)) if rng is None else rng.permutation(len(y)):
            if y[i] * (X[i].dot(w) + b) <= 0:
                w, b, mistakes[-1] = w + y[i] * X[i], b + bias * y[i], mistakes[-1] + 1
    yield "mistakes", fit.mistakes != tuple(mistakes), 0
    yield "w, b", [*np.abs(fit.w - w), abs(fit.b - b)], 0
    yield "converged", fit.converged != (mistakes[-1] == 0), 0


def of_perceptron_trace(run, X, y, bias, start, eta, max_updates):
    """Every step: the rows passed by are right, the chosen one is not, and is added."""
    i, n = 0, len(y)
    for w, b, new, c, chosen in zip(
        run.w, run.b, run.w[1:], run.b[1:], run.chosen, strict=False
    ):
        passed = np.arange(i, i + 1 + (chosen - i) % n) % n
        z, tiny = y[passed] * (X[passed] @ w + b), doubt(X[passed], w, b)
        yield "those passed by are right", -z[:-1], tiny[:-1]
        yield "the chosen one is a mistake", z[-1], tiny[-1]
        step = eta * y[chosen] * X[chosen]
        yield "it is added", np.abs(new - w - step), 4 * EPS * (np.abs(w) + np.abs(step))
        yield "b", abs(c - b - bias * eta * y[chosen]), 4 * EPS * (abs(b) + eta)
        i = chosen + 1
    yield "out of updates", not run.converged and run.updates < max_updates, 0
    wrong = run.converged * -(y * (X @ run.w[-1] + run.b[-1]))
    yield "all are right", wrong, doubt(X, run.w[-1], run.b[-1])


def of_bowl(run, f, gradient, w0, max_steps, tol, **rest):
    yield "from w0", np.abs(run.path[0] - w0), EPS * np.abs(w0)
    yield "to w", run.path[-1] != run.w, 0
    yield "the last value", abs(run.values[-1] - f(run.w)), 1e-12 * run.values[-1]
    small = np.linalg.norm(run.w) if "eta" in rest else f(run.w)  # gradient, or gap
    yield "near", run.converged * small, tol * (1 + 1e-12) + 1e-12 * f(w0)


def of_sgd(run, gradient, n, w0, steps, epochs, batch, average, runs, rng):
    """Each run on its own, by the distance from the example to w."""
    rngs = [rng if rng is None else np.random.default_rng(rng)]
    rngs = rngs[0].spawn(runs) if runs is not None and rng is not None else rngs
    yield "the last point", np.abs(run.path[-1] - run.w).max(), 0
    yield "no test was passed", run.converged, 0
    yield "no values", len(run.values), 0
    for r in range(runs or 1):
        path = run.path if runs is None else run.path[:, r]
        order_of, w, passed, points = rngs[r % len(rngs)], w0, [], [w0]
        for _ in range(epochs):
            order = np.arange(n) if order_of is None else order_of.permutation(n)
            for few in np.split(order, range(batch, n, batch)):
                w = w - steps(len(passed) + 1) * (
                    w - (few.mean() if gradient is toward else 1.0)
                )
                passed.append(w)
            points.append(np.mean(passed, axis=0) if average else w)
        size = np.abs(points).max() + n
        yield "the points after the epochs", np.abs(path - points), 1e-10 * size


def of_descent(fit, X, y, lambda_, steps, bias):
    """J at the answer is the least of the values."""
    J = hinge(fit.w, fit.b, X, y, np.ones(len(y)), lambda_)
    tiny = doubt(X, fit.w, fit.b).max() + 1e-9 * J
    yield "the best one met", abs(J - fit.values.min()), tiny
    yield "values of all steps", len(fit.values) != steps + 1, 0
    yield "no bias", not bias and fit.b != 0, 0


def of_pegasos(fit, X, y, lambda_, epochs, rng, batch, bias, average):
    """Step after step by the definition, as long as rounding does not decide who is hit."""
    rng, n = np.random.default_rng(rng), len(y)
    parts = np.array_split(rng.permutation(n), -(-n // int(batch)))
    rows = y[:, None] * np.column_stack([X, np.full(n, float(bias))])
    free, v, t, ends = np.append(np.ones(X.shape[1]), 0.0), 0.0 * rows[0], 0, []
    for value in fit.values:
        points = []
        for k in rng.permutation(len(parts)):
            few, t = rows[parts[k]], t + 1
            z = few @ v
            if (np.abs(z - 1) <= 1e3 * t * doubt(few, v)).any():
                return
            push = (few * (z < 1)[:, None]).mean(axis=0)
            v = v - (lambda_ * free * v - push) / (lambda_ * t)
            points.append(v)
        ends.append(np.mean(points, axis=0) if average else v)
        *w, b = ends[-1]
        J = hinge(np.array(w), b, X, y, np.ones(n), lambda_)
        yield "values", abs(value - J), 1e-9 * (J + doubt(rows, ends[-1]).max() / EPS)
    yield "values of all epochs", len(fit.values) != epochs, 0
    last = ends[epochs // 2 :] if average else ends[-1:]
    wanted = np.mean(last, axis=0)
    size = np.abs(rows).max(axis=0) / lambda_ + np.abs(wanted)
    yield "w, b", np.abs(np.append(fit.w, fit.b) - wanted), 1e-10 * size


ORACLES = {
    selection.forward: of_forward,
    selection.backward: partial(of_forward, step=-1),
    selection.exhaustive: of_exhaustive,
    selection.recursive_elimination: of_elimination,
    cv.cross_validate: of_cross_validate,
    cv.k_folds: of_folds,
    cv.monte_carlo: of_monte_carlo,
    lasso.lasso_cv: of_lasso_cv,
    perceptron: of_perceptron,
    perceptron_trace: of_perceptron_trace,
    optim.gradient_descent: of_bowl,
    optim.newton: of_bowl,
    optim.sgd: of_sgd,
    svm.subgradient_descent: of_descent,
    svm.pegasos: of_pegasos,
}
