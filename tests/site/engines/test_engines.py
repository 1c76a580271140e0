"""What readers do, in Chromium, Firefox and WebKit, by real keys and clicks.

An engine that is not installed is skipped, and in CI that is a failure.
"""

import os
import shutil
import string

import pytest

from tests.helpers.browsing import math_problems, too_wide
from tests.site.engines.drivers import STATUS, chromium, firefox, webkit
from tests.site.serving import serving
from tests.site.test_pages import PAGES

PYTHON = 600  # seconds, with other browsers and tests running
CHAPTER = "chapters/perceptron.html"
EXERCISE = ".cell.tag_stub"
EDITOR = f"{EXERCISE} .cm-content"
SIGNS = string.punctuation + "aZ0"
RIGHT = "check.by_hand((2, 3), 5)"
WRONG = "check.by_hand((0, 0), 0)"
BELOW = """(selector) => {
    const {left, bottom} = document.querySelector(selector).getBoundingClientRect();
    return [Math.floor(left + 20), Math.floor(bottom - 3)];
}"""
ENDLESS = "check.my_perceptron(lambda X, y: [0 for _ in iter(int, 1)])"
NEEDS = {  # program -> Debian package
    "firefox": ("firefox", "firefox-esr"),
    "webkit": ("WebKitWebDriver Xvfb", "webkit2gtk-driver and xvfb"),
}

slow = pytest.mark.slow
OTHERS = [pytest.param(name, marks=slow) for name in NEEDS]
# Other files test the same in Chromium: pages, session, interactive, review_page, offline.
in_the_others = pytest.mark.parametrize("engine", OTHERS, indirect=True)


@pytest.fixture(scope="session", params=["chromium", *OTHERS])
def engine(request, tmp_path_factory):
    name = request.param
    if name == "chromium":
        started = chromium(request.getfixturevalue("browser"))
    else:
        programs, packages = NEEDS[name]
        if not all(map(shutil.which, programs.split())):
            say = pytest.fail if os.environ.get("CI") else pytest.skip
            say(f"no {name} to try the pages in: install Debian's {packages}")
        start = {"firefox": firefox, "webkit": webkit}[name]
        started = start(tmp_path_factory.mktemp(name))
    with started as engine:
        yield engine


ERRORS: list[str] = []  # errors in the pages


@pytest.fixture(scope="module")
def root(site):
    with serving(site, errors=ERRORS) as root:
        yield root


@pytest.fixture(autouse=True)
def no_errors(root):
    yield
    errors = "\n".join(ERRORS)
    ERRORS.clear()
    assert not errors


@in_the_others
@pytest.mark.parametrize("name", PAGES)
def test_page_renders_and_fits_a_phone(engine, root, name):
    engine.size(390, 800)
    engine.open(f"{root}/{name}.html")
    assert math_problems(engine) == []
    assert too_wide(engine) == []


@pytest.fixture(scope="module")
def chapter(engine, root):
    engine.size(1280, 900)
    engine.open(f"{root}/{CHAPTER}")
    engine.wait("() => !!window.hsFrames")  # the frames are loaded
    return engine


def test_inline_fractions_are_small(chapter):
    sizes = """() => [...document.querySelectorAll("p math:not([display=block]) mfrac")]
        .filter((mfrac) => mfrac.checkVisibility()).map((mfrac) =>
            parseFloat(getComputedStyle(mfrac.firstElementChild).fontSize) /
            parseFloat(getComputedStyle(mfrac.closest("math")).fontSize))"""
    assert 0.5 < max(chapter.evaluate(sizes)) < 0.9


@in_the_others
def test_picture_moves_by_keys_and_play(chapter):
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


def test_folds_and_solutions_open_by_click_and_key(chapter):
    for fold in ("details.hide", "details.hs-check", "details.sd-card"):
        is_open = f"(open) => document.querySelector('{fold}').open === open"
        chapter.click(f"{fold} > summary")
        chapter.wait(is_open, True)
        chapter.press("Enter")
        chapter.wait(is_open, False)
    chapter.click(".toggle-button")
    chapter.wait("() => !!document.querySelector('.solution.toggle:not(.toggle-hidden)')")


@in_the_others
def test_search_term_is_highlighted_and_tooltip_opens(chapter):
    word = "article a:has(> .std-term)"
    line = f"getComputedStyle(document.querySelector('{word}')).textDecorationLine"
    assert "underline" in chapter.evaluate(f"() => {line}")
    shown = "(shown) => !!document.querySelector('.hs-tip.hs-open') === shown"
    chapter.point(word)
    chapter.wait(shown, True)
    chapter.press("Escape")
    chapter.wait(shown, False)


def test_dark_mode(chapter):
    dark = """() => {
        const {color, backgroundColor} = getComputedStyle(document.body);
        const light = (color) => Number(color.match(/\\d+/));
        return light(color) > light(backgroundColor);
    }"""
    for _ in range(3):  # modes, one of them dark
        chapter.click(".theme-switch-button")
        if found := chapter.evaluate(dark):
            break
    assert found


# ------------------------------------------------------------------------- an exercise


@pytest.fixture(scope="module")
def exercise(chapter):
    chapter.click(f"{EXERCISE} button", "Edit and run")
    chapter.wait("() => document.activeElement.matches('.cm-content')")
    return chapter


def text(engine):
    """Return the code in the editor."""
    return engine.evaluate(
        f"() => [...document.querySelectorAll('{EDITOR} .cm-line')]"
        ".slice(0, 9).map((line) => line.textContent).join('\\n')"
    )


def write(engine, code):
    engine.click(EDITOR)
    engine.press("Control+a")
    engine.type(code)


def says(engine, words, where=EXERCISE):
    found = f"document.querySelector('{where}').innerText.includes(words)"
    engine.wait(f"(words) => {found}", words, PYTHON)


def focused(engine):
    return engine.evaluate("() => document.activeElement.textContent")


def test_typed_characters_arrive(exercise):
    write(exercise, SIGNS)
    assert text(exercise) == SIGNS


def test_editor_keys(exercise):
    write(exercise, "if x:")
    exercise.press("Enter")
    exercise.type("y")
    exercise.press("ArrowUp")
    exercise.press("Tab")
    assert text(exercise) == "    if x:\n    y"
    exercise.press("Escape")
    exercise.press("Tab")
    assert focused(exercise) == "Run"


@in_the_others
def test_run_by_key_and_button_and_stop_a_loop(exercise):
    write(exercise, WRONG)
    exercise.press("Control+Enter")
    says(exercise, "Not yet. With w = [0, 0]")
    write(exercise, RIGHT)
    exercise.press("Escape")
    exercise.press("Tab")
    exercise.press("Enter")
    says(exercise, "Right. The run needs")
    assert focused(exercise) == "Run"  # the focus is not lost
    write(exercise, "while True: pass")
    exercise.click(f"{EXERCISE} button", "Run")
    exercise.click(f"{EXERCISE} button", "Stop")
    says(exercise, "Stopped.")
    gone = f"!document.querySelector('{EXERCISE}').querySelector('.hs-verdict')"
    exercise.wait(f"() => {gone}")
    write(exercise, ENDLESS)
    exercise.press("Control+Enter")
    says(exercise, "was stopped after")
    write(exercise, WRONG)
    exercise.press("Control+Enter")
    says(exercise, "Not yet. With w = [0, 0]")


@in_the_others
def test_answer_is_stored(exercise, root):
    write(exercise, RIGHT)
    exercise.open(f"{root}/{CHAPTER}")
    says(exercise, "kept")
    exercise.click(f"{EXERCISE} button", "Edit and run")
    exercise.wait("() => document.activeElement.matches('.cm-content')")
    assert text(exercise) == RIGHT


def test_search_leads_to_code_and_highlight_can_be_removed(engine, root):
    engine.open(f"{root}/{CHAPTER}")
    engine.press("Control+k")
    engine.wait("() => document.activeElement.matches('input[type=search]')")
    engine.type("searchsorted")
    engine.press("Enter")
    done = "document.querySelector('#search-results')?.innerText.includes('finished')"
    engine.wait(f"() => {done}")
    engine.click("#search-results li > a")
    marked = "document.querySelector('.bd-article .highlighted')"
    top = f"{marked}.getBoundingClientRect().y"
    engine.wait(f"() => {marked}.checkVisibility() && scrollY && {top} > 0 && {top} < 900")
    engine.click(".highlight-link *", "Hide Search Matches")
    engine.wait(f"() => !{marked}")


# --------------------------------------------------------------- a figure that is grabbed


@in_the_others
def test_figure_responds_to_pointer_and_keys(engine, root):
    def wait_for_status(number, words):
        grip = f"document.querySelectorAll('.hs-grip')[{number - 1}]"
        name = f"{grip}.ariaLabel + ', at ' + {grip}.ariaValueText"
        engine.wait(f"(words) => {name} === words", f"point {number}, {words}", PYTHON)

    engine.size(1280, 900)
    engine.open(f"{root}/chapters/svm.html")
    engine.wait("() => !!document.querySelector('.hs-grabbable')")
    _, y = engine.point(".hs-grip")
    engine.drag_to(1250, y)
    wait_for_status(1, "plus 1, at 4.2 and 1")
    wait_for_status(2, "plus 1, at 2 and −1")
    engine.press("n")
    engine.press("Enter")
    wait_for_status(2, "minus 1, at 2 and −1")
    engine.press("ArrowLeft")
    wait_for_status(2, "minus 1, at 1.94 and −1")
    engine.click(".hs-grab button", "Start over")
    wait_for_status(2, "plus 1, at 2 and −1")


@in_the_others
def test_points_are_added_dragged_and_pasted(engine, root):
    def has(count, first):
        there = "document.querySelectorAll('.hs-grip')"
        name = f"{there}[0].ariaLabel + ', at ' + {there}[0].ariaValueText"
        same = f"{there}.length === n && {name} === first"
        engine.wait(f"([n, first]) => {same}", [count, first], PYTHON)

    engine.size(1280, 900)
    engine.open(f"{root}/chapters/playground.html")
    engine.wait("() => !!document.querySelector('.hs-grabbable')")
    engine.click(".hs-grab button", "Add")
    has(13, "point 1, plus 1, at −1 and 1.5")
    _, y = engine.point(".hs-grip")
    engine.drag_to(1250, y)
    has(13, "point 1, plus 1, at 4 and 1.5")
    engine.click(".hs-own textarea")
    engine.type("0,0,-1~1,1,1")
    for keys in ("Control+a", "Control+c", "ArrowRight", "Control+v"):
        engine.press(keys)
    has(2, "point 1, minus 1, at 0 and 0")


# ------------------------------------------------------------------------------ practice


def test_proof_is_ordered_by_pointer_and_keys_and_stored(engine, root):
    def line(key):
        return f".hs-order [data-key={key}]"

    def status(words):
        says(engine, words, ".hs-order [role=status]")

    engine.size(390, 800)
    engine.open(f"{root}/chapters/proofs.html")
    for key in "dabcefg":
        engine.click(line(key))
    engine.click(".hs-order button", "Check")
    status("Not yet. Every line uses only lines before it, but some lines are missing.")
    engine.click(line("h"))
    status("Now line 8.")
    engine.press("ArrowUp")
    status("Now line 7.")
    engine.click(".hs-order button", "Check")
    status("Not yet. Line 7 uses a line that does not come before it: Together")
    assert too_wide(engine) == []
    engine.point(f"{line('h')} .hs-grip")
    x, y = engine.evaluate(BELOW, line("g"))
    engine.drag_to(x, y)
    status("Now line 8.")
    engine.click(".hs-order button", "Check")
    status("Right.")
    engine.open(f"{root}/chapters/proofs.html")
    engine.wait("() => document.querySelector('h2 .hs-mark').textContent === '✓ solved'")


CHOSEN = """() => [...document.querySelectorAll(".hs-review label")]
    .find((label) => label.textContent.includes("The perceptron"))
    .querySelector("input").checked"""


@in_the_others
def test_review_question_with_wrong_answer(engine, root):
    verdict = "document.querySelector('.hs-review .hs-verdict')"
    engine.size(390, 800)
    engine.open(f"{root}/chapters/review.html")
    engine.wait("() => !!document.querySelector('.hs-review button')")  # added by a script
    engine.wait("() => document.fonts.status === 'loaded'")  # the layout is stable
    if not engine.evaluate(CHOSEN):  # an exercise of the chapter was not started
        engine.click(".hs-review label", "The perceptron")
    engine.wait(CHOSEN)
    engine.click(".hs-review button", "Ask me")
    for _ in range(3):
        engine.wait(f"() => document.querySelector('.hs-ask') && !{verdict}")
        assert too_wide(engine) == []
        if engine.evaluate("() => document.activeElement.matches('input')"):
            engine.type("0.123")
            engine.press("Enter")
        else:
            engine.click(".hs-review button", "I do not know")
        engine.wait(f"() => {verdict}?.textContent.startsWith('Not yet.')")
        assert focused(engine) == "Next"
        engine.press("Enter")
    engine.open(f"{root}/chapters/review.html")
    engine.wait("() => !!document.querySelector('.hs-review input:checked')")


@in_the_others
def test_chapter_runs(engine, root):
    engine.open(f"{root}/{CHAPTER}")
    engine.click("button", "Run this chapter")
    engine.wait("() => document.documentElement.dataset.chapterRuns", seconds=PYTHON)
    assert "all of them ran" in " ".join(engine.evaluate(STATUS))
    frame = "() => document.querySelector('.hs-frame').innerHTML"
    engine.click(".hs-animation input")
    engine.press("Home")
    first = engine.evaluate(frame)
    engine.press("ArrowRight")
    engine.wait(f"(first) => ({frame})() !== first", first)
