"""What a hyperplane {x : w @ x + b = 0} knows about a point, and about a data set."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector
from mlcore.checks import (
    check_data,
    check_flag,
    check_matrix,
    check_number,
    check_vector,
    check_weights,
)
from mlcore.halfspaces import EPS, highest_least, nearest_to_origin
from mlcore.linear import LinearRule

NO_MARGIN = 1e-12  # what is below this part of the data's size is rounding
CONSTANT = 1e-250  # a feature that varies by less counts as constant
PROOF = 1e-9  # how far a certificate may be off, in features of size 1


def signed_distance(X: Matrix, w: Vector, b: float) -> Vector:
    """Find how far each point is from the hyperplane, and on which side.

    X  (n, d) points, one a row, in any unit
    w  (d,) normal vector, not zero
    b  bias

    Returns (n,), in the unit of X: positive on the side that w points to.
    Raises ValueError for wrong shapes, nan, or w = 0.
    """
    X, unit, offset = _points_and_plane(X, w, b)
    return X @ unit + offset


def project(X: Matrix, w: Vector, b: float) -> Matrix:
    """Find the point of the hyperplane that is nearest to each point.

    X  (n, d) points; w (d,) normal vector, not zero; b bias

    Returns (n, d), in the unit of X.  Raises ValueError as `signed_distance` does.
    """
    X, unit, offset = _points_and_plane(X, w, b)
    return X - np.outer(X @ unit + offset, unit)


def foot_of_origin(w: Vector, b: float) -> Vector:
    """Find the point of the hyperplane nearest to the origin: -b w / |w|**2, (d,).

    It lies in the direction of w exactly if b < 0.
    Raises ValueError for nan or w = 0.
    """
    unit, offset = _normal_form(check_weights("w", w), b)
    return -offset * unit


def augment(X: Matrix, *, constant: float = 1.0) -> Matrix:
    """Append a constant feature, the last one, so that a bias becomes a weight.

    X         (n, d) points
    constant  above 0; with 1 the weight is b itself, else b / constant

    Returns (n, d + 1).  Raises ValueError for wrong shapes, nan, constant <= 0.
    """
    X = check_matrix("X", X)
    constant = check_number("constant", constant, above=0.0)
    return np.column_stack([X, np.full(len(X), constant)])


def functional_margin(X: Matrix, y: Signs, w: Vector, b: float) -> Vector:
    """Find z = y (w @ x + b) for each example: positive if it is on its own side.

    X  (n, d) examples; y (n,) labels, -1 or +1; w (d,), may be 0; b bias

    Returns (n,), in the unit of the score.  Raises ValueError for wrong shapes, nan or
    other labels.
    """
    X, y = check_data(X, y)
    w = check_vector("w", w, length=X.shape[1])
    return y * (X @ w + check_number("b", b))


def geometric_margin(X: Matrix, y: Signs, w: Vector, b: float) -> Vector:
    """Find the distance to the hyperplane for each example, below 0 on the wrong side.

    X  (n, d) examples; y (n,) labels, -1 or +1; w (d,) not zero; b bias

    Returns (n,), in the unit of X: the functional margin over |w|, b not counted in.
    Raises ValueError for wrong shapes, nan, other labels, or w = 0.
    """
    X, y = check_data(X, y)
    return y * signed_distance(X, w, b)


def _points_and_plane(X, w, b):
    X = check_matrix("X", X)
    return X, *_normal_form(check_weights("w", w, length=X.shape[1]), b)


def _normal_form(w: Vector, b: float) -> tuple[Vector, float]:
    """The same hyperplane with a normal vector of length 1."""
    size = float(np.abs(w).max())  # divided out first: no square overflows or vanishes
    b = check_number("b", b)
    if abs(b) * 1e-300 > size:
        raise ValueError(f"b must be at most 1e+300 times |w|; got b = {b!r} for w = {w}")
    length = float(np.linalg.norm(w / size))
    return w / size / length, b / size / length


@dataclass(frozen=True, eq=False)
class MaxMargin(LinearRule):
    """The separating hyperplane that is farthest from all examples, with |w| = 1.

    margin   gamma, the smallest geometric margin, in the unit of X; 0 if there is none
    weights  (n,) at least 0, their sum is 1 (in each class, if there is a bias); above
             0 only at support vectors.  If not separable, they prove it: the points
             y_i x_i (or the two classes) with these weights have the mean 0 (the same)
    """

    margin: float
    weights: Vector

    @property
    def separable(self) -> bool:
        return self.margin > 0


def max_margin(X: Matrix, y: Signs, *, bias: bool = True) -> MaxMargin:
    """Find the hyperplane with the largest margin, exactly.

    X     (n, d) examples, one a row, in any unit
    y     (n,) labels, -1 or +1; both must occur if there is a bias
    bias  whether the hyperplane may miss the origin

    Returns w (d,) of length 1, b, the margin and the weights.  Look at `.separable`
    first: if no hyperplane separates, w, b and the margin are 0.  A margin below 1e-12
    of the size of the data is rounding, and counts as none.
    The nearest point of a polytope to the origin gives all of them: of the hull of
    y_i x_i without bias, of the differences between the two classes with it.
    Raises ValueError for wrong shapes, nan, other labels, one class with bias=True.
    Source: Wolfe (1976), the algorithm; Bennett and Bredensteiner (2000), the hulls.
    """
    X, y = check_data(X, y)
    bias = check_flag("bias", bias)
    if bias and abs(y.sum()) == len(y):
        raise ValueError(f"y must hold both -1 and +1 with a bias; got only {y[0]:g}")
    center = X.mean(axis=0) if bias else np.zeros(X.shape[1])
    Z = y[:, None] * (X - center)
    size = max(Z.max(), -Z.min()) or 1.0
    Z, basis = Z / size, None
    if X.shape[1] > len(X):  # the answer lies in the span of the rows
        basis, triangle = np.linalg.qr(Z.T)
        Z = triangle.T
    classes = [y == 1, y == -1] if bias else [np.full(len(y), True)]
    hulls = [Z[members] for members in classes]
    w, parts = nearest_to_origin(hulls)
    weights = np.empty(len(y))
    for members, part in zip(classes, parts, strict=True):
        weights[members] = part
    w = w / (np.linalg.norm(w) or 1.0)
    lowest = [(hull @ w).min() for hull in hulls]
    margin = size * np.mean(lowest)
    rounding = len(center) * EPS * np.abs(center).max()
    if margin <= max(NO_MARGIN * size, rounding):
        return MaxMargin(np.zeros(X.shape[1]), 0.0, 0.0, weights)
    w = w if basis is None else basis @ w
    middle = size * (lowest[0] - lowest[-1]) / 2  # between the classes, from center
    b = float(-middle - w @ center) if bias else 0.0
    return MaxMargin(w, b, float(margin), weights)


@dataclass(frozen=True, eq=False)
class Halfspace(LinearRule):
    """A separating hyperplane, or the proof that there is none.

    certificate  None if y_i (w @ x_i + b) >= 1 for all i; else w and b are 0, and this
                 is (n,) a >= 0 with sum 1 and sum_i a_i y_i (x_i, 1) = 0
    """

    certificate: Vector | None

    @property
    def separable(self) -> bool:
        return self.certificate is None


def separating_halfspace(X: Matrix, y: Signs, *, bias: bool = True) -> Halfspace:
    """Decide by linear programming whether a hyperplane separates the classes.

    X     (n, d) examples, one a row, each feature in any unit; one that varies by less
          than 1e-250 counts as constant
    y     (n,) labels, -1 or +1; with one class alone, w may be 0 and b decide
    bias  whether the hyperplane may miss the origin; if False, b is 0 and the last
          equation of the certificate, sum_i a_i y_i = 0, is not asked for

    Returns w, b with y_i (w @ x_i + b) >= 1, or the certificate.  Look at `.separable`.
    Whichever it is has been checked by arithmetic, the solver is not taken at its word:
    the inequalities beyond rounding, the equations to 1e-9 of the range of a feature.
    Raises ValueError for wrong shapes, nan or other labels; ArithmeticError if the
    solver finds neither.
    Source: Gordan (1873): exactly one of the two exists.
    """
    X, y = check_data(X, y)
    d, bias = X.shape[1], check_flag("bias", bias)
    center = X.min(axis=0) / 2 + X.max(axis=0) / 2 if bias else np.zeros(d)
    spread = np.abs(X - center).max(axis=0)
    unit = np.where(spread > CONSTANT, spread, np.inf)
    Z = (X - center) / unit
    rows = y[:, None] * (augment(Z) if bias else Z)
    v, a = highest_least(rows)
    w = v[:d] / unit
    b = float(v[d] - w @ center) if bias else 0.0
    z = y * (X @ w + b)
    rounding = (d + 2) * EPS * (np.abs(X) @ np.abs(w) + abs(b))
    if (z > rounding).all():
        return Halfspace(w / z.min(), b / float(z.min()), None)
    if np.abs(a @ rows).max() > PROOF + 2 * rounding.max():
        raise ArithmeticError("the solver found neither a hyperplane nor a proof")
    return Halfspace(np.zeros(d), 0.0, a)


def shatters(X: Matrix) -> bool:
    """Decide whether halfspaces give the points every labeling.

    X  (n, d) points, at most 12

    Raises ValueError for a wrong shape, nan, or more than 12 points.
    Source: Vapnik and Chervonenkis (1971), the definition.
    """
    X = check_matrix("X", X)
    if len(X) > 12:
        raise ValueError(f"X must have at most 12 rows, 2**n are tried; got {len(X)}")
    rest = product((-1.0, 1.0), repeat=len(X) - 1)  # y and -y separate alike
    return all(separating_halfspace(X, [1.0, *signs]).separable for signs in rest)
