"""Exercises and figures that run in the page: Python in the reader's browser.

Each page with an exercise, or with a figure that is grabbed, gets `in-page/page.js`, which
fetches no Python before a reader asks.  Then a worker starts Pyodide and unpacks the wheel
of the package; of the chapter's cells, which lie in `in-page/`, it runs what is needed.
"""

import json
from importlib import import_module
from pathlib import Path

from docutils import nodes

from halfspaces import interactive
from halfspaces.exercises.texts import hint
from sitebuild.chapters import CHECK
from sitebuild.extensions.in_page import files
from sitebuild.extensions.served_wheel import FOLDER, WHEEL

HERE = Path(__file__).parent
FIRST = "chapters/intro"  # where a reader sees what is solved
OF_EXERCISES = {"stub", "solution", "wrong-answer"}  # tags
FIGURES = Path(interactive.__file__).parent


def stage(app, config) -> None:
    """Serve Python and the editor; without them the pages have no buttons."""
    config.html_static_path.extend(str(FIGURES / name) for name in ("grab.js", "grab.css"))
    config.in_page = bool(found := files.find())
    if found:
        config.html_static_path.extend(map(str, [HERE / "static", found]))
        config.html_extra_path.append(str(HERE / "root"))


def name_cells(app, doctree) -> None:
    """Give each cell of code its index in the notebook as an id, for its buttons, and put
    two folded hints behind an exercise."""
    chapter = Path(app.env.docname).name
    for cell in list(doctree.findall(nodes.container)):
        if cell.get("nb_element") == "cell_code":
            cell["ids"].append(f"cell-{cell['cell_index']}")
            if "tag_stub" in cell["classes"]:
                checker = CHECK.search(cell.astext())[1]
                one, two = (hint(chapter, checker, k)._repr_html_() for k in (1, 2))
                known = {"one": one, "two": two}
                folds = app.builder.templates.render("hints.html", known)
                place = cell.parent.index(cell) + 1
                cell.parent.insert(place, nodes.raw("", folds, format="html"))


def add_scripts(app, pagename, templatename, context, doctree) -> None:
    """Put the script below the title of pages with exercises or with figures that are
    grabbed, and their cells beside it."""
    path = Path(app.env.doc2path(pagename))
    cells, body = cells_of(path), context.get("body", "")
    grabbed = bool(cells) and 'class=\\"hs-figure hs-grab' in path.read_text("utf-8")
    if grabbed:
        app.add_css_file("grab.css")
    if not app.config.in_page:
        return
    app.add_js_file("in-page/visited.js", loading_method="defer")
    checkers, ordered = keys_of(pagename, cells), 'class="hs-order' in body
    if checkers or grabbed or ordered or pagename == FIRST:
        app.add_css_file("in-page/in-page.css")
    if ordered:
        context["body"] += scripts(app, context, last="order")
    if pagename == FIRST:
        context["body"] += scripts(app, context, exercises=json.dumps(exercises(app)))
    if not (checkers or grabbed):
        return
    plain = [cell for cell in cells if not OF_EXERCISES & set(cell["tags"])]
    data = {"cells": plain, "wheel": f"{FOLDER}/{WHEEL}", "sizes": files.sizes()}
    data["version"] = files.KEY
    path = Path(app.outdir, "in-page", f"{Path(pagename).name}.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(data))
    beside = Path(app.outdir, FOLDER, WHEEL).stat().st_size
    told = {"megabytes": files.megabytes(("python", "numpy"), beside), "last": "page"}
    told["whole"] = files.megabytes(files.sizes(), beside) if checkers else 0
    told["another"] = with_others(pagename, cells)
    below = f"</h1>\n{scripts(app, context, **told)}"
    context["body"] = context["body"].replace("</h1>", below, 1)


def scripts(app, context, **told) -> str:
    """The elements that fetch the scripts for a page, and what they are told."""
    return app.builder.templates.render("scripts.html", context | told)


def exercises(app) -> dict[str, list[str]]:
    """page -> the keys of its exercises or of its proofs to put in order, by which a
    browser keeps what was solved."""
    found = {}
    for page in sorted(app.env.found_docs):
        path, name = Path(app.env.doc2path(page)), Path(page).name
        orders = path.read_text("utf-8").count('class=\\"hs-order')
        found[name] = keys_of(page, cells_of(path))
        found[name] += [f"{name}:{number + 1}" for number in range(orders)]
    return {name: keys for name, keys in found.items() if keys}


def with_others(pagename: str, cells: list[dict]) -> str:
    """The checkers of a page that have other numbers."""
    names = [key.split(":")[1] for key in keys_of(pagename, cells)]
    if not names:
        return ""
    checkers = import_module(f"halfspaces.exercises.{Path(pagename).name}")
    return " ".join(k for k in names if getattr(checkers, k).has_variants)


def keys_of(pagename: str, cells: list[dict]) -> list[str]:
    checkers = (CHECK.search(c["code"])[1] for c in cells if "stub" in c["tags"])
    return [f"{Path(pagename).name}:{checker}" for checker in checkers]


def cells_of(path: Path) -> list[dict]:
    """The cells of code of a notebook, with their places; none of another file."""
    if path.suffix != ".ipynb":
        return []
    found = []
    for index, cell in enumerate(json.loads(path.read_text())["cells"]):
        if cell["cell_type"] == "code":
            tags, code = cell["metadata"].get("tags", []), "".join(cell["source"])
            found.append({"index": index, "tags": tags, "code": code})
    return found


def setup(app):
    app.add_config_value("in_page", False, "html")
    app.connect("config-inited", stage, priority=100)  # see offline_assets
    app.connect("doctree-read", name_cells)
    app.connect("html-page-context", add_scripts)
