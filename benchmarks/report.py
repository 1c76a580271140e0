"""The results as a table and as a picture."""

from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from benchmarks.timing import Result

WIDTHS = (38, 34, 9, 9, 7, 6, 10, 8)
TITLES = ("task", "data", "ours ms", "sklearn", "ratio", "floor", "naive ms", "ratio")


def heading() -> str:
    return _columns(TITLES) + "  answers"


def line(result: Result) -> str:
    naive = None if result.naive is None else result.naive / result.ours
    cells = (
        result.task,
        result.data,
        *map(_number, (result.ours, result.sklearn, result.ratio, result.floor)),
        *map(_number, (result.naive, naive)),
    )
    return _columns(cells) + "  " + result.answers


def _columns(cells) -> str:
    pairs = list(zip(cells, WIDTHS, strict=True))
    return "".join(
        f"{cell:{width}}" if k < 2 else f"{cell:>{width}}"
        for k, (cell, width) in enumerate(pairs)
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def plot(results: list[Result], path: Path) -> None:
    """A bar for each row: how many times faster than scikit-learn, on a log axis."""
    matplotlib.rcParams["svg.hashsalt"] = "halfspaces"
    rows = [result for result in results if result.ratio is not None][::-1]
    figure = Figure(figsize=(9, 0.24 * len(rows) + 1), layout="constrained")
    axes = figure.subplots()
    colors = ["#0072B2" if row.ratio >= 1 else "#D55E00" for row in rows]
    axes.barh(
        [f"{row.task}, {row.data}" for row in rows],
        [r.ratio for r in rows],
        left=0,
        color=colors,
        log=True,
    )
    floors = [(k, row.floor) for k, row in enumerate(rows) if row.floor]
    axes.plot([f for _, f in floors], [k for k, _ in floors], "|k", markersize=9)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set(
        xlabel="time of scikit-learn / time of mlcore; a tick is the floor we keep",
        ylim=(-1, len(rows)),
    )
    axes.tick_params(labelsize=7)
    figure.savefig(path, metadata={"Date": None})
