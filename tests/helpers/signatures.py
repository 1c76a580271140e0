"""The arguments of every public function, for the safety tests.

ARGUMENTS maps argument names to values; OVERRIDES has the exceptions of a module or a
function.  An argument whose default is None may also be None.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

import mlcore
from mlcore import boosting, losses, multiclass, optim, scalings
from mlcore.generative import lda
from mlcore.lasso import lasso_path
from mlcore.least_squares import least_squares
from mlcore.linear import LinearRule
from mlcore.logistic import logistic, softmax_regression
from mlcore.metrics import zero_one_error
from mlcore.validation import k_folds

# reason: modules
EXCLUDED = {
    "classes that scikit-learn checks": "estimators",
    "read files, tested separately": "data.leukemia data.csv_file",
    "helpers, called with checked arguments": "arrays checks solvers",
    "takes Dask arrays": "out_of_core",
}
SIZES = {"n": 6, "d": 2, "p": 3}  # numbers of examples, features and centers


@dataclass(frozen=True, repr=False)
class Argument:
    """The values of one argument, for sizes such as {"n": 6, "d": 2, "p": 3}.

    example(sizes)  a valid value
    unusual(sizes)  a Hypothesis strategy for difficult values, which may raise an error
    invalid(sizes)  values that must raise an error; every error names the argument
    """

    example: Callable
    unusual: Callable
    invalid: Callable


RECIPES = [  # functions of a random generator and a shape
    lambda rng, shape: rng.normal(size=shape),
    lambda rng, shape: rng.integers(-1, 2, size=shape),
    lambda rng, shape: rng.integers(-1, 10, size=shape) / 8,  # Haar wavelets jump here
    lambda rng, shape: np.full(shape, 0.1),
    lambda rng, shape: np.zeros(shape),
    lambda rng, shape: 10.0 ** rng.integers(-3, 4) * rng.normal(size=shape),
    lambda rng, shape: 10.0 ** rng.integers(-3, 4, shape[-1:]) * rng.normal(size=shape),
    lambda rng, shape: 99 + rng.normal(size=shape),
    lambda rng, shape: rng.normal(size=shape)[..., np.r_[: shape[-1] - 1, 0]],  # twice one
    lambda rng, shape: rng.normal(size=shape) @ (np.eye(shape[-1]) - 1 / shape[-1]),
    lambda rng, shape: rng.normal(size=(2, *shape[1:]))[rng.integers(0, 2, shape[:1])],
    # sorted: the labels of SIGN_RECIPES[-1] are then separable
    lambda rng, shape: np.sort(rng.normal(size=shape), axis=0),
    lambda rng, shape: np.r_[1e6, rng.normal(size=shape).flat[1:]].reshape(shape),
]
SIGN_RECIPES = [
    lambda rng, shape: rng.choice([-1.0, 1.0], size=shape),
    lambda rng, shape: rng.choice([-1, 1], size=shape),
    lambda rng, shape: rng.choice([-1, 1]) * np.ones(shape),
    lambda rng, shape: np.where(np.arange(shape[0]) < (shape[0] + 1) // 2, -1.0, 1.0),
]


def strided(a):
    """Return `a` as a view of a larger array with step 2, and -2 along the first axis."""
    if a.ndim == 0:
        return a
    larger = np.full([2 * size for size in a.shape], 777, dtype=a.dtype)
    view = larger[tuple(slice(None, None, 2) for _ in a.shape)]
    view[...] = a[::-1]
    return view[::-1]


def float32(a):
    return a.astype(np.float32) if a.dtype.kind == "f" else a


# the fourth is read-only
LAYOUTS = [np.asarray, np.asfortranarray, strided, lambda a: np.broadcast_to(a, a.shape)]
LAYOUTS += [np.ndarray.tolist, lambda a: a.astype(object)]


def arrays_of(shape, recipes):
    def make(recipe, convert, layout, seed):
        return layout(convert(np.asarray(recipe(np.random.default_rng(seed), shape))))

    conversions = st.sampled_from([np.asarray, np.asarray, float32])
    layouts, seeds = st.sampled_from(LAYOUTS), st.integers(0, 99)
    return st.builds(make, st.sampled_from(recipes), conversions, layouts, seeds)


def invalid_arrays(valid, *, text=False):
    """List values that are invalid for any array argument."""
    not_finite = [np.array(valid, dtype=float) for _ in range(4)]
    for array, number in zip(not_finite, (np.nan, np.inf, -np.inf, -1e200), strict=True):
        array.flat[-1] = number
    mixed = np.array(valid, dtype=object)
    mixed.flat[0] = None
    masked = np.ma.array(valid, mask=False)
    masked.mask.flat[-1] = True
    wrong_type = [mixed, masked, np.array(valid) + 1j, np.array(valid).astype("M8[s]")]
    texts = [] if text else ["1", np.array(valid).astype(str)]
    return not_finite + wrong_type + texts + [None, {}, object(), [[1.0], [1.0, 2.0]]]


def array(axes: str, *, tied: str = "", squared=False, **fixed) -> Argument:
    """An array with one axis per letter; other arguments set the lengths of `tied` axes.

    squared  True if numbers so small that their squares underflow are invalid
    """

    def shape(sizes):
        return tuple((sizes | fixed)[axis] for axis in axes)

    def example(sizes):
        values = np.random.default_rng(len(axes)).integers(-9, 10, size=shape(sizes))
        return values / 4  # exact in float32

    def invalid(sizes):
        a = example(sizes)
        shapes = [a[..., None], a[0], a[:0], np.float64(1.0)]
        longer = [np.concatenate([a, a], axis=axes.index(axis)) for axis in tied]
        return invalid_arrays(a) + shapes + longer + [1e-160 * a] * squared

    return Argument(example, lambda sizes: arrays_of(shape(sizes), RECIPES), invalid)


def labels(*, text: bool, tied: bool = True) -> Argument:
    """Labels y, -1 and +1 or any numbers and text; one for each row of X if tied."""

    def example(sizes):
        return np.resize([1.0, -1.0, -1.0], sizes["n"])

    def unusual(sizes):
        texts = st.just(np.resize(["a", "b", "a", "b", "c"], sizes["n"]).tolist())
        values = arrays_of((sizes["n"],), SIGN_RECIPES + RECIPES * text)
        return values | texts if text else values

    def invalid(sizes):
        y = example(sizes)
        not_signs = [] if text else [0 * y, 2 * y, y > 0]
        shapes = [y[:, None], [], 1.0, *([y[:-1], np.append(y, y)] if tied else [])]
        pairs = [["a", np.nan], ["1", 1], [2**63 + 1, -1], ["a", "a\0"]] if text else []
        mixed = [[*pair, *pair[:1] * (len(y) - 2)] for pair in pairs]
        return invalid_arrays(y, text=text) + not_signs + shapes + mixed

    return Argument(example, unusual, invalid)


def one_of(values, *, invalid=()) -> Argument:
    """One of a few values; the first is the example."""
    return Argument(
        lambda sizes: values[0],
        lambda sizes: st.sampled_from(values),
        lambda sizes: list(invalid),
    )


def number(example, *, outside=(), unusual=(1, 1e-6, 1e6)) -> Argument:
    """A real number; `outside` lists invalid values outside its range."""
    values = [example, *unusual, np.float32(example), Fraction(example), np.longdouble(1)]
    not_real = [np.nan, np.inf, -np.inf, 10**400, "1", None, True, 1j, [1.0], np.ones(2)]
    return one_of(values, invalid=[*not_real, *outside])


def integer(example, *, outside=(0, -1), unusual=(1, 2, 5)) -> Argument:
    """An integer; the values `outside` of its range are invalid."""
    values = [example, *unusual, np.int64(example), np.uint8(example)]
    not_integer = [float(example), np.nan, np.inf, "1", None, True, 1j, [1], np.ones(2)]
    return one_of(values, invalid=[*not_integer, *outside])


def optional(argument: Argument) -> Argument:
    """The same argument, which may also be None."""
    return Argument(
        argument.example,
        lambda sizes: st.none() | argument.unusual(sizes),
        lambda sizes: [value for value in argument.invalid(sizes) if value is not None],
    )


def positive(argument: Argument, *more_invalid) -> Argument:
    """The same argument with a positive example; more_invalid are functions of n."""
    return Argument(
        lambda sizes: np.abs(argument.example(sizes)) + 0.25,
        lambda sizes: argument.unusual(sizes) | argument.unusual(sizes).map(np.abs),
        lambda sizes: argument.invalid(sizes) + [make(sizes["n"]) for make in more_invalid],
    )


# The arguments by name

POSITIVE = number(0.5, outside=(0, -1.0))
NUMBERS = array("n", tied="n")
NO_WEIGHTS = [np.zeros, lambda n: np.eye(n)[0] - 0.5]  # functions of n
SIGNS, LABELS = labels(text=False), labels(text=True)
NEW_MATRIX = array("nd", tied="d", d=2)  # for methods: as wide as RULE.w
PROBABILITIES = Argument(
    lambda sizes: np.array([0.25, 0.5]),
    lambda sizes: arrays_of((3,), [lambda rng, shape: rng.uniform(1e-9, 1, size=shape)]),
    lambda sizes: [*invalid_arrays([0.25, 0.5]), 0, 1, [0.5, 1.5]],
)
BITS_OR_SIGNS = Argument(  # labels in {0, 1} or {-1, +1}
    SIGNS.example,
    lambda sizes: arrays_of(
        (sizes["n"],), [*SIGN_RECIPES, lambda rng, n: np.arange(*n) % 2]
    ),
    lambda sizes: [*NUMBERS.invalid(sizes), 2 * SIGNS.example(sizes)],
)
ANY_SHAPE = Argument(
    lambda sizes: np.array([[0.25, -1.5], [3.0, 0.0]]),
    lambda sizes: arrays_of((), RECIPES[:6]) | arrays_of((2, 0, 3), RECIPES[:2]),
    lambda sizes: invalid_arrays([0.25, -1.5]),
)


def _splits(sizes, skip=0):
    """Two folds; the first `skip` training examples of each are in neither set."""
    if sizes["n"] <= 2 * skip + 1:
        return []
    splits = k_folds(np.ones(sizes["n"]), folds=2, rng=skip)
    return [(train[skip:], test) for train, test in splits]


SPLITS = Argument(
    _splits,
    lambda sizes: st.sampled_from([_splits(sizes), _splits(sizes, skip=2)]),
    lambda sizes: [
        *[None, 3, "splits", [], [1, 2], [(0, 1)] * 2, np.ones(3), [([0], [1])]],
        *[[([0], [part])] * 2 for part in (sizes["n"], -1, 0, 1.0, "1", None, True)],
    ],
)

# Fits and rules whose methods are tested
X, Y, TARGETS = np.array([[1, 5], [2, 1], [3, 2], [4, 1.0]]), [-1, 1, 1, -1], [1, 2, 3, 5]
RULE = LinearRule(np.array([1.0, -2.0]), 0.25)
STUMP = boosting.Stump(1, 0.5, -1.0, 0.25)
BOOSTED = boosting.adaboost(X, Y, rounds=3)
LOGISTIC = logistic(X, Y, lambda_=0.1)
SOFTMAX = softmax_regression(X, [*"abca"], lambda_=0.1)
LDA = lda(X + np.eye(4, 2), Y)
PATH = lasso_path(X, TARGETS, lambda_min=0.25)
ONE_VS_REST, ONE_VS_ONE = (
    reduce(lambda X, y: least_squares(X, y, bias=False), X, [*"abcc"])
    for reduce in (multiclass.one_vs_rest, multiclass.one_vs_one)
)
METHODS = [RULE.decision_function, RULE.predict, STUMP.predict, LOGISTIC.probability]
METHODS += [BOOSTED.decision_function, BOOSTED.predict, BOOSTED.staged_scores]
METHODS += [BOOSTED.staged_margins, LDA.probability, PATH.at]
METHODS += [ONE_VS_REST.scores, ONE_VS_REST.claims, ONE_VS_REST.predict]
METHODS += [ONE_VS_ONE.votes, ONE_VS_ONE.scores, ONE_VS_ONE.predict]
METHODS += [SOFTMAX.decision_function, SOFTMAX.probability, SOFTMAX.predict]
LOSSES = [value for value in vars(losses).values() if isinstance(value, losses.Loss)]
WITH_SLOPE = [loss for loss in LOSSES if len(loss.derivatives) > 1]
WITH_CURVATURE = [loss for loss in LOSSES if len(loss.derivatives) > 2]


# Functions as arguments


class FirstLabel:
    """A rule that predicts the first label of the training set."""

    def __init__(self, X, y):
        self.label = y[0]
        X[...], y[...] = X[0], y[0]  # on copies: the caller's data stay unchanged

    def predict(self, X):
        return np.full(len(X), self.label)


class Regression:
    """Least squares; its predictions are the scores."""

    def __init__(self, X, y):
        self.predict = least_squares(X, y).decision_function


def mean_square(y, predicted):
    return np.mean((y - predicted) ** 2)


def mean_gradient(w, i):
    """Return the mean gradient of |w - i|**2 / 2 over the examples i, for `sgd`."""
    i = np.asarray(i, float)
    return w - (i.mean(axis=-1) if i.ndim == w.ndim else i)[..., None]


NO_FIT = (None, 3, "fit", lambda X, y: None)
INVALID_ERRORS = (None, 3, "error", lambda *_: np.nan)
STEP_SIZES = one_of(
    [0.5, 2, np.array([0.5, 0.25])],
    invalid=(None, 0, -1.0, "1", [], np.nan, [[0.1]], [0.1, -1]),
)
SCHEDULES = one_of(
    [optim.constant(0.5), lambda t: 1 / t, optim.power(0.9, 0.5)],
    invalid=(None, 0.5, lambda t: 0.0, optim.constant([0.1] * 8)),
)

ARGUMENTS = {
    "X": array("nd", squared=True),
    "A": array("nd"),
    "y": SIGNS,
    "labels predicted": LABELS,
    "w start": array("d", tied="d"),
    "w0": array("d"),
    "centers directions like queries": array("pd", tied="d"),
    "offsets": array("p", tied="p"),
    "lambdas": positive(array("p"), lambda n: [1.0, -1.0]),
    "weights": positive(NUMBERS, *NO_WEIGHTS),
    "sample_weight": positive(NUMBERS, *NO_WEIGHTS, lambda n: np.full(n, 5e-324)),
    "score z": ANY_SHAPE,
    "b": number(0.5),
    "C constant eta margin period radius width": POSITIVE,
    "lambda_ lambda_min": number(0.5, outside=(-1.0,), unusual=(0, 1e-6, 1e6)),
    "epsilon test_fraction": number(0.5, outside=(0, 1, 1.1), unusual=(1e-9, 0.999)),
    "fraction": number(0.5, outside=(-1.0, 1.0), unusual=(0, 0.9)),
    "separation": number(0.5, outside=(-1.0, 1e4)),
    "start_norm": number(2.0, outside=(-1.0,)),
    "start_score": number(-1.0, outside=(2.1, -2.1)),
    "p": number(0.5, outside=(-1, 11), unusual=(0, 10)),
    "tol": number(1e-6, outside=(-1.0,), unusual=(0, 1e-150, 1.0)),
    "epochs max_epochs max_steps max_updates n repeats rounds runs steps": integer(
        9, outside=(0, -1, 10**30)
    ),
    "d degree levels order": integer(2, outside=(0, -1, 10**20), unusual=(1, 3)),
    "n_features": integer(1, outside=(-1, 3), unusual=(0, 1, 4)),
    "batch k": integer(1, outside=(0, 99)),
    "folds": integer(2, outside=(1, 0, 10**20), unusual=(2, 3)),
    "bins": integer(3, outside=(1, 0, -1, 10**20), unusual=(2, 9)),
    "average bias keep_weights stratified": one_of(
        [True, False, np.True_], invalid=(None, 1, "True", np.array([True, False]))
    ),
    "rng": one_of([0, 7, 2**70, np.int64(3)], invalid=(None, -1, "0", 0.5, True, [1])),
    "splits": SPLITS,
    "alpha": STEP_SIZES,
    "f": one_of([lambda w: w @ w / 2], invalid=(None, 3, lambda w: np.nan, lambda w: w)),
    "gradient": one_of([lambda w: +w], invalid=(3, lambda w: np.nan * w, lambda w: 1.0)),
    "hessian": one_of([lambda w: np.eye(len(w))], invalid=(None, 3, lambda w: w)),
    "loss": one_of(WITH_SLOPE, invalid=(None, "hinge", losses.zero_one)),
    "form": one_of([*scalings.FORMS], invalid=(None, "svc", 0)),
    "features": one_of(
        [("petal length (cm)",), ["sepal width (cm)", "petal width (cm)"]],
        invalid=("petal length (cm)", ["petal"], [], 3, ["sepal width (cm)"] * 2),
    ),
    "fit": one_of([Regression, None], invalid=(3, "fit")),
    "error": one_of([mean_square], invalid=INVALID_ERRORS),
}
OVERRIDES = {  # "modules or functions, then the argument"
    "boosting.adaboost start": one_of(["uniform", "balanced"], invalid=(None, 0)),
    "data.bundled.digits negative": integer(0, outside=(10,)),
    "data.bundled.digits positive": integer(8, outside=(0,)),
    "data.bundled.iris negative": one_of(["setosa", "virginica"], invalid=(None, "rose")),
    "data.bundled.iris positive": one_of(["versicolor"], invalid=("setosa", 0)),
    "data.synthetic n": integer(6, outside=(1, 0, -1, 10**20), unusual=(2, 3, 9)),
    "data.synthetic.separable margin": number(0.5, outside=(0, -1.0, 1e4)),
    "features geometry.signed_distance geometry.project geometry.augment X": array("nd"),
    "features.rbf X": array("nd", squared=True),
    "geometry.closest_point_to_origin w": array("d"),
    "lasso least_squares selection y": array("n", tied="n", squared=True),
    "lasso.LassoPath.at lambda_": number(1.0, outside=(-1.0, 0.2), unusual=(0.25, 1e6)),
    "logistic.logistic y": BITS_OR_SIGNS,
    "logistic.logit p": PROBABILITIES,
    "losses.Loss.value self": one_of(LOSSES),
    "losses.Loss.slope self": one_of(WITH_SLOPE),
    "losses.Loss.curvature self": one_of(WITH_CURVATURE),
    "metrics validation y": labels(text=True, tied=False),
    "multiclass fit": one_of([lambda X, y: LinearRule(y @ X, 0.0)], invalid=NO_FIT),
    "multiclass.one_vs_rest form": one_of(["K", "K-1"], invalid=(None, "k")),
    "optim.constant optim.power eta": STEP_SIZES,
    "optim.sgd gradient": one_of(
        [lambda w, i: w - 1, mean_gradient], invalid=(None, 3, lambda w, i: 1.0)
    ),
    "optim.sgd steps": SCHEDULES,
    "scalings svm lambda_": number(0.5, outside=(0, -1.0, 1e-160)),
    "selection tol": number(0.01, outside=(-1.0, 1.0), unusual=(0.0, 0.5)),
    "selection.mutual_information y": LABELS,
    "selection.recursive_elimination n_features": integer(
        1, outside=(0, -1, 3), unusual=(1, 2)
    ),
    "selection.recursive_elimination fit": one_of([least_squares], invalid=NO_FIT),
    "selection.univariate score": one_of(
        ["correlation", "signal_to_noise"], invalid=(None, 3, "x")
    ),
    "solvers.stumps.Stump.predict validation X": array("nd"),
    "validation.cross_validate y": LABELS,
    "validation.cross_validate error": one_of(
        [zero_one_error, lambda y, predicted: 1 + len(y)], invalid=INVALID_ERRORS
    ),
    "validation.cross_validate fit": one_of([FirstLabel], invalid=NO_FIT),
}


def name_of(function) -> str:
    return f"{function.__module__.removeprefix('mlcore.')}.{function.__qualname__}"


def public_functions():
    """Yield the public functions and methods of all modules that are not excluded."""
    excluded = tuple(f"mlcore.{name}." for name in " ".join(EXCLUDED.values()).split())
    for _, module, _ in pkgutil.walk_packages(mlcore.__path__, "mlcore."):
        if f"{module}.".startswith(excluded):
            continue
        for name, value in vars(importlib.import_module(module)).items():
            if name.startswith("_") or getattr(value, "__module__", "") != module:
                continue
            members = vars(value).items() if inspect.isclass(value) else [(name, value)]
            yield from (f for k, f in members if inspect.isfunction(f) and k[0] != "_")


def arguments_of(function) -> dict[str, Argument]:
    """Return the arguments of a function; a KeyError names a missing entry."""
    arguments = {name: a for names, a in ARGUMENTS.items() for name in names.split()}
    arguments |= {"X": NEW_MATRIX} if inspect.ismethod(function) else {}
    for scope in function.__module__.removeprefix("mlcore."), name_of(function):
        keys = [key for key in OVERRIDES if scope in key.split()[:-1]]
        arguments |= {key.split()[-1]: OVERRIDES[key] for key in keys}
    return {
        name: optional(arguments[name]) if parameter.default is None else arguments[name]
        for name, parameter in inspect.signature(function).parameters.items()
    }


TESTED_AS_METHODS = {method.__func__ for method in METHODS}
FUNCTIONS = METHODS + [f for f in public_functions() if f not in TESTED_AS_METHODS]
TABLE = [(function, arguments_of(function)) for function in FUNCTIONS]
