"""Add versions and a link to the page on accessibility to the footer of every page."""

import re

import mlcore
from sitebuild.chapters import ROOT

NAMES = {"numpy": "NumPy", "scipy": "SciPy", "sympy": "SymPy", "matplotlib": "Matplotlib"}
NAMES["scikit-learn"] = "scikit-learn"


def add(app, config) -> None:
    """Add the version, and the pinned versions with which all numbers were verified."""
    text = (ROOT / "requirements.in").read_text()
    pins = dict(re.findall(r"^([\w-]+)==(\S+)", text, re.MULTILINE))
    used = ", ".join(f"{name} {pins[package]}" for package, name in NAMES.items())
    line = f'<p class="hs-license">mlcore {mlcore.__version__}. Verified with {used}.</p>'
    config.html_theme_options["extra_footer"] += line


def link_accessibility(app, pagename, templatename, context, doctree) -> None:
    uri = context["pathto"]("chapters/accessibility")
    link = f'<p class="hs-license"><a href="{uri}">Accessibility</a></p>'
    context["theme_extra_footer"] += link


def setup(app):
    app.connect("config-inited", add)
    app.connect("html-page-context", link_accessibility)
