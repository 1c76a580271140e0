"""The checker is checked: true claims pass, and each kind of false one is refused."""

import numpy as np
import pytest
import sympy as sp

from mlcore.book.letters import at_least, equal
from mlcore.book.proofs import (
    b,
    d,
    derivative,
    equal_sums,
    i,
    j,
    k,
    l,
    n,
    prove,
    subdifferential,
    total,
    w,
    x,
    y,
)

lam = sp.Symbol("lambda", positive=True)
z = sp.Symbol("z", real=True)
score = total(w[j] * x[i, j], j)


def sigma(u):
    return 1 / (1 + sp.exp(-u))


def logistic_objective():
    return total(sp.log(1 + sp.exp(-y[i] * score)), i) / n + lam * total(w[j] ** 2, j)


def logistic_gradient():
    return -total(sigma(-y[i] * score) * y[i] * x[i, k], i) / n + 2 * lam * w[k]


def test_the_derivative_of_a_score_is_the_feature():
    assert derivative(score, w[k]) == x[i, k]


def test_the_derivative_agrees_with_finite_sums():
    sizes = {n: 2, d: 3}
    explicit = logistic_objective().subs(sizes).doit()
    general = derivative(logistic_objective(), w[k]).subs(sizes).doit()
    for q in (1, 2, 3):
        assert sp.simplify(explicit.diff(w[q]) - general.subs(k, q)) == 0


def test_the_derivative_refuses_an_index_that_is_summed_over():
    wrong = score.diff(w[j]).doit()  # what SymPy says, and it is wrong
    assert wrong != x[i, j]
    with pytest.raises(ValueError, match="variable must use a fresh index"):
        derivative(score, w[j])


@pytest.mark.parametrize(
    "change",
    [-lam * w[k], lam, -4 * lam * w[k], total(x[i, k], i)],
    ids=["factor lost", "term added", "sign flipped", "sum added"],
)
def test_equal_sums_tells_a_gradient_from_its_mutants(change):
    gradient = derivative(logistic_objective(), w[k])
    assert equal_sums(gradient, logistic_gradient())
    assert not equal_sums(gradient, logistic_gradient() + change)


def test_equal_sums_tells_a_hessian_from_its_mutants():
    hessian = derivative(derivative(logistic_objective(), w[k]), w[l])
    s = sigma(y[i] * score)
    data = total(s * (1 - s) * x[i, k] * x[i, l], i) / n
    assert equal_sums(hessian, data + 2 * lam * sp.KroneckerDelta(k, l))
    assert not equal_sums(hessian, data)
    assert not equal_sums(hessian, 2 * data + 2 * lam * sp.KroneckerDelta(k, l))


def test_equal_sums_does_not_depend_on_the_name_of_an_index():
    assert equal_sums(total(x[i, j], j), total(x[i, l], l))
    assert not equal_sums(total(x[i, j], j), total(x[k, l], l))


def test_equal_sums_knows_that_labels_are_signs_and_features_are_not():
    assert equal_sums(total(y[i] ** 2 * x[i, k], i), total(x[i, k], i))
    assert equal_sums(total(y[i] ** 3, i), total(y[i], i))
    assert not equal_sums(total(x[i, k] ** 2, i), n)


def test_equal_sums_separates_nested_sums():
    u, v = sp.IndexedBase("u", real=True), sp.IndexedBase("v", real=True)
    lagrange = total(total((u[j] * v[l] - u[l] * v[j]) ** 2, l), j) / 2
    norms = total(u[j] ** 2, j) * total(v[j] ** 2, j)
    inner = total(u[j] * v[j], j)
    assert equal_sums(lagrange, norms - inner**2)
    assert not equal_sums(lagrange, norms + inner**2)


def test_equal_compares_matrices_by_shape_and_value():
    X, v = sp.MatrixSymbol("X", n, d), sp.MatrixSymbol("w", d, 1)
    gradient = sp.diff((X * v).T * (X * v), v)
    assert equal(gradient, 2 * X.T * X * v)
    assert not equal(gradient, X.T * X * v)
    assert equal(sp.Matrix([z * (z + 1)]), sp.Matrix([z**2 + z]))
    assert not equal(sp.Matrix([1, 1]), sp.Matrix([[1, 1]]))


def test_at_least_needs_signs_that_are_declared():
    s, free = sp.Symbol("s", nonnegative=True), sp.Symbol("f", real=True)
    assert at_least(1 + s, 1)
    assert not at_least(1 + free, 1)
    assert not at_least(1, 1 + s)


def test_subdifferentials_at_kinks():
    assert subdifferential(sp.Max(0, 1 - z), z, 1) == sp.Interval(-1, 0)
    assert subdifferential(sp.Abs(z), z, 0) == sp.Interval(-1, 1)
    assert subdifferential(z**2, z, 3) == sp.FiniteSet(6)


def test_prove_refuses_a_false_claim_a_provable_mutant_and_no_mutant():
    with pytest.raises(AssertionError, match="not proved: sines"):
        prove("sines", sp.sin(z) ** 2, sp.cos(z) ** 2, mutants={"sign": -1})
    with pytest.raises(AssertionError, match=r"proved although wrong \(same thing\): ones"):
        prove("ones", sp.sin(z) ** 2, 1 - sp.cos(z) ** 2,
              mutants={"same thing": sp.sin(z) ** 2})  # fmt: skip
    with pytest.raises(ValueError, match="mutants must hold at least one"):
        prove("lonely", z, z, mutants={})


def distance(X, w, b):
    return (X @ w + b) / np.sqrt(w @ w)


def test_prove_compares_the_formula_with_the_code():
    formula = (score + b) / sp.sqrt(total(w[j] ** 2, j))
    at = {"X": x, "w": w, "b": b}
    claim = {"mutants": {"sign": -formula}, "at": at}
    proof = prove("distance", formula, formula, agrees_with=distance, **claim)
    assert proof.code == f"{__name__}.distance"
    wrong = (distance, lambda X, w, b: distance(X, w, -b))
    with pytest.raises(AssertionError, match="code and formula differ: distance"):
        prove("distance", formula, formula, agrees_with=wrong, **claim)
    with pytest.raises(ValueError, match="must call distance"):
        prove(
            "distance",
            formula,
            formula,
            agrees_with=(distance, lambda X, w, b: 0),
            **claim,
        )


def test_a_proof_says_for_which_sizes_it_holds():
    assert prove("a", score, score, mutants={"0": 0}).holds == "every d"
    mean = total(score, i) / n
    assert prove("b", mean, mean, mutants={"0": 0}).holds == "every d and n"
    fixed = sp.Matrix([z, z])
    assert "(2, 1)" in prove("c", fixed, fixed, mutants={"2": 2 * fixed}).holds
    assert "every value" in prove("d", z, z, mutants={"0": 0}).holds


def test_a_proof_displays_its_statement_and_records_itself():
    proof = prove("Squares", z * z, z**2, mutants={"cube": z**3}, label="q")
    data, metadata = proof._repr_mimebundle_()
    assert "$$ q = z^{2} $$" in data["text/html"]
    assert 'id="check-squares"' in data["text/html"]
    record = metadata["proof"]
    assert record["name"] == "Squares" and record["mutants"] == ["cube"]
