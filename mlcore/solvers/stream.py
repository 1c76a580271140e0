"""Pegasos on a stream of examples, piece by piece."""

from dataclasses import dataclass

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector
from mlcore.options import check_flag, check_integer
from mlcore.solvers.hinge_steps import dealt, mean_hinge, walk
from mlcore.solvers.subgradients import Descent, check_problem


@dataclass(frozen=True, eq=False)
class Stream(Descent):
    """The rule that Pegasos has found so far, and where it goes on from.

    last  (d + 1,) w and b after the last step
    done  the number of steps
    """

    last: Vector
    done: int


def begin(d: int) -> Stream:
    """The stream before its first example, which has d features."""
    return Stream(np.zeros(d), 0.0, np.empty(0), np.zeros(d + 1), 0)


def after(found: Descent, *, done: int) -> Stream:
    """The stream after a whole run of so many steps: its answer is where it goes on."""
    return Stream(found.w, found.b, found.values, np.append(found.w, found.b), done)


def go_on(before: Stream, X: Matrix, y: Signs, *, lambda_, batch, bias, average) -> Stream:
    """Go once through more examples, in their order, by the steps of `pegasos`.

    w and b are the mean over these steps, or the last if average is False; J there, of
    these examples, joins the values.  Raises ValueError as `pegasos` does; a batch
    may be longer than X.
    """
    X, y, lambda_ = check_problem(X, y, lambda_)
    batch = check_integer("batch", batch, at_least=1)
    bias, average = check_flag("bias", bias), check_flag("average", average)
    rows, order = dealt(X, y, bias, np.arange(len(y))), list(range(-(-len(y) // batch)))
    last, total = before.last.copy(), np.zeros(len(before.last))
    walk(last, rows, order, before.done, lambda_, total)
    v = total / len(order) if average else last.copy()
    values = np.append(before.values, mean_hinge(rows, v, lambda_))
    return Stream(v[:-1], float(v[-1]), values, last, before.done + len(order))
