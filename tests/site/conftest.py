"""The built book, a browser, and a server."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from sitebuild.chapters import ROOT
from sitebuild.pdf import BROWSERS, FLAGS
from tests.helpers.browsing import open_page
from tests.helpers.skip_or_fail import skip_or_fail
from tests.site.server import serve

TIMEOUT = 240_000  # milliseconds for each step in a page, for busy machines


@pytest.fixture(scope="session")
def site() -> Path:
    """The book, built if a source has changed; only one worker builds it."""
    build = [sys.executable, "-m", "sitebuild.build"]
    result = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    if result.returncode:
        pytest.fail(f"{result.stdout}\n{result.stderr}", pytrace=False)
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def browser():
    """Chromium; without it, tests are skipped or, in CI, fail."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error:
            skip_or_fail("no Chromium: run .venv/bin/playwright install chromium")
        chromium.on("context", lambda context: context.set_default_timeout(TIMEOUT))
        expect.set_options(timeout=TIMEOUT)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server(site):
    """The URL of the served site."""
    with serve(site) as root:
        yield root


@pytest.fixture(scope="module")
def visit(request, browser, server):
    """The page at PAGE of a test module, opened once for all of its tests."""
    with open_page(browser, server, request.module.PAGE) as visit:
        yield visit
