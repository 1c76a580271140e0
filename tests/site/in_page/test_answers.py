"""Every exercise and every chapter of the book, run in the page's Python."""

import json
import re
from math import prod

import pytest
from asking import asking

from chapters import in_book_order

pytestmark = pytest.mark.slow
ANSWERS = {"stub", "solution", "wrong-answer"}
PATHS = [path for path in in_book_order() if '"stub"' in path.read_text()]
every_chapter = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def cells(path, of_exercises):
    """(number, code, outputs) of the cells of code."""
    for number, cell in enumerate(json.loads(path.read_text())["cells"]):
        tags = set(cell["metadata"].get("tags", []))
        if cell["cell_type"] == "code" and bool(tags & ANSWERS) == of_exercises:
            yield number, "".join(cell["source"]), cell["outputs"]


def text_of(outputs) -> str:
    """What the notebook stored, as text."""
    parts = (o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs)
    return "".join("".join(part) for part in parts)


@every_chapter
def test_an_exercise_answers_as_in_the_notebook(browser, server, path):
    with asking(browser, server, path.stem) as ask:
        differ, before = [], ""
        for _, code, outputs in cells(path, of_exercises=True):
            got = ask({"exercise": True, "code": code})
            if "NameError" in str(got):  # of an earlier answer, which a stub never needs
                got = ask({"exercise": True, "code": before + code})
            before += code.rpartition("\n")[0] + "\n"
            if got.get("sentence") != text_of(outputs):
                differ.append(f"{code}\ngave {got}, stored: {text_of(outputs)}")
        assert not differ, "\n".join(differ)


@every_chapter
def test_a_chapter_gives_what_is_stored(browser, server, path):
    with asking(browser, server, path.stem) as ask:
        ask({"begin": True})
        differ = []
        for number, code, outputs in cells(path, of_exercises=False):
            got, want = ask({"cell": number, "code": code}), text_of(outputs)
            said = got.get("printed", "") + got.get("text", "")
            if "moving" in got:
                sliders = got["moving"]["sliders"]
                said = f"{prod(len(slider['stops']) for slider in sliders)} frames"
                want = " ".join(want.split()[:2])
                moved = [slider["high"] for slider in sliders]
                assert ask({"frame": number, "values": moved})["html"].startswith("<figure")
            if "error" in got or not alike(said, want):
                differ.append(f"cell {number}: {got.get('error') or said}, stored: {want}")
        assert not differ, "\n".join(differ)


NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")


def alike(got, want) -> bool:
    """The same words, and numbers that agree to some three digits."""
    got, want = " ".join(got.split()), " ".join(want.split())
    if NUMBER.sub("#", got) != NUMBER.sub("#", want):
        return False
    pairs = zip(NUMBER.findall(got), NUMBER.findall(want), strict=True)
    return all(
        abs(float(a) - float(b)) <= 2e-3 * max(abs(float(b)), 1e-3) for a, b in pairs
    )
