"""Put a proof in order with keys and the mouse."""

import pytest

PAGE = "chapters/proofs.html"
HEIGHTS = "(all) => Math.max(...all.map((e) => e.getBoundingClientRect().height))"


@pytest.mark.slow
def test_proof_is_ordered_by_keys_and_reset(visit):
    page = visit.page
    box = page.locator(".hs-order").first
    line = lambda key: box.locator(f".hs-lines > [data-key={key}]")  # noqa: E731

    def keys():
        lines = box.locator(".hs-lines").last.locator("> div")
        return "".join(lines.evaluate_all("(all) => all.map((e) => e.dataset.key)"))

    def check():
        box.get_by_role("button", name="Check").click()
        return box.get_by_role("status").inner_text()

    formulas = page.locator(".hs-lines math")
    assert formulas.evaluate_all(HEIGHTS) < 50, "no formula wraps in a wide window"
    for key in "bacpdegfh":
        line(key).focus()
        page.keyboard.press("Enter")
    assert check().startswith("Not yet. Line 4 is wrong. A mistake has a margin")
    line("p").press("Enter")
    assert check().startswith("Not yet. Line 6 uses a line that does not come before it")
    line("f").press("ArrowUp")
    assert keys() == "bacdefgh"
    assert box.get_by_role("status").inner_text() == "Now line 6. Not checked yet."
    assert check().startswith("Right.")
    page.reload()
    assert keys() == "bacdefgh"
    assert box.locator(".hs-verdict").inner_text().startswith("Right.")
    assert page.locator("h2 .hs-mark").first.inner_text() == "✓ solved"
    line("h").drag_to(line("g"), target_position={"x": 20, "y": 2})
    assert keys() == "bacdefhg"
    box.get_by_role("button", name="Start over").click()
    assert keys() == ""
    step = box.get_by_role("button", name="Show the next step")
    for key in "acpb":
        line(key).click()
    assert check().startswith("Not yet. Line 2 uses") and not step.is_visible()
    check()
    step.press("Enter")
    status = box.get_by_role("status")
    assert status.inner_text().startswith("Placed as line 2: it uses no other line.")
    assert keys() == "abcp"
    for _ in "defgh":
        step.click()
    assert status.inner_text().startswith("Placed as line 8: it uses line 7.")
    assert check().startswith("Right.") and not step.is_visible()
    page.goto(page.url.replace("proofs.html", "intro.html"))
    row = page.get_by_role("row").filter(has_text="Proofs to put in order")
    assert row.locator(".hs-mark").inner_text() == "1 of 11 solved"
