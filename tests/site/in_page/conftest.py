"""Without Python for the pages there is nothing to try; in CI that is a failure."""

import os

import pytest


@pytest.fixture(scope="session")
def site(site):
    if not (site / "_static" / "in-page").exists():
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("the site has no Python for its pages: `make book` said why")
    return site
