"""Loading the leukemia data: from synthetic files, and from the real files if available."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from mlcore.data import leukemia, load_leukemia
from mlcore.data.leukemia import LABELS, TEST, TRAIN

REAL = os.environ.get("MLCORE_DATA") or Path(__file__).parents[3] / "shared/data/leukemia"
PATIENTS = {TRAIN: range(1, 39), TEST: range(39, 73)}
TYPES = {i: "AML" if i % 3 == 0 else "ALL" for i in range(1, 73)}
FEW = 12  # genes; writing all 7129 takes long


def table(patients):
    """Yield rows with intensity p - g for gene g of patient p, the last patient first."""
    order = [*patients[-1:], *patients[:-1]]
    head = [word for patient in order for word in (patient, "call")]
    yield ["Gene Description", "Gene Accession Number", *head]
    for g in range(FEW):
        calls = [word for p in order for word in (p - g, "A")]
        yield [f"description of gene {g}", f"G{g}_at", *calls]


TABLES = {name: [*table(patients)] for name, patients in PATIENTS.items()}
TABLES[LABELS] = [["patient", "cancer"], *map(list, TYPES.items()), []]


def write(path, rows):
    with open(path, "w", encoding="latin-1", newline="") as file:
        csv.writer(file).writerows(rows)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The synthetic files, which a test may replace."""
    assert leukemia.GENES == 7129
    monkeypatch.setattr(leukemia, "GENES", FEW)
    for name, rows in TABLES.items():
        write(tmp_path / name, rows)
    return tmp_path


def test_patients_are_sorted_by_number(folder, monkeypatch):
    for data, patients in zip(load_leukemia(folder), PATIENTS.values(), strict=True):
        assert np.array_equal(data.X, np.array(patients)[:, None] - np.arange(FEW))
        assert data.y.tolist() == [1.0 if TYPES[p] == "AML" else -1.0 for p in patients]
        assert data.features == tuple(f"G{g}_at" for g in range(FEW))
        assert data.classes == ("ALL", "AML")
    monkeypatch.setenv("MLCORE_DATA", str(folder))
    assert load_leukemia()[1].name == "leukemia, test"


@pytest.mark.parametrize("missing", TABLES)
def test_missing_file_raises_with_all_names(folder, missing):
    (folder / missing).unlink()
    with pytest.raises(FileNotFoundError) as error:
        load_leukemia(folder)
    for word in [*TABLES, "Broad Institute", "MLCORE_DATA", str(folder)]:
        assert word in str(error.value)


def test_missing_or_invalid_folder_raises(monkeypatch):
    with pytest.raises(ValueError, match="folder must be a path; got 3"):
        load_leukemia(3)
    monkeypatch.delenv("MLCORE_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="MLCORE_DATA to it; got None"):
        load_leukemia()


def replace_cell(name, i, j, word):
    rows = [*TABLES[name]]
    rows[i] = [*rows[i][:j], word, *rows[i][j + 1 :]]
    return name, rows


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ((TRAIN, TABLES[TRAIN][:-1]), "must contain 12 genes; got 11"),
        ((TEST, [row[:-2] for row in TABLES[TEST]]), r"must have 70 columns; got \[68\]"),
        (replace_cell(TRAIN, 9, 2, "high"), "must contain intensities; .*'high'"),
        (replace_cell(TRAIN, 9, 2, "nan"), "intensity must be finite.* got nan"),
        (replace_cell(TRAIN, 0, 2, "39"), "columns for the patients 1 to 38"),
        (replace_cell(TEST, 0, 2, "39"), "columns for the patients 39 to 72"),
        (replace_cell(TEST, 9, 1, "G_at"), "must list the genes .*_train"),
        ((LABELS, TABLES[LABELS][:-2]), "must contain ALL or AML for each patient"),
        (replace_cell(LABELS, 9, 1, "AMX"), "must contain ALL or AML"),
        (replace_cell(TEST, 9, 1, "\xff\xfe"), "must be a CSV file"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_invalid_content_raises_with_file_name(folder, file, message):
    write(folder / file[0], file[1])
    with pytest.raises(ValueError, match=f"{file[0]}.* {message}"):
        load_leukemia(folder)


@pytest.mark.skipif(not Path(REAL, TRAIN).is_file(), reason="no leukemia data")
def test_real_data_as_published():
    """Counts and values as published; the best-known gene, zyxin, is high in AML."""
    train, test = load_leukemia(REAL)
    assert (train.X.shape, test.X.shape) == ((38, 7129), (34, 7129))
    assert train.y.tolist() == [-1.0] * 27 + [1.0] * 11
    assert [(test.y < 0).sum(), (test.y > 0).sum()] == [20, 14]
    assert train.features == test.features
    assert train.features[0] == "AFFX-BioB-5_at"
    assert train.X[[0, 1, 27, 37], 0].tolist() == [-214.0, -139.0, -4.0, -72.0]
    zyxin = train.X[:, train.features.index("X95735_at")]
    assert zyxin[train.y > 0].min() > zyxin[train.y < 0].max()
