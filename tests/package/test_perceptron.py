"""The perceptron: by hand, against its plain loop, and within Novikoff's bound."""

from fractions import Fraction

import numpy as np
import pytest

from mlcore.checks import check_matrix, check_vector
from mlcore.perceptron import (
    mistake_bound,
    perceptron,
    perceptron_trace,
)
from mlcore.separation import max_margin

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [-1, 1, 1, -1]


def row_loop(X, y, orders, *, w=None, bias=True):
    """The perceptron row by row, the oracle of the version that scans in blocks.

    Its data pass the same checks, where tests/noise.py may change them.
    """
    X = check_matrix("X", X)
    w = np.zeros(X.shape[1]) if w is None else check_vector("start", w)
    b, mistakes = 0.0, []
    for order in orders:
        wrong = 0
        for i in order:
            if y[i] * (X[i].dot(w) + b) <= 0:
                w, b, wrong = w + y[i] * X[i], b + bias * y[i], wrong + 1
        mistakes.append(wrong)
        if wrong == 0:
            break
    return w, b, tuple(mistakes)


def assert_same(fit, oracle):
    w, b, mistakes = oracle
    assert fit.mistakes == mistakes
    assert np.array_equal(fit.w, w)
    assert fit.b == b


def separable(seed, *, bias=0.0):
    """Data of both classes with a known separator: X, y, unit w, b, margin."""
    rng = np.random.default_rng(seed)
    d, scale = rng.integers(1, 5), 10 ** rng.uniform(-1.5, 1.5)
    w = rng.normal(size=d)
    w, b = w / np.linalg.norm(w), bias * scale * rng.normal()
    X = scale * rng.normal(size=(rng.integers(4, 30), d))
    X = X[abs(X @ w + b) > 0.05 * scale]
    y = np.where(X @ w + b > 0, 1.0, -1.0)
    if len(set(y)) < 2:
        return separable(seed + 10_000, bias=bias)
    return X, y, w, b, (y * (X @ w + b)).min()


def radius(X):
    return np.linalg.norm(X, axis=1).max()


class TestByHand:
    def test_two_points_on_a_line(self):
        fit = perceptron([[1.0], [2.0]], [-1, 1])
        assert fit.w.tolist() == [2.0]
        assert fit.b == -3.0
        assert fit.mistakes == (2, 2, 1, 2, 2, 1, 2, 1, 0)
        assert fit.updates == 13
        assert fit.converged
        assert fit.predict([[1.0], [1.5], [2.0]]).tolist() == [-1, 1, 1]

    def test_a_start_without_bias(self):
        # x = (1, 1) (+), (1, -2) (-): the scores from (-2, 0) are -2, -2, then 0
        fit = perceptron([[1.0, 1.0], [1.0, -2.0]], [1, -1], bias=False, start=[-2.0, 0.0])
        assert fit.w.tolist() == [0.0, 2.0]
        assert fit.b == 0.0
        assert fit.mistakes == (1, 1, 0)

    def test_every_step_with_a_start_and_a_step_size(self):
        trace = perceptron_trace([[1.0], [2.0]], [-1, 1], start=[1.0], eta=0.5)
        assert trace.chosen.tolist() == [0, 0, 1, 0, 1, 0, 0, 1, 0]
        assert trace.w.tolist() == [[w] for w in [1, 0.5, 0, 1, 0.5, 1.5, 1, 0.5, 1.5, 1]]
        assert trace.b.tolist() == [0, -0.5, -1, -0.5, -1, -0.5, -1, -1.5, -1, -1.5]
        assert trace.updates == 9
        assert trace.epochs == 7
        assert trace.converged

    def test_a_point_on_the_hyperplane_is_a_mistake(self):
        fit = perceptron([[1.0], [-1.0]], [1, -1], bias=False, start=[0.0])
        assert fit.mistakes == (1, 0)


class TestMistakeBound:
    def test_from_zero(self):
        assert mistake_bound(3.0, 0.5) == 36.0

    def test_it_is_the_larger_root(self):
        """(a + k gamma)**2 - n0**2 - k R**2 in exact fractions changes its sign at k."""
        rng = np.random.default_rng(0)
        for _ in range(300):
            R, gamma = 10 ** rng.uniform(-3, 3, size=2)
            n0 = 10 ** rng.uniform(-3, 6)
            a = n0 * rng.choice([1, -1]) * (1 - 10 ** rng.uniform(-9, 0))
            k = mistake_bound(R, gamma, start_norm=n0, start_score=a)
            R, gamma, n0, a = (Fraction(float(t)) for t in (R, gamma, n0, a))
            below, above = (
                (a + t * gamma) ** 2 - n0**2 - t * R**2
                for t in (Fraction(k * (1 - 1e-12)), Fraction(k * (1 + 1e-12)))
            )
            assert below < 0 < above

    def test_a_start_along_the_separator_makes_no_mistake(self):
        assert mistake_bound(1.0, 1.0, start_norm=3.0, start_score=3.0) == 0.0
        assert mistake_bound(1.0, 1.0, start_norm=0.1, start_score=0.1) == 0.8
        assert mistake_bound(2.0, 1.0, start_norm=2.0, start_score=2.0) == 0.0
        above = 3.0 * (1 + 1e-15)  # w @ w_star rounded up beyond |w|
        assert mistake_bound(1.0, 1.0, start_norm=3.0, start_score=above) == 0.0
        assert mistake_bound(1.0, 1.0, start_norm=3.0, start_score=-above) > 7.0
        assert mistake_bound(1.0, 1.0, start_norm=3.0, start_score=-3.0) == 7.0

    @pytest.mark.parametrize("start_score", [-1e150, 0.0, 1e150])
    def test_extreme_sizes(self, start_score):
        assert mistake_bound(1e150, 1.0) == pytest.approx(1e300, rel=1e-14)
        assert mistake_bound(1e-300, 1e-300) == 1.0
        golden = (1 + 5**0.5) / 2  # k**2 - k = 1, in units of 1e-300
        assert mistake_bound(1.0, 1e150, start_norm=1e-150) == pytest.approx(
            golden * 1e-300
        )
        start = {"start_norm": 1e150, "start_score": start_score}
        assert 0 <= mistake_bound(1e150, 1.0, **start) < np.inf
        with pytest.raises(ValueError, match="radius / margin must be"):
            mistake_bound(1e150, 1e-300)
        with pytest.raises(ValueError, match="start_norm / margin must be"):
            mistake_bound(1e-300, 1e-300, **start)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((0.0, 1.0), "radius must be greater than 0; got 0.0"),
            ((1.0, 0), "margin must be greater than 0; got 0"),
            ((1.0, -1.0), "margin must be greater than 0; got -1.0"),
            ((np.nan, 1.0), "radius must be a finite number; got nan"),
            (("1", 1.0), "radius must be a finite number; got '1'"),
            ((1.0, 1.0, -1.0), "start_norm must be at least 0; got -1.0"),
            ((1.0, 1.0, 1.0, 1.1), "start_score must be at most 1; got 1.1"),
            ((1.0, 1.0, 1.0, -1.1), "start_score must be at least -1; got -1.1"),
        ],
        ids=lambda value: str(value)[:30],
    )
    def test_bad_input(self, arguments, message):
        names = ("start_norm", "start_score")
        start = dict(zip(names, arguments[2:], strict=False))
        with pytest.raises(ValueError, match=message):
            mistake_bound(*arguments[:2], **start)


class TestNoSeparator:
    def test_xor_is_reported(self):
        fit = perceptron(*XOR, max_epochs=50)
        assert not fit.converged
        assert len(fit.mistakes) == 50
        assert all(fit.mistakes)

    def test_a_line_that_misses_the_origin_needs_the_bias(self):
        X, y = [[1.0], [0.5]], [1, -1]
        assert not perceptron(X, y, bias=False, max_epochs=10_000).converged
        assert perceptron(X, y).converged

    def test_one_class(self):
        fit = perceptron([[1.0, 2.0], [2.0, 1.0]], [1, 1])
        assert fit.mistakes == (1, 0)
        assert fit.w.tolist() == [1.0, 2.0]


BAD_DATA = [
    ([[1.0, np.nan]], [1], "X must be finite"),
    ([[1.0, np.inf]], [1], "X must be finite"),
    ([[1e151]], [1], "X must be finite, at most 1e.150"),
    ([["a"]], [1], "X must be an array of real numbers"),
    ([[object()]], [1], "X must be an array of real numbers"),
    ([1.0, 2.0], [1, -1], "X must be a matrix"),
    (np.zeros((0, 2)), [], "X must be a matrix"),
    (np.zeros((2, 0)), [1, 1], "X must be a matrix"),
    ([[1.0]], [0], "y must hold only -1 and .1; got the label 0"),
    ([[1.0]], [1, 1], "y must have 1 entries; got 2"),
    ([[1.0]], [[1]], "y must be a vector"),
    ([[1.0]], ["a"], "y must be an array of real numbers"),
]
BAD_OPTIONS = [
    ({"bias": 1}, "bias must be True or False; got 1"),
    ({"start": [1.0, 2.0]}, "start must have 1 entries; got 2"),
    ({"start": 1.0}, "start must be a vector"),
    ({"start": [np.nan]}, "start must be finite"),
]


class TestContract:
    @pytest.mark.parametrize("function", [perceptron, perceptron_trace])
    @pytest.mark.parametrize(("X", "y", "message"), BAD_DATA)
    def test_bad_data(self, function, X, y, message):
        with pytest.raises(ValueError, match=message):
            function(X, y)

    @pytest.mark.parametrize("function", [perceptron, perceptron_trace])
    @pytest.mark.parametrize(("options", "message"), BAD_OPTIONS)
    def test_bad_options(self, function, options, message):
        with pytest.raises(ValueError, match=message):
            function([[1.0]], [1], **options)

    @pytest.mark.parametrize(
        ("function", "options", "message"),
        [
            (perceptron, {"max_epochs": 0}, "max_epochs must be at least 1; got 0"),
            (perceptron, {"max_epochs": 2.0}, "max_epochs must be an integer; got 2.0"),
            (perceptron, {"rng": "x"}, "rng must be an integer; got 'x'"),
            (perceptron, {"rng": -1}, "rng must be at least 0; got -1"),
            (perceptron_trace, {"eta": 0.0}, "eta must be greater than 0; got 0.0"),
            (perceptron_trace, {"eta": 2.5e149}, "eta . max .X. must be at most"),
            (perceptron_trace, {"max_updates": 0}, "max_updates must be at least 1"),
        ],
    )
    def test_bad_options_of_one(self, function, options, message):
        with pytest.raises(ValueError, match=message):
            function([[3.0], [-5.0]], [1, -1], **options)

    @pytest.mark.parametrize("largest", [1e100, -1e100])
    def test_steps_that_may_overflow_are_refused(self, largest):
        with pytest.raises(ValueError, match=r"eta . max .X. must be at most 1e\+150"):
            perceptron_trace([[largest], [0.0]], [1, -1], eta=1e60)

    def test_same_seed_same_fit(self):
        X, y, *_ = separable(3, bias=1.0)
        one, two = perceptron(X, y, rng=7), perceptron(X, y, rng=7)
        assert np.array_equal(one.w, two.w)
        assert one.mistakes == two.mistakes
        generator = perceptron(X, y, rng=np.random.default_rng(7))
        assert np.array_equal(one.w, generator.w)

    @pytest.mark.parametrize("function", [perceptron, perceptron_trace])
    def test_inputs_are_untouched_and_not_shared(self, function):
        X, y, w, *_ = separable(3)
        for array in X, y, w:
            array.setflags(write=False)
        fit = function(X, y, start=w)
        fit.w[...] = 0.0  # writable, hence not the start that was given

    @pytest.mark.parametrize("function", [perceptron, perceptron_trace])
    def test_huge_numbers_stay_finite(self, function):
        X = np.array([[1e150, -1e150], [-1e150, 1e150], [1e-150, 1e150]])
        fit = function(X, [1, -1, 1], start=[-1e150, 1e150])
        assert np.isfinite(fit.w).all()
        assert fit.converged


class TestTrace:
    @pytest.mark.parametrize("seed", range(20))
    def test_it_ends_where_the_perceptron_does(self, seed):
        X, y, *_ = separable(seed, bias=seed % 2)
        options = {"bias": bool(seed % 2), "start": None if seed % 3 else X[0]}
        fit = perceptron(X, y, max_epochs=10_000, **options)
        trace = perceptron_trace(X, y, **options)
        assert np.array_equal(trace.w[-1], fit.w)
        assert trace.b[-1] == fit.b
        assert (trace.updates, trace.epochs) == (fit.updates, len(fit.mistakes))
        assert trace.converged and fit.converged

    def test_every_step_adds_an_example_that_was_wrong(self):
        X, y, *_ = separable(5, bias=1.0)
        trace = perceptron_trace(X, y, eta=0.25)
        signs, rows = y[trace.chosen], X[trace.chosen]
        scores = np.sum(trace.w[:-1] * rows, axis=1) + trace.b[:-1]
        assert (signs * scores <= 0).all()
        assert np.diff(trace.b).tolist() == (0.25 * signs).tolist()
        steps = 0.25 * signs[:, None] * rows
        np.testing.assert_allclose(np.diff(trace.w, axis=0), steps, atol=1e-12)

    def test_the_step_size_matters_only_with_a_start(self):
        rng = np.random.default_rng(3)
        X = rng.normal(size=(30, 3))
        y = np.sign(X @ [1.0, -2.0, 0.5])
        one = perceptron_trace(X, y, bias=False)
        for eta in 0.125, 8.0:  # powers of 2, so that nothing is rounded
            other = perceptron_trace(X, y, bias=False, eta=eta)
            assert np.array_equal(other.w, eta * one.w)
        updates = [
            perceptron_trace(X, y, bias=False, start=[-5, 3, 4], eta=eta).updates
            for eta in (1, 0.1, 10)
        ]
        assert len(set(updates)) > 1

    def test_it_gives_up_after_max_updates(self):
        trace = perceptron_trace(*XOR, max_updates=7)
        assert trace.updates == 7
        assert trace.w.shape == (8, 2)
        assert trace.b.shape == (8,)
        assert not trace.converged
        assert np.array_equal(trace.w, perceptron_trace(*XOR, max_updates=9).w[:8])

    def test_no_update_when_the_start_is_right(self):
        trace = perceptron_trace([[1.0, 2.0]], [1], start=[1.0, 0.0])
        assert (trace.updates, trace.epochs, trace.converged) == (0, 1, True)
        assert trace.w.tolist() == [[1.0, 0.0]]


class TestBlockScan:
    """The answer is, bit for bit, that of the loop over single rows."""

    @pytest.mark.parametrize(
        "shape", [(1, 1), (2, 1), (7, 3), (60, 5), (300, 40), (2000, 8)], ids=str
    )
    @pytest.mark.parametrize("kind", ["separable", "noisy", "random", "zero"])
    def test_real_data(self, shape, kind):
        rng = np.random.default_rng(shape[0])
        X = rng.normal(size=shape)
        noise = {"separable": 0, "noisy": 1, "random": 100, "zero": 0}[kind]
        y = np.where(X.sum(axis=1) + noise * rng.normal(size=len(X)) > 0, 1.0, -1.0)
        X *= kind != "zero"
        start, orders = rng.normal(size=shape[1]), [range(len(X))] * 4
        for w in None, start:
            for bias in True, False:
                fit = perceptron(X, y, bias=bias, start=w, max_epochs=4)
                assert_same(fit, row_loop(X, y, orders, w=w, bias=bias))

    @pytest.mark.parametrize("unit", [1.0, 0.1, 1 / 3, 1e-155, 1e149])
    def test_scores_of_exactly_zero_or_rounded_to_it(self, unit):
        for seed in range(30):
            rng = np.random.default_rng(seed)
            shape = rng.integers(1, 120), rng.integers(1, 40)
            X = rng.integers(-3, 4, size=shape) * unit
            y = np.where(X.sum(axis=1) + seed % 2 * rng.normal() >= 0, 1.0, -1.0)
            fit = perceptron(X, y, bias=seed % 3 > 0, max_epochs=9)
            orders = [range(len(X))] * 9
            assert_same(fit, row_loop(X, y, orders, bias=seed % 3 > 0))

    def test_each_epoch_in_its_own_order(self):
        X, y, *_ = separable(3, bias=1.0)
        for seed in range(20):
            draw = np.random.default_rng(seed)
            orders = (draw.permutation(len(X)) for _ in range(100))
            assert_same(perceptron(X, y, rng=seed), row_loop(X, y, orders))

    def test_any_memory_layout_and_type(self):
        rng = np.random.default_rng(0)
        X = rng.integers(-3, 4, size=(80, 9)).astype(np.float32) * np.float32(0.1)
        y = np.where(X.sum(axis=1) > 0, 1, -1)
        X, wide = X.astype(float), np.repeat(X.astype(float), 2, axis=1)
        oracle = row_loop(X, y, [range(80)] * 50)
        for same in (
            X.astype(np.float32),
            np.asfortranarray(X),
            wide[:, ::2],
            X.tolist(),
        ):
            assert_same(perceptron(same, y, max_epochs=50), oracle)
            trace = perceptron_trace(same, y, max_updates=sum(oracle[2]))
            assert np.array_equal(trace.w[-1], oracle[0])


class TestNovikoff:
    """The number of updates never exceeds the bound: three versions, and any start."""

    def test_without_bias(self):
        for seed in range(150):
            X, y, _, _, margin = separable(seed)
            fit = perceptron(X, y, bias=False, max_epochs=10_000, rng=seed)
            assert fit.converged
            assert fit.updates <= (radius(X) / margin) ** 2
            assert fit.updates <= mistake_bound(radius(X), margin)

    def test_with_the_largest_margin_the_bound_is_sharpest(self):
        for seed in range(30):
            X, y, _, _, margin = separable(seed)
            largest = max_margin(X, y, bias=False).margin
            fit = perceptron(X, y, bias=False, max_epochs=10_000)
            assert margin <= largest * (1 + 1e-9)
            assert fit.updates <= mistake_bound(radius(X), largest)

    def test_from_any_start(self):
        for seed in range(150):
            X, y, w, _, margin = separable(seed)
            rng = np.random.default_rng(seed)
            start = radius(X) * rng.choice([0, 1, 10, 50]) * rng.normal(size=len(w))
            fit = perceptron(X, y, bias=False, start=start, max_epochs=10_000)
            norm = np.linalg.norm(start)
            bound = mistake_bound(radius(X), margin, start_norm=norm, start_score=start @ w)
            assert fit.converged
            assert fit.updates <= bound

    def test_bias_by_the_constant_one(self):
        for seed in range(150):
            X, y, _, b, margin = separable(seed, bias=0.5)
            fit = perceptron(X, y, max_epochs=100_000)
            assert fit.converged
            assert fit.updates <= (radius(X) ** 2 + 1) * (1 + b**2) / margin**2

    def test_bias_by_the_constant_radius(self):
        for seed in range(150):
            X, y, _, b, margin = separable(seed, bias=0.5)
            R = radius(X)
            extended = np.column_stack([X, np.full(len(X), R)])
            fit = perceptron(extended, y, bias=False, max_epochs=100_000)
            sharp = 2 * R**2 * (1 + b**2 / R**2) / margin**2
            assert fit.converged
            assert fit.updates <= sharp <= (2 * R / margin) ** 2 * (1 + 1e-12)

    def test_the_constant_one_breaks_the_bound_for_the_constant_radius(self):
        X, y = np.array([[0.01], [0.005]]), np.array([1, -1])
        R, margin, b = 0.01, 0.0025, -0.0075
        assert (2 * R / margin) ** 2 == pytest.approx(64)
        one = perceptron(X, y, max_epochs=100_000)
        assert (one.updates, one.converged) == (40_003, True)
        assert one.updates <= (R**2 + 1) * (1 + b**2) / margin**2
        extended = np.column_stack([X, [R, R]])
        assert perceptron(extended, y, bias=False).updates == 9

    @pytest.mark.parametrize("n", [1, 2, 5, 20])
    def test_orthonormal_examples_attain_it(self, n):
        fit = perceptron(np.eye(n), np.ones(n), bias=False)
        margin = 1 / np.sqrt(n)  # of w_star = (1, ..., 1) / sqrt(n)
        assert fit.updates == n == pytest.approx(mistake_bound(1.0, margin))


@pytest.mark.slow
class TestScikitLearn:
    """Its Perceptron in the same order makes the same mistakes: w is equal to the bit."""

    @pytest.mark.parametrize("bias", [True, False])
    @pytest.mark.parametrize("epochs", [1, 3, 25])
    def test_same_answer(self, bias, epochs):
        from sklearn.datasets import load_digits
        from sklearn.linear_model import Perceptron

        X, digit = load_digits(return_X_y=True)
        X, digit = X[np.isin(digit, [3, 8])], digit[np.isin(digit, [3, 8])]
        model = Perceptron(
            shuffle=False, tol=None, max_iter=epochs, fit_intercept=bias
        ).fit(X, digit)
        fit = perceptron(X, np.where(digit == 8, 1, -1), bias=bias, max_epochs=epochs)
        assert np.array_equal(model.coef_[0], fit.w)
        assert np.array_equal(model.intercept_, [fit.b])

    @pytest.mark.parametrize("seed", range(10))
    def test_same_answer_on_noise(self, seed):
        from sklearn.linear_model import Perceptron

        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(150, 6)), rng.choice([-1.0, 1.0], size=150)
        model = Perceptron(shuffle=False, tol=None, max_iter=20).fit(X, y)
        fit = perceptron(X, y, max_epochs=20)
        np.testing.assert_allclose(model.coef_[0], fit.w, rtol=1e-12, atol=1e-12)
        assert np.array_equal(model.intercept_, [fit.b])
