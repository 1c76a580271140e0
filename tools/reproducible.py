"""Two clones in two folders: do they give the same bytes?

    make reproducible          three of the notebooks; ALL=1 for all
    make reproducible PDF=1    and the text of the printed book

The second has another user: another umask, locale, time zone, order of sets, no HOME, and
assertions switched off.  Compared are the site, the executed notebooks with the page of
their checks, wheel and sdist, byte by byte, and the text of the PDF, page by page.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from clones import STRANGER, cloned, digests, environment, room
from pypdf import PdfReader

FEW = ("intro", "background", "perceptron")
MADE = {"site": "_build/html", "notebooks": "chapters", "packages": "dist"}
PDF = "_build/halfspaces.pdf"


def make(folder: Path, targets: list[list[str]], stranger: bool) -> None:
    """Run each target in a clone; ends the program with what was said if one fails."""
    env = environment(folder, **(STRANGER if stranger else {}))
    if stranger:
        env.pop("HOME", None)
    for target in targets:
        print(f"{folder.name}: make {' '.join(target)} ...", flush=True)
        done = subprocess.run(
            ["make", *target],
            cwd=folder,
            env=env,
            umask=0o077 if stranger else 0o022,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            raise SystemExit(f"{done.stdout}\nmake {target[0]} failed in {folder}.")


def differing(one: Path, two: Path, pdf: bool) -> Iterator[str]:
    """What is not the same in two clones, by name; tells how much was compared."""
    for what, folder in MADE.items():
        first, second = digests(one / folder), digests(two / folder)
        names = sorted(first.keys() | second.keys())
        wrong = [name for name in names if first.get(name) != second.get(name)]
        print(f"{what:10}{len(names) - len(wrong):5} of {len(names):4} files are the same")
        yield from (f"{folder}/{name}" for name in wrong)
    if pdf:
        texts = [
            [page.extract_text() for page in PdfReader(clone / PDF).pages]
            for clone in (one, two)
        ]
        pages = range(max(map(len, texts)))
        wrong = [n for n in pages if texts[0][n : n + 1] != texts[1][n : n + 1]]
        print(f"{'PDF':10}{len(pages) - len(wrong):5} of {len(pages):4} pages are the same")
        yield from (f"{PDF}, page {n + 1}" for n in wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="execute all notebooks")
    parser.add_argument("--pdf", action="store_true", help="print the book, too")
    wanted = parser.parse_args()
    with room() as place:
        one, two = (
            cloned(place / "one"),
            cloned(place / "elsewhere" / "zwei, déjà vu", 0o077),
        )
        every = [path.stem for path in one.glob("chapters/*.ipynb")]
        names = every if wanted.all else FEW
        targets = [["notebooks", f"ONLY={' '.join(names)}"], ["wheel"]]
        targets.append(["pdf"] if wanted.pdf else ["book"])
        for folder in (one, two):
            make(folder, targets, stranger=folder == two)
        wrong = list(differing(one, two, wanted.pdf))
    print("\n".join(f"DIFFERS: {name}" for name in wrong[:20]) or "Nothing differs.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
