"""The lasso: its path, cross-validation, and proximal descent."""

from dataclasses import replace

import numpy as np
import pytest
from oracles import judge
from oracles_lasso import of_lasso_fit

from mlcore.lasso import LassoFit, fista, ista, lasso, lasso_cv, lasso_path
from mlcore.solvers.l1_penalty import duality_gap
from mlcore.validation import k_folds, monte_carlo


def problem(seed):
    """Normal or small whole numbers (ties), with copied columns or without."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(2, 40), rng.integers(1, 30)
    X = rng.normal(size=(n, d)) + 2 if seed % 2 else rng.integers(-2, 3, size=(n, d))
    y = rng.normal(size=n) if seed % 4 < 2 else rng.integers(-3, 4, size=n)
    X, y = X.astype(float), y.astype(float)
    if seed % 3 == 0:
        X = np.column_stack([X, X[:, 0], -X[:, -1], np.full(n, 0.1)])
    return X, y


def objective(X, y, rule, lambda_):
    return np.sum((y - X @ rule.w - rule.b) ** 2) + lambda_ * abs(rule.w).sum()


def violation(X, y, rule, lambda_):
    """How far the optimality conditions are from holding, over the largest slope."""
    r = y - X @ rule.w - rule.b
    centered = X - X.mean(axis=0)
    slope, active = 2 * centered.T @ r, rule.w != 0
    size = max(abs(2 * centered.T @ (y - y.mean())).max(), 1e-300)
    on = abs(slope[active] - lambda_ * np.sign(rule.w[active])).max(initial=0)
    off = (abs(slope[~active]) - lambda_).max(initial=0)
    return max(on, off) / size + abs(r.sum()) / (abs(y).sum() + 1e-300)


class TestPath:
    def test_by_hand(self):
        # orthogonal: each weight is the product cut at lambda / 2, over the square 2
        X = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
        y = np.array([4.0, -2, 1, -1]) + 10
        path = lasso_path(X, y)
        np.testing.assert_allclose(path.lambdas, [12, 4, 0], atol=1e-8)
        np.testing.assert_allclose(path.W, [[0, 0], [2, 0], [3, 1]], atol=1e-8)
        np.testing.assert_allclose(path.b, 10.5)
        assert path.complete
        np.testing.assert_allclose(path.at(8.0).w, [1, 0], atol=1e-8)
        np.testing.assert_allclose(path.at(2.0).w, [2.5, 0.5], atol=1e-8)
        assert not path.at(20.0).w.any()

    def test_threshold_is_half_of_lambda(self):
        X, y = np.array([[-1.0], [1.0]]) / np.sqrt(2), np.array([-2.0, 2.0]) / np.sqrt(2)
        for lambda_ in 0.5, 1.0, 3.0, 5.0:  # (2 - w)**2 + lambda |w|
            fit = lasso(X, y, lambda_=lambda_)
            assert fit.w[0] == pytest.approx(max(0, 2 - lambda_ / 2), abs=1e-9)

    @pytest.mark.parametrize("part", range(4))
    def test_optimality_conditions_at_every_knot_and_between(self, part):
        for seed in range(part, 160, 4):
            X, y = problem(seed)
            path = lasso_path(X, y)
            assert path.complete
            assert (np.diff(path.lambdas) < 0).all()
            middle = (path.lambdas[1:] + path.lambdas[:-1]) / 2
            for lambda_ in np.concatenate([path.lambdas[:-1], middle]):
                assert violation(X, y, path.at(lambda_), lambda_) < 1e-5

    def test_the_gap_proves_the_minimum(self):
        for seed in range(60):
            X, y = problem(seed)
            top = lasso_path(X, y).lambdas[0]
            for part in 0.9, 0.3, 0.01:
                fit = lasso(X, y, lambda_=part * top)
                assert fit.converged
                assert fit.gap < 1e-8
                base = np.sum((y - y.mean()) ** 2)
                rng = np.random.default_rng(seed)
                for _ in range(5):
                    other = type(fit)(
                        fit.w + 0.01 * rng.normal(size=len(fit.w)), fit.b, 0.0, 0.0
                    )
                    assert objective(X, y, other, part * top) >= (
                        objective(X, y, fit, part * top) - 1e-8 * base
                    )

    def test_first_knot_is_where_the_first_weight_leaves_zero(self):
        for seed in range(20):
            X, y = problem(seed)
            path = lasso_path(X, y)
            top = 2 * abs((X - X.mean(axis=0)).T @ (y - y.mean())).max()
            assert path.lambdas[0] == pytest.approx(top, rel=1e-12, abs=1e-12)
            assert not path.W[0].any()
            if top > 1e-9:
                assert path.at(0.999 * top).w.any()

    def test_lambda_is_1_if_none_is_given(self):
        X, y = problem(7)
        assert lasso(X, y).w.tolist() == lasso(X, y, lambda_=1.0).w.tolist()

    def test_a_gap_of_a_millionth_is_too_large(self):
        gaps = [0.0, 0.99e-6, 1e-6, 1.0]
        fits = [LassoFit(np.zeros(1), 0.0, 1.0, gap) for gap in gaps]
        assert [fit.converged for fit in fits] == [True, True, False, False]

    def test_a_huge_lambda_leaves_nothing(self):
        for y in [5e-324, 0.0], [1e-310, 2.0]:
            fit = lasso([[1.0], [2.0]], y, lambda_=1e150)
            assert (fit.w, fit.gap) == ([0.0], 0.0)
            assert fit.b == pytest.approx(np.mean(y), abs=1e-300)

    def test_until(self):
        X, y = problem(7)
        whole = lasso_path(X, y)
        middle = whole.lambdas[len(whole.lambdas) // 2] * 0.999
        part = lasso_path(X, y, until=middle)
        assert part.lambdas[-1] == middle
        np.testing.assert_allclose(part.W[-1], whole.at(middle).w, atol=1e-9)
        with pytest.raises(ValueError, match="lambda_ must be at least"):
            part.at(0.5 * middle)

    def test_at_zero_it_is_least_squares(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
        A = np.column_stack([X, np.ones(30)])
        expected = np.linalg.lstsq(A, y)[0]
        fit = lasso(X, y, lambda_=0.0)
        np.testing.assert_allclose([*fit.w, fit.b], expected, atol=1e-8)

    def test_copied_columns_share(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
        twice = np.column_stack([X, X])
        fit, copied = lasso(X, y, lambda_=5.0), lasso(twice, y, lambda_=5.0)
        np.testing.assert_allclose(copied.w[:3] + copied.w[3:], fit.w, atol=1e-8)

    def test_near_copies_and_sums_of_columns(self):
        for seed in range(60):
            rng = np.random.default_rng(seed)
            X = rng.integers(-2, 3, size=(10, 4)) if seed % 2 else rng.normal(size=(10, 4))
            X, y = X.astype(float), rng.normal(size=10)
            near = X[:, 0] + 10.0 ** -rng.integers(5, 16) * rng.normal(size=10)
            X = np.column_stack([X, near, X[:, 0] + X[:, 1], X.mean(axis=1)])
            for part in 0.5, 0.1, 1e-3:
                lambda_ = part * lasso_path(X, y).lambdas[0]
                assert lasso(X, y, lambda_=lambda_).converged

    def test_nearly_uncorrelated_with_all(self):
        """A first lambda of 1e-12 is as good as one of 1."""
        X = np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
        y = X[:, 0] * X[:, 1] + X @ [2e-13, 1e-13]
        path = lasso_path(X, y)
        np.testing.assert_allclose(path.lambdas, [1.6e-12, 0.8e-12, 0.0], rtol=1e-2)
        expected = [[0, 0], [1e-13, 0], [2e-13, 1e-13]]
        np.testing.assert_allclose(path.W, expected, atol=2e-15)

    def test_nothing_to_fit(self):
        path = lasso_path([[1.0], [2.0]], [3.0, 3.0])
        assert (path.W.tolist(), path.b.tolist()) == ([[0.0]], [3.0])
        fit = lasso([[1.0]], [3.0], lambda_=1.0)
        assert (fit.w.tolist(), fit.b, fit.gap) == ([0.0], 3.0, 0.0)


class TestGap:
    SCALES = 10.0 ** np.append(np.arange(-8, 14, 2), [-60, 60])

    @pytest.mark.parametrize("scale", SCALES)
    def test_it_proves_the_minimum_in_any_unit(self, scale):
        for seed in range(40):
            X, y = problem(seed)
            assert lasso(X * scale, y, lambda_=1.0).gap < 1e-8
            assert lasso(X, y * scale, lambda_=1.0).gap < 1e-8
            one, other = lasso(X, y, lambda_=1.0), lasso(X * scale, y, lambda_=scale)
            far = other.decision_function(X * scale) - one.decision_function(
                X
            )  # copies share as they like
            assert abs(far).max() < 1e-7

    @pytest.mark.parametrize("scale", SCALES)
    def test_it_is_no_smaller_than_the_truth(self, scale):
        """For any w, not only for those that `lasso` returns."""
        for seed in range(40):
            X, y = problem(seed)
            fit, rng = lasso(X * scale, y, lambda_=1.0), np.random.default_rng(seed)
            Z, target = (X - X.mean(axis=0)) * scale, y - y.mean()
            least = np.sum((target - Z @ fit.w) ** 2) + np.abs(fit.w).sum()
            for share in 0.1, 1e-3:
                w = fit.w * (1 + share * rng.normal(size=len(fit.w)))
                r, norm = target - Z @ w, np.abs(w).sum()
                gap = duality_gap(target, r, Z.T @ r, (1.0, norm))
                above, base = r @ r + norm - least, target @ target
                assert gap * base > above * (1 - 1e-6) - 1e-8 * base

    def test_near_copies_may_lack_the_minimum_and_the_gap_says_so(self):
        rng = np.random.default_rng(0)
        x, e, y = rng.normal(size=(3, 20))
        X = np.column_stack([x, x + 1e-7 * e])  # least squares needs weights of 1e7
        loss = np.linalg.lstsq(np.column_stack([X, np.ones(20)]), y)[1][0]
        fit = lasso(X, y, lambda_=1e-16)
        above = (objective(X, y, fit, 0.0) - loss) / np.sum((y - y.mean()) ** 2)
        assert fit.gap == pytest.approx(above, rel=1e-3)
        assert not fit.converged

    def test_the_oracle_knows_a_wrong_gap_from_an_honest_one(self):
        """Of rows nearly on a line in large units, where the ridge of 1e-10 moves w."""
        X = [[993384.3127664617, 98460028.4847465], [977397.5814314757, 97105378.73016076]]
        X = np.array([*X, [990186.3829098329, 98189432.90048839]])
        y = np.array([0.1257302210933933, -0.1321048632913019, 0.6404226504432821])
        fit, data = lasso(X, y, lambda_=1.0), {"X": X, "y": y, "lambda_": 1.0}
        judge(of_lasso_fit, fit, data)
        assert fit.gap == pytest.approx(1.508e-6, rel=1e-3)  # in fractions
        with pytest.raises(AssertionError, match="gap: off by"):
            judge(of_lasso_fit, replace(fit, gap=fit.gap / 2), data)
        with pytest.raises(AssertionError, match="slopes: off by"):
            judge(of_lasso_fit, lasso(X, y, lambda_=1.01), data)


class TestScikitLearn:
    @pytest.mark.parametrize("shape", [(60, 8), (15, 40)])
    def test_alpha_is_lambda_over_two_n(self, shape):
        from sklearn.linear_model import Lasso

        rng = np.random.default_rng(0)
        X, y = rng.normal(size=shape) + 1, rng.normal(size=shape[0]) + 5
        for part in 0.5, 0.1, 0.02:
            lambda_ = part * lasso_path(X, y).lambdas[0]
            model = Lasso(alpha=lambda_ / 2 / len(X), tol=1e-12, max_iter=10**6)
            model.fit(X, y)
            fit = lasso(X, y, lambda_=lambda_)
            np.testing.assert_allclose(fit.w, model.coef_, atol=1e-6)
            assert fit.b == pytest.approx(model.intercept_, abs=1e-6)
            assert np.array_equal(fit.w != 0, model.coef_ != 0)

    @pytest.mark.parametrize("shape", [(60, 8), (24, 40)])
    def test_cross_validation(self, shape):
        from sklearn.linear_model import LassoCV

        rng = np.random.default_rng(1)
        X, y = rng.normal(size=shape), rng.normal(size=shape[0])
        y += X[:, 0]
        splits = k_folds(y, stratified=False, rng=0)
        model = LassoCV(cv=splits, tol=1e-10, max_iter=10**5).fit(X, y)
        fit = lasso_cv(X, y, splits=splits)
        np.testing.assert_allclose(fit.lambdas / 2 / len(X), model.alphas_, rtol=1e-9)
        np.testing.assert_allclose(fit.errors, model.mse_path_.T, rtol=1e-5)
        assert fit.lambda_ / 2 / len(X) == pytest.approx(model.alpha_)
        np.testing.assert_allclose(fit.w, model.coef_, atol=1e-5)


class TestCrossValidation:
    def test_it_is_the_loop_of_refits(self):
        for seed in range(6):
            X, y = problem(seed + 12)
            y = np.arange(len(y)) % 3 + y
            splits = monte_carlo(y, repeats=3, test_share=0.3, stratified=False, rng=seed)
            splits[0] = splits[0][0][1:], splits[0][1]  # not all of the rest
            lambdas = lasso_path(X, y).lambdas[0] * np.array([0.7, 0.2, 0.1, 0.03])
            fit = lasso_cv(X, y, splits=splits, lambdas=lambdas)
            for f, (train, test) in enumerate(splits):
                for k, lambda_ in enumerate(lambdas):
                    one = lasso(X[train], y[train], lambda_=lambda_ * len(train) / len(y))
                    error = np.mean((y[test] - one.decision_function(X[test])) ** 2)
                    assert fit.errors[f, k] == pytest.approx(error, rel=1e-6)
            best = lambdas[fit.errors.mean(axis=0).argmin()]
            assert fit.lambda_ == pytest.approx(best)
            np.testing.assert_allclose(fit.w, lasso(X, y, lambda_=best).w)

    @pytest.mark.parametrize("size", [0.0, 1e-9, 1e-5, 1.0])
    def test_a_feature_may_hardly_vary_in_training(self, size):
        """What the sums over all examples know of it there is lost in rounding."""
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(9, 3)), rng.normal(size=9)
        splits = [(np.arange(6), np.arange(6, 9)), (np.arange(3, 9), np.arange(3))]
        X[:6, 1] = 0.3 + size * X[:6, 1]
        lambdas = [1.0, 0.1, 1e-9]
        fit = lasso_cv(X, y, splits=splits, lambdas=lambdas)
        for f, (train, test) in enumerate(splits):
            for k, lambda_ in enumerate(lambdas):
                one = lasso(X[train], y[train], lambda_=lambda_ * len(train) / 9)
                error = np.mean((y[test] - one.decision_function(X[test])) ** 2)
                assert fit.errors[f, k] == pytest.approx(error, rel=1e-6)

    def test_one_example_in_training_predicts_itself(self):
        for seed in range(20):
            rng = np.random.default_rng(seed)
            X, y = rng.normal(size=(3, 3)), rng.normal(size=3)
            splits = [(np.array([1]), np.array([0, 2])), (np.array([0, 2]), np.array([1]))]
            fit = lasso_cv(X, y, splits=splits, lambdas=[0.0, 1e-310])
            np.testing.assert_allclose(fit.errors[0], np.mean((y[[0, 2]] - y[1]) ** 2))

    def test_the_order_of_the_lambdas_does_not_matter(self):
        X, y = problem(5)
        splits = k_folds(y, folds=2, stratified=False)
        one = lasso_cv(X, y, splits=splits, lambdas=[1.0, 3.0])
        two = lasso_cv(X, y, splits=splits, lambdas=[3.0, 1.0])
        assert one.lambdas.tolist() == two.lambdas.tolist() == [3.0, 1.0]
        assert np.array_equal(one.errors, two.errors)


class TestProximal:
    @pytest.mark.parametrize("descend", [ista, fista])
    def test_they_end_at_the_lasso(self, descend):
        for seed in range(12):
            X, y = problem(seed)
            lambda_ = 0.2 * lasso_path(X, y).lambdas[0]
            exact = lasso(X, y, lambda_=lambda_)
            fit = descend(X, y, lambda_=lambda_, max_steps=20_000, tol=1e-9)
            best = objective(X, y, exact, lambda_)
            assert fit.converged
            assert fit.values[-1] == pytest.approx(best, abs=2e-9 * fit.values[0])
            assert fit.values[-1] == pytest.approx(objective(X, y, fit, lambda_))
            assert len(fit.path) == len(fit.values)

    def test_the_bounds_on_their_speed(self):
        for seed in range(12):
            X, y = problem(seed)
            lambda_ = 0.05 * lasso_path(X, y).lambdas[0]
            exact = lasso(X, y, lambda_=lambda_)
            L = 2 * np.linalg.norm(X - X.mean(axis=0), 2) ** 2
            best, distance = objective(X, y, exact, lambda_), exact.w @ exact.w
            slow = ista(X, y, lambda_=lambda_, max_steps=300, tol=0.0)
            fast = fista(X, y, lambda_=lambda_, max_steps=300, tol=0.0)
            assert (np.diff(slow.values) <= 1e-12 * slow.values[0]).all()
            for fit in slow, fast:
                k = np.arange(1, len(fit.values))
                bound = 2 / (k + 1) ** 2 if fit is fast else 1 / (2 * k)
                room = 1e-9 * fit.values[0]
                assert (fit.values[1:] - best <= L * distance * bound + room).all()

    def test_zeros_are_exact(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(50, 10)), rng.normal(size=50)
        y += 3 * X[:, 0]
        assert np.count_nonzero(fista(X, y, lambda_=60.0).w) < 5

    def test_it_says_so_when_it_gives_up(self):
        X, y = problem(3)
        fit = ista(X, y, lambda_=1e-3, max_steps=2)
        assert not fit.converged
        assert fit.gap > 1e-8
        assert fit.path.shape == (3, X.shape[1])


X2, Y2 = [[1.0, 0.0], [0.0, 3.0], [2.0, 2.0]], [1.0, -1.0, 1.0]


class TestContract:
    @pytest.mark.parametrize(
        "call",
        [
            lasso_path,
            lambda X, y: lasso(X, y, lambda_=1.0),
            lambda X, y: lasso_cv(X, y, splits=k_folds([1, 1, 1], folds=2)),
            lambda X, y: ista(X, y, lambda_=1.0),
            lambda X, y: fista(X, y, lambda_=1.0),
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
            (lambda: lasso_path(X2, Y2, until=-1), "until must be at least 0"),
            (lambda: lasso(X2, Y2, lambda_=-1), "lambda_ must be at least 0; got -1"),
            (lambda: lasso_cv(X2, Y2, splits=[]), "splits must be at least 2"),
            (
                lambda: lasso_cv(
                    X2, Y2, splits=k_folds([1, 1, 1], folds=2), lambdas=[1.0, -1.0]
                ),
                "lambdas must be at least 0",
            ),
            (
                lambda: lasso_cv(
                    3e149 * np.array(X2), Y2, splits=k_folds([1, 1, 1], folds=2)
                ),
                r"2 max .X.T @ y. for centered X must be at most 1e\+150",
            ),
            (lambda: ista(X2, Y2, lambda_=-1.0), "lambda_ must be at least 0"),
            (lambda: ista(X2, Y2, lambda_=1.0, tol=-1), "tol must be at least 0"),
            (lambda: fista(X2, Y2, lambda_=1, max_steps=0), "max_steps must be at"),
        ],
    )
    def test_bad_options(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()
