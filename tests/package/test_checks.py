"""Each refusal names the argument, the rule and the value; what is right passes."""

from fractions import Fraction

import numpy as np
import pytest

from mlcore import checks, options
from mlcore.arrays import LARGEST

REAL = "A must be an array of real numbers; got dtype "
FINITE = "A must be finite, at most 1e+150 in size; got "
MATRIX = "A must be a matrix (n, d) with n, d >= 1, one example a row; got shape "
VECTOR = "A must be a vector with at least one entry; got shape "
LABELS = "A must be a vector with at least one label; got shape "
SPLITS = "A must hold vectors of indices from 0 to 1; got "
TESTED = "A must not test on training data"
ZERO = "A must not be zero"
MASKED = "A must be without masked entries; got 1 masked"
ANY_ARRAY = {
    REAL + "<U1": [["a"]],
    REAL + "object, which holds a NoneType": [[None]],
    REAL + "object, which holds a str": np.array([[1, "a"]], dtype=object),
    REAL + "complex128": [[1j]],
    REAL + "datetime64[D]": np.array([["2020-01-01"]], dtype="M8[D]"),
    FINITE + "a larger integer": [[10**400]],
    FINITE + "nan": [[np.nan]],
    FINITE + "inf": [[0.0, np.inf]],
    FINITE + "-inf": [[-np.inf]],
    FINITE + "-2e+150": [[1e150, -2e150]],
    MASKED: np.ma.array([[1, 2]], mask=[[0, 1]]),
    "A must be an array of numbers; got list": [[1.0], [1.0, 2.0]],
}
REFUSED = [
    *[
        (check, {}, value, message)
        for check in ("array", "matrix", "vector", "signs")
        for message, value in ANY_ARRAY.items()
    ],
    *[("matrix", {}, np.ones(shape), MATRIX + str(shape)) for shape in [(), (2,), (0, 2)]],
    ("matrix", {"columns": 3}, [[1, 2]], "A must have 3 columns; got shape (1, 2)"),
    *[("vector", {}, np.ones(shape), VECTOR + str(shape)) for shape in [(), (0,), (1, 1)]],
    ("vector", {"length": 3}, [1, 2], "A must have 3 entries; got 2"),
    ("signs", {}, [1, 0], "A must hold only -1 and +1; got the label 0"),
    ("array", {"at_least": 0}, [1, -2], "A must be at least 0; got -2"),
    ("labels", {}, [["a"]], LABELS + "(1, 1)"),
    ("labels", {}, [1, np.nan], FINITE + "nan"),
    ("labels", {}, [1, None], REAL + "object, which holds a NoneType"),
    ("labels", {"length": 3}, ["a"], "A must have 3 labels; got 1"),
    ("labels", {"length": 3}, [1], "A must have 3 entries; got 1"),
    ("weights", {}, [0, 0], ZERO + ", a hyperplane needs a direction; got [0. 0.]"),
    ("weights", {"length": 3}, [1], "A must have 3 entries; got 1"),
    ("sample_weight", {"length": 2}, [1, -1], "A must be at least 0; got -1"),
    ("sample_weight", {"length": 2}, [1], "A must have 2 entries; got 1"),
    ("sample_weight", {"length": 2}, [0, 0], ZERO + " for all examples; got [0. 0.]"),
    *[
        ("number", {}, value, f"A must be a finite number; got {value!r}")
        for value in (np.nan, np.inf, True, np.True_, "1", None, 1j, [1.0])
    ],
    ("number", {"above": 0}, 0, "A must be greater than 0; got 0.0"),
    ("number", {"at_least": 0}, -1, "A must be at least 0; got -1.0"),
    ("number", {"at_most": 1}, 1.5, "A must be at most 1; got 1.5"),
    ("number", {"below": 1}, 1.0, "A must be less than 1; got 1.0"),
    ("number", {}, 2e150, "A must be at most 1e+150; got 2e+150"),
    ("number", {}, -2e150, "A must be at least -1e+150; got -2e+150"),
    *[
        ("integer", {}, value, f"A must be an integer; got {value!r}")
        for value in (1.0, True, np.True_, "1", None, np.nan, [1])
    ],
    ("integer", {}, -1, "A must be at least 0; got -1"),
    ("integer", {"at_least": 1}, 0, "A must be at least 1; got 0"),
    ("integer", {"at_most": 8}, 9, "A must be at most 8; got 9"),
    *[
        ("flag", {}, value, f"A must be True or False; got {value!r}")
        for value in (0, 1, 1.0, "True", None)
    ],
    ("choice", {"choices": ("a", "b")}, "c", "A must be one of 'a', 'b'; got 'c'"),
    ("rng", {}, None, "A must be an integer; got None"),
    ("rng", {}, -1, "A must be at least 0; got -1"),
    ("splits", {"n": 2}, [([0], [1])], "A must be at least 2; got 1"),
    ("splits", {"n": 2}, 3, "A must be pairs (train, test) of index arrays; got 3"),
    *[
        ("splits", {"n": 2}, [([0], test)] * 2, SPLITS + str(np.array(test)))
        for test in ([2], [-1, 0], [0.0], [[0]], np.array([], dtype=int))
    ],
    ("splits", {"n": 3}, [([0, 1], [2, 1])] * 2, TESTED + "; got [1] twice"),
    ("unmasked", {}, ANY_ARRAY[MASKED], MASKED),
]


def check_of(name):
    return getattr(checks, f"check_{name}", None) or getattr(options, f"check_{name}")


@pytest.mark.parametrize(("name", "rules", "value", "message"), REFUSED)
def test_a_refusal_names_argument_rule_and_value(name, rules, value, message):
    with pytest.raises(ValueError) as refusal:
        check_of(name)("A", value, **rules)
    assert str(refusal.value) == message


def test_one_class_is_refused_where_a_bias_would_do():
    with pytest.raises(ValueError, match=r"y must hold both -1 and \+1 with a bias; got"):
        checks.check_two_classes([[1.0]], [1], True)
    assert checks.check_two_classes([[1.0]], [1], False)[2] is False


@pytest.mark.parametrize(
    "value",
    [
        np.array([[1, -1]], dtype=np.int8),
        np.array([[1, -1]], dtype=np.float16),
        np.array([[1, -1]], dtype=np.longdouble),
        np.array([[1.0, 0.0, -1.0]])[:, ::2],
        np.array([[1, np.float32(-1)]], dtype=object),  # as from nullable columns of pandas
        np.array([[True, Fraction(-1)]], dtype=object),
        np.ma.array([[1.0, -1.0]], mask=False),
        ((1.0, -1.0),),
    ],
    ids=str,
)
def test_any_array_of_numbers_becomes_float64(value):
    X, y = checks.check_data(np.transpose(value), value[0])
    for got in (
        X.T,
        y[None],
        checks.check_matrix("A", value),
        checks.check_array("A", value),
    ):
        assert got.dtype == np.float64 and got.tolist() == [[1, -1]]


def test_float64_is_not_copied_and_may_be_read_only():
    value = np.array([[1.0, -1.0]])
    value.flags.writeable = False
    assert checks.check_matrix("A", value) is checks.check_array("A", value) is value


def test_the_ends_of_the_ranges_belong_to_them():
    assert checks.check_matrix("A", [[LARGEST, -LARGEST]]).max() == LARGEST
    number, integer = options.check_number, options.check_integer
    assert number("A", LARGEST) == -number("A", -LARGEST) == LARGEST
    assert number("A", 1, at_least=1, at_most=1) == integer("A", 1, at_least=1, at_most=1)
    assert number("A", np.nextafter(1, 2), above=1) > 1 > number("A", 1 - 1e-16, below=1)
    assert checks.check_array("A", [0.0, 1.0], at_least=0).tolist() == [0, 1]


def test_examples_without_weight_are_left_out():
    kept, weights = checks.check_sample_weight("A", [0, 2, 5], length=3)
    assert (kept.tolist(), weights.tolist()) == ([1, 2], [2, 5])
    assert checks.check_sample_weight("A", None, length=3) == (slice(None), 1.0)


def test_numbers_become_plain_ones_and_labels_keep_their_type():
    for value in (2, 2.0, Fraction(4, 2), np.float32(2), np.int64(2)):
        assert type(options.check_number("A", value)) is float
    assert type(options.check_integer("A", np.uint64(2))) is int
    assert options.check_flag("A", np.True_) is True
    assert options.check_choice("A", "a", ("a", "b")) == "a"
    assert checks.check_labels("A", np.array([3, 1], dtype=object)).dtype.kind == "i"
    for text in (["cat", "dog"], np.array(["cat", "dog"], dtype=object)):
        labels = checks.check_labels("A", text, length=2)
        assert labels.dtype.kind == "U" and labels.tolist() == ["cat", "dog"]


def test_a_generator_is_itself():
    generator = np.random.default_rng(0)
    assert options.check_rng("rng", generator) is generator
