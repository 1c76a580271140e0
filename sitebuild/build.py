"""Build the book: what `make book` does, `make zip`, and both with EDITION=student.

A site is made from an empty folder, and put in place only when it is whole: a build that
failed or was stopped leaves the last one.  It is not made again while its sources stay.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sitebuild import fetching, policy, student
from sitebuild.chapters import (
    BUILD,
    ROOT,
    alone,
    in_book_order,
    read,
    refuse_conflicts,
    replace,
    short,
)
from sitebuild.extensions.address import told
from sitebuild.extensions.in_page import files
from sitebuild.freshness import LOST, outdated

LOCK, RECORD = ("lock", "Another build"), "built.json"
ZIP = "halfspaces"  # the name of the file, and of the folder that unpacking makes
SOURCES = ("_config.yml", "_toc.yml", "_static/**/*", "chapters/**/*", "sitebuild/**/*")
SOURCES += ("mlcore/**/*", "halfspaces/**/*", "proofs/*", "pyproject.toml", "README.md")
SOURCES += ("LICENSE", "requirements.txt")


@dataclass(frozen=True)
class Edition:
    """What an edition is built from, where, and who tells the address of its notebooks."""

    source: Path
    folder: Path
    repository: str

    site = property(lambda self: self.folder / "html")


FOLDER = BUILD / "student"
# Its pages must not open the chapters of the clone, which have the solutions.
STUDENT = Edition(FOLDER / "source", FOLDER, "HALFSPACES_STUDENT_REPOSITORY")
EDITIONS = {"": Edition(ROOT, BUILD, "HALFSPACES_REPOSITORY"), "student": STUDENT}


def main(*words: str) -> str | None:
    """With the name of an edition, or none; with --zip pack what is built.

    Returns what went wrong, in a sentence.
    """
    name, packing = "".join(word for word in words if word != "--zip"), "--zip" in words
    if name not in EDITIONS:
        return f"EDITION is student, or not given; not {name!r}."
    edition, what = EDITIONS[name], "zip was not made" if packing else "book was not built"
    try:
        edition.folder.mkdir(parents=True, exist_ok=True)
        with alone(*LOCK) as lock:
            return pack_site(edition) if packing else build(edition, lock)
    except shutil.Error as error:  # of each file that could not be copied
        return f"The {what}: {error.args[0][0][2]}"
    except (OSError, ValueError) as error:
        return f"The {what}: {error}"
    except KeyboardInterrupt:
        return "Stopped; what was there stays."


def build(edition: Edition, lock: int) -> str | None:
    """Bring the site up to date; returns why that failed."""
    last_site = edition.folder / "html.last"
    if last_site.exists() and not edition.site.exists():
        last_site.rename(edition.site)  # killed between the steps of `put_in_place`
    os.environ["HALFSPACES_REPOSITORY"] = os.environ.get(edition.repository, "")
    now, last = {"sources": digest(), "told": told()}, recorded(edition)
    lacking = unfetched()
    same = now.items() <= last.items() and (edition.site / "index.html").exists()
    if same and all(why or not last[key] for key, why in lacking.items()):
        return tell(last)
    refuse_conflicts(sources())
    old = {short(p): why for p in in_book_order() if (why := outdated(read(p)))}
    for name, why in old.items():
        if why == LOST:
            return f"{name}: {why}.  Run `make notebooks`."
    print("Building the pages ...", flush=True)
    if edition is STUDENT:
        student.write_sources(edition.source)
    shutil.rmtree(edition.folder / "work", ignore_errors=True)
    if failed := run_sphinx(edition, lock):
        return f"{failed}\nThe book was not built; see above."
    if edition is STUDENT:
        student.write_folder(edition.folder / "notebooks")
    put_in_place(edition, strict=not lacking["missing"])
    now |= lacking | {"old": old, "address": short(edition.site / "index.html")}
    replace(edition.folder / RECORD, json.dumps(now, indent=1))
    return tell(now)


def unfetched() -> dict[str, str]:
    """Why the pages will need the network, and why exercises will not run in them."""
    lacking = {"missing": "", "silent": ""}
    for key, fetch in ("missing", fetching.fetch), ("silent", files.fetch):
        try:
            fetch()
        except OSError as error:
            lacking[key] = str(error)
            break
    return lacking


def sources() -> list[Path]:
    """The files that the book is made of, without hidden and compiled ones."""
    found = {path for pattern in SOURCES for path in ROOT.glob(pattern)}
    names = {path: short(path) for path in found if path.is_file()}
    return sorted(p for p, n in names.items() if "/." not in n and "__pycache__" not in n)


def digest() -> str:
    """Of the names and the bytes of the sources, and of the Python that reads them."""
    total = hashlib.sha256(sys.version.encode())
    for path in sources():
        total.update(f"{short(path)} {path.stat().st_size}".encode() + path.read_bytes())
    return total.hexdigest()


def recorded(edition: Edition) -> dict:
    """What the site in its place was made of; nothing if that is not known."""
    with suppress(OSError, ValueError):
        if isinstance(record := json.loads((edition.folder / RECORD).read_text()), dict):
            return record
    return {}


def run_sphinx(edition: Edition, lock: int) -> str:
    """Build into the folder `work`; returns what was said if that failed.

    The lock is passed on: should this process be killed, it is held until Sphinx ends.
    """
    command = [Path(sys.executable).with_name("jupyter-book"), "build", "."]
    command += ["--path-output", edition.folder / "work"]
    command += ["-W", "-n", "--keep-going", "-q"]
    options = {"env": os.environ | {"PYTHONPATH": str(ROOT)}}  # where sitebuild is
    options |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(command, cwd=edition.source, pass_fds=[lock], **options)
    if done.returncode == 0:
        return ""
    if found := re.search(r"^\w*Error: (\[Errno.*)", done.stdout, re.M):
        raise OSError(found[1])
    return re.sub(r"(/\S+\.ipynb):(\d+)", in_cell, done.stdout)


def in_cell(place: re.Match) -> str:
    """A place in a notebook, as a reader finds it; its line is 10,000 times the cell."""
    cell = int(place[2]) // 10_000
    cells = read(Path(place[1]))["cells"][:cell]
    texts = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    *_, heading = ["", *re.findall(r"^#+ (.+)", "\n".join(texts), re.M)]
    return f"{place[1]}, cell {cell}, under “{heading}”"


def put_in_place(edition: Edition, *, strict: bool) -> None:
    """Make the site readable by a web server, and swap it for the last one.

    strict   under the policy, which a site that needs the network cannot keep
    """
    new, last = edition.folder / "work" / "_build" / "html", edition.folder / "html.last"
    (new / ".buildinfo").unlink()
    if strict:
        policy.make_strict(new)
    for path in [new, *new.rglob("*")]:
        path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
    shutil.rmtree(last, ignore_errors=True)
    if edition.site.exists():
        edition.site.rename(last)
    new.rename(edition.site)
    shutil.rmtree(last, ignore_errors=True)
    shutil.rmtree(edition.folder / "work", ignore_errors=True)


def pack_site(edition: Edition) -> None:
    """Pack the site into one file; an earlier one stays until this one is whole."""
    with tempfile.TemporaryDirectory(dir=edition.folder) as scratch:
        Path(scratch, ZIP).symlink_to(edition.site)
        done = shutil.make_archive(f"{scratch}/{ZIP}", "zip", scratch, ZIP)
        os.replace(done, edition.folder / f"{ZIP}.zip")
    print(f"The site as one file: {short(edition.folder / f'{ZIP}.zip')}")


def tell(record: dict) -> None:
    """Say what a reader of the site has to know; that is no failure."""
    if record["missing"]:
        print(f"The pages need the network: {record['missing']}.", file=sys.stderr)
        print("`make book` tries again.", file=sys.stderr)
    if record["silent"]:
        print(f"Exercises do not run in the page: {record['silent']}.", file=sys.stderr)
    for name, why in record["old"].items():
        say = "Its outputs may be old: run `make notebooks`."
        print(f"{name}: {why}.  {say}", file=sys.stderr)
    print(f"The book: {record['address']}")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))  # a sentence is printed, and is a failure
