"""The chapters as files: which there are, what one holds, and how one is replaced."""

import fcntl
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "_build"
CHECK = re.compile(r"^check\.(\w+)\((.*)\)$", re.M)  # the last line of an exercise's stub
CONFLICT = re.compile(rb"^(?:<{7}|>{7}) ", re.M)


def parts(folder: Path = ROOT) -> list[tuple[str, bool, list[str]]]:
    """Of each part its caption, whether it is numbered, and its pages; first the root."""
    toc = yaml.safe_load((folder / "_toc.yml").read_text("utf-8"))
    return [
        (part.get("caption", ""), part.get("numbered", False), [c["file"] for c in pages])
        for part in [{"chapters": [{"file": toc["root"]}]}, *toc["parts"]]
        if (pages := part["chapters"])
    ]


def in_book_order(folder: Path = ROOT) -> list[Path]:
    """The notebooks of the table of contents, those of the clone or of an edition."""
    pages = [folder / page for *_, part in parts(folder) for page in part]
    return [path for page in pages if (path := page.with_suffix(".ipynb")).exists()]


def read(path: Path) -> dict:
    """The notebook in a file; a file that holds none ends the program with a sentence."""
    refuse_conflicts([path])
    try:
        notebook = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise SystemExit(f"{short(path)} is not a notebook: {error}") from None
    match notebook:
        case {"nbformat": 4, "nbformat_minor": int(), "cells": list(), "metadata": dict()}:
            return notebook
    raise SystemExit(f"{short(path)} is not a notebook of format 4, with cells.")


def refuse_conflicts(paths: Iterable[Path]) -> None:
    """End the program with a sentence if a file holds the marks of a merge."""
    for path in paths:
        text = path.read_bytes()
        if found := CONFLICT.search(text):
            line = text.count(b"\n", 0, found.start()) + 1
            raise SystemExit(f"{short(path)}, line {line}: a merge left a conflict there.")


def short(path: Path) -> str:
    """The path as a user of the clone writes it."""
    return path.relative_to(ROOT).as_posix()


def replace(path: Path, text: str) -> None:
    """Write a file whole or not at all; leave it alone if nothing changed."""
    if path.exists() and path.read_text("utf-8") == text:
        return
    draft = path.with_name(f".{path.name}.tmp")
    try:
        draft.write_text(text, "utf-8")
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def alone(name: str, what: str) -> Iterator[int]:
    """Hold a lock of the clone; it goes when the last process with it ends."""
    BUILD.mkdir(exist_ok=True)
    with open(BUILD / name, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"{what} is at work here; waiting for it ...", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()
