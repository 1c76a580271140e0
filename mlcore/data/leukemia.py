"""The leukemia data: the activity of 7129 genes in 72 patients, read from their files.

They are not part of the package.
"""

import csv
import os
from pathlib import Path

import numpy as np

from mlcore import checks
from mlcore.arrays import Matrix
from mlcore.data.dataset import Dataset

TRAIN = "data_set_ALL_AML_train.csv"
TEST = "data_set_ALL_AML_independent.csv"
LABELS = "actual.csv"
GENES = 7129
CLASSES = "ALL", "AML"


def load_leukemia(folder=None) -> tuple[Dataset, Dataset]:
    """Read the activity of 7129 genes in 38 patients, and in 34 others to test on.

    folder  where the three files are, a path; None: the one that the environment
            variable MLCORE_DATA names

    Returns the training and the test set, patients in the order of their numbers, 1 to
    38 and 39 to 72.  The label +1 is acute myeloid leukemia (AML; 11 and 14 patients),
    -1 acute lymphoblastic leukemia (ALL; 27 and 20).  A feature is the intensity of a
    gene, without unit and partly below 0, under the gene's accession number.
    Raises FileNotFoundError without the files, ValueError for what they should not hold.
    Source: Golub and others (1999); the Broad Institute published the files.
    """
    folder = _folder(folder)
    kinds = _kinds(folder / LABELS)
    names, train = _samples(folder / TRAIN, range(1, 39))
    others, test = _samples(folder / TEST, range(39, 73))
    if names != others:
        raise ValueError(f"{folder / TEST} must list the genes of {TRAIN}, in its order")
    y = np.array([1.0 if kind == "AML" else -1.0 for kind in kinds])
    return (
        Dataset(train, y[:38], names, CLASSES, "leukemia, training"),
        Dataset(test, y[38:], names, CLASSES, "leukemia, test"),
    )


def _folder(folder) -> Path:
    if not isinstance(folder, (str, os.PathLike, type(None))):
        raise checks.error("folder", "be a path", repr(folder))
    folder = os.environ.get("MLCORE_DATA") if folder is None else folder
    files = TRAIN, TEST, LABELS
    if folder is None or not all((Path(folder) / name).is_file() for name in files):
        raise FileNotFoundError(
            f"folder must hold {TRAIN}, {TEST} and {LABELS}, the leukemia data of Golub "
            "and others (1999) that the Broad Institute published; name it, or set "
            f"MLCORE_DATA to it; got {folder}"
        )
    return Path(folder)


def _kinds(path: Path) -> list[str]:
    """The kind of leukemia of each patient, 1 to 72."""
    rows = _rows(path, 2)[1:]
    patients, kinds = [row[0] for row in rows], [row[1] for row in rows]
    if patients != [str(i) for i in range(1, 73)] or set(kinds) != set(CLASSES):
        raise ValueError(f"{path} must say ALL or AML for each patient from 1 to 72")
    return kinds


def _samples(path: Path, patients: range) -> tuple[tuple[str, ...], Matrix]:
    """The names of the genes, and their intensities, a patient a row."""
    head, *rows = _rows(path, 2 + 2 * len(patients))
    if sorted(head[2::2]) != sorted(map(str, patients)):
        rule = f"have columns for the patients {patients[0]} to {patients[-1]}"
        raise checks.error(str(path), rule, head[2::2])
    if len(rows) != GENES:
        raise checks.error(str(path), f"hold {GENES} genes", len(rows))
    try:
        X = np.array([row[2::2] for row in rows], dtype=float).T
    except ValueError as error:
        raise ValueError(f"{path} must hold intensities; {error}") from error
    X = checks.matrix(f"{path}: an intensity", X)
    order = np.argsort([int(patient) for patient in head[2::2]])
    return tuple(row[1] for row in rows), np.ascontiguousarray(X[order])


def _rows(path: Path, columns: int) -> list[list[str]]:
    """The rows of a CSV file that are not empty."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(f"{path} must be a CSV file; {error}") from error
    widths = {len(row) for row in rows}
    if widths != {columns}:
        raise checks.error(str(path), f"have {columns} columns", sorted(widths))
    return rows
