"""The bound on the rounding of a score holds in fractions."""

from fractions import Fraction

import numpy as np
import pytest

from mlcore.solvers.mistakes import length_bound, score_doubt


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
