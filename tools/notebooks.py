"""Execute the chapters, so that two runs give the same bytes, and list their checks.

    python tools/notebooks.py                 those whose outputs are not current
    python tools/notebooks.py geometry svm    those named, current or not

A notebook that fails stays as it was; its failing line is named.  The page
chapters/checks.md is written from the proofs that the notebooks hold.  Whoever comes while
another executes waits.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from checks_page import checks_page
from executing import own_folders, refresh
from freshness import lost_views, outdated
from normalizing import file_text, normalized

from chapters import ROOT, alone, in_book_order, read, replace


def main(names: list[str]) -> int:
    paths = in_book_order()
    chapters = [path.stem for path in paths]
    if unknown := set(names) - set(chapters):
        said = f"{', '.join(chapters)}; not {', '.join(sorted(unknown))}"
        print(f"ONLY has to name chapters, of {said}.", file=sys.stderr)
        return 2
    try:
        with alone("notebooks.lock", "Another `make notebooks`"):
            return execute(paths, names)
    except OSError as error:
        print(f"Stopped; what was not done stays as it was: {error}", file=sys.stderr)
        return 1


def execute(paths: list[Path], names: list[str]) -> int:
    """Execute those that are due, then list the checks of all."""
    why = {path: reason(path) for path in paths}
    due = [path for path in paths if (path.stem in names if names else why[path])]
    for path in due:
        print(f"{path.stem}: {why[path] or 'named'}", flush=True)
    refused = []
    with own_folders():
        # not in a `with`, which would let an interrupt wait for the cells that run
        pool = ThreadPoolExecutor(2)
        for path, wrong in zip(due, pool.map(refresh, due), strict=True):
            if wrong:
                refused.append(path)
                print(f"{path.stem}: {wrong}", flush=True)
    replace(ROOT / "chapters" / "checks.md", checks_page(paths))
    others = f", {len(paths) - len(due)} up to date" if not names else ""
    print(f"{len(due) - len(refused)} executed{others}")
    return int(bool(refused))


def reason(path: Path) -> str:
    """Why a notebook has to be executed; nothing if what it shows is current."""
    notebook = read(path)
    if lost_views(notebook):
        return "its moving pictures were lost when it was saved"
    if why := outdated(notebook):
        return why
    if path.read_text() != file_text(normalized(nbformat.read(path, 4))):
        return "saved by another program since it was executed"
    return ""


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("Stopped; what was not done stays as it was.", file=sys.stderr, flush=True)
        os._exit(130)  # the kernels end when they miss us
