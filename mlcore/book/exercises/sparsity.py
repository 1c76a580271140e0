"""Checkers for the exercises of the chapter on sparsity."""

from functools import partial

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    named,
    near,
    number,
    numbers,
    short,
    tidy,
    truth,
    truths,
)
from mlcore.book.exercises import sparsity_data as data


@checker
def one_weight(first_price, lasso_weight, ridge_weight):
    first = number(first_price, "the price from which w is 0, one number")
    cut = number(lasso_weight, "the weight of the lasso, one number")
    shrunk = number(ridge_weight, "the weight of ridge, one number")
    s, c = data.COLUMN @ data.COLUMN, data.COLUMN @ data.TARGET
    hint = "The price {} is not right. Compute c = X_1 · y first."
    _is(first, 2 * c, data.OTHER_FIRST_PRICES, hint)
    slope = 2 * s * cut - 2 * c + data.PRICE * np.sign(cut)
    hint = "The weight {} of the lasso is not right: there the slope of J is "
    _is(cut, (c - data.PRICE / 2) / s, data.OTHER_CUTS, f"{hint}{tidy(slope)}.")
    slope = 2 * (s + data.PRICE) * shrunk - 2 * c
    hint = "The weight {} of ridge is not right: there the slope of its objective is "
    _is(shrunk, c / (s + data.PRICE), data.OTHER_SHRUNK, f"{hint}{tidy(slope)}, not 0.")
    return "The lasso moved the weight and ridge divided it; only one of them can reach 0."


def _is(got, want, slips, hint: str):
    """NotYet, with the sentence of a known slip, unless `got` is `want` to three digits."""
    if not near(got, want):
        raise NotYet((named(got, slips, same=near) or hint).format(tidy(got)))


@checker
def knots(prices):
    size = np.asarray(prices, object).size
    if size == 3:
        first = numbers(prices, (3,), "the prices, falling")
        if np.all(np.abs(first - data.KNOTS[:3]) < 6e-4):
            raise NotYet(
                "These three prices are right, but a feature that has left can come back. "
                "Follow its product with the residual below the third price."
            )
    if size in (2, 3):
        raise NotYet(
            f"You give {size} prices, but there are more. Between two knots a weight can "
            "also reach zero: which way does each active weight move as the price falls?"
        )
    if size == 5:
        raise NotYet("Four prices are wanted; leave out the end of the path at 0.")
    given = numbers(prices, (4,), "four prices, falling")
    if np.any(np.diff(given) >= 0):
        raise NotYet(f"{short(given)} do not fall. Begin with the largest price.")
    if np.all(np.abs(given - data.KNOTS / 2) < 6e-4):
        raise NotYet("These are the values of t. What is the price lambda in terms of t?")
    if 5.001e-4 < np.abs(given - data.KNOTS).max() <= 0.05:
        raise NotYet(f"{short(given)} are too coarse. Give fractions or three decimals.")
    where = np.flatnonzero(np.abs(given - data.KNOTS) > 5.001e-4)
    if len(where):
        at = int(where[0])
        raise NotYet(
            f"Price number {at + 1}, {tidy(given[at])}, is not right. {data.WHICH_KNOT[at]}"
        )
    return "Feature 2 comes, goes, and comes back with the other sign."


@checker
def my_descent(function):
    same = partial(np.allclose, rtol=1e-5, atol=1e-6)
    for X, y, lambda_, alike in data.descents():
        given = call(function, X, y, lambda_)
        tried = f"For lambda = {lambda_:g} it returned w = {short(given)}"
        if isinstance(given, np.ndarray) and np.any(given != given):
            raise NotYet(f"{tried}: the weights have run away. {_away(alike)}")
        w, want = numbers(given, (5,), "back w"), data.without_bias(X, y, lambda_)
        if not same(w, want):
            slip = named(w, data.other_descents(X, y, lambda_), same=same)
            if slip:
                raise NotYet(f"{tried}{slip}")
            if np.abs(w).max() > 1e6:
                raise NotYet(f"{tried}: they run away. {_away(alike)}")
            raise NotYet(
                f"{tried}, which is not right. For each j in turn: which c, which square "
                "and which threshold does the theorem on one weight see, if the others "
                "stay?"
            )
        if np.any((w == 0) != (want == 0)):
            raise NotYet(
                f"{tried}: close, but a weight that is exactly 0 at the minimum is not "
                "exactly 0. Is there a threshold?"
            )
    return "Three prices, the weights of mlcore, and the same exact zeros."


def _away(alike):
    """What to look at if a descent runs away, where columns are alike or not."""
    if alike:
        return (
            "Where columns are alike, each step has to see the newest weights of all the "
            "others. Does it?"
        )
    return "Is c divided by the right square, and is the part of feature j put back?"


@checker
def is_minimum(function):
    for X, y, w, b, lambda_, right, story in data.proposals():
        said = truth(call(function, X, y, w, b, lambda_), story)
        if said and not right:
            raise NotYet(
                f"It says True for {story} (lambda = {lambda_:.4g}). Which of the "
                "conditions fails there, and does your function look at it?"
            )
        if right and not said:
            raise NotYet(
                f"It says False for {story} (lambda = {lambda_:.4g}). Is the factor 2 in "
                "g_j, may a weight of 0 have any g_j up to lambda, and is 1e-6 allowed?"
            )
    return "Sixteen proposals: minima are told from the rest."


@checker
def sparse_step(function):
    for X, y, w, lambda_, eta in data.steps():
        new = numbers(call(function, X, y, w, lambda_, eta), (4,), "back w")
        if np.allclose(new, data.step(X, y, w, lambda_, eta), rtol=1e-9, atol=1e-12):
            continue
        slip = named(new, data.other_steps(X, y, w, lambda_, eta)) or (
            ", which is not right. First a gradient step of size eta on the sum of the log "
            "losses, then the soft threshold: at which number?"
        )
        raise NotYet(
            f"For lambda = {lambda_:g} and eta = {eta:g} it returned {short(new)}{slip}"
        )
    return "Three steps, with no price, a small and a large one, and exact zeros."


@checker
def claims(always):
    given = truths(always, len(data.CLAIMS))
    for at, (said, right) in enumerate(zip(given, data.CLAIMS, strict=True)):
        if said != right:
            verdict = "always true" if right else "not always true"
            raise NotYet(f"Number {at + 1} is {verdict}. {data.WHY[at]}")
    return "Fitted values are unique; weights, sets and their number need not be."


@checker
def how_many(at_least, within_one):
    low = number(at_least, "the number of features at the least error")
    simple = number(within_one, "the number of features by the rule")
    best, rule, loose = data.counts()
    if (low, simple) == (rule, best):
        raise NotYet("Your two numbers are in the other order.")
    if low != best:
        raise NotYet(
            f"{tidy(low)} is not the number at the least mean error. Is the mean over "
            "the ten splits taken, and are all examples fitted at the end?"
        )
    if simple == best:
        raise NotYet("The rule takes the largest price that is good enough, not the best.")
    if simple == loose:
        raise NotYet(
            f"{tidy(simple)} is what one standard deviation of the ten errors gives. What "
            "is the standard error of their mean?"
        )
    if simple != rule:
        raise NotYet(
            f"Your first number is right; {tidy(simple)} is not the number by the rule. "
            "Which price is the largest whose mean error is at most the least one plus "
            "its standard error?"
        )
    return f"{best} of 30 features at the least error, and {rule} by the rule."


@checker
def two_answers(X, y, lambda_, first, second):
    shape = np.asarray(X, object).shape
    if len(shape) != 2 or not 1 <= shape[0] <= 20 or not 2 <= shape[1] <= 20:
        raise NotYet(f"Give X with 1 to 20 rows and 2 to 20 columns; this is {short(X)}.")
    A = numbers(X, shape, "X")
    target = numbers(y, shape[:1], "y, one number for each row of X")
    price = number(lambda_, "lambda, one number")
    pair = [numbers(w, shape[1:], "a weight for each column") for w in (first, second)]
    if price <= 0:
        raise NotYet(f"The price is {tidy(price)}; it must be positive.")
    _no_multiples(A)
    if np.allclose(*pair, rtol=1e-6, atol=1e-9):
        raise NotYet("The two weight vectors are the same.")
    for w, name in zip(pair, ("first", "second"), strict=True):
        g = 2 * A.T @ (target - A @ w)
        off = np.where(w != 0, np.abs(g - price * np.sign(w)), np.abs(g) - price)
        if off.max() > 1e-6 * price:
            j = int(off.argmax())
            raise NotYet(
                f"Your {name} w is not a minimizer: w_{j + 1} = {tidy(w[j])} and "
                f"g_{j + 1} = {tidy(g[j])}, at the price {tidy(price)}."
            )
    apart = np.linalg.norm(A @ (pair[0] - pair[1]))
    if apart > 1e-6 * np.linalg.norm(A) * np.linalg.norm(pair[0] - pair[1]):
        raise NotYet(
            "Your two w are close to one minimizer, but X w is not the same for both. What "
            "do all minimizers have in common?"
        )
    return "Both are minimizers, and no column is a multiple of another."


def _no_multiples(A):
    """NotYet if a column of A is zero, or a multiple of another."""
    lengths = np.linalg.norm(A, axis=0)
    if not lengths.all():
        raise NotYet(f"Column {int(np.argmin(lengths)) + 1} of X is zero.")
    cosines = np.abs(A.T @ A) / np.outer(lengths, lengths)
    np.fill_diagonal(cosines, 0.0)
    if cosines.max() > 1 - 1e-9:
        p, q = sorted(np.unravel_index(cosines.argmax(), cosines.shape))
        raise NotYet(f"Columns {p + 1} and {q + 1} are multiples of each other.")
