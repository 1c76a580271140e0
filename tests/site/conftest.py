"""The built book, a browser, and a server."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

from sitebuild.pdf import BROWSERS, FLAGS
from tests.site.serving import serving

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def site() -> Path:
    folder = ROOT / "_build" / "html"
    if not (folder / "index.html").exists():
        pytest.fail("the book is not built: run `make book` first")
    return folder


@pytest.fixture(scope="session")
def browser():
    """Chromium; without it tests are skipped, in CI they fail."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=found, args=FLAGS)
        except Error:
            say = pytest.fail if os.environ.get("CI") else pytest.skip
            say("no Chromium: install it, or run .venv/bin/playwright install chromium")
        yield started
        started.close()


@pytest.fixture(scope="session")
def server(site):
    """The URL of the served site."""
    with serving(site) as root:
        yield root
