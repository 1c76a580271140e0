"""What a reader may hand to a checker by mistake, in place of an answer or of a part."""

import importlib
import pkgutil
import sys
import warnings
from itertools import count

import numpy as np

from halfspaces import exercises
from halfspaces.exercises import Verdict
from tests.halfspaces.submissions import RIGHT
from tests.helpers.time_limit import time_limit


class Broken:
    """Every question to it fails, in the way given."""

    def __init__(self, error):
        self.error = error

    def fail(self, *args, **kwargs):
        raise self.error

    __eq__ = __repr__ = __str__ = __len__ = __iter__ = __bool__ = __float__ = fail
    __array__ = __getitem__ = __hash__ = __add__ = __mul__ = __rmul__ = __lt__ = fail


def unending():
    while True:
        yield 1.0


FAILURES = [RuntimeError("no"), SystemExit(1), RecursionError("deep")]


def values() -> list:
    """Values of which none is a right answer, made anew: who gets them may change them."""
    knot = []
    knot.append(knot)
    plain = [None, ..., "words", "", "1", b"1", -1.5, 1j, np.nan, np.inf, 10**400]
    kinds = [object(), int, len, np.sum, slice(3), range(10**4), count(), unending(), knot]
    lists = [[], (), set(), {}, {1: 2}, {1.5}, (None, None), ((), ()), ("a", "b")]
    lists += [(..., ...), [np.nan] * 2, (np.nan, np.inf), [[1, 2], [3]], [1e6] * 10**4]
    arrays = [np.zeros((3, 2)), np.zeros((0, 3)), np.full(4, np.nan), np.full(3, None)]
    arrays += [np.full((300, 300), np.nan), np.array("text"), np.zeros(3, "M8[s]")]
    arrays += [np.zeros(2, [("a", float)])]
    broken = [*map(Broken, FAILURES), [Broken(RuntimeError("no"))] * 2]
    return [*plain, *kinds, *lists, *arrays, *broken]


def gives(place):
    return lambda *args: values()[place]


def spoiled(right, junk, place, log):
    """A right answer, or a part of it, or what it returns in the end, made junk."""
    if callable(right):

        def spoils(*args):
            answer = right(*args)
            log.append(None)
            return answer if len(log) <= place // 4 else part(answer, junk, place, log)

        return spoils
    return part(right, junk, place, log)


def part(answer, junk, place, log):
    log.append("spoiled")
    if isinstance(answer, np.ndarray) and answer.ndim and answer.size:
        answer = answer.tolist()
    if isinstance(answer, (list, tuple)) and answer and place % 4:
        k = place % len(answer)
        return type(answer)([*answer[:k], values()[junk], *answer[k + 1 :]])
    return values()[junk]


def checkers():
    """The checkers of all chapters."""
    for module in pkgutil.iter_modules(exercises.__path__):
        chapter = importlib.import_module(f"{exercises.__name__}.{module.name}")
        own = (f for f in vars(chapter).values() if hasattr(f, "asks"))
        yield from (f for f in own if f.__module__ == chapter.__name__)


CHECKERS = list(checkers())


def right_answers(check) -> list:
    """The right answers to an exercise that are known."""
    own = check.made().right
    return [own, *(answers for other, answers in RIGHT if other is check)]


def said(check, answers, log) -> str:
    """What the checker says, which is a sentence, and not praise for what was spoiled."""
    with warnings.catch_warnings(record=True) as warned, time_limit(check.__name__):
        warnings.simplefilter("always")
        verdict = check(*answers)
    assert isinstance(verdict, Verdict), verdict
    words = repr(verdict)
    assert not verdict.right or "spoiled" not in log, words
    assert words.startswith(("Not yet. ", "Right. ")) and 20 < len(words) < 600, words
    assert "Traceback" not in words and "\n" not in words and " at 0x" not in words, words
    assert sys.gettrace() is None
    ours = [w for w in warned if "mlcore" in w.filename]
    assert not ours, ours[0]
    return words
