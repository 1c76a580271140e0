"""Write a homework assignment from exercises of the book, such as perceptron.by_hand.

The folder _build/homework contains the notebook for students, the key for
halfspaces.homework, and files for otter-grader and nbgrader.  With a list of students,
each student gets a notebook with different numbers.  `halfspaces/homework` grades the
submissions, since it must run where only the wheel is installed.
"""

import json
import re
import secrets
import shutil
import sys
import tempfile
import unicodedata
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path

import nbformat.v4 as nbformat

from halfspaces.exercises.define import Variant
from halfspaces.exercises.texts import load_texts
from halfspaces.homework import checker_of
from halfspaces.page.dependencies import defined_names, statements, used_names
from halfspaces.review import CHAPTERS
from sitebuild import chapters
from sitebuild.chapters import BUILD, CHECK, ROOT, check_names, read_notebook
from sitebuild.lab import references
from sitebuild.wheel import build_wheel

labels = cache(references.labels)
PARTS = Path(__file__).with_name("homework_parts")  # common to all homework
POINTS = {"easy": 1, "medium": 2, "hard": 3}
FILE_NAME = re.compile(  # without control characters, such as those for text direction
    r'(?![.=+@-])[^\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|]+'
)
PAGES = *CHAPTERS, "mixed_cases"  # with exercises
MLCORE = re.compile(r"from mlcore\.")
CODE_NAME = re.compile(r"\w+(?=\()|(?<=`)\w+(?=`)")  # in code or before "("
SAMPLE = re.compile(r".*\.sample\(\).*\n+")  # draws the data of a case
EXERCISE = re.compile(
    r"```\{exercise\} (?P<title>.*?) \((?P<level>\w+), (?P<minutes>\d+) minutes\)\n"
    r":label: \S+\n(?P<text>.*?)```", re.S,
)  # fmt: skip
RULES = (PARTS / "rules.md").read_text("utf-8").strip()
TEST = (PARTS / "otter_test.txt").read_text("utf-8")
NO_NBGRADER = "There are no files for nbgrader, since it would replace the question of "
NO_NBGRADER += "each student by the same one: leave `STUDENTS` out to use it."
HIDDEN_TEST = (PARTS / "nbgrader_test.txt").read_text("utf-8").strip()


def chapter_title(chapter: str) -> str:
    """Return the title of a chapter, such as "The perceptron"."""
    cells = read_notebook(ROOT / "chapters" / f"{chapter}.ipynb")["cells"]
    return re.search("(?m)^# (.*)", "".join(cells[0]["source"]))[1]


def exercises(chapter: str) -> dict[str, dict]:
    """Map the exercises of a chapter to dictionaries.

    The keys are chapter, title, level, minutes, text, stub, answers (their names), imports,
    is_case, and library: whether the book's solution calls mlcore.
    """
    cells = read_notebook(ROOT / "chapters" / f"{chapter}.ipynb")["cells"]
    found, current = {}, {}
    code = tuple("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    imports = [line for line in statements(code) if MLCORE.match(line)]
    title = chapter_title(chapter)
    for cell in cells:
        text, tags = "".join(cell["source"]), cell["metadata"].get("tags", [])
        if exercise := EXERCISE.search(text):
            current = exercise.groupdict() | {"chapter": title}
        if "stub" in tags:
            call = CHECK.search(text)
            stub = SAMPLE.sub("", text[: call.start()]).strip()
            current |= {"stub": stub, "imports": "", "is_case": bool(SAMPLE.search(text))}
            current["answers"] = re.findall(r"\w+", call[2])
            found[call[1]] = current
        if "solution" in tags and "library" not in current:
            current["library"] = any(defined_names(i) & used_names(text) for i in imports)
            asked = current["text"] + load_texts(chapter).get(call[1], {}).get("ask", "")
            names = used_names(text) | {*CODE_NAME.findall(asked)}
            lines = {line for line in imports if defined_names(line) & names}
            current["imports"] = "\n".join(sorted(lines))
    return found


def select_questions(names: list[str], seed: int) -> list[dict]:
    """Return the questions of an assignment.

    Raises ValueError for an unknown exercise, and for two with the same answer variable.
    """
    questions = []
    for number, name in enumerate(names, start=1):
        chapter, _, exercise = name.partition(".")
        check_names("chapter", [chapter], PAGES)
        check_names(f"exercise of {chapter}", [exercise], exercises(chapter))
        entry = exercises(chapter)[exercise]
        for other in questions:
            if shared := [a for a in entry["answers"] if a in other["answers"]]:
                both = f"{other['exercise']} and {name}"
                raise ValueError(f"{both} both ask for {shared[0]}; leave one of them out")
        check = getattr(import_module(f"halfspaces.exercises.{chapter}"), exercise)
        parts = check.build(1 if check.has_variants else 0).points
        question = {"name": f"q{number}", "exercise": name, "seed": seed}
        question |= {"entry": entry, "parts": parts}
        question |= {"points": POINTS[entry["level"]], "answers": entry["answers"]}
        is_function = entry["stub"].startswith("def ") and not entry["is_case"]
        question["library"] = not is_function or "mlcore" in entry["text"]
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
    exercise = checker_of(question, student)
    if isinstance(exercise, Variant):
        return f"{exercise.text.partition('. ')[2]}\n\n{exercise.reason}".strip()
    return plain(question["entry"]["text"])


def sample_code(exercise: str, text: str) -> str:
    """Return the code that draws data of a case, from the source that its text names."""
    chapter, _, name = exercise.partition(".")
    (source,) = re.findall(r"source (\d+)", text)
    imported = f"from halfspaces.exercises.{chapter} import {name}"
    return f"{imported}\n\nX, y, names = {name}.sample({source})  # to look at"


def notebook(cells: list[dict], **metadata) -> dict:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.new_notebook(cells=cells, metadata={"kernelspec": kernel} | metadata)


def homework_notebook(questions: list[dict], wheel: str, student="", nbgrader=False):
    """Return a notebook for a student or the class (or the source for nbgrader)."""
    cells, markdown, code = [], nbformat.new_markdown_cell, nbformat.new_code_cell

    def add(new, text: str, name: str, **options) -> None:
        metadata = {"schema_version": 3, "grade_id": name, "locked": True}
        metadata |= {"solution": False, "grade": False, "task": False} | options
        cells.append(new(text, metadata={"nbgrader": metadata} if nbgrader else {}))

    import_blocks = [q["entry"]["imports"] for q in questions if q["library"]]
    imports = {line for text in import_blocks for line in text.splitlines()}
    rules, _, install = RULES.format(wheel=wheel).rpartition("\n\n")
    add(markdown, f"{rules}\n\n{install}" if imports else rules, "rules")
    first = "\n".join(["import numpy as np", *sorted(imports)])
    add(code, first, "imports", locked=False)  # unlocked: students may add imports
    for number, question in enumerate(questions, start=1):
        entry, points, name = question["entry"], question["points"], question["name"]
        head = f"## {number}. {entry['title']} ({points} point{'s' * (points > 1)})"
        head += f"\n\n*Chapter: {entry['chapter']}*"
        text = question_text(question, student)
        add(markdown, f"{head}\n\n{text}", f"{name}-text")
        if entry["is_case"]:
            add(code, sample_code(question["exercise"], text), f"{name}-data")
        stub = entry["stub"] + "\n### BEGIN SOLUTION\n### END SOLUTION" * nbgrader
        add(code, stub, name, locked=False, solution=True)
        if nbgrader:
            test = HIDDEN_TEST.format(**question)
            add(code, test, f"{name}-test", grade=True, points=points)
    return notebook(cells, **({"halfspaces": {"student": student}} if student else {}))


def write(folder: Path, questions: list[dict], students: list[str]) -> None:
    """Write an assignment, with files for nbgrader only if all get one notebook."""
    key = [{k: v for k, v in q.items() if k != "entry"} for q in questions]
    wheel = build_wheel(folder).name
    own = ", or for each student the one in `students`" if students else ""
    plugin = {"halfspaces.homework.otter.Grader": {"key": key}}
    parts = (PARTS / name for name in ("README.md", "nbgrader.md"))
    readme, nbgrader = (part.read_text("utf-8") for part in parts)
    nbgrader = NO_NBGRADER if students else nbgrader.strip()
    files = {
        "README.md": readme.format(wheel=wheel, own=own, nbgrader=nbgrader),
        "key.json": key,
        "homework.ipynb": homework_notebook(questions, wheel),
        "otter/otter_config.json": {"plugins": [plugin]},
    }
    for name in students:
        files[f"students/{name}.ipynb"] = homework_notebook(questions, wheel, name)
    if not students:
        config, source = "nbgrader_config.py", "source/homework/homework.ipynb"
        files |= {
            "nbgrader/key.json": key,
            f"nbgrader/{config}": (PARTS / config).read_text("utf-8"),
            f"nbgrader/{source}": homework_notebook(questions, wheel, nbgrader=True),
        }
    files |= {f"otter/tests/{q['name']}.py": TEST.format(**q) for q in questions}
    write_files(folder, files)


def write_files(folder: Path, files: dict[str, str | dict | list]) -> None:
    """Write {path: content}; content that is not text is written as JSON."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content, indent=1)
        (folder / name).write_text(text, "utf-8")


def natural_number(text: str) -> int:
    """Parse digits as an integer; raise ValueError for any other text."""
    if not text.isdecimal():
        raise ValueError
    return int(text)


def add_seed_and_name(parser: ArgumentParser) -> None:
    """Add the options --seed and --name; a seed that can be guessed gives the key away."""
    seed, text = secrets.randbits(64), "seed of the numbers; random by default"
    parser.add_argument("--seed", type=natural_number, default=seed, help=text)
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
    """Read names or ids, one per line.

    Raises ValueError for a name that no file can have, and for two names that Windows and
    macOS consider equal.
    """
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path} must be saved as UTF-8") from None
    students = [unicodedata.normalize("NFC", line.strip()) for line in lines]
    students = [*filter(None, students)]
    for name in students:
        if not FILE_NAME.fullmatch(name) or len(name.encode()) > 200:
            rule = 'have at most 200 bytes, no / \\ : * ? " < > | and no leading . = + @ -'
            raise ValueError(f"{path}: names must {rule}; got {name!r}")
    if not students:
        raise ValueError(f"{path} must contain at least one name")
    counts = Counter(map(str.casefold, students))
    if same := [name for name in students if counts[name.casefold()] > 1]:
        rule = "names must differ, for example by an id"
        raise ValueError(f"{path}: {rule}; got {' and '.join(same)}")
    return students


def main(arguments: list[str] | None = None) -> str | None:
    parser = chapters.command_parser("teaching.homework", __doc__)
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
    checks = {q["exercise"]: checker_of(q) for q in questions}
    if same := [name for name, check in checks.items() if not isinstance(check, Variant)]:
        print(f"Give no points for what the book solves: {', '.join(same)}.")
    print(f"SEED={given.seed} writes the same numbers again; keep it to yourself.")
    return None


if __name__ == "__main__":
    sys.exit(main())  # a message is printed, and the exit status is 1
