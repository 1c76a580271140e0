"""Classifiers as scikit-learn classes: of two classes, then of any number."""

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
    Probable,
    ScoredClassifier,
)
from mlcore.options import check_integer

# Two classes


class Perceptron(LinearClassifier):
    """The perceptron; n_iter_ is the number of epochs.  See `mlcore.perceptron`."""

    _function = staticmethod(perceptron.perceptron)

    def __init__(self, *, bias=True, start=None, max_epochs=100, rng=None):
        self.bias, self.start = bias, start
        self.max_epochs, self.rng = max_epochs, rng

    @property
    def n_iter_(self):
        return len(self.rule_.mistakes)


class Logistic(Probable, LinearClassifier):
    """Logistic regression.  See `mlcore.logistic.logistic`."""

    _function = staticmethod(logistic.logistic)

    def __init__(self, *, lambda_=0.0, bias=True, tol=1e-12, max_steps=50):
        self.lambda_, self.bias = lambda_, bias
        self.tol, self.max_steps = tol, max_steps


class LDA(Probable, LinearClassifier):
    """Linear discriminant analysis.  See `mlcore.generative.lda`."""

    _function = staticmethod(generative.lda)


class SoftMargin(LinearClassifier):
    """The support vector machine, solved exactly.  See `mlcore.svm.soft_margin`."""

    _function = staticmethod(svm.soft_margin)

    def __init__(self, *, lambda_=0.01, bias=True):
        self.lambda_, self.bias = lambda_, bias


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


class IndicatorRegression(ScoredClassifier):
    """Least squares of each class.  See `mlcore.least_squares.indicator_regression`."""

    _function = staticmethod(least_squares.indicator_regression)


class SoftmaxRegression(Probable, ScoredClassifier):
    """Logistic regression of K classes.  See `mlcore.logistic.softmax_regression`."""

    _function = staticmethod(logistic.softmax_regression)

    def __init__(self, *, lambda_=0.0, tol=1e-12, max_steps=50):
        self.lambda_, self.tol, self.max_steps = lambda_, tol, max_steps


class KNN(Classifier):
    """The vote of the k nearest; rule_ is all examples.  See `mlcore.neighbors.knn`."""

    def __init__(self, *, k=5):
        self.k = k

    def _learn(self, X: Matrix, y):
        check_integer("k", self.k, at_least=1, at_most=len(X))
        return X.copy(), y

    def _predict(self, X: Matrix):
        return neighbors.knn(*self.rule_, X, k=self.k).predicted


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


class OneVsOne(_Reduction):
    """Each pair of classes by itself.  See `mlcore.multiclass.one_vs_one`."""

    _function = staticmethod(multiclass.one_vs_one)


class OneVsRest(_Reduction, ScoredClassifier):
    """Each class against all others.  See `mlcore.multiclass.one_vs_rest`."""

    _function = staticmethod(multiclass.one_vs_rest)

    def __init__(self, estimator, *, form="K"):
        self.estimator, self.form = estimator, form

    def _scores(self, X: Matrix):
        return self.rule_.scores(X)


class LinearMachine(_Reduction, ScoredClassifier):
    """All classes at once.  See `mlcore.multiclass.linear_machine`.

    estimator  a linear classifier from above whose parameter bias is False
    """

    _function = staticmethod(multiclass.linear_machine)

    def _pair(self, X: Matrix, y):
        return super()._pair(X, y).rule_

    def _scores(self, X: Matrix):
        return self.rule_.scores(X)
