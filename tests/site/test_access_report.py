"""The accessibility conformance report is complete, and the tests that it names exist."""

import re
import tomllib
from collections import Counter

from sitebuild.chapters import ROOT
from sitebuild.extensions.access import CRITERIA, contact
from sitebuild.extensions.address import address_settings
from tests.site.test_pages import PAGES

LEVELS = tomllib.loads(CRITERIA.read_text("utf-8"))
REPORT = {number: entry for level in LEVELS.values() for number, entry in level.items()}
VERDICTS = "Supports|Partially supports|Does not support|Not applicable|Not evaluated"


def test_conformance_report_has_all_criteria_reasons_and_existing_tests():
    # WCAG 2.2 has no criterion 4.1.1; EN are the clauses of EN 301 549
    numbers = {name: len(level) for name, level in LEVELS.items()}
    assert numbers == {"A": 31, "AA": 24, "EN": 11}
    met = {entry["site"] for entry in [*LEVELS["A"].values(), *LEVELS["AA"].values()]}
    assert (met <= {"Supports", "Not applicable"}) == (REPORT["9.6"]["site"] == "Supports")
    for number, entry in REPORT.items():
        downloads = [entry.get(edition, "Not evaluated") for edition in ("pdf", "epub")]
        verdicts = [entry["site"], *downloads]
        assert all(re.fullmatch(VERDICTS, verdict) for verdict in verdicts), number
        reason = "tests" if "Supports" in verdicts else "remarks"
        assert entry.get(reason), f"{number}: no {reason}"
        for test in entry.get("tests", ()):
            file, name = test.split("::")
            source = (ROOT / "tests" / file).read_text("utf-8")
            assert f"def {name}(" in source, f"{number}: no test {test}"


def test_conformance_report_is_on_its_page_with_a_contact(site):
    html = (site / "chapters" / "accessibility.html").read_text("utf-8")
    row = re.search(r"1\.2\.1 Audio-only.*?</tr>", html, re.S)[0]
    assert row.count("Not applicable") == 3, "nor is it applicable to PDF and EPUB"
    repository = address_settings()["REPOSITORY"]
    assert (f'href="{repository}/issues"' if repository else "Write to the person") in html
    assert contact("https://host/a/b").count("https://host/a/b/issues") == 1
    for number, entry in REPORT.items():
        name = f"{number} {entry['name']}"
        assert re.search(
            rf"{re.escape(name)}</p>\s*</t[hd]>\s*<td><p>{entry['site']}<", html
        )


def test_ids_are_unique(site):
    for path in site.glob("**/*.html"):
        ids = Counter(re.findall(r'<[a-zA-Z][^>]*?\sid="([^"]+)"', path.read_text("utf-8")))
        assert [name for name, count in ids.items() if count > 1] == [], path


def test_menus_and_names_are_the_same_on_all_pages(site):
    """The contents have one order, and a button has one name, wherever it occurs."""
    menus, names = set(), {}
    for name in (*PAGES, "404", "search", "py-modindex"):
        html = (site / f"{name}.html").read_text("utf-8")
        contents = html.partition('<nav class="bd-links')[2].partition("</nav>")[0]
        menus.add(tuple(re.findall(r"<a [^>]*>\s*([^<]*?)\s*<", contents)))
        for button in re.findall(r"<(?:button|a)[^>]*\sclass=\"btn[^>]*>", html):
            key = re.search(r'class="([^"]*)"', button)[1]
            label = re.search(r'(?:aria-label|title)="([^"]*)"', button)
            names.setdefault(key, set()).add(label and label[1])
        footer = html.partition("bd-footer")[2]
        assert re.search(r'href="[^"]*(accessibility.html|#)">Accessibility<', footer), name
    for several in "btn dropdown-toggle", "btn btn-sm dropdown-item":  # of the two menus
        names.pop(several, None)
    assert len(menus) == 1 and len(*menus) >= len(PAGES) - 1
    assert names and all(len(labels) == 1 for labels in names.values()), names
