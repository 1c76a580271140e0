"""Execute chapters reproducibly, and write chapters/checks.md from their proofs.

Without names, all notebooks with stale outputs are executed.  If a notebook fails, its file
is unchanged, and the failing line is printed.  A second run waits for the first.
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

from sitebuild import chapters
from sitebuild.chapters import BUILD, ROOT, notebook_paths, read_notebook, write_atomic
from sitebuild.checks_page import render_checks_page
from sitebuild.normalize import file_text, normalize
from sitebuild.staleness import digest, why_stale

SECONDS = 300  # time limit of a cell
MAX_MB = 2.5  # size of a notebook
COLORS = re.compile(r"\x1b\[[0-9;]*m")


def main(arguments: list[str] | None = None) -> int:
    parser = chapters.command_parser("sitebuild.notebooks", __doc__)
    parser.add_argument("names", nargs="*", metavar="CHAPTER", help="execute even if fresh")
    names = parser.parse_args(arguments).names
    paths = notebook_paths()
    try:
        chapters.check_names("chapter", names, [path.stem for path in paths])
        with chapters.hold_lock("notebooks.lock", "Another `make notebooks`"):
            return execute(paths, names)
    except (OSError, ValueError) as error:
        print(f"Stopped: {error}", file=sys.stderr)
        return 1


def execute(paths: list[Path], names: list[str]) -> int:
    """Execute the named or stale notebooks, and list the proofs of all notebooks."""
    why = {path: reason(path) for path in paths}
    due = [path for path in paths if (path.stem in names if names else why[path])]
    for path in due:
        print(f"{path.stem}: {why[path] or 'named'}", flush=True)
    failed = []
    with isolated_jupyter():
        # without `with`, in which an interrupt would wait for the running cells
        pool = ThreadPoolExecutor(2)
        for path, error in zip(due, pool.map(execute_notebook, due), strict=True):
            if error:
                failed.append(path)
                print(f"{path.stem}: {error}", flush=True)
    write_atomic(ROOT / "chapters" / "checks.md", render_checks_page(paths))
    current = f", {len(paths) - len(due)} up to date" if not names else ""
    print(f"{len(due) - len(failed)} executed{current}")
    return int(bool(failed))


def reason(path: Path) -> str:
    """Explain why a notebook must be executed; "" if its outputs are current."""
    if why := why_stale(read_notebook(path)):
        return why
    if path.read_text() != file_text(normalize(nbformat.read(path, 4))):
        return "saved by another program since it was executed"
    return ""


def execute_notebook(path: Path) -> str:
    """Execute one notebook and replace its file; returns an error message or "".

    The file is not replaced if somebody edited it in the meantime.
    """
    start = time.perf_counter()
    before = path.read_bytes()
    notebook = nbformat.reads(before.decode(), 4)
    print(f"{path.stem}: {len(notebook.cells)} cells ...", flush=True)
    if error := run_cells(notebook, path):
        return f"FAILED, the file is unchanged\n{error}"
    notebook = normalize(notebook)
    notebook.metadata["halfspaces"] = digest(json.loads(file_text(notebook)))
    size = len(file_text(notebook)) / 1e6
    if size > MAX_MB:
        cause = f"the notebook is {size:.1f} MB, at most {MAX_MB} MB are allowed"
        return f"FAILED, the file is unchanged\n  {cause}"
    if path.read_bytes() != before:
        return "edited while it ran; the edit is kept, run `make notebooks` again"
    try:
        write_atomic(path, file_text(notebook))
    except OSError as error:
        return f"FAILED, the file is unchanged\n  {error}"
    print(f"{path.stem}: done in {time.perf_counter() - start:.1f} s", flush=True)
    return ""


def run_cells(notebook, path: Path) -> str:
    """Run the cells in a new kernel; returns an error message or ""."""
    options = {"timeout": SECONDS, "kernel_name": "python3", "record_timing": False}
    options["coalesce_streams"] = True  # the kernel may split the output of a cell
    options["resources"] = {"metadata": {"path": str(path.parent)}}
    # hide the warning that kernel messages on this machine are not encrypted
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
        return stderr_output(notebook)
    return f"  cell [{client.code_cells_executed}]: {cause}"


def stderr_output(notebook) -> str:
    """Name the first cell that wrote to stderr, for example a warning; "" if none did."""
    cells = [cell for cell in notebook.cells if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, start=1):
        for output in cell["outputs"]:
            if output.get("name") == "stderr":
                return f"  cell [{number}] wrote to stderr: {output['text'].strip()}"
    return ""


@contextmanager
def isolated_jupyter() -> Iterator[None]:
    """Start kernels without the user's settings; they need no writable home.

    Matplotlib's font cache is built first, because building it in a cell may print there.
    BLAS uses one thread: several notebooks run at once, and more threads do not speed up
    products of small matrices.
    """
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ["MPLCONFIGDIR"] = str(BUILD / "matplotlib")
    import_module("matplotlib.font_manager")
    with TemporaryDirectory() as scratch:
        os.environ["IPYTHONDIR"] = os.environ["JUPYTER_RUNTIME_DIR"] = scratch
        yield


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        text = "Stopped; only notebooks reported as done have changed."
        print(text, file=sys.stderr, flush=True)
        os._exit(130)  # the kernels end when they lose their parent process
