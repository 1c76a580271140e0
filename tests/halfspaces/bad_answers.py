"""Bad answers: values of the wrong type, and right answers with a bad part."""

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
    """A value whose methods all raise an error."""

    def __init__(self, error):
        self.error = error

    def fail(self, *args, **kwargs):
        raise self.error

    __eq__ = __repr__ = __str__ = __len__ = __iter__ = __bool__ = __float__ = fail
    __array__ = __getitem__ = __hash__ = __add__ = __mul__ = __rmul__ = __lt__ = fail


def bad_values() -> list:
    """Return new values that are wrong answers to every exercise."""
    cyclic = []
    cyclic.append(cyclic)
    scalars = [None, ..., "words", "", "1", b"1", -1.5, 1j, np.nan, np.inf, 10**400]
    others = [object(), int, len, np.sum, slice(3), range(10**4), count(), cyclic]
    others += [(1.0 for _ in count())]
    lists = [[], (), set(), {}, {1: 2}, {1.5}, (None, None), ((), ()), ("a", "b")]
    lists += [(..., ...), [np.nan] * 2, (np.nan, np.inf), [[1, 2], [3]], [1e6] * 10**4]
    arrays = [np.zeros((3, 2)), np.zeros((0, 3)), np.full(4, np.nan), np.full(3, None)]
    arrays += [np.full((300, 300), np.nan), np.array("text"), np.zeros(3, "M8[s]")]
    arrays += [np.zeros(2, [("a", float)])]
    errors = RuntimeError("no"), SystemExit(1), RecursionError("deep")
    broken = [*map(Broken, errors), [Broken(errors[0])] * 2]
    return [*scalars, *others, *lists, *arrays, *broken]


def bad_functions():
    return [lambda *_, k=k: bad_values()[k] for k in range(0, len(bad_values()), 8)]


def spoil(right, bad, k, log):
    """Replace a right answer, part k of it, or its result by bad_values()[bad]."""
    if callable(right):

        def spoiled(*args):
            answer = right(*args)
            log.append(None)  # the first k // 4 results stay right
            return answer if len(log) <= k // 4 else spoil_part(answer, bad, k, log)

        return spoiled
    return spoil_part(right, bad, k, log)


def spoil_part(answer, bad, k, log):
    log.append("spoiled")
    if isinstance(answer, np.ndarray) and answer.ndim and answer.size:
        answer = answer.tolist()
    if isinstance(answer, (list, tuple)) and answer and k % 4:  # else spoil all of it
        k %= len(answer)
        return type(answer)([*answer[:k], bad_values()[bad], *answer[k + 1 :]])
    return bad_values()[bad]


def checkers():
    """Yield the checkers of all chapters."""
    for module in pkgutil.iter_modules(exercises.__path__):
        chapter = importlib.import_module(f"{exercises.__name__}.{module.name}")
        functions = (f for f in vars(chapter).values() if hasattr(f, "answer_names"))
        yield from (f for f in functions if f.__module__ == chapter.__name__)


CHECKERS = list(checkers())


def exercise_id(value):
    """Return "chapter.exercise" for a checker."""
    chapter = getattr(value, "__module__", "").rpartition(".")[2]
    return f"{chapter}.{value.__name__}" if callable(value) else ""


def right_answers(check) -> list:
    """Return the solution of an exercise and all other right answers in RIGHT."""
    solution = check.build().solution
    return [solution, *(answers for other, answers in RIGHT if other is check)]


def check_reply(check, answers, log) -> None:
    """Assert that the reply is a sentence, without praise for a spoiled answer."""
    with warnings.catch_warnings(record=True) as caught, time_limit(check.__name__):
        warnings.simplefilter("always")
        verdict = check(*answers)
    assert isinstance(verdict, Verdict), verdict
    reply = repr(verdict)
    assert not verdict.right or "spoiled" not in log, reply
    assert reply.startswith(("Not yet. ", "Right. ")) and 20 < len(reply) < 600, reply
    assert "Traceback" not in reply and "\n" not in reply and " at 0x" not in reply, reply
    assert sys.gettrace() is None
    from_mlcore = [w for w in caught if "mlcore" in w.filename]
    assert not from_mlcore, from_mlcore[0]
