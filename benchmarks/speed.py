"""Compare the speed of mlcore with scikit-learn's at equal accuracy, for `make bench`.

`python benchmarks/speed.py lasso cancer` times the rows whose task or data contains one of
the words.  Each time is the best CPU time of several runs, in milliseconds.  The two
libraries run alternately in this process, with one thread: NumPy and SciPy each have a
BLAS, whose idle threads slow the other.  The ratio is scikit-learn's time over mlcore's.
The last column compares the results: the largest difference, or the relative excess of
each objective over the smaller one, mlcore's first.
"""

import sys
import warnings
from functools import cache
from time import process_time

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import AdaBoostClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.linear_model import lasso_path as sklearn_path
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from mlcore.boosting import adaboost
from mlcore.features import standardize
from mlcore.generative import lda
from mlcore.lasso import lasso, lasso_path
from mlcore.least_squares import least_squares, ridge
from mlcore.logistic import logistic
from mlcore.scalings import lambda_of
from mlcore.selection import backward, forward
from mlcore.svm import hard_margin, soft_margin
from mlcore.validation import k_folds

MAX_REPEATS, MAX_SECONDS = 25, 2.0  # for each function, after its first run
SHAPES = ["20000 x 50", "2000 x 20", "1000 x 300"]


# -------------------------------------------------------------------------------- data


def parse_shape(data: str) -> tuple[int, int]:
    n, d = data.split(" x ")
    return int(n), int(d)


@cache
def cancer():
    X, label = load_breast_cancer(return_X_y=True)
    return standardize(X), np.where(label == 1, 1.0, -1.0)


@cache
def classification_data(data: str):
    """Draw overlapping classes from a logistic model or load a data set."""
    if data == "cancer":
        return cancer()
    n, d = parse_shape(data)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    scores = X @ (rng.normal(size=d) / np.sqrt(d)) * 2
    return X, np.where(rng.random(n) < 1 / (1 + np.exp(-scores)), 1.0, -1.0)


@cache
def regression_data(data: str):
    """Draw a linear function of every third feature plus noise or load a data set."""
    if data == "cancer":
        return cancer()
    if data == "diabetes":
        return load_diabetes(return_X_y=True)
    n, d = parse_shape(data)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) + rng.normal(size=d)
    w = np.where(np.arange(d) % 3 == 0, rng.normal(size=d), 0.0)
    return X, X @ w + rng.normal(size=n)


@cache
def separable_data(data: str):
    """Draw points on the unit sphere, at least 0.01 from a random hyperplane."""
    n, d = parse_shape(data)
    rng = np.random.default_rng(0)
    w, X = rng.normal(size=d), rng.normal(size=(3 * n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    scores = X @ w / np.linalg.norm(w)
    kept = np.flatnonzero(abs(scores) >= 0.01)[:n]
    return X[kept], np.sign(scores[kept])


# ------------------------------------------------------------------------- comparisons


def compare_weights(w, w_sklearn) -> str:
    return f"differ by {abs(np.asarray(w) - np.asarray(w_sklearn)).max():.0e}"


def compare_features(S, S_sklearn) -> str:
    return "same features" if sorted(S) == sorted(S_sklearn) else f"{S}, {S_sklearn}"


def compare_objective(objective):
    """Return a function that compares two results by the objective that both minimize."""

    def compare(*results):
        values = [objective(result) for result in results]
        excess = [(value - min(values)) / abs(min(values)) for value in values]
        return "above the smaller: {:.0e}, {:.0e}".format(*excess)

    return compare


# ------------------------------------------------------------------------------- tasks
# Each returns its name, two functions to time, and a function that compares their results.


def linear_fits(name: str, draw, fit, model, data: str):
    """Compare linear fits, which have the same weights in both libraries."""
    X, y = draw(data)
    return name, lambda: fit(X, y).w, lambda: model.fit(X, y).coef_.ravel(), compare_weights


def log_loss(data: str):
    (X, y), C = classification_data(data), 1.0
    lambda_ = 1 / (len(X) * C)
    model = LogisticRegression(C=C, tol=1e-6, max_iter=10_000)

    def run_mlcore():
        fit = logistic(X, y, lambda_=lambda_, tol=1e-9)
        return fit.w, fit.b

    def run_sklearn():
        model.fit(X, y)
        return model.coef_[0], model.intercept_[0]

    def objective(rule):
        w, b = rule
        return np.logaddexp(0, -y * (X @ w + b)).mean() + lambda_ / 2 * (w @ w)

    return "logistic, C = 1", run_mlcore, run_sklearn, compare_objective(objective)


def hinge_loss(data: str):
    X, y = classification_data(data)
    C = 0.1 if data in ("1000 x 300", "100000 x 12") else 1.0
    A = np.column_stack([X, np.ones(len(X))])  # LinearSVC penalizes its bias
    lambda_ = lambda_of("SVC", constant=C, n=len(A))
    # The default of 1000 iterations stops 4e-4 above the minimum on the cancer data
    model = LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-5, max_iter=10**6)

    def run_mlcore():
        return soft_margin(A, y, lambda_=lambda_, bias=False).w

    def objective(w):
        return np.maximum(0, 1 - y * (A @ w)).mean() + lambda_ / 2 * (w @ w)

    name, run_sklearn = f"soft margin, C = {C:g}", lambda: model.fit(A, y).coef_[0]
    return name, run_mlcore, run_sklearn, compare_objective(objective)


def hard_margins(data: str):
    X, y = separable_data(data)
    model = LinearSVC(C=1e6, loss="hinge", fit_intercept=False, max_iter=10**6)

    def run_mlcore():
        return hard_margin(X, y, bias=False).w

    def compare_margins(*weights):
        margins = [(y * (X @ w)).min() / np.linalg.norm(w) for w in weights]
        return "margins: {:.4g}, {:.4g}".format(*margins)

    return "hard margin", run_mlcore, lambda: model.fit(X, y).coef_[0], compare_margins


def lasso_paths(data: str):
    """Compare mlcore's exact path for all lambda with scikit-learn's on a grid."""
    X, y = regression_data(data)
    X, y = X - X.mean(axis=0), y - y.mean()  # scikit-learn's path has no bias
    lambdas = 2 * abs(X.T @ y).max() * np.logspace(0, -3, 100)
    grid = {"alphas": lambdas / (2 * len(X)), "tol": 1e-8, "max_iter": 100_000}

    def run_mlcore():
        return lasso_path(X, y, lambda_min=lambdas[-1])

    def objective(W):
        if not isinstance(W, np.ndarray):
            W = np.array([W.at(value).w for value in lambdas])
        return (((y - W @ X.T) ** 2).sum(axis=1) + lambdas * abs(W).sum(axis=1)).sum()

    name, run_sklearn = "lasso path, 100 lambdas", lambda: sklearn_path(X, y, **grid)[1].T
    return name, run_mlcore, run_sklearn, compare_objective(objective)


def lasso_at(fraction: float, data: str):
    """Compare the lasso at a fraction of lambda_max, the smallest lambda with w = 0."""
    X, y = regression_data(data)
    lambda_ = fraction * 2 * abs((X - X.mean(axis=0)).T @ (y - y.mean())).max()
    model, name = Lasso(alpha=lambda_ / (2 * len(X))), f"lasso, {fraction:g} lambda_max"

    def run_mlcore():
        fit = lasso(X, y, lambda_=lambda_)
        return fit.w, fit.b

    def run_sklearn():
        model.fit(X, y)
        return model.coef_, model.intercept_

    def objective(rule):
        w, b = rule
        return ((y - X @ w - b) ** 2).sum() + lambda_ * abs(w).sum()

    return name, run_mlcore, run_sklearn, compare_objective(objective)


def feature_searches(search, counts, data: str):
    X, y = regression_data(data)
    splits, direction, count = k_folds(y, stratified=False), search.__name__, counts[data]
    model = SequentialFeatureSelector(
        LinearRegression(),
        n_features_to_select=count,
        direction=direction,
        scoring="neg_mean_squared_error",
        cv=splits,
    )

    def run_mlcore():
        return search(X, y, splits=splits, n_features=count).features

    def run_sklearn():
        return model.fit(X, y).get_support(indices=True)

    return f"{direction} to {count}, 5 folds", run_mlcore, run_sklearn, compare_features


def boosted_stumps(data: str):
    X, y = classification_data(data)
    rounds = 10 if data == "1000 x 300" else 100
    model = AdaBoostClassifier(n_estimators=rounds)

    def scores(model):
        """Compute the scores of AdaBoostClassifier, whose alphas are twice mlcore's."""
        votes = [np.where(tree.predict(X) > 0, 1.0, -1.0) for tree in model.estimators_]
        return model.estimator_weights_[: len(votes)] @ np.array(votes) / 2

    def loss(model):
        is_sklearn = hasattr(model, "estimators_")
        F = scores(model) if is_sklearn else model.decision_function(X)
        return np.exp(-y * F).mean()

    name, run_mlcore = f"AdaBoost, {rounds} stumps", lambda: adaboost(X, y, rounds=rounds)
    return name, run_mlcore, lambda: model.fit(X, y), compare_objective(loss)


FORWARD = {"20000 x 50": 10, "2000 x 20": 8, "1000 x 300": 2, "cancer": 10}
BACKWARD = {"20000 x 50": 40, "2000 x 20": 8}
LDA, OLS = LinearDiscriminantAnalysis(solver="lsqr"), LinearRegression()
SHAPES_AND_CANCER = [*SHAPES, "cancer"]
LASSO = ["cancer", "diabetes", "20000 x 50", "1000 x 300", "800 x 400"]
TASKS = [  # names of the data sets, the task, and its other arguments
    (SHAPES_AND_CANCER, linear_fits, "least squares", regression_data, least_squares, OLS),
    (SHAPES_AND_CANCER, linear_fits, "ridge, lambda = 1", regression_data, ridge, Ridge()),
    ([*SHAPES_AND_CANCER, "800 x 400", "3000 x 150"], log_loss),
    ([*SHAPES_AND_CANCER, "100000 x 12"], hinge_loss),
    (SHAPES, hard_margins),
    *((LASSO, lasso_at, fraction) for fraction in (0.5, 0.1, 0.05, 0.01)),
    ([*SHAPES_AND_CANCER, "800 x 400"], lasso_paths),
    (FORWARD, feature_searches, forward, FORWARD),
    (BACKWARD, feature_searches, backward, BACKWARD),
    (SHAPES_AND_CANCER, boosted_stumps),
    (SHAPES_AND_CANCER, linear_fits, "linear discriminant", classification_data, lda, LDA),
]


# ------------------------------------------------------------------------------ timing


def run_timed(run):
    start = process_time()
    result = run()
    return result, 1000 * (process_time() - start)


def measure(run_mlcore, run_sklearn, compare) -> tuple[float, float, str]:
    """Return the best time of each function, and a comparison of their results."""
    results, first_times = zip(*map(run_timed, (run_mlcore, run_sklearn)), strict=True)
    times = [[time] for time in first_times]
    for _ in range(MAX_REPEATS):
        for run, series in zip((run_mlcore, run_sklearn), times, strict=True):
            if sum(series) < 1000 * MAX_SECONDS:
                series.append(run_timed(run)[1])
    return min(times[0]), min(times[1]), compare(*results)


def main(words: list[str]) -> None:
    # liblinear stops at its iteration limit; the last column shows how far it got
    warnings.simplefilter("ignore", ConvergenceWarning)
    threadpool_limits(1, user_api="blas")
    rows = []
    for names, task, *args in TASKS:
        rows += [(data, *task(*args, data)) for data in names]
    if words:
        rows = [row for row in rows if any(word in f"{row[1]} {row[0]}" for word in words)]
    if not rows:
        sys.exit(f"no task or data contains {' or '.join(words)}")
    print(f"{'task':28}{'data':12}{'mlcore':>9}{'sklearn':>10}{'ratio':>9}  results")
    for data, name, *task in rows:
        time, time_sklearn, comparison = measure(*task)
        times = f"{time:9.2f}{time_sklearn:10.2f}{time_sklearn / time:9.2f}"
        print(f"{name:28}{data:12}{times}  {comparison}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
