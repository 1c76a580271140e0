"""Printing: a chapter from the browser, the steps of `make pdf`, a PDF of some pages."""

import re
from dataclasses import replace

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ContentStream, NameObject, StreamObject

from sitebuild import pdf
from sitebuild.pdf_document import Document
from sitebuild.pdf_tags import mark_artifacts, number_tags
from tests.helpers.browsing import width_problems
from tests.helpers.pdf_tags import count_tags

PAGE = "chapters/perceptron.html"
TEXT_WIDTH = 605  # CSS pixels, as in `make pdf`
TOC = "root: chapters/one\nparts: [{caption: Part, chapters: [{file: chapters/two}]}]\n"
ONE = """<article class="bd-article"><section id="top">
<h1>One<a class="headerlink">#</a></h1>
<section id="again"><h2>Again</h2><a class="reference internal"
href="two.html#top"><span>there</span></a>
<a href="../downloads/one.ipynb">file</a><a href="https://example.org/">out</a>
<svg><g clip-path="url(#a)"></g><clipPath id="a"></clipPath></svg></section></section>
</article>
"""
TWO = """<article class="bd-article"><section id="top"><h1>Two</h1>
<div class="exercise" id="ex"><p class="admonition-title">Exercise 1</p></div>
<details class="hs-hints"><p>Look.</p><details><p>Begin.</p></details></details>
<div class="solution" id="sol"><p class="admonition-title">Solution</p>Seven.</div>
<div class="cell {tag}"><div class="hs-animation" data-number="0"><input max="2"/>
<div class="hs-frame">first</div></div></div></section></article>
"""


def write_two_pages(folder, tag=""):
    """Write a site of two pages, one with a tagged cell; return its document."""
    frames = folder / "_static" / "frames"
    frames.mkdir(parents=True, exist_ok=True)
    (folder / "chapters").mkdir(exist_ok=True)
    (folder / "chapters" / "one.html").write_text(ONE)
    (folder / "chapters" / "two.html").write_text(TWO.replace("{tag}", tag))
    script = 'window.hsFrames = [["", "second", "third"]];\n'
    (frames / "chapters-two.js").write_text(script)
    (folder / "_toc.yml").write_text(TOC)
    return Document(folder, folder)


def test_hints_and_solutions_move_to_the_end(tmp_path):
    _, two, hints, solutions = write_two_pages(tmp_path).articles()
    assert "Look" not in two.text and "Exercise 1Look.Begin." in hints.text
    assert "Seven" not in two.text and "Solution: page [page two.sol]" in two.text
    assert "Seven" in solutions.text and "page [page two.ex]" in solutions.text


def test_animation_prints_tagged_or_middle_frame(tmp_path):
    frames = {"": "second", "tag_print-frame-0": "first", "tag_print-frame-2": "third"}
    for tag, text in frames.items():
        two = write_two_pages(tmp_path, tag).articles()[1]
        assert two.select_one(".hs-frame").text == text
    with pytest.raises(ValueError, match=r"chapters/two: tag_print-frame-3 .* 3 frames"):
        write_two_pages(tmp_path, "tag_print-frame-3")


def test_links_to_omitted_pages_have_no_page_number(tmp_path):
    one, *_ = write_two_pages(tmp_path).articles()
    assert "there p.\xa0[page two.top]" in one.text and "file p." not in one.text
    (partial,) = Document(tmp_path, tmp_path, ["one"]).articles()
    assert "there p." not in partial.text and not partial.select('[href*="two"]')


@pytest.mark.parametrize("cause", ["no browser", "it stops"])
def test_failure_keeps_the_previous_pdf(cause, tmp_path, monkeypatch):
    edition = replace(pdf.EDITIONS[""], folder=tmp_path)
    target = tmp_path / pdf.NAME
    target.write_text("the previous PDF")
    monkeypatch.setitem(pdf.EDITIONS, "", edition)
    monkeypatch.setattr(pdf.build, "run", lambda _: None)
    monkeypatch.setattr(pdf, "read_record", lambda _: {"assets": ""})
    monkeypatch.setattr(pdf, "Document", lambda _, names: write_two_pages(tmp_path))
    monkeypatch.setattr(pdf, "assemble", lambda *_: "")
    browser = None if cause == "no browser" else "/bin/false"
    monkeypatch.setattr(pdf.shutil, "which", lambda _: browser)
    message = pdf.main([])
    assert message.startswith("The PDF was not made: ") and "Traceback" not in message
    assert target.read_text() == "the previous PDF"


def test_unknown_page_is_reported_before_building(monkeypatch):
    monkeypatch.setattr(pdf.build, "run", lambda _: pytest.fail("the site was built"))
    assert "Unknown page 'nope'; choose from intro, " in pdf.main(["svm", "nope"])


def test_untagged_content_becomes_an_artifact():
    writer, stream = PdfWriter(), StreamObject()
    head, text = b"BT (head) Tj ET", b"/P BMC BT (text) Tj ET EMC"
    stream.set_data(b" ".join([head, text, b"0 0 m 1 1 l S 0 0 1 1 re W n"]))
    page = writer.add_blank_page(9, 9)
    page[NameObject("/Contents")] = writer._add_object(stream)
    mark_artifacts(page, writer)
    marked = ContentStream(page["/Contents"], writer).operations
    expected = b"BMC BT Tj ET EMC BMC BT Tj ET EMC BMC m l S EMC re W n"
    assert [operator for _, operator in marked] == expected.split()


def test_formulas_and_links_get_numbered_labels():
    formula = "<math><mi>w</mi></math>"
    html, labels = number_tags(f'<a href="#x"><b>see</b> {formula}</a><td> </td><a>no</a>')
    numbered = formula.replace("math", 'math lang="en-x-1"', 1)
    link = f'<a lang="en-x-2" href="#x"><b>see</b> {numbered}</a>'
    assert html == f"{link}<td>&nbsp;</td><a>no</a>"
    assert labels == [("w", formula), ("see w", "")]


# ------------------------------------------------------- a chapter, in a browser

COUNT = """(selector) => [...document.querySelectorAll(selector)]
    .filter((e) => e.checkVisibility({contentVisibilityAuto: true})
        && e.getClientRects().length).length"""
CONTROLS = ".hs-controls, .hs-bar, button, .bd-sidebar-primary, .bd-sidebar-secondary"
CONTROLS += ", .headerlink"
BEFORE_PRINT = "dispatchEvent(new Event('beforeprint'))"
AFTER_PRINT = "dispatchEvent(new Event('afterprint'))"


@pytest.fixture(scope="module")
def paper(browser, site):
    """A chapter, laid out for paper."""
    with browser.new_page(viewport={"width": TEXT_WIDTH, "height": 900}) as page:
        page.goto(f"{site.as_uri()}/{PAGE}")
        page.wait_for_selector(".toggle-hidden", state="attached")
        page.emulate_media(media="print")
        page.evaluate(BEFORE_PRINT)
        yield page


def test_paper_is_white_without_controls(paper):
    assert paper.evaluate(COUNT, CONTROLS) == 0
    assert width_problems(paper) == []
    paper.evaluate("document.documentElement.dataset.theme = 'dark'")
    color = "getComputedStyle(document.querySelector('.bd-article p:not([hidden])')).color"
    assert paper.evaluate(color) == "rgb(29, 38, 48)"


def test_folded_text_prints_but_not_folded_code_and_solutions(paper):
    proof, code = ".hs-check math[display=block]", ".hs-check pre"
    assert paper.evaluate(COUNT, proof) > 0 and paper.evaluate(COUNT, code) == 0
    assert paper.evaluate(COUNT, "details.hide.below-input .output") > 0
    assert paper.evaluate(COUNT, "details.hide.above-input pre") == 0
    assert paper.evaluate(COUNT, ".sd-card-body") > 0
    assert paper.evaluate(COUNT, ".solution") == 0
    paper.evaluate(AFTER_PRINT)
    assert paper.locator("details[open]:not(.hs-coq details)").count() == 0
    paper.evaluate("document.querySelector('.hs-check:not(.hs-coq)').open = true")
    paper.evaluate("document.querySelector('.solution .toggle-button').click()")
    paper.evaluate(BEFORE_PRINT)
    assert paper.evaluate(COUNT, code) == paper.evaluate(COUNT, ".solution") == 1
    paper.evaluate("document.querySelector('.hs-check:not(.hs-coq)').open = false")


def test_old_browsers_open_folds_while_printing(paper):
    folds = "[...document.querySelectorAll('details:not(.above-input)')].map(d => d.open)"
    paper.evaluate(AFTER_PRINT)
    before = paper.evaluate(folds)
    paper.evaluate("CSS.supports = () => false")  # run last, since this persists
    paper.evaluate(BEFORE_PRINT)
    assert not all(before) and all(paper.evaluate(folds))
    assert not paper.is_visible(".hs-check .highlight-python")
    paper.evaluate(AFTER_PRINT)
    assert paper.evaluate(folds) == before


# ------------------------------------------------------------- some pages of the book

slow = pytest.mark.slow


PAGES = "intro", "perceptron", "glossary", "genindex"


@pytest.fixture(scope="module")
def book(tmp_path_factory, site, browser):
    """The folder and the reader of a PDF of some pages."""
    folder = tmp_path_factory.mktemp("pdf")
    path, _ = pdf.print_edition(pdf.EDITIONS[""], folder, PAGES)
    return folder, PdfReader(path)


def flatten(outline):
    for part in outline:
        yield from flatten(part) if isinstance(part, list) else [part]


@slow
def test_bookmarks_match_the_contents(book):
    _, reader = book
    headings = Document(names=PAGES).headings()
    assert [entry.title for entry in flatten(reader.outline)] == [h.text for h in headings]
    assert sum(h.level == 1 for h in headings) == len([*PAGES, "Hints", "Solutions"])


@slow
def test_links_and_page_numbers_are_right(book):
    folder, reader = book
    anchors = pdf.page_numbers(reader)
    html = (folder / "book.html").read_text("utf-8")
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] and root["/Lang"] == "en"
    assert reader.xmp_metadata.dc_title == {"x-default": pdf.BOOK["title"]}
    assert set(re.findall(r'<a[^>]* href="#([^"]+)"', html)) <= set(anchors)
    assert "[page " not in html and pdf.UNKNOWN not in re.findall(r"page (\d+)", html)
    line = re.search(r'href="#perceptron"><span>.*?</span> <span>(\d+)</span></a>', html)
    assert "The perceptron" in reader.pages[int(line[1]) - 1].extract_text()[:200]


@slow
def test_formulas_links_and_figures_have_alternative_text(book, browser):
    folder, reader = book
    with browser.new_page(viewport={"width": TEXT_WIDTH, "height": 900}) as page:
        page.goto((folder / "book.html").as_uri())
        page.emulate_media(media="print")
        page.evaluate(BEFORE_PRINT)
        assert count_tags(reader)["/Formula"] == page.evaluate(COUNT, "math") > 500
