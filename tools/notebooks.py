"""Execute the chapters, so that two runs give the same bytes, and list their checks.

    python tools/notebooks.py                 those whose cells or mlcore changed
    python tools/notebooks.py geometry svm    those named, changed or not

A notebook that fails stays as it was; its first failing cell is named.  The page
chapters/checks.md is written from the proofs that the notebooks hold.
"""

import hashlib
import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import yaml
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = ROOT / "chapters"
STAMPS = ROOT / "_build" / "notebooks.json"
VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def main(names: list[str]) -> int:
    paths = in_book_order()
    unknown = set(names) - {path.stem for path in paths}
    if unknown:
        print(f"no such chapter: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    stamps = json.loads(STAMPS.read_text()) if STAMPS.exists() else {}
    due = [
        path
        for path in paths
        if path.stem in names or (not names and stamps.get(path.stem) != stamp(path))
    ]
    with ThreadPoolExecutor(2) as pool:
        fresh = [
            path for path, done in zip(due, pool.map(refresh, due), strict=True) if done
        ]
    stamps |= {path.stem: stamp(path) for path in fresh}
    STAMPS.parent.mkdir(exist_ok=True)
    replace(STAMPS, json.dumps(stamps, indent=1))
    replace(CHAPTERS / "checks.md", checks_page(paths))
    print(f"{len(fresh)} executed, {len(paths) - len(due)} up to date")
    return int(len(fresh) < len(due))


def in_book_order() -> list[Path]:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    files = [toc["root"]] + [c["file"] for part in toc["parts"] for c in part["chapters"]]
    return [p for f in files if (p := (ROOT / f).with_suffix(".ipynb")).exists()]


def stamp(path: Path) -> str:
    """A digest of all that a notebook's outputs depend on."""
    cells = [c["source"] for c in nbformat.read(path, 4).cells if c["cell_type"] == "code"]
    code = sorted([*ROOT.glob("mlcore/*"), *CHAPTERS.glob("exercises/*.py")])
    parts = cells + [f.read_text() for f in code if f.suffix in (".py", ".mplstyle")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def refresh(path: Path) -> bool:
    """Execute one notebook and write it back; on failure say where, and leave it."""
    start = time.perf_counter()
    notebook = nbformat.read(path, 4)
    print(f"{path.stem}: {len(notebook.cells)} cells ...", flush=True)
    for cell in notebook.cells:
        cell["metadata"].pop("execution", None)
    place = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources=place,
        record_timing=False,
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        print(f"{path.stem}: FAILED, the file is unchanged\n{blame(notebook, error)}")
        return False
    replace(path, nbformat.writes(normalized(notebook)) + "\n")
    print(f"{path.stem}: done in {time.perf_counter() - start:.1f} s", flush=True)
    return True


def blame(notebook, error: Exception) -> str:
    """The failing cell, by number and first line, and the end of the error."""
    for number, cell in enumerate(notebook.cells):
        outputs = cell.get("outputs", [])
        failed = any(output["output_type"] == "error" for output in outputs)
        if failed and "raises-exception" not in cell["metadata"].get("tags", []):
            first = cell["source"].splitlines()[0]
            cause = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip().splitlines()[-1]
            return f"  cell {number} ({first}): {cause}"
    return f"  {error}"


def normalized(notebook):
    """The same notebook without what changes from run to run: widget ids, cut text."""
    state = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
    notebook.metadata = nbformat.from_dict(METADATA | _kept(notebook.metadata))
    known = {name: json.dumps(model, sort_keys=True) for name, model in state.items()}
    identity = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
    new: dict[str, str] = {}

    def rename(text: str) -> str:
        return identity.sub(lambda m: new.get(m[0], m[0]), text)

    def walk(name: str) -> None:
        if name in known and name not in new:
            new[name] = f"{len(new) + 1:032x}"
            for other in identity.findall(known[name]):
                walk(other)

    for cell in notebook.cells:
        if cell["cell_type"] == "code":
            cell["outputs"] = _joined(cell["outputs"])
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    for output in outputs:
        walk(output.get("data", {}).get(VIEW, {}).get("model_id", ""))
    # a link hangs on no view: links are ordered by what they join
    for name in sorted(known.keys() - new.keys(), key=lambda name: rename(known[name])):
        walk(name)
    return nbformat.from_dict(json.loads(rename(json.dumps(notebook))))


def _joined(outputs: list) -> list:
    """Printed text in one piece, however the kernel happened to cut it."""
    joined: list = []
    for output in outputs:
        last = joined[-1] if joined else {}
        name = output.get("name")
        if name and name == last.get("name"):
            last["text"] += output["text"]
        else:
            joined.append(output)
    return joined


def _kept(metadata) -> dict:
    return {key: metadata[key] for key in ("widgets", "mystnb") if key in metadata}


def checks_page(paths: list[Path]) -> str:
    """Every proved claim of the book, with a link to the cell that proves it."""
    sections, claims, mutants = [], 0, 0
    for path in paths:
        notebook = nbformat.read(path, 4)
        outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
        proofs = [
            o["metadata"]["proof"] for o in outputs if "proof" in o.get("metadata", {})
        ]
        if proofs:
            title = notebook.cells[0]["source"].splitlines()[0].lstrip("# ")
            entries = [_entry(proof, path.stem) for proof in proofs]
            sections.append("\n\n".join([f"## {title}", *entries]))
        claims += len(proofs)
        mutants += sum(len(proof["mutants"]) for proof in proofs)
    head = (
        "# What has been checked\n\n"
        f"SymPy proves {claims} claims of this book, beside the text that makes them. "
        f"Each check was also given wrong versions of its claim, {mutants} in all, and "
        "refused every one. This page is written by the program that executes the "
        "chapters; nobody types it."
    )
    return "\n\n".join([head, *sections]) + "\n"


def _entry(proof: dict, chapter: str) -> str:
    code = f" Agrees in numbers with `{proof['code']}`." if proof["code"] else ""
    return (
        f'<a href="{chapter}.html#{proof["anchor"]}">{proof["name"]}</a>\n\n'
        f"$$\n{proof['statement']}\n$$\n\n"
        f"Holds for {proof['holds']}. Refused: {'; '.join(proof['mutants'])}.{code}"
    )


def replace(path: Path, text: str) -> None:
    """Write a file whole or not at all; leave it alone if nothing changed."""
    if path.exists() and path.read_text() == text:
        return
    draft = path.with_name(f".{path.name}.tmp")
    draft.write_text(text)
    os.replace(draft, path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
