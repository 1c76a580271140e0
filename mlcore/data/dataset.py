"""Data sets: examples, the values to predict, and the names of both."""

from dataclasses import dataclass

from mlcore.arrays import Matrix, Signs, Vector


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples and labels, with their names.

    X         (n, d) features, one example a row
    y         (n,) labels, -1 or +1
    features  d feature names, each with its unit
    classes   the names of the classes -1 and +1
    name      the name of the data set
    """

    X: Matrix
    y: Signs
    features: tuple[str, ...]
    classes: tuple[str, str]
    name: str


@dataclass(frozen=True, eq=False)
class Separable(Dataset):
    """A data set with its maximum margin hyperplane.

    w_star  (d,) normal vector of length 1, pointing to the class +1
    b_star  bias: y_i (w_star @ x_i + b_star) >= margin for every i
    margin  the largest margin of any hyperplane
    """

    w_star: Vector
    b_star: float
    margin: float


@dataclass(frozen=True, eq=False)
class RegressionData:
    """Examples and a number to predict for each; other fields as in `Dataset`.

    y       (n,) the numbers to predict
    target  the name of y, with its unit
    """

    X: Matrix
    y: Vector
    features: tuple[str, ...]
    target: str
    name: str
