"""Goals of interactive figures: unmet at the start, met after the moves in the answer."""

from copy import deepcopy
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from tests.helpers.notebooks import PATHS, interactive_figures


@cache
def figure_of(chapter, index=-1):
    """Run the statements that a figure of a chapter needs; return the figure."""
    (path,) = (path for path in PATHS if path.stem == chapter)
    (*needed, code), _ = [*interactive_figures(path)][index]
    namespace, call = {}, "InteractiveFigure("
    exec("\n".join([*needed, code]).replace(f"\n{call}", f"\nfigure = {call}"), namespace)
    return namespace["figure"]


def frame_after(figure, moves):
    """Move points by number and other handles by name; return the frame."""
    state = deepcopy(figure.start)
    for key, value in moves.items():
        name, index = key, 0
        if isinstance(key, int):
            name, index = next(iter(state)), key - 1
        if "positions" in state[name]:
            state[name]["positions"][index] = list(value)
        else:
            state[name]["value"] = value
    return figure.frame(state)


@pytest.mark.parametrize(
    ("chapter", "moves"),
    [
        ("geometry", {"w": (1.8, 2.4), "b": -9}),
        ("features", {1: (0, 1), 4: (0, -1)}),
        ("perceptron", {4: (2.1, -0.8)}),
        ("feature_selection", {"third": (0.3, 1)}),
        ("sparsity", {"best": (0.6, 0.6)}),
        ("least_squares", {12: (4.4, -0.4)}),
        ("logistic", {28: (0, -2), "steps": 15}),
        ("svm", {"width": 0, "C": 0}),
        ("multiclass", {2: (3.6, -3.6)}),
    ],
)
def test_goal_is_reached_only_after_the_moves_in_the_answer(chapter, moves):
    figure = figure_of(chapter)
    assert not frame_after(figure, {}).goal[1] and frame_after(figure, moves).goal[1]


def test_without_point_1_the_forces_leave_an_interval_of_b():
    figure = figure_of("svm", 0)
    state = deepcopy(figure.start)
    assert not figure.frame(state).goal[1]
    del state["points"]["positions"][0], state["points"]["labels"][0]
    frame = figure.frame(state)
    assert frame.goal[1] and "from -1.00 to -0.55" in frame.caption


def test_three_flips_reach_the_goal_of_boosting_and_no_two_do():
    figure = figure_of("boosting")

    def reached(flipped):
        state = deepcopy(figure.start)
        state["rounds"]["value"] = 12
        for k in flipped:
            state["points"]["labels"][k] *= -1
        return figure.frame(state).goal[1]

    positions = [tuple(point) for point in figure.start["points"]["positions"]]
    flipped = (-0.9, 1.7), (-0.9, -2.1), (2.4, -1)
    assert reached([positions.index(point) for point in flipped])
    assert not any(map(reached, combinations(range(20), 2)))


def test_no_single_move_makes_the_curve_a_hyperbola():
    figure, grid = figure_of("features"), np.linspace(-2, 2, 9)
    moves = [{k: (x, y)} for k in range(1, 13) for x in grid for y in grid]
    assert not any(frame_after(figure, move).goal[1] for move in moves)


def test_sgd_goal_needs_step_size_0_3_from_either_start():
    figure, minimizer = figure_of("sgd"), (0.845, 0.195)
    for start, log10_step, objective, reached in (
        ((-1.5, 1.5), -1, 0.10, False),
        (minimizer, -1, 0.10, False),
        ((-1.5, 1.5), np.log10(0.3), 19.8, True),
        (minimizer, np.log10(0.3), 14.5, True),
    ):
        frame = frame_after(figure, {"start": start, "step_size": log10_step})
        assert frame.numbers[1].value == pytest.approx(objective, rel=0.05)
        assert frame.goal[1] == reached


def test_least_squares_and_lda_misclassify_if_example_12_is_beyond_4_3():
    figure = figure_of("least_squares")
    for x, errors in ((4.2, [0, 0, 0]), (4.4, [1, 1, 0]), (9, [1, 1, 0])):
        numbers = frame_after(figure, {12: (x, -0.4)}).numbers[:3]
        assert [number.value for number in numbers] == errors
