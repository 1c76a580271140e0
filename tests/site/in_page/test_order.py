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


def test_who_is_stuck_is_shown_the_next_step(page):
    order = Order(page)
    step = order.place.get_by_role("button", name="Show the next step")
    for key in "acpb":
        order.line(key).click()
    assert order.check().startswith("Not yet. Line 2 uses") and not step.is_visible()
    order.check()
    step.press("Enter")
    said = order.place.get_by_role("status")
    assert said.inner_text() == "Placed as line 2: it uses no other line. Not checked yet."
    assert order.keys == "abcp"
    step.click()
    assert order.keys == "abcd"
    assert said.inner_text().startswith("A wrong line is taken out. Placed as line 4: it")
    for _ in "efgh":
        step.click()
    assert said.inner_text().startswith("Placed as line 8: it uses line 7.")
    assert order.check().startswith("Right.")
    assert not step.is_visible()


def test_without_a_script_the_lines_stand_in_order(browser, site):
    with serving(site) as root:
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(f"{root}/{PAGE}")
        page.locator(".hs-order summary").first.click()
        lines = page.locator(".hs-order details[open] li")
        assert lines.count() == 8
        assert "At the start" in lines.first.inner_text()
        context.close()
