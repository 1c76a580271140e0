"""Selection in a pipeline: the contract, the same answers, and inside the folds."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore import selection
from mlcore.estimators import (
    BackwardSelection,
    ExhaustiveSelection,
    ForwardSelection,
    Logistic,
    MutualInformationSelection,
    RecursiveElimination,
    Ridge,
    SoftMargin,
    UnivariateSelection,
)
from mlcore.least_squares import ridge
from mlcore.solvers import ranking
from mlcore.validation import k_folds

SELECTORS = [
    ForwardSelection(),
    BackwardSelection(),
    ExhaustiveSelection(),
    UnivariateSelection(count=2),
    MutualInformationSelection(count=2, bins=3),
    RecursiveElimination(Ridge(), count=2),
]
each = pytest.mark.parametrize("selector", SELECTORS, ids=str)
rng = np.random.default_rng(0)
X = rng.normal(size=(60, 6))
SIGNS = np.where(X[:, 4] - X[:, 1] + 0.3 * rng.normal(size=60) > 0, 1.0, -1.0)
NAMES = np.where(SIGNS > 0, "yes", "no")


@parametrize_with_checks(
    [type(s)() for s in SELECTORS[:-1]] + [RecursiveElimination(Ridge())]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@each
def test_it_keeps_the_columns_that_matter(selector):
    model = clone(selector).fit(X, NAMES)
    kept = model.get_support(indices=True)
    assert {1, 4} <= set(kept.tolist())
    np.testing.assert_array_equal(model.transform(X), X[:, kept])
    assert model.get_feature_names_out().tolist() == [f"x{j}" for j in kept]


@each
def test_two_labels_of_any_kind_are_signs(selector):
    by_names, by_signs = clone(selector).fit(X, NAMES), clone(selector).fit(X, SIGNS)
    by_numbers = clone(selector).fit(X, 3 * SIGNS + 7)
    assert np.array_equal(by_names.support_, by_signs.support_)
    assert np.array_equal(by_names.support_, by_numbers.support_)


def test_the_searches_are_the_functions():
    splits = k_folds(SIGNS, folds=4, rng=7)
    options = {"folds": 4, "rng": 7, "tol": 0.01}
    for Selector, function in (
        (ForwardSelection, selection.forward),
        (BackwardSelection, selection.backward),
        (ExhaustiveSelection, selection.exhaustive),
    ):
        model = Selector(**options).fit(X, NAMES)
        expected = function(X, SIGNS, splits=splits, tol=0.01)
        assert sorted(expected.features) == model.get_support(indices=True).tolist()
        np.testing.assert_array_equal(model.found_.errors, expected.errors)


def test_the_rankings_are_the_functions():
    model = UnivariateSelection(count=3, measure="signal_to_noise").fit(X, NAMES)
    expected = ranking.univariate(X, SIGNS, score="signal_to_noise")
    np.testing.assert_array_equal(model.found_.scores, expected.scores)
    assert set(model.get_support(indices=True)) == set(expected.order[:3])
    model = MutualInformationSelection(count=3, bins=4).fit(X, NAMES)
    expected = ranking.mutual_information(X, SIGNS, bins=4)
    np.testing.assert_allclose(model.found_, expected, rtol=1e-12)
    assert set(model.get_support(indices=True)) == set(np.argsort(-expected)[:3])


def test_recursive_elimination_is_the_function():
    model = RecursiveElimination(Ridge(lambda_=3.0), count=2, share=0.3).fit(X, NAMES)
    expected = ranking.recursive_elimination(
        X, SIGNS, fit=lambda X, y: ridge(X, y, lambda_=3.0), count=2, share=0.3
    )
    assert model.found_.removed == expected.removed
    assert tuple(model.get_support(indices=True)) == expected.features


def test_any_linear_model_eliminates():
    for estimator in SoftMargin(), Logistic(lambda_=0.1), LogisticRegression():
        model = RecursiveElimination(estimator, count=2).fit(X, NAMES)
        assert model.get_support(indices=True).tolist() == [1, 4]


def test_one_feature_is_kept_unless_a_count_is_given():
    for kind in UnivariateSelection, MutualInformationSelection:
        assert kind().fit(X, NAMES).support_.sum() == 1
    assert RecursiveElimination(Ridge()).fit(X, NAMES).found_.sizes == (6, 5, 4, 3, 2)


def test_measurements_are_fitted_as_numbers():
    y = X[:, 3] + 0.01 * X[:, 0]
    assert ForwardSelection(count=1).fit(X, y).support_[3]
    assert UnivariateSelection().fit(X, y).support_[3]


def test_many_classes_have_mutual_information():
    labels = np.array(["a", "b", "c"])[np.digitize(X[:, 2], [-0.5, 0.5])]
    assert MutualInformationSelection(bins=3).fit(X, labels).support_[2]
    with pytest.raises(ValueError, match="y must be an array of real numbers"):
        UnivariateSelection().fit(X, labels)


def test_inside_the_folds_noise_says_nothing():
    """Chosen on all data, 5 of 1000 columns of noise predict labels of noise."""
    noise = np.random.default_rng(1)
    many, labels = noise.normal(size=(60, 1000)), np.resize([0, 1], 60)
    chosen = UnivariateSelection(count=5)
    outside = cross_val_score(
        Logistic(lambda_=0.1), chosen.fit_transform(many, labels), labels
    )
    pipeline = make_pipeline(chosen, Logistic(lambda_=0.1))
    inside = cross_val_score(pipeline, many, labels)
    assert outside.mean() > 0.75
    assert inside.mean() < 0.6


def test_how_many_features_is_searched():
    pipeline = make_pipeline(ForwardSelection(), Logistic(lambda_=0.1))
    search = GridSearchCV(pipeline, {"forwardselection__count": [1, 2]}, cv=3)
    assert search.fit(X, NAMES).best_params_ == {"forwardselection__count": 2}


@pytest.mark.parametrize("selector", SELECTORS[3:], ids=str)
@pytest.mark.parametrize("count", [0, 7, 1.0, None])
def test_bad_count(selector, count):
    with pytest.raises(ValueError, match="count must be"):
        clone(selector).set_params(count=count).fit(X, NAMES)


@pytest.mark.parametrize("folds", [1, 61, "5"])
def test_bad_folds(folds):
    with pytest.raises(ValueError, match="folds must be"):
        ForwardSelection(folds=folds).fit(X, NAMES)


def test_a_class_smaller_than_the_folds_is_dealt_like_any_example():
    for size, stratified in (4, False), (5, True):
        few = np.ones(60)
        few[: 5 * size : 5] = -1  # all in one fold, unless each gets its share
        splits = k_folds(few, folds=5, stratified=stratified)
        expected = selection.forward(X, few, splits=splits)
        found = ForwardSelection(folds=5).fit(X, few).found_
        np.testing.assert_array_equal(found.errors, expected.errors)


@each
def test_it_tells_scikit_learn_that_it_needs_labels(selector):
    assert get_tags(selector).target_tags.required


@each
def test_labels_of_mixed_kinds_are_refused_by_name(selector):
    with pytest.raises(ValueError, match="Unknown label type for y"):
        clone(selector).fit(X, np.array([1, "yes"] * 30, dtype=object))


@each
def test_before_fit_it_raises_the_error_of_scikit_learn(selector):
    with pytest.raises(NotFittedError):
        clone(selector).transform(X)
