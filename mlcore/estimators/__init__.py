"""The algorithms as scikit-learn classes, for pipelines, grid searches and displays.

Each class has the name of a function of `mlcore`, in scikit-learn's spelling, and its
keyword arguments; what they mean is said there.  A sample_weight belongs to `fit`; the
class_weight of some classes, a number for each label or "balanced", multiplies it.
A hard margin has no class, since most data have no hard margin: SoftMargin with a small
lambda_ finds it where there is one.

A ConvergenceWarning says that a method stopped before it had an answer to rely on: the
steps allowed were too few, or there is none.  Perceptron never stops if no hyperplane
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
"""

from mlcore.estimators.predictors import (
    KNN,
    L1SVM,
    LDA,
    AdaBoost,
    IndicatorRegression,
    Lasso,
    LeastSquares,
    LinearMachine,
    Logistic,
    OneVsOne,
    OneVsRest,
    Pegasos,
    Perceptron,
    Ridge,
    SoftMargin,
    SoftmaxRegression,
    SubgradientDescent,
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
