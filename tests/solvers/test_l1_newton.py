"""Along a line the objective of the L1-SVM with squared hinge is quadratic in pieces."""

import numpy as np

from mlcore.solvers.l1_newton import lowest


def test_the_lowest_point_of_a_line_is_no_higher_than_any_other():
    for seed in range(100):
        rng = np.random.default_rng(seed)
        A = rng.normal(size=(rng.integers(1, 30), 5))
        v, change = rng.normal(size=(2, 5)) * 10.0 ** rng.integers(-2, 3, size=(2, 1))
        C = 10.0 ** rng.integers(-2, 3)

        def value(t, A=A, v=v, change=change, C=C):
            u = v + t * change
            return abs(u[:-1]).sum() + C * (np.maximum(0, 1 - A @ u) ** 2).sum()

        t = lowest(v, change, A @ v, A @ change, C)
        others = np.concatenate(
            [[0.0], t * np.linspace(0, 2, 101), np.logspace(-6, 6, 101)]
        )
        least = min(map(value, others))
        assert value(t) <= least + 1e-12 * (value(0.0) + least)
