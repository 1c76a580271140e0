"""Add the chapters to the Review page, and write each chapter's questions to a file."""

import json
import re
from dataclasses import astuple
from pathlib import Path

from halfspaces import review
from sitebuild.extensions.formulas.speech import speak
from sitebuild.extensions.in_page import scripts

SEEDS = range(5)  # variants of each question
TEX = re.compile(r"\$(.+?)\$")
PLACEHOLDER = '<div class="hs-review"></div>'  # in review.md


def fill_page(app, pagename, templatename, context, doctree) -> None:
    """Add the titles of the chapters, and the scripts."""
    if PLACEHOLDER not in context.get("body", "") or not app.config.in_page:
        return
    folder = Path(pagename).parent.as_posix()
    titles = {name: app.env.titles[f"{folder}/{name}"].astext() for name in review.CHAPTERS}
    boxes = app.builder.templates.render("review.html", context | {"chapters": titles})
    context["body"] = context["body"].replace(PLACEHOLDER, boxes)
    app.add_css_file("in-page/in-page.css")
    context["body"] += scripts(app, context, last="review_start")


def write_questions(app, exception) -> None:
    """Write the questions of each chapter to a file, which is fetched on demand."""
    if exception:
        return
    folder = Path(app.outdir, "in-page", "review")
    folder.mkdir(parents=True, exist_ok=True)
    chapters = {chapter: questions(chapter) for chapter in review.CHAPTERS}
    if hasattr(app, "formulas"):
        variants = [v for qs in chapters.values() for q in qs for v in q["variants"]]
        name_choices(variants, app.formulas)
    for chapter, content in chapters.items():
        (folder / f"{chapter}.json").write_text(json.dumps(content))


def name_choices(variants: list[dict], formulas) -> None:
    """Add spoken names of choices with formulas, since a choice is a button."""
    choices = [[v["right"], *(wrong for wrong, _ in v["wrong"])] for v in variants]
    texts = {text for group in choices for text in group if isinstance(text, str)}
    mathml = {tex: formulas.formula(tex) for text in texts for tex in TEX.findall(text)}
    words = speak(mathml.values())
    for variant, group in zip(variants, choices, strict=True):
        with_tex = [text for text in group if text in texts and TEX.search(text)]
        variant["spoken"] = {t: TEX.sub(lambda m: words[mathml[m[1]]], t) for t in with_tex}


def questions(chapter: str) -> list[dict]:
    """List the questions with their variants, without duplicates."""
    variants: dict[str, dict] = {}  # name -> {question: variant}
    for question in (q for seed in SEEDS for q in review.ask(chapter, seed)):
        name, ask, right, wrong, why = astuple(question)
        variant = {"ask": ask, "right": right, "wrong": list(wrong.items()), "why": why}
        variants.setdefault(name, {})[ask] = variant
    return [{"name": k, "variants": [*group.values()]} for k, group in variants.items()]


def setup(app):
    app.connect("html-page-context", fill_page)
    app.connect("build-finished", write_questions, priority=400)  # before Node is closed
