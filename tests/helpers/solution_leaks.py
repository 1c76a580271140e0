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
MIN_LENGTH = 24  # letters and digits; shorter text may match by chance
MARKUP = re.compile(r"\$[^$]*\$|\{[\w:-]+\}`[^`]*`|[`*\n]")  # absent from pages
TEXT_FILES = (".svg", ".html", ".js", ".json", ".ipynb", ".md", ".py", ".txt", ".csv")
TEXT_FILES += (".bib", ".xhtml")
THIRD_PARTY = ("_static/vendor/", "in-page/editor")  # Python, fonts, the editor


def squeeze(text: str) -> str:
    """Remove all but letters and digits, so that text in pages, JSON and code is equal."""
    return re.sub(r"[^A-Za-z0-9]|\\n", "", text)


def texts_of(cell: dict) -> Iterator[str]:
    """Yield the squeezed lines of code, parts of prose and lines of output of a cell."""
    source = "".join(cell["source"])
    parts = source.splitlines() if cell["cell_type"] == "code" else MARKUP.split(source)
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        parts += "".join(output.get("text") or data.get("text/plain", "")).splitlines()
    return (part for part in map(squeeze, parts) if len(part) >= MIN_LENGTH)


def solution_texts(paths: list[Path]) -> dict[str, str]:
    """Map text that occurs only in solutions to the name of its notebook."""
    secrets, public = {}, ""
    for path in paths:
        in_solution, toml = False, EXERCISES / f"{path.stem}.toml"
        entries = tomllib.loads(toml.read_text()) if toml.exists() else {}
        hints = (hint for entry in entries.values() for hint in entry.get("hints", ()))
        public += " ".join(map(squeeze, hints))
        for cell in json.loads(path.read_text())["cells"]:
            source = "".join(cell["source"])
            in_solution = in_solution or "{solution-start}" in source
            if in_solution:
                secrets |= dict.fromkeys(texts_of(cell), path.stem)
            else:
                public += " ".join([squeeze(source), *texts_of(cell)])
            in_solution = in_solution and "{solution-end}" not in source
    return {text: name for text, name in secrets.items() if text not in public}


def find_leaks(folder: Path, secrets: dict[str, str]) -> list[tuple[str, str]]:
    """List (file, secret) for each secret in a file of a folder."""
    leaks = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for name, text in file_texts(path.relative_to(folder).as_posix(), path.read_bytes):
            leaks += [(name, secret) for secret in secrets if secret in text]
    return leaks


def file_texts(name: str, read_bytes) -> Iterator[tuple[str, str]]:
    """Yield (name, squeezed text) of a file or of all files in an archive."""
    if any(part in name for part in THIRD_PARTY):
        return
    if name.endswith((".zip", ".whl", ".epub")):
        with zipfile.ZipFile(io.BytesIO(read_bytes())) as archive:
            for member in archive.namelist():
                yield from file_texts(f"{name}/{member}", partial(archive.read, member))
    elif name.endswith(TEXT_FILES) or "." not in name.rpartition("/")[2]:
        text = read_bytes().decode(errors="replace")
        if name.endswith("html"):
            text = html.unescape(re.sub(r"<[^>]*>", "", text))
        yield name, squeeze(text)
