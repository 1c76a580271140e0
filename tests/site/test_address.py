"""Absolute URLs in the pages, which depend on environment variables."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest

from sitebuild.extensions import address
from tests.helpers.browsing import open_page
from tests.helpers.temp_clone import Book
from tests.site.engines.drivers import run_process
from tests.site.server import serve

BASE, REPOSITORY = "https://example.org/a/book", "https://github.com/example/halfspaces"
HUB = "https://hub.example.org"


def build(folder: Path, **settings) -> Path:
    """Build a small book with these settings only."""
    book = Book(folder)
    book.write_page("# A title\n\nLet $x$ be a number. No formula here.\n")
    # override the settings of a workflow
    variables = {f"HALFSPACES_{name}": settings.get(name, "") for name in address.RULES}
    code, output = book.make(env=os.environ | variables)
    assert code == 0, output
    return book.site


@pytest.fixture(scope="module")
def plain_site(tmp_path_factory) -> Path:
    return build(tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def published_site(tmp_path_factory) -> Path:
    settings = {"ADDRESS": f"{BASE}/", "REPOSITORY": f"{REPOSITORY}/", "HUB": HUB}
    return build(tmp_path_factory.mktemp("published"), **settings)


def meta_tags(html: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)">', html))


NOTEBOOK = "chapters/one.ipynb"
BINDER = f"https://mybinder.org/v2/gh/example/halfspaces/main?urlpath=lab/tree/{NOTEBOOK}"
COLAB = "https://colab.research.google.com/github/example/halfspaces/blob/main/" + NOTEBOOK
PULL = (
    f"{HUB}/hub/user-redirect/git-pull?repo=https%3A//github.com/example/halfspaces"
    f"&urlpath=lab/tree/halfspaces/{NOTEBOOK}&branch=main"
)


def launch_targets(site: Path) -> list[str]:
    """List the targets of the launch buttons."""
    html = (site / "chapters" / "one.html").read_text()
    menu = html.partition("dropdown-launch-buttons")[2].partition("</ul>")[0]
    return re.findall(r'href="(https://[^"]*)"', menu)


@pytest.mark.slow
def test_no_absolute_urls_without_settings(plain_site):
    html = (plain_site / "chapters" / "two.html").read_text()
    assert meta_tags(html) == {"description": "No formula here."}
    external = re.findall(r'(?:href|src|content)="(https?://[^"]*)"', html)
    assert set(external) <= {"https://jupyterbook.org"} and launch_targets(plain_site) == []
    assert "mybinder" not in html and "executablebooks" not in html
    assert not (plain_site / "sitemap.xml").exists()
    html = (plain_site / "search.html").read_text()
    assert meta_tags(html) == {"description": "A small book"}


def test_settings_add_absolute_urls_to_pages(published_site):
    html = (published_site / "chapters" / "two.html").read_text()
    assert f'<link rel="canonical" href="{BASE}/chapters/two.html" />' in html
    assert meta_tags(html) == {
        "description": "No formula here.",
        "og:title": "A title",
        "og:description": "No formula here.",
        "og:type": "article",
        "og:site_name": "Book",
        "og:url": f"{BASE}/chapters/two.html",
        "og:image": f"{BASE}/_static/preview.png",
        "og:image:alt": "A line between two kinds of iris flowers",
        "twitter:card": "summary_large_image",
    }
    front = (published_site / "index.html").read_text()
    one = (published_site / "chapters" / "one.html").read_text()
    assert meta_tags(front) == meta_tags(one)
    assert 'content="0; url=chapters/one.html"' in front
    pages = ElementTree.parse(published_site / "sitemap.xml").iterfind("{*}url/{*}loc")
    listed = [f"{BASE}/chapters/{name}.html" for name in ("one", "two")]
    assert [page.text for page in pages] == listed
    html = (published_site / "404.html").read_text()
    assert html.index(f'<base href="{BASE}/">') < html.index("stylesheet")
    assert "canonical" not in html and 'href="#' not in html
    assert launch_targets(published_site) == [BINDER, PULL, COLAB]


INVALID = {"example.org": "ADDRESS", "https://example.org/a b": "ADDRESS"}
INVALID |= {"ftp://example.org/a/b": "REPOSITORY", "https://github.com/a": "REPOSITORY"}
INVALID |= {"we/ird#b": "BRANCH", "https:///x": "HUB"}


@pytest.mark.parametrize(("value", "name"), INVALID.items())
def test_invalid_setting_raises(monkeypatch, value, name):
    monkeypatch.setenv(f"HALFSPACES_{name}", value)
    with pytest.raises(ValueError, match=f"HALFSPACES_{name} must be .*; got '{value}'"):
        address.address_settings()


# ----------------------------------------------------------------- missing pages


@pytest.mark.slow
def test_not_found_page_links_to_the_book(browser, plain_site):
    with serve(plain_site) as root, open_page(browser, root, "") as visit:
        page = visit.page
        for path in ("gone.html", "chapters/reference/a/gone"):
            visit.open(path)
            title = page.locator("article h1").inner_text()
            assert title.startswith("There is no such page")
            assert page.evaluate("document.baseURI") == f"{root}/"
            sheets = "[...document.styleSheets].filter((s) => s.cssRules.length).length > 3"
            assert page.evaluate(sheets), "the style sheets are loaded"
            assert visit.external == []
            page.get_by_role("link", name="The first page").click()
            assert page.url == f"{root}/chapters/one.html"


def test_make_serve_shows_the_not_found_page(published_site):
    with socket.create_server(("127.0.0.1", 0)) as server:  # finds a free port
        host, port = server.getsockname()
    command = [sys.executable, "-m", "sitebuild.serve", "--port", str(port)]
    folder = published_site.parents[1]
    with run_process(command, cwd=folder, stdout=subprocess.PIPE) as server:
        server.stdout.readline()
        for path in ("gone.html", "%00"):
            with pytest.raises(HTTPError) as error:
                urlopen(f"http://{host}:{port}/{path}")
            assert b"There is no such page" in error.value.read()
