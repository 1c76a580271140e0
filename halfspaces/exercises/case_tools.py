"""Helpers for the cases: random data, baseline rules, and intervals for a mean loss."""

from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from halfspaces.exercises.cases import zero_one_loss
from mlcore.features import standardize
from mlcore.least_squares import ridge
from mlcore.neighbors import knn
from mlcore.validation import k_folds

N_TEST = 2000  # fresh examples in each draw, on which the predictions are scored


def draw_labels(rng, n: int, fraction: float = 0.5) -> np.ndarray:
    """Draw n labels in random order, a fraction of them +1."""
    return rng.permutation(np.where(np.arange(n) < round(fraction * n), 1.0, -1.0))


def draw_distance(rng, min_error: float = 0.05, max_error: float = 0.42) -> float:
    """Draw a Bayes error; return the distance between class means that gives it.

    Both classes are equally likely and normal, with the identity as covariance.
    """
    return -2 * NormalDist().inv_cdf(rng.uniform(min_error, max_error))


def draw_direction(rng, d: int) -> np.ndarray:
    """Draw a unit vector."""
    w = rng.normal(size=d)
    return w / np.linalg.norm(w)


def fit_rule(X, y, route: str = "") -> Callable:
    """Return the predict function of ridge regression; of 1-NN if "nearest" is in route."""
    if "nearest" in route:
        return lambda Q: knn(standardize(X), y, standardize(Q, like=X), k=1).predicted
    rule = ridge(standardize(X), y, lambda_=0.01)
    return lambda Q: rule.predict(standardize(Q, like=X))


def make_folds(y, groups=None, folds: int = 10) -> list:
    """Return the splits of cross-validation; rows of a group are in the same fold."""
    if groups is None:
        return k_folds(y, folds=folds, rng=0)
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    splits = k_folds(y[first], folds=folds, rng=0)
    return [[np.flatnonzero(np.isin(group, part)) for part in split] for split in splits]


def predict_out_of_fold(fit: Callable, X, y, splits) -> np.ndarray:
    """Predict the test set of each split from its training set; nan elsewhere."""
    predicted = np.full(len(y), np.nan)
    for train, test in splits:
        predicted[test] = fit(X[train], y[train])(X[test])
    return predicted


def mean_interval(losses) -> tuple[float, float]:
    """Return the mean of independent losses plus and minus two standard errors."""
    half = 2 * losses.std(ddof=1) / np.sqrt(len(losses))
    return losses.mean() - half, losses.mean() + half


def decide_and_claim(
    fit: Callable, X, y, route: str = "", *, loss=zero_one_loss, groups=None
):
    """Return predict = fit(X, y), and the ends of a 95% interval for its mean loss.

    route   how the loss is estimated: by cross-validation with "five folds" (any other
            string: ten folds), on a "third held out", or wrongly as "training error"
    groups  the group of each row; the interval uses the mean loss of each group
    """
    predict = fit(X, y)
    splits = make_folds(y, groups, {"five folds": 5, "third held out": 3}.get(route, 10))
    splits = splits[:1] if route == "third held out" else splits
    predicted = predict_out_of_fold(fit, X, y, splits)
    predicted = predict(X) if route == "training error" else predicted
    tested = ~np.isnan(predicted)
    losses = loss(y[tested], predicted[tested])
    if groups is not None:
        _, group = np.unique(groups[tested], return_inverse=True)
        losses = np.bincount(group, losses) / np.bincount(group)
    return predict, *mean_interval(losses)
