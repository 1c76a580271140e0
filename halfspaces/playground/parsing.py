"""Parse points that a reader pastes: two columns and a label, as from a spreadsheet."""

import csv
import math
from collections.abc import Sequence
from itertools import product

from halfspaces.interactive.plane import Plane

MAX_POINTS = 200
MAX_ABS = 1e12  # of a coordinate


def parse_points(text: str, plane: Plane) -> dict:
    """Parse a text into the state of `Points`, with the part of the plane to show.

    text   rows of two numbers and a label, separated by tabs, semicolons, commas or
           spaces; "~" also ends a row.  The labels are in the only column without
           numbers, else in the last; +1 is the label that is last in alphabetical or
           numerical order.  A first row without numbers is a header.
    plane  shown if it contains all points and they span a quarter of its width

    Raises ValueError with a message for the reader.
    """
    rows, separator = _split(text)
    values = [[parse_number(cell, separator) for cell in row] for row in rows]
    text_columns = [j for j in range(3) if all(row[j] is None for row in values[1:])]
    label = text_columns[0] if len(text_columns) == 1 else 2
    u, v = (j for j in range(3) if j != label)
    has_header = values[0][u] is None and values[0][v] is None
    names = [shorten(rows[0][j], 30) for j in (u, v)] if has_header else plane.names
    if (count := len(rows) - has_header) > MAX_POINTS:
        rows_given = f"and these are {count:,} rows."
        raise ValueError(f"At most {MAX_POINTS} points fit here, {rows_given}")
    for k, j in product(range(has_header, len(rows)), (u, v)):
        if values[k][j] is None:
            cell = shorten(rows[k][j]) or "an empty cell"
            raise ValueError(f"Row {k + 1}, column {j + 1}: {cell} is not a number.")
    positions = [[row[u], row[v]] for row in values[has_header:]]
    labels = to_signs([row[label] for row in rows[has_header:]], separator)
    x, y = (round_limits([point[axis] for point in positions]) for axis in (0, 1))
    fills_plane = x[1] - x[0] > (plane.x[1] - plane.x[0]) / 4
    if fills_plane and all(plane.contains(point) for point in positions):
        x, y = plane.x, plane.y
    view = {"x": x, "y": y, "names": names}
    return {"positions": positions, "labels": labels, "editable": True, "view": view}


def _split(text: str) -> tuple[list[list[str]], str]:
    """Split a text into rows of three cells; return the rows and the separator."""
    lines = [line for line in text.replace("~", "\n").splitlines() if line.strip()]
    if len(lines) < 2:
        raise ValueError("Paste at least two rows, each with two numbers and a label.")
    separator = next((c for c in "\t;," if c in lines[0]), " ")
    if separator == " ":
        lines = [" ".join(line.split()) for line in lines]
    rows = [[c.strip() for c in row] for row in csv.reader(lines, delimiter=separator)]
    for k, row in enumerate(rows, 1):
        if len(row) != 3:
            columns = f"{len(row)} column{'s' * (len(row) != 1)}"
            raise ValueError(f"Row {k} has {columns}; it must be two numbers and a label.")
    return rows, separator


def shorten(text: str, length: int = 40) -> str:
    return text if len(text) <= length else f"{text[:length]} …"


def parse_number(cell: str, separator: str) -> float | None:
    """Parse a number; "1,5" is 1.5 unless commas separate the columns.  None if invalid."""
    text = cell.replace("−", "-")
    try:
        value = float(text if separator == "," else text.replace(",", "."))
    except ValueError:
        return None
    return float(f"{value:.6g}") if abs(value) <= MAX_ABS else None


def to_signs(labels: Sequence[str], separator: str) -> list[int]:
    """Convert two labels to -1 and +1, in ascending order."""
    values = [parse_number(label, separator) for label in labels]
    if None not in values:
        labels = values
    classes = sorted(
        {*labels}, key=lambda c: (c.casefold(), c) if isinstance(c, str) else c
    )
    if len(classes) != 2:
        names = shorten(", ".join(map(str, classes)))
        count = f"{len(classes)} labels ({names})" if classes[1:] else "one label"
        raise ValueError(f"The rows have {count}; there must be two.")
    return [1 if label == classes[1] else -1 for label in labels]


def round_limits(values: list[float]) -> tuple[float, float]:
    """Return limits of the values with padding, rounded outward."""
    low, high = min(values), max(values)
    span = high - low or abs(high) or 1.0
    step = 10 ** math.floor(math.log10(span)) / 2
    low, high = (low - span / 10) / step, (high + span / 10) / step
    return math.floor(low) * step, math.ceil(high) * step
