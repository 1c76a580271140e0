"""Where the book is on the web: the build is told, and says it; it invents nothing."""

import re
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.etree import ElementTree

import address
import pytest
import yaml
from browsing import visiting
from making import ROOT, build_page

BASE, REPOSITORY = "https://example.org/a/book", "https://github.com/example/halfspaces"
PAGE = """---
jupytext: {text_representation: {format_name: myst}}
kernelspec: {name: python3, display_name: Python 3}
---
# A title

Of $x$ we say this. Of nothing that.
"""
HUB = "https://hub.example.org"


def build(folder: Path, **told) -> Path:
    """The site of a book of one page, a notebook, that is told these addresses alone."""
    config = {
        "title": "Book",
        "execute": {"execute_notebooks": "off"},
        "sphinx": {
            "local_extensions": {"address": str(ROOT / "_ext")},
            "config": {"book_description": "A small book"},
        },
    }
    with pytest.MonkeyPatch.context() as environment:
        for name in address.NAMES:  # a workflow may have told its own
            environment.setenv(f"HALFSPACES_{name}", told.get(name, ""))
        _, said, code = build_page(folder, PAGE, config)
    assert code == 0, said
    return folder / "_build" / "html"


@pytest.fixture(scope="module")
def plain(tmp_path_factory) -> Path:
    return build(tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def placed(tmp_path_factory) -> Path:
    told = {"ADDRESS": f"{BASE}/", "REPOSITORY": f"{REPOSITORY}/", "HUB": HUB}
    return build(tmp_path_factory.mktemp("placed"), **told)


def head(html: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)">', html))


def test_without_an_address_none_is_said(plain):
    html = (plain / "page.html").read_text()
    assert head(html) == {"description": "Of nothing that."}
    outside = set(re.findall(r'(?:href|src|content)="(https?://[^"]*)"', html))
    stock = ("https://jupyterbook.org", "https://cdn.jsdelivr.net/npm/mathjax")
    assert [url for url in outside if not url.startswith(stock)] == []
    assert "mybinder" not in html and "executablebooks" not in html
    assert not (plain / "sitemap.xml").exists()
    assert head((plain / "index.html").read_text()) == head(html)
    assert head((plain / "search.html").read_text()) == {"description": "A small book"}


def test_an_address_is_said_in_every_page(placed):
    html = (placed / "page.html").read_text()
    assert f'<link rel="canonical" href="{BASE}/page.html" />' in html
    assert head(html) == {
        "description": "Of nothing that.",
        "og:title": "A title",
        "og:description": "Of nothing that.",
        "og:type": "article",
        "og:site_name": "Book",
        "og:url": f"{BASE}/page.html",
        "og:image": f"{BASE}/_static/preview.png",
        "og:image:alt": address.CARD_ALT,
        "twitter:card": "summary_large_image",
    }
    front = (placed / "index.html").read_text()
    assert head(front) == head(html) and 'content="0; url=page.html"' in front
    pages = ElementTree.parse(placed / "sitemap.xml").iterfind("{*}url/{*}loc")
    assert [page.text for page in pages] == [f"{BASE}/page.html"]
    missing = (placed / "404.html").read_text()
    assert missing.index(f'<base href="{BASE}/">') < missing.index("stylesheet")
    assert "canonical" not in missing and 'href="#' not in missing


BINDER = "https://mybinder.org/v2/{}?urlpath=lab/tree/page.md"
COLAB = "https://colab.research.google.com/github/example/halfspaces/blob/main/page.md"
PULL = (
    f"{HUB}/hub/user-redirect/git-pull?repo=https%3A//github.com/example/halfspaces"
    "&urlpath=lab/tree/halfspaces/page.md&branch=main"
)


def launching(site: Path) -> list[str]:
    """Where the buttons lead that open a page elsewhere."""
    html = (site / "page.html").read_text()
    menu = html.partition("dropdown-launch-buttons")[2].partition("</ul>")[0]
    return re.findall(r'href="(https://[^"]*)"', menu)


def test_a_repository_brings_buttons_that_open_a_chapter(plain, placed):
    binder = BINDER.format("gh/example/halfspaces/main")
    assert launching(placed) == [binder, PULL, COLAB]
    assert launching(plain) == []


@pytest.mark.parametrize("name", ["ADDRESS", "REPOSITORY", "HUB"])
@pytest.mark.parametrize("value", ["example.org", "ftp://example.org", "https:///x"])
def test_what_is_no_address_is_refused(monkeypatch, name, value):
    monkeypatch.setenv(f"HALFSPACES_{name}", value)
    rule = rf"HALFSPACES_{name} has to begin with https:// and a host, not '{value}'"
    with pytest.raises(ValueError, match=rule):
        address.told()


@pytest.mark.parametrize("name", [".github/workflows/pages.yml", ".gitlab-ci.yml"])
def test_a_workflow_builds_proves_and_names_no_address(name):
    path = ROOT / name
    if not path.exists():
        pytest.skip("an sdist has no workflows")
    jobs = yaml.safe_load(path.read_text())
    steps = jobs["pages"]["script"] if "pages" in jobs else jobs["jobs"]["build"]["steps"]
    steps = [step if isinstance(step, str) else step.get("run") for step in steps]
    assert steps.index("make book") < steps.index("make test")
    told = set(re.findall(r"HALFSPACES_([A-Z]+)", path.read_text())) - {"CACHE"}
    assert told == {"ADDRESS", "REPOSITORY", "BRANCH"}
    assert "://" not in path.read_text()


# ------------------------------------------------------------ a page that is not there


@contextmanager
def serving(site: Path, below: str):
    """A server that answers with the site's own page what it does not find."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

        def send_head(self):
            self.path = self.path.partition("?")[0]
            inside = self.path.startswith(below)
            self.path = self.path.removeprefix(below.rstrip("/"))
            if not inside or not (site / self.path[1:]).is_file():
                self.path = "/404.html"
            return super().send_head()

        def send_response(self, code, message=None):
            super().send_response(404 if self.path == "/404.html" else code, message)

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("page", ["gone.html", "chapters/reference/a/gone"])
def test_who_misses_a_page_finds_the_book(browser, plain, page):
    below = "/sub/path/"
    with (
        serving(plain, below) as host,
        visiting(browser, f"{host}{below}"[:-1], page) as visit,
    ):
        shown = visit.page.locator("article h1").inner_text()
        assert shown.startswith("There is no such page")
        assert visit.page.evaluate("document.baseURI") == host + below
        sheets = "[...document.styleSheets].every((sheet) => sheet.cssRules.length)"
        assert visit.page.evaluate(sheets), "the style is found"
        assert visit.outside == []
        visit.page.get_by_role("link", name="The first page").click()
        assert visit.page.url == f"{host}{below}page.html"
