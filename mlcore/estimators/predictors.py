"""Linear functions and classifiers as scikit-learn classes."""

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone

from mlcore import (
    boosting,
    generative,
    l1_svm,
    lasso,
    least_squares,
    logistic,
    multiclass,
    neighbors,
    perceptron,
    svm,
)
from mlcore.arrays import Matrix
from mlcore.estimators.base import (
    Binary,
    Classifier,
    LinearBinary,
    LinearScored,
    Probable,
    Regressor,
    Scored,
    Weighted,
    WeightedClassifier,
)
from mlcore.options import check_integer


class LeastSquares(Weighted, Regressor, function=least_squares.least_squares):
    """The least sum of squares.  See `mlcore.least_squares.least_squares`."""


class Ridge(Weighted, Regressor, function=least_squares.ridge):
    """Least squares with the penalty |w|**2.  See `mlcore.least_squares.ridge`."""


class Lasso(Regressor, function=lasso.lasso):
    """Least squares with the penalty |w|_1.  See `mlcore.lasso.lasso`."""


class Online(LinearBinary):
    """A classifier that can go on from the examples it has seen to more of them."""

    def _more(self, X, y, classes):
        """Whether these are the first examples, X, and y as -1 and +1."""
        first = not hasattr(self, "rule_")
        X, y = self._checked(X, y, reset=first)
        if first:
            self.classes_ = np.unique(y if classes is None else classes)
            self._check_classes()
        other = np.setdiff1d(y, self.classes_)
        if other.size:
            raise ValueError(f"y must hold only {self.classes_}; got {other[0]!r}")
        return first, X, np.where(y == self.classes_[1], 1.0, -1.0)


class Perceptron(Online, function=perceptron.perceptron):
    """The perceptron.  See `mlcore.perceptron.perceptron`.

    n_iter_  the number of epochs
    """

    _remedy = (
        "raise max_epochs, or, where no hyperplane separates the classes, take "
        "Logistic or SoftMargin"
    )

    @property
    def n_iter_(self):
        return len(self.rule_.mistakes)

    def partial_fit(self, X, y, classes=None):
        """Go once over more examples, from where the rule is now; returns self.

        classes  the two labels, asked for in the first call unless y has both
        """
        first, X, signs = self._more(X, y, classes)
        start = np.zeros(X.shape[1]) if self.start is None else self.start
        before = perceptron.PerceptronFit(start, 0.0, ()) if first else self.rule_
        X = np.column_stack([X, np.full(len(X), float(self.bias))])
        options = {"start": np.append(before.w, before.b), "max_epochs": 1, "rng": self.rng}
        found = perceptron.perceptron(X, signs, bias=False, **options)  # b is the last w
        mistakes = before.mistakes + found.mistakes
        self.rule_ = perceptron.PerceptronFit(found.w[:-1], float(found.w[-1]), mistakes)
        return self


class MostLikely(WeightedClassifier, Probable):
    """The most likely weights, by steps."""

    _remedy = (
        "where a hyperplane separates classes, lambda_ must be above 0; else raise "
        "max_steps"
    )

    @property
    def n_iter_(self):
        return len(self.rule_.values) - 1


class Logistic(MostLikely, LinearBinary, function=logistic.logistic):
    """Logistic regression.  See `mlcore.logistic.logistic`.

    n_iter_  the number of steps
    """


class SoftmaxRegression(MostLikely, LinearScored, function=logistic.softmax_regression):
    """Logistic regression of K classes.  See `mlcore.logistic.softmax_regression`.

    n_iter_  the number of Newton steps
    """


class LDA(Probable, LinearBinary, function=generative.lda):
    """Linear discriminant analysis.  See `mlcore.generative.lda`."""


class SoftMargin(WeightedClassifier, LinearBinary, function=svm.soft_margin):
    """The support vector machine, solved exactly.  See `mlcore.svm.soft_margin`.

    support_  the indices of the support vectors
    n_iter_   the number of steps
    """

    _remedy = "scale the features, as StandardScaler does, and look for outliers"

    @property
    def support_(self):
        return self.rule_.support

    @property
    def n_iter_(self):
        return self.rule_.steps


class SubgradientDescent(LinearBinary, function=svm.subgradient_descent):
    """The support vector machine, step by step.  See `mlcore.svm.subgradient_descent`."""


class Pegasos(Online, function=svm.pegasos):
    """The support vector machine by random steps.  See `mlcore.svm.pegasos`."""

    def partial_fit(self, X, y, classes=None):
        """Go once over more examples, in their order, from where the last step led.

        The steps shrink on.  With `average` the rule is the mean over the steps of this
        call, so give it many examples at a time.  Returns self.

        classes  the two labels, asked for in the first call unless y has both
        """
        first, X, signs = self._more(X, y, classes)
        batch = min(check_integer("batch", self.batch, at_least=1), len(X))
        options = self.get_params() | {"epochs": 1, "rng": None, "batch": batch}
        before = None if first else self.rule_
        self.rule_ = svm._pegasos(X, signs, start=before, **options)
        return self


class L1SVM(LinearBinary, function=l1_svm.l1_svm):
    """The support vector machine with the penalty |w|_1.  See `mlcore.l1_svm.l1_svm`."""


class AdaBoost(Weighted, Binary, function=boosting.adaboost):
    """A vote of stumps.  See `mlcore.boosting.adaboost`.

    It has no class_weight: after some rounds little is left of its first weights.
    """


class IndicatorRegression(LinearScored, function=least_squares.indicator_regression):
    """Least squares of each class.  See `mlcore.least_squares.indicator_regression`."""


class KNN(Classifier, function=neighbors.knn):
    """The vote of the k nearest; rule_ is all examples.  See `mlcore.neighbors.knn`."""

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


class OneVsOne(Reduction, function=multiclass.one_vs_one):
    """Each pair of classes by itself.  See `mlcore.multiclass.one_vs_one`."""


class OneVsRest(Reduction, LinearScored, function=multiclass.one_vs_rest):
    """Each class against all others.  See `mlcore.multiclass.one_vs_rest`.

    coef_ and intercept_ are there where the estimator's rules have them.
    """

    def _all_planes(self):
        planes = np.zeros((len(self.classes_), self.n_features_in_ + 1))
        for plane, rule in zip(planes, self.rule_.rules, strict=False):
            plane[:] = np.append(rule.coef_, rule.intercept_)
        return planes[:, :-1], planes[:, -1]


class LinearMachine(Reduction, LinearScored, function=multiclass.linear_machine):
    """All classes at once.  See `mlcore.multiclass.linear_machine`.

    estimator  a linear classifier from above whose parameter bias is False
    """

    def _pair(self, X: Matrix, y):
        return super()._pair(X, y).rule_

    def _scores(self, X: Matrix):
        return self.rule_.decision_function(X)
