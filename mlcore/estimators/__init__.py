"""The algorithms as scikit-learn classes, for pipelines, grid searches and displays.

Each class has the name of a function of `mlcore`, in scikit-learn's spelling, and its
keyword arguments; what they mean is said there.
A hard margin has no class, since most data have no hard margin: SoftMargin with a small
lambda_ finds it where there is one.
"""

from mlcore.estimators.classifiers import (
    KNN,
    L1SVM,
    LDA,
    AdaBoost,
    IndicatorRegression,
    LinearMachine,
    Logistic,
    OneVsOne,
    OneVsRest,
    Pegasos,
    Perceptron,
    SoftMargin,
    SoftmaxRegression,
    SubgradientDescent,
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
