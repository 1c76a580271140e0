"""Are a notebook's outputs those of its cells?

A digest of the cells with their outputs is kept in the notebook's metadata: so a clone
knows it too, and a build can tell in a moment.  Whether `mlcore` still computes these
outputs is what nbval tests.  A notebook is here what `json.loads` makes of its file.
"""

import hashlib
import json

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"


def digest(notebook: dict) -> str:
    """Of the code cells, with what they answered and the models of moving pictures."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    parts = [["".join(cell["source"]), cell["outputs"]] for cell in cells]
    whole = json.dumps([parts, _models(notebook)], sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def outdated(notebook: dict) -> str:
    """Why the outputs are not those of the cells; nothing if they are."""
    kept = notebook["metadata"].get("halfspaces")
    if not kept:
        return "never executed"
    return "" if kept == digest(notebook) else "cells or outputs changed since it ran"


def lost_views(notebook: dict) -> int:
    """How many moving pictures have no model: JupyterLab saves the views alone."""
    outputs = [o for cell in notebook["cells"] for o in cell.get("outputs", [])]
    views = [o["data"][VIEW]["model_id"] for o in outputs if VIEW in o.get("data", {})]
    return len(set(views) - set(_models(notebook)))


def _models(notebook: dict) -> dict:
    return notebook["metadata"].get("widgets", {}).get(STATE, {}).get("state", {})
