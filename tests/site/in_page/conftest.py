"""Skip these tests if the site has no Python for its pages; in CI, fail."""

import pytest

from tests.helpers.skip_or_fail import skip_or_fail


@pytest.fixture(scope="session")
def site(site):
    if not (site / "_static" / "in-page").exists():
        skip_or_fail("the site has no Python for its pages: see the output of `make book`")
    return site
