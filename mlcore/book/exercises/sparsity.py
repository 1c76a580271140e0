"""Checkers for the exercises of the chapter on sparsity."""

import numpy as np

from mlcore.book.exercises import NotYet, call, checker, numbers, short, tidy, truths
from mlcore.book.exercises.sparsity_data import (
    CLAIMS,
    COLUMN,
    KNOTS,
    PRICE,
    TARGET,
    counts,
    descend,
    forgetful,
    proposals,
    step,
    steps,
    unfinished,
    without_bias,
)
from mlcore.lasso import lasso


def _near(number, value, digits=3):
    """Whether a number with so many decimals is the value."""
    return abs(number - value) <= 0.5001 * 10.0**-digits


@checker
def one_weight(first_price, lasso_weight, ridge_weight):
    first = float(numbers(first_price, (), "the price from which w is 0, one number"))
    cut = float(numbers(lasso_weight, (), "the weight of the lasso, one number"))
    shrunk = float(numbers(ridge_weight, (), "the weight of ridge, one number"))
    s, c = COLUMN @ COLUMN, COLUMN @ TARGET
    if _near(first, c):
        raise NotYet(
            f"At the price {c:g} the slope of J just right of 0 is still negative. What is "
            "the derivative of the sum of squares at w = 0?"
        )
    if _near(first, 2 * c / s):
        raise NotYet(
            f"{tidy(first)} is {2 * c:g} / {s:g}: does the slope at w = 0 depend on the "
            "length of X_1 beside c?"
        )
    if not _near(first, 2 * c):
        raise NotYet(f"The price {tidy(first)} is not right. Compute c = X_1 · y first.")
    if _near(cut, (c - PRICE / 2) / 1):
        raise NotYet(f"{tidy(cut)} is c - lambda / 2. What remains to be divided?")
    if _near(cut, (c - PRICE) / s):
        raise NotYet(f"For {tidy(cut)} the cut was lambda. How steep is the square?")
    if _near(cut, 0.0):
        raise NotYet(
            f"The price {PRICE:g} is below the one of your first answer, so the weight is "
            "not 0. Is the cut made before or after the division by s?"
        )
    if not _near(cut, (c - PRICE / 2) / s):
        raise NotYet(
            f"The weight {tidy(cut)} of the lasso is not right: there the slope of J is "
            f"{tidy(2 * s * cut - 2 * c + PRICE * np.sign(cut))}."
        )
    if _near(shrunk, c / (s + PRICE / 2)) or _near(shrunk, c / (s + 2 * PRICE)):
        raise NotYet(f"For {tidy(shrunk)} a factor 2 of lambda is lost, or one too many.")
    if not _near(shrunk, c / (s + PRICE)):
        slope = 2 * (s + PRICE) * shrunk - 2 * c
        raise NotYet(
            f"The weight {tidy(shrunk)} of ridge is not right: there the slope of its "
            f"objective is {tidy(slope)}, not 0."
        )
    return "The lasso moved the weight and ridge divided it; only one of them can reach 0."


@checker
def knots(prices):
    size = np.asarray(prices, object).size
    if size == 3:
        first = numbers(prices, (3,), "the prices, falling")
        if np.all(np.abs(first - KNOTS[:3]) < 6e-4):
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
    if np.all(np.abs(given - KNOTS / 2) < 6e-4):
        raise NotYet("These are the values of t. What is the price lambda in terms of t?")
    if 5.001e-4 < np.abs(given - KNOTS).max() <= 0.05:
        raise NotYet(f"{short(given)} are too coarse. Give fractions or three decimals.")
    where = np.flatnonzero(np.abs(given - KNOTS) > 5.001e-4)
    if len(where):
        asked = (
            "Which feature has the largest product with y?",
            "Put w_2 = (6 - t) / 5 into the product of feature 1: when does it reach t?",
            "With both features in, solve for w as p - t q. Which weight falls to 0?",
            "After the leave only w_1 = 5 - t is left. When does the product of feature 2 "
            "reach t or -t from inside?",
        )
        at = int(where[0])
        raise NotYet(f"Price number {at + 1}, {tidy(given[at])}, is not right. {asked[at]}")
    return "Feature 2 comes, goes, and comes back with the other sign."


def _away(alike):
    """What to look at if a descent runs away, where columns are alike or not."""
    if alike:
        return (
            "Where columns are alike, each step has to see the newest weights of all the "
            "others. Does it?"
        )
    return "Is c divided by the right square, and is the part of feature j put back?"


@checker
def my_descent(function):
    rng = np.random.default_rng(1)
    for lambda_, alike in ((0.5, 0.0), (20.0, 2.0), (60.0, 2.0)):
        X = rng.normal(size=(50, 5)) + alike * rng.normal(size=(50, 1))
        X = X * [1.0, 0.5, 2.0, 1.0, 1.0]
        y = X @ [2.0, 0.0, -1.0, 0.0, 0.5] + 0.3 * rng.normal(size=50)
        want = without_bias(X, y, lambda_)
        given = call(function, X, y, lambda_)
        tried = f"For lambda = {lambda_:g} it returned w = {short(given)}"
        if isinstance(given, np.ndarray) and np.any(given != given):
            raise NotYet(f"{tried}: the weights have run away. {_away(alike)}")
        w = numbers(given, (5,), "back w")
        close = lambda other: np.allclose(w, other, rtol=1e-5, atol=1e-6)  # noqa: E731, B023
        if not close(want):
            for factor, words in ((2, "twice"), (0.5, "half")):
                if close(without_bias(X, y, factor * lambda_)):
                    raise NotYet(
                        f"{tried}, the minimum for {words} the price. What is cut?"
                    )
            if close(lasso(X, y, lambda_=lambda_).w):
                raise NotYet(
                    f"{tried}, the minimum for centered data. Take them as they are."
                )
            if close(without_bias(X, y, 0.0)):
                raise NotYet(
                    f"{tried}, which is least squares. Where does lambda enter, for a "
                    "weight that is not cut off?"
                )
            if any(close(descend(X, y, lambda_, square=size)) for size in (1, len(y))):
                raise NotYet(f"{tried}: are the lengths of the columns all taken as equal?")
            if any(close(other) for other in forgetful(X, y, lambda_)):
                raise NotYet(f"{tried}: does the residual leave out feature j itself?")
            if any(close(other) for other in unfinished(X, y, lambda_)):
                raise NotYet(f"{tried}, after too few passes. When is it done?")
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


@checker
def is_minimum(function):
    for X, y, w, b, lambda_, right, story in proposals():
        said = call(function, X, y, w, b, lambda_)
        if not isinstance(said, (bool, np.bool_)):
            raise NotYet(f"Return True or False; for {story} it returned {short(said)}.")
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
    slips = (
        ({"cut": 0.0}, "there is no cut after the gradient step"),
        ({"sign": 1}, "the step goes up the gradient"),
        (
            {"mean": True},
            "the gradient is that of the mean, and J has the sum",
        ),
        ({"label": False}, "the labels are missing in the gradient"),
        ({"other": True}, "the factor is sigma(z), which is large where the loss is small"),
        ({"old": True}, "the sign is that of w, and not of the point that is cut"),
    )
    for X, y, w, lambda_, eta in steps():
        want = step(X, y, w, lambda_, eta)
        new = numbers(call(function, X, y, w, lambda_, eta), (4,), "back w")
        if np.allclose(new, want, rtol=1e-9, atol=1e-12):
            continue
        tried = f"For lambda = {lambda_:g} and eta = {eta:g} it returned {short(new)}"
        halves = (0.5 / eta, "lambda / 2"), (0.5, "eta lambda / 2")
        for cut, words in ((1 / eta, "lambda"), *halves):
            if lambda_ and np.allclose(new, step(X, y, w, lambda_, eta, cut=cut)):
                raise NotYet(
                    f"{tried}, cut by {words}. What does the penalty weigh beside the "
                    "square of the move, divided by 2 eta?"
                )
        for slip, words in slips:
            if np.allclose(new, step(X, y, w, lambda_, eta, **slip)):
                raise NotYet(f"{tried}: {words}.")
        raise NotYet(
            f"{tried}, which is not right. First a gradient step of size eta on the sum of "
            "the log losses, then the soft threshold: at which number?"
        )
    return "Three steps, with no price, a small and a large one, and exact zeros."


@checker
def claims(always):
    given = truths(always, len(CLAIMS))
    why = (
        "Put two minimizers into the identity of the proof: which term is a square?",
        "Look through the knots of the diabetes data once more, at hdl.",
        "Compare J of the two solutions at both prices, and add.",
        "What happens to J if w stays? Is every term multiplied by the same number?",
        "What is the price of the same fitted values after the change?",
        "Think of a column that occurs more often than there are examples.",
    )
    for at, (said, right) in enumerate(zip(given, CLAIMS, strict=True)):
        if said != right:
            verdict = "always true" if right else "not always true"
            raise NotYet(f"Number {at + 1} is {verdict}. {why[at]}")
    return "Fitted values are unique; weights, sets and their number need not be."


@checker
def how_many(at_least, within_one):
    low = float(numbers(at_least, (), "the number of features at the least error"))
    simple = float(numbers(within_one, (), "the number of features by the rule"))
    best, rule, loose = counts()
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
    price = float(numbers(lambda_, (), "lambda, one number"))
    pair = [numbers(w, shape[1:], "a weight for each column") for w in (first, second)]
    if price <= 0:
        raise NotYet(f"The price is {tidy(price)}; it must be positive.")
    lengths = np.linalg.norm(A, axis=0)
    if not lengths.all():
        raise NotYet(f"Column {int(np.argmin(lengths)) + 1} of X is zero.")
    cosines = np.abs(A.T @ A) / np.outer(lengths, lengths)
    np.fill_diagonal(cosines, 0.0)
    if cosines.max() > 1 - 1e-9:
        p, q = sorted(np.unravel_index(cosines.argmax(), cosines.shape))
        raise NotYet(f"Columns {p + 1} and {q + 1} are multiples of each other.")
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
