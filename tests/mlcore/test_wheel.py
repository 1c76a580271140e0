"""The package as others get it: the wheel, and a notebook that is read alone."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from itertools import chain
from pathlib import Path

import pytest
import yaml

import mlcore
from sitebuild.wheel import build_wheel
from tests.helpers.notebooks import PATHS, cells

ROOT = Path(__file__).resolve().parents[2]
WHEEL = f"halfspaces-{mlcore.__version__}-py3-none-any.whl"
INTRO = ROOT / "chapters" / "intro.ipynb"
PINNED = Path(pytest.__file__).parents[1]  # where the pinned packages are


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def sources() -> set[str]:
    """What a wheel must hold of the package: all files that are not compiled."""
    found = chain(*((ROOT / name).rglob("*") for name in ("mlcore", "halfspaces")))
    files = (path.relative_to(ROOT).as_posix() for path in found if path.is_file())
    return {name for name in files if "__pycache__" not in name}


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    assert wheel.name == WHEEL
    names = set(zipfile.ZipFile(wheel).namelist())
    own = {name for name in names if ".dist-info/" not in name}
    assert own == sources()
    assert {"mlcore/py.typed", "halfspaces/halfspaces.mplstyle"} <= own
    assert f"halfspaces-{mlcore.__version__}.dist-info/licenses/LICENSE" in names


def test_whatever_names_the_version_names_this_one():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    archive = json.loads((ROOT / ".zenodo.json").read_text())
    assert citation["version"] == archive["version"] == mlcore.__version__
    released = f"## {mlcore.__version__}, {citation['date-released']}"
    changes = (ROOT / "CHANGELOG.md").read_text().splitlines()
    assert next(line for line in changes if line.startswith("## ")) == released
    told = "".join(path.read_text() for path in (ROOT / "README.md", *PATHS))
    assert {*re.findall(r"halfspaces-[\w.]+-py3-none-any\.whl", told)} == {WHEEL}


# --------------------------------------------------------- in an empty environment


@pytest.fixture(scope="module")
def empty(tmp_path_factory, wheel):
    """A Python that has the wheel; the pinned packages are lent to it on request."""
    folder = tmp_path_factory.mktemp("empty")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    (site,) = folder.glob("lib/python*/site-packages")
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    install += ["--no-index", "--no-deps", "--disable-pip-version-check", wheel]
    subprocess.run(install, check=True)
    return python, site


def say(python: Path, code: str, folder: Path, *arguments):
    """Run Python code in a folder, by that Python alone."""
    alone = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    call = [python, "-c", code, *arguments]
    return subprocess.run(call, cwd=folder, env=alone, capture_output=True, text=True)


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_every_notebook_begins_with_what_it_needs(path):
    first = cells(path)[0]
    assert first["source"] == cells(PATHS[0])[0]["source"]
    assert f"{WHEEL}[notebooks]" in first["source"]
    assert "remove-cell" in first["metadata"]["tags"]


def test_a_notebook_without_the_package_says_in_a_sentence_what_to_install(tmp_path):
    code = cells(PATHS[0])[0]["source"]
    call = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True)
    said = done.stderr.splitlines()[-1]
    assert said.startswith(
        "ModuleNotFoundError: No module named 'halfspaces'. This notebook"
    )
    assert said.endswith(f'pip install "{WHEEL}[notebooks]"')


RUN = """
import sys
import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[1])
"""


EVERY_MODULE = """
import importlib, pkgutil
import halfspaces, mlcore
modules = [*pkgutil.walk_packages(mlcore.__path__, "mlcore.")]
modules += pkgutil.walk_packages(halfspaces.__path__, "halfspaces.")
for module in modules:
    if module.name.rpartition(".")[2] not in ("otter", "nbgrader", "driver"):  # need these
        importlib.import_module(module.name)
print(mlcore.__file__)
"""


def test_a_notebook_copied_to_an_empty_folder_runs(empty, tmp_path):
    """In the environment that has the wheel, and beside it what [notebooks] asks for."""
    python, site = empty
    (site / "pinned.pth").write_text(f"{PINNED}\n")
    done = say(python, EVERY_MODULE, tmp_path)
    assert done.stdout.startswith(str(site)), done.stderr
    alone = shutil.copy(INTRO, tmp_path)
    done = say(python, RUN, tmp_path, alone)
    assert done.returncode == 0, done.stderr
    shown = [[bool(cell["outputs"]) for cell in cells(path)] for path in (INTRO, alone)]
    assert shown[0] == shown[1]
