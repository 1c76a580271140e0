"""Pages without scripts, on paper and from a folder."""

import pytest

from tests.helpers.browsing import open_page

CAPTION = ".hs-animation figcaption:has-text('Step 0')"
slow = pytest.mark.slow
PAGES = [  # (page, static content, controls)
    ("perceptron", CAPTION, ".hs-controls, .hs-run, .hs-grab button, .hs-help"),
    ("playground", ".hs-grab:has(svg:visible) .hs-notes a", ".hs-grab button, textarea"),
    ("proofs", ".hs-order", ".hs-order button"),
]


@pytest.mark.parametrize("scripts", [pytest.param(True, marks=slow), False])
def test_page_hides_controls_without_scripts_and_on_paper(browser, server, scripts):
    page = browser.new_page(java_script_enabled=scripts)
    for name, content, controls in PAGES:
        page.goto(f"{server}/chapters/{name}.html")
        if scripts:
            page.locator(controls).filter(visible=True).first.wait_for()
            page.emulate_media(media="print")
            page.locator(content).filter(visible=True).first.wait_for()
        else:
            assert page.locator(content).first.is_visible(), name
        assert page.locator(controls).filter(visible=True).count() == 0, name
        page.emulate_media(media="screen")
    if not scripts:
        page.locator(".hs-order summary").first.click()
        lines = page.locator(".hs-order details[open] li")
        assert lines.count() == 8 and "At the start" in lines.first.inner_text()
    page.close()


@slow
def test_page_from_a_folder_explains_how_to_run_code(browser, site):
    with open_page(browser, site.as_uri(), "chapters/review.html") as visit:
        page = visit.page
        assert "make serve" in page.locator(".hs-review").inner_text()
        visit.open("chapters/svm.html")
        assert "make serve" in page.locator(".hs-grab .hs-help").first.inner_text()
        assert page.locator(".hs-grab").locator("input, button").first.is_disabled()
        assert page.locator("g[aria-label]:not([role])").count() == 0
        texts = [*filter(None, page.locator(".hs-status").all_inner_texts())]
        assert len(texts) >= 10 and all("make serve" in text for text in texts)
        assert visit.errors == []
