"""Homework of the book's exercises: `make homework EXERCISES="perceptron.by_hand" SEED=7`.

The folder that it writes has the notebook for the students, the key by which
mlcore.book.homework grades, and what otter-grader and nbgrader need of it; with a list of
STUDENTS, a name a line, also a notebook with numbers of its own for each of them.
"""

import ast
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path

import nbformat.v4 as nbformat
import pack
from lab.references import labels

from chapters import BUILD, CHECK, ROOT, read
from mlcore.book.exercises.kit import Another
from mlcore.book.homework import with_seed
from mlcore.book.review import CHAPTERS

PARTS = Path(__file__).with_name("homework_parts")  # what is the same in each homework
POINTS = {"easy": 1, "medium": 2, "hard": 3}
EXERCISE = re.compile(
    r"```\{exercise\} (?P<title>.*?) \((?P<level>\w+), (?P<minutes>\d+) minutes\)\n"
    r":label: \S+\n(?P<text>.*?)```", re.S,
)  # fmt: skip
RULES = """Write each answer in the cell below its question, and nothing else there: what
you try goes into cells of your own. Functions are tried on data that you do not see, where
`mlcore` is not installed, unless the question tells you to use it."""
INSTALL = """

The first cell needs the package of the book, which you were given as a file beside this
notebook: `pip install "{wheel}[book]"`."""
TEST = """OK_FORMAT = False
from otter.test_files import test_case

name = {name!r}


def right(count):
    @test_case(points={points} / {parts}, hidden=True)
    def test_answer(verdicts):
        score, said = verdicts[{name!r}]
        assert round({parts} * score) >= count, said

    return test_answer


globals().update({{f"part_{{k}}": right(k) for k in range(1, {parts} + 1)}})
"""
LEAVE = "# Here your answer is graded; leave this cell as it is."
VERDICT = """### BEGIN HIDDEN TESTS
score, said = verdicts[{name!r}]
print(said)
{points} * score
### END HIDDEN TESTS"""


def exercises(chapter: str) -> dict[str, dict]:
    """checker -> chapter, title, level, minutes, text, stub, names of answers, and whether
    the book's own solution calls mlcore, of the exercises of a chapter."""
    cells, found, now = read(ROOT / "chapters" / f"{chapter}.ipynb")["cells"], {}, {}
    imports, title = imported(cells), "".join(cells[0]["source"]).splitlines()[0][2:]
    for cell in cells:
        text, tags = "".join(cell["source"]), cell["metadata"].get("tags", [])
        if asked := EXERCISE.search(text):
            now = asked.groupdict() | {"chapter": title}
        if "stub" in tags:
            call = CHECK.search(text)
            now |= {"stub": text[: call.start()].strip(), "imports": ""}
            now["answers"] = re.findall(r"\w+", call[2])
            found[call[1]] = now
        if "solution" in tags and "library" not in now:
            used = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
            lines = {imports[name] for name in used & {*imports}}
            now |= {"library": bool(lines), "imports": "\n".join(sorted(lines))}
    return found


def imported(cells: list[dict]) -> dict[str, str]:
    """name -> the line that imports it from mlcore, of what a chapter imports."""
    code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    lines = re.findall(r"^from (mlcore\.(?!book)\S+) import (.+)$", code, re.M)
    return {
        name: f"from {module} import {name}"
        for module, names in lines
        for name in names.split(", ")
    }


def chosen(names: list[str], seed: int) -> list[dict]:
    """The questions of a homework.

    Raises ValueError for a name that is no exercise, and for two that share an answer.
    """
    questions = []
    for number, name in enumerate(names, start=1):
        chapter, _, exercise = name.partition(".")
        if chapter not in CHAPTERS:
            raise ValueError(f"{name}: no such chapter; there are {', '.join(CHAPTERS)}.")
        known = exercises(chapter)
        if exercise not in known:
            raise ValueError(f"{name}: {chapter} has the exercises {', '.join(known)}.")
        asked = known[exercise]
        for other in questions:
            if shared := [a for a in asked["answers"] if a in other["answers"]]:
                both = f"{other['exercise']} and {name}"
                raise ValueError(f"{both} both ask for {shared[0]}: leave one of them out.")
        value = getattr(import_module(f"mlcore.book.exercises.{chapter}"), exercise).made()
        question = {"name": f"q{number}", "exercise": name, "seed": seed, "asked": asked}
        question |= {"points": POINTS[asked["level"]], "answers": asked["answers"]}
        question["parts"] = len(getattr(value, "asked", "1"))
        question["library"] = asked["library"] or not asked["stub"].startswith("def ")
        questions.append(question)
    return questions


@cache
def places() -> dict[str, dict[str, str]]:
    return labels()


def plain(text: str) -> str:
    """MyST as JupyterLab shows it, which knows no page of the book."""

    def shown(role: re.Match) -> str:
        words, _, target = role[1].removesuffix(">").partition("<")
        place = places().get((target or words).strip().lower())
        return f"*{words.strip() if target or not place else place['text']}*"

    text = re.sub(r"\{[\w:]+\}`([^`]+)`", shown, text)
    return text.replace(r"\R", r"\mathbb{R}").strip()


def question_text(question: dict, student: str) -> str:
    """The question, with the numbers of the class or of a student."""
    asked = with_seed(question, student)
    if isinstance(asked, Another) and asked.whole:
        return f"{asked.text.partition('. ')[2]}\n\n{asked.reason}".strip()
    return plain(question["asked"]["text"])


def notebook(
    questions: list[dict], wheel: str, student: str = "", nbgrader: str = ""
) -> dict:
    """The notebook of a student, or of the class; for nbgrader its "source", from which it
    makes the one of the class, or the same "release" of a student's."""

    cells, markdown, code = [], nbformat.new_markdown_cell, nbformat.new_code_cell

    def put(new, text: str, name: str, **of) -> None:
        about = {"schema_version": 3, "grade_id": name, "locked": True, "solution": False}
        about |= {"grade": False, "task": False} | of
        cells.append(new(text, metadata={"nbgrader": about} if nbgrader else {}))

    needed = {line for q in questions for line in q["asked"]["imports"].splitlines()}
    rules = f"# Homework\n\n{RULES}" + INSTALL.format(wheel=wheel) * bool(needed)
    put(markdown, rules, "rules")
    put(code, "\n".join(["import numpy as np", *sorted(needed)]), "imports")
    for number, question in enumerate(questions, start=1):
        asked, points, name = question["asked"], question["points"], question["name"]
        head = f"## {number}. {asked['title']} ({points} point{'s' * (points > 1)})"
        head += f"\n\n*Chapter: {asked['chapter']}*"
        put(markdown, f"{head}\n\n{question_text(question, student)}", f"{name}-text")
        source = nbgrader == "source"
        stub = asked["stub"] + "\n### BEGIN SOLUTION\n### END SOLUTION" * source
        put(code, stub, name, locked=False, solution=True)
        if nbgrader:
            test = VERDICT.format(**question) if source else LEAVE
            put(code, test, f"{name}-test", grade=True, points=points)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    if student:
        made["metadata"]["halfspaces"] = {"student": student}
    return made


def write(folder: Path, questions: list[dict], students: list[str]) -> None:
    """All files of a homework."""

    key = [{k: v for k, v in q.items() if k != "asked"} for q in questions]
    wheel = pack.wheel(folder).name
    own = ", or of `students` each one's own" if students else ""
    plugin = {"mlcore.book.homework.otter.Grader": {"key": key}}
    files = {
        "README.md": (PARTS / "README.md").read_text("utf-8").format(wheel=wheel, own=own),
        "key.json": key,
        "homework.ipynb": notebook(questions, wheel),
        "otter/otter_config.json": {"plugins": [plugin]},
        "nbgrader/key.json": key,
        "nbgrader/nbgrader_config.py": (PARTS / "nbgrader_config.py").read_text("utf-8"),
        "nbgrader/source/homework/homework.ipynb": notebook(questions, wheel, "", "source"),
    }
    files |= {
        f"students/{s}.ipynb": notebook(questions, wheel, s, "release") for s in students
    }
    files |= {f"otter/tests/{q['name']}.py": TEST.format(**q) for q in questions}
    for name, what in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = what if isinstance(what, str) else json.dumps(what, indent=1)
        (folder / name).write_text(text, "utf-8")


def whole_number(name: str, default: int) -> int:
    """A variable of the command.  Raises ValueError unless it is a whole number."""
    given = os.environ.get(name) or str(default)
    if not given.isdecimal():
        raise ValueError(f"{name} must be a whole number, at least 0; got {given}.")
    return int(given)


@contextmanager
def fresh_folder(name: str) -> Iterator[Path]:
    """A folder to fill, which takes the place of _build/NAME if all goes well."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as draft:
        folder = Path(draft, name)
        folder.mkdir()
        yield folder
        shutil.rmtree(BUILD / name, ignore_errors=True)
        folder.rename(BUILD / name)


def main() -> int:
    try:
        names = os.environ.get("EXERCISES", "").split()
        if not names:
            raise ValueError('Say which: make homework EXERCISES="perceptron.by_hand".')
        listed = os.environ.get("STUDENTS")
        lines = Path(listed).read_text("utf-8").splitlines() if listed else []
        students = [*filter(None, map(str.strip, lines))]
        if wrong := [s for s in students if not re.fullmatch(r"[\w.@ -]+", s)]:
            raise ValueError(f"STUDENTS: {wrong[0]!r} cannot be the name of a file.")
        questions = chosen(names, whole_number("SEED", 0))
        with fresh_folder("homework") as folder:
            write(folder, questions, students)
    except (OSError, ValueError) as error:
        print(f"No homework was made: {error}", file=sys.stderr)
        return 1
    print(f"{len(questions)} questions: _build/homework; its README.md says how to grade.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
