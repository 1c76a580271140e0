"""A table shows what it was given, and a row that does not fit is refused."""

import pytest

from mlcore.book import Table


def test_words_and_numbers_are_shown_apart_and_a_column_stands_on_one_side():
    table = Table(["data & more", "$R$ (cm)"], [("iris <1>", 7.76), ("digits", "-3")])
    assert repr(table) == "data & more | $R$ (cm)\niris <1> | 7.76\ndigits | -3"
    page = table._repr_html_()
    assert '<th>data &amp; more</th><th class="hs-number">$R$ (cm)</th>' in page
    assert '<td>iris &lt;1&gt;</td><td class="hs-number">7.76</td>' in page
    assert '<td class="hs-number">-3</td>' in page
    rows = [("1 v. 2", 8), ("all pairs", "none"), ("+ bmi", "0.3 ± 0.1")]
    page = Table(["rule", "errors"], rows)._repr_html_()
    assert "<td>1 v. 2</td>" in page
    assert page.count('class="hs-number"') == 4, "the head, and words among numbers too"


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="rows must have 2 entries, as head has"):
        Table(["a", "b"], [(1, 2), (1,)])
