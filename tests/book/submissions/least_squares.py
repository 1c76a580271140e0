"""Answers to the exercises of the least squares chapter: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import least_squares as check
from mlcore.features import polynomial
from mlcore.least_squares import least_squares, ridge


def centered(X, y, price, *, factor=1.0, center_y=True):
    """Ridge, with a slip."""
    Z, t = X - X.mean(axis=0), y - y.mean() * center_y
    w = np.linalg.solve(Z.T @ Z + factor * price * np.eye(Z.shape[1]), Z.T @ t)
    return w, y.mean() - w @ X.mean(axis=0)


def bias_pays(X, y, price):
    Z = np.column_stack([X, np.ones(len(X))])
    v = np.linalg.solve(Z.T @ Z + price * np.eye(Z.shape[1]), Z.T @ y)
    return v[:-1], v[-1]


def at_full_price(X, y, price):
    return centered(X, y, 1.0)


def changes_its_input(X, y, price):
    X -= X.mean(axis=0)
    return centered(X, y, price)


def by_mlcore(X, y, price):
    fit = ridge(X, y, lambda_=price)
    return [fit.w, np.float64(fit.b)]


def degree(
    x,
    y,
    splits,
    *,
    swap=False,
    first=1,
    worst=False,
    train=False,
    last=8,
    how=np.square,
    mean=np.mean,
    bias=True,
):
    errors = []
    for p in range(1, last + 1):
        F, own = polynomial(x[:, None], degree=p), []
        for fitted, test in splits:
            fitted, test = (test, fitted) if swap else (fitted, test)
            fit = least_squares(F[fitted], y[fitted], bias=bias)
            test = fitted if train else test
            own.append(mean(how(y[test] - fit.decision_function(F[test]))))
        errors.append(np.mean(own))
    return first + int(np.argmax(errors) if worst else np.argmin(errors))


def root_mean(left):
    return np.sqrt(np.mean(left**2))


def position(x, y, t, *, count=1, size=None, never=0, at_limit=None):
    n, P, Q = len(x), np.sum(x * y), np.sum(x**2)
    if n * t == P and at_limit is not None:
        return at_limit
    if n * t >= P:
        return never
    return (Q + (n + count) * P * t) / (P - (size or n) * t)


def powers(*chosen):
    return lambda x: np.column_stack([x**k for k in chosen])


T, F = True, False
PLAIN, PENALIZED = (T, T, T, F, T, T), (F, T, F, F, F, T)

RIGHT = [
    (check.by_hand, (1.5, 5 / 6)),
    (check.by_hand, (np.float64(1.5), 0.8333)),
    (check.by_hand, (1.5, 0.83338)),
    (check.shortest_of_many, ((1, 3), (3, -1))),
    (check.shortest_of_many, (np.array([1.0, 3.0]), [-6.0, 2.0])),
    (check.shortest_of_many, ((1.00004, 3), (-0.9487, 0.3162))),
    (check.shortest_of_many, ((1, 3), (3e-9, -1e-9))),
    (check.my_ridge, (centered,)),
    (check.my_ridge, (by_mlcore,)),
    (check.choose_degree, (degree,)),
    (check.choose_degree, (lambda x, y, splits: np.array(degree(x, y, splits)),)),
    (check.choose_degree, (lambda x, y, splits: float(degree(x, y, splits)),)),
    (check.how_far, (position,)),
    (check.how_far, (lambda x, y, t: np.float64(position(x, y, t, never=0.0)),)),
    (check.same_scores, (PLAIN, PENALIZED)),
    (check.same_scores, (np.array(PLAIN), list(PENALIZED))),
    (check.pulls_hardest, (461, 2.82)),
    (check.pulls_hardest, (np.int64(461), 2.8192)),
    (check.lift, (lambda x: np.column_stack([x, x**2, x**3, x**4]),)),
    (check.lift, (lambda x: np.column_stack([x, x**2, x**3, x**4]).tolist(),)),
    (check.lift, (lambda x: np.column_stack([x, x**4]),)),
    (check.lift, (lambda x: np.column_stack([x, x**4]).astype(np.float32),)),
    (check.lift, (lambda x: np.column_stack([x**3, x**10]),)),
    (check.lift, (lambda x: np.column_stack([(x / 4) ** 5, (x / 4) ** 12]),)),
]


WRONG = [
    (check.by_hand, (2.0, 0.0), "their sum is 1, and multiplied by x they sum to 0"),
    (check.by_hand, (5 / 6, 1.5), "in the wrong order"),
    (check.by_hand, (1.5, 0.833), "four digits after the point"),
    (check.by_hand, (1.5, -5 / 6), "What should both be?"),
    (check.by_hand, (1.5, np.nan), "Give b, one number"),
    (check.by_hand, ((1.5, 5 / 6), 0), "Give w, one number"),
    (check.by_hand, ((1.5, 5 / 6),), "asks for w, b; you gave one"),
    (check.shortest_of_many, ((10, 0), (3, -1)), "what does Pythagoras say"),
    (check.shortest_of_many, ((1, 1), (3, -1)), "gives 4 on the left, not 10"),
    (check.shortest_of_many, ((1, 3), (0, 0)), "it must not be zero"),
    (check.shortest_of_many, ((1, 3), (3, 1e300)), "changes the left side by"),
    (check.shortest_of_many, ((1, 3), (3, 1)), "changes the left side by 6"),
    (check.shortest_of_many, ((1, 3, 0), (3, -1)), "a pair of numbers, of shape (2,)"),
    (check.shortest_of_many, ((3, -1), (1, 3)), "gives 0 on the left"),
    (check.shortest_of_many, ((1, 3), (1e-9, 1e-9)), "must change nothing"),
    (check.shortest_of_many, ((1.0003, 2.9999), (3, -1)), "what does Pythagoras say"),
    (check.shortest_of_many, ((1.001, 3), (3, -1)), "on the left, not 10"),
    (check.my_ridge, (bias_pays,), "Who pays for b?"),
    (check.my_ridge, (lambda X, y, p: centered(X, y, p, factor=len(y)),), "n times"),
    (check.my_ridge, (lambda X, y, p: centered(X, y, p, factor=1 / len(y)),), "one n-th"),
    (check.my_ridge, (lambda X, y, p: centered(X, y, p, factor=0.5),), "counts half"),
    (check.my_ridge, (lambda X, y, p: centered(X, y, p, factor=2),), "counts twice"),
    (check.my_ridge, (lambda X, y, p: centered(X, y, p, factor=p),), "is squared"),
    (check.my_ridge, (lambda X, y, p: by_mlcore(X, y, 0.0),), "has no effect"),
    (check.my_ridge, (at_full_price,), "you add 1 on the diagonal, and not the price"),
    (
        check.my_ridge,
        (lambda X, y, p: (ridge(X, y, lambda_=p, bias=False).w, 0.0),),
        "through the origin",
    ),
    (check.my_ridge, (lambda X, y, p: (centered(X, y, p)[0], y.mean()),), "w is right"),
    (check.my_ridge, (lambda X, y, p: centered(X, y, p)[0],), "return a pair (w, b)"),
    (check.my_ridge, (lambda X, y, p: (centered(X, y, p)[0][:, None], 0),), "w of shape"),
    (check.my_ridge, (lambda X, y, p: centered(X, y, p)[::-1],), "w of shape"),
    (check.my_ridge, (lambda X, y, p: centered(X, y, -p / 7),), "minimum"),
    (check.my_ridge, (changes_its_input,), "changed its argument number 1"),
    (check.my_ridge, (lambda X, y, p: None,), "returned nothing"),
    (check.choose_degree, (lambda x, y, s: degree(x, y, s, train=True),), "not seen"),
    (check.choose_degree, (lambda x, y, s: degree(x, y, s, first=0),), "Is it an index"),
    (
        check.choose_degree,
        (lambda x, y, s: max(2, degree(x, y, s)),),
        "degrees from 1 to 8 tried",
    ),
    (check.choose_degree, (lambda x, y, s: 0,), "begins with 0"),
    (
        check.choose_degree,
        (lambda x, y, s: degree(x, y, s, how=root_mean),),
        "means of roots",
    ),
    (
        check.choose_degree,
        (lambda x, y, s: degree(x, y, s, how=np.abs),),
        "absolute errors",
    ),
    (check.choose_degree, (lambda x, y, s: degree(x, y, s, mean=np.sum),), "add up"),
    (check.choose_degree, (lambda x, y, s: degree(x, y, s, last=7),), "degrees from 1"),
    (check.choose_degree, (lambda x, y, s: degree(x, y, s, last=9),), "from 1 to 8"),
    (check.choose_degree, (lambda x, y, s: degree(x, y, s, worst=True),), "not seen"),
    (check.choose_degree, (lambda x, y, s: degree(x, y, s, swap=True),), "On data set"),
    (
        check.choose_degree,
        (lambda x, y, s: degree(x, y, s, bias=False),),
        "Has the fit a bias",
    ),
    (check.choose_degree, (lambda x, y, s: 9,), "from 1 to 8"),
    (check.choose_degree, (lambda x, y, s: "3",), "back one degree"),
    (check.choose_degree, (lambda x, y, s: degree(x, y, s) + 0.5,), "from 1 to 8"),
    (check.how_far, (lambda x, y, t: position(x, y, t, count=0),), "the threshold is"),
    (check.how_far, (lambda x, y, t: 67.70,), "Is it rounded?"),
    (check.how_far, (lambda x, y, t: 60,), "the threshold is"),
    (check.how_far, (lambda x, y, t: round(position(x, y, t), 2),), "Is it rounded?"),
    (check.how_far, (lambda x, y, t: position(x, y, t, never=None),), "it; return 0"),
    (check.how_far, (lambda x, y, t: None,), "returned nothing"),
    (check.how_far, (lambda x, y, t: -position(x, y, t),), "Is a sign wrong?"),
    (check.how_far, (lambda x, y, t: position(x, y, t, never=50.0),), "no position"),
    (check.how_far, (lambda x, y, t: 0,), "there is such a position"),
    (check.how_far, (lambda x, y, t: position(x, y, t, at_limit=1e9),), "threshold 2 you"),
    (check.how_far, (lambda x, y, t: position(x, y, t, never=np.inf),), "it; return 0"),
    (check.how_far, (lambda x, y, t: position(x, y, t, never=np.nan),), "it; return 0"),
    (check.how_far, (lambda x, y, t: np.inf,), "finite"),
    (check.how_far, (lambda x, y, t: (position(x, y, t), 1),), "back one position"),
    (check.how_far, (67.70,), "A function is wanted"),
    (check.same_scores, ((T,) * 6, PENALIZED), "For least squares, number 4 does change"),
    (
        check.same_scores,
        (PLAIN, (F, T, F, F, T, T)),
        "For ridge, number 5 does change",
    ),
    (check.same_scores, ((F,) * 6, PENALIZED), "number 1 never changes a score"),
    (check.same_scores, (PLAIN, (F,) * 6), "For ridge, number 2 never changes"),
    (check.same_scores, (PLAIN, PLAIN), "For ridge, number 1 does change"),
    (check.same_scores, (PLAIN, (T, F)), "six values are wanted"),
    (check.same_scores, ((1, 1, 1, 0, 1, 1), PENALIZED), "is True or False; for least"),
    (check.same_scores, ((...,) * 6, PENALIZED), "Replace the"),
    (check.pulls_hardest, (462, 2.82), "begin with 0"),
    (check.pulls_hardest, (0, 1.37), "farther"),
    (check.pulls_hardest, (461, 1.82), "its residual"),
    (check.pulls_hardest, (461, -1.82), "its residual"),
    (check.pulls_hardest, (461, 2.9), "another score"),
    (check.pulls_hardest, (461.5, 2.82), "whole number from 0 to 568"),
    (check.pulls_hardest, (900, 2.82), "whole number from 0 to 568"),
    (check.pulls_hardest, ((461, 2.82), 0), "the index of a tumor"),
    (check.lift, (lambda x: np.column_stack([x, x**2]),), "14 of 105 are wrong"),
    (check.lift, (powers(1),), "Which power would you add?"),
    (check.lift, (powers(1, 2),), "Which power would you add or exchange?"),
    (check.lift, (powers(1, 3, 4),), "would you add, exchange, or leave out?"),
    (check.lift, (powers(1, 3, 4, 5),), "Which power would you exchange or leave out?"),
    (check.lift, (powers(0, 1, 4),), "The fit adds the constant itself"),
    (check.lift, (lambda x: powers(0, 1, 4)(x) * 0.1,), "The fit adds the constant itself"),
    (check.lift, (lambda x: powers(1, 4)(x) * [1, np.nan],), "should be finite numbers"),
    (check.lift, (lambda x: powers(1, 4)(x) * [np.inf, 1],), "should be finite numbers"),
    (check.lift, (lambda x: x[:, None],), "of 105 are wrong"),
    (check.lift, (lambda x: np.stack([x, x**2, x**3, x**4]),), "exchanged"),
    (check.lift, (lambda x: x,), "from 1 to 4"),
    (check.lift, (lambda x: np.column_stack([x**k for k in range(1, 6)]),), "from 1 to 4"),
    (check.lift, (lambda x: np.column_stack([x, np.sin(x)]),), "none of the powers"),
    (check.lift, (lambda x: 1e-9 * np.eye(5)[np.arange(105) // 21, :4],), "none of the"),
    (check.lift, (lambda x: np.column_stack([x**4, x**6]),), "of 105 are wrong"),
    (check.lift, (lambda x: "powers",), "return features"),
]
