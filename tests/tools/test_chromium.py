"""The Chromium of the tests, on a machine that has none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

TOOLS = Path(__file__).resolve().parents[2] / "tools"
CODE = "import chromium; chromium.NAMES = (); print(chromium.chromium())"


def looked_for(**settings):
    """What is said by a process that finds no Chromium on the machine."""
    command, env = [sys.executable, "-c", CODE], os.environ | settings
    return subprocess.run(command, cwd=TOOLS, env=env, capture_output=True, text=True)


def test_without_a_network_there_is_none_and_a_sentence_says_why(tmp_path):
    nowhere = {"npm_config_registry": "http://127.0.0.1:9"}
    done = looked_for(HALFSPACES_CACHE=str(tmp_path), **nowhere)
    sentence = done.stderr.splitlines()[-1]
    assert done.returncode and sentence.startswith("OSError: no browser: ")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="npm has one for Linux")
def test_that_of_npm_opens_a_page():
    done = looked_for()
    assert done.returncode == 0, done.stderr
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=done.stdout.strip())
        page = started.new_page()
        page.goto("data:text/html,<title>Title</title>")
        assert page.title() == "Title"
        started.close()
