"""The parameters of a moving picture: their stops, and what lies between these."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real

from halfspaces.formatting import format_number


@dataclass(frozen=True, eq=False)
class Slider:
    """One parameter and its values in order.

    name   of the parameter, as the drawing function has it
    stops  the values for which a picture is stored
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
    def places(self) -> list[float]:
        """Where the stops lie on the slider: their logarithms, if it is one of ratios."""
        if self.kind == "stops":
            return [float(k) for k in range(len(self.stops))]
        return [math.log10(s) if self.kind == "ratio" else float(s) for s in self.stops]

    def described(self) -> dict:
        """What a page needs to show it."""
        low, high = min(self.places), max(self.places)
        step = 1 if self.kind in ("stops", "whole") else (high - low) / 200
        told = {"title": self.title, "kind": self.kind, "labels": self.labels}
        told |= {"low": low, "high": high, "step": float(step)}
        return told | {"start": self.places[0], "stops": self.places}

    def value_at(self, place: float):
        """The value that the slider has there; between two stops, one between theirs."""
        if self.kind == "stops":
            return self.stops[round(place)]
        if self.kind == "whole":
            return round(place)
        return 10**place if self.kind == "ratio" else place

    @property
    def kind(self) -> str:
        """What lies between the stops: "whole" or "real" numbers, even steps of a "ratio"
        where the largest is at least 20 times the least, or nothing ("stops").
        """
        if not all(isinstance(stop, Real) for stop in self.stops):
            return "stops"
        if all(isinstance(stop, Integral) for stop in self.stops):
            return "whole"
        return "ratio" if 0 < 20 * min(self.stops) <= max(self.stops) else "real"


def sliders(values: dict[str, Iterable], count: int) -> list[Slider]:
    """A slider for each parameter.

    Raises ValueError unless there are `count`, with at least two values each.
    """
    named = [Slider(name, list(stops)) for name, stops in values.items()]
    if len(named) != count or any(len(slider.stops) < 2 for slider in named):
        sizes = {slider.name: len(slider.stops) for slider in named}
        rule = f"values must be {count} parameters with at least 2 values each"
        raise ValueError(f"{rule}; got {sizes}")
    return named
