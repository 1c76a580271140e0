"""All benchmarks in one process: `make bench`, or `python -m benchmarks boosting lasso`.

Prints each row as it is done, then writes results.csv and results.svg into this folder.
Words on the command line choose the rows whose task or data contains one of them; then
nothing is written.  `python -m benchmarks --where` tells where the time goes, and writes
where.csv only; without words that comes last.
"""

import csv
import sys
import warnings
from pathlib import Path

from sklearn.exceptions import ConvergenceWarning

from benchmarks import growth, likelihood, margins, memory, squares, voting, where
from benchmarks.report import heading, line, plot
from benchmarks.timing import measure

FOLDER = Path(__file__).parent


def main(words: list[str]) -> None:
    if words == ["--where"]:
        return where.main(FOLDER / "where.csv")
    # liblinear stops at its limit of steps, and the gap in the table says so
    warnings.simplefilter("ignore", ConvergenceWarning)
    results = []
    print(heading())
    for module in margins, squares, likelihood, voting:
        for case in module.cases():
            if not words or any(w in f"{case.task} {case.data}" for w in words):
                results.append(measure(case))
                print(line(results[-1]), flush=True)
    if not results:
        sys.exit(f"No task and no data has one of the words: {' '.join(words)}.")
    if not words:
        with (FOLDER / "results.csv").open("w", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(vars(results[0]) | {"ratio": 0})
            table.writerows([*vars(r).values(), r.ratio] for r in results)
        plot(results, FOLDER / "results.svg")
        memory.main()
        growth.main(FOLDER / "growth.svg")
        where.main(FOLDER / "where.csv")


if __name__ == "__main__":
    main(sys.argv[1:])
