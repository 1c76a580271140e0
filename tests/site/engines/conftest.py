"""Three engines; one that is not installed is skipped, and in CI that is a failure."""

import os
import shutil
from contextlib import contextmanager

import pytest
from drivers import Chromium, firefox, webkit
from serving import serving

NEEDS = {  # programs, and the packages of Debian that bring them
    "firefox": ("firefox", "firefox-esr"),
    "webkit": ("WebKitWebDriver Xvfb", "webkit2gtk-driver and xvfb"),
}


@contextmanager
def chromium(browser):
    context = browser.new_context()
    yield Chromium(context.new_page())
    context.close()


@pytest.fixture(scope="session", params=["chromium", "firefox", "webkit"])
def engine(request, tmp_path_factory):
    name = request.param
    if name == "chromium":
        started = chromium(request.getfixturevalue("browser"))
    else:
        programs, packages = NEEDS[name]
        if not all(map(shutil.which, programs.split())):
            say = pytest.fail if os.environ.get("CI") else pytest.skip
            say(f"no {name} to try the pages in: install Debian's {packages}")
        start = {"firefox": firefox, "webkit": webkit}[name]
        started = start(tmp_path_factory.mktemp(name))
    with started as engine:
        yield engine


@pytest.fixture(scope="session")
def served(site):
    """The address of the site, and the list of what its pages complain of."""
    said = []
    with serving(site, said=said) as root:
        yield root, said
