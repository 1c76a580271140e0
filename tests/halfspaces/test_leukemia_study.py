"""The stored numbers of the leukemia study match the numbers computed from the data."""

import json
import os
from functools import partial

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
def test_stored_numbers_match_the_data(name, monkeypatch):
    stored = json.loads(study.STORED.read_text())[name]
    if name in ("score", "elimination"):  # all numbers of genes would take minutes
        few = 4, 31
        ranking = partial(study.evaluate_ranking, sizes=few)
        monkeypatch.setattr(study, "evaluate_ranking", ranking)
        places = [*map(study.SIZES.index, few)]
        stored = {key: [values[k] for k in places] for key, values in stored.items()}
    if name == "elimination":  # one fold of 38: "resplit" eliminates in 20 splits
        k_folds = study.k_folds
        monkeypatch.setattr(study, "k_folds", lambda *y, **kind: k_folds(*y, **kind)[:1])
    found = study.Study(FOLDER)(name)
    if name == "elimination":  # errors of one fold, and of all
        assert all(a <= b for a, b in zip(found.pop("cv"), stored.pop("cv"), strict=True))
    assert found == stored


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
