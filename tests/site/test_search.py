"""The search: for a student's query, the expected page is in the top three."""

import html
import re
from itertools import product

import pytest
from playwright.sync_api import expect

from sitebuild.extensions.search_index import WORDS
from tests.helpers.browsing import open_page

PAGE = "search.html"
EXPECTED = {
    "novikoff": "perceptron.html",
    "kappa": "notation.html",
    "choose lambda": "least_squares.html",
    "leave-one-out": "sparsity.html",
    "adaboost": "shelf.html#mlcore.boosting.adaboost",
    "normal equations": "least_squares.html",
    "jensen": "background.html#thm-bg-jensen",
    "k_folds": "shelf.html#mlcore.validation.k_folds",
    "searchsorted": "multiclass.html",
    "κ": "notation.html",
    "exercises": "lists.html",
    "missing values": "shelf.html",
    "licence": "intro.html",  # British spelling
    "nearest neighbours": "multiclass.html",  # British spelling
    "stability selection": "feature_selection.html",
    "F1": "glossary.html",
}
RANK = """([words, count]) => Search._performSearch(...Search._parseQuery(words)).reverse()
    .slice(0, count).map(([page, , anchor]) => `${page}.html${anchor || ""}`)"""
DONE = re.compile("finished|did not match")
RESULTS = "#search-results ul.search > li"


@pytest.fixture(scope="module")
def page(visit):
    """The page with the results of one search."""
    search(visit.page, "novikoff")
    return visit.page


def best(page, words, count=3):
    """List the best results for some words."""
    return page.evaluate(RANK, [words, count])


def search(page, words):
    page.goto(f"{page.url.partition('?')[0]}?q={words}")
    page.locator(".search-summary", has_text=DONE).wait_for()


def test_search_ranks_the_expected_page_and_each_term_in_the_top_three(page, site):
    top = {words: best(page, words) for words in EXPECTED}
    wrong = {w: pages for w, pages in top.items() if EXPECTED[w] not in " ".join(pages)}
    assert wrong == {}
    glossary = (site / "chapters" / "glossary.html").read_text()
    terms = re.findall('<dt id="(term-[^"]+)">(.*?)<a class="headerlink"', glossary, re.S)
    assert len(terms) > 180
    for anchor, term in terms:
        words = html.unescape(re.sub("<[^>]*>", "", term)).strip()
        words = words.replace("’", "'").replace("–", "-")  # as readers type them
        assert f"chapters/glossary.html#{anchor}" in best(page, words), words


def test_search_ranks_the_section_first_for_terms_of_other_books(page):
    """Case, hyphens and slashes do not matter."""
    targets = {word: name for name, words in WORDS.items() for word in words.split(", ")}
    for word, name in targets.items():
        target = f"#{name}" if "-" in name else f"{name}.html"
        for spelling in {word, word.lower(), word.title(), re.sub("[-/]", " ", word)}:
            assert target in best(page, spelling)[0], spelling
    assert best(page, "minibatch")[0] == "chapters/sgd.html#sg-batch"
    for word in ("PCA", "random forest", "curse of dimensionality"):
        term = f"chapters/glossary.html#term-{word.replace(' ', '-')}"
        assert best(page, word)[0] == term


def test_search_ranks_functions_before_modules(page):
    shelf, names = "chapters/reference/shelf.html", best(page, "lasso", 20)
    function, module = f"{shelf}#mlcore.lasso.lasso", f"{shelf}#module-mlcore.lasso"
    assert names.index(function) < names.index(module)


def test_search_results_have_title_and_context(page):
    """Summaries keep powers and fractions."""
    results = page.locator(RESULTS)
    results.filter(has_text="at most R^2/γ^2 updates").first.wait_for()
    assert results.count() > 4
    for result in results.filter(has_not=page.locator("> a", has_text="mlcore")).all():
        context = result.locator(".context").inner_text()  # loaded from its page
        assert result.locator("> a").inner_text()
        assert not re.search(r"Contents|Show the |\.ipynb", context)


@pytest.mark.slow
def test_accessible_names_of_results_have_section_and_page(page):
    page.wait_for_selector("[role=status]:not(:empty)", state="attached")
    links = page.locator(RESULTS).locator("> a")
    names = links.evaluate_all("(all) => all.map((a) => a.ariaLabel || a.textContent)")
    assert "3. The perceptron > Theorem 3.1 (Novikoff, 1962)" in names
    paths = links.evaluate_all("(all) => all.map((a) => new URL(a.href).pathname)")
    assert len(names) > 4 and len(set(names)) == len(set(zip(names, paths, strict=True)))
    search(page, "lasso")
    page.wait_for_selector("[role=status]:not(:empty)", state="attached")
    function = page.get_by_role("link", name="mlcore.lasso.lasso (", exact=False)
    assert ", in " in function.first.get_attribute("aria-label")


@pytest.mark.slow
def test_escape_closes_the_search_after_tab(browser, server):
    with open_page(browser, server, "chapters/intro.html") as visit:
        button = visit.page.locator(".search-button-field").first
        dialog = visit.page.locator("#pst-search-dialog")
        openers = "Control+k", "Enter"  # Escape moves the focus to the button
        for opener, tabs in product(openers, range(4)):
            visit.page.keyboard.press(opener)
            dialog.wait_for()
            for _ in range(tabs):
                visit.page.keyboard.press("Tab")
            visit.page.keyboard.press("Escape")
            dialog.wait_for(state="hidden")
            expect(button).to_be_focused()
