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
from tests.halfspaces import claims
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


@pytest.mark.parametrize("claim", claims.REFUTED)
def test_false_claim_is_refuted_by_numbers(claim):
    assert verdict_on(claim) == "Refuted"


@pytest.mark.parametrize("claim", claims.UNDECIDED + claims.OPEN)
def test_undecided_or_open_claim_is_not_proved(claim):
    assert verdict_on(claim) == "CannotTell"


@pytest.mark.parametrize("claim", claims.PROVED)
def test_true_claim_is_proved(claim):
    assert verdict_on(claim) == "proved"


def test_few_true_claims_are_open():
    assert len(claims.OPEN) <= 0.05 * len(claims.OPEN + claims.PROVED)


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
        ("z**3 / (z**2 - 3) - 3 * z / (z**2 - 3) == z if z**2 != 3", "may be 0 in a denom"),
        (
            "score / square + b == (score + b * square) / square if square != 0",
            r"no value at n = 1, d = 1, .* nan",
        ),
        ("A * (Inverse(A) * f + f) == f + A * f if invertible(A)", "not invertible"),
    ],
)
def test_claim_needs_its_hypothesis(claim, message):
    left, right, _, given = claims.parse(claim)
    wrong = {"another one": 2 * right}
    with pytest.raises((Refuted, CannotTell), match=message):
        proof_of(left, right, wrong=wrong)
    proof = proof_of(left, right, wrong=wrong, given=given)
    assert proof.given.endswith(f" · {given[0].words}")


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("z * (z + p) == z**2 + z * p if p < 1, signs(y)", r"needed: \$p<1\$; labels"),
        ("z**2 + p >= z**2 if p >= 0, q >= 0", r"not needed: \$q\\ge 0\$$"),
        ("A * f == f if A != ZeroMatrix(d, d)", "must be numbers; got A"),
        ("Trace(A) >= Trace(B) if A >= B", "must be numbers; got A, B"),
        ("Trace(A) >= Trace(B) if B < A", "must be numbers; got A, B"),
        ("A * f == f if A == 0", "one shape; got A, 0"),
        ("X * f + 0 * X * f == f if invertible(X)", "matrix must be square; got X"),
        ("Symbol('T', real=True) * Trace(A) == Trace(A.T)", "look like a formula"),
        ("p**Symbol('T', even=True) == q", "look like a formula or an entry; got T"),
        ("z + Symbol('z') == 2 * z", "two letters must not share a name"),
        ("z + 0.5 == z", "must contain exact numbers"),
        ("z * (p + q) == 10**20 * z if p == 0.1, q == 10**20", "must contain exact"),
        ("p * Sum(n, (Symbol('n', integer=True), 1, n)) == p * n**2", "share a name"),
        ("z + Dummy('z', real=True) == p", "share a name"),
        ("Symbol('x1', real=True) + Symbol('x_1', real=True) == p", "share a name"),
        ("Symbol('s', real=True) * S == p * S", "share a name"),
        ("total(Symbol('s_i', real=True), i) == n * Symbol('s_i', real=True)", "look li"),
        ("Derivative(z * S, Symbol('s_1', real=True)) == 0", "look like a formula or"),
        ("Symbol('p^2', real=True) * (z + 1) == Symbol('p^2', real=True) * z", "look like"),
        ("Derivative(z * S, Symbol('s1', real=True)) == 0", "look like a formula"),
        ("Symbol('sin', real=True) * (z + q) == z", "look like a formula"),
        ("Symbol('pi', real=True) * (z + q) == z", "look like a formula"),
        ("Symbol('zabs', real=True) * (z + q) == z", "look like a formula"),
        ("Symbol('xprime', real=True) * (z + q) == z", "look like a formula"),
        ("Symbol('pQ', real=True) * (z + q) == z", "look like a formula"),
        ("Wild('z', real=True) * (p + q) == p", "look like a formula"),
        ("IndexedBase('log', real=True)[i] * p == p * S", "look like a formula"),
        ("Symbol('tr', real=True) * (z + q) == z", "look like a formula"),
        ("exp(z) * (e + 1) == e * exp(z) + exp(z)", "look like a formula"),
        ("Symbol('theta', real=True) * (z + 1) == Heaviside(z)", "look like a formula"),
        ("Symbol('delta', real=True) * p == KroneckerDelta(m, o)", "look like a formula"),
        ("p * q == q if Sum(s[p], (p, 1, n)) == 2", "share a name"),
        (
            "p * total(s[i, j], j) == p "
            "if Sum(s[i, Symbol('i', even=True)], (Symbol('i', even=True), 1, n)) == 1",
            "share a name",
        ),
        ("z * y[0]**2 + total(y[i], i) == z + total(y[i], i) if signs(y)", "the indices 1"),
        ("z * y[n + 1]**2 + S == z + S if signs(y)", "the indices 1"),
        ("p + S >= q if signs(y), p * y[0]**2 + S == q", "the indices 1"),
        ("g[2] * g[i]**2 == g[2] * g[i] if zero_or_one(g)", "the indices 1"),
        ("z * y[e]**2 + up_to(y[i], 1, e) == z + up_to(y[i], 1, e) if signs(y)", "the ind"),
        ("z * y[1]**2 + up_to(y[i], 1, e) == z + up_to(y[i], 1, e) if signs(y)", "the ind"),
        ("S + total(s[j]**2, j) == S + 1 if unit(s, j)", "the indices 1"),
        ("up_to(y[i]**2, 0, n) == n + 1 if signs(y)", "the indices 1"),
        ("up_to(y[i]**2, 1, n + 1) == n + 1 if signs(y)", "the indices 1"),
        ("Mul(p, q, 1 / p, evaluate=False) == q", "left unevaluated; got p\\*q/p"),
        ("KroneckerDelta(m, o, (1, 3)) == KroneckerDelta(m, o)", "are not printed"),
        ("up_to(Mul(i, 1 / i, evaluate=False), 1, n) == n", "left unevaluated"),
        ("(m - 1) * F[m] + up_to(F[i], 0, n) >= up_to(F[i], 0, n)", "m must run from 1"),
        ("(n - 1 - m) * F[m] + up_to(F[i], 1, n - 1) >= 0", r"run from 1 .*\(1, n - 1\)"),
        ("Sum(s[i], (i, 1, n), (n, 1, d)) == p if s[i] == p", "share a name"),
        ("k * total(s[j], j) == k * d * (d + 1) / 2 if s[k] == k", "an index in given"),
        ("Sum(v[i], (i, 1, n), (i, 1, d)) == d * V", "index twice"),
        ("Trace(OneMatrix(n, n)) * z == n * z", "prints it as 1"),
        ("Trace(MatrixSymbol('V', 2, 2)) + z == p", "letters or 1"),
        ("up_to(p * even, 1, even) == p * even**2", "h must be declared"),
        ("Symbol('u') * (z + 1) == Symbol('u') * z + Symbol('u')", "u must be declared"),
        ("z**2 == z * z", "must differ as written"),
        ("2 * log(2) == log(4)", "must contain a symbol"),
        ("z == p if signs(p)", "must be an array; got p"),
        ("z == p if zero_or_one(p)", "must be an array; got p"),
        ("z == p if Mul(p, q, 1 / p, evaluate=False) == 1", "unevaluated; got p\\*q/p"),
        ("z == p if up_to(p, 1, m) == q", "may end before it starts"),
    ],
)
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
        lambda X, w, b: distance and (X @ w + b) / np.sqrt(w @ w),
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


def test_zero_product_does_not_tell_which_factor_is_zero():
    with pytest.raises(Refuted):
        proof_of(p * z + q, q, given=[equation(p * s[1], 0)])
    found = list(islice(sample_points((p * q,), [equation(p * q, 0)]), 40))
    assert min(sum(point(factor) != 0 for point in found) for factor in (p, q)) > 10
    claim = p * s[1] * z + q, q
    assert proof_of(*claim, given=[equation(p * s[1], 0)]).given.endswith("$p {s}_{1}=0$")


def test_given_inequality_is_used_in_its_direction_only():
    margin_bound = not_less(y_[i_] * score, z, r"$y_iw\cdot x_i\ge z$")
    more = total((w_[j_] + y_[i_] * x_[i_, j_]) * x_[i_, j_], j_) * y_[i_]
    claim, given = (more, z + total(x_[i_, j_] ** 2, j_)), [signs(y_), margin_bound]
    options = {"relation": ">=", "wrong": {"twice": z + 2 * total(x_[i_, j_] ** 2, j_)}}
    assert proof_of(*claim, given=given, **options).given.endswith(r"\ge z$")
    for fewer in ([margin_bound], [signs(y_)], [signs(y_), not_less(score, z)]):
        with pytest.raises(Refuted):
            proof_of(*claim, given=fewer, **options)
    with pytest.raises(Refuted):
        proof_of(claim[1], claim[0], given=given, **options)


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
