"""How to call least squares, selection and proximal descent; see public.py."""

import numpy as np
from kinds import (
    FLAG,
    LABELS,
    MATRIX,
    SPLITS,
    Kind,
    array,
    integer,
    number,
    one_of,
    optional,
)
from public import DATA, NEW, OFTEN, POSITIVE

from mlcore import l1_svm, lasso, least_squares, metrics, selection
from mlcore.solvers import ranking


def positive(kind):
    """The same kind, its example made positive."""
    return Kind(
        lambda sizes: abs(kind.example(sizes)) + 1,
        lambda sizes: kind.nasty(sizes) | kind.nasty(sizes).map(np.abs),
        kind.bad,
    )


CS = positive(array("p"))
SMALL = [[0.0, 1], [1, 5], [3, 2]], [1, 2, 3]
INDICATOR = one_of(least_squares.indicator_regression(*SMALL))
PATH = lasso.lasso_path(*SMALL, until=0.25)
LAMBDAS = positive(array("p"))
NUMBERS = array("n", tied="n")
RESPONSE = {"X": MATRIX, "y": NUMBERS}
SEARCH = {
    "splits": SPLITS,
    "tol": number(0.01, outside=(-1.0, 1.0), nasty=(0.0, 0.5)),
    "fit": one_of(None, bad=(3, "fit")),
    "error": one_of(metrics.zero_one_error),
}
KEPT = optional(integer(1, outside=(-1, 3), nasty=(0, 1)))
PENALTY = {"lambda_": number(0.5, outside=(-1.0,), nasty=(0, 1, 1e-150, 1e150))}
DESCENT = {"max_steps": integer(9), "tol": number(0.01, outside=(-1.0,), nasty=(0, 1))}
GREEDY = {
    "X": MATRIX,
    "y": NUMBERS,
    "splits": SPLITS,
    "count": KEPT,
    "tol": SEARCH["tol"],
    "fit": SEARCH["fit"],
    "error": SEARCH["error"],
}
TABLE = [
    (least_squares.least_squares, {**RESPONSE, "bias": FLAG, "sample_weight": OFTEN}),
    (
        least_squares.ridge,
        {**RESPONSE, **PENALTY, "bias": FLAG, "sample_weight": OFTEN},
    ),
    (
        least_squares.ridge_path,
        {**RESPONSE, "lambdas": LAMBDAS, "bias": FLAG},
    ),
    (
        least_squares.pseudo_inverse,
        {"A": MATRIX, "tol": optional(number(0.01, outside=(-1.0, 1.0), nasty=(0, 0.5)))},
    ),
    (least_squares.indicator_regression, {"X": MATRIX, "labels": LABELS}),
    (least_squares.IndicatorFit.decision_function, {"self": INDICATOR, "X": NEW}),
    (least_squares.IndicatorFit.predict, {"self": INDICATOR, "X": NEW}),
    (selection.forward, GREEDY),
    (selection.backward, GREEDY),
    (selection.exhaustive, {k: v for k, v in GREEDY.items() if k != "count"}),
    (
        ranking.univariate,
        {**RESPONSE, "score": one_of("correlation", "signal_to_noise", bad=(None, 3, "x"))},
    ),
    (
        ranking.recursive_elimination,
        {
            "X": MATRIX,
            "y": NUMBERS,
            "fit": one_of(least_squares.least_squares, bad=(None, 3, "fit")),
            "count": integer(1, outside=(0, -1, 3), nasty=(1, 2)),
            "share": number(0.5, outside=(-1.0, 1.0), nasty=(0, 0.9)),
        },
    ),
    (
        ranking.mutual_information,
        {
            "X": MATRIX,
            "y": LABELS,
            "bins": optional(integer(3, outside=(1, 0, -1, 10**20), nasty=(2, 9))),
        },
    ),
    (lasso.ista, {**RESPONSE, **PENALTY, **DESCENT}),
    (lasso.fista, {**RESPONSE, **PENALTY, **DESCENT}),
    (lasso.lasso, {**RESPONSE, **PENALTY}),
    (lasso.lasso_path, {**RESPONSE, "until": PENALTY["lambda_"]}),
    (PATH.at, {"lambda_": number(1.0, outside=(-1.0, 0.2), nasty=(0.25, 1e150))}),
    (lasso.lasso_cv, {**RESPONSE, "splits": SPLITS, "lambdas": optional(LAMBDAS)}),
    (l1_svm.l1_svm, {**DATA, "C": POSITIVE}),
    (
        l1_svm.l1_svm_path,
        {
            **DATA,
            "C": CS,
            "max_steps": integer(9),
            "tol": number(0.01, outside=(0, -1.0), nasty=(1e-9,)),
        },
    ),
]
