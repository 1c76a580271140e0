"""Test the study of the cases: its stored results, and their table for teachers."""

import json

import pytest

from sitebuild.chapters import ROOT
from teaching import case_study as study

RESULTS = json.loads(study.STORED.read_text())


def share(name, route, holds):
    return sum(map(holds, RESULTS[name][route])) / len(RESULTS[name][route])


def test_page_shows_the_stored_results():
    assert study.table(RESULTS) in (ROOT / "chapters" / "teachers.md").read_text()
    counts = {len(keys) for found in RESULTS.values() for keys in found.values()}
    assert counts == {study.N_SOURCES}


@pytest.mark.parametrize("name", [*study.find_cases()])
def test_honest_routes_are_praised_and_wrong_routes_refused(name):
    for route in RESULTS[name]:
        praised = share(name, route, lambda key: not key)
        assert praised >= 0.95 if route in study.HONEST else praised <= 0.05, route
    routes = study.find_cases()[name].build().routes
    common = {route: key for route, (_, key) in study.COMMON_CLAIMS.items()}
    for route, advice in (routes | common).items():
        assert share(name, route, advice.__eq__) >= 0.95, route


@pytest.mark.slow
@pytest.mark.parametrize(("source", "name"), [*enumerate(study.find_cases())])
def test_stored_results_match_recomputed_results(source, name):
    stored = {route: keys[source] for route, keys in RESULTS[name].items()}
    assert study.advice_keys(name, source) == stored
