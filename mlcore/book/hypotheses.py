"""What each method of the page Playground says of the data, and which theorems hold there.

A method is a function of the data and the sliders that returns what it `Says`: its rule,
its numbers, and for each theorem of the book that is about it whether its hypothesis holds.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from mlcore.book.grab import Number
from mlcore.book.plane import Element, told
from mlcore.boosting import adaboost
from mlcore.generative import lda
from mlcore.least_squares import least_squares
from mlcore.linear import LinearRule
from mlcore.logistic import logistic
from mlcore.neighbors import knn
from mlcore.perceptron import mistake_bound, perceptron_trace
from mlcore.separation import max_margin
from mlcore.svm import soft_margin

MOST = 500  # updates of the perceptron
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
        return max_margin(self.X, self.y)

    @cached_property
    def certificate(self) -> str:
        """That no line separates: a mean of one class is one of the other."""
        plus, minus = (
            " + ".join(
                f"{told(float(a))} x{str(i + 1).translate(LOW)}"
                for i, a in enumerate(self.best.weights)
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


@dataclass(frozen=True, eq=False)
class Says:
    """What a method says of the data.

    rule     has decision_function(X), and w and b if it is linear
    code     the lines of Python that give the rule, after X and y
    numbers  beside the count of what is wrong
    """

    rule: object
    code: str
    numbers: list[Number] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


NOVIKOFF = "Novikoff’s theorem", "perceptron.html#thm-novikoff"


def ask_perceptron(data: Data) -> Says:
    run = perceptron_trace(data.X, data.y, max_updates=MOST)
    rule = LinearRule(run.w[-1], float(run.b[-1]))
    code = f"""from mlcore.perceptron import perceptron_trace
run = perceptron_trace(X, y, max_updates={MOST})
w, b = run.w[-1], run.b[-1]"""
    if not data.best.separable:
        text = "no line separates, so there is no margin γ > 0, and no bound."
        proof = f"it never ends, since {data.certificate}."
        where = "Certificate", "perceptron.html#thm-certificate"
        notes = [Note(text, *NOVIKOFF, False), Note(proof, *where, True)]
        return Says(rule, code, [Number("updates", run.updates)], notes)
    longer = np.column_stack([data.X, np.ones(len(data.y))])
    best = max_margin(longer, data.y, bias=False)
    R = np.linalg.norm(longer, axis=1).max()
    bound = mistake_bound(R, best.margin)
    ends = "it made" if run.converged else "stopped here after"
    text = (
        f"measured on (x, 1), R = {told(R)} and γ = {told(best.margin)}: "
        f"at most R²/γ² = {told(np.floor(bound))} updates; {ends} {run.updates}."
    )
    updates = Number("updates", run.updates, of=bound)
    return Says(rule, code, [updates], [Note(text, *NOVIKOFF, True)])


def same_as_lda(data: Data) -> Note:
    plus, minus = (int((data.y == label).sum()) for label in (1, -1))
    where = "Least squares and LDA", "least_squares.html#thm-ls-lda"
    fit = lda(data.X, data.y)
    if fit.rank < 2:
        return Note("the scatter within the classes has no inverse.", *where, False)
    if np.allclose(fit.w, 0):
        return Note("the two means are the same: there is no line.", *where, False)
    if plus == minus:
        text = f"{plus} points on each side: least squares and LDA have the same line."
        return Note(text, *where, True)
    mean = (plus - minus) / (plus + minus)
    factor = mean / ((1 - mean**2) * np.arctanh(mean))
    text = (
        f"{plus} and {minus} points: the lines of least squares and LDA are parallel, that "
        f"of least squares {told(factor)} times as far from the middle of the two means."
    )
    return Note(text, *where, True)


def ask_least_squares(data: Data) -> Says:
    fit = least_squares(data.X, data.y)
    code = """from mlcore.least_squares import least_squares
least_squares_fit = least_squares(X, y)"""
    where = "Rank", "least_squares.html#thm-gram-rank"
    text = "the columns of (X, 1) are independent: exactly one solution."
    if fit.rank < 2:
        many = "infinitely many solutions, the shortest is drawn."
        text = f"all points lie on one line: {many}"
    unique = Note(text, *where, fit.rank == 2)
    return Says(fit, code, notes=[unique, same_as_lda(data)])


def ask_lda(data: Data) -> Says:
    code = "from mlcore.generative import lda\nlda_fit = lda(X, y)"
    return Says(lda(data.X, data.y), code, notes=[same_as_lda(data)])


def ask_logistic(data: Data) -> Says:
    fit = logistic(data.X, data.y)
    code = "from mlcore.logistic import logistic\nlogistic_regression_fit = logistic(X, y)"
    text = (
        "no line has every point on its side or on it: there is a minimum, and this is it."
    )
    if np.linalg.matrix_rank(data.X - data.X.mean(axis=0)) < 2:
        text = (
            "no line has every point on its side or on it, but the one on which all lie: "
        )
        text += "there are minima, and this is one."
    if not fit.converged:
        does = "separates" if data.best.separable else "has no point on its wrong side"
        text = f"a line {does}, so there is no minimum: |w| grows with every step."
    note = Note(text, "Existence", "logistic.html#thm-existence", fit.converged)
    numbers = [
        Number("length of w", np.linalg.norm(fit.w)),
        Number("mean loss (nats)", fit.values[-1], least=1e-9),
    ]
    return Says(fit, code, numbers, [note])


def ask_soft_margin(data: Data) -> Says:
    n, C = len(data.y), data.C
    fit = soft_margin(data.X, data.y, lambda_=1 / (n * C))
    code = f"""from mlcore.svm import soft_margin
soft_margin_fit = soft_margin(X, y, lambda_=1 / (len(y) * {C:.4g}))"""
    least, gap = fit.value * n * C, fit.gap * n * C
    text = (
        f"the forces prove that no line costs less than {told(least - gap)}; "
        f"this one costs {told(least)}."
    )
    notes = [Note(text, "A lower bound", "svm.html#thm-sv-bound", True)]
    free = (fit.a > 1e-4 * C) & (fit.a < (1 - 1e-4) * C)
    text = "no force lies between 0 and C: b need not be unique."
    if free.any():
        text = f"the force on point {free.argmax() + 1} lies between 0 and C: b is unique."
    notes.append(Note(text, "Uniqueness", "svm.html#thm-sv-unique", bool(free.any())))
    if data.best.separable:
        half, gamma = 1 / np.linalg.norm(fit.w), data.best.margin
        text = f"half of the widest street is γ = {told(gamma)}, of this one {told(half)}."
    else:
        text = f"no line separates, since {data.certificate}."
    where = "The hard margin", "svm.html#thm-hard-margin"
    notes.append(Note(text, *where, data.best.separable))
    return Says(fit, code, [Number("objective", least)], notes)


def ask_adaboost(data: Data) -> Says:
    fit = adaboost(data.X, data.y, rounds=data.rounds)
    code = f"""from mlcore.boosting import adaboost
adaboost_fit = adaboost(X, y, rounds={data.rounds})"""
    where = "The weak-learner assumption", "boosting.html#def-weak"
    if fit.stopped == "perfect":
        return Says(fit, code, notes=[Note("one stump makes no mistake.", *where, True)])
    if not len(fit.Z):
        return Says(fit, code, notes=[Note("no stump beats chance.", *where, False)])
    edge = 1 - 2 * fit.epsilon.max()
    text = f"in {len(fit.Z)} rounds the smallest edge was {told(edge)}."
    if fit.stopped == "no edge":
        text = f"after {len(fit.Z)} rounds no stump has an edge."
    wrong, bound = (fit.predict(data.X) != data.y).mean(), fit.bound[-1]
    error = f"training error {told(wrong)}, at most the product of the Z, {told(bound)}."
    notes = [
        Note(error, "Training error of AdaBoost", "boosting.html#thm-adaboost", True),
        # an edge in these rounds says nothing of the later ones
        Note(text, *where, False if fit.stopped == "no edge" else None),
    ]
    return Says(fit, code, [Number("product of the Z", bound, of=1)], notes)


def ask_neighbors(data: Data) -> Says:
    k = min(data.neighbors, len(data.y))

    class Rule:
        def decision_function(self, Z):
            return knn(data.X, data.y, Z, k=k).predicted

    code = f"from mlcore.neighbors import knn\nlabels = knn(X, y, X, k={k}).predicted"
    text = "it fits nothing and assumes nothing"
    text += ", and with one neighbor a point that occurs once is its own." * (k == 1) or "."
    note = Note(text, "Nearest neighbors", "multiclass.html#mc-neighbors")
    return Says(Rule(), code, notes=[note])


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
