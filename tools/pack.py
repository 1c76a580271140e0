"""Pack mlcore: wheel and sdist into dist/, which is what `make wheel` does.

They are built from a copy, so that nothing that an earlier build left can get in, and
without the network, by the pinned setuptools.  A wheel has the same bytes wherever and
whenever it is built; the site serves it beside the notebooks.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_SOURCE = shutil.ignore_patterns(".*", "_build", "build", "dist", "*.egg-info", "*.pyc")
BUILD = "import sys; from setuptools import build_meta; build_meta.{}(sys.argv[1])"
EPOCH = "1767225600"  # the date of every file in the wheel, 2026-01-01


def build(kind: str, folder: Path) -> Path:
    """Build a "wheel" or an "sdist" of the package into a folder; returns its path."""
    with tempfile.TemporaryDirectory() as workshop:
        source, made = Path(workshop, "source"), Path(workshop, "made")
        shutil.copytree(ROOT, source, ignore=NOT_SOURCE)
        made.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", BUILD.format(f"build_{kind}"), made],
            cwd=source,
            env={"SOURCE_DATE_EPOCH": EPOCH} | os.environ,
            umask=0o022,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise OSError(f"the {kind} of mlcore was not built:\n{done.stderr}")
        (file,) = made.iterdir()
        folder.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(file, folder))


if __name__ == "__main__":
    for kind in ("wheel", "sdist"):
        print(build(kind, ROOT / "dist").relative_to(ROOT))
