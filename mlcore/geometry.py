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
    check_signs,
    check_weights,
)
from mlcore.linear import LinearRule
from mlcore.polytope import nearest_to_origin


def signed_distance(X: Matrix, w: Vector, b: float) -> Vector:
    """Find how far each point is from the hyperplane, and on which side.

    X  (n, d) points, one a row, in any unit
    w  (d,) normal vector, not zero
    b  bias

    Returns (n,), in the unit of X: positive on the side that w points to.
    Raises ValueError for wrong shapes, nan, or w = 0.
    """
    X, w, b = _points_and_plane(X, w, b)
    unit, offset = _normal_form(w, b)
    return X @ unit + offset


def project(X: Matrix, w: Vector, b: float) -> Matrix:
    """Find the point of the hyperplane that is nearest to each point.

    X  (n, d) points; w (d,) normal vector, not zero; b bias

    Returns (n, d), in the unit of X.  Raises ValueError as `signed_distance` does.
    """
    X, w, b = _points_and_plane(X, w, b)
    unit, offset = _normal_form(w, b)
    return X - np.outer(X @ unit + offset, unit)


def foot_of_origin(w: Vector, b: float) -> Vector:
    """Find the point of the hyperplane nearest to the origin: -b w / |w|**2, (d,).

    It lies in the direction of w exactly if b < 0.
    Raises ValueError for nan or w = 0.
    """
    w = check_weights("w", w)
    unit, offset = _normal_form(w, check_number("b", b))
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
    """Find z = y (w @ x + b) for each example, (n,): positive if it is on its own side.

    X (n, d), y (n,) of -1 and +1, w (d,), b.  Raises ValueError for wrong input.
    """
    X, w, b = _points_and_plane(X, w, b)
    return check_signs("y", y, length=len(X)) * (X @ w + b)


def geometric_margin(X: Matrix, y: Signs, w: Vector, b: float) -> Vector:
    """Find the distance to the hyperplane for each example, negative on the wrong side.

    X (n, d), y (n,) of -1 and +1, w (d,) not zero, b.  Returns (n,), in the unit of X.
    Raises ValueError for wrong input.
    """
    X, w, b = _points_and_plane(X, w, b)
    return check_signs("y", y, length=len(X)) * signed_distance(X, w, b)


def _points_and_plane(X, w, b):
    X = check_matrix("X", X)
    return X, check_weights("w", w, length=X.shape[1]), check_number("b", b)


def _normal_form(w: Vector, b: float) -> tuple[Vector, float]:
    """The same hyperplane with a normal vector of length 1."""
    size = np.abs(w).max()  # divided out first: no square overflows or vanishes
    length = np.linalg.norm(w / size)
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
    first: if no hyperplane separates, w, b and the margin are 0.  The nearest point of
    a polytope to the origin gives all of them: of the hull of y_i x_i without bias, of
    the differences of the two classes with it.
    Raises ValueError for wrong shapes, nan, other labels, one class with bias=True.
    Source: Wolfe (1976), the algorithm; Bennett and Bredensteiner (2000), the hulls.
    """
    X, y = check_data(X, y)
    bias = check_flag("bias", bias)
    if bias and abs(y.sum()) == len(y):
        raise ValueError(f"y must hold both -1 and +1 with a bias; got only {y[0]:g}")
    scale = np.abs(X).max() or 1.0
    Z, basis = X / scale, None
    if Z.shape[1] > len(Z):  # the answer lies in the span of the rows
        basis, triangle = np.linalg.qr(Z.T)
        Z = triangle.T
    find = _nearest_difference if bias else _nearest_signed
    p, weights = find(Z, y)
    length = np.linalg.norm(p)
    w = p / length if length else p
    g = Z @ w
    b = -(g[y > 0].min() + g[y < 0].max()) / 2 if bias else 0.0
    margin = (y * (g + b)).min()
    if margin <= 1e-13 * np.abs(Z).max():  # what remains is rounding
        return MaxMargin(np.zeros(X.shape[1]), 0.0, 0.0, weights)
    w = w if basis is None else basis @ w
    return MaxMargin(w, float(b * scale), float(margin * scale), weights)


def _nearest_signed(Z, y):
    rows = y[:, None] * Z

    def vertex(p):
        i = int(np.argmin(rows @ p))
        return (i,), rows[i]

    p, weights = nearest_to_origin(vertex, Z.shape[1])
    a = np.zeros(len(y))
    for (i,), weight in weights.items():
        a[i] += weight
    return p, a


def _nearest_difference(Z, y):
    positive, negative = np.flatnonzero(y > 0), np.flatnonzero(y < 0)

    def vertex(p):
        g = Z @ p
        i, j = positive[g[positive].argmin()], negative[g[negative].argmax()]
        return (int(i), int(j)), Z[i] - Z[j]

    p, weights = nearest_to_origin(vertex, Z.shape[1])
    a = np.zeros(len(y))
    for (i, j), weight in weights.items():
        a[i] += weight
        a[j] += weight
    return p, a


@dataclass(frozen=True, eq=False)
class Halfspace(LinearRule):
    """A separating hyperplane, or the proof that there is none.

    separable    whether y_i (w @ x_i + b) >= 1 for all i; if not, w and b are 0
    certificate  (n,) a >= 0 with sum 1 and sum_i a_i y_i (x_i, 1) = 0, or None
    """

    separable: bool
    certificate: Vector | None


def separating_halfspace(X: Matrix, y: Signs, *, bias: bool = True) -> Halfspace:
    """Decide by linear programming whether a hyperplane separates the classes.

    X     (n, d) examples, one a row, in any unit
    y     (n,) labels, -1 or +1
    bias  whether the hyperplane may miss the origin; if False, b is 0 and the last
          equation of the certificate, sum_i a_i y_i = 0, is not asked for

    Returns w, b with y_i (w @ x_i + b) >= 1, or the certificate.  Look at `.separable`.
    Raises ValueError for wrong shapes, nan or other labels.
    Source: Gordan (1873): exactly one of the two exists.
    """
    from scipy.optimize import linprog

    X, y = check_data(X, y)
    scale = np.abs(X).max() or 1.0
    Z = X / scale
    rows = y[:, None] * (augment(Z) if check_flag("bias", bias) else Z)
    n, p = rows.shape
    found = linprog(np.zeros(p), A_ub=-rows, b_ub=-np.ones(n), bounds=(None, None))
    if found.status == 0 and (least := (rows @ found.x).min()) > 0:
        v = found.x / least  # so that the least is 1, whatever the solver tolerates
        w, b = (v[:-1], v[-1]) if bias else (v, 0.0)
        return Halfspace(w / scale, float(b), True, None)
    sums = np.vstack([rows.T, np.ones(n)])
    target = np.append(np.zeros(p), 1.0)
    proof = linprog(np.zeros(n), A_eq=sums, b_eq=target, bounds=(0, None))
    a = np.maximum(proof.x, 0.0)
    return Halfspace(np.zeros(X.shape[1]), 0.0, False, a / a.sum())


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
