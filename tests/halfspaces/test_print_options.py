"""Stored outputs show digits that rounding cannot reach, so that they hold everywhere."""

import re

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from halfspaces import set_digits
from halfspaces.formatting import format_number
from tests.helpers.notebooks import PATHS, cells, text_of


def long_numbers(text: str) -> list[str]:
    """The numbers with twelve digits or more, not counting the zeros in front.

    A float has at most 17; what has more was computed with so many, and is exact.
    """
    numbers = re.findall(r"\d+\.\d+", text)
    return [n for n in numbers if 12 <= len(n.replace(".", "").lstrip("0")) <= 17]


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_no_stored_number_has_twelve_digits(path):
    for number, cell in enumerate(cells(path)):
        assert long_numbers(text_of(cell)) == [], f"cell {number} of {path.stem}"


def test_a_notebook_prints_six_digits():
    old = np.get_printoptions()["precision"]
    shell = InteractiveShell.instance()
    try:
        set_digits()
        show = shell.display_formatter.formatters["text/plain"]
        assert show(2 / 3) == show(np.float64(2 / 3)) == "0.666667"
        assert str(np.array([2 / 3])) == "[0.666667]"
    finally:
        np.set_printoptions(precision=old)
        InteractiveShell.clear_instance()


def test_a_checker_does_not_quote_what_rounding_leaves_of_a_zero():
    assert [format_number(x, "tidy") for x in (1e-13, -1e-13, 0.25)] == ["0", "0", "0.25"]
