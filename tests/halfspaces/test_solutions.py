"""Facts stated in solutions and replies, verified independently."""

import numpy as np
import pytest

from halfspaces.exercises import boosting, features, geometry, logistic, sparsity, svm
from halfspaces.exercises import perceptron as perceptron_exercises
from halfspaces.exercises.features import CORNERS, XOR
from mlcore.geometry import augment
from mlcore.perceptron import perceptron
from mlcore.separation import separating_halfspace
from mlcore.svm import hard_margin


def test_numbers_of_extreme_size_prove_nothing():
    assert not features.no_bias([1.7e308] * 4).right
    points = 51716.7, 20340.7, 20340.7, 51716.7  # w is 0 up to rounding
    assert not svm.loose_bias(points, 0.0017692155500296355).right
    assert not geometry.acute((1.6e-162, 0), -1.92e-162, (1, 0)).right
    B = 2.0**498
    X = np.array([[1, 0, 1, 0.5], [0, 1, -1, 0.25], [1, 1, 0, 0.75]]) * B
    first = np.array([3, 2, -4, 1]) * 2.0**493
    second = first + 2.0**490 * np.array([1, -1, -1, 0])
    assert not sparsity.two_answers(X, (1, 1, 1), 2, first, second).right


def test_weights_that_prove_a_minimum_must_be_positive_and_balance():
    question = logistic.existence.another(1)
    assert "is [2, -4, -2], and not zero" in question(True, [1] * 6).sentence
    assert "All must be positive" in question(True, [0] * 6).sentence


def test_reply_shows_data_only_if_it_has_few_rows():
    reply = repr(perceptron_exercises.my_perceptron(lambda X, y: -X[0]))
    assert reply.endswith(" The data: X = [[1.0, 2.0], [2.0, 1.0]], y = [1.0, 1.0].")
    reply = repr(perceptron_exercises.with_constant(lambda X, y, c: (X[0], 0.0)))
    assert reply.startswith("Not yet. For c = 1 your w gave ") and "The data" not in reply


Y = np.array([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
X = np.array([[0, 0], [0.9, 0], [0, 0.9], [1.1, 0], [0, 1.1], [0.55, 0.55]])
ZIGZAG = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [3.0, 1.0]])
ZIGZAG_LABELS = np.array([-1.0, 1.0, -1.0, 1.0])


@pytest.mark.parametrize(
    ("X", "y", "changed_X", "changed_y"),
    [
        (ZIGZAG, ZIGZAG_LABELS, ZIGZAG[:, :1], ZIGZAG_LABELS),
        (X, Y, X**3, Y),
        (CORNERS[:3], XOR[:3], CORNERS, XOR),
    ],
)
def test_changed_data_are_no_longer_separable(X, y, changed_X, changed_y):
    assert separating_halfspace(X, y).separable
    assert not separating_halfspace(changed_X, changed_y).separable


def test_counterexamples_in_reasons_are_right():
    def margin(*points):
        return round(hard_margin(np.array(points, float), [-1.0, 1.0]).margin, 3)

    def updates(*points):
        X, y = np.array(points, float), np.array([1.0, -1.0])
        return perceptron(X, y, bias=False, max_epochs=100).updates

    assert (margin([0, 0], [1, 0]), margin([0, 0], [10, 0])) == (0.5, 5)
    assert margin([0, 0, 0], [1, 0, 1]) == 0.707
    assert (margin([0, 0], [3, 0]), margin([0, 0, -1], [1, 0, 1])) == (1.5, 1.118)
    assert margin([0, 0], [0.75, 0]) == 0.375
    assert (updates([1, 1], [1, -1]), updates([1, 10], [1, -10])) == (2, 1)
    assert updates([1], [-1]) == 1 and updates([2.5], [0.5]) > 1
    assert (updates([-1, 1], [1, 2]), updates([-10, 10], [1, 2])) == (2, 4)
    assert updates([1, 1], [-1, 1]) == 2


def test_least_squares_misclassifies_points_that_a_threshold_separates():
    x = np.r_[np.linspace(-1, -0.2, 20), np.linspace(0.2, 1, 20), [100.0] * 4]
    y = np.repeat([-1.0, 1.0], [20, 24])
    Z = augment(x[:, None])
    scores = Z @ np.linalg.lstsq(Z, y, rcond=None)[0]
    assert separating_halfspace(x[:, None], y).separable
    assert (y * scores <= 0).sum() == 9


def test_rounded_and_exact_certificates_get_different_praise():
    rounded = repr(boosting.certificate((0.167, 0.167, 0.333, 0.167, 0.166)))
    assert "Up to the rounding" in rounded
    coarser = repr(boosting.certificate((0.1678, 0.166, 0.3324, 0.1678, 0.166)))
    assert "above 0.335" in coarser  # rounded up
    exact = boosting.certificate((1 / 6, 1 / 6, 1 / 3, 1 / 6, 1 / 6))
    assert "Up to the rounding" not in repr(exact)
