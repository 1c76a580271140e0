"""Many rules together: AdaBoost, several classes, nearest neighbors."""

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from benchmarks import problems
from benchmarks.timing import Case, each
from mlcore.boosting import adaboost
from mlcore.logistic import logistic
from mlcore.multiclass import one_vs_one, one_vs_rest
from mlcore.neighbors import knn
from mlcore.scalings import lambda_of
from mlcore.svm import soft_margin

ROUNDS = 100
C = 1.0


def cases():
    yield from boosted()
    yield from neighbors()
    yield from classes()
    yield from shapes()


def boosted():
    random = problems.logistic_model
    data = {
        "20000 x 50": (problems.syn20k(), ROUNDS),
        "2000 x 20": (problems.syn2k(), ROUNDS),
        "1000 x 300": (random(1_000, 300), 10),
        "5000 x 100": (random(5_000, 100), 10),
        "50000 x 20": (random(50_000, 20), 10),
        "500 x 2000": (random(500, 2_000), 10),
        "cancer": (problems.cancer(), ROUNDS),
        "micro": (problems.micro(), ROUNDS),
    }
    for name, ((X, y), rounds) in data.items():
        theirs = AdaBoostClassifier(n_estimators=rounds)
        small = len(X) * X.shape[1] < 50_000
        yield Case(
            f"AdaBoost, {rounds} stumps",
            name,
            12,
            lambda X=X, y=y, T=rounds: adaboost(X, y, rounds=T).decision_function(X),
            lambda X=X, y=y, theirs=theirs: scores(theirs.fit(X, y), X),
            (lambda X=X, y=y: sorting(X, y)) if small else None,
            each("exponential loss", lambda F, y=y: np.exp(-y * F).mean()),
        )


def scores(model, X):
    """The sum of alpha h(x) in our scale; theirs has alphas twice as large."""
    votes = [np.where(tree.predict(X) > 0, 1.0, -1.0) for tree in model.estimators_]
    return model.estimator_weights_[: len(votes)] @ np.array(votes) / 2


def sorting(X, y):
    """AdaBoost that sorts every feature in every round."""
    D, F = np.full(len(X), 1 / len(X)), np.zeros(len(X))
    for _ in range(ROUNDS):
        best = (1.0, None)
        for j in range(X.shape[1]):
            order = np.argsort(X[:, j])
            error = D[y > 0].sum() - np.cumsum((D * y)[order])  # +1 above, -1 below
            error = 1 - error  # as an error of "above is +1"
            cut = np.flatnonzero(np.diff(X[order, j]) > 0)
            for sign, errors in ((1, 1 - error), (-1, error)):
                if len(cut) and min(errors[cut], default=1) < best[0]:
                    k = cut[np.argmin(errors[cut])]
                    middle = (X[order[k], j] + X[order[k + 1], j]) / 2
                    best = (errors[k], (j, middle, sign))
        epsilon, (j, middle, sign) = best
        h = np.where(X[:, j] > middle, sign, -sign)
        epsilon = D[h != y].sum()
        alpha = np.log((1 - epsilon) / epsilon) / 2
        D = D * np.exp(-alpha * y * h)
        D, F = D / D.sum(), F + alpha * h
    return F


def neighbors():
    X, y = problems.syn20k()
    D, digit = problems.digits()
    data = {
        "18000 x 50, 2000 queries": (X[:18_000], y[:18_000], X[18_000:]),
        "digits, 899 and 898": (D[:899], digit[:899], D[899:]),
    }
    for n, d in (1_000, 300), (5_000, 100), (50_000, 20), (500, 2_000):
        X, y = problems.logistic_model(n, d)
        data[f"{n} x {d}, 300 queries"] = X[300:], y[300:], X[:300]
    for name, (X, labels, queries) in data.items():
        theirs = KNeighborsClassifier(5, algorithm="brute")
        yield Case(
            "5 nearest neighbors",
            name,
            1.2,
            lambda X=X, y=labels, Q=queries: knn(X, y, Q, k=5).predicted,
            lambda X=X, y=labels, Q=queries, m=theirs: m.fit(X, y).predict(Q),
            lambda X=X, y=labels, Q=queries: sorted_distances(X, y, Q),
            agreement,
        )


def sorted_distances(X, labels, queries):
    squares = (X**2).sum(axis=1) - 2 * queries @ X.T
    near = labels[np.argsort(squares, axis=1)[:, :5]]
    kinds = np.unique(labels)
    votes = (near[:, :, None] == kinds).sum(axis=1)
    return kinds[votes.argmax(axis=1)]


def agreement(answers) -> str:
    ours = answers["ours"]
    shares = [(answer == ours).mean() for name, answer in answers.items() if name != "ours"]
    return f"{min(shares):.2%} of the predictions equal"


def classes():
    X, digit = problems.digits()
    train, test = slice(0, None, 2), slice(1, None, 2)
    n = len(X[train])

    def regression(F, y):
        return logistic(F, y, lambda_=1 / (C * len(F)), tol=1e-6)  # as scikit-learn

    def machine(F, y):
        return soft_margin(F, y, lambda_=lambda_of("SVC", constant=C, n=len(F)))

    log, svc = LogisticRegression(C=C, max_iter=1000), LinearSVC(C=C, loss="hinge")
    rows = [
        ("one v rest, logistic", 1.5, one_vs_rest, regression, OneVsRestClassifier(log)),
        ("one v one, logistic", 2.5, one_vs_one, regression, OneVsOneClassifier(log)),
        ("one v rest, SVM", 0.7, one_vs_rest, machine, OneVsRestClassifier(svc)),
    ]
    for name, floor, reduce, fit, theirs in rows:
        yield Case(
            name,
            f"digits, {n} images",
            floor,
            lambda r=reduce, fit=fit: r(fit, X[train], digit[train]).predict(X[test]),
            lambda m=theirs: m.fit(X[train], digit[train]).predict(X[test]),
            None,
            each("share right", lambda guess: (guess == digit[test]).mean()),
        )


def shapes():
    for n, d in (1_000, 300), (5_000, 100), (50_000, 20), (500, 2_000):
        X, y = problems.four(n, d)

        def regression(F, y):
            return logistic(F, y, lambda_=1 / (C * len(F)), tol=1e-6)

        theirs = OneVsRestClassifier(LogisticRegression(C=C, max_iter=1000))
        yield Case(
            "one v rest, logistic, 4 classes",
            f"{n} x {d}",
            0.8,
            lambda X=X, y=y, fit=regression: one_vs_rest(fit, X, y).predict(X),
            lambda X=X, y=y, m=theirs: m.fit(X, y).predict(X),
            None,
            each("share right", lambda guess, y=y: (guess == y).mean()),
        )
