"""A pass of `sgd` along the gradients of a loss copies little at a time."""

import numpy as np
import pytest

from mlcore import losses
from mlcore.solvers.loss_gradient import LossGradient


@pytest.mark.parametrize(("d", "batch"), [(3, 1), (3, 5), (100, 7), (100, 200)])
def test_rows_are_put_in_order_128_kb_at_a_time(d, batch):
    """As many batches as fit, at least one: not all of the data twice."""
    pieces = []

    class Watched(np.ndarray):
        def __getitem__(self, rows):
            if isinstance(rows, np.ndarray):
                pieces.append(len(rows))
            return np.asarray(self)[rows]

    n = 40_000 // d
    rows = np.random.default_rng(0).normal(size=(n, d))
    gradient = LossGradient(rows.view(Watched), losses.squared, 0.0)
    gradient.go(np.zeros(d), np.arange(n), iter(np.full(n, 1e-6)), batch, None)
    most = max(batch, 2**14 // d)
    assert sum(pieces) == n
    assert all(most - batch < piece <= most for piece in pieces[:-1])
    assert len(pieces) > 1 and pieces[-1] <= most
