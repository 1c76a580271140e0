"""A formula is tied to the code at each scale, up to rounding and no more."""

import numpy as np
import pytest
import sympy as sp

from mlcore import losses
from mlcore.book.proofs import i, k, n, total, x
from mlcore.book.proofs.prove import tie

middle = np.array([0.0, 1.0, 0.0])
first = total(x[i, k], i) * sp.KroneckerDelta(k, 1)  # zero in the other columns


def code(X):
    return X.sum(axis=0) * [1, 0, 0]


def test_what_cancels_up_to_rounding_is_equal():
    rounded = code, lambda X: code(X) + 1e-16 * np.abs(X).sum() * middle
    assert tie("A claim", first, (), rounded, {"X": x}).endswith(".code")


@pytest.mark.parametrize("off", [1e-8, np.nan])
def test_one_wrong_entry_is_enough(off):
    wrong = code, lambda X: code(X) + off * np.abs(X).sum() * middle
    with pytest.raises(AssertionError, match="code and formula differ: A claim"):
        tie("A claim", first, (), wrong, {"X": x})


def test_a_shape_is_part_of_the_answer():
    column = code, lambda X: code(X)[:, None]
    with pytest.raises(AssertionError, match="code and formula differ"):
        tie("A claim", first, (), column, {"X": x})
    with pytest.raises(AssertionError, match="code and formula differ"):
        tie("A claim", first / n, (), code, {"X": x})


def test_a_value_that_floats_round_to_zero_agrees():
    z = sp.Symbol("z", real=True)
    sigmoid, code = 1 / (1 + sp.exp(-z)), losses.logistic.curvature
    for name in "abc":  # each draws other numbers, up to 2.6 million
        assert tie(name, sigmoid * (1 - sigmoid), (), code, {"z": z})
