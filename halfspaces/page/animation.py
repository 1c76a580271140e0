"""What `player` and `grid` are in a page: sliders of the page that ask Python for frames.

It stands in for halfspaces.animation, whose widgets need a notebook's kernel.
"""


class Moving:
    """A drawing function and its sliders."""

    def __init__(self, function, values, count, interval=None):
        from halfspaces.sliders import sliders

        self.function, self.interval = function, interval
        self.sliders = sliders(values, count)
        self.places = []  # of the axes in the last frame
        remember_formulas()

    def described(self):
        """What a page needs to show it."""
        kinds = [slider.described() for slider in self.sliders]
        first = [kind["start"] for kind in kinds]
        return {"sliders": kinds, "interval": self.interval, "html": self.draw(first)}

    def draw(self, numbers):
        """The picture, as HTML, at these places of the sliders."""
        places = zip(self.sliders, numbers, strict=True)
        values = {slider.name: slider.value_at(number) for slider, number in places}
        picture = self.function(**values)
        hold(picture.figure, self.places)
        shown = picture._repr_html_()
        self.places = [ax.get_position(original=True) for ax in picture.figure.axes]
        return shown


def hold(figure, places):
    """Put the axes where they were in the last frame: the first one arranged them.

    To arrange them anew takes a third of the time of a frame.
    """
    if places and len(places) == len(figure.axes):
        figure.set_layout_engine("none")
        for ax, place in zip(figure.axes, places, strict=True):
            ax.set_position(place)


def remember_formulas():
    """Matplotlib makes a parser of formulas for each figure, and keeps by parser what it
    has parsed: let all count as one, or each frame parses its labels again.
    """
    from matplotlib.mathtext import MathTextParser

    MathTextParser.__hash__ = lambda self: hash(self._output_type)
    MathTextParser.__eq__ = lambda self, other: self._output_type == other._output_type


def player(draw, *, live=True, interval=1200, **values):
    return Moving(draw, values, 1, interval)


def grid(draw, *, live=True, **values):
    return Moving(draw, values, 2)
