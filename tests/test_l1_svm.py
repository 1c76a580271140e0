"""The 1-norm machine: by hand, against SciPy's solvers, and its path."""

import numpy as np
import pytest

from mlcore.l1_svm import l1_svm, l1_svm_path


def overlapping(seed, n=40, d=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 3
    y = np.where((X - 3) @ rng.normal(size=d) + 1.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return X, y


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

    def test_one_class(self):
        fit = l1_svm([[1.0], [2.0]], [-1, -1], C=1.0)
        assert fit.w.tolist() == [0.0]
        assert fit.b <= -1
        path = l1_svm_path([[1.0], [2.0]], [-1, -1], C=[1.0])
        assert path.converged.all()
        assert path.b[0] == pytest.approx(-1, abs=1e-3)

    def test_units(self):
        X, y = overlapping(3)
        fit, other = l1_svm(X, y, C=2.0), l1_svm(X * 1e100, y, C=2e-100)
        np.testing.assert_allclose(other.w * 1e100, fit.w, atol=1e-9)


class TestL1SvmPath:
    @pytest.mark.parametrize("max_steps", [1, 3, 5])
    def test_the_violation_is_that_of_the_weights_and_of_the_bias(self, max_steps):
        x, y = np.array([1.0, -3.0, 0.0]), np.array([-1.0, 1.0, -1.0])
        path = l1_svm_path(x[:, None], y, C=[0.5], max_steps=max_steps, tol=1e-12)
        loss = np.maximum(0, 1 - y * (path.W[0, 0] * x + path.b[0]))
        weight = abs(loss @ (y * (x + 2 / 3)) - np.sign(path.W[0, 0]))
        bias = abs(loss @ y) * 7 / 3  # the largest deviation of x
        assert path.violation[0] == pytest.approx(max(weight, bias), rel=1e-9)
        assert (bias > 3 * weight) == (max_steps == 5)

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
        assert path.C.tolist() == [1e-6, 0.05, 10.0]
        assert used[0] == 0 < used[-1]
        assert (np.diff(used) >= 0).all()

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
            (lambda: l1_svm_path(X2, Y2, C=[0.0]), "C must be at least 1e-150"),
            (lambda: l1_svm_path(X2, Y2, C=[1.0], tol=0), "tol must be greater than 0"),
        ],
    )
    def test_bad_options(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()
