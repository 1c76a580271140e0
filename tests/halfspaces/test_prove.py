"""A claim is proved, refuted by numbers or undecided; a card prints its hypotheses."""
# ruff: noqa: F403, F405

from itertools import islice

import numpy as np
import pytest
import sympy as sp

from halfspaces.proofs import *
from halfspaces.proofs.inequalities import solve
from halfspaces.proofs.points import points
from halfspaces.proofs.prove import compare_with_code
from halfspaces.symbols import b_, d_, i_, j_, k_, total, w_, x_, y_
from tests.halfspaces import claims

p, q = sp.symbols("p q", real=True)
z = sp.Symbol("z", real=True)
s = sp.IndexedBase("s", real=True)
score = total(w_[j_] * x_[i_, j_], j_)
square = total(w_[j_] ** 2, j_)


def proved(left, right, *, wrong=None, **options):
    return prove("A claim", left, right, wrong=wrong or {"one more": right + 1}, **options)


def verdict_on(claim: str) -> str:
    """Return the verdict of `prove` on a claim of the tables."""
    left, right, relation, given = claims.parse(claim)
    one = sp.OneMatrix(*right.shape) if right.is_Matrix else 10**9
    more = sp.Matrix(right + one) if isinstance(right, sp.MatrixBase) else right + one
    try:
        proved(left, right, wrong={"more": more}, given=given, relation=relation)
    except (Refuted, CannotTell) as verdict:
        return "proved" if "no counterexample" in str(verdict) else type(verdict).__name__
    return "proved"


@pytest.mark.parametrize("claim", claims.REFUTED)
def test_false_claim_is_refuted_by_numbers(claim):
    assert verdict_on(claim) == "Refuted"


@pytest.mark.parametrize("claim", claims.UNDECIDED + claims.OPEN)
def test_claim_that_is_not_shown_is_not_proved(claim):
    assert verdict_on(claim) == "CannotTell"


@pytest.mark.parametrize("claim", claims.PROVED)
def test_true_claim_is_proved(claim):
    assert verdict_on(claim) == "proved"


def test_few_true_claims_are_open():
    assert len(claims.OPEN) <= 0.05 * len(claims.OPEN + claims.PROVED)


def test_no_number_depends_on_a_text():
    given = [unequal(square, 0)]
    claim = score / square + b_, (score + b_ * square) / square
    card = prove("A title", *claim, given=given, wrong={"sign": -claim[1]})
    other = prove(
        "Another one",
        *claim,
        given=[unequal(square, 0, "$w$")],
        wrong={"s": -claim[1]},
        label="L",
    )
    (one,), (same,) = card.refuted, other.refuted
    assert (one.at, one.left, one.wrong) == (same.at, same.left, same.wrong)


def test_hypothesis_that_is_not_needed_is_named():
    with pytest.raises(
        ValueError, match=r"given holds what is not needed: \$p<1\$; labels"
    ):
        proved(z * (z + p), z**2 + z * p, given=[less(p, 1), signs(y_)])
    with pytest.raises(ValueError, match=r"not needed: \$q\\ge 0\$$"):
        given = [not_less(p, 0), not_less(q, 0)]
        proved(z**2 + p, z**2, relation=">=", given=given, wrong={"one more": z**2 + p + 1})


def test_part_that_may_have_no_value_is_named():
    claim = z**3 / (z**2 - 3) - 3 * z / (z**2 - 3), z
    with pytest.raises(CannotTell, match=r"z\*\*2 - 3 may be 0 in a denominator"):
        proved(*claim)
    assert proved(*claim, given=[unequal(z**2, 3)])


def test_claims_for_labels_only_are_refuted_for_other_numbers():
    claim = total((y_[i_] - s[i_]) ** 2, i_), total((1 - y_[i_] * s[i_]) ** 2, i_)
    with pytest.raises(Refuted, match="refuted: A claim: the sides are"):
        proved(*claim)
    assert proved(*claim, given=[signs(y_)]).given.endswith(r"labels $y_i=\pm1$")


def test_a_division_by_what_may_be_zero_is_refused():
    claim = score / square + b_, (score + b_ * square) / square
    with pytest.raises(Refuted, match=r"no value at n = 1, d = 1, .* nan"):
        proved(*claim)
    assert proved(*claim, given=[unequal(square, 0, r"$w\ne0$")]).given.endswith("$w\\ne0$")


def test_an_inverse_needs_a_hypothesis():
    A, c = sp.MatrixSymbol("A", d_, d_), sp.MatrixSymbol("c", d_, 1)
    claim, wrong = (A * (sp.Inverse(A) * c + c), c + A * c), {"no second": c}
    with pytest.raises(Refuted, match="not invertible"):
        proved(*claim, wrong=wrong)
    assert proved(*claim, wrong=wrong, given=[invertible(A)]).given == (
        "for all $d$ · real $A, c$ · $A$ invertible"
    )


def test_the_card_says_what_each_letter_is():
    c, q = sp.Symbol("c", positive=True), sp.Symbol("q", integer=True, nonnegative=True)
    proof = proved(c * (score + b_) + q, c * score + c * b_ + q)
    assert proof.given == (
        "for all $n, d$ · $q\\in\\{0,1,\\dots\\}$ · $c>0$ · real $b, w, x$"
    )
    with pytest.raises(ValueError, match="u must be declared, for a real number"):
        proved(sp.Symbol("u") * (z + 1), sp.Symbol("u") * z + sp.Symbol("u"))


def test_hypotheses_that_exclude_each_other_are_refused():
    with pytest.raises(ValueError, match="given must hold at some point; none was found"):
        proved(z * z + z, z * (z + 1), given=[unequal(z, z)])
    with pytest.raises(ValueError, match="two letters must not share a name"):
        proved(z + sp.Symbol("z", positive=True), 2 * z)
    with pytest.raises(ValueError, match="must hold exact numbers"):
        proved(z + 0.5, z)


def test_what_is_derived_wrongly_is_caught_by_numbers(monkeypatch):
    relations = prove.__globals__["RELATIONS"]
    _, holds, sign = relations["="]
    monkeypatch.setitem(relations, "=", (lambda *_: True, holds, sign))
    with pytest.raises(Refuted, match=r"A claim: the sides are .* at n = 1, s = \("):
        proved(total(s[i_] ** 2, i_), total(s[i_], i_) ** 2 + 1)


def test_a_wrong_version_that_is_right_is_refused():
    with pytest.raises(AssertionError, match=r"A claim: no counterexample .* 'same thing'"):
        proved(sp.sin(z) ** 2, 1 - sp.cos(z) ** 2, wrong={"same thing": sp.sin(z) ** 2})


def test_a_claim_without_content_or_of_no_known_relation_is_refused():
    with pytest.raises(ValueError, match="must differ as written"):
        proved(z**2, z * z)
    for left, right in (sp.cos(0), sp.Integer(1)), (2 * sp.log(2), sp.log(4)):
        with pytest.raises(ValueError, match="must hold a symbol"):
            proved(left, right)
    with pytest.raises(ValueError, match="wrong must hold at least one"):
        prove("A claim", z * (z + 1), z**2 + z, wrong={})
    with pytest.raises(ValueError, match="relation must be one of"):
        proved(z * (z + 1), z**2 + z, relation="<")


def distance(X, w, b):
    return (X @ w + b) / np.sqrt(w @ w)


def test_the_formula_is_compared_with_the_code():
    formula = (score + b_) / sp.sqrt(square)
    given = [unequal(square, 0, r"$w\ne0$")]
    inputs = {"X": x_, "w": w_, "b": b_}
    claim = {"wrong": {"sign": -formula}, "given": given, "inputs": inputs}
    left = score / sp.sqrt(square) + b_ / sp.sqrt(square)
    assert proved(left, formula, agrees_with=distance, **claim).code.endswith(".distance")
    wrong = distance, lambda X, w, b: distance(X, w, -b)
    with pytest.raises(AssertionError, match="code and formula differ: A claim"):
        proved(left, formula, agrees_with=wrong, **claim)
    with pytest.raises(ValueError, match="agrees_with must call distance"):
        proved(left, formula, agrees_with=(distance, lambda X, w, b: 0), **claim)


def test_words_with_signs_of_html_are_shown_as_they_are():
    page = prove("2 < 3", z * (z + 1), z**2 + z, wrong={"a & b": z**2})._repr_html_()
    assert "<strong>2 &lt; 3</strong>" in page and "<td>a &amp; b</td>" in page


def test_a_product_that_is_zero_says_not_which_factor_is():
    with pytest.raises(Refuted):
        proved(p * z + q, q, given=[equation(p * s[1], 0)])
    found = list(islice(points((p * q,), [equation(p * q, 0)]), 40))
    assert min(sum(point(factor) != 0 for point in found) for factor in (p, q)) > 10
    claim = p * s[1] * z + q, q
    assert proved(*claim, given=[equation(p * s[1], 0)]).given.endswith("$p {s}_{1}=0$")


def test_an_inequality_among_the_hypotheses_is_used_in_its_direction_only():
    label_kept = not_less(y_[i_] * score, z, r"$y_iw\cdot x_i\ge z$")
    more = total((w_[j_] + y_[i_] * x_[i_, j_]) * x_[i_, j_], j_) * y_[i_]
    claim, given = (more, z + total(x_[i_, j_] ** 2, j_)), [signs(y_), label_kept]
    options = {"relation": ">=", "wrong": {"twice": z + 2 * total(x_[i_, j_] ** 2, j_)}}
    assert proved(*claim, given=given, **options).given.endswith(r"\ge z$")
    for less_given in ([label_kept], [signs(y_)], [signs(y_), not_less(score, z)]):
        with pytest.raises(Refuted):
            proved(*claim, given=less_given, **options)
    with pytest.raises(Refuted):
        proved(claim[1], claim[0], given=given, **options)


def test_an_exponential_of_what_is_0_or_1_has_two_values():
    v = sp.IndexedBase("v", real=True)
    claim = (
        total(s[i_] * sp.exp(z * v[i_]), i_),
        total(s[i_] * (1 - v[i_] + v[i_] * sp.exp(z)), i_),
    )
    assert proved(*claim, given=[zero_or_one(v)])


def test_simplex_finds_nonnegative_weights_or_none():
    columns = [{"x": 1, "y": -1}, {"y": 1}, {"x": 1}]
    weights = solve(columns, {"x": 2, "y": -1})
    for row, wanted in {"x": 2, "y": -1}.items():
        assert sum(w * columns[j].get(row, 0) for j, w in weights.items()) == wanted
    assert min(weights.values()) >= 0
    assert solve(columns[1:], {"x": -1}) is None


middle = np.array([0.0, 1.0, 0.0])
first = total(x_[i_, k_], i_) * sp.KroneckerDelta(k_, 1)  # zero in the other columns


def code(X):
    return X.sum(axis=0) * [1, 0, 0]


def test_code_is_right_up_to_rounding_in_every_entry_and_in_its_shape():
    def off(size):
        return lambda X: code(X) + size * np.abs(X).sum() * middle

    assert compare_with_code("A claim", first, (), (code, off(1e-16)), {"X": x_}).endswith(
        ".code"
    )
    for wrong in off(1e-8), off(np.nan), lambda X: code(X)[:, None], lambda X: 2 * code(X):
        with pytest.raises(AssertionError, match="code and formula differ: A claim"):
            compare_with_code("A claim", first, (), (code, wrong), {"X": x_})
