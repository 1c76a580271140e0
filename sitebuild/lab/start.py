"""Open the chapters in JupyterLab, and let it show them as the book does.

    python -m sitebuild.lab.start chapters [options of jupyter lab]

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

from sitebuild.chapters import in_book_order, read
from sitebuild.lab.references import ROOT, labels, pages, works

HERE = Path(__file__).resolve().parent
NAME = "halfspaces"


def main(folder: str, *options: str) -> None:
    for path in in_book_order():
        read(path)  # or it ends with a sentence that names the file
    built = assemble(ROOT / "_build" / "lab")
    command = [
        *(sys.executable, "-m", "jupyterlab", folder),
        f"--LabApp.app_settings_dir={built / 'settings'}",
        f"--LabApp.extra_labextensions_path={built / 'extensions'}",
        "--ServerApp.contents_manager_class=sitebuild.lab.trust.Chapters",
        *options,
    ]
    command += ["--no-browser"] if os.environ.get("CI") else []
    # in a container; `make book` has run as root, too
    command += ["--allow-root"] if os.geteuid() == 0 else []
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    os.execve(sys.executable, command, os.environ | {"PYTHONPATH": path})


def assemble(place: Path) -> Path:
    """The extension and the settings, in the folders where JupyterLab looks for them."""
    extension, settings = place / "extensions" / NAME, place / "settings"
    static = extension / "static"
    for folder in (static, settings):
        folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "overrides.json", settings)
    shutil.copy(HERE / "package.json", extension)
    shutil.copy(HERE / "book.js", static)
    style = [*rules_of_outputs(), (HERE / "book.css").read_text()]
    (static / "book.css").write_text("\n".join(style))
    known = {"pages": pages(), "labels": labels(), "works": works()}
    (static / "book.json").write_text(json.dumps(known, indent=1))
    return place


def rules_of_outputs() -> list[str]:
    """What the style sheet of the pages says of pictures, proofs and verdicts."""
    sheet = (ROOT / "_static" / "book.css").read_text()
    return re.findall(r"^\.hs-[^{}]*\{[^{}]*\}", sheet, flags=re.M)


if __name__ == "__main__":
    main(*sys.argv[1:])
