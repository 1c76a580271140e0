"""Random exact points satisfy every hypothesis, and values agree with SymPy's."""
# ruff: noqa: F403, F405

from itertools import islice

import pytest
import sympy as sp

from halfspaces.proofs import *
from halfspaces.proofs.algebra import equal
from halfspaces.proofs.points import TooLarge, Undefined, is_zero, sample_points
from halfspaces.symbols import d_, i_, j_, k_, l_, n_, total, w_, x_, y_

r = sp.Symbol("r", integer=True, positive=True)
a, D = sp.IndexedBase("a", real=True), sp.IndexedBase("D", positive=True)
X, v = sp.MatrixSymbol("X", n_, d_), sp.MatrixSymbol("v", d_, 1)
S = sp.MatrixSymbol("S", r, r)
lam = sp.Symbol("lambda", positive=True)
score = total(w_[j_] * x_[i_, j_], j_)


@pytest.mark.parametrize(
    ("given", "zero"),
    [
        (signs(y_), total((y_[i_] ** 2 - 1) ** 2, i_)),
        (zero_or_one(a), total((a[i_] ** 2 - a[i_]) ** 2, i_)),
        (equation(total(D[i_], i_), 1), total(D[i_], i_) - 1),
        (equation(total(a[i_] * y_[i_], i_), 0), total(a[i_] * y_[i_], i_)),
        (unit(w_, j_), total(w_[j_] ** 2, j_) - 1),
        (perpendicular(X, v), X * v),
        (invertible(S), S * sp.Inverse(S) - sp.Identity(r)),
    ],
    ids=lambda p: getattr(p, "words", ""),
)
def test_hypothesis_holds_at_every_point_only_if_it_is_given(given, zero):
    found = list(islice(sample_points((zero,), [given]), 40))
    assert all(is_zero(point(zero)) for point in found)
    assert len({str(point.numbers) for point in found}) > 5
    if not given.words.endswith("invertible"):
        unconstrained = islice(sample_points((zero,), []), 40)
        assert not all(is_zero(point(zero)) for point in unconstrained)


def test_entries_satisfy_two_hypotheses_on_their_values():
    found = islice(sample_points((y_[i_],), [signs(y_), zero_or_one(y_)]), 10)
    assert {point(y_[i_]) for point in found} == {1}


def test_free_index_of_a_hypothesis_means_for_all():
    rows = total(x_[i_, j_], j_)
    for hypothesis, violation in (
        (equation(rows, 1), (rows - 1) ** 2),
        (not_less(rows, lam), sp.Max(0, lam - rows)),
    ):
        given = [hypothesis.for_claim(total(rows, i_), n_)]
        found = list(islice(sample_points((total(rows, i_), lam), given), 30))
        assert all(is_zero(point(total(violation, i_))) for point in found)
        assert any(point.sizes[n_] > 3 for point in found)


def test_value_agrees_with_sympy():
    pairs = total(total((w_[j_] * x_[i_, l_] - w_[l_] * x_[i_, j_]) ** 2, l_), j_)
    formula = sp.log(1 + sp.exp(-y_[i_] * pairs)) / n_ + lam * sp.Max(0, w_[k_]) ** 2
    for point in islice(sample_points((formula,), []), 5):
        value = point(formula)
        explicit = formula.subs(point.sizes).doit().subs(point.indices).doit()
        numbers = {key: v for key, v in point.numbers.items() if key == lam}
        for entry in explicit.atoms(sp.Indexed):
            numbers[entry] = point.numbers[(entry.base, *entry.indices)]
        assert is_zero(explicit.xreplace(numbers) - value)


def test_division_by_zero_and_roots_of_negative_numbers_have_no_value():
    q = sp.Symbol("q", real=True)
    for expression, bad in ((1 / q, 0), (sp.sqrt(q), -1), (sp.log(q), 0)):
        with pytest.raises(Undefined):
            for point in islice(sample_points((expression,), []), 40):
                point(expression)
                assert point(q) != bad


# ----------------------------------------------------------------------- derivatives


def test_derivative_by_a_variable_whose_index_is_summed_over_raises():
    with pytest.raises(ValueError, match="variable must use a fresh index"):
        derivative(score, w_[j_])


# -------------------------------------------------------------------------- equality


def test_names_of_indices_and_the_order_of_two_sums_do_not_matter():
    assert equal(total(x_[i_, j_], j_), total(x_[i_, l_], l_))
    assert not equal(total(x_[i_, j_], j_), total(x_[k_, l_], l_))
    inner = total(a[i_] * x_[i_, j_], i_)
    assert equal(total(a[i_] * total(x_[i_, j_] * inner, j_), i_), total(inner**2, j_))
    assert not equal(total(w_[j_] * inner, j_), total(a[i_] * total(x_[i_, j_], j_), i_))
    triangle = sp.Sum(a[i_] * sp.Sum(D[k_], (k_, 1, i_)), (i_, 1, n_))
    assert not equal(triangle, total(a[i_], i_) * sp.Sum(D[k_], (k_, 1, i_)))


def test_new_index_differs_from_the_symbols_of_the_claim():
    for name in ("n_0", "index"):
        symbol = sp.Symbol(name, integer=True)
        assert not equal(total(a[i_ + symbol], i_), total(a[2 * i_], i_))
        assert not equal(total(symbol * a[i_], i_), total(i_ * a[i_], i_))


def test_equality_compares_matrices_by_shape_and_value():
    assert not equal(sp.Matrix([1, 1]), sp.Matrix([[1, 1]]))
    product = sp.BlockMatrix([[X, X]]) * sp.BlockMatrix([[v], [2 * v]])
    assert equal(product, 3 * X * v) and not equal(product, 2 * X * v)


def test_tiny_numbers_are_not_zero_and_hidden_zeros_are():
    log_sigmoid = sp.log(1 - 1 / (1 + sp.exp(-343)))  # with 30 digits, all are wrong
    assert not is_zero(log_sigmoid + 343)
    assert is_zero(log_sigmoid + 343 + sp.log(1 + sp.exp(-343)))
    with pytest.raises(TooLarge):
        is_zero(sp.log(1 + sp.exp(9999)) - 9999)
