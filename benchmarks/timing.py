"""A case: one task on one data set, solved by several contestants in turn."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

REPEATS = 9
BUDGET = 2.0  # seconds for the repeats of one contestant


@dataclass(frozen=True)
class Case:
    """ours, sklearn and naive each solve the task and return an answer.

    floor  the ratio of scikit-learn's time to ours that we mean to keep
    judge  judge(answers) says in a few words whether the answers are equal
    """

    task: str
    data: str
    floor: float | None
    ours: Callable[[], Any]
    sklearn: Callable[[], Any] | None
    naive: Callable[[], Any] | None
    judge: Callable[[dict[str, Any]], str]


@dataclass(frozen=True)
class Result:
    """Median milliseconds; None for a contestant that does not exist."""

    task: str
    data: str
    floor: float | None
    ours: float
    sklearn: float | None
    naive: float | None
    answers: str

    @property
    def ratio(self) -> float | None:
        return None if self.sklearn is None else self.sklearn / self.ours


def measure(case: Case) -> Result:
    """Warm up, compare the answers, then run all contestants in turn."""
    names = ["ours", "sklearn", "naive"]
    runs = {name: run for name in names if (run := getattr(case, name))}
    answers, times = {}, {}
    for name, run in runs.items():
        answers[name], first = _timed(run)
        times[name] = [first]
    spent = dict.fromkeys(runs, 0.0)
    for _ in range(REPEATS):
        for name, run in runs.items():
            # what takes longer than the budget has been timed once, and that is enough
            if spent[name] + min(times[name]) < BUDGET:
                _, seconds = _timed(run)
                spent[name] += seconds
                times[name].append(seconds)
    found = {name: 1000 * median(values[1:] or values) for name, values in times.items()}
    return Result(
        case.task,
        case.data,
        case.floor,
        **{name: found.get(name) for name in names},
        answers=case.judge(answers),
    )


def _timed(run):
    start = perf_counter()
    answer = run()
    return answer, perf_counter() - start


def gaps(objective: Callable) -> Callable:
    """Judge by how far each objective is above the least of them, as a share of it."""

    def judge(answers) -> str:
        values = {name: objective(answer) for name, answer in answers.items()}
        least = min(values.values())
        shares = [
            f"{name} {(value - least) / abs(least):.0e}" for name, value in values.items()
        ]
        return "gaps: " + ", ".join(shares)

    return judge


def distance(as_array: Callable) -> Callable:
    """Judge by the largest difference from our answer."""

    def judge(answers) -> str:
        ours = as_array(answers["ours"])
        far = max(
            abs(as_array(answer) - ours).max()
            for name, answer in answers.items()
            if name != "ours"
        )
        return f"differ by {far:.0e}"

    return judge


def same(what: str, key: Callable = lambda answer: answer) -> Callable:
    """Judge by equality."""

    def judge(answers) -> str:
        keys = {name: key(answer) for name, answer in answers.items()}
        equal = all(value == keys["ours"] for value in keys.values())
        return f"same {what}" if equal else f"{what}: {keys}"

    return judge


def each(what: str, number: Callable) -> Callable:
    """Show one number of each."""

    def judge(answers) -> str:
        shown = [f"{name} {number(answer):.4g}" for name, answer in answers.items()]
        return f"{what}: " + ", ".join(shown)

    return judge
