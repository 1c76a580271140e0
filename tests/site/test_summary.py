"""The page that sums up the course names what there is, and calls what it names."""

import json
import re
from importlib import import_module
from pathlib import Path

CHAPTERS = Path(__file__).resolve().parents[2] / "chapters"
CELLS = json.loads((CHAPTERS / "summary.ipynb").read_text())["cells"]
TEXT = "\n".join("".join(c["source"]) for c in CELLS if c["cell_type"] == "markdown")
CODE = "\n".join("".join(c["source"]) for c in CELLS if c["cell_type"] == "code")


def promised():
    """(module, function) of the links in the tables."""
    return set(re.findall(r"<mlcore\.(\w+)\.(\w+)>", TEXT))


def test_every_name_in_the_table_exists_and_is_called():
    names = list(promised())
    assert len(names) > 30
    for module, function in names:
        assert callable(getattr(import_module(f"mlcore.{module}"), function))
        short = re.search(rf'name in \(\("{function}"|\("{function}", {{', CODE)
        assert short or f"{module}.{function}" in CODE, f"{module}.{function}"
