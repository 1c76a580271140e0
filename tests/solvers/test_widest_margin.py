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
    monkeypatch.setattr(widest_margin, "nearest_by_pivots", lambda Z, cuts: None)
    X = np.random.default_rng(0).uniform(size=(3, d))
    max_margin(X, np.ones(3), bias=False)
    assert given[0].shape == (3, min(3, d))
    if d <= 3:
        assert np.array_equal(given[0], X / X.max())


@pytest.mark.parametrize("bias", [True, False])
def test_dependent_rows_of_wide_data_take_the_long_way(monkeypatch, bias):
    long, sound = [], widest_margin.nearest_to_origin
    watched = lambda hulls: long.append(hulls) or sound(hulls)  # noqa: E731
    monkeypatch.setattr(widest_margin, "nearest_to_origin", watched)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 40)), np.where(np.arange(12) < 5, 1.0, -1.0)
    best = max_margin(X, y, bias=bias)
    assert long == []
    copied = max_margin(X[[*range(12), 0, 11]], y[[*range(12), 0, 11]], bias=bias)
    assert len(long) == 1
    assert copied.margin == pytest.approx(best.margin, rel=1e-12)
    assert copied.w == pytest.approx(best.w, abs=1e-10)
    opposite = max_margin(X[[*range(12), 0]], [*y, -y[0]], bias=bias)  # and -x, no bias
    assert not opposite.separable


def test_a_margin_of_rounding_size_is_none(monkeypatch):
    X = np.array([[1.0, 1e-12], [-1.0, 1e-12]])
    answer = np.array([0.0, 7.0]), [np.array([0.5, 0.5])]
    monkeypatch.setattr(widest_margin, "nearest_to_origin", lambda hulls: answer)
    assert max_margin(X, [1, 1], bias=False).margin == 0.0
    assert max_margin(X * [1, 1.01], [1, 1], bias=False).margin > 0.0


def test_a_margin_that_one_far_feature_may_have_rounded_is_none():
    X = np.array([[1e16, 0.0], [1e16 + 2, 0.0]])
    assert not max_margin(X, [-1, 1]).separable
    assert max_margin(X - [1e16, 0.0], [-1, 1]).separable
