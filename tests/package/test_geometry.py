"""mlcore.geometry against hands and theorems."""

import numpy as np
import pytest

from mlcore.geometry import (
    augment,
    foot_of_origin,
    functional_margin,
    geometric_margin,
    project,
    signed_distance,
)

W, B = np.array([3.0, 4.0]), -10.0  # |W| = 5
X = np.array([[0.0, 0.0], [2.0, 1.0], [4.0, 7.0]])
Y = np.array([1.0, -1.0, 1.0])


def test_distances_and_margins_by_hand():
    assert signed_distance(X, W, B) == pytest.approx([-2, 0, 6], abs=1e-15)
    assert functional_margin(X, Y, W, B) == pytest.approx([-10, 0, 30], abs=1e-14)
    assert geometric_margin(X, Y, W, B) == pytest.approx([-2, 0, 6], abs=1e-15)
    flipped = -Y
    assert functional_margin(X, flipped, W, B) == pytest.approx([10, 0, -30], abs=1e-14)
    assert geometric_margin(X, flipped, W, B) == pytest.approx([2, 0, -6], abs=1e-15)


def test_projections_by_hand():
    expected = [[1.2, 1.6], [2, 1], [0.4, 2.2]]
    assert project(X, W, B) == pytest.approx(np.array(expected), abs=1e-15)


@pytest.mark.parametrize(
    ("w", "b", "foot"),
    [((3, 4), -10, (1.2, 1.6)), ((3, 4), 10, (-1.2, -1.6)), ((0, 2), 0, (0, 0))],
)
def test_the_foot_lies_along_w_exactly_if_b_is_negative(w, b, foot):
    assert foot_of_origin(w, b) == pytest.approx(foot, abs=1e-15)


@pytest.mark.parametrize("seed", range(10))
def test_the_projection_is_the_nearest_point(seed):
    rng = np.random.default_rng(seed)
    n, d = rng.integers(1, 8, size=2)
    X, w, b = rng.normal(size=(n, d)), rng.normal(size=d), rng.normal()
    P = project(X, w, b)
    assert P @ w + b == pytest.approx(0, abs=1e-13)
    distance = signed_distance(X, w, b)
    assert np.linalg.norm(X - P, axis=1) == pytest.approx(np.abs(distance), abs=1e-13)
    # any other point of the plane is farther: least squares over its directions
    _, _, directions = np.linalg.svd(w[None])
    along = directions[1:].T
    start = foot_of_origin(w, b)
    best = [start + along @ np.linalg.lstsq(along, x - start)[0] for x in X]
    assert pytest.approx(np.array(best), abs=1e-12) == P


def test_the_foot_is_the_projection_of_the_origin():
    assert project([[0.0, 0.0]], W, B)[0] == pytest.approx(foot_of_origin(W, B))


def test_multiples_of_w_and_b_are_the_same_hyperplane_but_not_the_same_score():
    assert signed_distance(X, 7 * W, 7 * B) == pytest.approx(signed_distance(X, W, B))
    assert signed_distance(X, -W, -B) == pytest.approx(-signed_distance(X, W, B))
    z = functional_margin(X, Y, W, B)
    assert functional_margin(X, Y, 7 * W, 7 * B) == pytest.approx(7 * z)


def test_augmenting_keeps_the_score_and_changes_the_distance():
    Z = augment(X, constant=2.5)
    assert np.array_equal(Z, [[0, 0, 2.5], [2, 1, 2.5], [4, 7, 2.5]])
    assert np.array_equal(augment(X)[:, -1], [1, 1, 1])
    v = np.append(W, B / 2.5)
    z = functional_margin(Z, Y, v, 0.0)
    assert z == pytest.approx(functional_margin(X, Y, W, B), abs=1e-13)
    assert signed_distance(Z, v, 0.0)[2] == pytest.approx(30 / np.sqrt(25 + 16))


def test_the_zero_vector_has_functional_margins():
    assert np.array_equal(functional_margin(X, Y, [0, 0], 2), [2, -2, 2])


@pytest.mark.parametrize("size", [1e-150, 1.0, 1e149])
@pytest.mark.parametrize("unit", [1e-150, 1.0, 1e149])
def test_no_square_overflows_or_vanishes(size, unit):
    w, b = W * size, B * size * unit if size * unit <= 1e149 else 0.0
    expected = np.array([-2, 0, 6]) if b else np.array([0, 2, 8])
    Z = X * unit
    assert signed_distance(Z, w, b) / unit == pytest.approx(expected, abs=1e-14)
    assert geometric_margin(Z, Y, w, b) / unit == pytest.approx(Y * expected, abs=1e-14)
    P = project(Z, w, b) / unit
    assert pytest.approx(X - np.outer(expected, W / 5), abs=1e-14) == P
    foot = foot_of_origin(w, b) / unit
    assert foot == pytest.approx([1.2, 1.6] if b else [0, 0], abs=1e-14)


def test_a_hyperplane_beyond_all_numbers_is_refused():
    assert foot_of_origin([1e-150], 1e149)[0] == pytest.approx(-1e299)
    assert foot_of_origin([1e149 * 1e-300], 1e149)[0] == pytest.approx(-1e300)
    with pytest.raises(ValueError, match=r"b must be at most 1e\+300 times \|w\|; got"):
        foot_of_origin([1e-160], -1e149)


BAD_DATA = [
    (dict(X=[[np.nan, 1.0]]), "X must be finite"),
    (dict(X=[[np.inf, 1.0]]), "X must be finite"),
    (dict(X=[1.0, 2.0]), "X must be a matrix"),
    (dict(X=np.empty((0, 2))), "X must be a matrix"),
    (dict(X=[["a", "b"]]), "X must be an array of real numbers"),
]
BAD_PLANE = [
    (dict(w=[1.0, 2.0, 3.0]), "w must have 2 entries"),
    (dict(w=[1.0, np.nan]), "w must be finite"),
    (dict(b=np.nan), "b must be a finite number; got nan"),
    (dict(b="0"), "b must be a finite number; got '0'"),
]
BAD_LABELS = [
    (dict(y=[1.0, -1.0]), "y must have 3 entries; got 2"),
    (dict(y=[1.0, 0.0, 1.0]), "y must hold only -1 and \\+1; got the label 0"),
    (dict(y=["a", "b", "a"]), "y must be an array of real numbers"),
]
ZERO = [(dict(w=[0.0, 0.0]), "w must not be zero")]
PLANE = dict(X=X, w=W, b=B)

REFUSED = [
    (signed_distance, PLANE, BAD_DATA + BAD_PLANE + ZERO),
    (project, PLANE, BAD_DATA + BAD_PLANE + ZERO),
    (functional_margin, PLANE | dict(y=Y), BAD_DATA[:4] + BAD_PLANE + BAD_LABELS),
    (geometric_margin, PLANE | dict(y=Y), BAD_DATA + BAD_PLANE + BAD_LABELS + ZERO),
    (foot_of_origin, dict(w=W, b=B), [*BAD_PLANE[1:], *ZERO]),
    (augment, dict(X=X), BAD_DATA),
    (augment, dict(X=X), [(dict(constant=0), "constant must be greater than 0; got 0")]),
]


@pytest.mark.parametrize(
    ("function", "good", "bad", "message"),
    [
        pytest.param(function, good, bad, message, id=f"{function.__name__}: {message}")
        for function, good, cases in REFUSED
        for bad, message in cases
    ],
)
def test_bad_input_is_refused_by_name(function, good, bad, message):
    function(**good)
    with pytest.raises(ValueError, match=message):
        function(**good | bad)


def test_any_array_will_do_and_none_is_changed():
    rng = np.random.default_rng(0)
    wide, w = rng.integers(-9, 9, size=(20, 6)).astype(np.float64), [1.0, -2.0, 3.0]
    views = wide[:, ::2], np.asfortranarray(wide[:, ::2])
    plain = wide[:, ::2].copy()
    plain.flags.writeable = False
    distance = signed_distance(plain, w, 0.5)
    for Z in (*views, plain.astype(np.float32), plain.astype(int), plain.tolist()):
        assert signed_distance(Z, w, 0.5) == pytest.approx(distance)
