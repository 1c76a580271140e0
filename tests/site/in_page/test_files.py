"""The files of the pages' Python match Pyodide's lock file."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from sitebuild.extensions.in_page import files


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A folder with SciPy and NumPy, which it needs; npm has the core and the lock file."""
    folder, core = tmp_path / "release", tmp_path / "npm" / "pyodide"
    folder.mkdir()
    core.mkdir(parents=True)
    packages = {}
    for name, needs in (("numpy", []), ("scipy", ["numpy"]), ("unwanted", [])):
        (folder / f"{name}.whl").write_text(name)
        digest = hashlib.sha256(name.encode()).hexdigest()
        packages[name] = {"file_name": f"{name}.whl", "sha256": digest, "depends": needs}
    (core / "pyodide-lock.json").write_text(json.dumps({"info": {}, "packages": packages}))
    for name in files.RENAMED:
        (core / name).write_text("core")
    monkeypatch.setattr(files.fetching, "find_fetched", lambda: core.parent)
    monkeypatch.setattr(files, "PACKAGES", ("scipy",))
    monkeypatch.setattr(files.fetching, "run", lambda *_: None)  # no Node
    return folder


@pytest.mark.parametrize("convert", [str, Path.as_uri])
def test_packages_from_another_source_are_complete(source, tmp_path, monkeypatch, convert):
    monkeypatch.setenv("HALFSPACES_PYODIDE", convert(source))
    files._fill(tmp_path / "filled", tmp_path)
    target = tmp_path / "filled" / files.PYODIDE
    names = {"numpy.whl", "scipy.whl", "pyodide-lock.json", *files.RENAMED.values()}
    assert {path.name for path in target.iterdir()} == names
    locked = json.loads((target / "pyodide-lock.json").read_text())["packages"]
    assert set(locked) == {"numpy", "scipy"}


def test_wrong_or_missing_file_raises(source, tmp_path, monkeypatch):
    monkeypatch.setenv("HALFSPACES_PYODIDE", str(source))
    (source / "numpy.whl").write_bytes(b"numpx")
    with pytest.raises(OSError, match=r"numpy\.whl: sha256 does not match"):
        files._fill(tmp_path / "filled", tmp_path)
    (source / "numpy.whl").unlink()
    with pytest.raises(OSError, match=r"numpy\.whl"):
        files._fill(tmp_path / "missing", tmp_path)


def test_modules_imported_first_are_compiled_with_docstrings(site):
    folder = site / "_static" / files.PYODIDE
    (wheel,) = folder.glob("numpy-*.whl")
    with zipfile.ZipFile(folder / "python_stdlib.zip") as library:
        assert {"ast.pyc", "pdb.py"} <= set(library.namelist()) - {"ast.py"}
    with zipfile.ZipFile(wheel) as numpy:
        assert b"Compute the arithmetic mean" in numpy.read("numpy/_core/fromnumeric.pyc")
    lock = json.loads((folder / "pyodide-lock.json").read_text())["packages"]["numpy"]
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() == lock["sha256"]
