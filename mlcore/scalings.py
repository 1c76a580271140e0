"""Convert lambda_ of the SVM to and from the constants of scikit-learn.

Here the objective is J(w, b) = mean hinge(y (w @ x + b)) + lambda_ / 2 |w|**2; multiplied
by a positive number, it has the same minimizer.  C of SVC multiplies a sum over n examples,
so C = 1 / (n lambda_): a large C means a small lambda_, and C depends on n.

Chapter: svm
"""

from mlcore import checks
from mlcore.arrays import LARGEST

FORMS = {  # (p, q): constant = lambda_**p * n**q, where p is 1 or -1
    "SVC": (-1, -1),  # C in |w|**2 / 2 + C sum hinge
    "LinearSVC": (-1, -1),  # the same with loss="hinge", but it adds b**2 / 2
    "SGDClassifier": (1, 0),  # alpha in alpha / 2 |w|**2 + mean hinge
}


def constant_of(form: str, *, lambda_: float, n: int) -> float:
    """Convert lambda_ to the constant of an objective with the same minimizer.

    form        "SVC", "LinearSVC" (both for C) or "SGDClassifier" (for alpha)
    lambda_, n  the penalty parameter of J, above 0; number of examples, at least 1

    Raises ValueError for another form and for values out of range.

    >>> constant_of("SVC", lambda_=0.1, n=20)
    0.5
    """
    p, q = FORMS[checks.choice("form", form, FORMS)]
    lambda_ = checks.number("lambda_", lambda_, at_least=1 / LARGEST)
    n = checks.integer("n", n, at_least=1, at_most=2**53)
    return checks.number("the constant for lambda_", lambda_**p * n**q)


def lambda_of(form: str, *, constant: float, n: int) -> float:
    """Convert the constant of an objective to lambda_; the inverse of `constant_of`."""
    p, q = FORMS[checks.choice("form", form, FORMS)]
    constant = checks.number("constant", constant, at_least=1 / LARGEST)
    n = checks.integer("n", n, at_least=1, at_most=2**53)
    return checks.number("lambda_ for the constant", (constant / n**q) ** p)
