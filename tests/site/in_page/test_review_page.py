"""The Review page repeats a question at once if the answer is wrong, else in a week."""

import json
from datetime import datetime, timedelta
from pathlib import Path

PAGE = "chapters/review.html"
NUMBER = {"ask": "Half of $1$?", "right": 0.5, "wrong": [[2, "Twice."]], "why": "So."}
CHOICE = {"ask": "Is it?", "right": "Yes.", "wrong": [["No.", "But $1<2$."]], "why": "So."}
OTHER = NUMBER | {"ask": "Half of $2$?", "right": 1.0}
ENTRIES = [{"name": "a", "variants": [NUMBER, OTHER]}, {"name": "b", "variants": [CHOICE]}]


def test_question_returns_until_it_is_answered_and_after_a_week(visit):
    page = visit.page
    page.route("**/review/*.json", lambda route: route.fulfill(json=ENTRIES))
    press = lambda name: page.get_by_role("button", name=name, exact=True).click()  # noqa: E731
    verdict = page.locator(".hs-verdict")
    answer = page.get_by_label("Your answer, a number")
    numbers = []  # numbers in the questions
    press("Ask me")
    page.get_by_text("Choose at least one chapter.").wait_for()
    page.get_by_label("The perceptron").check()
    press("Ask me")
    for _ in ENTRIES:
        page.get_by_role("button", name="I do not know").wait_for()
        if answer.count():
            answer.fill("1,600")  # ambiguous: a decimal comma?
            page.keyboard.press("Enter")
            page.get_by_text("Give a number, such as 0.25, 1/4 or 1600.").wait_for()
            numbers += page.locator(".hs-ask").inner_text().split()[2:3]
            answer.fill("2,0")
            page.keyboard.press("Enter")
            verdict.wait_for()
            assert verdict.inner_text().startswith("Not yet. Twice. The answer is ")
        else:
            press("No.")
            verdict.wait_for()
            assert "The answer is “Yes.” So." in verdict.inner_text()
        page.keyboard.press("Enter")  # Next has the focus
    for _ in ENTRIES:
        page.get_by_role("button", name="I do not know").wait_for()
        if answer.count():
            numbers += page.locator(".hs-ask").inner_text().split()[2:3]
            answer.fill("1/2" if numbers[-1] == "1" else "1")
            page.keyboard.press("Enter")
        else:
            press("Yes.")
        page.get_by_text("Right. So.").wait_for()
        page.keyboard.press("Enter")
    done = page.get_by_role("status").get_by_text("Done: 2 of 4 answers were right.")
    done.wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Ask me"
    assert sorted(numbers) == ["1", "2"]  # both variants were asked
    page.reload()
    page.get_by_label("The perceptron").and_(page.locator(":checked")).wait_for()
    press("Ask me")
    page.get_by_text("Nothing is due: ask again in 7 days.").wait_for()
    page.clock.set_fixed_time(datetime.now() + timedelta(days=7, hours=1))
    press("Ask me")
    page.get_by_text("1 more").wait_for()
    with page.expect_download() as download:
        press("Save as cards for Anki")
    lines = Path(download.value.path()).read_text().splitlines()
    assert lines[:3] == ["#separator:tab", "#html:true", "Half of \\(1\\)?\t0.5<br>So."]


def test_served_questions_have_spoken_formulas(site):
    for file in (site / "in-page" / "review").glob("*.json"):
        questions = json.loads(file.read_text())
        for variant in (v for question in questions for v in question["variants"]):
            texts = [str(variant["right"]), *(str(text) for text, _ in variant["wrong"])]
            assert {text for text in texts if "$" in text} == variant["spoken"].keys()
            assert not any("$" in words for words in variant["spoken"].values())
