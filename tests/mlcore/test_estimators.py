"""The scikit-learn classes: scikit-learn's checks, and equality with the functions."""

import inspect
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore import estimators as E
from mlcore import least_squares, logistic, multiclass, svm
from mlcore.boosting import adaboost
from mlcore.generative import lda
from mlcore.l1_svm import l1_svm
from mlcore.lasso import lasso
from mlcore.neighbors import knn
from mlcore.perceptron import perceptron

QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
few_epochs, no_bias = partial(perceptron, max_epochs=9), partial(perceptron, bias=False)
FEW_EPOCHS, NO_BIAS = E.Perceptron(max_epochs=9), E.Perceptron(bias=False)
# (estimator, function), with the same parameters
REGRESSORS = [
    (E.LeastSquares(bias=False), least_squares.least_squares),
    (E.Ridge(lambda_=0.05), least_squares.ridge),
    (E.Lasso(lambda_=0.05), lasso),
]
BINARY = [
    (E.Perceptron(max_epochs=7, rng=3), perceptron),
    (E.Logistic(lambda_=0.05), logistic.logistic),
    (E.LDA(), lda),
    (E.SoftMargin(lambda_=0.05), svm.soft_margin),
    (E.SubgradientDescent(lambda_=0.05, steps=9), svm.subgradient_descent),
    (E.Pegasos(lambda_=0.05, epochs=7, rng=3), svm.pegasos),
    (E.L1SVM(C=0.5), l1_svm),
    (E.AdaBoost(rounds=3), adaboost),
]
MULTICLASS = [
    (E.IndicatorRegression(), least_squares.indicator_regression),
    (E.SoftmaxRegression(lambda_=0.05), logistic.softmax_regression),
    (E.OneVsOne(FEW_EPOCHS), partial(multiclass.one_vs_one, few_epochs)),
    (E.OneVsRest(FEW_EPOCHS), partial(multiclass.one_vs_rest, few_epochs)),
    (E.OneVsRest(FEW_EPOCHS, form="K-1"), partial(multiclass.one_vs_rest, few_epochs)),
    (E.LinearMachine(NO_BIAS), partial(multiclass.linear_machine, no_bias)),
]
X = np.random.default_rng(0).normal(size=(24, 2))
INDEX = np.digitize(X @ [1.0, -2.0], [-1.0, 1.0])  # three classes
NAMES = np.array(["maybe", "no", "yes"])
Y_THREE, Y_TWO = NAMES[INDEX], NAMES[1 + (INDEX > 0)]
SIGNS = np.where(Y_TWO == "yes", 1.0, -1.0)
NOISY = np.where(np.arange(24) % 5 == 0, "no", Y_TWO)


CASES = REGRESSORS + BINARY + MULTICLASS
every_case = pytest.mark.parametrize(
    ("estimator", "function"), CASES, ids=[str(estimator) for estimator, _ in CASES]
)


# Logistic needs a penalty: scikit-learn checks sample weights on separable data.
@QUIET
@parametrize_with_checks(
    [type(e)() for e, _ in REGRESSORS + BINARY if not isinstance(e, E.Logistic)]
    + [E.Logistic(lambda_=0.05), E.KNN(), *(estimator for estimator, _ in MULTICLASS)]
)
def test_passes_scikit_learn_checks(estimator, check):
    check(estimator)


@QUIET
@every_case
def test_estimator_equals_function(estimator, function):
    case, numbers = (estimator, function), X @ [1.0, -2.0]
    y, labels = (SIGNS, Y_TWO) if case in BINARY else (Y_THREE, Y_THREE)
    if case in REGRESSORS:
        y = labels = numbers
    options = estimator.get_params(deep=False)
    names = options.keys() - {"estimator", "class_weight"}
    expected = function(X, y, **{name: options[name] for name in names})
    model = clone(estimator).fit(X, labels)
    predicted = expected.decision_function(X) if y is numbers else expected.predict(X)
    if case in BINARY:
        predicted = np.where(predicted > 0, "yes", "no")
        assert np.array_equal(model.decision_function(X), expected.decision_function(X))
    assert np.array_equal(model.predict(X), predicted)
    models = [model, clone(estimator).fit(X, Y_TWO)] if case in MULTICLASS else [model]
    is_linear = not isinstance(model, (E.AdaBoost, E.OneVsOne))
    for m in models if is_linear else []:
        assert np.ndim(m.coef_) == 1 + np.ndim(m.intercept_) == (1 if y is numbers else 2)
        scores = m.predict(X) if y is numbers else m.decision_function(X)
        linear = np.squeeze(X @ m.coef_.T + m.intercept_)
        np.testing.assert_allclose(scores, linear, atol=1e-9)


def test_coef_exists_only_for_linear_rules_after_fit():
    for estimator in SVC(kernel="rbf"), make_pipeline(StandardScaler(), E.SoftMargin()):
        assert not hasattr(E.OneVsRest(estimator).fit(X, Y_THREE), "coef_")
    for estimator in E.OneVsRest(SVC()), E.SoftmaxRegression(), E.Logistic(), E.Ridge():
        assert not hasattr(estimator, "coef_"), "before fit"
    with pytest.raises(ValueError, match="must return a LinearRule without bias"):
        E.LinearMachine(E.Perceptron()).fit(X, Y_THREE)


def test_log_probabilities_are_logarithms_and_finite_where_probabilities_are_0():
    for model in E.Logistic(lambda_=0.1), E.LDA(), E.SoftmaxRegression(lambda_=0.1):
        p = model.fit(X, Y_TWO).predict_proba(X)
        np.testing.assert_allclose(model.predict_log_proba(X), np.log(p), 1e-9, 1e-11)
        far = model.predict_log_proba([[1e4, -1e4]])
        assert np.isfinite(far).all() and far.min() < -1000


def test_knn_equals_function():
    model = E.KNN(k=3).fit(X[::2], Y_THREE[::2])
    assert np.array_equal(model.predict(X), knn(X[::2], Y_THREE[::2], X, k=3).predicted)
    line, labels = np.arange(6.0)[:, None], [*"abbcca"]
    fractions = E.KNN(k=4).fit(line, labels).predict_proba([[1.6]])
    np.testing.assert_allclose(fractions, [[0.25, 0.5, 0.25]])
    assert E.KNN(k=2).fit(line, labels).predict([[0.1], [0.9]]).tolist() == ["a", "b"]


def test_score_zero_predicts_second_class():
    model = E.Perceptron().fit([[1.0], [2.0]], ["left", "right"])
    assert model.decision_function([[1.5]]) == 0  # w = 2, b = -3
    assert model.predict([[1.5]]) == ["right"]
    assert model.n_iter_ == 9


def test_n_iter_and_support():
    for model in E.Logistic(lambda_=0.1), E.SoftmaxRegression(lambda_=0.1):
        assert model.fit(X, Y_TWO).n_iter_ == len(model.rule_.values) - 1
    model = E.SoftMargin().fit(X, Y_TWO)
    assert model.n_iter_ == model.rule_.steps
    assert np.array_equal(model.support_, np.flatnonzero(model.rule_.a))


@pytest.mark.parametrize(
    ("model", "y", "advice"),
    [
        (E.Perceptron(max_epochs=2), NOISY, "increase max_epochs"),
        (E.Logistic(), X[:, 0] > 0, "lambda_ must be above 0"),
        (E.SoftmaxRegression(), X[:, 0] > 0, "lambda_ must be above 0"),
        (E.OneVsOne(FEW_EPOCHS), NOISY, r"max_epochs=9\) did not converge"),
    ],
    ids=lambda value: "" if isinstance(value, np.ndarray) else str(value),
)
def test_fit_that_does_not_converge_warns_with_advice(model, y, advice):
    """Where warnings are errors, other tests show that converged fits do not warn."""
    with pytest.warns(ConvergenceWarning, match=advice):
        clone(model).fit(X, y)


@every_case
def test_defaults_equal_the_defaults_of_the_function(estimator, function):
    defaults = inspect.signature(type(estimator)._function).parameters
    for name, parameter in inspect.signature(type(estimator)).parameters.items():
        if name in defaults:
            assert parameter.default == defaults[name].default


def assert_same_rule(rule, other):
    np.testing.assert_allclose(rule.coef_, other.coef_, rtol=1e-10)
    np.testing.assert_allclose(rule.intercept_, other.intercept_, rtol=1e-10)


@QUIET
class TestPartialFit:
    @pytest.mark.parametrize("bias", [True, False])
    def test_seven_epochs_equal_fit(self, bias):
        model, other = E.Perceptron(bias=bias), E.Perceptron(max_epochs=7, bias=bias)
        for _ in range(7):
            model.partial_fit(X, NOISY)
        assert_same_rule(model, other.fit(X, NOISY))
        assert model.rule_.mistakes == other.rule_.mistakes

    def test_missing_or_unknown_classes_raise(self):
        with pytest.raises(ValueError, match="y must contain two classes; got 1 class"):
            E.Perceptron().partial_fit(X[:1], Y_TWO[:1])
        with pytest.raises(ValueError, match=r"contain only \['no' 'yes'\]; got .*maybe"):
            E.Perceptron().partial_fit(X, Y_TWO).partial_fit(X, Y_THREE)

    @pytest.mark.parametrize("batch", [1, 4])
    @pytest.mark.parametrize("bias", [True, False])
    def test_batches_of_one_epoch_equal_pegasos(self, batch, bias):
        rng, parts = np.random.default_rng(3), len(X) // batch
        batches = np.array(np.split(rng.permutation(len(X)), parts))
        order = batches[rng.permutation(parts)].ravel()
        options = {"lambda_": 0.05, "batch": batch, "bias": bias}
        whole = E.Pegasos(epochs=1, rng=3, average=False, **options).fit(X, NOISY)
        model = E.Pegasos(average=False, **options)
        for part in np.split(order, [4, 12, 16]):
            model.partial_fit(X[part], NOISY[part], classes=whole.classes_)
        assert_same_rule(model, whole)
        averaged = E.Pegasos(epochs=1, rng=3, **options).fit(X, NOISY)
        model = E.Pegasos(**options).partial_fit(X[order], NOISY[order])
        assert_same_rule(model, averaged)

    def test_partial_fit_continues_after_fit(self):
        options = {"lambda_": 0.05, "average": False, "batch": len(X)}
        model = E.Pegasos(epochs=3, **options).fit(X, NOISY).set_params(batch=99)
        for _ in range(4):
            model.partial_fit(X, NOISY)
        assert_same_rule(model, E.Pegasos(epochs=7, **options).fit(X, NOISY))


@pytest.mark.parametrize("kind", [E.Logistic, E.SoftMargin, E.SoftmaxRegression])
def test_class_weight_multiplies_sample_weight(kind):
    s = np.random.default_rng(1).exponential(size=24)
    by_class = np.where(Y_TWO == "yes", 5.0, 1.0)
    balanced = 1 / (s @ (SIGNS[:, None] == SIGNS))
    for class_weight, sample_weight, expected in [
        ({"yes": 5}, None, by_class),
        ({"yes": 5}, s, by_class * s),
        ("balanced", s, balanced * s),
    ]:
        model = kind(lambda_=0.1, class_weight=class_weight).fit(X, Y_TWO, sample_weight)
        other = kind(lambda_=0.1).fit(X, Y_TWO, expected)
        np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-5, atol=1e-7)


def test_class_without_weight_raises():
    for weight in -1, 0:
        with pytest.raises(ValueError, match=f"class_weight must be above 0; got {weight}"):
            E.Logistic(class_weight={"yes": weight}).fit(X, Y_TWO)
    with pytest.raises(ValueError, match=r"not be zero .*; got the class no"):
        E.SoftMargin().fit(X, Y_TWO, sample_weight=Y_TWO == "yes")


@pytest.mark.parametrize(("model", "y"), [(E.SoftMargin(), Y_TWO), (E.Ridge(), X[:, 0])])
def test_masked_or_mixed_arrays_raise_and_object_arrays_work(model, y):
    from_objects = clone(model).fit(X.astype(object), y.astype(object))
    assert np.array_equal(from_objects.predict(X), clone(model).fit(X, y).predict(X))
    masked = np.ma.array(X, mask=X.max() == X)
    for use in lambda: clone(model).fit(masked, y), lambda: from_objects.predict(masked):
        with pytest.raises(ValueError, match="X must have no masked entries; got 1"):
            use()
    with pytest.raises(ValueError, match="y must have no masked entries; got 24"):
        clone(model).fit(X, np.ma.array(y, mask=True))
    with pytest.raises(ValueError, match="y must be all numbers or all text"):
        clone(model).fit(X, ["1", 1] * 12)
