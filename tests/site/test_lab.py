"""JupyterLab, started by the command of `make lab`, shows a chapter like its page.

The notebook is an excerpt of a chapter: everything up to the first animation, and the
first exercise that asks for a function.
"""

import json
import os
import re
import socket
import sys
from functools import cache

import nbformat
import pytest

from sitebuild.chapters import ROOT
from sitebuild.normalize import file_text, normalize
from sitebuild.staleness import VIEW, WIDGETS_LOST, why_stale
from tests.helpers.notebooks import tags
from tests.helpers.temp_clone import wait_until
from tests.site.engines.drivers import is_listening, run_process

CHAPTER = "perceptron"
TIMEOUT = 90  # seconds, for busy machines

pytestmark = pytest.mark.slow


@cache
def excerpt():
    """Return the chapter up to its first animation, an exercise, and a citation."""
    notebook = nbformat.read(ROOT / "chapters" / f"{CHAPTER}.ipynb", 4)
    cells = list(enumerate(notebook.cells))
    animation = next(k for k, c in cells if VIEW in str(c.get("outputs")))
    stub = next(k for k, c in cells if "stub" in tags(c) and "def " in c["source"])
    end = next(k for k, c in cells[stub:] if "{solution-end}" in c["source"])
    last = notebook.cells[end]
    last["source"] = last["source"].split("\n\n")[0]  # no next exercise
    sources = next(c for c in notebook.cells if "{cite}" in c["source"])
    sources["source"] = "{cite}`rosenblatt1958`"
    notebook.cells = [*notebook.cells[: animation + 1], *notebook.cells[stub - 1 : end + 1]]
    notebook.cells.append(sources)
    return normalize(notebook)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chapters")
    (folder / f"{CHAPTER}.ipynb").write_text(file_text(excerpt()))
    return folder


@pytest.fixture(scope="module")
def address(folder, tmp_path_factory):
    """Start JupyterLab with an autosave each second; yield the URL of the notebook."""
    home = tmp_path_factory.mktemp("lab")
    dirs = {f"JUPYTER_{kind}_DIR": str(home) for kind in ("CONFIG", "DATA", "RUNTIME")}
    settings = home / "lab" / "user-settings" / "@jupyterlab" / "docmanager-extension"
    settings.mkdir(parents=True)
    # While one save runs on a busy machine, the next finds a newer file: allow a minute.
    every_second = '{"autosaveInterval": 1, "lastModifiedCheckMargin": 60000}'
    (settings / "plugin.jupyterlab-settings").write_text(every_second)
    with socket.create_server(("127.0.0.1", 0)) as server:  # finds a free port
        host, port = server.getsockname()
    command = [sys.executable, "-m", "sitebuild.lab.start", folder, "--no-browser"]
    options = [f"--ip={host}", f"--port={port}", "--IdentityProvider.token=secret"]
    env = os.environ | dirs
    with run_process([*command, *options], stderr=None, cwd=ROOT, env=env) as lab:
        wait_until(lambda: lab.poll() is not None or is_listening((host, port)), TIMEOUT)
        yield f"http://{host}:{port}/lab/tree/{CHAPTER}.ipynb?token=secret"


@pytest.fixture(scope="module")
def page(browser, address):
    """The notebook, opened for the first time; no cell has run."""
    with browser.new_page(viewport={"width": 1400, "height": 1000}) as page:
        page.goto(address)
        wait_until_open(page)
        yield page


def wait_until_open(page):
    """Wait for all cells, the kernel and the animation."""
    page.wait_for_function(
        "(number) => document.querySelectorAll('.jp-Notebook-cell').length >= number",
        arg=len(excerpt().cells),
    )
    page.wait_for_selector(".myst-exercise-title:has-text('Solution to')")
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']")
    page.wait_for_selector(".widget-vbox figure.hs-figure svg >> visible=true")


def new_cell_below(page, cell):
    page.keyboard.press("Escape")
    cell.click(position={"x": 5, "y": 5})
    for key in ("Escape", "b", "Enter"):
        page.keyboard.press(key)


def run_in_new_cell(page, source):
    """Run code in a new cell at the end; return the locator of the cell."""
    new_cell_below(page, page.locator(".jp-Notebook-cell").last)
    page.keyboard.insert_text(source)
    page.keyboard.press("Control+Enter")
    return page.locator(".jp-CodeCell").last


def test_opening_a_chapter_and_saving_without_an_edit_change_nothing(page, folder):
    path = folder / f"{CHAPTER}.ipynb"
    before, written = path.read_text(), path.stat().st_mtime_ns
    page.wait_for_timeout(3000)
    assert page.locator(".jp-mod-dirty").count() == 0
    assert path.stat().st_mtime_ns == written
    page.locator(".jp-Notebook-cell").first.click(position={"x": 5, "y": 5})
    page.keyboard.press("Control+s")
    wait_until(lambda: path.stat().st_mtime_ns != written, TIMEOUT)
    page.wait_for_timeout(1000)  # the file may still be incomplete
    assert path.read_text() == before


def test_citation_survives_running_its_cell(page):
    cell = page.locator(".jp-MarkdownCell").last
    cited = cell.locator(".hs-cite", has_text="Rosenblatt, 1958")
    cited.wait_for()
    cell.click(position={"x": 5, "y": 5})
    page.keyboard.press("Shift+Enter")
    page.wait_for_timeout(2000)
    cited.wait_for()
    assert cell.locator("[title='Citation Not Found']").count() == 0


def test_animation_moves_before_any_cell_has_run(page):
    box = page.locator(".jupyter-widgets.widget-vbox").first
    figures = box.locator("figure.hs-figure svg")
    figures.locator("visible=true").first.wait_for()
    before = figures.locator("visible=true").get_attribute("aria-label")
    box.locator("[role=slider]").press("ArrowRight")
    frame = f"figure.hs-figure svg:not([aria-label={json.dumps(before)}]) >> visible=true"
    box.locator(frame).first.wait_for()


def test_statements_and_exercises_are_numbered_by_chapter(page):
    titles = page.locator(":is(.myst-proof-title, .myst-exercise-title) >> visible=true")
    texts = {" ".join(title.split()) for title in titles.all_inner_texts()}
    assert any(title.startswith("Exercise 3.1 (") for title in texts)
    assert not any(re.search(r"(Theorem|Exercise) \d+\b(?!\.)", title) for title in texts)


def test_saving_keeps_animations(page, folder):
    """The second save has no widget models: the first one removed them from the page."""
    new_cell_below(page, page.locator(".jp-Notebook-cell").first)
    for words in ("# one", " two"):
        wait_for_save(page, folder)  # let a running save finish
        page.keyboard.insert_text(words)
        page.wait_for_selector(".jp-mod-dirty")
        notebook = wait_for_save(page, folder)
        assert notebook["cells"][1]["source"][0].endswith(words)
        assert why_stale(notebook) != WIDGETS_LOST
    page.reload()
    wait_until_open(page)


def wait_for_save(page, folder) -> dict:
    """Wait for the autosave, once a second; return the notebook."""
    page.wait_for_selector(".jp-mod-dirty", state="detached")
    return json.loads((folder / f"{CHAPTER}.ipynb").read_text())


def test_run_all_cells_keeps_a_function_written_by_the_reader(page):
    source = next(cell for cell in excerpt().cells if "stub" in tags(cell))["source"]
    name = re.search(r"def (\w+)", source)[1]
    stub = page.locator(".jp-CodeCell", has_text=re.compile(rf"def {name}\(")).first
    stub.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(f'{name} = lambda *args: "mine " * 2')
    page.click(".lm-MenuBar-itemLabel:text-is('Run')")
    page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
    cell = run_in_new_cell(page, f"{name}(1, 2)")
    cell.locator(".jp-OutputArea-output", has_text="mine mine").wait_for()
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0


FIGURE = """import numpy as np
from halfspaces.interactive import Frame, InteractiveFigure, Plane, Points
from halfspaces.interactive import format_number, margin_band
from mlcore.svm import hard_margin

def draw(points):
    fit = hard_margin(*points)
    margin = format_number(fit.margin)
    return Frame(margin_band(fit.w, fit.b), caption=f"The margin is {margin}.")

plane = Plane((-3, 3), (-2, 2))
InteractiveFigure(draw, plane, points=Points([[-1, 0], [1, 0]], [-1, 1]))"""


def test_figure_responds_to_mouse_and_keys(page):
    box = run_in_new_cell(page, FIGURE).locator(".hs-grabbable")
    caption = box.locator("figcaption")
    caption.get_by_text("The margin is 1.").wait_for()
    point = box.locator(".hs-size > path").nth(1)
    point.scroll_into_view_if_needed()
    size = point.bounding_box()
    x, y = size["x"] + size["width"] / 2, size["y"] + size["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 200, y)
    page.mouse.up()
    caption.get_by_text("The margin is 2.").wait_for()
    page.keyboard.press("Enter")
    box.get_by_text("All points have the same label").wait_for()
    box.get_by_role("button", name="Start over").click()
    caption.get_by_text("The margin is 1.").wait_for()


LIVE = """from halfspaces.animation import player
from halfspaces.pictures import Picture, canvas

def draw_line(slope):
    fig, ax = canvas()
    ax.plot([0, 1], [0, slope])
    return Picture(fig, f"The slope is {slope:.3f}.", "a line from 0 upward")

player(draw_line, slope=[0.0, 1.0], live=True)"""


def test_live_picture_is_redrawn_between_its_values(page):
    cell = run_in_new_cell(page, LIVE)
    cell.get_by_text("The slope is 0.000.").wait_for()
    cell.locator("[role=slider]").press("ArrowRight")
    cell.get_by_text("The slope is 0.005.").wait_for()


QUESTION = """from halfspaces.exercises import geometry, perceptron

perceptron.by_hand.another(7)"""
CASE = """import time
import numpy as np

def always_plus(X, y, names):
    time.sleep(0.1)
    return (lambda Q: np.ones(len(Q))), 0.2, 0.4

geometry.units(always_plus)"""


def test_question_is_plain_and_case_shows_its_draws_and_then_its_verdict(page):
    question = run_in_new_cell(page, QUESTION).locator(".hs-verdict", has_text="Seed 7.")
    color = "(e) => getComputedStyle(e).backgroundColor"
    assert question.evaluate(color) == "rgba(0, 0, 0, 0)"
    cell = run_in_new_cell(page, CASE)
    cell.get_by_text(re.compile(r"Draw \d+ of 60")).wait_for()
    verdict = "fresh draws the mean error of your rule"
    cell.locator(".hs-verdict", has_text=verdict).wait_for()
