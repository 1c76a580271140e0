"""How to call every public function: the kinds of its arguments, for the safety sweep.

A new function adds one line to TABLE.  A kind says which values must be refused.
"""

from functools import partial

import numpy as np
from kinds import (
    ANY_SHAPE,
    FLAG,
    FREE_LABELS,
    FREE_SIGNS,
    LABELS,
    MATRIX,
    SEED,
    SIGNS,
    SPLITS,
    Kind,
    array,
    arrays_of,
    integer,
    number,
    often_counted,
    one_of,
    optional,
)

from mlcore import (
    checks,
    data,
    features,
    geometry,
    linear,
    losses,
    metrics,
    options,
    separation,
)
from mlcore import validation as cv
from mlcore.perceptron import mistake_bound, perceptron, perceptron_trace

# Numbers
POSITIVE = number(1.5, outside=(0, -1.0))
SHARE = number(0.5, outside=(0, 1, 1.1), nasty=(1e-9, 0.999))
GAP = number(0.5, outside=(-1.0, 1e4))
SMALL = integer(2, outside=(0, -1, 10**20), nasty=(1, 3))
COUNT = integer(9)
SIZE = integer(6, outside=(1, 0, -1, 10**20), nasty=(2, 3, 9))
FOLDS = integer(2, outside=(1, 0, 10**20), nasty=(2, 3))

# Arrays
OFTEN = often_counted(array("n", tied="n"))  # the weights of examples
MASKED = np.ma.array([1.0, 2.0], mask=[False, True])
NORMAL, OFFSETS = array("d"), array("p", tied="p")
CENTERS = array("pd", tied="d")
NEW = array("nd", tied="d", d=2)  # as many features as RULE has
EIGHTHS = Kind(  # where wavelets jump
    MATRIX.example,
    lambda sizes: (
        MATRIX.nasty(sizes)
        | arrays_of(
            (sizes["n"], sizes["d"]), [lambda rng, shape: rng.integers(-1, 10, shape) / 8]
        )
    ),
    MATRIX.bad,
)
RULE = linear.LinearRule(np.array([1.0, -2.0]), 0.25)
DATA, PLANE = {"X": MATRIX, "y": SIGNS}, {"w": array("d", tied="d"), "b": number(0.5)}
RNG = optional(SEED)
START = {"bias": FLAG, "start": optional(PLANE["w"])}
CLOUD = {"n": SIZE, "d": SMALL, "rng": SEED}

# Losses
LOSSES = [value for value in vars(losses).values() if isinstance(value, losses.Loss)]
SLOPED = [loss for loss in LOSSES if len(loss.derivatives) > 1]
CURVED = [loss for loss in LOSSES if len(loss.derivatives) > 2]


class First:
    """A rule that predicts the first label that it has seen."""

    def __init__(self, X, y):
        self.label = y[0]

    def predict(self, X):
        return np.full(len(X), self.label)


class Last(First):
    """Or the last."""

    def __init__(self, X, y):
        self.label = y[-1]


# Functions as arguments
FIT = one_of(First, bad=(None, 3, "fit"))
FITS = one_of({"first": First, "last": Last}, bad=(None, {}, [First], {"a": 3}, "fits"))
ERROR = one_of(metrics.zero_one_error, bad=(None, 3, "error", lambda *_: np.nan))
JUDGED = {"X": MATRIX, "y": LABELS, "error": ERROR}

# Names
NEGATIVE = one_of("setosa", "virginica", bad=(None, "rose", 0, ["setosa"]))
SPECIES = {"negative": NEGATIVE, "positive": one_of("versicolor", bad=("setosa", 0))}
COLUMNS = one_of(
    ("petal width (cm)", "sepal width (cm)"),
    ["sepal width (cm)"],
    bad=("petal width (cm)", (), 3, ("petal",), ["sepal width (cm)"] * 2),
)
DIGITS = {"negative": integer(0, outside=(10,)), "positive": integer(8, outside=(0,))}

TABLE = [
    (checks.check_data, DATA),
    (checks.check_two_classes, {**DATA, "bias": FLAG}),
    (partial(checks.check_matrix, "value"), {"value": MATRIX}),
    (partial(checks.check_vector, "value"), {"value": NORMAL}),
    (partial(checks.check_signs, "value"), {"value": FREE_SIGNS}),
    (partial(checks.check_array, "value"), {"value": ANY_SHAPE}),
    (partial(checks.check_labels, "value"), {"value": FREE_LABELS}),
    (partial(checks.check_weights, "value"), {"value": NORMAL}),
    (partial(checks.check_sample_weight, "value", length=6), {"value": OFTEN}),
    (partial(checks.check_unmasked, "value"), {"value": one_of(1.0, bad=[MASKED])}),
    (partial(options.check_number, "value"), {"value": number(0.5)}),
    (partial(options.check_integer, "value"), {"value": integer(2, outside=(-1,))}),
    (partial(options.check_flag, "value"), {"value": FLAG}),
    (partial(options.check_choice, "value", choices=["setosa"]), {"value": NEGATIVE}),
    (partial(options.check_rng, "value"), {"value": SEED}),
    (partial(options.check_splits, "value", n=6), {"value": SPLITS}),
    (linear.sgn, {"score": ANY_SHAPE}),
    (RULE.decision_function, {"X": NEW}),
    (RULE.predict, {"X": NEW}),
    (losses.Loss.value, {"self": one_of(*LOSSES), "z": ANY_SHAPE}),
    (losses.Loss.slope, {"self": one_of(*SLOPED), "z": ANY_SHAPE}),
    (losses.Loss.curvature, {"self": one_of(*CURVED), "z": ANY_SHAPE}),
    (geometry.signed_distance, {"X": MATRIX, **PLANE}),
    (geometry.project, {"X": MATRIX, **PLANE}),
    (geometry.foot_of_origin, {"w": NORMAL, "b": number(0.5)}),
    (geometry.augment, {"X": MATRIX, "constant": POSITIVE}),
    (geometry.functional_margin, DATA | PLANE),
    (geometry.geometric_margin, DATA | PLANE),
    (separation.max_margin, {**DATA, "bias": FLAG}),
    (separation.separating_halfspace, {**DATA, "bias": FLAG}),
    (separation.shatters, {"X": MATRIX}),
    (features.polynomial, {"X": MATRIX, "degree": SMALL}),
    (features.quadratic, {"X": MATRIX}),
    (features.rbf, {"X": MATRIX, "centers": CENTERS, "width": POSITIVE}),
    (features.rectified, {"X": MATRIX, "directions": CENTERS, "offsets": OFFSETS}),
    (features.fourier, {"X": MATRIX, "order": SMALL, "period": POSITIVE}),
    (features.haar, {"X": EIGHTHS, "levels": SMALL}),
    (features.standardize, {"X": MATRIX, "like": optional(CENTERS)}),
    (data.iris, {**SPECIES, "features": optional(COLUMNS)}),
    (data.breast_cancer, {}),
    (data.digits, DIGITS),
    (data.diabetes, {}),
    (data.separable, {**CLOUD, "margin": number(0.5, outside=(0, -1.0, 1e4))}),
    (data.overlapping, {**CLOUD, "separation": GAP}),
    (data.ring, {"n": SIZE, "rng": SEED}),
    (data.parity, CLOUD),
    (data.collinear, {"n": SIZE, "pairs": SMALL, "noise": GAP, "rng": SEED}),
    (
        data.microarray,
        {**CLOUD, "informative": integer(1, outside=(-1, 3), nasty=(0, 1)), "shift": GAP},
    ),
    (metrics.zero_one_error, {"y": FREE_LABELS, "predicted": LABELS}),
    (metrics.confusion, {"y": FREE_LABELS, "predicted": LABELS}),
    (cv.k_folds, {"y": FREE_LABELS, "folds": FOLDS, "stratified": FLAG, "rng": RNG}),
    (
        cv.monte_carlo,
        {"y": FREE_LABELS, "repeats": COUNT, "test_share": SHARE}
        | {"rng": SEED, "stratified": FLAG},
    ),
    (cv.cross_validate, {"fit": FIT, **JUDGED, "splits": SPLITS}),
    (
        cv.nested_cross_validate,
        {"fits": FITS, **JUDGED, "folds": FOLDS, "inner": FOLDS, "rng": RNG}
        | {"stratified": one_of(False, True, bad=(None, 0, "no"))},
    ),
    (perceptron, {**DATA, **START, "max_epochs": COUNT, "rng": RNG}),
    (perceptron_trace, {**DATA, **START, "eta": POSITIVE, "max_updates": COUNT}),
    (
        mistake_bound,
        {"radius": POSITIVE, "margin": POSITIVE}
        | {"start_norm": number(2.0, outside=(-1.0,)), "start_score": number(-1.0)},
    ),
]
