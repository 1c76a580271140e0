"""What users of scikit-learn take for granted: warnings, attributes, logarithms, epochs."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from mlcore.estimators import (
    KNN,
    L1SVM,
    LDA,
    AdaBoost,
    LinearMachine,
    Logistic,
    OneVsOne,
    OneVsRest,
    Pegasos,
    Perceptron,
    Ridge,
    SoftMargin,
    SoftmaxRegression,
)

QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

X = np.random.default_rng(0).normal(size=(24, 2))
KIND = np.digitize(X @ [1.0, -2.0], [-1.0, 1.0])  # three classes
THREE = np.array(["maybe", "no", "yes"])[KIND]
TWO = np.where(KIND > 0, "yes", "no")
NOISY = np.where(np.arange(24) % 5 == 0, "no", TWO)


def short(value) -> str:
    return "" if isinstance(value, np.ndarray) else str(value)


def test_the_shares_of_the_nearest():
    line = np.arange(6.0)[:, None]
    model = KNN(k=4).fit(line, [*"abbcca"])
    assert model.predict([[1.6]]) == "b", "of b, b, c and a"
    np.testing.assert_array_almost_equal_nulp(
        model.predict_proba([[1.6]]), np.array([[0.25, 0.5, 0.25]])
    )
    tied = KNN(k=2).fit(line, [*"abbcca"])
    assert tied.predict([[0.1], [0.9]]).tolist() == ["a", "b"]
    assert tied.predict_proba([[0.1], [0.9]]).argmax(axis=1).tolist() == [0, 1]
    alone = KNN(k=1).fit(line, [*"abbcca"])
    assert alone.predict(line).tolist() == [*"abbcca"]
    assert alone.predict_proba(line).max() == 1


def test_logarithms_of_probabilities_that_round_to_zero():
    for labels in (["no", "yes"] * 2), ["no", "yes", "maybe", "maybe"]:
        model = SoftmaxRegression(lambda_=1e-3).fit([[0.0], [1.0], [2.0], [3.0]], labels)
        far = model.predict_log_proba([[-1e4], [1e4]])
        assert np.isfinite(far).all() and far.min() < -1000
    model = Logistic(lambda_=0.1).fit([[0.0], [1.0]], [0, 1])
    far = model.predict_log_proba([[1e4]])
    assert far.tolist() == [[-model.decision_function([[1e4]])[0], 0.0]]


def test_how_many_steps_it_took_and_what_supports_it():
    for model in Logistic(lambda_=0.1), SoftmaxRegression(lambda_=0.1):
        assert model.fit(X, TWO).n_iter_ == len(model.rule_.values) - 1
    model = SoftMargin().fit(X, TWO)
    assert model.n_iter_ == model.rule_.steps
    assert np.array_equal(model.support_, np.flatnonzero(model.rule_.a))


class TestConvergence:
    """A warning exactly where `rule_.converged` is False; it says what to do."""

    SILENT = (
        (Perceptron(max_epochs=500), X, np.sign(X[:, 0])),
        (Logistic(lambda_=0.1), X, TWO),
        (SoftmaxRegression(lambda_=0.1), X, THREE),
        (SoftMargin(), X, TWO),
        (OneVsRest(SoftMargin()), X, THREE),
        *((model, X, TWO) for model in (LDA(), KNN(), AdaBoost(), L1SVM())),
    )
    FAR = X + 1e12
    GIVES_UP = (
        (Perceptron(max_epochs=2), X, NOISY, "raise max_epochs"),
        (Logistic(), X[KIND != 1], TWO[KIND != 1], "lambda_ must be above 0"),
        (SoftmaxRegression(), X, KIND > 1, "lambda_ must be above 0"),
        (SoftMargin(bias=False), FAR, TWO, "scale the features"),
        (
            OneVsOne(Perceptron(max_epochs=9)),
            X,
            NOISY,
            r"Perceptron\(max_epochs=9\) has not converged",
        ),
        (LinearMachine(Perceptron(max_epochs=2, bias=False)), X, THREE, "raise max_epochs"),
    )

    @pytest.mark.parametrize(("model", "X", "y"), SILENT, ids=short)
    def test_one_that_converges_is_silent(self, model, X, y):
        with warnings.catch_warnings(action="error"):
            clone(model).fit(X, y)

    @pytest.mark.parametrize(("model", "X", "y", "advice"), GIVES_UP, ids=short)
    def test_one_that_does_not_says_what_to_do(self, model, X, y, advice):
        with pytest.warns(ConvergenceWarning, match=advice) as told:
            clone(model).fit(X, y)
            GridSearchCV(make_pipeline(model), {}, cv=2).fit(X, y)
        assert {warning.filename for warning in told} == {__file__}


@QUIET
class TestOneEpochMore:
    @pytest.mark.parametrize("bias", [True, False])
    def test_epoch_by_epoch_it_is_fit(self, bias):
        whole = Perceptron(max_epochs=7, bias=bias).fit(X, NOISY)
        model = Perceptron(bias=bias)
        for _ in range(7):
            model.partial_fit(X, NOISY)
        assert model.n_iter_ == whole.n_iter_ == 7
        assert model.rule_.mistakes == whole.rule_.mistakes
        np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)
        np.testing.assert_allclose(model.intercept_, whole.intercept_, rtol=1e-12)
        assert model.intercept_.any() == bias

    def test_one_example_at_a_time(self):
        model = Perceptron(start=[1.0, 0.0])
        for x, label in zip(X, TWO, strict=True):
            model.partial_fit([x], [label], classes=["yes", "no"])
        whole = Perceptron(start=[1.0, 0.0], max_epochs=1).fit(X, TWO)
        np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)
        assert sum(model.rule_.mistakes) == whole.rule_.mistakes[0]
        assert model.classes_.tolist() == ["no", "yes"]

    def test_classes_are_asked_for_once_and_then_kept(self):
        with pytest.raises(ValueError, match="y must hold two classes; got 1 class"):
            Perceptron().partial_fit(X[:1], TWO[:1])
        model = Perceptron().partial_fit(X, TWO)
        with pytest.raises(ValueError, match=r"y must hold only \['no' 'yes'\]; got .*may"):
            model.partial_fit(X, THREE)


LAST = {"lambda_": 0.05, "average": False}


class TestPegasosOnAStream:
    """Pieces of a stream give the steps of one epoch, in the order of the stream."""

    def in_order(self, seed, batch, **options):
        """An epoch of `pegasos`, and the examples in the order in which it took them."""
        rng, n = np.random.default_rng(seed), len(X)
        deal = np.array(np.split(rng.permutation(n), n // batch))
        order = deal[rng.permutation(n // batch)].ravel()
        whole = Pegasos(epochs=1, rng=seed, batch=batch, **options).fit(X, NOISY)
        return whole, X[order], NOISY[order]

    @pytest.mark.parametrize("batch", [1, 4])
    @pytest.mark.parametrize("bias", [True, False])
    def test_pieces_are_an_epoch(self, batch, bias):
        whole, A, labels = self.in_order(3, batch, bias=bias, **LAST)
        model = Pegasos(batch=batch, bias=bias, **LAST)
        for piece in np.split(np.arange(len(A)), [4, 12, 16]):
            model.partial_fit(A[piece], labels[piece], classes=whole.classes_)
        np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-10)
        np.testing.assert_allclose(model.intercept_, whole.intercept_, rtol=1e-10)
        assert model.rule_.done == len(X) / batch
        assert model.intercept_.any() == bias

    def test_one_piece_has_the_mean_of_an_epoch(self):
        whole, A, labels = self.in_order(5, 2, lambda_=0.05)
        model = Pegasos(lambda_=0.05, batch=2).partial_fit(A, labels)
        np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-10)
        np.testing.assert_allclose(model.rule_.values, whole.rule_.values, rtol=1e-10)
        again = model.partial_fit(A[:1], labels[:1]).rule_  # a mean of one point
        np.testing.assert_allclose(again.w, again.last[:-1], rtol=1e-12)

    def test_it_goes_on_where_fit_has_ended(self):
        n = len(X)  # one batch: no matter in which order
        options = {"batch": n, **LAST}
        whole = Pegasos(epochs=7, **options).fit(X, NOISY)
        model = Pegasos(epochs=3, **options).fit(X, NOISY)
        for _ in range(4):
            model.partial_fit(X, NOISY)
        np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-10)
        np.testing.assert_allclose(model.rule_.values, whole.rule_.values, rtol=1e-10)
        assert model.fit(X, NOISY)._stream.done == 3

    def test_what_was_found_before_is_not_changed(self):
        first = Pegasos(**LAST).partial_fit(X, NOISY).rule_
        model = Pegasos(**LAST).partial_fit(X, NOISY)
        kept = model.rule_
        model.partial_fit(X, NOISY)
        assert np.array_equal(kept.w, first.w)
        assert np.array_equal(kept.last, first.last)

    @pytest.mark.parametrize(
        ("options", "message"),
        [({"batch": 0}, "batch must be at least 1"), ({"lambda_": 0}, "lambda_ must be")],
    )
    def test_bad_options(self, options, message):
        with pytest.raises(ValueError, match=message):
            Pegasos(**options).partial_fit(X, NOISY)


def test_masked_entries_are_refused_and_numbers_as_objects_taken():
    hidden = np.ma.array(X, mask=X > 1.9)
    for model, y in (SoftMargin(), TWO), (Ridge(), X[:, 0]):
        expected = clone(model).fit(X, y).predict(X)
        boxed = clone(model).fit(X.astype(object), y.astype(object))
        assert np.array_equal(boxed.predict(X.astype(object)), expected)
        for call in clone(model).fit, boxed.predict:
            with pytest.raises(
                ValueError, match="X must be without masked entries; got 1 masked"
            ):
                call(hidden, *[y] * (call != boxed.predict))
        with pytest.raises(ValueError, match="y must be without masked entries; got 24"):
            clone(model).fit(X, np.ma.array(y, mask=True))
