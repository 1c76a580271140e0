"""The tool that changes results by a thousandth: what it finds noticed, and what not."""

import json
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
CELLS = {
    "shown": "geometric_margin(X, y, w, 0.0)",
    "kept": "m = geometric_margin(X, y, w, 0.0)",
    "asserted": "assert abs(m[0] - 2) < 1e-6",
    "rounded": "print(f'{geometric_margin(X, y, w, 0.0)[0]:.0f}', 'or 3')",
    "signs": "bool((geometric_margin(X, y, w, 0.0) > 0).all())",
    "helper": "def helper(): return geometric_margin(X, y, w, 0.0)",
    "by-helper": "print(helper())",
    "counted": "print(perceptron(X, y, bias=False).updates)",
}
SETUP = """import numpy as np
from mlcore.geometry import geometric_margin
from mlcore.perceptron import perceptron
X, y, w = np.array([[2.0], [-26.0]]), np.array([1, -1]), np.array([1.0])"""
RUN = """import json, sys
from pathlib import Path
from perturb import try_notebook
print(json.dumps(try_notebook(Path(sys.argv[1]))))"""


def test_a_call_is_noticed_where_its_number_is_shown_or_asserted(tmp_path):
    notebook = nbformat.v4.new_notebook()
    for name, source in {"setup": SETUP, **CELLS}.items():
        notebook.cells.append(nbformat.v4.new_code_cell(source, id=name))
    path = tmp_path / "small.ipynb"
    nbformat.write(notebook, path)
    done = subprocess.run(
        [sys.executable, "-c", RUN, path],
        cwd=ROOT / "tools",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "geometric_margin in shown": "fine",
        "geometric_margin in kept": "fine",
        "geometric_margin in rounded": "never",
        "geometric_margin in signs": "never",
        "geometric_margin in by-helper": "fine",
        "perceptron in counted": "coarse",
    }
