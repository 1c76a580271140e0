"""Search files for text that occurs only in solutions."""

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

EXERCISES = ROOT / "halfspaces" / "exercises"
LONG = 24  # letters and digits; shorter text may coincide by chance
APART = re.compile(r"\$[^$]*\$|\{[\w:-]+\}`[^`]*`|[`*\n]")  # markup that pages render
TEXT_FILES = (".svg", ".html", ".js", ".json", ".ipynb", ".md", ".py", ".txt", ".csv")
TEXT_FILES += (".bib",)
THIRD_PARTY = ("_static/vendor/", "in-page/editor")  # Python, fonts, the editor


def squeezed(text: str) -> str:
    """Keep only letters and digits, which are the same in pages, JSON and code."""
    return re.sub(r"[^A-Za-z0-9]|\\n", "", text)


def pieces(cell: dict) -> Iterator[str]:
    """Yield the lines of code, pieces of prose and outputs of a cell."""
    source = "".join(cell["source"])
    parts = source.splitlines() if cell["cell_type"] == "code" else APART.split(source)
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        parts += "".join(output.get("text") or data.get("text/plain", "")).splitlines()
    return (part for part in map(squeezed, parts) if len(part) >= LONG)


def only_in_solutions(paths: list[Path]) -> dict[str, str]:
    """Map text that occurs only in solutions to the name of its notebook."""
    found, open_to_all = {}, ""
    for path in paths:
        inside, texts = False, EXERCISES / f"{path.stem}.toml"
        entries = tomllib.loads(texts.read_text()) if texts.exists() else {}
        hints = (hint for entry in entries.values() for hint in entry.get("hints", ()))
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
    """List (file, secret) for each secret found in a folder."""
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for name, text in texts(path.relative_to(folder).as_posix(), path.read_bytes):
            found += [(name, secret) for secret in secrets if secret in text]
    return found


def texts(name: str, read) -> Iterator[tuple[str, str]]:
    """Yield (name, squeezed text) of a file or of all files in an archive."""
    if any(part in name for part in THIRD_PARTY):
        return
    if name.endswith((".zip", ".whl")):
        with zipfile.ZipFile(io.BytesIO(read())) as archive:
            for inner in archive.namelist():
                yield from texts(f"{name}/{inner}", partial(archive.read, inner))
    elif name.endswith(TEXT_FILES) or "." not in name.rpartition("/")[2]:
        text = read().decode(errors="replace")
        if name.endswith(".html"):
            text = html.unescape(re.sub(r"<[^>]*>", "", text))
        yield name, squeezed(text)
