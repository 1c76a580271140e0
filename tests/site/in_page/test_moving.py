"""Pictures that Python moves in the page, without a browser."""

import sys
from pathlib import Path

import in_page
import pytest
from matplotlib.figure import Figure

from mlcore.book import Picture, canvas

sys.path.insert(0, str(Path(in_page.__file__).parent / "static" / "in-page"))
import moving


class Shown:
    """A picture without a drawing, which shows what its function was given."""

    def __init__(self, **values):
        self.values, self.figure = values, Figure()

    def _repr_html_(self):
        return repr(self.values)


@pytest.mark.parametrize(
    ("stops", "kind", "places", "values"),
    [
        ([1, 2, 5], "whole", [1, 3.2, 5], [1, 3, 5]),
        ([0.0, 1.0, 2.0], "real", [0, 1.5], [0, 1.5]),
        ([0.01, 1.0, 100.0], "ratio", [-2, 0, 1], [0.01, 1, 10]),
        (["a", "b"], "stops", [0, 1], ["a", "b"]),
    ],
)
def test_a_slider_gives_its_drawing_the_values_between(stops, kind, places, values):
    picture = moving.player(Shown, step=stops)
    (slider,) = picture.described()["sliders"]
    assert slider["kind"] == kind and len(slider["stops"]) == len(stops)
    for place, value in zip(places, values, strict=True):
        got = moving.value_at(picture.sliders[0], place)
        assert got == (value if kind == "stops" else pytest.approx(value))
        assert picture.draw([place]) == repr({"step": got})


def draw_power(k):
    figure, ax = canvas()
    ax.set(xlabel="$x_1$", ylabel=f"$10^{{{k}}} x$", xlim=(0, 10**k), ylim=(0, 10**k))
    return Picture(figure, "a caption", "words")


def test_the_axes_stay_where_the_first_frame_has_them():
    picture = moving.player(draw_power, k=[0, 4])
    first = picture.described()["html"]
    (place,) = picture.places
    assert first == draw_power(0)._repr_html_()
    figure = draw_power(4).figure
    figure.draw_without_rendering()
    assert figure.axes[0].get_position().x0 > place.x0 + 0.02, "longer labels"
    picture.draw([4])
    assert [held.bounds for held in picture.places] == [place.bounds]
    assert picture.draw([0]) == first
