"""Warn about pictures without alternative text, and write the conformance report.

For a picture whose `alt` or `aria-label` has no words, the build fails with a warning that
names the page.  MyST warns about a heading that skips a level.  `{conformance-report} A`
inserts a table of the criteria of WCAG 2.2 from `sitebuild/access.toml`, and `EN` the
clauses of EN 301 549.  `{{ contact }}` says where to report a problem.
"""

import re
import tomllib

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from sitebuild.chapters import ROOT
from sitebuild.extensions.address import address_settings

PICTURE = re.compile(r"<(?:img|svg)\b[^>]*>")
WORDS = re.compile(r"""\s(?:(?:alt|aria-label)=\\?["'][^"']*\w|aria-hidden="true")""")
CRITERIA = ROOT / "sitebuild" / "access.toml"
HEAD = ("criterion", "site", "PDF", "EPUB", "remarks and tests")
logger = logging.getLogger(__name__)


def check_pictures(app, doctree) -> None:
    for node in doctree.findall(nodes.Element):
        if isinstance(node, nodes.image):
            wordless = [] if node.get("alt", "").strip() else [node["uri"]]
        elif isinstance(node, nodes.raw) and "html" in node.get("format", ""):
            html = "".join([node.astext(), *node.get("frames", ())])
            wordless = [tag for tag in PICTURE.findall(html) if not WORDS.search(tag)]
        else:
            continue
        for picture in wordless:
            location = node if node.line else node.parent
            message = "picture without alternative text: %s"
            logger.warning(message, picture[:80], location=location, type="access")


def add_contact(app, config) -> None:
    text = contact(address_settings()["REPOSITORY"])
    config.myst_substitutions = {**config.myst_substitutions, "contact": text}


class ConformanceReport(SphinxDirective):
    """Insert a table of the WCAG 2.2 criteria of level A or AA, or of the EN clauses."""

    required_arguments = 1

    def run(self):
        self.env.note_dependency(str(CRITERIA))
        criteria = tomllib.loads(CRITERIA.read_text("utf-8"))[self.arguments[0]]
        rows = [row(number, entry) for number, entry in criteria.items()]
        lines = [line(HEAD), line(["---"] * len(HEAD)), *rows]
        container = nodes.container(classes=["hs-report"])
        self.state.nested_parse(StringList(lines, str(CRITERIA)), 0, container)
        return [container]


def row(number: str, entry: dict) -> str:
    """Return the row of a criterion: three verdicts, the remarks, and the tests."""
    tests = [f"`{test}`" for test in entry.get("tests", ())]
    remarks = " ".join([entry.get("remarks", ""), *tests])
    site = entry["site"]
    pdf = entry.get("pdf", site if site == "Not applicable" else "Not evaluated")
    epub = entry.get("epub", pdf if pdf == "Not applicable" else "Not evaluated")
    return line([f"{number} {entry['name']}", site, pdf, epub, remarks])


def line(cells) -> str:
    return f"| {' | '.join(cells)} |"


def contact(repository: str) -> str:
    """Return Markdown that says where to report a problem."""
    if repository:
        return f"Report it in the [issues of the project]({repository}/issues)."
    return (
        "This copy was built without the address of its project. Write to the person or "
        "the course that gave it to you: they can correct a page, or pass your report on."
    )


def setup(app):
    app.connect("config-inited", add_contact)
    app.connect("doctree-read", check_pictures, priority=900)
    app.add_directive("conformance-report", ConformanceReport)
