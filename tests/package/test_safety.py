"""Every public function survives what users do to it, or refuses it by name.

The sweep replaces one argument at a time by a bad value, and draws legal values that
invite trouble.  How each function is called is said in public.py.
"""

import copy
import importlib
import inspect
import pkgutil
import re
from dataclasses import is_dataclass
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import LAYOUTS, SIZES, float32
from oracles import judge, plain
from oracles_classes import ORACLES as CLASSES
from oracles_lasso import ORACLES as LASSO
from oracles_made import ORACLES as MADE
from oracles_margins import ORACLES as MARGINS
from oracles_plain import ORACLES as PLAIN
from oracles_regression import ORACLES as FITS
from oracles_selection import ORACLES as SELECTION
from oracles_steps import ORACLES as STEPS
from public import TABLE as FOUNDATION
from public_families import TABLE as FAMILIES
from public_regression import TABLE as REGRESSION
from time_limit import time_limit

import mlcore
from mlcore.losses import Loss

TABLE = FOUNDATION + FAMILIES + REGRESSION
ORACLES = MARGINS | FITS | LASSO | SELECTION | PLAIN | MADE | STEPS | CLASSES
FEW = {"separation.shatters": 6}  # examples: it tries every labeling
NOT_SWEPT = {
    "the doors of scikit-learn and of notebooks": "estimators book",
    "reads files, which its own tests damage": "data.leukemia",
    "helpers, which callers and their own tests have checked": "arrays blocks",
}
# these look at what they get, as their names are public at the shelf; the other solvers
# take what the shelf has checked
SWEPT = "ranking stochastic stumps subgradients"


def name_of(function) -> str:
    function = getattr(function, "func", function)  # of a partial
    return f"{function.__module__.removeprefix('mlcore.')}.{function.__qualname__}"


def modules():
    """The modules that are swept, as dotted names below mlcore."""
    left_out = " ".join(NOT_SWEPT.values()).split()
    for module in pkgutil.walk_packages(mlcore.__path__, "mlcore."):
        room, _, name = module.name.removeprefix("mlcore.").rpartition(".")
        if room == "solvers" and name not in SWEPT.split():
            continue
        dotted = f"{room}.{name}".lstrip(".")
        if not any(f"{dotted}.".startswith(f"{prefix}.") for prefix in left_out):
            yield dotted


def public_functions():
    """Functions and methods without underscore, in the modules that are swept."""
    for name in modules():
        module = importlib.import_module(f"mlcore.{name}")
        for name, value in vars(module).items():
            if name.startswith("_") or getattr(value, "__module__", 0) != module.__name__:
                continue
            if inspect.isfunction(value):
                yield name_of(value)
            elif inspect.isclass(value):
                for name, method in vars(value).items():
                    if inspect.isfunction(method) and not name.startswith("_"):
                        yield name_of(method)


def prints(value):
    """What must not change: type, layout and bytes of every array, else the repr."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.strides, value.flags.num, value.tobytes()
    if isinstance(value, (list, tuple)):
        return [prints(part) for part in value]
    return repr(value)


def numbers(result):
    """All numbers of a result, arrays flattened, dataclasses with their properties."""
    if isinstance(result, Loss):
        return []  # an argument that came back
    if is_dataclass(result):
        names = [*vars(result)]
        names += [k for k, v in inspect.getmembers(type(result)) if type(v) is property]
        return numbers([getattr(result, name) for name in names])
    if isinstance(result, (list, tuple)):
        return [number for part in result for number in numbers(part)]
    if result is None or isinstance(result, (str, slice, np.random.Generator)):
        return []
    result = np.asarray(result)
    assert result.dtype.kind in "biufU", result
    return [] if result.dtype.kind == "U" else result.ravel().tolist()


def answer(function, arguments):
    """The result, all of whose numbers are finite; arguments are the same as before."""
    before = prints(list(arguments.values()))
    try:
        with time_limit(f"{name_of(function)}(**{arguments})"):
            result = function(**arguments)
    finally:
        assert prints(list(arguments.values())) == before
    assert np.all(np.isfinite(numbers(result))), result
    return result


def call(function, arguments):
    """The numbers of the result."""
    return numbers(answer(function, arguments))


def blamed(names, message) -> bool:
    """Whether the message names an argument before it says what it must be."""
    words = "|".join(re.escape(name) for name in names)
    return bool(re.search(rf"(?<!\w)({words})(?!\w).* (must|needs) ", message))


def examples(kinds):
    return {name: copy.deepcopy(kind.example(SIZES)) for name, kind in kinds.items()}


every_function = pytest.mark.parametrize(
    ("function", "kinds"), TABLE, ids=[name_of(function) for function, _ in TABLE]
)


def test_no_public_function_is_forgotten():
    assert sorted(name_of(function) for function, _ in TABLE) == sorted(public_functions())


@every_function
def test_no_argument_is_forgotten(function, kinds):
    if isinstance(function, partial):
        return  # a check: its rules come from the code, not from users
    assert set(inspect.signature(function).parameters) == set(kinds)


def arrays(value):
    """Every array of a result or of arguments, those of fields and properties too."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from arrays(part)
    elif is_dataclass(value):
        names = [k for k, v in inspect.getmembers(type(value)) if type(v) is property]
        yield from arrays([*vars(value).values(), *(getattr(value, n) for n in names)])


@pytest.mark.parametrize(
    ("function", "kinds"),
    [row for row in TABLE if ".check_" not in name_of(row[0])],
    ids=lambda part: name_of(part) if callable(part) else "",
)
def test_a_result_is_nobody_elses(function, kinds):
    """It shares no memory with the arguments, nor with the result of another call."""
    arguments = examples(kinds)
    result, again = function(**arguments), function(**arguments)
    others = [*arrays(list(arguments.values())), *arrays(again)]
    for array in arrays(result):
        assert not any(np.shares_memory(array, other) for other in others)


@every_function
def test_good_arguments_in_any_type_and_layout(function, kinds):
    expected = call(function, examples(kinds))
    has_arrays = any(isinstance(v, np.ndarray) for v in examples(kinds).values())
    for convert in [*LAYOUTS, float32] if has_arrays else []:
        arguments = {
            name: convert(value) if isinstance(value, np.ndarray) else value
            for name, value in examples(kinds).items()
        }
        found = call(function, arguments)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@every_function
def test_bad_values_are_refused_by_name(function, kinds):
    wrong = []
    for name, kind in kinds.items():
        for value in kind.bad(SIZES):
            try:
                found = call(function, examples(kinds) | {name: value})
                wrong.append(f"{name} = {value!r} was taken: {found}")
            except Exception as error:
                if type(error) is not ValueError or not blamed([name], str(error)):
                    wrong.append(f"{name} = {value!r} raised {error!r}")
    assert not wrong, "\n".join(wrong)


def survived(function, kinds, data, *, n=7, d=3, p=3):
    """Call it with nasty values: refused by name it is None, or else right.

    n, d, p  the most examples, features, and what p counts

    Returns how far off the result is as a part of what is allowed, 0 without an oracle.
    """
    n = FEW.get(name_of(function), n)
    most = {"n": n, "d": d, "p": p}
    sizes = {axis: data.draw(st.integers(1, size)) for axis, size in most.items()}
    arguments = {name: data.draw(kind.nasty(sizes)) for name, kind in kinds.items()}
    try:
        try:
            result = answer(function, arguments)
        except ValueError as error:
            assert blamed(kinds, str(error)), error
            return None
        except ArithmeticError as error:
            if type(error) is ArithmeticError and "ArithmeticError" in function.__doc__:
                return None
            raise
        if function not in ORACLES:
            return 0.0
        given = {name: plain(value) for name, value in arguments.items()}
        return judge(ORACLES[function], result, given)
    except BaseException as error:
        error.add_note(f"{name_of(function)}(**{arguments})")
        raise


@every_function
@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=30)
@given(data=st.data())
def test_nasty_values_are_answered_rightly_or_refused_by_name(function, kinds, data):
    survived(function, kinds, data)
