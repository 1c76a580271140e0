"""mlcore.separation against hands, theorems, and the solvers of SciPy."""

import numpy as np
import pytest
from oracles import judge
from oracles_margins import of_separating_halfspace
from scipy.optimize import linprog, nnls

from mlcore.geometry import augment, functional_margin, geometric_margin
from mlcore.separation import max_margin, separating_halfspace, shatters

X = np.array([[0.0, 0.0], [2.0, 1.0], [4.0, 7.0]])
Y = np.array([1.0, -1.0, 1.0])

XOR = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
XOR_Y = np.array([1.0, 1.0, -1.0, -1.0])


def cloud(seed, *, bias=True, flip=False):
    """A small data set that a random hyperplane labels; one label flipped if asked."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(3, 25), rng.integers(1, 8)
    if seed % 2:
        X = rng.normal(size=(n, d))
    else:  # many ties, duplicates and dependent points
        X = rng.integers(-2, 3, size=(n, d)).astype(float)
    y = np.where(X @ rng.normal(size=d) + bias * rng.normal() >= 0, 1.0, -1.0)
    if flip:
        y[rng.integers(n)] *= -1
    y[:2] = 1.0, -1.0  # both classes
    return X, y


def hull(X, y, bias):
    """Every vertex of the polytope, one by one."""
    if not bias:
        return y[:, None] * X
    return (X[y > 0][:, None] - X[y < 0][None]).reshape(-1, X.shape[1])


def nnls_margin(X, y, bias):
    """The distance from the origin to the hull, by another algorithm."""
    V = hull(X, y, bias)
    size = np.abs(V).max() or 1.0
    target = np.append(np.zeros(V.shape[1]), 1.0)
    a, _ = nnls(np.vstack([V.T / size, np.ones(len(V))]), target, maxiter=10_000)
    return np.linalg.norm(a / a.sum() @ V) / (2 if bias else 1)


def feasible(X, y, bias):
    """Whether y_i (w @ x_i + b) >= 1 has a solution, as the definition has it."""
    rows = y[:, None] * (np.column_stack([X, np.ones(len(X))]) if bias else X)
    zero, ones = np.zeros(rows.shape[1]), np.ones(len(rows))
    return linprog(zero, A_ub=-rows, b_ub=-ones, bounds=(None, None)).status == 0


def check_separates(rule, X, y):
    z = y * (X @ rule.w + rule.b)
    assert z.min() == pytest.approx(1, abs=1e-9)


def check_certificate(a, X, y, bias):
    assert (a >= 0).all()
    assert a.sum() == pytest.approx(1, abs=1e-12)
    assert a * y @ X == pytest.approx(0, abs=1e-9 * np.abs(X).max())
    if bias:
        assert a @ y == pytest.approx(0, abs=1e-9)


# --- the largest margin


def test_the_largest_margin_by_hand():
    # The classes are nearest at (2, 0), on the edge from (2, -2) to (2, 1), and (0, 0).
    X = np.array([[2.0, -2.0], [2.0, 1.0], [5.0, 0.0], [0.0, 0.0], [-3.0, 1.0]])
    y = np.array([1.0, 1.0, 1.0, -1.0, -1.0])
    best = max_margin(X, y)
    assert best.w == pytest.approx([1, 0], abs=1e-12)
    assert best.b == pytest.approx(-1, abs=1e-12)
    assert best.margin == pytest.approx(1, abs=1e-12)
    assert best.weights == pytest.approx([1 / 3, 2 / 3, 0, 1, 0], abs=1e-12)
    assert best.separable
    assert np.array_equal(best.predict(X), y)


def test_the_largest_margin_aslant_by_hand():
    # (0, 4) is nearest to the edge from (0, 0) to (3, 1) at (1.2, 0.4)
    best = max_margin([[0.0, 0.0], [0.0, 4.0], [3.0, 1.0]], [-1, 1, -1])
    assert best.w == pytest.approx(np.array([-1, 3]) / 10**0.5, abs=1e-12)
    assert best.b == pytest.approx(-6 / 10**0.5, abs=1e-12)
    assert best.margin == pytest.approx(6 / 10**0.5, abs=1e-12)
    assert best.weights == pytest.approx([0.6, 1, 0.4], abs=1e-12)


def test_the_largest_margin_through_the_origin_by_hand():
    # y x: (3, 1), (1, 3), (4, 9); the segment between the first two is nearest at (2, 2)
    X = np.array([[3.0, 1.0], [-1.0, -3.0], [4.0, 9.0]])
    best = max_margin(X, [1, -1, 1], bias=False)
    assert best.w == pytest.approx([0.5**0.5, 0.5**0.5], abs=1e-12)
    assert best.b == 0.0
    assert best.margin == pytest.approx(8**0.5, abs=1e-12)
    assert best.weights == pytest.approx([0.5, 0.5, 0], abs=1e-12)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_the_margin_is_that_of_nnls(seed, flip, bias):
    X, y = cloud(seed, bias=bias, flip=flip)
    margin = nnls_margin(X, y, bias)
    best = max_margin(X, y, bias=bias)
    if margin < 1e-8:
        margin = 0.0
    assert best.margin == pytest.approx(margin, rel=1e-8)
    assert best.separable == feasible(X, y, bias)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_the_weights_are_the_proof(seed, bias):
    """A feasible pair with equal values: neither the margin nor the distance is off."""
    X, y = cloud(seed, bias=bias, flip=seed % 3 == 0)
    best = max_margin(X, y, bias=bias)
    a, classes = best.weights, [y > 0, y < 0] if bias else [y != 0]
    assert (a >= 0).all()
    for members in classes:
        assert a[members].sum() == pytest.approx(1, abs=1e-12)
    p = a * y @ X
    distance = np.linalg.norm(p) / len(classes)
    assert distance == pytest.approx(best.margin, rel=1e-9, abs=1e-11)
    if not best.separable:
        assert not best.w.any()
        assert best.b == best.margin == 0.0
        return
    assert np.linalg.norm(best.w) == pytest.approx(1, abs=1e-12)
    assert best.w == pytest.approx(p / np.linalg.norm(p), abs=1e-8)
    z = geometric_margin(X, y, best.w, best.b)
    assert z.min() == pytest.approx(best.margin, rel=1e-9)
    assert z[a > 1e-9] == pytest.approx(best.margin, rel=1e-8)
    assert (a > 0).sum() <= 2 * (X.shape[1] + 1)  # pairs, independent
    if bias:  # midway
        assert z[y > 0].min() == pytest.approx(z[y < 0].min(), rel=1e-8)
    else:
        assert best.b == 0.0


@pytest.mark.parametrize("seed", range(10))
def test_no_other_hyperplane_has_a_larger_margin(seed):
    X, y = cloud(2 * seed + 1)
    best, rng = max_margin(X, y), np.random.default_rng(seed)
    for _ in range(200):
        w = best.w + 0.1 * rng.normal(size=X.shape[1])
        g = X @ (w / np.linalg.norm(w))
        assert (g[y > 0].min() - g[y < 0].max()) / 2 <= best.margin * (1 + 1e-9)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("seed", range(1, 20, 2))
def test_moving_the_data_moves_the_hyperplane(seed, bias):
    X, y = cloud(seed, bias=bias)
    rng = np.random.default_rng(seed)
    best = max_margin(X, y, bias=bias)
    turn = np.linalg.qr(rng.normal(size=(X.shape[1],) * 2))[0]
    turned = max_margin(3 * X @ turn.T, y, bias=bias)
    assert turned.margin == pytest.approx(3 * best.margin, rel=1e-8)
    assert turned.w == pytest.approx(turn @ best.w, abs=1e-7)
    assert turned.b == pytest.approx(3 * best.b, rel=1e-7, abs=1e-10)
    swapped = max_margin(X, -y, bias=bias)
    assert swapped.w == pytest.approx(-best.w, abs=1e-7)
    assert swapped.b == pytest.approx(-best.b, rel=1e-7, abs=1e-10)
    if bias:
        shift = 10 * rng.normal(size=X.shape[1])
        shifted = max_margin(X + shift, y)
        assert shifted.w == pytest.approx(best.w, abs=1e-7)
        assert shifted.b == pytest.approx(best.b - best.w @ shift, rel=1e-7)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_features_in_very_different_units(seed, bias):
    """The margin is a millionth of the data; plain normal equations would lose it."""
    rng = np.random.default_rng(seed)
    n, d = 40, 6
    y = np.where(np.arange(n) % 3, 1.0, -1.0)
    X = (
        np.column_stack([1e-6 * y * (1 + rng.random(n)), rng.normal(size=(n, d - 1))])
        @ np.linalg.qr(rng.normal(size=(d, d)))[0]
    )
    best = max_margin(X, y, bias=bias)
    z = geometric_margin(X, y, best.w, best.b)
    assert z.min() == pytest.approx(best.margin, rel=1e-6)
    p = np.linalg.norm(best.weights * y @ X) / (2 if bias else 1)
    assert p == pytest.approx(best.margin, rel=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_far_from_the_origin_only_differences_count(seed):
    X, y = cloud(2 * seed + 1)
    here, there = max_margin(X, y), max_margin(X + 1e6, y)
    assert there.margin == pytest.approx(here.margin, abs=1e-8)
    assert there.separable == here.separable
    if not there.separable:
        return
    z = geometric_margin(X + 1e6, y, there.w, there.b)
    assert z.min() == pytest.approx(there.margin, abs=1e-8)


@pytest.mark.parametrize("bias", [True, False])
def test_many_more_features_than_examples(bias):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 500)), np.where(np.arange(12) < 5, 1.0, -1.0)
    best = max_margin(X, y, bias=bias)
    assert best.w.shape == (500,)
    assert best.margin == pytest.approx(nnls_margin(X, y, bias), rel=1e-10)
    assert geometric_margin(X, y, best.w, best.b).min() == pytest.approx(best.margin)


@pytest.mark.parametrize("bias", [True, False])
def test_copied_rows_of_wide_data_leave_the_margin(bias):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 40)), np.where(np.arange(12) < 5, 1.0, -1.0)
    best, rows = max_margin(X, y, bias=bias), [*range(12), 0, 11]
    copied = max_margin(X[rows], y[rows], bias=bias)
    assert copied.margin == pytest.approx(best.margin, rel=1e-9)
    assert copied.w == pytest.approx(best.w, abs=1e-8)
    opposite = max_margin(X[[*range(12), 0]], [*y, -y[0]], bias=bias)
    assert not opposite.separable


@pytest.mark.parametrize("bias", [True, False])
def test_wide_data_with_rows_of_any_length(bias):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = rng.integers(2, 40)
        X = rng.normal(size=(n, n + rng.integers(1, 9))) * rng.exponential(size=(n, 1))
        y = np.where(np.arange(n) < rng.integers(1, n), 1.0, -1.0)
        best = max_margin(X, y, bias=bias)
        z = geometric_margin(X, y, best.w, best.b)
        p = np.linalg.norm(best.weights * y @ X) / (2 if bias else 1)
        assert (best.weights >= 0).all()
        assert z.min() == pytest.approx(best.margin, rel=1e-9)
        assert p == pytest.approx(best.margin, rel=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_rows_on_the_margin_that_have_no_weight(seed):
    """Six rows average to the nearest point, and ten more are as far along it."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(20, 20)))[0]
    u = rng.dirichlet(np.ones(6))
    rows = Q[0] + np.append(Q[1:7] - u @ Q[1:7], Q[8:18], axis=0)
    best = max_margin(rows, np.ones(16), bias=False)
    assert best.margin == pytest.approx(1, rel=1e-9)
    assert best.w == pytest.approx(Q[0], abs=1e-8)
    assert best.weights @ rows == pytest.approx(Q[0], abs=1e-8)


@pytest.mark.parametrize("bias", [True, False])
def test_many_examples(bias):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 4))
    score = X @ [1.0, -2.0, 0.5, 0.0]
    X, y = X[np.abs(score) > 0.1], np.sign(score[np.abs(score) > 0.1])
    best = max_margin(X, y, bias=bias)
    z = geometric_margin(X, y, best.w, best.b)
    p = np.linalg.norm(best.weights * y @ X) / (2 if bias else 1)
    assert z.min() == pytest.approx(best.margin, rel=1e-10)
    assert p == pytest.approx(best.margin, rel=1e-10)
    y[17] *= -1
    assert not max_margin(X, y, bias=bias).separable


@pytest.mark.parametrize("unit", [1e-300, 1e-150, 1e149])
def test_the_margin_in_any_unit(unit):
    X = np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 1.0], [4.0, 0.0]]) * unit
    best = max_margin(X, [-1, -1, 1, 1])
    assert best.w == pytest.approx([1, 0], abs=1e-12)
    assert best.b / unit == pytest.approx(-2)
    assert best.margin / unit == pytest.approx(1)
    assert max_margin(X, [-1, 1, -1, 1]).margin == 0.0


@pytest.mark.parametrize("bias", [True, False])
def test_xor_has_no_margin_and_a_proof_of_it(bias):
    best = max_margin(XOR, XOR_Y, bias=bias)
    assert not best.separable
    assert best.margin == best.b == 0.0
    assert not best.w.any()
    assert best.weights * XOR_Y @ XOR == pytest.approx(0, abs=1e-12)
    if bias:
        assert best.weights == pytest.approx(0.5, abs=1e-12)


def test_the_same_point_in_both_classes_has_no_margin():
    X = np.array([[0.1, 0.7], [0.3, 0.3], [0.3, 0.3], [0.9, 0.2]])
    best = max_margin(X, [1, 1, -1, -1])
    assert not best.separable
    assert best.weights == pytest.approx([0, 1, 1, 0], abs=1e-12)


def test_rounding_is_no_margin():
    X = np.array([[0.1 + 0.2], [0.3]])  # they differ in the last digit
    assert not max_margin(X, [1, -1]).separable
    assert not max_margin(X + 1e6 - 1e6, [1, -1], bias=False).separable
    offset = np.array([[1e16], [1e16 + 2]])
    assert not max_margin(offset, [-1, 1]).separable


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_a_margin_below_a_trillionth_of_the_size_is_none(unit):
    for margin, separable in (3e-13, False), (3e-12, True):
        X = unit * np.array([[1.0, margin], [-1.0, margin]])
        assert max_margin(X, [1, 1], bias=False).separable == separable


def test_one_example_and_constant_features():
    one = max_margin([[3.0, 4.0]], [-1], bias=False)
    assert one.w == pytest.approx([-0.6, -0.8])
    assert one.margin == pytest.approx(5)
    assert np.array_equal(one.weights, [1])
    assert not max_margin([[0.0, 0.0]], [1], bias=False).separable
    X = np.column_stack([[1.0, 2.0, 5.0], np.full(3, 7.0), np.zeros(3)])
    best = max_margin(X, [-1, -1, 1])
    assert best.w == pytest.approx([1, 0, 0], abs=1e-12)
    assert best.margin == pytest.approx(1.5)


# --- feasibility, and shattering


def test_a_separating_halfspace_by_hand():
    found = separating_halfspace([[1.0], [2.0], [4.0]], [-1, -1, 1])
    assert found.separable
    assert found.certificate is None
    check_separates(found, np.array([[1.0], [2.0], [4.0]]), np.array([-1.0, -1.0, 1.0]))


def test_xor_has_a_certificate():
    found = separating_halfspace(XOR, XOR_Y)
    assert not found.separable
    assert found.certificate == pytest.approx(0.25, abs=1e-12)
    assert found.b == 0.0
    assert np.array_equal(found.w, [0, 0])


def test_without_bias_the_last_equation_is_dropped():
    X = np.array([[1.0], [2.0]])
    assert separating_halfspace(X, [1, -1]).separable
    found = separating_halfspace(X, [1, -1], bias=False)
    assert found.certificate == pytest.approx([2 / 3, 1 / 3], abs=1e-12)
    assert separating_halfspace(X, [1, 1], bias=False).b == 0.0


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_exactly_one_of_the_two_exists(seed, flip, bias):
    X, y = cloud(seed, bias=bias, flip=flip)
    found = separating_halfspace(X, y, bias=bias)
    assert found.separable == feasible(X, y, bias)
    if found.separable:
        check_separates(found, X, y)
        assert bias or found.b == 0.0
    else:
        check_certificate(found.certificate, X, y, bias)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_units_and_offsets_do_not_decide(seed, bias):
    rng = np.random.default_rng(seed)
    X, y = cloud(2 * seed + 1, bias=bias, flip=seed % 2 == 0)
    truth = feasible(X, y, bias)
    Z = X * 10.0 ** rng.integers(-12, 13, size=X.shape[1])
    found = separating_halfspace(Z, y, bias=bias)
    assert found.separable == truth
    if truth:
        check_separates(found, Z, y)
    if bias:
        there = separating_halfspace(X + 1e6, y)
        assert there.separable == truth
        if not truth:  # the mean of both classes is the same, to their own size
            assert there.certificate * y @ X == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("offset", [1e9, -1e9])
def test_feasibility_far_from_the_origin(offset):
    X = np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 1.0], [4.0, 0.0]]) + offset
    found = separating_halfspace(X, [-1, -1, 1, 1])
    z = functional_margin(X, [-1, -1, 1, 1], found.w, found.b)
    assert z.min() == pytest.approx(1, abs=1e-5)
    a = separating_halfspace(X, [-1, 1, -1, 1]).certificate
    assert a == pytest.approx([1 / 6, 1 / 3, 1 / 3, 1 / 6], abs=1e-9)


@pytest.mark.parametrize("unit", [1e-240, 1e-150, 1e149])
def test_feasibility_in_any_unit(unit):
    X = np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 1.0], [4.0, 0.0]]) * unit
    check_separates(separating_halfspace(X, [-1, -1, 1, 1]), X, [-1, -1, 1, 1])
    a = separating_halfspace(X, [-1, 1, -1, 1]).certificate
    assert a == pytest.approx([1 / 6, 1 / 3, 1 / 3, 1 / 6], abs=1e-9)


def test_what_hardly_varies_counts_as_constant():
    X = np.array([[1e-260], [3e-260]])
    assert not separating_halfspace(X, [-1, 1]).separable
    assert separating_halfspace(X * 1e20, [-1, 1]).separable

    X = np.array([[-1e-250], [1e-250]])
    assert not separating_halfspace(X * 0.9, [-1, 1]).separable
    assert separating_halfspace(X * 1.1, [-1, 1]).separable


def test_what_rounding_may_have_done_does_not_separate():
    X = np.array([[1e8], [1e8 + 1e-7]])  # w @ x and b of 2e15 must differ by 1
    with pytest.raises(ArithmeticError, match="in its last digits only, subtract its mean"):
        separating_halfspace(X, [-1, 1])
    assert separating_halfspace(X - X.mean(), [-1, 1]).separable
    assert separating_halfspace([[1e8], [1e8 + 1e-6]], [-1, 1]).separable


def test_what_features_of_a_few_last_digits_leave_to_claim_holds_in_fractions():
    said = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = 2.0**52 + np.round(7 * rng.normal(size=(6, 2)))
        y = rng.permutation([1.0, 1, 1, 1, 1, -1])
        try:
            found = separating_halfspace(X, y)
        except ArithmeticError:
            found = separating_halfspace(X - 2.0**52, y)
            assert found.separable
            said.append("refused")
            continue
        said.append(found.separable)
        judge(of_separating_halfspace, found, {"X": X, "y": y, "bias": True})
    assert {"refused", False} <= set(said)


def test_one_class_needs_no_hyperplane():
    for sign in (1.0, -1.0):
        found = separating_halfspace(XOR, np.full(4, sign))
        assert (sign * found.decision_function(XOR) >= 1 - 1e-9).all()
        assert not np.signbit(found.w[found.w == 0]).any()  # no -0.0 on the page


@pytest.mark.parametrize("d", [1, 2, 3])
def test_points_are_shattered_exactly_if_they_are_affinely_independent(d):
    """d + 1 points in general position are, d + 2 never (Radon)."""
    rng = np.random.default_rng(d)
    for n in range(1, d + 3):
        X = rng.normal(size=(n, d))
        assert shatters(X) == (np.linalg.matrix_rank(augment(X)) == n) == (n <= d + 1)
    X = rng.normal(size=(d + 1, d))
    X[0] = X[1:].mean(axis=0)
    assert not shatters(X)


def test_three_points_on_a_line_are_not_shattered():
    assert not shatters([[0, 0], [1, 1], [2, 2]])
    assert shatters([[0, 0], [1, 1], [2, 2.5]])
    assert not shatters([[1.0, 2.0], [1.0, 2.0]])


def test_twelve_points_are_the_limit():
    assert not shatters(np.arange(12.0)[:, None])
    message = r"X must have at most 12 rows, 2\*\*n are tried; got 13"
    with pytest.raises(ValueError, match=message):
        shatters(np.arange(13.0)[:, None])


# --- input


BAD_DATA = [
    (dict(X=[[np.nan, 1.0]]), "X must be finite"),
    (dict(X=[[np.inf, 1.0]]), "X must be finite"),
    (dict(X=[1.0, 2.0]), "X must be a matrix"),
    (dict(X=np.empty((0, 2))), "X must be a matrix"),
    (dict(X=[["a", "b"]]), "X must be an array of real numbers"),
]
BAD_LABELS = [
    (dict(y=[1.0, -1.0]), "y must have 3 entries; got 2"),
    (dict(y=[1.0, 0.0, 1.0]), "y must hold only -1 and \\+1; got the label 0"),
    (dict(y=["a", "b", "a"]), "y must be an array of real numbers"),
]
BIAS = [(dict(bias=1), "bias must be True or False; got 1")]

REFUSED = [
    (max_margin, dict(X=X, y=Y), BAD_DATA + BAD_LABELS + BIAS),
    (separating_halfspace, dict(X=X, y=Y), BAD_DATA + BAD_LABELS + BIAS),
    (shatters, dict(X=X), BAD_DATA),
]


@pytest.mark.parametrize(
    ("function", "good", "bad", "message"),
    [
        pytest.param(function, good, bad, message, id=f"{function.__name__}: {message}")
        for function, good, cases in REFUSED
        for bad, message in cases
    ],
)
def test_bad_input_is_refused_by_name(function, good, bad, message):
    function(**good)
    with pytest.raises(ValueError, match=message):
        function(**good | bad)


@pytest.mark.parametrize("sign", [1, -1])
def test_one_class_has_no_largest_margin_with_a_bias(sign):
    message = rf"y must hold both -1 and \+1 with a bias; got only {sign}"
    with pytest.raises(ValueError, match=message):
        max_margin(X, np.full(3, sign))


def test_any_array_will_do_and_none_is_changed():
    rng = np.random.default_rng(0)
    wide = rng.integers(-9, 9, size=(20, 6)).astype(np.float64)
    y = np.where(wide[:, 0] + wide[:, 2] > 0, 1.0, -1.0)
    views = wide[:, ::2], np.asfortranarray(wide[:, ::2])
    plain = wide[:, ::2].copy()
    plain.flags.writeable = y.flags.writeable = False
    before = plain.copy()
    best, found = max_margin(plain, y), separating_halfspace(plain, y)
    assert best.separable
    assert np.array_equal(plain, before)
    for Z in (*views, plain.astype(np.float32), plain.astype(int), plain.tolist()):
        again = max_margin(Z, y.astype(int))
        assert again.w == pytest.approx(best.w, abs=1e-12)
        assert again.margin == pytest.approx(best.margin, rel=1e-12)
        assert separating_halfspace(Z, y).w == pytest.approx(found.w, abs=1e-9)


def test_same_data_same_answer():
    X, y = cloud(5)
    first, second = max_margin(X, y), max_margin(X, y)
    assert np.array_equal(first.w, second.w)
    assert np.array_equal(first.weights, second.weights)


def test_one_class_far_from_the_origin_is_separable():
    X = 1e8 * np.ones((2, 2)) + [[0.0, -2e-8], [6e-8, 1e-8]]
    found = separating_halfspace(X, [1, 1])
    assert found.separable and found.b == 1 and not found.w.any()
