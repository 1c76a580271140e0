"""What a hypothesis lets a proof do, and no more; points satisfy it as it stands."""

from itertools import islice

import pytest
import sympy as sp

from mlcore.book.proofs import (
    equation,
    i,
    j,
    less,
    not_less,
    prove,
    signs,
    total,
    unequal,
    w,
    x,
    y,
    zero_or_one,
)
from mlcore.book.proofs.points import points

p, q, z = sp.symbols("p q z", real=True)
s = sp.IndexedBase("s", real=True)
score = total(w[j] * x[i, j], j)


def proved(left, right, *, wrong=None, **options):
    return prove("A claim", left, right, wrong=wrong or {"one more": right + 1}, **options)


def test_a_product_that_is_zero_says_not_which_factor_is():
    with pytest.raises(AssertionError, match="not proved"):
        proved(p * z + q, q, given=[equation(p * s[1], 0)])
    found = list(islice(points((p * q,), [equation(p * q, 0)], seed="0"), 40))
    assert min(sum(point(factor) != 0 for point in found) for factor in (p, q)) > 10
    claim = p * s[1] * z + q, q
    assert proved(*claim, given=[equation(p * s[1], 0)]).given.endswith("$p {s}_{1}=0$")


def test_an_inequality_among_the_hypotheses_is_used_in_its_direction_only():
    label_kept = not_less(y[i] * score, z, r"$y_iw\cdot x_i\ge z$")
    more = total((w[j] + y[i] * x[i, j]) * x[i, j], j) * y[i]
    claim, given = (more, z + total(x[i, j] ** 2, j)), [signs(y), label_kept]
    options = {"relation": ">=", "wrong": {"twice": z + 2 * total(x[i, j] ** 2, j)}}
    assert proved(*claim, given=given, **options).given.endswith(r"\ge z$")
    for less_given in ([label_kept], [signs(y)], [signs(y), not_less(score, z)]):
        with pytest.raises(AssertionError, match="not proved"):
            proved(*claim, given=less_given, **options)
    with pytest.raises(AssertionError, match="not proved"):
        proved(claim[1], claim[0], given=given, **options)


def test_a_counterexample_names_the_numbers_of_the_hypotheses_too():
    given = [not_less(q, p), not_less(z, q)]
    proof = proved(2 * z, 2 * p, relation=">=", given=given, wrong={"more": 2 * p + 1})
    numbers = dict(part.split(" = ") for part in proof.refuted[0].at.split(", "))
    p_, q_, z_ = (sp.Rational(numbers[letter]) for letter in "pqz")
    assert p_ <= q_ <= z_ and 2 * z_ < 2 * p_ + 1


def test_an_exponential_of_what_is_0_or_1_has_two_values():
    v = sp.IndexedBase("v", real=True)
    claim = (
        total(s[i] * sp.exp(z * v[i]), i),
        total(s[i] * (1 - v[i] + v[i] * sp.exp(z)), i),
    )
    assert proved(*claim, given=[zero_or_one(v)])
    sums = sp.exp(z * total(v[i], i)), 1 + total(v[i], i) * (sp.exp(z) - 1)
    for wrong in (
        {"left": claim[0], "right": claim[1]},
        {"left": claim[0], "right": total(s[i], i), "given": [zero_or_one(v)]},
        {"left": sums[0], "right": sums[1], "given": [zero_or_one(v)]},
    ):
        with pytest.raises(AssertionError, match="not proved"):
            proved(**wrong)


def test_the_slope_at_a_kink_is_refused():
    for f, slope in ((sp.Abs(z), sp.sign(z)), (sp.Max(0, z), sp.Heaviside(z))):
        with pytest.raises(AssertionError, match="no slope at a kink at z = 0"):
            proved(sp.Derivative(f, z), slope)
        assert proved(sp.Derivative(f, z), slope, given=[unequal(z, 0)])


def test_what_a_card_cannot_say_of_a_letter_is_refused():
    for facts in ({"even": True}, {"integer": True, "negative": True}):
        c = sp.Symbol("c", **facts)
        with pytest.raises(ValueError, match=r"c must be declared, .* integer positive"):
            proved(c * (z + 1), c * z + c)


def test_the_card_says_what_the_letters_of_a_hypothesis_are():
    c = sp.Symbol("c", positive=True)
    proof = proved(z * (z + 1), z**2 + z, given=[less(c, z)])
    assert proof.given == "$c>0$ · real $z$ · $c<z$"


def test_an_inequality_holds_at_every_point_and_strictly_at_some():
    given = not_less(score, q)
    slacks = [p(score - q) for p in islice(points((q,), [given], seed="0"), 40)]
    assert min(slacks) >= 0 and len(set(slacks)) > 5


def test_a_repaired_number_is_still_what_it_was_declared_to_be():
    m = sp.Symbol("m", integer=True, positive=True)
    D = sp.IndexedBase("D", positive=True)
    share = equation(m * total(D[i], i), 1)
    for point in islice(points((m, D[i]), [share], seed="0"), 30):
        assert point(m).is_integer and point(D[i]) > 0
