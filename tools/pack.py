"""Pack mlcore: wheel and sdist into dist/, which is what `make wheel` does.

They are built from a copy, so that nothing that an earlier build left can get in, and
without the network, by the pinned setuptools.  They have the same bytes wherever and
whenever they are built; the site serves the wheel beside the notebooks.
"""

import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_SOURCE = shutil.ignore_patterns(".*", "_build", "build", "dist", "*.egg-info", "*.pyc")
BUILD = "import sys; from setuptools import build_meta; build_meta.{}(sys.argv[1])"
EPOCH = "1767225600"  # the date of every file in them, 2026-01-01


def build(kind: str, folder: Path) -> Path:
    """Build a "wheel" or an "sdist" of the package into a folder; returns its path."""
    with tempfile.TemporaryDirectory() as workshop:
        source, made = Path(workshop, "source"), Path(workshop, "made")
        shutil.copytree(ROOT, source, ignore=NOT_SOURCE)
        made.mkdir()
        for path in source.rglob("*"):  # whatever the umask of who cloned
            path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
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
        if kind == "sdist":
            forget_when_and_who(file)
        folder.mkdir(parents=True, exist_ok=True)
        draft = shutil.copy(file, folder / f".{file.name}.tmp")
        return Path(draft).replace(folder / file.name)


def forget_when_and_who(file: Path) -> None:
    """Write an sdist again without the dates and the owner that setuptools puts in."""
    draft = file.with_name("draft")
    with (
        tarfile.open(file) as old,
        gzip.GzipFile(draft, "wb", mtime=int(EPOCH)) as packed,
        tarfile.open(fileobj=packed, mode="w") as new,
    ):
        for member in sorted(old, key=lambda member: member.name):
            member.mtime, member.uid, member.gid = int(EPOCH), 0, 0
            member.uname = member.gname = ""
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    draft.replace(file)


if __name__ == "__main__":
    try:
        for kind in ("wheel", "sdist"):
            print(build(kind, ROOT / "dist").relative_to(ROOT))
    except OSError as error:
        sys.exit(f"Not packed: {error}")
