"""Checks of arguments: errors name argument, rule and value; valid values are converted."""

import re
from enum import Enum
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import eye_array

from mlcore import checks
from mlcore.arrays import LARGEST
from tests.helpers.families import ERRORS

MASKED = np.ma.array([1, 2], mask=[0, 1])
INVALID = [  # check, its options, value, end of the message
    ("array", {}, ["a"], "an array of real numbers; got 'a'"),
    ("array", {}, [[1j]], "an array of real numbers; got dtype complex128"),
    ("array", {}, [[10**400]], "at most 1e+150 in absolute value; got a larger integer"),
    ("array", {}, [[1e150, -2e150]], "at most 1e+150 in absolute value; got -2e+150"),
    ("array", {}, eye_array(2), "be dense (call .toarray()); got dia_array"),
    ("array", {}, MASKED, "have no masked entries; got 1 masked"),
    ("array", {}, [[1.0], [1.0, 2.0]], "an array of numbers; got list"),
    ("array", {"at_least": 0}, [1, -2], "at least 0; got -2"),
    ("matrix", {}, np.ones((0, 2)), "n, d >= 1, one example a row; got shape (0, 2)"),
    ("matrix", {"columns": 3}, [[1, 2]], "3 columns; got shape (1, 2)"),
    ("vector", {"length": 3}, [1, 2], "3 entries; got 2"),
    ("vector", {}, 0.5, "a vector with at least one entry; got 0.5"),
    ("signs", {}, [1, 0], "only -1 and +1; got the label 0"),
    ("labels", {}, None, "all numbers or all text; got None"),
    ("labels", {}, [["a"]], "a vector with at least one entry; got shape (1, 1)"),
    ("normal_vector", {}, [0, 0], "nonzero, to define a hyperplane; got [0. 0.]"),
    ("sample_weight", {"length": 2}, [0, 0], "zero for all examples; got [0. 0.]"),
    ("number", {}, True, "a finite number; got True"),
    ("number", {"above": 0}, 0, "greater than 0; got 0.0"),
    ("number", {"at_least": 0}, -1, "at least 0; got -1.0"),
    ("number", {"at_most": 1}, 1.5, "at most 1; got 1.5"),
    ("number", {"below": 1}, 1.0, "less than 1; got 1.0"),
    ("integer", {}, 1.0, "an integer; got 1.0"),
    ("integer", {"at_least": 1}, 0, "at least 1; got 0"),
    ("integer", {"at_most": 8}, 9, "at most 8; got 9"),
    ("flag", {}, 1, "True or False; got 1"),
    ("choice", {"choices": ("a", "b")}, "c", "one of 'a', 'b'; got 'c'"),
    ("rng", {}, None, "an integer or a Generator; got None"),
    ("splits", {"n": 2}, [([0], [1])], "at least 2 pairs; got 1"),
    ("splits", {"n": 2}, 3, "pairs (train, test) of index arrays; got 3"),
    ("splits", {"n": 2}, [([0], [2])] * 2, "vectors of indices from 0 to 1; got [2]"),
    ("splits", {"n": 3}, [([0, 1], [2, 1])] * 2, "test sets; got index [1] in both"),
]


@pytest.mark.parametrize(("name", "options", "value", "message"), INVALID)
def test_error_names_argument_rule_and_value(name, options, value, message):
    with pytest.raises(ValueError) as error:
        getattr(checks, name)("A", value, **options)
    assert str(error.value).startswith("A must ")
    assert str(error.value).endswith(f" {message}")


@pytest.mark.parametrize(("message", "call"), ERRORS, ids=[text for text, _ in ERRORS])
def test_invalid_call_raises_error(message, call):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


@pytest.mark.parametrize(
    "value",
    [
        np.array([[1, -1]], dtype=np.int8),
        np.array([[1, -1]], dtype=np.float16),
        np.array([[1, -1]], dtype=np.longdouble),
        np.array([[1.0, 0.0, -1.0]])[:, ::2],
        np.array([[1, np.float32(-1)]], dtype=object),  # as in nullable columns of pandas
        np.array([[True, Fraction(-1)]], dtype=object),
        np.ma.array([[1.0, -1.0]], mask=False),
        ((1.0, -1.0),),
    ],
    ids=str,
)
def test_arrays_become_float64(value):
    X, y = checks.data(np.transpose(value), value[0])
    for found in X.T, y[None], checks.matrix("A", value), checks.array("A", value):
        assert found.dtype == np.float64 and found.tolist() == [[1, -1]]


def test_float64_is_not_copied():
    value = np.array([[1.0, -1.0]])
    value.flags.writeable = False
    assert checks.matrix("A", value) is checks.array("A", value) is value


def test_ends_of_ranges_are_valid():
    assert checks.matrix("A", [[LARGEST, -LARGEST]]).max() == LARGEST
    number, integer = checks.number, checks.integer
    assert number("A", LARGEST) == -number("A", -LARGEST) == LARGEST
    assert number("A", 1, at_least=1, at_most=1) == integer("A", 1, at_least=1, at_most=1)
    assert number("A", np.nextafter(1, 2), above=1) > 1 > number("A", 1 - 1e-16, below=1)
    assert checks.array("A", [0.0, 1.0], at_least=0).tolist() == [0, 1]


def test_scalars_become_python_numbers():
    for value in (2, 2.0, Fraction(4, 2), np.float32(2), np.int64(2)):
        assert type(checks.number("A", value)) is float
    assert type(checks.integer("A", np.uint64(2))) is int
    assert checks.flag("A", np.True_) is True
    assert checks.choice("A", "a", ("a", "b")) == "a"
    generator = np.random.default_rng(0)
    assert checks.rng("rng", generator) is generator


def test_labels_keep_their_type():
    assert checks.labels("A", np.array([3, 1], dtype=object)).dtype.kind == "i"
    enum = Enum("enum", {"first": "cat", "second": "dog"}, type=str)
    types = object, np.dtypes.StringDType()
    arrays = (np.array(["cat", "dog"], dtype=t) for t in types)
    for text in (["cat", "dog"], [*enum], *arrays):
        labels = checks.labels("A", text, length=2)
        assert labels.dtype.kind == "U" and labels.tolist() == ["cat", "dog"]
