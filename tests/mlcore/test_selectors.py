"""The feature selectors: scikit-learn's checks, and equality with the functions."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore import estimators as E
from mlcore import selection
from mlcore.least_squares import ridge
from mlcore.validation import k_folds

SEARCHES = {
    E.ForwardSelection: selection.forward,
    E.BackwardSelection: selection.backward,
    E.ExhaustiveSelection: selection.exhaustive,
}
RANKINGS = [E.UnivariateSelection(), E.MutualInformationSelection()]
RANKINGS += [E.RecursiveElimination(E.Ridge())]
rng = np.random.default_rng(0)
X = rng.normal(size=(60, 6))
SIGNS = np.where(X[:, 4] - X[:, 1] + 0.3 * rng.normal(size=60) > 0, 1.0, -1.0)
NAMES = np.where(SIGNS > 0, "yes", "no")


@parametrize_with_checks([*(search() for search in SEARCHES), *RANKINGS])
def test_passes_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("search", SEARCHES)
def test_search_equals_function_for_any_two_labels(search):
    splits = k_folds(SIGNS, folds=4, rng=7)
    expected = SEARCHES[search](X, SIGNS, splits=splits, tol=0.01)
    for y in NAMES, 3 * SIGNS + 7:
        model = search(folds=4, rng=7, tol=0.01).fit(X, y)
        assert sorted(expected.features) == model.get_support(indices=True).tolist()
        assert np.array_equal(model.found_.errors, expected.errors)


def test_rankings_equal_functions():
    model = E.UnivariateSelection(n_features=3, measure="signal_to_noise").fit(X, NAMES)
    expected = selection.univariate(X, SIGNS, score="signal_to_noise")
    assert np.array_equal(model.found_.scores, expected.scores)
    assert set(model.get_support(indices=True)) == set(expected.order[:3])
    model = E.MutualInformationSelection(n_features=3, bins=4).fit(X, NAMES)
    expected = selection.mutual_information(X, SIGNS, bins=4)
    np.testing.assert_allclose(model.found_, expected, rtol=1e-12)
    assert set(model.get_support(indices=True)) == set(np.argsort(-expected)[:3])
    options = {"n_features": 2, "fraction": 0.3}
    model = E.RecursiveElimination(E.Ridge(lambda_=3.0), **options).fit(X, NAMES)
    fit = lambda X, y: ridge(X, y, lambda_=3.0)  # noqa: E731
    expected = selection.recursive_elimination(X, SIGNS, fit=fit, **options)
    assert model.found_.removed == expected.removed


def test_recursive_elimination_accepts_any_linear_model():
    for estimator in E.SoftMargin(), E.Logistic(lambda_=0.1), LogisticRegression():
        model = E.RecursiveElimination(estimator, n_features=2).fit(X, NAMES)
        assert model.get_support(indices=True).tolist() == [1, 4]
    assert E.RecursiveElimination(E.Ridge()).fit(X, NAMES).support_.sum() == 1


def test_numbers_and_many_classes_as_y():
    y = X[:, 3] + 0.01 * X[:, 0]
    assert E.ForwardSelection(n_features=1).fit(X, y).support_[3]
    assert E.UnivariateSelection().fit(X, y).support_[3]
    labels = np.array(["a", "b", "c"])[np.digitize(X[:, 2], [-0.5, 0.5])]
    assert E.MutualInformationSelection(bins=3).fit(X, labels).support_[2]


@pytest.mark.parametrize(("size", "stratified"), [(4, False), (5, True)])
def test_folds_are_not_stratified_for_a_small_class(size, stratified):
    y = np.ones(60)
    y[: 5 * size : 5] = -1  # all in one fold, unless stratified
    splits = k_folds(y, folds=5, stratified=stratified)
    expected = selection.forward(X, y, splits=splits)
    found = E.ForwardSelection(folds=5).fit(X, y).found_
    assert np.array_equal(found.errors, expected.errors)


@pytest.mark.parametrize(
    ("selector", "y", "message"),
    [
        (E.UnivariateSelection(n_features=7), NAMES, "n_features must be at most 6; got 7"),
        (E.MutualInformationSelection(n_features=0), NAMES, "must be at least 1; got 0"),
        (E.ForwardSelection(folds=1), NAMES, "folds must be at least 2; got 1"),
        (E.UnivariateSelection(), [*"abc"] * 20, "y must be an array of real numbers"),
        (E.UnivariateSelection(), ["yes", np.nan] * 30, "must be all numbers or all text"),
        (E.UnivariateSelection(), np.array([1, "yes"] * 30, object), "Unknown label type"),
        (E.RecursiveElimination(E.KNN()), NAMES, "fit must return an object with coef_"),
    ],
)
def test_invalid_parameter_or_label_raises(selector, y, message):
    with pytest.raises(ValueError, match=message):
        selector.fit(X, y)
