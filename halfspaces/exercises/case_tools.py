"""Helpers of the cases: labels and classes of random data, rules, claims about an error."""

from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from halfspaces.exercises.cases import zero_one_loss
from mlcore.features import standardize
from mlcore.least_squares import ridge
from mlcore.neighbors import knn
from mlcore.validation import k_folds

IN_USE = 2000  # new examples in a draw


def draw_labels(rng, n: int, share: float = 0.5) -> np.ndarray:
    """Draw n signs in random order; this share is +1."""
    return rng.permutation(np.where(np.arange(n) < round(share * n), 1.0, -1.0))


def draw_distance(rng, least: float = 0.05, largest: float = 0.42) -> float:
    """Draw the distance of two normal classes; the best rule errs on 5 to 42%."""
    return -2 * NormalDist().inv_cdf(rng.uniform(least, largest))


def draw_direction(rng, d: int) -> np.ndarray:
    """Draw a unit vector."""
    w = rng.normal(size=d)
    return w / np.linalg.norm(w)


def line(X, y) -> Callable:
    """Fit a linear rule by ridge regression; return its predict."""
    rule = ridge(standardize(X), y, lambda_=0.01)
    return lambda Q: rule.predict(standardize(Q, like=X))


def nearest(X, y) -> Callable:
    """Return the predict of the nearest neighbor."""
    return lambda Q: knn(standardize(X), y, standardize(Q, like=X), k=1).predicted


def folds_of(y, groups=None, folds: int = 10) -> list:
    """Return the splits of cross-validation; rows of one group stay together."""
    if groups is None:
        return k_folds(y, folds=folds, rng=0)
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    splits = k_folds(y[first], folds=folds, rng=0)
    return [[np.flatnonzero(np.isin(group, part)) for part in split] for split in splits]


def out_of_fold(fit: Callable, X, y, splits) -> np.ndarray:
    """Predict each example that is tested by a fit without its fold; others get nan."""
    predicted = np.full(len(y), np.nan)
    for train, test in splits:
        predicted[test] = fit(X[train], y[train])(X[test])
    return predicted


def interval(losses) -> tuple[float, float]:
    """Return the mean of independent losses plus and minus two standard errors."""
    half = 2 * losses.std(ddof=1) / np.sqrt(len(losses))
    return losses.mean() - half, losses.mean() + half


def decide_and_claim(
    fit: Callable, X, y, route: str = "", *, loss=zero_one_loss, groups=None
):
    """Return predict of fit(X, y), and the ends of a 95% interval for its mean loss.

    groups  the group of each row, if only groups are independent; their losses are averaged

    Honest routes: "" with ten folds, "five folds", "third held out".  A wrong one is
    "training error".
    """
    predict = fit(X, y)
    if route == "no claim":
        return predict, 0.0, 1.0
    splits = folds_of(y, groups, {"five folds": 5, "third held out": 3}.get(route, 10))
    predicted = out_of_fold(fit, X, y, splits[:1] if route == "third held out" else splits)
    predicted = predict(X) if route == "training error" else predicted
    tested = ~np.isnan(predicted)
    losses = loss(y[tested], predicted[tested])
    if groups is not None:
        _, group = np.unique(groups[tested], return_inverse=True)
        losses = np.bincount(group, losses) / np.bincount(group)
    return predict, *interval(losses)
