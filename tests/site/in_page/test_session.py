"""Edit, run and stop code, start over and reload, with failures of the server."""

import re
import string
from types import SimpleNamespace

import pytest

from halfspaces.exercises.perceptron import by_hand, same_count
from tests.helpers.browsing import accessibility_problems, open_page, width_problems
from tests.site.in_page.reader import LISTEN, Exercise, Figure
from tests.site.server import serve

slow = pytest.mark.slow
PAGE, FIRST = "chapters/perceptron.html", "chapters/intro.html"
RIGHT, WRONG = "check.by_hand((2, 3), 5)", "check.by_hand((2, 4), 5)"
PYTHON_ENDED = "Your code ended Python itself. It starts again with the next run."
NUMPY = "numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
SCIPY = "scipy-1.18.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
TRACEBACK = "Traceback (most recent call last):\n"
ENDLESS_LOOP = "check.my_perceptron(lambda X, y: [0 for _ in iter(int, 1)])"
LIMIT = "was stopped after 2,000,000 steps or 10 seconds. Is there a loop that never ends?"
CHARACTERS = string.punctuation + "aZ0"
WEB_TYPES = (".wasm", ".whl", ".zip", ".json")
FILL_STORAGE = """() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = () => { throw new Error("full"); };
    window.emptyStorage = () => void (Storage.prototype.setItem = setItem);
}"""


@pytest.fixture(scope="module")
def session(browser, site):
    """A visit, its first exercise, and the faults of its server, which tests change."""
    missing, held = [SCIPY], [".wasm", "stdlib.zip", NUMPY]
    server = serve(site, missing=missing, slow=held)
    with server as root, open_page(browser, root, PAGE) as visit:
        exercise = Exercise(visit.page, "by_hand")
        yield SimpleNamespace(visit=visit, exercise=exercise, missing=missing, held=held)


@pytest.fixture
def exercise(session):
    return session.exercise


def marks(page):
    return [text for text in page.locator(".hs-mark").all_inner_texts() if text]


def test_nothing_is_fetched_before_a_click_and_offline_is_reported(session):
    page, exercise, requests = session.visit.page, session.exercise, []
    assert exercise.output == "Not tried yet." and set(marks(page)) == {"not tried"}
    page.on("request", lambda request: requests.append(request.url))
    page.context.set_offline(True)
    page.wait_for_timeout(500)
    assert requests == []
    assert re.match(r"Fetches Python, 1\d MB, once\.", exercise.status)
    exercise.button("Edit and run").click()
    exercise.cell.get_by_text("The book's server does not answer.").wait_for()
    page.context.set_offline(False)


def test_loading_progress_is_shown(session, exercise):
    session.visit.page.evaluate(LISTEN)
    exercise.open().start(WRONG)  # while Python is loading
    session.held.clear()
    assert exercise.wait_for_output().startswith("Not yet. With w = [2, 4] example 2")
    assert marks(session.visit.page)[0] == "tried"
    assert session.visit.page.evaluate("spoken") == ["Python is loading."]
    statuses = session.visit.page.evaluate("statuses")
    matches = [re.search(r"loading Python, (\d+) of (\d+) MB", text) for text in statuses]
    assert len({match[1] for match in matches if match}) >= 5
    assert len({match[2] for match in matches if match}) == 1
    starting = statuses.index("Getting Python ready: starting Python …")
    assert statuses.index("Running …", statuses.index("Running …") + 1) > starting
    running = statuses.index("Running …")  # status after the click
    assert statuses[running + 1].startswith("Getting Python ready: loading")
    w, updates = by_hand.build(7).solution
    exercise.run(f"check.by_hand.another(7)({w.tolist()}, {updates})")
    assert exercise.output.endswith(" (Seed 7.)")
    assert marks(session.visit.page)[0] == "solved with other numbers"


@slow
def test_missing_package_fails_only_one_run(session, exercise):
    session.held.clear()
    exercise.run("1")
    (worker,) = session.visit.page.workers
    assert exercise.run("import scipy") == ""
    assert exercise.status.startswith("The package scipy could not be fetched.")
    assert exercise.run(RIGHT).startswith("Right. ")
    session.missing.clear()
    assert exercise.run("import scipy\nscipy.__name__") == "'scipy'"
    assert session.visit.page.workers == [worker]


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ('print("hello")\n1 / 0', f'hello\n\n{TRACEBACK}  File "<your code>", line 2'),
        ("x = 1\nx = = 2", "Python cannot read line 2 of your code, x = = 2 (inv"),
        ("class A:\n    __repr__ = lambda self: '<b>x</b>'\nA()", "<b>x</b>"),
        ("np.linalg.solve(np.zeros((2, 2)), np.ones(2))", "LinAlgError: Singular matrix"),
        pytest.param(ENDLESS_LOOP, LIMIT, marks=slow),
    ],
)
def test_output_is_shown_as_text(exercise, code, output):
    text = exercise.run(code)
    assert output in text and "driver" not in text
    assert exercise.cell.locator(".cell_output b").count() == 0


@slow
def test_figures_of_pyplot_are_shown(session, exercise):
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nplt.plot([3])"
    assert "Traceback" not in exercise.run(code)
    figures = exercise.cell.locator(".cell_output svg[aria-label='Your figure']")
    assert figures.count() == 1
    code = f"import matplotlib.pyplot as plt\nplt.plot([1])\n{RIGHT}"
    assert exercise.run(code).startswith("Right.")
    assert figures.count() == 1


def test_buttons_and_editor_name_their_exercise(session, exercise):
    page = session.visit.page
    for cell in page.locator(".cell.tag_stub").all():
        name = cell.locator(".hs-run").get_attribute("aria-describedby")
        assert re.match(r"\s*Exercise 3\.\d", page.locator(f"#{name}").text_content())
    label = exercise.cell.locator(".cm-content").get_attribute("aria-label")
    assert label.startswith("Your code for Exercise 3.1")


def test_editor_takes_every_character_and_its_keys(session, exercise):
    keys = session.visit.page.keyboard
    exercise.cell.locator(".cm-content").click()
    keys.press("Control+A")
    keys.type(CHARACTERS)
    assert exercise.code == CHARACTERS
    keys.press("Control+A")
    keys.type("if x:\ny")
    keys.press("ArrowUp")
    keys.press("Tab")
    assert exercise.code == "    if x:\n    y"
    keys.press("Escape")
    keys.press("Tab")
    assert exercise.button("Run").evaluate("(e) => e === document.activeElement")


def test_stop_ends_a_loop_and_restarts_python(session, exercise):
    assert exercise.run(RIGHT, "Control+Enter").startswith("Right. The run needs")
    exercise.start("while True: pass")
    exercise.cell.locator(".hs-old").wait_for()  # the previous output, dimmed
    exercise.button("Stop").dblclick()
    exercise.wait_for_output()
    assert exercise.status.startswith("Stopped. Is there a loop that never ends?")
    assert exercise.output == ""
    assert exercise.code == "while True: pass"
    assert exercise.run(RIGHT).startswith("Right. ")
    page = session.visit.page
    for _ in range(50):  # a worker ends with a delay
        page.wait_for_timeout(100 * (len(page.workers) > 1))
    assert len(page.workers) == 1  # the loop has ended


def test_huge_output_is_truncated(exercise):
    output = exercise.run("print('x' * 50_000_000)\n'x' * 50_000_000")
    assert len(output) < 201_000 and output.count("first 100,000 of 50,000,00") == 2


def test_later_exercise_can_use_earlier_function(session, exercise):
    exercise.run("def my_double(number):\n    return 2 * number\nX4 = 0")
    later = Exercise(session.visit.page, "certificate").open()
    # X4 is the chapter's variable
    assert later.run("my_half = 0.5\nmy_double(21), X4.shape") == "(42, (4, 2))"
    assert "NameError" in exercise.run("my_half")


@slow
def test_opening_the_editor_shifts_nothing_and_fits_a_phone(session):
    page, exercise = session.visit.page, Exercise(session.visit.page, "my_perceptron")
    top = "(cell) => cell.nextElementSibling.getBoundingClientRect().top + scrollY"
    before = exercise.cell.evaluate(top)
    exercise.open()
    assert abs(exercise.cell.evaluate(top) - before) <= 2
    desktop = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 800})
    size = "(e) => parseFloat(getComputedStyle(e).fontSize)"
    assert exercise.cell.locator(".cm-content").evaluate(size) >= 16
    exercise.run(f'"{"long " * 30}{"x" * 300}"')
    wide = "(e) => e.scrollWidth > e.clientWidth + 1"
    for part in (".cm-scroller", ".cell_output pre"):
        assert not exercise.cell.locator(part).evaluate(wide), part
    assert width_problems(page) == []
    page.set_viewport_size(desktop)


def test_start_over_restores_stub_and_output(exercise):
    exercise.run("check.by_hand((2, 3), 4)")
    exercise.button("Start over").click()
    assert exercise.output == "Not tried yet."
    assert exercise.code.startswith("my_w, my_updates = ..., ...")
    assert "Undo" in exercise.status
    exercise.button("Undo").click()
    assert exercise.code == "check.by_hand((2, 3), 4)"
    exercise.button("Start over").click()


@slow
@pytest.mark.parametrize("code", ["os._exit(1)", "del builtins.len"])
def test_python_restarts_after_code_that_ends_it(session, exercise, code):
    session.held.clear()
    exercise.run(f"import builtins, os\n{code}")
    assert exercise.output == ""
    assert exercise.status in ("Done; nothing was printed.", PYTHON_ENDED)
    assert exercise.run(RIGHT).startswith("Right. ")


def test_question_with_new_numbers_is_complete_and_graded(session):
    page, exercise = session.visit.page, Exercise(session.visit.page, "same_count")
    questions = []
    exercise.open().run("check.same_count.another(9)(...)")  # a seed typed by the reader
    question = exercise.cell.locator(".hs-task")
    assert question.inner_text().startswith("Seed 9. The perceptron runs")
    exercise.run("x = 1\ncheck.same_count(...)")
    assert question.inner_text() == ""
    for seed in (1, 2):
        exercise.button("Other numbers").click()
        task = page.locator(".hs-task", has_text=f"Seed {seed}.")
        task.wait_for()
        questions.append(task.inner_text())
    assert exercise.code == "x = 1\ncheck.same_count.another(2)(...)"
    first, second = (words.splitlines() for words in questions)
    assert first[0].startswith("Seed 1. The perceptron runs on separable data")
    assert [line[:3] for line in first[1:]] == [f"{k}. " for k in range(1, 7)]
    assert second[0].startswith("Seed 2. ") and first[1:] != second[1:]
    *values, letter = same_count.build(2).solution[0]
    verdict = exercise.run(f"check.same_count.another(2)({[not v for v in values]})")
    assert verdict.startswith("Not yet. ") and verdict.endswith(" (Seed 2.)")
    verdict = exercise.run(f"check.same_count.another(2)({values}, {letter!r})")
    assert verdict.startswith("Right. ") and "Number " in verdict
    assert task.inner_text() == questions[1]


@slow
def test_answer_lasts_until_reload_without_storage(session, exercise):
    exercise.run(WRONG)
    session.visit.page.evaluate(FILL_STORAGE)
    exercise.cell.locator(".cm-content").click()
    session.visit.page.keyboard.type("#")
    assert exercise.status.startswith("The browser does not keep your answer")
    assert exercise.run(RIGHT).startswith("Right. ")
    assert marks(session.visit.page)[0] == "✓ solved"
    session.visit.page.evaluate("emptyStorage()")


def test_slider_ends_at_the_last_update(session):
    figure = Figure(session.visit.page)
    updates = figure.text(".hs-numbers li:first-child b")
    assert figure.slider.get_attribute("max") == updates
    assert figure.text("output") == updates
    assert f"Update {updates} of {updates}." in figure.text("figcaption")


@slow
def test_page_with_open_editor_and_figure_is_accessible(session):
    """A question with other numbers returns after the page is reloaded."""
    page, exercise = session.visit.page, Exercise(session.visit.page, "same_count")
    exercise.start("check.same_count.another(2)(...)")
    task = page.locator(".hs-task", has_text="Seed 2.")
    task.wait_for()
    assert accessibility_problems(page) == []  # this empties formulas
    page.reload()
    exercise.open()
    task.wait_for()


@slow
def test_progress_is_stored_until_deleted(session, exercise, tmp_path):
    page = session.visit.page
    exercise.run(RIGHT)
    Exercise(page, "certificate").run(RIGHT)  # the answer to another exercise
    exercise.run(WRONG)
    page.reload()
    assert marks(page)[:2] == ["✓ solved", "tried"] and "not tried" in marks(page)
    solved = f"{marks(page).count('✓ solved')} of 9 solved"
    assert marks(page)[-1] == solved
    assert exercise.output.startswith("Not yet. With w = [2, 4] example 2")
    assert exercise.open().code == WRONG
    exercise.button("Start over").click()
    assert exercise.output == "Not tried yet."

    page.goto(page.url.replace(PAGE, FIRST))
    assert solved in marks(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my answers").click()
    saved, other = tmp_path / "saved.json", tmp_path / "other.json"
    download.value.save_as(saved)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget them").click()
    assert marks(page) == []
    other.write_text('{"another": "file"}')
    message = "other.json holds no answers of this book. Nothing was changed."
    for file, sentence in ((other, message), (saved, "Loaded.")):
        page.locator("input[type=file]").set_input_files(file)
        page.get_by_text(sentence).wait_for()
    assert marks(page) == [solved]


@slow
def test_exercise_runs_from_a_server_without_mime_types(browser, site):
    with serve(site, untyped=WEB_TYPES) as root, open_page(browser, root, PAGE) as visit:
        assert Exercise(visit.page, "by_hand").open().run(RIGHT).startswith("Right. ")


@slow
@pytest.mark.parametrize("file", ["pyodide.asm.wasm", ".whl", "perceptron.json"])
def test_missing_file_is_reported(browser, site, file):
    with serve(site, missing=(file,)) as root, open_page(browser, root, PAGE) as visit:
        exercise = Exercise(visit.page, "by_hand").open()
        exercise.run(RIGHT)
        assert exercise.status.startswith("Python could not be started: ")
        assert exercise.button("Run").is_enabled()
