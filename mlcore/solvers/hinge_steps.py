"""Steps against subgradients of the hinge loss over a few examples each.

SciPy's BLAS takes a third of the time that NumPy takes to begin with a short vector.
"""

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector


def dealt(X: Matrix, y: Signs, bias: bool, deal) -> Matrix:
    """The rows y_i (x_i, 1), or y_i (x_i, 0) without bias, in this order."""
    rows = np.empty((len(X), X.shape[1] + 1))
    for k in range(0, len(X), 4096):  # not all of X twice
        part = deal[k : k + 4096]
        np.multiply(X[part], y[part, None], out=rows[k : k + 4096, :-1])
    rows[:, -1] = y[deal] * bias
    return rows


def walk(v: Vector, rows: Matrix, order: list, done: int, lambda_: float, total: Vector):
    """Take a step for each batch of the order, after those done, and change v in place.

    v is (w, b); total gets the sum of all points.  There are as many batches of
    consecutive rows as steps, none longer by more than a row.
    """
    step_along = _single if len(order) == len(rows) else _several
    step_along(v, rows, order, done, lambda_, total)


def mean_hinge(rows: Matrix, v: Vector, lambda_: float) -> float:
    """J at v = (w, b)."""
    loss = np.maximum(0.0, 1.0 - rows.dot(v)).mean()
    return float(loss + lambda_ * v[:-1].dot(v[:-1]) / 2)


def _single(v: Vector, rows: Matrix, order: list, done: int, lambda_: float, total: Vector):
    """Take steps of a row each."""
    from scipy.linalg.blas import daxpy, ddot, dscal

    w, length = v[:-1], len(v)
    for t, k in enumerate(order, start=done + 1):
        row = rows[k]
        hit = ddot(row, v) < 1.0
        dscal(1.0 - 1.0 / t, w)
        if hit:
            daxpy(row, v, length, 1.0 / (lambda_ * t))
        daxpy(v, total)


def _several(
    v: Vector, rows: Matrix, order: list, done: int, lambda_: float, total: Vector
):
    """The same for batches of several rows."""
    from scipy.linalg.blas import daxpy, dgemv, dscal

    size, longer = divmod(len(rows), len(order))
    w, one = v[:-1], np.array(1.0)  # a float would be made an array in each comparison
    for t, k in enumerate(order, start=done + 1):
        first = k * size + min(k, longer)
        few = rows[first : first + size + (k < longer)]
        hit = (few.dot(v) < one).astype(float)
        dscal(1.0 - 1.0 / t, w)
        # v <- v + eta / len(few) * hit @ few
        dgemv(1.0 / (lambda_ * t * len(few)), few.T, hit, 1.0, v, 0, 1, 0, 1, 0, True)
        daxpy(v, total)
