"""A temporary repository with the build tools and a book of two pages."""

import hashlib
import os
import shutil
import subprocess
import time
from pathlib import Path

import nbformat

from sitebuild.chapters import ROOT

# Environment of another user, which must not change the built site.
OTHER_USER = {
    "LC_ALL": "C",
    "PYTHONCOERCECLOCALE": "0",  # otherwise Python replaces the C locale
    "PYTHONUTF8": "0",
    "TZ": "Asia/Kathmandu",
    "PYTHONHASHSEED": "7",
    "PYTHONOPTIMIZE": "2",
}
METADATA = {"language_info": {"name": "python"}}
CONFIG = """
title: Book
execute: {execute_notebooks: "off"}
only_build_toc_files: true
exclude_patterns: [".*", "**/.*"]
sphinx:
  extra_extensions:
    - sitebuild.extensions.access
    - sitebuild.extensions.address
    - sitebuild.extensions.formulas
    - sitebuild.extensions.offline_assets
  config:
    templates_path: [sitebuild/extensions/templates]
    html_additional_pages: {"404": 404.html}
    book_description: A small book
    html_theme_options: {use_fullscreen_button: false}  # its button violates the CSP
"""
TOC = "format: jb-book\nroot: chapters/one\nparts: [{chapters: [{file: chapters/two}]}]\n"


class Book:
    """A repository with the build tools, a stub of mlcore and a book of two pages."""

    def __init__(self, folder: Path):
        self.folder, self.site = folder, folder / "_build" / "html"
        shutil.copytree(ROOT / "sitebuild", folder / "sitebuild", dirs_exist_ok=True)
        for name in ("Makefile", "requirements.txt", "pyproject.toml", "CITATION.cff"):
            shutil.copyfile(ROOT / name, folder / name)
            os.utime(folder / name, (0, 0))  # older than .venv, so that it is not rebuilt
        (folder / ".venv").symlink_to(ROOT / ".venv")
        for name in ("mlcore", "chapters"):
            (folder / name).mkdir()
        (folder / "_config.yml").write_text(CONFIG)
        (folder / "_toc.yml").write_text(TOC)
        (folder / "mlcore" / "__init__.py").write_text('__version__ = "1"\n')
        (folder / "mlcore" / "numbers.py").write_text("ONE = 1\n")
        self.restore()

    def restore(self) -> None:
        self.write_page("# Two\n\nFine.\n")
        self.write_notebook()

    def write_page(self, text: str) -> None:
        (self.folder / "chapters" / "two.md").write_text(text)

    def write_notebook(self, *outputs, cells=()) -> None:
        """Write the first page: a cell that uses mlcore, with these outputs; cells."""
        cell = nbformat.v4.new_code_cell("from mlcore.numbers import ONE", id="c")
        cell.outputs, cell.execution_count = list(outputs), 1
        page = nbformat.v4.new_notebook(metadata=METADATA)
        page.cells = [nbformat.v4.new_markdown_cell("# One", id="head"), cell, *cells]
        nbformat.write(page, self.folder / "chapters" / "one.ipynb")

    def start(self, *targets, **options) -> subprocess.Popen:
        """Start `make` in a new session, as in a terminal."""
        return subprocess.Popen(
            ["make", *(targets or ["book"])],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            **options,
        )

    def make(self, *targets, **options) -> tuple[int, str]:
        process = self.start(*targets, **options)
        output, _ = process.communicate(timeout=300)
        return process.returncode, output


def wait_until(condition, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "timeout"
        time.sleep(0.02)


def digests(folder: Path) -> dict[str, str]:
    """Map each file in a folder to its SHA-256."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
