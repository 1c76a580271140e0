"""Compare the speed of mlcore with scikit-learn's at equal accuracy, for `make bench`.

`python benchmarks/speed.py lasso cancer` times the rows whose task or data contains one of
the words.  Each time is the best CPU time of several runs, in milliseconds.  The
two are run alternately in this process, with one thread: NumPy and SciPy have a BLAS
each, and waiting threads of one would slow the other.  The ratio is scikit-learn's time
divided by ours.  The last column compares the answers: by how much each objective exceeds
the smaller one, as a fraction of it, ours first; or the largest difference of the answers.
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

REPEATS, BUDGET = 25, 2.0  # the most runs of each after the first, and seconds for them
SHAPES = ["20000 x 50", "2000 x 20", "1000 x 300"]


# -------------------------------------------------------------------------------- data


def shape(data: str) -> tuple[int, int]:
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
    n, d = shape(data)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    scores = X @ (rng.normal(size=d) / np.sqrt(d)) * 2
    return X, np.where(rng.random(n) < 1 / (1 + np.exp(-scores)), 1.0, -1.0)


@cache
def regression_data(data: str):
    """Draw a linear function of a third of the features plus noise or load data."""
    if data == "cancer":
        return cancer()
    if data == "diabetes":
        return load_diabetes(return_X_y=True)
    n, d = shape(data)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) + rng.normal(size=d)
    w = np.where(np.arange(d) % 3 == 0, rng.normal(size=d), 0.0)
    return X, X @ w + rng.normal(size=n)


@cache
def separable(data: str):
    """Draw points of the unit sphere, at least 0.01 from a random hyperplane."""
    n, d = shape(data)
    rng = np.random.default_rng(0)
    w, X = rng.normal(size=d), rng.normal(size=(3 * n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    scores = X @ w / np.linalg.norm(w)
    far = np.flatnonzero(abs(scores) >= 0.01)[:n]
    return X[far], np.sign(scores[far])


# ------------------------------------------------------------------------- comparisons


def difference(ours, theirs) -> str:
    return f"differ by {abs(np.asarray(ours) - np.asarray(theirs)).max():.0e}"


def same_features(ours, theirs) -> str:
    return "same features" if sorted(ours) == sorted(theirs) else f"{ours}, {theirs}"


def above(objective):
    """Compare the values of an objective that both minimize."""

    def compare(ours, theirs):
        values = objective(ours), objective(theirs)
        excess = [(value - min(values)) / abs(min(values)) for value in values]
        return "above the best: {:.0e}, {:.0e}".format(*excess)

    return compare


# ------------------------------------------------------------------------------- tasks
# Each returns its name, two functions to time, and a function that compares their answers.


def same_weights(name: str, draw, fit, model, data: str):
    """Compare fits with the same weights; a ridge has penalty parameter 1 in both."""
    X, y = draw(data)
    return name, lambda: fit(X, y).w, lambda: model.fit(X, y).coef_.ravel(), difference


def log_loss(data: str):
    (X, y), C = classification_data(data), 1.0
    lambda_ = 1 / (len(X) * C)
    model = LogisticRegression(C=C, tol=1e-6, max_iter=10_000)

    def ours():
        fit = logistic(X, y, lambda_=lambda_, tol=1e-9)
        return fit.w, fit.b

    def theirs():
        model.fit(X, y)
        return model.coef_[0], model.intercept_[0]

    def objective(rule):
        w, b = rule
        return np.logaddexp(0, -y * (X @ w + b)).mean() + lambda_ / 2 * (w @ w)

    return "logistic, C = 1", ours, theirs, above(objective)


def hinge_loss(data: str):
    X, y = classification_data(data)
    C = 0.1 if data in ("1000 x 300", "100000 x 12") else 1.0
    A = np.column_stack([X, np.ones(len(X))])  # LinearSVC penalizes its bias
    lambda_ = lambda_of("SVC", constant=C, n=len(A))
    # The default of 1000 iterations stops 4e-4 above the minimum on the cancer data
    model = LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-5, max_iter=10**6)

    def ours():
        return soft_margin(A, y, lambda_=lambda_, bias=False).w

    def objective(w):
        return np.maximum(0, 1 - y * (A @ w)).mean() + lambda_ / 2 * (w @ w)

    name, theirs = f"soft margin, C = {C:g}", lambda: model.fit(A, y).coef_[0]
    return name, ours, theirs, above(objective)


def hard_margins(data: str):
    X, y = separable(data)
    model = LinearSVC(C=1e6, loss="hinge", fit_intercept=False, max_iter=10**6)

    def ours():
        return hard_margin(X, y, bias=False).w

    def widths(*found):
        margins = [(y * (X @ w)).min() / np.linalg.norm(w) for w in found]
        return "margins: {:.4g}, {:.4g}".format(*margins)

    return "hard margin", ours, lambda: model.fit(X, y).coef_[0], widths


def path(data: str):
    """Compare our exact path for all lambda with scikit-learn's on a grid."""
    X, y = regression_data(data)
    X, y = X - X.mean(axis=0), y - y.mean()  # the path of scikit-learn has no bias
    lambdas = 2 * abs(X.T @ y).max() * np.logspace(0, -3, 100)
    grid = {"alphas": lambdas / (2 * len(X)), "tol": 1e-8, "max_iter": 100_000}

    def ours():
        return lasso_path(X, y, lambda_min=lambdas[-1])

    def objective(W):
        if not isinstance(W, np.ndarray):
            W = np.array([W.at(value).w for value in lambdas])
        return (((y - W @ X.T) ** 2).sum(axis=1) + lambdas * abs(W).sum(axis=1)).sum()

    name, theirs = "lasso path, 100 lambdas", lambda: sklearn_path(X, y, **grid)[1].T
    return name, ours, theirs, above(objective)


def lasso_at(fraction: float, data: str):
    """Compare the lasso at a fraction of lambda_max, the smallest lambda with w = 0."""
    X, y = regression_data(data)
    lambda_ = fraction * 2 * abs((X - X.mean(axis=0)).T @ (y - y.mean())).max()
    model = Lasso(alpha=lambda_ / (2 * len(X)))

    def ours():
        fit = lasso(X, y, lambda_=lambda_)
        return fit.w, fit.b

    def theirs():
        model.fit(X, y)
        return model.coef_, model.intercept_

    def objective(rule):
        w, b = rule
        return ((y - X @ w - b) ** 2).sum() + lambda_ * abs(w).sum()

    return f"lasso, {fraction:g} lambda_max", ours, theirs, above(objective)


def selected(search, counts, data: str):
    X, y = regression_data(data)
    splits, direction, count = k_folds(y, stratified=False), search.__name__, counts[data]
    model = SequentialFeatureSelector(
        LinearRegression(),
        n_features_to_select=count,
        direction=direction,
        scoring="neg_mean_squared_error",
        cv=splits,
    )

    def ours():
        return search(X, y, splits=splits, n_features=count).features

    def theirs():
        return model.fit(X, y).get_support(indices=True)

    return f"{direction} to {count}, 5 folds", ours, theirs, same_features


def boosted_stumps(data: str):
    X, y = classification_data(data)
    rounds = 10 if data == "1000 x 300" else 100
    model = AdaBoostClassifier(n_estimators=rounds)

    def scores(model):
        """Compute the scores of AdaBoostClassifier, whose alphas are twice ours."""
        votes = [np.where(tree.predict(X) > 0, 1.0, -1.0) for tree in model.estimators_]
        return model.estimator_weights_[: len(votes)] @ np.array(votes) / 2

    def loss(answer):
        fitted = hasattr(answer, "estimators_")
        F = scores(answer) if fitted else answer.decision_function(X)
        return np.exp(-y * F).mean()

    name, ours = f"AdaBoost, {rounds} stumps", lambda: adaboost(X, y, rounds=rounds)
    return name, ours, lambda: model.fit(X, y), above(loss)


FORWARD = {"20000 x 50": 10, "2000 x 20": 8, "1000 x 300": 2, "cancer": 10}
BACKWARD = {"20000 x 50": 40, "2000 x 20": 8}
LDA, OLS = LinearDiscriminantAnalysis(solver="lsqr"), LinearRegression()
EVERYWHERE = [*SHAPES, "cancer"]
LASSO = ["cancer", "diabetes", "20000 x 50", "1000 x 300", "800 x 400"]
TASKS = [  # data sets, the task, and its other arguments
    (EVERYWHERE, same_weights, "least squares", regression_data, least_squares, OLS),
    (EVERYWHERE, same_weights, "ridge, lambda = 1", regression_data, ridge, Ridge()),
    ([*EVERYWHERE, "800 x 400", "3000 x 150"], log_loss),
    ([*EVERYWHERE, "100000 x 12"], hinge_loss),
    (SHAPES, hard_margins),
    *((LASSO, lasso_at, fraction) for fraction in (0.5, 0.1, 0.05, 0.01)),
    ([*EVERYWHERE, "800 x 400"], path),
    (FORWARD, selected, forward, FORWARD),
    (BACKWARD, selected, backward, BACKWARD),
    (EVERYWHERE, boosted_stumps),
    (EVERYWHERE, same_weights, "linear discriminant", classification_data, lda, LDA),
]


# ------------------------------------------------------------------------------ timing


def timed(run):
    start = process_time()
    answer = run()
    return answer, 1000 * (process_time() - start)


def measure(ours, theirs, compare) -> tuple[float, float, str]:
    """Measure the best times of both, and compare the answers of a first run."""
    answers, first = zip(*map(timed, (ours, theirs)), strict=True)
    times = [[time] for time in first]
    for _ in range(REPEATS):
        for run, known in zip((ours, theirs), times, strict=True):
            if sum(known) < 1000 * BUDGET:
                known.append(timed(run)[1])
    return min(times[0]), min(times[1]), compare(*answers)


def main(words: list[str]) -> None:
    # liblinear stops at its iteration limit; the last column shows the result
    warnings.simplefilter("ignore", ConvergenceWarning)
    threadpool_limits(1, user_api="blas")
    rows = [(data, *task(*given, data)) for sets, task, *given in TASKS for data in sets]
    wanted = words or [""]
    chosen = [row for row in rows if any(word in f"{row[1]} {row[0]}" for word in wanted)]
    if not chosen:
        sys.exit(f"no task or data contains {' or '.join(words)}")
    print(f"{'task':28}{'data':12}{'ours':>9}{'theirs':>10}{'ratio':>9}  answers")
    for data, name, *task in chosen:
        ours, theirs, answers = measure(*task)
        times = f"{ours:9.2f}{theirs:10.2f}{theirs / ours:9.2f}"
        print(f"{name:28}{data:12}{times}  {answers}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
