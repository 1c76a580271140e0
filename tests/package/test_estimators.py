"""The scikit-learn classes: the whole contract, and the same answers as the functions."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore import (
    boosting,
    generative,
    l1_svm,
    lasso,
    least_squares,
    multiclass,
    neighbors,
    svm,
)
from mlcore import logistic as log
from mlcore.estimators import (
    KNN,
    L1SVM,
    LDA,
    AdaBoost,
    IndicatorRegression,
    Lasso,
    LeastSquares,
    LinearMachine,
    Logistic,
    OneVsOne,
    OneVsRest,
    Pegasos,
    Perceptron,
    Ridge,
    SoftMargin,
    SoftmaxRegression,
    SubgradientDescent,
)
from mlcore.perceptron import perceptron

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning"  # see test_conventions.py
)


def few_epochs(X, y):
    return perceptron(X, y, max_epochs=9)


def no_bias(X, y):
    return perceptron(X, y, bias=False)


FEW, NO_BIAS = Perceptron(max_epochs=9), Perceptron(bias=False)
REGRESSORS = [
    (LeastSquares(bias=False), least_squares.least_squares, {"bias": False}),
    (Ridge(lambda_=0.05), least_squares.ridge, {"lambda_": 0.05}),
    (Lasso(lambda_=0.05), lasso.lasso, {"lambda_": 0.05}),
]
LINEAR = [
    (Perceptron(max_epochs=7, rng=3), perceptron, {"max_epochs": 7, "rng": 3}),
    (Logistic(lambda_=0.05), log.logistic, {"lambda_": 0.05}),
    (LDA(), generative.lda, {}),
    (SoftMargin(lambda_=0.05), svm.soft_margin, {"lambda_": 0.05}),
    (
        SubgradientDescent(lambda_=0.05, steps=9),
        svm.subgradient_descent,
        {"lambda_": 0.05, "steps": 9},
    ),
    (
        Pegasos(lambda_=0.05, epochs=7, rng=3),
        svm.pegasos,
        {"lambda_": 0.05, "epochs": 7, "rng": 3},
    ),
    (L1SVM(C=0.5), l1_svm.l1_svm, {"C": 0.5}),
]
BINARY = [*LINEAR, (AdaBoost(rounds=3), boosting.adaboost, {"rounds": 3})]
REDUCTIONS = [
    (OneVsOne(FEW), multiclass.one_vs_one, {"fit": few_epochs}),
    (OneVsRest(FEW), multiclass.one_vs_rest, {"fit": few_epochs}),
    (
        OneVsRest(FEW, form="K-1"),
        multiclass.one_vs_rest,
        {"fit": few_epochs, "form": "K-1"},
    ),
    (LinearMachine(NO_BIAS), multiclass.linear_machine, {"fit": no_bias}),
]
SCORED = [
    (IndicatorRegression(), least_squares.indicator_regression, {}),
    (SoftmaxRegression(lambda_=0.05), log.softmax_regression, {"lambda_": 0.05}),
]
ALL = REGRESSORS + BINARY + SCORED + REDUCTIONS + [(KNN(k=3), neighbors.knn, {"k": 3})]


def each(cases, width=1):
    names = ["estimator", "function", "options"][:width]
    cases = [case[0] if width == 1 else case for case in cases]
    ids = [str(case if width == 1 else case[0]) for case in cases]
    return pytest.mark.parametrize(",".join(names), cases, ids=ids)


X = np.random.default_rng(0).normal(size=(24, 2))
INDEX = np.digitize(X @ [1.0, -2.0], [-1.0, 1.0])  # three classes
NAMES = np.array(["maybe", "no", "yes"])
THREE, TWO = NAMES[INDEX], NAMES[1 + (INDEX > 0)]


def numbers(result):
    """The arrays and numbers that a result reports."""
    found = vars(result).items()
    kinds = float, int, np.ndarray
    return {k: v for k, v in found if isinstance(v, kinds) and k != "classes"}


def expected(estimator):
    """Its data for weights are separable: without a penalty there is no best rule."""
    weights = {"check_sample_weight_equivalence_on_dense_data": "no minimum"}
    return weights if repr(estimator) in ("Logistic()", "SoftmaxRegression()") else {}


@parametrize_with_checks(
    [type(case[0])() for case in REGRESSORS + BINARY + SCORED],
    expected_failed_checks=expected,
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [KNN(), LINEAR[1][0], SCORED[1][0], *(case[0] for case in REDUCTIONS)]
)
def test_scikit_learn_contract_of_what_needs_more(estimator, check):
    check(estimator)


@each(ALL, 3)
def test_the_parameters_are_those_of_the_function(estimator, function, options):
    """Their defaults, too; weights of examples belong to fit."""
    own = inspect.signature(type(estimator)).parameters
    theirs = inspect.signature(function).parameters
    keywords = {k: p.default for k, p in theirs.items() if p.kind is p.KEYWORD_ONLY}
    weighted = keywords.pop("sample_weight", 0) is None
    assert weighted == ("sample_weight" in inspect.signature(estimator.fit).parameters)
    defaults = {name: parameter.default for name, parameter in own.items()}
    for name in "estimator", "class_weight":
        defaults.pop(name, None)
    assert defaults == keywords


@each(REGRESSORS + BINARY + SCORED, 3)
def test_it_reports_what_the_function_finds(estimator, function, options):
    y, theirs = TWO, np.where(TWO == "yes", 1.0, -1.0)
    if is_regressor(estimator):
        y = theirs = X[:, 0] + 0.1 * INDEX
    model = clone(estimator).fit(X, y)
    result = function(X, theirs, **options)
    assert type(model.rule_) is type(result)
    found, expected = numbers(model.rule_), numbers(result)
    assert found.keys() == expected.keys() and expected
    for name, value in expected.items():
        np.testing.assert_array_equal(found[name], value)


@each(REGRESSORS)
def test_a_regressor_is_its_line(estimator):
    y = X[:, 0] + 0.1 * INDEX
    model = clone(estimator).fit(X, y)
    assert model.coef_.shape == (2,)
    expected = X @ model.coef_ + model.intercept_
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-12)
    assert not hasattr(model, "classes_")


@each(LINEAR)
def test_the_attributes_describe_the_hyperplane(estimator):
    model = clone(estimator).fit(X, TWO)
    assert model.coef_.shape == (1, 2)
    assert model.intercept_.shape == (1,)
    assert model.n_features_in_ == 2
    scores = X @ model.coef_[0] + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), scores, rtol=1e-12)


@each(BINARY)
class TestTwoClasses:
    def test_labels_are_mapped_to_signs_and_back(self, estimator):
        model = clone(estimator).fit(X, TWO)
        assert model.classes_.tolist() == ["no", "yes"]
        assert np.mean(model.predict(X) == TWO) > 0.75
        second = model.decision_function(X) >= 0
        assert np.array_equal(model.predict(X) == "yes", second)

    def test_only_two_classes_are_accepted(self, estimator):
        for labels, got in (INDEX, "3 classes"), (0 * INDEX, "1 class"):
            with pytest.raises(ValueError, match=f"must hold two classes; got {got}"):
                clone(estimator).fit(X, labels)


@each([*SCORED, *REDUCTIONS, (KNN(k=3),)])
class TestManyClasses:
    def test_labels_of_any_kind_are_mapped_back(self, estimator):
        model = clone(estimator).fit(X, THREE)
        assert model.classes_.tolist() == ["maybe", "no", "yes"]
        assert np.mean(model.predict(X) == THREE) > 0.7
        other = clone(estimator).fit(X, np.array([7, 9, 11])[INDEX])
        predicted = other.predict(X)
        assert np.array_equal(NAMES[(predicted - 7) // 2], model.predict(X))

    def test_one_class_is_refused(self, estimator):
        with pytest.raises(ValueError, match="y must hold at least two classes; got 1"):
            clone(estimator).fit(X, 0 * INDEX)


@each([*SCORED, *REDUCTIONS], 3)
def test_it_predicts_what_the_function_predicts(estimator, function, options):
    model = clone(estimator).fit(X, THREE)
    expected = function(X=X, labels=THREE, **options).predict(X)
    assert np.array_equal(model.predict(X), expected)


def test_the_nearest_vote():
    model = KNN(k=3).fit(X[::2], THREE[::2])
    expected = neighbors.knn(X[::2], THREE[::2], X, k=3).predicted
    assert np.array_equal(model.predict(X), expected)


@each([*SCORED, *REDUCTIONS])
def test_the_largest_score_wins_or_the_sign_of_the_difference(estimator):
    model = clone(estimator).fit(X, THREE)
    scores = model.decision_function(X)
    assert scores.shape == (24, 3)
    assert np.array_equal(model.predict(X), model.classes_[scores.argmax(axis=1)])
    model = clone(estimator).fit(X, TWO)
    scores = model.decision_function(X)
    assert scores.shape == (24,)
    assert np.array_equal(model.predict(X) == "yes", scores > 0)


@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
@each([*SCORED, *REDUCTIONS[1:]])
def test_the_coefficients_are_those_of_the_scores(estimator, labels):
    model = clone(estimator).fit(X, labels)
    assert model.coef_.shape == ((3, 2) if labels is THREE else (1, 2))
    scores = X @ model.coef_.T + model.intercept_
    scores = scores if labels is THREE else scores[:, 0]
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-9)


def test_a_reduction_has_the_coefficients_that_its_rules_have():
    for estimator in SVC(kernel="rbf"), make_pipeline(StandardScaler(), Logistic()):
        assert not hasattr(OneVsRest(estimator).fit(X, THREE), "coef_")
    for estimator in OneVsRest(SVC()), SoftmaxRegression(), Logistic(), Ridge():
        assert not hasattr(estimator, "coef_"), "before fit"


def test_the_scores_of_pairs_are_those_of_scikit_learn():
    """It calls the second class of a pair +1, so scores that are 0 may differ."""
    for labels in THREE, TWO:
        ours = OneVsOne(SoftMargin()).fit(X, labels).decision_function(X)
        theirs = OneVsOneClassifier(SoftMargin()).fit(X, labels).decision_function(X)
        if labels is THREE:
            np.testing.assert_allclose(ours, theirs, rtol=1e-7)
        assert np.array_equal(ours > 0, theirs > 0)


@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
def test_probabilities_sum_to_one_and_fit_the_prediction(labels):
    binary = [Logistic(lambda_=0.1), LDA()] if labels is TWO else []
    for model in [*binary, SoftmaxRegression(lambda_=0.1), KNN(k=4)]:
        p = model.fit(X, labels).predict_proba(X)
        assert p.shape == (24, len(np.unique(labels)))
        assert p.min() >= 0
        np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-15)
        assert np.array_equal(model.predict(X), model.classes_[p.argmax(axis=1)])
        if not isinstance(model, KNN):
            np.testing.assert_allclose(model.predict_log_proba(X), np.log(p), rtol=1e-9)


def test_the_probability_of_the_second_class_comes_second():
    model = Logistic(lambda_=0.1).fit(X, TWO)
    signs = np.where(TWO == "yes", 1.0, -1.0)
    expected = log.logistic(X, signs, lambda_=0.1).probability(X)
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], expected)


@each(ALL)
def test_before_fit_it_raises_the_error_of_scikit_learn(estimator):
    methods = "predict", "decision_function", "predict_proba", "predict_log_proba"
    for method in methods:
        if hasattr(estimator, method):
            with pytest.raises(NotFittedError):
                getattr(clone(estimator), method)(X)


@each([case for case in ALL if is_classifier(case[0])])
def test_it_draws_its_boundary(estimator):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure, axes = pyplot.subplots()
    model = clone(estimator).fit(X, TWO)
    DecisionBoundaryDisplay.from_estimator(model, X, ax=axes, grid_resolution=10)
    assert axes.collections
    pyplot.close(figure)


def test_a_score_of_zero_is_predicted_the_second_class():
    model = Perceptron().fit([[1.0], [2.0]], ["left", "right"])
    assert model.decision_function([[1.5]]) == 0  # w = 2, b = -3
    assert model.predict([[1.5]]) == ["right"]
    assert model.n_iter_ == len(model.rule_.mistakes) == 9


@pytest.mark.parametrize("k", [0, 25, 2.0])
def test_too_many_neighbors_are_refused_at_once(k):
    with pytest.raises(ValueError, match="k must be"):
        KNN(k=k).fit(X, TWO)


def test_a_linear_machine_needs_an_estimator_without_bias():
    with pytest.raises(ValueError, match="must return a LinearRule without bias"):
        LinearMachine(Perceptron()).fit(X, THREE)


@pytest.mark.parametrize(
    ("estimator", "grid", "least"),
    [
        (Perceptron(rng=0), {"max_epochs": [1, 20]}, 0.94),
        (Logistic(), {"lambda_": [0.01, 1.0]}, 0.97),
        (SoftMargin(), {"lambda_": [0.01, 1.0]}, 0.96),
        (Pegasos(bias=False), {"lambda_": [0.01, 0.1]}, 0.96),
        (L1SVM(), {"C": [0.01, 0.1]}, 0.95),
        (AdaBoost(), {"rounds": [1, 20]}, 0.94),
    ],
    ids=str,
)
def test_in_a_pipeline_in_a_grid_search(estimator, grid, least):
    data, labels = load_breast_cancer(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), estimator)
    grid = {f"{type(estimator).__name__.lower()}__{k}": v for k, v in grid.items()}
    search = GridSearchCV(pipeline, grid, cv=3).fit(data, labels)
    assert search.best_score_ > least
    assert set(search.predict(data)) == {0, 1}


def test_a_grid_search_reaches_into_a_reduction():
    data, labels = load_iris(return_X_y=True)
    grid = {"estimator__lambda_": [1e-3, 1.0], "form": ["K", "K-1"]}
    search = GridSearchCV(OneVsRest(SoftMargin()), grid, cv=3).fit(data, labels)
    assert search.best_params_["estimator__lambda_"] == 1e-3
    assert cross_val_score(KNN(), data, labels).mean() > 0.95


def test_the_penalty_of_a_regressor_is_searched():
    data, y = load_diabetes(return_X_y=True)
    for estimator, grid in (Ridge(), [1e-3, 1e3]), (Lasso(), [1.0, 1e5]):
        search = GridSearchCV(estimator, {"lambda_": grid}, cv=3).fit(data, y)
        assert search.best_params_["lambda_"] == grid[0]
        assert search.best_score_ > 0.4
