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
    for key, place in moves.items():  # the number of a point, or the name of a handle
        name, index = ("points", key - 1) if isinstance(key, int) else (key, 0)
        state[name]["at"][index] = list(place)
    return bool(figure.frame(state).goal[1])


@pytest.mark.parametrize(
    ("chapter", "moves"),
    [
        ("features", {1: (0, 1), 4: (0, -1)}),
        ("perceptron", {4: (2.1, -0.8)}),
        ("feature_selection", {"third": (0.3, 1)}),
        ("sparsity", {"best": (0.6, 0.6)}),
    ],
)
def test_moves_of_the_answer_reach_the_goal(chapter, moves):
    figure = figure_of(chapter)
    assert not reaches_goal(figure, {}) and reaches_goal(figure, moves)


def test_no_single_move_makes_the_curve_a_hyperbola():
    figure, grid = figure_of("features"), np.linspace(-2, 2, 9)
    moves = [{k: (x, y)} for k in range(1, 13) for x in grid for y in grid]
    assert not any(reaches_goal(figure, move) for move in moves)
