"""Least squares, logistic regression and forward selection for data larger than memory.

X and y are Dask arrays, read block by block; only sums over their rows are in memory.
Names, options and results are those of the functions for data in memory, but there is no
sample_weight.  Shapes are checked immediately, numbers when their block is read.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from mlcore import checks
from mlcore.arrays import Matrix, Vector, ratio
from mlcore.least_squares import LeastSquaresFit
from mlcore.logistic import LogisticFit
from mlcore.selection import Selection
from mlcore.solvers import greedy, likelihood
from mlcore.solvers.descent import newton_steps
from mlcore.solvers.normal_equations import solve_normal_equations

SINGULAR_TOL = 1e-10  # eigenvalues of X.T @ X below this fraction of the largest count as 0


def least_squares(X, y, *, bias: bool = True) -> LeastSquaresFit:
    """Fit like `mlcore.least_squares.least_squares`; read the data twice.

    Here and in `ridge`, features that differ by less than 1e-5 of their size count as
    dependent.
    """
    return ridge(X, y, lambda_=0.0, bias=bias)


def ridge(X, y, *, lambda_: float = 1.0, bias: bool = True) -> LeastSquaresFit:
    """Fit like `mlcore.least_squares.ridge`; read the data twice."""
    lambda_ = checks.number("lambda_", lambda_, at_least=0.0)
    rows = Blocks(X, y)
    mean = rows.mean() if checks.flag("bias", bias) else np.zeros(rows.d + 1)

    def products(X, y, i):
        Z = np.column_stack([X, y]) - mean
        return [Z.T @ Z]

    (P,) = rows.sum(products)
    G, c, rank = P[:-1, :-1], P[:-1, -1:], rows.d
    W = solve_normal_equations(G, c, lambda_)
    if W is None:
        # as in solvers.normal_equations, but G gives half the digits of an SVD of X
        W, rank = _solve_truncated(G, c, lambda_)
        if lambda_ == 0:
            length = np.sqrt(np.diagonal(G))[:, None]
            unit = ratio(1.0, length, where=length > 0)
            change, rank = _solve_truncated(unit * G * unit.T, unit * (c - G @ W), 0.0)
            W += unit * change
    w = W[:, 0]
    return LeastSquaresFit(w=w, b=float(mean[-1] - mean[:-1] @ w), rank=rank)


def _solve_truncated(G: Matrix, C: Matrix, lambda_: float) -> tuple[Matrix, int]:
    """Solve (G + lambda I) W = C without tiny eigenvalues of G; also return its rank."""
    eigenvalues, U = np.linalg.eigh(G)
    kept = eigenvalues > SINGULAR_TOL * eigenvalues[-1]
    U = U[:, kept]
    return U @ ((U.T @ C) / (eigenvalues[kept, None] + lambda_)), int(kept.sum())


def logistic(
    X, y, *, lambda_: float = 0.0, bias: bool = True, tol: float = 1e-12, max_steps=50
) -> LogisticFit:
    """Fit like `mlcore.logistic.logistic`, by Newton steps; read the data once per step.

    With a bias the data are read once more, for their mean.  Features that differ by less
    than 1e-7 of their size count as dependent.
    All blocks must use the same coding of the labels, which is not checked.
    """
    rows = Blocks(X, y, check_y=checks.binary)
    lambda_ = checks.number("lambda_", lambda_, at_least=0.0)
    bias = checks.flag("bias", bias)
    tol = checks.number("tol", tol, at_least=0.0)
    max_steps = checks.integer("max_steps", max_steps, at_least=1)
    center = rows.mean()[:-1] if bias else np.zeros(rows.d)
    J = MeanLossOfBlocks(rows, np.full(rows.d, lambda_), center)
    has_minimum = partial(likelihood.has_finite_minimizer, rows.X - center)
    start = np.zeros(rows.d + bias)
    run = newton_steps(J, start, tol=tol, max_steps=max_steps, has_minimum=has_minimum)
    return LogisticFit(**likelihood.fields_of_fit(run, rows.d, center))


class MeanLossOfBlocks(likelihood.MeanLoss):
    """The mean log loss; one pass over the blocks gives it and its derivatives."""

    def __init__(self, rows: "Blocks", penalty: Vector, center: Vector):
        self.blocks, self.n, self.penalty, self.center = rows, rows.n, penalty, center

    def sums(self, v: Vector):
        def terms(X, y, i):
            data = X - self.center, y, np.ones(len(y)), v
            return likelihood.loss_sums(*data) + likelihood.hessian_sum(*data)

        loss, neg_gradient, H = self.blocks.sum(terms)
        return loss, neg_gradient, lambda: H


def forward(
    X, y, *, folds: int = 5, n_features: int | None = None, tol: float = 1e-9
) -> Selection:
    """Select features like `mlcore.selection.forward`; read the data twice.

    A feature counts as dependent if the others explain all but 1e-8 of its variance.

    folds  number of folds, at least 2.  Example i is in fold i modulo folds, as in
           `k_folds(y, folds=folds, stratified=False)`
    """
    rows = Blocks(X, y)
    if n_features is not None:
        n_features = checks.integer("n_features", n_features, at_most=rows.d)
    tol = checks.number("tol", tol, at_least=0.0, below=1.0)
    folds = checks.integer("folds", folds, at_least=2, at_most=rows.n)
    mean = rows.mean()

    def products(X, y, i):
        Z = np.column_stack([np.column_stack([X, y]) - mean, np.ones(len(X))])
        parts = [Z[i % folds == k] for k in range(folds)]
        return [B.T @ B for B in parts]

    test = np.stack(rows.sum(products))
    train = np.stack([np.delete(test, k, axis=0).sum(axis=0) for k in range(folds)])
    cv = greedy.LeastSquaresCV(train, test)
    return Selection(**greedy.search(cv, tol=tol, n_features=n_features, adding=True))


class Blocks:
    """X (n, d) and y (n,), Dask arrays, as blocks of rows."""

    def __init__(self, X, y, check_y: Callable = checks.targets):
        for name, A, ndim in ("X", X, 2), ("y", y, 1):
            if not hasattr(A, "to_delayed"):
                raise checks.error(name, "be a Dask array", type(A).__name__)
            if A.ndim != ndim or np.isnan(A.shape).any() or A.dtype.kind not in "biuf":
                rule = f"have {ndim} dimensions, numbers, and blocks of known size"
                raise checks.error(name, rule, f"shape {A.shape}, dtype {A.dtype}")
        if len(y) != len(X):
            raise checks.error("y", f"have {len(X)} entries", len(y))
        (self.n, self.d), sizes = X.shape, tuple(size for size in X.chunks[0] if size)
        self.X, self.y, self.check_y = X.rechunk((sizes, -1)), y.rechunk((sizes,)), check_y
        self.starts = np.cumsum([0, *sizes])[:-1].tolist()

    def sum(self, terms: Callable) -> list[np.ndarray]:
        """Sum the arrays terms(X, y, i) over the blocks; a block has the row indices i.

        Only one task uses a block: with more, Dask may keep all blocks in memory.
        """
        from dask import delayed

        def block_terms(X, y, start, check_y=self.check_y):
            i = np.arange(start, start + len(X))
            return terms(checks.features("X", X), check_y("y", y), i)

        def add(parts):
            return [sum(terms) for terms in zip(*parts, strict=True)]

        # without optimization X and y share the tasks that create both
        X, y = (A.to_delayed(optimize_graph=False).ravel() for A in (self.X, self.y))
        parts = [*map(delayed(block_terms), X, y, self.starts)]
        return delayed(add)(parts).compute()

    def mean(self) -> Vector:
        """Compute the means of X and y, (d + 1,), exactly for constant columns."""
        first = np.append(np.asarray(self.X[0]), np.asarray(self.y[0]))
        (sums,) = self.sum(lambda X, y, i: [(np.column_stack([X, y]) - first).sum(axis=0)])
        return first + sums / self.n
