"""The pages under a strict Content-Security-Policy: what stands inline goes to files.

Under the policy a browser runs no script and follows no style that is written in a page, so
one that gets into a page does nothing.  But Sphinx, the theme, Matplotlib and Temml write
theirs there, too.  They move: scripts into files, each named by its digest; a `style` into
a class, the same for the same declarations, so that what is cached stays right.

The words of a page wait for no script but that of the colors.
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
ACTS = re.compile(r"\son\w+=")
STYLED = re.compile(r'\sstyle="([^"]*)"')
CLASSED = re.compile(r'\sclass="')
# What is for a choice of versions, which are not here; and to print, which book.js does.
UNUSED = re.compile(
    r"<script>\s*DOCUMENTATION_OPTIONS\.pagename = '[^']*';?\s*</script>"
    r'| onclick="window\.print\(\)"'
)
WITH_FILE = re.compile(r"<script(?=(?: data-\S+)? src=)")
FRAMES = "window.hsFrames = "  # see extensions/moving_pictures.py
FOLDER = "_static/inline"


def hash_of(script: str) -> str:
    """A script as a policy names it."""
    of = base64.b64encode(hashlib.sha256(script.encode()).digest())
    return f"'sha256-{of.decode()}'"


# The page for what is not found does not know where files lie before this script has run.
FIND_BASE = (
    (ROOT / "sitebuild/extensions/templates/find_base.html").read_text("utf-8").strip()
)
BASE_SCRIPT = INLINE.fullmatch(FIND_BASE)[1]
POLICY = (
    f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {hash_of(BASE_SCRIPT)}; "
    "style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "worker-src 'self'; base-uri 'self'; form-action 'self'"
)
HEADER = f"{POLICY}; frame-ancestors 'none'"  # which a page cannot say of itself
META = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'


def digest(text: str, letters: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:letters]


class Files:
    """The files for what stood inline in the pages of a site."""

    def __init__(self, site: Path):
        self.site, self.folder = site, site / FOLDER
        self.classes: dict[str, str] = {}  # of each text of a style attribute
        self.folder.mkdir(parents=True, exist_ok=True)

    def named(self, text: str, suffix: str) -> str:
        """The address in the site of a file with this text."""
        name = f"{digest(text, 12)}.{suffix}"
        (self.folder / name).write_text(text.strip() + "\n", "utf-8")
        return f"{FOLDER}/{name}"

    def class_of(self, style: str) -> str:
        return self.classes.setdefault(style, f"s{digest(style, 8)}")

    def sheet(self) -> str:
        """The rules for the classes; like the attributes, they weigh more than others."""
        known = sorted((name, unescape(style)) for style, name in self.classes.items())
        return "".join(f".{name}:not(#_){{{style}}}\n" for name, style in known)


def make_strict(site: Path) -> None:
    """Put every page of a site under the policy.

    Raises ValueError where an attribute of a page acts: a script has to listen instead.
    """
    files = Files(site)
    pages = [p for p in site.rglob("*.html") if "_static" not in p.relative_to(site).parts]
    texts = {page: without_inline(page, files) for page in sorted(pages)}
    for path in sorted(site.glob("_static/frames/*.js")):
        frames = json.loads(path.read_text("utf-8").removeprefix(FRAMES).rstrip(";\n"))
        done = [[without_styles(frame, files) for frame in others] for others in frames]
        path.write_text(f"{FRAMES}{json.dumps(done)};\n", "utf-8")
    sheet = files.sheet()
    (files.folder / "styles.css").write_text(sheet, "utf-8")
    for page, text in texts.items():
        address = f"{way_up(page, site)}{FOLDER}/styles.css?v={digest(sheet, 8)}"
        link = f'<link rel="stylesheet" href="{address}">\n</head>'
        page.write_text(text.replace("</head>", link, 1), "utf-8")


def way_up(page: Path, site: Path) -> str:
    return "../" * (len(page.relative_to(site).parts) - 1)


def without_inline(page: Path, files: Files) -> str:
    """A page with its policy, and without what that forbids."""
    up = way_up(page, files.site)
    text = page.read_text("utf-8")
    if "<head>" not in text:  # it only leads elsewhere
        return META + text
    text = text.replace("<head>", f"<head>{META}", 1)

    def stored(text: str, form: str = '<script src="{}"></script>', suffix="js") -> str:
        return form.format(up + files.named(text, suffix))

    sheet = '<link rel="stylesheet" href="{}">'
    text = UNUSED.sub("", STYLE.sub(lambda found: stored(found[1], sheet, "css"), text))
    head, body = text.split("</head>", 1)
    body = INLINE.sub(lambda found: stored(found[1]), body)
    text = f"{settings_together(head, stored)}</head>{body}"
    colors = WITH_FILE.search(text)
    if colors and "searchtools.js" not in head:  # which others look for from the beginning
        end = colors.end()
        text = text[:end] + WITH_FILE.sub("<script defer", text[end:])
    text = without_styles(text, files)
    for tag in TAG.findall(text):
        if ACTS.search(VALUE.sub("=", tag)):
            raise ValueError(f"{page.name}: a script has to listen instead of {tag}")
    return text


def settings_together(head: str, stored: Callable[[str], str]) -> str:
    """A head with two files for its scripts, so that there are few to ask for.

    The first script chooses the colors, before anything is shown.  The others are settings,
    which the scripts behind them read when all of the page is there.
    """
    texts = [text for text in dict.fromkeys(INLINE.findall(head)) if text != BASE_SCRIPT]
    groups = filter(None, (texts[:1], texts[1:]))
    puts = {BASE_SCRIPT: FIND_BASE} | {g[0]: stored("\n".join(g)) for g in groups}
    return INLINE.sub(lambda found: puts.pop(found[1], ""), head)


def without_styles(html: str, files: Files) -> str:
    """HTML with a class in the place of each style attribute."""

    def classed(tag: re.Match) -> str:
        if not (styled := STYLED.search(tag[0])):
            return tag[0]
        name = files.class_of(styled[1])
        rest = tag[0].replace(styled[0], "", 1)
        done = CLASSED.sub(rf"\g<0>{name} ", rest, count=1)
        return done if done != rest else tag[0].replace(styled[0], f' class="{name}"', 1)

    return TAG.sub(classed, html)
