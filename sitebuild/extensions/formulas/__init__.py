"""Typeset formulas as MathML with Temml when the book is built.

This covers formulas in the text, and TeX between dollar signs in HTML outputs, as in
JupyterLab.  A warning quotes each invalid formula and its page.  HTML that is created in
the browser is typeset by the same script, `static/formulas/typeset.js`.

If Temml cannot be fetched, MathJax typesets the formulas in the browser.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from sitebuild.extensions.formulas import font
from sitebuild.extensions.formulas.speech import add_aria_labels
from sitebuild.extensions.formulas.typesetter import HERE, Typesetter, temml_macros
from sitebuild.fetching import TEMML, find_fetched

INLINE, DISPLAY = [["\\(", "\\)"], ["$", "$"]], [["\\[", "\\]"], ["$$", "$$"]]
OPENING, CLOSING = re.compile(r"[(\[“‘]+$"), re.compile(r"^[-.,;:!?)\]’”–]+")  # punctuation
STYLE = f"{TEMML}/dist/Temml-STIX2.css"
logger = logging.getLogger(__name__)


def configure(app, config) -> None:
    """Select the math renderer, MathJax only without Temml."""
    if not (folder := find_fetched()):
        app.set_html_assets_policy("always")  # outputs contain formulas, too
        config.html_math_renderer = "mathjax"  # Sphinx would choose "mathml"
        delimiters = {"inlineMath": INLINE, "displayMath": DISPLAY}
        config.mathjax3_config = {"tex": delimiters | {"macros": config.formula_macros}}
        return
    app.mathfont, temml = folder / "mathfont", folder / "site" / TEMML
    app.formulas = Typesetter(temml / "dist" / "temml.min.js", config.formula_macros)
    config.html_math_renderer = "mathml"
    config.html_static_path.extend([str(folder / "site"), str(HERE / "static")])
    app.add_css_file(STYLE)
    app.add_css_file("formulas/formulas.css", priority=900)


def typeset(app, tex: str, location, *, display: bool = False) -> str:
    """Return a formula as MathML; if it is invalid, warn and return ""."""
    try:
        return app.formulas.formula(tex, display)
    except ValueError as error:
        logger.warning("formula %r: %s", tex, error, location=location, type="formulas")
        return ""


def typeset_html(app, html: str, location) -> str:
    """Typeset the formulas in HTML; without Temml return it unchanged."""
    if not hasattr(app, "formulas"):
        return html
    try:
        return app.formulas.in_html(html)
    except ValueError as error:
        message = "formula in an output: %s"
        logger.warning(message, error, location=location, type="formulas")
        return html


class KeepPunctuation(SphinxPostTransform):
    """Forbid line breaks between a formula and the punctuation around it."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs):
        for math in list(self.document.findall(nodes.math)):
            parent, k = math.parent, math.parent.index(math)
            pieces = [math]
            if k > 0 and (found := search(OPENING, parent[k - 1])):
                parent[k - 1] = nodes.Text(found.string[: found.start()])
                pieces.insert(0, nodes.Text(found[0]))
            if k + 1 < len(parent) and (found := search(CLOSING, parent[k + 1])):
                parent[k + 1] = nodes.Text(found.string[found.end() :])
                pieces.append(nodes.Text(found[0]))
            if len(pieces) > 1:
                parent[k] = nodes.inline("", "", *pieces, classes=["hs-keep"])


def search(pattern: re.Pattern, node) -> re.Match | None:
    return pattern.search(str(node)) if isinstance(node, nodes.Text) else None


class TypesetOutputs(SphinxPostTransform):
    """Typeset the formulas in HTML outputs."""

    default_priority = 900  # after all transforms that create HTML
    formats = ("html",)

    def run(self, **kwargs):
        for raw in self.document.findall(nodes.raw):
            if "html" in raw.get("format", "").split():
                html = raw.astext()
                mathml = typeset_html(self.app, html, (self.env.docname, raw.line))
                if mathml != html:
                    raw[:] = [nodes.Text(mathml)]


def visit_math(translator, node) -> None:
    translator.body.append(typeset(translator.builder.app, node.astext(), node))
    raise nodes.SkipNode


def visit_math_block(translator, node) -> None:
    """Write a box with the formula and its equation number."""
    app, tex = translator.builder.app, node.astext().strip()
    translator.body.append(translator.starttag(node, "div", CLASS="math notranslate"))
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    if "\\\\" in tex and not tex.startswith("\\begin"):
        tex = f"\\begin{{split}}{tex}\\end{{split}}"
    translator.body.append(typeset(app, tex, node, display=True) + "</div>\n")
    raise nodes.SkipNode


def finish(app, exception) -> None:
    """Write the math font and the TeX macros into the site, and label formulas."""
    if not hasattr(app, "formulas"):
        return
    app.formulas.close()
    if exception:
        return
    static = Path(app.outdir, "_static")
    font.write(app.mathfont, static / "vendor" / "mathfont")
    style = static / STYLE  # without its font: formulas.css loads a subset
    text = re.sub(r"@font-face \{[^}]*\}\n*", "", style.read_text("utf-8"))
    style.write_text(text, "utf-8")
    macros = json.dumps(temml_macros(app.config.formula_macros))
    (static / "formulas" / "macros.json").write_text(macros)
    add_aria_labels(Path(app.outdir))


def setup(app):
    app.add_config_value("formula_macros", {}, "env")
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    app.add_post_transform(KeepPunctuation)
    app.add_post_transform(TypesetOutputs)
    app.connect("config-inited", configure, priority=100)  # see offline_assets
    app.connect("build-finished", finish)
