"""Example, unusual and invalid values for the arguments of public functions."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

SIZES = {"n": 6, "d": 2, "p": 3}


@dataclass(frozen=True, repr=False)
class Argument:
    """The values of one argument, for sizes such as {"n": 6, "d": 2, "p": 3}.

    example(sizes)  a valid value
    unusual(sizes)  a strategy of values that may cause trouble: a named error is allowed
    invalid(sizes)  values that must raise a named error
    """

    example: Callable
    unusual: Callable
    invalid: Callable


def _dependent_column(combine, rng, shape):
    """Draw normal numbers; the last column is a function of all columns."""
    values = rng.normal(size=shape)
    values[..., -1] = combine(values)
    return values


def _outlier(rng, shape):
    values = rng.normal(size=shape)
    values.flat[0] = 1e6
    return values


RECIPES = [  # functions of a generator and a shape
    lambda rng, shape: rng.normal(size=shape),
    lambda rng, shape: rng.integers(-1, 2, size=shape),
    lambda rng, shape: rng.integers(-1, 10, size=shape) / 8,  # where wavelets jump
    lambda rng, shape: np.full(shape, 0.1),
    lambda rng, shape: np.zeros(shape),
    lambda rng, shape: 10.0 ** rng.integers(-3, 4) * rng.normal(size=shape),
    lambda rng, shape: 10.0 ** rng.integers(-3, 4, shape[-1:]) * rng.normal(size=shape),
    lambda rng, shape: 99 + rng.normal(size=shape),
    lambda rng, shape: _dependent_column(lambda A: A[..., 0], rng, shape),
    lambda rng, shape: _dependent_column(lambda A: A.sum(axis=-1), rng, shape),
    lambda rng, shape: rng.normal(size=(2, *shape[1:]))[rng.integers(0, 2, shape[:1])],
    lambda rng, shape: np.sort(rng.normal(size=shape), axis=0),  # see SIGN_RECIPES
    _outlier,
]
SIGN_RECIPES = [
    lambda rng, shape: rng.choice([-1.0, 1.0], size=shape),
    lambda rng, shape: rng.choice([-1, 1], size=shape),
    lambda rng, shape: rng.choice([-1, 1]) * np.ones(shape),
    lambda rng, shape: np.where(np.arange(shape[0]) < (shape[0] + 1) // 2, -1.0, 1.0),
]


def strided(a):
    """Every second element of a larger array along each axis, the first axis reversed."""
    if a.ndim == 0:
        return a
    wide = np.full([2 * size for size in a.shape], 777, dtype=a.dtype)
    view = wide[tuple(slice(None, None, 2) for _ in a.shape)]
    view[...] = a[::-1]
    return view[::-1]


def read_only(a):
    a = a.copy()
    a.setflags(write=False)
    return a


def float32(a):
    return a.astype(np.float32) if a.dtype.kind == "f" else a


LAYOUTS = [np.asarray, np.asfortranarray, strided, read_only, np.ndarray.tolist]
LAYOUTS += [lambda a: a.astype(object)]


def arrays_of(shape, recipes):
    def make(recipe, convert, layout, seed):
        return layout(convert(np.asarray(recipe(np.random.default_rng(seed), shape))))

    converts = st.sampled_from([np.asarray, np.asarray, float32])
    layouts, seeds = st.sampled_from(LAYOUTS), st.integers(0, 99)
    return st.builds(make, st.sampled_from(recipes), converts, layouts, seeds)


def invalid_arrays(valid, *, text=False):
    """Values that are invalid for any array argument."""
    not_finite = [np.array(valid, dtype=float) for _ in range(4)]
    for array, number in zip(not_finite, (np.nan, np.inf, -np.inf, -1e200), strict=True):
        array.flat[-1] = number
    mixed = np.array(valid, dtype=object)
    mixed.flat[0] = None
    masked = np.ma.array(valid, mask=False)
    masked.mask.flat[-1] = True
    wrong = [mixed, masked, np.array(valid) + 1j, np.array(valid).astype("M8[s]")]
    texts = [] if text else ["1", np.array(valid).astype(str)]
    return not_finite + wrong + texts + [None, {}, object(), [[1.0], [1.0, 2.0]]]


def array(axes: str, *, tied: str = "", **fixed) -> Argument:
    """An array with an axis for each letter; other arguments fix the lengths in `tied`."""

    def shape(sizes):
        return tuple((sizes | fixed)[axis] for axis in axes)

    def example(sizes):
        values = np.random.default_rng(len(axes)).integers(-9, 10, size=shape(sizes))
        return values / 4  # exact in float32

    def invalid(sizes):
        a = example(sizes)
        shapes = [a[..., None], a[0], a[:0], np.float64(1.0)]
        longer = [np.concatenate([a, a], axis=axes.index(axis)) for axis in tied]
        return invalid_arrays(a) + shapes + longer

    return Argument(example, lambda sizes: arrays_of(shape(sizes), RECIPES), invalid)


def labels(*, text: bool, tied: bool = True) -> Argument:
    """Labels y, -1 and +1 or any numbers and text; X fixes their number if tied."""

    def example(sizes):
        return np.resize([1.0, -1.0, -1.0], sizes["n"])

    def unusual(sizes):
        words = st.just(np.resize(["a", "b", "a", "b", "c"], sizes["n"]).tolist())
        values = arrays_of((sizes["n"],), SIGN_RECIPES + RECIPES * text)
        return values | words if text else values

    def invalid(sizes):
        y = example(sizes)
        wrong = [*invalid_arrays(y, text=text), y[:, None], [], 1.0]
        other = [] if text else [0 * y, 2 * y, y > 0]
        return wrong + other + ([y[:-1], np.append(y, y)] if tied else [])

    return Argument(example, unusual, invalid)


def one_of(*values, invalid=()) -> Argument:
    """One of a few values; the first is the example."""
    return Argument(
        lambda sizes: values[0],
        lambda sizes: st.sampled_from(values),
        lambda sizes: list(invalid),
    )


def number(example, *, outside=(), unusual=(1, 1e-6, 1e6)) -> Argument:
    """A real number; the values `outside` of its range are invalid."""
    values = [example, *unusual, np.float32(example), Fraction(example), np.longdouble(1)]
    wrong = [np.nan, np.inf, -np.inf, 10**400, "1", None, True, 1j, [1.0], np.ones(2)]
    return one_of(*values, invalid=[*wrong, *outside])


def integer(example, *, outside=(0, -1), unusual=(1, 2, 5)) -> Argument:
    """An integer; the values `outside` of its range are invalid."""
    values = [example, *unusual, np.int64(example), np.uint8(example)]
    wrong = [float(example), np.nan, np.inf, "1", None, True, 1j, [1], np.ones(2)]
    return one_of(*values, invalid=[*wrong, *outside])


def optional(argument: Argument) -> Argument:
    """The same argument, which may also be None."""
    return Argument(
        argument.example,
        lambda sizes: st.none() | argument.unusual(sizes),
        lambda sizes: [value for value in argument.invalid(sizes) if value is not None],
    )


def positive(argument: Argument, *more_invalid) -> Argument:
    """The same argument with a positive example."""
    return Argument(
        lambda sizes: np.abs(argument.example(sizes)) + 0.25,
        lambda sizes: argument.unusual(sizes) | argument.unusual(sizes).map(np.abs),
        lambda sizes: argument.invalid(sizes) + [bad(sizes["n"]) for bad in more_invalid],
    )
