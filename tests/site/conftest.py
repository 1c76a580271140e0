"""The built book, a browser, and a server."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from sitebuild.chapters import ROOT
from sitebuild.pdf import BROWSERS, FLAGS
from tests.helpers.browsing import visiting
from tests.site.serving import serving

PATIENCE = 240_000  # timeout of a step in a page in ms, for busy machines


@pytest.fixture(scope="session")
def site() -> Path:
    """The book, built if a source has changed; only one worker builds it."""
    build = [sys.executable, "-m", "sitebuild.build"]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.fail(f"{done.stdout}\n{done.stderr}", pytrace=False)
    return ROOT / "_build" / "html"


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
        started.on("context", lambda context: context.set_default_timeout(PATIENCE))
        expect.set_options(timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture(scope="session")
def server(site):
    """The URL of the served site."""
    with serving(site) as root:
        yield root


@pytest.fixture(scope="module")
def visit(request, browser, server):
    """The page PAGE of a module, for all of its tests."""
    with visiting(browser, server, request.module.PAGE) as visit:
        yield visit
