"""The objective of the SVM as others scale it: their constants, from and to lambda_.

The objective of the book is J(w, b) = mean hinge(y (w @ x + b)) + lambda_ / 2 |w|**2.
Multiplied by a positive number it has the same minimizer under another name.

The C of scikit-learn's SVC stands beside a sum over n examples, and lambda_ beside |w|**2
and a mean, so C = 1 / (n lambda_): a large C is a small lambda_, and with more examples
the same lambda_ is another C.

Chapter: svm
"""

from mlcore import checks
from mlcore.arrays import LARGEST

FORMS = {  # constant = factor * lambda_**p * n**q, with (factor, p, q)
    "SVC": (1, -1, -1),  # C of |w|**2 / 2 + C sum hinge, the textbook's
    "LinearSVC": (1, -1, -1),  # the same with loss="hinge", but it adds b**2 / 2
    "SGDClassifier": (1, 1, 0),  # alpha of alpha / 2 |w|**2 + mean hinge
    "Zisserman": (2, -1, -1),  # C of |w|**2 + C sum hinge
    "Krause mean": (0.5, 1, 0),  # lambda of lambda |w|**2 + mean hinge
    "Krause sum": (0.5, 1, 1),  # lambda of lambda |w|**2 + sum hinge
}


def constant_of(form: str, *, lambda_: float, n: int) -> float:
    """Find the constant with which an objective of another form has the minimizer of J.

    form        "SVC" or "LinearSVC" (C), "SGDClassifier" (alpha), "Zisserman" (C), "Krause
                mean" or "Krause sum" (lambda)
    lambda_, n  above 0, of J; the number of examples, at least 1

    Raises ValueError for another form, or a value out of range.

    >>> constant_of("SVC", lambda_=0.1, n=20)
    0.5
    """
    factor, p, q = FORMS[checks.choice("form", form, FORMS)]
    lambda_ = checks.number("lambda_", lambda_, at_least=1 / LARGEST)
    n = checks.integer("n", n, at_least=1, at_most=2**53)
    return checks.number("the constant for lambda_", factor * lambda_**p * n**q)


def lambda_of(form: str, *, constant: float, n: int) -> float:
    """Find the lambda_ of J that has the minimizer of an objective of another form.

    The inverse of `constant_of`, with the same forms and errors.
    """
    factor, p, q = FORMS[checks.choice("form", form, FORMS)]
    constant = checks.number("constant", constant, at_least=1 / LARGEST)
    n = checks.integer("n", n, at_least=1, at_most=2**53)
    return checks.number("lambda_ for the constant", (constant / factor / n**q) ** p)
