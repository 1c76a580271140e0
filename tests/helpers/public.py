"""How to call every public function: the kinds of its arguments, for the safety sweep.

Arguments of one name have one kind, but for what OTHERS says of a module or a function; one
that is None by default may be None.  A kind says which values must be refused.
"""

import importlib
import inspect
import pkgutil

import numpy as np

import mlcore
from mlcore import (
    boosting,
    generative,
    lasso,
    least_squares,
    linear,
    logistic,
    losses,
    metrics,
    multiclass,
    optim,
    scalings,
)
from tests.helpers.kinds import (
    ANY_SHAPE,
    FLAG,
    FREE_LABELS,
    LABELS,
    MATRIX,
    OFTEN,
    SEED,
    SIGN_RECIPES,
    SIGNS,
    SPLITS,
    Kind,
    array,
    arrays_of,
    integer,
    number,
    one_of,
    optional,
    positive,
    spoiled,
)

NOT_SWEPT = {
    "the doors of scikit-learn and of notebooks": "estimators book",
    "reads files, which its own tests damage": "data.leukemia data.csv_file",
    "helpers, which their callers have checked": "arrays checks",
    "takes arrays of Dask": "out_of_core",
    "takes what the shelf, which may show it, has checked": "solvers",
}

# Numbers
POSITIVE = number(0.5, outside=(0, -1.0))
PRICE = number(0.5, outside=(-1.0,), nasty=(0, 1e-6, 1e6))
SHARE = number(0.5, outside=(0, 1, 1.1), nasty=(1e-9, 0.999))
COUNT = integer(9)
SMALL = integer(2, outside=(0, -1, 10**20), nasty=(1, 3))
SIZE = integer(6, outside=(1, 0, -1, 10**20), nasty=(2, 3, 9))

# Arrays
NUMBERS, NORMAL = array("n", tied="n"), array("d", tied="d")
CENTERS = array("pd", tied="d")
NEW = array("nd", tied="d", d=2)  # as many features as RULE has
PROBABILITIES = Kind(
    lambda sizes: np.array([0.25, 0.5]),
    lambda sizes: arrays_of((3,), [lambda rng, shape: rng.uniform(1e-9, 1, size=shape)]),
    lambda sizes: [*spoiled([0.25, 0.5]), 0, 1, [0.5, 1.5]],
)
# two codings: all 0, or 0 and 1, is as good as -1 and +1
CODED = Kind(
    SIGNS.example,
    lambda sizes: arrays_of(
        (sizes["n"],), [*SIGN_RECIPES, lambda rng, n: np.arange(*n) % 2]
    ),
    lambda sizes: [
        bad
        for bad in SIGNS.bad(sizes)
        if not (isinstance(bad, np.ndarray) and np.isin(bad, [0, 1]).all())
    ],
)
WEIGHTS = Kind(lambda sizes: np.arange(sizes["n"]) / 4, NUMBERS.nasty, NUMBERS.bad)

# Results, and functions as arguments
RULE = linear.LinearRule(np.array([1.0, -2.0]), 0.25)
LINE, SIGNED = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 2.0], [4.0, 1.0]]), [-1, 1, 1, -1]
STUMP = boosting.Stump(1, 0.5, -1.0, 0.25)
BOOSTED = boosting.adaboost(LINE, SIGNED, rounds=3)
LIKELY = logistic.logistic(LINE, SIGNED, lambda_=0.1)
SOFT = logistic.softmax_regression(LINE, [*"abca"], lambda_=0.1)
BAYES = generative.lda(LINE + np.eye(4, 2), SIGNED)
NUMBERED = [1.0, 2.0, 3.0, 5.0]
PATH = lasso.lasso_path(LINE, NUMBERED, lambda_min=0.25)
RESTS, DUELS = (
    reduce(lambda X, y: least_squares.least_squares(X, y, bias=False), LINE, [*"abcc"])
    for reduce in (multiclass.one_vs_rest, multiclass.one_vs_one)
)
LOSSES = [value for value in vars(losses).values() if isinstance(value, losses.Loss)]
SLOPED = [loss for loss in LOSSES if len(loss.derivatives) > 1]
CURVED = [loss for loss in LOSSES if len(loss.derivatives) > 2]


class First:
    """A rule that predicts the first label that it has seen."""

    def __init__(self, X, y):
        self.label = y[0]

    def predict(self, X):
        return np.full(len(X), self.label)


def toward(w, i):
    """The mean gradient of |w - i|**2 / 2 over the examples i, as `sgd` asks for it."""
    i = np.asarray(i, float)
    return w - (i.mean(axis=-1) if i.ndim == w.ndim else i)[..., None]


SUM = one_of(lambda X, y: linear.LinearRule(y @ X, 0.0), bad=(None, 3, "fit"))
FIT = one_of(First, bad=(None, 3, "fit"))
ERROR = one_of(metrics.zero_one_error, bad=(None, 3, "error", lambda *_: np.nan))
BOWL = one_of(lambda w: w @ w / 2, bad=(None, 3, lambda w: np.nan, lambda w: w))
SLOPE = one_of(lambda w: +w, bad=(None, 3, lambda w: np.nan * w, lambda w: 1.0))
BEND = one_of(lambda w: np.eye(len(w)), bad=(None, 3, lambda w: w, lambda w: np.eye(9)))
GRADIENT = one_of(lambda w, i: w - 1, toward, bad=(None, 3, lambda w, i: 1.0))
SIZES_OF_STEPS = one_of(
    0.5, 2, np.array([0.5, 0.25]), bad=(None, 0, -1.0, "1", [], np.nan, [[0.1]], [0.1, -1])
)
STEPS = one_of(
    *(optim.constant(0.5), lambda t: 1 / t, optim.power(0.9, 0.5)),
    bad=(None, 0.5, lambda t: 0.0, optim.constant([0.1] * 8)),
)
COLUMNS = one_of(
    ("petal length (cm)",),
    ["sepal width (cm)", "petal width (cm)"],
    bad=("petal length (cm)", ["petal"], [], 3, ["sepal width (cm)"] * 2),
)

METHODS = [
    *(RULE.decision_function, RULE.predict, STUMP.predict, LIKELY.probability),
    *(BOOSTED.decision_function, BOOSTED.predict, BOOSTED.staged_scores),
    *(BOOSTED.staged_margins, BAYES.probability, PATH.at),
    *(RESTS.scores, RESTS.claims, RESTS.predict, DUELS.votes, DUELS.scores, DUELS.predict),
    *(SOFT.decision_function, SOFT.probability, SOFT.predict),
]

BY_NAME = [
    (MATRIX, "X A"),
    (SIGNS, "y"),
    (LABELS, "labels predicted"),
    (NORMAL, "w start"),
    (array("d"), "w0"),
    (CENTERS, "centers directions like queries"),
    (array("p", tied="p"), "offsets"),
    (positive(array("p")), "lambdas"),
    (OFTEN, "sample_weight"),
    (WEIGHTS, "weights"),
    (ANY_SHAPE, "score z"),
    (number(0.5), "b"),
    (POSITIVE, "C constant eta margin period radius width"),
    (PRICE, "lambda_ lambda_min"),
    (SHARE, "epsilon test_fraction"),
    (number(0.5, outside=(-1.0, 1.0), nasty=(0, 0.9)), "fraction"),
    (number(0.5, outside=(-1.0, 1e4)), "separation"),
    (number(2.0, outside=(-1.0,)), "start_norm"),
    (number(-1.0), "start_score"),
    (number(0.5, outside=(-1, 11), nasty=(0, 10)), "p"),
    (number(1e-6, outside=(-1.0,), nasty=(0, 1e-150, 1.0)), "tol"),
    (COUNT, "epochs max_epochs max_steps max_updates n repeats rounds runs steps"),
    (SMALL, "d degree levels order"),
    (integer(1, outside=(-1, 3), nasty=(0, 1)), "n_features"),
    (integer(1, outside=(0, 99)), "batch k"),
    (integer(2, outside=(1, 0, 10**20), nasty=(2, 3)), "folds"),
    (integer(3, outside=(1, 0, -1, 10**20), nasty=(2, 9)), "bins"),
    (FLAG, "average bias keep_weights stratified"),
    (SEED, "rng"),
    (SPLITS, "splits"),
    (SIZES_OF_STEPS, "alpha"),
    (BOWL, "f"),
    (SLOPE, "gradient"),
    (BEND, "hessian"),
    (one_of(*SLOPED, bad=(None, "hinge", losses.zero_one)), "loss"),
    (one_of(*scalings.FORMS, bad=(None, "svc", 0)), "form"),
    (COLUMNS, "features"),
    (one_of(None, bad=(3, "fit")), "fit"),
    (one_of(metrics.zero_one_error), "error"),
]
OTHERS = {
    "boosting.adaboost": {"start": one_of("uniform", "balanced", bad=(None, 0))},
    "data.bundled.digits": {
        "negative": integer(0, outside=(10,)),
        "positive": integer(8, outside=(0,)),
    },
    "data.bundled.iris": {
        "negative": one_of("setosa", "virginica", bad=(None, "rose", 0, ["setosa"])),
        "positive": one_of("versicolor", bad=("setosa", 0)),
    },
    "data.synthetic": {"n": SIZE},
    "data.synthetic.separable": {"margin": number(0.5, outside=(0, -1.0, 1e4))},
    "geometry.closest_point_to_origin": {"w": array("d")},
    "lasso": {"y": NUMBERS},
    "lasso.LassoPath.at": {
        "lambda_": number(1.0, outside=(-1.0, 0.2), nasty=(0.25, 1e6)),
    },
    "least_squares": {"y": NUMBERS},
    "logistic.logistic": {"y": CODED},
    "logistic.logit": {"p": PROBABILITIES},
    "losses.Loss.value": {"self": one_of(*LOSSES)},
    "losses.Loss.slope": {"self": one_of(*SLOPED)},
    "losses.Loss.curvature": {"self": one_of(*CURVED)},
    "metrics": {"y": FREE_LABELS},
    "multiclass": {"fit": SUM},
    "multiclass.one_vs_rest": {"form": one_of("K", "K-1", bad=(None, "k"))},
    "optim.constant": {"eta": SIZES_OF_STEPS},
    "optim.power": {"eta": SIZES_OF_STEPS},
    "optim.sgd": {"gradient": GRADIENT, "steps": STEPS},
    "scalings": {"lambda_": POSITIVE},
    "selection": {
        "y": NUMBERS,
        "tol": number(0.01, outside=(-1.0, 1.0), nasty=(0.0, 0.5)),
    },
    "selection.mutual_information": {"y": LABELS},
    "selection.recursive_elimination": {
        "n_features": integer(1, outside=(0, -1, 3), nasty=(1, 2)),
        "fit": one_of(least_squares.least_squares, bad=(None, 3, "fit")),
    },
    "selection.univariate": {
        "score": one_of("correlation", "signal_to_noise", bad=(None, 3, "x")),
    },
    "solvers.stumps.Stump.predict": {"X": MATRIX},
    "svm": {"lambda_": POSITIVE},
    "validation": {"y": FREE_LABELS},
    "validation.cross_validate": {"y": LABELS, "error": ERROR, "fit": FIT},
}


def name_of(function) -> str:
    return f"{function.__module__.removeprefix('mlcore.')}.{function.__qualname__}"


def public_functions():
    """Functions and methods without underscore, in the modules that are swept."""
    left_out = tuple(f"mlcore.{name}." for name in " ".join(NOT_SWEPT.values()).split())
    for _, room, _ in pkgutil.walk_packages(mlcore.__path__, "mlcore."):
        names = (
            {} if f"{room}.".startswith(left_out) else vars(importlib.import_module(room))
        )
        for name, value in names.items():
            if name.startswith("_") or getattr(value, "__module__", "") != room:
                continue
            methods = vars(value).items() if inspect.isclass(value) else [(name, value)]
            yield from (f for k, f in methods if inspect.isfunction(f) and k[0] != "_")


def kinds_of(function) -> dict[str, Kind]:
    """The kinds of its arguments; a KeyError names one that has a name of its own."""
    kinds = {name: kind for kind, names in BY_NAME for name in names.split()}
    kinds |= {"X": NEW} if inspect.ismethod(function) else {}
    module, own = function.__module__.removeprefix("mlcore."), name_of(function)
    kinds |= OTHERS.get(module, {}) | OTHERS.get(own, {})
    parameters = inspect.signature(function).parameters
    return {
        name: optional(kinds[name]) if told.default is None else kinds[name]
        for name, told in parameters.items()
    }


BOUND = {method.__func__ for method in METHODS}
FUNCTIONS = METHODS + [function for function in public_functions() if function not in BOUND]
TABLE = [(function, kinds_of(function)) for function in FUNCTIONS]
