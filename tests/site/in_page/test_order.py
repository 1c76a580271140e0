"""A proof is put in order with the mouse, a finger and the keys, and it is kept."""

import pytest
from browsing import visiting
from serving import serving

PAGE = "chapters/proofs.html"


class Order:
    """The first proof of the page."""

    def __init__(self, page):
        self.place = page.locator(".hs-order").first

    def line(self, key):
        return self.place.locator(f".hs-lines > [data-key={key}]")

    @property
    def keys(self) -> str:
        lines = self.place.locator(".hs-lines").last.locator("> div")
        return "".join(lines.evaluate_all("(all) => all.map((e) => e.dataset.key)"))

    def check(self) -> str:
        self.place.get_by_role("button", name="Check").click()
        return self.place.get_by_role("status").inner_text()


@pytest.fixture
def page(browser, site):
    with serving(site) as root, visiting(browser, root, PAGE) as visit:
        yield visit.page


def test_the_keys_alone_are_enough(page):
    order = Order(page)
    for key in "bacpdegfh":
        order.line(key).focus()
        page.keyboard.press("Enter")
    assert order.check().startswith("Not yet. Line 4 is wrong. A mistake has a margin")
    order.line("p").press("Enter")
    assert order.check().startswith("Not yet. Line 6 uses what does not stand before it")
    order.line("f").press("ArrowUp")
    assert order.keys == "bacdefgh"
    assert page.locator(".hs-order [role=status]").first.inner_text() == (
        "Now line 6. Not checked yet."
    )
    assert order.check().startswith("Right.")
    page.reload()
    assert Order(page).keys == "bacdefgh"
    assert page.locator("h2 .hs-mark").first.inner_text() == "✓ solved"
    page.goto(page.url.replace("proofs.html", "intro.html"))
    row = page.get_by_role("row").filter(has_text="Proofs to put in order")
    assert row.locator(".hs-mark").inner_text() == "1 of 11 solved"


def test_the_mouse_presses_and_drags(page):
    order = Order(page)
    for key in "dabcefgh":
        order.line(key).click()
    order.line("d").drag_to(order.line("c"), target_position={"x": 200, "y": 40})
    assert order.keys == "abcdefgh"
    assert order.check().startswith("Right.")
    order.place.get_by_role("button", name="Start over").click()
    assert order.keys == ""
