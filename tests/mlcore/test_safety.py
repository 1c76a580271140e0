"""Every public function survives what users do to it, or refuses it by name.

The sweep replaces one argument at a time by a bad value, and draws legal values that
invite trouble: right answers, or named errors.  How each function is called is said in
tests/helpers/public.py, and what is right in fits.py and in the oracles beside it.
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
from tests.helpers import fits, oracles, oracles_searches
from tests.helpers.claims import judge, plain
from tests.helpers.kinds import LAYOUTS, SIZES, float32
from tests.helpers.public import TABLE, name_of
from tests.helpers.time_limit import time_limit

ORACLES = fits.ORACLES | oracles.ORACLES | oracles_searches.ORACLES
FEW = {"separation.shatters": 6}  # examples: it tries every labeling


def prints(value):
    """What must not change: type, layout and bytes of every array, else the repr."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.strides, value.flags.num, value.tobytes()
    if isinstance(value, (list, tuple)):
        return [prints(part) for part in value]
    return repr(value)


def parts(value):
    """Every array, number or name of a result, those of fields and properties too."""
    if is_dataclass(value) and not isinstance(value, Loss):
        names = [k for k, v in inspect.getmembers(type(value)) if type(v) is property]
        value = [*vars(value).values(), *(getattr(value, name) for name in names)]
    if isinstance(value, (list, tuple)):
        return [part for inner in value for part in parts(inner)]
    return [value]


def numbers(result):
    """All numbers of a result, arrays flattened."""
    found = [p for p in parts(result) if isinstance(p, (np.ndarray, float, int))]
    arrays = [a for a in map(np.asarray, found) if a.dtype.kind != "U"]
    assert all(array.dtype.kind in "biuf" for array in arrays), result
    return [number for array in arrays for number in array.ravel().tolist()]


def answer(function, arguments):
    """The result, all of whose numbers are finite; arguments are the same as before."""
    before = prints(list(arguments.values()))
    try:
        with time_limit(f"{name_of(function)}(**{arguments})"):
            result = function(**arguments)
    finally:
        assert prints(list(arguments.values())) == before
    found = np.array(numbers(result))
    infinite = name_of(function) == "selection.univariate"  # some scores, see its docstring
    assert np.all(np.isfinite(found) | (np.isinf(found) & infinite)), result
    return result


def blamed(names, message) -> bool:
    """Whether the message names an argument before it says what it must be."""
    words = "|".join(re.escape(name) for name in names)
    return bool(re.search(rf"(?<!\w)({words})(?!\w).* (must|needs) ", message))


def examples(kinds):
    return {name: copy.deepcopy(kind.example(SIZES)) for name, kind in kinds.items()}


every_function = pytest.mark.parametrize(
    ("function", "kinds"), TABLE, ids=[name_of(function) for function, _ in TABLE]
)


@every_function
def test_a_result_is_always_the_same_and_nobody_elses(function, kinds):
    """It shares no memory with the arguments, nor with the result of another call."""
    arguments = examples(kinds)
    result, again = answer(function, arguments), answer(function, arguments)
    assert numbers(result) == numbers(again)
    others = [
        p for p in parts([list(arguments.values()), again]) if isinstance(p, np.ndarray)
    ]
    for array in parts(result):
        assert not any(np.shares_memory(array, other) for other in others)


@every_function
def test_what_has_a_default_may_be_left_out(function, kinds):
    told = inspect.signature(function).parameters.values()
    needed = [p.name for p in told if p.default is p.empty]
    sizes = SIZES | {"n": FEW.get(name_of(function), 15)}
    answer(function, {name: kinds[name].example(sizes) for name in needed})


@every_function
def test_good_arguments_in_any_type_and_layout(function, kinds):
    expected = numbers(answer(function, examples(kinds)))
    has_arrays = any(isinstance(v, np.ndarray) for v in examples(kinds).values())
    for convert in [*LAYOUTS, float32] if has_arrays else []:
        arguments = {
            name: convert(value) if isinstance(value, np.ndarray) else value
            for name, value in examples(kinds).items()
        }
        found = numbers(answer(function, arguments))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@every_function
def test_bad_values_are_refused_by_name(function, kinds):
    wrong = []
    for name, kind in kinds.items():
        for value in kind.bad(SIZES):
            try:
                found = answer(function, examples(kinds) | {name: value})
                wrong.append(f"{name} = {value!r} was taken: {found}")
            except Exception as error:
                if type(error) is not ValueError or not blamed([name], str(error)):
                    wrong.append(f"{name} = {value!r} raised {error!r}")
    assert not wrong, "\n".join(wrong)


@every_function
@given(data=st.data())
def test_nasty_values_are_answered_rightly_or_refused_by_name(function, kinds, data):
    long = settings.get_current_profile_name() == "long"
    most = {"n": 40, "d": 12, "p": 9} if long else {"n": 7, "d": 3, "p": 3}
    most["n"] = FEW.get(name_of(function), most["n"])
    sizes = {axis: data.draw(st.integers(1, size)) for axis, size in most.items()}
    arguments = {name: data.draw(kind.nasty(sizes)) for name, kind in kinds.items()}
    try:
        result = answer(function, arguments)
    except ValueError as error:
        assert blamed(kinds, str(error)), (error, arguments)
    except ArithmeticError as error:
        if type(error) is not ArithmeticError or "ArithmeticError" not in function.__doc__:
            raise
    else:
        if function in ORACLES:
            given = {name: plain(value) for name, value in arguments.items()}
            judge(ORACLES[function], result, given)
