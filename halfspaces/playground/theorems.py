"""The methods of the Playground page, and the theorems that apply to a reader's points.

Each method is a function of the data that returns a `Report`: its rule, its numbers, and
for each of its theorems in the book whether the hypothesis holds.  The sentences are in
theorems.toml, with code for the reader that computes the same rule.
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from halfspaces.formatting import format_number
from halfspaces.interactive.figure import Number
from halfspaces.interactive.plane import Element
from mlcore.boosting import adaboost
from mlcore.generative import lda
from mlcore.least_squares import least_squares
from mlcore.linear import LinearRule
from mlcore.logistic import logistic
from mlcore.neighbors import knn
from mlcore.perceptron import mistake_bound, perceptron_trace
from mlcore.svm import hard_margin, soft_margin

MAX_UPDATES = 500  # of the perceptron
TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


@dataclass(frozen=True, eq=False)
class Data:
    """The points and the values of the sliders."""

    X: np.ndarray
    y: np.ndarray
    C: float
    rounds: int
    neighbors: int

    @cached_property
    def separator(self):
        return hard_margin(self.X, self.y)

    @cached_property
    def hull_weights(self) -> np.ndarray:
        """Weights (n,) of a point in both convex hulls, with sum 1 for each label."""
        return 2 * self.separator.certificate

    @cached_property
    def certificate(self) -> str:
        """Format a point in both hulls as an equation: it proves that no line separates."""
        sides = {1: [], -1: []}
        for k in np.flatnonzero(self.hull_weights > 1e-6):
            weight = format_number(float(self.hull_weights[k]))
            sides[self.y[k]].append(f"{weight} · point {k + 1}")
        return " = ".join(map(" + ".join, sides.values()))


@dataclass(frozen=True, eq=False)
class Note:
    """A sentence below the picture, with a link to its theorem.

    url    address of the theorem
    holds  whether the hypothesis of the theorem holds; None: unknown, or no theorem
    """

    text: str
    theorem: str = ""
    url: str = ""
    holds: bool | None = None

    def __str__(self) -> str:
        return f"{self.text} {self.theorem}".rstrip()

    def element(self) -> Element:
        name = {True: "hs-holds", False: "hs-broken", None: ""}[self.holds]
        link = [["a", {"href": self.url}, self.theorem]] if self.url else []
        return ["li", {"class": name}, [["span", {}, self.text], *link]]


def theorem_note(theorem: str, sentence: str, holds: bool | None, **values) -> Note:
    """Fill in a sentence; `theorem` and `sentence` are keys of theorems.toml."""
    entry = TEXTS[theorem]
    texts = {k: v if isinstance(v, str) else format_number(v) for k, v in values.items()}
    return Note(entry[sentence].format(**texts), *entry["theorem"], holds)


def code_of(method: str, data: Data) -> str:
    """Return Python code that computes the rule of a method from X and y."""
    return TEXTS["code"][method].format(max_updates=MAX_UPDATES, **vars(data))


@dataclass(frozen=True, eq=False)
class Report:
    """The result of a method on the data.

    rule     has decision_function(X), and w and b if it is linear
    numbers  listed after the number of misclassified points
    """

    rule: object
    notes: list[Note]
    numbers: list[Number] = field(default_factory=list)


def report_perceptron(data: Data) -> Report:
    run = perceptron_trace(data.X, data.y, max_updates=MAX_UPDATES)
    rule = LinearRule(run.w[-1], float(run.b[-1]))
    if not data.separator.separable:
        notes = [theorem_note("novikoff", "none", False)]
        notes += [theorem_note("certificate", "endless", True, proof=data.certificate)]
        return Report(rule, notes, [Number("updates", run.updates)])
    augmented = np.column_stack([data.X, np.ones(len(data.y))])
    gamma = hard_margin(augmented, data.y, bias=False).margin
    R = np.linalg.norm(augmented, axis=1).max()
    bound = mistake_bound(R, gamma)
    sentence = "ended" if run.converged else "stopped"
    values = {"R": R, "gamma": gamma, "most": np.floor(bound), "made": run.updates}
    updates = Number("updates", run.updates, of=bound)
    return Report(rule, [theorem_note("novikoff", sentence, True, **values)], [updates])


def lda_note(data: Data) -> Note:
    """Compare the lines of least squares and LDA."""
    plus, minus = (int((data.y == label).sum()) for label in (1, -1))
    name, fit = "least_squares_and_lda", lda(data.X, data.y)
    if fit.rank < 2:
        return theorem_note(name, "no_inverse", False)
    if np.allclose(fit.w, 0):
        return theorem_note(name, "same_means", False)
    if plus == minus:
        return theorem_note(name, "same", True, plus=plus)
    mean = (plus - minus) / (plus + minus)
    factor = mean / ((1 - mean**2) * np.arctanh(mean))
    return theorem_note(name, "parallel", True, plus=plus, minus=minus, factor=factor)


def report_least_squares(data: Data) -> Report:
    fit = least_squares(data.X, data.y)
    unique = theorem_note("rank", "one" if fit.rank == 2 else "many", fit.rank == 2)
    return Report(fit, [unique, lda_note(data)])


def report_lda(data: Data) -> Report:
    return Report(lda(data.X, data.y), [lda_note(data)])


def report_logistic(data: Data) -> Report:
    fit = logistic(data.X, data.y)
    collinear = np.linalg.matrix_rank(data.X - data.X.mean(axis=0)) < 2
    minimizers = "many" if collinear else "one"
    if not fit.converged:
        minimizers = "separates" if data.separator.separable else "touches"
    numbers = [Number("length of w", np.linalg.norm(fit.w))]
    numbers += [Number("mean loss (nats)", fit.values[-1], tol=1e-9)]
    return Report(fit, [theorem_note("existence", minimizers, fit.converged)], numbers)


def report_soft_margin(data: Data) -> Report:
    n, C = len(data.y), data.C
    fit = soft_margin(data.X, data.y, lambda_=1 / (n * C))
    cost, gap = fit.value * n * C, fit.duality_gap * n * C
    notes = [theorem_note("lower_bound", "costs", True, least=cost - gap, cost=cost)]
    free = (fit.a > 1e-4 * C) & (fit.a < (1 - 1e-4) * C)
    unique, point = bool(free.any()), free.argmax() + 1
    sentence = "unique" if unique else "open"
    notes += [theorem_note("uniqueness", sentence, unique, point=point)]
    if data.separator.separable:
        half, gamma = 1 / np.linalg.norm(fit.w), data.separator.margin
        notes.append(theorem_note("hard_margin", "widest", True, gamma=gamma, half=half))
    else:
        notes.append(theorem_note("hard_margin", "none", False, proof=data.certificate))
    return Report(fit, notes, [Number("objective", cost)])


def report_adaboost(data: Data) -> Report:
    fit = adaboost(data.X, data.y, rounds=data.rounds)
    if fit.stopped == "perfect":
        return Report(fit, [theorem_note("weak", "perfect", True)])
    if not len(fit.Z):
        return Report(fit, [theorem_note("weak", "chance", False)])
    edge, ended = 1 - 2 * fit.epsilon.max(), fit.stopped == "no edge"
    wrong, bound = (fit.predict(data.X) != data.y).mean(), fit.bound[-1]
    # an edge in these rounds does not imply one in later rounds
    sentence, holds = ("no_edge", False) if ended else ("edge", None)
    notes = [theorem_note("training_error", "bound", True, wrong=wrong, bound=bound)]
    notes += [theorem_note("weak", sentence, holds, rounds=len(fit.Z), edge=edge)]
    return Report(fit, notes, [Number("product of the Z", bound, of=1)])


def report_neighbors(data: Data) -> Report:
    class Rule:
        def decision_function(self, Z):
            return knn(data.X, data.y, Z, k=data.neighbors).predicted

    sentence = "one" if data.neighbors == 1 else "many"
    return Report(Rule(), [theorem_note("neighbors", sentence, None)])


METHODS: dict[str, Callable[[Data], Report]] = {
    "perceptron": report_perceptron,
    "least squares": report_least_squares,
    "LDA": report_lda,
    "logistic regression": report_logistic,
    "soft margin": report_soft_margin,
    "AdaBoost": report_adaboost,
    "nearest neighbors": report_neighbors,
}
NEED_BOTH_LABELS = METHODS.keys() - {"AdaBoost", "nearest neighbors"}
