"""The scikit-learn classes: the whole contract, and the same answers as the functions."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlcore.estimators import Perceptron
from mlcore.perceptron import perceptron

ESTIMATORS = [Perceptron()]
CLASSES = [type(estimator) for estimator in ESTIMATORS]

X = np.array([[0.0, 1.0], [1.0, 0.0], [3.0, 2.0], [2.0, 3.0]])
Y = np.array(["no", "no", "yes", "yes"])


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("Estimator", CLASSES)
class TestEveryClass:
    def test_labels_of_two_kinds_are_mapped_to_signs_and_back(self, Estimator):
        model = Estimator().fit(X, Y)
        assert model.classes_.tolist() == ["no", "yes"]
        assert model.predict(X).tolist() == Y.tolist()
        assert (np.sign(model.decision_function(X)) == [-1, -1, 1, 1]).all()

    def test_the_attributes_describe_the_hyperplane(self, Estimator):
        model = Estimator().fit(X, Y)
        assert model.coef_.shape == (1, 2)
        assert model.intercept_.shape == (1,)
        assert model.n_features_in_ == 2
        scores = X @ model.coef_[0] + model.intercept_
        np.testing.assert_allclose(model.decision_function(X), scores, rtol=1e-15)

    @pytest.mark.parametrize("method", ["predict", "decision_function"])
    def test_before_fit_it_raises_the_error_of_scikit_learn(self, Estimator, method):
        with pytest.raises(NotFittedError):
            getattr(Estimator(), method)(X)

    @pytest.mark.parametrize("labels", [[1, 1, 1, 1], [0, 1, 2, 2]])
    def test_only_two_classes_are_accepted(self, Estimator, labels):
        with pytest.raises(ValueError, match=r"two classes; got [13] class"):
            Estimator().fit(X, labels)

    def test_it_draws_its_boundary(self, Estimator):
        pyplot = pytest.importorskip("matplotlib.pyplot")
        figure, axes = pyplot.subplots()
        model = Estimator().fit(X, Y)
        DecisionBoundaryDisplay.from_estimator(model, X, ax=axes)
        assert axes.collections
        pyplot.close(figure)


def test_perceptron_is_the_function_on_signs():
    signs = np.where(Y == "yes", 1.0, -1.0)
    model = Perceptron(max_epochs=7, rng=3).fit(X, Y)
    rule = perceptron(X, signs, max_epochs=7, rng=3)
    assert np.array_equal(model.coef_, [rule.w])
    assert np.array_equal(model.intercept_, [rule.b])
    assert model.n_iter_ == len(rule.mistakes)
    assert model.rule_.converged


def test_a_score_of_zero_is_predicted_the_second_class():
    model = Perceptron().fit([[1.0], [2.0]], ["left", "right"])
    assert model.decision_function([[1.5]]) == 0  # w = 2, b = -3
    assert model.predict([[1.5]]) == ["right"]


def test_perceptron_in_a_pipeline_in_a_grid_search():
    data, labels = load_breast_cancer(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), Perceptron(rng=0))
    search = GridSearchCV(pipeline, {"perceptron__max_epochs": [1, 20]}, cv=3)
    assert search.fit(data, labels).best_score_ > 0.94
