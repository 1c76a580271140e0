"""The glossary's words: definitions travel with a page, and come up where one points."""

import os
from pathlib import Path

import pytest
import yaml
from browsing import access_problems, math_problems, visiting
from fetching import fetch
from making import run_jupyter_book
from vendored import AXE

ROOT = Path(__file__).resolve().parents[2]

GLOSSARY = """# Glossary

```{glossary}
score
  The number $w\\cdot x$. It is not the {term}`label`, see {doc}`page`.

  More, for the page alone.

label
tag
  What is to be said.

halfspace
  One side, never linked to.
```
"""
PAGE = "# A page\n\nA {term}`score`, the {term}`scores <score>`, and a {term}`tag`.\n"


def build(folder: Path) -> tuple[str, int]:
    """Build the book in the folder, where it was built before; what was said, exit code."""
    config = {"myst_enable_extensions": ["dollarmath"]}
    sphinx = {"local_extensions": {"tooltips": str(ROOT / "_ext")}, "config": {}}
    book = {"parse": config, "sphinx": sphinx, "title": "Book"}
    (folder / "_config.yml").write_text(yaml.safe_dump(book))
    toc = "format: jb-book\nroot: page\nchapters:\n- file: glossary\n- file: plain\n"
    (folder / "_toc.yml").write_text(toc)
    return run_jupyter_book(folder)


@pytest.fixture
def book(tmp_path):
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "glossary.md").write_text(GLOSSARY)
    (tmp_path / "plain.md").write_text("# Plain\n\nWithout words.\n")
    return tmp_path


def html_of(book: Path, page: str) -> str:
    return (book / "_build" / "html" / f"{page}.html").read_text()


def test_a_page_brings_what_it_links_to_and_renews_it(book):
    said, code = build(book)
    assert code == 0, said
    page = html_of(book, "page")
    assert 'href="glossary.html#term-score"' in page  # all there is without a script
    start = page.index('<div class="hs-tips">')
    tips = page[start : page.index("</article>", start)]
    assert tips.count('role="tooltip"') == 2
    assert 'id="tip-term-score"' in tips and 'id="tip-term-tag"' in tips
    assert r"\(w\cdot x\)" in tips and "<a" not in tips
    assert "It is not the" in tips and "What is to be said" in tips
    assert "More, for the page alone" not in page and "never linked" not in page
    assert "hs-tips" not in html_of(book, "plain")
    search = (book / "_build" / "html" / "searchindex.js").read_text()
    assert '"said":0' in search.replace(" ", "")  # in the first page by name, no other

    before = (book / "page.md").stat()
    (book / "glossary.md").write_text(GLOSSARY.replace("to be said", "to be told"))
    os.utime(book / "page.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    said, code = build(book)
    assert code == 0, said
    assert "What is to be told" in html_of(book, "page")


def test_a_word_that_the_glossary_lacks_is_an_error(book):
    (book / "page.md").write_text(PAGE + "\nAnd a {term}`scoer`.\n")
    said, code = build(book)
    assert code != 0 and "term not in glossary: 'scoer'" in said


def test_a_word_that_is_defined_twice_is_an_error(book):
    (book / "glossary.md").write_text(GLOSSARY.replace("halfspace", "score"))
    said, code = build(book)
    assert code != 0 and "duplicate term description" in said


# ------------------------------------------------------------------------ in a browser

WORD = "a:has(> .std-term)"
OPEN = ".hs-tip.hs-open"
PATH = "chapters/background.html"
SHOWN = """(box) => getComputedStyle(box).visibility === "visible"
    && box.getBoundingClientRect().left >= 0
    && box.getBoundingClientRect().right <= document.documentElement.clientWidth"""


@pytest.fixture(scope="module", params=[("light", 1280), ("dark", 390)], ids=str)
def page(request, browser, site):
    scheme, width = request.param
    with visiting(browser, site.as_uri(), PATH, width=width, scheme=scheme) as visit:
        yield visit.page


def around(page):
    """The size of the page, and where its paragraphs are."""
    return page.evaluate(
        """() => [document.documentElement.scrollHeight, document.body.scrollWidth,
            ...[...document.querySelectorAll("article p")]
                .filter((p) => p.checkVisibility())
                .map((p) => p.getBoundingClientRect().top + scrollY)]"""
    )


def is_closed(page) -> bool:
    page.mouse.move(0, 0)
    page.wait_for_function("() => !document.querySelector('.hs-tip.hs-open')")
    return True


def test_pointing_shows_the_definition_of_each_word(page):
    before = around(page)
    words = page.locator(WORD)
    assert words.count() > 5
    for number in range(words.count()):
        word = words.nth(number)
        word.scroll_into_view_if_needed()
        word.hover()
        page.wait_for_selector(OPEN)
        tip = page.query_selector(OPEN)
        assert tip.evaluate(SHOWN)
        assert tip.get_attribute("id") == word.get_attribute("aria-describedby")
        assert is_closed(page)
    assert around(page) == before
    assert math_problems(page) == []


def test_it_stays_under_the_pointer_and_goes_on_escape(page):
    word = page.locator(WORD).first
    word.hover()
    page.wait_for_selector(OPEN)
    page.locator(OPEN).hover()
    page.wait_for_timeout(600)
    assert page.locator(OPEN).count() == 1
    page.keyboard.press("Escape")
    assert page.locator(OPEN).count() == 0
    assert is_closed(page)


def test_the_keyboard_reaches_it(page):
    page.evaluate("() => document.activeElement.blur()")
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate(f"() => document.activeElement.matches('{WORD}')"):
            break
    assert page.locator(OPEN).evaluate(SHOWN)
    page.keyboard.press("Escape")
    assert page.locator(OPEN).count() == 0
    page.keyboard.press("Tab")
    assert page.locator(OPEN).count() == 0


def test_everyone_can_read_it(page):
    axe = (fetch(AXE) / "axe" / "axe.min.js").read_text()
    page.locator(WORD).first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.wait_for_selector(OPEN)
    assert access_problems(page, axe) == []  # the last test: it empties the formulas


def test_a_tap_shows_it_and_a_second_follows_the_link(browser, server):
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(f"{server}/{PATH}", wait_until="load")
    words = page.locator(WORD)
    words.first.tap()
    page.wait_for_selector(OPEN)
    page.wait_for_timeout(500)
    assert page.locator(OPEN).evaluate(SHOWN) and "background" in page.url
    page.locator("article h1").tap()
    assert page.locator(OPEN).count() == 0
    words.first.tap()
    page.wait_for_selector(OPEN)
    words.first.tap()
    page.wait_for_url("**/glossary.html#term-*")
    context.close()


def test_without_a_script_it_is_a_link(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.as_uri()}/{PATH}")
    assert not any(tip.is_visible() for tip in page.query_selector_all(".hs-tip"))
    page.locator(WORD).first.click()
    assert "glossary.html#term-" in page.url
    context.close()
