"""What each method of the page Playground says of the data, and which theorems hold there.

A method is a function of the data and the sliders that returns what it `Says`: its rule,
its numbers, and for each theorem of the book that is about it whether its hypothesis holds.
Its sentences, and the code that gives the same, stand in hypotheses.toml.
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

MOST = 500  # updates of the perceptron
WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, eq=False)
class Data:
    """The points, and the sliders."""

    X: np.ndarray
    y: np.ndarray
    C: float
    rounds: int
    neighbors: int

    @cached_property
    def best(self):
        return hard_margin(self.X, self.y)

    @cached_property
    def certificate(self) -> str:
        """That no line separates: a mean of one class is one of the other."""
        plus, minus = (
            " + ".join(
                f"{format_number(float(a))} x{str(i + 1).translate(LOW)}"
                for i, a in enumerate(2 * self.best.certificate)  # sum 1 in each class
                if a > 1e-6 and self.y[i] == label
            )
            for label in (1, -1)
        )
        return f"{plus} = {minus}"


@dataclass(frozen=True, eq=False)
class Note:
    """A sentence below the picture, and the theorem that it is about.

    holds  whether the theorem says something of these data; None: it is no theorem
    where  the address of the theorem
    """

    text: str
    theorem: str = ""
    where: str = ""
    holds: bool | None = None

    def __str__(self) -> str:
        return f"{self.text} {self.theorem}".rstrip()

    def element(self) -> Element:
        look = {True: "hs-holds", False: "hs-broken", None: ""}[self.holds]
        link = [["a", {"href": self.where}, self.theorem]] * bool(self.where)
        return ["li", {"class": look}, [["span", {}, self.text], *link]]


def note(theorem: str, sentence: str, holds: bool | None, **values) -> Note:
    """A sentence on a theorem, both by their names in the file."""
    words = WORDS[theorem]
    shown = {k: v if isinstance(v, str) else format_number(v) for k, v in values.items()}
    return Note(words[sentence].format(**shown), *words["theorem"], holds)


def code_of(method: str, data: Data) -> str:
    """The lines of Python that give the rule of a method, after X and y."""
    return WORDS["code"][method].format(most=MOST, **vars(data))


@dataclass(frozen=True, eq=False)
class Says:
    """What a method says of the data.

    rule     has decision_function(X), and w and b if it is linear
    numbers  beside the count of what is wrong
    """

    rule: object
    notes: list[Note]
    numbers: list[Number] = field(default_factory=list)


def ask_perceptron(data: Data) -> Says:
    run = perceptron_trace(data.X, data.y, max_updates=MOST)
    rule = LinearRule(run.w[-1], float(run.b[-1]))
    if not data.best.separable:
        notes = [note("novikoff", "none", False)]
        notes += [note("certificate", "endless", True, proof=data.certificate)]
        return Says(rule, notes, [Number("updates", run.updates)])
    longer = np.column_stack([data.X, np.ones(len(data.y))])
    gamma = hard_margin(longer, data.y, bias=False).margin
    R = np.linalg.norm(longer, axis=1).max()
    bound, ends = mistake_bound(R, gamma), "ended" if run.converged else "stopped"
    most = {"R": R, "gamma": gamma, "most": np.floor(bound), "made": run.updates}
    updates = Number("updates", run.updates, of=bound)
    return Says(rule, [note("novikoff", ends, True, **most)], [updates])


def same_as_lda(data: Data) -> Note:
    plus, minus = (int((data.y == label).sum()) for label in (1, -1))
    name, fit, factor = "least_squares_and_lda", lda(data.X, data.y), 1.0
    if fit.rank < 2:
        return note(name, "no_inverse", False)
    if np.allclose(fit.w, 0):
        return note(name, "same_means", False)
    if plus == minus:
        return note(name, "same", True, plus=plus)
    mean = (plus - minus) / (plus + minus)
    factor = mean / ((1 - mean**2) * np.arctanh(mean))
    return note(name, "parallel", True, plus=plus, minus=minus, factor=factor)


def ask_least_squares(data: Data) -> Says:
    fit = least_squares(data.X, data.y)
    unique = note("rank", "one" if fit.rank == 2 else "many", fit.rank == 2)
    return Says(fit, [unique, same_as_lda(data)])


def ask_lda(data: Data) -> Says:
    return Says(lda(data.X, data.y), [same_as_lda(data)])


def ask_logistic(data: Data) -> Says:
    fit = logistic(data.X, data.y)
    on_a_line = np.linalg.matrix_rank(data.X - data.X.mean(axis=0)) < 2
    said = "many" if on_a_line else "one"
    if not fit.converged:
        said = "separates" if data.best.separable else "touches"
    numbers = [Number("length of w", np.linalg.norm(fit.w))]
    numbers += [Number("mean loss (nats)", fit.values[-1], least=1e-9)]
    return Says(fit, [note("existence", said, fit.converged)], numbers)


def ask_soft_margin(data: Data) -> Says:
    n, C = len(data.y), data.C
    fit = soft_margin(data.X, data.y, lambda_=1 / (n * C))
    cost, gap = fit.value * n * C, fit.duality_gap * n * C
    notes = [note("lower_bound", "costs", True, least=cost - gap, cost=cost)]
    free = (fit.a > 1e-4 * C) & (fit.a < (1 - 1e-4) * C)
    unique, point = bool(free.any()), free.argmax() + 1
    notes.append(note("uniqueness", "unique" if unique else "open", unique, point=point))
    if data.best.separable:
        half, gamma = 1 / np.linalg.norm(fit.w), data.best.margin
        notes.append(note("hard_margin", "widest", True, gamma=gamma, half=half))
    else:
        notes.append(note("hard_margin", "none", False, proof=data.certificate))
    return Says(fit, notes, [Number("objective", cost)])


def ask_adaboost(data: Data) -> Says:
    fit = adaboost(data.X, data.y, rounds=data.rounds)
    if fit.stopped == "perfect":
        return Says(fit, [note("weak", "perfect", True)])
    if not len(fit.Z):
        return Says(fit, [note("weak", "chance", False)])
    edge, ended = 1 - 2 * fit.epsilon.max(), fit.stopped == "no edge"
    wrong, bound = (fit.predict(data.X) != data.y).mean(), fit.bound[-1]
    # an edge in these rounds says nothing of the later ones
    said, holds = ("no_edge", False) if ended else ("edge", None)
    notes = [note("training_error", "bound", True, wrong=wrong, bound=bound)]
    notes += [note("weak", said, holds, rounds=len(fit.Z), edge=edge)]
    return Says(fit, notes, [Number("product of the Z", bound, of=1)])


def ask_neighbors(data: Data) -> Says:
    class Rule:
        def decision_function(self, Z):
            return knn(data.X, data.y, Z, k=data.neighbors).predicted

    said = "one" if data.neighbors == 1 else "many"
    return Says(Rule(), [note("neighbors", said, None)])


METHODS: dict[str, Callable[[Data], Says]] = {
    "perceptron": ask_perceptron,
    "least squares": ask_least_squares,
    "LDA": ask_lda,
    "logistic regression": ask_logistic,
    "soft margin": ask_soft_margin,
    "AdaBoost": ask_adaboost,
    "nearest neighbors": ask_neighbors,
}
BOTH = [*METHODS][:5]  # which need points of both labels
