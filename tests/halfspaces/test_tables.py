"""A row of a table that does not fit is refused; how tables look the notebooks show."""

import pytest

from halfspaces.tables import Table


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="rows must have 2 entries, as head has"):
        Table(["a", "b"], [(1, 2), (1,)])
