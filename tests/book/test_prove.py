"""A claim passes only if it is true, says what it assumes, and says something."""

import numpy as np
import pytest
import sympy as sp

from mlcore.book.proofs import (
    b,
    equation,
    i,
    invertible,
    j,
    k,
    n,
    prove,
    signs,
    total,
    unequal,
    unit,
    w,
    x,
    y,
)
from mlcore.book.proofs.points import d

z = sp.Symbol("z", real=True)
s = sp.IndexedBase("s", real=True)
score = total(w[j] * x[i, j], j)
square = total(w[j] ** 2, j)


def proved(left, right, *, wrong=None, **options):
    return prove("A claim", left, right, wrong=wrong or {"one more": right + 1}, **options)


# ------------------------------------------------------------------ hypotheses are said


def test_what_holds_for_labels_only_is_refused_for_numbers():
    claim = total((y[i] - s[i]) ** 2, i), total((1 - y[i] * s[i]) ** 2, i)
    with pytest.raises(AssertionError, match="not proved: A claim"):
        proved(*claim)
    assert proved(*claim, given=[signs(y)]).given.endswith(r"labels $y_i=\pm1$")


def test_a_division_by_what_may_be_zero_is_refused():
    claim = score / square + b, (score + b * square) / square
    with pytest.raises(AssertionError, match=r"nan at n = 1, d = 1, .* which hypothesis"):
        proved(*claim)
    assert proved(*claim, given=[unequal(square, 0, r"$w\ne0$")]).given.endswith("$w\\ne0$")


def test_an_inverse_needs_a_hypothesis():
    A, c = sp.MatrixSymbol("A", d, d), sp.MatrixSymbol("c", d, 1)
    claim, wrong = (A * (sp.Inverse(A) * c + c), c + A * c), {"no second": c}
    with pytest.raises(AssertionError, match="not invertible"):
        proved(*claim, wrong=wrong)
    assert proved(*claim, wrong=wrong, given=[invertible(A)]).given == (
        "for all $d$ · real $A, c$ · $A$ invertible"
    )


def test_a_hypothesis_that_is_no_use_does_not_help():
    with pytest.raises(AssertionError, match="not proved"):
        proved(square, score, given=[signs(y), unit(x, j)])


def test_the_card_says_what_each_letter_is():
    c, q = sp.Symbol("c", positive=True), sp.Symbol("q", integer=True, nonnegative=True)
    proof = proved(c * (score + b) + q, c * score + c * b + q)
    assert proof.given == (
        "for all $n, d$ · $q\\in\\{0,1,\\dots\\}$ · $c>0$ · real $b, w, x$"
    )
    with pytest.raises(ValueError, match="u must be declared, for a real number"):
        proved(sp.Symbol("u") * (z + 1), sp.Symbol("u") * z + sp.Symbol("u"))


def test_hypotheses_that_exclude_each_other_are_refused():
    with pytest.raises(ValueError, match="given must hold at some point; none was found"):
        proved(z * z + z, z * (z + 1), given=[unequal(z, z)])


# ------------------------------------------------------------ the claim is tried on numbers


def test_what_is_derived_wrongly_is_caught_by_numbers(monkeypatch):
    relations = prove.__globals__["RELATIONS"]
    _, holds, sign = relations["="]
    monkeypatch.setitem(relations, "=", (lambda *_: True, holds, sign))
    with pytest.raises(AssertionError, match=r"A claim: false at n = 1, s = \("):
        proved(total(s[i] ** 2, i), total(s[i], i) ** 2 + 1)


def test_an_inequality_is_tried_on_numbers_too(monkeypatch):
    relations = prove.__globals__["RELATIONS"]
    _, holds, sign = relations[">="]
    monkeypatch.setitem(relations, ">=", (lambda *_: True, holds, sign))
    with pytest.raises(AssertionError, match="A claim: false at z = "):
        proved(z, z**2, relation=">=", wrong={"more": z**2 + 1})


# -------------------------------------------------------- wrong versions are refuted aloud


def test_a_wrong_version_is_refuted_by_numbers_that_satisfy_the_hypotheses():
    D, v = sp.IndexedBase("D", positive=True), sp.IndexedBase("v", real=True)
    proof = proved(
        total(D[i] * (1 - v[i]), i),
        1 - total(D[i] * v[i], i),
        given=[equation(total(D[i], i), 1)],
        wrong={"the number of examples": n - total(D[i] * v[i], i)},
    )
    (refutation,) = proof.refuted
    numbers = dict(part.split(" = ") for part in refutation.at.split(", ") if " = " in part)
    assert numbers["n"] != "1"  # for one example the wrong version is right
    weights = refutation.at.split("D = (")[1].split(")")[0].split(", ")
    assert sum(map(sp.Rational, weights)) == 1
    off = sp.Rational(refutation.wrong) - sp.Rational(refutation.left)
    assert off == int(numbers["n"]) - 1


def test_a_wrong_version_that_is_right_is_refused():
    with pytest.raises(AssertionError, match=r"no counterexample .* 'same thing': A claim"):
        proved(sp.sin(z) ** 2, 1 - sp.cos(z) ** 2, wrong={"same thing": sp.sin(z) ** 2})


def test_a_wrong_version_that_is_right_under_the_hypotheses_is_refused():
    claim = y[i] * (s[i] + y[i]), 1 + y[i] * s[i]
    wrong = {"the square stays": y[i] ** 2 + y[i] * s[i]}
    with pytest.raises(AssertionError, match="no counterexample"):
        proved(*claim, given=[signs(y)], wrong=wrong)


def test_a_strict_inequality_is_refuted_where_the_two_sides_meet():
    u = sp.Symbol("u", nonnegative=True)
    proof = proved(1 + u, 1, relation=">=", wrong={"more than one": 1 + 2 * u})
    assert proof.refuted[0].left != proof.refuted[0].wrong


# --------------------------------------------------------------- claims without content


@pytest.mark.parametrize(
    ("left", "right", "fault"),
    [
        (z**2, z * z, "must differ as written"),
        (sp.cos(0), sp.Integer(1), "must hold a symbol"),
        (2 * sp.log(2), sp.log(4), "must hold a symbol"),
    ],
)
def test_a_claim_without_content_is_refused(left, right, fault):
    with pytest.raises(ValueError, match=fault):
        proved(left, right)


def test_a_claim_without_a_wrong_version_or_of_no_known_relation_is_refused():
    with pytest.raises(ValueError, match="wrong must hold at least one"):
        prove("A claim", z * (z + 1), z**2 + z, wrong={})
    with pytest.raises(ValueError, match="relation must be one of"):
        proved(z * (z + 1), z**2 + z, relation="<")


def test_a_derivative_left_to_do_is_carried_out_and_shown():
    f = sp.exp(z) + sp.exp(-z)
    proof = proved(sp.Derivative(f, (z, 2)), f)
    assert r"\frac{d^{2}}{d z^{2}}" in proof.statement
    objective = total((y[i] - score) ** 2, i)
    gradient = 2 * total((score - y[i]) * x[i, k], i)
    assert proved(sp.Derivative(objective, w[k]), gradient, wrong={"sign": -gradient})
    X, v = sp.MatrixSymbol("X", n, d), sp.MatrixSymbol("w", d, 1)
    matrix = sp.Derivative((X * v).T * (X * v), v)
    assert proved(matrix, 2 * X.T * X * v, wrong={"half": X.T * X * v})


# ------------------------------------------------------------------------ the tie to code


def distance(X, w, b):
    return (X @ w + b) / np.sqrt(w @ w)


def test_the_formula_is_compared_with_the_code():
    formula = (score + b) / sp.sqrt(square)
    given = [unequal(square, 0, r"$w\ne0$")]
    claim = {"wrong": {"sign": -formula}, "given": given, "at": {"X": x, "w": w, "b": b}}
    left = score / sp.sqrt(square) + b / sp.sqrt(square)
    assert proved(left, formula, agrees_with=distance, **claim).code.endswith(".distance")
    wrong = distance, lambda X, w, b: distance(X, w, -b)
    with pytest.raises(AssertionError, match="code and formula differ: A claim"):
        proved(left, formula, agrees_with=wrong, **claim)
    with pytest.raises(ValueError, match="agrees_with must call distance"):
        proved(left, formula, agrees_with=(distance, lambda X, w, b: 0), **claim)


def test_the_code_gets_labels_where_the_claim_is_about_labels():
    def check(X, y):
        assert set(np.abs(y)) == {1.0}
        return y[:, None] * X

    claim = y[i] ** 3 * x[i, k], y[i] * x[i, k]
    at = {"X": x, "y": y}
    assert proved(*claim, given=[signs(y)], agrees_with=check, at=at).code.endswith("check")


# --------------------------------------------------------------------------- the card


def test_the_card_is_one_line_that_unfolds():
    proof = prove("Twice < thrice", z * (z + 1), z**2 + z, wrong={"a & b": z**2}, label="q")
    page = proof._repr_html_()
    assert page.startswith('<details class="hs-check tex2jax_process"')
    assert 'id="check-twice-thrice"' in page
    assert "<summary><strong>Twice &lt; thrice</strong> · real $z$</summary>" in page
    assert "$$ q = z^{2} + z $$" in page and "a &amp; b" in page
    _, metadata = proof._repr_mimebundle_()
    record = metadata["proof"]
    assert record["given"] == "real $z$" and record["refuted"][0]["change"] == "a & b"
