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


def run(folder: Path, *command):
    """Run a command in a folder, without the PYTHON* environment variables."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


def test_first_cell_of_each_notebook_names_the_wheel():
    first = [cells(path)[0] for path in PATHS]
    assert f"{WHEEL}[notebooks]" in first[0]["source"]
    for cell in first:
        assert cell["source"] == first[0]["source"]
        assert "remove-cell" in cell["metadata"]["tags"]


def test_notebook_without_the_package_explains_how_to_install_it(tmp_path):
    code = cells(PATHS[0])[0]["source"]
    message = run(tmp_path, sys.executable, "-I", "-S", "-c", code).stderr.splitlines()[-1]
    assert message.startswith("ModuleNotFoundError: No module named 'halfspaces'. This")
    assert message.endswith(f'pip install "{WHEEL}[notebooks]"')


@pytest.mark.slow
def test_notebook_copied_to_an_empty_folder_runs(wheel, tmp_path, tmp_path_factory):
    """With a Python that has only the wheel and the pinned packages of [notebooks]."""
    folder = tmp_path_factory.mktemp("wheel_venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    (site,) = folder.glob("lib/python*/site-packages")
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    install += ["--no-index", "--no-deps", "--disable-pip-version-check", wheel]
    subprocess.run(install, check=True)
    (site / "pinned.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")
    files = [*site.glob("mlcore/**/*.py"), *site.glob("halfspaces/**/*.py")]
    optional = "otter", "nbgrader", "driver"
    files = [file.relative_to(site) for file in files if file.stem not in optional]
    modules = ", ".join(".".join(file.with_suffix("").parts) for file in files)
    result = run(tmp_path, python, "-c", f"import {modules}; print(mlcore.__file__)")
    assert result.stdout.startswith(str(site)), result.stderr
    copy = shutil.copy(INTRO, tmp_path)
    execute = "from nbclient.cli import main; main()"
    result = run(tmp_path, python, "-c", execute, "--inplace", copy)
    assert result.returncode == 0, result.stderr
    outputs = [[bool(cell["outputs"]) for cell in cells(path)] for path in (INTRO, copy)]
    assert outputs[0] == outputs[1]
