"""A linear rule as a value: its score, and the side it calls +1."""

import numpy as np
import pytest

from mlcore.linear import LinearRule, sgn

RULE = LinearRule(np.array([2.0, -1.0]), 0.5)
X = np.array([[1.0, 1.0], [0.0, 0.5], [0.0, 3.0]])


def test_sgn_is_plus_one_at_zero_and_never_zero():
    assert np.array_equal(sgn([-2.0, -0.0, 0.0, 1e-300, -1e-300]), [-1, 1, 1, 1, -1])
    assert sgn(np.zeros((2, 3))).shape == (2, 3)
    assert sgn(-3) == -1
    assert sgn(0).dtype == np.float64


def test_by_hand():
    assert np.array_equal(RULE.decision_function(X), [1.5, 0.0, -2.5])
    assert np.array_equal(RULE.predict(X), [1.0, 1.0, -1.0])


@pytest.mark.parametrize("seed", range(10))
def test_the_score_is_a_sum_over_features(seed):
    rng = np.random.default_rng(seed)
    n, d = rng.integers(1, 9, size=2)
    Z, w, b = rng.normal(size=(n, d)), rng.normal(size=d), rng.normal()
    rule = LinearRule(w, b)
    by_hand = [sum(w[j] * z[j] for j in range(d)) + b for z in Z]
    assert rule.decision_function(Z) == pytest.approx(by_hand, abs=1e-13)
    assert np.array_equal(rule.predict(Z), [1 if g >= 0 else -1 for g in by_hand])


def test_the_opposite_rule_differs_everywhere_but_on_the_hyperplane():
    opposite = LinearRule(-RULE.w, -RULE.b)
    same = opposite.predict(X) == RULE.predict(X)
    assert np.array_equal(same, [False, True, False])


def test_no_direction_at_all_is_a_constant_rule():
    assert np.array_equal(LinearRule(np.zeros(2), 0.0).predict(X), [1, 1, 1])
    assert np.array_equal(LinearRule(np.zeros(2), -1.0).predict(X), [-1, -1, -1])


@pytest.mark.parametrize("size", [1e-150, 1e149])
def test_sizes_of_features_and_weights_may_be_extreme(size):
    rule = LinearRule(RULE.w / size, RULE.b)
    assert rule.decision_function(X * size) == pytest.approx([1.5, 0.0, -2.5])


def test_any_array_will_do_and_none_is_changed():
    wide = np.repeat(X, 2, axis=1)
    frozen = X.copy()
    frozen.flags.writeable = False
    for Z in (wide[:, ::2], np.asfortranarray(X), X.astype("f4"), X.tolist(), frozen):
        assert np.array_equal(RULE.decision_function(Z), [1.5, 0.0, -2.5])
    assert np.array_equal(RULE.predict(np.array([[1, 1], [0, 3]])), [1, -1])


def test_the_rule_cannot_be_changed_and_is_equal_to_itself_alone():
    with pytest.raises(AttributeError):
        RULE.b = 1.0
    assert LinearRule(RULE.w, RULE.b) != RULE  # arrays in it do not make this raise
    assert RULE in {RULE}


@pytest.mark.parametrize("method", ["decision_function", "predict"])
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([[1.0]], r"X must have 2 columns; got shape \(1, 1\)"),
        ([1.0, 2.0], r"X must be a matrix .* got shape \(2,\)"),
        (np.empty((0, 2)), r"X must be a matrix .* got shape \(0, 2\)"),
        ([[np.nan, 0.0]], "X must be finite, .*; got nan"),
        ([["a", "b"]], "X must be an array of real numbers; got dtype <U1"),
    ],
)
def test_bad_input_is_refused_by_name(method, bad, message):
    with pytest.raises(ValueError, match=message):
        getattr(RULE, method)(bad)
