"""What a reader has solved is marked and kept, saved, loaded and forgotten."""

from browsing import visiting
from reader import Exercise
from serving import serving

from mlcore.book.exercises.perceptron import by_hand

PAGE, FIRST = "chapters/perceptron.html", "chapters/intro.html"
WRONG, RIGHT = "check.by_hand((2, 4), 5)", "check.by_hand((2, 3), 5)"
FULL = """() => { Storage.prototype.setItem = () => { throw new Error("full"); }; }"""


def marks(page):
    return [words for words in page.locator(".hs-mark").all_inner_texts() if words]


def said(page):
    return page.locator(".hs-bar .hs-status").last.inner_text()


def test_what_is_solved_stays_until_it_is_forgotten(browser, site, tmp_path):
    with serving(site) as root, visiting(browser, root, PAGE) as visit:
        page = visit.page
        page.on("dialog", lambda dialog: dialog.accept())
        exercise = Exercise(page, "by_hand")
        assert exercise.answer == "Not tried yet."
        assert set(marks(page)) == {"not tried"}
        exercise.open().run(WRONG)
        assert marks(page)[0] == "tried"
        w, updates = by_hand.made(7).right
        exercise.run(f"check.by_hand.another(7)({w.tolist()}, {updates})")
        assert exercise.answer.endswith(" (Seed 7.)")
        assert marks(page)[0] == "solved with other numbers"
        assert marks(page)[-1] == "0 of 8 solved"
        exercise.run(RIGHT)
        Exercise(page, "certificate").open().run(RIGHT)  # the answer to another one
        exercise.run(WRONG)
        page.reload()
        assert marks(page)[:3] == ["✓ solved", "tried", "not tried"]
        assert marks(page)[-1] == "1 of 8 solved"
        exercise = Exercise(page, "by_hand")
        assert exercise.answer.startswith("Not yet. With w = [2, 4] example 2")
        assert exercise.open().code == WRONG
        exercise.button("Start over").click()
        assert exercise.answer == "Not tried yet."

        page.goto(f"{root}/{FIRST}")
        assert marks(page) == ["1 of 8 solved"]
        with page.expect_download() as download:
            page.get_by_role("button", name="Save my answers").click()
        saved, other = tmp_path / "saved.json", tmp_path / "other.json"
        download.value.save_as(saved)
        page.get_by_role("button", name="Forget them").click()
        assert marks(page) == []
        other.write_text('{"another": "file"}')
        for file, sentence in (
            (other, "other.json holds no answers of this book. Nothing was changed."),
            (saved, "Loaded."),
        ):
            page.locator("input[type=file]").set_input_files(file)
            page.get_by_text(sentence).wait_for()
        assert marks(page) == ["1 of 8 solved"]


def test_a_hint_unfolds_and_in_it_the_first_step(browser, site):
    with visiting(browser, site.as_uri(), PAGE) as visit:
        visit.page.reload()  # the visit opened all folds
        folds = visit.page.locator(".hs-hints").first
        shown = "(all) => all.map((e) => e.checkVisibility())"
        hints = folds.locator("p")
        assert hints.evaluate_all(shown) == [False, False]
        folds.get_by_text("A hint").click()
        assert hints.evaluate_all(shown) == [True, False]
        visit.page.keyboard.press("Tab")
        visit.page.keyboard.press("Enter")
        assert hints.evaluate_all(shown) == [True, True]
        assert "Example 1 has the score 0" in hints.last.inner_text()


def test_without_room_an_answer_lasts_as_long_as_the_page(browser, site):
    with serving(site) as root, visiting(browser, root, PAGE) as visit:
        visit.page.evaluate(FULL)
        exercise = Exercise(visit.page, "by_hand").open()
        exercise.cell.locator(".cm-content").click()
        visit.page.keyboard.type("#")
        assert exercise.status.startswith("The browser does not keep your answer")
        assert exercise.run(RIGHT).startswith("Right. ")
        assert marks(visit.page)[0] == "✓ solved"
