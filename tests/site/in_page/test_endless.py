"""An answer that never ends gets its verdict in the page, and nobody presses Stop."""

import pytest
from browsing import visiting
from reader import Exercise, serving

LOOP = "was stopped after 2,000,000 steps or 10 seconds. Is there a loop that never ends?"
DEEP = "called itself without end."
ANSWER = "def my_perceptron(X, y):\n    {}\n\ncheck.my_perceptron(my_perceptron)"


@pytest.fixture(scope="module")
def exercise(browser, site):
    with (
        serving(site) as root,
        visiting(browser, root, "chapters/perceptron.html") as visit,
    ):
        yield Exercise(visit.page, "my_perceptron").open()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("while True: np.sort(np.ones((1000, 1000)))", LOOP),
        ("return [*map(lambda k: my_perceptron(X, y), [0])]", DEEP),
    ],
)
def test_an_answer_that_never_ends_is_answered(exercise, body, said):
    assert said in exercise.run(ANSWER.format(body))
