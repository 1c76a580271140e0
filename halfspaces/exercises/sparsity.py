"""The exercises of the chapter on sparsity."""

from functools import partial

import numpy as np

from halfspaces.exercises import WrongAnswer, call, define, fail_if, to_list
from halfspaces.exercises import case_tools as tools
from halfspaces.exercises.answers import read_bool, read_number, read_numbers
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from halfspaces.formatting import format_value
from mlcore.data import breast_cancer
from mlcore.features import standardize
from mlcore.lasso import lasso, lasso_cv
from mlcore.least_squares import ridge
from mlcore.validation import k_folds


@exercise(
    X_1=((1, 0, -1), (1, 1, -2), (-2, 1, 1), (-1, 2, -1), (3, -1, -2)),
    y=((4, 1, -5), (2, 3, -5), (-3, 4, -1), (5, -2, -3), (-4, 6, -2), (6, -5, -1)),
    penalty=(2, 4, 6, 8, 10, 16),
)
def one_weight(X_1=(2, -1, -1), y=(5, 1, -6), penalty=12):
    s, c = int(np.dot(X_1, X_1)), int(np.dot(X_1, y))
    if c <= penalty / 2:
        return None

    return Exercise(
        {"c": c, "s": s, "twice": 2 * c},
        first_lambda=Number(2 * c, {c: "half", 2 * c / s: "divided"}),
        lasso_weight=Number((c - penalty / 2) / s, {
            c - penalty / 2: "not_divided", (c - penalty) / s: "cut_by_lambda", 0: "zero",
        }, lambda w: {"slope": 2 * s * w - 2 * c + penalty * np.sign(w)}),
        ridge_weight=Number(c / (s + penalty), {
            c / (s + penalty / 2): "factor_2", c / (s + 2 * penalty): "factor_2",
        }, lambda w: {"slope": 2 * (s + penalty) * w - 2 * c}),
    )  # fmt: skip


@exercise(products=tuple((5 * k, 6 * k) for k in (0.5, *range(2, 22))))
def knots(products=(5, 6)):
    solution = products[0] / 5 * np.array([12.0, 26 / 3, 8.0, 8 / 3])

    def explain_lambdas(got):
        fail_if(np.any(np.diff(got) >= 0), "not_decreasing")
        q = int(np.argmax(np.abs(got - solution) > 5.001e-4))
        raise WrongAnswer(f"knot_{q + 1}", penalty=got[q])

    def check_count(lambdas):
        count = len(to_list(lambdas) or [])
        first_three = count == 3 and np.allclose(lambdas, solution[:3], atol=6e-4)
        fail_if(first_three, "comes_back")
        fail_if(count in (2, 3), "more", count=count)
        fail_if(count == 5, "end")

    halves = {tuple(solution / 2): "halves"}
    return Exercise(lambdas=Number(solution, halves, explain_lambdas, check=check_count))


def optimality_violations(X, residual, w, lambda_):
    """Return -gradient of the squared error, and each violation of optimality."""
    g = 2 * X.T @ residual
    return g, np.where(w != 0, np.abs(g - lambda_ * np.sign(w)), np.abs(g) - lambda_)


def fit_without_bias(X, y, lambda_):
    """Fit the lasso without a bias: adding (-x, -y) for each (x, y) makes it 0."""
    mirrored = np.vstack([X, -X]), np.append(y, -y)
    return lasso(*mirrored, lambda_=2 * lambda_).w


@exercise
def my_descent():
    rng, cases = np.random.default_rng(1), []
    for lambda_, shared in ((0.5, 0.0), (20.0, 2.0), (60.0, 2.0)):
        X = rng.normal(size=(50, 5)) + shared * rng.normal(size=(50, 1))
        X = X * [1.0, 0.5, 2.0, 1.0, 1.0]
        y = X @ [2.0, 0.0, -1.0, 0.0, 0.5] + 0.3 * rng.normal(size=50)
        cases.append((X, y, lambda_))

    def descend(X, y, lambda_, bug="", passes=300):
        if bug == "centered":
            X, y = X - X.mean(axis=0), y - y.mean()
        # only two bugs need the loop; otherwise the exact minimum is known
        if bug not in ("one length", "full residual"):
            factor = {"twice": 2, "half": 1 / 2, "no penalty": 0}.get(bug, 1)
            return fit_without_bias(X, y, factor * lambda_)
        w = np.zeros(X.shape[1])
        for j in passes * [*range(len(w))]:
            square = 1 if bug == "one length" else X[:, j] @ X[:, j]
            c = X[:, j] @ (y - X @ w)
            c += 0 if bug == "full residual" else square * w[j]
            w[j] = np.sign(c) * max(0.0, abs(c) - lambda_ / 2) / square
        return w

    def explain_w(w, X, y, lambda_):
        expected = fit_without_bias(X, y, lambda_)
        error = np.abs(w - expected).max() / np.abs(expected).max()
        fail_if(1e-4 < error < 0.25, "near_minimum", w=w)
        fail_if(np.abs(w).max() > 1e6, "diverged", w=w)

    reply = ": does the residual leave out feature j itself?"
    diverge = partial(descend, bug="full residual")
    wrong = {partial(diverge, passes=n): reply for n in (100, 200, 300, 500, 1000)}
    return Function(descend, cases, wrong, explain=explain_w, rtol=1e-5)


@exercise
def is_minimum():
    def is_lasso_minimum(X, y, w, b, lambda_):
        r = y - X @ w - b
        _, violations = optimality_violations(X, r, w, lambda_)
        return bool(max(abs(r.sum()), *violations) <= 1e-6)

    def check_candidates(function):
        for *candidate, description in candidates():
            answer = read_bool(call(function, *candidate), description)
            expected = is_lasso_minimum(*candidate)
            values = dict(description=description, penalty=candidate[-1])
            fail_if(answer and not expected, "not_a_minimum", **values)
            fail_if(expected and not answer, "minimum", **values)

    return FreeForm(check_candidates, is_lasso_minimum)


def candidates():
    """Yield (X, y, w, b, lambda, a description)."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(30, 4)) + 1.0
    y = X @ [2.0, -1.0, 0.0, 0.0] + 3.0 + rng.normal(size=30)
    fit, plain = lasso(X, y, lambda_=20.0), lasso(X, y, lambda_=0.0)
    without_first, zero, mean = lasso(X[:, 1:], y, lambda_=20.0), np.zeros(4), y.mean()
    perturbed_w, X_duplicated = fit.w + 1e-7 * np.eye(4)[0], np.column_stack([X, X[:, 0]])
    w1, *rest = fit.w
    shared, opposite = np.array([[s * w1, *rest, (1 - s) * w1] for s in (0.25, 2.0)])
    knot = 2 * np.abs(X.T @ (y - mean)).max()
    yield X, y, fit.w, fit.b, 20.0, "the exact minimum"
    yield X, y, plain.w, plain.b, 0.0, "least squares, at lambda = 0"
    yield X, y, zero, mean, knot, "w = 0, exactly at the first knot"
    yield X, y, zero, mean, 0.9 * knot, "w = 0, below the first knot"
    yield X, -y, zero, -mean, 0.9 * knot, "w = 0, below the first knot, with pulls < 0"
    yield X, y, zero, 0.0, 5 * knot, "w = 0 with b = 0, not the mean of y"
    yield X, y, fit.w, fit.b - 0.1, 20.0, "the minimum, but with another b"
    yield X, y, fit.w, fit.b, 10.0, "the minimum for twice lambda"
    yield X, y, plain.w, plain.b, 20.0, "least squares, where there is a penalty"
    w, b = np.append(0.0, without_first.w), without_first.b
    yield X, y, w, b, 20.0, "a minimum without feature 1"
    yield X_duplicated, y, shared, fit.b, 20.0, "a weight shared by two equal columns"
    yield X_duplicated, y, opposite, fit.b, 20.0, "two equal columns with opposite signs"
    b = np.mean(y - X @ perturbed_w)
    yield X, y, perturbed_w, b, 20.0, "a weight moved, so that a pull is off by 4e-6"


@exercise
def sparse_step():
    rng, cases = np.random.default_rng(6), []
    for lambda_, eta in ((0.0, 0.1), (4.0, 0.05), (30.0, 0.04)):
        X = rng.normal(size=(20, 4))
        w = 8 * rng.normal(size=4) * [1.0, 1.0, 0.0, 1.0]
        cases.append((X, np.where(X[:, 0] > 0, 1.0, -1.0), w, lambda_, eta))

    def proximal_step(X, y, w, lambda_, eta, bug=""):
        """Make one proximal step on the sum of log losses."""
        z = y * (X @ w)
        s = 1 / (1 + np.exp(-z if bug == "other" else z))
        gradient = -X.T @ (s if bug == "no label" else s * y)
        gradient = gradient / {"mean": len(y), "up": -1}.get(bug, 1)
        cuts = {"lambda": 1, "lambda/2": 1 / 2, "eta lambda/2": eta / 2, "no cut": 0}
        cut = lambda_ * cuts.get(bug, eta)
        a = w - eta * gradient
        return np.sign(a) * np.maximum(0.0, np.abs(a) - cut)

    return Function(proximal_step, cases)


claims = define.true_false("sparsity", "claims")


@exercise(n=range(150, 560, 10), rng=range(1, 20))
def how_many(n=569, rng=0):
    tumors = breast_cancer()
    Z, y = standardize(tumors.X[:n]), tumors.y[:n]
    splits = k_folds(y, folds=10, stratified=False, rng=rng)
    cv = lasso_cv(Z, y, splits=splits)
    mean, spread = cv.errors.mean(axis=0), cv.errors.std(axis=0, ddof=1)
    at_min = int(mean.argmin())

    def count_features(deviations):
        """Count features for the largest lambda with a mean error near the smallest.

        deviations  how near, in standard deviations of the error
        """
        at = int(np.argmax(mean <= mean[at_min] + deviations * spread[at_min]))
        return np.count_nonzero(lasso(Z, y, lambda_=cv.lambdas[at]).w)

    best, rule = count_features(0), count_features(1 / np.sqrt(10))
    return Exercise(
        {"best": best, "rule": rule},
        smallest_error=Number(best, {rule: "swapped"}),
        within_one_error=Number(
            rule, {best: "best_lambda", count_features(1): "deviation"}
        ),
    )


@exercise
def two_answers():
    def check_minimizers(X, y, lambda_, first, second):
        shape = np.shape(X)
        is_valid = len(shape) == 2 and 1 <= shape[0] <= 20 and 2 <= shape[1] <= 20
        fail_if(not is_valid, "wrong_shape", X=format_value(X))
        A, penalty = read_numbers(X, shape, "X"), read_number(lambda_, "lambda, one number")
        target = read_numbers(y, shape[:1], "y, one number for each row of X")
        pair = [
            read_numbers(w, shape[1:], "a weight for each column") for w in (first, second)
        ]
        lengths = np.linalg.norm(A, axis=0)
        fail_if(penalty <= 0, "not_positive", penalty=penalty)
        fail_if(not lengths.all(), "zero_column", column=int(np.argmin(lengths)) + 1)
        fail_if(np.allclose(*pair, rtol=1e-6, atol=1e-9), "equal_w")
        cosines = np.triu(np.abs(A.T @ A) / np.outer(lengths, lengths), 1)
        p, q = np.argwhere(cosines == cosines.max())[0] + 1
        fail_if(cosines.max() > 1 - 1e-9, "multiples", p=p, q=q)
        for w, name in zip(pair, ("first", "second"), strict=True):
            g, violations = optimality_violations(A, target - A @ w, w, penalty)
            j = int(violations.argmax())
            values = dict(name=name, place=j + 1, weight=w[j], pull=g[j])
            not_optimal = not violations[j] <= 1e-6 * penalty
            fail_if(not_optimal, "not_a_minimizer", penalty=penalty, **values)
        distance = np.linalg.norm(A @ (pair[0] - pair[1]))
        same = distance <= 1e-6 * np.linalg.norm(lengths * (pair[0] - pair[1]))
        fail_if(not same, "other_fitted_values")

    return FreeForm(
        check_minimizers, ((1, 0, 0.5), (0, 1, 0.5)), (3, 3), 2, (2, 2, 0), (1, 1, 2)
    )


@case
def radio(source=0):
    w = tools.draw_direction(np.random.default_rng([9, source]), 4)
    kinds = "temperature {} (K)", "snow depth {} (cm)", "wind {} (m/s)", "humidity {} (%)"
    names = [name.format(k) for name in kinds for k in range(1, 9)]
    moments = [263.0, 180.0, 9.0, 70.0], [5.0, 40.0, 1.0, 8.0]
    typical, spread = np.repeat(moments, 8, axis=1)

    def lose_half(rng, X):
        return np.where(rng.random(X.shape) < 0.5, typical, X)

    def draw(rng, trap):
        half, parts = tools.draw_distance(rng, 0.03, 0.35) / 2, []
        for n in (200, tools.N_TEST):
            y = tools.draw_labels(rng, n)
            Z = np.repeat(rng.normal(size=(n, 4)) + np.outer(y, half * w), 8, axis=1)
            parts += [typical + spread * (Z + 0.15 * rng.normal(size=Z.shape)), y]
        X, y, Q, t = parts
        return X, y, lose_half(rng, Q) if trap else Q, t

    def decide(X, y, names, route=""):
        def fit(X, y):
            if route == "nearest":
                return tools.fit_rule(X, y, route)
            Z = standardize(X)
            if route == "few weights":
                rule = ridge(Z[:, ::8], y, lambda_=0.01)
                return lambda Q: rule.predict(standardize(Q, like=X)[:, ::8])
            penalty = 1e-9 if route == "no penalty" else 0.3 * len(y)
            rule = ridge(Z, y, lambda_=penalty)
            return lambda Q: rule.predict(standardize(Q, like=X))

        def fit_in_use(X, y):
            predict = fit(X, y)
            return lambda Q: predict(lose_half(np.random.default_rng(0), Q))

        tested = fit if route == "few weights" else fit_in_use
        return fit(X, y), *tools.decide_and_claim(tested, X, y, route)[1:]

    routes = {"few weights": "decision"}
    routes |= dict.fromkeys(("nearest", "no penalty"), "advice_costly")
    return Case(draw, names, decide, routes, max_regret=0.02, max_width=0.28, seed=source)
