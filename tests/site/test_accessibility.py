"""Tasks that use only Chromium's accessibility tree, as a screen reader does."""

import time

import pytest

from tests.helpers.browsing import open_page

pytestmark = pytest.mark.slow
HEADERS = ("columnheader", "rowheader")
ROLES_WITH_FORMULAS = ("button", "link", "heading", "DisclosureTriangle", *HEADERS)


# Collects the texts of live regions, after each change.
LISTEN = """() => {
    window.heard = [];
    const region = ":is(output, [role=status], [aria-live]):not([aria-live=off])";
    const owner = (node) => (node.closest ? node : node.parentElement)?.closest(region);
    new MutationObserver((records) => new Set(records.map(({ target }) => owner(target)))
        .forEach((e) => e?.textContent.trim() && heard.push(e.textContent.trim())))
        .observe(document, { subtree: true, childList: true, characterData: true });
}"""


class Reader:
    def __init__(self, page):
        self.page, self.keys = page, page.keyboard
        self.cdp = page.context.new_cdp_session(page)
        page.evaluate(LISTEN)
        self.cdp.send("DOM.enable")

    def nodes(self):
        nodes = self.cdp.send("Accessibility.getFullAXTree")["nodes"]
        self.tree = {node["nodeId"]: node for node in nodes}
        return [node for node in nodes if not node["ignored"]]

    def descendants(self, node):
        children = [self.tree[k] for k in node["childIds"] if k in self.tree]
        return children + [inner for child in children for inner in self.descendants(child)]

    def wait(self, role, words):
        """Wait for a node with a role (or "live", a live region) and words in its text."""
        end = time.monotonic() + 240  # seconds, for busy machines
        while time.monotonic() < end:
            for node in (node for node in self.nodes() if role in roles(node)):
                inner = [n for n in self.descendants(node) if roles(n)[0] == "StaticText"]
                if words in (name(node) or " ".join(map(name, inner))):
                    return node
        pytest.fail(f"no {role} has {words!r}")

    def press(self, role, words, key="Enter"):
        """Focus a node, as a screen reader does by its shortcuts, and press a key."""
        node = self.wait(role, words)
        self.cdp.send("DOM.focus", {"backendNodeId": node["backendDOMNodeId"]})
        self.keys.press(key)


def name(node) -> str:
    return node.get("name", {}).get("value", "")


def roles(node) -> list[str]:
    """Return the role of a node, and "live" if it is a live region."""
    live = any(p["name"] == "live" for p in node.get("properties", ()))
    return [node["role"]["value"]] + (["live"] if live else [])


@pytest.fixture
def reader(browser, server, request):
    with open_page(browser, server, f"chapters/{request.param}.html") as visit:
        yield Reader(visit.page)
        assert visit.errors == []


def on_pages(*pages):
    return pytest.mark.parametrize("reader", pages, indirect=True)


@on_pages("intro")
def test_search_finds_a_theorem(reader):
    reader.keys.press("Control+k")
    reader.wait("dialog", "Search the book")
    reader.keys.type("novikoff\n")
    reader.wait("live", "Search finished, found")
    reader.press("link", "The perceptron")
    reader.wait("DisclosureTriangle", "Novikoff's theorem")


@on_pages("perceptron", "proofs")
def test_accessible_names_include_formulas(reader):
    nodes = [node for node in reader.nodes() if roles(node)[0] in ROLES_WITH_FORMULAS]
    pairs = [(node, inner) for node in nodes for inner in reader.descendants(node)]
    formulas = [(name(n), name(f)) for n, f in pairs if roles(f)[0] == "MathMLMath"]
    assert len(formulas) > 5 and all(words and words in whole for whole, words in formulas)


@on_pages("background")
def test_tooltip_description_includes_its_formula(reader):
    description = reader.wait("link", "hinge losses")["description"]["value"]
    assert "The loss max of open paren 0 comma 1 minus z" in description


@on_pages("perceptron")
def test_exercise_can_be_solved(reader):
    reader.press("button", "Edit and run")
    reader.wait("textbox", "Your code for Exercise 3.1")
    reader.keys.press("Control+a")
    reader.keys.type("check.by_hand((2, 3), 5)")
    reader.keys.press("Control+Enter")
    reader.wait("live", "Right. The run needs")
    *before, verdict = reader.page.evaluate("heard")
    assert verdict.startswith("Right.")
    assert before in (["Python is loading."], ["Python is loading.", "Python is ready."])


@on_pages("geometry")
def test_moved_point_announces_its_values(reader):
    assert reader.wait("slider", "point 1")["value"]["value"] == 3
    reader.press("slider", "point 1", "ArrowRight")
    reader.wait("live", "point 1. score of x 10.2. signed distance")
    assert reader.page.evaluate("heard.length") == 2
    assert reader.wait("slider", "point 1")["value"]["value"] > 3.05
    reader.press("slider", "point 1", "Escape")
    reader.wait("live", "point 1. score of x 10. signed distance")


@on_pages("proofs")
def test_lines_of_a_proof_can_be_ordered(reader):
    for number, words in enumerate(("w dot w star equals 0", "adds y sub i w star"), 1):
        reader.press("button", words)
        reader.wait("live", f"Now line {number}.")
