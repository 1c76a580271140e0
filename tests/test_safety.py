"""Every public function survives what users do to it, or refuses it by name.

One entry of the table says how a function is called.  The sweep replaces one argument
at a time by a bad value, and draws legal values that invite trouble.
"""

import copy
import importlib
import inspect
import pkgutil
import re
import signal
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import (
    ANY_SHAPE,
    FLAG,
    FREE_LABELS,
    FREE_SIGNS,
    LABELS,
    LAYOUTS,
    MATRIX,
    SEED,
    SIGNS,
    SIZES,
    SPLITS,
    array,
    float32,
    integer,
    number,
    one_of,
    optional,
)

import mlcore
from mlcore import (
    checks,
    datasets,
    features,
    geometry,
    linear,
    losses,
    metrics,
    perceptron,
    validation,
)

# For the eye or for proofs; geometry has checked what it passes to polytope.
NOT_SWEPT = [
    "estimators",
    "plotting",
    "polytope",
    "source",
    "sums",
    "symbolic",
    "widgets",
]
SECONDS = 5  # a call that takes longer is taken to hang


class First:
    """A rule that predicts the first label that it has seen."""

    def __init__(self, X, y):
        self.label = y[0]

    def predict(self, X):
        return np.full(len(X), self.label)


NORMAL, POSITIVE = array("d"), number(1.5, outside=(0, -1.0))
DATA, PLANE = {"X": MATRIX, "y": SIGNS}, {"w": array("d", tied="d"), "b": number(0.5)}
CENTERS = array("pd", tied="d")
RULE = linear.LinearRule(np.array([1.0, -2.0]), 0.25)
NEW = array("nd", tied="d", d=2)  # as many features as the rule has
LOSSES = [value for value in vars(losses).values() if isinstance(value, losses.Loss)]
SLOPED = [loss for loss in LOSSES if len(loss.derivatives) > 1]
CURVED = [loss for loss in LOSSES if len(loss.derivatives) > 2]
SIZE = integer(6, outside=(1, 0, -1, 10**20), nasty=(2, 3, 9))
SMALL = integer(2, outside=(0, -1, 10**20), nasty=(1, 3))
FOLDS = integer(2, outside=(1, 0, 10**20), nasty=(2, 3))
START, RNG = optional(PLANE["w"]), optional(SEED)
FIT = one_of(First, bad=(None, 3, "fit"))
FITS = one_of({"first": First}, bad=(None, {}, [First], {"a": 3}, "fits"))
ERROR = one_of(metrics.zero_one_error, bad=(None, 3, "error", lambda *_: np.nan))
NEGATIVE = one_of("setosa", "virginica", bad=(None, "rose", 0, ["setosa"]))
POSITIVE_SPECIES = one_of("versicolor", bad=(None, "setosa", "rose", 0))
COLUMNS = one_of(
    ("petal width (cm)", "sepal width (cm)"),
    ["sepal width (cm)"],
    bad=("petal width (cm)", (), 3, ("petal",), ["sepal width (cm)"] * 2),
)

# Each public function, and the kind of each of its arguments.
TABLE = [
    (checks.check_data, DATA),
    (partial(checks.check_matrix, "value"), {"value": MATRIX}),
    (partial(checks.check_vector, "value"), {"value": NORMAL}),
    (partial(checks.check_signs, "value"), {"value": FREE_SIGNS}),
    (partial(checks.check_array, "value"), {"value": ANY_SHAPE}),
    (partial(checks.check_labels, "value"), {"value": FREE_LABELS}),
    (partial(checks.check_weights, "value"), {"value": NORMAL}),
    (partial(checks.check_number, "value"), {"value": number(0.5)}),
    (partial(checks.check_integer, "value"), {"value": integer(2, outside=(-1,))}),
    (partial(checks.check_flag, "value"), {"value": FLAG}),
    (partial(checks.check_choice, "value", choices=["setosa"]), {"value": NEGATIVE}),
    (partial(checks.check_rng, "value"), {"value": SEED}),
    (linear.sgn, {"score": ANY_SHAPE}),
    (RULE.decision_function, {"X": NEW}),
    (RULE.predict, {"X": NEW}),
    (geometry.signed_distance, {"X": MATRIX, **PLANE}),
    (geometry.project, {"X": MATRIX, **PLANE}),
    (geometry.foot_of_origin, {"w": NORMAL, "b": number(0.5)}),
    (geometry.augment, {"X": MATRIX, "constant": POSITIVE}),
    (geometry.functional_margin, DATA | PLANE),
    (geometry.geometric_margin, DATA | PLANE),
    (geometry.max_margin, {**DATA, "bias": FLAG}),
    (geometry.separating_halfspace, {**DATA, "bias": FLAG}),
    (geometry.shatters, {"X": MATRIX}),
    (losses.Loss.value, {"self": one_of(*LOSSES), "z": ANY_SHAPE}),
    (losses.Loss.slope, {"self": one_of(*SLOPED), "z": ANY_SHAPE}),
    (losses.Loss.curvature, {"self": one_of(*CURVED), "z": ANY_SHAPE}),
    (features.polynomial, {"X": MATRIX, "degree": SMALL}),
    (features.quadratic, {"X": MATRIX}),
    (features.rbf, {"X": MATRIX, "centers": CENTERS, "width": POSITIVE}),
    (
        features.rectified,
        {"X": MATRIX, "directions": CENTERS, "offsets": array("p", tied="p")},
    ),
    (features.fourier, {"X": MATRIX, "order": SMALL, "period": POSITIVE}),
    (features.haar, {"X": MATRIX, "levels": SMALL}),
    (features.standardize, {"X": MATRIX, "like": optional(CENTERS)}),
    (
        datasets.iris,
        {
            "negative": NEGATIVE,
            "positive": POSITIVE_SPECIES,
            "features": optional(COLUMNS),
        },
    ),
    (datasets.breast_cancer, {}),
    (
        datasets.digits,
        {
            "negative": integer(0, outside=(10, -1), nasty=(9,)),
            "positive": integer(8, outside=(10, 0)),
        },
    ),
    (
        datasets.separable,
        {
            "n": SIZE,
            "d": SMALL,
            "margin": number(0.5, outside=(0, -1.0, 1e4)),
            "rng": SEED,
        },
    ),
    (
        datasets.overlapping,
        {
            "n": SIZE,
            "d": SMALL,
            "separation": number(2.0, outside=(-1.0, 1e4)),
            "rng": SEED,
        },
    ),
    (datasets.ring, {"n": SIZE, "rng": SEED}),
    (datasets.parity, {"n": SIZE, "d": SMALL, "rng": SEED}),
    (metrics.zero_one_error, {"y": FREE_LABELS, "predicted": LABELS}),
    (metrics.confusion, {"y": FREE_LABELS, "predicted": LABELS}),
    (
        validation.k_folds,
        {"y": FREE_LABELS, "folds": FOLDS, "stratified": FLAG, "rng": RNG},
    ),
    (
        validation.monte_carlo,
        {
            "y": FREE_LABELS,
            "repeats": integer(3),
            "test_share": number(0.5, outside=(0, 1, 1.1), nasty=(1e-9, 0.999)),
            "rng": SEED,
            "stratified": FLAG,
        },
    ),
    (
        validation.cross_validate,
        {"fit": FIT, "X": MATRIX, "y": LABELS, "splits": SPLITS, "error": ERROR},
    ),
    (
        validation.nested_cross_validate,
        {
            "fits": FITS,
            "X": MATRIX,
            "y": LABELS,
            "folds": FOLDS,
            "inner": FOLDS,
            "stratified": one_of(False, True, bad=(None, 0, "no")),
            "rng": RNG,
            "error": ERROR,
        },
    ),
    (
        perceptron.perceptron,
        {**DATA, "bias": FLAG, "start": START, "max_epochs": integer(9), "rng": RNG},
    ),
    (
        perceptron.perceptron_trace,
        {
            **DATA,
            "bias": FLAG,
            "start": START,
            "eta": POSITIVE,
            "max_updates": integer(99),
        },
    ),
    (
        perceptron.mistake_bound,
        {
            "radius": POSITIVE,
            "margin": POSITIVE,
            "start_norm": number(2.0, outside=(-1.0,)),
            "start_score": number(-1.0, outside=(9.0, -9.0)),
        },
    ),
]


def name_of(function) -> str:
    function = getattr(function, "func", function)  # of a partial
    return f"{function.__module__.removeprefix('mlcore.')}.{function.__qualname__}"


def public_functions():
    """Functions and methods without underscore, in the modules that are swept."""
    for module in pkgutil.iter_modules(mlcore.__path__):
        if module.name in NOT_SWEPT:
            continue
        module = importlib.import_module(f"mlcore.{module.name}")
        for name, value in vars(module).items():
            if (
                name.startswith("_")
                or getattr(value, "__module__", 0) != module.__name__
            ):
                continue
            if inspect.isfunction(value):
                yield name_of(value)
            elif inspect.isclass(value):
                for name, method in vars(value).items():
                    if inspect.isfunction(method) and not name.startswith("_"):
                        yield name_of(method)


@contextmanager
def time_limit():
    """Raise TimeoutError in a call that hangs, where the system can do so."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_):
        raise TimeoutError(f"no answer within {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def prints(value):
    """What must not change: type, layout and bytes of every array, else the repr."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.strides, value.flags.num, value.tobytes()
    if isinstance(value, (list, tuple)):
        return [prints(part) for part in value]
    return repr(value)


def numbers(result):
    """All numbers of a result, arrays flattened, dataclasses with their properties."""
    if is_dataclass(result):
        names = [*vars(result)]
        names += [k for k, v in inspect.getmembers(type(result)) if type(v) is property]
        return numbers([getattr(result, name) for name in names])
    if isinstance(result, (list, tuple)):
        return [number for part in result for number in numbers(part)]
    if result is None or isinstance(result, (str, np.random.Generator)):
        return []
    result = np.asarray(result)
    assert result.dtype.kind in "biufU", result
    return [] if result.dtype.kind == "U" else result.ravel().tolist()


def call(function, arguments):
    """The numbers of the result, all finite; arguments are the same as before."""
    before = prints(list(arguments.values()))
    try:
        with time_limit():
            result = function(**arguments)
    finally:
        assert prints(list(arguments.values())) == before
    found = numbers(result)
    assert np.all(np.isfinite(found)), result
    return found


def blamed(names, message) -> bool:
    """Whether the message names an argument before it says what it must be."""
    words = "|".join(re.escape(name) for name in names)
    return bool(re.search(rf"(?<!\w)({words})(?!\w).* (must|needs) ", message))


def examples(kinds):
    return {name: copy.deepcopy(kind.example(SIZES)) for name, kind in kinds.items()}


every_function = pytest.mark.parametrize(
    ("function", "kinds"), TABLE, ids=map(name_of, [f for f, _ in TABLE])
)


def test_no_public_function_is_forgotten():
    assert sorted(name_of(function) for function, _ in TABLE) == sorted(
        public_functions()
    )


@every_function
def test_no_argument_is_forgotten(function, kinds):
    if isinstance(function, partial):
        return  # a check: its rules come from the code, not from users
    assert [*inspect.signature(function).parameters] == [*kinds]


@every_function
def test_good_arguments_in_any_type_and_layout(function, kinds):
    expected = call(function, examples(kinds))
    for convert in [*LAYOUTS, float32]:
        arguments = {
            name: convert(value) if isinstance(value, np.ndarray) else value
            for name, value in examples(kinds).items()
        }
        np.testing.assert_allclose(call(function, arguments), expected, rtol=1e-12)


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


@every_function
@settings(derandomize=True, deadline=None, max_examples=60)
@given(data=st.data())
def test_nasty_values_are_survived_or_refused_by_name(function, kinds, data):
    sizes = {
        "n": data.draw(st.integers(1, 7)),
        "d": data.draw(st.integers(1, 3)),
        "p": 3,
    }
    arguments = {
        name: data.draw(kind.nasty(sizes), label=name) for name, kind in kinds.items()
    }
    try:
        call(function, arguments)
    except ValueError as error:
        assert blamed(kinds, str(error)), error
