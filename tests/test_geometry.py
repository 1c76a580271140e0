"""Distances, margins, the widest separation, and the certificate when there is none."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize, nnls

from mlcore.geometry import (
    augment,
    foot_of_origin,
    functional_margin,
    geometric_margin,
    max_margin,
    project,
    separating_halfspace,
    shatters,
    signed_distance,
)

XOR = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
XOR_Y = np.array([1.0, 1.0, -1.0, -1.0])


def draw(seed, n=12, d=3, shift=0.3):
    """Points on both sides of a random hyperplane, none within `shift` of it."""
    rng = np.random.default_rng(seed)
    w = rng.normal(size=d)
    w, b = w / np.linalg.norm(w), rng.normal()
    X, y = rng.normal(size=(n, d)), np.resize([1.0, -1.0], n)
    X += np.outer(y * (shift + rng.random(n)) - X @ w - b, w)
    return X, y, w, b


# --- one hyperplane ---------------------------------------------------------------


def test_by_hand():
    w, b, X = np.array([3.0, 4.0]), -10.0, np.array([[0.0, 0.0], [2.0, 6.0]])
    assert signed_distance(X, w, b) == pytest.approx([-2.0, 4.0])
    assert project(X, w, b) == pytest.approx(np.array([[1.2, 1.6], [-0.4, 2.8]]))
    assert foot_of_origin(w, b) == pytest.approx([1.2, 1.6])
    assert functional_margin(X, [1, 1], w, b) == pytest.approx([-10.0, 20.0])
    assert geometric_margin(X, [-1, 1], w, b) == pytest.approx([2.0, 4.0])
    assert np.array_equal(augment(X, constant=5.0), [[0, 0, 5], [2, 6, 5]])
    assert np.array_equal(augment(X)[:, -1], [1, 1])


@pytest.mark.parametrize("seed", range(5))
def test_distance_and_projection_agree_with_a_general_minimizer(seed):
    rng = np.random.default_rng(seed)
    x, w, b = rng.normal(size=3), rng.normal(size=3), rng.normal()
    plane = {"type": "eq", "fun": lambda p: w @ p + b, "jac": lambda p: w}
    found = minimize(
        lambda p: (p - x) @ (p - x),
        np.zeros(3),
        jac=lambda p: 2 * (p - x),
        constraints=[plane],
        options={"ftol": 1e-14},
    )
    assert project(x[None], w, b)[0] == pytest.approx(found.x, abs=1e-6)
    distance = signed_distance(x[None], w, b)[0]
    assert abs(distance) == pytest.approx(np.sqrt(found.fun), abs=1e-6)
    assert np.sign(distance) == np.sign(w @ x + b)


def test_the_foot_lies_in_the_direction_of_w_exactly_for_negative_bias():
    w = np.array([1.0, -2.0])
    assert foot_of_origin(w, -1.0) @ w > 0 > foot_of_origin(w, 1.0) @ w
    assert np.array_equal(foot_of_origin(w, 0.0), [0.0, 0.0])


def test_geometric_margin_ignores_the_length_of_w_and_functional_does_not():
    X, y, w, b = draw(0)
    assert geometric_margin(X, y, 5 * w, 5 * b) == pytest.approx(
        geometric_margin(X, y, w, b)
    )
    wide = functional_margin(X, y, 5 * w, 5 * b)
    assert wide == pytest.approx(5 * functional_margin(X, y, w, b))


@pytest.mark.parametrize("size", [1e-150, 1e149])
def test_extreme_normal_vectors_give_the_right_distance(size):
    X = np.array([[1.0, 1.0]])
    w = size * np.array([3.0, 4.0])
    assert signed_distance(X, w, 0.0) == pytest.approx([1.4])
    assert foot_of_origin(w, size) == pytest.approx([-0.12, -0.16])


# --- the widest separation --------------------------------------------------------


def test_max_margin_by_hand():
    X, y = np.array([[0.0, 0.0], [0.0, 4.0], [3.0, 1.0]]), np.array([-1, 1, -1])
    fit = max_margin(X, y)
    assert fit.separable
    assert fit.w == pytest.approx(np.array([-1.0, 3.0]) / np.sqrt(10.0))
    assert fit.margin == pytest.approx(6 / np.sqrt(10.0))
    assert fit.b == pytest.approx(-6 / np.sqrt(10.0))
    assert fit.weights == pytest.approx([0.6, 1.0, 0.4])


def reference_margin(P):
    """The distance of the origin from the hull of the rows, by another algorithm."""
    n = len(P)
    a, _ = nnls(np.vstack([P.T, np.ones(n)]), np.append(np.zeros(P.shape[1]), 1.0))
    return np.linalg.norm(a / a.sum() @ P)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("d", [1, 2, 5])
def test_max_margin_without_bias_is_the_distance_of_a_hull(seed, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, d)) * 10.0 ** rng.integers(-3, 4)
    y = np.where(X @ rng.normal(size=d) >= 0, 1.0, -1.0)
    fit = max_margin(X, y, bias=False)
    assert fit.margin == pytest.approx(reference_margin(y[:, None] * X), rel=1e-8)
    assert fit.weights.min() >= 0 and fit.weights.sum() == pytest.approx(1)
    nearest = (fit.weights * y) @ X
    assert nearest == pytest.approx(
        fit.margin * fit.w, rel=1e-7, abs=1e-9 * abs(X).max()
    )


@pytest.mark.parametrize("seed", range(20))
def test_max_margin_with_bias_is_half_the_distance_of_two_hulls(seed):
    X, y, *_ = draw(seed)
    pairs = (X[y > 0][:, None] - X[y < 0][None]).reshape(-1, X.shape[1])
    fit = max_margin(X, y)
    assert fit.margin == pytest.approx(reference_margin(pairs) / 2, rel=1e-8)
    z = y * (X @ fit.w + fit.b)
    assert z.min() == pytest.approx(fit.margin, rel=1e-12)
    assert np.linalg.norm(fit.w) == pytest.approx(1, rel=1e-12)
    support = fit.weights > 1e-9
    assert z[support] == pytest.approx(np.full(support.sum(), fit.margin), rel=1e-6)
    for sign in (1, -1):
        assert fit.weights[y == sign].sum() == pytest.approx(1)


@pytest.mark.parametrize("seed", range(10))
def test_no_other_hyperplane_has_a_larger_margin(seed):
    X, y, *_ = draw(seed)
    fit, rng = max_margin(X, y), np.random.default_rng(seed)
    for _ in range(200):
        w = fit.w + 0.1 * rng.normal(size=3)
        g = X @ (w / np.linalg.norm(w))
        assert (g[y > 0].min() - g[y < 0].max()) / 2 <= fit.margin * (1 + 1e-9)


@pytest.mark.parametrize("bias", [True, False])
def test_max_margin_reports_data_that_nothing_separates(bias):
    fit = max_margin(XOR, XOR_Y, bias=bias)
    assert not fit.separable
    assert (fit.margin, fit.b) == (0.0, 0.0) and not fit.w.any()
    meeting = (fit.weights * XOR_Y) @ XOR
    assert meeting == pytest.approx([0.0, 0.0], abs=1e-12)


def test_max_margin_with_more_features_than_examples():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6, 40)), np.array([1, 1, 1, -1, -1, -1])
    wide = max_margin(X, y)
    rotated = max_margin(X @ np.linalg.qr(rng.normal(size=(40, 40)))[0], y)
    assert wide.margin == pytest.approx(rotated.margin, rel=1e-9)
    assert (y * (X @ wide.w + wide.b)).min() == pytest.approx(wide.margin, rel=1e-9)
    signed = max_margin(X, y, bias=False)
    assert signed.margin == pytest.approx(reference_margin(y[:, None] * X), rel=1e-8)


@pytest.mark.parametrize("size", [1e-150, 1e149])
def test_the_margin_scales_with_the_data(size):
    X, y, *_ = draw(1)
    assert max_margin(size * X, y).margin == pytest.approx(
        size * max_margin(X, y).margin
    )
    found = separating_halfspace(size * X, y)
    assert found.separable and (y * (size * X @ found.w + found.b)).min() > 0.999


# --- linear programming -----------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("bias", [True, False])
def test_a_separating_halfspace_keeps_every_example_at_one(seed, bias):
    X, y, *_ = draw(seed)
    X = X if bias else augment(X)
    found = separating_halfspace(X, y, bias=bias)
    assert found.separable and found.certificate is None
    assert (y * (X @ found.w + found.b)).min() == pytest.approx(1.0)
    assert bias or found.b == 0.0


@pytest.mark.parametrize("seed", range(10))
def test_a_certificate_proves_that_nothing_separates(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 2)), rng.choice([-1.0, 1.0], 30)
    found = separating_halfspace(X, y)
    a = found.certificate
    assert not found.separable and a.min() >= 0 and a.sum() == pytest.approx(1)
    assert np.allclose((a * y) @ augment(X), 0, atol=1e-9)
    assert not max_margin(X, y).separable


def test_the_certificate_of_xor_is_the_mean_of_each_class():
    assert separating_halfspace(XOR, XOR_Y).certificate == pytest.approx([0.25] * 4)


@pytest.mark.parametrize("seed", range(20))
def test_the_program_and_the_hulls_give_the_same_verdict(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(7, 2)), np.resize([1.0, -1.0], 7)
    assert separating_halfspace(X, y).separable == max_margin(X, y).separable
    free = separating_halfspace(X, y, bias=False).separable
    assert free == max_margin(X, y, bias=False).separable


# --- shattering -------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3])
def test_a_simplex_is_shattered_and_one_point_more_never(d):
    assert shatters(np.vstack([np.zeros(d), np.eye(d)]))
    for seed in range(5):
        assert not shatters(np.random.default_rng(seed).normal(size=(d + 2, d)))


def test_points_on_a_line_are_not_shattered_in_the_plane():
    assert not shatters(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]))


def test_shatters_agrees_with_trying_every_labeling():
    X = np.random.default_rng(4).normal(size=(4, 3))
    labelings = itertools.product((-1.0, 1.0), repeat=4)
    every = all(separating_halfspace(X, signs).separable for signs in labelings)
    assert shatters(X) == every


# --- bad input --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signed_distance(XOR, [0, 0], 1.0), "w must not be zero"),
        (lambda: project(XOR, [1, 0, 0], 1.0), "w must have 2 entries; got 3"),
        (lambda: foot_of_origin([1, 0], np.nan), "b must be a finite number; got nan"),
        (lambda: augment(XOR, constant=0), "constant must be greater than 0; got 0"),
        (lambda: functional_margin(XOR, [1, 1, 1, 0], [1, 0], 0), "y must hold only"),
        (lambda: geometric_margin(XOR, [1], [1, 0], 0), "y must have 4 entries; got 1"),
        (lambda: max_margin(XOR, np.ones(4)), r"y must hold both -1 and \+1"),
        (lambda: shatters(np.zeros((13, 2))), "X must have at most 12 rows"),
        (lambda: separating_halfspace(XOR, [1, 1, 2, 1]), "y must hold only"),
    ],
)
def test_bad_input_is_refused_by_name(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_one_class_without_bias_has_a_margin():
    assert max_margin(np.eye(2), np.ones(2), bias=False).margin == pytest.approx(
        0.5**0.5
    )


def test_inputs_are_left_as_they_were():
    X, y, w, b = draw(2)
    before = X.copy(), y.copy(), w.copy()
    max_margin(X, y), separating_halfspace(X, y), project(X, w, b), augment(X)
    for now, then in zip((X, y, w), before, strict=True):
        assert np.array_equal(now, then)
