"""Sliders of animations and interactive figures: stops, and the values between them."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real

from halfspaces.formatting import format_number


@dataclass(frozen=True, eq=False)
class Slider:
    """One parameter of a drawing function and its values in order.

    name   name of the parameter
    stops  the values with a stored picture
    """

    name: str
    stops: list

    @property
    def title(self) -> str:
        return self.name.replace("_", " ")

    @property
    def labels(self) -> list[str]:
        return [s if isinstance(s, str) else format_number(s, "plain") for s in self.stops]

    @property
    def positions(self) -> list[float]:
        """Positions of the stops on the slider; their log10 if the kind is "ratio"."""
        if self.kind == "stops":
            return [float(k) for k in range(len(self.stops))]
        return [math.log10(s) if self.kind == "ratio" else float(s) for s in self.stops]

    def to_page(self) -> dict:
        """Return the slider as a dictionary, for the page."""
        low, high = min(self.positions), max(self.positions)
        step = 1 if self.kind in ("stops", "whole") else (high - low) / 200
        scale = {"low": low, "high": high, "step": float(step)}
        names = {"title": self.title, "kind": self.kind, "labels": self.labels}
        return names | scale | {"start": self.positions[0], "stops": self.positions}

    def value_at(self, position: float):
        """Return the value at a position, which may be between two stops."""
        if self.kind == "stops":
            return self.stops[round(position)]
        if self.kind == "whole":
            return round(position)
        return 10**position if self.kind == "ratio" else position

    @property
    def kind(self) -> str:
        """Type of the values between the stops.

        "whole"  whole numbers
        "real"   real numbers
        "ratio"  real numbers on a logarithmic scale, if max >= 20 * min > 0
        "stops"  none
        """
        if not all(isinstance(stop, Real) for stop in self.stops):
            return "stops"
        if all(isinstance(stop, Integral) for stop in self.stops):
            return "whole"
        return "ratio" if 0 < 20 * min(self.stops) <= max(self.stops) else "real"


def sliders(values: dict[str, Iterable], count: int) -> list[Slider]:
    """Return a slider for each parameter.

    Raises ValueError unless there are `count` parameters with at least two values each.
    """
    result = [Slider(name, list(stops)) for name, stops in values.items()]
    if len(result) != count or any(len(slider.stops) < 2 for slider in result):
        sizes = {slider.name: len(slider.stops) for slider in result}
        rule = f"values must map {count} parameters to at least 2 values each"
        raise ValueError(f"{rule}; got {sizes}")
    return result
