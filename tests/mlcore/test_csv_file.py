"""A teacher's own table becomes a data set, and what is wrong in it is named."""

import numpy as np
import pytest

from mlcore.data import own

TABLE = "height (cm), weight (kg), tall\n180, 70, yes\n\n160, 55.5, no\n175, 80, yes\n"


def read(folder, text: str, **options):
    (folder / "exam.csv").write_text(text, encoding="utf-8")
    return own("exam", folder=folder, **options)


def test_a_table_is_read_with_its_names(tmp_path):
    data = read(tmp_path, TABLE)
    assert np.array_equal(data.X, [[180, 70], [160, 55.5], [175, 80]])
    assert np.array_equal(data.y, [1, -1, 1]) and data.classes == ("no", "yes")
    assert data.features == ("height (cm)", "weight (kg)") and data.name == "exam"


def test_labels_may_stand_in_any_column_and_are_ordered_as_numbers(tmp_path):
    data = read(tmp_path, "dose,score\n10,1\n9,2\n", label="dose")
    assert data.classes == ("9", "10") and np.array_equal(data.y, [1, -1])
    assert np.array_equal(data.X, [[1], [2]])


@pytest.mark.parametrize(
    ("text", "options", "why"),
    [
        ("", {}, r"label must be one of several columns, \[\]; got ''"),
        (TABLE, {"label": "size"}, r"label must be one of .*'tall'\]; got 'size'"),
        (TABLE + "1,2\n", {}, r"exam.csv, line 6 must have 3 columns; got 2"),
        (
            TABLE + "1,x,no\n",
            {},
            r"line 6: 'weight \(kg\)' must be a finite number; got 'x'",
        ),
        (TABLE + "1,nan,no\n", {}, r"line 6: .* must be a finite number; got 'nan'"),
        (
            TABLE + "1,2,maybe\n",
            {},
            r"the column 'tall' must hold two different labels; got",
        ),
        ("a,b\n1,no\n", {}, r"the column 'b' must hold two different labels; got \['no'\]"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, options, why):
    with pytest.raises(ValueError, match=why):
        read(tmp_path, text, **options)


def test_a_file_that_is_not_there_is_named_beside_those_that_are(tmp_path):
    read(tmp_path, TABLE)
    with pytest.raises(ValueError, match=r"name must be a file of .*, of exam; got 'exan'"):
        own("exan", folder=tmp_path)
