"""Run exercises and interactive figures in the page, with Python in the browser.

Each page with an exercise or an interactive figure gets `in-page/buttons.js`, which fetches
Python only after a click.  A worker then starts Pyodide, unpacks the wheel, and runs the
required cells of the chapter, which are stored in `in-page/`.
"""

import json
from importlib import import_module
from pathlib import Path

from docutils import nodes

from halfspaces import interactive
from halfspaces.exercises.texts import hint
from sitebuild.chapters import CHECK
from sitebuild.extensions.downloads import FOLDER, WHEEL
from sitebuild.extensions.in_page import files

HERE = Path(__file__).parent
FIRST_PAGE = "chapters/intro"  # with the reader's progress
EXERCISE_TAGS = {"stub", "solution", "wrong-answer"}
FIGURES = Path(interactive.__file__).parent


def add_static_files(app, config) -> None:
    """Serve Python and the editor; without them the pages have no buttons."""
    config.html_static_path.extend(str(FIGURES / name) for name in ("grab.js", "grab.css"))
    config.in_page = bool(found := files.find())
    if found:
        config.html_static_path.extend(map(str, [HERE / "static", found]))
        config.html_extra_path.append(str(HERE / "root"))


def add_ids_and_hints(app, doctree) -> None:
    """Add ids to the code cells, for their buttons, and two folded hints to exercises."""
    chapter = Path(app.env.docname).name
    for cell in list(doctree.findall(nodes.container)):
        if cell.get("nb_element") == "cell_code":
            cell["ids"].append(f"cell-{cell['cell_index']}")
            if "tag_stub" in cell["classes"]:
                checker = CHECK.search(cell.astext())[1]
                one, two = (hint(chapter, checker, k)._repr_html_() for k in (1, 2))
                hints = {"one": one, "two": two}
                html = app.builder.templates.render("hints.html", hints)
                after = cell.parent.index(cell) + 1
                cell.parent.insert(after, nodes.raw("", html, format="html"))


def add_scripts(app, pagename, templatename, context, doctree) -> None:
    """Add scripts to pages with exercises or interactive figures, and write the cells."""
    path = Path(app.env.doc2path(pagename))
    cells, body = cells_of(path), context.get("body", "")
    has_figure = bool(cells) and 'class=\\"hs-figure hs-grab' in path.read_text("utf-8")
    if has_figure:
        app.add_css_file("grab.css")
    if not app.config.in_page:
        return
    app.add_js_file("in-page/visited.js", loading_method="defer")
    checkers, has_order = keys_of(pagename, cells), 'class="hs-order' in body
    if checkers or has_figure or has_order or pagename == FIRST_PAGE:
        app.add_css_file("in-page/in-page.css")
    if has_order:
        context["body"] += scripts(app, context, last="order")
    if pagename == FIRST_PAGE:
        context["body"] += scripts(app, context, exercises=json.dumps(exercises(app)))
    if not (checkers or has_figure):
        return
    other_cells = [cell for cell in cells if not EXERCISE_TAGS & set(cell["tags"])]
    data = {"cells": other_cells, "wheel": f"{FOLDER}/{WHEEL}", "sizes": files.sizes()}
    data["version"] = files.KEY
    path = Path(app.outdir, "in-page", f"{Path(pagename).name}.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(data))
    wheel = Path(app.outdir, FOLDER, WHEEL).stat().st_size
    data = {"megabytes": files.megabytes(("python", "numpy"), wheel), "last": "buttons"}
    data["whole"] = files.megabytes(files.sizes(), wheel) if checkers else 0
    data["another"] = varied_checkers(pagename, cells)
    title = f"</h1>\n{scripts(app, context, **data)}"
    context["body"] = context["body"].replace("</h1>", title, 1)


def scripts(app, context, **data) -> str:
    """Render the script elements of a page, with their data attributes."""
    return app.builder.templates.render("scripts.html", context | data)


def exercises(app) -> dict[str, list[str]]:
    """Map each page to the keys of its exercises and of its proofs to put in order.

    A browser stores the progress under these keys.
    """
    found = {}
    for page in sorted(app.env.found_docs):
        path, name = Path(app.env.doc2path(page)), Path(page).name
        n_orders = path.read_text("utf-8").count('class=\\"hs-order')
        found[name] = keys_of(page, cells_of(path))
        found[name] += [f"{name}:{number + 1}" for number in range(n_orders)]
    return {name: keys for name, keys in found.items() if keys}


def varied_checkers(pagename: str, cells: list[dict]) -> str:
    """List the checkers of a page whose numbers vary with a seed."""
    names = [key.split(":")[1] for key in keys_of(pagename, cells)]
    if not names:
        return ""
    checkers = import_module(f"halfspaces.exercises.{Path(pagename).name}")
    return " ".join(k for k in names if getattr(checkers, k).has_variants)


def keys_of(pagename: str, cells: list[dict]) -> list[str]:
    checkers = (CHECK.search(c["code"])[1] for c in cells if "stub" in c["tags"])
    return [f"{Path(pagename).name}:{checker}" for checker in checkers]


def cells_of(path: Path) -> list[dict]:
    """List the code cells of a notebook; empty for other files."""
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
    app.connect("config-inited", add_static_files, priority=100)  # see offline_assets
    app.connect("doctree-read", add_ids_and_hints)
    app.connect("html-page-context", add_scripts)
