"""Classifiers of any number of classes as scikit-learn classes."""

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone

from mlcore import least_squares, logistic, multiclass, neighbors
from mlcore.arrays import Matrix
from mlcore.estimators.base import Classifier, LinearScores, Probable, ScoredClassifier
from mlcore.estimators.two_classes import NO_MINIMUM
from mlcore.estimators.weights import WeightedClassifier
from mlcore.options import check_integer


class IndicatorRegression(LinearScores):
    """Least squares of each class.  See `mlcore.least_squares.indicator_regression`."""

    _function = staticmethod(least_squares.indicator_regression)

    def _planes(self):
        return self.rule_.W.T, self.rule_.b


class SoftmaxRegression(WeightedClassifier, Probable, LinearScores):
    """Logistic regression of K classes.  See `mlcore.logistic.softmax_regression`.

    n_iter_  the number of Newton steps
    """

    _function = staticmethod(logistic.softmax_regression)
    _remedy = NO_MINIMUM

    def __init__(self, *, lambda_=0.0, tol=1e-12, max_steps=50, class_weight=None):
        self.lambda_, self.tol, self.max_steps = lambda_, tol, max_steps
        self.class_weight = class_weight

    @property
    def n_iter_(self):
        return len(self.rule_.values) - 1


class KNN(Classifier):
    """The vote of the k nearest; rule_ is all examples.  See `mlcore.neighbors.knn`."""

    def __init__(self, *, k=5):
        self.k = k

    def _learn(self, X: Matrix, y, **given):
        check_integer("k", self.k, at_least=1, at_most=len(X))
        return X.copy(), y

    def _predict(self, X: Matrix):
        return self._vote(X).predicted

    def predict_proba(self, X) -> Matrix:
        """The shares of the classes in the k nearest of each row of X (n, d), as (n, K).

        Of equal shares that of the class with the nearest example, which `predict`
        takes, is larger by one rounding.
        """
        X = self._new(X)
        found = self._vote(X)
        votes = self.rule_[1][found.indices]
        shares = (votes[..., None] == np.arange(len(self.classes_))).mean(axis=1)
        elected = np.arange(len(X)), found.predicted
        shares[elected] = np.nextafter(shares[elected], 1.0)
        return shares

    def _vote(self, X: Matrix) -> neighbors.Neighbors:
        examples, labels = self.rule_
        return neighbors.knn(examples, labels, X, k=self.k)


class _Reduction(MetaEstimatorMixin, Classifier):
    """Classes, from an estimator of two that has a decision_function."""

    def __init__(self, estimator):
        self.estimator = estimator

    def _learn(self, X: Matrix, y, **given):
        options = self.get_params(deep=False)
        del options["estimator"]
        return self._function(self._pair, X, y, **options)

    def _pair(self, X: Matrix, y):
        return clone(self.estimator).fit(X, y)


class OneVsOne(_Reduction, ScoredClassifier):
    """Each pair of classes by itself.  See `mlcore.multiclass.one_vs_one`."""

    _function = staticmethod(multiclass.one_vs_one)

    def _scores(self, X: Matrix):
        return self.rule_.scores(X)


class OneVsRest(_Reduction, LinearScores):
    """Each class against all others.  See `mlcore.multiclass.one_vs_rest`.

    coef_ and intercept_ are there where the estimator's rules have them.
    """

    _function = staticmethod(multiclass.one_vs_rest)

    def __init__(self, estimator, *, form="K"):
        self.estimator, self.form = estimator, form

    def _scores(self, X: Matrix):
        return self.rule_.scores(X)

    def _planes(self):
        W = np.zeros((len(self.classes_), self.n_features_in_))
        b = np.zeros(len(W))
        for k, rule in enumerate(self.rule_.rules):
            W[k], b[k] = np.ravel(rule.coef_), np.ravel(rule.intercept_)[0]
        return W, b


class LinearMachine(_Reduction, LinearScores):
    """All classes at once.  See `mlcore.multiclass.linear_machine`.

    estimator  a linear classifier from above whose parameter bias is False
    """

    _function = staticmethod(multiclass.linear_machine)

    def _pair(self, X: Matrix, y):
        return super()._pair(X, y).rule_

    def _scores(self, X: Matrix):
        return self.rule_.scores(X)
