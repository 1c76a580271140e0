"""What the widest margin asks of the nearest point, and takes from it."""

import numpy as np
import pytest

from mlcore.separation import max_margin
from mlcore.solvers import widest_margin


@pytest.mark.parametrize("d", [2, 3, 9])
def test_only_wide_data_are_turned_into_the_span_of_their_rows(monkeypatch, d):
    given, sound = [], widest_margin.nearest_to_origin

    def recorded(hulls):
        given.extend(hulls)
        return sound(hulls)

    monkeypatch.setattr(widest_margin, "nearest_to_origin", recorded)
    X = np.random.default_rng(0).uniform(size=(3, d))
    max_margin(X, np.ones(3), bias=False)
    assert given[0].shape == (3, min(3, d))
    if d <= 3:
        assert np.array_equal(given[0], X / X.max())


def test_a_margin_of_rounding_size_is_none(monkeypatch):
    X = np.array([[1.0, 1e-12], [-1.0, 1e-12]])
    answer = np.array([0.0, 7.0]), [np.array([0.5, 0.5])]
    monkeypatch.setattr(widest_margin, "nearest_to_origin", lambda hulls: answer)
    assert max_margin(X, [1, 1], bias=False).margin == 0.0
    assert max_margin(X * [1, 1.01], [1, 1], bias=False).margin > 0.0
