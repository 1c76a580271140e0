"""Feature selection as scikit-learn classes: in a pipeline it is part of the training.

Each has a function of `mlcore.selection` inside, where the parameters are explained.
Labels of two kinds count as -1 and +1, other y are taken as the numbers that they are.
"""

from types import SimpleNamespace

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore import selection
from mlcore.arrays import Matrix, Vector
from mlcore.checks import check_vector
from mlcore.options import check_integer
from mlcore.validation import k_folds


class _Selector(SelectorMixin, BaseEstimator):
    """A part of the features.

    found_    the result of the function, with all that it reports
    support_  (d,) whether each feature is kept
    """

    def fit(self, X, y):
        """Choose features of X (n, d) for y (n,), labels or numbers; returns self."""
        X, y = validate_data(self, X, y, ensure_min_samples=2)
        type_of_target(y, input_name="y", raise_unknown=True)
        self.found_, kept = self._choose(X, self._target(y))
        self.support_ = np.isin(np.arange(X.shape[1]), kept)
        return self

    def _target(self, y):
        classes, index = np.unique(y, return_inverse=True)
        return 2.0 * index - 1.0 if len(classes) == 2 else check_vector("y", y)

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class _Search(_Selector):
    """The features whose least squares fit has the least error on held-out folds."""

    def _choose(self, X: Matrix, y: Vector):
        options = self.get_params()
        folds = check_integer("folds", options.pop("folds"), at_least=2)
        classes, counts = np.unique(y, return_counts=True)
        stratified = len(classes) == 2 and min(counts) >= folds
        splits = k_folds(y, folds=folds, stratified=stratified, rng=options.pop("rng"))
        found = self._function(X, y, splits=splits, **options)
        return found, found.features


class ForwardSelection(_Search):
    """Add the best feature, again and again.  See `mlcore.selection.forward`.

    folds  number of folds that measure the error
    rng    seed or Generator that deals the examples to folds; None: the given order
    """

    _function = staticmethod(selection.forward)

    def __init__(self, *, count=None, tol=1e-9, folds=5, rng=None):
        self.count, self.tol, self.folds, self.rng = count, tol, folds, rng


class BackwardSelection(_Search):
    """Remove the worst feature, again and again.  See `mlcore.selection.backward`.

    folds, rng  as for `ForwardSelection`
    """

    _function = staticmethod(selection.backward)

    def __init__(self, *, count=None, tol=1e-9, folds=5, rng=None):
        self.count, self.tol, self.folds, self.rng = count, tol, folds, rng


class ExhaustiveSelection(_Search):
    """The best of all subsets.  See `mlcore.selection.exhaustive`.

    folds, rng  as for `ForwardSelection`
    """

    _function = staticmethod(selection.exhaustive)

    def __init__(self, *, tol=1e-9, folds=5, rng=None):
        self.tol, self.folds, self.rng = tol, folds, rng


class UnivariateSelection(_Selector):
    """The `count` features that rank first.  See `mlcore.selection.univariate`.

    measure  its `score`; to scikit-learn that name is a method
    """

    def __init__(self, *, count=1, measure="correlation"):
        self.count, self.measure = count, measure

    def _choose(self, X: Matrix, y: Vector):
        count = check_integer("count", self.count, at_least=1, at_most=X.shape[1])
        found = selection.univariate(X, y, score=self.measure)
        return found, found.order[:count]


class MutualInformationSelection(_Selector):
    """The `count` features that say most.  See `mlcore.selection.mutual_information`.

    Here y are labels of any number of kinds.
    """

    def __init__(self, *, count=1, bins=None):
        self.count, self.bins = count, bins

    def _choose(self, X: Matrix, y: Vector):
        count = check_integer("count", self.count, at_least=1, at_most=X.shape[1])
        found = selection.mutual_information(X, y, bins=self.bins)
        return found, np.argsort(-found, kind="stable")[:count]

    def _target(self, y):
        return np.unique(y, return_inverse=True)[1]


class RecursiveElimination(MetaEstimatorMixin, _Selector):
    """Fit, remove the least weight.  See `mlcore.selection.recursive_elimination`.

    estimator  has coef_ for d features after its fit, as (d,) or (1, d)
    """

    def __init__(self, estimator, *, count=1, share=0.0):
        self.estimator, self.count, self.share = estimator, count, share

    def _choose(self, X: Matrix, y: Vector):
        options = {"count": self.count, "share": self.share}
        found = selection.recursive_elimination(X, y, fit=self._weigh, **options)
        return found, found.features

    def _weigh(self, X: Matrix, y: Vector) -> SimpleNamespace:
        return SimpleNamespace(w=np.ravel(clone(self.estimator).fit(X, y).coef_))
