"""Linear discriminant analysis: by hand, by Bayes' rule, and against scikit-learn."""

import numpy as np
import pytest

from mlcore.generative import lda


def normal_classes(seed, n=60, d=3, share=0.3):
    """Two correlated normal classes, each feature in a unit of its own."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) < share * n, 1.0, -1.0)
    mix = np.eye(d) + 0.3 * rng.normal(size=(d, d))
    X = rng.normal(size=(n, d)) @ mix + 0.7 * (y[:, None] > 0)
    return X * 10 ** rng.uniform(-2, 2, size=d) + rng.normal(size=d), y


class TestByHand:
    # the class -1 is 0, 2 and the class +1 is 3, 4, 5
    fit = lda([[0.0], [2.0], [3.0], [4.0], [5.0]], [-1, -1, 1, 1, 1])

    def test_the_model(self):
        assert self.fit.means.tolist() == [[1], [4]]
        assert self.fit.prior == 0.6
        assert self.fit.rank == 1
        np.testing.assert_allclose(self.fit.covariance, [[4 / 5]], rtol=1e-14)

    def test_the_rule(self):
        np.testing.assert_allclose(self.fit.w, [3 / (4 / 5)], rtol=1e-14)
        b = np.log(0.6 / 0.4) - 2.5 * 15 / 4
        np.testing.assert_allclose(self.fit.b, b, rtol=1e-14)
        assert self.fit.predict([[2.3], [2.4]]).tolist() == [-1, 1]

    def test_the_probability(self):
        odds = 0.6 / 0.4  # the densities are equal in the middle, 2.5
        np.testing.assert_allclose(
            self.fit.probability([[2.5]]), [odds / (1 + odds)], rtol=1e-14
        )
        assert self.fit.probability([[-1e3], [1e3]]).tolist() == [0, 1]


class TestBayes:
    @pytest.mark.parametrize("seed", range(10))
    def test_the_posterior_of_the_two_densities(self, seed):
        from scipy.stats import multivariate_normal

        X, y = normal_classes(seed)
        fit = lda(X, y)
        density = [multivariate_normal(m, fit.covariance).pdf(X) for m in fit.means]
        joint = np.array([1 - fit.prior, fit.prior])[:, None] * density
        np.testing.assert_allclose(
            fit.probability(X), joint[1] / joint.sum(axis=0), rtol=1e-8
        )

    @pytest.mark.parametrize("seed", range(5))
    def test_no_other_model_is_more_likely(self, seed):
        from scipy.stats import multivariate_normal

        X, y = normal_classes(seed)
        fit = lda(X, y)

        def log_likelihood(prior, means, covariance):
            rest = X - np.where(y[:, None] > 0, means[1], means[0])
            shared = multivariate_normal(np.zeros(X.shape[1]), covariance)
            return (shared.logpdf(rest) + np.log(np.where(y > 0, prior, 1 - prior))).sum()

        best = log_likelihood(fit.prior, fit.means, fit.covariance)
        for factor in 0.97, 1.03:
            assert log_likelihood(factor * fit.prior, fit.means, fit.covariance) < best
            assert log_likelihood(fit.prior, fit.means, factor * fit.covariance) < best
            for k in 0, 1:
                means = fit.means.copy()
                means[k] += (factor - 1) * np.sqrt(np.diag(fit.covariance))
                assert log_likelihood(fit.prior, means, fit.covariance) < best


class TestScikitLearn:
    @pytest.mark.parametrize("solver", ["svd", "lsqr"])
    @pytest.mark.parametrize("seed", range(5))
    def test_same_rule(self, seed, solver):
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

        X, y = normal_classes(seed)
        fit = lda(X, y)
        model = LinearDiscriminantAnalysis(solver=solver, store_covariance=True)
        model.fit(X, y)
        np.testing.assert_allclose(fit.w, model.coef_[0], rtol=1e-8)
        np.testing.assert_allclose(fit.b, model.intercept_[0], rtol=1e-8)
        np.testing.assert_allclose(fit.covariance, model.covariance_, rtol=1e-12)
        np.testing.assert_allclose(fit.means, model.means_, rtol=1e-12)


class TestSingularCovariance:
    @pytest.mark.parametrize(("n", "d"), [(20, 3), (12, 11), (12, 15), (12, 400)])
    def test_the_pseudo_inverse(self, n, d):
        rng = np.random.default_rng(d)
        X, y = rng.normal(size=(n, d)), np.resize([1.0, -1.0, -1.0], n)
        fit = lda(X, y)
        unit = np.sqrt(np.diag(fit.covariance))
        inverse = np.linalg.pinv(fit.covariance / np.outer(unit, unit), rcond=1e-10)
        w = inverse @ ((fit.means[1] - fit.means[0]) / unit) / unit
        np.testing.assert_allclose(fit.w, w, rtol=1e-8, atol=1e-8 * abs(w).max())
        assert fit.rank == min(n - 2, d)

    def test_a_copied_feature_shares_the_weight(self):
        X, y = normal_classes(1)
        fit = lda(np.column_stack([X, 100 * X[:, 0]]), y)
        one = lda(X, y)
        assert fit.rank == 3
        assert one.rank == 3
        np.testing.assert_allclose(fit.w[1:3], one.w[1:], rtol=1e-9)
        half = one.w[0] / 2
        np.testing.assert_allclose(fit.w[[0, 3]], [half, half / 100], rtol=1e-9)

    @pytest.mark.parametrize("constant", [0.1, 1e150, 1e-150])
    def test_a_constant_feature_has_no_weight(self, constant):
        X, y = normal_classes(2)
        fit = lda(np.column_stack([np.full(60, constant), X]), y)
        assert fit.rank == 3
        assert fit.w[0] == 0
        np.testing.assert_allclose(fit.w[1:], lda(X, y).w, rtol=1e-9)

    @pytest.mark.parametrize("n", [60, 20])
    def test_a_feature_that_is_constant_in_each_class(self, n):
        """It would tell them apart, but not by how much: it has no weight."""
        X, y = normal_classes(6, n=n, d=40)
        X = X / X.std(axis=0)
        fit = lda(np.column_stack([np.where(y > 0, 0.1, 0.7), X]), y)
        known = lda(X, y)
        assert (fit.w[0], fit.rank) == (0, known.rank)
        assert not fit.covariance[0].any()
        np.testing.assert_allclose(fit.w[1:], known.w, rtol=1e-7)
        np.testing.assert_allclose(fit.means[:, 0], [0.7, 0.1], rtol=1e-14)

    def test_the_rank_counts_what_is_above_the_rounding_of_the_largest(self):
        """Variances 100 and 100 t**2 of 100 features: the limit is 1000 roundings."""
        y = np.repeat([-1.0, 1.0], 100)
        u, v = np.resize([1.0, -1.0], 200), np.resize([1.0, 1.0, -1.0, -1.0], 200)
        limit = np.sqrt(1000 * np.finfo(float).eps)
        for t, rank in (limit / 1.5, 1), (1.5 * limit, 2):
            X = u[:, None] + t * np.outer(v, np.resize([1.0, -1.0], 100))
            assert lda(X, y).rank == rank

    def test_one_example_of_each_class(self):
        fit = lda([[1.0, 2.0], [3.0, 4.0]], [-1, 1])
        assert fit.rank == 0
        assert fit.w.tolist() == [0, 0]
        assert fit.b == 0


class TestUnits:
    @pytest.mark.parametrize("power", [-100, -20, 20, 100])
    def test_a_new_unit_changes_only_the_weight(self, power):
        X, y = normal_classes(3)
        unit = np.array([1.0, 10.0**power, 1.0])
        fit, one = lda(X * unit, y), lda(X, y)
        np.testing.assert_allclose(fit.w * unit, one.w, rtol=1e-9)
        np.testing.assert_allclose(fit.b, one.b, rtol=1e-9)

    def test_far_from_the_origin(self):
        X, y = normal_classes(4)
        X = X / X.std(axis=0)
        np.testing.assert_allclose(lda(X + 1e6, y).w, lda(X, y).w, rtol=1e-7)

    def test_weights_beyond_all_numbers_are_refused(self):
        one = np.array([[0.0], [1e-150], [1e150], [1e150]])
        two = np.array([[-2e-151, 1.0], [0.0, 3.0], [0.0, 3.0], [2e-151, 9.0]])  # b is not
        for X in one, two:
            with pytest.raises(ValueError, match="X must have features of like scale"):
                lda(X, [-1, -1, 1, 1])

    def test_the_largest_weight(self):
        """Means 0 and u, and the deviation u: the weight is 1 / u."""
        X = np.array([[-1.0], [1.0], [0.0], [2.0]])
        assert lda(1e-150 * X, [-1, -1, 1, 1]).w == [1e150]
        with pytest.raises(ValueError, match="X must have features of like scale"):
            lda(1e-150 / 1.1 * X, [-1, -1, 1, 1])


class TestWhatIsKept:
    """A fit may be passed on where the examples may not."""

    @pytest.mark.parametrize(("n", "d"), [(300, 4), (9, 40)])
    def test_a_factor_of_the_covariance_and_no_examples(self, n, d):
        rng = np.random.default_rng(n)
        X, y = rng.normal(size=(n, d)) + 5, np.resize([1.0, -1.0, -1.0], n)
        fit = lda(X, y)
        assert fit.factor.shape == (min(n, d), d)
        rest = X - np.where(y[:, None] > 0, fit.means[1], fit.means[0])
        np.testing.assert_allclose(fit.covariance, rest.T @ rest / n, atol=1e-13)
        sizes = [value.size for value in vars(fit).values() if np.ndim(value)]
        assert sum(sizes) <= (min(n, d) + 3) * d

    @pytest.mark.parametrize("size", [1e-300, 1e-307, 3e-308, 1e-308, 1e-310, 5e-324])
    @pytest.mark.parametrize("d", [1, 3, 40])
    def test_numbers_near_zero_give_no_warning(self, size, d):
        """Their squares are 0, and what is divided by these must not be looked at."""
        rng = np.random.default_rng(d)
        X, y = size * rng.normal(size=(20, d)), np.resize([1.0, -1.0, -1.0], 20)
        with np.errstate(all="raise", under="ignore"):
            try:
                fit = lda(X, y)
            except ValueError as error:
                assert "X must have features of like scale" in str(error)
            else:
                assert np.isfinite(fit.w).all() and np.isfinite(fit.factor).all()


class TestBadInput:
    @pytest.mark.parametrize(
        ("X", "y", "message"),
        [
            ([[np.nan], [1.0]], [1, -1], "X must be finite"),
            ([1.0, 2.0], [1, -1], "X must be a matrix"),
            ([[1.0], [2.0]], [0, 1], "y must hold only -1 and \\+1; got the label 0"),
            ([[1.0], [2.0]], [1, 1], "y must hold both -1 and \\+1; got only 1"),
            ([[1.0], [2.0]], [-1, -1], "y must hold both -1 and \\+1; got only -1"),
            ([[1.0], [2.0]], [1], "y must have 2 entries; got 1"),
            ([["a"], ["b"]], [1, -1], "X must be an array of real numbers"),
        ],
    )
    def test_it_is_refused_by_name(self, X, y, message):
        with pytest.raises(ValueError, match=message):
            lda(X, y)

    def test_the_input_stays_as_it_was(self):
        X, y = normal_classes(5)
        before = X.copy(), y.copy()
        X.flags.writeable = y.flags.writeable = False
        first, second = lda(X, y), lda(np.asfortranarray(X), y.tolist())
        assert np.array_equal(X, before[0])
        assert np.array_equal(y, before[1])
        np.testing.assert_allclose(first.w, second.w, rtol=1e-12)
