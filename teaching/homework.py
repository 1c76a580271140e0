"""Write a homework from exercises of the book, such as perceptron.by_hand.

The folder _build/homework contains the notebook for students, the key for
halfspaces.homework, and files for otter-grader and nbgrader.  With a list of students,
each student gets a notebook with different numbers.  `halfspaces/homework` grades the
submissions, since it must run where only the wheel is installed.
"""

import json
import re
import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path

import nbformat.v4 as nbformat

from halfspaces.exercises.define import Variant
from halfspaces.homework import with_seed
from halfspaces.page.dependencies import defined_names, statements, used_names
from halfspaces.review import CHAPTERS
from sitebuild.chapters import (
    BUILD,
    CHECK,
    ROOT,
    check_names,
    command_parser,
    read_notebook,
)
from sitebuild.lab import references
from sitebuild.wheel import build_wheel

labels = cache(references.labels)
PARTS = Path(__file__).with_name("homework_parts")  # common to all homework
POINTS = {"easy": 1, "medium": 2, "hard": 3}
MLCORE = re.compile(r"from mlcore\.")
EXERCISE = re.compile(
    r"```\{exercise\} (?P<title>.*?) \((?P<level>\w+), (?P<minutes>\d+) minutes\)\n"
    r":label: \S+\n(?P<text>.*?)```", re.S,
)  # fmt: skip
RULES = (PARTS / "rules.md").read_text("utf-8").strip()
TEST = (PARTS / "otter_test.txt").read_text("utf-8")
GRADING_CELL = "# Your answer is graded here; do not change this cell."
HIDDEN_TEST = (PARTS / "nbgrader_test.txt").read_text("utf-8").strip()


def exercises(chapter: str) -> dict[str, dict]:
    """Map the exercises of a chapter to dictionaries.

    The keys are chapter, title, level, minutes, text, stub, answers (their names), imports,
    and library: does the book's solution call mlcore?
    """
    cells = read_notebook(ROOT / "chapters" / f"{chapter}.ipynb")["cells"]
    found, now = {}, {}
    code = tuple("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    imports = [line for line in statements(code) if MLCORE.match(line)]
    title = "".join(cells[0]["source"]).splitlines()[0][2:]
    for cell in cells:
        text, tags = "".join(cell["source"]), cell["metadata"].get("tags", [])
        if exercise := EXERCISE.search(text):
            now = exercise.groupdict() | {"chapter": title}
        if "stub" in tags:
            call = CHECK.search(text)
            now |= {"stub": text[: call.start()].strip(), "imports": ""}
            now["answers"] = re.findall(r"\w+", call[2])
            found[call[1]] = now
        if "solution" in tags and "library" not in now:
            lines = {line for line in imports if defined_names(line) & used_names(text)}
            now |= {"library": bool(lines), "imports": "\n".join(sorted(lines))}
    return found


def select_questions(names: list[str], seed: int) -> list[dict]:
    """Return the questions of a homework.

    Raises ValueError for an unknown exercise, and for two with the same answer variable.
    """
    questions = []
    for number, name in enumerate(names, start=1):
        chapter, _, exercise = name.partition(".")
        check_names("chapter", [chapter], CHAPTERS)
        check_names(f"exercise of {chapter}", [exercise], exercises(chapter))
        printed = exercises(chapter)[exercise]
        for other in questions:
            if shared := [a for a in printed["answers"] if a in other["answers"]]:
                both = f"{other['exercise']} and {name}"
                raise ValueError(f"{both} both ask for {shared[0]}; leave one of them out")
        value = getattr(import_module(f"halfspaces.exercises.{chapter}"), exercise).build()
        question = {"name": f"q{number}", "exercise": name, "seed": seed}
        question |= {"printed": printed, "parts": value.points}
        question |= {"points": POINTS[printed["level"]], "answers": printed["answers"]}
        question["library"] = printed["library"] or not printed["stub"].startswith("def ")
        questions.append(question)
    return questions


def plain(text: str) -> str:
    """Replace MyST roles, which need the other pages, by plain text."""

    def replace_role(role: re.Match) -> str:
        words, _, target = role[1].removesuffix(">").partition("<")
        place = labels().get((target or words).strip().lower())
        return f"*{words.strip() if target or not place else place['text']}*"

    text = re.sub(r"\{[\w:]+\}`([^`]+)`", replace_role, text)
    return text.replace(r"\R", r"\mathbb{R}").strip()


def question_text(question: dict, student: str) -> str:
    """Return the question with the numbers of a student or the class."""
    exercise = with_seed(question, student)
    if isinstance(exercise, Variant):
        return f"{exercise.text.partition('. ')[2]}\n\n{exercise.reason}".strip()
    return plain(question["printed"]["text"])


def notebook(cells: list[dict], **metadata) -> dict:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.new_notebook(cells=cells, metadata={"kernelspec": kernel} | metadata)


def homework_notebook(questions: list[dict], wheel: str, student="", nbgrader="") -> dict:
    """Return the notebook for a student or the class.

    nbgrader  "source" for the version with hidden tests, "release" for the one without
    """
    cells, markdown, code = [], nbformat.new_markdown_cell, nbformat.new_code_cell

    def add(new, text: str, name: str, **options) -> None:
        metadata = {"schema_version": 3, "grade_id": name, "locked": True}
        metadata |= {"solution": False, "grade": False, "task": False} | options
        cells.append(new(text, metadata={"nbgrader": metadata} if nbgrader else {}))

    imports = {line for q in questions for line in q["printed"]["imports"].splitlines()}
    rules, _, install = RULES.format(wheel=wheel).rpartition("\n\n")
    add(markdown, f"{rules}\n\n{install}" if imports else rules, "rules")
    add(code, "\n".join(["import numpy as np", *sorted(imports)]), "imports")
    for number, question in enumerate(questions, start=1):
        printed, points, name = question["printed"], question["points"], question["name"]
        head = f"## {number}. {printed['title']} ({points} point{'s' * (points > 1)})"
        head += f"\n\n*Chapter: {printed['chapter']}*"
        add(markdown, f"{head}\n\n{question_text(question, student)}", f"{name}-text")
        source = nbgrader == "source"
        stub = printed["stub"] + "\n### BEGIN SOLUTION\n### END SOLUTION" * source
        add(code, stub, name, locked=False, solution=True)
        if nbgrader:
            test = HIDDEN_TEST.format(**question) if source else GRADING_CELL
            add(code, test, f"{name}-test", grade=True, points=points)
    return notebook(cells, **({"halfspaces": {"student": student}} if student else {}))


def write(folder: Path, questions: list[dict], students: list[str]) -> None:
    """Write all files of a homework."""
    key = [{k: v for k, v in q.items() if k != "printed"} for q in questions]
    wheel = build_wheel(folder).name
    own = ", or for each student the one in `students`" if students else ""
    plugin = {"halfspaces.homework.otter.Grader": {"key": key}}
    files = {
        "README.md": (PARTS / "README.md").read_text("utf-8").format(wheel=wheel, own=own),
        "key.json": key,
        "homework.ipynb": homework_notebook(questions, wheel),
        "otter/otter_config.json": {"plugins": [plugin]},
        "nbgrader/key.json": key,
        "nbgrader/nbgrader_config.py": (PARTS / "nbgrader_config.py").read_text("utf-8"),
    }
    source = "nbgrader/source/homework/homework.ipynb"
    files[source] = homework_notebook(questions, wheel, nbgrader="source")
    for s in students:
        release = homework_notebook(questions, wheel, s, "release")
        files[f"students/{s}.ipynb"] = release
    files |= {f"otter/tests/{q['name']}.py": TEST.format(**q) for q in questions}
    write_files(folder, files)


def write_files(folder: Path, files: dict[str, str | dict | list]) -> None:
    """Write {path: content}; content that is not text is written as JSON."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content, indent=1)
        (folder / name).write_text(text, "utf-8")


def natural_number(text: str) -> int:
    """Return the number in a text.  Raises ValueError for a negative one."""
    if not text.isdecimal():
        raise ValueError
    return int(text)


def add_seed_and_name(parser: ArgumentParser) -> None:
    """Add the options --seed and --name."""
    parser.add_argument("--seed", type=natural_number, default=0, help="of the numbers")
    parser.add_argument("--name", default="", help="suffix of the folder in _build")


@contextmanager
def output_folder(kind: str, suffix: str) -> Iterator[tuple[Path, str]]:
    """Yield a temporary folder and its final path in _build."""
    name = "-".join(filter(None, [kind, suffix]))
    if not re.fullmatch(r"[\w-]+", name):
        raise ValueError(f"name must have letters, digits, - and _ only; got {suffix!r}")
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as draft:
        folder = Path(draft, name)
        folder.mkdir()
        yield folder, f"_build/{name}"
        shutil.rmtree(BUILD / name, ignore_errors=True)
        folder.rename(BUILD / name)


def read_students(path: str) -> list[str]:
    """Read names, one a line.  Raises ValueError if one cannot be the name of a file."""
    lines = Path(path).read_text("utf-8").splitlines()
    students = [*filter(None, map(str.strip, lines))]
    for name in students:
        if not re.fullmatch(r"\w[\w.,'’@ -]*", name):
            rule = "start with a letter or digit, then also blanks and . , ' - @ _"
            raise ValueError(f"{path}: names must {rule}; got {name!r}")
    return students


def main(arguments: list[str] | None = None) -> str | None:
    parser = command_parser("teaching.homework", __doc__)
    parser.add_argument("exercises", nargs="+", metavar="CHAPTER.EXERCISE")
    parser.add_argument("--students", metavar="FILE", help="a name on each line")
    add_seed_and_name(parser)
    given = parser.parse_args(arguments)
    try:
        students = read_students(given.students) if given.students else []
        questions = select_questions(given.exercises, given.seed)
        with output_folder("homework", given.name) as (folder, place):
            write(folder, questions, students)
    except (OSError, ValueError) as error:
        return f"No homework was written: {error}"
    print(f"{len(questions)} questions: {place}; its README.md says how to grade.")
    return None


if __name__ == "__main__":
    sys.exit(main())  # a message is printed, and the exit status is 1
