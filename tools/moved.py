"""Execute the chapters as the machine is, and tell which numbers moved; writes nothing.

python tools/moved.py              all of them
python tools/moved.py svm boosting   those named
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from configparser import ConfigParser
from difflib import unified_diff
from pathlib import Path
from re import sub

import nbformat
from executing import execute, own_folders

from chapters import ROOT, in_book_order

WIDE = 100  # columns of a line that is shown
SHOWN = 6  # lines that are shown of a cell


def main(names: list[str]) -> int:
    paths = [path for path in in_book_order() if path.stem in names or not names]
    with own_folders(), ThreadPoolExecutor(2) as pool:
        results = list(pool.map(moved, paths))
    for path, (cells, failure) in zip(paths, results, strict=True):
        for number, lines in cells.items():
            print(f"\n{path.stem}, cell [{number}]")
            print("\n".join(f"  {line[:WIDE]}" for line in lines[:SHOWN]))
        if failure:
            print(f"\n{path.stem} failed:\n{failure}")
    print(f"\n{'notebook':20} {'cells that moved':>16}   failed")
    for path, (cells, failure) in zip(paths, results, strict=True):
        print(f"{path.stem:20} {len(cells):16}   {'yes' if failure else 'no'}")
    return int(any(failure for _, failure in results))


def moved(path: Path) -> tuple[dict[int, list[str]], str]:
    """The cells whose text is not the stored one, with what differs; and what failed."""
    stored, now = nbformat.read(path, 4), nbformat.read(path, 4)
    for cell in now.cells:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    failure = execute(now, path)
    pairs = [
        (text_of(old), text_of(new))
        for old, new in zip(stored.cells, now.cells, strict=True)
        if old["cell_type"] == "code" and (new["execution_count"] or not failure)
    ]
    cells = {q: differences(*pair) for q, pair in enumerate(pairs, 1) if len(set(pair)) > 1}
    return cells, failure


def text_of(cell) -> str:
    """What a cell answered, in text, without what means nothing, see tests/nbval.cfg."""
    parts = []
    for output in cell["outputs"]:
        data = output.get("data", {})
        error = f"{output.get('ename')}: {output.get('evalue')}\n"
        plain = f"{data['text/plain']}\n" if "text/plain" in data else ""
        parts.append(output.get("text") or plain or error)
    text = "".join(parts)
    noise = ConfigParser(interpolation=None)
    noise.read(ROOT / "tests" / "nbval.cfg")
    for name in noise.sections():
        text = sub(noise[name]["regex"], noise[name]["replace"], text)
    return text


def differences(old: str, new: str) -> list[str]:
    """The lines that differ, the stored ones behind a minus."""
    lines = unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
