"""Tables; the notebooks show how they look."""

import pytest

from halfspaces.tables import Table


def test_row_of_wrong_length_is_refused():
    with pytest.raises(ValueError, match="rows must have 2 entries, as head has"):
        Table(["a", "b"], [(1, 2), (1,)])
