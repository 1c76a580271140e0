"""Each refusal names the argument, the rule and the value; what is right passes."""

from fractions import Fraction

import numpy as np
import pytest

from mlcore import checks, options
from mlcore.arrays import LARGEST
from mlcore.checks import (
    check_array,
    check_data,
    check_labels,
    check_matrix,
    check_sample_weight,
    check_signs,
    check_unmasked,
    check_vector,
    check_weights,
)
from mlcore.options import (
    check_choice,
    check_flag,
    check_integer,
    check_number,
    check_rng,
    check_splits,
)

REAL = "A must be an array of real numbers; got dtype "
MATRIX = "A must be a matrix (n, d) with n, d >= 1, one example a row; got shape "
VECTOR = "A must be a vector with at least one entry; got shape "
FINITE = "A must be finite, at most 1e+150 in size; got "
MASKED = "A must be without masked entries; got 1 masked"
RAGGED = [[1.0], [1.0, 2.0]]

REFUSED = [
    # every array, whatever its shape
    *[
        (check, dict(value=value), message)
        for check in (
            check_array,
            check_matrix,
            check_signs,
            check_vector,
        )
        for value, message in [
            ([["a"]], REAL + "<U1"),
            ([[None]], REAL + "object, which holds a NoneType"),
            (np.array([[1, "a"]], dtype=object), REAL + "object, which holds a str"),
            ([[1j]], REAL + "complex128"),
            ([[10**400]], FINITE + "a larger integer"),
            (np.ma.array([[1.0, 2.0]], mask=[[0, 1]]), MASKED),
            (np.array([["2020-01-01"]], dtype="M8[D]"), REAL + "datetime64[D]"),
            (RAGGED, "A must be an array of numbers; got list"),
            ([[np.nan]], FINITE + "nan"),
            ([[0.0, np.inf]], FINITE + "inf"),
            ([[-np.inf]], FINITE + "-inf"),
            ([[1e150, 2e150]], FINITE + "2e+150"),
            ([[-2e150]], FINITE + "-2e+150"),
        ]
    ],
    (check_array, dict(value=[[1.0, -0.5]], at_least=0), "A must be at least 0; got -0.5"),
    (check_matrix, dict(value=1.0), MATRIX + "()"),
    (check_matrix, dict(value=[1.0, 2.0]), MATRIX + "(2,)"),
    (check_matrix, dict(value=np.empty((0, 2))), MATRIX + "(0, 2)"),
    (check_matrix, dict(value=np.empty((2, 0))), MATRIX + "(2, 0)"),
    (check_matrix, dict(value=np.zeros((1, 1, 1))), MATRIX + "(1, 1, 1)"),
    (
        check_matrix,
        dict(value=[[1.0, 2.0]], columns=3),
        "A must have 3 columns; got shape (1, 2)",
    ),
    (check_vector, dict(value=1.0), VECTOR + "()"),
    (check_vector, dict(value=[]), VECTOR + "(0,)"),
    (check_vector, dict(value=[[1.0]]), VECTOR + "(1, 1)"),
    (check_vector, dict(value=[1.0, 2.0], length=3), "A must have 3 entries; got 2"),
    (
        check_signs,
        dict(value=[1, 0, -1]),
        "A must hold only -1 and +1; got the label 0",
    ),
    (
        check_signs,
        dict(value=[1, -1, 1.5]),
        "A must hold only -1 and +1; got the label 1.5",
    ),
    (
        check_signs,
        dict(value=[True, False]),
        "A must hold only -1 and +1; got the label 0",
    ),
    (check_signs, dict(value=[1, -1], length=1), "A must have 1 entries; got 2"),
    (
        check_weights,
        dict(value=[0.0, -0.0]),
        "A must not be zero, a hyperplane needs a direction; got [ 0. -0.]",
    ),
    (check_weights, dict(value=[1.0], length=2), "A must have 2 entries; got 1"),
    (check_labels, dict(value=[]), VECTOR + "(0,)"),
    (check_labels, dict(value=[np.nan]), FINITE + "nan"),
    (check_labels, dict(value=[None]), REAL + "object, which holds a NoneType"),
    (
        check_labels,
        dict(value=np.array(["a", 1], dtype=object)),
        REAL + "object, which holds a str",
    ),
    (check_labels, dict(value=np.ma.array(["a"], mask=True)), MASKED),
    *[
        (check_sample_weight, dict(value=value, length=2), message)
        for value, message in [
            ([1.0], "A must have 2 entries; got 1"),
            ([1.0, -0.5], "A must be at least 0; got -0.5"),
            ([0.0, 0.0], "A must not be zero for all examples; got [0. 0.]"),
            ([np.nan, 1.0], FINITE + "nan"),
        ]
    ],
    (check_unmasked, dict(value=np.ma.array([1], mask=True)), MASKED),
    (check_labels, dict(value=["a"], length=2), "A must have 2 labels; got 1"),
    (check_labels, dict(value=[1, 2], length=3), "A must have 3 entries; got 2"),
    (
        check_labels,
        dict(value=[["a"]]),
        "A must be a vector with at least one label; got shape (1, 1)",
    ),
    *[
        (check_number, dict(value=value), f"A must be a finite number; got {value!r}")
        for value in (np.nan, np.inf, -np.inf, True, np.True_, "1", None, 1j, [1.0])
    ],
    (check_number, dict(value=0, above=0), "A must be greater than 0; got 0.0"),
    (check_number, dict(value=-1, at_least=0), "A must be at least 0; got -1.0"),
    (check_number, dict(value=1.5, at_most=1), "A must be at most 1; got 1.5"),
    (check_number, dict(value=1.0, below=1), "A must be less than 1; got 1.0"),
    (check_number, dict(value=2e150), "A must be at most 1e+150; got 2e+150"),
    (check_number, dict(value=-2e150), "A must be at least -1e+150; got -2e+150"),
    *[
        (check_integer, dict(value=value), f"A must be an integer; got {value!r}")
        for value in (1.0, True, np.True_, "1", None, np.nan, [1])
    ],
    (check_integer, dict(value=-1), "A must be at least 0; got -1"),
    (check_integer, dict(value=0, at_least=1), "A must be at least 1; got 0"),
    (check_integer, dict(value=9, at_most=8), "A must be at most 8; got 9"),
    *[
        (check_flag, dict(value=value), f"A must be True or False; got {value!r}")
        for value in (0, 1, 1.0, "True", None)
    ],
    *[
        (
            check_choice,
            dict(value=value, choices=("hinge", "square")),
            f"A must be one of 'hinge', 'square'; got {value!r}",
        )
        for value in ("hing", 1, None, ["hinge"])
    ],
    *[
        (check_rng, dict(value=value), f"A must be an integer; got {value!r}")
        for value in (None, 0.5, "seed", True)
    ],
    (check_rng, dict(value=-1), "A must be at least 0; got -1"),
    (
        check_splits,
        dict(value=[([0], [1])], n=2),
        "A must be at least 2; got 1",
    ),
    *[
        (
            check_splits,
            dict(value=[([0], test)] * 2, n=2),
            f"A must hold vectors of indices from 0 to 1; got {np.array(test)}",
        )
        for test in ([2], [0, 2], [-1, 0], [0.0], [[0]], np.array([], dtype=int))
    ],
    *[
        (
            check_splits,
            dict(value=[(train, test)] * 2, n=3),
            "A must not test on training data; got [1] twice",
        )
        for train, test in [([0, 1], [1]), ([0, 1], [2, 1])]
    ],
]


@pytest.mark.parametrize(
    ("check", "arguments", "message"),
    [
        pytest.param(*case, id=f"{case[0].__name__}-{number}")
        for number, case in enumerate(REFUSED)
    ],
)
def test_a_refusal_names_argument_rule_and_value(check, arguments, message):
    with pytest.raises(ValueError) as refusal:
        check("A", **arguments)
    assert str(refusal.value) == message


def test_no_check_is_forgotten():
    names = {*vars(checks), *vars(options)}
    public = {name for name in names if name.startswith("check_")}
    tried = {check.__name__ for check, _, _ in REFUSED}
    assert public == tried | {"check_data", "check_two_classes"}


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([1.0], [1], "X must be a matrix"),
        ([[1.0], [2.0]], [1], "y must have 2 entries; got 1"),
        ([[1.0]], [[1]], "y must be a vector"),
        ([[1.0]], [2], r"y must hold only -1 and \+1; got the label 2"),
    ],
)
def test_examples_and_labels_are_named_X_and_y(X, y, message):
    with pytest.raises(ValueError, match=message):
        check_data(X, y)


ARRAYS = [
    np.array([[1, -1]]),
    np.array([[1, -1]], dtype=np.int8),
    np.array([[1, -1]], dtype=np.float16),
    np.array([[1, -1]], dtype=np.longdouble),
    np.asfortranarray([[1.0, -1.0]]),
    np.array([[1.0, 0.0, -1.0]])[:, ::2],
    np.array([[1, np.float32(-1)]], dtype=object),  # as from nullable columns of pandas
    np.array([[True, Fraction(-1)]], dtype=object),
    np.ma.array([[1.0, -1.0]], mask=False),
    [[1, -1]],
    ((1.0, -1.0),),
]


@pytest.mark.parametrize("value", ARRAYS, ids=lambda value: type(value).__name__)
def test_any_array_of_numbers_becomes_float64(value):
    expected = np.array([[1.0, -1.0]])
    X, y = check_data(np.transpose(value), value[0])
    for got, wanted in [
        (check_matrix("A", value, columns=2), expected),
        (check_array("A", value), expected),
        (check_vector("A", value[0], length=2), expected[0]),
        (check_weights("A", value[0]), expected[0]),
        (X, expected.T),
        (y, expected[0]),
    ]:
        assert got.dtype == np.float64
        assert np.array_equal(got, wanted)


def test_float64_is_not_copied_and_may_be_read_only():
    value = np.array([[1.0, -1.0]])
    value.flags.writeable = False
    assert check_matrix("A", value) is value
    assert check_array("A", value) is value


def test_the_ends_of_the_ranges_belong_to_them():
    assert check_matrix("A", [[LARGEST, -LARGEST]]).max() == pytest.approx(LARGEST)
    assert check_number("A", LARGEST) == -check_number("A", -LARGEST) == LARGEST
    assert check_number("A", 1, at_least=1, at_most=1) == 1.0
    assert check_number("A", np.nextafter(1, 2), above=1) > 1
    assert check_number("A", np.nextafter(1, 0), below=1) < 1
    assert check_integer("A", 0) == check_integer("A", 8, at_least=8, at_most=8) - 8
    assert np.array_equal(check_array("A", [0.0, 1.0], at_least=0), [0, 1])
    assert check_array("A", -3.5) == -3.5


def test_examples_without_weight_are_left_out():
    kept, weights = check_sample_weight("A", [0, 2, 5], length=3)
    assert (kept.tolist(), weights.tolist()) == ([1, 2], [2, 5])
    kept, weights = check_sample_weight("A", [1e150, 5e-324], length=2)
    assert kept.tolist() == [0], "its share is 0, rounded"
    assert check_sample_weight("A", None, length=3) == (slice(None), 1.0)


def test_numbers_become_plain_ones():
    for value in (2, 2.0, Fraction(4, 2), np.float32(2), np.int64(2)):
        number = check_number("A", value)
        assert type(number) is float
        assert number == 2.0
    for value in (2, np.int8(2), np.uint64(2)):
        integer = check_integer("A", value)
        assert type(integer) is int
        assert integer == 2
    for value in (True, np.True_):
        assert check_flag("A", value) is True
    assert check_choice("A", "hinge", ("hinge", "square")) == "hinge"


def test_labels_keep_their_type():
    assert check_labels("A", [3, 1, 3], length=3).dtype.kind == "i"
    assert check_labels("A", np.array([3, 1], dtype=object)).dtype.kind == "i"
    for text in (["cat", "dog"], np.array(["cat", "dog"], dtype=object)):
        labels = check_labels("A", text, length=2)
        assert labels.dtype.kind == "U"
        assert labels.tolist() == ["cat", "dog"]


def test_a_seed_gives_the_same_numbers_and_a_generator_is_itself():
    assert check_rng("rng", 3).random() == check_rng("rng", np.int64(3)).random()
    generator = np.random.default_rng(0)
    assert check_rng("rng", generator) is generator
