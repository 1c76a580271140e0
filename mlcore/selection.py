"""Select features: all subsets, greedy searches, scores of single features.

Chapters: feature_selection, sparsity
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore import checks
from mlcore.arrays import Matrix, Vector, centered, ratio
from mlcore.metrics import zero_one_error
from mlcore.solvers import greedy
from mlcore.validation import Split

MAX_EXHAUSTIVE = 12  # features, with 4096 subsets
MAX_GRAM_FEATURES = 1000  # up to this many, keep the Gram matrices of each split


@dataclass(frozen=True, eq=False)
class Selection:
    """The result of a greedy search; E is the cross-validation error of a set of features.

    features  indices of the selected features: in the order of their addition (forward),
              or sorted (backward)
    order     indices of the features added or removed, in order
    errors    (T + 1,) E before the first of the T steps and after each step
    empty     E of the empty set, which predicts the best constant
    all       E of all features
    """

    features: tuple[int, ...]
    order: tuple[int, ...]
    errors: Vector
    empty: float
    all: float


def forward(
    X: ArrayLike,
    y: ArrayLike,
    *,
    splits: list[Split],
    n_features: int | None = None,
    tol: float = 1e-9,
    fit: Callable | None = None,
    error: Callable = zero_one_error,
) -> Selection:
    """Start without features; add the best feature while the error E decreases.

    X           (n, d) features, in any units; if d > 1000, every set is refitted
    y           (n,) numbers to fit; with `fit`, labels of any kind
    splits      at least two pairs (train, test), as returned by `k_folds`
    n_features  number of features to select, from 0 to d; None: stop when E does not
                decrease
    tol         smallest decrease that counts, as a fraction of `.empty`
    fit         fit(X, y) returns an object with predict(X), and E is the mean over the
                splits of error(y, predicted).  None: least squares with a bias, and E is
                the mean over splits of its mean squared error, up to 1e-7 of `.empty`
    error       error(y, predicted), used only with `fit`

    Returns the features and the steps.  Compare `.errors` with `.empty` and `.all`; the
    smallest of many estimates tends to be too small.
    Raises ValueError for wrong shapes, nan, an option out of range.
    Source: Efroymson (1960), which may also remove features; Miller (2002), section 3.2.

    >>> from mlcore.data import diabetes
    >>> from mlcore.validation import k_folds
    >>> data = diabetes()
    >>> splits = k_folds(data.y, stratified=False)
    >>> found = forward(data.X, data.y, splits=splits, n_features=2)
    >>> found.features, data.features[2]
    ((2, 8), 'body mass index (kg per square meter)')
    """
    cv, tol, n_features = _cross_validation(X, y, splits, fit, error, tol, n_features)
    return Selection(**greedy.search(cv, tol=tol, n_features=n_features, adding=True))


def backward(
    X: ArrayLike,
    y: ArrayLike,
    *,
    splits: list[Split],
    n_features: int | None = None,
    tol: float = 1e-9,
    fit: Callable | None = None,
    error: Callable = zero_one_error,
) -> Selection:
    """Start with all features; remove the worst feature while the error E decreases.

    Arguments and exceptions are those of `forward`; n_features is the number of features to
    keep.  Returns the features and the steps.  `.errors` starts with E of all features.
    Each step with m features left takes about m**3 operations per split; n m**3 while they
    are linearly dependent in a training set and thus refitted: hours if n = d = 316.
    Source: Marill and Green (1963); Miller (2002), section 3.4.
    """
    cv, tol, n_features = _cross_validation(X, y, splits, fit, error, tol, n_features)
    return Selection(**greedy.search(cv, tol=tol, n_features=n_features, adding=False))


@dataclass(frozen=True, eq=False)
class BestSubsets:
    """The best subsets of features; E is their cross-validation error.

    features  indices of the best subset; in a tie, the smallest one
    subsets   the best subset of each size 0, ..., d
    errors    (d + 1,) E of the best subsets
    """

    features: tuple[int, ...]
    subsets: tuple[tuple[int, ...], ...]
    errors: Vector


def exhaustive(
    X: ArrayLike,
    y: ArrayLike,
    *,
    splits: list[Split],
    tol: float = 1e-9,
    fit: Callable | None = None,
    error: Callable = zero_one_error,
) -> BestSubsets:
    """Evaluate every subset of at most 12 features.

    Arguments and exceptions are those of `forward`, without n_features.
    Returns the best subset, and the best subset of each size with its E.
    Source: Garside (1965); Miller (2002), chapter 3.
    """
    X = checks.features("X", X)
    checks.integer("the number of columns of X", X.shape[1], at_most=MAX_EXHAUSTIVE)
    cv, tol, _ = _cross_validation(X, y, splits, fit, error, tol, None)
    subsets: list[tuple[int, ...]] = []
    errors: list[float] = []
    for size in range(cv.d + 1):
        sets = list(combinations(range(cv.d), size))
        values = cv.errors(sets)
        baseline = errors[0] if errors else values[0]  # E of the empty set
        best = greedy.argmin_with_ties(values, baseline)
        subsets.append(sets[best])
        errors.append(values[best])
    best = int(np.argmax(np.array(errors) <= min(errors) + tol * errors[0]))
    return BestSubsets(subsets[best], tuple(subsets), np.array(errors))


@dataclass(frozen=True, eq=False)
class Ranking:
    """The features in the order of their scores.

    order   (d,) the indices, best feature first
    scores  (d,) the score of each feature
    """

    order: NDArray[np.intp]
    scores: Vector


def univariate(X: ArrayLike, y: ArrayLike, *, score: str = "correlation") -> Ranking:
    """Rank features by a score that uses one feature at a time.

    X, y   (n, d) features, in any units; (n,) numbers or labels
    score  "correlation" with y, from -1 to 1; "signal_to_noise" for labels:
           (m1 - m0) / (s1 + s0) with the means and the standard deviations of the two
           classes

    Returns the features by decreasing |score|, in a tie by index, and the scores.  A
    constant feature has score 0; for signal_to_noise, a feature that is constant in each
    class, with two different values, has an infinite score.
    Raises ValueError for wrong shapes, nan; for signal_to_noise, labels of one class.
    Source: Guyon and Elisseeff (2003), section 2.2; Golub and others (1999), note 16.

    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> univariate(X, np.array([-1, -1, 1, 1])).order
    array([0, 1])
    """
    score = checks.choice("score", score, ["correlation", "signal_to_noise"])
    if score == "correlation":
        scores = _correlation(*checks.regression_data(X, y))
    else:
        X, y = checks.data(X, y)
        checks.require_two_classes(y)
        scores = _signal_to_noise(X, y)
    return Ranking(order=np.argsort(-np.abs(scores), kind="stable"), scores=scores)


@dataclass(frozen=True, eq=False)
class Elimination:
    """The features kept by recursive elimination, and its steps.

    features  indices of the features kept, sorted
    removed   indices of the features removed, in order
    sizes     number of features in each fit
    """

    features: tuple[int, ...]
    removed: tuple[int, ...]
    sizes: tuple[int, ...]


def recursive_elimination(
    X: ArrayLike, y: ArrayLike, *, fit: Callable, n_features: int, fraction: float = 0.0
) -> Elimination:
    """Fit, remove the features with the smallest |w_j|, and repeat.

    X, y        (n, d) features, in comparable units; (n,) labels or numbers
    fit         fit(X, y) returns an object with weights w (d,)
    n_features  number of features to keep, from 1 to d
    fraction    fraction of the features to remove after each fit, at least 0 and below 1,
                rounded down, but at least one feature

    Returns the features kept and the order of removal.
    Raises ValueError for wrong shapes, nan, an option out of range, w of another length.
    Source: Guyon, Weston, Barnhill and Vapnik (2002).

    >>> from mlcore.least_squares import least_squares
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> y = np.array([-1, -1, 1, 1])
    >>> recursive_elimination(X, y, fit=least_squares, n_features=1).features
    (0,)
    """
    X = checks.features("X", X)
    y = checks.labels("y", y, length=len(X))
    checks.function("fit", fit)
    n_features = checks.integer("n_features", n_features, at_least=1, at_most=X.shape[1])
    fraction = checks.number("fraction", fraction, at_least=0.0, below=1.0)
    kept, removed, sizes = np.arange(X.shape[1]), [], []
    while len(kept) > n_features:
        w = checks.fitted(fit(X[:, kept], y), "w").w
        w = checks.vector("w of fit", w, length=len(kept))
        sizes.append(len(kept))
        n_drop = min(max(1, int(fraction * len(kept))), len(kept) - n_features)
        smallest = np.argsort(np.abs(w), kind="stable")[:n_drop]
        removed += kept[smallest].tolist()
        kept = np.delete(kept, smallest)
    return Elimination(tuple(kept.tolist()), tuple(removed), tuple(sizes))


def mutual_information(X: ArrayLike, y, *, bins: int | None = None) -> Vector:
    """Compute the mutual information of each feature and the label, in nats.

    X, y  (n, d) features, in any units; (n,) labels of any kind
    bins  number of intervals with about the same number of examples, at least 2, that
          replace the values of a feature; None: use the values

    Returns (d,): the sum of p(u, v) ln(p(u, v) / (p(u) p(v))) over the values u and labels
    v, with relative frequencies for p.  It is at least 0, and its bias is about
    (values - 1) (labels - 1) / (2 n).
    Raises ValueError for wrong shapes, nan, bins < 2.
    Source: Cover and Thomas (2006), equation (2.28); Miller (1955), the bias.

    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> mutual_information(X, [-1, -1, 1, 1]).round(4)  # ln 2 nats, and 0
    array([0.6931, 0.    ])
    """
    X = checks.features("X", X)
    y = checks.labels("y", y, length=len(X))
    if bins is not None:
        bins = checks.integer("bins", bins, at_least=2, at_most=10**6)
    _, label = np.unique(y, return_inverse=True)
    return np.array([_information(_discretize(x, bins), label) for x in X.T])


def _cross_validation(X, y, splits, fit, error, tol, n_features):
    """Check all arguments of a search; return the object for E, tol and n_features."""
    X = checks.features("X", X)
    tol = checks.number("tol", tol, at_least=0.0, below=1.0)
    if n_features is not None:
        n_features = checks.integer("n_features", n_features, at_most=X.shape[1])
    splits = checks.splits("splits", splits, n=len(X))
    if fit is None:
        X, y = checks.regression_data(X, y)
        few = X.shape[1] <= MAX_GRAM_FEATURES
        make_cv = greedy.least_squares_cv if few else greedy.least_squares_refits
        return make_cv(X, y, splits), tol, n_features
    checks.function("fit", fit)
    checks.function("error", error)
    y = checks.labels("y", y, length=len(X))
    return greedy.RefitCV(fit, X, y, splits, error), tol, n_features


def _discretize(x: Vector, bins: int | None) -> NDArray[np.intp]:
    """Encode the values of x, or the intervals that contain them, as integers."""
    _, value = np.unique(x, return_inverse=True)
    if bins is None:
        return value
    smaller = np.cumsum(np.bincount(value)) - np.bincount(value)  # keeps ties together
    return (smaller * bins // len(x))[value]


def _information(u, v) -> float:
    """Compute the mutual information of two vectors of indices."""
    n = len(u)
    cells, counts = np.unique(u * (v.max() + 1) + v, return_counts=True)
    first, second = np.bincount(u), np.bincount(v)
    row, column = np.divmod(cells, v.max() + 1)
    expected = first[row] * (second[column] / n)
    return max(0.0, float(np.sum(counts * np.log(counts / expected)) / n))


def _correlation(X: Matrix, y: Vector) -> Vector:
    (Z, _), (r, _) = centered(X), centered(y)
    length = np.linalg.norm(Z, axis=0) * np.linalg.norm(r)
    return np.clip(ratio(Z.T @ r, length, where=length != 0), -1.0, 1.0)


def _signal_to_noise(X: Matrix, y: Vector) -> Vector:
    X, _ = centered(X)  # far from the origin the means would lose digits
    (A, m1), (B, m0) = centered(X[y == 1]), centered(X[y == -1])
    noise = np.sqrt(np.mean(A * A, axis=0)) + np.sqrt(np.mean(B * B, axis=0))
    infinite = np.copysign(np.inf, m1 - m0)
    return ratio(m1 - m0, noise, where=noise > 0, out=np.where(m1 != m0, infinite, 0.0))
