"""What a reader may hand to a checker by mistake: values, and functions that misbehave."""

import importlib
import pkgutil
import sys
import warnings
from itertools import count

import numpy as np
from hypothesis import strategies as st
from time_limit import time_limit

from mlcore.book import exercises
from mlcore.book.exercises import Verdict, short


class Broken:
    """Every question to it fails, in the way given."""

    def __init__(self, error):
        self.error = error

    def fail(self, *args, **kwargs):
        raise self.error

    __eq__ = __repr__ = __str__ = __len__ = __iter__ = __bool__ = __float__ = fail
    __array__ = __getitem__ = __hash__ = __add__ = __mul__ = __rmul__ = __lt__ = fail


class Endless:
    def __iter__(self):
        return count()


def in_itself():
    knot = []
    knot.append(knot)
    return knot


def unending():
    while True:
        yield 1.0


FAILURES = [RuntimeError("no"), SystemExit(1), RecursionError("deep")]
FAILURES += [ValueError(10**5 * "x"), StopIteration(), MemoryError(), OSError(2, "no file")]
WORDS = None, ..., "words", "", "1", b"1", 1j, np.nan, np.inf, 10**400
OTHERS = (
    [],
    (),
    set(),
    {},
    {1: 2},
    {1.5},
    range(10**6),
    object(),
    int,
    len,
    np.sum,
    slice(3),
)
MAKERS = [  # each makes a value that is no right answer
    *(lambda value=value: value for value in (*WORDS, *OTHERS)),
    *(lambda error=error: Broken(error) for error in FAILURES[:3]),
    lambda: [1e6] * 10**5,
    lambda: np.full((300, 300), np.nan),
    lambda: np.full(3, None),
    lambda: np.array("text"),
    lambda: np.zeros(3, "M8[s]"),
    lambda: np.zeros(2, [("a", float)]),
    lambda: np.ma.array([1.0, 2.0], mask=[True, False]),
    lambda: [[1, 2], [3]],
    lambda: [Broken(RuntimeError("no"))] * 2,
    lambda: (None, None),
    lambda: ((), ()),
    lambda: np.zeros((0, 3)),
    lambda: [np.nan] * 2,
    in_itself,
    Endless,
    unending,
    count,
    lambda: map(str, [1]),
    lambda: lambda *args, **kwargs: None,
]


def never_ends(*args, **kwargs):
    while True:
        pass


def digs(*args, **kwargs):
    return digs(*args, **kwargs)


def chatters(*args, **kwargs):
    for _ in range(2000):
        print("x" * 100)


def asks(*args, **kwargs):
    return input("How many? ")


def ruins(*args, **kwargs):
    """Change whatever can be changed."""
    for value in [*args, *kwargs.values()]:
        if isinstance(value, np.ndarray) and value.flags.writeable:
            value.fill(0)
        elif isinstance(value, (list, dict, set)):
            value.clear()
    return 7.5


def raises(error):
    def fails(*args, **kwargs):
        raise error

    return fails


def gives(make):
    return lambda *args, **kwargs: make()


MADE = st.sampled_from(MAKERS)
VALUES = MADE.map(lambda make: make())
FUNCTIONS = (
    MADE.map(gives)
    | st.sampled_from(FAILURES).map(raises)
    | st.sampled_from([never_ends, digs, chatters, asks, ruins, lambda: 1, Broken])
)


def spoiled(right, make, place, log):
    """A right answer, or a part of it, or what it returns in the end, made junk."""
    if callable(right):

        def spoils(*args, **kwargs):
            answer = right(*args, **kwargs)
            log.append(None)
            return answer if len(log) <= place // 4 else part(answer, make, place, log)

        return spoils
    return part(right, make, place, log)


def part(answer, make, place, log):
    log.append("spoiled")
    if isinstance(answer, np.ndarray) and answer.ndim and answer.size:
        answer = answer.tolist()
    if isinstance(answer, (list, tuple)) and answer and place % 4:
        k = place % len(answer)
        return type(answer)([*answer[:k], make(), *answer[k + 1 :]])
    return make()


def checkers():
    """The checkers of all chapters."""
    for module in pkgutil.iter_modules(exercises.__path__):
        chapter = importlib.import_module(f"{exercises.__name__}.{module.name}")
        own = (f for f in vars(chapter).values() if hasattr(f, "asks"))
        yield from (f for f in own if f.__module__ == chapter.__name__)


CHECKERS = list(checkers())


def right_answers(check) -> list:
    """The right answers to an exercise that are known."""
    listed = importlib.import_module(f"submissions.{check.__module__.rpartition('.')[2]}")
    own = [check.made().right] if hasattr(check, "made") else []
    return own + [answers for other, answers in listed.RIGHT if other is check]


def answered(check, data) -> str:
    """Hand junk to a checker.  It must answer that this is not right, in a sentence."""
    log, right = [], right_answers(check)
    if right and data.draw(st.booleans()):
        which = data.draw(st.integers(0, len(right) - 1))
        k = data.draw(st.integers(0, len(right[which]) - 1))
        make, place = data.draw(st.sampled_from(MAKERS)), data.draw(st.integers(0, 40))
        chosen = list(right[which])
        chosen[k] = spoiled(chosen[k], make, place, log)
        tried = f"right answer {which}, argument {k} spoiled at {place} by "
        tried += f"MAKERS[{MAKERS.index(make)}]"
    else:
        log.append("spoiled")
        chosen = [data.draw(VALUES | FUNCTIONS) for _ in check.asks()]
        tried = ", ".join(map(short, chosen))
    try:
        return said(check, chosen, log)
    except BaseException as error:
        error.add_note(f"{check.__module__}.{check.__name__}: {tried}")
        raise


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
