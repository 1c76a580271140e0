"""The last lines of every page: which version it is, and what its outputs came from."""

import re

import mlcore
from sitebuild.chapters import ROOT

NAMED = {"numpy": "NumPy", "scipy": "SciPy", "sympy": "SymPy", "matplotlib": "Matplotlib"}
NAMED["scikit-learn"] = "scikit-learn"


def add(app, config) -> None:
    """The version, and the pinned versions with which every number was last verified."""
    text = (ROOT / "requirements.in").read_text()
    pins = dict(re.findall(r"^([\w-]+)==(\S+)", text, re.MULTILINE))
    used = ", ".join(f"{name} {pins[package]}" for package, name in NAMED.items())
    line = f'<p class="hs-license">mlcore {mlcore.__version__}. Verified with {used}.</p>'
    config.html_theme_options["extra_footer"] += line


def setup(app):
    app.connect("config-inited", add)
