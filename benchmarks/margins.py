"""Margins: the perceptron, the widest margin, support vector machines."""

import numpy as np
from scipy.optimize import linprog, nnls
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.svm import LinearSVC

from benchmarks import problems
from benchmarks.timing import Case, each, gaps, same
from mlcore.l1_svm import l1_svm, l1_svm_path
from mlcore.perceptron import perceptron
from mlcore.scalings import lambda_of
from mlcore.separation import max_margin
from mlcore.svm import pegasos, soft_margin


def cases():
    yield from mistakes()
    yield from widest()
    yield from soft()
    yield from sampled()
    yield from sparse()


def mistakes():
    apart, random = problems.separable, problems.logistic_model
    data = {
        "separable 20000 x 50, margin 0.05": (apart(20_000, 50, 0.05), 200, 1.2),
        "separable 20000 x 50, margin 0.01": (apart(20_000, 50, 0.01), 200, 1.2),
        "separable 2000 x 20, margin 0.02": (apart(2_000, 20, 0.02), 200, 1.2),
        "digits 3 and 8": (problems.pair(), 200, 1.2),
        "cancer, 200 epochs, no end": (problems.cancer(), 200, 0.5),
        "500 x 2000": (random(500, 2_000), 200, 1.2),
        "1000 x 300, 20 epochs": (random(1_000, 300), 20, 0.4),
        "5000 x 100, 5 epochs": (random(5_000, 100), 5, 0.1),
        "50000 x 20, 1 epoch": (random(50_000, 20), 1, 0.1),
        "noisy 1000000 x 5, 1 epoch": (problems.noisy(10**6, 5), 1, 0.1),
    }
    for name, ((X, y), most, floor) in data.items():
        fit = perceptron(X, y, max_epochs=most)
        epochs = len(fit.mistakes)  # equal work: scikit-learn looks once more
        theirs = Perceptron(shuffle=False, tol=None, max_iter=epochs)
        yield Case(
            f"perceptron, {fit.updates} updates",
            name,
            floor,
            lambda X=X, y=y, epochs=epochs: rule(perceptron(X, y, max_epochs=epochs)),
            lambda X=X, y=y, theirs=theirs: fitted(theirs.fit(X, y)),
            lambda X=X, y=y, epochs=epochs: row_loop(X, y, epochs),
            same("bits", lambda answer: (answer[0].tobytes(), float(answer[1]))),
        )


def rule(fit):
    return fit.w, fit.b


def fitted(model):
    return model.coef_[0], model.intercept_[0]


def row_loop(X, y, epochs):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(epochs):
        for i in range(len(X)):
            if y[i] * (X[i].dot(w) + b) <= 0:
                w, b = w + y[i] * X[i], b + y[i]
    return w, b


def widest():
    narrow = (2_000, 20), (20_000, 50)
    sizes = [(2_000, 20, 0.02, 2), (20_000, 50, 0.01, 2), (1_000, 300, 0.01, 1)]
    sizes += [(5_000, 100, 0.01, 2), (50_000, 20, 0.01, 2), (500, 2_000, 0.001, 1.2)]
    for n, d, margin, floor in sizes:
        X, y = problems.separable(n, d, margin)
        theirs = LinearSVC(C=1e6, loss="hinge", fit_intercept=False, max_iter=10**6)
        yield Case(
            "widest margin",
            f"separable {n} x {d}",
            floor,
            lambda X=X, y=y: max_margin(X, y, bias=False).w,
            lambda X=X, y=y, theirs=theirs: theirs.fit(X, y).coef_[0],
            (lambda X=X, y=y: shortest(X, y)) if (n, d) in narrow else None,
            each("margin", lambda w, X=X, y=y: (y * (X @ w)).min() / np.linalg.norm(w)),
        )


def shortest(X, y):
    """The shortest vector in the hull of y_i x_i, by least squares with a >= 0."""
    A = np.vstack([(X * y[:, None]).T, np.ones(len(X))])
    a, _ = nnls(A, np.append(np.zeros(X.shape[1]), 1.0), maxiter=10 * len(X))
    return (a * y) @ X


def soft():
    random, plain = problems.logistic_model, ("20000 x 50", "2000 x 20", "cancer")
    data = {
        "20000 x 50": (problems.syn20k(), 1.0, 5),
        "2000 x 20": (problems.syn2k(), 1.0, 1.3),
        "1000 x 300": (random(1_000, 300), 0.1, 1),
        "5000 x 100": (random(5_000, 100), 1.0, 2),
        "50000 x 20": (random(50_000, 20), 1.0, 4),
        "500 x 2000": (random(500, 2_000), 1e-3, 1.1),
        "cancer": (problems.cancer(), 1.0, 0.8),
        "micro": (problems.micro(), 1e-3, 2),
    }
    for name, ((X, y), C, floor) in data.items():
        A = problems.with_ones(X)  # LinearSVC penalizes its bias
        lambda_ = lambda_of("SVC", constant=C, n=len(A))
        theirs = LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-5)
        yield Case(
            f"SVM, exact, C = {C:g}",
            name,
            floor,
            lambda A=A, y=y, ld=lambda_: soft_margin(A, y, lambda_=ld, bias=False).w,
            lambda A=A, y=y, theirs=theirs: theirs.fit(A, y).coef_[0],
            (lambda A=A, y=y, ld=lambda_: descent(A, y, ld)) if name in plain else None,
            gaps(lambda w, A=A, y=y, ld=lambda_: objective(A, y, w, ld)),
        )


def objective(A, y, w, lambda_):
    return np.maximum(0, 1 - y * (A @ w)).mean() + lambda_ / 2 * (w @ w)


def descent(A, y, lambda_, steps=1000):
    """Subgradient steps of size 1 / (lambda t), all examples in each."""
    w, best, least = np.zeros(A.shape[1]), None, np.inf
    for t in range(1, steps + 1):
        hit = y * (y * (A @ w) < 1)
        w = (1 - 1 / t) * w + (hit @ A) / (lambda_ * t * len(y))
        value = objective(A, y, w, lambda_)
        if value < least:
            best, least = w, value
    return best


def sampled():
    random = problems.logistic_model
    data = {
        "20000 x 50": (problems.syn20k(), 1e-3, 256, 20, 2),
        "cancer": (problems.cancer(), 1e-2, 16, 20, 0.7),
        "cancer, a row a step": (problems.cancer(), 1e-2, 1, 20, 0.2),
        "1000 x 300": (random(1_000, 300), 0.1, 32, 20, 2),
        "5000 x 100": (random(5_000, 100), 1e-2, 32, 20, 1.2),
        "50000 x 20": (random(50_000, 20), 1e-3, 256, 20, 3),
        "500 x 2000": (random(500, 2_000), 0.1, 16, 20, 1.5),
        "noisy 1000000 x 5": (problems.noisy(10**6, 5), 1e-3, 1, 1, 0.2),
    }
    for name, ((X, y), lambda_, batch, epochs, floor) in data.items():
        A = problems.with_ones(X)
        theirs = SGDClassifier(
            alpha=lambda_,
            max_iter=epochs,
            tol=None,
            fit_intercept=False,
            average=True,
            random_state=0,
        )
        exact = objective(A, y, soft_margin(A, y, lambda_=lambda_, bias=False).w, lambda_)

        def above(w, A=A, y=y, ld=lambda_, exact=exact):
            return objective(A, y, w, ld) / exact - 1

        def ours(A=A, y=y, ld=lambda_, batch=batch, epochs=epochs):
            options = {"epochs": epochs, "batch": batch, "bias": False, "rng": 0}
            return pegasos(A, y, lambda_=ld, **options).w

        yield Case(
            f"Pegasos, batch {batch}, {epochs} epochs",
            name,
            floor,
            ours,
            lambda A=A, y=y, theirs=theirs: theirs.fit(A, y).coef_[0],
            None,
            each("share above the minimum", above),
        )


def sparse():
    data = {
        "2000 x 20": problems.syn2k(),
        "cancer": problems.cancer(),
        "digits 3 and 8": problems.pair(),
        "micro": problems.micro(),
        "50000 x 20": problems.logistic_model(50_000, 20),
        "5000 x 100": problems.logistic_model(5_000, 100),
        "1000 x 300": problems.logistic_model(1_000, 300),
    }
    for name, (X, y) in data.items():
        X = X / (abs(X).max() if name.startswith("digits") else 1)
        least = 1 / (2 * abs((y - y.mean()) @ X).max())
        C = least * np.logspace(0.1, 2, 30)
        yield Case(
            "L1 SVM, squared hinge, 30 values of C",
            name,
            0.8,
            lambda X=X, y=y, C=C: along(l1_svm_path(X, y, C=C)),
            lambda X=X, y=y, C=C: np.array([liblinear(X, y, value) for value in C]),
            None,
            gaps(lambda V, X=X, y=y, C=C: total(X, y, V, C)),
        )
    for name in "2000 x 20", "cancer":
        X, y = data[name]
        yield Case(
            "L1 SVM, hinge, C = 1 (v HiGHS)",
            name,
            None,
            lambda X=X, y=y: np.append((fit := l1_svm(X, y, C=1.0)).w, fit.b),
            None,
            lambda X=X, y=y: program(X, y, 1.0),
            gaps(
                lambda v, X=X, y=y: (
                    abs(v[:-1]).sum() + np.maximum(0, 1 - y * (X @ v[:-1] + v[-1])).sum()
                )
            ),
        )


def along(path):
    return np.column_stack([path.W, path.b])


def liblinear(X, y, C):
    """The bias is penalized there; a constant of 100 makes the penalty small."""
    model = LinearSVC(penalty="l1", dual=False, C=C, intercept_scaling=100, max_iter=5000)
    model.fit(X, y)
    return np.append(model.coef_[0], model.intercept_)


def total(X, y, V, C):
    """The sum of all thirty objectives, each as a share of its value at w = 0."""
    Z = y * (V[:, :-1] @ X.T + V[:, -1:])
    loss = (np.maximum(0, 1 - Z) ** 2).sum(axis=1)
    return ((abs(V[:, :-1]).sum(axis=1) + C * loss) / (C * len(y))).sum()


def program(X, y, C):
    """The linear program in w+, w-, b and the slacks, as written down."""
    n, d = X.shape
    cost = np.concatenate([np.ones(2 * d), [0.0], np.full(n, C)])
    rows = np.column_stack([-y[:, None] * X, y[:, None] * X, -y, -np.eye(n)])
    bounds = [(0, None)] * (2 * d) + [(None, None)] + [(0, None)] * n
    v = linprog(cost, rows, -np.ones(n), bounds=bounds).x
    return np.append(v[:d] - v[d : 2 * d], v[2 * d])
