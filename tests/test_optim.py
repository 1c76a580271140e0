"""Descent: by hand, against quadratics solved exactly, and against scikit-learn's SGD."""

import numpy as np
import pytest

from mlcore import losses
from mlcore.optim import (
    constant,
    gradient_descent,
    inverse_t,
    loss_gradient,
    newton,
    power,
    sgd,
)


def bowl(A, center):
    """f(w) = (w - center) @ A @ (w - center) / 2 with its gradient and Hessian."""
    A, center = np.asarray(A, float), np.asarray(center, float)
    return (
        lambda w: (w - center) @ A @ (w - center) / 2,
        lambda w: A @ (w - center),
        lambda w: A,
    )


def random_bowl(seed, d=6, smallest=1e-3):
    """A convex quadratic whose Hessian has eigenvalues from `smallest` to 1."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    eigenvalues = np.geomspace(smallest, 1.0, d)
    return bowl(Q * eigenvalues @ Q.T, rng.normal(size=d)), rng.normal(size=d)


def regression(seed, n=40, d=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=n)


def mean_square(X, t):
    return lambda w: np.mean((X @ w - t) ** 2) / 2


def residual_gradient(X, t):
    """The gradient of (w @ x - t)**2 / 2, for one run or many, one example or many."""

    def gradient(w, i):
        x = X[i] if np.ndim(i) > w.ndim - 1 else X[i][..., None, :]
        r = np.einsum("...bd,...d->...b", x, w) - np.reshape(t[i], x.shape[:-1])
        return np.einsum("...bd,...b->...d", x, r) / x.shape[-2]

    return gradient


class TestGradientDescentByHand:
    def test_two_steps_on_a_bowl(self):
        # f = w1**2 / 2 + w2**2, the gradient is (w1, 2 w2)
        f, gradient, _ = bowl([[1, 0], [0, 2]], [0, 0])
        fit = gradient_descent(f, gradient, [4.0, 2.0], eta=0.25, max_steps=2)
        assert fit.path.tolist() == [[4, 2], [3, 1], [2.25, 0.5]]
        assert fit.values.tolist() == [12, 5.5, 2.78125]
        assert fit.w.tolist() == [2.25, 0.5]
        assert not fit.converged

    def test_three_steps_with_momentum(self):
        # f = w**2 / 2, eta 1/2: momenta 0, 1/4, 2/5 after the steps t = 1, 2, 3
        f, gradient, _ = bowl([[1]], [0])
        fit = gradient_descent(f, gradient, [64.0], eta=0.5, accelerated=True, max_steps=3)
        # w: 64 -> 32 (v = 32) -> 16 (v = 16 - 16/4 = 12) -> 6
        assert fit.path.tolist() == [[64], [32], [16], [6]]

    def test_the_minimum_needs_no_step(self):
        f, gradient, _ = bowl(np.eye(2), [1, 2])
        fit = gradient_descent(f, gradient, [1.0, 2.0], eta=1.0)
        assert fit.converged
        assert fit.path.tolist() == [[1, 2]]
        assert fit.values.tolist() == [0]
        assert gradient_descent(f, gradient, [1.0, 2.0], eta=1.0, tol=0).converged

    def test_momentum_is_kept_where_f_does_not_rise(self):
        # steps of 1 along a plane that f does not show: after the second, 1/4 more
        f, gradient = (lambda w: 0.0), np.ones_like
        fit = gradient_descent(f, gradient, [0.0], eta=1.0, accelerated=True, max_steps=3)
        assert fit.path.tolist() == [[0], [-1], [-2], [-3.25]]


class TestGradientDescent:
    @pytest.mark.parametrize("seed", range(20))
    def test_the_rate_on_convex_functions(self, seed):
        """With eta = 1 / L, f falls below L |w0 - w*|**2 / (2 t); Nesterov 2004, 2.1.5.

        With momentum, the first run without restart falls as 2 / (t + 1)**2.
        """
        (f, gradient, _), w0 = random_bowl(seed, d=20, smallest=1e-5)
        best = np.linalg.solve(_matrix(gradient, 20), -gradient(np.zeros(20)))
        far = np.sum((w0 - best) ** 2)
        plain = gradient_descent(f, gradient, w0, eta=1.0, max_steps=60, tol=0)
        fast = gradient_descent(
            f, gradient, w0, eta=1.0, max_steps=60, tol=0, accelerated=True
        )
        t = np.arange(1, 61)
        assert (np.diff(plain.values) <= 0).all()
        assert (plain.values[1:] <= far / (2 * t)).all()
        s = t[: len(fast.values) - 1]
        assert (fast.values[1:] <= 2 * far / (s + 1) ** 2).all()

    @pytest.mark.parametrize("seed", range(10))
    def test_momentum_needs_fewer_steps(self, seed):
        (f, gradient, _), w0 = random_bowl(seed)
        plain, fast = (
            gradient_descent(
                f, gradient, w0, eta=1.0, accelerated=a, max_steps=30_000, tol=1e-9
            )
            for a in (False, True)
        )
        assert plain.converged
        assert fast.converged
        assert len(fast.path) < len(plain.path)
        for fit in plain, fast:
            assert np.linalg.norm(gradient(fit.w)) <= 1e-9
            assert np.array_equal(fit.path[-1], fit.w)
            np.testing.assert_allclose(fit.values, [f(w) for w in fit.path], rtol=1e-12)

    def test_the_restart_keeps_the_values_falling(self):
        (f, gradient, _), w0 = random_bowl(3)
        fit = gradient_descent(
            f, gradient, w0, eta=1.0, accelerated=True, max_steps=500, tol=1e-9
        )
        assert (np.diff(fit.values) <= 0).all()

    @pytest.mark.parametrize(("eta", "falls"), [(1.9, True), (2.0, None), (2.1, False)])
    def test_a_step_beyond_two_over_the_lipschitz_constant(self, eta, falls):
        f, gradient, _ = bowl([[1]], [0])
        fit = gradient_descent(f, gradient, [1.0], eta=eta, max_steps=50)
        np.testing.assert_allclose(fit.values, 0.5 * (1 - eta) ** (2 * np.arange(51)))
        assert not fit.converged
        assert (fit.values[-1] < 0.5) == (falls is True)

    def test_what_overflows_stops_before(self):
        f, gradient, _ = bowl([[1]], [0])
        fit = gradient_descent(f, gradient, [1.0], eta=1e20, max_steps=50)
        assert not fit.converged
        assert np.isfinite(fit.values).all()


def _matrix(gradient, d):
    zero = gradient(np.zeros(d))
    return np.array([gradient(e) - zero for e in np.eye(d)]).T


class TestNewton:
    def test_a_bowl_in_one_step(self):
        fit = newton(*bowl([[2, 1], [1, 2]], [3, -1]), [0.0, 0.0])
        assert fit.converged
        np.testing.assert_allclose(fit.path, [[0, 0], [3, -1]], atol=1e-12)
        np.testing.assert_allclose(fit.values, [7, 0], atol=1e-12)

    def test_one_step_if_one_is_asked_for(self):
        fit = newton(*bowl([[2, 1], [1, 2]], [3, -1]), [0.0, 0.0], max_steps=1)
        assert fit.converged

    def test_two_halvings_by_hand(self):
        # f = sqrt(1 + w**2): the Newton step from w leads to -w**3
        f, gradient, hessian = root()
        fit = newton(f, gradient, hessian, [2.0])
        # to -8: no; to 2 - 10/2 = -3: no; to 2 - 10/4 = -1/2: yes; then to 1/8
        np.testing.assert_allclose(fit.path[:3], [[2], [-0.5], [0.125]], rtol=1e-14)
        np.testing.assert_allclose(fit.values[:2], [5**0.5, 1.25**0.5], rtol=1e-15)
        assert fit.converged

    @pytest.mark.parametrize("w0", [0.5, 3.0, 100.0])
    def test_halving_brings_it_home_from_far(self, w0):
        fit = newton(*root(), [w0], tol=1e-16)
        assert fit.converged
        assert abs(fit.w[0]) < 1e-7
        assert (np.diff(fit.values) <= 0).all()

    def test_the_number_of_correct_digits_doubles(self):

        def f(w):
            return np.sum(np.cosh(w))

        fit = newton(f, np.sinh, lambda w: np.diag(np.cosh(w)), [0.9, -0.5], tol=1e-30)
        errors = np.abs(fit.path).max(axis=1)
        assert fit.converged
        assert (errors[1:] <= errors[:-1] ** 2).all()

    def test_the_gap_is_what_the_model_says(self):
        """On a quadratic the estimate is exact: it stops if and only if f <= tol."""
        f, gradient, hessian = bowl(np.diag([4.0, 1.0]), [0, 0])
        value = f(np.array([1.0, 1.0]))
        at = newton(f, gradient, hessian, [1.0, 1.0], tol=value * (1 + 1e-6))
        below = newton(f, gradient, hessian, [1.0, 1.0], tol=value * (1 - 1e-6))
        assert at.converged and np.array_equal(at.w, [1, 1])
        assert below.converged and f(below.w) <= 1e-12

    def test_a_singular_hessian(self):
        """Of all minima on a line it takes the nearest to the start."""
        fit = newton(*bowl([[1, 1], [1, 1]], [1, 0]), [0.0, 0.0])
        assert fit.converged
        np.testing.assert_allclose(fit.w, [0.5, 0.5], rtol=1e-14)

    def test_no_minimum_is_reported(self):
        fit = newton(
            lambda w: np.exp(-w[0]),
            lambda w: -np.exp(-w),
            lambda w: np.exp(-w)[:, None],
            [0.0],
            tol=0,
            max_steps=30,
        )
        assert not fit.converged
        np.testing.assert_allclose(fit.w, [30.0], rtol=1e-12)


def root():
    """f(w) = sqrt(1 + w**2), for which Newton's method alone diverges from |w| > 1."""

    def f(w):
        return np.sqrt(1 + w[0] ** 2)

    return f, lambda w: w / f(w), lambda w: np.array([[f(w) ** -3]])


class TestStepSizes:
    def test_by_hand(self):
        assert [constant(0.5)(t) for t in (1, 2, 9)] == [0.5, 0.5, 0.5]
        assert [inverse_t(0.5)(t) for t in (1, 2, 4)] == [2, 1, 0.5]
        assert [power(3.0, 0.5)(t) for t in (1, 4, 9)] == [3, 1.5, 1]
        assert power(2.0, 0)(7) == 2.0

    def test_one_for_each_run(self):
        assert inverse_t([1.0, 2.0])(4).tolist() == [0.25, 0.125]
        assert power(np.array([1, 2]), 1.0)(2).tolist() == [0.5, 1.0]

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: constant(0), "eta must be at least 4.94066e-324; got 0"),
            (lambda: constant([0.1, -1]), "eta must be at least"),
            (lambda: constant(np.nan), "eta must be finite"),
            (lambda: constant("1"), "eta must be an array of real numbers"),
            (lambda: inverse_t(-1.0), "alpha must be at least 1e-150; got -1"),
            (lambda: inverse_t([]), "alpha must be a number or a vector"),
            (lambda: power(1.0, -1), "p must be at least 0; got -1"),
            (lambda: power(1.0, 11), "p must be at most 10; got 11"),
        ],
    )
    def test_bad_sizes_are_refused(self, make, message):
        with pytest.raises(ValueError, match=message):
            make()


class TestSgdByHand:
    X, t = np.array([[1.0], [2.0]]), np.array([1.0, 0.0])

    def run(self, **options):
        def gradient(w, i):
            return (self.X[i] @ w - self.t[i]) * self.X[i]

        return sgd(gradient, 2, [0.0], steps=inverse_t(4.0), epochs=2, **options)

    def test_four_steps(self):
        # w - (w x - t) x / (4 t): 0 -> 1/4 -> 1/4 - (1/8) 1 = 1/8
        #   -> 1/8 + (1/12)(7/8) = 19/96 -> 19/96 - (1/16) 4 (19/96) = 19/128
        fit = self.run()
        np.testing.assert_allclose(fit.path, [[0], [1 / 8], [19 / 128]], rtol=1e-15)
        assert fit.w.tolist() == [19 / 128]
        assert fit.values.size == 0
        assert fit.converged is False

    def test_their_mean(self):
        fit = self.run(average=True, f=lambda w: 3 * w[0])
        sums = np.array([0, 1 / 4 + 1 / 8, 1 / 4 + 1 / 8 + 19 / 96 + 19 / 128])
        np.testing.assert_allclose(fit.path[:, 0], sums / [1, 2, 4], rtol=1e-15)
        np.testing.assert_allclose(fit.values, 3 * fit.path[:, 0], rtol=1e-15)

    def test_batches_and_a_rest(self):
        seen = []

        def gradient(w, i):
            seen.append(np.asarray(i).tolist())
            return np.zeros(1)

        sgd(gradient, 5, [0.0], steps=constant(1.0), batch=2)
        assert seen[1:] == [[0, 1], [2, 3], [4]]  # the first call checks the shape


class TestSgd:
    def test_the_batch_of_all_is_gradient_descent(self):
        X, t = regression(0)
        gradient = residual_gradient(X, t)
        every = np.arange(40)
        f = mean_square(X, t)
        full = gradient_descent(
            f, lambda w: gradient(w, every), np.ones(3), eta=0.1, max_steps=20, tol=0
        )
        fit = sgd(gradient, 40, np.ones(3), steps=constant(0.1), batch=40, epochs=20, f=f)
        np.testing.assert_allclose(fit.path, full.path, rtol=1e-12)
        np.testing.assert_allclose(fit.values, full.values, rtol=1e-12)

    @pytest.mark.parametrize("batch", [1, 3])
    @pytest.mark.parametrize("average", [False, True])
    def test_lockstep_equals_run_after_run(self, batch, average):
        X, t = regression(1)
        gradient, f = residual_gradient(X, t), mean_square(X, t)
        etas = np.array([0.01, 0.02, 0.1])
        common = {"epochs": 4, "batch": batch, "average": average, "f": f}
        together = sgd(
            gradient, 40, np.ones(3), steps=power(etas, 0.5), runs=3, rng=5, **common
        )
        assert together.path.shape == (5, 3, 3)
        assert together.values.shape == (5, 3)
        for r, rng in enumerate(np.random.default_rng(5).spawn(3)):
            alone = sgd(
                gradient, 40, np.ones(3), steps=power(etas[r], 0.5), rng=rng, **common
            )
            np.testing.assert_allclose(together.path[:, r], alone.path, rtol=1e-12)
            np.testing.assert_allclose(together.values[:, r], alone.values, rtol=1e-12)
            np.testing.assert_allclose(together.w[r], alone.w, rtol=1e-12)

    def test_lockstep_in_the_given_order(self):
        X, t = regression(2)
        fit = sgd(
            residual_gradient(X, t), 40, [0, 0, 0], steps=constant([0.1, 0.1]), runs=2
        )
        assert np.array_equal(fit.path[:, 0], fit.path[:, 1])

    def test_robbins_and_monro(self):
        """The step 1 / t makes w the mean of the examples seen, whatever the order."""
        t = np.random.default_rng(0).normal(size=30)
        fit = sgd(lambda w, i: w - t[i], 30, [5.0], steps=inverse_t(1.0), epochs=3, rng=1)
        np.testing.assert_allclose(fit.path[1:, 0], t.mean(), rtol=1e-13)

    def test_every_epoch_sees_every_example_once(self):
        seen = []

        def gradient(w, i):
            seen.append(i)
            return 0.0 * w

        sgd(gradient, 7, [0.0], steps=constant(1.0), epochs=3, rng=0)
        orders = np.reshape(seen[1:], (3, 7))
        assert np.array_equal(np.sort(orders), np.tile(np.arange(7), (3, 1)))
        assert len({tuple(order) for order in orders}) == 3

    def test_a_run_that_overflows_stays_and_the_others_go_on(self):
        X, t = regression(4)
        f = mean_square(X, t)
        fit = sgd(
            residual_gradient(X, t),
            40,
            np.zeros(3),
            steps=constant([0.01, 1e9]),
            runs=2,
            epochs=5,
            f=f,
        )
        assert fit.path[-1, 1].tolist() == [0, 0, 0]
        assert np.isfinite(fit.values).all()
        alone = sgd(
            residual_gradient(X, t), 40, np.zeros(3), steps=constant(0.01), epochs=5
        )
        np.testing.assert_allclose(fit.w[0], alone.w, rtol=1e-12)

    def test_values_beyond_the_largest_number_are_cut(self):
        fit = sgd(
            lambda w, i: -np.ones(1),
            2,
            [0.0],
            steps=constant(1.0),
            f=lambda w: np.exp(1000 * w[0]),
        )
        assert fit.values.tolist() == [1, 1e150]

    def test_same_seed_same_path(self):
        X, t = regression(5)
        w0 = np.ones(3)
        first, second = (
            sgd(residual_gradient(X, t), 40, w0, steps=constant(0.1), rng=3)
            for _ in range(2)
        )
        assert np.array_equal(first.path, second.path)
        assert w0.tolist() == [1, 1, 1]


SLOPED = [
    losses.logistic,
    losses.perceptron,
    losses.hinge,
    losses.squared_hinge,
    losses.exponential,
    losses.squared,
]
each_loss = pytest.mark.parametrize("loss", SLOPED, ids=lambda loss: loss.name)


def classes(seed, n=40, d=3):
    X, t = regression(seed, n, d)
    return X, np.where(t > 0, 1.0, -1.0)


class TestLossGradient:
    def test_by_hand(self):
        # at w = (2, 1): z = 2, -1, 4, and the slopes of (1 - z)**2 are 2, -4, 6
        X, y = [[1, 0], [0, 1], [1, 2]], [1, -1, 1]
        gradient, w = loss_gradient(X, y, losses.squared, lambda_=0.5), np.array([2.0, 1])
        alone = [[3, 0.5], [1, 4.5], [7, 12.5]]
        assert [gradient(w, i).tolist() for i in range(3)] == alone
        assert gradient(w, np.array([0, 2])).tolist() == [5, 6.5]
        two, pairs = np.array([w, 0 * w]), np.array([[0, 2], [1, 1]])
        assert gradient(two, np.array([2, 0])).tolist() == [[7, 12.5], [-2, 0]]
        assert gradient(two, pairs).tolist() == [[5, 6.5], [0, 2]]
        free = loss_gradient(X, y, losses.squared)  # w costs nothing
        assert free(w, 0).tolist() == [2, 0]
        # from w with the size 1/2: (1/2, 3/4), where z = -3/4 and the slope is -7/2
        fit = sgd(gradient, 2, w, steps=constant(0.5))
        assert fit.w.tolist() == [0.375, -1.1875]

    @each_loss
    @pytest.mark.parametrize("batch", [1, 3, 40])
    @pytest.mark.parametrize("lambda_", [0.0, 0.1])
    def test_a_run_is_the_one_along_any_function(self, loss, batch, lambda_):
        """Rest of a batch, mean, shuffled order: all as in the loop."""
        X, y = classes(1)
        gradient = loss_gradient(X, y, loss, lambda_=lambda_)
        options = {"steps": power(0.2, 0.5), "epochs": 3, "batch": batch, "rng": 4}
        for average in False, True:
            plain = sgd(
                lambda w, i: gradient(w, i), 40, np.ones(3), average=average, **options
            )
            fit = sgd(gradient, 40, np.ones(3), average=average, **options)
            np.testing.assert_allclose(fit.path, plain.path, rtol=1e-10)

    @pytest.mark.parametrize("batch", [1, 7])
    def test_a_long_run_too(self, batch):
        X, y = classes(5, n=12_000)
        gradient = loss_gradient(X, y, losses.logistic, lambda_=0.1)
        options = {"steps": constant(0.01), "batch": batch, "rng": 1}
        plain = sgd(lambda w, i: gradient(w, i), 12_000, np.ones(3), **options)
        fit = sgd(gradient, 12_000, np.ones(3), **options)
        np.testing.assert_allclose(fit.w, plain.w, rtol=1e-10)

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize("loss", [losses.squared, losses.exponential, losses.logistic])
    @pytest.mark.parametrize("batch", [1, 7])
    def test_steps_that_are_far_too_long(self, loss, batch):
        X, y = classes(2)
        gradient = loss_gradient(X, y, loss, lambda_=1.0)
        fit = sgd(gradient, 40, np.ones(3), steps=constant(1e60), epochs=3, batch=batch)
        assert fit.path.tolist() == [[1, 1, 1]] * 4

    @pytest.mark.parametrize("form", [np.asfortranarray, np.ndarray.tolist, np.float32])
    def test_any_layout_and_type_and_nothing_changes(self, form):
        X, y = classes(3)
        X, w0 = X.astype(np.float32).astype(float), np.ones(3)
        for array in X, y, w0:
            array.setflags(write=False)
        first, same = (
            sgd(loss_gradient(A, y, losses.hinge), 40, w0, steps=constant(0.1), rng=0).w
            for A in (X, form(X))
        )
        assert np.array_equal(first, same)

    def test_a_stream_in_pieces(self):
        """The sizes go on where they were: that is all a run has to remember."""
        X, y = classes(4, n=90)
        gradient = loss_gradient(X, y, losses.logistic, lambda_=0.1)
        whole = sgd(gradient, 90, np.zeros(3), steps=inverse_t(0.1)).w
        w, seen, size = np.zeros(3), 0, inverse_t(0.1)
        for rows in np.array_split(np.arange(90), 7):
            piece = loss_gradient(X[rows], y[rows], losses.logistic, lambda_=0.1)
            w = sgd(piece, len(rows), w, steps=lambda t, seen=seen: size(seen + t)).w
            seen += len(rows)
        np.testing.assert_allclose(w, whole, rtol=1e-12)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"y": [1, 0]}, "y must hold only -1 and"),
            ({"X": [[np.nan], [1.0]]}, "X must be finite"),
            ({"loss": losses.zero_one}, "loss must be one of mlcore.losses with a slope"),
            ({"loss": "hinge"}, "loss must be one of mlcore.losses .*; got 'hinge'"),
            ({"lambda_": -1}, "lambda_ must be at least 0; got -1"),
        ],
    )
    def test_bad_input(self, options, message):
        good = {"X": [[1.0], [2.0]], "y": [1, -1], "loss": losses.hinge}
        with pytest.raises(ValueError, match=message):
            loss_gradient(**{**good, **options})

    def test_data_of_other_sizes(self):
        gradient = loss_gradient([[1.0], [2.0]], [1, -1], losses.hinge)
        with pytest.raises(ValueError, match="n must be at most 2; got 3"):
            sgd(gradient, 3, [0.0], steps=constant(1.0))
        with pytest.raises(ValueError, match="w0 must have 1 entries; got 2"):
            sgd(gradient, 2, [0.0, 0.0], steps=constant(1.0), runs=2)


class TestScikitLearn:
    """Its SGD in the given order takes the same steps."""

    @pytest.mark.parametrize("average", [False, True])
    @pytest.mark.parametrize("rate", ["constant", "invscaling"])
    def test_the_same_iterates(self, average, rate):
        from sklearn.linear_model import SGDClassifier

        X, t = regression(6, n=60)
        y = np.where(t > 0, 1.0, -1.0)
        model = SGDClassifier(
            loss="log_loss",
            alpha=0.05,
            fit_intercept=False,
            shuffle=False,
            learning_rate=rate,
            eta0=0.3,
            power_t=0.5,
            max_iter=7,
            tol=None,
            average=average,
        ).fit(X, y)

        steps = constant(0.3) if rate == "constant" else power(0.3, 0.5)

        def gradient(w, i):
            return -y[i] / (1 + np.exp(y[i] * X[i].dot(w))) * X[i] + 0.05 * w

        fast = loss_gradient(X, y, losses.logistic, lambda_=0.05)
        for g in gradient, fast:
            fit = sgd(g, 60, np.zeros(3), steps=steps, epochs=7, average=average)
            np.testing.assert_allclose(model.coef_[0], fit.w, rtol=1e-9)


class TestBadInput:
    f, gradient, hessian = map(staticmethod, bowl(np.eye(2), [0, 0]))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"w0": [np.nan, 0]}, "w0 must be finite"),
            ({"w0": [[0.0, 0]]}, "w0 must be a vector"),
            ({"eta": 0}, "eta must be greater than 0"),
            ({"eta": "1"}, "eta must be a finite number"),
            ({"accelerated": 1}, "accelerated must be True or False"),
            ({"max_steps": 0}, "max_steps must be at least 1"),
            ({"tol": -1}, "tol must be at least 0"),
            ({"f": 3}, "f must be a function"),
            ({"gradient": None}, "gradient must be a function"),
            ({"f": lambda w: w}, r"f\(w0\) must be a finite number"),
            ({"f": lambda w: np.nan}, r"f\(w0\) must be a finite number"),
            ({"gradient": lambda w: 1.0}, r"gradient\(w0\) must have shape \(2,\)"),
            ({"gradient": lambda w: w * np.inf}, r"gradient\(w0\) must be finite"),
        ],
    )
    def test_gradient_descent(self, options, message):
        arguments = {"f": self.f, "gradient": self.gradient, "w0": [1.0, 1], "eta": 1}
        with np.errstate(invalid="ignore"), pytest.raises(ValueError, match=message):
            gradient_descent(**{**arguments, **options})

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"hessian": 1}, "hessian must be a function"),
            ({"hessian": lambda w: np.eye(3)}, r"hessian\(w0\) must have shape"),
            ({"w0": []}, "w0 must be a vector with at least one entry"),
            ({"tol": np.inf}, "tol must be a finite number"),
            ({"max_steps": 1.0}, "max_steps must be an integer"),
        ],
    )
    def test_newton(self, options, message):
        arguments = {"f": self.f, "gradient": self.gradient, "hessian": self.hessian}
        with pytest.raises(ValueError, match=message):
            newton(**{**arguments, "w0": [1.0, 1], **options})

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"n": 0}, "n must be at least 1"),
            ({"n": 2.0}, "n must be an integer"),
            ({"batch": 4}, "batch must be at most 3"),
            ({"epochs": 0}, "epochs must be at least 1"),
            ({"runs": 0}, "runs must be at least 1"),
            ({"average": None}, "average must be True or False"),
            ({"rng": -1}, "rng must be at least 0"),
            ({"steps": 0.1}, "steps must be a function; got 0.1"),
            ({"steps": lambda t: 0.0}, r"steps\(1\) must be at least"),
            (
                {"steps": constant([0.1, 0.2])},
                r"steps\(1\) must have shape \(\) or \(\); got \(2,\)",
            ),
            (
                {"steps": constant([0.1, 0.2]), "runs": 3},
                r"steps\(1\) must have shape \(\) or \(3,\); got",
            ),
            ({"gradient": lambda w, i: 1.0}, r"gradient\(w0, i\) must have shape"),
            ({"gradient": "g"}, "gradient must be a function"),
            ({"f": 1.0}, "f must be a function"),
            ({"w0": [1j]}, "w0 must be an array of real numbers"),
        ],
    )
    def test_sgd(self, options, message):
        arguments = {"gradient": lambda w, i: w, "n": 3, "w0": [1.0]}
        with pytest.raises(ValueError, match=message):
            sgd(**{**arguments, "steps": constant(0.1), **options})
