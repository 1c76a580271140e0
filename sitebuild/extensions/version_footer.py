"""Add versions and a link to the page on accessibility to the footer of every page."""

from importlib.metadata import version

import mlcore

NAMES = {"numpy": "NumPy", "scipy": "SciPy", "sympy": "SymPy", "matplotlib": "Matplotlib"}
NAMES["scikit-learn"] = "scikit-learn"


def add_versions(app, config) -> None:
    """Add the version, and the versions of the packages of this build."""
    versions = ", ".join(f"{name} {version(package)}" for package, name in NAMES.items())
    text = f"mlcore {mlcore.__version__}. Verified with {versions}."
    config.html_theme_options["extra_footer"] += f'<p class="hs-license">{text}</p>'


def link_accessibility(app, pagename, templatename, context, doctree) -> None:
    uri = context["pathto"]("chapters/accessibility")
    link = f'<p class="hs-license"><a href="{uri}">Accessibility</a></p>'
    context["theme_extra_footer"] += link


def setup(app):
    app.connect("config-inited", add_versions)
    app.connect("html-page-context", link_accessibility)
