"""Test that the grader gives points to honest answers, and none to attacks."""

import csv
import json
import os
import pickle
import shutil
import subprocess
import sys
import time
from collections import deque
from contextlib import nullcontext
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import monotonic

import numpy as np
import pytest

from halfspaces import homework as grader
from halfspaces.exercises import cases
from halfspaces.exercises.geometry import loglog, same_margin
from halfspaces.exercises.sgd import currency
from halfspaces.homework import __main__ as table
from halfspaces.homework import limits
from halfspaces.homework.student import decode, encode
from sitebuild.wheel import build_wheel
from teaching import homework
from tests.teaching.graded_answers import (
    BUBBLEWRAP_ATTACKS,
    HONEST,
    PROCESS_ATTACKS,
    REPLY_ATTACKS,
)

KEY = [
    {
        "name": name, "exercise": f"geometry.{exercise}", "seed": None, "points": 2,
        "parts": 1, "answers": [answer], "library": answer == "score",
    }
    for name, exercise, answer in (
        ("q1", "signed_distance", "my_distances"), ("q2", "loglog", "score"),
    )
]  # fmt: skip
sandbox = grader.sandbox
needs_bubblewrap = pytest.mark.skipif(not sandbox(), reason="no bubblewrap")


def notebook(code: str) -> dict:
    sources = "import numpy as np", code, "score = 0.36651292"
    cells = [{"cell_type": "code", "source": s, "metadata": {}} for s in sources]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


def fail_unless_only_q2_earns(code: str, monkeypatch):
    monkeypatch.setattr(grader, "CELL_SECONDS", 6)
    monkeypatch.setattr(grader, "CALL_SECONDS", 5)
    verdicts = grader.grade(notebook(code), KEY)
    sentence = verdicts["q1"].sentence
    assert not verdicts["q1"].score and sentence.startswith("Not yet.")
    assert len(sentence) < 1000 and sentence.isprintable()
    assert verdicts["q2"].right, verdicts["q2"].sentence


@pytest.mark.slow
@pytest.mark.parametrize("style", HONEST)
def test_honest_answer_earns_all(style):
    if style == "pandas":
        pytest.importorskip("pandas")
    verdicts = grader.grade(notebook(HONEST[style]), KEY)
    assert verdicts["q1"].right and verdicts["q2"].right, verdicts


@pytest.mark.slow
@pytest.mark.parametrize("name", PROCESS_ATTACKS)
@pytest.mark.parametrize("sandbox", [pytest.param(sandbox, marks=needs_bubblewrap), list])
def test_attack_on_the_process_earns_and_stops_nothing(monkeypatch, name, sandbox):
    monkeypatch.setattr(grader, "sandbox", sandbox)
    fail_unless_only_q2_earns(PROCESS_ATTACKS[name], monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", REPLY_ATTACKS)
def test_attack_by_a_reply_earns_and_stops_nothing(monkeypatch, name):
    fail_unless_only_q2_earns(REPLY_ATTACKS[name], monkeypatch)


@needs_bubblewrap
def test_sandbox_has_each_file_at_one_path():
    words = grader.sandbox()
    bound = [path for word, path in pairwise(words) if word == "--ro-bind-try"]
    assert "/usr" in bound and bound == [*map(os.path.realpath, bound)]


@pytest.mark.slow
@needs_bubblewrap
@pytest.mark.parametrize("name", BUBBLEWRAP_ATTACKS)
def test_attack_that_only_bubblewrap_stops_earns_nothing(tmp_path, monkeypatch, name):
    Path(tmp_path, "b.py").write_text(HONEST["NumPy"].replace("my_distances", "others"))
    code = BUBBLEWRAP_ATTACKS[name].replace("FILE", str(tmp_path / "b.py"))
    fail_unless_only_q2_earns(code, monkeypatch)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.array([1, 2], np.uint8), [1, 2]),
        (np.array([Fraction(1, 2), 3]), [0.5, 3]),
        ((Decimal("0.1"), Fraction(1, 4)), [0.1, 0.25]),
        ({"": 50, "12": {1}}, {"": 50, "12": {1}}),
        (np.array(["bmi", "bp"]), ["bmi", "bp"]),
        (deque(range(3)), [0, 1, 2]),
        ({"1": frozenset([7])}, {"1": {7}}),
    ],
)
def test_grader_decodes_an_answer_as_a_page_does(value, expected):
    decoded = decode(json.loads(json.dumps(encode(value))), None)
    decoded = decoded if isinstance(value, dict) else np.asarray(decoded).tolist()
    assert decoded == expected


CELLS = """
import nowhere as pd
from os import getpid
from joblib import Parallel as run, delayed
# %%
from mlcore.geometry import sgn
# %%
def fails(X, w, b):
    n = len(X)
    return X[n] @ w
def needs_pandas(X, w, b):
    return pd.Series(X @ w)
def in_parallel(X, w, b):
    assert run(n_jobs=2)([delayed(getpid)()]) == [getpid()]
    return (X @ w + b) / np.linalg.norm(w)
def ended_first(X, w, b):
    raise ValueError(open("/proc/self/oom_score_adj").read())
def finds_d(error, d):
    for q in range(999):
        try:
            error([q])
        except Exception as reason:
            raise KeyError(f"at {q}: {reason}")
def uses_fit(choose, fit, X, y, splits):
    errors = []
    for train, test in splits:
        S = choose(X[train], y[train])
        rule = fit(X[train][:, S], y[train])
        errors.append(np.mean(rule.predict(X[test][:, S]) != y[test]))
    return np.mean(errors)
# %%
x = 1 / 0
half_defined = x
# %%
half_defined(1)
# %%
w, dots, wrong = (2, 3), ..., 9
w_of_dots, updates = (..., ...), 5
# %%
%%script false --no-raise-error
in_parallel = None
"""
VERDICTS = [  # exercise, names of the answers, score, part of the verdict
    ("geometry.signed_distance", "fails", 0, "in your line 3: return X[n] @ w."),
    ("geometry.signed_distance", "needs_pandas", 0, "No module named 'nowhere'"),
    ("geometry.signed_distance", "in_parallel", 1, "Right."),
    ("geometry.signed_distance", "half_defined", 0, "division by zero, in your line 1"),
    ("feature_selection.my_stepwise", "finds_d", 0, "KeyError: 'at "),
    ("feature_selection.my_honest_error", "uses_fit", 1, "Right."),
    ("geometry.loglog", "dots", 0, "Replace the three dots with your answer."),
    ("perceptron.by_hand", "w missing", 2 / 3, "No value for missing."),
    ("perceptron.by_hand", "w dots", 2 / 3, "No value for dots."),
    ("perceptron.by_hand", "w wrong", 2 / 3, "9"),
    ("perceptron.by_hand", "w_of_dots updates", 1 / 3, "No value for w_of_dots."),
    ("perceptron.by_hand", "no_w missing", 0, "No cell defines no_w and missing."),
    ("geometry.same_margin", "stays", 1 - 2 / 9, "Not yet."),
]
if sys.platform == "linux":  # if memory is short, it ends this process first
    VERDICTS += [("geometry.signed_distance", "ended_first", 0, "ValueError: 1000")]


def test_each_answer_of_a_notebook_gets_its_score_and_verdict():
    *truths, letter = same_margin.build().solution[0]
    stays = f"stays = {[*map(int, truths[:-2])]} + [..., ...], {letter!r}"  # 1 for True
    code, key = notebook(stays), []
    sources = CELLS.split("# %%\n")
    code["cells"] += [{"cell_type": "code", "source": source} for source in sources]
    for exercise, names, _, _ in VERDICTS:
        question = {"exercise": exercise, "name": names, "answers": names.split()}
        key.append(KEY[0] | question)
    verdicts = grader.grade(code, key)
    for _, names, score, reply in VERDICTS:
        verdict = verdicts[names]
        assert verdict.score == pytest.approx(score) and reply in verdict.sentence, verdict


def test_memory_of_functions_that_a_student_calls_is_limited(monkeypatch):
    monkeypatch.setattr(limits, "MAX_DATA", 2**30)
    code = """def my_honest_error(choose, fit, X, y, splits):
    fit(np.ones((1, 12_000)), np.ones((1, 12_000))).predict(np.ones((1, 12_000)))"""
    exercise = "feature_selection.my_honest_error"
    question = KEY[0] | {"exercise": exercise, "answers": ["my_honest_error"]}
    verdict = grader.grade(notebook(code), [question])["q1"]
    assert "MemoryError" in verdict.message


HANGS = pytest.param(lambda: time.sleep(600), marks=pytest.mark.slow)


@pytest.mark.parametrize("end", [lambda: os._exit(1), HANGS])
def test_answer_that_ends_or_hangs_the_grader_leaves_the_other_answers(end, monkeypatch):
    right = grader.checker_of(KEY[1])
    check_of = {"q1": lambda answer: end(), "q2": right}
    monkeypatch.setattr(
        grader, "checker_of", lambda question, _: check_of[question["name"]]
    )
    monkeypatch.setattr(grader, "CHECK_SECONDS", 5)
    monkeypatch.setattr(grader, "deadline", nullcontext)
    verdicts = grader.grade(notebook(HONEST["NumPy"]), KEY)
    assert "crashed or took too long" in verdicts["q1"].sentence and verdicts["q2"].right


@pytest.mark.slow
def test_time_of_a_notebook_is_limited(monkeypatch):
    monkeypatch.setattr(grader, "NOTEBOOK_SECONDS", 6)
    slow, start = notebook(HONEST["NumPy"]), monotonic()
    slow["cells"] += [{"cell_type": "code", "source": "import time; time.sleep(1)"}] * 60
    assert "a notebook has" in grader.grade(slow, KEY)["q1"].sentence
    assert monotonic() - start < 40


@pytest.mark.slow
def test_time_of_a_question_is_limited(monkeypatch):
    monkeypatch.setattr(grader, "QUESTION_SECONDS", 2)
    question = KEY[0] | {"exercise": "feature_selection.leak", "answers": ["decide"]}
    code = """import time
def decide(X, y, names):
    time.sleep(1)
    return (lambda Q: np.ones(len(Q))), 0.1, 0.9"""
    verdicts = grader.grade(notebook(code), [question, KEY[1]])
    assert "a question has" in verdicts["q1"].sentence and verdicts["q2"].right


def test_cells_that_end_the_process_leave_the_other_answers():
    code = notebook(HONEST["NumPy"])
    bad = {"cell_type": "code", "source": "import os; os._exit(1)", "metadata": {}}
    code["cells"] = [bad, *code["cells"], bad, bad]
    assert all(verdict.right for verdict in grader.grade(code, KEY).values())


def test_links_and_pipes_are_not_read(tmp_path, capsys):
    (tmp_path / "key.json").write_text("[]")
    paths = [str(tmp_path / name) for name in ("link.ipynb", "pipe.ipynb")]
    os.symlink("/dev/zero", paths[0])
    os.mkfifo(paths[1])
    assert table.main(str(tmp_path / "key.json"), *paths) == 1
    assert capsys.readouterr().out.count("it is a link, or not a regular file") == 2


@pytest.mark.slow
def test_cells_see_the_data_of_a_case(monkeypatch):
    monkeypatch.setattr(cases, "BLOCK", 3)
    question = {"name": "q1", "exercise": "sgd.currency", "seed": 7, "library": True}
    question |= {"points": 2, "parts": 1, "answers": ["decide"]}
    source = int(grader.checker_of(question).text.partition("source ")[2].split(")")[0])
    total = currency.sample(source).X.sum()
    code = f"""from halfspaces.exercises import sgd as check
from halfspaces.exercises.sgd import currency
homes = check.currency.sample()
X, y, names = currency.sample({source})
assert X.sum() == homes.X.sum() == {total} and len(y) == 400 and len(names) == 9
def decide(X, y, names):
    return (lambda Q: np.ones(len(Q))), 0.1, 0.9
currency(decide)"""
    verdict = grader.grade(notebook(code), [question])["q1"]
    assert "mean error of your rule in use is" in verdict.sentence, verdict


def test_cells_run_once_for_all_questions_graded_without_mlcore(tmp_path, monkeypatch):
    monkeypatch.setattr(grader, "sandbox", list)
    code = f"open({str(tmp_path / 'runs')!r}, 'a').write('x')\n{HONEST['NumPy']}"
    both = [KEY[0], KEY[0] | {"name": "q3"}]
    assert all(v.right for v in grader.grade(notebook(code), both).values())
    assert (tmp_path / "runs").read_text() == "x"


def test_checkers_in_the_wheel_have_no_solution(tmp_path):
    shutil.unpack_archive(build_wheel(tmp_path), tmp_path / "in", "zip")
    code = "from halfspaces.exercises import perceptron as check\n"
    code += "one = check.by_hand, check.by_hand.another(3).check\n"
    code += "print([name for f in one for name in vars(f)])"
    command = [sys.executable, "-P", "-c", code]
    environment = {"PYTHONPATH": str(tmp_path / "in")}
    names = subprocess.check_output(command, env=environment, text=True)
    assert "another" in names and "build" not in names and "wrapped" not in names


@pytest.mark.slow
def test_graders_agree_where_the_wheel_is_installed(tmp_path, monkeypatch):
    """Follow the README of a homework: table, otter-grader and nbgrader, as programs."""
    programs = tmp_path / "env/bin"

    def run(program, *arguments, folder=tmp_path) -> str:
        command = [programs / program, *arguments]
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(tmp_path)}
        options = {"cwd": folder, "env": environment, "capture_output": True, "text": True}
        done = subprocess.run([*map(str, command)], **options)
        assert not done.returncode, done.stderr[-3000:]
        return done.stdout

    monkeypatch.setattr(homework, "BUILD", tmp_path)
    names = "geometry.signed_distance", "geometry.loglog"
    assert homework.main([*names]) is None
    folder = tmp_path / "homework"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    try:
        run("pip", "install", "-q", "--no-compile", "otter-grader", "nbgrader", "pandas")
    except AssertionError:
        pytest.skip("otter-grader and nbgrader cannot be installed")
    (wheel,) = folder.glob("*.whl")
    run("pip", "install", "-q", "--no-compile", f"{wheel}[sklearn]")
    key = json.loads((folder / "key.json").read_text())
    score = float(loglog.build(grader.seed_of(key[1]["seed"], "q2", "")).solution[0])
    answers = {"Zoë": HONEST["scikit-learn"], "Łukasz": HONEST["pandas"]}
    answers["Eve"] = PROCESS_ATTACKS["kill the group"]
    answers["Mallory"] = REPLY_ATTACKS["empty reply"]
    want = {name: 1 + (code in HONEST.values()) for name, code in answers.items()}
    found, ran = {}, tmp_path / "ran"
    for name, code in answers.items():
        source = "nbgrader/source/homework/homework.ipynb"
        handed_in = json.loads((folder / source).read_text())
        for cell in handed_in["cells"]:
            id_ = cell["metadata"]["nbgrader"]["grade_id"]
            given = {"imports": "import numpy as np\nimport pandas as pd"}
            given["q1"] = code.replace("import pandas as pd\n", "")
            given["q2"] = f"crossing_score = {score}"
            cell["source"] = given.get(id_, cell["source"])
            cell["metadata"]["tags"] = ["skip-execution"]
        # nbgrader must not stop at a copied cell, or at a student's own test or version
        own = {"grade_id": "own", "grade": True, "points": 9, "schema_version": 99}
        handed_in["cells"] += [cell, cell | {"id": "own", "metadata": {"nbgrader": own}}]
        # a test looks like an empty cell: one student deletes it, one writes into it
        ids = [c["metadata"]["nbgrader"]["grade_id"] for c in handed_in["cells"]]
        if name == "Łukasz":
            del handed_in["cells"][ids.index("q1-test")]
        if name == "Zoë":
            stub, test = (handed_in["cells"][ids.index(i)] for i in ("q1", "q1-test"))
            stub["source"], test["source"] = "", stub["source"]
        test = f'") if 0 else open({str(ran)!r}, "w") or ("'  # otter pastes it into code
        handed_in["cells"][0]["metadata"]["otter"] = {"tests": [test]}
        kernel = {"name": "conda-env-ml-py", "display_name": "ml", "language": "python"}
        handed_in["metadata"]["kernelspec"] = kernel  # of the student's computer
        file = folder / "nbgrader/submitted" / name / "homework/homework.ipynb"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(handed_in))
        # both graders copy the other files of a submission; no kernel may import them
        for module in "ipykernel_launcher", "storemagic":
            file.with_name(f"{module}.py").write_text(f"open({str(ran)!r}, 'w')")
        log = type("Log", (), {"__reduce__": lambda self: (open, (str(ran), "w"))})
        file.with_name(".OTTER_LOG").write_bytes(pickle.dumps(log()))
    files = [str(f) for f in sorted((folder / "nbgrader/submitted").rglob("*.ipynb"))]

    text = run("python", "-m", "halfspaces.homework", folder / "key.json", *files)
    for row in csv.DictReader(text.splitlines()):
        found[Path(row["file"]).parts[-3]] = float(row["total"])
    assert found == want, text

    otter, nbgrader = (partial(run, f, folder=folder / f) for f in ("otter", "nbgrader"))
    otter("generate", "-t", "tests", "-c", "otter_config.json", "--no-environment")
    for name, file in zip(sorted(answers), files, strict=True):
        handed_in = shutil.make_archive(str(tmp_path / "zip"), "zip", Path(file).parent)
        otter("run", "-a", "autograder.zip", handed_in)
        tests = json.loads((folder / "otter/results.json").read_text())["tests"]
        assert sum(test.get("score", 0) for test in tests) == want[name]
    nbgrader("generate_assignment", "homework")
    nbgrader("autograde", "homework")
    assert not ran.exists(), "student code ran outside the grader"
    nbgrader("export")
    rows = csv.DictReader((folder / "nbgrader/grades.csv").read_text().splitlines())
    assert {row["student_id"]: float(row["score"]) for row in rows} == want
