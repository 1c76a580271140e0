"""Random exact points satisfy every hypothesis, and values are those of SymPy."""
# ruff: noqa: F403, F405

from itertools import islice

import pytest
import sympy as sp

from mlcore.book.proofs import *  # the letters, too
from mlcore.book.proofs.algebra import equal
from mlcore.book.proofs.points import Undefined, is_zero, points

r = sp.Symbol("r", integer=True, positive=True)
a, D = sp.IndexedBase("a", real=True), sp.IndexedBase("D", positive=True)
X, v = sp.MatrixSymbol("X", n, d), sp.MatrixSymbol("v", d, 1)
S = sp.MatrixSymbol("S", r, r)
lam = sp.Symbol("lambda", positive=True)
score = total(w[j] * x[i, j], j)


@pytest.mark.parametrize(
    ("given", "zero"),
    [
        (signs(y), total((y[i] ** 2 - 1) ** 2, i)),
        (zero_or_one(a), total((a[i] ** 2 - a[i]) ** 2, i)),
        (equation(total(D[i], i), 1), total(D[i], i) - 1),
        (equation(total(a[i] * y[i], i), 0), total(a[i] * y[i], i)),
        (unit(w, j), total(w[j] ** 2, j) - 1),
        (perpendicular(X, v), X * v),
        (invertible(S), S * sp.Inverse(S) - sp.Identity(r)),
    ],
    ids=lambda p: getattr(p, "words", ""),
)
def test_a_hypothesis_holds_at_every_point_and_not_at_all_of_them(given, zero):
    found = list(islice(points((zero,), [given], seed="0"), 40))
    assert all(is_zero(point(zero)) for point in found)
    assert len({str(point.numbers) for point in found}) > 5
    if not given.words.endswith("invertible"):
        free = islice(points((zero,), [], seed="0"), 40)
        assert not all(is_zero(point(zero)) for point in free)


def test_a_value_is_that_of_sympy():
    pairs = total(total((w[j] * x[i, l] - w[l] * x[i, j]) ** 2, l), j)
    whole = sp.log(1 + sp.exp(-y[i] * pairs)) / n + lam * sp.Max(0, w[k]) ** 2
    for point in islice(points((whole,), [], seed="0"), 20):
        value = point(whole)
        written = whole.subs(point.sizes).doit().subs(point.indices).doit()
        numbers = {base: v for base, v in point.numbers.items() if base == lam}
        for entry in written.atoms(sp.Indexed):
            numbers[entry] = point.numbers[(entry.base, *entry.indices)]
        assert is_zero(written.xreplace(numbers) - value)


def test_division_by_zero_and_roots_of_negative_numbers_have_no_value():
    q = sp.Symbol("q", real=True)
    for expression, bad in ((1 / q, 0), (sp.sqrt(q), -1), (sp.log(q), 0)):
        with pytest.raises(Undefined):
            for point in islice(points((expression,), [], seed="0"), 40):
                point(expression)
                assert point(q) != bad


# ----------------------------------------------------------------------- derivatives


def test_the_derivative_refuses_an_index_that_is_summed_over():
    wrong = score.diff(w[j]).doit()  # what SymPy says, and it is wrong
    assert wrong != x[i, j]
    with pytest.raises(ValueError, match="variable must use a fresh index"):
        derivative(score, w[j])


# -------------------------------------------------------------------------- equality


def test_names_of_indices_and_the_order_of_two_sums_do_not_matter():
    assert equal(total(x[i, j], j), total(x[i, l], l))
    assert not equal(total(x[i, j], j), total(x[k, l], l))
    inner = total(a[i] * x[i, j], i)
    assert equal(total(a[i] * total(x[i, j] * inner, j), i), total(inner**2, j))
    assert not equal(total(w[j] * inner, j), total(a[i] * total(x[i, j], j), i))
    triangle = sp.Sum(a[i] * sp.Sum(D[k], (k, 1, i)), (i, 1, n))
    assert not equal(triangle, total(a[i], i) * sp.Sum(D[k], (k, 1, i)))


def test_a_letter_of_the_claim_is_no_index_of_ours():
    for name in ("n_0", "index"):
        own = sp.Symbol(name, integer=True)
        assert not equal(total(a[i + own], i), total(a[2 * i], i))
        assert not equal(total(own * a[i], i), total(i * a[i], i))


def test_equality_compares_matrices_by_shape_and_value():
    z = sp.Symbol("z", real=True)
    assert equal(sp.Matrix([z * (z + 1)]), sp.Matrix([z**2 + z]))
    assert not equal(sp.Matrix([1, 1]), sp.Matrix([[1, 1]]))
    product = sp.BlockMatrix([[X, X]]) * sp.BlockMatrix([[v], [2 * v]])
    assert equal(product, 3 * X * v) and not equal(product, 2 * X * v)
