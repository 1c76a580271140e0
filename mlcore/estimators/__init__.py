"""The algorithms as scikit-learn classes, for pipelines, grid searches and displays.

Each class has the name of a function of `mlcore`, in scikit-learn's spelling, and its
keyword arguments; what they mean is said there.  A sample_weight belongs to `fit`; the
class_weight of some classes, a number for each label or "balanced", multiplies it.
A hard margin has no class, since most data have no hard margin: SoftMargin with a small
lambda_ finds it where there is one.
"""

from mlcore.estimators.many_classes import (
    KNN,
    IndicatorRegression,
    LinearMachine,
    OneVsOne,
    OneVsRest,
    SoftmaxRegression,
)
from mlcore.estimators.regressors import (
    Lasso,
    LeastSquares,
    Ridge,
)
from mlcore.estimators.selectors import (
    BackwardSelection,
    ExhaustiveSelection,
    ForwardSelection,
    MutualInformationSelection,
    RecursiveElimination,
    UnivariateSelection,
)
from mlcore.estimators.two_classes import (
    L1SVM,
    LDA,
    AdaBoost,
    Logistic,
    Pegasos,
    Perceptron,
    SoftMargin,
    SubgradientDescent,
)

__all__ = [
    "KNN",
    "L1SVM",
    "LDA",
    "AdaBoost",
    "BackwardSelection",
    "ExhaustiveSelection",
    "ForwardSelection",
    "IndicatorRegression",
    "Lasso",
    "LeastSquares",
    "LinearMachine",
    "Logistic",
    "MutualInformationSelection",
    "OneVsOne",
    "OneVsRest",
    "Pegasos",
    "Perceptron",
    "RecursiveElimination",
    "Ridge",
    "SoftMargin",
    "SoftmaxRegression",
    "SubgradientDescent",
    "UnivariateSelection",
]
