"""Goals of interactive figures: reached by the moves that the chapter names, not before."""

from copy import deepcopy

import numpy as np
import pytest

from tests.helpers.notebooks import PATHS, cells

FIGURES = {  # the cells that make the figure
    "features": {"f-a603ebcecd", "f-02c87657c4"},
    "feature_selection": {"fs-ebdd7a8a99d6", "fs-b502f15f21", "fs-7322cd84d2"},
    "sparsity": {
        "967da1016bf5",
        "628c6dc31ecb",
        "7be6ef6300fa-c64da667b5",
        "7be6ef6300fa-3dbc20dec9",
    },
    "least_squares": {"ls-7ef1dd73c0", "ls-4fe7d5e120", "ls-fd314d86fe"},
    "sgd": {"s002", "s005-45dd6d55a8", "s005-8cd83a5ad4"},
    "logistic": {"lo-94611429fd", "lo-fc6a920aaa"},
    "multiclass": {"m002", "m005-af0932c838", "m005-3060c1153e"},
    "perceptron": {"p002", "p004", "p005-bae97df333", "p005-1e300a6138"},
}


def figure_of(chapter):
    path = next(path for path in PATHS if path.stem == chapter)
    namespace, call = {}, "InteractiveFigure("
    for cell in cells(path):
        if cell["id"] in FIGURES[chapter]:
            exec(cell["source"].replace(f"\n{call}", f"\nfigure = {call}"), namespace)
    return namespace["figure"]


def reaches_goal(figure, moves):
    state = deepcopy(figure.start)
    for key, value in moves.items():  # the number of a point, or the name of a handle
        name, index = (next(iter(state)), key - 1) if isinstance(key, int) else (key, 0)
        if "at" in state[name]:
            state[name]["at"][index] = list(value)
        else:
            state[name]["value"] = value
    return bool(figure.frame(state).goal[1])


@pytest.mark.parametrize(
    ("chapter", "moves"),
    [
        ("features", {1: (0, 1), 4: (0, -1)}),
        ("perceptron", {4: (2.1, -0.8)}),
        ("feature_selection", {"third": (0.3, 1)}),
        ("sparsity", {"best": (0.6, 0.6)}),
        ("least_squares", {12: (4.4, -0.4)}),
        ("logistic", {28: (0, -2), "steps": 15}),
        ("multiclass", {2: (3.6, -3.6)}),
    ],
)
def test_moves_of_the_answer_reach_the_goal(chapter, moves):
    figure = figure_of(chapter)
    assert not reaches_goal(figure, {}) and reaches_goal(figure, moves)


def test_no_single_move_makes_the_curve_a_hyperbola():
    figure, grid = figure_of("features"), np.linspace(-2, 2, 9)
    moves = [{k: (x, y)} for k in range(1, 13) for x in grid for y in grid]
    assert not any(reaches_goal(figure, move) for move in moves)


def test_step_0_3_reaches_the_goal_from_the_start_and_from_the_lowest_point():
    figure, lowest = figure_of("sgd"), (0.845, 0.195)
    for start, log10_step, objective, reached in (
        ((-1.5, 1.5), -1, 0.10, False),
        (lowest, -1, 0.10, False),
        ((-1.5, 1.5), np.log10(0.3), 19.8, True),
        (lowest, np.log10(0.3), 14.5, True),
    ):
        state = deepcopy(figure.start)
        state["start"]["at"][0] = list(start)
        state["step_size"]["value"] = log10_step
        frame = figure.frame(state)
        assert frame.numbers[1].value == pytest.approx(objective, rel=0.05)
        assert frame.goal[1] == reached


def test_far_example_turns_least_squares_and_lda_beyond_4_3():
    figure = figure_of("least_squares")
    for x, lost in ((4.2, [0, 0, 0]), (4.4, [1, 1, 0]), (9, [1, 1, 0])):
        state = deepcopy(figure.start)
        state["points"]["at"][11] = [x, -0.4]
        assert [number.value for number in figure.frame(state).numbers[:3]] == lost
