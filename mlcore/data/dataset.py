"""What a data set is: examples, what is to be predicted, and what it all means."""

from dataclasses import dataclass

from mlcore.arrays import Matrix, Signs, Vector


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples, labels, and what they mean.

    X         (n, d) features, one example a row
    y         (n,) labels, -1 or +1
    features  d names, each with its unit
    classes   what the labels -1 and +1 stand for
    name      of the data set
    """

    X: Matrix
    y: Signs
    features: tuple[str, ...]
    classes: tuple[str, str]
    name: str


@dataclass(frozen=True, eq=False)
class Separable(Dataset):
    """Data with the hyperplane that separates them best.

    w_star  (d,) its normal vector, of length 1, pointing to the class +1
    b_star  its bias: y_i (w_star @ x_i + b_star) >= margin for every i
    margin  the largest possible margin of these data
    """

    w_star: Vector
    b_star: float
    margin: float


@dataclass(frozen=True, eq=False)
class Measured:
    """A `Dataset` with a number measured for each example, in place of labels.

    y       (n,) the numbers to predict
    target  what y is, with its unit
    """

    X: Matrix
    y: Vector
    features: tuple[str, ...]
    target: str
    name: str
