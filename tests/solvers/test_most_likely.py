"""The ways to the minimum of the log loss: which is taken, and that all end there."""

import numpy as np
import pytest

from mlcore.logistic import logistic
from mlcore.solvers import most_likely
from mlcore.solvers.descent import Descent

SHAPES = {"a tenth": (5000, 20), "a sample": (4000, 60), "wide": (150, 200)}
every_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)


def examples(seed, n, d):
    """Correlated features, and labels of a logistic model."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + rng.normal(size=(d, d)) / np.sqrt(d)) + 0.5
    score = X @ rng.normal(size=d) / d
    return X, np.where(rng.random(n) < 1 / (1 + np.exp(-2 * score)), 1.0, -1.0)


@pytest.fixture
def taken(monkeypatch):
    """The ways in the order in which they were tried."""
    tried = []
    for way in "_by_sample", "_by_gradients", "newton_steps":
        sound = getattr(most_likely, way)

        def spy(*given, way=way, sound=sound, **options):
            tried.append(way)
            return sound(*given, **options)

        monkeypatch.setattr(most_likely, way, spy)
    return tried


def by_newton(monkeypatch, X, y, **options):
    with monkeypatch.context() as patch:
        patch.setattr(most_likely, "_in_few_passes", lambda *given, **options: None)
        return logistic(X, y, **options)


def value(fit, X, y, lambda_, s):
    loss = np.logaddexp(0, -y * (X @ fit.w + fit.b))
    return np.average(loss, weights=s) + lambda_ / 2 * fit.w @ fit.w


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bias", [True, False])
@every_shape
def test_the_same_minimum(shape, bias, weighted, monkeypatch, taken):
    X, y = examples(0, *shape)
    s = np.random.default_rng(1).uniform(0.1, 3, size=len(y)) if weighted else None
    known = {"lambda_": 0.1, "bias": bias, "sample_weight": s}
    fit = logistic(X, y, tol=1e-9, **known)
    way = "_by_gradients" if shape == SHAPES["wide"] else "_by_sample"
    assert taken == ([way, "newton_steps"] if shape == SHAPES["a tenth"] else [way])
    exact = by_newton(monkeypatch, X, y, tol=1e-25, **known)
    assert fit.converged
    np.testing.assert_allclose(fit.values[-1], value(fit, X, y, 0.1, s), rtol=1e-12)
    np.testing.assert_allclose(fit.norms[-1], np.linalg.norm(fit.w), rtol=1e-12)
    assert -1e-14 < fit.values[-1] - exact.values[-1] <= 1e-9
    assert len(fit.values) == len(fit.norms)
    assert (np.diff(fit.values) <= 1e-15).all()
    fine = logistic(X, y, tol=1e-24, **known)
    np.testing.assert_allclose(fine.w, exact.w, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(fine.b, exact.b, rtol=1e-7, atol=1e-9)


@every_shape
def test_few_steps_and_no_hessian_of_all(shape, monkeypatch):
    X, y = examples(1, *shape)
    sizes = []
    sound = most_likely.MeanLoss.second
    monkeypatch.setattr(
        most_likely.MeanLoss, "second", lambda J, v: sizes.append(len(J.Z)) or sound(J, v)
    )
    fit = logistic(X, y, lambda_=0.1, tol=1e-9)
    assert fit.converged
    assert max(sizes, default=0) <= len(X) / 2
    assert len(fit.values) < 30


def test_a_wide_array_far_from_the_origin():
    """The bias follows the weights, so the steps are those of centered features."""
    X, y = examples(9, *SHAPES["wide"])
    X -= X.mean(axis=0)
    near = logistic(X, y, lambda_=0.1, tol=1e-9)
    far = logistic(X + 10.0, y, lambda_=0.1, tol=1e-9)
    assert len(far.values) <= len(near.values) + 2
    np.testing.assert_allclose(far.w, near.w, atol=1e-4)


@every_shape
def test_small_data_take_the_steps_of_newton(shape, taken):
    X, y = examples(2, 150, 8)
    assert logistic(X, y, lambda_=0.1).converged
    assert taken == ["newton_steps"]


@pytest.mark.parametrize("odd", [1.0, 30.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_gap_is_within_tol_where_the_sample_is_like_no_other(seed, odd, monkeypatch):
    """Its examples have far more curvature, and its bound is true all the same."""
    X, y = examples(seed, 5000, 20)
    X[::10, :10] *= odd
    fit = logistic(X, y, tol=1e-6)
    exact = by_newton(monkeypatch, X, y, tol=1e-25)
    assert fit.converged
    assert fit.values[-1] - exact.values[-1] <= 1e-6


@pytest.mark.parametrize(
    ("n", "d", "way"),
    [
        (3200, 32, "_by_sample"),  # n = 100 d: the start is the fit to every tenth
        (1900, 75, "_by_sample"),  # n = 25 d: every second
        (1500, 90, "newton_steps"),  # n < 20 d: a sample would tell too little
        (3999, 50, "newton_steps"),  # fewer than 1e7 products for the Hessian
        (4000, 50, "_by_sample"),
        (150, 150, "_by_gradients"),
        (149, 150, "newton_steps"),
    ],
)
def test_which_way_is_taken(n, d, way, taken):
    X, y = examples(11, n, d)
    logistic(X, y, lambda_=0.1, tol=1e-6)
    assert taken[0] == way


def test_a_wide_array_without_a_penalty_takes_the_steps_of_newton(taken):
    logistic(*examples(12, *SHAPES["wide"]), max_steps=2)
    assert taken == ["newton_steps"]


def test_of_more_features_than_examples_no_hessian_is_made(monkeypatch):
    """But one of coordinates, of which there are no more than examples."""
    sizes = []
    sound = most_likely.MeanLoss.second
    monkeypatch.setattr(
        most_likely.MeanLoss, "second", lambda J, v: sizes.append(len(v)) or sound(J, v)
    )
    assert logistic(*examples(13, 20, 300), lambda_=0.1).converged
    assert set(sizes) <= {20, 21}


@pytest.fixture
def asked(monkeypatch):
    """What `quasi_newton` is asked to do: a function of X, y, whether there is a bias."""

    def call(X, y, bias=True):
        given = []

        def catch(f, gradient, v, solve, bound, **options):
            given.append((v, solve, bound))
            return Descent(v, v[None], np.zeros(1), False)

        monkeypatch.setattr(most_likely, "quasi_newton", catch)
        monkeypatch.setattr(most_likely, "settled", lambda *given: True)
        most_likely.most_likely(X, y, 1e-2, bias, 1.0, tol=1e-9, max_steps=50)
        return given[0]

    return call


@every_shape
def test_the_bound_is_one(shape, asked):
    """At any point, for any gradient; also where the sample has nearly all curvature."""
    X, y = examples(10, *shape)
    if shape != SHAPES["wide"]:
        X[np.arange(len(X)) % most_likely.stride(X) > 0] *= 1e-3
    _, _, bound = asked(X, y)
    rng = np.random.default_rng(0)
    J = most_likely.MeanLoss(X, y, np.full(shape[1], 1e-2))
    for _ in range(10):
        v, some = rng.normal(size=(2, shape[1] + 1))
        H = J.hessian(v / shape[1])
        for g in some, H[0], H[-1]:
            exact = g @ np.linalg.solve(H, g) / 2
            assert exact <= bound(v / shape[1], g) * (1 + 1e-9)


def test_the_bound_of_gradients_is_the_gap_where_the_rows_are_alike(asked):
    row, y = examples(14, 1, 200)[0], examples(14, 150, 1)[1]
    X = np.tile(row, (150, 1))
    _, _, bound = asked(X, y)
    rng = np.random.default_rng(0)
    J = most_likely.MeanLoss(X, y, np.full(200, 1e-2))
    for v, g in rng.normal(size=(5, 2, 201)):
        exact = g @ np.linalg.solve(J.hessian(v / 200), g) / 2
        np.testing.assert_allclose(bound(v / 200, g), exact, rtol=1e-9)


@pytest.mark.parametrize("name", ["a tenth", "a sample"])
def test_a_sample_that_is_like_the_rest(name, asked):
    """Its steps are Newton's, and its bound is the gap over its share of the examples."""
    n, d = SHAPES[name]
    rows, labels = examples(15, n, d)
    k = most_likely.stride(rows)
    X, y = np.repeat(rows[::k], k, axis=0), np.repeat(labels[::k], k)
    X *= np.geomspace(1e-3, 1e3, d)
    v, solve, bound = asked(X, y)
    H = most_likely.MeanLoss(X, y, np.full(d, 1e-2)).hessian(v)
    g = np.random.default_rng(0).normal(size=d + 1) * np.sqrt(np.diagonal(H))
    step = np.linalg.solve(H, g)
    np.testing.assert_allclose(solve(g), step, rtol=1e-6, atol=1e-6 * np.abs(step).max())
    np.testing.assert_allclose(bound(v, g), k * (g @ step) / 2, rtol=1e-9)


@pytest.mark.parametrize("bias", [True, False])
def test_the_first_step_by_gradients_has_the_best_length(bias, asked):
    """Along it the quadratic model is least at its end: g @ p = p @ H @ p."""
    X, y = examples(16, *SHAPES["wide"])
    y[:40] = 1.0
    for size in 1e-2, 1.0, 10.0:
        v, solve, _ = asked(size * X, y, bias)
        J = most_likely.MeanLoss(size * X, y, np.full(200, 1e-2))
        g, H = J.gradient(v), J.hessian(v)
        p = solve(g.copy())
        np.testing.assert_allclose(g @ p, p @ H @ p, rtol=1e-9)
        if bias:  # b is best for any w
            assert abs(H[-1] @ p - g[-1]) <= 1e-12


def test_features_that_say_nothing(taken):
    y = np.resize([1.0, 1.0, 1.0, -1.0], 160)
    fit = logistic(np.zeros((160, 150)), y, lambda_=0.1, tol=1e-20)
    assert taken == ["_by_gradients"]
    assert fit.converged
    assert not fit.w.any()
    np.testing.assert_allclose(fit.b, np.log(3), rtol=1e-9)


def test_a_step_is_small_if_it_moves_no_score_by_more_than_a_quarter():
    Z, H = np.array([[1.0], [0.5]]), np.eye(2)
    for p, small in [
        ([0.125, 0.125], True),
        ([-0.125, -0.125], True),
        ([0.5, -0.375], True),  # scores 0.125 and -0.125
        ([0.5, -0.25], True),  # 0.25 and 0
        ([0.25, 0.125], False),  # 0.375 and 0.25
        ([1.0, -1.0], False),  # 0 and -0.5
    ]:
        assert most_likely.settled(Z, H, np.array(p)) == small


class TestBack:
    """To Newton's steps, where the quick ways do not lead to the end."""

    def test_a_sample_of_one_class(self, taken):
        X, y = examples(3, *SHAPES["a tenth"])
        y[::10] = 1.0
        assert logistic(X, y).converged
        assert taken[0] == "_by_sample"
        assert taken[-1] == "newton_steps"

    @pytest.mark.parametrize("name", ["a tenth", "a sample"])
    def test_separable_examples(self, name):
        X, y = examples(4, *SHAPES[name])
        y = np.where(X[:, 0] - 0.5 + 0.3 * X[:, 1] > 0, 1.0, -1.0)
        fit = logistic(X, y)
        assert not fit.converged
        assert (fit.predict(X) == y).all()
        assert (np.diff(fit.norms) > 0).all()

    def test_one_class_in_a_wide_array(self):
        X, _ = examples(5, *SHAPES["wide"])
        fit = logistic(X, np.ones(len(X)), lambda_=0.1)
        assert not fit.converged
        assert fit.b > 10

    @every_shape
    def test_dependent_columns(self, shape, monkeypatch):
        X, y = examples(6, *shape)
        X = np.column_stack([X, X[:, 0], np.full(len(X), 3.0), X[:, 1] - X[:, 2]])
        lambda_ = 0.1 if shape == SHAPES["wide"] else 0.0
        fit = logistic(X, y, lambda_=lambda_, tol=1e-20)
        exact = by_newton(monkeypatch, X, y, lambda_=lambda_, tol=1e-20)
        assert fit.converged
        np.testing.assert_allclose(fit.w, exact.w, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(fit.w[0], fit.w[shape[1]], rtol=1e-6, atol=1e-9)

    def test_a_wide_array_in_mixed_units(self, taken):
        X, y = examples(7, *SHAPES["wide"])
        X *= np.geomspace(1e-4, 1e4, X.shape[1])
        assert logistic(X, y, lambda_=1e-3).converged
        assert taken == ["_by_gradients", "newton_steps"]

    def test_no_more_steps_than_asked(self):
        for shape in SHAPES.values():
            fit = logistic(*examples(8, *shape), lambda_=1e-3, max_steps=2)
            assert not fit.converged
            assert len(fit.values) == 3
