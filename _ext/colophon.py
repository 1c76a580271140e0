"""The last lines of every page: which version it is, and what its outputs came from."""

import re
import sys
from pathlib import Path

import mlcore

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from chapters import ROOT

NAMED = {"numpy": "NumPy", "scipy": "SciPy", "sympy": "SymPy", "matplotlib": "Matplotlib"}
NAMED["scikit-learn"] = "scikit-learn"


def colophon() -> str:
    """The version, and the pinned versions with which every number was last verified."""
    text = (ROOT / "requirements.in").read_text()
    pins = dict(re.findall(r"^([\w-]+)==(\S+)", text, re.MULTILINE))
    used = ", ".join(f"{name} {pins[package]}" for package, name in NAMED.items())
    return f'<p class="hs-license">mlcore {mlcore.__version__}. Verified with {used}.</p>'


def add(app, config) -> None:
    config.html_theme_options["extra_footer"] += colophon()


def setup(app):
    app.connect("config-inited", add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
