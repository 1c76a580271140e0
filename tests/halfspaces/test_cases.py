"""Cases grade a decision and a claim on new data, and name the trap that spoiled them."""

import re
from functools import partial

import numpy as np
import pytest

from halfspaces.exercises import case_tools, cases, mixed_cases, multiclass, perceptron
from halfspaces.exercises import feature_selection as check
from sitebuild.chapters import ROOT
from teaching.case_study import answers, build
from tests.halfspaces.bad_answers import CHECKERS

CASES = [check for check in CHECKERS if hasattr(check, "sample")]
EARLY = ~np.array([name.endswith(("(g)", "(days)")) for name in check.leak.sample().names])


def reply_to(predict, low=0.2, high=0.3):
    return check.leak(lambda X, y, names: (predict, low, high))


def decide_early(X, y, names, interval=case_tools.mean_interval):
    """Drop the columns recorded too late; claim an interval from 10 folds."""

    def fit(X, y):
        predict = case_tools.fit_rule(X[:, EARLY], y)
        return lambda Q: predict(Q[:, EARLY])

    splits = case_tools.make_folds(y)
    losses = cases.zero_one_loss(y, case_tools.predict_out_of_fold(fit, X, y, splits))
    return fit(X, y), interval(losses)


def test_rule_that_reads_variables_of_the_latest_decide_call_is_accepted():
    def decide(X, y, names):
        kept["rule"], *claim = multiclass.codes.build().solution[0](X, y, names)
        return (lambda Q: kept["rule"](Q)), claim

    kept = {}
    assert multiclass.codes(decide).right


@pytest.mark.slow
@pytest.mark.parametrize("half, score", [(0.132, 1.0), (0.133, 0.5)])
def test_interval_may_be_as_wide_as_printed(half, score):
    decide = partial(decide_early, interval=lambda e: np.add(e.mean(), (-half, half)))
    assert check.leak(decide).score == score


@pytest.mark.slow
def test_costly_decision_with_an_honest_claim_earns_nothing():
    """A rule that uses twelve of the early columns has a higher error than the book's."""

    def decide(X, y, names):
        first = np.flatnonzero(EARLY)[:12]
        predict, *claim = case_tools.decide_and_claim(case_tools.fit_rule, X[:, first], y)
        return lambda Q: predict(Q[:, first]), claim

    verdict = check.leak(decide)
    assert verdict.score == 0 and "Which other rules" in verdict.misconception


slow_row = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("claim", "advice"),
    [  # from the ends of an honest interval
        (lambda a, b: (1 - b, 1 - a), "quantity that the question asks for"),
        slow_row(lambda a, b: ((5 * a - b) / 4, (a + 3 * b) / 4), "take part in the fit"),
        slow_row(lambda a, b: (0.16 + 1e-6 * (a > 0.2), 0.41), "not follow the difficulty"),
    ],
    ids=["accuracy", "one standard error too low", "nearly fixed"],
)
def test_wrong_claim_gets_its_advice(claim, advice):
    decide = partial(decide_early, interval=lambda e: claim(*case_tools.mean_interval(e)))
    verdict = check.leak(decide)
    assert not verdict.right and advice in repr(verdict) and "{" not in repr(verdict)


@pytest.mark.slow
def test_training_error_is_too_low_even_with_many_rows():
    decide = partial(perceptron.last.build().solution[0], route="training error")
    verdict = perceptron.last(decide)
    assert not verdict.right and "take part in the fit" in verdict.misconception


@pytest.mark.slow
def test_fixed_interval_with_a_few_distant_centers_counts_as_fixed():
    rng = np.random.default_rng(1)

    def decide(X, y, names):
        center = 0.22 + (rng.random() < 0.08) * rng.normal()
        return decide_early(X, y, names)[0], center - 0.12, center + 0.12

    assert "Some draws are harder" in check.leak(decide).misconception


def test_rule_that_depends_on_row_position_is_refused():
    def predict(Q):
        return np.where(np.arange(len(Q)) < len(Q) / 2, -1, 1)

    assert perceptron.last(lambda X, y, names: (predict, 0.0, 0.0)).score == 0


def test_labels_must_be_signs_and_one_for_each_row():
    assert "returned the label 0; all labels" in repr(reply_to(lambda Q: np.zeros(len(Q))))
    assert "labels -1 or +1, one for each row" in repr(reply_to(lambda Q: np.ones(3)))
    assert "labels -1 or +1" in repr(reply_to(lambda Q: np.full(len(Q), "+1")))
    assert "a function and two numbers" in repr(reply_to(3.0))
    assert "low is above high" in repr(reply_to(lambda Q: np.ones(len(Q)), 0.5, 0.1))


def test_labels_must_not_depend_on_the_other_rows():
    def decide(X, y, names):
        predict, claim = decide_early(X, y, names)
        return lambda Q: predict(Q - Q.mean(axis=0) + X.mean(axis=0)), claim

    assert "other labels if it gets only a few of them" in repr(check.leak(decide))


def test_claim_learns_nothing_from_data_in_use():
    """A reader's function that remembers which columns are empty in the new data fails."""
    filled = np.ones(22, bool)

    def decide(X, y, names):
        def predict(Q):
            filled[:] = Q.any(axis=0)
            return case_tools.fit_rule(X[:, filled], y)(Q[:, filled])

        claim = case_tools.decide_and_claim(case_tools.fit_rule, X[:, filled], y)[1:]
        return predict, claim

    assert not check.leak(decide).right


@pytest.mark.slow
def test_first_claims_must_not_be_wide():
    """The first claims are wide, since the dead columns are not yet known."""
    dead = []

    def decide(X, y, names):
        def predict(Q):
            dead[:] = [(Q[0] == Q).all(axis=0)] if len(Q) > 1 else dead
            return case_tools.fit_rule(X[:, ~dead[0]], y)(Q[:, ~dead[0]])

        if not dead:
            low, high = case_tools.decide_and_claim(case_tools.fit_rule, X, y)[1:]
            return predict, 1.5 * (low + high) - 0.16, 1.5 * (low + high) + 0.16
        kept = X[:, ~dead[0]]
        return predict, *case_tools.decide_and_claim(case_tools.fit_rule, kept, y)[1:]

    assert not check.leak(decide).right


def test_remembered_labels_do_not_hide_that_a_rule_fails_for_few_rows():
    def decide(X, y, names):
        def predict(Q):
            labels = rule(Q) if len(Q) > 5 else -rule(Q)
            return [seen.setdefault(q.tobytes(), v) for q, v in zip(Q, labels, strict=True)]

        seen = {}
        rule, claim = decide_early(X, y, names)
        return predict, claim

    assert "other labels if it gets only a few of them" in check.leak(decide).sentence


def test_code_that_fails_without_the_trap_gets_general_advice():
    def decide(X, y, names):
        def predict(Q):
            return None if Q[:, ~EARLY].any() else np.ones(len(Q))

        return predict, 0.5, 0.6

    assert "Which other rules" in check.leak(decide).misconception


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_praise_names_a_section_of_the_book(case):
    praise = case.build().texts["praise"]
    titles = re.findall("The section “(.*)”", praise)
    assert titles or "the case of the" in praise
    pages = [path.read_text("utf-8") for path in (ROOT / "chapters").glob("*.ipynb")]
    for title in titles:
        assert any(re.search(f'"##+ {re.escape(title)}', page) for page in pages)


def test_slow_decision_is_stopped_with_a_hint(monkeypatch):
    monkeypatch.setattr(cases, "SECONDS", 0.001)
    assert "Can it fit fewer or smaller models?" in repr(check.leak(decide_early))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_sample_is_of_the_source_that_is_judged(case):
    assert np.array_equal(case.sample().X, case.build().sample().X)


def test_sample_has_column_names_and_is_not_used_by_checks():
    sample, used = check.leak.sample(3), []
    assert not hasattr(check.leak, "make")  # it leads to the solution
    assert sample.X.shape == (160, 22) == (len(sample.y), len(sample.names))
    check.leak.build(0).check_decision(
        lambda X, y, names: used.append(X) or decide_early(X, y, names)
    )
    assert not any(np.array_equal(check.leak.sample(0).X, X) for X in used)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_honest_claim_from_five_folds_is_right(case):
    built = build(case, 11)
    built.check_decision(partial(built.solution[0], route="five folds"))


@pytest.mark.slow
@pytest.mark.parametrize("case", [mixed_cases.birds, mixed_cases.plots, mixed_cases.wells])
def test_wrong_routes_of_the_mixed_cases_get_their_advice(case):
    built = case.build()
    decisions = answers(built)
    keys = {route: key for route, (_, key) in cases.COMMON_CLAIMS.items()} | built.routes
    for route, key in keys.items():
        with pytest.raises(cases.WrongAnswer) as error:
            built.check_decision(decisions[route])
        assert error.value.misconception == built.texts[key], route
