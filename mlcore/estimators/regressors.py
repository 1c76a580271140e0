"""Linear functions as scikit-learn classes."""

from mlcore import lasso, least_squares
from mlcore.estimators.base import Regressor
from mlcore.estimators.weights import Weighted


class LeastSquares(Weighted, Regressor):
    """The least sum of squares.  See `mlcore.least_squares.least_squares`."""

    _function = staticmethod(least_squares.least_squares)

    def __init__(self, *, bias=True):
        self.bias = bias


class Ridge(Weighted, Regressor):
    """Least squares with the penalty |w|**2.  See `mlcore.least_squares.ridge`."""

    _function = staticmethod(least_squares.ridge)

    def __init__(self, *, lambda_=1.0, bias=True):
        self.lambda_, self.bias = lambda_, bias


class Lasso(Regressor):
    """Least squares with the penalty |w|_1.  See `mlcore.lasso.lasso`."""

    _function = staticmethod(lasso.lasso)

    def __init__(self, *, lambda_=1.0):
        self.lambda_ = lambda_
