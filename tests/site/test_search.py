"""The search, asked as students ask: the page wanted is among the first three answers."""

import re

import pytest
from browsing import visiting

WANTED = {
    "novikoff": "perceptron.html",
    "kappa": "notation.html",
    "condition number": "glossary.html#term-condition-number",
    "lasso": "glossary.html#term-lasso",
    "choose lambda": "least_squares.html",
    "leave-one-out": "sparsity.html",
    "support vector": "glossary.html#term-support-vector",
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
    "gradient boosting": "glossary.html#term-gradient-boosting",
    "stability selection": "feature_selection.html",
    "macro average": "glossary.html#term-macro-average",
    "class weights": "glossary.html#term-class-weights",
    "cross-entropy": "glossary.html#term-cross-entropy",
    "one-hot": "glossary.html#term-one-hot",
    "kernel trick": "svm.html",
    "weight decay": "glossary.html#term-weight-decay",
    "learning rate": "glossary.html#term-learning-rate",
    "momentum": "sgd.html",
    "bias-variance": "least_squares.html",
    "roc": "logistic.html",
    "confusion matrix": "multiclass.html",
    "early stopping": "glossary.html#term-early-stopping",
}
DONE = re.compile("finished|did not match")
ANSWERS = "#search-results ul.search > li > a"


@pytest.fixture(scope="module")
def search(browser, server):
    with visiting(browser, server, "search.html") as visit:

        def ask(words):
            visit.page.goto(f"{server}/search.html?q={words.replace(' ', '+')}")
            visit.page.locator(".search-summary", has_text=DONE).wait_for()
            return visit.page.query_selector_all(ANSWERS)

        yield ask


@pytest.mark.parametrize("words", WANTED)
def test_it_finds(search, words):
    first = [answer.get_attribute("href") for answer in search(words)[:3]]
    assert any(WANTED[words] in address for address in first), first


def test_answers_have_a_title_and_say_what_is_in_the_text(search):
    pages = [
        answer for answer in search("exercises") if "mlcore" not in answer.inner_text()
    ]
    assert len(pages) > 10
    for page in pages:
        said = excerpt(page)
        assert page.inner_text() and not re.search(r"Contents|Show the|\.ipynb", said), said


def excerpt(answer):
    """What stands under the link, once its page was read."""
    item = answer.evaluate_handle("(link) => link.parentElement")
    return item.wait_for_selector(".context").inner_text()


def test_a_function_stands_before_a_module_of_its_name(search):
    first = [answer.inner_text() for answer in search("lasso")]
    assert first.index("mlcore.lasso.lasso") < first.index("mlcore.lasso")


def test_a_page_opens_at_the_word(browser, server):
    """Also where the word stands in a fold, or in code."""
    with visiting(browser, server, "search.html?q=searchsorted") as visit:
        visit.page.locator(ANSWERS).first.click()
        word = visit.page.locator(".bd-article .highlighted").first
        word.wait_for(state="visible")
        visit.page.wait_for_function("() => scrollY > 0")
        assert 0 < word.bounding_box()["y"] < 900
