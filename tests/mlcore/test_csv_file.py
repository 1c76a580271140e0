"""Loading CSV files, and errors that name the line and the column."""

import numpy as np
import pytest

from mlcore.data import load_csv

TABLE = "height (cm), weight (kg), tall\n180, 70, yes\n\n160, 55.5, no\n175, 80, yes\n"


def load(folder, text: str, **options):
    (folder / "exam.csv").write_text(text, encoding="utf-8")
    return load_csv("exam", folder=folder, **options)


def test_load_csv_keeps_names(tmp_path):
    data = load(tmp_path, TABLE)
    assert np.array_equal(data.X, [[180, 70], [160, 55.5], [175, 80]])
    assert np.array_equal(data.y, [1, -1, 1]) and data.classes == ("no", "yes")
    assert data.features == ("height (cm)", "weight (kg)") and data.name == "exam"


def test_labels_in_any_column_are_sorted_as_numbers(tmp_path):
    data = load(tmp_path, "dose,score\n10,1\n9,2\n", label="dose")
    assert data.classes == ("9", "10") and np.array_equal(data.y, [1, -1])
    assert np.array_equal(data.X, [[1], [2]])


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, r"label must be one of at least two columns \(found: \[\]\); got ''"),
        (TABLE, {"label": "size"}, r"label must be one of .*'tall'\]\); got 'size'"),
        (TABLE + "1,2\n", {}, r"exam.csv, line 6 must have 3 columns; got 2"),
        (TABLE + "1,x,no\n", {}, r"'weight \(kg\)' must be a finite number; got 'x'"),
        (TABLE + "1,nan,no\n", {}, r"line 6: .* must be a finite number; got 'nan'"),
        (TABLE + "1,2,maybe\n", {}, r"'tall' must contain two different labels; got"),
        ("a,b\n1,no\n", {}, r"'b' must contain two different labels; got \['no'\]"),
    ],
)
def test_invalid_file_raises_with_line_and_column(tmp_path, text, options, message):
    with pytest.raises(ValueError, match=message):
        load(tmp_path, text, **options)


def test_missing_file_lists_existing_files(tmp_path):
    load(tmp_path, TABLE)
    with pytest.raises(ValueError, match=r"name must be .* \(found: exam\); got 'exan'"):
        load_csv("exan", folder=tmp_path)
