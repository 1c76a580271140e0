"""What a prediction costs: losses as functions of the margin z = y g(x).

The gradient of the mean loss of a linear score is X.T @ (y * slope(z)) / n, by the chain
rule.

Chapters: logistic, svm
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from mlcore import checks


@dataclass(frozen=True, eq=False)
class Loss:
    """A loss of the margin, as `hinge`, with `hinge.value(z)`, slope and curvature.

    name             what it is called
    bounds_zero_one  whether value(z) >= [z <= 0] for every z
    derivatives      value, slope and curvature as functions, as far as they exist
    lowest           the least margin whose value is a floating point number

    Each method takes margins z of any shape, in units of score, and returns numbers of the
    same shape.  Raises ValueError for nan, for z below lowest, and if the loss has no slope
    or no curvature.
    Source: Bartlett, Jordan and McAuliffe (2006), section 2, for convex upper bounds.
    """

    name: str
    bounds_zero_one: bool
    derivatives: tuple[Callable, ...] = field(repr=False)
    lowest: float = -np.inf

    def value(self, z):
        """The loss itself."""
        return self._derivative("value", 0, z)

    def slope(self, z):
        """The derivative; at a kink the subgradient that the book has chosen."""
        return self._derivative("slope", 1, z)

    def curvature(self, z):
        """The second derivative."""
        return self._derivative("curvature", 2, z)

    def _derivative(self, what: str, order: int, z):
        z = checks.array("z", z, at_least=self.lowest)
        if order >= len(self.derivatives):
            raise ValueError(f"the {self.name} loss has no {what}")
        return self.derivatives[order](z)[()]  # a number for a number


def _share(z):
    """The logistic function of -z, 1 / (1 + exp(z)), without overflow."""
    tail = np.exp(-np.abs(z))
    return np.where(z > 0, tail, 1.0) / (1.0 + tail)


#: [z <= 0]: a mistake costs 1, and z = 0 is one, as when nothing has been learned.
zero_one = Loss("zero_one", True, (lambda z: np.where(z <= 0, 1.0, 0.0),))

#: max(0, -z).  Its slope at the kink z = 0 is -1: 0 would stop the rule at its start 0.
perceptron = Loss(
    "perceptron",
    False,
    (lambda z: np.maximum(0.0, -z), lambda z: np.where(z <= 0, -1.0, 0.0)),
)

#: max(0, 1 - z).  Its slope at the kink z = 1 is 0: no update for a margin of 1.
hinge = Loss(
    "hinge", True, (lambda z: np.maximum(0.0, 1 - z), lambda z: np.where(z < 1, -1.0, 0.0))
)

#: max(0, 1 - z)**2.  At z = 1, where the slope has a kink, the curvature is 0.
squared_hinge = Loss(
    "squared_hinge",
    True,
    (
        lambda z: np.maximum(0.0, 1 - z) ** 2,
        lambda z: -2 * np.maximum(0.0, 1 - z),
        lambda z: np.where(z < 1, 2.0, 0.0),
    ),
)

#: ln(1 + exp(-z)), in nats.  At z = 0 it is ln 2 < 1; divided by ln 2 it is a bound.
logistic = Loss(
    "logistic",
    False,
    (
        lambda z: np.logaddexp(0.0, -z),
        lambda z: -_share(z),
        lambda z: _share(z) * _share(-z),
    ),
)

#: exp(-z), for z down to about -709.
exponential = Loss(
    "exponential",
    True,
    (lambda z: np.exp(-z), lambda z: -np.exp(-z), lambda z: np.exp(-z)),
    lowest=-np.log(np.finfo(float).max),  # exp(710) is infinite
)

#: (1 - z)**2, which is (y - score)**2 for labels -1 and +1.
squared = Loss(
    "squared",
    True,
    (lambda z: (1 - z) ** 2, lambda z: -2 * (1 - z), lambda z: np.full_like(z, 2.0)),
)
