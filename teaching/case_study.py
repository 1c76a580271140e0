"""How the cases judge honest and wrong answers, for the table on the page *For teachers*.

`python -m teaching.case_study` computes case_study.json, which takes two hours, and prints
the table.
"""

import json
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path

from halfspaces.exercises.answers import WrongAnswer
from halfspaces.exercises.cases import COMMON_CLAIMS, DRAWS, Case, with_claim
from sitebuild.chapters import toc_parts

STORED = Path(__file__).with_suffix(".json")
SOURCES = 40
HONEST = "ten folds", "third held out"


def find_cases() -> dict[str, Callable]:
    """Return {name: checker} of the cases, in the order of the chapters."""
    pages = next(pages for _, numbered, pages in toc_parts() if numbered)
    modules = (import_module(f"halfspaces.exercises.{Path(page).name}") for page in pages)
    found = (one for module in modules for one in vars(module).values())
    return {one.__name__: one for one in found if hasattr(one, "build") and hasattr(one, "sample")}


def build(check: Callable, source: int) -> Case:
    """Return the case of a source, by the first seed that draws it."""
    builds = map(check.build, range(10**4))
    return next(case for case in builds if case.numbers["source"] == source)


def answers(case: Case) -> dict[str, Callable]:
    """Return {route: decide}: honest and wrong routes, wrong claims and a lucky claim.

    The lucky interval is fixed, as wide as allowed, and its center is the mean loss of the
    book's rule in the draws of the check.
    """
    honest, half = remember(case.solution[0]), 0.499 * case.width
    center = sum(case.best(k, True) for k in range(DRAWS)) / DRAWS
    wrong = {route: partial(case.solution[0], route=route) for route in case.routes}
    claims = {r: partial(with_claim, route=r, decide=honest) for r in COMMON_CLAIMS}
    return {
        HONEST[0]: honest,
        HONEST[1]: partial(case.solution[0], route=HONEST[1]),
        **wrong,
        **claims,
        "lucky interval": lambda *data: (honest(*data)[0], center - half, center + half),
    }


def remember(decide: Callable) -> Callable:
    """Return decide with a memory for its answers and for the predicted labels."""
    decisions, predictions = {}, {}

    def predict_once(predict, Q):
        key = Q.tobytes()
        if key not in predictions:
            predictions[key] = predict(Q)
        return predictions[key]

    def decide_once(X, y, names):
        key = X.tobytes()
        if key not in decisions:
            predict, *claim = decide(X, y, names)
            decisions[key] = partial(predict_once, predict), *claim
        return decisions[key]

    return decide_once


def advice_keys(name: str, source: int) -> dict[str, str]:
    """Judge all routes of a case; return {route: key of the advice, "" for praise}."""
    case = build(find_cases()[name], source)
    return {route: _advice_key(case, decide) for route, decide in answers(case).items()}


def _advice_key(case: Case, decide: Callable) -> str:
    try:
        case.judge(decide)
    except WrongAnswer as error:
        return next(k for k, text in case.texts.items() if text == error.misconception)
    return ""
