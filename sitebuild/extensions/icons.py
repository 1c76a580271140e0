"""Serve only the icons that the book uses, a dozen out of two thousand.

The theme's script with all SVG icons takes 1.5 MB and blocks its other scripts, so we
remove all other icons from it.  We also remove the icon fonts (157 kB), which a browser
would load before it draws the SVG icons.
"""

import re
import shutil
from pathlib import Path

import pydata_sphinx_theme

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
SCRIPT = "scripts/fontawesome.js"
STYLE = "styles/pydata-sphinx-theme.css"
ICON_FONT_RULE = re.compile(
    r'(?:\.fa-[a-z0-9-]+:before,?)+\{content:"[^"]*"\}|@font-face\{[^}]*fontawesome[^}]*\}'
)
ICON_CLASS = re.compile(r"\bfa-([a-z0-9-]+)")
# No icons are added after loading, so observing is not needed; book.css has the styles.
CONFIG = "window.FontAwesomeConfig = { observeMutations: false, autoAddCss: false };\n"
ICON = re.compile(  # name: [width, height, [other names], character, path or paths]
    r'(?:"([a-z0-9-]+)"|\b([a-z0-9]+)):'
    r'\[\d+,\d+,\[([^\]]*)\],"[0-9a-f]+",(?:"[^"]*"|\[[^\]]*\])\],?'
)


def keep_icons(script: str, names: set[str]) -> str:
    """Remove all other icons from the theme's script."""
    script = script.partition("//# sourceMappingURL")[0]  # the map is not served

    def if_used(icon: re.Match) -> str:
        icon_names = {icon[1] or icon[2], *re.findall(r'"([a-z0-9-]+)"', icon[3])}
        return icon[0] if icon_names & names else ""

    return CONFIG + ICON.sub(if_used, script)


def remove_unused_icons(app, exception) -> None:
    if exception:
        return
    site = Path(app.outdir)
    served = site / "_static" / SCRIPT
    served.with_name(f"{served.name}.map").unlink(missing_ok=True)
    paths = [*site.rglob("*.html"), *(site / "_static").rglob("*.js")]
    used = (ICON_CLASS.findall(path.read_text()) for path in paths if path != served)
    served.write_text(keep_icons((THEME / SCRIPT).read_text(), set().union(*used)))
    style = ICON_FONT_RULE.sub("", (THEME / STYLE).read_text())
    (site / "_static" / STYLE).write_text(style)
    shutil.rmtree(site / "_static" / "vendor" / "fontawesome", ignore_errors=True)


def setup(app):
    app.connect("build-finished", remove_unused_icons)
