"""A clone of the book in another folder, for commands that hurt or compare it."""

import hashlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from chapters import ROOT

OF_MAKE = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")
GIT = ["git", "-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "gc.auto=0"]

# Another user, whose settings must not reach what is made.
STRANGER = {
    "LC_ALL": "C",
    "PYTHONCOERCECLOCALE": "0",  # or Python would leave the locale C by itself
    "PYTHONUTF8": "0",
    "TZ": "Asia/Kathmandu",
    "PYTHONHASHSEED": "7",
    "PYTHONOPTIMIZE": "2",
}


@contextmanager
def room() -> Iterator[Path]:
    """A folder for clones, removed at the end, also while something still writes there."""
    with TemporaryDirectory(prefix="halfspaces-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def cloned(folder: Path, umask: int = 0o022) -> Path:
    """Clone what git would commit here, edits and new files; the environment is ours."""
    folder.mkdir(parents=True)
    options = ["--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(
        ["git", "ls-files", *options], cwd=ROOT, capture_output=True, check=True
    )
    names = [
        n for n in listed.stdout.split(b"\0") if n and (ROOT / os.fsdecode(n)).exists()
    ]
    pack = ["tar", "-c", "--null", "--files-from=-"]
    packed = subprocess.run(
        pack, cwd=ROOT, input=b"\0".join(names), stdout=subprocess.PIPE, check=True
    )
    unpack = ["tar", "-x", "--touch", "--no-same-permissions"]
    subprocess.run(unpack, cwd=folder, input=packed.stdout, umask=umask, check=True)
    for name in ("requirements.txt", "pyproject.toml"):
        os.utime(folder / name, (0, 0))  # older than the environment: it stays
    (folder / ".venv").symlink_to(ROOT / ".venv")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "As it was"]):
        subprocess.run([*GIT, *command], cwd=folder, check=True)
    return folder


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """For commands in a clone: its own mlcore, and a folder of its own for scratch."""
    scratch = folder.with_name(f"{folder.name}, scratch")
    scratch.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if name not in OF_MAKE}
    return kept | {"PYTHONPATH": str(folder), "TMPDIR": str(scratch)} | variables


def digests(folder: Path) -> dict[str, str]:
    """The name and the sha256 of each file in a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
