"""The wheel of the book, which the site serves beside the notebooks.

It is built from a copy, so that nothing that an earlier build left can get in, without the
network, and has the same bytes wherever and whenever it is built.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "mlcore", "halfspaces")
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
EPOCH = "1767225600"  # the date of every file in it, 2026-01-01


def wheel(folder: Path) -> Path:
    """Build the wheel into a folder; returns its path."""
    with tempfile.TemporaryDirectory() as workshop:
        source, made = Path(workshop, "source"), Path(workshop, "made")
        source.mkdir()
        made.mkdir()
        for path in (ROOT / name for name in SOURCES):
            copy = shutil.copytree if path.is_dir() else shutil.copy
            if path.exists():
                copy(path, source / path.name)
        for path in source.rglob("*"):  # whatever the umask of who cloned
            path.chmod(0o755 if path.is_dir() else 0o644)
        options = {"capture_output": True, "text": True, "umask": 0o022}
        options["env"] = {"SOURCE_DATE_EPOCH": EPOCH} | os.environ
        command = [sys.executable, "-c", BUILD, made]
        done = subprocess.run(command, cwd=source, **options)
        if done.returncode:
            raise OSError(f"the wheel was not built:\n{done.stderr}")
        (file,) = made.iterdir()
        folder.mkdir(parents=True, exist_ok=True)
        draft = shutil.copy(file, folder / f".{file.name}.tmp")
        return Path(draft).replace(folder / file.name)
