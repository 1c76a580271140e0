"""Serve those icons of the theme that the book shows: a dozen of two thousand.

The theme's file with all of them is 1.5 MB, and its other scripts wait for it.  What the
file does stays as it is, the table of drawings in it becomes shorter.  The same icons as
letters go, with their fonts: a browser would ask for 157 kB until the drawings are there.
"""

import re
import shutil
from pathlib import Path

import pydata_sphinx_theme

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
SCRIPT = "scripts/fontawesome.js"
STYLE = "styles/pydata-sphinx-theme.css"
LETTER = re.compile(
    r'(?:\.fa-[a-z0-9-]+:before,?)+\{content:"[^"]*"\}|@font-face\{[^}]*fontawesome[^}]*\}'
)
NAMED = re.compile(r"\bfa-([a-z0-9-]+)")
# Icons are there when the page is: it need not watch for others.  book.css has the styles.
CONFIG = "window.FontAwesomeConfig = { observeMutations: false, autoAddCss: false };\n"
ICON = re.compile(  # name: [width, height, [other names], character, path or paths]
    r'(?:"([a-z0-9-]+)"|\b([a-z0-9]+)):'
    r'\[\d+,\d+,\[([^\]]*)\],"[0-9a-f]+",(?:"[^"]*"|\[[^\]]*\])\],?'
)


def shortened(script: str, names: set[str]) -> str:
    """The theme's script with these icons only."""
    script = script.partition("//# sourceMappingURL")[0]  # it is not served

    def kept(icon: re.Match) -> str:
        known = {icon[1] or icon[2], *re.findall(r'"([a-z0-9-]+)"', icon[3])}
        return icon[0] if known & names else ""

    return CONFIG + ICON.sub(kept, script)


def finish(app, exception) -> None:
    if exception:
        return
    site = Path(app.outdir)
    served = site / "_static" / SCRIPT
    served.with_name(f"{served.name}.map").unlink(missing_ok=True)
    texts = [*site.rglob("*.html"), *(site / "_static").rglob("*.js")]
    named = (NAMED.findall(text.read_text()) for text in texts if text != served)
    served.write_text(shortened((THEME / SCRIPT).read_text(), set().union(*named)))
    (site / "_static" / STYLE).write_text(LETTER.sub("", (THEME / STYLE).read_text()))
    shutil.rmtree(site / "_static" / "vendor" / "fontawesome", ignore_errors=True)


def setup(app):
    app.connect("build-finished", finish)
