"""What the scikit-learn classes of `mlcore.estimators` have in common.

They translate: labels of any kind to those of a function and back, parameters to the
keyword arguments of the same names, the result to attributes.
"""

import warnings
from inspect import Parameter, Signature, signature

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    RegressorMixin,
    clone,
    is_classifier,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from mlcore import checks
from mlcore.arrays import Matrix, Vector
from mlcore.linear import LinearRule, LinearScores
from mlcore.solvers.likelihood import softmax
from mlcore.validation import k_folds

NOT_PARAMETERS = ("sample_weight", "splits", "fit", "score", "error")  # data


class Options(BaseEstimator):
    """A class whose parameters are the keyword arguments of a function, and more."""

    def __init_subclass__(cls, *, function=None, **more):
        """Give the class its parameters.

        function  whose keyword arguments they are, called `_function` in the class
        more      others, or other defaults

        Where other estimators go into it, the first one is `estimator`.
        """
        super().__init_subclass__()
        if function is None:
            return
        theirs = signature(function).parameters.values()
        options = {p.name: p.default for p in theirs if p.kind is p.KEYWORD_ONLY} | more
        names = ["self", "estimator"] if issubclass(cls, MetaEstimatorMixin) else ["self"]
        told = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        told += [
            Parameter(name, Parameter.KEYWORD_ONLY, default=value)
            for name, value in options.items()
            if name not in NOT_PARAMETERS
        ]

        def __init__(*args, **given):
            chosen = Signature(told).bind(*args, **given)
            chosen.apply_defaults()
            self = chosen.arguments.pop("self")
            vars(self).update(chosen.arguments)

        __init__.__signature__ = Signature(told)  # type: ignore[attr-defined]
        cls._function = staticmethod(function)
        cls.__init__ = __init__  # type: ignore[method-assign]


class Shell(Options):
    """A function of `mlcore`, and what it finds.

    rule_  the result, with all that it reports

    A result that has not converged gives a ConvergenceWarning, which says what to do.
    """

    _remedy = "scale the features, as StandardScaler does, and look for outliers"

    def fit(self, X, y):
        """Learn from X (n, d) and y (n,), labels of any kind, or numbers; returns self."""
        return self._fit(X, y)

    def _fit(self, X, y, **given):
        X, y = self._checked(X, y)
        self.rule_ = self._learn(X, self._targets(y), **given)
        return self

    def _targets(self, y):
        return y

    def _learn(self, X: Matrix, y, **given):
        options = self.get_params(deep=False) | given
        options.pop("class_weight", None)
        rule = self._function(X, y, **options)
        if not getattr(rule, "converged", True):
            message = f"{self} has not converged: {self._remedy}"
            warnings.warn(message, ConvergenceWarning, stacklevel=1)
        return rule

    def _checked(self, *data, **options):
        """X and y to learn from, or X alone, with the options of `validate_data`."""
        for name, value in zip("Xy", data, strict=False):
            checks.unmasked(name, value)
        return validate_data(self, *data, **options)

    def _new(self, X) -> Matrix:
        """New examples, checked against those of `fit`."""
        check_is_fitted(self)
        return self._checked(X, reset=False)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "rule_")  # parameters such as lambda_ do not tell


class Weighted(Shell):
    """For functions that take a sample_weight."""

    def fit(self, X, y, sample_weight=None):
        """Learn from X (n, d) and y (n,); returns self.

        sample_weight  (n,) how often each example counts, at least 0; None: once
        """
        return self._fit(X, y, sample_weight=sample_weight)


class Linear(Shell):
    """For results with weights and a bias, or one of each for each class.

    coef_       the weights: (d,) of a regressor, (1, d) for two classes, where it is the
                second one's less the first one's, (K, d) for more
    intercept_  the bias, or the biases (1,) or (K,), likewise
    """

    @property
    def coef_(self) -> Matrix:
        return self._planes()[0]

    @property
    def intercept_(self) -> Vector:
        return self._planes()[1]

    def _planes(self):
        rule = self._linear()
        if isinstance(rule, LinearRule):
            w, b = rule.w, rule.b
            return (w[None], np.array([b])) if is_classifier(self) else (w, b)
        W, b = rule.W, rule.b
        return (W, b) if len(b) != 2 else (W[1:] - W[:1], b[1:] - b[:1])

    def _linear(self) -> LinearRule | LinearScores:
        return self.rule_


class Regressor(RegressorMixin, Linear):
    """A linear function, its slopes `coef_` (d,), its value `intercept_` at the origin."""

    def predict(self, X) -> Vector:
        """The number predicted for each row of X (n, d), as (n,)."""
        X = self._new(X)
        return self.rule_.decision_function(X)


class Classifier(ClassifierMixin, Shell):
    """Classes, any number of them, called 0, ..., K - 1 inside.

    classes_  (K,) the labels, sorted
    rule_     the result, with all that it reports
    """

    def _targets(self, y):
        check_classification_targets(y)
        self.classes_, index = np.unique(y, return_inverse=True)
        self._check_classes()
        return index

    def predict(self, X):
        """The class of each row of X (n, d), as (n,)."""
        X = self._new(X)
        return self.classes_[self._predict(X)]

    def _predict(self, X: Matrix):
        return self.rule_.predict(X)

    def _check_classes(self) -> None:
        if len(self.classes_) < 2:
            raise checks.error("y", "hold at least two classes", "1 class")


class Scored(Classifier):
    """A classifier that predicts the class with the largest score."""

    def decision_function(self, X):
        """The scores of the rows of X (n, d), as (n, K).

        For two classes it is the second one's less the first one's, as (n,).
        """
        X = self._new(X)
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1:] == (2,) else scores

    def _scores(self, X: Matrix) -> Matrix:
        return self.rule_.decision_function(X)


class Binary(Scored):
    """Two classes; the second one is called +1 inside, the first one -1."""

    def _learn(self, X: Matrix, y, **given):
        return super()._learn(X, 2.0 * y - 1.0, **given)

    def _predict(self, X: Matrix):
        return (self.rule_.predict(X) == 1).astype(int)

    def _check_classes(self) -> None:
        K = len(self.classes_)
        if K != 2:
            only = "Only binary classification is supported: y"
            raise checks.error(only, "hold two classes", f"{K} class{'es' * (K > 1)}")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class Online(Linear, Binary):
    """A classifier that can go on from the examples it has seen to more of them."""

    def partial_fit(self, X, y, classes=None):
        """Go once over more examples, from where the rule is now; returns self.

        classes  the two labels, asked for in the first call unless y has both
        """
        first = not hasattr(self, "rule_")
        X, y = self._checked(X, y, reset=first)
        if first:
            self.classes_ = np.unique(y if classes is None else classes)
            self._check_classes()
        other = np.setdiff1d(y, self.classes_)
        if other.size:
            raise checks.error("y", f"hold only {self.classes_}", repr(other[0]))
        signs = np.where(y == self.classes_[1], 1.0, -1.0)
        self.rule_ = self._more(None if first else self.rule_, X, signs)
        return self


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


class WeightedClassifier(Weighted, Classifier):
    """For classifiers that take a sample_weight, and weights of their classes.

    class_weight  a weight for each label, which multiplies the weights of its examples;
                  "balanced": all classes together weigh the same; None: 1
    """

    def __init_subclass__(cls, **more):
        super().__init_subclass__(class_weight=None, **more)

    def _learn(self, X: Matrix, y, sample_weight=None, **given):
        if sample_weight is None and self.class_weight is None:
            return super()._learn(X, y)
        s = np.ones(len(y)) if sample_weight is None else sample_weight
        s = checks.vector("sample_weight", s, length=len(y))
        empty = self.classes_[np.bincount(y, weights=s) == 0]
        if len(empty):
            rule = "not be zero for all examples of a class"
            raise checks.error("sample_weight", rule, f"the class {empty[0]}")
        labels = self.classes_[y]
        own = compute_class_weight(
            self.class_weight, classes=self.classes_, y=labels, sample_weight=s
        )
        if not own.min() > 0:
            raise checks.error("class_weight", "be above 0", f"{own.min():g}")
        return super()._learn(X, y, sample_weight=s * own[y])


class MostLikely(Linear, WeightedClassifier, Probable):
    """The most likely weights, by steps.

    n_iter_  the number of steps
    """

    _remedy = (
        "where a hyperplane separates classes, lambda_ must be above 0; else raise "
        "max_steps"
    )

    @property
    def n_iter_(self):
        return len(self.rule_.values) - 1


class Reduction(MetaEstimatorMixin, Scored):
    """Classes, from an estimator of two that has a decision_function."""

    def _learn(self, X: Matrix, y, **given):
        options = self.get_params(deep=False)
        del options["estimator"]
        return self._function(self._pair, X, y, **options)

    def _pair(self, X: Matrix, y):
        return clone(self.estimator).fit(X, y)

    def _scores(self, X: Matrix):
        return self.rule_.scores(X)


class Selector(SelectorMixin, Options):
    """A part of the features; labels of two kinds count as -1 and +1, other y as numbers.

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
        return 2.0 * index - 1.0 if len(classes) == 2 else checks.vector("y", y)

    def _first(self, order):
        """The `count` features at the head of an order."""
        return order[: checks.integer("count", self.count, at_least=1, at_most=len(order))]

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
        folds = checks.integer("folds", options.pop("folds"), at_least=2)
        classes, counts = np.unique(y, return_counts=True)
        stratified = len(classes) == 2 and min(counts) >= folds
        splits = k_folds(y, folds=folds, stratified=stratified, rng=options.pop("rng"))
        found = self._function(X, y, splits=splits, **options)
        return found, found.features
