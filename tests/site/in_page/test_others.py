"""A reader asks for other numbers: the whole question is shown, and judges an answer."""

from browsing import visiting
from reader import Exercise
from serving import serving


def test_other_numbers_are_a_whole_question_that_judges(browser, site):
    with serving(site) as root, visiting(browser, root, "chapters/geometry.html") as visit:
        exercise, questions = Exercise(visit.page, "same_margin").open(), []
        for exercise.runs in range(2):
            exercise.button("Other numbers").click()
            questions.append(exercise.finish())
        first, second = (words.splitlines() for words in questions)
        assert first[0].startswith("Seed 1. Take any separable data with both labels")
        assert [line[:3] for line in first[1:]] == [f"{q}. " for q in range(1, 9)]
        assert second[0].startswith("Seed 2. ") and first[1:] != second[1:]
        said = exercise.run("check.same_margin.another(2)([True] * 8)")
        assert said.startswith("Not yet. Number ") and said.endswith(" (Seed 2.)")
