"""Pytest plugin: do not execute notebooks that passed and have not changed since.

A notebook has changed if its file, a module that it imports directly or indirectly, the
data of such a module, or a pinned package has changed.
"""

import ast
import hashlib
import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from sitebuild.chapters import BUILD, ROOT, notebook_paths, write_atomic
from tests.helpers.notebooks import cells

RECORD = BUILD / "passed.json"  # stores passed_digests
SHARED = [ROOT / "requirements.txt", ROOT / "tests" / "nbval.cfg"]
passed_digests = {}  # notebook: its digest when all of its cells passed
digests = {}  # notebook: its digest now
passed_cells = Counter()  # notebook: the number of its cells that passed


@cache
def imports(path: Path) -> set[Path]:
    """Return the files in the repository that a notebook or module imports."""
    code = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        code = "\n".join(cell["source"] for cell in cells(path))
        code = TransformerManager().transform_cell(code)
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    paths = {ROOT / name.replace(".", "/") for name in names}
    paths |= {parent for path in paths for parent in path.parents if ROOT in parent.parents}
    files = {file for p in paths for file in (p.with_suffix(".py"), p / "__init__.py")}
    return {file for file in files if file.is_file()}


def data_files(module: Path) -> set[Path]:
    """Return the data in a module's folder that is not named after another module."""
    files = {*module.parent.glob("*.*"), *module.parent.glob("own_data/*")}
    others = {file.stem for file in files if file.suffix == ".py"} - {module.stem}
    return {f for f in files if f.suffix != ".py" and f.stem not in others}


def digest(notebook: Path) -> str:
    """Hash all files that the outputs of a notebook depend on."""
    modules, todo = set(), imports(notebook)
    while todo:
        modules |= todo
        todo = set().union(*map(imports, todo)) - modules
    hasher = hashlib.sha256(sys.version.encode())
    for file in sorted(modules.union(*map(data_files, modules), SHARED, [notebook])):
        hasher.update(f"{file} {file.stat().st_size}".encode() + file.read_bytes())
    return hasher.hexdigest()


def pytest_configure():
    digests.update({path.name: digest(path) for path in notebook_paths()})
    passed_digests.update(json.loads(RECORD.read_text()) if RECORD.exists() else {})


def pytest_report_header():
    names = [name for name in digests if digests[name] == passed_digests.get(name)]
    return f"unchanged, not executed: {', '.join(names) or 'none'}"


def pytest_ignore_collect(collection_path):
    name = collection_path.name
    if name in digests and digests[name] == passed_digests.get(name):
        return True
    return None  # other plugins decide


def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed:
        passed_cells[Path(report.nodeid.partition("::")[0]).name] += 1


def pytest_sessionfinish(session):
    if not hasattr(session.config, "workerinput"):  # pytest-xdist's workers
        for path in notebook_paths():
            if passed_cells[path.name] == len(cells(path)):
                passed_digests[path.name] = digests[path.name]
        BUILD.mkdir(exist_ok=True)
        write_atomic(RECORD, json.dumps(passed_digests))
