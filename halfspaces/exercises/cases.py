"""Cases: a decision about data and a claim about its error, checked on fresh data.

The reader writes decide(X, y, names), which learns from the data of a story and returns
predict, low, high: a function that predicts labels, and a 95% interval for its mean loss
"in use", that is, once deployed.  Each story contains a trap; its *twin* is the story
without it.  A fault that does not occur in the twin is due to the trap, whatever the code.
"""

import sys
from collections import namedtuple
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from time import monotonic, process_time

import numpy as np

from halfspaces.exercises import answers, call
from halfspaces.exercises.answers import WrongAnswer, fail_if, to_list
from halfspaces.exercises.define import FreeForm, exercise
from halfspaces.exercises.texts import load_texts
from halfspaces.formatting import format_value

# In the first block all calls of decide come before the tests, so that no claim of its 15
# can use test data that predict has seen; only 11 of 60 may miss (more if the book's do).
# Before each test decide runs again: predict may use a global variable of the latest call.
DRAWS, BLOCK, TWIN_DRAWS = 60, 15, 40
# Honest 95% intervals from cross-validation hold in 89 to 95% of the draws, and thus in
# 49 or more of 60 with probability 0.97.  For an interval that holds in 65%, it is 0.004.
MIN_HELD = 49
# Largest mean error of the interval's center, in interval widths, below and above the loss.
# It may be larger above, since a rule trained on fewer examples has a larger loss; for the
# first limit the width is capped: a wide interval must not hide a low claim.
MAX_TOO_LOW, MAX_TOO_HIGH = 0.06, 0.2
# Smallest ratio of the slopes of centers and of losses (honest 1, fixed interval 0) and
# smallest correlation (honest 0.84 or more; a few distant centers may give a fixed interval
# any slope).  Both compare with the book's losses, which show the difficulty of a draw.
MIN_SLOPE, MIN_CORRELATION = 0.7, 0.6
MAX_CHANGED = 0.03  # fraction of labels that may change if predict gets only a few rows
TWIN_HELD, TWIN_GAIN = 0.8, 0.15  # smallest coverage in the twin, and its gain
SECONDS = 60 if sys.platform == "emscripten" else 20  # time limit of a check
COMMON_CLAIMS = {  # mistake: (wrong interval from an honest one, key of the advice)
    "fixed interval": (lambda low, high: (0.2, 0.35), "advice_constant"),
    "anything": (lambda low, high: (0.0, 100.0), "advice_wide"),
    "padded": (lambda low, high: (3 * low - 2 * high, 3 * high - 2 * low), "advice_wide"),
    "one standard error": (
        lambda low, high: ((3 * low + high) / 4, (low + 3 * high) / 4), "advice_narrow"),
}  # fmt: skip
_makers = {}  # checker: its make; not an attribute, since it leads to the solution


def zero_one_loss(t, predicted, trap=True):
    """Return 1 for each wrong label and 0 for each right one."""
    return (t != predicted).astype(float)


def show_progress(text: str) -> None:
    """Show a text until the next output, to a reader of a notebook or a page."""
    if "ipykernel" in sys.modules:
        from IPython import display, get_ipython

        header = getattr(get_ipython(), "parent_header", {})  # of a kernel
        if header.get("content", {}).get("allow_stdin"):  # False in tests
            print(text)
            display.clear_output(wait=True)
    elif sys.platform == "emscripten":  # for worker.js
        import js
        from pyodide.ffi import to_js

        js.postMessage(to_js({"phase": text}, dict_converter=js.Object.fromEntries))


def time_steps(ending: str) -> Callable:
    """Return timed(step, k, ...), which runs a step of draw k, and stops code that is slow.

    ending  the end of the progress message, such as "of 60 …"
    """
    fastest, next_report = {}, monotonic() + 1  # the first draws import modules

    def timed(step: Callable, k: int, *args):
        nonlocal next_report
        if step.__name__ == "call_decide" and monotonic() > next_report:
            show_progress(f"Draw {k + 1} {ending}")
            next_report = monotonic() + 1
        start = process_time()
        result = step(k, *args)
        seconds = process_time() - start
        fastest[step.__name__] = min(seconds, fastest.get(step.__name__, np.inf))
        seconds = sum(fastest.values())
        too_slow = k == 2 and seconds > SECONDS / DRAWS
        fail_if(too_slow, "slow", seconds=seconds, most=SECONDS / DRAWS)
        return result

    return timed


Sample = namedtuple("Sample", "X y names")


class Case(FreeForm):
    """Data with a story and a trap, for which the reader decides and makes a claim.

    draw    draw(rng, trap) returns X, y to learn from, and Q, t in use; the difficulty must
            vary between draws, so that no constant claim holds
    names   the columns of X, each with its unit
    decide  the book's decide(X, y, names), with a parameter `route`: "" or a variant
    routes  {mistake: key of the advice in its reply}, besides COMMON_CLAIMS
    max_regret  how far the mean loss in use may exceed the book's
    twin_route  the route of `decide` that is right without the trap; "" for the book's
    max_width  the largest mean width allowed for the interval
    loss    loss(t, predicted, trap) returns the loss of each example
    seed    seed of all draws

    Texts of an exercise: `decision` and `claim` explain the trap; they reply to a fault of
    the decision or the claim that the twin does not have; no `claim` where the trap spoils
    only decisions.  cases.toml has all other advice.
    """

    def __init__(
        self, draw, names, decide, routes, *, max_regret, max_width, seed,
        loss=zero_one_loss, twin_route="",
    ):  # fmt: skip
        super().__init__(self.check_decision, decide)
        self.points = 2  # for a good decision, and for a claim about it
        self.draw, self.columns, self.routes, self.loss = draw, names, routes, loss
        self.max_regret, self.max_width, self.seed = max_regret, max_width, seed
        self.twin_route = twin_route
        self.run_book = cache(self.run_book)

    def set_texts(self, texts: dict, values: dict) -> None:
        super().set_texts(load_texts("cases") | texts, values)

    def sample(self) -> Sample:
        """Draw data for the reader, which no check uses."""
        X, y, _, _ = self.draw(np.random.default_rng([self.seed, 10**6]), True)
        return Sample(X, y, self.columns)

    def mistakes(self):
        for route, key in self.routes.items():
            yield (partial(self.solution[0], route=route),), self.texts[key]
        for route, (_, key) in COMMON_CLAIMS.items():
            wrong = partial(with_claim, route=route, decide=self.solution[0])
            yield (wrong,), self.texts[key]

    def check_decision(self, decide) -> dict:
        """Check a decision: return values for the praise, or raise WrongAnswer."""
        outcome = self.run_draws(decide, trap=True)
        if not outcome.decision_fault and not outcome.claim_fault:
            return outcome.values
        key = self.find_advice(decide, outcome)
        fault = outcome.decision_fault or outcome.claim_fault
        fault = outcome.claim_fault if key == "claim" else fault
        reply, advice = self.reply(fault, **outcome.values), self.texts[key]
        score = 0.0 if outcome.decision_fault else 0.5
        raise WrongAnswer(f"{reply} {advice}", advice, score)

    def find_advice(self, decide, outcome: "Outcome") -> str:
        """Return the key of the advice: about the trap, if the twin has no such fault."""
        claim_fails, max_regret = outcome.claim_fault not in ("", "wide"), self.max_regret
        if not outcome.decision_fault and not claim_fails:
            return "advice_wide"
        with suppress(WrongAnswer):  # code for the trap may fail without it
            twin = self.run_draws(decide, trap=False)
            min_coverage = max(TWIN_HELD, outcome.coverage + TWIN_GAIN)
            if outcome.decision_fault and twin.regret < min(max_regret, outcome.regret / 2):
                return "decision"
            if claim_fails and "claim" in self.texts and twin.coverage >= min_coverage:
                return "claim"
        return f"advice_{outcome.decision_fault or outcome.claim_fault}"

    def run_draws(self, decide, trap: bool) -> "Outcome":
        """Run a decision in fresh draws, and stop once full points are impossible."""
        count = DRAWS if trap else TWIN_DRAWS
        max_missed = DRAWS - MIN_HELD if trap else TWIN_DRAWS * (1 - TWIN_HELD)
        rows, timed = [], time_steps(f"of {count}{'' if trap else ', for advice'} …")
        for first in range(0, count, BLOCK):
            draws = range(first, min(first + BLOCK, count))
            early = [timed(self.call_decide, k, trap, decide) for k in draws if not first]
            for k in draws:
                predict, *claim, Q, t = timed(self.call_decide, k, trap, decide)
                claim = claim if first else early[k][1:3]
                result = timed(self.test_decision, k, trap, predict, *claim, Q, t)
                rows.append(result + self.run_book(k, trap))
            outcome = Outcome(self, *np.transpose(rows))
            fail_if(outcome.changed.mean() > MAX_CHANGED, "changed")
            fail_if(_exceeds(outcome.loss_of_few - outcome.loss, 0.05, 5), "changed")
            costly = trap and outcome.regret > 2 * self.max_regret
            claim_fails = (~outcome.held).sum() > max(max_missed, outcome.book_missed)
            if (costly or claim_fails) and outcome.regret_is_sure:
                break
        max_missed = np.ceil(max_missed * len(rows) / count)
        outcome.set_faults(max(max_missed, outcome.book_missed))
        return outcome

    def run_book(self, k: int, trap: bool) -> tuple[float, float, bool]:
        """Return the loss of the book's decision in draw k, its interval's center, and
        whether this interval contains the loss.
        """
        route = {} if trap or not self.twin_route else {"route": self.twin_route}
        decide = partial(self.solution[0], **route)
        predict, low, high, Q, t = self.call_decide(k, trap, decide)
        loss = self.loss(t, self.call_predict(predict, Q), trap).mean()
        return loss, (low + high) / 2, low <= loss <= high

    def call_decide(self, k: int, trap: bool, decide) -> tuple:
        """Return predict, low, high of a decision in draw k, and the data in use."""
        X, y, Q, t = self.draw(np.random.default_rng([self.seed, k]), trap)
        order = np.random.default_rng([self.seed, k, 1]).permutation(len(t))
        return *_read_decision(call(decide, X, y, self.columns)), Q[order], t[order]

    def test_decision(self, k: int, trap: bool, predict, low, high, Q, t) -> tuple:
        """Return the mean loss in use in draw k, and the ends of the interval.

        Also return the fraction of labels that change if predict gets two to five rows,
        and the mean loss of the labels of few rows: predict could repeat them later.
        """
        few, size = 20, 2 + k % 4
        parts = np.split(Q[:few], range(size, few, size))
        alone = np.concatenate([self.call_predict(predict, part) for part in parts])
        predicted = self.call_predict(predict, Q)
        loss = self.loss(t, predicted, trap).mean()
        loss_of_few = self.loss(t[:few], alone, trap).mean()
        return loss, low, high, (alone != predicted[:few]).mean(), loss_of_few

    def call_predict(self, predict: Callable, Q) -> np.ndarray:
        """Return the labels that the reader's rule gives to new rows."""
        description = f"{len(Q)} labels -1 or +1, one for each row, from predict"
        predicted = answers.read_numbers(call(predict, Q), (len(Q),), description)
        for label in predicted[~np.isin(predicted, (-1, 1))]:
            raise WrongAnswer("other_labels", label=label)
        return predicted


@dataclass
class Outcome:
    """The results of a decision and of the book's decision, one entry for each draw.

    changed          fraction of labels that changed if predict got a few rows alone
    loss_of_few      mean loss of the labels that predict gives a few rows alone
    decision_fault, claim_fault  keys of the faults; "" for none
    """

    case: Case
    loss: np.ndarray
    low: np.ndarray
    high: np.ndarray
    changed: np.ndarray
    loss_of_few: np.ndarray
    best: np.ndarray
    best_center: np.ndarray
    best_held: np.ndarray
    decision_fault = claim_fault = ""

    @property
    def held(self) -> np.ndarray:
        """Whether each interval contains the loss."""
        return (self.low <= self.loss) & (self.loss <= self.high)

    @property
    def book_missed(self) -> int:
        """How often the book's interval misses: luck of the draws."""
        return int((self.best_held == 0).sum())

    @property
    def coverage(self) -> float:
        return self.held.mean()

    @property
    def regret(self) -> float:
        return (self.loss - self.best).mean()

    @property
    def regret_is_sure(self) -> bool:
        """Whether the regret differs from its limit by more than two standard errors."""
        error = (self.loss - self.best).std(ddof=1) / np.sqrt(len(self.loss))
        return abs(self.regret - self.case.max_regret) > 2 * error

    @property
    def values(self) -> dict:
        """Values to fill into the replies."""
        means = {k: getattr(self, k).mean() for k in ("loss", "low", "high", "best")}
        means |= {"width": (self.high - self.low).mean(), "limit": self.case.max_width}
        means = {name: f"{value:z.2f}" for name, value in means.items()}
        measure = "error" if self.case.loss is zero_one_loss else "cost"
        counts = {"draws": len(self.loss), "held": int(self.held.sum())}
        return means | counts | {"measure": measure}

    def set_faults(self, max_missed: float) -> None:
        width, missed = (self.high - self.low).mean(), (~self.held).sum()
        center = (self.low + self.high) / 2
        self.decision_fault = "costly" if self.regret > self.case.max_regret else ""
        bias = self.loss - center
        # Luck of the draws moves the book's honest interval too.
        relative = bias - (0 if self.decision_fault else self.best - self.best_center)
        (center_variance, covariance), (_, variance) = np.cov(center, self.best)
        spread = np.cov(self.loss, self.best)[0, 1]  # of honest claims
        correlated = covariance**2 >= MIN_CORRELATION**2 * center_variance * variance
        is_fixed = abs(covariance) < MIN_SLOPE / 2 * spread or not correlated
        max_low = MAX_TOO_LOW * min(width, self.case.max_width / 2)
        max_high = MAX_TOO_HIGH * width
        early_is_wide, early_misses = self.judge_first_block()
        is_wide = width >= self.case.max_width + 0.005 or early_is_wide  # as printed
        if missed <= max_missed and is_wide:
            self.claim_fault = "wide"
        elif is_fixed:  # a fixed interval is low or high only by chance
            self.claim_fault = "constant"
        elif _exceeds(bias, max_low) and _exceeds(relative, max_low):
            self.claim_fault = "low"
        elif _exceeds(-bias, max_high) and _exceeds(-relative, max_high):
            self.claim_fault = "high"
        elif covariance < MIN_SLOPE * spread:
            self.claim_fault = "constant"
        elif missed > max_missed or early_misses:
            self.claim_fault = "narrow"

    def judge_first_block(self) -> tuple[bool, bool]:
        """Return True if the claims of the first block, which know no row in use, are much
        wider than allowed or than later ones; and True if too many of them miss.
        """
        width = self.high - self.low
        limits = [1.25 * self.case.max_width]
        if len(width) > BLOCK:
            limits.append(1.3 * width[BLOCK:].mean())
        book_missed = (self.best_held[:BLOCK] == 0).sum()
        missed = (~self.held)[:BLOCK].sum()
        return width[:BLOCK].mean() >= min(limits), missed > max(6, book_missed + 3)


def _exceeds(values: np.ndarray, limit: float, errors: int = 3) -> bool:
    """Return True if the mean exceeds limit, and exceeds 0 by `errors` standard errors."""
    return values.mean() > max(limit, errors * values.std(ddof=1) / np.sqrt(len(values)))


def with_claim(X, y, names, *, route: str, decide: Callable):
    """Return the decision of `decide` with an interval of COMMON_CLAIMS."""
    predict, low, high = decide(X, y, names)
    return predict, *COMMON_CLAIMS[route][0](low, high)


def _read_decision(answer) -> tuple[Callable, float, float]:
    """Return predict, low, high of a decision; else raise WrongAnswer."""
    parts = to_list(answer) or []
    if len(parts) == 2:  # predict, (low, high)
        parts = [parts[0], *(to_list(parts[1]) or [])]
    if len(parts) != 3 or not callable(parts[0]):
        rule = "Return predict, low, high: a function and two numbers"
        raise WrongAnswer(f"{rule}; decide returned {format_value(answer)}.")
    low, high = answers.read_numbers(parts[1:], (2,), "two numbers, low and high")
    fail_if(low > high, "reversed", low=low, high=high)
    return parts[0], float(low), float(high)


def case(make: Callable) -> Callable:
    """Turn make(source), which returns the Case with this number, into a checker.

    A source, from 0 to 99, is a population to draw from; `check.leak.sample(7)` returns
    X, y, names of source 7, and `check.leak.sample()` those of the printed question.
    """
    check = exercise(source=range(100))(make)
    check.sample = lambda *source: make(*source).sample()
    _makers[check] = make
    return check


def with_names(check: Callable, source: int, names: list[str]) -> Case:
    """Return the case of a checker with other column names, for another story."""
    renamed = _makers[check](source)
    renamed.columns = names
    return renamed
