"""Whatever the shelf minimizes: five properties of every fit, see tests/helpers/fits.py.

No neighbor and no other library has a better answer; what a fit says about itself is true;
other orders, origins, units and repeated rows answer as theory says.  That bad input is
named, and nothing that came in is changed, is said in test_safety.py.
"""

import numpy as np
import pytest
from claims import EPS, judge
from fits import ROWS, hard

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
CASES = [
    pytest.param(
        row, {"bias": bias} if row.biases else {}, id=f"{name}{'' if bias else ' 0'}"
    )
    for name, row in ROWS.items()
    for bias in (True, False)
    if bias or row.biases
]
every_fit = pytest.mark.parametrize(("row", "bias"), CASES)
seeds = pytest.mark.parametrize("seed", range(4))


def data(row, seed):
    """Examples in units of their own, far from 0; wide ones where a penalty allows it."""
    rng = np.random.default_rng(seed)
    n, d = (12, 20) if seed == 3 and row.cost else (48, 4)
    Z = rng.normal(size=(n, d))
    scores = Z[:, 0] - Z[:, 1] + (row.kind != "apart") * rng.normal(size=n)
    y = np.where(scores > 0, 1.0, -1.0)
    if row.kind == "numbers":
        y = scores + 5
    elif row.kind == "labels":
        y = y + (Z[:, 2] > 0.5)
    elif row.kind == "apart":
        Z[:, 0] += y / 2
    return Z * 2.0 ** rng.integers(-2, 3, size=d) + rng.normal(size=d), y, rng


def counts(y, rng):
    """How often each example counts: 0 to 4 times, and each label at least once."""
    times = rng.integers(0, 4, size=len(y)) * 1.0
    times[np.unique(y, return_index=True)[1][:4]] += 1
    return times


def answer(row, X, y, bias, s=None, **changed):
    """w and b, the objective there, and how far above the minimum that may be."""
    fit = row.function(**row.arguments(X, y, s=s, **changed, **bias))
    assert np.all(getattr(fit, "converged", True))
    w, b = row.point(fit)
    s = np.ones(len(y)) if s is None else s
    J, whole = (row.value(k * w, k * b, X, y, s) for k in (1, 0))
    if row.kind == "numbers":
        whole = s @ (y - s @ y / s.sum()) ** 2
    # the rest is rounding, of n terms and a condition of about 100
    return J, row.near(fit, whole) + 1e4 * EPS * (abs(J) + abs(whole)), w, b


@seeds
@every_fit
def test_no_neighbor_and_no_other_library_has_a_better_answer(row, bias, seed):
    X, y, rng = data(row, seed)
    s = rng.uniform(0.5, 2.0, size=len(y)) if row.weighted else np.ones(len(y))
    J, near, w, b = answer(row, X, y, bias, s if row.weighted else None)
    sizes = np.std(X, axis=0)
    for step in 10.0 ** -rng.integers(0, 9, size=300):
        v = w + step * rng.normal(size=w.shape) / sizes * (rng.random(w.shape) < 0.7)
        c = b + bias.get("bias", True) * step * rng.normal(size=np.shape(b))
        assert row.value(v, c, X, y, s) >= J - near
    others = row.other(X, y, s, row.cost, bias.get("bias", True))
    assert row.value(*others, X, y, s) >= J - near


@seeds
@every_fit
def test_what_a_fit_says_about_itself_is_true(row, bias, seed):
    X, y, rng = data(row, seed)
    for s in [None] + [counts(y, rng)] * row.weighted:
        arguments = row.arguments(X, y, s=s, **bias)
        judge(row.claims, row.function(**arguments), arguments)


@pytest.mark.parametrize("seed", range(12))
@every_fit
def test_it_is_true_on_hard_data_too(row, bias, seed):
    X, y = hard(row.kind, seed)
    few = {"max_steps": 300} if "max_steps" in row.options else {}
    arguments = row.arguments(X, y, **bias, **few)
    judge(row.claims, row.function(**arguments), arguments)


@seeds
@every_fit
def test_other_orders_origins_and_units_answer_as_theory_says(row, bias, seed):
    X, y, rng = data(row, seed)
    J, near, *_ = answer(row, X, y, bias)
    s, d, far = (
        np.ones(len(y)),
        X.shape[1],
        bias.get("bias", True) * rng.normal(size=X.shape[1]),
    )
    rows, columns = rng.permutation(len(y)), rng.permutation(d)

    def same(v, c):
        found = row.value(v, c, X, y, s)
        assert abs(found - J) <= 2 * near

    *_, v, c = answer(row, X[rows][:, columns], y[rows], bias)
    same(v[..., np.argsort(columns)], c)
    *_, v, c = answer(row, X + 3 * far, y, bias)
    same(v, c + 3 * v @ far)
    for unit in 2.0**-5, 2.0**7:
        *_, v, c = answer(row, unit * X, y, bias, times=unit**row.unit)
        same(unit * v, c)
    if row.kind == "labels":
        return
    unit = 4.0 if row.kind == "numbers" else -1.0
    power = row.kind == "numbers" and row.unit == 1
    *_, v, c = answer(row, X, unit * y, bias, times=unit**power)
    same(v / unit, c / unit)


@seeds
@pytest.mark.parametrize(("row", "bias"), [c for c in CASES if c.values[0].weighted])
def test_whole_weights_are_repeated_rows(row, bias, seed):
    X, y, rng = data(row, seed)
    times = counts(y, rng)
    J, near, *_ = answer(row, X, y, bias, times)
    k = np.repeat(np.arange(len(y)), times.astype(int))
    *_, v, c = answer(row, X[k], y[k], bias)
    assert abs(row.value(v, c, X, y, times) - J) <= 2 * near
    wild = np.where(times[:, None] > 0, X, -9 * X)  # what does not count may be anything
    *_, v, c = answer(row, wild, y, bias, times)
    assert abs(row.value(v, c, X, y, times) - J) <= 2 * near
