"""Pages in a browser, from a folder and from a server."""

import re
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import mlcore
from sitebuild import epub
from sitebuild.chapters import toc_parts
from sitebuild.wheel import build_wheel
from tests.helpers.browsing import (
    accessibility_problems,
    accessible_name_problems,
    animation_problems,
    icon_problems,
    math_problems,
    open_page,
    width_problems,
)
from tests.helpers.notebooks import PATHS

PAGES = [page for *_, part in toc_parts() for page in part]
PHONE = 320  # pixels, also the width of a window of 1280 pixels at 400%
slow = pytest.mark.slow
SAMPLE = ("intro", "glossary", "perceptron", "lists", "data")  # a page of each kind
SAMPLE_PAGES = [name for name in PAGES if name.endswith(SAMPLE)]


@pytest.fixture(scope="module")
def light_visit(browser, site):
    with open_page(browser, site.as_uri(), "404.html") as visit:
        yield visit


@pytest.fixture(scope="module")
def dark_visit(browser, server):
    with open_page(browser, server, "", width=PHONE, scheme="dark") as visit:
        yield visit


@pytest.mark.parametrize("name", SAMPLE_PAGES)
def test_page_from_a_folder_has_no_problems(light_visit, name):
    light_visit.open(f"{name}.html")
    page = light_visit.page
    problems = problems_of(page) + animation_problems(page, max_steps=1)
    # alternate the widths, since each change costs a layout
    other = PHONE if page.viewport_size["width"] > PHONE else 1280
    page.set_viewport_size({"width": other, "height": 900})
    problems += width_problems(page) + accessibility_problems(page)
    assert problems + light_visit.external + light_visit.errors == []


@slow
@pytest.mark.parametrize("name", PAGES)
def test_dark_page_from_a_server_on_a_phone_has_no_problems(dark_visit, name):
    page = dark_visit.page
    page.set_viewport_size({"width": PHONE, "height": 900})
    dark_visit.open(f"{name}.html")
    problems = problems_of(page) + animation_problems(page) + accessibility_problems(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    problems += width_problems(page)
    assert problems + dark_visit.external + dark_visit.errors == []


def problems_of(page) -> list[str]:
    problems = math_problems(page) + icon_problems(page)
    return problems + width_problems(page) + accessible_name_problems(page)


# --------------------------------------------------------------------------- links


@cache
def links_and_ids(page: Path) -> tuple[list[str], set[str]]:
    """Return the links and the ids of a page."""
    html = re.sub(r"(?s)<script>.*?</script>", "", page.read_text())
    tags = " ".join(re.findall(r"<(?!use\b)\w[^>]*>", html))
    addresses = re.findall(r'\s(?:href|src)="([^"]+)"', tags)
    return list(map(unescape, addresses)), set(re.findall(r'\sid="([^"]+)"', html))


def link_problems(page: Path) -> list[str]:
    """List broken internal links and images of a page."""
    problems = []
    for address in links_and_ids(page)[0]:
        url = urlsplit(address)
        if url.scheme or url.netloc:
            continue
        target = page.parent / unquote(url.path) if url.path else page
        if not target.is_file():
            problems.append(f"no such file: {address}")
        elif url.fragment and target.suffix == ".html":
            ids = links_and_ids(target.resolve())[1]
            if unquote(url.fragment) not in ids:
                problems.append(f"no such id: {address}")
    return problems


def test_links_are_valid_and_pictures_have_no_style_element(site):
    """A <style> in an inline SVG applies to the whole page, and slows animations down."""
    for name in ("index", "404", "search", *PAGES):
        page = site / f"{name}.html"
        assert link_problems(page) == [], name
        styled_svg = r"<svg(?:(?!</svg>).)*?<style[^<]*"
        assert re.findall(styled_svg, page.read_text(), flags=re.S) == [], name


# ------------------------------------------------------------------------ downloads

WHEEL = f"halfspaces-{mlcore.__version__}-py3-none-any.whl"


def test_download_menu_offers_wheel_and_epub(site, tmp_path):
    wheel = site / "downloads" / WHEEL
    current = wheel.read_bytes() == build_wheel(tmp_path).read_bytes()
    assert current, "run make book"  # a diff of the bytes would take minutes
    assert {p.name for p in wheel.parent.iterdir()} == {WHEEL, Path(epub.PATH).name}
    for path in PATHS:
        page = (site / "chapters" / f"{path.stem}.html").read_text()
        assert f'href="../downloads/{WHEEL}"' in page and f'href="../{epub.PATH}"' in page
        assert "This notebook needs" not in page, "pages need no installation"
