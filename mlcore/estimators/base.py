"""Base classes and mix-ins of the scikit-learn classes in `mlcore.estimators`.

They translate labels of any kind to the labels of a function and back, parameters to the
keyword arguments of the same names, and the result to attributes.
"""

import warnings

import numpy as np
from sklearn import clone
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore import checks
from mlcore.arrays import Matrix, Vector
from mlcore.linear import LinearRule, LinearScores
from mlcore.solvers.likelihood import softmax


def check_list(y):
    """Check a list of labels before scikit-learn turns its entries into text or floats."""
    is_array = y is None or hasattr(y, "__array__")
    return checks.unmasked("y", y) if is_array else checks.labels("y", y)


class FunctionEstimator(BaseEstimator):
    """An estimator that calls a function of `mlcore`, its attribute `_function`.

    rule_  the result of the function
    """

    _advice = "scale the features, for example by StandardScaler, and look for outliers"

    def fit(self, X, y):
        """Fit to X (n, d) and y (n,), labels of any kind or numbers; return self."""
        return self._fit(X, y)

    def _fit(self, X, y, **weights):
        X, y = self._validate(X, y)
        self.rule_ = self._fit_rule(X, self._encode_y(y), **weights)
        return self

    def _encode_y(self, y):
        return y

    def _fit_rule(self, X: Matrix, y, **weights):
        options = self.get_params(deep=False) | weights
        options.pop("class_weight", None)
        rule = self._function(X, y, **options)
        if not getattr(rule, "converged", True):
            message = f"{self} did not converge: {self._advice}"
            warnings.warn(message, ConvergenceWarning, stacklevel=1)
        return rule

    def _validate(self, X, *y, **options):
        """Validate X, and y if given, with the options of `validate_data`."""
        return validate_data(self, checks.unmasked("X", X), *map(check_list, y), **options)

    def _validate_new(self, X) -> Matrix:
        """Validate new examples for a fitted estimator."""
        check_is_fitted(self)
        return self._validate(X, reset=False)

    def __sklearn_is_fitted__(self) -> bool:
        # scikit-learn would mistake the parameter lambda_ for a fitted attribute
        return hasattr(self, "rule_")


class SampleWeightMixin(FunctionEstimator):
    """A mix-in for functions with the argument sample_weight."""

    def fit(self, X, y, sample_weight=None):
        """Fit to X (n, d) and y (n,); return self.

        sample_weight  (n,) weight of each example, at least 0; None: 1
        """
        return self._fit(X, y, sample_weight=sample_weight)


class LinearMixin(FunctionEstimator):
    """A mix-in for results with one weight vector and bias, or with one for each class.

    coef_       the weights: (d,) of a regressor; (1, d) for two classes, the difference of
                the weights of the second and the first class; (K, d) for more classes
    intercept_  the bias, a number, (1,) or (K,), likewise
    """

    @property
    def coef_(self) -> Matrix:
        return self._coef_and_intercept()[0]

    @property
    def intercept_(self) -> Vector:
        return self._coef_and_intercept()[1]

    def _coef_and_intercept(self):
        rule = self._linear_rule()
        if isinstance(rule, LinearRule):
            w, b = rule.w, rule.b
            return (w[None], np.array([b])) if isinstance(self, ClassifierMixin) else (w, b)
        W, b = rule.W, rule.b
        return (W, b) if len(b) != 2 else (W[1:] - W[:1], b[1:] - b[:1])

    def _linear_rule(self) -> LinearRule | LinearScores:
        return self.rule_


class Regressor(RegressorMixin, LinearMixin):
    """A linear regressor with coefficients `coef_` (d,) and a bias `intercept_`."""

    def predict(self, X) -> Vector:
        """Predict a number for each row of X (n, d), as (n,)."""
        X = self._validate_new(X)
        return self.rule_.decision_function(X)


class Classifier(ClassifierMixin, FunctionEstimator):
    """A classifier of K classes, encoded as 0, ..., K - 1.

    classes_  (K,) the labels, sorted
    rule_     the result of the function
    """

    def _encode_y(self, y):
        y = checks.labels("y", y)
        check_classification_targets(y)
        self.classes_, index = np.unique(y, return_inverse=True)
        self._check_classes()
        return index

    def predict(self, X):
        """Predict the class of each row of X (n, d), as (n,)."""
        X = self._validate_new(X)
        return self.classes_[self._predict(X)]

    def _predict(self, X: Matrix):
        return self.rule_.predict(X)

    def _check_classes(self) -> None:
        if len(self.classes_) < 2:
            raise checks.error("y", "contain at least two classes", "1 class")


class ArgmaxClassifier(Classifier):
    """A classifier that predicts the class with the largest score."""

    def decision_function(self, X):
        """Return the scores for each row of X (n, d), as (n, K).

        For two classes, return the score of the second minus that of the first, as (n,).
        """
        X = self._validate_new(X)
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1:] == (2,) else scores

    def _scores(self, X: Matrix) -> Matrix:
        return self.rule_.decision_function(X)


class BinaryClassifier(ArgmaxClassifier):
    """A classifier of two classes; the first is encoded as -1, the second as +1."""

    def _fit_rule(self, X: Matrix, y, **weights):
        return super()._fit_rule(X, 2.0 * y - 1.0, **weights)

    def _predict(self, X: Matrix):
        return (self.rule_.predict(X) == 1).astype(int)

    def _check_classes(self) -> None:
        K = len(self.classes_)
        if K != 2:
            only = "Only binary classification is supported: y"
            found = "1 class" if K == 1 else f"{K} classes"
            raise checks.error(only, "contain two classes", found)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class PartialFitMixin(LinearMixin):
    """A mix-in for binary classifiers that can be trained one batch at a time."""

    def partial_fit(self, X, y, classes=None):
        """Continue from the current rule with one pass over X and y; return self.

        classes  the two labels, required in the first call unless y contains both
        """
        first = not hasattr(self, "rule_")
        X, y = self._validate(X, y, reset=first)
        if first:
            labels = y if classes is None else checks.labels("classes", classes)
            self.classes_ = np.unique(labels)
            self._check_classes()
        unknown = np.setdiff1d(y, self.classes_)
        if unknown.size:
            raise checks.error("y", f"contain only {self.classes_}", repr(unknown[0]))
        signs = np.where(y == self.classes_[1], 1.0, -1.0)
        self.rule_ = self._partial_fit(None if first else self.rule_, X, signs)
        return self


class ProbaMixin(FunctionEstimator):
    """A mix-in for results with a method `probability`, and with log-odds as scores."""

    def predict_proba(self, X) -> Matrix:
        """Return the probability of each class for each row of X (n, d), as (n, K)."""
        X = self._validate_new(X)
        p = self.rule_.probability(X)
        return p if p.ndim == 2 else np.column_stack([1 - p, p])

    def predict_log_proba(self, X) -> Matrix:
        """Return the log probabilities, finite even if a probability rounds to 0."""
        X = self._validate_new(X)
        scores = self.rule_.decision_function(X)
        if scores.ndim == 1:
            scores = np.column_stack([np.zeros(len(scores)), scores])
        return scores - softmax(scores)[1][:, None]


class WeightedClassifier(SampleWeightMixin, Classifier):
    """A classifier with a sample_weight and a class_weight."""

    def _fit_rule(self, X: Matrix, y, sample_weight=None, **weights):
        if sample_weight is None and self.class_weight is None:
            return super()._fit_rule(X, y)
        s = np.ones(len(y)) if sample_weight is None else sample_weight
        s = checks.vector("sample_weight", s, length=len(y))
        empty = self.classes_[np.bincount(y, weights=s) == 0]
        if len(empty):
            rule = "not be zero for all examples of a class"
            raise checks.error("sample_weight", rule, f"the class {empty[0]}")
        labels = self.classes_[y]
        class_weights = compute_class_weight(
            self.class_weight, classes=self.classes_, y=labels, sample_weight=s
        )
        if not class_weights.min() > 0:
            raise checks.error("class_weight", "be above 0", f"{class_weights.min():g}")
        return super()._fit_rule(X, y, sample_weight=s * class_weights[y])


class MaxLikelihood(LinearMixin, ProbaMixin, WeightedClassifier):
    """A linear classifier fitted by maximum likelihood."""

    _advice = (
        "if a hyperplane separates the classes, lambda_ must be above 0; otherwise "
        "increase max_steps"
    )

    @property
    def n_iter_(self):
        """The number of Newton steps."""
        return len(self.rule_.values) - 1


class Reduction(MetaEstimatorMixin, ArgmaxClassifier):
    """A K-class classifier built from binary classifiers with a decision_function."""

    def _fit_rule(self, X: Matrix, y, **weights):
        options = self.get_params(deep=False)
        del options["estimator"]
        return self._function(self._fit_binary, X, y, **options)

    def _fit_binary(self, X: Matrix, y):
        return clone(self.estimator).fit(X, y)

    def _scores(self, X: Matrix):
        return self.rule_.scores(X)
