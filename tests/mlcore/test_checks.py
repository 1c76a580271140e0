"""Checks of arguments: errors name argument, rule and value; valid values are converted."""

import re
from enum import Enum
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import eye_array

from mlcore import checks
from tests.helpers.families import ERRORS

INVALID = [  # check, its options, value, end of the message
    ("array", {}, [[10**400]], "at most 1e+150 in absolute value; got a larger integer"),
    ("array", {}, [[1e150, -2e150]], "at most 1e+150 in absolute value; got -2e+150"),
    ("array", {}, eye_array(2), "be dense (call .toarray()); got dia_array"),
    ("array", {}, np.ma.array([1, 2], mask=[0, 1]), "have no masked entries; got 1 masked"),
    ("number", {"above": 0}, 0, "greater than 0; got 0.0"),
    ("number", {"below": 1}, 1.0, "less than 1; got 1.0"),
    ("integer", {"at_most": 8}, 9, "at most 8; got 9"),
    ("choice", {"choices": ("a", "b")}, "c", "one of 'a', 'b'; got 'c'"),
    ("flag", {}, 1, "True or False; got 1"),
    ("array", {"at_least": 0}, [1, -2], "at least 0; got -2"),
    ("signs", {}, [1, 0], "only -1 and +1; got the label 0"),
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


ROWS = [np.int8([[1, -1]]), np.longdouble([[1, -1]]), ((1.0, -1.0),)]
ROWS += [np.array([[True, Fraction(-1)]], dtype=object)]
ROWS += [np.ma.array([[1.0, -1.0]], mask=False)]


@pytest.mark.parametrize("value", ROWS, ids=str)
def test_arrays_become_float64(value):
    X, y = checks.data(np.transpose(value), value[0])
    for found in X.T, y[None], checks.matrix("A", value), checks.array("A", value):
        assert found.dtype == np.float64 and found.tolist() == [[1, -1]]


def test_float64_is_not_copied():
    value = np.array([[1.0, -1.0]])
    value.flags.writeable = False
    assert checks.matrix("A", value) is checks.array("A", value) is value


def test_labels_keep_their_type():
    assert checks.labels("A", np.array([3, 1], dtype=object)).dtype.kind == "i"
    enum = Enum("enum", {"first": "cat", "second": "dog"}, type=str)
    types = object, np.dtypes.StringDType()
    arrays = (np.array(["cat", "dog"], dtype=t) for t in types)
    for text in (["cat", "dog"], [*enum], *arrays):
        labels = checks.labels("A", text, length=2)
        assert labels.dtype.kind == "U" and labels.tolist() == ["cat", "dog"]
