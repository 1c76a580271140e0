"""Guide a reader along the reading path that is chosen on the first page.

The tables of the first page list the chapters, and the stops of the three-hour path.
This extension adds hidden lines to the pages, each with the number of a stop, its minutes
and a link to the next stop; `_static/paths.js` shows the lines of the chosen path.
"""

from dataclasses import dataclass
from functools import partial
from html import escape

from docutils import nodes
from sphinx_exercise.nodes import exercise_subtitle

FIRST = "chapters/intro"
PATHS = {"hours": "three hours", "week": "a week", "term": "a term"}
HOW_TO_READ = (  # at the first stop, since the Begin buttons skip the directions
    ". Skip the code, but after your guess open <em>Show the output</em> and <em>What you "
    "should have seen</em>, or the answer below a question. A check mark means checked by "
    "a program. A link in the text may leave the path; your browser's Back returns."
)
HOW_TO_ANSWER = (  # at the first exercise
    ". Press <em>Edit and run</em> below the question, replace the dots with your answer, "
    "and press <em>Run</em>."
)
CHAPTERS, HOURS = "the-chapters", "if-you-have-three-hours"  # sections of the first page
AFTER_BUTTONS = "what-you-can-do-afterwards"  # a section of the first page
BUTTON = '<a class="hs-button" data-path="{}" href="{}">Begin: {}</a>'
END = "up to "  # precedes the link to the end of a stop


class path_line(nodes.General, nodes.Element):
    """A line of HTML that the search does not index."""


@dataclass
class Stop:
    """A part of a page: from `id` to the element `end` or to the end of its section."""

    page: str
    id: str
    title: str
    about: str
    end: str = ""


def stops_in_three_hours(env) -> list[Stop]:
    """List the links in the table of the section HOURS."""
    stops = []
    for minutes, parts in rows(env, HOURS):
        topic = next(parts.findall(nodes.emphasis)).astext().rstrip(":")
        starts = [link for link in links(parts) if not is_end(link)]
        count = f" for {len(starts)} stops" if len(starts) > 1 else ""
        about = f"{topic}, {minutes.astext()} minutes{count}"
        for link in links(parts):
            page, id, title = link_target(env, link)
            if is_end(link):
                stops[-1].end = id
            else:
                stops.append(Stop(page, id, title, about))
    return stops


def stops_by_chapter(env, column: int) -> list[Stop]:
    """List the chapters that have minutes in a column of the table in CHAPTERS."""
    stops = []
    for row in rows(env, CHAPTERS):
        minutes, (link,) = row[column].astext(), links(row[1])
        if minutes:
            page = f"chapters/{link['reftarget']}"
            stops.append(Stop(page, "", env.titles[page].astext(), f"{minutes} minutes"))
    return stops


def rows(env, section: str):
    """Yield the entries of each row of the table in a section of the first page."""
    sections = (
        s for s in env.get_doctree(FIRST).findall(nodes.section) if section in s["ids"]
    )
    body = next(next(sections).findall(nodes.tbody))
    yield from (row.children for row in body.findall(nodes.row))


def links(node) -> list:
    return [link for link in node.findall(nodes.Element) if link.get("reftarget")]


def is_end(link) -> bool:
    preceding = link.parent.children[: link.parent.index(link)]
    return bool(preceding) and preceding[-1].astext().endswith(END)


def link_target(env, link) -> tuple[str, str, str]:
    """Return the page, the id and the title of the target of a link."""
    domain, label = env.get_domain("std"), link["reftarget"]
    if label not in domain.labels:
        return "", domain.anonlabels.get(label, ["", label])[1], ""
    page, id, title = domain.labels[label]
    if label in env.sphinx_exercise_registry:  # "Exercise: By hand", without the minutes
        exercise = env.sphinx_exercise_registry[label]["node"]
        subtitle = next(exercise.findall(exercise_subtitle)).astext()
        title = f"Exercise: {subtitle.partition(' (')[0]}"
    return page, id, title


def read_paths(app, env) -> None:
    app.config.reading_paths = {
        "hours": stops_in_three_hours(env),
        "week": stops_by_chapter(env, 3),
        "term": stops_by_chapter(env, 4),
    }


def add_lines(app, doctree, docname) -> None:
    """Insert the lines of all paths into a page, or the buttons into the first page."""
    if app.builder.format != "html" or not docname.startswith("chapters/"):
        return
    uri, stops = partial(app.builder.get_relative_uri, docname), app.config.reading_paths
    if docname == FIRST:
        mark_stops(doctree, [stop.id for stop in stops["hours"]])
        starts = {name: address(first, uri) for name, (first, *_) in stops.items()}
        buttons = (BUTTON.format(name, href, PATHS[name]) for name, href in starts.items())
        bar = f'<p class="hs-begin" id="begin">{" ".join(buttons)}</p>\n'
        insert_before(find_id(doctree, AFTER_BUTTONS), path_line(html=bar))
        return
    for name in PATHS:
        add_stops(doctree, docname, name, stops[name], uri)


def mark_stops(doctree, ids: list[str]) -> None:
    """Add the class hs-stop to the links to stops, which paths.js marks as visited."""
    for link in find_id(doctree, HOURS).findall(nodes.reference):
        if link.get("refuri", "").partition("#")[2] in ids:
            link["classes"].append("hs-stop")


def add_stops(doctree, docname: str, name: str, stops: list[Stop], uri) -> None:
    """Insert the lines of one path into a page."""
    numbers = [number for number, stop in enumerate(stops, 1) if stop.page == docname]
    if not numbers:
        link = f'<a href="{uri(FIRST)}">To the first page</a>'
        line = make_line(name, f"This page is not on your path. {link}")
        insert_below_title(doctree, line)
    for number in numbers:
        stop = stops[number - 1]
        about = f"{PATHS[name].capitalize()}, stop {number} of {len(stops)}"
        line = f"{about}: {escape(stop.about)}{directions(stops, number)}"
        begin = make_line(name, line, number)
        end = make_line(name, next_link(stops, number, uri), number)
        if stop.id:
            insert_around(doctree, stop, begin, end)
        else:
            insert_below_title(doctree, begin)
            next(doctree.findall(nodes.section)).append(end)


def directions(stops: list[Stop], number: int) -> str:
    """Return how to read or answer, at two stops of the three-hour path; "" elsewhere."""
    if not stops[0].id:
        return ""
    exercises = [k for k, s in enumerate(stops, 1) if s.title.startswith("Exercise: ")]
    how = dict.fromkeys(exercises[:1], HOW_TO_ANSWER) | {1: HOW_TO_READ}
    return how.get(number, "")


def next_link(stops: list[Stop], number: int, uri) -> str:
    """Return the link to the next stop, or from the last stop to the first page."""
    if number == len(stops):
        buttons = f"{uri(FIRST)}#begin" if stops[0].id else uri(FIRST)
        hint = ", where the one-week path begins" if stops[0].id else ""
        return f'This was the last stop. <a href="{buttons}">To the first page</a>{hint}'
    stop, next_stop = stops[number - 1 : number + 1]
    title = next_stop.title
    if next_stop.id and next_stop.page != stop.page:
        title += f" ({next_stop.page.rpartition('/')[2].replace('_', ' ')})"
    href = address(next_stop, uri)
    return f'Stop {number} ends here. <a href="{href}">Next: {escape(title)}</a>'


def address(stop: Stop, uri) -> str:
    return f"{uri(stop.page)}#{stop.id}" if stop.id else uri(stop.page)


def insert_around(doctree, stop: Stop, begin: path_line, end: path_line) -> None:
    """Insert lines at the beginning and at the end of a stop."""
    start = find_id(doctree, stop.id)
    if not isinstance(start, nodes.section):  # an exercise, with its cell and solution
        parent, kinds = start.parent, type(start) | nodes.section
        after = range(parent.index(start) + 1, len(parent))
        stop_end = next((k for k in after if isinstance(parent[k], kinds)), len(parent))
        parent.insert(stop_end, end)
        insert_before(start, begin)
        return
    start.insert(1, begin)  # after the title
    if stop.end:
        insert_before(find_id(start, stop.end), end)
    else:
        start.append(end)


def find_id(doctree, id: str) -> nodes.Element:
    found = (n for n in doctree.findall(nodes.Element) if id in n.get("ids", ()))
    return next(node for node in found if not isinstance(node, nodes.target))


def insert_before(node: nodes.Element, inserted: path_line) -> None:
    node.parent.insert(node.parent.index(node), inserted)


def insert_below_title(doctree, inserted: path_line) -> None:
    next(doctree.findall(nodes.section)).insert(1, inserted)


def make_line(name: str, html: str, number: int = 0) -> path_line:
    stop = f' data-stop="{number}"' if number else ""
    html = f'<p class="hs-path" data-path="{name}"{stop} hidden>{html}</p>\n'
    return path_line(html=html)


def visit_path_line(self, node) -> None:
    self.body.append(node["html"])
    raise nodes.SkipNode


def setup(app):
    app.add_config_value("reading_paths", {}, "")
    app.add_node(path_line, html=(visit_path_line, None))
    app.connect("env-check-consistency", read_paths)
    app.connect("doctree-resolved", add_lines)
