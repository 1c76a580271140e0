"""Homework of the book's exercises: `make homework EXERCISES="perceptron.by_hand" SEED=7`.

The folder that it writes has the notebook for the students, the key by which
halfspaces.homework grades, and what otter-grader and nbgrader need of it; with a list of
STUDENTS, a name a line, also a notebook with numbers of its own for each of them.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path

import nbformat.v4 as nbformat

from halfspaces.exercises.define import Variant
from halfspaces.homework import with_seed
from halfspaces.page.dependencies import defined_names, statements, used_names
from halfspaces.review import CHAPTERS
from sitebuild import pack
from sitebuild.chapters import BUILD, CHECK, ROOT, read
from sitebuild.lab import references

labels = cache(references.labels)
PARTS = Path(__file__).with_name("homework_parts")  # what is the same in each homework
POINTS = {"easy": 1, "medium": 2, "hard": 3}
MLCORE = re.compile(r"from mlcore\.")
EXERCISE = re.compile(
    r"```\{exercise\} (?P<title>.*?) \((?P<level>\w+), (?P<minutes>\d+) minutes\)\n"
    r":label: \S+\n(?P<text>.*?)```", re.S,
)  # fmt: skip
RULES = (PARTS / "rules.md").read_text("utf-8").strip()
TEST = (PARTS / "otter_test.txt").read_text("utf-8")
LEAVE = "# Here your answer is graded; leave this cell as it is."
VERDICT = (PARTS / "nbgrader_test.txt").read_text("utf-8").strip()


def exercises(chapter: str) -> dict[str, dict]:
    """checker -> chapter, title, level, minutes, text, stub, names of answers, and whether
    the book's own solution calls mlcore, of the exercises of a chapter."""
    cells, found, now = read(ROOT / "chapters" / f"{chapter}.ipynb")["cells"], {}, {}
    code = tuple("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    imports = [line for line in statements(code) if MLCORE.match(line)]
    title = "".join(cells[0]["source"]).splitlines()[0][2:]
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
            lines = {line for line in imports if defined_names(line) & used_names(text)}
            now |= {"library": bool(lines), "imports": "\n".join(sorted(lines))}
    return found


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
        value = getattr(import_module(f"halfspaces.exercises.{chapter}"), exercise).build()
        question = {"name": f"q{number}", "exercise": name, "seed": seed, "asked": asked}
        question |= {"points": POINTS[asked["level"]], "answers": asked["answers"]}
        question["parts"] = value.points
        question["library"] = asked["library"] or not asked["stub"].startswith("def ")
        questions.append(question)
    return questions


def plain(text: str) -> str:
    """MyST as JupyterLab shows it, which knows no page of the book."""

    def shown(role: re.Match) -> str:
        words, _, target = role[1].removesuffix(">").partition("<")
        place = labels().get((target or words).strip().lower())
        return f"*{words.strip() if target or not place else place['text']}*"

    text = re.sub(r"\{[\w:]+\}`([^`]+)`", shown, text)
    return text.replace(r"\R", r"\mathbb{R}").strip()


def question_text(question: dict, student: str) -> str:
    """The question, with the numbers of the class or of a student."""
    asked = with_seed(question, student)
    if isinstance(asked, Variant):
        return f"{asked.text.partition('. ')[2]}\n\n{asked.reason}".strip()
    return plain(question["asked"]["text"])


def notebook(cells: list[dict], **about) -> dict:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.new_notebook(cells=cells, metadata={"kernelspec": kernel} | about)


def asked(questions: list[dict], wheel: str, student: str = "", nbgrader: str = "") -> dict:
    """The notebook of a student, or of the class; for nbgrader its "source", from which it
    makes the one of the class, or the same "release" of a student's."""
    cells, markdown, code = [], nbformat.new_markdown_cell, nbformat.new_code_cell

    def add(new, text: str, name: str, **of) -> None:
        about = {"schema_version": 3, "grade_id": name, "locked": True, "solution": False}
        about |= {"grade": False, "task": False} | of
        cells.append(new(text, metadata={"nbgrader": about} if nbgrader else {}))

    needed = {line for q in questions for line in q["asked"]["imports"].splitlines()}
    rules, _, install = RULES.format(wheel=wheel).rpartition("\n\n")
    add(markdown, f"{rules}\n\n{install}" if needed else rules, "rules")
    add(code, "\n".join(["import numpy as np", *sorted(needed)]), "imports")
    for number, question in enumerate(questions, start=1):
        printed, points, name = question["asked"], question["points"], question["name"]
        head = f"## {number}. {printed['title']} ({points} point{'s' * (points > 1)})"
        head += f"\n\n*Chapter: {printed['chapter']}*"
        add(markdown, f"{head}\n\n{question_text(question, student)}", f"{name}-text")
        source = nbgrader == "source"
        stub = printed["stub"] + "\n### BEGIN SOLUTION\n### END SOLUTION" * source
        add(code, stub, name, locked=False, solution=True)
        if nbgrader:
            test = VERDICT.format(**question) if source else LEAVE
            add(code, test, f"{name}-test", grade=True, points=points)
    return notebook(cells, **({"halfspaces": {"student": student}} if student else {}))


def write(folder: Path, questions: list[dict], students: list[str]) -> None:
    """All files of a homework."""
    key = [{k: v for k, v in q.items() if k != "asked"} for q in questions]
    wheel = pack.wheel(folder).name
    own = ", or of `students` each one's own" if students else ""
    plugin = {"halfspaces.homework.otter.Grader": {"key": key}}
    files = {
        "README.md": (PARTS / "README.md").read_text("utf-8").format(wheel=wheel, own=own),
        "key.json": key,
        "homework.ipynb": asked(questions, wheel),
        "otter/otter_config.json": {"plugins": [plugin]},
        "nbgrader/key.json": key,
        "nbgrader/nbgrader_config.py": (PARTS / "nbgrader_config.py").read_text("utf-8"),
        "nbgrader/source/homework/homework.ipynb": asked(questions, wheel, "", "source"),
    }
    for s in students:
        files[f"students/{s}.ipynb"] = asked(questions, wheel, s, "release")
    files |= {f"otter/tests/{q['name']}.py": TEST.format(**q) for q in questions}
    put(folder, files)


def put(folder: Path, files: dict[str, str | dict | list]) -> None:
    """Write files, by their paths: texts as they are, and what else there is as JSON."""
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
def fresh_folder(what: str) -> Iterator[tuple[Path, str]]:
    """A folder to fill, and the one whose place it takes if all goes well: in _build,
    named for WHAT it has and by the variable NAME, if one is given."""
    name = "-".join(filter(None, [what, os.environ.get("NAME")]))
    if not re.fullmatch(r"[\w-]+", name):
        raise ValueError(f"NAME has letters, digits, - and _ only; not as in {name!r}.")
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as draft:
        folder = Path(draft, name)
        folder.mkdir()
        yield folder, f"_build/{name}"
        shutil.rmtree(BUILD / name, ignore_errors=True)
        folder.rename(BUILD / name)


def attempt(what: str, make: Callable[[], str]) -> int:
    """Print what was made, or in a sentence why it was not; returns 1 then."""
    try:
        print(make())
    except (OSError, ValueError) as error:
        print(f"No {what} was made: {error}", file=sys.stderr)
        return 1
    return 0


def main() -> str:
    names = os.environ.get("EXERCISES", "").split()
    if not names:
        raise ValueError('Say which: make homework EXERCISES="perceptron.by_hand".')
    listed = os.environ.get("STUDENTS")
    lines = Path(listed).read_text("utf-8").splitlines() if listed else []
    students = [*filter(None, map(str.strip, lines))]
    if wrong := [s for s in students if not re.fullmatch(r"\w[\w.,'’@ -]*", s)]:
        few = "begins with a letter or digit and has these, blanks and . , ' - @ _ only"
        raise ValueError(f"STUDENTS: a name {few}; not as in {wrong[0]!r}.")
    questions = chosen(names, whole_number("SEED", 0))
    with fresh_folder("homework") as (folder, place):
        write(folder, questions, students)
    return f"{len(questions)} questions: {place}; its README.md says how to grade."


if __name__ == "__main__":
    sys.exit(attempt("homework", main))
