"""Normalize notebooks: remove differences between two runs, such as widget ids."""

import json
import re

import nbformat

from sitebuild.checks_page import proofs_of
from sitebuild.staleness import VIEW, keep_widget_models, widget_models

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT_METADATA = ("widgets", "mystnb", "halfspaces")
# JupyterLab folds the code of drawings and proofs, and all solutions.
FOLD_CODE = {"hide-input", "remove-cell", "remove-input"}  # their output stays visible
FOLD_ALL = {"hide-cell", "solution", "wrong-answer"}
LAB_METADATA = ("collapsed", "execution", "jupyter", "scrolled", "trusted")


def normalize(notebook):
    """Return the notebook with fixed metadata, folded cells and numbered widget ids.

    Widgets are numbered in the order in which a walk from the views reaches them.
    """
    normalize_metadata(notebook)
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    for output in outputs:
        if "hs-grab" in output.get("data", {}).get("text/html", ""):
            output["data"].pop(VIEW, None)  # stored as a still picture
    keep_widget_models(notebook, notebook)  # drops models that nothing shows
    models = widget_models(notebook).items()
    texts = {name: json.dumps(model, sort_keys=True) for name, model in models}
    widget_id = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
    new: dict[str, str] = {}

    def rename(text: str) -> str:
        return widget_id.sub(lambda m: new.get(m[0], m[0]), text)

    def walk(name: str) -> None:
        if name in texts and name not in new:
            new[name] = f"{len(new) + 1:032x}"
            for other in widget_id.findall(texts[name]):
                walk(other)

    for output in outputs:
        walk(output.get("data", {}).get(VIEW, {}).get("model_id", ""))
    # no view refers to a link model: sort link models by the models that they join
    for name in sorted(texts.keys() - new.keys(), key=lambda name: rename(texts[name])):
        walk(name)
    return nbformat.from_dict(json.loads(rename(json.dumps(notebook))))


def file_text(notebook) -> str:
    """Return the notebook as the text of its file."""
    return nbformat.writes(notebook) + "\n"


def normalize_metadata(notebook) -> None:
    """Fix the metadata, and fold the cells that the page folds, even if saved open."""
    kept = {key: v for key, v in notebook.metadata.items() if key in KEPT_METADATA}
    notebook.metadata = nbformat.from_dict(METADATA | kept)
    in_solution = False  # between the cells solution-start and solution-end
    for cell in notebook.cells:
        for key in LAB_METADATA:
            cell["metadata"].pop(key, None)
        tags = set(cell["metadata"].get("tags", []))
        hidden = {}
        if cell["cell_type"] == "markdown":
            in_solution = in_solution and "{solution-end}" not in cell["source"]
            hidden = {"source_hidden": True} if in_solution else {}
            in_solution = in_solution or "{solution-start}" in cell["source"]
        elif tags & FOLD_ALL or (in_solution and tags):
            hidden = {"outputs_hidden": True, "source_hidden": True}
        elif tags & FOLD_CODE or proofs_of([cell]):
            hidden = {"source_hidden": True}
        if hidden:
            cell["metadata"]["jupyter"] = hidden
