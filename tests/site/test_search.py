"""The search: for a student's query, the wanted page is in the top three."""

import re

import pytest

from sitebuild.extensions.search_index import WORDS

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
    # terms of other courses, and where the book defines them
    "bias-variance": "least_squares.html",
    "one-vs-all": "multiclass.html",
    "ROC": "logistic.html",
    "F1": "glossary.html",
}
TERMS = (
    "Adam, AUC, bagging, batch size, categorical feature, class imbalance, class weights, "
    "condition number, confusion matrix, cross-entropy, data leakage, early stopping, "
    "elastic net, ensemble, F1 score, generalization, gradient boosting, kernel trick, "
    "L2 regularization, lasso, learning rate, Lipschitz, macro average, missing value, "
    "momentum, multinomial logistic regression, naive Bayes, one-hot, precision, "
    "RBF kernel, recall, ROC curve, support vector, underfitting, weak learner, "
    "weight decay"
)
WANTED |= {t: f"glossary.html#term-{t.replace(' ', '-')}" for t in TERMS.split(", ")}
FIRST = """(words) => Search._performSearch(...Search._parseQuery(words)).reverse()
    .slice(0, 3).map(([page, , place]) => `${page}.html${place || ""}`)"""
OTHER_BOOKS = {  # words of other books, in several spellings: the first result
    "SVM": "svm.html",
    "KKT": "svm.html#sv-dual",
    "LDA": "least_squares.html#ls-lda",
    "L2": "least_squares.html#ls-ridge",
    "XOR": "features.html#f-xor",
    "ROC": "logistic.html#lo-unequal",
    "hinge": "svm.html#sv-hinge",
    "ridge": "least_squares.html#ls-ridge",
    "margin": "geometry.html#g-margins",
    "dot product": "background.html#bg-linear",
    "loss function": "logistic.html#lo-losses",
    "normalization": "geometry.html#g-units",
    "posterior": "background.html#bg-bayes",
    "decision tree": "boosting.html#bo-gradient",
    "train/test split": "feature_selection.html#fs-inside",
    "train test split": "feature_selection.html#fs-inside",
    "bias variance": "least_squares.html#ls-bias-variance",
    "Bias-Variance": "least_squares.html#ls-bias-variance",
    "cross validation": "least_squares.html#ls-polynomials",
    "minibatch": "sgd.html#sg-batch",
    "one vs rest": "multiclass.html#mc-rest",
    "PCA": "glossary.html#term-PCA",
    "random forest": "glossary.html#term-random-forest",
    "curse of dimensionality": "glossary.html#term-curse-of-dimensionality",
}
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


def test_search_ranks_the_wanted_page_in_the_top_three(page):
    first = {words: page.evaluate(FIRST, words) for words in WANTED}
    lost = {w: a for w, a in first.items() if WANTED[w] not in " ".join(a)}
    assert lost == {}


def test_words_of_other_books_and_synonyms_lead_to_their_section(page):
    first = {words: page.evaluate(FIRST, words)[0] for words in OTHER_BOOKS}
    assert first == {words: f"chapters/{goal}" for words, goal in OTHER_BOOKS.items()}
    for goal, words in WORDS.items():
        place = f"#{goal}" if "-" in goal else f"{goal}.html"
        for one in words.split(", "):
            assert place in " ".join(page.evaluate(FIRST, one)), one


def test_search_results_have_title_and_context(page):
    answers = [a for a in ask(page, "leukemia") if "mlcore" not in a.inner_text()]
    assert len(answers) > 4
    for answer in answers:
        item = answer.evaluate_handle("(link) => link.parentElement")
        said = item.wait_for_selector(".context").inner_text()  # after its page is loaded
        assert answer.inner_text() and not re.search(r"Contents|Show the|\.ipynb", said)


def test_search_ranks_functions_before_modules(page):
    first = [answer.inner_text() for answer in ask(page, "lasso")]
    assert first.index("mlcore.lasso.lasso") < first.index("mlcore.lasso")
