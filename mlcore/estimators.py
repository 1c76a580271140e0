"""The algorithms as scikit-learn classes, for pipelines, grid searches and displays.

Each class translates: labels of any two kinds to -1 and +1 and back, hyperparameters
to keyword arguments, the result to attributes.  The algorithms are elsewhere.
"""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.arrays import Matrix, Signs, Vector
from mlcore.perceptron import PerceptronFit, perceptron


class _LinearClassifier(ClassifierMixin, BaseEstimator):
    """Two classes, one hyperplane, which `_fit(X, y)` of a subclass finds.

    classes_    (2,) the labels, sorted; the second one is called +1 inside
    rule_       the result of the algorithm, with all that it reports
    coef_       (1, d) the normal vector of the hyperplane
    intercept_  (1,) its bias
    """

    def fit(self, X, y):
        """Learn from X (n, d) and y (n,), labels of any two kinds; returns self."""
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        self.classes_, index = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            raise ValueError(
                "Only binary classification is supported: y must hold two classes; "
                f"got {len(self.classes_)} class(es)"
            )
        self.rule_ = self._fit(X, 2.0 * index - 1.0)
        self.coef_, self.intercept_ = self.rule_.w[None], np.array([self.rule_.b])
        return self

    def decision_function(self, X) -> Vector:
        """The scores w @ x + b of the rows of X (n, d), as (n,)."""
        check_is_fitted(self)
        return self.rule_.decision_function(validate_data(self, X, reset=False))

    def predict(self, X):
        """The class of each row of X (n, d), as (n,)."""
        second = self.decision_function(X) >= 0
        return self.classes_[second.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class Perceptron(_LinearClassifier):
    """The perceptron; n_iter_ is the number of epochs.  See `mlcore.perceptron`."""

    def __init__(self, *, max_epochs=100, rng=None):
        self.max_epochs, self.rng = max_epochs, rng

    def _fit(self, X: Matrix, y: Signs) -> PerceptronFit:
        rule = perceptron(X, y, max_epochs=self.max_epochs, rng=self.rng)
        self.n_iter_ = len(rule.mistakes)
        return rule
