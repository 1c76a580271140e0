"""Judge honest and wrong answers to the cases, for the table on the page *For teachers*.

`python -m teaching.case_study` computes case_study.json, which takes an hour, and prints
the table.
"""

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path

from halfspaces.exercises.answers import WrongAnswer
from halfspaces.exercises.cases import COMMON_CLAIMS, DRAWS, Case, with_claim
from sitebuild.chapters import toc_parts

STORED = Path(__file__).with_suffix(".json")
N_SOURCES = 100
HONEST, LUCKY = ("ten folds", "third held out"), "lucky interval"
ABOUT = {  # the subject of the advice, which is a question
    "decision": "the trap of the rule", "claim": "the trap of the claim",
    "advice_costly": "other rules", "advice_low": "optimism", "advice_high": "pessimism",
}  # fmt: skip


def find_cases() -> dict[str, Callable]:
    """Return {name: checker} of the cases, in the order of the chapters."""
    pages = next(pages for _, numbered, pages in toc_parts() if numbered)
    modules = (import_module(f"halfspaces.exercises.{Path(page).name}") for page in pages)
    found = (value for module in modules for value in vars(module).values())
    return {
        value.__name__: value
        for value in found
        if hasattr(value, "build") and hasattr(value, "sample")
    }


def build(check: Callable, source: int) -> Case:
    """Return the case with this source, built from the first seed that selects it."""
    builds = map(check.build, range(10**4))
    return next(case for case in builds if case.numbers["source"] == source)


def answers(case: Case) -> dict[str, Callable]:
    """Return {route: decide}: honest and wrong routes, wrong claims and a lucky claim.

    The lucky interval is fixed, as wide as allowed, and its center is the mean loss of the
    book's rule in the checker's draws.
    """
    honest, half = memoize(case.solution[0]), 0.499 * case.max_width
    center = sum(case.run_book(k, True)[0] for k in range(DRAWS)) / DRAWS
    wrong = {route: partial(case.solution[0], route=route) for route in case.routes}
    claims = {r: partial(with_claim, route=r, decide=honest) for r in COMMON_CLAIMS}
    return {
        HONEST[0]: honest,
        HONEST[1]: partial(case.solution[0], route=HONEST[1]),
        **wrong,
        **claims,
        LUCKY: lambda *data: (honest(*data)[0], center - half, center + half),
    }


def memoize(decide: Callable) -> Callable:
    """Return decide with a cache of its answers and of the predicted labels."""
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
        case.check_decision(decide)
    except WrongAnswer as error:
        return next(k for k, text in case.texts.items() if text == error.misconception)
    return ""


def table(results: dict) -> str:
    """Format the shares of praised and refused answers as two Markdown tables."""
    common = [*HONEST, *COMMON_CLAIMS, LUCKY]
    lines = [f"| case | {' | '.join(common)} |", "|---" * (len(common) + 1) + "|"]
    rows = ["", "```{dropdown} The wrong routes of each case"]
    rows += ["| case | wrong route | refused | with its question | question about |"]
    rows += ["|---" * 5 + "|"]
    for name, check in find_cases().items():
        found, routes = results[name], check.build().routes
        shares = (_percent(not key for key in found[route]) for route in common)
        link = f"{{ref}}`{name} <ex-case-{name}>`"
        lines.append(f"| {link} | {' | '.join(shares)} |")
        for route, advice in routes.items():
            refused = _percent(map(bool, found[route]))
            with_advice = _percent(key == advice for key in found[route])
            rows.append(
                f"| {name} | {route} | {refused} | {with_advice} | {ABOUT[advice]} |"
            )
    return "\n".join([*lines, *rows, "```"])


def _percent(holds: Iterable[bool]) -> str:
    holds = [*holds]
    return f"{100 * sum(holds) / len(holds):.0f}"


def main() -> None:
    runs = [*product(find_cases(), range(N_SOURCES))]
    with ProcessPoolExecutor(2) as pool:
        keys = [*pool.map(advice_keys, *zip(*runs, strict=True))]
    results = {name: {} for name, _ in runs}
    for (name, _), found in zip(runs, keys, strict=True):
        for route, key in found.items():
            results[name].setdefault(route, []).append(key)
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in results.items()]
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(table(results))


if __name__ == "__main__":
    main()
