"""Arrays of Dask: the answers are those in memory, and bad rows are named."""

import numpy as np
import pytest

from mlcore.least_squares import least_squares, ridge
from mlcore.logistic import logistic
from mlcore.selection import forward

da = pytest.importorskip("dask.array")  # mlcore never imports it

FOLDS = np.arange(500) % 5
SPLITS = [(np.flatnonzero(k != FOLDS), np.flatnonzero(k == FOLDS)) for k in range(5)]
FITS = {
    "least squares": lambda X, y: least_squares(X, y),
    "without bias": lambda X, y: least_squares(X, y, bias=False),
    "ridge": lambda X, y: ridge(X, y, lambda_=10.0),
    "logistic": lambda X, y: logistic(X, y, tol=1e-24),
    "penalized": lambda X, y: logistic(X, y, tol=1e-24, lambda_=0.1, bias=False),
    "weights": lambda X, y: least_squares(X, y, sample_weight=np.arange(500) % 3),
}


def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4)) * [1, 100, 0.01, 1] + [0, 5, 0, -3]
    return X, np.where(rng.logistic(size=500) < X @ [1, 0.01, 50, -1], 1.0, -1.0)


def lazily(X, y):
    return da.from_array(X, chunks=(160, 3)), da.from_array(y, chunks=70)


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
def test_the_answers_are_those_in_memory(fit):
    X, y = data()
    one, other = fit(X, y), fit(*lazily(X, y))
    np.testing.assert_allclose(other.w, one.w, rtol=1e-7)
    assert other.b == pytest.approx(one.b, rel=1e-7, abs=1e-9)


def test_forward_takes_the_number_of_the_fold():
    X, y = data()
    one = forward(X, y, splits=SPLITS, count=3)
    other = forward(*lazily(X, y), splits=da.from_array(FOLDS, chunks=90), count=3)
    assert other.order == one.order
    np.testing.assert_allclose(other.errors, one.errors, rtol=1e-9)


def test_dependent_columns_have_the_shortest_weights():
    X, y = data()
    X = np.column_stack([X, X[:, 0]])
    one, other = least_squares(X, y), least_squares(*lazily(X, y))
    assert one.rank == other.rank == 4
    np.testing.assert_allclose(other.w, one.w, rtol=1e-5, atol=1e-8)


def test_a_bad_row_or_label_is_named_when_its_block_is_read():
    X, y = data()
    X[333, 2] = np.nan
    for fit in FITS.values():
        with pytest.raises(ValueError, match="X must be finite"):
            fit(*lazily(X, y))
    X, y = data()
    y[300] = 0.5
    with pytest.raises(ValueError, match=r"y must hold only -1 and .1; got .*0\.5"):
        logistic(*lazily(X, y))


def test_what_has_no_rows_or_no_numbers_is_refused_at_once():
    X, y = data()
    for wrong in da.from_array(y, chunks=50), da.from_array(X.astype(str), chunks=50):
        with pytest.raises(ValueError, match="X must have 2 dimensions, numbers, and"):
            least_squares(wrong, y)
    with pytest.raises(ValueError, match="y must have 500 entries; got 499"):
        least_squares(lazily(X, y)[0], y[1:])


def test_each_block_is_read_twice_and_the_rows_are_never_together():
    reads = []

    def block(block_id=None):
        if block_id is not None:
            reads.append(block_id[0])
        return np.random.default_rng(block_id[0] if block_id else 0).normal(size=(10, 3))

    rows = da.map_blocks(block, chunks=((10,) * 8, (3,)), meta=np.empty((0, 0)))
    least_squares(rows[:, :2], rows[:, 2])
    assert len(reads) <= 2 * 2 * 8 + 2  # X and y, of which each block is made anew
