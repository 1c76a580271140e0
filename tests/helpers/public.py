"""How to call every public function: the kinds of its arguments, for the safety sweep.

A new function adds one line to TABLE.  A kind says which values must be refused.
"""

import numpy as np
from kinds import (
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

from mlcore import (
    boosting,
    data,
    features,
    generative,
    geometry,
    l1_svm,
    lasso,
    least_squares,
    linear,
    logistic,
    losses,
    metrics,
    multiclass,
    neighbors,
    optim,
    perceptron,
    scalings,
    selection,
    separation,
    svm,
)
from mlcore import validation as cv

# Numbers
POSITIVE = number(1.5, outside=(0, -1.0))
PRICE = number(0.5, outside=(0, -1.0))
FREE_PRICE = number(0.5, outside=(-1.0,), nasty=(0, 1e-6, 1e6))
SHARE = number(0.5, outside=(0, 1, 1.1), nasty=(1e-9, 0.999))
GAP = number(0.5, outside=(-1.0, 1e4))
TOL = number(1e-6, outside=(-1.0,), nasty=(0, 1e-150, 1.0))
SMALL = integer(2, outside=(0, -1, 10**20), nasty=(1, 3))
COUNT = integer(9)
SIZE = integer(6, outside=(1, 0, -1, 10**20), nasty=(2, 3, 9))
FEW = integer(1, outside=(-1, 3), nasty=(0, 1))
FOLDS = integer(2, outside=(1, 0, 10**20), nasty=(2, 3))
RNG = optional(SEED)

# Arrays
NORMAL, NUMBERS = array("d"), array("n", tied="n")
OFFSETS, CENTERS = array("p", tied="p"), array("pd", tied="d")
PRICES = positive(array("p"))
NEW = array("nd", tied="d", d=2)  # as many features as RULE has
OPEN = Kind(
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
DATA, PLANE = {"X": MATRIX, "y": SIGNS}, {"w": array("d", tied="d"), "b": number(0.5)}
RESPONSE, GROUPS = {"X": MATRIX, "y": NUMBERS}, {"X": MATRIX, "labels": LABELS}
START = {"bias": FLAG, "start": optional(PLANE["w"])}
WEIGHED = {"sample_weight": OFTEN}

# Results, and functions as arguments
RULE = linear.LinearRule(np.array([1.0, -2.0]), 0.25)
LINE, SIGNED = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 2.0], [4.0, 1.0]]), [-1, 1, 1, -1]
STUMP = boosting.Stump(1, 0.5, -1.0, 0.25)
BOOSTED = boosting.adaboost(LINE, SIGNED, rounds=3)
LIKELY = logistic.logistic(LINE, SIGNED, lambda_=0.1)
SOFT = logistic.softmax_regression(LINE, [1, 2, 3, 1], lambda_=0.1)
BAYES = generative.lda(LINE + np.eye(4, 2), SIGNED)
INDICATOR = least_squares.indicator_regression(LINE, [1, 2, 3, 1])
NUMBERED = [1.0, 2.0, 3.0, 5.0]
PATH = lasso.lasso_path(LINE, NUMBERED, until=0.25)
RESTS, DUELS, MACHINE = (
    reduce(lambda X, y: least_squares.least_squares(X, y, bias=False), LINE, [*"abcc"])
    for reduce in (multiclass.one_vs_rest, multiclass.one_vs_one, multiclass.linear_machine)
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
DOWN = {"f": BOWL, "gradient": SLOPE, "w0": NORMAL, "tol": TOL, "max_steps": COUNT}
GRADIENT = one_of(lambda w, i: w - 1, toward, bad=(None, 3, lambda w, i: 1.0))
SIZES_OF_STEPS = one_of(
    0.5, 2, np.array([0.5, 0.25]), bad=(None, 0, -1.0, "1", [], np.nan, [[0.1]], [0.1, -1])
)
STEPS = one_of(
    *(optim.constant(0.5), lambda t: 1 / t, optim.power(0.9, 0.5)),
    bad=(None, 0.5, lambda t: 0.0, optim.constant([0.1] * 9)),
)

# Names
FORM = one_of(*scalings.FORMS, bad=(None, "svc", 0))
SPECIES = one_of("setosa", "virginica", bad=(None, "rose", 0, ["setosa"]))
COLUMNS = one_of(
    ("petal length (cm)",),
    ["sepal width (cm)", "petal width (cm)"],
    bad=("petal length (cm)", ["petal"], [], 3, ["sepal width (cm)"] * 2),
)

FLOWER = one_of("versicolor", bad=("setosa", 0))
FORMS = one_of("K", "K-1", bad=(None, "k"))
STARTS = one_of("uniform", "balanced", bad=(None, 0))
SCORE = one_of("correlation", "signal_to_noise", bad=(None, 3, "x"))

# Sets of arguments
CLOUD = {"n": SIZE, "d": SMALL, "rng": SEED}
JUDGED = {"X": MATRIX, "y": LABELS, "error": ERROR}
SEARCH = {"splits": SPLITS, "tol": number(0.01, outside=(-1.0, 1.0), nasty=(0.0, 0.5))}
SEARCH |= {"fit": one_of(None, bad=(3, "fit")), "error": one_of(metrics.zero_one_error)}
SEARCH |= RESPONSE
KEPT = optional(FEW)
PROXIMAL = {"max_steps": COUNT, "tol": number(0.01, outside=(-1.0,), nasty=(0, 1))}
LIKELIHOOD = {"lambda_": FREE_PRICE, "tol": TOL, "max_steps": COUNT, **WEIGHED}
DEALT = {"y": FREE_LABELS, "stratified": FLAG}
BOUND = {"radius": POSITIVE, "margin": POSITIVE, "start_score": number(-1.0)}
BOUND |= {"start_norm": number(2.0, outside=(-1.0,))}
OPEN_ENDED = {"epochs": COUNT, "average": FLAG, "batch": integer(1, outside=(0, 99))}
RUNS = {"rng": RNG, "runs": optional(integer(2)), "n": COUNT, "w0": NORMAL}
SHED = {"count": integer(1, outside=(0, -1, 3), nasty=(1, 2))}
SHED |= {"fit": one_of(least_squares.least_squares, bad=(None, 3, "fit"))}
SHED |= {"share": number(0.5, outside=(-1.0, 1.0), nasty=(0, 0.9))}
BINS = optional(integer(3, outside=(1, 0, -1, 10**20), nasty=(2, 9)))
WEIGHTS = Kind(lambda sizes: np.arange(sizes["n"]) / 4, NUMBERS.nasty, NUMBERS.bad)
SLANTED = one_of(*SLOPED, bad=(None, "hinge", losses.zero_one))


def call(function, /, *sets, **kinds):
    for named in sets:
        kinds = named | kinds
    return function, kinds


TABLE = [
    call(linear.sgn, score=ANY_SHAPE),
    *[call(f, X=NEW) for f in (RULE.decision_function, RULE.predict)],
    call(losses.Loss.value, self=one_of(*LOSSES), z=ANY_SHAPE),
    call(losses.Loss.slope, self=one_of(*SLOPED), z=ANY_SHAPE),
    call(losses.Loss.curvature, self=one_of(*CURVED), z=ANY_SHAPE),
    call(geometry.signed_distance, PLANE, X=MATRIX),
    call(geometry.project, PLANE, X=MATRIX),
    call(geometry.foot_of_origin, w=NORMAL, b=number(0.5)),
    call(geometry.augment, X=MATRIX, constant=POSITIVE),
    call(geometry.functional_margin, DATA, PLANE),
    call(geometry.geometric_margin, DATA, PLANE),
    call(separation.max_margin, DATA, bias=FLAG),
    call(separation.separating_halfspace, DATA, bias=FLAG),
    call(separation.shatters, X=MATRIX),
    call(features.polynomial, X=MATRIX, degree=SMALL),
    call(features.quadratic, X=MATRIX),
    call(features.rbf, X=MATRIX, centers=CENTERS, width=POSITIVE),
    call(features.rectified, X=MATRIX, directions=CENTERS, offsets=OFFSETS),
    call(features.fourier, X=MATRIX, order=SMALL, period=POSITIVE),
    call(features.haar, X=MATRIX, levels=SMALL),
    call(features.standardize, X=MATRIX, like=optional(CENTERS)),
    call(data.iris, negative=SPECIES, positive=FLOWER, features=optional(COLUMNS)),
    call(data.breast_cancer),
    call(
        data.digits, negative=integer(0, outside=(10,)), positive=integer(8, outside=(0,))
    ),
    call(data.diabetes),
    call(data.separable, CLOUD, margin=number(0.5, outside=(0, -1.0, 1e4))),
    call(data.overlapping, CLOUD, separation=GAP),
    call(data.ring, n=SIZE, rng=SEED),
    call(data.parity, CLOUD),
    call(metrics.zero_one_error, y=FREE_LABELS, predicted=LABELS),
    call(metrics.confusion, y=FREE_LABELS, predicted=LABELS),
    call(cv.k_folds, DEALT, folds=FOLDS, rng=RNG),
    call(cv.monte_carlo, DEALT, repeats=COUNT, test_share=SHARE, rng=SEED),
    call(cv.cross_validate, JUDGED, fit=FIT, splits=SPLITS),
    call(perceptron.perceptron, DATA, START, max_epochs=COUNT, rng=RNG),
    call(perceptron.perceptron_trace, DATA, START, eta=POSITIVE, max_updates=COUNT),
    call(perceptron.mistake_bound, BOUND),
    call(boosting.best_stump, DATA, weights=WEIGHTS),
    call(boosting.vote_weight, epsilon=SHARE),
    call(boosting.adaboost, DATA, rounds=COUNT, start=STARTS, keep_weights=FLAG),
    call(STUMP.predict, X=MATRIX),
    call(BOOSTED.decision_function, X=NEW),
    call(BOOSTED.predict, X=NEW),
    call(BOOSTED.staged_scores, X=NEW),
    call(BOOSTED.staged_margins, X=NEW, y=SIGNS),
    call(svm.objective, DATA, PLANE, lambda_=PRICE),
    call(svm.subgradient_descent, DATA, lambda_=PRICE, steps=COUNT, bias=FLAG),
    call(svm.pegasos, DATA, OPEN_ENDED, lambda_=PRICE, rng=SEED, bias=FLAG),
    call(svm.soft_margin, DATA, WEIGHED, lambda_=PRICE, bias=FLAG),
    call(svm.hard_margin, DATA, bias=FLAG),
    call(scalings.constant_of, form=FORM, lambda_=PRICE, n=COUNT),
    call(scalings.lambda_of, form=FORM, constant=PRICE, n=COUNT),
    call(multiclass.one_vs_rest, GROUPS, fit=SUM, form=FORMS),
    call(multiclass.one_vs_one, GROUPS, fit=SUM),
    call(multiclass.linear_machine, GROUPS, fit=SUM),
    *[call(f, X=NEW) for f in (RESTS.scores, RESTS.claims, RESTS.predict)],
    *[call(f, X=NEW) for f in (DUELS.votes, DUELS.scores, DUELS.predict)],
    *[call(f, X=NEW) for f in (MACHINE.decision_function, MACHINE.predict)],
    call(neighbors.knn, GROUPS, queries=CENTERS, k=integer(1, outside=(0, 99))),
    call(optim.gradient_descent, DOWN, eta=POSITIVE),
    call(optim.newton, DOWN, hessian=BEND),
    call(optim.constant, eta=SIZES_OF_STEPS),
    call(optim.inverse_t, alpha=SIZES_OF_STEPS),
    call(optim.power, eta=SIZES_OF_STEPS, p=number(0.5, outside=(-1, 11), nasty=(0, 10))),
    call(optim.loss_gradient, DATA, loss=SLANTED, lambda_=FREE_PRICE),
    call(optim.sgd, RUNS, OPEN_ENDED, gradient=GRADIENT, steps=STEPS),
    call(logistic.sigmoid, z=ANY_SHAPE),
    call(logistic.logit, p=OPEN),
    call(logistic.logistic, LIKELIHOOD, X=MATRIX, y=CODED, bias=FLAG),
    call(logistic.softmax_regression, LIKELIHOOD, GROUPS),
    call(LIKELY.probability, X=NEW),
    *[call(f, X=NEW) for f in (SOFT.decision_function, SOFT.probability, SOFT.predict)],
    call(generative.lda, DATA),
    call(BAYES.probability, X=NEW),
    call(least_squares.least_squares, RESPONSE, WEIGHED, bias=FLAG),
    call(least_squares.ridge, RESPONSE, WEIGHED, bias=FLAG, lambda_=FREE_PRICE),
    call(least_squares.pseudo_inverse, A=MATRIX),
    call(least_squares.indicator_regression, GROUPS),
    *[call(f, X=NEW) for f in (INDICATOR.decision_function, INDICATOR.predict)],
    call(selection.forward, SEARCH, count=KEPT),
    call(selection.backward, SEARCH, count=KEPT),
    call(selection.exhaustive, SEARCH),
    call(selection.univariate, RESPONSE, score=SCORE),
    call(selection.recursive_elimination, RESPONSE, SHED),
    call(selection.mutual_information, X=MATRIX, y=LABELS, bins=BINS),
    call(lasso.ista, RESPONSE, PROXIMAL, lambda_=FREE_PRICE),
    call(lasso.fista, RESPONSE, PROXIMAL, lambda_=FREE_PRICE),
    call(lasso.lasso, RESPONSE, lambda_=FREE_PRICE),
    call(lasso.lasso_path, RESPONSE, until=FREE_PRICE),
    call(PATH.at, lambda_=number(1.0, outside=(-1.0, 0.2), nasty=(0.25, 1e6))),
    call(lasso.lasso_cv, RESPONSE, splits=SPLITS, lambdas=optional(PRICES)),
    call(l1_svm.l1_svm, DATA, C=POSITIVE),
]
