"""Data of a reader's own: CSV files in a folder that travels with the package."""

import csv
from pathlib import Path

import numpy as np

from mlcore import checks
from mlcore.data.dataset import Dataset

FOLDER = Path(__file__).with_name("own_data")


def own(name: str, *, label: str = "", folder: Path | str | None = None) -> Dataset:
    """A data set from `mlcore/data/own_data/NAME.csv`.

    The first line names the columns, separated by commas; all but that of the labels hold
    numbers.  The folder is a part of the package, so the file is there wherever the package
    is: in a clone, in the wheel, in a page of the book, on a Hub.

    name    of the file, without .csv
    label   the column of the labels, two words or numbers: -1 stands for the smaller
            number, or for the first in the alphabet; by default the last column
    folder  another place for the file; None: `mlcore/data/own_data`

    Raises ValueError if there is no such file or column, and names line, column and value
    of what is no finite number, of a line that lacks something, and of other labels.

    >>> exam = own("example")
    >>> exam.features, exam.classes, len(exam.y)
    (('hours', 'exercises'), ('no', 'yes'), 6)
    """
    folder = Path(folder or FOLDER)
    path = folder / f"{name}.csv"
    if not path.is_file():
        there = ", ".join(sorted(file.stem for file in folder.glob("*.csv")))
        rule = f"be a file of {folder}, of {there or 'none'}"
        raise checks.error("name", rule, repr(name))
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, skipinitialspace=True)
        rows = [(reader.line_num, row) for row in reader if any(row)]
    columns = rows[0][1] if rows else []
    label = label or (columns[-1] if columns else "")
    if label not in columns or len(columns) < 2:
        raise checks.error("label", f"be one of several columns, {columns}", repr(label))
    place = columns.index(label)
    features = columns[:place] + columns[place + 1 :]
    X, labels = [], []
    for line, row in rows[1:]:
        where = f"{path.name}, line {line}"
        if len(row) != len(columns):
            raise checks.error(where, f"have {len(columns)} columns", len(row))
        labels.append(row.pop(place).strip())
        X.append([_number(*cell, where) for cell in zip(features, row, strict=True)])
    classes = _two_classes(labels, f"{path.name}: the column {label!r}")
    y = np.where(np.array(labels) == classes[1], 1.0, -1.0)
    return Dataset(np.array(X), y, tuple(features), classes, name)


def _number(column: str, text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise checks.error(f"{where}: {column!r}", "be a finite number", repr(text))
    return number


def _two_classes(labels: list[str], where: str) -> tuple[str, str]:
    try:
        found = sorted({*labels}, key=float)
    except ValueError:
        found = sorted({*labels}, key=lambda label: (label.casefold(), label))
    if len(found) != 2:
        raise checks.error(where, "hold two different labels", found[:5])
    return found[0], found[1]
