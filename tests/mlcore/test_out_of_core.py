"""Dask arrays: the same fits as in memory, and errors for invalid rows."""

import numpy as np
import pytest

from mlcore import least_squares, logistic, out_of_core, selection
from mlcore.validation import k_folds

da = pytest.importorskip("dask.array")

FITS = [
    ("least_squares", {"bias": False}),
    ("ridge", {"lambda_": 10.0}),
    ("logistic", {"tol": 1e-24}),
    ("logistic", {"tol": 1e-24, "lambda_": 0.1, "bias": False}),
]
rng = np.random.default_rng(0)
X = rng.normal(size=(500, 4)) * [1, 100, 0.01, 1] + [0, 5, 0, -3]
Y = np.where(rng.logistic(size=500) < X @ [1, 0.01, 50, -1], 1.0, -1.0)


def to_dask(X, y=Y):
    return da.from_array(X, chunks=(160, 3)), da.from_array(y, chunks=70)


@pytest.mark.parametrize(("name", "options"), FITS)
def test_fit_equals_fit_in_memory(name, options):
    expected = (vars(least_squares) | vars(logistic))[name](X, Y, **options)
    result = getattr(out_of_core, name)(*to_dask(X), **options)
    np.testing.assert_allclose(result.w, expected.w, rtol=1e-7)
    assert result.b == pytest.approx(expected.b, rel=1e-7, abs=1e-9)


def test_forward_equals_forward_in_memory():
    splits = k_folds(Y, folds=4, stratified=False)
    expected = selection.forward(X, Y, splits=splits, n_features=3)
    result = out_of_core.forward(*to_dask(X), folds=4, n_features=3)
    assert result.order == expected.order
    np.testing.assert_allclose(result.errors, expected.errors, rtol=1e-9)


def test_dependent_columns_give_the_minimum_norm_solution():
    A = np.column_stack([X, X[:, 0]])
    expected = least_squares.least_squares(A, Y)
    result = out_of_core.least_squares(*to_dask(A))
    assert expected.rank == result.rank == 4
    np.testing.assert_allclose(result.w, expected.w, rtol=1e-5, atol=1e-8)


def test_invalid_number_label_or_array_raises():
    text, vector = da.from_array(X.astype(str), chunks=50), da.from_array(Y, chunks=50)
    marked = np.arange(500) == 333
    with_nan, wrong = np.where(marked[:, None], np.nan, X), np.where(marked, 0.5, Y)
    cases = [(name, to_dask(with_nan), "X must be finite") for name, _ in FITS]
    cases += [
        ("forward", to_dask(with_nan), "X must be finite"),
        ("logistic", to_dask(X, wrong), r"y must contain only -1 and .1; got .*0\.5"),
        ("least_squares", (text, vector), "X must have 2 dimensions, numbers"),
        ("least_squares", (X, Y), "X must be a Dask array; got ndarray"),
        ("least_squares", to_dask(X, Y[1:]), "y must have 500 entries; got 499"),
    ]
    for name, arguments, message in cases:
        with pytest.raises(ValueError, match=message):
            getattr(out_of_core, name)(*arguments)


def test_each_block_is_read_at_most_twice():
    reads = []

    def block(block_id=None):
        if block_id is not None:
            reads.append(block_id[0])
        return np.random.default_rng(block_id[0] if block_id else 0).normal(size=(10, 3))

    rows = da.map_blocks(block, chunks=((10,) * 8, (3,)), meta=np.empty((0, 0)))
    out_of_core.least_squares(rows[:, :2], rows[:, 2])
    assert len(reads) <= 2 * 8 + 2  # plus the first row of X and of y
