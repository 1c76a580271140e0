"""A claim is tried where it divides by zero, and its indices stay within their range."""

import pytest
import sympy as sp

from mlcore.book.proofs import i, k, less, n, prove, total, unequal, y

z = sp.Symbol("z", real=True)
s = sp.IndexedBase("s", real=True)
square = sp.log((z - 7) ** 2)


def proved(left, right, *, wrong=None, **options):
    return prove("A claim", left, right, wrong=wrong or {"one more": right + 1}, **options)


@pytest.mark.parametrize(
    ("left", "right", "given", "where"),
    [
        (z * z / (z - 7) - 7 * z / (z - 7), z, unequal(z, 7), "z = 7"),
        (z * (1 + square), z + z * square, unequal(z, 7), "z = 7"),
        (
            total(y[i] * s[i] / (s[i] - 7), i) - 7 * total(y[i] / (s[i] - 7), i),
            total(y[i], i),
            less(total(s[i] ** 2, i), 49),
            r"s = \(7.*",
        ),
    ],
    ids=["quotient", "logarithm", "term of a sum"],
)
def test_where_the_claim_has_no_value_is_looked_for(left, right, given, where):
    with pytest.raises(AssertionError, match=rf"at .*{where}; which hypothesis is missing"):
        proved(left, right)
    assert proved(left, right, given=[given]).given.endswith(given.words)


def test_a_denominator_that_the_hypotheses_keep_from_zero_is_no_obstacle():
    step, bend = sp.symbols("eta L", positive=True)
    share = step / (2 - step * bend)
    claim = share - step / 2, share * step * bend / 2
    with pytest.raises(AssertionError, match="which hypothesis is missing"):
        proved(*claim)
    assert proved(*claim, given=[less(step, 2 / bend)]).given.endswith(
        r"$\eta<\frac{2}{L}$"
    )


def test_an_index_of_the_claim_stays_within_its_range():
    K = sp.Symbol("K", integer=True, positive=True)
    c, m = sp.symbols("c m", integer=True)
    scores = sp.Sum(sp.exp(s[k]), (k, 1, K))
    share, truth = sp.exp(s[m]) / scores, sp.KroneckerDelta(c, m)
    slope = sp.Derivative(sp.log(scores) - s[c], s[m])  # has no s[c] when carried out
    proof = proved(slope, share - truth, wrong={"sign": truth - share, "truth lost": share})
    for refutation in proof.refuted:
        numbers = dict(part.split(" = ") for part in refutation.at.split(", ")[:3])
        assert 1 <= int(numbers["c"]) <= int(numbers["K"])


def test_a_sum_of_equal_terms_is_their_number_times_the_term():
    assert proved(total(z + s[i], i), n * z + total(s[i], i), wrong={"once": z + s[i]})
