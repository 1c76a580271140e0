"""Give every public function nasty arguments for minutes: right answers, or named errors.

What is drawn, and what an answer must satisfy, is said in tests/test_safety.py,
tests/kinds.py and tests/oracles.py.  The function that has had the least time is next.
A call of a seed is the same on every machine: turn r of a function draws from
(SEED, r, its name).
"""

import argparse
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from test_safety import ORACLES, TABLE, name_of, survived

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
    function: object
    kinds: dict
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
            off = survived(self.function, self.kinds, data, **WIDE)
            self.examples += 1
            self.refused += off is None
            self.worst = max(self.worst, off or 0.0)

        start = time.monotonic()
        try:
            examine()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
            self.failure = "\n".join([said, *getattr(error, "__notes__", [])[:1]])
        self.seconds += time.monotonic() - start
        self.turns += 1


def main() -> str | None:
    options = argparse.ArgumentParser(description="Fuzz the public functions.")
    options.add_argument("only", nargs="*", help="functions, such as svm.soft_margin")
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--seed", type=int, default=time.time_ns() % 10**6)
    asked = options.parse_args()
    warnings.simplefilter("error")  # as in the tests
    np.set_printoptions(threshold=sys.maxsize, floatmode="unique")
    rows = [Row(name_of(f), f, kinds, 4 if f in ORACLES else 1) for f, kinds in TABLE]
    rows = [row for row in rows if not asked.only or row.name in asked.only]
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
