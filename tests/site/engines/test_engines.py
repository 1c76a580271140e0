"""Readers' tasks in Firefox and WebKit, with real keys and clicks.

Other files test most of them in Chromium.  Tests of a missing engine are skipped; in CI
they fail.
"""

import shutil
import string
from contextlib import suppress
from pathlib import Path

import pytest

from tests.helpers.browsing import math_problems, width_problems
from tests.helpers.skip_or_fail import skip_or_fail
from tests.helpers.temp_clone import wait_until
from tests.site.engines.drivers import STATUS, firefox, webkit
from tests.site.server import serve
from tests.site.test_pages import SAMPLE_PAGES

RUN_TIMEOUT = 600  # seconds, for busy machines
CHAPTER = "chapters/perceptron.html"
EXERCISE = ".cell.tag_stub"
EDITOR = f"{EXERCISE} .cm-content"
CHARACTERS = string.punctuation + "aZ0"
RIGHT = "check.by_hand((2, 3), 5)"
WRONG = "check.by_hand((0, 0), 0)"
LOWER_EDGE = """(selector) => {
    const {left, bottom} = document.querySelector(selector).getBoundingClientRect();
    return [Math.floor(left + 20), Math.floor(bottom - 3)];
}"""
AFTER_A_FRAME = """() => {
    requestAnimationFrame(() => setTimeout(() => (window.drawn = true)));
    return window.drawn === true;
}"""
TOOLS = {  # engine: (programs, Debian packages)
    "firefox": ("firefox", "firefox-esr"),
    "webkit": ("WebKitWebDriver Xvfb", "webkit2gtk-driver and xvfb"),
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=TOOLS)
def engine(request, tmp_path_factory):
    name = request.param
    programs, packages = TOOLS[name]
    if not all(map(shutil.which, programs.split())):
        skip_or_fail(f"no {name}: install the Debian packages {packages}")
    start = {"firefox": firefox, "webkit": webkit}[name]
    with start(tmp_path_factory.mktemp(name)) as engine:
        yield engine


ERRORS: list[str] = []  # errors in the pages


@pytest.fixture(scope="module")
def root(site):
    with serve(site, errors=ERRORS) as root:
        yield root


@pytest.fixture(autouse=True)
def no_errors(root):
    yield
    errors = "\n".join(ERRORS)
    ERRORS.clear()
    assert not errors


@pytest.mark.parametrize("name", SAMPLE_PAGES)
def test_page_renders_and_fits_a_phone(engine, root, name):
    engine.resize(390, 800)
    engine.open(f"{root}/{name}.html")
    engine.wait(AFTER_A_FRAME)  # book.js lets wide boxes scroll
    assert math_problems(engine) == []
    assert width_problems(engine) == []


@pytest.fixture(scope="module")
def chapter(engine, root):
    engine.resize(1280, 900)
    engine.open(f"{root}/{CHAPTER}")
    engine.wait("() => !!window.hsFrames")  # the frames are loaded
    return engine


def test_inline_fractions_are_small(chapter):
    sizes = """() => [...document.querySelectorAll("p math:not([display=block]) mfrac")]
        .filter((mfrac) => mfrac.checkVisibility()).map((mfrac) =>
            parseFloat(getComputedStyle(mfrac.firstElementChild).fontSize) /
            parseFloat(getComputedStyle(mfrac.closest("math")).fontSize))"""
    assert 0.5 < max(chapter.evaluate(sizes)) < 0.9


def test_dropdowns_and_solutions_open_by_click_and_key(chapter):
    for fold in ("details.hide", "details.hs-check", "details.sd-card"):
        is_open = f"(open) => document.querySelector('{fold}').open === open"
        chapter.click(f"{fold} > summary")
        chapter.wait(is_open, True)
        chapter.press("Enter")
        chapter.wait(is_open, False)
    chapter.click(".toggle-button")
    chapter.wait("() => !!document.querySelector('.solution.toggle:not(.toggle-hidden)')")


def test_keys_and_play_change_the_frame_of_an_animation(chapter):
    value = "() => Number(document.querySelector('.hs-animation input').value)"
    frame = "() => document.querySelector('.hs-frame').textContent"
    chapter.click(".hs-animation input")
    chapter.press("Home")
    first = chapter.evaluate(frame)
    chapter.press("ArrowRight")
    assert chapter.evaluate(value) == 1 and chapter.evaluate(frame) != first
    chapter.press("Home")
    assert chapter.evaluate(frame) == first
    chapter.click(".hs-play", "Play")
    chapter.wait(f"() => ({value})() > 1")
    chapter.click(".hs-play", "Pause")


def test_glossary_term_is_underlined_and_tooltip_opens(chapter):
    word = "article a:has(> .std-term)"
    line = f"getComputedStyle(document.querySelector('{word}')).textDecorationLine"
    assert "underline" in chapter.evaluate(f"() => {line}")
    is_open = "(open) => !!document.querySelector('.hs-tip.hs-open') === open"
    chapter.point(word)
    chapter.wait(is_open, True)
    chapter.press("Escape")
    chapter.wait(is_open, False)


# ------------------------------------------------------------------------- an exercise


@pytest.fixture(scope="module")
def exercise(chapter):
    chapter.click(f"{EXERCISE} button", "Edit and run")
    chapter.wait("() => document.activeElement.matches('.cm-content')")
    return chapter


def editor_text(engine):
    """Return the code in the editor."""
    return engine.evaluate(
        f"() => [...document.querySelectorAll('{EDITOR} .cm-line')]"
        ".slice(0, 9).map((line) => line.textContent).join('\\n')"
    )


def replace_code(engine, code):
    engine.click(EDITOR)
    engine.press("Control+a")
    engine.type(code)


def wait_for_text(engine, text, selector=EXERCISE):
    includes = f"document.querySelector('{selector}').innerText.includes(text)"
    engine.wait(f"(text) => {includes}", text, RUN_TIMEOUT)


def focused_text(engine):
    return engine.evaluate("() => document.activeElement.textContent")


def test_editor_keys_indent_code_and_leave_the_editor(exercise):
    replace_code(exercise, CHARACTERS)
    assert editor_text(exercise) == CHARACTERS
    replace_code(exercise, "if x:")
    exercise.press("Enter")
    exercise.type("y")
    exercise.press("ArrowUp")
    exercise.press("Tab")
    assert editor_text(exercise) == "    if x:\n    y"
    exercise.press("Escape")
    exercise.press("Tab")
    assert focused_text(exercise) == "Run"


def test_code_runs_by_key_and_button_and_a_loop_can_be_stopped(exercise):
    replace_code(exercise, WRONG)
    exercise.press("Control+Enter")
    wait_for_text(exercise, "Not yet. With w = [0, 0]")
    replace_code(exercise, RIGHT)
    exercise.press("Escape")
    exercise.press("Tab")
    exercise.press("Enter")
    wait_for_text(exercise, "Right. The run needs")
    assert focused_text(exercise) == "Run"  # the focus is not lost
    replace_code(exercise, "while True: pass")
    exercise.click(f"{EXERCISE} button", "Run")
    exercise.click(f"{EXERCISE} button", "Stop")
    wait_for_text(exercise, "Stopped.")
    no_verdict = f"!document.querySelector('{EXERCISE}').querySelector('.hs-verdict')"
    exercise.wait(f"() => {no_verdict}")
    replace_code(exercise, WRONG)  # Python has restarted
    exercise.press("Control+Enter")
    wait_for_text(exercise, "Not yet. With w = [0, 0]")
    wait_until(lambda: count_worker_threads() <= 1, 60)  # the loop has ended, too


def count_worker_threads() -> int:
    """Count the threads of workers in WebKit; other engines name them otherwise."""
    names = []
    for path in Path("/proc").glob("[0-9]*/task/*/comm"):
        with suppress(OSError):  # the thread may end
            names.append(path.read_text())
    return names.count("WebCore: Worker\n")


def test_answer_is_kept_after_reloading(exercise, root):
    replace_code(exercise, RIGHT)
    exercise.open(f"{root}/{CHAPTER}")
    wait_for_text(exercise, "saved here")
    exercise.click(f"{EXERCISE} button", "Edit and run")
    exercise.wait("() => document.activeElement.matches('.cm-content')")
    assert editor_text(exercise) == RIGHT


def test_search_leads_to_code_and_highlight_can_be_removed(engine, root):
    engine.open(f"{root}/{CHAPTER}")
    engine.press("Control+k")
    engine.wait("() => document.activeElement.matches('input[type=search]')")
    engine.type("searchsorted")
    engine.press("Enter")
    finished = "document.querySelector('#search-results')?.innerText.includes('finished')"
    engine.wait(f"() => {finished}")
    engine.click("#search-results li > a")
    match = "document.querySelector('.bd-article .highlighted')"
    top = f"{match}.getBoundingClientRect().y"
    engine.wait(f"() => {match}.checkVisibility() && scrollY && {top} > 0 && {top} < 900")
    engine.click(".highlight-link *", "Hide Search Matches")
    engine.wait(f"() => !{match}")


# ------------------------------------------------------------------ interactive figures


def test_figure_responds_to_pointer_keys_and_paste(engine, root):
    def wait_for_point(number, state, count=12):
        points = "[...document.querySelectorAll('.hs-handle')]"
        names = f"{points}.map((e) => e.ariaLabel + ', at ' + e.ariaValueText)"
        wanted = [count, number - 1, f"point {number}, {state}"]
        same = f"{points}.length === count && {names}[k] === state"
        engine.wait(f"([count, k, state]) => {same}", wanted, RUN_TIMEOUT)

    engine.resize(1280, 900)
    engine.open(f"{root}/chapters/playground.html")
    engine.wait("() => !!document.querySelector('.hs-grabbable')")
    _, y = engine.point(".hs-handle")
    engine.drag_to(1250, y)
    wait_for_point(1, "plus 1, at 4 and 1.5")
    wait_for_point(2, "plus 1, at 0.5 and 2")
    engine.press("n")
    engine.press("Enter")
    wait_for_point(2, "minus 1, at 0.5 and 2")
    engine.press("ArrowLeft")
    wait_for_point(2, "minus 1, at 0.42 and 2")
    engine.click(".hs-grab button", "Start over")
    wait_for_point(2, "plus 1, at 0.5 and 2")
    engine.click(".hs-grab button", "Add")
    wait_for_point(1, "plus 1, at −1 and 1.5", count=13)
    engine.click(".hs-paste textarea")
    engine.type("0,0,-1~1,1,1")
    for keys in ("Control+a", "Control+c", "ArrowRight", "Control+v"):
        engine.press(keys)
    wait_for_point(1, "minus 1, at 0 and 0", count=2)


# ------------------------------------------------------------------------------ practice


def test_proof_is_ordered_by_pointer_and_keys_and_stored(engine, root):
    def line(key):
        return f".hs-order [data-key={key}]"

    def wait_for(text):
        wait_for_text(engine, text, ".hs-order [role=status]")

    engine.resize(390, 800)
    engine.open(f"{root}/chapters/proofs.html")
    for key in "dabcefg":
        engine.click(line(key))
    engine.click(".hs-order button", "Check")
    wait_for("Not yet. Every line uses only lines before it, but some lines are missing.")
    engine.click(line("h"))
    wait_for("Now line 8.")
    engine.press("ArrowUp")
    wait_for("Now line 7.")
    engine.click(".hs-order button", "Check")
    wait_for("Not yet. Line 7 uses a line that does not come before it: Together")
    assert width_problems(engine) == []
    engine.point(f"{line('h')} .hs-handle")
    x, y = engine.evaluate(LOWER_EDGE, line("g"))
    engine.drag_to(x, y)
    wait_for("Now line 8.")
    engine.click(".hs-order button", "Check")
    wait_for("Right.")
    engine.open(f"{root}/chapters/proofs.html")
    engine.wait("() => document.querySelector('h2 .hs-mark').textContent === '✓ solved'")


IS_CHOSEN = """() => [...document.querySelectorAll(".hs-review label")]
    .find((label) => label.textContent.includes("The perceptron"))
    .querySelector("input").checked"""


def test_wrong_answer_to_a_review_question_gets_a_verdict(engine, root):
    verdict = "document.querySelector('.hs-review .hs-verdict')"
    engine.resize(390, 800)
    engine.open(f"{root}/chapters/review.html")
    engine.wait("() => !!document.querySelector('.hs-review button')")  # added by a script
    engine.wait("() => document.fonts.status === 'loaded'")  # the layout is stable
    if not engine.evaluate(IS_CHOSEN):  # an exercise of the chapter was not started
        engine.click(".hs-review label", "The perceptron")
    engine.wait(IS_CHOSEN)
    engine.click(".hs-review button", "Ask me")
    for _ in range(3):
        engine.wait(f"() => document.querySelector('.hs-ask') && !{verdict}")
        assert width_problems(engine) == []
        if engine.evaluate("() => document.activeElement.matches('input')"):
            engine.type("0.123")
            engine.press("Enter")
        else:
            engine.click(".hs-review button", "I do not know")
        engine.wait(f"() => {verdict}?.textContent.startsWith('Not yet.')")
        assert focused_text(engine) == "Next"
        engine.press("Enter")
    engine.open(f"{root}/chapters/review.html")
    engine.wait("() => !!document.querySelector('.hs-review input:checked')")


def test_chapter_runs_and_its_animation_is_redrawn(engine, root):
    engine.open(f"{root}/chapters/geometry.html")
    engine.click("button", "Run this chapter")
    engine.wait("() => document.documentElement.dataset.chapterRuns", seconds=RUN_TIMEOUT)
    assert "all of them ran" in " ".join(engine.evaluate(STATUS))
    frame = "() => document.querySelector('.hs-frame').innerHTML"
    engine.click(".hs-animation input")
    engine.press("Home")
    first = engine.evaluate(frame)
    engine.press("ArrowRight")
    engine.wait(f"(first) => ({frame})() !== first", first)
