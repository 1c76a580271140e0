"""Call every public function with valid, unusual and invalid arguments.

An invalid value of one argument must raise an error that names it.  With unusual values,
which Hypothesis draws, a result must meet the claims of its oracle, or an error must name
an argument.  helpers/signatures.py has the arguments; helpers/families.py explains oracles.
"""

import copy
import inspect
import re
from dataclasses import is_dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.losses import Loss
from tests.helpers.assertions import as_float64, assert_claims
from tests.helpers.families import ORACLES
from tests.helpers.signatures import LAYOUTS, SIZES, TABLE, float32, name_of
from tests.helpers.time_limit import time_limit

MAX_N = {"separation.shatters": 6}  # it tries every labeling
LONG_SIZES = {"n": 40, "d": 12, "p": 9}  # with --hypothesis-profile=long
SIZE_LIMITS = [{"n": 24, "d": 5, "p": 4}, {"n": 7, "d": 3, "p": 3}]


def state(value):
    """Return the type, layout and bytes of every array, and the repr of other values."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.strides, value.flags.num, value.tobytes()
    if isinstance(value, (list, tuple)):
        return [state(part) for part in value]
    return repr(value)


def parts(value):
    """Return all arrays, numbers and names in a result, its fields and its properties."""
    if is_dataclass(value) and not isinstance(value, Loss):
        names = [k for k, v in inspect.getmembers(type(value)) if type(v) is property]
        value = [*vars(value).values(), *(getattr(value, name) for name in names)]
    if isinstance(value, (list, tuple)):
        return [part for inner in value for part in parts(inner)]
    return [value]


def numbers(result):
    """Return all numbers in a result."""
    found = [p for p in parts(result) if isinstance(p, (np.ndarray, float, int))]
    arrays = [a for a in map(np.asarray, found) if a.dtype.kind != "U"]
    assert all(array.dtype.kind in "biuf" for array in arrays), result
    return [number for array in arrays for number in array.ravel().tolist()]


def call(function, arguments):
    """Call a function; check that it changes no argument and returns finite numbers."""
    before = state(list(arguments.values()))
    try:
        with time_limit(f"{name_of(function)}(**{arguments})"):
            result = function(**arguments)
    finally:
        assert state(list(arguments.values())) == before
    found = np.array(numbers(result))
    may_be_infinite = name_of(function) == "selection.univariate"  # see its docstring
    assert np.all(np.isfinite(found) | (np.isinf(found) & may_be_infinite)), result
    return result


def names_argument(names, message) -> bool:
    """Return whether a message names an argument, followed by its rule and the value."""
    words = "|".join(re.escape(name) for name in names)
    return bool(re.search(rf"(?<!\w)({words})(?!\w).* (must|needs) .*; got ", message))


def examples(table):
    return {name: copy.deepcopy(a.example(SIZES)) for name, a in table.items()}


every_function = pytest.mark.parametrize(
    ("function", "table"), TABLE, ids=[name_of(function) for function, _ in TABLE]
)


@every_function
def test_repeated_calls_give_equal_results_that_share_no_memory(function, table):
    arguments = examples(table)
    result, again = call(function, arguments), call(function, arguments)
    assert numbers(result) == numbers(again)
    others = [a for a in parts([*arguments.values(), again]) if isinstance(a, np.ndarray)]
    for array in parts(result):
        assert not any(np.shares_memory(array, other) for other in others)


@every_function
def test_arguments_with_a_default_are_optional(function, table):
    parameters = inspect.signature(function).parameters.values()
    required = [p.name for p in parameters if p.default is p.empty]
    sizes = SIZES | {"n": MAX_N.get(name_of(function), 15)}
    call(function, {name: table[name].example(sizes) for name in required})


@every_function
def test_result_is_independent_of_array_type_and_layout(function, table):
    expected = numbers(call(function, examples(table)))
    for convert in [*LAYOUTS, float32]:
        arguments = {
            name: convert(value) if isinstance(value, np.ndarray) else value
            for name, value in examples(table).items()
        }
        found = numbers(call(function, arguments))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@every_function
def test_invalid_argument_raises_value_error_with_its_name(function, table):
    wrong = []
    for name, argument in table.items():
        for value in argument.invalid(SIZES):
            try:
                found = call(function, examples(table) | {name: value})
                wrong.append(f"{name} = {value!r} is accepted: {found}")
            except Exception as error:
                if type(error) is not ValueError or not names_argument([name], str(error)):
                    wrong.append(f"{name} = {value!r} raises {error!r}")
    assert not wrong, "\n".join(wrong)


@every_function
@given(data=st.data())
def test_unusual_arguments_meet_oracle_or_raise_named_error(function, table, data):
    long = settings.get_current_profile_name() == "long"
    largest = LONG_SIZES if long else data.draw(st.sampled_from(SIZE_LIMITS))
    largest = largest | {"n": MAX_N.get(name_of(function), largest["n"])}
    sizes = {axis: data.draw(st.integers(1, size)) for axis, size in largest.items()}
    arguments = {name: data.draw(a.unusual(sizes)) for name, a in table.items()}
    try:
        result = call(function, arguments)
    except ValueError as error:
        assert names_argument(table, str(error)), (error, arguments)
    except ArithmeticError as error:
        if type(error) is not ArithmeticError or "ArithmeticError" not in function.__doc__:
            raise
    else:
        if function in ORACLES:
            converted = {name: as_float64(value) for name, value in arguments.items()}
            assert_claims(ORACLES[function], result, converted)
