"""Review questions: one right answer for every seed, and different wrong answers."""

import tomllib

import pytest

from halfspaces.review import CHAPTERS, ask, draw
from teaching.exam import EXAM_QUESTIONS

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def exam_questions(chapter: str, seed: int = 0):
    return draw(tomllib.loads((EXAM_QUESTIONS / f"{chapter}.toml").read_text()), seed)


MANY = pytest.param(range(15, 100), marks=pytest.mark.slow)


@each_chapter
@pytest.mark.parametrize("source", [ask, exam_questions])
@pytest.mark.parametrize("seeds", [range(15), MANY])
def test_right_and_wrong_answers_of_a_question_differ(chapter, source, seeds):
    for seed in seeds:
        for question in source(chapter, seed):
            answers = [question.right, *question.wrong]
            if isinstance(question.right, str):
                assert len(answers) == len(set(answers)) >= 2, question
            else:  # the page accepts an error of half a percent
                for k, answer in enumerate(answers):
                    for other in answers[:k]:
                        assert abs(answer - other) > 0.02 * abs(other), question


@each_chapter
def test_chapter_has_ten_to_fifteen_complete_questions(chapter):
    questions = ask(chapter)
    assert 10 <= len(questions) <= 15
    assert len(exam_questions(chapter)) >= 3
    for question in [*questions, *exam_questions(chapter)]:
        parts = [question.ask, question.why, *map(str, question.wrong), str(question.right)]
        for text in [*parts, *question.wrong.values()]:
            assert text.count("$") % 2 == 0, text
            assert "{{" not in text, text
    assert "<details>" in questions._repr_html_()


def test_unknown_chapter_and_negative_seed_raise():
    with pytest.raises(ValueError, match=r"chapter must be one of .*; got 'intro'"):
        ask("intro")
    with pytest.raises(ValueError, match=r"seed must be a whole number.*got -1"):
        ask("perceptron", -1)
