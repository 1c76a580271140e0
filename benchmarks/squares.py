"""Squared loss: least squares, subsets of features, the lasso."""

import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LassoCV, LinearRegression, Ridge
from sklearn.linear_model import lasso_path as sklearn_path

from benchmarks import problems
from benchmarks.timing import Case, distance, same
from mlcore.lasso import lasso_cv, lasso_path
from mlcore.least_squares import least_squares, ridge
from mlcore.selection import backward, forward
from mlcore.validation import k_folds

GRID = 100  # values of lambda


def cases():
    yield from fits()
    yield from selections()
    yield from paths()
    yield from validated()


def fits():
    shapes = [
        (20_000, 50, 3),
        (2_000, 20, 3),
        (50_000, 20, 3),
        (5_000, 100, 3),
        (1_000, 300, 3),
        (500, 2_000, 3),
    ]
    for n, d, floor in shapes:
        X, y = problems.measured(n, d)
        yield Case(
            "least squares",
            f"{n} x {d}",
            floor,
            lambda X=X, y=y: least_squares(X, y).w,
            lambda X=X, y=y: LinearRegression().fit(X, y).coef_,
            None
            if d > n
            else lambda X=X, y=y: np.linalg.lstsq(problems.with_ones(X), y)[0][:-1],
            distance(np.asarray),
        )
    for n, d, _ in shapes[2:]:
        X, y = problems.measured(n, d)
        yield Case(
            "ridge, lambda = 1",
            f"{n} x {d}",
            0.9,
            lambda X=X, y=y: ridge(X, y, lambda_=1.0).w,
            lambda X=X, y=y: Ridge(alpha=1.0).fit(X, y).coef_,
            None,
            distance(np.asarray),
        )


def selections():
    rows = [
        ("forward", forward, "2000 x 20", problems.measured(2_000, 20), 8, 300),
        ("forward", forward, "20000 x 50", problems.measured(20_000, 50), 10, 300),
        ("forward", forward, "cancer", problems.cancer(), 10, 300),
        ("forward", forward, "50000 x 20", problems.measured(50_000, 20), 3, 40),
        ("forward", forward, "5000 x 100", problems.measured(5_000, 100), 3, 100),
        ("forward", forward, "1000 x 300", problems.measured(1_000, 300), 2, 50),
        ("backward", backward, "50000 x 20", problems.measured(50_000, 20), 18, 40),
        ("backward", backward, "2000 x 20", problems.measured(2_000, 20), 8, 300),
        ("backward", backward, "20000 x 50", problems.measured(20_000, 50), 40, 300),
    ]
    for name, search, data, (X, y), count, floor in rows:
        splits = k_folds(y, stratified=False)
        theirs = SequentialFeatureSelector(
            LinearRegression(),
            n_features_to_select=count,
            direction=name,
            scoring="neg_mean_squared_error",
            cv=splits,
        )
        yield Case(
            f"{name} selection, 5 folds",
            f"{data} -> {count}",
            floor,
            lambda search=search, X=X, y=y, splits=splits, count=count: (
                search(X, y, splits=splits, count=count).features
            ),
            lambda X=X, y=y, theirs=theirs: theirs.fit(X, y).get_support(indices=True),
            None
            if name == "backward" or X.size > 100_000
            else lambda X=X, y=y, splits=splits, count=count: refitted(X, y, splits, count),
            same("features", lambda chosen: sorted(map(int, chosen))),
        )
    alone = [  # scikit-learn would take minutes
        ("forward", forward, "micro", problems.micro(), 5),
        ("forward", forward, "500 x 2000", problems.measured(500, 2_000), 5),
        ("backward", backward, "5000 x 100", problems.measured(5_000, 100), 50),
        ("backward", backward, "1000 x 300", problems.measured(1_000, 300), 280),
    ]
    for name, search, data, (X, y), count in alone:
        splits = k_folds(y, stratified=False)
        yield Case(
            f"{name} selection, 5 folds",
            f"{data} -> {count}",
            None,
            lambda search=search, X=X, y=y, splits=splits, count=count: (
                search(X, y, splits=splits, count=count).features
            ),
            None,
            None,
            same("features"),
        )


def refitted(X, y, splits, count):
    """Forward selection that fits every candidate on every fold."""
    chosen = []
    while len(chosen) < count:
        errors = {}
        for k in set(range(X.shape[1])) - set(chosen):
            A = problems.with_ones(X[:, [*chosen, k]])
            errors[k] = 0.0
            for train, test in splits:
                v = np.linalg.lstsq(A[train], y[train])[0]
                errors[k] += ((A[test] @ v - y[test]) ** 2).mean()
        chosen.append(min(errors, key=errors.get))
    return chosen


def paths():
    data = {
        "20000 x 50": (problems.measured(20_000, 50), 1.7),
        "50000 x 20": (problems.measured(50_000, 20), 1.7),
        "5000 x 100": (problems.measured(5_000, 100), 1.4),
        "1000 x 300": (problems.measured(1_000, 300), 1.0),
        "2000 x 20": (problems.measured(2_000, 20), 5),
        "cancer": (problems.cancer(), 8),
        "micro": (problems.micro(), 8),
        "500 x 2000": (problems.measured(500, 2_000), 1.5),
    }
    for name, ((X, y), floor) in data.items():
        # there it would take two minutes with the small tolerance, and the gap shows it
        tol = 1e-4 if name == "500 x 2000" else 1e-8
        X, y = X - X.mean(axis=0), y - y.mean()  # the path of scikit-learn has no bias
        lambdas = 2 * abs(X.T @ y).max() * np.logspace(0, -3, GRID)

        def ours(X=X, y=y, lambdas=lambdas):  # all lambda, not only these
            return lasso_path(X, y, until=lambdas[-1])

        def theirs(X=X, y=y, lambdas=lambdas, tol=tol):
            alphas = lambdas / (2 * len(X))
            return sklearn_path(X, y, alphas=alphas, tol=tol, max_iter=100_000)[1].T

        def worst(W, X=X, y=y, lambdas=lambdas):
            if not isinstance(W, np.ndarray):
                W = np.array([W.at(value).w for value in lambdas])
            squares = ((y - W @ X.T) ** 2).sum(axis=1)
            return squares + lambdas * abs(W).sum(axis=1)

        slow = X.shape[1] > 50  # the naive one
        yield Case(
            f"lasso path, {GRID} lambdas",
            name,
            floor,
            ours,
            theirs,
            None if slow else lambda X=X, y=y, ls=lambdas: coordinates(X, y, ls),
            worst_gap(worst),
        )


def worst_gap(objectives):
    """Judge by the largest gap over the path, as a share of the objective of w = 0."""

    def judge(answers) -> str:
        values = {name: objectives(W) for name, W in answers.items()}
        least = np.min(list(values.values()), axis=0)
        shares = [
            f"{name} {((value - least) / least[0]).max():.0e}"
            for name, value in values.items()
        ]
        return "worst gaps: " + ", ".join(shares)

    return judge


def coordinates(X, y, lambdas, tol=1e-6, most=1000):
    """Coordinate descent from lambda to lambda, on X'X, in plain Python."""
    G, c, w, W = X.T @ X, X.T @ y, np.zeros(X.shape[1]), []
    for value in lambdas:
        for _ in range(most):
            before = w.copy()
            for j in range(len(w)):
                rest = c[j] - G[j].dot(w) + G[j, j] * w[j]
                w[j] = np.sign(rest) * max(abs(rest) - value / 2, 0) / G[j, j]
            if abs(w - before).max() <= tol * abs(w).max():
                break
        W.append(w.copy())
    return np.array(W)


def validated():
    data = {
        "20000 x 50": (problems.measured(20_000, 50), 4),
        "2000 x 20": (problems.measured(2_000, 20), 4),
        "cancer": (problems.cancer(), 4),
        "50000 x 20": (problems.measured(50_000, 20), 2),
        "5000 x 100": (problems.measured(5_000, 100), 2),
        "1000 x 300": (problems.measured(1_000, 300), 1),
        "500 x 2000": (problems.measured(500, 2_000), 1),
    }
    for name, ((X, y), floor) in data.items():
        splits = k_folds(y, stratified=False)
        centered = X - X.mean(axis=0)
        lambdas = 2 * abs(centered.T @ y).max() * np.logspace(0, -3, GRID)
        # with its own tolerance of 1e-4 it chooses other lambdas here
        tol = 1e-7 if name in ("5000 x 100", "1000 x 300") else 1e-4
        theirs = LassoCV(
            alphas=lambdas / (2 * len(X)), cv=splits, max_iter=100_000, tol=tol
        )

        def ours(X=X, y=y, splits=splits, lambdas=lambdas):
            fit = lasso_cv(X, y, splits=splits, lambdas=lambdas)
            return fit.lambda_

        def sklearn(X=X, y=y, theirs=theirs):
            return theirs.fit(X, y).alpha_ * 2 * len(X)

        yield Case(
            f"lasso by 5 folds, {GRID} lambdas",
            name,
            floor,
            ours,
            sklearn,
            None,
            same("lambda", lambda value: f"{value:.6g}"),
        )
