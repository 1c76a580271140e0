"""Add the chapters to the page Review, and write the questions of each to a file."""

import json
from dataclasses import astuple
from pathlib import Path

from halfspaces import review
from sitebuild.extensions.in_page import scripts

SEEDS = range(5)  # variants of each question
PLACE = '<div class="hs-review"></div>'  # in review.md


def fill_page(app, pagename, templatename, context, doctree) -> None:
    """Add the titles of the chapters, and the scripts."""
    if PLACE not in context.get("body", "") or not app.config.in_page:
        return
    folder = Path(pagename).parent.as_posix()
    titles = {name: app.env.titles[f"{folder}/{name}"].astext() for name in review.CHAPTERS}
    boxes = app.builder.templates.render("review.html", context | {"chapters": titles})
    context["body"] = context["body"].replace(PLACE, boxes)
    app.add_css_file("in-page/in-page.css")
    context["body"] += scripts(app, context, last="ask")


def write_questions(app, exception) -> None:
    """Write the questions of each chapter to a file, which is fetched on demand."""
    if exception:
        return
    folder = Path(app.outdir, "in-page", "review")
    folder.mkdir(parents=True, exist_ok=True)
    for chapter in review.CHAPTERS:
        (folder / f"{chapter}.json").write_text(json.dumps(questions(chapter)))


def questions(chapter: str) -> list[dict]:
    """List the questions with their variants, without duplicates."""
    found: dict[str, dict] = {}
    for question in (one for seed in SEEDS for one in review.ask(chapter, seed)):
        name, ask, right, wrong, why = astuple(question)
        variant = {"ask": ask, "right": right, "wrong": list(wrong.items()), "why": why}
        found.setdefault(name, {})[ask] = variant
    return [{"name": name, "variants": [*of.values()]} for name, of in found.items()]


def setup(app):
    app.connect("html-page-context", fill_page)
    app.connect("build-finished", write_questions)
