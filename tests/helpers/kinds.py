"""The kinds of arguments that public functions take: an example, nasty ones, bad ones.

A kind knows three things, each for sizes such as {"n": 6, "d": 2, "p": 3}:
example(sizes)  a value that must be accepted
nasty(sizes)    a strategy of legal values that invite trouble; refusal by name is fine
bad(sizes)      values that must be refused by name
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from mlcore.validation import k_folds

SIZES = {"n": 6, "d": 2, "p": 3}


@dataclass(frozen=True, repr=False)
class Kind:
    example: Callable
    nasty: Callable
    bad: Callable


def _last_column(made, rng, shape):
    """Normal numbers, of which the last column is made of all of them."""
    values = rng.normal(size=shape)
    values[..., -1] = made(values)
    return values


def _outlier(rng, shape):
    values = rng.normal(size=shape)
    values.flat[0] = 1e6
    return values


RECIPES = [  # each makes an array of a shape
    lambda rng, shape: rng.normal(size=shape),
    lambda rng, shape: rng.integers(-1, 2, size=shape),
    lambda rng, shape: rng.integers(-1, 10, size=shape) / 8,  # where wavelets jump
    lambda rng, shape: np.full(shape, 0.1),
    lambda rng, shape: np.zeros(shape),
    lambda rng, shape: 10.0 ** rng.integers(-3, 4) * rng.normal(size=shape),
    lambda rng, shape: (
        10.0 ** rng.integers(-3, 4, size=shape[-1:]) * rng.normal(size=shape)
    ),
    lambda rng, shape: 99 + rng.normal(size=shape),
    lambda rng, shape: _last_column(lambda A: A[..., 0], rng, shape),
    lambda rng, shape: _last_column(lambda A: A.sum(axis=-1), rng, shape),
    lambda rng, shape: rng.normal(size=(2, *shape[1:]))[rng.integers(0, 2, size=shape[:1])],
    lambda rng, shape: np.sort(rng.normal(size=shape), axis=0),  # see SIGN_RECIPES
    _outlier,
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
    def made(recipe, convert, layout, seed):
        return layout(convert(np.asarray(recipe(np.random.default_rng(seed), shape))))

    converts = st.sampled_from([np.asarray, np.asarray, float32])
    layouts, seeds = st.sampled_from(LAYOUTS), st.integers(0, 99)
    return st.builds(made, st.sampled_from(recipes), converts, layouts, seeds)


def spoiled(good, *, text=False):
    """What no array argument may be."""
    poisoned = [np.array(good, dtype=float) for _ in range(4)]
    for array, poison in zip(poisoned, (np.nan, np.inf, -np.inf, -1e200), strict=True):
        array.flat[-1] = poison
    mixed = np.array(good, dtype=object)
    mixed.flat[0] = None
    masked = np.ma.array(good, mask=False)
    masked.mask.flat[-1] = True
    wrong = [mixed, masked, np.array(good) + 1j, np.array(good).astype("M8[s]")]
    texts = [] if text else ["1", np.array(good).astype(str)]
    return poisoned + wrong + texts + [None, {}, object(), [[1.0], [1.0, 2.0]]]


def array(axes: str, *, tied: str = "", **fixed) -> Kind:
    """An array with an axis for each letter; something else fixes those in `tied`."""

    def shape(sizes):
        return tuple((sizes | fixed)[axis] for axis in axes)

    def example(sizes):
        values = np.random.default_rng(len(axes)).integers(-9, 10, size=shape(sizes))
        return values / 4  # the same number in float32

    def bad(sizes):
        good = example(sizes)
        shapes = [good[..., None], good[0], good[:0], np.float64(1.0)]
        longer = [np.concatenate([good, good], axis=axes.index(axis)) for axis in tied]
        return spoiled(good) + shapes + longer

    return Kind(example, lambda sizes: arrays_of(shape(sizes), RECIPES), bad)


MATRIX = array("nd")  # X, which fixes n and d

SIGN_RECIPES = [
    lambda rng, shape: rng.choice([-1.0, 1.0], size=shape),
    lambda rng, shape: rng.choice([-1, 1], size=shape),
    lambda rng, shape: rng.choice([-1, 1]) * np.ones(shape),
    lambda rng, shape: np.where(np.arange(shape[0]) < (shape[0] + 1) // 2, -1.0, 1.0),
]


def _labels(*, text: bool, tied: bool) -> Kind:
    """Labels y: any numbers or text, or only -1 and +1; X fixes how many, if tied."""

    def example(sizes):
        return np.resize([1.0, -1.0, -1.0], sizes["n"])

    def nasty(sizes):
        words = st.just(np.resize(["a", "b", "a", "b", "c"], sizes["n"]).tolist())
        values = arrays_of((sizes["n"],), SIGN_RECIPES + RECIPES * text)
        return values | words if text else values

    def bad(sizes):
        y = example(sizes)
        wrong = [*spoiled(y, text=text), y[:, None], [], 1.0]
        other = [] if text else [0 * y, 2 * y, y > 0]
        return wrong + other + ([y[:-1], np.append(y, y)] if tied else [])

    return Kind(example, nasty, bad)


SIGNS = _labels(text=False, tied=True)
LABELS, FREE_LABELS = (_labels(text=True, tied=tied) for tied in (True, False))
ANY_SHAPE = Kind(
    lambda sizes: np.array([[0.25, -1.5], [3.0, 0.0]]),
    lambda sizes: arrays_of((), RECIPES[:6]) | arrays_of((2, 0, 3), RECIPES[:2]),
    lambda sizes: spoiled([0.25, -1.5]),
)


def number(example, *, outside=(), nasty=(1, 1e-6, 1e6)) -> Kind:
    """A real number; those outside its range are refused."""
    values = [example, *nasty, np.float32(example), Fraction(example), np.longdouble(1)]
    wrong = [np.nan, np.inf, -np.inf, 10**400, "1", None, True, 1j, [1.0], np.ones(2)]
    return one_of(example, *values, bad=[*wrong, *outside])


def integer(example, *, outside=(0, -1), nasty=(1, 2, 5)) -> Kind:
    """An integer; those outside its range are refused."""
    values = [example, *nasty, np.int64(example), np.uint8(example)]
    wrong = [float(example), np.nan, np.inf, "1", None, True, 1j, [1], np.ones(2)]
    return one_of(*values, bad=[*wrong, *outside])


def one_of(*values, bad=()) -> Kind:
    """One of a few values, the first of them as the example."""
    return Kind(
        lambda sizes: values[0],
        lambda sizes: st.sampled_from(values),
        lambda sizes: list(bad),
    )


def optional(kind: Kind) -> Kind:
    """An argument that may be None."""
    return Kind(
        kind.example,
        lambda sizes: st.none() | kind.nasty(sizes),
        lambda sizes: [value for value in kind.bad(sizes) if value is not None],
    )


def positive(kind: Kind, *more_bad) -> Kind:
    """The same kind, its example made positive."""
    return Kind(
        lambda sizes: np.abs(kind.example(sizes)) + 0.25,
        lambda sizes: kind.nasty(sizes) | kind.nasty(sizes).map(np.abs),
        lambda sizes: [*kind.bad(sizes), *(bad(sizes["n"]) for bad in more_bad)],
    )


FLAG = one_of(True, False, np.True_, bad=(None, 1, "True", np.array([True, False])))
SEED = one_of(0, 7, 2**70, np.int64(3), bad=(None, -1, "0", 0.5, True, [1]))
# the weights of examples: at least 0 and not all 0
OFTEN = positive(array("n", tied="n"), np.zeros, lambda n: np.eye(n)[0] - 0.5)


def _splits(sizes):
    n = sizes["n"]
    return k_folds(np.ones(n), folds=2) if n > 1 else []


SPLITS = Kind(
    _splits,
    lambda sizes: st.just(_splits(sizes)),
    lambda sizes: [
        *[None, 3, "splits", [], [1, 2], [(0, 1)] * 2, np.ones(3), [([0], [1])]],
        *[[([0], [part])] * 2 for part in (sizes["n"], -1, 0, 1.0, "1", None, True)],
    ],
)
