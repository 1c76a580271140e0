"""What the scikit-learn classes of `mlcore.estimators` have in common.

They translate: labels of any kind to those of a function and back, parameters to the
keyword arguments of the same names, the result to attributes.
"""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.arrays import Matrix, Signs, Vector


class Shell(BaseEstimator):
    """A function of `mlcore`, called `_function`, and what it finds.

    rule_  the result, with all that it reports
    """

    def _learn(self, X: Matrix, y: Vector):
        return self._function(X, y, **self.get_params(deep=False))

    def _new(self, X) -> Matrix:
        """New examples, checked against those of `fit`."""
        check_is_fitted(self)
        return validate_data(self, X, reset=False)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "rule_")  # parameters such as lambda_ do not tell


class Regressor(RegressorMixin, Shell):
    """A linear function.

    rule_       the result, with all that it reports
    coef_       (d,) its slopes
    intercept_  its value at the origin
    """

    def fit(self, X, y):
        """Learn from X (n, d) and the numbers y (n,); returns self."""
        X, y = validate_data(self, X, y, y_numeric=True)
        self.rule_ = self._learn(X, y)
        self.coef_, self.intercept_ = self.rule_.w, self.rule_.b
        return self

    def predict(self, X) -> Vector:
        """The number predicted for each row of X (n, d), as (n,)."""
        X = self._new(X)
        return self.rule_.decision_function(X)


class Classifier(ClassifierMixin, Shell):
    """Classes, any number of them, called 0, ..., K - 1 inside.

    classes_  (K,) the labels, sorted
    rule_     the result, with all that it reports
    """

    def fit(self, X, y):
        """Learn from X (n, d) and y (n,), labels of any kind; returns self."""
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        self.classes_, index = np.unique(y, return_inverse=True)
        self._check_classes()
        self.rule_ = self._learn(X, index)
        return self

    def predict(self, X):
        """The class of each row of X (n, d), as (n,)."""
        X = self._new(X)
        return self.classes_[self._predict(X)]

    def _predict(self, X: Matrix):
        return self.rule_.predict(X)

    def _check_classes(self) -> None:
        K = len(self.classes_)
        if K < 2:
            raise ValueError(f"y must hold at least two classes; got {K} class")


class ScoredClassifier(Classifier):
    """A classifier that predicts the class with the largest score."""

    def decision_function(self, X):
        """The scores of the rows of X (n, d), as (n, K).

        For two classes it is the second one's less the first one's, as (n,).
        """
        X = self._new(X)
        scores = self._scores(X)
        return scores if len(self.classes_) > 2 else scores[:, 1] - scores[:, 0]

    def _scores(self, X: Matrix) -> Matrix:
        return self.rule_.decision_function(X)


class BinaryClassifier(Classifier):
    """Two classes; the second one is called +1 inside, the first one -1."""

    def decision_function(self, X) -> Vector:
        """The scores of the rows of X (n, d), as (n,): at least 0 for the second class."""
        X = self._new(X)
        return self.rule_.decision_function(X)

    def _learn(self, X: Matrix, y):
        return super()._learn(X, 2.0 * y - 1.0)

    def _predict(self, X: Matrix):
        signs: Signs = self.rule_.predict(X)
        return (signs > 0).astype(int)

    def _check_classes(self) -> None:
        K = len(self.classes_)
        if K != 2:
            raise ValueError(
                "Only binary classification is supported: y must hold two classes; "
                f"got {K} class{'es' if K > 1 else ''}"
            )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class LinearClassifier(BinaryClassifier):
    """Two classes, one hyperplane.

    classes_    (2,) the labels, sorted; the second one is called +1 inside
    rule_       the result, with all that it reports
    coef_       (1, d) the normal vector of the hyperplane
    intercept_  (1,) its bias
    """

    def _learn(self, X: Matrix, y):
        rule = super()._learn(X, y)
        self.coef_, self.intercept_ = rule.w[None], np.array([rule.b])
        return rule


class Probable:
    """For classifiers whose result has a `probability`."""

    def predict_proba(self, X) -> Matrix:
        """The probability of each class for each row of X (n, d), as (n, K)."""
        X = self._new(X)
        p = self.rule_.probability(X)
        return p if p.ndim == 2 else np.column_stack([1 - p, p])
