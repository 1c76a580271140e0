"""The Content-Security-Policy: its presence in pages and its effect in a browser.

All other tests serve the pages with the same policy, and fail on a violation.
"""

import re

import pytest

from sitebuild import policy
from sitebuild.chapters import ROOT
from sitebuild.policy import HEADER, META
from tests.helpers.browsing import open_page

INLINE_SCRIPT = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.S)


def inline_parts(html: str) -> list[str]:
    """List inline scripts, styles and event handlers of a page."""
    parts = [text for text in INLINE_SCRIPT.findall(html) if text != policy.BASE_SCRIPT]
    parts += re.findall("<style[^>]*>", html)
    tags = [policy.VALUE.sub("=", tag) for tag in policy.TAG.findall(html)]
    return parts + [tag for tag in tags if re.search(r"\s(style|on[\w-]*)=", tag)]


def test_every_page_has_the_policy_and_no_inline_code(site):
    pages = [p for p in site.rglob("*.html") if "_static" not in p.parts]
    assert len(pages) > 20
    for page in pages:
        html = page.read_text()
        assert html.index(META) < re.search("<(?:script|link|style)", html).start(), page
        assert inline_parts(html) == [], page
    for frames in site.glob("_static/frames/*.js"):
        assert 'style=\\"' not in frames.read_text(), frames


def test_policy_allows_only_files_of_the_site_and_is_documented():
    """No other host, no inline code except one script by its hash, no eval."""
    rules = dict(rule.split(" ", 1) for rule in HEADER.split("; "))
    assert rules["default-src"] == rules["frame-ancestors"] == "'none'"
    words = " ".join(rules.values()).split()
    hashes = [word for word in words if word.startswith("'sha256-")]
    assert hashes == [policy.csp_hash(policy.BASE_SCRIPT)]
    assert {*words} - {*hashes} == {"'none'", "'self'", "'wasm-unsafe-eval'", "data:"}
    assert [name for name, rule in rules.items() if "data:" in rule] == ["img-src"]
    text = " ".join((ROOT / "chapters" / "publishing.md").read_text().split())
    assert f"Content-Security-Policy: {HEADER}" in text


# -------------------------------------------------------------------------- in a browser

RECORD_VIOLATIONS = """window.forbidden = [];
document.addEventListener("securitypolicyviolation", (event) =>
    window.forbidden.push(event.effectiveDirective + " " + event.blockedURI));"""
# Attempts to inject code; each must fail.
INJECT_CODE = """async () => {
    const add = (tag, properties) =>
        document.body.append(Object.assign(document.createElement(tag), properties));
    add("script", {textContent: "window.injected = true"});
    add("script", {src: "https://example.invalid/a.js"});
    add("img", {src: "https://example.invalid/a.png"});
    add("style", {textContent: "body { display: none }"});
    add("div", {innerHTML: "<p style='color: red' onclick='window.injected = true'></p>"});
    document.body.lastChild.firstChild.click();
    add("base", {href: "https://example.invalid/"});
    try { await fetch("https://example.invalid/"); } catch { }
    // Playwright may use eval before the first await.
    await new Promise((resolve) => setTimeout(resolve, 200));
    try { (0, eval)("window.injected = true"); } catch { }
}"""


@pytest.fixture(scope="module")
def chapter(browser, site):
    """A page from a folder, with the policy in its file."""
    with open_page(browser, site.as_uri(), "chapters/intro.html") as visit:
        visit.page.evaluate(RECORD_VIOLATIONS)
        yield visit


def test_pictures_have_colors_and_print_button_works(chapter):
    page = chapter.page
    look = "(e) => getComputedStyle(e).fill + getComputedStyle(e).stroke + e.outerHTML"
    paths = f"[...document.querySelectorAll('.hs-frame svg path')].map({look}).join()"
    first = page.evaluate(paths)
    page.locator(".hs-animation input").first.press("ArrowRight")
    second = page.evaluate(paths)
    assert first != second
    assert all("rgb(0, 114, 178)" in p and "rgb(213, 94, 0)" in p for p in (first, second))
    page.evaluate("window.print = () => (window.printed = true)")
    page.locator(".btn-download-pdf-button").evaluate("(button) => button.click()")
    assert page.evaluate("window.printed")
    assert page.evaluate("window.forbidden") == chapter.errors == chapter.external == []


def test_injected_code_is_blocked(chapter):
    chapter.page.evaluate(INJECT_CODE)
    assert chapter.page.evaluate("window.injected") is None
    assert chapter.page.locator(".bd-article h1").is_visible()
    assert set(chapter.page.evaluate("window.forbidden")) == {
        "script-src-elem inline",
        "script-src-elem https://example.invalid/a.js",
        "img-src https://example.invalid/a.png",
        "style-src-elem inline",
        "style-src-attr inline",
        "script-src-attr inline",
        "base-uri https://example.invalid/",
        "script-src eval",
        "connect-src https://example.invalid/",
    }
    assert chapter.external == []
