"""JupyterLab, started by `make lab` and driven in a browser, shows what the page shows.

The notebook is an excerpt of a chapter: everything up to the first animation, and the
first exercise that asks for a function.
"""

import json
import os
import re
import socket
import subprocess
import sys
from functools import cache

import nbformat
import pytest

from sitebuild.chapters import ROOT
from sitebuild.normalize import file_text, normalize
from sitebuild.staleness import VIEW, WIDGETS_LOST, why_stale
from tests.helpers.temp_clone import wait_until
from tests.site.engines.drivers import answers

CHAPTER = "perceptron"
TIMEOUT = 90  # seconds, for busy machines

pytestmark = pytest.mark.slow


@cache
def excerpt():
    """Return the chapter up to its first animation, its first function, and a citation."""
    notebook = nbformat.read(ROOT / "chapters" / f"{CHAPTER}.ipynb", 4)
    cells = list(enumerate(notebook.cells))
    moving = next(q for q, c in cells if VIEW in str(c.get("outputs")))
    stub = next(q for q, c in cells if is_stub(c) and "def " in c["source"])
    end = next(q for q, c in cells[stub:] if "{solution-end}" in c["source"])
    last = notebook.cells[end]
    last["source"] = last["source"].split("\n\n")[0]  # no next exercise
    sources = next(c for c in notebook.cells if "{cite}" in c["source"])
    sources["source"] = "{cite}`rosenblatt1958`"
    notebook.cells = [*notebook.cells[: moving + 1], *notebook.cells[stub - 1 : end + 1]]
    notebook.cells.append(sources)
    return normalize(notebook)


def is_stub(cell):
    return "stub" in cell["metadata"].get("tags", [])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chapters")
    (folder / f"{CHAPTER}.ipynb").write_text(file_text(excerpt()))
    return folder


@pytest.fixture(scope="module")
def address(folder, tmp_path_factory):
    """Start JupyterLab with default settings; yields the URL of the notebook."""
    place = tmp_path_factory.mktemp("lab")
    dirs = {f"JUPYTER_{kind}_DIR": str(place) for kind in ("CONFIG", "DATA", "RUNTIME")}
    settings = place / "lab" / "user-settings" / "@jupyterlab" / "docmanager-extension"
    settings.mkdir(parents=True)
    (settings / "plugin.jupyterlab-settings").write_text('{"autosaveInterval": 1}')
    with socket.create_server(("127.0.0.1", 0)) as free:
        host, port = free.getsockname()
    tool = [sys.executable, "-m", "sitebuild.lab.start", folder, "--no-browser"]
    options = [f"--ip={host}", f"--port={port}", "--IdentityProvider.token=secret"]
    lab = subprocess.Popen([*tool, *options], cwd=ROOT, env=os.environ | dirs)
    try:
        wait_until(lambda: lab.poll() is not None or answers((host, port)), TIMEOUT)
        yield f"http://{host}:{port}/lab/tree/{CHAPTER}.ipynb?token=secret"
    finally:
        lab.terminate()
        lab.wait(TIMEOUT)


@pytest.fixture(scope="module")
def page(browser, address):
    """The notebook, opened for the first time; no cell has run."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto(address)
    wait_until_open(page)
    yield page
    page.close()


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


def run_new(page, source):
    """Run code in a new cell at the end; returns the locator of the cell."""
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


def test_pictures_show_and_move_on_first_opening(page):
    box = page.locator(".jupyter-widgets.widget-vbox").first
    figures = box.locator("figure.hs-figure svg")
    figures.locator("visible=true").first.wait_for()
    before = figures.locator("visible=true").get_attribute("aria-label")
    box.locator("[role=slider]").press("ArrowRight")
    other = f"figure.hs-figure svg:not([aria-label={json.dumps(before)}]) >> visible=true"
    box.locator(other).first.wait_for()


def test_statements_and_exercises_are_numbered_by_chapter(page):
    titles = page.locator(":is(.myst-proof-title, .myst-exercise-title) >> visible=true")
    shown = {" ".join(title.split()) for title in titles.all_inner_texts()}
    assert any(title.startswith("Exercise 3.1 (") for title in shown)
    assert not any(re.search(r"(Theorem|Exercise) \d+\b(?!\.)", title) for title in shown)


def test_saving_keeps_animations(page, folder):
    """The second save has no widget models: the first one removed them from the page."""
    new_cell_below(page, page.locator(".jp-Notebook-cell").first)
    for words in ("# mine", " again"):
        saved(page, folder)  # no save may be in progress
        page.keyboard.insert_text(words)
        page.wait_for_selector(".jp-mod-dirty")
        notebook = saved(page, folder)
        assert notebook["cells"][1]["source"][0].endswith(words)
        assert why_stale(notebook) != WIDGETS_LOST
    page.reload()
    wait_until_open(page)


def saved(page, folder) -> dict:
    """Wait for the autosave, once a second; returns the notebook."""
    page.wait_for_selector(".jp-mod-dirty", state="detached")
    return json.loads((folder / f"{CHAPTER}.ipynb").read_text())


def test_run_all_keeps_the_readers_function(page):
    source = next(cell for cell in excerpt().cells if is_stub(cell))["source"]
    name = re.search(r"def (\w+)", source)[1]
    stub = page.locator(".jp-CodeCell", has_text=re.compile(rf"def {name}\(")).first
    stub.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(f'{name} = lambda *given: "mine " * 2')
    page.click(".lm-MenuBar-itemLabel:text-is('Run')")
    page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
    mine = run_new(page, f"{name}(1, 2)")
    mine.locator(".jp-OutputArea-output", has_text="mine mine").wait_for()
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0


VARIED = """from halfspaces.exercises import perceptron as check

check.by_hand.another(7)"""


def test_varied_question_is_not_styled_as_verdict(page):
    question = run_new(page, VARIED).locator(".hs-verdict", has_text="Seed 7.")
    color = "(e) => getComputedStyle(e).backgroundColor"
    assert question.evaluate(color) == "rgba(0, 0, 0, 0)"


GRABBED = """import numpy as np
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
    box = run_new(page, GRABBED).locator(".hs-grabbable")
    caption = box.locator("figcaption")
    caption.get_by_text("The margin is 1.").wait_for()
    point = box.locator(".hs-size > path").nth(1)
    point.scroll_into_view_if_needed()
    place = point.bounding_box()
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 200, y)
    page.mouse.up()
    caption.get_by_text("The margin is 2.").wait_for()
    page.keyboard.press("Enter")
    box.get_by_text("All points have one label").wait_for()
    box.get_by_role("button", name="Start over").click()
    caption.get_by_text("The margin is 1.").wait_for()


LIVE = """from halfspaces.animation import player
from halfspaces.pictures import Picture, canvas

def draw_line(slope):
    fig, ax = canvas()
    ax.plot([0, 1], [0, slope])
    return Picture(fig, f"The slope is {slope:.3f}.", "a line from 0 upward")

player(draw_line, slope=[0.0, 1.0], live=True)"""


def test_live_picture_draws_between_its_stops(page):
    cell = run_new(page, LIVE)
    cell.get_by_text("The slope is 0.000.").wait_for()
    cell.locator("[role=slider]").press("ArrowRight")
    cell.get_by_text("The slope is 0.005.").wait_for()
