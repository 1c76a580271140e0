"""The algorithms as scikit-learn classes, for pipelines, grid searches and displays.

Each class calls a function of `mlcore`; its parameters are the keyword arguments of the
function and are documented there.  Where the function has the argument sample_weight,
`fit` has it, too; classifiers then also have the parameter class_weight, which multiplies
it: a dict of weights by label, or "balanced" to give every class the same total weight.
No class fits a hard margin: where it exists, SoftMargin with a small lambda_ finds it.

A ConvergenceWarning, with advice, means that the result is not a solution: max_steps or
max_epochs is too small, or the problem has none.  Perceptron never converges if no
hyperplane separates the classes; Logistic with lambda_=0.0 has no minimum if one does.

`coef_` and `predict` follow scikit-learn, so GridSearchCV can select lambda_.

>>> from sklearn.model_selection import GridSearchCV
>>> from mlcore.data import breast_cancer
>>> data = breast_cancer()
>>> search = GridSearchCV(SoftMargin(), {"lambda_": [0.1, 1.0]})
>>> search.fit(data.X, data.y).best_params_
{'lambda_': 0.1}

Feature selection in a pipeline is repeated on each training set.  The selectors encode two
different labels as -1 and +1, and require numbers otherwise.
"""

import numpy as np

from mlcore import checks, svm
from mlcore.arrays import Matrix
from mlcore.boosting import adaboost
from mlcore.estimators import base
from mlcore.estimators.selectors import (
    BackwardSelection,
    ExhaustiveSelection,
    ForwardSelection,
    MutualInformationSelection,
    RecursiveElimination,
    UnivariateSelection,
)
from mlcore.generative import lda
from mlcore.l1_svm import l1_svm
from mlcore.lasso import lasso
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.linear import LinearScores
from mlcore.logistic import logistic, softmax_regression
from mlcore.multiclass import linear_machine, one_vs_one, one_vs_rest
from mlcore.neighbors import knn
from mlcore.perceptron import PerceptronFit, perceptron

__all__ = ["Lasso", "LeastSquares", "Ridge"]
__all__ += ["LDA", "Logistic", "Perceptron", "SoftmaxRegression"]
__all__ += ["L1SVM", "AdaBoost", "Pegasos", "SoftMargin", "SubgradientDescent"]
__all__ += ["KNN", "IndicatorRegression", "LinearMachine", "OneVsOne", "OneVsRest"]
__all__ += ["BackwardSelection", "ExhaustiveSelection", "ForwardSelection"]
__all__ += ["MutualInformationSelection", "RecursiveElimination", "UnivariateSelection"]


class LeastSquares(base.SampleWeightMixin, base.Regressor):
    """Least squares regression.  See `mlcore.least_squares.least_squares`."""

    _function = staticmethod(least_squares)

    def __init__(self, *, bias=True):
        self.bias = bias


class Ridge(base.SampleWeightMixin, base.Regressor):
    """Ridge regression, with the penalty |w|**2.  See `mlcore.least_squares.ridge`."""

    _function = staticmethod(ridge)

    def __init__(self, *, lambda_=1.0, bias=True):
        self.lambda_, self.bias = lambda_, bias


class Lasso(base.Regressor):
    """The lasso, with the penalty |w|_1.  See `mlcore.lasso.lasso`."""

    _function = staticmethod(lasso)

    def __init__(self, *, lambda_=1.0):
        self.lambda_ = lambda_


class Perceptron(base.PartialFitMixin, base.BinaryClassifier):
    """The perceptron.  See `mlcore.perceptron.perceptron`.

    n_iter_      the number of epochs
    partial_fit  makes one pass over X and y, from the current rule; the first call needs
                 `classes`, the two labels, unless y contains both
    """

    _advice = (
        "increase max_epochs, or, if no hyperplane separates the classes, use Logistic or "
        "SoftMargin"
    )
    _function = staticmethod(perceptron)

    def __init__(self, *, bias=True, start=None, max_epochs=100, rng=None):
        self.bias, self.start, self.max_epochs, self.rng = bias, start, max_epochs, rng

    @property
    def n_iter_(self):
        return len(self.rule_.mistakes)

    def _partial_fit(self, rule, X: Matrix, y):
        if rule is None:
            start = np.zeros(X.shape[1]) if self.start is None else self.start
            rule = PerceptronFit(start, 0.0, ())
        X = np.column_stack([X, np.full(len(X), float(self.bias))])
        options = {"start": np.append(rule.w, rule.b), "max_epochs": 1, "rng": self.rng}
        found = perceptron(X, y, bias=False, **options)  # b is the last weight
        mistakes = rule.mistakes + found.mistakes
        return PerceptronFit(found.w[:-1], float(found.w[-1]), mistakes)


class Logistic(base.MaxLikelihood, base.BinaryClassifier):
    """Logistic regression.  See `mlcore.logistic.logistic`."""

    _function = staticmethod(logistic)

    def __init__(
        self, *, lambda_=0.0, bias=True, tol=1e-12, max_steps=50, class_weight=None
    ):
        self.lambda_, self.bias, self.tol = lambda_, bias, tol
        self.max_steps, self.class_weight = max_steps, class_weight


class SoftmaxRegression(base.MaxLikelihood, base.ArgmaxClassifier):
    """Multinomial logistic regression.  See `mlcore.logistic.softmax_regression`."""

    _function = staticmethod(softmax_regression)

    def __init__(self, *, lambda_=0.0, tol=1e-12, max_steps=50, class_weight=None):
        self.lambda_, self.tol, self.max_steps = lambda_, tol, max_steps
        self.class_weight = class_weight


class LDA(base.LinearMixin, base.ProbaMixin, base.BinaryClassifier):
    """Linear discriminant analysis.  See `mlcore.generative.lda`."""

    _function = staticmethod(lda)


class SoftMargin(base.LinearMixin, base.WeightedClassifier, base.BinaryClassifier):
    """The soft margin support vector machine.  See `mlcore.svm.soft_margin`.

    support_  the indices of the support vectors
    n_iter_   the number of steps of the solver
    """

    _function = staticmethod(svm.soft_margin)

    def __init__(self, *, lambda_=0.01, bias=True, class_weight=None):
        self.lambda_, self.bias, self.class_weight = lambda_, bias, class_weight

    @property
    def support_(self):
        return self.rule_.support

    @property
    def n_iter_(self):
        return self.rule_.steps


class SubgradientDescent(base.LinearMixin, base.BinaryClassifier):
    """The SVM by subgradient descent.  See `mlcore.svm.subgradient_descent`."""

    _function = staticmethod(svm.subgradient_descent)

    def __init__(self, *, lambda_=0.01, steps=1000, bias=True):
        self.lambda_, self.steps, self.bias = lambda_, steps, bias


class Pegasos(base.PartialFitMixin, base.BinaryClassifier):
    """The SVM by stochastic subgradient descent.  See `mlcore.svm.pegasos`.

    partial_fit  as for `Perceptron`, in the given order; the step sizes continue to
                 decrease.  With `average`, the rule is the mean over the steps of the last
                 call, so each call needs many examples
    """

    _function = staticmethod(svm.pegasos)

    def __init__(self, *, lambda_=0.01, epochs=20, rng=0, batch=1, bias=True, average=True):
        self.lambda_, self.epochs, self.rng = lambda_, epochs, rng
        self.batch, self.bias, self.average = batch, bias, average

    def _partial_fit(self, rule, X: Matrix, y):
        batch = min(checks.integer("batch", self.batch, at_least=1), len(X))
        options = self.get_params() | {"epochs": 1, "rng": None, "batch": batch}
        return svm._pegasos(X, y, start=rule, **options)


class L1SVM(base.LinearMixin, base.BinaryClassifier):
    """The SVM with the penalty |w|_1.  See `mlcore.l1_svm.l1_svm`."""

    _function = staticmethod(l1_svm)

    def __init__(self, *, C=1.0):
        self.C = C


class AdaBoost(base.BinaryClassifier):
    """AdaBoost with stumps.  See `mlcore.boosting.adaboost`.

    It takes no sample_weight, since the initial weights matter little after some rounds.
    """

    _function = staticmethod(adaboost)

    def __init__(self, *, rounds=50, start="uniform", keep_weights=False):
        self.rounds, self.start, self.keep_weights = rounds, start, keep_weights


class IndicatorRegression(base.LinearMixin, base.ArgmaxClassifier):
    """Regression on class indicators.  See `mlcore.least_squares.indicator_regression`."""

    _function = staticmethod(indicator_regression)


class KNN(base.Classifier):
    """The k nearest neighbors, with rule_ = (X, y).  See `mlcore.neighbors.knn`."""

    def __init__(self, *, k=5):
        self.k = k

    def _fit_rule(self, X: Matrix, y, **weights):
        checks.integer("k", self.k, at_least=1, at_most=len(X))
        return X.copy(), y

    def _predict(self, X: Matrix):
        return knn(self.rule_[0], self.rule_[1], X, k=self.k).predicted

    def predict_proba(self, X) -> Matrix:
        """Return the class fractions among the k nearest neighbors of each row, as (n, K).

        In a tie, the fraction of the class that `predict` returns is larger by one unit in
        the last place, so that argmax agrees with `predict`.
        """
        X = self._validate_new(X)
        found = knn(self.rule_[0], self.rule_[1], X, k=self.k)
        votes = self.rule_[1][found.indices]
        fractions = (votes[..., None] == np.arange(len(self.classes_))).mean(axis=1)
        winners = np.arange(len(X)), found.predicted
        fractions[winners] = np.nextafter(fractions[winners], 1.0)
        return fractions


class OneVsOne(base.Reduction):
    """A binary classifier for each pair of classes.  See `mlcore.multiclass.one_vs_one`."""

    _function = staticmethod(one_vs_one)

    def __init__(self, estimator):
        self.estimator = estimator


class OneVsRest(base.LinearMixin, base.Reduction):
    """A binary classifier for each class.  See `mlcore.multiclass.one_vs_rest`.

    coef_ and intercept_ exist if the binary classifiers have them.
    """

    _function = staticmethod(one_vs_rest)

    def __init__(self, estimator, *, form="K"):
        self.estimator, self.form = estimator, form

    def _linear_rule(self):
        K, d = len(self.classes_), self.n_features_in_
        W, b = np.zeros((K, d)), np.zeros(K)  # with form="K-1", the last class scores 0
        for k, rule in enumerate(self.rule_.rules):
            W[k], b[k] = np.ravel(rule.coef_), np.ravel(rule.intercept_)[0]
        return LinearScores(self.classes_, W, b)


class LinearMachine(base.LinearMixin, base.Reduction):
    """A linear machine for all classes.  See `mlcore.multiclass.linear_machine`.

    estimator  a linear classifier of this module with bias=False
    """

    _function = staticmethod(linear_machine)

    def __init__(self, estimator):
        self.estimator = estimator

    def _fit_binary(self, X: Matrix, y):
        return super()._fit_binary(X, y).rule_

    def _scores(self, X: Matrix):
        return self.rule_.decision_function(X)
