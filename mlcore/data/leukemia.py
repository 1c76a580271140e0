"""The leukemia data: the expression of 7129 genes in 72 patients.

The files are not part of the package.
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
    """Load the expression of 7129 genes in 38 training and 34 test patients.

    folder  path of the folder with the three files; None: the environment variable
            MLCORE_DATA

    Returns the training set, patients 1 to 38, and the test set, patients 39 to 72, both
    sorted by patient number.  The label +1 is acute myeloid leukemia (AML; 11 and 14
    patients), -1 is acute lymphoblastic leukemia (ALL; 27 and 20).  A feature is the
    intensity of a gene, without unit, sometimes negative, named by its accession number.
    Raises FileNotFoundError for missing files, ValueError for invalid content.
    Source: Golub and others (1999); the files are from the Broad Institute.
    """
    folder = _find_folder(folder)
    labels = _read_labels(folder / LABELS)
    genes, train = _read_samples(folder / TRAIN, range(1, 39))
    test_genes, test = _read_samples(folder / TEST, range(39, 73))
    if genes != test_genes:
        raise ValueError(f"{folder / TEST} must list the genes in the order of {TRAIN}")
    y = np.array([1.0 if label == "AML" else -1.0 for label in labels])
    return (
        Dataset(train, y[:38], genes, CLASSES, "leukemia, training"),
        Dataset(test, y[38:], genes, CLASSES, "leukemia, test"),
    )


def _find_folder(folder) -> Path:
    if not isinstance(folder, (str, os.PathLike, type(None))):
        raise checks.error("folder", "be a path", repr(folder))
    folder = os.environ.get("MLCORE_DATA") if folder is None else folder
    files = TRAIN, TEST, LABELS
    if folder is None or not all((Path(folder) / name).is_file() for name in files):
        raise FileNotFoundError(
            f"folder must contain {TRAIN}, {TEST} and {LABELS}, the leukemia data of Golub "
            "and others (1999) from the Broad Institute; pass the folder, or set "
            f"MLCORE_DATA to it; got {folder}"
        )
    return Path(folder)


def _read_labels(path: Path) -> list[str]:
    """Read the type of leukemia of patients 1 to 72."""
    rows = _read_rows(path, 2)[1:]
    patients, labels = [row[0] for row in rows], [row[1] for row in rows]
    if patients != [str(i) for i in range(1, 73)] or set(labels) != set(CLASSES):
        raise ValueError(f"{path} must contain ALL or AML for each patient from 1 to 72")
    return labels


def _read_samples(path: Path, patients: range) -> tuple[tuple[str, ...], Matrix]:
    """Read the names of the genes, and their intensities with one patient per row."""
    header, *rows = _read_rows(path, 2 + 2 * len(patients))
    if sorted(header[2::2]) != sorted(map(str, patients)):
        rule = f"have columns for the patients {patients[0]} to {patients[-1]}"
        raise checks.error(str(path), rule, header[2::2])
    if len(rows) != GENES:
        raise checks.error(str(path), f"contain {GENES} genes", len(rows))
    try:
        X = np.array([row[2::2] for row in rows], dtype=float).T
    except ValueError as error:
        raise ValueError(f"{path} must contain intensities; {error}") from error
    X = checks.matrix(f"{path}: an intensity", X)
    order = np.argsort([int(patient) for patient in header[2::2]])
    return tuple(row[1] for row in rows), np.ascontiguousarray(X[order])


def _read_rows(path: Path, columns: int) -> list[list[str]]:
    """Read the nonempty rows of a CSV file."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(f"{path} must be a CSV file; {error}") from error
    widths = {len(row) for row in rows}
    if widths != {columns}:
        raise checks.error(str(path), f"have {columns} columns", sorted(widths))
    return rows
