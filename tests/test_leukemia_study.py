"""The leukemia study: the stored numbers are those that the files give."""

import json
import os
import subprocess
import sys
from pathlib import Path

import leukemia
import numpy as np
import pytest

from mlcore.datasets import load_leukemia

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
FOLDER = os.environ.get("MLCORE_DATA", str(CHAPTERS / "../../shared/data/leukemia"))
needs_files = pytest.mark.skipif(
    leukemia.Study(FOLDER).patients is None,
    reason=f"{FOLDER} does not hold the leukemia data (set MLCORE_DATA)",
)


@needs_files
@pytest.mark.parametrize("name", leukemia.EXPERIMENTS)
def test_the_stored_numbers_are_computed_from_the_files(name):
    stored = json.loads(leukemia.STORED.read_text())
    assert leukemia.Study(FOLDER)(name) == stored[name]


@needs_files
def test_the_files_hold_the_patients_of_golub_and_others():
    train, test = load_leukemia(FOLDER)
    assert train.X.shape == (38, 7129) and test.X.shape == (34, 7129)
    assert (train.y > 0).sum() == 11 and (test.y > 0).sum() == 14
    assert train.features == test.features and "X95735_at" in train.features


def test_without_the_files_the_stored_numbers_are_read(tmp_path):
    study = leukemia.Study(tmp_path)
    assert study.patients is None
    with pytest.raises(FileNotFoundError, match=tmp_path.name):
        load_leukemia(tmp_path)
    for name in leukemia.EXPERIMENTS:
        assert study(name) == json.loads(leukemia.STORED.read_text())[name]


def test_without_the_files_nothing_is_written(tmp_path):
    command = [sys.executable, CHAPTERS / "leukemia.py", tmp_path]
    before = leukemia.STORED.read_text()
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode != 0 and "does not hold" in run.stderr
    assert leukemia.STORED.read_text() == before


def test_the_stored_numbers_fit_together():
    stored = json.loads(leukemia.STORED.read_text())
    assert set(stored) == set(leukemia.EXPERIMENTS)
    assert len(leukemia.STORED.read_text()) < 2000
    for name, steps in (("score", leukemia.SIZES), ("one-norm", leukemia.PRICES)):
        assert len(stored[name]["cv"]) == len(stored[name]["missed"]) == len(steps)
        assert 0 <= min(stored[name]["cv"]) <= max(stored[name]["cv"]) <= 38
    missed = np.concatenate(stored["elimination"]["missed"])
    assert missed.min() >= 0 and missed.max() < 34
    assert max(stored["one-norm"]["genes"]) <= 38


def test_a_ranking_does_not_see_the_patient_left_out():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 40)), np.tile([1.0, -1.0], 6)
    seen = []

    def rank(Z, labels):
        seen.append((len(Z), len(labels)))
        return np.arange(Z.shape[1])

    out = leukemia.ranked_misses(rank, X[1:], y[1:], X[:1], y[:1], sizes=(3, 5))
    assert seen == [(11, 11)] and out.shape == (2, 1)
