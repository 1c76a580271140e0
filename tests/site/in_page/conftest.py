"""Skip these tests without Python for the pages; in CI fail."""

import os

import pytest


@pytest.fixture(scope="session")
def site(site):
    if not (site / "_static" / "in-page").exists():
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("the site has no Python for its pages: see the output of `make book`")
    return site
