"""Feature selection as scikit-learn classes: in a pipeline it is part of the training.

Each has a function of `mlcore.selection` inside, where the parameters are explained.
Labels of two kinds count as -1 and +1, other y are taken as the numbers that they are.
"""

from types import SimpleNamespace

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore import selection
from mlcore.arrays import Matrix, Vector
from mlcore.checks import check_vector
from mlcore.estimators.base import Options
from mlcore.options import check_integer
from mlcore.validation import k_folds


class Selector(SelectorMixin, Options):
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


class Search(Selector):
    """The features whose least squares fit has the least error on held-out folds."""

    def _choose(self, X: Matrix, y: Vector):
        options = self.get_params()
        folds = check_integer("folds", options.pop("folds"), at_least=2)
        classes, counts = np.unique(y, return_counts=True)
        stratified = len(classes) == 2 and min(counts) >= folds
        splits = k_folds(y, folds=folds, stratified=stratified, rng=options.pop("rng"))
        found = self._function(X, y, splits=splits, **options)
        return found, found.features


class ForwardSelection(Search, function=selection.forward, folds=5, rng=None):
    """Add the best feature, again and again.  See `mlcore.selection.forward`.

    folds  number of folds that measure the error
    rng    seed or Generator that deals the examples to folds; None: the given order
    """


class BackwardSelection(Search, function=selection.backward, folds=5, rng=None):
    """Remove the worst feature, again and again.  See `mlcore.selection.backward`.

    folds, rng  as for `ForwardSelection`
    """


class ExhaustiveSelection(Search, function=selection.exhaustive, folds=5, rng=None):
    """The best of all subsets.  See `mlcore.selection.exhaustive`.

    folds, rng  as for `ForwardSelection`
    """


class Ranking(Selector):
    """The `count` features that rank first."""

    def _choose(self, X: Matrix, y: Vector):
        count = check_integer("count", self.count, at_least=1, at_most=X.shape[1])
        found, order = self._rank(X, y)
        return found, order[:count]


class UnivariateSelection(
    Ranking, function=selection.univariate, count=1, measure="correlation"
):
    """The `count` features that rank first.  See `mlcore.selection.univariate`.

    measure  its `score`; to scikit-learn that name is a method
    """

    def _rank(self, X: Matrix, y: Vector):
        found = self._function(X, y, score=self.measure)
        return found, found.order


class MutualInformationSelection(Ranking, function=selection.mutual_information, count=1):
    """The `count` features that say most.  See `mlcore.selection.mutual_information`.

    Here y are labels of any number of kinds.
    """

    def _rank(self, X: Matrix, y: Vector):
        found = self._function(X, y, bins=self.bins)
        return found, np.argsort(-found, kind="stable")

    def _target(self, y):
        return np.unique(y, return_inverse=True)[1]


class RecursiveElimination(
    MetaEstimatorMixin, Selector, function=selection.recursive_elimination, count=1
):
    """Fit, remove the least weight.  See `mlcore.selection.recursive_elimination`.

    estimator  has coef_ for d features after its fit, as (d,) or (1, d)
    """

    def _choose(self, X: Matrix, y: Vector):
        options = {"count": self.count, "share": self.share}
        found = self._function(X, y, fit=self._weigh, **options)
        return found, found.features

    def _weigh(self, X: Matrix, y: Vector) -> SimpleNamespace:
        return SimpleNamespace(w=np.ravel(clone(self.estimator).fit(X, y).coef_))
