"""Tie a proved formula to the code: both are evaluated at the same numbers."""

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np
import sympy as sp

from mlcore.book.proofs.letters import LENGTH, SHAPE, d, n
from mlcore.book.proofs.points import Point, made_to_hold

SIZES = {n: sp.Integer(4), d: sp.Integer(3)}
SCALES = sp.Integer(1), sp.Rational(1, 2**20), sp.Integer(2**20)
PLACES = [sp.Rational(q, 64) for q in range(-160, 161) if q]  # floats hold them exactly
UNDERFLOW = 1e-100  # a product of exponentials is 0 to floats, and to SymPy about 1e-140
POOLS = [tuple(scale * q for q in PLACES) for scale in SCALES]


def tie(name: str, expression, given: Sequence, agrees_with, at: Mapping) -> str:
    """Compare an expression with the code at six points; returns the name of the code.

    expression   numbers of the letters in `at`; each free index is an axis, in the order
                 i, j, k, l
    given        hypotheses, which the points satisfy
    agrees_with  a function, or a pair of it and a caller that uses it
    at           {argument of the function or of the caller: letter}

    Raises AssertionError, naming the claim, where they differ in shape, or by more than
    1e-9 of the largest value (one of them may be a sum that cancels, up to rounding);
    ValueError if the caller does not call the function.
    """
    pair = agrees_with if isinstance(agrees_with, tuple) else (agrees_with, agrees_with)
    function, caller = pair
    if caller is not function and function.__name__ not in caller.__code__.co_names:
        raise ValueError(f"agrees_with must call {function.__name__} in its caller")
    rng = random.Random(name)
    for pool in POOLS * 2:
        point = _point(at.values(), given, pool, rng)
        want = _values(expression, point)
        numbers = {argument: _array(letter, point) for argument, letter in at.items()}
        got = np.asarray(caller(**numbers), float)
        near = 1e-9 * np.abs(want).max() + UNDERFLOW
        if got.shape != want.shape or not (np.abs(got - want) <= near).all():
            raise AssertionError(f"code and formula differ: {name}, at {numbers}")
    return _name(function)


def _point(letters, given, pool, rng) -> Point:
    allowed = {
        base: only for hypothesis in given for base, only in hypothesis.allowed.items()
    }
    while True:
        point = Point(SIZES, {}, pool, rng, allowed)
        for letter in letters:
            _array(letter, point)
        if made_to_hold(given, point):
            return point


def _array(letter, point: Point):
    """The numbers of an array or of a symbol as floats, drawn if they are not yet."""
    if letter not in SHAPE:
        return float(point.number(letter))
    lengths = [int(SIZES[size]) for size in SHAPE[letter]]
    entries = product(*(range(1, length + 1) for length in lengths))
    return np.array([float(point.number((letter, *q))) for q in entries]).reshape(lengths)


def _values(expression, point: Point) -> np.ndarray:
    """The expression for every value of its free indices."""
    axes = [index for index in LENGTH if index in expression.free_symbols]
    lengths = [int(SIZES[LENGTH[index]]) for index in axes]
    found = []
    for where in product(*(range(1, length + 1) for length in lengths)):
        point.indices = dict(zip(axes, map(sp.Integer, where), strict=True))
        found.append(float(point(expression).evalf(30)))
    point.indices = {}
    return np.reshape(found, lengths)


def _name(function: Callable) -> str:
    owner = getattr(getattr(function, "__self__", None), "name", None)  # a loss, say
    return ".".join(filter(None, [function.__module__, owner, function.__name__]))
