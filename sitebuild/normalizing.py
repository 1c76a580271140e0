"""A notebook without what changes from run to run: widget ids, timings."""

import json
import re

import nbformat

from sitebuild.freshness import VIEW, keep_models, models_of

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT = ("widgets", "mystnb", "halfspaces")
# What JupyterLab shows folded: the code of drawings and proofs, and every answer.
CODE = {"hide-input", "remove-cell", "remove-input"}  # what a setup says is not hidden
ALL = {"hide-cell", "solution", "wrong-answer"}
LEFT_BY_LAB = ("collapsed", "execution", "jupyter", "scrolled", "trusted")


def normalized(notebook):
    """The same notebook, with what would differ in another run made the same.

    Widget ids are numbered by a walk from the views, and every reference follows.  Cells
    are folded as the page folds them.
    """
    fold(notebook)
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    for output in outputs:
        if "hs-grab" in output.get("data", {}).get("text/html", ""):
            output["data"].pop(VIEW, None)  # it is stored as a still
    keep_models(notebook, notebook)
    kept = {key: notebook.metadata[key] for key in KEPT if key in notebook.metadata}
    notebook.metadata = nbformat.from_dict(METADATA | kept)
    models = models_of(notebook).items()
    known = {name: json.dumps(model, sort_keys=True) for name, model in models}
    identity = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
    new: dict[str, str] = {}

    def rename(text: str) -> str:
        return identity.sub(lambda m: new.get(m[0], m[0]), text)

    def walk(name: str) -> None:
        if name in known and name not in new:
            new[name] = f"{len(new) + 1:032x}"
            for other in identity.findall(known[name]):
                walk(other)

    for output in outputs:
        walk(output.get("data", {}).get(VIEW, {}).get("model_id", ""))
    # a link hangs on no view: links are ordered by what they join
    for name in sorted(known.keys() - new.keys(), key=lambda name: rename(known[name])):
        walk(name)
    return nbformat.from_dict(json.loads(rename(json.dumps(notebook))))


def file_text(notebook) -> str:
    """The notebook as its file holds it."""
    return nbformat.writes(notebook) + "\n"


def fold(notebook) -> None:
    """Fold the cells that the page folds, and no other, whatever a reader left open."""
    answering = False  # between solution-start, which folds its own text, and solution-end
    for cell in notebook.cells:
        for key in LEFT_BY_LAB:
            cell["metadata"].pop(key, None)
        tags = set(cell["metadata"].get("tags", []))
        hidden = {}
        if cell["cell_type"] == "markdown":
            answering = answering and "{solution-end}" not in cell["source"]
            hidden = {"source_hidden": True} if answering else {}
            answering = answering or "{solution-start}" in cell["source"]
        elif tags & ALL:
            hidden = {"outputs_hidden": True, "source_hidden": True}
        elif tags & CODE or any("proof" in o.get("metadata", {}) for o in cell["outputs"]):
            hidden = {"source_hidden": True}
        if hidden:
            cell["metadata"]["jupyter"] = hidden
