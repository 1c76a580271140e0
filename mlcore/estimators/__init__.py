"""The algorithms as scikit-learn classes, for pipelines, grid searches and displays.

Each class has the name of a function of `mlcore`, in scikit-learn's spelling, and its
keyword arguments; what they mean is said there.  A sample_weight belongs to `fit`; the
class_weight of some classes, a number for each label or "balanced", multiplies it.
A hard margin has no class, since most data have no hard margin: SoftMargin with a small
lambda_ finds it where there is one.

A ConvergenceWarning says that a method stopped before it had an answer to rely on: the
steps allowed were too few, or there is none.  Perceptron has no end if no hyperplane
separates the classes, and Logistic with lambda_=0.0 has no minimum if one does.  The
warning ends with what to do.

`coef_` and `predict` are as in scikit-learn, so that GridSearchCV chooses lambda_ and
CalibratedClassifierCV turns the scores of a SoftMargin into probabilities.

>>> from sklearn.model_selection import GridSearchCV
>>> from mlcore.data import breast_cancer
>>> data = breast_cancer()
>>> search = GridSearchCV(SoftMargin(), {"lambda_": [0.1, 1.0]})
>>> search.fit(data.X, data.y).best_params_
{'lambda_': 0.1}

A selection of features in a pipeline is part of the training.  Labels of two kinds count
there as -1 and +1, other y are taken as the numbers that they are.
"""

from types import SimpleNamespace

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone

from mlcore import checks, selection, svm
from mlcore.arrays import Matrix, Vector
from mlcore.boosting import adaboost
from mlcore.estimators import base
from mlcore.generative import lda
from mlcore.l1_svm import l1_svm
from mlcore.lasso import lasso
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.linear import LinearScores
from mlcore.logistic import logistic, softmax_regression
from mlcore.multiclass import linear_machine, one_vs_one, one_vs_rest
from mlcore.neighbors import knn
from mlcore.perceptron import PerceptronFit, perceptron


class LeastSquares(base.Weighted, base.Regressor, function=least_squares):
    """The least sum of squares.  See `mlcore.least_squares.least_squares`."""


class Ridge(base.Weighted, base.Regressor, function=ridge):
    """Least squares with the penalty |w|**2.  See `mlcore.least_squares.ridge`."""


class Lasso(base.Regressor, function=lasso):
    """Least squares with the penalty |w|_1.  See `mlcore.lasso.lasso`."""


class Perceptron(base.Online, function=perceptron):
    """The perceptron.  See `mlcore.perceptron.perceptron`.

    n_iter_      the number of epochs
    partial_fit  goes once over more X, y, from where the rule is now; its third argument
                 `classes`, the two labels, is asked for in the first call unless y has both
    """

    _remedy = (
        "raise max_epochs, or, where no hyperplane separates the classes, take "
        "Logistic or SoftMargin"
    )

    @property
    def n_iter_(self):
        return len(self.rule_.mistakes)

    def _more(self, rule, X: Matrix, y):
        if rule is None:
            start = np.zeros(X.shape[1]) if self.start is None else self.start
            rule = PerceptronFit(start, 0.0, ())
        X = np.column_stack([X, np.full(len(X), float(self.bias))])
        options = {"start": np.append(rule.w, rule.b), "max_epochs": 1, "rng": self.rng}
        found = perceptron(X, y, bias=False, **options)  # b is the last w
        mistakes = rule.mistakes + found.mistakes
        return PerceptronFit(found.w[:-1], float(found.w[-1]), mistakes)


class Logistic(base.MostLikely, base.Binary, function=logistic):
    """Logistic regression.  See `mlcore.logistic.logistic`.

    n_iter_  the number of steps
    """


class SoftmaxRegression(base.MostLikely, base.Scored, function=softmax_regression):
    """Logistic regression of K classes.  See `mlcore.logistic.softmax_regression`.

    n_iter_  the number of Newton steps
    """


class LDA(base.Linear, base.Probable, base.Binary, function=lda):
    """Linear discriminant analysis.  See `mlcore.generative.lda`."""


class SoftMargin(
    base.Linear, base.WeightedClassifier, base.Binary, function=svm.soft_margin
):
    """The support vector machine, solved exactly.  See `mlcore.svm.soft_margin`.

    support_  the indices of the support vectors
    n_iter_   the number of steps
    """

    @property
    def support_(self):
        return self.rule_.support

    @property
    def n_iter_(self):
        return self.rule_.steps


class SubgradientDescent(base.Linear, base.Binary, function=svm.subgradient_descent):
    """The support vector machine, step by step.  See `mlcore.svm.subgradient_descent`."""


class Pegasos(base.Online, function=svm.pegasos):
    """The support vector machine by random steps.  See `mlcore.svm.pegasos`.

    partial_fit  as for `Perceptron`, in the given order, and the steps shrink on.  With
                 `average` the rule is the mean over the steps of the last call, so give it
                 many examples at a time
    """

    def _more(self, rule, X: Matrix, y):
        batch = min(checks.integer("batch", self.batch, at_least=1), len(X))
        options = self.get_params() | {"epochs": 1, "rng": None, "batch": batch}
        return svm._pegasos(X, y, start=rule, **options)


class L1SVM(base.Linear, base.Binary, function=l1_svm):
    """The support vector machine with the penalty |w|_1.  See `mlcore.l1_svm.l1_svm`."""


class AdaBoost(base.Binary, function=adaboost):
    """A vote of stumps.  See `mlcore.boosting.adaboost`.

    It takes no weights: after some rounds little is left of the first ones.
    """


class IndicatorRegression(base.Linear, base.Scored, function=indicator_regression):
    """Least squares of each class.  See `mlcore.least_squares.indicator_regression`."""


class KNN(base.Classifier, function=knn):
    """The vote of the k nearest; rule_ is all examples.  See `mlcore.neighbors.knn`."""

    def _learn(self, X: Matrix, y, **given):
        checks.integer("k", self.k, at_least=1, at_most=len(X))
        return X.copy(), y

    def _predict(self, X: Matrix):
        return knn(self.rule_[0], self.rule_[1], X, k=self.k).predicted

    def predict_proba(self, X) -> Matrix:
        """The shares of the classes in the k nearest of each row of X (n, d), as (n, K).

        Of equal shares that of the class with the nearest example, which `predict`
        takes, is larger by one rounding.
        """
        X = self._new(X)
        found = knn(self.rule_[0], self.rule_[1], X, k=self.k)
        votes = self.rule_[1][found.indices]
        shares = (votes[..., None] == np.arange(len(self.classes_))).mean(axis=1)
        elected = np.arange(len(X)), found.predicted
        shares[elected] = np.nextafter(shares[elected], 1.0)
        return shares


class OneVsOne(base.Reduction, function=one_vs_one):
    """Each pair of classes by itself.  See `mlcore.multiclass.one_vs_one`."""


class OneVsRest(base.Linear, base.Reduction, function=one_vs_rest):
    """Each class against all others.  See `mlcore.multiclass.one_vs_rest`.

    coef_ and intercept_ are there where the estimator's rules have them.
    """

    def _linear(self):
        planes = np.zeros((len(self.classes_), self.n_features_in_ + 1))
        for plane, rule in zip(planes, self.rule_.rules, strict=False):
            plane[:] = np.append(rule.coef_, rule.intercept_)
        return LinearScores(self.classes_, planes[:, :-1], planes[:, -1])


class LinearMachine(base.Linear, base.Reduction, function=linear_machine):
    """All classes at once.  See `mlcore.multiclass.linear_machine`.

    estimator  a linear classifier from above whose parameter bias is False
    """

    def _pair(self, X: Matrix, y):
        return super()._pair(X, y).rule_

    def _scores(self, X: Matrix):
        return self.rule_.decision_function(X)


class ForwardSelection(base.Search, function=selection.forward, folds=5, rng=None):
    """Add the best feature, again and again.  See `mlcore.selection.forward`.

    folds  number of folds that measure the error
    rng    seed or Generator that deals the examples to folds; None: the given order
    """


class BackwardSelection(base.Search, function=selection.backward, folds=5, rng=None):
    """Remove the worst feature, again and again.  See `mlcore.selection.backward`.

    folds, rng  as for `ForwardSelection`
    """


class ExhaustiveSelection(base.Search, function=selection.exhaustive, folds=5, rng=None):
    """The best of all subsets.  See `mlcore.selection.exhaustive`.

    folds, rng  as for `ForwardSelection`
    """


class UnivariateSelection(
    base.Selector, function=selection.univariate, count=1, measure="correlation"
):
    """The `count` features that rank first.  See `mlcore.selection.univariate`.

    measure  its `score`; to scikit-learn that name is a method
    """

    def _choose(self, X: Matrix, y: Vector):
        found = self._function(X, y, score=self.measure)
        return found, self._first(found.order)


class MutualInformationSelection(
    base.Selector, function=selection.mutual_information, count=1
):
    """The `count` features that say most.  See `mlcore.selection.mutual_information`.

    Here y are labels of any number of kinds.
    """

    def _choose(self, X: Matrix, y: Vector):
        found = self._function(X, y, bins=self.bins)
        return found, self._first(np.argsort(-found, kind="stable"))

    def _target(self, y):
        return np.unique(y, return_inverse=True)[1]


class RecursiveElimination(
    MetaEstimatorMixin, base.Selector, function=selection.recursive_elimination, count=1
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
