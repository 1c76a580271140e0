"""The search: for a student's query, the wanted page is in the top three."""

import html
import re

import pytest

from sitebuild.extensions.search_index import WORDS
from tests.helpers.browsing import visiting

PAGE = "search.html"
WANTED = {
    "novikoff": "perceptron.html",
    "kappa": "notation.html",
    "choose lambda": "least_squares.html",
    "leave-one-out": "sparsity.html",
    "vc dimension": "glossary.html#term-VC-dimension",
    "adaboost": "shelf.html#mlcore.boosting.adaboost",
    "normal equations": "least_squares.html",
    "jensen": "background.html#thm-bg-jensen",
    "k_folds": "shelf.html#mlcore.validation.k_folds",
    "soft_margin": "shelf.html#mlcore.svm.soft_margin",
    "searchsorted": "multiclass.html",
    "κ": "notation.html",
    "exercises": "lists.html",
    "missing values": "shelf.html",
    "licence": "intro.html",
    "nearest neighbours": "multiclass.html",
    "stability selection": "feature_selection.html",
    "F1": "glossary.html",
}
FIRST = """(words) => Search._performSearch(...Search._parseQuery(words)).reverse()
    .slice(0, 3).map(([page, , place]) => `${page}.html${place || ""}`)"""
DONE = re.compile("finished|did not match")
ANSWERS = "#search-results ul.search > li > a"


@pytest.fixture(scope="module")
def page(visit):
    ask(visit.page, "lasso")  # loads the index
    return visit.page


def ask(page, words):
    """Return the search results."""
    page.goto(f"{page.url.partition('?')[0]}?q={words}")
    page.locator(".search-summary", has_text=DONE).wait_for()
    return page.query_selector_all(ANSWERS)


def test_search_ranks_the_wanted_page_and_each_term_in_the_top_three(page, site):
    first = {words: page.evaluate(FIRST, words) for words in WANTED}
    missed = {w: a for w, a in first.items() if WANTED[w] not in " ".join(a)}
    assert missed == {}
    glossary = (site / "chapters" / "glossary.html").read_text()
    terms = re.findall('<dt id="(term-[^"]+)">(.*?)<a class="headerlink"', glossary, re.S)
    assert len(terms) > 180
    for place, term in terms:
        words = html.unescape(re.sub("<[^>]*>", "", term)).strip()
        words = words.replace("’", "'").replace("–", "-")  # as one types them
        assert f"chapters/glossary.html#{place}" in page.evaluate(FIRST, words), words


def test_words_of_other_books_lead_to_their_section_first(page):
    """In several spellings."""
    goals = {word: goal for goal, words in WORDS.items() for word in words.split(", ")}
    for word, goal in goals.items():
        place = f"#{goal}" if "-" in goal else f"{goal}.html"
        for spelling in {word, word.lower(), word.title(), re.sub("[-/]", " ", word)}:
            assert place in page.evaluate(FIRST, spelling)[0], spelling
    assert page.evaluate(FIRST, "minibatch")[0] == "chapters/sgd.html#sg-batch"
    for word in ("PCA", "random forest", "curse of dimensionality"):
        term = f"chapters/glossary.html#term-{word.replace(' ', '-')}"
        assert page.evaluate(FIRST, word)[0] == term


def test_search_results_have_title_and_context(page):
    answers = [a for a in ask(page, "leukemia") if "mlcore" not in a.inner_text()]
    assert len(answers) > 4
    for answer in answers:
        item = answer.evaluate_handle("(link) => link.parentElement")
        context = item.wait_for_selector(".context").inner_text()  # after loading its page
        assert answer.inner_text() and not re.search(r"Contents|Show the|\.ipynb", context)


def test_names_of_results_have_section_and_page(page):
    ask(page, "novikoff")
    page.wait_for_selector("[role=status]:not(:empty)", state="attached")
    links = page.locator(ANSWERS)
    names = links.evaluate_all("(all) => all.map((a) => a.ariaLabel || a.textContent)")
    assert "3. The perceptron > Theorem 3.1 (Novikoff, 1962)" in names
    paths = links.evaluate_all("(all) => all.map((a) => new URL(a.href).pathname)")
    assert len(names) > 4 and len(set(names)) == len(set(zip(names, paths, strict=True)))
    ask(page, "lasso")
    page.wait_for_selector("[role=status]:not(:empty)", state="attached")
    function = page.get_by_role("link", name="mlcore.lasso.lasso (", exact=False)
    assert ", in " in function.first.get_attribute("aria-label")


@pytest.mark.parametrize("opener", ["Control+k", "button"])
def test_escape_closes_the_search_after_tab(browser, server, opener):
    with visiting(browser, server, "chapters/intro.html") as visit:
        keys, button = visit.page.keyboard, visit.page.locator(".search-button-field").first
        dialog = visit.page.locator("#pst-search-dialog")
        for tabs in range(4):
            button.press("Enter") if opener == "button" else keys.press(opener)
            dialog.wait_for()
            for _ in range(tabs):
                keys.press("Tab")
            keys.press("Escape")
            dialog.wait_for(state="hidden")
            assert button.evaluate("(e) => e === document.activeElement")


def test_search_ranks_functions_before_modules(page):
    first = [answer.inner_text() for answer in ask(page, "lasso")]
    assert first.index("mlcore.lasso.lasso") < first.index("mlcore.lasso")
