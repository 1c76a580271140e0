"""Execute the chapters, so that two runs give the same bytes, and list their checks.

    python -m sitebuild.notebooks                 those whose outputs are not current
    python -m sitebuild.notebooks geometry svm    those named, current or not

A notebook that fails stays as it was; its failing line is named.  The page
chapters/checks.md is written from the proofs that the notebooks hold.  Whoever comes while
another executes waits.
"""

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from sitebuild.chapters import BUILD, ROOT, alone, in_book_order, read, replace
from sitebuild.checks_page import checks_page
from sitebuild.freshness import digest, outdated
from sitebuild.normalizing import file_text, normalized

SECONDS = 300  # what one cell may take
COLORS = re.compile(r"\x1b\[[0-9;]*m")


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
    if why := outdated(read(path)):
        return why
    if path.read_text() != file_text(normalized(nbformat.read(path, 4))):
        return "saved by another program since it was executed"
    return ""


def refresh(path: Path) -> str:
    """Execute one notebook and write it back; returns why it was not, or nothing.

    The file is replaced only if it is still what was read: an edit made meanwhile stays.
    """
    start = time.perf_counter()
    before = path.read_bytes()
    notebook = nbformat.reads(before.decode(), 4)
    print(f"{path.stem}: {len(notebook.cells)} cells ...", flush=True)
    if wrong := run_cells(notebook, path):
        return f"FAILED, the file is unchanged\n{wrong}"
    notebook = normalized(notebook)
    notebook.metadata["halfspaces"] = digest(json.loads(file_text(notebook)))
    if path.read_bytes() != before:
        return "edited while it ran; the edit is kept, and waits for another run"
    try:
        replace(path, file_text(notebook))
    except OSError as error:
        return f"FAILED, the file is unchanged\n  {error}"
    print(f"{path.stem}: done in {time.perf_counter() - start:.1f} s", flush=True)
    return ""


def run_cells(notebook, path: Path) -> str:
    """Run the cells in a kernel of their own; returns what went wrong, or nothing."""
    options = {"timeout": SECONDS, "kernel_name": "python3", "record_timing": False}
    options["coalesce_streams"] = True  # however the kernel cuts what is printed
    options["resources"] = {"metadata": {"path": str(path.parent)}}
    # or each kernel warns that it talks to this machine without encryption
    options["extra_arguments"] = ["--log-level=ERROR"]
    client = NotebookClient(notebook, **options)
    try:
        client.execute()
    except CellExecutionError as error:
        return indent(COLORS.sub("", error.traceback), "  ")
    except CellTimeoutError:
        cause = f"no answer after {SECONDS} s"
    except DeadKernelError:
        cause = "its kernel died"
    else:
        return unwanted(notebook)
    return f"  cell [{client.code_cells_executed}]: {cause}"


def unwanted(notebook) -> str:
    """The first cell that wrote to stderr, where warnings go, with its first line."""
    cells = [cell for cell in notebook.cells if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, start=1):
        for output in cell["outputs"]:
            if output.get("name") == "stderr":
                return f"  cell [{number}] wrote to stderr: {output['text'].strip()}"
    return ""


@contextmanager
def own_folders() -> Iterator[None]:
    """Kernels that see no settings of the user's, and need no home to write to.

    Matplotlib's list of fonts is made before, once: made in a cell, it may say so there.
    BLAS has one thread: several notebooks run at once, and for matrices as small as
    theirs a second thread costs more than it gives.
    """
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ["MPLCONFIGDIR"] = str(BUILD / "matplotlib")
    import_module("matplotlib.font_manager")
    with TemporaryDirectory() as scratch:
        os.environ["IPYTHONDIR"] = os.environ["JUPYTER_RUNTIME_DIR"] = scratch
        yield


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("Stopped; what was not done stays as it was.", file=sys.stderr, flush=True)
        os._exit(130)  # the kernels end when they miss us
