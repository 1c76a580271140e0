"""Open the chapters in JupyterLab, and let it show them as the book does.

    python tools/lab/start.py chapters [options of jupyter lab]

The book's look, its numbers and its citations come from a small extension of JupyterLab,
put together in _build/lab.  Nothing of the reader's own Jupyter is read or changed: what
they set for themselves holds here, too, and goes before what is set in overrides.json.
"""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import yaml
from pybtex.database import Entry, parse_file
from pybtex.plugin import find_plugin

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAME = "halfspaces"


def main(folder: str, *options: str) -> None:
    built = assemble(ROOT / "_build" / "lab")
    command = [
        *(sys.executable, "-m", "jupyterlab", folder),
        f"--LabApp.app_settings_dir={built / 'settings'}",
        f"--LabApp.extra_labextensions_path={built / 'extensions'}",
        "--ServerApp.contents_manager_class=trust.Chapters",
        *options,
    ]
    if os.environ.get("CI"):
        command.append("--no-browser")
    if os.geteuid() == 0:  # in a container; `make book` has run as root, too
        command.append("--allow-root")
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
    os.execve(sys.executable, command, os.environ | {"PYTHONPATH": path})


def assemble(place: Path) -> Path:
    """The extension and the settings, in the folders where JupyterLab looks for them."""
    extension = place / "extensions" / NAME
    static = extension / "static"
    settings = place / "settings"
    for folder in (static, settings):
        folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "overrides.json", settings)
    shutil.copy(HERE / "package.json", extension)
    shutil.copy(HERE / "book.js", static)
    style = [*rules_of_outputs(), (HERE / "book.css").read_text()]
    (static / "book.css").write_text("\n".join(style))
    known = {"pages": pages(), "works": works()}
    (static / "book.json").write_text(json.dumps(known, indent=1))
    return place


def rules_of_outputs() -> list[str]:
    """What the style sheet of the pages says of pictures, proofs and verdicts."""
    sheet = (ROOT / "_static" / "book.css").read_text()
    return re.findall(r"^\.hs-[^{}]*\{[^{}]*\}", sheet, flags=re.M)


def pages() -> dict[str, dict]:
    """The file of each page of the book, and its number if it is a chapter."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    found, number = {}, 0
    for part in [{"chapters": [{"file": toc["root"]}]}, *toc["parts"]]:
        for chapter in part["chapters"]:
            number += bool(part.get("numbered"))
            path = ROOT / chapter["file"]
            kind = ".ipynb" if path.with_suffix(".ipynb").exists() else ".md"
            found[path.stem] = {
                "path": path.stem + kind,
                "number": number if part.get("numbered") else None,
            }
    return found


def works() -> dict[str, dict[str, str]]:
    """What the book cites: as names and year, and in full."""
    entries = parse_file(ROOT / "chapters" / "references.bib").entries
    style = find_plugin("pybtex.style.formatting", "plain")()
    full = style.format_entries(entries.values())
    return {
        item.key: short(entries[item.key]) | {"full": item.text.render_as("text")}
        for item in full
    }


def short(entry: Entry) -> dict[str, str]:
    people = entry.persons.get("author") or entry.persons["editor"]
    last = [
        " ".join(map(str, person.rich_prelast_names + person.rich_last_names))
        for person in people
    ]
    names = f"{last[0]} et al." if len(last) > 2 else " and ".join(last)
    return {"names": names, "year": entry.fields["year"]}


if __name__ == "__main__":
    main(*sys.argv[1:])
