"""Likelihood: logistic loss by Newton or stochastic steps, two normal distributions."""

from math import exp

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, SGDClassifier

from benchmarks import problems
from benchmarks.timing import Case, distance, each, gaps
from mlcore import losses
from mlcore.generative import lda
from mlcore.logistic import logistic, sigmoid
from mlcore.optim import constant, gradient_descent, loss_gradient, sgd

EPOCHS = 5
GAP = 1e-9  # in nats: what both reach, see the gaps that are printed


def cases():
    yield from newton()
    yield from descent()
    yield from stochastic()
    yield from normal()


def newton():
    model = problems.logistic_model
    data = {
        "20000 x 50": (problems.syn20k(), np.inf, 1.3),
        "2000 x 20": (problems.syn2k(), np.inf, 2),
        "50000 x 20": (model(50_000, 20), np.inf, 2),
        "5000 x 100": (model(5_000, 100), np.inf, 1),
        "1000 x 300": (model(1_000, 300), 1.0, 1),
        "500 x 2000": (model(500, 2_000), 1.0, 1.2),
        "cancer": (problems.cancer(), 1.0, 2),
        "micro": (problems.micro(), 1.0, 2.5),
    }
    for name, ((X, y), C, floor) in data.items():
        lambda_ = 1 / (len(X) * C)  # C sum log loss + |w|**2 / 2, divided by n C
        theirs = LogisticRegression(C=C, tol=1e-6, max_iter=10_000)
        wide = 4 * X.shape[1] > len(X)  # plain descent would take seconds
        yield Case(
            "logistic, Newton v lbfgs at 1e-6",
            name,
            floor,
            lambda X=X, y=y, ld=lambda_: pair(logistic(X, y, lambda_=ld, tol=GAP)),
            lambda X=X, y=y, theirs=theirs: fitted(theirs.fit(X, y)),
            None if wide else lambda X=X, y=y, lambda_=lambda_: plain(X, y, lambda_),
            gaps(lambda rule, X=X, y=y, lambda_=lambda_: risk(X, y, rule, lambda_)),
        )


def pair(rule):
    return rule.w, rule.b


def fitted(model):
    return model.coef_[0], model.intercept_[0]


def risk(X, y, rule, lambda_=0.0):
    w, b = rule
    return np.logaddexp(0, -y * (X @ w + b)).mean() + lambda_ / 2 * (w @ w)


def plain(X, y, lambda_, steps=1000):
    """Gradient descent with the step 1 / L."""
    A, penalty = problems.with_ones(X), np.append(np.full(X.shape[1], lambda_), 0.0)
    eta = 1 / (np.linalg.eigvalsh(A.T @ A)[-1] / (4 * len(X)) + lambda_)
    v = np.zeros(A.shape[1])
    for _ in range(steps):
        g = A.T @ (-y * sigmoid(-y * (A @ v))) / len(X) + penalty * v
        if np.linalg.norm(g) <= 1e-6:
            break
        v = v - eta * g
    return v[:-1], v[-1]


def descent():
    for n, d in (2_000, 20), (50_000, 20), (5_000, 100):
        yield accelerated(n, d)


def accelerated(n, d):
    X, y = problems.logistic_model(n, d)
    A = problems.with_ones(X)
    eta = 4 * len(A) / np.linalg.eigvalsh(A.T @ A)[-1]

    def f(v):
        return np.logaddexp(0, -y * (A @ v)).mean()

    def gradient(v):
        return A.T @ (-y / (1 + np.exp(y * (A @ v)))) / len(A)

    def ours():
        found = gradient_descent(
            f, gradient, np.zeros(A.shape[1]), eta=eta, accelerated=True, tol=1e-6
        )
        return found.w[:-1], found.w[-1]

    theirs = LogisticRegression(C=np.inf, tol=1e-6, max_iter=10_000)
    return Case(
        "logistic, accelerated descent",
        f"{n} x {d}",
        None,
        ours,
        lambda: fitted(theirs.fit(X, y)),
        lambda: plain(X, y, 0.0),
        gaps(lambda rule: risk(X, y, rule)),
    )


def stochastic():
    sizes = [(20_000, 50), (2_000, 20), (1_000, 300), (5_000, 100), (50_000, 20)]
    for n, d in [*sizes, (500, 2_000)]:
        X, y = problems.logistic_model(n, d)
        A, eta = problems.with_ones(X), min(0.01, 1 / (2 * d))
        theirs = SGDClassifier(
            loss="log_loss",
            penalty=None,
            learning_rate="constant",
            eta0=eta,
            max_iter=EPOCHS,
            tol=None,
            fit_intercept=False,
            shuffle=False,
        )
        for batch, floor in (1, 0.2), (32, 0.8):
            gradients = {"ours": lambda A=A, y=y: loss_gradient(A, y, losses.logistic)}
            gradients["naive"] = lambda A=A, y=y, m=batch: by_hand(A, y, m)
            runs = {
                name: lambda A=A, make=make, eta=eta, m=batch: descended(A, make(), eta, m)
                for name, make in gradients.items()
            }
            yield Case(
                f"logistic, SGD, batch {batch}, {EPOCHS} epochs",
                f"{n} x {d}",
                floor,
                runs["ours"],
                lambda A=A, y=y, theirs=theirs: theirs.fit(A, y).coef_[0],
                runs["naive"],
                each("loss", lambda v, A=A, y=y: log_loss_of(A, y, v)),
            )


def descended(A, gradient, eta, batch):
    """A batch of 32 takes one step of 32 times the size, so that both learn alike."""
    start, steps = np.zeros(A.shape[1]), constant(eta * batch)
    return sgd(gradient, len(A), start, steps=steps, epochs=EPOCHS, batch=batch).w


def by_hand(A, y, batch):
    """The same gradients, as a function that sgd has to call."""

    def one(v, i):
        x, t = rows[i], signs[i]
        return x * (-t / (1 + exp(t * x.dot(v))))

    def several(v, i):
        x, t = A[i], y[i]
        return (-t / (1 + np.exp(t * x.dot(v)))).dot(x) / len(i)

    rows, signs = list(A), y.tolist()  # a row at a time is cheaper from a list
    return one if batch == 1 else several


def log_loss_of(A, y, v):
    return np.logaddexp(0, -y * (A @ v)).mean()


def normal():
    sizes = [(20_000, 50), (2_000, 20), (1_000, 300), (5_000, 100), (50_000, 20)]
    for n, d in [*sizes, (500, 2_000)]:
        X, y = problems.logistic_model(n, d)
        theirs = LinearDiscriminantAnalysis()
        yield Case(
            "linear discriminant analysis",
            f"{n} x {d}",
            2,
            lambda X=X, y=y: lda(X, y).w,
            lambda X=X, y=y, theirs=theirs: theirs.fit(X, y).coef_[0],
            None,
            distance(lambda w: w / np.linalg.norm(w)),
        )
