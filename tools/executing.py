"""Execute one notebook and put it in its place, if nobody changed it meanwhile."""

import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent

import nbformat
from freshness import digest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from normalizing import file_text, normalized

from chapters import BUILD, replace

SECONDS = 300  # what one cell may take
COLORS = re.compile(r"\x1b\[[0-9;]*m")


def refresh(path: Path) -> str:
    """Execute one notebook and write it back; returns why it was not, or nothing.

    The file is replaced only if it is still what was read: an edit made meanwhile stays.
    """
    start = time.perf_counter()
    before = path.read_bytes()
    notebook = nbformat.reads(before.decode(), 4)
    print(f"{path.stem}: {len(notebook.cells)} cells ...", flush=True)
    if wrong := execute(notebook, path):
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


def execute(notebook, path: Path) -> str:
    """Run the cells in a kernel of their own; returns what went wrong, or nothing."""
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        # or each kernel warns that it talks to this machine without encryption
        extra_arguments=["--log-level=ERROR"],
    )
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
