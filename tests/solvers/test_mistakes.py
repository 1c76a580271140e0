"""The scan for mistakes never leaves to rounding what the row alone decides."""

from fractions import Fraction

import numpy as np
import pytest

from mlcore.solvers import mistakes
from mlcore.solvers.mistakes import length_bound, mistaken_rows, score_doubt


@pytest.mark.parametrize("many", [0, 2, 1000])
def test_a_product_that_rounds_as_badly_as_it_may(many, monkeypatch):
    class Rough(np.ndarray):
        def dot(self, v):
            exact = np.asarray(self).dot(v)
            signs = np.where(np.arange(len(self)) % 2, 1, -1)
            return exact if self.ndim == 1 else exact + 0.999 * doubt * signs

    def rough_dot(row, v):
        return np.asarray(row).dot(v) + 0.999 * doubt * (1 if row[0] > 0 else -1)

    monkeypatch.setattr("scipy.linalg.blas.ddot", rough_dot)
    monkeypatch.setattr(mistakes, "MANY", many)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        doubt = rng.choice([0.01, 1.5, 30.0])
        rows = rng.integers(-2, 3, size=(30, 3)).astype(float)
        start = rng.integers(-9, 10, size=3).astype(float)
        v, w, rough, single = start.copy(), start.copy(), [], []
        for row in mistaken_rows(rows.view(Rough), v, doubt):
            rough.append(np.array(row))
            v += row
        for row in rows:
            if row.dot(w) <= 0:
                single.append(row)
                w += row
        assert np.array_equal(rough, single)


@pytest.mark.parametrize("d", [2, 5000])
def test_without_mistakes_blocks_begin_with_32_kb_and_double(d):
    lengths = []

    class Watched(np.ndarray):
        def dot(self, v):
            lengths.append(len(self))
            return np.asarray(self).dot(v)

    rows = np.ones((7 * (1 + 4096 // d), d))
    assert list(mistaken_rows(rows.view(Watched), np.ones(d), 1e-9)) == []
    assert lengths[0] * d <= 4096 + d
    assert lengths == [lengths[0], 2 * lengths[0], 4 * lengths[0]]


@pytest.mark.parametrize(("gap", "told"), [(1, [6]), (2, [3]), (3, [])])
def test_where_mistakes_are_near_each_other_rows_are_scored_alone(gap, told, monkeypatch):
    """The third of three mistakes is the last of 3 gap rows: near are at most 6."""
    alone = []
    monkeypatch.setattr(mistakes, "MANY", 3)
    monkeypatch.setattr(mistakes, "NEAR", 2)
    monkeypatch.setattr(mistakes, "_one_by_one", lambda rows, *_: alone.append(rows) or [])
    rows = np.ones((9, 2))
    rows[gap - 1 : 3 * gap : gap] = -1
    found = list(mistaken_rows(rows, np.ones(2), 1e-9))
    assert len(found) == 3
    assert [len(rest) for rest in alone] == told


@pytest.mark.parametrize("d", [1, 2, 1000])
@pytest.mark.parametrize("unit", [1.0, 1000.0])
def test_the_doubt_covers_the_worst_sum(d, unit):
    small = np.sqrt(np.finfo(float).eps / 2)
    row = np.full(d, 4 / 3 * small)  # d - 1 products, each lost beside the first
    row[0] = 4 / 3
    longest = length_bound(unit * row[None])
    assert longest >= np.linalg.norm(unit * row)
    assert longest == length_bound(-unit * row[None])
    # v from the start, and v that n updates from 0 can lead to
    for v, n, doubt in [
        (0.9e9 * row, 1, score_doubt(0.9e9 * row, 1, longest)),
        (40 * 0.9 * unit * row, 40, score_doubt(np.zeros(d), 40, longest)),
    ]:
        pairs = list(zip(unit * row, v, strict=True))
        exact = sum(Fraction(p) * Fraction(q) for p, q in pairs)
        error = abs(Fraction(sum(p * q for p, q in pairs)) - exact)
        assert 0 < 2 * error <= doubt
        assert doubt < 1e-9 * longest * (np.linalg.norm(v) + n * longest)
