"""How to call the public functions of the families of algorithms; see public.py."""

from dataclasses import replace

import numpy as np
from kinds import (
    ANY_SHAPE,
    FLAG,
    LABELS,
    MATRIX,
    SEED,
    SIGNS,
    Kind,
    array,
    arrays_of,
    integer,
    number,
    one_of,
    optional,
    spoiled,
)
from public import CENTERS, COUNT, DATA, NEW, OFTEN, PLANE, POSITIVE, RNG, SHARE, SLOPED

from mlcore import boosting, linear, losses, multiclass, neighbors, scalings, svm
from mlcore.generative import lda
from mlcore.least_squares import least_squares
from mlcore.logistic import logistic, logit, sigmoid, softmax_regression
from mlcore.optim import (
    constant,
    gradient_descent,
    inverse_t,
    loss_gradient,
    newton,
    power,
    sgd,
)
from mlcore.solvers import subgradients

# Boosting, support vectors, several classes
WEIGHTS = replace(array("n", tied="n"), example=lambda sizes: np.arange(sizes["n"]) / 4)
PRICE = number(0.5, outside=(0, -1.0))
RATIO = number(0.5, outside=(0, -1.0), nasty=(1, 1e-150, 1e150))
FORM = one_of(*scalings.FORMS, bad=(None, "svc", 0))
LINE = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 2.0], [4.0, 1.0]])
STUMP = boosting.Stump(1, 0.5, -1.0, 0.25)
BOOSTED = boosting.adaboost(LINE, [-1, 1, 1, -1], rounds=3)
SQUARE = one_of(lambda X, y: linear.LinearRule(y @ X / 1e160, 0.0), bad=(None, 3, "fit"))
REDUCED = [
    reduce(lambda X, y: least_squares(X, y, bias=False), LINE, ["a", "b", "c", "c"])
    for reduce in (multiclass.one_vs_rest, multiclass.one_vs_one, multiclass.linear_machine)
]
GROUPS = {"fit": SQUARE, "X": MATRIX, "labels": LABELS}

# Descent and likelihoods
TOL = number(1e-6, outside=(-1.0,), nasty=(0, 1e-150, 1.0, 1e150))
LAMBDA = number(0.25, outside=(-1.0,), nasty=(0, 1e-150, 5e-324, 1e150))
STEPS = {"tol": TOL, "max_steps": COUNT}
# two codings: all 0, or 0 and 1, is as good as -1 and +1
CODED = Kind(
    SIGNS.example,
    lambda sizes: (
        SIGNS.nasty(sizes)
        | arrays_of((sizes["n"],), [lambda rng, shape: rng.integers(0, 2, size=shape)])
    ),
    lambda sizes: [
        bad
        for bad in SIGNS.bad(sizes)
        if not (
            isinstance(bad, np.ndarray)
            and bad.shape == (sizes["n"],)
            and bad.dtype.kind in "bf"
            and not np.any((bad != 0) & (bad != 1))
        )
    ],
)
OPEN = Kind(
    lambda sizes: np.array([0.25, 0.5]),
    lambda sizes: arrays_of(
        (3,),
        [
            lambda rng, shape: rng.uniform(0.01, 0.99, size=shape),
            lambda rng, shape: 10 ** rng.uniform(-300, -1, size=shape),
            lambda rng, shape: 0.5 + 1e-3 * rng.normal(size=shape),
        ],
    ),
    lambda sizes: [*spoiled([0.25, 0.5]), 0, 1, [0.5, 1.5]],
)
BOWL = one_of(lambda w: w @ w / 2, bad=(None, 3, lambda w: np.nan, lambda w: w))
SLOPE = one_of(lambda w: +w, bad=(None, 3, lambda w: np.nan * w, lambda w: 1.0))
BEND = one_of(lambda w: np.eye(len(w)), bad=(None, 3, lambda w: w, lambda w: np.eye(9)))
ANY_W = array("d")


def toward(w, i):
    """The mean gradient of |w - i|**2 / 2 over the examples i, as `sgd` asks for it."""
    i = np.asarray(i, float)
    return w - (i.mean(axis=-1) if i.ndim == w.ndim else i)[..., None]


SIZES_OF_STEPS = one_of(
    0.5, 2, np.array([0.5, 0.25]), bad=(None, 0, -1.0, "1", [], np.nan, [[0.1]], [0.1, -1])
)
fit = logistic([[0.0, 1.0], [1.0, 0.0], [1.0, 2.0]], [1, -1, 1], lambda_=0.1)
soft = softmax_regression([[0.0, 1.0], [1.0, 0.0], [1.0, 2.0]], [1, 2, 3], lambda_=0.1)
BAYES = lda([[0.0, 1.0], [1.0, 0.0], [1.0, 2.0], [4.0, 2.0]], [1, -1, 1, -1])

TABLE = [
    (boosting.best_stump, {**DATA, "weights": WEIGHTS}),
    (STUMP.predict, {"X": array("nd")}),
    (boosting.vote_weight, {"epsilon": SHARE}),
    (
        boosting.adaboost,
        {**DATA, "rounds": COUNT, "start": one_of("uniform", "balanced", bad=(None, 0))}
        | {"keep_weights": FLAG, "sample_weight": OFTEN},
    ),
    (BOOSTED.decision_function, {"X": NEW}),
    (BOOSTED.predict, {"X": NEW}),
    (BOOSTED.staged_scores, {"X": NEW}),
    (BOOSTED.staged_predictions, {"X": NEW}),
    (BOOSTED.staged_margins, {"X": NEW, "y": SIGNS}),
    (subgradients.check_problem, {**DATA, "lambda_": PRICE}),
    (svm.objective, {**DATA, **PLANE, "lambda_": PRICE}),
    (svm.subgradient_descent, {**DATA, "lambda_": PRICE, "steps": COUNT, "bias": FLAG}),
    (
        svm.pegasos,
        {**DATA, "lambda_": PRICE, "epochs": COUNT, "rng": SEED, "bias": FLAG}
        | {"batch": integer(1, outside=(0, 99)), "average": FLAG},
    ),
    (
        svm.soft_margin,
        {**DATA, "lambda_": PRICE, "bias": FLAG, "sample_weight": OFTEN},
    ),
    (svm.hard_margin, {**DATA, "bias": FLAG}),
    (scalings.constant_of, {"form": FORM, "lambda_": RATIO, "n": COUNT}),
    (scalings.lambda_of, {"form": FORM, "constant": RATIO, "n": COUNT}),
    (
        multiclass.one_vs_rest,
        {**GROUPS, "form": one_of("K", "K-1", bad=(None, "k", 0))},
    ),
    (multiclass.one_vs_one, GROUPS),
    (multiclass.linear_machine, GROUPS),
    (REDUCED[0].scores, {"X": NEW}),
    (REDUCED[0].claims, {"X": NEW}),
    (REDUCED[0].predict, {"X": NEW}),
    (REDUCED[1].votes, {"X": NEW}),
    (REDUCED[1].scores, {"X": NEW}),
    (REDUCED[1].predict, {"X": NEW}),
    (REDUCED[2].scores, {"X": NEW}),
    (REDUCED[2].predict, {"X": NEW}),
    (
        neighbors.knn,
        {"X": MATRIX, "labels": LABELS, "queries": CENTERS}
        | {"k": integer(1, outside=(0, 99))},
    ),
    (
        gradient_descent,
        {
            "f": BOWL,
            "gradient": SLOPE,
            "w0": ANY_W,
            "eta": POSITIVE,
            "accelerated": FLAG,
            **STEPS,
        },
    ),
    (
        newton,
        {
            "f": BOWL,
            "gradient": SLOPE,
            "hessian": BEND,
            "w0": ANY_W,
            **STEPS,
            "keep": number(0.5, outside=(-1, 2), nasty=(0, 1)),
        },
    ),
    (constant, {"eta": SIZES_OF_STEPS}),
    (inverse_t, {"alpha": SIZES_OF_STEPS}),
    (power, {"eta": SIZES_OF_STEPS, "p": number(0.5, outside=(-1, 11), nasty=(0, 10))}),
    (
        loss_gradient,
        {**DATA, "loss": one_of(*SLOPED, bad=(None, "hinge", losses.zero_one))}
        | {"lambda_": number(0.5, outside=(-1.0,), nasty=(0,))},
    ),
    (
        sgd,
        {
            "gradient": one_of(lambda w, i: w - 1, toward, bad=(None, 3, lambda w, i: 1.0)),
            "n": COUNT,
            "w0": ANY_W,
            "steps": one_of(
                constant(0.5),
                constant(1e150),
                lambda t: 1 / t,
                power(0.9, 0.5),
                bad=(None, 0.5, lambda t: 0.0, constant([0.1] * 9)),
            ),
            "epochs": COUNT,
            "batch": integer(1, outside=(0, 10)),
            "average": FLAG,
            "runs": optional(integer(2)),
            "f": optional(one_of(BOWL.example(0), bad=(3, lambda w: np.nan))),
            "rng": RNG,
        },
    ),
    (sigmoid, {"z": ANY_SHAPE}),
    (logit, {"p": OPEN}),
    (
        logistic,
        {"X": MATRIX, "y": CODED, "lambda_": LAMBDA, "bias": FLAG, **STEPS}
        | {"sample_weight": OFTEN},
    ),
    (fit.probability, {"X": NEW}),
    (
        softmax_regression,
        {"X": MATRIX, "labels": LABELS, "lambda_": LAMBDA, **STEPS}
        | {"sample_weight": OFTEN},
    ),
    (soft.decision_function, {"X": NEW}),
    (soft.probability, {"X": NEW}),
    (soft.predict, {"X": NEW}),
    (lda, DATA),
    (BAYES.probability, {"X": NEW}),
]
