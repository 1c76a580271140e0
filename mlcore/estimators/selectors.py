"""The feature selectors; see `mlcore.estimators`."""

from types import SimpleNamespace

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore import checks, selection
from mlcore.arrays import Matrix, Vector
from mlcore.estimators.base import check_list
from mlcore.validation import k_folds


class Selector(SelectorMixin, BaseEstimator):
    """A feature selector; two labels are encoded as -1 and +1, any other y must be numeric.

    found_    the result of the function
    support_  (d,) whether each feature is selected
    """

    def fit(self, X, y):
        """Select features of X (n, d) for y (n,), labels or numbers; return self."""
        X, y = validate_data(self, X, check_list(y), ensure_min_samples=2)
        type_of_target(y, input_name="y", raise_unknown=True)
        self.found_, selected = self._select(X, self._encode_y(y))
        self.support_ = np.isin(np.arange(X.shape[1]), selected)
        return self

    def _encode_y(self, y):
        classes, index = np.unique(y, return_inverse=True)
        return 2.0 * index - 1.0 if len(classes) == 2 else checks.vector("y", y)

    def _first(self, order):
        """Return the first `n_features` features of a ranking."""
        n = checks.integer("n_features", self.n_features, at_least=1, at_most=len(order))
        return order[:n]

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class SubsetSelector(Selector):
    """A search for the features with the smallest least squares error on held-out folds."""

    def __init__(self, *, n_features=None, tol=1e-9, folds=5, rng=None):
        self.n_features, self.tol, self.folds, self.rng = n_features, tol, folds, rng

    def _select(self, X: Matrix, y: Vector):
        options = self.get_params()
        folds = checks.integer("folds", options.pop("folds"), at_least=2)
        classes, counts = np.unique(y, return_counts=True)
        stratified = len(classes) == 2 and min(counts) >= folds
        splits = k_folds(y, folds=folds, stratified=stratified, rng=options.pop("rng"))
        found = self._function(X, y, splits=splits, **options)
        return found, found.features


class ForwardSelection(SubsetSelector):
    """Forward selection.  See `mlcore.selection.forward`.

    folds  number of folds of the cross-validation
    rng    seed or Generator that shuffles the examples first; None: the given order
    """

    _function = staticmethod(selection.forward)


class BackwardSelection(SubsetSelector):
    """Backward elimination, with folds and rng.  See `mlcore.selection.backward`."""

    _function = staticmethod(selection.backward)


class ExhaustiveSelection(SubsetSelector):
    """Best subset selection, with folds and rng.  See `mlcore.selection.exhaustive`."""

    _function = staticmethod(selection.exhaustive)

    def __init__(self, *, tol=1e-9, folds=5, rng=None):
        self.tol, self.folds, self.rng = tol, folds, rng


class UnivariateSelection(Selector):
    """The `n_features` features with the best scores.  See `mlcore.selection.univariate`.

    measure  the argument `score`, renamed since `score` is a method in scikit-learn
    """

    def __init__(self, *, n_features=1, measure="correlation"):
        self.n_features, self.measure = n_features, measure

    def _select(self, X: Matrix, y: Vector):
        found = selection.univariate(X, y, score=self.measure)
        return found, self._first(found.order)


class MutualInformationSelection(Selector):
    """The `n_features` most informative features, for labels of any number of classes.

    See `mlcore.selection.mutual_information`.
    """

    def __init__(self, *, n_features=1, bins=None):
        self.n_features, self.bins = n_features, bins

    def _select(self, X: Matrix, y: Vector):
        found = selection.mutual_information(X, y, bins=self.bins)
        return found, self._first(np.argsort(-found, kind="stable"))

    def _encode_y(self, y):
        return np.unique(y, return_inverse=True)[1]


class RecursiveElimination(MetaEstimatorMixin, Selector):
    """Recursive feature elimination.  See `mlcore.selection.recursive_elimination`.

    estimator  has coef_, (d,) or (1, d), after fit
    """

    def __init__(self, estimator, *, n_features=1, fraction=0.0):
        self.estimator, self.n_features, self.fraction = estimator, n_features, fraction

    def _select(self, X: Matrix, y: Vector):
        options = {"n_features": self.n_features, "fraction": self.fraction}
        found = selection.recursive_elimination(X, y, fit=self._fit_weights, **options)
        return found, found.features

    def _fit_weights(self, X: Matrix, y: Vector) -> SimpleNamespace:
        rule = clone(self.estimator).fit(X, y)
        return SimpleNamespace(w=np.ravel(checks.fitted(rule, "coef_").coef_))
