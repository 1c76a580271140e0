"""Losses as functions of the margin z = y g(x).

By the chain rule, the gradient of the mean loss of a linear score is
X.T @ (y * slope(z)) / n.

Chapters: logistic, svm
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from mlcore import checks


@dataclass(frozen=True, eq=False)
class Loss:
    """A loss as a function of the margin, for example `hinge`.

    name             the name in error messages
    bounds_zero_one  whether value(z) >= [z <= 0] for every z
    derivatives      the functions value, slope and curvature, or those that exist
    lowest           the smallest margin whose loss is finite in float64

    Each method maps an array of margins z, of any shape, to an array of this shape.
    Raises ValueError for nan, z below lowest, and a loss without slope or curvature.
    Source: Bartlett, Jordan and McAuliffe (2006), section 2, for convex upper bounds.
    """

    name: str
    bounds_zero_one: bool
    derivatives: tuple[Callable, ...] = field(repr=False)
    lowest: float = -np.inf

    def value(self, z):
        """Return the loss."""
        return self._derivative("value", 0, z)

    def slope(self, z):
        """Return the derivative; at a kink, the subgradient documented with the loss."""
        return self._derivative("slope", 1, z)

    def curvature(self, z):
        """Return the second derivative."""
        return self._derivative("curvature", 2, z)

    def _derivative(self, kind: str, order: int, z):
        z = checks.array("z", z, at_least=self.lowest)
        if order >= len(self.derivatives):
            raise ValueError(f"the {self.name} loss has no {kind}")
        return self.derivatives[order](z)[()]  # a number if z is a number


def _sigmoid(z):
    """Compute 1 / (1 + exp(-z)) without overflow."""
    exp_neg = np.exp(-np.abs(z))
    return np.where(z < 0, exp_neg, 1.0) / (1.0 + exp_neg)


#: [z <= 0].  The margin z = 0 counts as a mistake.
zero_one = Loss("zero_one", True, (lambda z: np.where(z <= 0, 1.0, 0.0),))

#: max(0, -z).  The slope at the kink z = 0 is -1; a slope of 0 would never change w = 0.
perceptron = Loss(
    "perceptron",
    False,
    (lambda z: np.maximum(0.0, -z), lambda z: np.where(z <= 0, -1.0, 0.0)),
)

#: max(0, 1 - z).  The slope at the kink z = 1 is 0: no update for a margin of 1.
hinge = Loss(
    "hinge", True, (lambda z: np.maximum(0.0, 1 - z), lambda z: np.where(z < 1, -1.0, 0.0))
)

#: max(0, 1 - z)**2.  The curvature at the kink of the slope, z = 1, is 0.
squared_hinge = Loss(
    "squared_hinge",
    True,
    (
        lambda z: np.maximum(0.0, 1 - z) ** 2,
        lambda z: -2 * np.maximum(0.0, 1 - z),
        lambda z: np.where(z < 1, 2.0, 0.0),
    ),
)

#: ln(1 + exp(-z)), in nats.  Divided by ln 2, it bounds the zero-one loss.
logistic = Loss(
    "logistic",
    False,
    (
        lambda z: np.logaddexp(0.0, -z),
        lambda z: -_sigmoid(-z),
        lambda z: _sigmoid(z) * _sigmoid(-z),
    ),
)

#: exp(-z), for z >= -709.78.
exponential = Loss(
    "exponential",
    True,
    (lambda z: np.exp(-z), lambda z: -np.exp(-z), lambda z: np.exp(-z)),
    lowest=-np.log(np.finfo(float).max),  # exp(710) overflows
)

#: (1 - z)**2, which is (y - score)**2 for labels -1 and +1.
squared = Loss(
    "squared",
    True,
    (lambda z: (1 - z) ** 2, lambda z: -2 * (1 - z), lambda z: np.full_like(z, 2.0)),
)
