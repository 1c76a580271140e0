"""Files of the book: list, read and write notebooks, and lock the working tree."""

import fcntl
import json
import os
import re
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "_build"
CHECK = re.compile(r"^check\.(\w+)\((.*)\)$", re.M)  # the last line of an exercise's stub
CONFLICT_MARKER = re.compile(rb"^(?:<{7}|>{7}) ", re.M)


def toc_parts(folder: Path = ROOT) -> list[tuple[str, bool, list[str]]]:
    """List (caption, numbered, pages) for each part of the book; the root comes first."""
    toc = yaml.safe_load((folder / "_toc.yml").read_text("utf-8"))
    parts = [("", False, [toc["root"]])]
    for part in toc["parts"]:
        if pages := [chapter["file"] for chapter in part["chapters"]]:
            parts.append((part.get("caption", ""), part.get("numbered", False), pages))
    return parts


def notebook_paths(folder: Path = ROOT) -> list[Path]:
    """List the notebooks in the table of contents of a folder, in the book's order.

    Exits with a message if a page does not exist.
    """
    paths = []
    for page in (page for *_, part in toc_parts(folder) for page in part):
        path = folder / f"{page}.ipynb"
        if path.exists():
            paths.append(path)
        elif not path.with_suffix(".md").exists():
            raise SystemExit(f"_toc.yml lists {page}, but there is no such file.")
    return paths


def read_notebook(path: Path) -> dict:
    """Read a notebook.  Exits with a message if the file is not a notebook."""
    fail_on_conflicts([path])
    try:
        notebook = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise SystemExit(f"{repo_path(path)} is not a notebook: {error}") from None
    match notebook:
        case {"nbformat": 4, "nbformat_minor": int(), "cells": list(), "metadata": dict()}:
            return notebook
    raise SystemExit(f"{repo_path(path)} is not a notebook of format 4 with cells.")


def fail_on_conflicts(paths: Iterable[Path]) -> None:
    """Exit with a message if a file contains the markers of a merge conflict."""
    for path in paths:
        text = path.read_bytes()
        if found := CONFLICT_MARKER.search(text):
            line = text.count(b"\n", 0, found.start()) + 1
            raise SystemExit(f"{repo_path(path)}, line {line}: unresolved merge conflict.")


def repo_path(path: Path) -> str:
    """Return a path relative to the repository, with slashes."""
    return path.relative_to(ROOT).as_posix()


def write_atomic(path: Path, text: str) -> None:
    """Replace the text of a file in one step; do not touch an unchanged file."""
    if path.exists() and path.read_bytes() == text.encode():
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        draft.write_text(text, "utf-8")
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def hold_lock(name: str, holder: str) -> Iterator[int]:
    """Hold a lock file in _build; yields its descriptor, which child processes may inherit.

    `holder` is the name of the process that may hold it, for a message.
    """
    BUILD.mkdir(exist_ok=True)
    with open(BUILD / name, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"{holder} is running; waiting for it ...", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()


def command_parser(module: str, doc: str) -> ArgumentParser:
    """Return a parser for `python -m module`, with the module's docstring as its help."""
    options = {"description": doc, "formatter_class": RawDescriptionHelpFormatter}
    return ArgumentParser(f"python -m {module}", allow_abbrev=False, **options)


def check_names(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raise ValueError for the first name that is not known."""
    known = [*known]
    for name in names:
        if name not in known:
            raise ValueError(f"Unknown {kind} {name!r}; choose from {', '.join(known)}")
