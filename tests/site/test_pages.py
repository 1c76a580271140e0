"""The pages as a reader meets them: in a browser, from a folder and from a server."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pack
import pytest
import yaml
from browsing import (
    access_problems,
    icon_problems,
    math_problems,
    moving_problems,
    visiting,
    width_problems,
)
from fetching import fetch
from stored import PATHS

import mlcore

ROOT = Path(__file__).resolve().parents[2]


def files_in(toc) -> list[str]:
    """The pages of the table of contents, in order."""
    if isinstance(toc, list):
        return [name for entry in toc for name in files_in(entry)]
    own = [toc[key] for key in ("root", "file") if key in toc]
    below = (toc[key] for key in ("parts", "chapters", "sections") if key in toc)
    return own + [name for entries in below for name in files_in(entries)]


PAGES = files_in(yaml.safe_load((ROOT / "_toc.yml").read_text()))
PHONE = 390
KINDS = ("intro.html", "glossary.html", "perceptron.html", "lists.html", "shelf.html")
ONCE, AGAIN = ("folder", "light", 1280), ("server", "dark", PHONE)
VISITS = [
    pytest.param((name, reader), marks=marks, id="-".join(map(str, (name, *reader))))
    for reader, marks in ((ONCE, []), (AGAIN, pytest.mark.slow))
    for name in PAGES
]


@pytest.fixture(scope="session")
def axe() -> str:
    return (fetch() / "tests" / "axe.min.js").read_text()


@pytest.fixture(scope="module", params=VISITS)
def visit(request, browser, site, server):
    name, (where, scheme, width) = request.param
    root = site.as_uri() if where == "folder" else server
    with visiting(browser, root, f"{name}.html", width=width, scheme=scheme) as visit:
        yield visit


def test_formulas_are_set(visit):
    assert math_problems(visit.page) == []


def test_icons_are_drawn(visit):
    assert icon_problems(visit.page) == []


def test_it_fits_the_window(visit):
    assert width_problems(visit.page) == []


def test_it_fits_a_phone(visit):
    assert width_problems(visit.page, PHONE) == []


def test_moving_pictures_move(visit):
    most = 1000 if visit.page.url.startswith("http") else 1  # every frame once is enough
    assert moving_problems(visit.page, most=most) == []


def test_everyone_can_use_it(visit, axe):
    """Each kind of page; in the dark and on a phone, which is slow, all of them."""
    if visit.page.url.startswith("http") or visit.page.url.endswith(KINDS):
        assert access_problems(visit.page, axe) == []


def test_nothing_is_asked_of_the_network(visit):
    assert visit.outside == []


def test_nothing_complains(visit):
    assert visit.complaints == []


# --------------------------------------------------------------------------- links


class Links(HTMLParser):
    """The addresses that a page points to, and the ids that it offers."""

    def __init__(self, page: Path):
        super().__init__()
        self.addresses, self.ids = [], set()
        self.feed(page.read_text())

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            if key in ("href", "src") and tag != "use" and value:
                self.addresses.append(value)
            elif key == "id":
                self.ids.add(value)


links_of = cache(Links)


def link_problems(page: Path) -> list[str]:
    """Internal links and images of a page that lead nowhere."""
    found = []
    for address in links_of(page).addresses:
        url = urlsplit(address)
        if url.scheme or url.netloc:
            continue
        target = page.parent / unquote(url.path) if url.path else page
        if not target.is_file():
            found.append(f"no such file: {address}")
        elif url.fragment and target.suffix == ".html":
            offered = links_of(target.resolve()).ids
            found += [f"no such place: {address}"] * (unquote(url.fragment) not in offered)
    return found


@pytest.mark.parametrize("name", ["index", "404", "search", "genindex", *PAGES])
def test_links_lead_somewhere(site, name):
    assert link_problems(site / f"{name}.html") == []


@pytest.mark.parametrize("name", PAGES)
def test_no_picture_styles_the_page(site, name):
    """A <style> in an inline SVG holds for the whole page, and makes frames slow."""
    html = (site / f"{name}.html").read_text()
    assert re.findall(r"<svg(?:(?!</svg>).)*?<style[^<]*", html, flags=re.S) == []


# ------------------------------------------------------------------------ downloads

WHEEL = f"mlcore-{mlcore.__version__}-py3-none-any.whl"


def test_the_site_serves_the_wheel_in_the_menu_of_every_notebook(site, tmp_path):
    served = site / "downloads" / WHEEL
    assert served.read_bytes() == pack.wheel(tmp_path).read_bytes()
    assert [p.name for p in served.parent.iterdir()] == [WHEEL]
    for path in PATHS:
        page = (site / "chapters" / f"{path.stem}.html").read_text()
        assert f'href="../downloads/{WHEEL}"' in page
        assert "package of the book" not in page, "the page needs no installation"
