"""Tables, and numbers whose printed digits are the same on every machine."""

import re

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from halfspaces import set_digits
from halfspaces.formatting import format_number
from halfspaces.tables import Table
from tests.helpers.notebooks import PATHS, cells, output_text


def test_figure_style_has_three_digits_and_ignores_rounding_error():
    values = 3, -0.25, 0.12349, 1234.5, np.inf
    assert [*map(format_number, values)] == ["3", "−0.25", "0.123", "1234", "∞"]
    assert format_number(0.0125 * (1 + 1e-15)) == format_number(0.0125)


def test_tidy_style_hides_rounding_error():
    assert [format_number(x, "tidy") for x in (1e-13, -1e-13, 0.25)] == ["0", "0", "0.25"]


def test_notebook_prints_six_digits():
    old = np.get_printoptions()["precision"]
    shell = InteractiveShell.instance()
    try:
        set_digits()
        formatter = shell.display_formatter.formatters["text/plain"]
        assert formatter(2 / 3) == formatter(np.float64(2 / 3)) == "0.666667"
        assert format_number(2 / 3, "plain") == "0.666667"
        assert str(np.array([2 / 3])) == "[0.666667]"
    finally:
        np.set_printoptions(precision=old)
        InteractiveShell.clear_instance()


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_stored_outputs_have_no_digits_of_rounding_error(path):
    """A float has at most 17 digits after leading zeros; a longer number is exact."""
    for number in re.findall(r"\d+\.\d+", "\n".join(map(output_text, cells(path)))):
        assert not 12 <= len(number.replace(".", "").lstrip("0")) <= 17, number


def test_table_row_of_wrong_length_raises():
    with pytest.raises(ValueError, match="rows must have 2 entries, like header"):
        Table(["a", "b"], [(1, 2), (1,)])
