"""Give every public function nasty arguments for minutes: right answers, or named errors.

And give every checker of exercises junk: it answers in a sentence, see tests/book/junk.py.
What is drawn, and what an answer must satisfy, is said in tests/test_safety.py,
tests/kinds.py and tests/oracles.py.  The function that has had the least time is next.
A call of a seed is the same on every machine: turn r of a function draws from
(SEED, r, its name).
"""

import argparse
import contextlib
import io
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "book")]
from junk import CHECKERS, answered  # noqa: E402
from test_safety import ORACLES, TABLE, name_of, survived  # noqa: E402

from mlcore.book import exercises  # noqa: E402

WIDE = {"n": 40, "d": 12, "p": 9}
TURN = settings(
    max_examples=20,
    deadline=None,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
    print_blob=False,
)


@dataclass
class Row:
    """What a function has gone through."""

    name: str
    examine: Callable  # of Hypothesis' data: how far off, None if refused
    share: int  # of the time
    seconds: float = 0.0
    turns: int = 0
    examples: int = 0
    refused: int = 0
    worst: float = 0.0
    failure: str = ""

    def turn(self, first: int) -> None:
        """Twenty examples; on a failure, what the smallest one says."""

        @seed(crc32(f"{first} {self.turns} {self.name}".encode()))
        @TURN
        @given(data=st.data())
        def examine(data):
            off = self.examine(data)
            self.examples += 1
            self.refused += off is None
            self.worst = max(self.worst, off or 0.0)

        start = time.monotonic()
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                examine()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            error = getattr(error, "exceptions", [error])[0]  # of a flaky one the first
            said = f"{type(error).__name__}: {error}"
            self.failure = "\n".join([said, *getattr(error, "__notes__", [])[:1]])
        self.seconds += time.monotonic() - start
        self.turns += 1


def all_rows():
    """A row for each public function, more time for those with an oracle, and checker."""
    for f, kinds in TABLE:
        examine = partial(survived, f, kinds, **WIDE)
        yield Row(name_of(f), examine, 4 if f in ORACLES else 1)
    for check in CHECKERS:

        def examine(data, check=check):
            if not answered(check, data).startswith("Not"):
                return 0.0

        name = f"check.{check.__module__.rpartition('.')[2]}.{check.__name__}"
        yield Row(name, examine, 2)


def main() -> str | None:
    options = argparse.ArgumentParser(description="Fuzz the public functions.")
    options.add_argument("only", nargs="*", help="functions, such as svm.soft_margin")
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--seed", type=int, default=time.time_ns() % 10**6)
    asked = options.parse_args()
    warnings.simplefilter("error")  # as in the tests
    np.set_printoptions(threshold=sys.maxsize, floatmode="unique")
    sys.stdin, exercises.STEPS = io.StringIO(), 20_000  # of endless loops
    rows = [r for r in all_rows() if not asked.only or r.name.startswith(tuple(asked.only))]
    if not rows:
        return "no such function; a name is like svm.soft_margin"
    print(f"SEED={asked.seed}", flush=True)
    end = time.monotonic() + 60 * asked.minutes
    while time.monotonic() < end and (left := [row for row in rows if not row.failure]):
        min(left, key=lambda row: row.seconds / row.share).turn(asked.seed)
    for row in rows:
        told = "FAILED" if row.failure else f"{row.worst:.2g}" if row.worst else "-"
        print(f"{row.name:44}{row.examples:7} examples{row.refused:7} refused  {told}")
    failed = [row for row in rows if row.failure]
    for row in failed:
        print(f"\n{row.failure}\nAgain: make fuzz SEED={asked.seed} ONLY={row.name}")
    total = sum(row.examples for row in rows)
    print(f"{len(rows)} functions, {total} examples, {len(failed)} failed")
    return "not all answers are right" if failed else None


if __name__ == "__main__":
    sys.exit(main())
