"""Build the book or pack the built site into one file.

Sphinx builds in an empty folder, and the site is replaced only after a complete build: a
failed or interrupted build leaves the previous site unchanged.  Nothing is built if no
source has changed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from sitebuild import chapters, epub, fetching, policy, student
from sitebuild.chapters import BUILD, ROOT, notebook_paths, read_notebook, repo_path
from sitebuild.extensions.address import address_settings
from sitebuild.extensions.in_page import files
from sitebuild.pdf_document import Document
from sitebuild.staleness import WIDGETS_LOST, why_stale

LOCK = ("lock", "Another build")  # arguments of `hold_lock`
RECORD = "built.json"
ZIP = "halfspaces"  # name of the archive and of the folder inside it
SOURCES = ("_config.yml", "_toc.yml", "_static/**/*", "chapters/**/*", "sitebuild/**/*")
SOURCES += ("mlcore/**/*", "halfspaces/**/*", "proofs/*", "pyproject.toml", "README.md")
SOURCES += ("LICENSE", "requirements.txt", "CITATION.cff")


@dataclass(frozen=True)
class Edition:
    """Source folder, output folder, and the variable with the URL of the notebooks."""

    source: Path
    folder: Path
    repository: str

    site = property(lambda self: self.folder / "html")


FOLDER = BUILD / "student"
# The student edition must not link to the notebooks with solutions.
STUDENT = Edition(FOLDER / "source", FOLDER, "HALFSPACES_STUDENT_REPOSITORY")
EDITIONS = {"": Edition(ROOT, BUILD, "HALFSPACES_REPOSITORY"), "student": STUDENT}


def main(arguments: list[str] | None = None) -> str | None:
    parser = chapters.command_parser("sitebuild.build", __doc__)
    add_edition_option(parser)
    parser.add_argument("--zip", action="store_true", help="pack the built site")
    options = parser.parse_args(arguments)
    return run(options.edition, pack=options.zip)


def add_edition_option(parser) -> None:
    """Add the option --edition, whose value is a key of EDITIONS."""
    help_text = "build the edition without solutions"
    parser.add_argument("--edition", choices=["student"], default="", help=help_text)


def run(name: str, *, pack: bool = False) -> str | None:
    """Build an edition or pack its site; returns an error message or None."""
    edition, failure = EDITIONS[name], "zip was not made" if pack else "book was not built"
    try:
        edition.folder.mkdir(parents=True, exist_ok=True)
        with chapters.hold_lock(*LOCK) as lock:
            return pack_site(edition) if pack else build(edition, lock)
    except shutil.Error as error:  # holds (source, target, reason) for each file
        return f"The {failure}: {error.args[0][0][2]}"
    except (OSError, ValueError) as error:
        return f"The {failure}: {error}"
    except KeyboardInterrupt:
        return "Stopped; the previous site is unchanged."


def build(edition: Edition, lock: int) -> str | None:
    """Bring the site up to date; returns an error message or None."""
    last_site = edition.folder / "html.last"
    if last_site.exists() and not edition.site.exists():
        last_site.rename(edition.site)  # `install_site` was interrupted
    os.environ["HALFSPACES_REPOSITORY"] = os.environ.get(edition.repository, "")
    now = {"sources": digest(), "addresses": address_settings()}
    last, missing = read_record(edition), missing_assets()
    same = now.items() <= last.items() and (edition.site / "index.html").exists()
    newly_fetched = [key for key, why in missing.items() if last.get(key) and not why]
    if same and not newly_fetched:
        return report(last)
    chapters.fail_on_conflicts(sources())
    reasons = {path: why_stale(read_notebook(path)) for path in notebook_paths()}
    stale = {repo_path(path): why for path, why in reasons.items() if why}
    for name, why in stale.items():
        if why == WIDGETS_LOST:
            return f"{name}: {why}.  Run `make notebooks`."
    print("Building the pages ...", flush=True)
    if edition is STUDENT:
        student.write_sources(edition.source)
    shutil.rmtree(edition.folder / "work", ignore_errors=True)
    if output := run_sphinx(edition, lock):
        return f"{output}\nThe book was not built; see above."
    if edition is STUDENT:
        student.write_folder(edition.folder / "notebooks")
    install_site(edition, complete=not missing["assets"])
    now |= missing | {"stale": stale, "path": repo_path(edition.site / "index.html")}
    chapters.write_atomic(edition.folder / RECORD, json.dumps(now, indent=1))
    return report(now)


def missing_assets() -> dict[str, str]:
    """Fetch third-party files; returns the reasons why some are missing.

    Without "assets" the pages need a network; without "python" no exercise runs in them.
    """
    reasons = {"assets": "", "python": ""}
    for key, fetch in ("assets", fetching.fetch), ("python", files.fetch):
        try:
            fetch()
        except OSError as error:
            reasons[key] = str(error)
            break
    return reasons


def sources() -> list[Path]:
    """List the source files of the book, without hidden and compiled files."""
    paths = {path for pattern in SOURCES for path in ROOT.glob(pattern)}
    names = {path: repo_path(path) for path in paths if path.is_file()}
    return sorted(p for p, n in names.items() if "/." not in n and "__pycache__" not in n)


def digest() -> str:
    """Hash the version of Python and the names and contents of all sources."""
    files = [(f"{repo_path(path)} {path.stat().st_size}", path) for path in sources()]
    return fetching.digest(sys.version, *chain.from_iterable(files))


def read_record(edition: Edition) -> dict:
    """Read the record of the sources of the current site; empty if it is unreadable."""
    with suppress(OSError, ValueError):
        if isinstance(record := json.loads((edition.folder / RECORD).read_text()), dict):
            return record
    return {}


def run_sphinx(edition: Edition, lock: int) -> str:
    """Build into the folder `work`; returns the output of a failed build, else "".

    Sphinx inherits the lock and holds it until it ends, even if this process is killed.
    """
    command = [Path(sys.executable).with_name("jupyter-book"), "build", "."]
    command += ["--path-output", edition.folder / "work"]
    command += ["-W", "-n", "--keep-going", "-q"]
    options = {"env": os.environ | {"PYTHONPATH": str(ROOT)}}  # for sitebuild.extensions
    options |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    sphinx = subprocess.run(command, cwd=edition.source, pass_fds=[lock], **options)
    if sphinx.returncode == 0:
        return ""
    if error := re.search(r"^\w*Error: (\[Errno.*)", sphinx.stdout, re.M):
        raise OSError(error[1])
    return re.sub(r"(/\S+\.ipynb):(\d+)", cell_location, sphinx.stdout)


def cell_location(match: re.Match) -> str:
    """Translate file:line of MyST-NB, where line is 10,000 * cell, to cell and heading."""
    number = int(match[2]) // 10_000
    cells = read_notebook(Path(match[1]))["cells"][:number]
    texts = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    headings = re.findall(r"^#+ (.+)", "\n".join(texts), re.M)
    return f"{match[1]}, cell {number}, under “{headings[-1] if headings else ''}”"


def install_site(edition: Edition, *, complete: bool) -> None:
    """Replace the site with the new one, and make it readable by a web server.

    complete  True if no third-party file is missing: add the EPUB, whose formulas need
              Temml, and the Content-Security-Policy, which forbids other hosts
    """
    new, last = edition.folder / "work" / "_build" / "html", edition.folder / "html.last"
    (new / ".buildinfo").unlink()
    if complete:
        epub.write_epub(Document(new), new / epub.PATH)
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
    """Pack the site into one file, which replaces the previous one when it is complete."""
    with tempfile.TemporaryDirectory(dir=edition.folder) as scratch:
        Path(scratch, ZIP).symlink_to(edition.site)
        archive = shutil.make_archive(f"{scratch}/{ZIP}", "zip", scratch, ZIP)
        os.replace(archive, edition.folder / f"{ZIP}.zip")
    print(f"The site as one file: {repo_path(edition.folder / f'{ZIP}.zip')}")


def report(record: dict) -> None:
    """Print the path of the site, and warn about missing and stale parts."""
    if record["assets"]:
        print(f"The pages need a network: {record['assets']}.", file=sys.stderr)
        print("`make book` tries again.", file=sys.stderr)
    if record["python"]:
        print(f"Exercises do not run in the page: {record['python']}.", file=sys.stderr)
    for name, why in record["stale"].items():
        advice = "Its outputs may be stale: run `make notebooks`."
        print(f"{name}: {why}.  {advice}", file=sys.stderr)
    print(f"The book: {record['path']}")


if __name__ == "__main__":
    sys.exit(main())  # a message is printed, and the exit status is 1
