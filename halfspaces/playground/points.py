"""Points that a reader pastes: two columns and a label, as from a spreadsheet."""

import csv
import math
from collections.abc import Sequence
from itertools import product

from halfspaces.interactive.plane import Plane

MOST = 200  # rows: each is something to take hold of
SIZE = 1e12  # of a number


def read(text: str, plane: Plane) -> dict:
    """The state of points that a text holds, and the part of the plane that shows them.

    text   rows of two numbers and a label, with tabs, semicolons or commas between them;
           "~" may end a row.  The label may be any column with two words, or -1 and +1, or
           two other numbers in the last; of two words the later in the alphabet is +1.  A
           head line names the columns.
    plane  is kept if the points lie in it and fill a quarter of its width

    Raises ValueError with a sentence for a reader.
    """
    lines = [line for line in text.replace("~", "\n").splitlines() if line.strip()]
    if len(lines) < 2:
        raise ValueError("Paste at least two rows: in each two numbers and a label.")
    between = next((c for c in "\t;," if c in lines[0]), None)
    if between is None:
        raise ValueError(f"No tab, semicolon or comma is in the row: {short(lines[0])}.")
    cells = [[c.strip() for c in row] for row in csv.reader(lines, delimiter=between)]
    for k, row in enumerate(cells, 1):
        if len(row) != 3:
            many = f"{len(row)} column{'s' * (len(row) != 1)}"
            raise ValueError(f"Row {k} has {many}; it must be two numbers and a label.")
    values = [[number(c, between) for c in row] for row in cells]
    wordy = [j for j in range(3) if all(row[j] is None for row in values[1:])]
    last = wordy[0] if len(wordy) == 1 else 2
    u, v = (j for j in range(3) if j != last)
    named = values[0][u] is None and values[0][v] is None
    names = [short(cells[0][j], 30) for j in (u, v)] if named else plane.names
    if len(cells) - named > MOST:
        many = f"{len(cells) - named:,}"
        raise ValueError(f"At most {MOST} points fit here, and these are {many} rows.")
    for k, j in product(range(named, len(cells)), (u, v)):
        if values[k][j] is None:
            wrong = short(cells[k][j])
            raise ValueError(f"Row {k + 1}, column {j + 1}: {wrong} is no number.")
    at = [[row[u], row[v]] for row in values[named:]]
    labels = signs([row[last] for row in cells[named:]], between)
    (x, y), kept = (limits([p[k] for p in at]) for k in (0, 1)), plane
    inside = all(kept.holds(p) for p in at) and x[1] - x[0] > (kept.x[1] - kept.x[0]) / 4
    view = {"x": kept.x, "y": kept.y} if inside else {"x": x, "y": y}
    return {"at": at, "labels": labels, "fixed": False, "view": view | {"names": names}}


def short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[:most]} …"


def number(cell: str, between: str) -> float | None:
    """A finite number, which may have a decimal comma where commas end no column."""
    plain = cell.replace("−", "-")
    try:
        value = float(plain if between == "," else plain.replace(",", "."))
    except ValueError:
        return None
    return float(f"{value:.6g}") if abs(value) <= SIZE else None


def signs(words: Sequence[str], between: str) -> list[int]:
    """-1 for the first of two labels, and +1 for the second."""
    values = [number(word, between) for word in words]
    if None not in values:
        words = values
    kinds = sorted({*words}, key=lambda w: (w.casefold(), w) if isinstance(w, str) else w)
    if len(kinds) != 2:
        told = short(", ".join(map(str, kinds)))
        many = f"{len(kinds)} labels ({told})" if kinds[1:] else "one label"
        raise ValueError(f"The rows have {many}; there must be two.")
    return [1 if word == kinds[1] else -1 for word in words]


def limits(values: list[float]) -> tuple[float, float]:
    """Round numbers that leave room around the values."""
    low, high = min(values), max(values)
    span = high - low or abs(high) or 1.0
    step = 10 ** math.floor(math.log10(span)) / 2
    low, high = (low - span / 10) / step, (high + span / 10) / step
    return math.floor(low) * step, math.ceil(high) * step
