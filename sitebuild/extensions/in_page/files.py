"""Fetch Python for the pages: Pyodide and its compiled packages.

The core is npm's `pyodide`, whose lock file has the sha256 of each compiled package.  PyPI
has no separate wheels of these packages, but the wheel of open-webui contains them.  A file
with a wrong hash is rejected.  HALFSPACES_PYODIDE, a folder or a URL, is an alternative
source of the same files.  compile.mjs then compiles the modules that the first answer
imports.
"""

import hashlib
import json
import os
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from urllib.request import urlopen

from sitebuild import fetching

PYODIDE = "vendor/pyodide"  # folder in the site
PACKAGES = ("numpy", "scipy", "sympy", "matplotlib", "scikit-learn")
CORE = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
CARRIER = "open-webui==0.12.4"
CARRIER_FOLDER = "open_webui/frontend/pyodide/"
CARRIER_SHA256 = "02e9caba96234db3fa17a92e56163b3f7f2b8ca8227fa886b85c178d696483f6"
# Some servers send .mjs with a wrong type, and browsers then refuse it.
RENAMED = {"pyodide.mjs": "pyodide.js", "pyodide.asm.mjs": "pyodide.asm.js"}
COMPILE = Path(__file__).with_name("compile.mjs")
KEY = fetching.digest(fetching.VENDOR / "package-lock.json", COMPILE, repr(PACKAGES))
KEY = f"python-{KEY}"


def fetch() -> Path:
    """Return the folder for the site.  Raises OSError if it cannot be fetched."""
    size = "43 MB" if os.environ.get("HALFSPACES_PYODIDE") else "106 MB"
    return fetching.cached_folder(f"Python for the pages, {size}", KEY, _fill)


def find() -> Path | None:
    """Return the folder that `fetch` returns, if it is in a cache."""
    return fetching.find_fetched(KEY)


@cache
def sizes() -> dict[str, dict[str, int]]:
    """Map Python, and each package with its dependencies, to the file sizes in bytes."""
    folder = find() / PYODIDE
    packages = json.loads((folder / "pyodide-lock.json").read_text())["packages"]
    found = {"python": {"python": sum((folder / name).stat().st_size for name in CORE)}}
    for name in PACKAGES:
        entries = _closure(packages, (name,)).values()
        found[name] = {e["name"]: (folder / e["file_name"]).stat().st_size for e in entries}
    return found


def megabytes(names: Iterable[str], extra: int) -> int:
    """Return the size of these packages, the editor and `extra` bytes, in MB."""
    parts = {part: size for name in names for part, size in sizes()[name].items()}
    editor = (fetching.find_fetched() / "site" / "in-page" / "editor.js").stat().st_size
    return round((sum(parts.values()) + editor + extra) / 1e6)


def _fill(folder: Path, scratch: Path) -> None:
    target = folder / PYODIDE
    shutil.copytree(fetching.find_fetched() / "pyodide", target)
    lock = json.loads((target / "pyodide-lock.json").read_text())
    lock["packages"] = entries = _closure(lock["packages"], PACKAGES)
    read = _file_reader(scratch)
    for entry in entries.values():
        name, data = entry["file_name"], read(entry["file_name"])
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            raise OSError(f"{name}: sha256 does not match Pyodide's lock file")
        (target / name).write_bytes(data)
    fetching.run([*fetching.node_command("node"), str(COMPILE), str(target)], target)
    wheel = target / entries["numpy"]["file_name"]
    entries["numpy"]["sha256"] = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (target / "pyodide-lock.json").write_text(json.dumps(lock, sort_keys=True))
    for name, new in RENAMED.items():
        (target / name).rename(target / new)


def _closure(packages: dict, names: tuple[str, ...]) -> dict:
    """Return the named entries of the lock file and their dependencies."""
    found, todo = {}, list(names)
    while todo:
        if (name := todo.pop()) not in found:
            found[name] = packages[name]
            todo += packages[name]["depends"]
    return found


def _file_reader(scratch: Path) -> Callable[[str], bytes]:
    """Return a function that reads a file of Pyodide's release."""
    source = os.environ.get("HALFSPACES_PYODIDE")
    if source is None:
        carrier = zipfile.ZipFile(_carrier(scratch))
        return lambda name: carrier.read(CARRIER_FOLDER + name)
    root = source.rstrip("/") if "://" in source else Path(source).resolve().as_uri()
    return lambda name: urlopen(f"{root}/{name}", timeout=fetching.SECONDS).read()


def _carrier(scratch: Path) -> Path:
    requirements = scratch / "carrier.txt"
    requirements.write_text(f"{CARRIER} --hash=sha256:{CARRIER_SHA256}\n")
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    pip += ["--no-deps", "--require-hashes", "--only-binary=:all:", "--no-cache-dir"]
    fetching.run([*pip, "-d", str(scratch), "-r", str(requirements)], scratch)
    return next(scratch.glob("*.whl"))
