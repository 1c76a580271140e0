"""The 1-norm machine: by hand, against SciPy's solvers, and its path."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from mlcore import losses
from mlcore.l1_svm import L1SvmFit, l1_svm, l1_svm_path


def overlapping(seed, n=40, d=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 3
    y = np.where((X - 3) @ rng.normal(size=d) + 1.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return X, y


def difficult(seed):
    """Small whole numbers or not, copies, near copies, other units, more features."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(2, 60), rng.integers(1, 80)
    X = rng.normal(size=(n, d)) + 2 if seed % 2 else rng.integers(-2, 3, size=(n, d)) * 1.0
    if seed % 3 == 0:
        X = np.column_stack([X, X[:, 0], -X[:, -1], np.full(n, 0.1)])
    if seed % 5 == 0:
        X = X * 10.0 ** rng.integers(-5, 6, size=X.shape[1])
    if seed % 7 == 0:
        X = np.column_stack([X, X[:, 0] + 1e-7 * rng.normal(size=n)])
    scores = X @ rng.normal(size=X.shape[1]) + 3 * (seed % 4) * rng.normal(size=n)
    return X, np.where(scores >= 0, 1.0, -1.0)


class TestL1Svm:
    def test_by_hand(self):
        # one feature, margin 2: |w| + C sum max(0, 1 - z) has its kink at w = 1
        X, y = [[-1.0], [1.0]], [-1, 1]
        fit = l1_svm(X, y, C=3.0)
        assert (fit.w[0], fit.b) == pytest.approx((1.0, 0.0))
        assert fit.objective == pytest.approx(1.0)
        assert l1_svm(X, y, C=0.3).w[0] == 0.0  # 2 C < 1: the penalty wins

    def test_the_primal_program_has_the_same_value(self):
        from scipy.optimize import linprog

        for seed in range(15):
            X, y = overlapping(seed, n=12 + seed, d=1 + seed)
            n, d = X.shape
            C = 10.0 ** np.random.default_rng(seed).uniform(-1.5, 2)
            fit = l1_svm(X, y, C=C)
            A = y[:, None] * np.column_stack([X, -X, np.ones(n), -np.ones(n)])
            cost = np.concatenate([np.ones(2 * d), [0, 0], np.full(n, C)])
            program = linprog(cost, A_ub=-np.column_stack([A, np.eye(n)]), b_ub=-np.ones(n))
            hinge = np.maximum(0, 1 - y * (X @ fit.w + fit.b))
            value = abs(fit.w).sum() + C * hinge.sum()
            assert value == pytest.approx(program.fun, rel=1e-7)
            assert fit.converged
            assert fit.gap < 1e-9
            assert np.count_nonzero(fit.w) <= n

    def test_more_features_than_examples(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(20, 400))
        y = np.where(X[:, 3] > 0, 1.0, -1.0)
        fit = l1_svm(X, y, C=5.0)
        assert fit.converged
        assert 0 < np.count_nonzero(fit.w) <= 20
        assert (fit.predict(X) == y).all()

    def test_many_examples_with_ties_and_copies(self):
        """The dual value of HiGHS for all of them at once is the value of the fit."""
        from scipy.optimize import linprog

        for seed, C in enumerate([0.01, 0.1, 1.0, 10.0]):
            X, y = overlapping(seed, n=1200, d=3)
            X = np.vstack([X, np.round(X)]) - 3
            y = np.tile(y, 2)
            fit = l1_svm(X, y, C=C)
            assert fit.converged
            n, A = len(y), (y[:, None] * X).T
            program = linprog(
                -np.ones(n),
                A_ub=np.vstack([A, -A]),
                b_ub=np.ones(6),
                A_eq=y[None],
                b_eq=[0],
                bounds=(0, C),
            )
            value = (
                abs(fit.w).sum()
                + C * losses.hinge.value(y * fit.decision_function(X)).sum()
            )
            assert value == pytest.approx(-program.fun, rel=1e-7)

    def test_zeros_are_exact(self):
        digits = load_digits()
        chosen = np.isin(digits.target, [3, 8])
        X, y = digits.data[chosen], np.where(digits.target[chosen] == 8, 1.0, -1.0)
        for C in 0.1, 1.0, 10.0:
            w = l1_svm(X, y, C=C).w
            assert abs(w[w != 0]).min() > 1e-6 * abs(w).max()
            assert 10 < np.count_nonzero(w) < 30

    def test_one_class_of_many_examples(self):
        fit = l1_svm(np.arange(3000.0)[:, None], np.ones(3000), C=1.0)
        assert fit.converged
        assert (fit.w.tolist(), fit.b >= 1) == ([0.0], True)

    def test_one_class(self):
        fit = l1_svm([[1.0], [2.0]], [-1, -1], C=1.0)
        assert fit.w.tolist() == [0.0]
        assert fit.b <= -1
        path = l1_svm_path([[1.0], [2.0]], [-1, -1], C=[1.0])
        assert path.converged.all()
        assert path.b[0] == pytest.approx(-1, abs=1e-3)

    def test_C_is_1_if_none_is_given(self):
        X, y = overlapping(0)
        fit, same = l1_svm(X, y), l1_svm(X, y, C=1.0)
        assert (fit.w.tolist(), fit.b, fit.C) == (same.w.tolist(), same.b, 1.0)

    def test_a_gap_of_a_millionth_is_too_large(self):
        gaps = [0.0, 0.99e-6, 1e-6, 1.0]
        fits = [L1SvmFit(np.zeros(1), 0.0, 1.0, 1.0, gap) for gap in gaps]
        assert [fit.converged for fit in fits] == [True, True, False, False]

    def test_constant_features_weigh_nothing(self):
        """b = 1 leaves a loss of 2; b = 1/3 the least sum of squares."""
        X, y = [[3.0], [3.0], [3.0]], [1, -1, 1]
        fit = l1_svm(X, y, C=0.5)
        assert (fit.w.tolist(), np.signbit(fit.w[0])) == ([0.0], False)
        assert (fit.b, fit.objective) == pytest.approx((1.0, 1.0))
        path = l1_svm_path(X, y, C=[0.5, 1e9], tol=1e-6)  # the largest C that is taken
        assert path.W.tolist() == [[0.0], [0.0]]
        np.testing.assert_allclose(path.b, 1 / 3)
        assert path.converged[0]

    def test_features_of_very_different_sizes(self):
        """HiGHS leaves out entries below 1e-9, which may matter where C is large."""
        rng = np.random.default_rng(0)
        X = (99 + rng.normal(size=(5, 5))) * [1e-9, 0.1, 1.0, 1e4, 1e8]
        assert l1_svm(X, [1, 1, -1, 1, -1], C=1.0).converged

    def test_units(self):
        X, y = overlapping(3)
        fit, other = l1_svm(X, y, C=2.0), l1_svm(X * 1e100, y, C=2e-100)
        np.testing.assert_allclose(other.w * 1e100, fit.w, atol=1e-9)


class TestL1SvmPath:
    def test_the_violation_is_that_of_the_weights_and_of_the_bias(self):
        largest = set()
        for seed in range(10):
            X, y = overlapping(seed)
            path = l1_svm_path(X, y, C=[0.1], max_steps=1)
            w, deviations = path.W[0], X - X.mean(axis=0)
            loss = 0.2 * np.maximum(0, 1 - y * (X @ w + path.b[0])) * y
            slopes = loss @ deviations
            off = np.where(w == 0, np.maximum(abs(slopes) - 1, 0), abs(slopes - np.sign(w)))
            parts = {"weights": off.max(), "bias": abs(loss.sum()) * abs(deviations).max()}
            assert path.violation[0] == pytest.approx(max(parts.values()), rel=1e-7)
            largest.add(max(parts, key=parts.get))
        assert largest == {"weights", "bias"}

    def test_scipy_finds_the_same_minimum(self):
        from scipy.optimize import minimize

        for seed in range(4):
            X, y = overlapping(seed)
            path = l1_svm_path(X, y, C=[0.05, 0.3, 3.0], tol=1e-6)
            assert path.converged.all()
            A, d = y[:, None] * np.column_stack([X - 3, -(X - 3), np.ones(len(X))]), 5
            for C, w, b in zip(path.C, path.W, path.b, strict=True):

                def value(u, A=A, C=C, d=d):
                    loss = np.maximum(0, 1 - A @ u)
                    slope = np.append(np.ones(2 * d), 0) - 2 * C * loss @ A
                    return u[:-1].sum() + C * loss @ loss, slope

                found = minimize(
                    value,
                    np.zeros(2 * d + 1),
                    jac=True,
                    bounds=[(0, None)] * (2 * d) + [(None, None)],
                    options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10_000},
                )
                ours = value(
                    np.concatenate([np.maximum(w, 0), np.maximum(-w, 0), [b + 3 * w.sum()]])
                )[0]
                assert ours == pytest.approx(found.fun, rel=1e-9)
                np.testing.assert_allclose(w, found.x[:d] - found.x[d:-1], atol=1e-4)

    def test_optimality_conditions(self):
        for seed in range(8):
            X, y = overlapping(seed)
            C = np.logspace(-2, 1, 5)
            path = l1_svm_path(X, y, C=C, tol=1e-5)
            assert path.converged.all()
            for c, w, b in zip(C, path.W, path.b, strict=True):
                a = 2 * c * np.maximum(0, 1 - y * (X @ w + b)) * y
                size = abs(X - X.mean(axis=0)).max()
                assert abs(a.sum()) / size < 1e-4 * max(1, abs(a).sum())
                slope = a @ (X - X.mean(axis=0))
                assert (abs(slope) <= 1 + 1e-4).all()
                np.testing.assert_allclose(slope[w != 0], np.sign(w[w != 0]), atol=1e-4)

    def test_small_C_leaves_all_out_and_large_C_takes_all_in(self):
        X, y = overlapping(1)
        path = l1_svm_path(X, y, C=[10.0, 1e-6, 0.05])
        used = np.count_nonzero(path.W, axis=1)
        np.testing.assert_allclose(path.C, [1e-6, 0.05, 10.0])
        assert used[0] == 0 < used[-1]
        assert (np.diff(used) >= 0).all()

    @pytest.mark.parametrize("tol", [1e-4, 1e-7])
    def test_ties_copies_units_and_separable_classes(self, tol):
        for seed in range(60):
            X, y = difficult(seed)
            deviations = X - X.mean(axis=0)
            top = 2 * abs((y - y.mean()) @ deviations).max() or 1.0
            C = np.logspace(0.1, 2 + 2 * (seed % 3), 15) / top
            path = l1_svm_path(X, y, C=C, tol=tol)
            assert path.converged.all()
            loss = np.maximum(0, 1 - y * (path.W @ X.T + path.b[:, None])) * y
            slopes = 2 * C[:, None] * loss @ deviations
            off = np.where(path.W == 0, np.maximum(abs(slopes) - 1, 0), 0)
            off += np.where(path.W == 0, 0, abs(slopes - np.sign(path.W)))
            assert off.max() < 1.01 * tol + 1e-9 * C[-1] * top

    def test_a_violation_of_tol_will_do(self):
        X, y = overlapping(1)
        found = l1_svm_path(X, y, C=[10.0], max_steps=2, tol=1e-9).violation[0]
        assert found > 1e-9
        path = l1_svm_path(X, y, C=[10.0], max_steps=9, tol=found)
        assert (path.violation[0], path.converged[0]) == (found, True)

    def test_it_says_so_when_it_gives_up(self):
        X, y = overlapping(1)
        path = l1_svm_path(X, y, C=[10.0], max_steps=1)
        assert not path.converged.any()
        assert path.violation[0] > 1e-4


X2, Y2 = [[1.0, 0.0], [0.0, 3.0], [2.0, 2.0]], [1.0, -1.0, 1.0]


class TestContract:
    @pytest.mark.parametrize(
        "call",
        [
            lambda X, y: l1_svm(X, y, C=1.0),
            lambda X, y: l1_svm_path(X, y, C=[1.0]),
        ],
    )
    def test_bad_data(self, call):
        for X, y, message in [
            ([[np.nan]], [1], "X must be finite"),
            ([1.0], [1], "X must be a matrix"),
            (X2, [1, -1], "y must have 3 entries; got 2"),
            (X2, ["a", "b", "c"], "y must be an array of real numbers"),
        ]:
            with pytest.raises(ValueError, match=message):
                call(X, y)
        X, y = np.array(X2), np.array(Y2)
        X.setflags(write=False)
        y.setflags(write=False)
        call(X, y)

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: l1_svm(X2, Y2, C=0), "C must be greater than 0; got 0"),
            (lambda: l1_svm(X2, [0, 1, 1], C=1), "y must hold only -1 and .1"),
            (lambda: l1_svm(X2, Y2, C=1e10), "C . max .X. must be at most"),
            (lambda: l1_svm_path(X2, Y2, C=[0.0, 1.0]), "C must be at least 1e-150"),
            (lambda: l1_svm_path(X2, Y2, C=[1.0, 1e9]), "C . max .X. must be at most"),
            (lambda: l1_svm([[0, 0], [1, 1e9], [1, 0]], Y2, C=10), "C . max .X. must be"),
            (lambda: l1_svm_path(X2, Y2, C=[1.0], tol=0), "tol must be greater than 0"),
        ],
    )
    def test_bad_options(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()
