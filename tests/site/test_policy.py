"""The Content-Security-Policy: what pages contain, and its effect in a browser.

All other tests serve the pages with the same policy, and fail on a violation.
"""

import re

import pytest

from sitebuild import policy
from sitebuild.chapters import ROOT
from sitebuild.policy import HEADER, META
from tests.helpers.browsing import visiting

INLINE_SCRIPT = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.S)


def inline_parts(html: str) -> list[str]:
    """List inline scripts, styles and event handlers of a page."""
    found = [text for text in INLINE_SCRIPT.findall(html) if text != policy.BASE_SCRIPT]
    found += re.findall("<style[^>]*>", html)
    for tag in policy.TAG.findall(html):
        names = re.findall(r"\s([\w-]+)=", policy.VALUE.sub("=", tag))
        found += [name for name in names if name == "style" or name.startswith("on")]
    return found


def test_every_page_has_the_policy_and_no_inline_code(site):
    pages = [p for p in site.rglob("*.html") if "_static" not in p.parts]
    assert len(pages) > 20
    for page in pages:
        html = page.read_text()
        assert html.index(META) < re.search("<(?:script|link|style)", html).start(), page
        assert inline_parts(html) == [], page
    for frames in site.glob("_static/frames/*.js"):
        assert 'style=\\"' not in frames.read_text(), frames


def test_policy_allows_only_own_files_and_is_on_the_page_about_publishing():
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

NOTE = """window.forbidden = [];
document.addEventListener("securitypolicyviolation", (event) =>
    window.forbidden.push(event.effectiveDirective + " " + event.blockedURI));"""
# Attempts to inject code; each must fail.
INTRUDE = """async () => {
    const add = (tag, properties) =>
        document.body.append(Object.assign(document.createElement(tag), properties));
    add("script", {textContent: "window.intruded = true"});
    add("script", {src: "https://example.invalid/a.js"});
    add("img", {src: "https://example.invalid/a.png"});
    add("style", {textContent: "body { display: none }"});
    add("div", {innerHTML: "<p style='color: red' onclick='window.intruded = true'></p>"});
    document.body.lastChild.firstChild.click();
    add("base", {href: "https://example.invalid/"});
    try { await fetch("https://example.invalid/"); } catch { }
    // Playwright may use eval before the first await.
    await new Promise((resolve) => setTimeout(resolve, 200));
    try { (0, eval)("window.intruded = true"); } catch { }
}"""


@pytest.fixture(scope="module", params=["folder", "server"])
def reading(request, browser, site, server):
    """A chapter with its own policy from a folder, and with the policy of the server."""
    root = site.as_uri() if request.param == "folder" else server
    with visiting(browser, root, "chapters/perceptron.html") as visit:
        visit.page.evaluate(NOTE)
        yield visit


def test_pictures_have_colors_and_print_button_works(reading):
    page = reading.page
    look = "(e) => getComputedStyle(e).fill + getComputedStyle(e).stroke"
    colors = f"[...document.querySelectorAll('.hs-frame svg path')].map({look}).join()"
    before = page.evaluate(colors)
    assert "rgb(0, 114, 178)" in before and "rgb(213, 94, 0)" in before
    page.locator(".hs-animation input").first.press("ArrowRight")
    assert page.evaluate(colors) != before
    page.evaluate("window.print = () => (window.printed = true)")
    page.locator(".btn-download-pdf-button").evaluate("(button) => button.click()")
    assert page.evaluate("window.printed")
    assert page.evaluate("window.forbidden") == reading.errors == reading.external == []


def test_injected_code_is_blocked(reading):
    reading.page.evaluate(INTRUDE)
    assert reading.page.evaluate("window.intruded") is None
    assert reading.page.locator(".bd-article h1").is_visible()
    assert set(reading.page.evaluate("window.forbidden")) == {
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
    assert reading.external == []
