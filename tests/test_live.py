"""With live=True, after Run All, every moving picture draws what lies between its stops."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from freshness import VIEW  # noqa: E402

from chapters import in_book_order, read  # noqa: E402


def moving_pictures(path):
    """How many the chapter shows."""
    outputs = [o for cell in read(path)["cells"] for o in cell.get("outputs", [])]
    return sum(VIEW in output.get("data", {}) for output in outputs)


@pytest.mark.slow
@pytest.mark.parametrize("path", in_book_order(), ids=lambda p: p.stem)
def test_moving_pictures_draw_between_their_stops(path):
    tool = [sys.executable, "-W", "ignore", ROOT / "tests" / "helpers" / "run_all.py", path]
    done = subprocess.run(tool, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\nmoves: ") == moving_pictures(path), done.stdout
