"""What JupyterLab shows folded: the code of drawings and proofs, and every answer."""

CODE = {"hide-input", "remove-cell", "remove-input"}  # what a setup says is not hidden
ALL = {"hide-cell", "solution", "wrong-answer"}
LEFT_BY_LAB = ("collapsed", "jupyter", "scrolled", "trusted")


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
