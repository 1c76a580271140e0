"""Classifiers as scikit-learn classes: of two classes, then of any number."""

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone

from mlcore import (
    boosting,
    generative,
    l1_svm,
    least_squares,
    logistic,
    multiclass,
    neighbors,
    perceptron,
    svm,
)
from mlcore.arrays import Matrix
from mlcore.estimators.base import (
    BinaryClassifier,
    Classifier,
    LinearClassifier,
    LinearScores,
    Probable,
    ScoredClassifier,
)
from mlcore.options import check_integer

NO_MINIMUM = (
    "where a hyperplane separates classes, lambda_ must be above 0; else raise max_steps"
)

# Two classes


class Perceptron(LinearClassifier):
    """The perceptron.  See `mlcore.perceptron.perceptron`.

    n_iter_  the number of epochs
    """

    _function = staticmethod(perceptron.perceptron)
    _remedy = (
        "raise max_epochs, or, where no hyperplane separates the classes, take "
        "Logistic or SoftMargin"
    )

    def __init__(self, *, bias=True, start=None, max_epochs=100, rng=None):
        self.bias, self.start = bias, start
        self.max_epochs, self.rng = max_epochs, rng

    @property
    def n_iter_(self):
        return len(self.rule_.mistakes)

    def partial_fit(self, X, y, classes=None):
        """Go once over more examples, from where the rule is now; returns self.

        classes  the two labels, asked for in the first call unless y has both
        """
        first = not hasattr(self, "rule_")
        X, y = self._examples(X, y, reset=first)
        if first:
            self.classes_ = np.unique(y if classes is None else classes)
            self._check_classes()
        other = np.setdiff1d(y, self.classes_)
        if other.size:
            raise ValueError(f"y must hold only {self.classes_}; got {other[0]!r}")
        start = np.zeros(X.shape[1]) if self.start is None else self.start
        before = perceptron.PerceptronFit(start, 0.0, ()) if first else self.rule_
        found = perceptron.perceptron(
            np.column_stack([X, np.full(len(X), float(self.bias))]),
            np.where(y == self.classes_[1], 1.0, -1.0),
            bias=False,  # b is the weight of the last column
            start=np.append(before.w, before.b),
            max_epochs=1,
            rng=self.rng,
        )
        *w, b = found.w.tolist()
        mistakes = before.mistakes + found.mistakes
        self.rule_ = perceptron.PerceptronFit(np.array(w), b, mistakes)
        return self


class Logistic(Probable, LinearClassifier):
    """Logistic regression.  See `mlcore.logistic.logistic`.

    n_iter_  the number of Newton steps
    """

    _function = staticmethod(logistic.logistic)
    _remedy = NO_MINIMUM

    def __init__(self, *, lambda_=0.0, bias=True, tol=1e-12, max_steps=50):
        self.lambda_, self.bias = lambda_, bias
        self.tol, self.max_steps = tol, max_steps

    @property
    def n_iter_(self):
        return len(self.rule_.values) - 1


class LDA(Probable, LinearClassifier):
    """Linear discriminant analysis.  See `mlcore.generative.lda`."""

    _function = staticmethod(generative.lda)


class SoftMargin(LinearClassifier):
    """The support vector machine, solved exactly.  See `mlcore.svm.soft_margin`.

    support_  the indices of the support vectors
    n_iter_   the number of Newton steps
    """

    _function = staticmethod(svm.soft_margin)
    _remedy = "scale the features, as StandardScaler does, and look for outliers"

    def __init__(self, *, lambda_=0.01, bias=True):
        self.lambda_, self.bias = lambda_, bias

    @property
    def support_(self):
        return self.rule_.support

    @property
    def n_iter_(self):
        return self.rule_.steps


class SubgradientDescent(LinearClassifier):
    """The support vector machine, step by step.  See `mlcore.svm.subgradient_descent`."""

    _function = staticmethod(svm.subgradient_descent)

    def __init__(self, *, lambda_=0.01, steps=1000, bias=True):
        self.lambda_, self.steps, self.bias = lambda_, steps, bias


class Pegasos(LinearClassifier):
    """The support vector machine by random steps.  See `mlcore.svm.pegasos`."""

    _function = staticmethod(svm.pegasos)

    def __init__(self, *, lambda_=0.01, epochs=20, rng=0, batch=1, bias=True, average=True):
        self.lambda_, self.epochs, self.rng = lambda_, epochs, rng
        self.batch, self.bias, self.average = batch, bias, average


class L1SVM(LinearClassifier):
    """The support vector machine with the penalty |w|_1.  See `mlcore.l1_svm.l1_svm`."""

    _function = staticmethod(l1_svm.l1_svm)

    def __init__(self, *, C=1.0):
        self.C = C


class AdaBoost(BinaryClassifier):
    """A vote of stumps.  See `mlcore.boosting.adaboost`."""

    _function = staticmethod(boosting.adaboost)

    def __init__(self, *, rounds=50, start="uniform", keep_weights=False):
        self.rounds, self.start, self.keep_weights = rounds, start, keep_weights


# Any number of classes


class IndicatorRegression(LinearScores):
    """Least squares of each class.  See `mlcore.least_squares.indicator_regression`."""

    _function = staticmethod(least_squares.indicator_regression)

    def _planes(self):
        return self.rule_.W.T, self.rule_.b


class SoftmaxRegression(Probable, LinearScores):
    """Logistic regression of K classes.  See `mlcore.logistic.softmax_regression`.

    n_iter_  the number of Newton steps
    """

    _function = staticmethod(logistic.softmax_regression)
    _remedy = NO_MINIMUM

    def __init__(self, *, lambda_=0.0, tol=1e-12, max_steps=50):
        self.lambda_, self.tol, self.max_steps = lambda_, tol, max_steps

    @property
    def n_iter_(self):
        return len(self.rule_.values) - 1


class KNN(Classifier):
    """The vote of the k nearest; rule_ is all examples.  See `mlcore.neighbors.knn`."""

    def __init__(self, *, k=5):
        self.k = k

    def _learn(self, X: Matrix, y):
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
        return neighbors.knn(*self.rule_, X, k=self.k)


class _Reduction(MetaEstimatorMixin, Classifier):
    """Classes, from an estimator of two that has a decision_function."""

    def __init__(self, estimator):
        self.estimator = estimator

    def _learn(self, X: Matrix, y):
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
