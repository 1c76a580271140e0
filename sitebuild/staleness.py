"""Decide whether the outputs of a notebook belong to its cells.

The notebook's metadata contain a digest of its code cells, outputs and widget models, so
a check takes milliseconds, even in a fresh clone.  nbval tests whether `mlcore` still
computes the same outputs.  Here a notebook is a dict, as returned by `json.loads`.
"""

import hashlib
import json
import re

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
WIDGETS_LOST = "its animations were lost when it was saved"
REFERENCE = re.compile("IPY_MODEL_([0-9a-f]{32})")


def digest(notebook: dict) -> str:
    """Hash the code cells with their outputs, and the widget models."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    parts = [["".join(cell["source"]), cell["outputs"]] for cell in cells]
    text = json.dumps([parts, widget_models(notebook)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def why_stale(notebook: dict) -> str:
    """Explain why the outputs do not belong to the cells; "" if they do."""
    if _view_ids(notebook) - set(widget_models(notebook)):
        return WIDGETS_LOST
    stored = notebook["metadata"].get("halfspaces")
    if not stored:
        return "never executed"
    return "" if stored == digest(notebook) else "cells or outputs changed since it ran"


def keep_widget_models(notebook: dict, stored: dict) -> None:
    """Restore the widget models that JupyterLab did not save, from the stored notebook.

    JupyterLab saves only the models known to its kernel.  Models without a view are
    removed; a link model, to which no model refers, belongs to the models that it joins.
    """
    models = widget_models(stored) | widget_models(notebook)
    groups = [{name, *REFERENCE.findall(json.dumps(models[name]))} for name in models]
    needed, n_before = _view_ids(notebook), -1
    while len(needed) > n_before:
        n_before = len(needed)
        needed = needed.union(*(group for group in groups if group & needed))
    widget_models(notebook).clear()
    widget_models(notebook).update({name: models[name] for name in models.keys() & needed})


def _view_ids(notebook: dict) -> set[str]:
    outputs = [o for cell in notebook["cells"] for o in cell.get("outputs", [])]
    return {o["data"][VIEW]["model_id"] for o in outputs if VIEW in o.get("data", {})}


def widget_models(notebook: dict) -> dict:
    return notebook["metadata"].get("widgets", {}).get(STATE, {}).get("state", {})
