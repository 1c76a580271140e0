"""Whether outputs are called current: what they depend on, and nothing else."""

import ast
import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import freshness  # noqa: E402

from chapters import in_book_order, read  # noqa: E402

MODULES = {
    "__init__.py": "",
    "direct.py": "def f():\n    from mlcore.room import relative\n",
    "room/__init__.py": "",
    "room/relative.py": "from . import below\nfrom ..ground import G\n",
    "room/below.py": "",
    "room/look.mplstyle": "",
    "ground.py": "import mlcore.deep.one\n",
    "deep/one.py": "",
    "unrelated.py": "import mlcore.direct\n",
    "elsewhere/data.json": "",
}


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A clone with small modules, and what changes one of them."""

    def change(name, text):
        (tmp_path / "mlcore" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mlcore" / name).write_text(text)
        for cached in (freshness._files, freshness._text):
            cached.cache_clear()

    for name, text in MODULES.items():
        change(name, text)
    monkeypatch.setattr(freshness, "ROOT", tmp_path)
    monkeypatch.setattr("chapters.ROOT", tmp_path)
    yield change
    change("__init__.py", "")  # so that no later test finds this clone in the caches


@pytest.fixture
def notebook(clone):
    """An executed notebook, as its file holds it."""
    output = {"output_type": "stream", "name": "stdout", "text": ["1\n"]}
    code = {"cell_type": "code", "source": ["from mlcore.direct import f\n", "print(1)"]}
    cells = [{"cell_type": "markdown", "source": ["# One"]}, code | {"outputs": [output]}]
    made = {"cells": cells, "metadata": {}}
    made["metadata"]["halfspaces"] = freshness.digests(made)
    return made


@pytest.mark.parametrize("name", MODULES)
def test_a_change_of_mlcore_counts_where_the_cells_import_it(clone, notebook, name):
    assert freshness.outdated(notebook) == ""
    clone(name, MODULES[name] + "# changed\n")
    apart = name in ("unrelated.py", "elsewhere/data.json")
    said = "" if apart else "mlcore changed since it was executed"
    assert freshness.outdated(notebook) == said


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda n: n["cells"][0].update(source=["# Two"]), ""),
        (lambda n: n["cells"][1].update(source=["print(2)"]), "cells and mlcore changed"),
        (lambda n: n["cells"][1]["source"].append("#"), "cells changed"),
        (lambda n: n["cells"][1]["outputs"][0].update(text=["2\n"]), "cells changed"),
        (lambda n: n["metadata"].update(widgets=state("1" * 32)), "cells changed"),
        (lambda n: n["metadata"].clear(), "never executed"),
    ],
)
def test_a_change_of_the_notebook_counts_where_outputs_hang_on_it(notebook, change, said):
    changed = copy.deepcopy(notebook)
    change(changed)
    since = " since it was executed" if said.endswith("changed") else ""
    assert freshness.outdated(changed) == said + since


def state(*models):
    return {freshness.STATE: {"state": {name: {} for name in models}}}


def test_views_without_a_model_are_counted():
    views = [{"data": {freshness.VIEW: {"model_id": name * 32}}} for name in "abb"]
    notebook = {"cells": [{"outputs": views}, {}], "metadata": {}}
    assert freshness.lost_views(notebook) == 2
    notebook["metadata"]["widgets"] = state("a" * 32)
    assert freshness.lost_views(notebook) == 1


def test_an_unfinished_cell_is_no_error(notebook):
    notebook["cells"][1]["source"] = ["print("]
    assert "cells" in freshness.outdated(notebook)


def test_every_module_that_the_chapters_load_counts():
    cells = [cell for path in in_book_order() for cell in read(path)["cells"]]
    sources = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    nodes = [node for source in sources for node in ast.parse(source).body]
    imports = {ast.unparse(n) for n in nodes if isinstance(n, ast.Import | ast.ImportFrom)}
    report = "import json, sys; print(json.dumps([m.__file__ for n, m in "
    report += "sys.modules.items() if n.split('.')[0] == 'mlcore']))"
    program = "\n".join([*sorted(imports), report])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = set(map(Path, json.loads(done.stdout)))
    assert len(loaded) > 20
    assert loaded - set(freshness.imported(sources)) == set()
