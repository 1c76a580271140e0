"""A claim is proved, refuted by numbers or undecided; a card prints its hypotheses."""
# ruff: noqa: F403, F405

import subprocess
import sys
from itertools import islice

import numpy as np
import pytest
import sympy as sp

from halfspaces.proofs import *
from halfspaces.proofs.inequalities import solve
from halfspaces.proofs.points import sample_points, tex
from halfspaces.proofs.prove import compare_with_code
from halfspaces.symbols import b_, d_, i_, j_, k_, n_, total, w_, x_, y_
from tests.halfspaces import claims, slow_claims
from tests.halfspaces.claims import p, q, s, score, square, z


def proof_of(left, right, *, wrong=None, **options):
    return prove("A claim", left, right, wrong=wrong or {"one more": right + 1}, **options)


def verdict_on(claim: str) -> str:
    """Return the verdict of `prove` on a claim of the tables."""
    left, right, relation, given = claims.parse(claim)
    more = 2 * right if right.is_Matrix else right + 10**9
    try:
        proof_of(left, right, wrong={"more": more}, given=given, relation=relation)
    except (Refuted, CannotTell) as verdict:
        # the message is about the wrong version: the claim itself was proved
        return "proved" if "no counterexample" in str(verdict) else type(verdict).__name__
    return "proved"


def each_claim(name: str):
    """Parametrize a test with the claims of a table."""
    slow = [pytest.param(c, marks=pytest.mark.slow) for c in getattr(slow_claims, name)]
    return pytest.mark.parametrize("claim", getattr(claims, name) + slow)


@each_claim("REFUTED")
def test_false_claim_is_refuted_by_numbers(claim):
    assert verdict_on(claim) == "Refuted"


@each_claim("UNDECIDED")
def test_undecided_claim_is_not_proved(claim):
    assert verdict_on(claim) == "CannotTell"


@each_claim("PROVED")
def test_true_claim_is_proved(claim):
    assert verdict_on(claim) == "proved"


def test_numbers_of_a_card_have_the_letters_of_its_formula():
    names = ("lambda_2", "x_{1,1}", "varepsilon")
    claim = sum(sp.Symbol(name, real=True) for name in names)
    (found,) = prove("A title", claim**2, sp.expand(claim**2), wrong={"w": claim}).refuted
    letters = [entry.partition(" = ")[0] for entry in found.at.split(", ")]
    assert sorted(letters) == ["x₁₁", "ε", "λ₂"]


def test_counterexample_does_not_depend_on_titles_and_labels():
    given = [unequal(square, 0)]
    claim = score / square + b_, (score + b_ * square) / square
    card = prove("A title", *claim, given=given, wrong={"sign": -claim[1]})
    given, wrong = [unequal(square, 0, "$w$")], {"s": -claim[1]}
    other = prove("Another one", *claim, given=given, wrong=wrong, label="L")
    (one,), (same,) = card.refuted, other.refuted
    assert (one.at, one.left, one.wrong) == (same.at, same.left, same.wrong)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("z**3 / (z**2 - 3) - 3 * z / (z**2 - 3) == z", r"z\*\*2 - 3 may be 0 in a denom"),
        ("score / square + b == (score + b * square) / square", "no value at n = 1, d = 1"),
    ],
)
def test_reply_names_the_part_or_the_numbers_without_a_value(claim, message):
    left, right, *_ = claims.parse(claim)
    with pytest.raises((Refuted, CannotTell), match=message):
        proof_of(left, right)


INVALID = [
    (claim, message)
    for message, text in claims.INVALID.items()
    for claim in claims.table(text)
]


@pytest.mark.parametrize(("claim", "message"), INVALID)
def test_invalid_claim_raises(claim, message):
    with pytest.raises(ValueError, match=message):
        left, right, relation, given = claims.parse(claim)
        proof_of(left, right, given=given, relation=relation, wrong={"more": left + 1})


def test_invalid_wrong_versions_and_relation_raise():
    claim = z * (z + 1), z**2 + z
    with pytest.raises(ValueError, match="wrong must have at least one"):
        prove("A claim", *claim, wrong={})
    with pytest.raises(ValueError, match="left must be a number or a matrix; got None"):
        proof_of(None, z)
    with pytest.raises(ValueError, match="relation must be one of"):
        proof_of(*claim, relation="<")


def test_brackets_before_a_factor_and_a_comma_in_a_delta_are_printed():
    product = tex(sp.Derivative(z**2, z) * total(z * s[i_], i_))
    assert product.startswith(r"\left(\frac{d}{d z} z^{2}\right) \sum")
    assert tex(z * total(s[i_], i_) * (claims.A + claims.B)).startswith(r"\left(z \sum")
    assert tex(sp.KroneckerDelta(-1, k_)) == r"\delta_{-1, k}"
    assert tex(sp.KroneckerDelta(j_, k_)) == r"\delta_{j k}"


def test_signs_that_sympy_gets_wrong_are_discarded():
    """A sign that SymPy has computed before the package is imported does not count."""
    script = """
from sympy import *
t, N = symbols("t N", integer=True, positive=True)
low, third = 1 / (t * N) - Rational(1, 200), factorial(t + 1) / 3
assert low.is_positive and third.is_integer is False, "SymPy is right: remove sympy_bugs"
from halfspaces.proofs import CannotTell, prove
for left in low, t * N * low:
    try:
        print(prove("A claim", left, 0, wrong={"more": 1}, relation=">="))
    except CannotTell:
        pass
"""
    assert subprocess.check_output([sys.executable, "-c", script]) == b""


def test_card_explains_each_letter():
    c, q = sp.Symbol("c", positive=True), sp.Symbol("q", integer=True, nonnegative=True)
    proof = proof_of(c * (score + b_) + q, c * score + c * b_ + q)
    assert proof.given == r"for all $n, d$ · $q\in\{0,1,\dots\}$ · $c>0$ · real $b, w, x$"


def test_card_prints_the_sign_of_labels():
    left, right, _, given = claims.parse(
        "total(D[i]**2 * log(D[i] + 1), i) == total(log(D[i] + 1), i) if signs(D)"
    )
    words = proof_of(left, right, given=given).given
    assert words == r"for all $n$ · $D>0$ · labels $D_i=\pm1$"


def test_numbers_refute_a_wrong_derivation(monkeypatch):
    monkeypatch.setitem(prove.__globals__, "equal", lambda *_: True)
    with pytest.raises(Refuted, match=r"A claim: the sides are .* at n = 1, s = \("):
        proof_of(total(s[i_] ** 2, i_), total(s[i_], i_) ** 2 + 1)


def test_wrong_version_that_is_true_raises():
    with pytest.raises(AssertionError, match=r"A claim: no counterexample .* 'same thing'"):
        proof_of(sp.sin(z) ** 2, 1 - sp.cos(z) ** 2, wrong={"same thing": sp.sin(z) ** 2})


def distance(X, w, b):
    return (X @ w + b) / np.sqrt(w @ w)


def keep_equal(computed, other):
    return computed * np.isclose(computed, other, rtol=1e-9, atol=0)


def compare_with_distance(X, w, b):
    computed = (X @ w + b) / np.sqrt(w @ w)
    np.testing.assert_allclose(distance(X, w, b), computed)
    return computed


def test_the_formula_is_compared_with_the_code():
    formula = (score + b_) / sp.sqrt(square)
    given = [unequal(square, 0, r"$w\ne0$")]
    inputs = {"X": x_, "w": w_, "b": b_}
    claim = {"wrong": {"sign": -formula}, "given": given, "inputs": inputs}
    left = score / sp.sqrt(square) + b_ / sp.sqrt(square)
    assert proof_of(left, formula, agrees_with=distance, **claim).code.endswith(".distance")
    with pytest.raises(ValueError, match="inputs must be symbols or arrays"):
        proof_of(left, formula, agrees_with=distance, **claim | {"inputs": {"X": formula}})
    wrong = distance, lambda X, w, b: distance(X, w, -b)
    with pytest.raises(AssertionError, match="code and formula differ: A claim"):
        proof_of(left, formula, agrees_with=wrong, **claim)
    for idle in (
        lambda X, w, b: (X @ w + b) / np.sqrt(w @ w) + 0 * distance(X, w, b),
        lambda X, w, b: (X @ w + b) / np.sqrt(w @ w) + 1e-13 * distance(X, w, b),
        lambda X, w, b: keep_equal((X @ w + b) / np.sqrt(w @ w), distance(X, w, b)),
        compare_with_distance,
    ):
        with pytest.raises(ValueError, match="agrees_with must use distance"):
            proof_of(left, formula, agrees_with=(distance, idle), **claim)

    sizes = {"given": [equation(n_, d_)], "inputs": {"y": y_}}
    with pytest.raises(CannotTell, match="no numbers for the code"):
        total_y = total(y_[i_], i_)
        proof_of(total_y * (n_ - d_ + 1), total_y, agrees_with=sum, **sizes)


def test_ambiguously_printed_wrong_version_raises():
    other_i = sp.Symbol("i", even=True)
    row = sp.Sum(s[i_, other_i], (other_i, 1, n_))
    delta = sp.KroneckerDelta(claims.m, claims.o, (1, 3))
    for wrong, message in (
        (z * row, "share a name"),
        (z * delta, "are not printed"),
        (z * s[other_i, 1], "symbols of the claim only"),
        (z * sp.Symbol("z"), "symbols of the claim only"),
    ):
        with pytest.raises(ValueError, match=message):
            left = z * (s[i_, 1] + sp.KroneckerDelta(claims.m, claims.o) + p)
            proof_of(left, sp.expand(left), wrong={"another one": wrong})


def test_html_characters_in_words_are_escaped():
    page = prove("2 < 3", z * (z + 1), z**2 + z, wrong={"a & b": z**2})._repr_html_()
    assert "<strong>2 &lt; 3</strong>" in page and "<td>a &amp; b</td>" in page


def test_either_factor_of_a_zero_product_is_zero_at_some_points():
    found = list(islice(sample_points((p * q,), [equation(p * q, 0)]), 40))
    assert min(sum(point(factor) != 0 for point in found) for factor in (p, q)) > 10


def test_simplex_finds_nonnegative_weights_or_none():
    columns = [{"x": 1, "y": -1}, {"y": 1}, {"x": 1}]
    weights = solve(columns, {"x": 2, "y": -1})
    for row, wanted in {"x": 2, "y": -1}.items():
        assert sum(w * columns[j].get(row, 0) for j, w in weights.items()) == wanted
    assert min(weights.values()) >= 0
    assert solve(columns[1:], {"x": -1}) is None


middle = np.array([0.0, 1.0, 0.0])
formula = total(x_[i_, k_], i_) * sp.KroneckerDelta(k_, 1)  # zero in the other columns


def code(X):
    return X.sum(axis=0) * [1, 0, 0]


def test_code_must_match_the_formula_in_every_entry_and_in_shape():
    def add(size):
        return lambda X: code(X) + size * np.abs(X).sum() * middle

    name = compare_with_code("A claim", formula, (), (code, add(1e-16)), {"X": x_})
    assert name.endswith(".code")
    for wrong in add(1e-8), add(np.nan), lambda X: code(X)[:, None], lambda X: 2 * code(X):
        with pytest.raises(AssertionError, match="code and formula differ: A claim"):
            compare_with_code("A claim", formula, (), (code, wrong), {"X": x_})
