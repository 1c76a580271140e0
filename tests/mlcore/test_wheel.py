"""The wheel, and notebooks outside of the repository."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

import mlcore
from sitebuild.wheel import build_wheel
from tests.helpers.notebooks import PATHS, cells

ROOT = Path(__file__).resolve().parents[2]
WHEEL = f"halfspaces-{mlcore.__version__}-py3-none-any.whl"
INTRO = ROOT / "chapters" / "intro.ipynb"
PINNED = Path(pytest.__file__).parents[1]  # the folder of the pinned packages


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_wheel_contains_both_packages_and_nothing_else(wheel):
    found = [*(ROOT / "mlcore").rglob("*"), *(ROOT / "halfspaces").rglob("*")]
    files = (path.relative_to(ROOT).as_posix() for path in found if path.is_file())
    assert wheel.name == WHEEL
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {name for name in names if ".dist-info/" not in name}
    assert package == {name for name in files if "__pycache__" not in name}
    assert {"mlcore/py.typed", "halfspaces/halfspaces.mplstyle"} <= package
    assert f"halfspaces-{mlcore.__version__}.dist-info/licenses/LICENSE" in names


def test_all_files_name_the_same_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    archive = json.loads((ROOT / ".zenodo.json").read_text())
    assert citation["version"] == archive["version"] == mlcore.__version__
    released = f"## {mlcore.__version__}, {citation['date-released']}"
    changes = (ROOT / "CHANGELOG.md").read_text().splitlines()
    assert next(line for line in changes if line.startswith("## ")) == released
    text = "".join(path.read_text() for path in (ROOT / "README.md", *PATHS))
    assert {*re.findall(r"halfspaces-[\w.]+-py3-none-any\.whl", text)} == {WHEEL}


@pytest.fixture(scope="module")
def wheel_venv(tmp_path_factory, wheel):
    """Create a Python with only the wheel; return it and its site-packages."""
    folder = tmp_path_factory.mktemp("wheel_venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    (site,) = folder.glob("lib/python*/site-packages")
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    install += ["--no-index", "--no-deps", "--disable-pip-version-check", wheel]
    subprocess.run(install, check=True)
    return python, site


def run(folder: Path, *command):
    """Run a command in a folder, without the PYTHON* environment variables."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_first_cell_of_notebook_names_the_wheel(path):
    first = cells(path)[0]
    assert first["source"] == cells(PATHS[0])[0]["source"]
    assert f"{WHEEL}[notebooks]" in first["source"]
    assert "remove-cell" in first["metadata"]["tags"]


def test_notebook_without_the_package_explains_how_to_install_it(tmp_path):
    code = cells(PATHS[0])[0]["source"]
    message = run(tmp_path, sys.executable, "-I", "-S", "-c", code).stderr.splitlines()[-1]
    assert message.startswith("ModuleNotFoundError: No module named 'halfspaces'. This")
    assert message.endswith(f'pip install "{WHEEL}[notebooks]"')


EXECUTE = """
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
    if module.name.rpartition(".")[2] not in ("otter", "nbgrader", "driver"):  # optional
        importlib.import_module(module.name)
print(mlcore.__file__)
"""


@pytest.mark.slow
def test_notebook_copied_to_an_empty_folder_runs(wheel_venv, tmp_path):
    """With the wheel, and the pinned packages of [notebooks]."""
    python, site = wheel_venv
    (site / "pinned.pth").write_text(f"{PINNED}\n")
    result = run(tmp_path, python, "-c", EVERY_MODULE)
    assert result.stdout.startswith(str(site)), result.stderr
    copy = shutil.copy(INTRO, tmp_path)
    result = run(tmp_path, python, "-c", EXECUTE, copy)
    assert result.returncode == 0, result.stderr
    outputs = [[bool(cell["outputs"]) for cell in cells(path)] for path in (INTRO, copy)]
    assert outputs[0] == outputs[1]
