"""Build the book with the newest Sphinx, theme and parsers; compare it with `make book`.

`python -m sitebuild.newest_sphinx` prints the pages whose words or ids differ, and fails if
a page or an id is missing.  Jupyter Book only writes Sphinx's configuration.
"""

import re
import shutil
import subprocess
import sys
import venv
from difflib import unified_diff
from importlib.metadata import requires
from pathlib import Path

from bs4 import BeautifulSoup

from sitebuild.chapters import BUILD, ROOT

FOLDER = BUILD / "newest_sphinx"
NAME = re.compile(r"[\w-]+")  # of a package, before its version
MAX_SHOWN = 8  # words and ids shown for each page


def main() -> int:
    if not (BUILD / "html").exists():
        print("Run `make book` first.")
        return 1
    shutil.rmtree(FOLDER, ignore_errors=True)
    python = install()
    skipped = shutil.ignore_patterns("_build", ".*")
    source = shutil.copytree(ROOT, FOLDER / "source", ignore=skipped)
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    run(jupyter_book, "config", "sphinx", source)
    run(python, "-m", "sphinx", "-q", source, FOLDER / "html", cwd=source)
    lines, missing = compare(BUILD / "html", FOLDER / "html")
    print("\n".join(lines))
    return int(missing)


def install() -> Path:
    """Create an environment with the newest versions; return its Python."""
    venv.create(FOLDER / "venv", with_pip=True)
    python = FOLDER / "venv" / "bin" / "python"
    direct = (ROOT / "requirements.in").read_text("utf-8").splitlines()
    lines = direct + [line for line in requires("jupyter-book") if "extra" not in line]
    pinned = {line for line in direct if line.startswith("jupyter-book")}
    names = {found[0] for line in lines if (found := NAME.match(line))} - {"jupyter-book"}
    run(python, "-m", "pip", "install", "-q", "--upgrade", *sorted(names))
    run(python, "-m", "pip", "install", "-q", "--no-deps", *pinned)  # it pins old versions
    return python


def run(*command, cwd=ROOT) -> None:
    subprocess.run([str(word) for word in command], cwd=cwd, check=True)


def compare(old: Path, new: Path) -> tuple[list[str], bool]:
    """Return a line for each difference of two sites, and whether anything is missing.

    Words are those of the article, without scripts; ids are those of the whole page.
    """
    lines, missing = [], False
    pages = {path.relative_to(old) for path in old.rglob("*.html")}
    for page in sorted(pages):
        if not (new / page).exists():
            lines, missing = [*lines, f"{page} is missing"], True
            continue
        (old_words, old_ids), (new_words, new_ids) = map(read, (old / page, new / page))
        lost, added = sorted(old_ids - new_ids), sorted(new_ids - old_ids)
        diff = [*unified_diff(old_words, new_words, lineterm="", n=0)][2:]
        changed = [word for word in diff if not word.startswith("@@")]
        for what, found in ("words", changed), ("ids lost", lost), ("ids added", added):
            if found:
                lines.append(f"{page}: {len(found)} {what}: {' '.join(found[:MAX_SHOWN])}")
        missing = missing or bool(lost)
    return lines, missing


def read(path: Path) -> tuple[list[str], set[str]]:
    page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
    ids = {element["id"] for element in page.select("[id]")}
    for element in page.select("script, style, .headerlink"):
        element.decompose()
    return (page.select_one("article") or page).get_text(" ").split(), ids


if __name__ == "__main__":
    sys.exit(main())
