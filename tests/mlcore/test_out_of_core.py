"""Arrays of Dask: the same fits as in memory, and bad rows raise named errors."""

import numpy as np
import pytest

from mlcore import least_squares, logistic, out_of_core, selection
from mlcore.validation import k_folds

da = pytest.importorskip("dask.array")

FITS = {
    "least_squares": (least_squares, {}),
    "least_squares without bias": (least_squares, {"bias": False}),
    "ridge": (least_squares, {"lambda_": 10.0}),
    "logistic": (logistic, {"tol": 1e-24}),
    "logistic penalized": (logistic, {"tol": 1e-24, "lambda_": 0.1, "bias": False}),
}


def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4)) * [1, 100, 0.01, 1] + [0, 5, 0, -3]
    return X, np.where(rng.logistic(size=500) < X @ [1, 0.01, 50, -1], 1.0, -1.0)


def lazily(X, y):
    return da.from_array(X, chunks=(160, 3)), da.from_array(y, chunks=70)


@pytest.mark.parametrize("name", FITS)
def test_fits_equal_those_in_memory(name):
    (module, options), function = FITS[name], name.split()[0]
    X, y = data()
    one = getattr(module, function)(X, y, **options)
    other = getattr(out_of_core, function)(*lazily(X, y), **options)
    np.testing.assert_allclose(other.w, one.w, rtol=1e-7)
    assert other.b == pytest.approx(one.b, rel=1e-7, abs=1e-9)


def test_forward_equals_that_of_k_folds():
    X, y = data()
    splits = k_folds(y, folds=4, stratified=False)
    one = selection.forward(X, y, splits=splits, n_features=3)
    other = out_of_core.forward(*lazily(X, y), folds=4, n_features=3)
    assert other.order == one.order
    np.testing.assert_allclose(other.errors, one.errors, rtol=1e-9)


def test_dependent_columns_have_weights_of_minimum_norm():
    X, y = data()
    X = np.column_stack([X, X[:, 0]])
    one = least_squares.least_squares(X, y)
    other = out_of_core.least_squares(*lazily(X, y))
    assert one.rank == other.rank == 4
    np.testing.assert_allclose(other.w, one.w, rtol=1e-5, atol=1e-8)


def test_bad_row_or_label_raises_when_its_block_is_read():
    X, y = data()
    X[333, 2] = np.nan
    for name in "least_squares", "ridge", "logistic", "forward":
        with pytest.raises(ValueError, match="X must be finite"):
            getattr(out_of_core, name)(*lazily(X, y))
    X, y = data()
    y[300] = 0.5
    with pytest.raises(ValueError, match=r"y must hold only -1 and .1; got .*0\.5"):
        out_of_core.logistic(*lazily(X, y))


def test_wrong_shapes_and_types_raise_at_once():
    X, y = data()
    for wrong in da.from_array(y, chunks=50), da.from_array(X.astype(str), chunks=50):
        with pytest.raises(ValueError, match="X must have 2 dimensions, numbers, and"):
            out_of_core.least_squares(wrong, da.from_array(y))
    with pytest.raises(ValueError, match="X must be an array of Dask; got ndarray"):
        out_of_core.least_squares(X, y)
    with pytest.raises(ValueError, match="y must have 500 entries; got 499"):
        out_of_core.least_squares(*lazily(X, y[1:]))


def test_each_block_is_read_twice():
    reads = []

    def block(block_id=None):
        if block_id is not None:
            reads.append(block_id[0])
        return np.random.default_rng(block_id[0] if block_id else 0).normal(size=(10, 3))

    rows = da.map_blocks(block, chunks=((10,) * 8, (3,)), meta=np.empty((0, 0)))
    out_of_core.least_squares(rows[:, :2], rows[:, 2])
    assert len(reads) <= 2 * 8 + 2  # and the first row, of X and of y
