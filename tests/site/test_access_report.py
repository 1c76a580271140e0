"""The conformance report: complete, and backed by tests that exist."""

import re
import tomllib
from collections import Counter

from sitebuild.chapters import ROOT
from sitebuild.extensions.access import CRITERIA
from tests.site.test_pages import PAGES

CLAIMED = tomllib.loads(CRITERIA.read_text("utf-8"))
VERDICTS = "Supports|Partially supports|Does not support|Not applicable|Not evaluated"


def test_report_has_all_criteria_and_reasons():
    levels = Counter(known["level"] for known in CLAIMED.values())
    assert levels == {"A": 31, "AA": 24}  # of WCAG 2.2, without 4.1.1, which it dropped
    for number, known in CLAIMED.items():
        printed = [known.get(edition, "Not evaluated") for edition in ("pdf", "epub")]
        verdicts = [known["site"], *printed]
        assert all(re.fullmatch(VERDICTS, verdict) for verdict in verdicts), number
        reason = "tests" if "Supports" in verdicts else "remarks"
        assert known.get(reason), f"{number}: no {reason}"


def test_named_tests_exist():
    for number, known in CLAIMED.items():
        for test in known.get("tests", ()):
            file, name = test.split("::")
            source = (ROOT / "tests" / file).read_text("utf-8")
            assert f"def {name}(" in source, f"{number}: no test {test}"


def test_report_is_on_its_page(site):
    html = (site / "chapters" / "accessibility.html").read_text("utf-8")
    for number, known in CLAIMED.items():
        name = f"{number} {known['name']}"
        assert re.search(
            rf"{re.escape(name)}</p>\s*</t[hd]>\s*<td><p>{known['site']}<", html
        )


def test_every_page_links_to_the_statement(site):
    for name in (*PAGES, "404", "search", "py-modindex"):
        footer = (site / f"{name}.html").read_text("utf-8").partition("bd-footer")[2]
        assert re.search(r'href="[^"]*(accessibility.html|#)">Accessibility<', footer), name
