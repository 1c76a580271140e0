"""Are a notebook's outputs those of its cells?

A digest of the cells with their outputs is kept in the notebook's metadata: so a clone
knows it too, and a build can tell in a moment.  Whether `mlcore` still computes these
outputs is what nbval tests.  A notebook is here what `json.loads` makes of its file.
"""

import hashlib
import json
import re

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
LOST = "its moving pictures were lost when it was saved"
REFERENCE = re.compile("IPY_MODEL_([0-9a-f]{32})")


def digest(notebook: dict) -> str:
    """Of the code cells, with what they answered and the models of moving pictures."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    parts = [["".join(cell["source"]), cell["outputs"]] for cell in cells]
    whole = json.dumps([parts, models_of(notebook)], sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def outdated(notebook: dict) -> str:
    """Why the outputs are not those of the cells; nothing if they are."""
    if _views(notebook) - set(models_of(notebook)):
        return LOST
    kept = notebook["metadata"].get("halfspaces")
    if not kept:
        return "never executed"
    return "" if kept == digest(notebook) else "cells or outputs changed since it ran"


def keep_models(notebook: dict, stored: dict) -> None:
    """Give each view of a notebook its models: those that it has, or the stored ones.

    JupyterLab saves the models that its kernel knows, and no others.  Here those go that
    belong to no view; a link, to which no model refers, belongs to what it joins.
    """
    models = models_of(stored) | models_of(notebook)
    joined = [{name, *REFERENCE.findall(json.dumps(models[name]))} for name in models]
    kept = _views(notebook)
    while more := {name for group in joined if group & kept for name in group} - kept:
        kept |= more
    models_of(notebook).clear()
    models_of(notebook).update({name: models[name] for name in models.keys() & kept})


def _views(notebook: dict) -> set[str]:
    outputs = [o for cell in notebook["cells"] for o in cell.get("outputs", [])]
    return {o["data"][VIEW]["model_id"] for o in outputs if VIEW in o.get("data", {})}


def models_of(notebook: dict) -> dict:
    return notebook["metadata"].get("widgets", {}).get(STATE, {}).get("state", {})
