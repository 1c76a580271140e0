"""The gradients of a loss of linear scores, and a pass of `sgd` along them.

A step over one example costs as little as Python allows: its arithmetic is that of
floats, and SciPy's BLAS takes a third of the time that NumPy takes to begin.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp

import numpy as np

from mlcore import losses
from mlcore.arrays import Matrix, Vector
from mlcore.losses import Loss

GATHERED = 2**14  # numbers of the rows that are put in order at a time, 128 kB

# The slopes of `mlcore.losses` for one margin, a float.  Python computes with floats in
# half the time that it takes for a float and an integer.
SLOPES: dict[Loss, Callable[[float], float]] = {
    losses.logistic: lambda z: -1.0 / (1.0 + exp(z)) if z < 700.0 else -exp(-z),
    losses.perceptron: lambda z: -1.0 if z <= 0.0 else 0.0,
    losses.hinge: lambda z: -1.0 if z < 1.0 else 0.0,
    losses.squared_hinge: lambda z: 2.0 * (z - 1.0) if z < 1.0 else 0.0,
    losses.squared: lambda z: 2.0 * (z - 1.0),
}
# For an array, where the exponential may overflow: in `sgd` that is no error.
OVERFLOWING = {losses.logistic: lambda z: -1.0 / (1.0 + np.exp(z))}


@dataclass(frozen=True, eq=False)
class LossGradient:
    """The gradients of loss(w @ row) + lambda_ / 2 |w|**2, one for each row.

    rows  (n, d) the rows y_i x_i
    """

    rows: Matrix
    loss: Loss
    lambda_: float

    def __call__(self, w, i):
        """The mean gradient over the rows i, at w: see `sgd`."""
        alone = np.ndim(i) < w.ndim
        rows = self.rows[np.expand_dims(i, -1) if alone else i]
        slope = self.loss.derivatives[1](np.einsum("...bd,...d->...b", rows, w))
        mean = np.einsum("...b,...bd->...d", slope, rows) / rows.shape[-2]
        return mean + self.lambda_ * w

    def go(self, w: Vector, order, sizes: Iterator, batch: int, total: Vector | None):
        """Take the steps of a pass from w, in place; their points are added to total."""
        step = self._single if batch == 1 else self._several
        length = batch * max(1, GATHERED // (batch * len(w)))
        for k in range(0, len(order), length):
            step(w, self.rows[order[k : k + length]], sizes, batch, total)

    def _single(self, w, rows, sizes, _, total):
        from scipy.linalg.blas import daxpy, ddot, dscal

        loss, price, d = self.loss, self.lambda_, len(w)
        slope = SLOPES.get(loss) or (lambda z: float(loss.derivatives[1](np.array(z))))
        for row, eta in zip(rows, sizes, strict=False):
            push = -eta * slope(ddot(row, w))
            if price:
                dscal(1.0 - eta * price, w)
            daxpy(row, w, d, push)
            if total is not None:
                daxpy(w, total)

    def _several(self, w, rows, sizes, batch, total):
        from scipy.linalg.blas import dgemv

        slope = OVERFLOWING.get(self.loss, self.loss.derivatives[1])
        price, starts = self.lambda_, range(0, len(rows), batch)
        for k, eta in zip(starts, sizes, strict=False):
            few = rows[k : k + batch]
            push = slope(few.dot(w))
            # w <- (1 - eta price) w - eta / len(few) * push @ few, as one product
            dgemv(-eta / len(few), few.T, push, 1 - eta * price, w, 0, 1, 0, 1, 0, 1)
            if total is not None:
                total += w
