"""What `player` and `grid` are in a page: sliders of the page that ask Python for frames.

It stands in for mlcore.book.widgets, whose widgets need a notebook's kernel.
"""

import math


class Moving:
    """A drawing function and its sliders."""

    def __init__(self, function, values, count, interval=None):
        from mlcore.book.sliders import sliders

        self.function, self.interval = function, interval
        self.sliders = sliders(values, count)

    def described(self):
        """What a page needs to show it."""
        kinds = [self._described(slider) for slider in self.sliders]
        first = [kind["start"] for kind in kinds]
        return {"sliders": kinds, "interval": self.interval, "html": self.draw(first)}

    def _described(self, slider):
        if slider.kind == "stops":
            numbers = range(len(slider.stops))
        elif slider.kind == "ratio":
            numbers = [math.log10(stop) for stop in slider.stops]
        else:
            numbers = slider.stops
        low, high = min(numbers), max(numbers)
        step = 1 if slider.kind in ("stops", "whole") else (high - low) / 200
        told = {"title": slider.title, "kind": slider.kind, "labels": slider.labels}
        numbers = [float(number) for number in numbers]
        return (
            told
            | {"low": float(low), "high": float(high), "step": float(step)}
            | {
                "start": numbers[0],
                "stops": numbers,
            }
        )

    def draw(self, numbers):
        """The picture, as HTML, at these places of the sliders."""
        places = zip(self.sliders, numbers, strict=True)
        values = {slider.name: value_at(slider, number) for slider, number in places}
        return self.function(**values)._repr_html_()


def value_at(slider, number):
    if slider.kind == "stops":
        return slider.stops[round(number)]
    if slider.kind == "whole":
        return round(number)
    return 10**number if slider.kind == "ratio" else number


def player(draw, *, live=True, interval=1200, **values):
    return Moving(draw, values, 1, interval)


def grid(draw, *, live=True, **values):
    return Moving(draw, values, 2)
