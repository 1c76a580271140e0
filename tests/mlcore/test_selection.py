"""Feature selection: steps against refits, ties, and scores of single features."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score
from sklearn.tree import DecisionTreeClassifier

from mlcore import selection
from mlcore.selection import backward, exhaustive, forward, mutual_information, univariate
from mlcore.validation import k_folds, monte_carlo
from tests.helpers.assertions import TINY, assert_claims, equals
from tests.helpers.optimality_cases import standardize
from tests.helpers.signatures import Regression, mean_square


def refit_error(X, y, splits, chosen):
    """Return the mean squared error on the test sets; None if a fit is ill-conditioned."""
    errors, X = [], X[:, list(chosen)]
    for train, test in splits:
        A, mean, y_mean = standardize(X, train), X[train].mean(axis=0), y[train].mean()
        if A is None:
            return None
        v = np.linalg.lstsq(A, y[train] - y_mean, rcond=None)[0] / X[train].std(axis=0)
        errors.append(np.mean((y[test] - y_mean - (X[test] - mean) @ v) ** 2))
    return np.mean(errors)


def set_claims(E, sets, X, y, splits, empty_error, exact=False):
    """Check that no set has an error below E; if exact, that every error equals E."""
    scale = empty_error + 1e-20 * np.abs(y).max() ** 2 + TINY
    for chosen in sets:
        refit = refit_error(X, y, splits, chosen)
        if refit is not None:
            error = abs(E - refit) if exact else E - refit
            yield f"error of {chosen}", error, 1e-6 * (scale + refit)


def greedy_claims(found, X, y, splits, n_features, tol, fit, error, adding=True):
    """Check by refits that all errors are right and that no other feature is better."""
    all_features, order = set(range(X.shape[1])), list(found.order)
    claims = partial(set_claims, X=X, y=y, splits=splits, empty_error=found.empty)
    yield from claims(found.empty, [[]], exact=True)
    yield from claims(found.all, [sorted(all_features)], exact=True)
    for t in range(len(order) + 1):
        chosen = set(order[:t]) if adding else all_features - set(order[:t])
        changed = [sorted(chosen ^ {j}) for j in sorted(all_features - set(order[:t]))]
        yield from claims(found.errors[t], [sorted(chosen)], exact=True)
        if t < len(order):
            yield from claims(found.errors[t + 1], changed)
        elif n_features is None:
            smallest_decrease = tol * found.empty
            yield from claims(found.errors[t] - smallest_decrease, changed)
            too_small = found.errors[1:] >= found.errors[:-1] - smallest_decrease
            yield "every step decreases the error", too_small, 0
        else:
            yield "n_features", len(chosen) != n_features, 0
    yield "features", set(found.features) != chosen, 0


def exhaustive_claims(found, X, y, splits, tol, fit, error):
    claims = partial(set_claims, X=X, y=y, splits=splits, empty_error=found.errors[0])
    for size, (E, best) in enumerate(zip(found.errors, found.subsets, strict=True)):
        sets = list(combinations(range(X.shape[1]), size))
        yield from claims(E, [best], exact=True)
        yield from claims(E, sets[:: 1 + len(sets) // 20])
    good = found.errors <= min(found.errors) + tol * found.errors[0]
    yield "features", found.features != found.subsets[np.argmax(good)], 0


def elimination_claims(found, X, y, fit, n_features, fraction):
    """Repeat every fit, and check that the smallest weights are removed."""
    remaining, removed = list(range(X.shape[1])), list(found.removed)
    for size in found.sizes:
        yield "size", size != len(remaining), 0
        w = dict(zip(remaining, np.abs(fit(X[:, remaining], y).w).tolist(), strict=True))
        count = max(1, int(fraction * size))
        out, removed = removed[:count], removed[count:]
        remaining = [j for j in remaining if j not in out]
        yield "smallest weights", max(w[j] for j in out) - min(w[j] for j in remaining), 0
        yield "smallest weight first", -np.diff([w[j] for j in out]), 0
    yield "features", list(found.features) != remaining, 0
    yield "number of features", len(remaining) != n_features, 0


def information(X, y, bins):
    """Compute the mutual information of y and the ranks, or the bins of the ranks."""
    ranks = (X[:, None] > X).sum(axis=1)
    values = ranks if bins is None else ranks * int(bins) // len(X)
    label = np.unique(y, return_inverse=True)[1]
    return [mutual_info_score(label, value) for value in values.T]


def univariate_claims(found, X, y, score):
    order = np.argsort(-np.abs(found.scores), kind="stable")  # some may be infinite
    yield "order, in a tie by index", found.order != order, 0
    Z, t = X - X.mean(axis=0), y - y.mean()
    varies = Z.std(axis=0) > 1e-9 * np.abs(X).max(axis=0)
    if score == "correlation" and t.std() > 1e-9 * np.abs(y).max():
        for z, r in zip(Z.T[varies], found.scores[varies], strict=True):
            yield "correlation", abs(r - np.corrcoef(z, t)[0, 1]), 1e-6
    yield "score of a constant feature", found.scores[np.ptp(X, axis=0) == 0], 0


ORACLES = {
    forward: greedy_claims,
    backward: partial(greedy_claims, adding=False),
    exhaustive: exhaustive_claims,
    selection.recursive_elimination: elimination_claims,
    mutual_information: equals(information, scale=lambda y, **_: len(y)),
    univariate: univariate_claims,
}
ERRORS = {
    "columns of X must be at most": lambda: exhaustive(np.eye(13), [0] * 13, splits=[]),
    "got only 1": lambda: univariate(np.eye(4), np.ones(4), score="signal_to_noise"),
}
every_search = pytest.mark.parametrize("search", [forward, backward, exhaustive])


def random_problem(seed, smallest=20, largest=50):
    """Draw X in different units, y that depends on one feature, and splits."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(smallest, largest), rng.integers(1, 7)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-2, 3, size=d) + rng.normal(size=d)
    y = 10 * rng.normal(size=n) + 20 * X[:, 0] / abs(X[:, 0]).max() + 5
    splits = k_folds(y, folds=4, stratified=False, rng=seed)
    if seed % 3 == 0:  # some examples are in neither set
        splits = monte_carlo(y, repeats=3, test_fraction=0.3, stratified=False, rng=seed)
        splits = [(train[2:], test) for train, test in splits]
    return X, y, splits


@pytest.mark.parametrize("seed", range(4))
@every_search
def test_search_meets_claims(search, seed):
    X, y, splits = random_problem(seed)
    given = {"X": X, "y": y, "splits": splits, "tol": 1e-9, "fit": None, "error": None}
    cases = [{}, {"tol": 0.1}]
    if search != exhaustive:
        given["n_features"] = None
        cases += [{"n_features": n} for n in (0, 1, X.shape[1])]
    for arguments in [given | case for case in cases]:
        assert_claims(ORACLES[search], search(**arguments), arguments)


@pytest.mark.parametrize("seed", range(6))
@every_search
def test_search_among_dependent_features_equals_refits(search, seed):
    X, y, splits = random_problem(seed, *((8, 14) if seed % 2 else (20, 50)))
    X = np.column_stack([X[:, :3], X[:, 0], np.full(len(y), 0.1), 3 * X[:, -1] + 1])
    X[splits[0][0], 1] = 0.3  # constant in training
    found = search(X, y, splits=splits)
    refits = search(X, y, splits=splits, fit=Regression, error=mean_square)
    assert found.features == refits.features
    np.testing.assert_allclose(found.errors, refits.errors, rtol=1e-7)


def test_first_of_perfect_fits_is_kept():
    for seed in range(4):
        x = np.random.default_rng(seed).normal(size=30)
        X = np.column_stack([x + 7, x / 3, 1e3 * x, np.pi * x - 1])
        y, splits = np.e * x + 2, k_folds(x, folds=4, stratified=False)
        assert forward(X, y, splits=splits, n_features=4).order == (0, 1, 2, 3)
        assert backward(X, y, splits=splits, n_features=0).order == (0, 1, 2, 3)
        subsets = exhaustive(X, y, splits=splits).subsets
        assert subsets[1:] == ((0,), (0, 1), (0, 1, 2), (0, 1, 2, 3))


def test_huge_error_of_one_subset_creates_no_ties():
    X, y = (np.random.default_rng(0).normal(size=size) for size in ((7, 3), 7))
    X[0, 0] = 1e6
    found = exhaustive(X, y, splits=k_folds(y, folds=2, stratified=False))
    assert found.subsets[1] == (2,)


def test_forward_with_text_labels():
    X = np.random.default_rng(0).normal(size=(60, 4))
    names = np.where(X[:, 2] > 0, "up", "down")
    fit = lambda X, y: DecisionTreeClassifier(max_depth=1).fit(X, y)  # noqa: E731
    found = forward(X, names, splits=k_folds(names), fit=fit)
    assert found.features[0] == 2
    assert found.empty == pytest.approx(min(np.mean(names == "up"), 0.5), abs=0.1)


def test_signal_to_noise_by_hand():
    X = np.array([[1, 5, 0], [3, 5, 0], [4, 5, 1], [10, 5, 1]])
    found = univariate(X, [1, 1, -1, -1], score="signal_to_noise")
    np.testing.assert_allclose(found.scores, [(2 - 7) / (1 + 3), 0, -np.inf], rtol=1e-14)
    assert found.order.tolist() == [2, 0, 1]


def test_mutual_information_by_hand():
    found = mutual_information([[1.0], [1.0], [1.0], [4.0]], [*"aabb"], bins=2)
    np.testing.assert_allclose(found, np.log(4 / 3) / 2 + np.log(2 / 3) / 4 + np.log(2) / 4)
