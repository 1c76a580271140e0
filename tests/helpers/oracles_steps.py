"""Oracles for losses, step sizes and stochastic descent; see oracles.py."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
from oracles import EPS, exact
from oracles_margins import hinge_mean
from public_families import toward

from mlcore import boosting, logistic, losses, optim, svm
from mlcore.arrays import LARGEST
from mlcore.perceptron import mistake_bound

LOSSES = {
    "zero_one": lambda z: Decimal(int(z <= 0)),
    "perceptron": lambda z: max(-z, Decimal(0)),
    "hinge": lambda z: max(1 - z, Decimal(0)),
    "squared_hinge": lambda z: max(1 - z, Decimal(0)) ** 2,
    "logistic": lambda z: (1 + (-z).exp()).ln() if abs(z) < 800 else max(-z, Decimal(0)),
    "exponential": lambda z: (-z).exp(),
    "squared": lambda z: (1 - z) ** 2,
}


def around(loss, numbers, z):
    """Each number, h, and the loss at z - h, z and z + h, to 400 digits."""
    with localcontext(prec=400):
        for number, at in zip(
            np.ravel(numbers).tolist(), np.ravel(z).tolist(), strict=True
        ):
            at = Decimal(at)
            h = max(abs(at), Decimal(1)) * Decimal("1e-30")
            yield Decimal(number), h, [LOSSES[loss.name](at + k * h) for k in (-1, 0, 1)]


def of_value(values, self, z):
    for value, _, (_, wanted, _) in around(self, values, z):
        yield "value", abs(value - wanted), Decimal("1e-14") * wanted + Decimal("1e-300")


def of_slope(slopes, self, z):
    """A subgradient: the loss rises as fast to the right, and no faster to the left."""
    for slope, h, (left, here, right) in around(self, slopes, z):
        tiny = Decimal("1e-14") * abs(slope) + Decimal("1e-300")
        yield "to the right", slope - (right - here) / h, tiny
        yield "to the left", (here - left) / h - slope, tiny


def of_curvature(curvatures, self, z):
    for curvature, h, (left, here, right) in around(self, curvatures, z):
        kink = self is losses.squared_hinge and here == 0 and left > 0
        wanted = (left - 2 * here + right) / (h * h) * (not kink)
        tiny = Decimal("1e-14") * curvature + Decimal("1e-300")
        yield "second difference", abs(curvature - wanted), tiny


def of_sigmoid(shares, z):
    for share, at in zip(np.ravel(shares), np.ravel(z), strict=True):
        wanted = 1 / (1 + (-Decimal(float(at))).exp()) if at > -750 else Decimal(0)
        tiny = Decimal("1e-14") * wanted + Decimal("1e-300")
        yield "1 / (1 + exp(-z))", abs(Decimal(float(share)) - wanted), tiny


def of_logit(scores, p):
    for score, at in zip(np.ravel(scores), np.ravel(p), strict=True):
        wanted = (Decimal(float(at)) / (1 - Decimal(float(at)))).ln()
        off = abs(Decimal(float(score)) - wanted)
        yield "log-odds", off, Decimal("1e-14") * abs(wanted)


def of_sizes(steps, eta, p=0.0):
    for t in (1, 2, 100):
        for size, first in np.broadcast(steps(t), np.asarray(eta, object)):
            wanted = Decimal(float(first)) / Decimal(t) ** Decimal(float(p))
            yield (
                "eta / t**p",
                abs(Decimal(float(size)) - wanted),
                Decimal("1e-14") * wanted,
            )


def of_inverse_t(steps, alpha):
    yield from of_sizes(steps, 1 / alpha, 1.0)


def of_sgd(run, gradient, n, w0, steps, epochs, batch, average, runs, f, rng):
    """Each run on its own in fractions, by the distance from the example to w."""
    rngs = [rng if rng is None else np.random.default_rng(rng)]
    if runs is not None and rng is not None:
        rngs = rngs[0].spawn(runs)
    yield "the last point", np.abs(run.path[-1] - run.w).max(), 0
    yield "no test was passed", run.converged, 0
    for r in range(runs or 1):
        path = run.path if runs is None else run.path[:, r]
        one = rngs[r % len(rngs)]
        orders = [
            np.arange(n) if one is None else one.permutation(n) for _ in range(epochs)
        ]
        if gradient is not toward:  # all examples are 1
            orders = [1 + 0 * order for order in orders]
        for point, (wanted, tiny) in zip(
            path, points_of(w0, orders, batch, steps, average), strict=True
        ):
            yield "the point after an epoch", abs(exact(point) - wanted), tiny
        if f is not None:
            values = run.values if runs is None else run.values[:, r]
            wanted = [min(f(point), LARGEST) for point in path]
            yield "values", np.abs(values - wanted), 1e-12 * values
    yield "no values", f is None and len(run.values), 0


def points_of(w0, orders, batch, steps, average):
    """The start and the point after each epoch, and how much of it may be rounding."""
    w = found = exact(w0)
    size, whole, total, tiny, t = abs(w) + Fraction(1e-300), 0 * w, 0 * w, 0 * w, 0
    yield found, tiny
    for epoch, order in enumerate(orders):
        for k in range(0, len(order), batch):
            few, t = order[k : k + batch].tolist(), t + 1
            eta, example = Fraction(float(steps(t))), Fraction(sum(few), len(few))
            w = w - eta * (w - example)
            size = (1 + eta) * size + eta * example
            total, whole = total + w, whole + size
        end = total / t if average else w
        off = Fraction(9 * t * EPS) * (whole / t if average else size)
        if max(abs(end) + off) > LARGEST:  # it stays where it was; or not, after rounding
            sure = max(abs(end) - off) > LARGEST
            yield from [(found, tiny + 2 * LARGEST * (not sure))] * (len(orders) - epoch)
            return
        found, tiny = end, off
        yield found, tiny


def of_mistake_bound(bound, radius, margin, start_norm, start_score):
    """The larger root k of (start_score + k margin)**2 = start_norm**2 + k radius**2."""
    r, gamma, n0 = Fraction(radius), Fraction(margin), Fraction(start_norm)
    a = max(-n0, min(n0, Fraction(start_score)))

    def over(k):
        return (a + k * gamma) ** 2 - n0**2 - k * r**2

    k = Fraction(bound)
    near = Fraction(1e-12) * (k + (r / gamma) ** 2 + 2 * abs(a) / gamma)
    yield "more may be needed", over(k + near) < 0, 0
    yield "fewer are enough", k > near and over(k - near) > 0, 0


def of_vote_weight(alpha, epsilon):
    """Where the slope of (1 - epsilon) exp(-alpha) + epsilon exp(alpha) is 0."""
    alpha, epsilon = Decimal(alpha), Decimal(epsilon)
    down, up = (1 - epsilon) * (-alpha).exp(), epsilon * alpha.exp()
    yield "slope", abs(up - down), Decimal("1e-14") * (up + down) * (1 + abs(alpha))


def of_loss_gradient(gradient, X, y, loss, lambda_):
    """Beside the loss of the score along a line; and a pass of steps by hand."""
    rng, w, price = np.random.default_rng(0), np.zeros(X.shape[1]), lambda_
    largest = max(np.abs(X).max(), 1e-140)
    if largest > 1e140:
        return  # a step may overflow
    for _ in range(3):
        z, size = y * (X @ w), np.abs(X) @ np.abs(w)
        for i in np.flatnonzero(np.minimum(abs(z), abs(1 - z)) >= 1e-9 * size):  # no kink
            slope = loss.slope(z[i])
            tiny = 1e-9 * (abs(slope) + size[i]) * np.abs(X[i]) + 1e-9 * price * np.abs(w)
            wanted = slope * y[i] * X[i] + price * w
            yield "gradient", np.abs(gradient(w, i) - wanted), tiny + 1e-300
        w = rng.normal(size=len(w)) / largest / len(w)
    steps = optim.constant(0.1 / max(1, largest**2 + lambda_))
    by_hand, n = (lambda w, i: gradient(w, i)), len(y)
    for batch, average in ((1, False), (min(2, n), True)):
        runs = [
            optim.sgd(g, n, w, steps=steps, batch=batch, average=average, rng=0)
            for g in (gradient, by_hand)
        ]
        off, size = np.abs(runs[0].w - runs[1].w), np.abs(runs[1].path).max()
        yield "a pass", off, 1e-9 * size + 1e-300


def of_pegasos(fit, X, y, lambda_, epochs, rng, batch, bias, average):
    """By the sum over the examples that were hit: w is 1 / (lambda_ t) times it."""
    n, lambda_, rng = len(y), Fraction(lambda_), np.random.default_rng(rng)
    X, y = exact(X), exact(y)
    parts = np.array_split(rng.permutation(n), -(-n // int(batch)))
    v = mass = np.array([Fraction(0)] * (X.shape[1] + 1))
    rows, ends, t = np.column_stack([y[:, None] * X, y * bool(bias)]), [], 0
    for values in fit.values:
        total = whole = 0 * v
        for k in rng.permutation(len(parts)):
            few = rows[parts[k]]
            now = np.append(v[:-1] / max(t, 1), v[-1]) / lambda_
            size = np.append(mass[:-1] / max(t, 1), mass[-1]) / lambda_
            doubt = Fraction(8 * (t + len(v) + len(few)) * EPS) * (abs(few) @ size)
            z = few @ now
            if any((doubt > 0) & (abs(z - 1) <= doubt)):
                return  # rounding decides who is hit
            t += 1
            hit = (z < 1) @ few / len(few)
            push = np.append(hit[:-1], hit[-1] / t)
            most = (z < 1) @ abs(few) / len(few)
            v, mass = v + push, mass + np.append(most[:-1], most[-1] / t)
            end = np.append(v[:-1] / t, v[-1]) / lambda_
            total, whole = total + end, whole + np.append(mass[:-1] / t, mass[-1]) / lambda_
        end = total / len(parts) if average else end
        off = Fraction(9 * (t + len(v)) * EPS) * whole + Fraction(1e-300)
        ends.append((end, off))
        w, b = end[:-1], end[-1]
        loss, slack = hinge_mean(X, y, w, b, exact(np.ones(n)))
        slack += max(abs(X) @ off[:-1] + off[-1]) + lambda_ * (abs(w) + off[:-1]) @ off[:-1]
        slack += Fraction(1e-12) * (loss + lambda_ * (w @ w)) + Fraction(1e-300)
        yield "values", abs(Fraction(values) - loss - lambda_ / 2 * (w @ w)), slack
    last = ends[epochs // 2 :] if average else ends[-1:]
    off = abs(
        np.append(exact(fit.w), Fraction(fit.b)) - sum(e for e, _ in last) / len(last)
    )
    yield "w, b", off, 2 * sum(tiny for _, tiny in last) / len(last)
    yield "values of all epochs", len(fit.values) != epochs, 0


ORACLES = {
    losses.Loss.value: of_value,
    losses.Loss.slope: of_slope,
    losses.Loss.curvature: of_curvature,
    logistic.sigmoid: of_sigmoid,
    logistic.logit: of_logit,
    optim.constant: of_sizes,
    optim.inverse_t: of_inverse_t,
    optim.power: of_sizes,
    optim.sgd: of_sgd,
    optim.loss_gradient: of_loss_gradient,
    mistake_bound: of_mistake_bound,
    boosting.vote_weight: of_vote_weight,
    svm.pegasos: of_pegasos,
}
