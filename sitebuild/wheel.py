"""Build the wheel that the site serves with the notebooks.

The build uses a copy of the sources, without files of earlier builds.  It needs no network,
and the wheel has the same bytes on every machine.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "mlcore", "halfspaces")
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
EPOCH = "1767225600"  # date of every file in the wheel, 2026-01-01


def build_wheel(folder: Path) -> Path:
    """Build the wheel into a folder; returns its path."""
    with tempfile.TemporaryDirectory() as scratch:
        source, built = Path(scratch, "source"), Path(scratch, "built")
        source.mkdir()
        built.mkdir()
        for path in (ROOT / name for name in SOURCES):
            copy = shutil.copytree if path.is_dir() else shutil.copy
            if path.exists():
                copy(path, source / path.name)
        for path in source.rglob("*"):  # independent of the user's umask
            path.chmod(0o755 if path.is_dir() else 0o644)
        options = {"capture_output": True, "text": True, "umask": 0o022}
        options["env"] = {"SOURCE_DATE_EPOCH": EPOCH} | os.environ
        command = [sys.executable, "-c", BUILD, built]
        process = subprocess.run(command, cwd=source, **options)
        if process.returncode:
            raise OSError(f"the wheel was not built:\n{process.stderr}")
        (file,) = built.iterdir()
        folder.mkdir(parents=True, exist_ok=True)
        draft = shutil.copy(file, folder / f".{file.name}.tmp")
        return Path(draft).replace(folder / file.name)
