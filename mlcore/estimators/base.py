"""What the scikit-learn classes of `mlcore.estimators` have in common.

They translate: labels of any kind to those of a function and back, parameters to the
keyword arguments of the same names, the result to attributes.
"""

import sys
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore.arrays import Matrix, Signs, Vector
from mlcore.checks import check_unmasked
from mlcore.solvers.likelihood import softmax

INSIDE = ("mlcore", "sklearn", "joblib")  # no line of these is the user's


class Shell(BaseEstimator):
    """A function of `mlcore`, called `_function`, and what it finds.

    rule_  the result, with all that it reports

    A result that has not converged gives a ConvergenceWarning, which says what to do.
    """

    _remedy = ""  # that advice

    def _learn(self, X: Matrix, y, **given):
        options = self.get_params(deep=False) | given
        options.pop("class_weight", None)
        rule = self._function(X, y, **options)
        if not getattr(rule, "converged", True):
            message = f"{self} has not converged: {self._remedy}"
            warnings.warn(message, ConvergenceWarning, stacklevel=_callers_level())
        return rule

    def _examples(self, X, y, **options) -> tuple[Matrix, np.ndarray]:
        """The examples to learn from, checked."""
        X, y = check_unmasked("X", X), check_unmasked("y", y)
        return validate_data(self, X, y, **options)

    def _new(self, X) -> Matrix:
        """New examples, checked against those of `fit`."""
        check_is_fitted(self)
        return validate_data(self, check_unmasked("X", X), reset=False)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "rule_")  # parameters such as lambda_ do not tell


def _callers_level() -> int:
    """The `stacklevel` of the line that called `fit`, itself or by scikit-learn.

    From Python 3.12 on `skip_file_prefixes` finds it.
    """
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals["__name__"].split(".")[0] in INSIDE:
        frame, level = frame.f_back, level + 1
    return level


class Regressor(RegressorMixin, Shell):
    """A linear function.

    rule_       the result, with all that it reports
    coef_       (d,) its slopes
    intercept_  its value at the origin
    """

    def fit(self, X, y):
        """Learn from X (n, d) and the numbers y (n,); returns self."""
        return self._fit(X, y)

    def _fit(self, X, y, **given):
        X, y = self._examples(X, y)
        self.rule_ = self._learn(X, y, **given)
        return self

    @property
    def coef_(self) -> Vector:
        return self.rule_.w

    @property
    def intercept_(self) -> float:
        return self.rule_.b

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
        return self._fit(X, y)

    def _fit(self, X, y, **given):
        X, y = self._examples(X, y)
        check_classification_targets(y)
        self.classes_, index = np.unique(y, return_inverse=True)
        self._check_classes()
        self.rule_ = self._learn(X, index, **given)
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


class LinearScores(ScoredClassifier):
    """A classifier whose scores are linear.

    classes_    (K,) the labels, sorted
    rule_       the result, with all that it reports
    coef_       (K, d) the weights of each class; of two classes (1, d), the second
                one's less the first one's, as in `decision_function`
    intercept_  (K,) or (1,) the biases, likewise
    """

    @property
    def coef_(self) -> Matrix:
        return self._told(self._planes()[0])

    @property
    def intercept_(self) -> Vector:
        return self._told(self._planes()[1])

    def _told(self, parts):
        """Those of all classes, or the difference that tells two classes apart."""
        return parts if len(parts) > 2 else parts[1:] - parts[:1]

    def _planes(self) -> tuple[Matrix, Vector]:
        """The weights (K, d) and the biases (K,) of the classes."""
        return self.rule_.W, self.rule_.b


class BinaryClassifier(Classifier):
    """Two classes; the second one is called +1 inside, the first one -1."""

    def decision_function(self, X) -> Vector:
        """The scores of the rows of X (n, d), as (n,): at least 0 for the second class."""
        X = self._new(X)
        return self.rule_.decision_function(X)

    def _learn(self, X: Matrix, y, **given):
        return super()._learn(X, 2.0 * y - 1.0, **given)

    def _predict(self, X: Matrix):
        signs: Signs = self.rule_.predict(X)
        return (signs == 1).astype(int)

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

    @property
    def coef_(self) -> Matrix:
        return self.rule_.w[None]

    @property
    def intercept_(self) -> Vector:
        return np.array([self.rule_.b])


class Probable(Classifier):
    """For classifiers whose result has a `probability`, and log-odds as its scores."""

    def predict_proba(self, X) -> Matrix:
        """The probability of each class for each row of X (n, d), as (n, K)."""
        X = self._new(X)
        p = self.rule_.probability(X)
        return p if p.ndim == 2 else np.column_stack([1 - p, p])

    def predict_log_proba(self, X) -> Matrix:
        """The logarithms of the probabilities, finite where these round to 0."""
        X = self._new(X)
        scores = self.rule_.decision_function(X)
        if scores.ndim == 1:
            scores = np.column_stack([np.zeros(len(scores)), scores])
        return scores - softmax(scores)[1][:, None]
