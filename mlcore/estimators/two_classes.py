"""Classifiers of two classes as scikit-learn classes."""

import numpy as np

from mlcore import boosting, generative, l1_svm, logistic, perceptron, svm
from mlcore.estimators.base import BinaryClassifier, LinearClassifier, Probable
from mlcore.estimators.weights import Weighted, WeightedClassifier
from mlcore.options import check_integer

NO_MINIMUM = (
    "where a hyperplane separates classes, lambda_ must be above 0; else raise max_steps"
)


class Online(LinearClassifier):
    """A classifier that can go on from the examples it has seen to more of them."""

    def _more(self, X, y, classes):
        """Whether these are the first examples, X, and y as -1 and +1."""
        first = not hasattr(self, "rule_")
        X, y = self._examples(X, y, reset=first)
        if first:
            self.classes_ = np.unique(y if classes is None else classes)
            self._check_classes()
        other = np.setdiff1d(y, self.classes_)
        if other.size:
            raise ValueError(f"y must hold only {self.classes_}; got {other[0]!r}")
        return first, X, np.where(y == self.classes_[1], 1.0, -1.0)


class Perceptron(Online):
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
        first, X, signs = self._more(X, y, classes)
        start = np.zeros(X.shape[1]) if self.start is None else self.start
        before = perceptron.PerceptronFit(start, 0.0, ()) if first else self.rule_
        found = perceptron.perceptron(
            np.column_stack([X, np.full(len(X), float(self.bias))]),
            signs,
            bias=False,  # b is the weight of the last column
            start=np.append(before.w, before.b),
            max_epochs=1,
            rng=self.rng,
        )
        *w, b = found.w.tolist()
        mistakes = before.mistakes + found.mistakes
        self.rule_ = perceptron.PerceptronFit(np.array(w), b, mistakes)
        return self


class Logistic(WeightedClassifier, Probable, LinearClassifier):
    """Logistic regression.  See `mlcore.logistic.logistic`.

    n_iter_  the number of steps
    """

    _function = staticmethod(logistic.logistic)
    _remedy = NO_MINIMUM

    def __init__(
        self, *, lambda_=0.0, bias=True, tol=1e-12, max_steps=50, class_weight=None
    ):
        self.lambda_, self.bias = lambda_, bias
        self.tol, self.max_steps = tol, max_steps
        self.class_weight = class_weight

    @property
    def n_iter_(self):
        return len(self.rule_.values) - 1


class LDA(Probable, LinearClassifier):
    """Linear discriminant analysis.  See `mlcore.generative.lda`."""

    _function = staticmethod(generative.lda)


class SoftMargin(WeightedClassifier, LinearClassifier):
    """The support vector machine, solved exactly.  See `mlcore.svm.soft_margin`.

    support_  the indices of the support vectors
    n_iter_   the number of steps
    """

    _function = staticmethod(svm.soft_margin)
    _remedy = "scale the features, as StandardScaler does, and look for outliers"

    def __init__(self, *, lambda_=0.01, bias=True, class_weight=None):
        self.lambda_, self.bias, self.class_weight = lambda_, bias, class_weight

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


class Pegasos(Online):
    """The support vector machine by random steps.  See `mlcore.svm.pegasos`."""

    _function = staticmethod(svm.pegasos)

    def __init__(self, *, lambda_=0.01, epochs=20, rng=0, batch=1, bias=True, average=True):
        self.lambda_, self.epochs, self.rng = lambda_, epochs, rng
        self.batch, self.bias, self.average = batch, bias, average

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


class L1SVM(LinearClassifier):
    """The support vector machine with the penalty |w|_1.  See `mlcore.l1_svm.l1_svm`."""

    _function = staticmethod(l1_svm.l1_svm)

    def __init__(self, *, C=1.0):
        self.C = C


class AdaBoost(Weighted, BinaryClassifier):
    """A vote of stumps.  See `mlcore.boosting.adaboost`.

    It has no class_weight: after some rounds little is left of its first weights.
    """

    _function = staticmethod(boosting.adaboost)

    def __init__(self, *, rounds=50, start="uniform", keep_weights=False):
        self.rounds, self.start, self.keep_weights = rounds, start, keep_weights
