"""The soft-margin problem: its two values, its curvature, and a pair on the way to both.

primal  smallest |w|**2 / 2 + C s @ xi  with A_i v >= 1 - xi_i, xi_i >= 0
dual    largest sum a - |sum_i a_i y_i x_i|**2 / 2  with 0 <= a_i <= C s_i, y @ a = 0

where v is (w, b), and the rows of A are y_i (x_i, 1).  The weights s of the examples are
above 0, with the mean 1; the number 1.0 stands for n of them.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.arrays import Matrix, Vector

ROWS = 3  # times the columns: so many rows are always in the system that is solved


@dataclass(frozen=True, eq=False)
class Solution:
    """The best pair found: v of the primal and a of the dual.

    v       (d,) of w, and after them b if there is a bias
    a       (n,) dual variables; exactly 0 or C s_i where they go there
    primal  the value of the primal problem at v
    dual    the value of the dual problem at a: no v has a lower primal value
    steps   how many Newton steps were taken
    """

    v: Vector
    a: Vector
    primal: float
    dual: float
    steps: int

    @property
    def gap(self) -> float:
        return self.primal - self.dual


class Problem:
    """What stays the same from step to step.

    A      (n, p), its last column that of the bias if there is one
    top    (n,) the most that each a_i may be
    share  (n,) the same as a part of the mean
    norms  (n,) the squared lengths of the rows of A
    reach  (n,) how much longer than usual an example is, at least 1: its a is about so
           much smaller, and its slack so much larger
    """

    def __init__(self, A: Matrix, top: Vector, bias: bool):
        self.A, self.top, self.bias = A, top, bias
        self.share = top / top.mean()
        self.w = slice(0, A.shape[1] - bias)
        self.penalty = np.append(np.ones(A.shape[1] - bias), [0.0] * bias)  # b is free
        self.norms = np.einsum("ij,ij->i", A, A)
        self.reach = np.sqrt(np.maximum(self.norms / usual(self.norms), 1.0))
        self.whole = False

    def values(self, v: Vector, z: Vector, a: Vector) -> tuple[float, float, float]:
        """The values of the primal and of the dual problem, and how far y @ a is off."""
        loss = np.maximum(0.0, 1 - z) @ self.top
        r = a @ self.A
        off = abs(r[-1]) if self.bias else 0.0
        w, r = v[self.w], r[self.w]
        return float(w @ w / 2 + loss), float(a.sum() - r @ r / 2), float(off)

    def curvature(self, theta: Vector, rows=None) -> Matrix:
        """The penalty plus the sum of theta_i A_i.T A_i, in blocks that fit the cache."""
        n, p = self.A.shape
        root, M, size = np.sqrt(theta), np.diag(self.penalty), 64 + 2**16 // p
        for k in range(0, n if rows is None else len(rows), size):
            part = slice(k, k + size) if rows is None else rows[k : k + size]
            B = self.A[part] * root[part, None]
            M += B.T @ B
        return M

    def heavy(self, theta: Vector):
        """The rows that make up the curvature, but for little; None for all of them.

        The others are left out of the system that is solved, not of the residuals, so
        that the direction is not quite Newton's, but what it leads to is the same.
        Source: Jung, O'Leary and Tits (2008).
        """
        n, p = self.A.shape
        if self.whole or n <= 2 * ROWS * p:
            return None
        parts = theta * self.norms
        least = np.partition(parts, n - ROWS * p)[n - ROWS * p] * ROWS * p / n
        rows = np.flatnonzero(parts > 0.3 * least)
        return rows if len(rows) < 0.6 * n else None

    def judged(self, v: Vector, a: Vector, steps: int) -> Solution:
        """A solution from any v and a, once the duals are within their bounds."""
        top = self.top
        a = np.clip(a, 0.0, top)
        if self.bias:  # y @ a = 0 exactly, by moving those inside (0, top)
            y = np.sign(self.A[:, -1])
            room = np.minimum(a, top - a)
            a = np.clip(a - y * room * (y @ a) / max(room.sum(), 1e-300), 0.0, top)
        primal, dual, off = self.values(v, self.A @ v, a)
        proof = off <= 1e-13 * np.abs(self.A[:, -1]) @ a
        return Solution(v, a, primal, dual if proof else -np.inf, steps)


@dataclass(frozen=True, eq=False)
class Iterate:
    """A pair on the way.

    v, z     the primal variables, and A v
    duals    (2, n) a, and top - a
    slacks   (2, n) z - 1 + xi, and xi: their products with the duals go to 0
    missing  z - 1 + xi less the slack that stands for it
    """

    v: Vector
    z: Vector
    duals: Matrix
    slacks: Matrix
    missing: Vector


def usual(squares: Vector) -> float:
    """The median of the squared lengths that are not 0; 1 if all are."""
    true = squares[squares > 0]
    return float(np.median(true)) if len(true) else 1.0
