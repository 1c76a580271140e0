"""Each refusal names the argument, the rule and the value; what is right passes."""

from fractions import Fraction

import numpy as np
import pytest

from mlcore import checks
from mlcore.arrays import LARGEST

REFUSED = [
    (
        "array",
        {},
        [[None]],
        "an array of real numbers; got dtype object, which holds a NoneType",
    ),
    ("array", {}, [[1j]], "an array of real numbers; got dtype complex128"),
    ("array", {}, [[10**400]], "finite, at most 1e+150 in size; got a larger integer"),
    ("array", {}, [[1e150, -2e150]], "finite, at most 1e+150 in size; got -2e+150"),
    ("array", {}, np.ma.array([1, 2], mask=[0, 1]), "without masked entries; got 1 masked"),
    ("array", {}, [[1.0], [1.0, 2.0]], "an array of numbers; got list"),
    ("array", {"at_least": 0}, [1, -2], "at least 0; got -2"),
    (
        *("matrix", {}, np.ones((0, 2))),
        "a matrix (n, d) with n, d >= 1, one example a row; got shape (0, 2)",
    ),
    ("matrix", {"columns": 3}, [[1, 2]], "3 columns; got shape (1, 2)"),
    ("vector", {}, np.ones(0), "a vector with at least one entry; got shape (0,)"),
    ("vector", {"length": 3}, [1, 2], "3 entries; got 2"),
    ("signs", {}, [1, 0], "only -1 and +1; got the label 0"),
    ("labels", {}, [["a"]], "a vector with at least one entry; got shape (1, 1)"),
    ("labels", {"length": 3}, ["a"], "3 entries; got 1"),
    ("weights", {}, [0, 0], "zero, a hyperplane needs a direction; got [0. 0.]"),
    ("sample_weight", {"length": 2}, [1, -1], "at least 0; got -1"),
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
    (
        "splits",
        {"n": 3},
        [([0, 1], [2, 1])] * 2,
        "disjoint train and test sets; got index [1] in both",
    ),
    ("unmasked", {}, np.ma.array([1], mask=[1]), "without masked entries; got 1 masked"),
]


@pytest.mark.parametrize(("name", "rules", "value", "message"), REFUSED)
def test_a_refusal_names_argument_rule_and_value(name, rules, value, message):
    with pytest.raises(ValueError) as refusal:
        getattr(checks, name)("A", value, **rules)
    said = str(refusal.value)
    assert said.startswith("A must ") and said.endswith(f" {message}")


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
    X, y = checks.data(np.transpose(value), value[0])
    A, B = checks.matrix("A", value), checks.array("A", value)
    for got in X.T, y[None], A, B:
        assert got.dtype == np.float64 and got.tolist() == [[1, -1]]


def test_float64_is_not_copied_and_may_be_read_only():
    value = np.array([[1.0, -1.0]])
    value.flags.writeable = False
    assert checks.matrix("A", value) is checks.array("A", value) is value


def test_the_ends_of_the_ranges_belong_to_them():
    assert checks.matrix("A", [[LARGEST, -LARGEST]]).max() == LARGEST
    number, integer = checks.number, checks.integer
    assert number("A", LARGEST) == -number("A", -LARGEST) == LARGEST
    assert number("A", 1, at_least=1, at_most=1) == integer("A", 1, at_least=1, at_most=1)
    assert number("A", np.nextafter(1, 2), above=1) > 1 > number("A", 1 - 1e-16, below=1)
    assert checks.array("A", [0.0, 1.0], at_least=0).tolist() == [0, 1]


def test_numbers_become_plain_ones_and_labels_keep_their_type():
    for value in (2, 2.0, Fraction(4, 2), np.float32(2), np.int64(2)):
        assert type(checks.number("A", value)) is float
    assert type(checks.integer("A", np.uint64(2))) is int
    assert checks.flag("A", np.True_) is True
    assert checks.choice("A", "a", ("a", "b")) == "a"
    assert checks.labels("A", np.array([3, 1], dtype=object)).dtype.kind == "i"
    for text in (["cat", "dog"], np.array(["cat", "dog"], dtype=object)):
        labels = checks.labels("A", text, length=2)
        assert labels.dtype.kind == "U" and labels.tolist() == ["cat", "dog"]
    generator = np.random.default_rng(0)
    assert checks.rng("rng", generator) is generator
