"""Number the figures, list theorems and other boxes, and add their titles to the index.

`{list-of} theorems` (or definitions, algorithms, figures, exercises) inserts links
grouped by chapter.  Figures are numbered by chapter, as sphinx-proof numbers the boxes.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode
from sphinx_exercise.nodes import exercise_subtitle, is_exercise_node, solution_node

from sitebuild.chapters import toc_parts

LIST_KINDS = {  # name of a list -> kinds of boxes in it
    "theorems": ("theorem", "proposition", "lemma", "corollary"),
    "definitions": ("definition",),
    "algorithms": ("algorithm",),
    "exercises": ("exercise",),
    "figures": ("figure",),
}
ALL_KINDS = {kind for kinds in LIST_KINDS.values() for kind in kinds}
ARTICLE = re.compile(r"^(?:An?|The) ")
entries: dict[str, list[tuple[str, str, list]]] = {}  # page -> (kind, id, title)
LEVEL = re.compile(r" \((\w+, \d+ minutes)\)$")
CAPTION = re.compile(r"(<figcaption[^>]*>)(.*?)</figcaption>", re.S)


class list_of(nodes.General, nodes.Element):
    """Placeholder for a list, filled after all pages have been read."""


class ListOf(SphinxDirective):
    required_arguments = 1

    def run(self):
        (name,) = self.arguments
        if name not in LIST_KINDS:
            raise self.error(f"list-of must be {' or '.join(LIST_KINDS)}; got {name}")
        return [list_of(name=name)]


def collect_entries(app, doctree) -> None:
    """Record the boxes and figures of a page; add the titles of boxes to the index.

    Figures in solutions are not listed, since they would reveal the solution.
    The index omits articles: "A ceiling for all margins" is sorted under C.
    """
    page, index = app.env.docname, app.env.get_domain("index").entries
    page_entries = entries[page] = []
    for node in doctree.findall(nodes.Element):
        kind = node.get("realtype") or node.get("type")
        if isinstance(node, nodes.raw):
            match = CAPTION.search(node.astext())
            if match and (cell := cell_of(node)) and not in_solution(cell):
                page_entries.append(("figure", cell["ids"][0], [title_of(node, match[2])]))
        elif kind in ALL_KINDS and isinstance(node, nodes.Admonition) and node.get("label"):
            title = title_without_parentheses(node)
            page_entries.append((kind, node["label"], title))
            if kind != "exercise" and title:
                text = ARTICLE.sub("", "".join(part.astext() for part in title))
                entry = ("single", text[:1].upper() + text[1:], node["label"], "", None)
                index.setdefault(page, []).append(entry)


def title_without_parentheses(box) -> list[nodes.Node]:
    """Return the title of a box without its parentheses; [] if it has no title."""
    title = next(box.findall(exercise_subtitle), None) or next(box.findall(nodes.title))
    parts = [part.deepcopy() for part in title]
    if parts and title.astext().startswith(" ("):
        parts[0] = nodes.Text(parts[0].astext().removeprefix(" ("))
        parts[-1] = nodes.Text(parts[-1].astext().removesuffix(")"))
    return parts


def cell_of(node):
    """Return the notebook cell that contains a node; None if there is none."""
    while node is not None and node.get("nb_element") != "cell_code":
        node = node.parent
    return node


def in_solution(node) -> bool:
    while node is not None and not isinstance(node, solution_node):
        node = node.parent
    return node is not None


def title_of(figure, caption: str):
    """Return the first sentence of the caption, or the section title of an animation."""
    if "frames" not in figure:
        sentence = re.split(r"(?<=[.!?]) (?=[A-Z$])", caption.strip(), maxsplit=1)[0]
        return nodes.raw("", sentence, format="html")
    while not isinstance(figure, nodes.section):
        figure = figure.parent
    return nodes.Text(f"{figure[0].astext()} (animation)")


def figure_numbers(env, page: str) -> dict[str, str]:
    """Map the cell id of each figure on a page to its figure number."""
    chapter = ".".join(map(str, env.toc_secnumbers.get(page, {}).get("", ())))
    cells = [id for kind, id, _ in entries.get(page, ()) if kind == "figure"]
    return {c: f"{chapter}.{k}".strip(".") for k, c in enumerate(dict.fromkeys(cells), 1)}


def numbered_entries(env, page: str, list_name: str) -> list[tuple[str, str, list]]:
    """List (number, id, title) of the boxes or figures on a page."""
    boxes, figures = env.toc_fignumbers.get(page, {}), figure_numbers(env, page)
    by_id = {}
    for kind, id, title in entries.get(page, ()):
        if kind in LIST_KINDS[list_name]:
            number = ".".join(map(str, boxes.get(kind, {}).get(id, ())))
            number = f"{kind.title()} {figures.get(id, number)}".strip()
            by_id.setdefault(id, (number, id, title))
    return [*by_id.values()]


class FillLists(SphinxPostTransform):
    default_priority = 10

    def run(self, **kwargs):
        for placeholder in list(self.document.findall(list_of)):
            placeholder.replace_self([*self.by_page(placeholder["name"])])

    def by_page(self, list_name: str):
        parts = toc_parts(Path(self.env.srcdir))
        for page in (page for *_, pages in parts for page in pages):
            found = numbered_entries(self.env, page, list_name)
            if items := [self.item(page, *entry) for entry in found]:
                yield nodes.rubric("", self.env.titles[page].astext())
                yield nodes.bullet_list("", *items, classes=["hs-list"])

    def item(self, page: str, number: str, id: str, title: list):
        source, text = self.env.docname, nodes.inline("", number)
        link = make_refnode(self.app.builder, source, page, id, text)
        title = [part.deepcopy() for part in title]
        return nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(" "), *title))


class JoinExerciseTitles(SphinxPostTransform):
    """Write "(By hand, easy, 10 minutes)" without nested parentheses."""

    default_priority = 30  # after sphinx-exercise has added its parentheses

    def run(self, **kwargs):
        for exercise in self.document.findall(is_exercise_node):
            for text in list(exercise[0].findall(nodes.Text)):
                text.parent.replace(text, nodes.Text(LEVEL.sub(r", \1", text)))


class NumberFigures(SphinxPostTransform):
    default_priority = 197  # after MyST-NB has selected an output
    formats = ("html",)

    def run(self, **kwargs):
        numbers = figure_numbers(self.env, self.env.docname)
        for raw in list(self.document.findall(nodes.raw)):
            cell = cell_of(raw) if CAPTION.search(raw.astext()) else None
            if cell is None or cell["ids"][0] not in numbers:
                continue
            figure = f"Figure {numbers[cell['ids'][0]]}"
            caption = rf'\1<span class="hs-figure-number">{figure}.</span> \2</figcaption>'
            label = f'<span class="visually-hidden">of {figure}</span>'  # of the slider
            html = CAPTION.sub(caption, raw.astext()).replace("<input ", f"{label} <input ")
            raw[:] = [nodes.Text(html)]
            if "frames" in raw:
                raw["frames"] = [CAPTION.sub(caption, frame) for frame in raw["frames"]]


def setup(app):
    app.add_node(list_of)
    app.add_directive("list-of", ListOf)
    app.connect("doctree-read", collect_entries, priority=900)  # after animations.py
    app.add_post_transform(NumberFigures)
    app.add_post_transform(JoinExerciseTitles)
    app.add_post_transform(FillLists)
