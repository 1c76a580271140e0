"""Open a folder of chapters in JupyterLab, with the styles and links of the book.

A small JupyterLab extension in _build/lab adds the book's styles, section and equation
numbers, and citations.
The user's Jupyter settings do not change, and take precedence over overrides.json.
"""

import json
import os
import re
import shutil
import sys
from argparse import REMAINDER
from pathlib import Path

from sitebuild.chapters import command_parser, notebook_paths, read_notebook
from sitebuild.lab.references import ROOT, labels, pages, works
from sitebuild.serve import port

HERE = Path(__file__).resolve().parent
NAME = "halfspaces"


def main(arguments: list[str] | None = None) -> str:
    parser = command_parser("sitebuild.lab.start", __doc__)
    parser.add_argument("--port", type=port)
    parser.add_argument("folder")
    parser.add_argument("options", nargs=REMAINDER, help="options of jupyter lab")
    args = parser.parse_args(arguments)
    for path in notebook_paths():
        read_notebook(path)  # exits with a message if the file is broken
    try:
        built = build_extension(ROOT / "_build" / "lab")
    except OSError as error:
        return f"JupyterLab was not started: {error}"
    command = [
        *(sys.executable, "-m", "jupyterlab", args.folder),
        f"--LabApp.app_settings_dir={built / 'settings'}",
        f"--LabApp.extra_labextensions_path={built / 'extensions'}",
        "--ServerApp.contents_manager_class=sitebuild.lab.trust.ChapterManager",
        *args.options,
    ]
    command += [f"--port={args.port}"] if args.port else []
    command += ["--no-browser"] if os.environ.get("CI") else []
    # root is common in containers
    command += ["--allow-root"] if os.geteuid() == 0 else []
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    os.execve(sys.executable, command, os.environ | {"PYTHONPATH": path})


def build_extension(folder: Path) -> Path:
    """Write the extension and the settings to folders that JupyterLab reads."""
    extension, settings = folder / "extensions" / NAME, folder / "settings"
    static = extension / "static"
    for target in (static, settings):
        target.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "overrides.json", settings)
    shutil.copy(HERE / "package.json", extension)
    shutil.copy(HERE / "book.js", static)
    styles = [*output_styles(), (HERE / "book.css").read_text()]
    (static / "book.css").write_text("\n".join(styles))
    references = {"pages": pages(), "labels": labels(), "works": works()}
    (static / "book.json").write_text(json.dumps(references, indent=1))
    return folder


def output_styles() -> list[str]:
    """Extract the rules for pictures, proofs and verdicts from the book's style sheet."""
    sheet = (ROOT / "_static" / "book.css").read_text()
    return re.findall(r"^\.hs-[^{}]*\{[^{}]*\}", sheet, flags=re.M)


if __name__ == "__main__":
    sys.exit(main())  # prints the message and exits with status 1
