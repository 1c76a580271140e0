"""A claim passes only if it is true, says what it assumes, and says something."""
# ruff: noqa: F403, F405

from itertools import islice

import numpy as np
import pytest
import sympy as sp

from halfspaces.proofs import *
from halfspaces.proofs.points import points
from halfspaces.proofs.prove import tie
from halfspaces.symbols import b_, d_, i_, j_, k_, total, w_, x_, y_

p, q = sp.symbols("p q", real=True)
z = sp.Symbol("z", real=True)
s = sp.IndexedBase("s", real=True)
score = total(w_[j_] * x_[i_, j_], j_)
square = total(w_[j_] ** 2, j_)


def proved(left, right, *, wrong=None, **options):
    return prove("A claim", left, right, wrong=wrong or {"one more": right + 1}, **options)


def test_what_holds_for_labels_only_is_refused_for_numbers():
    claim = total((y_[i_] - s[i_]) ** 2, i_), total((1 - y_[i_] * s[i_]) ** 2, i_)
    with pytest.raises(AssertionError, match="not proved: A claim"):
        proved(*claim)
    assert proved(*claim, given=[signs(y_)]).given.endswith(r"labels $y_i=\pm1$")


def test_a_division_by_what_may_be_zero_is_refused():
    claim = score / square + b_, (score + b_ * square) / square
    with pytest.raises(AssertionError, match=r"nan at n = 1, d = 1, .* which hypothesis"):
        proved(*claim)
    assert proved(*claim, given=[unequal(square, 0, r"$w\ne0$")]).given.endswith("$w\\ne0$")


def test_an_inverse_needs_a_hypothesis():
    A, c = sp.MatrixSymbol("A", d_, d_), sp.MatrixSymbol("c", d_, 1)
    claim, wrong = (A * (sp.Inverse(A) * c + c), c + A * c), {"no second": c}
    with pytest.raises(AssertionError, match="not invertible"):
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


def test_what_is_derived_wrongly_is_caught_by_numbers(monkeypatch):
    relations = prove.__globals__["RELATIONS"]
    _, holds, sign = relations["="]
    monkeypatch.setitem(relations, "=", (lambda *_: True, holds, sign))
    with pytest.raises(AssertionError, match=r"A claim: false at n = 1, s = \("):
        proved(total(s[i_] ** 2, i_), total(s[i_], i_) ** 2 + 1)


def test_a_wrong_version_that_is_right_is_refused():
    with pytest.raises(AssertionError, match=r"no counterexample .* 'same thing': A claim"):
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
    claim = {"wrong": {"sign": -formula}, "given": given, "at": {"X": x_, "w": w_, "b": b_}}
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
    with pytest.raises(AssertionError, match="not proved"):
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
        with pytest.raises(AssertionError, match="not proved"):
            proved(*claim, given=less_given, **options)
    with pytest.raises(AssertionError, match="not proved"):
        proved(claim[1], claim[0], given=given, **options)


def test_an_exponential_of_what_is_0_or_1_has_two_values():
    v = sp.IndexedBase("v", real=True)
    claim = (
        total(s[i_] * sp.exp(z * v[i_]), i_),
        total(s[i_] * (1 - v[i_] + v[i_] * sp.exp(z)), i_),
    )
    assert proved(*claim, given=[zero_or_one(v)])
    sums = sp.exp(z * total(v[i_], i_)), 1 + total(v[i_], i_) * (sp.exp(z) - 1)
    for wrong in (
        {"left": claim[0], "right": claim[1]},
        {"left": claim[0], "right": total(s[i_], i_), "given": [zero_or_one(v)]},
        {"left": sums[0], "right": sums[1], "given": [zero_or_one(v)]},
    ):
        with pytest.raises(AssertionError, match="not proved"):
            proved(**wrong)


def test_the_slope_at_a_kink_is_refused():
    for f, slope in ((sp.Abs(z), sp.sign(z)), (sp.Max(0, z), sp.Heaviside(z))):
        with pytest.raises(AssertionError, match="no slope at a kink at z = 0"):
            proved(sp.Derivative(f, z), slope)
        assert proved(sp.Derivative(f, z), slope, given=[unequal(z, 0)])


log_of_square = sp.log((z - 7) ** 2)
step, bend = sp.symbols("eta L", positive=True)
share = step / (2 - step * bend)


@pytest.mark.parametrize(
    ("left", "right", "given", "where"),
    [
        (z * z / (z - 7) - 7 * z / (z - 7), z, unequal(z, 7), "z = 7"),
        (z * (1 + log_of_square), z + z * log_of_square, unequal(z, 7), "z = 7"),
        (
            total(y_[i_] * s[i_] / (s[i_] - 7), i_) - 7 * total(y_[i_] / (s[i_] - 7), i_),
            total(y_[i_], i_),
            less(total(s[i_] ** 2, i_), 49),
            r"s = \(7.*",
        ),
        (share - step / 2, share * step * bend / 2, less(step, 2 / bend), "L = .*"),
    ],
    ids=["quotient", "logarithm", "term of a sum", "product"],
)
def test_where_the_claim_has_no_value_is_looked_for(left, right, given, where):
    with pytest.raises(AssertionError, match=rf"at .*{where}; which hypothesis is missing"):
        proved(left, right)
    assert proved(left, right, given=[given]).given.endswith(given.words)


middle = np.array([0.0, 1.0, 0.0])
first = total(x_[i_, k_], i_) * sp.KroneckerDelta(k_, 1)  # zero in the other columns


def code(X):
    return X.sum(axis=0) * [1, 0, 0]


def test_code_is_right_up_to_rounding_in_every_entry_and_in_its_shape():
    def off(size):
        return lambda X: code(X) + size * np.abs(X).sum() * middle

    assert tie("A claim", first, (), (code, off(1e-16)), {"X": x_}).endswith(".code")
    for wrong in off(1e-8), off(np.nan), lambda X: code(X)[:, None], lambda X: 2 * code(X):
        with pytest.raises(AssertionError, match="code and formula differ: A claim"):
            tie("A claim", first, (), (code, wrong), {"X": x_})
