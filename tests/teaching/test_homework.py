"""Homework and exams as a teacher makes and grades them, and as a student answers and
cheats."""

import csv
import json
import re
from shutil import copyfile
from time import monotonic
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from halfspaces.exercises.logistic import odds
from halfspaces.exercises.perceptron import same_count
from halfspaces.homework import grade, replace_code_by_verdicts, seed_of
from halfspaces.homework.__main__ import main as table
from halfspaces.review import CHAPTERS
from teaching import collect, exam, homework

NAMES = ["geometry.signed_distance", "perceptron.my_perceptron", "perceptron.with_constant"]
RIGHT = {
    "q1": "def my_distances(X, w, b):\n    return (X @ w + b) / np.linalg.norm(w)",
    "q2": """def my_perceptron(X, y):
    w, clean = np.zeros(X.shape[1]), False
    while not clean:
        clean = True
        for x, label in zip(X, y):
            if label * (w @ x) <= 0:
                w, clean = w + label * x, False
    return w""",
    "q3": """def with_constant(X, y, c):
    Z = np.column_stack([X, np.full(len(X), c)])
    w = perceptron(Z, y, bias=False, max_epochs=10**5).w
    return w[:-1], c * w[-1]""",
}


def answered(folder, **answers: str) -> dict:
    """The notebook of the homework with these answers, and `imports` if it is given."""
    notebook = json.loads((folder / "homework.ipynb").read_text())
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for name, cell in zip(["imports", "q1", "q2", "q3"], code, strict=True):
        cell["source"] = answers.get(name, cell["source"])
    return notebook


def run(tool, monkeypatch, folder, **said: str) -> int:
    monkeypatch.setattr(homework, "BUILD", folder)
    for name in ("EXERCISES", "CHAPTERS", "SEED", "MINUTES", "STUDENTS", "NAME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    return homework.attempt(tool.__name__, tool.main)


@pytest.fixture
def make(tmp_path, monkeypatch):
    """Makes a homework of some exercises; gives its folder, notebook and key."""

    def make(names, **said):
        assert run(homework, monkeypatch, tmp_path, EXERCISES=names, SEED="7", **said) == 0
        folder = tmp_path / "homework"
        files = (folder / name for name in ("homework.ipynb", "key.json"))
        return folder, *(json.loads(file.read_text()) for file in files)

    return make


@pytest.fixture
def made(tmp_path, make):
    """A homework for three students, and its key."""
    (tmp_path / "names.txt").write_text("ann\nben\nO'Neil, Zoë\n")
    folder, _, key = make(" ".join(NAMES), STUDENTS=str(tmp_path / "names.txt"))
    return folder, key


def test_right_answers_earn_their_points_and_the_stubs_none(made):
    folder, key = made
    shows = "get_ipython().run_line_magic('matplotlib', 'inline')\ndisplay(3, clear=True)\n"
    verdicts = grade(answered(folder, **RIGHT | {"q1": shows + RIGHT["q1"]}), key)
    assert all(verdict.right for verdict in verdicts.values()), verdicts
    assert [question["points"] for question in key] == [1, 2, 2]
    assert not any(verdict.right for verdict in grade(answered(folder), key).values())


def test_whoever_cheats_earns_nothing(made):
    folder, key = made
    notebook = answered(
        folder,
        imports="""import numpy as np
import halfspaces.exercises, halfspaces.homework
halfspaces.exercises.Verdict.__init__ = lambda self, *a: setattr(self, "right", True)
verdicts = dict.fromkeys(["q1", "q2", "q3"], (True, "Right."))""",
        q1="""def my_distances(X, w, b):
    from mlcore.geometry import signed_distance
    return signed_distance(X, w, b)""",
        q2="""import subprocess
def my_perceptron(X, y):
    code = "from mlcore.perceptron import perceptron; print(perceptron(...).w)"
    return subprocess.check_output(["python", "-c", code])""",
        q3="""import sys
def with_constant(X, y, c):
    frame = sys._getframe()
    while frame.f_back:
        frame = frame.f_back
    return frame.f_locals["want"]""",
    )
    verdicts = grade(notebook, key)
    assert not any(verdict.right for verdict in verdicts.values()), verdicts
    assert "mlcore is not there while this answer is graded" in verdicts["q1"].sentence
    assert "subprocess.Popen is not allowed" in verdicts["q2"].sentence
    # what otter-grader and nbgrader execute has the verdicts, and nothing of the student's
    for cell in replace_code_by_verdicts(notebook, key)["cells"]:
        if cell["cell_type"] == "code":
            lines = cell["source"].splitlines()
            assert all(line.startswith(("#", "verdicts = {'q1': (0.0")) for line in lines)


def test_a_loop_an_exit_and_a_change_get_a_sentence_and_others_their_points(made):
    folder, key = made
    loop = {"q2": "def my_perceptron(X, y):\n    while True:\n        pass"}
    verdicts = grade(answered(folder, **RIGHT | loop), key)
    assert "was stopped after" in verdicts["q2"].sentence
    assert verdicts["q1"].right and verdicts["q3"].right
    changing = RIGHT["q1"].replace("return", "X += 1\n    return")
    for code, said in (
        ("import os\nos._exit(0)", "ended the process"),
        (changing, "changed its argument number 1"),
        ("x = input()", "EOFError"),
    ):
        assert said in grade(answered(folder, q1=code), key[:1])["q1"].sentence


def test_a_cell_that_does_not_end_costs_its_question_and_its_time_once(made, monkeypatch):
    folder, key = made
    monkeypatch.setattr("halfspaces.homework.CELL_SECONDS", 5)
    begun = monotonic()
    verdicts = grade(answered(folder, **RIGHT | {"q2": "while True:\n    pass"}), key)
    assert monotonic() - begun < 14
    assert "was stopped after 5 seconds" in verdicts["q2"].sentence
    assert verdicts["q1"].right and verdicts["q3"].right


def test_students_are_told_what_to_install_and_which_chapter_to_read(made):
    folder, _ = made
    notebook = json.loads((folder / "homework.ipynb").read_text())
    rules, _, first, *_ = ["".join(cell["source"]) for cell in notebook["cells"]]
    wheel = re.search(r'pip install "(.*)\[notebooks\]"', rules)[1]
    assert (folder / wheel).exists() and "Chapter: Geometry" in first


def test_two_students_have_other_numbers(tmp_path, made, make):
    folder, _ = made
    names = {"ann", "ben", "O'Neil, Zoë"}
    assert {path.stem for path in (folder / "students").iterdir()} == names
    make("perceptron.by_hand", STUDENTS=str(tmp_path / "names.txt"))
    texts = {path.read_text() for path in (folder / "students").iterdir()}
    assert len({text.split("four examples")[1][:60] for text in texts}) == 3
    # nbgrader finds its cells in them by these names, and what they hide is not there
    source = folder / "nbgrader/source/homework/homework.ipynb"
    for text in texts:
        assert ids(text) == ids(source.read_text())
        assert "HIDDEN" not in text and "SOLUTION" not in text


def ids(notebook: str) -> list[str]:
    cells = json.loads(notebook)["cells"]
    return [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in cells]


def test_each_part_that_is_right_earns_its_share_and_a_cell_that_fails_nothing(
    make, capsys
):
    folder, notebook, key = make("logistic.odds perceptron.by_hand perceptron.certificate")
    center, factor, _ = odds.build(seed_of(7, "q1", "")).solution
    odd, stub, fails = [c for c in notebook["cells"] if "..." in "".join(c["source"])]
    odd["source"] = (
        f"center_at, odds_factor, chance_there = {center!r}, {float(factor)!r}, 9"
    )
    stub["source"] = "import numpy as np\nmy_w, my_updates = np.array([91.0, -2.0]), 4"
    fails["source"] = "1 / 0"
    (folder / "one.ipynb").write_text(json.dumps(notebook))
    capsys.readouterr()
    assert table(str(folder / "key.json"), str(folder / "one.ipynb")) == 0
    _, first, second, third = csv.reader(capsys.readouterr().out.splitlines())
    assert first[:5] == ["one.ipynb", "", "q1", "0.67", "1"]
    assert "is 9. The score there" in first[5] and "is {}. The score there" in first[6]
    assert "91" in second[5] and "ZeroDivisionError" in third[5]
    assert key[2]["parts"] == 1, "which has many right answers"


def test_a_class_is_graded_past_a_bad_file_and_copies_are_noted(tmp_path, made, capsys):
    folder, key = made
    for path in (folder / "students").glob("???.ipynb"):
        (tmp_path / f"Mx {path.stem}_12_{path.name}").write_text(path.read_text())
    copyfile(folder / "students/ben.ipynb", tmp_path / "Mx cem_13_ben.ipynb")
    notebook = json.loads((folder / "students/ann.ipynb").read_text())
    bad = {"cut.ipynb": json.dumps(notebook)[:99], "empty.ipynb": "[]"}
    notebook["metadata"]["halfspaces"]["student"] = "dora"
    bad |= {"text.ipynb": json.dumps(notebook | {"cells": notebook["cells"][:1]})}
    for name, text in (bad | {"eve.ipynb": json.dumps(notebook)}).items():
        (tmp_path / name).write_text(text)
    (tmp_path / "key.json").write_text(json.dumps(key[:1]))
    capsys.readouterr()
    assert table(str(tmp_path / "key.json"), *map(str, tmp_path.glob("*.ipynb"))) == 1
    _, *rows = csv.reader(capsys.readouterr().out.splitlines())
    assert {row[0]: (row[1], row[-1]) for row in rows if row[1]} == {
        "Mx ann_12_ann.ipynb": ("ann", ""),
        "Mx ben_12_ben.ipynb": ("ben", "2 notebooks of ben"),
        "Mx cem_13_ben.ipynb": ("ben", "2 notebooks of ben"),
        "eve.ipynb": ("dora", "the file is called otherwise"),
    }
    assert {row[0] for row in rows if row[5].startswith("cannot be read: ")} == {*bad}


def test_a_notebook_without_code_is_graded(made):
    folder, key = made
    empty = answered(folder)
    empty["cells"] = [cell for cell in empty["cells"] if cell["cell_type"] != "code"]
    assert replace_code_by_verdicts(empty, key) == empty


def test_homework_asks_for_the_reason_with_the_statements(make):
    _, notebook, key = make("perceptron.same_count")
    assert "Which reason decides number" in "".join(notebook["cells"][2]["source"])
    *values, letter = same_count.build(seed_of(7, "q1", "")).solution[0]
    flipped, other = [not values[0], *values[1:]], "abc".replace(letter, "")[0]
    for answer, places in (
        ((*values, letter), 7),
        ((*values, other), 6),
        (values, 6),
        ((*flipped, letter), 6),
        (flipped, 5),
    ):
        notebook["cells"][3]["source"] = f"stays = {answer}"
        verdict = grade(notebook, key)["q1"]
        assert verdict.right is (places == 7) and verdict.score == pytest.approx(places / 7)
    assert key[0]["parts"] == 7, "otter-grader has a test for each"


@pytest.mark.parametrize(
    ("tool", "said", "why"),
    [
        (homework, {}, 'Say which: make homework EXERCISES="perceptron.by_hand".'),
        (homework, {"EXERCISES": "sv.slopes"}, "sv.slopes: no such chapter; there are"),
        (homework, {"EXERCISES": "svm.slope"}, "svm.slope: svm has the exercises slopes,"),
        (
            homework,
            {"EXERCISES": "perceptron.by_hand svm.four_points"},
            "perceptron.by_hand and svm.four_points both ask for my_w",
        ),
        (homework, {"EXERCISES": "svm.slopes svm.slopes"}, "svm.slopes both ask for"),
        (homework, {"EXERCISES": "svm.slopes", "SEED": "-1"}, "SEED must be a whole"),
        (homework, {"EXERCISES": "svm.slopes", "STUDENTS": "/no/list"}, "No such file"),
        (homework, {"EXERCISES": "svm.slopes", "NAME": "../a"}, "NAME has letters"),
        (homework, {"EXERCISES": "svm.slopes", "STUDENTS": "Makefile"}, "a name begins"),
        (exam, {}, "CHAPTERS takes names of geometry, features"),
        (exam, {"CHAPTERS": "svm boost"}, "got 'boost'"),
        (exam, {"CHAPTERS": "svm", "MINUTES": "1"}, "MINUTES must be at least 3"),
    ],
)
def test_bad_input_gets_a_sentence_and_what_was_there_stays(
    tmp_path, monkeypatch, capsys, tool, said, why
):
    kept = tmp_path / tool.__name__ / "kept"
    kept.parent.mkdir()
    kept.touch()
    assert run(tool, monkeypatch, tmp_path, **said) == 1
    assert why in capsys.readouterr().err
    assert kept.exists()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_an_exam_has_answers_and_the_same_seed_makes_the_same_one(chapter):
    items = exam.exam([chapter], seed=3, minutes=60)
    assert 30 <= sum(item.minutes for item in items) <= 60
    assert items == exam.exam([chapter], seed=3, minutes=60)
    assert items != exam.exam([chapter], seed=4, minutes=60)
    for number, item in enumerate(items, start=1):
        sheet, key = (exam.in_markdown(number, item, key) for key in (False, True))
        assert item.right and item.right not in sheet and item.right in key
        assert "Is this true" not in item.text or item.choices == ["True", "False"]
        assert not item.choices or sum(c not in item.slips for c in item.choices) == 1


def test_an_exam_asks_whether_claims_are_true_that_sympy_proved_or_refuted():
    asked = {item.text: item.right for k in range(9) for item in exam.claims("svm", k)}
    notebook = json.loads((homework.ROOT / "chapters" / "svm.ipynb").read_text())
    proofs = exam.proofs_of(notebook["cells"])
    for text, right in asked.items():
        claim = text.split("$$")[1].strip()
        proof = next(p for p in proofs if claim[:9] == p["statement"][:9])
        assert (claim == proof["statement"]) == right.startswith("True.")
        ends = [w["statement"] for w in proof["refuted"]]
        assert right.startswith("True.") or claim.endswith(tuple(ends))
    assert len(asked) > len(proofs) and len({right[:4] for right in asked.values()}) == 2
    items = exam.exam(["svm"], seed=3, minutes=60)
    assert "Is this true?" in exam.moodle(items)


def test_the_sheet_has_no_seed_and_a_long_exam_says_that_it_falls_short(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(exam, "BUILD", tmp_path)
    monkeypatch.setattr(exam, "page", lambda *printed: "")
    monkeypatch.setattr(exam.pdf, "browser", lambda: "")
    monkeypatch.setattr(exam.pdf, "print_to_pdf", lambda *printed: None)
    for minutes, short in (("30", False), ("500", True)):
        said = {"CHAPTERS": "svm", "SEED": "31", "MINUTES": minutes}
        assert run(exam, monkeypatch, tmp_path, **said) == 0
        assert ("There is no more" in capsys.readouterr().out) is short
    for name, seed in (("sheet", False), ("key", True)):
        text = (tmp_path / "exam" / f"{name}.ipynb").read_text()
        assert ("seed 31" in text) is seed


@pytest.mark.slow
def test_each_question_stands_on_one_page_of_the_sheet_and_a_name_keeps_the_last(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(exam, "BUILD", tmp_path)
    said = {"CHAPTERS": "perceptron svm sgd", "SEED": "3", "MINUTES": "120"}
    for name in ("", "may"):
        assert run(exam, monkeypatch, tmp_path, NAME=name, **said) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"exam", "exam-may"}
    _, *pages = PdfReader(tmp_path / "exam" / "sheet.pdf").pages
    starts = [page.extract_text().split()[0] for page in pages]
    assert all(re.fullmatch(r"\d+\.", start) for start in starts), starts
    notebook = json.loads((tmp_path / "exam" / "key.ipynb").read_text())
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"


def test_the_key_says_where_its_answer_is_one_of_many():
    asked = {item.title: item.right for item in exam.long_questions("perceptron", 3)}
    assert asked["A certificate"].startswith("For example ")
    assert not asked["By hand"].startswith("For example ")


def test_moodle_gives_a_question_with_gaps_the_points_of_the_sheet():
    blanks = [("w 1", 1 / 3), ("w 2", -2.0), ("it holds", True)]
    item = exam.Item("By hand", 5, "Which $a<b$?", "these", blanks)
    text = ElementTree.fromstring(exam.moodle([item])).findtext(
        "question/questiontext/text"
    )
    assert r"Which \(a<b\)?" in BeautifulSoup(text, "html.parser").text
    gaps = re.findall(r"\{(\d+):([A-Z]+):", exam.moodle([item]))
    assert gaps == [("2", "NUMERICAL"), ("2", "NUMERICAL"), ("1", "MULTICHOICE")]
    assert exam.moodle([item]).count("(to three decimals)") == 2


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_moodle_shows_what_the_sheet_has_and_one_choice_is_right(chapter):
    items = [item for item in exam.exam([chapter], 3, 300) if item.choices or item.blanks]
    questions = ElementTree.fromstring(exam.moodle(items).encode())
    for item, question in zip(items, questions, strict=True):
        shown = BeautifulSoup(question.findtext("questiontext/text"), "html.parser").text
        for tex in re.findall(r"(?<!\$)\$([^$]+)\$(?!\$)", item.text):
            assert rf"\({tex}\)" in shown
        marks = [answer.get("fraction") for answer in question.findall("answer")]
        assert sorted(marks) == ["0"] * (len(marks) - 1) + ["100"] * bool(marks)
        assert len(marks) == len(item.choices)
        mixed = "false" if item.choices == ["True", "False"] else "true"
        assert question.findtext("shuffleanswers", mixed) == mixed


def test_answers_that_the_page_kept_are_judged_anew(tmp_path, monkeypatch, capsys):
    kept = {
        "perceptron:my_perceptron": f"{RIGHT['q2']}\n\ncheck.my_perceptron(my_perceptron)",
        "perceptron:with_constant": f"{RIGHT['q3']}\n\ncheck.with_constant(with_constant)",
        "perceptron:same_count": "stays = True, False, True, False, False, True\n"
        f"check.same_count(stays, {same_count.build().solution[0][-1]!r})",
        "svm:slopes": "x = ((0, 0), (0, 0), (0, 0))\ncheck.slopes(x)",
        "svm:slopes:verdict": '{"right": true, "sentence": "Right."}',
    }
    text = json.dumps({f"halfspaces:{key}": text for key, text in kept.items()})
    for name, what in (
        ("Ann A", "[]"),
        ("Ben B", text),
        ("Cem C", '{"halfspaces:svm:b": 1}'),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "answers.json").write_text(what)
    monkeypatch.setenv("ANSWERS", str(tmp_path))
    assert collect.main() == 1
    printed = capsys.readouterr()
    assert "Ann A/answers.json holds no answers of this book" in printed.err
    rows = [line.split(",")[:3] for line in printed.out.splitlines()]
    solved = ["my_perceptron", "with_constant", "same_count"]
    assert rows[1:] == [
        *(["Ben B/answers.json", f"perceptron.{name}", "True"] for name in solved),
        ["Ben B/answers.json", "svm.slopes", "False"],
    ]
    monkeypatch.setenv("ANSWERS", str(tmp_path / "none"))
    assert collect.main() == 1 and "No .json in" in capsys.readouterr().err
