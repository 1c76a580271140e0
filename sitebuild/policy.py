"""Add a strict Content-Security-Policy to the pages, and move inline code to files.

Under the policy a browser ignores inline scripts and styles, so that injected ones have no
effect.  But Sphinx, the theme, Matplotlib and Temml write inline code.  Scripts move to
files named by their digest, and each `style` attribute becomes a class; equal attributes
share a class, so that cached style sheets stay valid.

Only the script that sets the color theme blocks the rendering of a page.

The pages are edited by regular expressions: an HTML parser takes 16 s for all of them.
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
STYLED = re.compile(r'\sstyle="([^"]*)"')
CLASSED = re.compile(r'\sclass="')
# A version switcher, which we do not have, and a print button, which book.js handles.
UNUSED = re.compile(
    r"<script>\s*DOCUMENTATION_OPTIONS\.pagename = '[^']*';?\s*</script>"
    r'| onclick="window\.print\(\)"'
)
WITH_FILE = re.compile(r"<script(?=(?: data-\S+)? src=)")
FRAMES = "window.hsFrames = "  # as in extensions/animations.py
FOLDER = "_static/inline"


def hash_of(script: str) -> str:
    """Return the hash of a script in the syntax of a policy."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest())
    return f"'sha256-{digest.decode()}'"


# 404.html is served at any path, so an inline script has to find the base URL of the site.
FIND_BASE = (
    (ROOT / "sitebuild/extensions/templates/find_base.html").read_text("utf-8").strip()
)
BASE_SCRIPT = INLINE.fullmatch(FIND_BASE)[1]
POLICY = (
    f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {hash_of(BASE_SCRIPT)}; "
    "style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "worker-src 'self'; base-uri 'self'; form-action 'self'"
)
HEADER = f"{POLICY}; frame-ancestors 'none'"  # not allowed in a meta element
META = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'


def digest(text: str, letters: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:letters]


class Files:
    """Writes the files for the inline code of a site."""

    def __init__(self, site: Path):
        self.site, self.folder = site, site / FOLDER
        self.classes: dict[str, str] = {}  # style attribute -> class
        self.folder.mkdir(parents=True, exist_ok=True)

    def store(self, text: str, suffix: str) -> str:
        """Write a file with this text; returns its path in the site."""
        name = f"{digest(text, 12)}.{suffix}"
        (self.folder / name).write_text(text.strip() + "\n", "utf-8")
        return f"{FOLDER}/{name}"

    def class_of(self, style: str) -> str:
        return self.classes.setdefault(style, f"s{digest(style, 8)}")

    def sheet(self) -> str:
        """Return a style sheet of the classes, with a specificity above all other rules."""
        known = sorted((name, unescape(style)) for style, name in self.classes.items())
        return "".join(f".{name}:not(#_){{{style}}}\n" for name, style in known)


def make_strict(site: Path) -> None:
    """Add the policy to every page of a site.

    Raises ValueError for an event handler attribute: use addEventListener instead.
    """
    files = Files(site)
    pages = [p for p in site.rglob("*.html") if "_static" not in p.relative_to(site).parts]
    texts = {page: move_inline(page, files) for page in sorted(pages)}
    for path in sorted(site.glob("_static/frames/*.js")):
        frames = json.loads(path.read_text("utf-8").removeprefix(FRAMES).rstrip(";\n"))
        done = [[styles_to_classes(frame, files) for frame in others] for others in frames]
        path.write_text(f"{FRAMES}{json.dumps(done)};\n", "utf-8")
    sheet = files.sheet()
    (files.folder / "styles.css").write_text(sheet, "utf-8")
    for page, text in texts.items():
        address = f"{path_to_root(page, site)}{FOLDER}/styles.css?v={digest(sheet, 8)}"
        link = f'<link rel="stylesheet" href="{address}">\n</head>'
        page.write_text(text.replace("</head>", link, 1), "utf-8")


def path_to_root(page: Path, site: Path) -> str:
    return "../" * (len(page.relative_to(site).parts) - 1)


def move_inline(page: Path, files: Files) -> str:
    """Return a page with its policy, and its inline code moved to files."""
    root = path_to_root(page, files.site)
    text = page.read_text("utf-8")
    if "<head>" not in text:  # only a redirect
        return META + text
    text = text.replace("<head>", f"<head>{META}", 1)

    def stored(text: str, form: str = '<script src="{}"></script>', suffix="js") -> str:
        return form.format(root + files.store(text, suffix))

    sheet = '<link rel="stylesheet" href="{}">'
    text = UNUSED.sub("", STYLE.sub(lambda found: stored(found[1], sheet, "css"), text))
    head, body = text.split("</head>", 1)
    body = INLINE.sub(lambda found: stored(found[1]), body)
    text = f"{merge_head_scripts(head, stored)}</head>{body}"
    colors = WITH_FILE.search(text)
    if colors and "searchtools.js" not in head:  # which inline scripts use at once
        end = colors.end()
        text = text[:end] + WITH_FILE.sub("<script defer", text[end:])
    text = styles_to_classes(text, files)
    for tag in TAG.findall(text):
        if EVENT_HANDLER.search(VALUE.sub("=", tag)):
            raise ValueError(f"{page.name}: use addEventListener instead of {tag}")
    return text


def merge_head_scripts(head: str, stored: Callable[[str], str]) -> str:
    """Merge the inline scripts of a head into two files, to save requests.

    The first script sets the color theme, before anything is shown.  The others are
    settings for scripts that run after the page is loaded.
    """
    texts = [text for text in dict.fromkeys(INLINE.findall(head)) if text != BASE_SCRIPT]
    groups = filter(None, (texts[:1], texts[1:]))
    new = {BASE_SCRIPT: FIND_BASE} | {g[0]: stored("\n".join(g)) for g in groups}
    return INLINE.sub(lambda found: new.pop(found[1], ""), head)


def styles_to_classes(html: str, files: Files) -> str:
    """Replace each style attribute by a class."""

    def with_class(tag: re.Match) -> str:
        if not (styled := STYLED.search(tag[0])):
            return tag[0]
        name = files.class_of(styled[1])
        rest = tag[0].replace(styled[0], "", 1)
        done = CLASSED.sub(rf"\g<0>{name} ", rest, count=1)
        return done if done != rest else tag[0].replace(styled[0], f' class="{name}"', 1)

    return TAG.sub(with_class, html)
