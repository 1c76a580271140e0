"""What only the solutions say, and where in a folder some of it can be read."""

import html
import io
import json
import re
import tomllib
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from sitebuild.chapters import ROOT

EXERCISES = ROOT / "mlcore" / "book" / "exercises"
LONG = 24  # letters and digits that nobody writes twice by chance
APART = re.compile(r"\$[^$]*\$|\{[\w:-]+\}`[^`]*`|[`*\n]")  # what a page sets in its way
PLAIN = (".svg", ".html", ".js", ".json", ".ipynb", ".md", ".py", ".txt", ".csv", ".bib")
CARRIED = ("_static/vendor/", "in-page/editor")  # of others: Python, fonts, the editor


def squeezed(text: str) -> str:
    """Letters and digits alone: the same in a page, in JSON and in a program."""
    return re.sub(r"[^A-Za-z0-9]|\\n", "", text)


def pieces(cell: dict) -> Iterator[str]:
    """The lines of code and the stretches of prose of a cell, and what it answered."""
    source = "".join(cell["source"])
    parts = source.splitlines() if cell["cell_type"] == "code" else APART.split(source)
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        parts += "".join(output.get("text") or data.get("text/plain", "")).splitlines()
    return (part for part in map(squeezed, parts) if len(part) >= LONG)


def only_in_solutions(paths: list[Path]) -> dict[str, str]:
    """Each piece of a solution that no other cell and no hint has, and its notebook."""
    found, open_to_all = {}, ""
    for path in paths:
        inside, said = False, EXERCISES / f"{path.stem}.toml"
        asked = tomllib.loads(said.read_text()) if said.exists() else {}
        hints = (hint for one in asked.values() for hint in one.get("hints", ()))
        open_to_all += " ".join(map(squeezed, hints))
        for cell in json.loads(path.read_text())["cells"]:
            source = "".join(cell["source"])
            inside = inside or "{solution-start}" in source
            if inside:
                found |= dict.fromkeys(pieces(cell), path.stem)
            else:
                open_to_all += " ".join([squeezed(source), *pieces(cell)])
            inside = inside and "{solution-end}" not in source
    return {piece: where for piece, where in found.items() if piece not in open_to_all}


def leaks(folder: Path, secrets: dict[str, str]) -> list[tuple[str, str]]:
    """Each file in which something can be read that only solutions say, and what it is."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    found = (
        pair
        for path in files
        for pair in texts(path.relative_to(folder).as_posix(), path.read_bytes)
    )
    return [(name, secret) for name, text in found for secret in secrets if secret in text]


def texts(name: str, read) -> Iterator[tuple[str, str]]:
    """Name and squeezed text of a file that the book serves, or of those in an archive."""
    if any(part in name for part in CARRIED):
        return
    if name.endswith((".zip", ".whl")):
        with zipfile.ZipFile(io.BytesIO(read())) as archive:
            for inner in archive.namelist():
                yield from texts(f"{name}/{inner}", partial(archive.read, inner))
    elif name.endswith(PLAIN) or "." not in name.rpartition("/")[2]:
        text = read().decode(errors="replace")
        if name.endswith(".html"):
            text = html.unescape(re.sub(r"<[^>]*>", "", text))
        yield name, squeezed(text)
