"""The stored numbers of the leukemia study match the numbers computed from the data."""

import json
import os

import numpy as np
import pytest

from halfspaces import leukemia_study as study
from sitebuild.chapters import ROOT

FOLDER = os.environ.get("MLCORE_DATA", str(ROOT.parent / "shared/data/leukemia"))
needs_files = pytest.mark.skipif(
    study.Study(FOLDER).patients is None,
    reason=f"{FOLDER} does not hold the leukemia data (set MLCORE_DATA)",
)


@needs_files
@pytest.mark.slow
@pytest.mark.parametrize("name", study.EXPERIMENTS)
def test_stored_numbers_match_the_data(name):
    stored = json.loads(study.STORED.read_text())
    assert study.Study(FOLDER)(name) == stored[name]


def test_stored_numbers_are_used_without_the_data(tmp_path):
    stored_only = study.Study(tmp_path)
    assert stored_only.patients is None
    for name in study.EXPERIMENTS:
        assert stored_only(name) == json.loads(study.STORED.read_text())[name]


def test_features_are_ranked_without_the_held_out_patient():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 40)), np.tile([1.0, -1.0], 6)
    shapes = []

    def rank(Z, labels):
        shapes.append((len(Z), len(labels)))
        return np.arange(Z.shape[1])

    wrong = study.evaluate_ranking(rank, X[1:], y[1:], X[:1], y[:1], sizes=(3, 5))
    assert shapes == [(11, 11)] and wrong.shape == (2, 1)
