"""Add a strict Content-Security-Policy to the pages, and move inline code to files.

Under the policy a browser ignores inline scripts and styles, so that injected code has no
effect.  But Sphinx, the theme, Matplotlib and Temml write inline code.  Scripts move to
files named by their digest, and each `style` attribute becomes a class named by its digest,
so that cached style sheets stay valid.

Only the script that sets the color theme blocks the rendering of a page.

Regular expressions edit the pages, because an HTML parser takes 16 s for all of them.
"""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

from sitebuild.chapters import ROOT

INLINE = re.compile(r"<script(?: data-cfasync=\"false\")?>(.*?)</script>", re.S)
STYLE = re.compile(r"<style>(.*?)</style>", re.S)
TAG = re.compile(r"""<[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>""")
VALUE = re.compile(r"""="[^"]*"|='[^']*'""")
EVENT_HANDLER = re.compile(r"\son\w+=")
STYLE_ATTRIBUTE = re.compile(r'\sstyle="([^"]*)"')
CLASS_ATTRIBUTE = re.compile(r'\sclass="')
# The script of a version switcher, which the book lacks; book.js handles the print button.
UNUSED = re.compile(
    r"<script>\s*DOCUMENTATION_OPTIONS\.pagename = '[^']*';?\s*</script>"
    r'| onclick="window\.print\(\)"'
)
SCRIPT_WITH_SRC = re.compile(r"<script(?=(?: data-\S+)? src=)")
FRAMES = "window.hsFrames = "  # as in extensions/animations.py
FOLDER = "_static/inline"


def csp_hash(script: str) -> str:
    """Return the hash of a script as a source expression of the policy."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest())
    return f"'sha256-{digest.decode()}'"


# 404.html is served at any path, so an inline script has to find the base URL of the site.
FIND_BASE = (
    (ROOT / "sitebuild/extensions/templates/find_base.html").read_text("utf-8").strip()
)
BASE_SCRIPT = INLINE.fullmatch(FIND_BASE)[1]
POLICY = (
    f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {csp_hash(BASE_SCRIPT)}; "
    "style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "worker-src 'self'; base-uri 'self'; form-action 'self'"
)
HEADER = f"{POLICY}; frame-ancestors 'none'"  # not allowed in a meta element
META = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'


def short_digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:length]


class InlineFiles:
    """The files that replace the inline code of a site."""

    def __init__(self, site: Path):
        self.site, self.folder = site, site / FOLDER
        self.classes: dict[str, str] = {}  # style attribute -> class
        self.folder.mkdir(parents=True, exist_ok=True)

    def store(self, text: str, suffix: str) -> str:
        """Write a text to a file; returns its path in the site."""
        name = f"{short_digest(text, 12)}.{suffix}"
        (self.folder / name).write_text(text.strip() + "\n", "utf-8")
        return f"{FOLDER}/{name}"

    def class_of(self, style: str) -> str:
        return self.classes.setdefault(style, f"s{short_digest(style, 8)}")

    def sheet(self) -> str:
        """Return a style sheet of the classes, more specific than all other rules."""
        rules = sorted((name, unescape(style)) for style, name in self.classes.items())
        return "".join(f".{name}:not(#_){{{style}}}\n" for name, style in rules)


def make_strict(site: Path) -> None:
    """Add the policy to every page of a site.

    Raises ValueError for an event handler attribute: use addEventListener instead.
    """
    files = InlineFiles(site)
    pages = [p for p in site.rglob("*.html") if "_static" not in p.relative_to(site).parts]
    texts = {page: move_inline(page, files) for page in sorted(pages)}
    for path in sorted(site.glob("_static/frames/*.js")):
        frames = json.loads(path.read_text("utf-8").removeprefix(FRAMES).rstrip(";\n"))
        frames = [[styles_to_classes(html, files) for html in group] for group in frames]
        path.write_text(f"{FRAMES}{json.dumps(frames)};\n", "utf-8")
    sheet = files.sheet()
    (files.folder / "styles.css").write_text(sheet, "utf-8")
    for page, text in texts.items():
        url = f"{path_to_root(page, site)}{FOLDER}/styles.css?v={short_digest(sheet, 8)}"
        link = f'<link rel="stylesheet" href="{url}">\n</head>'
        page.write_text(text.replace("</head>", link, 1), "utf-8")


def path_to_root(page: Path, site: Path) -> str:
    return "../" * (len(page.relative_to(site).parts) - 1)


def move_inline(page: Path, files: InlineFiles) -> str:
    """Return the HTML of a page with the policy, and move its inline code to files."""
    root = path_to_root(page, files.site)
    text = page.read_text("utf-8")
    if "<head>" not in text:  # a redirect
        return META + text
    text = text.replace("<head>", f"<head>{META}", 1)

    def link_to(text: str, html: str = '<script src="{}"></script>', suffix="js") -> str:
        return html.format(root + files.store(text, suffix))

    sheet = '<link rel="stylesheet" href="{}">'
    text = UNUSED.sub("", STYLE.sub(lambda match: link_to(match[1], sheet, "css"), text))
    head, body = text.split("</head>", 1)
    body = INLINE.sub(lambda match: link_to(match[1]), body)
    text = f"{merge_head_scripts(head, link_to)}</head>{body}"
    first = SCRIPT_WITH_SRC.search(text)  # sets the color theme
    # inline scripts of the search page need searchtools.js at once
    if first and "searchtools.js" not in head:
        end = first.end()
        text = text[:end] + SCRIPT_WITH_SRC.sub("<script defer", text[end:])
    text = styles_to_classes(text, files)
    for tag in TAG.findall(text):
        if EVENT_HANDLER.search(VALUE.sub("=", tag)):
            raise ValueError(f"{page.name}: use addEventListener instead of {tag}")
    return text


def merge_head_scripts(head: str, link_to: Callable[[str], str]) -> str:
    """Merge the inline scripts of a head into two files, to save requests.

    The first script sets the color theme, before anything is shown.  The others are
    settings for scripts that run after the page is loaded.
    """
    texts = [text for text in dict.fromkeys(INLINE.findall(head)) if text != BASE_SCRIPT]
    groups = filter(None, (texts[:1], texts[1:]))
    # the link replaces the first script of its group, and the other scripts are removed
    new = {BASE_SCRIPT: FIND_BASE} | {g[0]: link_to("\n".join(g)) for g in groups}
    return INLINE.sub(lambda match: new.pop(match[1], ""), head)


def styles_to_classes(html: str, files: InlineFiles) -> str:
    """Replace each style attribute by a class."""

    def add_class(tag: re.Match) -> str:
        if not (styled := STYLE_ATTRIBUTE.search(tag[0])):
            return tag[0]
        name = files.class_of(styled[1])
        rest = tag[0].replace(styled[0], "", 1)
        new = CLASS_ATTRIBUTE.sub(rf"\g<0>{name} ", rest, count=1)
        return new if new != rest else tag[0].replace(styled[0], f' class="{name}"', 1)

    return TAG.sub(add_class, html)
