"""The scikit-learn classes: the whole contract, and the same answers as the functions."""

import re
import warnings
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
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
    logistic,
    multiclass,
    neighbors,
    svm,
)
from mlcore import estimators as E
from mlcore.perceptron import perceptron

QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
few_epochs, no_bias = partial(perceptron, max_epochs=9), partial(perceptron, bias=False)
FEW, NO_BIAS = E.Perceptron(max_epochs=9), E.Perceptron(bias=False)
# (estimator, function): the options of the function are the parameters of the estimator
REGRESSORS = [
    (E.LeastSquares(bias=False), least_squares.least_squares),
    (E.Ridge(lambda_=0.05), least_squares.ridge),
    (E.Lasso(lambda_=0.05), lasso.lasso),
]
LINEAR = [
    (E.Perceptron(max_epochs=7, rng=3), perceptron),
    (E.Logistic(lambda_=0.05), logistic.logistic),
    (E.LDA(), generative.lda),
    (E.SoftMargin(lambda_=0.05), svm.soft_margin),
    (E.SubgradientDescent(lambda_=0.05, steps=9), svm.subgradient_descent),
    (E.Pegasos(lambda_=0.05, epochs=7, rng=3), svm.pegasos),
    (E.L1SVM(C=0.5), l1_svm.l1_svm),
]
BINARY = [*LINEAR, (E.AdaBoost(rounds=3), boosting.adaboost)]
MANY = [
    (E.IndicatorRegression(), least_squares.indicator_regression),
    (E.SoftmaxRegression(lambda_=0.05), logistic.softmax_regression),
    (E.OneVsOne(FEW), partial(multiclass.one_vs_one, few_epochs)),
    (E.OneVsRest(FEW), partial(multiclass.one_vs_rest, few_epochs)),
    (E.OneVsRest(FEW, form="K-1"), partial(multiclass.one_vs_rest, few_epochs)),
    (E.LinearMachine(NO_BIAS), partial(multiclass.linear_machine, no_bias)),
]
X = np.random.default_rng(0).normal(size=(24, 2))
INDEX = np.digitize(X @ [1.0, -2.0], [-1.0, 1.0])  # three classes
NAMES = np.array(["maybe", "no", "yes"])
THREE, TWO = NAMES[INDEX], NAMES[1 + (INDEX > 0)]
SIGNS = np.where(TWO == "yes", 1.0, -1.0)
NOISY = np.where(np.arange(24) % 5 == 0, "no", TWO)


def each(cases):
    ids = [str(estimator) for estimator, _ in cases]
    return pytest.mark.parametrize(("estimator", "function"), cases, ids=ids)


def found_by(function, estimator, y):
    options = estimator.get_params(deep=False)
    for name in "estimator", "class_weight":
        options.pop(name, None)
    return function(X, y, **options)


# Without a penalty there is no minimum on the separable data of the check of weights.
@QUIET
@parametrize_with_checks(
    [type(e)() for e, _ in REGRESSORS + BINARY if not isinstance(e, E.Logistic)]
    + [E.Logistic(lambda_=0.05), E.KNN(), *(estimator for estimator, _ in MANY)]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@QUIET
@each(REGRESSORS + LINEAR)
def test_it_finds_what_the_function_finds(estimator, function):
    y = X @ [1.0, -2.0] if (estimator, function) in REGRESSORS else SIGNS
    model = clone(estimator).fit(X, y if (estimator, function) in REGRESSORS else TWO)
    expected = found_by(function, estimator, y)
    assert np.array_equal(np.ravel(model.coef_), expected.w)
    assert np.ravel(model.intercept_).tolist() == [expected.b]
    scores = expected.decision_function(X)
    if y is SIGNS:
        assert model.classes_.tolist() == ["no", "yes"]
        assert (model.coef_.shape, model.intercept_.shape) == ((1, 2), (1,))
        assert np.array_equal(model.decision_function(X), scores)
        scores = np.where(scores >= 0, "yes", "no")
    assert np.array_equal(model.predict(X), scores)


@QUIET
@each(BINARY)
def test_only_two_classes_are_accepted(estimator, function):
    for labels, got in (INDEX, "3 classes"), (0 * INDEX, "1 class"):
        with pytest.raises(ValueError, match=f"must hold two classes; got {got}"):
            clone(estimator).fit(X, labels)


@QUIET
@each(MANY)
def test_any_number_of_classes(estimator, function):
    model = clone(estimator).fit(X, THREE)
    scores = model.decision_function(X)
    expected = found_by(function, estimator, THREE)
    assert np.array_equal(model.predict(X), expected.predict(X))
    assert np.array_equal(model.predict(X), model.classes_[scores.argmax(axis=1)])
    pair = clone(estimator).fit(X, TWO)
    assert np.array_equal(pair.predict(X) == "yes", pair.decision_function(X) > 0)
    if not isinstance(estimator, E.OneVsOne):
        for m, planes in (model, 3), (pair, 1):
            assert m.coef_.shape == (planes, 2)
            linear = np.squeeze(X @ m.coef_.T + m.intercept_)
            np.testing.assert_allclose(m.decision_function(X), linear, atol=1e-9)
    with pytest.raises(ValueError, match="y must hold at least two classes; got 1"):
        clone(estimator).fit(X, 0 * INDEX)


def test_a_reduction_has_the_coefficients_that_its_rules_have():
    for estimator in SVC(kernel="rbf"), make_pipeline(StandardScaler(), E.SoftMargin()):
        assert not hasattr(E.OneVsRest(estimator).fit(X, THREE), "coef_")
    for estimator in E.OneVsRest(SVC()), E.SoftmaxRegression(), E.Logistic(), E.Ridge():
        assert not hasattr(estimator, "coef_"), "before fit"
    with pytest.raises(ValueError, match="must return a LinearRule without bias"):
        E.LinearMachine(E.Perceptron()).fit(X, THREE)


@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
def test_probabilities_sum_to_one_and_fit_the_prediction(labels):
    binary = [E.Logistic(lambda_=0.1), E.LDA()] if labels is TWO else []
    for model in [*binary, E.SoftmaxRegression(lambda_=0.1), E.KNN(k=4)]:
        p = model.fit(X, labels).predict_proba(X)
        assert p.shape == (24, len(np.unique(labels))) and p.min() >= 0
        np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-15)
        assert np.array_equal(model.predict(X), model.classes_[p.argmax(axis=1)])
        if not isinstance(model, E.KNN):
            np.testing.assert_allclose(model.predict_log_proba(X), np.log(p), rtol=1e-9)
            far = model.predict_log_proba([[1e4, -1e4]])  # where they round to 0
            assert np.isfinite(far).all() and far.min() < -1000


def test_the_nearest_vote():
    model = E.KNN(k=3).fit(X[::2], THREE[::2])
    expected = neighbors.knn(X[::2], THREE[::2], X, k=3).predicted
    assert np.array_equal(model.predict(X), expected)
    line, labels = np.arange(6.0)[:, None], [*"abbcca"]
    shares = E.KNN(k=4).fit(line, labels).predict_proba([[1.6]])
    np.testing.assert_allclose(shares, [[0.25, 0.5, 0.25]])
    assert E.KNN(k=2).fit(line, labels).predict([[0.1], [0.9]]).tolist() == ["a", "b"]
    for k in 0, 25, 2.0:
        with pytest.raises(ValueError, match="k must be"):
            E.KNN(k=k).fit(X, TWO)


def test_a_score_of_zero_is_predicted_the_second_class():
    model = E.Perceptron().fit([[1.0], [2.0]], ["left", "right"])
    assert model.decision_function([[1.5]]) == 0  # w = 2, b = -3
    assert model.predict([[1.5]]) == ["right"]
    assert model.n_iter_ == len(model.rule_.mistakes) == 9


def test_how_many_steps_it_took_and_what_supports_it():
    for model in E.Logistic(lambda_=0.1), E.SoftmaxRegression(lambda_=0.1):
        assert model.fit(X, TWO).n_iter_ == len(model.rule_.values) - 1
    model = E.SoftMargin().fit(X, TWO)
    assert model.n_iter_ == model.rule_.steps
    assert np.array_equal(model.support_, np.flatnonzero(model.rule_.a))


@pytest.mark.parametrize(
    ("model", "y", "advice"),
    [
        (E.Perceptron(max_epochs=500), np.sign(X[:, 0]), ""),
        (E.Perceptron(max_epochs=2), NOISY, "raise max_epochs"),
        (E.Logistic(lambda_=0.1), TWO, ""),
        (E.Logistic(), X[:, 0] > 0, "lambda_ must be above 0"),
        (E.SoftmaxRegression(lambda_=0.1), THREE, ""),
        (E.SoftmaxRegression(), X[:, 0] > 0, "lambda_ must be above 0"),
        (E.OneVsRest(E.SoftMargin()), THREE, ""),
        (E.OneVsOne(FEW), NOISY, r"max_epochs=9\) has not converged"),
        *((model, TWO, "") for model in (E.LDA(), E.KNN(), E.AdaBoost(), E.L1SVM())),
    ],
    ids=lambda value: "" if isinstance(value, np.ndarray) else str(value),
)
def test_a_warning_just_where_it_has_not_converged_says_what_to_do(model, y, advice):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        clone(model).fit(X, y)
        GridSearchCV(make_pipeline(clone(model)), {}, cv=2).fit(X, y) if advice else None
    assert bool(told) == bool(advice)
    for warning in told:
        assert warning.category is ConvergenceWarning
        assert re.search(advice, str(warning.message))


def same(one, other):
    np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-10)
    np.testing.assert_allclose(one.intercept_, other.intercept_, rtol=1e-10)


@QUIET
class TestOneEpochMore:
    @pytest.mark.parametrize("bias", [True, False])
    def test_epoch_by_epoch_it_is_fit(self, bias):
        whole = E.Perceptron(max_epochs=7, bias=bias).fit(X, NOISY)
        model = E.Perceptron(bias=bias)
        for _ in range(7):
            model.partial_fit(X, NOISY)
        same(model, whole)
        assert model.rule_.mistakes == whole.rule_.mistakes

    def test_classes_are_asked_for_once_and_then_kept(self):
        with pytest.raises(ValueError, match="y must hold two classes; got 1 class"):
            E.Perceptron().partial_fit(X[:1], TWO[:1])
        with pytest.raises(ValueError, match=r"y must hold only \['no' 'yes'\]; got .*may"):
            E.Perceptron().partial_fit(X, TWO).partial_fit(X, THREE)

    @pytest.mark.parametrize("batch", [1, 4])
    @pytest.mark.parametrize("bias", [True, False])
    def test_pieces_of_a_stream_are_an_epoch_of_pegasos(self, batch, bias):
        rng, parts = np.random.default_rng(3), len(X) // batch
        deal = np.array(np.split(rng.permutation(len(X)), parts))
        order = deal[rng.permutation(parts)].ravel()
        options = {"lambda_": 0.05, "batch": batch, "bias": bias}
        whole = E.Pegasos(epochs=1, rng=3, average=False, **options).fit(X, NOISY)
        model = E.Pegasos(average=False, **options)
        for piece in np.split(order, [4, 12, 16]):
            model.partial_fit(X[piece], NOISY[piece], classes=whole.classes_)
        same(model, whole)
        mean = E.Pegasos(epochs=1, rng=3, **options).fit(X, NOISY)
        same(E.Pegasos(**options).partial_fit(X[order], NOISY[order]), mean)

    def test_a_stream_goes_on_where_fit_has_ended(self):
        options = {"lambda_": 0.05, "average": False, "batch": len(X)}
        model = E.Pegasos(epochs=3, **options).fit(X, NOISY).set_params(batch=99)
        for _ in range(4):
            model.partial_fit(X, NOISY)
        same(model, E.Pegasos(epochs=7, **options).fit(X, NOISY))


class TestWeights:
    S = np.random.default_rng(1).exponential(size=24)

    @pytest.mark.parametrize("kind", [E.Logistic, E.SoftMargin, E.SoftmaxRegression])
    def test_weights_of_classes_multiply_those_of_examples(self, kind):
        own = np.where(TWO == "yes", 5.0, 1.0)
        share = 1 / (self.S @ (SIGNS[:, None] == SIGNS))
        for options, given, expected in [
            ({"yes": 5}, None, own),
            ({"yes": 5}, self.S, own * self.S),
            ("balanced", self.S, share * self.S),
        ]:
            model = kind(lambda_=0.1, class_weight=options).fit(X, TWO, given)
            other = kind(lambda_=0.1).fit(X, TWO, expected)
            np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-5, atol=1e-7)

    @pytest.mark.parametrize("weight", [-1, 0])
    def test_weights_of_classes_that_make_no_sense(self, weight):
        with pytest.raises(ValueError, match=f"class_weight must be above 0; got {weight}"):
            E.Logistic(class_weight={"yes": weight}).fit(X, TWO)

    def test_a_class_without_weight(self):
        with pytest.raises(ValueError, match=r"not be zero .*; got the class no"):
            E.SoftMargin().fit(X, TWO, sample_weight=TWO == "yes")


@pytest.mark.parametrize(("model", "y"), [(E.SoftMargin(), TWO), (E.Ridge(), X[:, 0])])
def test_masked_entries_are_refused_and_numbers_as_objects_taken(model, y):
    boxed = clone(model).fit(X.astype(object), y.astype(object))
    assert np.array_equal(boxed.predict(X), clone(model).fit(X, y).predict(X))
    hidden = np.ma.array(X, mask=X.max() == X)
    for call in lambda: clone(model).fit(hidden, y), lambda: boxed.predict(hidden):
        with pytest.raises(ValueError, match="X must be without masked entries; got 1"):
            call()
    with pytest.raises(ValueError, match="y must be without masked entries; got 24"):
        clone(model).fit(X, np.ma.array(y, mask=True))
