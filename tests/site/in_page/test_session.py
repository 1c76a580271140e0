"""A reader's session: edit, run, stop, start over, come back; and what can go wrong."""

import re

import pytest
from browsing import access_problems, visiting, width_problems
from fetching import fetch
from reader import Exercise, serving

PAGE = "chapters/perceptron.html"
RIGHT = "check.by_hand((2, 3), 5)"
WEB_TYPES = (".wasm", ".whl", ".zip", ".json")


@pytest.fixture(scope="module")
def reading(browser, site):
    """A visit, its first exercise, and what was asked for after the page had loaded."""
    with serving(site) as root, visiting(browser, root, PAGE) as visit:
        asked = []
        visit.page.on("request", lambda request: asked.append(request.url))
        yield visit, Exercise(visit.page, "by_hand"), asked


def test_nothing_is_fetched_before_the_click(reading):
    visit, exercise, asked = reading
    visit.page.wait_for_timeout(500)
    assert asked == []
    exercise.open()
    assert any("in-page/editor.js" in address for address in asked)


def test_the_checker_answers_to_a_button_and_to_a_key(reading):
    _, exercise, _ = reading
    said = exercise.run("check.by_hand((0, 0), 0)")
    assert said.startswith("Not yet. With w = [0, 0] example 1 has the margin 0")
    assert exercise.run(RIGHT, "Control+Enter").startswith("Right. The run needs")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ('print("hello")\n1 / 0', "hello\n"),
        ("x = 1\n1 / 0", 'File "<your code>", line 2'),
        ("def f(:", "SyntaxError"),
        ("class A:\n    __repr__ = lambda self: '<b>x</b>'\nA()", "<b>x</b>"),
        ("np.linspace(0, 1, 3)", "array([0. , 0.5, 1. ])"),
        ("nothing", "NameError: name 'nothing' is not defined"),
        ("np.linalg.solve(np.zeros((2, 2)), np.ones(2))", "LinAlgError: Singular matrix"),
        ("X4.shape", "(4, 2)"),
    ],
)
def test_what_the_code_gave_is_shown_as_text(reading, code, said):
    _, exercise, _ = reading
    answer = exercise.run(code)
    assert said in answer and "driver" not in answer
    assert exercise.cell.locator(".cell_output b").count() == 0


def test_run_keeps_the_focus_and_says_of_which_exercise_it_is(reading):
    visit, exercise, _ = reading
    exercise.run("1 + 1")
    run = exercise.button("Run")
    run.focus()
    runs = exercise.runs + 1
    visit.page.keyboard.press("Enter")
    exercise.runs = runs
    exercise.finish()
    assert run.evaluate("(e) => e === document.activeElement")
    for cell in visit.page.locator(".cell.tag_stub").all():
        described = cell.locator(".hs-run").evaluate(
            "(e) => document.getElementById(e.getAttribute('aria-describedby')).textContent"
        )
        assert re.match(r"Exercise 3\.\d", described.strip())
    label = exercise.cell.locator(".cm-content").get_attribute("aria-label")
    assert label.startswith("Your code for Exercise 3.1")


def test_a_loop_is_stopped_and_python_starts_again(reading):
    visit, exercise, _ = reading
    exercise.run(RIGHT)
    exercise.start("while True: pass")
    exercise.cell.locator(".hs-old").wait_for()  # the answer of before, dimmed
    exercise.button("Stop").dblclick()
    exercise.finish()
    assert exercise.status.startswith("Stopped. Is there a loop that never ends?")
    assert exercise.answer == ""
    assert exercise.code == "while True: pass"
    assert exercise.run(RIGHT).startswith("Right. ")
    assert len(visit.page.workers) == 1  # and the loop does not go on unseen


@pytest.mark.parametrize("code", ["'x' * 50_000_000", "for k in range(10**6): print(k)"])
def test_of_a_huge_output_the_beginning_is_shown(reading, code):
    _, exercise, _ = reading
    answer = exercise.run(code)
    assert len(answer) < 101_000
    assert re.search(r"first 100,000 of [\d,]+ characters", answer)


def test_a_later_exercise_knows_the_function_of_an_earlier_one(reading):
    visit, exercise, _ = reading
    exercise.run("def my_double(x):\n    return 2 * x\nX4 = 0")
    later = Exercise(visit.page, "certificate").open()
    assert later.run("my_double(21)") == "42"
    assert later.run("X4.shape") == "(4, 2)", "a name of the chapter is the chapter's"
    later.run("my_half = 0.5")
    assert "NameError" in exercise.run("my_half")


def test_everyone_can_use_the_editor(reading):
    visit, exercise, _ = reading
    page = visit.page
    exercise.cell.locator(".cm-content").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Run"
    assert width_problems(page, 390) == []


def test_start_over_restores_the_stub_and_what_it_said(reading):
    _, exercise, _ = reading
    exercise.run("check.by_hand((2, 3), 4)")
    exercise.button("Start over").click()
    assert exercise.answer == "Not tried yet."
    assert exercise.code.startswith("my_w, my_updates = ..., ...")
    assert "Undo" in exercise.status
    exercise.button("Undo").click()
    assert exercise.code == "check.by_hand((2, 3), 4)"
    exercise.button("Start over").click()


def test_the_page_stays_accessible_with_the_editor_open(reading):
    visit, _, _ = reading
    axe = (fetch() / "tests" / "axe.min.js").read_text()
    assert access_problems(visit.page, axe) == []


@pytest.mark.parametrize("code", ["os._exit(1)", "os.abort()", "del builtins.len"])
def test_code_that_ends_python_gets_a_sentence_and_the_next_run_works(reading, code):
    _, exercise, _ = reading
    exercise.run(f"import builtins, os\n{code}")
    assert exercise.answer == ""
    assert exercise.status in ("Done; nothing was printed.", ENDED)
    assert exercise.run(RIGHT).startswith("Right. ")


ENDED = "Your code ended Python itself. It starts again with the next run."


@pytest.mark.slow
def test_a_server_that_knows_no_types_is_good_enough(browser, site):
    with serving(site, typeless=WEB_TYPES) as root, visiting(browser, root, PAGE) as visit:
        assert Exercise(visit.page, "by_hand").open().run(RIGHT).startswith("Right. ")


@pytest.mark.slow
@pytest.mark.parametrize(
    "file", ["pyodide.asm.wasm", "pyodide.js", "driver.py", ".whl", "perceptron.json"]
)
def test_a_missing_file_is_said_in_a_sentence(browser, site, file):
    with serving(site, lost=(file,)) as root, visiting(browser, root, PAGE) as visit:
        exercise = Exercise(visit.page, "by_hand").open()
        exercise.run(RIGHT)
        assert exercise.status.startswith("Python could not be started: ")
        assert exercise.button("Run").is_enabled()


def test_from_a_folder_the_button_says_what_to_do(browser, site):
    with visiting(browser, site.as_uri(), PAGE) as visit:
        exercise = Exercise(visit.page, "by_hand")
        exercise.button("Edit and run").click()
        assert "make serve" in exercise.status
        assert visit.complaints == []
