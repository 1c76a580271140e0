"""Without a script, on paper and from a folder the pages show what they can, and say how
to see more."""

import pytest

from tests.helpers.browsing import visiting

PAGES = [  # what stands on a page, and what is there for a hand alone
    (
        "perceptron",
        ".hs-moving figcaption:has-text('Step 0')",
        ".hs-controls, .hs-run",
    ),
    ("svm", ".hs-grab svg", ".hs-grab button, .hs-help"),
    ("playground", ".hs-notes a", ".hs-grab button, textarea"),
    ("proofs", ".hs-order", ".hs-order button"),
]


@pytest.mark.parametrize("scripts", [True, False], ids=["on paper", "without a script"])
def test_a_page_stands_still(browser, server, scripts):
    context = browser.new_context(java_script_enabled=scripts)
    page = context.new_page()
    for name, stands, moves in PAGES:
        page.goto(f"{server}/chapters/{name}.html")
        if scripts:
            page.locator(moves).filter(visible=True).first.wait_for()
            page.emulate_media(media="print")
            page.locator(stands).filter(visible=True).first.wait_for()
        else:
            assert page.locator(stands).first.is_visible(), name
        assert page.locator(moves).filter(visible=True).count() == 0, name
        page.emulate_media(media="screen")
    if not scripts:
        page.locator(".hs-order summary").first.click()
        lines = page.locator(".hs-order details[open] li")
        assert lines.count() == 8 and "At the start" in lines.first.inner_text()
    context.close()


def test_from_a_folder_it_says_what_to_do(browser, site):
    with visiting(browser, site.as_uri(), "chapters/review.html") as visit:
        page = visit.page
        assert "make serve" in page.locator(".hs-review").inner_text()
        visit.open("chapters/svm.html")
        assert "make serve" in page.locator(".hs-grab .hs-help").first.inner_text()
        page.get_by_role("button", name="Edit and run").first.click()
        page.locator(".cell .hs-status", has_text="make serve").wait_for()
        assert visit.complaints == []
