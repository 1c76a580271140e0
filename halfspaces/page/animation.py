"""`player` and `grid` in a page, where Python draws a frame when a slider moves.

The driver replaces halfspaces.animation, whose widgets need a kernel, with this module.
"""


class Animation:
    """A drawing function and its sliders."""

    def __init__(self, draw, values, n_sliders, interval=None):
        from halfspaces.sliders import sliders

        self.draw, self.interval = draw, interval
        self.sliders = sliders(values, n_sliders)
        self.axes_boxes = []  # positions of the axes in the last frame
        share_formula_parser()

    def to_page(self):
        """Return the sliders and the first frame, for the page."""
        controls = [slider.to_page() for slider in self.sliders]
        html = self.frame([control["start"] for control in controls])
        return {"sliders": controls, "interval": self.interval, "html": html}

    def frame(self, positions):
        """Return the picture at these slider positions as HTML."""
        pairs = zip(self.sliders, positions, strict=True)
        picture = self.draw(**{s.name: s.value_at(position) for s, position in pairs})
        figure = picture.figure
        # reuse the layout of the last frame: a new one takes a third of the drawing time
        if len(self.axes_boxes) == len(figure.axes):
            figure.set_layout_engine("none")
            for ax, box in zip(figure.axes, self.axes_boxes, strict=True):
                ax.set_position(box)
        html = picture._repr_html_()
        self.axes_boxes = [ax.get_position(original=True) for ax in figure.axes]
        return html


def share_formula_parser():
    """Let the parsers of all frames share a cache, so that each formula is parsed once."""
    from matplotlib.mathtext import MathTextParser

    MathTextParser.__hash__ = lambda self: hash(self._output_type)
    MathTextParser.__eq__ = lambda self, other: self._output_type == other._output_type


def player(draw, *, live=True, interval=1200, **values):
    return Animation(draw, values, 1, interval)


def grid(draw, *, live=True, **values):
    return Animation(draw, values, 2)
