"""Whether outputs are called current: what they depend on, and nothing else."""

import copy
from pathlib import Path

import freshness
import pytest

ROOT = Path(__file__).resolve().parents[2]
CHANGED = "cells or outputs changed since it ran"


@pytest.fixture
def notebook():
    """An executed notebook, as its file holds it."""
    output = {"output_type": "stream", "name": "stdout", "text": ["1\n"]}
    code = {"cell_type": "code", "source": ["x = 1\n", "print(x)"]}
    cells = [{"cell_type": "markdown", "source": ["# One"]}, code | {"outputs": [output]}]
    made = {"cells": cells, "metadata": {}}
    made["metadata"]["halfspaces"] = freshness.digest(made)
    return made


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda n: n["cells"][0].update(source=["# Two"]), ""),
        (lambda n: n["cells"][1].update(source=["print(2)"]), CHANGED),
        (lambda n: n["cells"][1]["source"].append("#"), CHANGED),
        (lambda n: n["cells"][1]["outputs"][0].update(text=["2\n"]), CHANGED),
        (lambda n: n["metadata"].update(widgets=state("1" * 32)), CHANGED),
        (lambda n: n["metadata"].clear(), "never executed"),
    ],
)
def test_a_change_of_the_notebook_counts_where_outputs_hang_on_it(notebook, change, said):
    changed = copy.deepcopy(notebook)
    change(changed)
    assert freshness.outdated(changed) == said


def state(*models):
    return {freshness.STATE: {"state": {name: {} for name in models}}}


def showing(*models):
    views = [{"data": {freshness.VIEW: {"model_id": name * 32}}} for name in models]
    return {"cells": [{"outputs": views}, {}], "metadata": {}}


def test_pictures_that_have_not_run_again_keep_their_models_and_others_go():
    """Of the stored a and b, each with a part, and a link from it, b has run again as c."""
    stored, saved = showing(*"ab"), showing(*"ac")
    stored["metadata"]["widgets"] = state(*(name * 32 for name in "ab12de"))
    models = stored["metadata"]["widgets"][freshness.STATE]["state"]
    for model, other in ("a1", "b2", "d1", "e2"):
        models[model * 32]["state"] = {"of": [f"IPY_MODEL_{other * 32}"]}
    saved["metadata"]["widgets"] = state("c" * 32)
    freshness.keep_models(saved, stored)
    kept = saved["metadata"]["widgets"][freshness.STATE]["state"]
    assert {name[0] for name in kept} == set("ac1d")
