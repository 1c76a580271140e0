"""Test homework and exams: writing, answering, grading, and cheating."""

import csv
import json
import re
from collections import Counter
from pathlib import Path
from shutil import copyfile
from xml.etree import ElementTree

import numpy as np
import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from halfspaces.exercises.feature_selection import least_of_three
from halfspaces.exercises.logistic import odds
from halfspaces.exercises.perceptron import same_count
from halfspaces.exercises.sgd import by_hand as sgd_by_hand
from halfspaces.homework import grade, replace_code_by_verdicts, seed_of
from halfspaces.homework.__main__ import main as write_table
from halfspaces.homework.__main__ import note_on, write_row
from halfspaces.review import CHAPTERS
from teaching import collect, exam, homework
from tests.halfspaces.bad_answers import CHECKERS, exercise_id
from tests.helpers.pdf_tags import count_tags
from tests.teaching.graded_answers import HONEST, PROCESS_ATTACKS, REPLY_ATTACKS

NAMES = "geometry.signed_distance perceptron.my_perceptron perceptron.with_constant"
RIGHT = {
    "q1": HONEST["magics"],
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
    """Return the homework with these answers, and with other `imports` if given."""
    notebook = json.loads((folder / "homework.ipynb").read_text())
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for name, cell in zip(["imports", "q1", "q2", "q3"], code, strict=True):
        cell["source"] = answers.get(name, cell["source"])
    return notebook


def make(build, names, *options):
    """Write an assignment; return its folder, notebook and key."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(homework, "BUILD", build)
        assert homework.main([*names.split(), "--seed", "7", *options]) is None
    folder = build / "homework"
    files = (folder / name for name in ("homework.ipynb", "key.json"))
    return folder, *(json.loads(file.read_text()) for file in files)


@pytest.fixture(scope="module")
def class_list(tmp_path_factory):
    path = tmp_path_factory.mktemp("class") / "names.txt"
    path.write_text("ann\nben\nO'Neil, Zoë\n")
    return "--students", str(path)


@pytest.fixture(scope="module")
def class_homework(tmp_path_factory, class_list):
    """Write a homework for three students; returns its folder and key."""
    folder, _, key = make(tmp_path_factory.mktemp("class_homework"), NAMES, *class_list)
    return folder, key


def test_right_answers_earn_points_and_stubs_none(class_homework):
    folder, key = class_homework
    verdicts = grade(answered(folder, **RIGHT), key)
    assert all(verdict.right for verdict in verdicts.values()), verdicts
    assert [question["points"] for question in key] == [1, 2, 2]
    assert not any(verdict.right for verdict in grade(answered(folder), key).values())


def test_cheating_earns_nothing(class_homework):
    folder, key = class_homework
    renamed = "my_distances(X, w, b)", "my_perceptron(X, y)"
    notebook = answered(
        folder,
        imports="""import numpy as np
import halfspaces.exercises, halfspaces.homework
halfspaces.exercises.Verdict.__init__ = lambda self, *a: setattr(self, "right", True)
verdicts = dict.fromkeys(["q1", "q2", "q3"], (True, "Right."))""",
        q1=PROCESS_ATTACKS["import"],
        q2=PROCESS_ATTACKS["program"].replace(*renamed),
        q3=REPLY_ATTACKS["frames"].replace("my_distances", "with_constant"),
    )
    verdicts = grade(notebook, key)
    assert not any(verdict.right for verdict in verdicts.values()), verdicts
    assert "mlcore is not available while this answer is graded" in verdicts["q1"].sentence
    assert "subprocess.Popen is not allowed" in verdicts["q2"].sentence
    # otter-grader and nbgrader execute only the verdicts, no code of the student
    own = {"nbgrader": {"grade": True, "grade_id": "own"}}  # looks like a test of nbgrader
    cell = {"cell_type": "code", "source": "verdicts = 1", "metadata": own}
    notebook["cells"].append(cell)
    for nbgrader in (False, True):
        for cell in replace_code_by_verdicts(notebook, key, nbgrader)["cells"]:
            lines = cell["source"].splitlines() if cell["cell_type"] == "code" else []
            assert all(line.startswith(("#", "verdicts = {'q1': (0.0")) for line in lines)


def test_notebook_names_wheel_and_chapter(class_homework):
    folder, _ = class_homework
    notebook = json.loads((folder / "homework.ipynb").read_text())
    rules, _, first, *_ = ["".join(cell["source"]) for cell in notebook["cells"]]
    wheel = re.search(r'pip install "(.*)\[notebooks\]"', rules)[1]
    assert (folder / wheel).exists() and "Chapter: Geometry" in first


def test_students_have_different_numbers(tmp_path, class_list):
    folder, *_ = make(tmp_path, "perceptron.by_hand", *class_list)
    texts = {path.stem: path.read_text() for path in (folder / "students").iterdir()}
    assert set(texts) == {"ann", "ben", "O'Neil, Zoë"}
    assert len({text.split("four examples")[1][:60] for text in texts.values()}) == 3
    assert not (folder / "nbgrader").exists(), "it would replace each student's question"


def test_class_list_accepts_all_scripts_and_rejects_namesakes(tmp_path):
    names = ["Zoë", "María-José Ñúñez (née Díaz)", "प्रिया शर्मा", "สมชาย ใจดี", "4711 Anna"]
    names += ["Łukasz Żółć, Jr."]
    file = tmp_path / "names.txt"
    file.write_text("\n".join(["Zoe\u0308", *names[1:]]), "utf-8-sig")
    assert homework.read_students(str(file)) == names
    for text, message in (("Anna\nanna", "must differ"), ("../a", "must have")):
        file.write_text(text)
        with pytest.raises(ValueError, match=message):
            homework.read_students(str(file))
    file.write_bytes("Müller".encode("latin-1"))
    with pytest.raises(ValueError, match="saved as UTF-8"):
        homework.read_students(str(file))


def test_csv_quotes_text_that_spreadsheets_take_for_formulas(capsys):
    write_row(["\t=1", 'a;"=1', "a; b"])
    assert capsys.readouterr().out == '"\' =1","a;\'""=1","a; b"\r\n'
    write_row(['=HYPERLINK("x")', -1.5, "\ud800"])
    assert capsys.readouterr().out == '"\'=HYPERLINK(""x"")",-1.5,"\\ud800"\r\n'


def test_partial_credit_and_no_credit_for_errors(tmp_path, capsys):
    names = "logistic.odds perceptron.by_hand perceptron.certificate perceptron.same_count"
    folder, notebook, key = make(tmp_path, names)
    texts = ["".join(cell["source"]) for cell in notebook["cells"]]
    assert any("Which reason decides number" in text for text in texts)
    assert (folder / "nbgrader/source/homework/homework.ipynb").exists()
    center, factor, _ = odds.build(seed_of(7, "q1", "")).solution
    stubs = [c for c in notebook["cells"] if "..." in "".join(c["source"])]
    first, stub, failing, statements = stubs
    asked = "center_at, odds_factor, chance_there"
    first["source"] = f"{asked} = {center!r}, {float(factor)!r}, 9"
    stub["source"] = "import numpy as np\nmy_w, my_updates = np.array([91.0, -2.0]), 4"
    failing["source"] = "weights = 1 / 0"
    first_value, *right = same_count.build(seed_of(7, "q4", "")).solution[0]
    statements["source"] = f"stays = {(not first_value, *right)}"
    (folder / "one.ipynb").write_text(json.dumps(notebook))
    capsys.readouterr()
    assert write_table(str(folder / "key.json"), str(folder / "one.ipynb")) == 0
    (row,) = csv.DictReader(capsys.readouterr().out.splitlines())
    assert Path(row["file"]).name == "one.ipynb"
    scores = [row[k] for k in ("q1", "q2", "q3", "q4", "total", "maximum")]
    assert scores == ["0.67", "0.0", "0.0", "1.71", "2.38", "5"]
    assert "is 9. The score there" in row["q1 verdict"]
    assert "is {}. The score there" in row["q1 misconception"]
    assert "91" in row["q2 verdict"] and "ZeroDivisionError" in row["q3 verdict"]
    parts = [question["parts"] for question in key]  # otter-grader has a test for each
    assert parts == [3, 3, 1, 7], "a question with many right answers has one part"
    (case,) = homework.select_questions(["sgd.currency"], 7)
    assert case["parts"] == 2, "a decision and a claim"
    notebook["metadata"]["halfspaces"] = {"student": "\ud800"}
    assert "cannot be graded" in grade(notebook, key)["q1"].sentence


def recommended(column: str) -> list[str]:
    """Return the exercises in a column of the table of exercises for teachers."""
    rows = (homework.ROOT / "chapters" / "teachers.md").read_text().split("| in class |")[1]
    columns, _, *rows = (row.split("|") for row in rows.split("\n\n")[0].splitlines())
    place, found = [c.strip() for c in columns].index(column) + 3, []
    for chapter, row in zip(CHAPTERS, rows, strict=True):
        found += [f"{chapter}.{name}" for name in re.findall(r"`(\w+) <", row[place])]
    return found


def test_recommended_homework_varies_and_practice_does_not():
    varies = {exercise_id(check): check.has_variants for check in CHECKERS}
    assert all(varies[name] for name in recommended("homework"))
    assert not any(varies[name] for name in recommended("practice"))


@pytest.mark.slow
@pytest.mark.parametrize("name", recommended("homework"))
def test_recommended_homework_imports_the_functions_in_its_question(name):
    questions = homework.select_questions([name], 7)
    texts = {homework.question_text(questions[0], student) for student in "abc"}
    assert len(texts) > 1, "different students must get different numbers"
    imports = homework.homework_notebook(questions, "a.whl").cells[1].source
    for text in texts:
        assert "in print" not in text and "of the text" not in text
        called = {*re.findall(r"\b(?!load_|s(?:gn|in))([a-z_]+)\(", text)}
        assert called <= {*re.findall(r"import (\w+)", imports), *questions[0]["answers"]}


def test_bad_files_are_skipped_and_copies_are_noted(tmp_path, class_homework, capsys):
    folder, key = class_homework
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
    assert write_table(str(tmp_path / "key.json"), *map(str, tmp_path.glob("*.ipynb"))) == 1
    rows = [*csv.DictReader(capsys.readouterr().out.splitlines())]
    found = {Path(row["file"]).name: (row["student"], row["note"]) for row in rows}
    assert {name: pair for name, pair in found.items() if pair[0]} == {
        "Mx ann_12_ann.ipynb": ("ann", ""),
        "Mx ben_12_ben.ipynb": ("ben", "2 notebooks of ben"),
        "Mx cem_13_ben.ipynb": ("ben", "2 notebooks of ben"),
        "eve.ipynb": ("dora", "the path does not contain the student's name"),
    }
    assert {k for k, (_, note) in found.items() if note.startswith("cannot be")} == {*bad}


def test_missing_name_is_noted_only_if_another_notebook_has_a_name():
    assert not note_on("", "a.ipynb", Counter(["", "", "Eve"]))
    assert "names no student" in note_on("", "a.ipynb", Counter(["Ann", "Eve", ""]))


def test_notebook_without_code_is_returned_unchanged(class_homework):
    folder, key = class_homework
    empty = answered(folder)
    empty["cells"] = [cell for cell in empty["cells"] if cell["cell_type"] != "code"]
    assert replace_code_by_verdicts(empty, key[:1]) == empty


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        (homework, "sv.slopes", "Unknown chapter 'sv'; choose from geometry"),
        (homework, "svm.slope", "Unknown exercise of svm 'slope'; choose from slopes"),
        (homework, "perceptron.by_hand svm.four_points", "four_points both ask for my_w"),
        (homework, "svm.slopes --students /no/list", "No such file"),
        (homework, "svm.slopes --name ../a", "name must have letters"),
        (exam, "svm boost", "Unknown chapter 'boost'; choose from geometry, features"),
        (exam, "svm --minutes 1", "minutes must be at least 3"),
    ],
)
def test_bad_input_keeps_old_output(tmp_path, monkeypatch, command, arguments, message):
    monkeypatch.setattr(homework, "BUILD", tmp_path)
    previous = tmp_path / command.__name__.rpartition(".")[2] / "file"
    previous.parent.mkdir()
    previous.touch()
    assert message in command.main(arguments.split())
    assert previous.exists()


@pytest.mark.parametrize("arguments", ["svm --seed -1", "svm --seed x", ""])
def test_invalid_options_print_usage(capsys, arguments):
    with pytest.raises(SystemExit):
        exam.main(arguments.split())
    assert "usage: " in capsys.readouterr().err


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_exam_has_answers_and_is_determined_by_seed(chapter):
    items = exam.exam([chapter], seed=3, minutes=60)
    assert 30 <= sum(item.minutes for item in items) <= 60
    assert items == exam.exam([chapter], seed=3, minutes=60)
    assert items != exam.exam([chapter], seed=4, minutes=60)
    for number, item in enumerate(items, start=1):
        sheet, key = (exam.to_markdown(number, item, key) for key in (False, True))
        right = exam.typeset_plain_text(item.right)
        assert right and right not in sheet and right in key
        assert "Is this true" not in item.text or item.choices == ["True", "False"]
        assert "()" not in item.text, "it needs a computer"
        assert not item.choices or sum(c not in item.mistakes for c in item.choices) == 1


def test_guessing_earns_at_most_a_fifth_and_each_question_is_in_moodle():
    for seed in range(1, 5):
        items = exam.exam(["perceptron", "svm"], seed, 60)
        points = sum(item.minutes for item in items)
        assert points >= 50 and sum(item.guess_points for item in items) <= 12
        quiz = ElementTree.fromstring(exam.moodle(items, "May"))
        assert [len(quiz), quiz[0].get("type")] == [len(items) + 1, "category"]
        essays = [q for q in quiz if q.get("type") == "essay"]
        assert all(q.findtext("graderinfo/text") for q in essays)


def test_proofs_of_an_exam_have_different_keys():
    for seed in range(5):
        items = [item for chapter in CHAPTERS for item in exam.proofs(chapter, seed)]
        keys = [item.right.partition(",")[0] for item in items]
        assert len({*keys}) == len(keys), keys


def test_formulas_and_minus_signs_in_plain_text_are_typeset():
    text = exam.typeset_plain_text("y_i S_- is -7, $y_i=-7$ and `x_i`; 2-3")
    assert text == "$y_i$ $S_-$ is −7, $y_i=-7$ and `x_i`; 2-3"
    text = exam.typeset_plain_text("w_1² x_{1,2} sigma_0 eta x_ij")
    assert text == r"$w_1$² $x_{1,2}$ $\sigma_0$ $\eta$ x_ij"
    assert exam.typeset_plain_text("delta = 3") == r"$\delta$ = 3"


def test_exam_claims_are_proved_or_refuted():
    asked = {item.text: item.right for k in range(9) for item in exam.claims("svm", k)}
    notebook = json.loads((homework.ROOT / "chapters" / "svm.ipynb").read_text())
    proofs = exam.proofs_of(notebook["cells"])
    for text, right in asked.items():
        claim = text.split("$$")[1].strip()
        proof = next(p for p in proofs if claim[:9] == p["statement"][:9])
        assert (claim == proof["statement"]) == right.startswith("True.")
        ends = [w["right_side"] for w in proof["refuted"]]
        assert right.startswith("True.") or claim.endswith(tuple(ends))
    assert len(asked) > len(proofs) and len({right[:4] for right in asked.values()}) == 2
    items = exam.exam(["svm"], seed=3, minutes=60, guessing=100)
    assert "Is this true?" in exam.moodle(items)


def test_sheet_hides_seed_and_short_exam_has_a_note(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(exam, "BUILD", tmp_path)
    monkeypatch.setattr(exam, "page", lambda *printed: "")
    monkeypatch.setattr(exam.pdf, "print_sheet", lambda *printed: None)
    monkeypatch.setattr(homework, "BUILD", tmp_path)
    for minutes, short in (("30", False), ("500", True)):
        assert exam.main(["svm", "--seed", "31", "--minutes", minutes]) is None
        assert ("not enough suitable questions" in capsys.readouterr().out) is short
    for name, seed in (("sheet", False), ("key", True)):
        text = (tmp_path / "exam" / f"{name}.ipynb").read_text()
        assert ("seed 31" in text) is seed


@pytest.mark.slow
def test_questions_do_not_break_and_name_sets_the_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(exam, "BUILD", tmp_path)
    monkeypatch.setattr(homework, "BUILD", tmp_path)
    arguments = ["perceptron", "svm", "sgd", "--seed", "3", "--minutes", "120"]
    for options in ([], ["--name", "may"]):
        assert exam.main([*arguments, *options]) is None
    assert {path.name for path in tmp_path.iterdir()} == {"exam", "exam-may"}
    reader = PdfReader(tmp_path / "exam" / "sheet.pdf")
    items = exam.exam(["perceptron", "svm", "sgd"], seed=3, minutes=120)
    formulas = exam.page("", "", items, is_key=False).count("<math")
    assert count_tags(reader)["/Formula"] == formulas > 20
    _, *pages = reader.pages
    texts = [page.extract_text() for page in pages]
    starts = [re.match(r"Name: _+\n\d+ of \d+\n\d+\. ", text) for text in texts]
    assert all(starts), texts
    fonts = [page["/Resources"]["/Font"].values() for page in pages]
    fonts = {font.get_object()["/BaseFont"] for page in fonts for font in page}
    assert any("STIXTwoMath" in font for font in fonts), fonts
    assert not any("Math" in font and "STIX" not in font for font in fonts), fonts
    notebook = json.loads((tmp_path / "exam" / "key.ipynb").read_text())
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"


def test_moodle_shows_the_seed_to_teachers_only():
    items = [*exam.long_questions("svm", seed=31337)]
    for question in ElementTree.fromstring(exam.moodle(items)):
        for info in question.findall("graderinfo"):
            question.remove(info)
        assert "31337" not in ElementTree.tostring(question, "unicode")
    assert exam.moodle(items).count("another(31337)") > 0
    assert "another(31337)" in "".join(exam.to_markdown(1, i, True) for i in items)


def test_key_marks_example_answers():
    asked = {item.title: item.right for item in exam.long_questions("perceptron", 3)}
    assert asked["A certificate"].startswith("For example ")
    assert not asked["By hand"].startswith("For example ")
    asked = {item.title: item.right for item in exam.long_questions("feature_selection", 3)}
    assert "entries read: " in asked["Both directions by hand"], "names of the answers"


def test_moodle_points_match_the_sheet():
    blanks = [("w 1", 1 / 3, {}), ("w 2", -2.0, {"2": "sign"}), ("it holds", True, {})]
    item = exam.Item("By hand", 5, "Which $a<b$?", "0. These.", blanks)
    question = ElementTree.fromstring(exam.moodle([item]))[1]  # after the category
    assert "0. These." in question.findtext("generalfeedback/text"), "not a list"
    text = question.findtext("questiontext/text")
    assert r"Which \(a<b\)?" in BeautifulSoup(text, "html.parser").text
    gaps = re.findall(r"\{(\d+):([A-Z]+):", exam.moodle([item]))
    assert exam.moodle([item]).count("#sign") == 1, "a mistake belongs to one gap"
    assert gaps == [("2", "NUMERICAL"), ("2", "NUMERICAL"), ("1", "MULTICHOICE")]
    assert exam.moodle([item]).count("to four significant digits)") == 2
    feedback = exam.cloze_blank(1, 0.5, {"2": r"$\frac12$ of {1}"}).partition("#")[2]
    assert feedback == r"\(\frac12\) of {1\}}"
    near, far = {"0.5001": ""}, {"0.8": "", "(0, 0.2)": ""}
    assert exam.tolerance(0.5, near) == pytest.approx(0.00005), "halfway to a mistake"
    assert exam.tolerance(0.5, far) == pytest.approx(0.0003)


def test_moodle_accepts_numbers_rounded_as_the_question_asks():
    blanks = [("loss", 1.38629, {}), ("share", 0.0474, {"0.0478": ""})]
    quiz = exam.moodle([exam.Item("Loss", 2, "In nats, to three digits?", "", blanks)])
    gaps = np.array(re.findall(r"=([\d.]+):([\d.]+)", quiz), float)
    (low, high), (right, allowed), *_ = gaps
    assert abs(low - 1.39) < high and "four significant" not in quiz
    assert abs(right - 0.0474) < allowed < 0.00021, "half the distance to the mistake"
    assert exam.asked_error("In three decimals?", 1234.5) == pytest.approx(5e-4, 1e-3)
    assert not exam.asked_error("Read the handwritten digits.", 1.0)
    assert exam.asked_error("to three digits after the point", 23.4) < 5.1e-4


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_moodle_matches_sheet_and_accepts_four_digits_and_no_listed_mistake(chapter):
    items = exam.exam([chapter], 3, 300)
    macros = r"\\(E|R|argmax|argmin|norm|sgn)\b"  # Moodle does not know those of the book
    assert not re.search(macros, exam.moodle(items))
    items = [item for item in items if item.choices or item.blanks]
    _, *questions = ElementTree.fromstring(exam.moodle(items).encode())
    for item, question in zip(items, questions, strict=True):
        shown = BeautifulSoup(question.findtext("questiontext/text"), "html.parser").text
        assert question.get("type") != "essay"
        for tex in re.findall(r"(?<!\$)\$([^$]+)\$(?!\$)", item.text):
            assert rf"\({tex}\)" in shown
        marks = [answer.get("fraction") for answer in question.findall("answer")]
        assert sorted(marks) == ["0"] * (len(marks) - 1) + ["100"] * bool(marks)
        assert len(marks) == len(item.choices)
        mixed = "false" if item.choices == ["True", "False"] else "true"
        assert question.findtext("shuffleanswers", mixed) == mixed
        blanks = [blank for blank in item.blanks if not isinstance(blank[1], bool)]
        for _, right, own in blanks:
            allowed = exam.tolerance(right, own)
            assert abs(float(f"{right:.4g}") - right) <= allowed
            mistakes = [float(mistake) for mistake in own if mistake[0] in "-0123456789"]
            same = np.isclose(mistakes, right, 1e-5, 0)  # a mistake in another blank
            assert np.all(same | (np.abs(np.subtract(mistakes, right)) > allowed))


@pytest.mark.slow
def test_saved_answers_are_graded_again(tmp_path, capsys):
    a, b = least_of_three.build().solution
    kept = {
        "perceptron:with_constant": f"{RIGHT['q3']}\n\ncheck.with_constant(with_constant)",
        "perceptron:same_count": "stays = [True, False, True, False, False, True]\n"
        f"both = stays, {same_count.build().solution[0][-1]!r}\ncheck.same_count(*both)",
        "feature_selection:least_of_three": f"check.least_of_three({a} * comb(1, 1), {b})",
        "svm:slopes": "x = ((0, 0), (0, 0), (0, 0))\ncheck.slopes(x)",
        "svm:slopes:verdict": '{"right": true, "sentence": "Right."}',
        "sgd:by_hand": "check.by_hand(1, 2)\n"
        f"x = {sgd_by_hand.build(7).solution!r}\ncheck.by_hand.another(7)(*x)\n"
        "check.by_hand.another(8)",
        "mixed_cases:birds": "decide = ...\ncheck.birds(decide)",
    }
    text = json.dumps({f"halfspaces:{key}": text for key, text in kept.items()})
    files = {"Ann A": "[]", "Ben B": text, "Cem C": '{"halfspaces:svm:b": 1}'}
    for name, what in files.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "answers.json").write_text(what)
    assert collect.main([str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert "Ann A/answers.json does not contain answers" in printed.err
    rows = [*csv.reader(printed.out.splitlines())]
    assert [row[3].endswith(" (Seed 7.)") for row in rows if "sgd" in row[1]] == [True]
    rows = [row[:3] for row in rows]
    names = ["perceptron.with_constant", "perceptron.same_count"]
    names += ["feature_selection.least_of_three", "svm.slopes"]  # the first imports comb
    names += ["sgd.by_hand", "mixed_cases.birds"]
    wrong = "svm.slopes", "mixed_cases.birds"
    file = str(tmp_path / "Ben B" / "answers.json")
    assert rows[1:] == [[file, name, str(name not in wrong)] for name in names]


@pytest.mark.parametrize(
    "code",
    [
        "check.by_hand((2, 3), 4)\ncheck.by_hand(*[(2, 3), 5])\ncheck.by_hand.hint(1)",
        "check = check.by_hand(((2, 3), 5));\nassert f'{check.score:.1f}' == '1.0'",
        "test = check.by_hand\ntest((2, 3), 5)\ndef f():\n    test((1, 1), 5)",
    ],
)
def test_saved_answer_may_call_the_checker_in_any_form(code):
    ((_, right, verdict),) = collect.grade_answers({"halfspaces:perceptron:by_hand": code})
    assert right, verdict


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import os\nos._exit(0)\ncheck.by_hand(my_w, 3)", "ended the process"),
        ("my_w = (\ncheck.by_hand(my_w, 3)", "SyntaxError"),
        ("check.by_hand(3)", "TypeError: 2 answers are needed, you gave 1"),
    ],
)
def test_failing_saved_answer_reports_its_own_error(code, message):
    ((_, right, verdict),) = collect.grade_answers({"halfspaces:perceptron:by_hand": code})
    assert not right and message in verdict and "NameError" not in verdict
    assert "_given" not in verdict


@pytest.mark.slow
def test_unreadable_answers_are_skipped(tmp_path, capsys):
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "empty.json").write_text("{}")
    (tmp_path / "link.json").symlink_to(tmp_path / "none")
    nested = {"halfspaces:svm:slopes": f"check.slopes({'-' * 4 * 10**4}1)"}
    (tmp_path / "nested.json").write_text(json.dumps(nested))
    relative = {"halfspaces:svm:slopes": "from . import x"}
    relative |= {"halfspaces:svm:four_points": "x"}
    body, indent = "", ""
    for _ in range(16):  # Python compiles a `finally` block twice
        body += f"{indent}try:\n{indent} a\n{indent}finally:\n"
        indent += " "
    blocks = {"halfspaces:svm:four_points": f"{body}{indent}{'a;' * 20000}"}
    (tmp_path / "blocks.json").write_text(json.dumps(blocks))
    (tmp_path / "relative.json").write_text(json.dumps(relative))
    assert collect.main([str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert printed.err.count("does not contain answers") == 1 and "deep.json" in printed.err
    rows = csv.reader(printed.out.splitlines()[1:])
    verdicts = {(Path(row[0]).name, row[1]): row[3] for row in rows}
    assert len(verdicts) == 4
    assert "Not graded" in verdicts["blocks.json", "svm.four_points"]
    assert verdicts["relative.json", "svm.slopes"].startswith("Not yet.")
    assert collect.main([str(tmp_path / "none")]) == 1
    assert "No .json file in" in capsys.readouterr().err
