"""Write an exam on some chapters, and its key, as PDF, as notebooks and for Moodle.

The seed selects questions and numbers from the exercises, the page Review, the unpublished
questions in teaching/exam_questions, the claims that a chapter proves or refutes, and the
proofs to put in order.  A question has one point for each minute.
"""

import re
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from html import escape
from importlib import import_module
from itertools import chain, zip_longest
from pathlib import Path

import jinja2
import numpy as np
import yaml
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbformat.v4 import new_markdown_cell

from halfspaces import review
from halfspaces.exercises import define
from halfspaces.formatting import format_value
from halfspaces.proofs_in_order import PROOFS
from sitebuild import pdf
from sitebuild.chapters import BUILD, ROOT, check_names, command_parser, read_notebook
from sitebuild.checks_page import DESCRIPTIONS, proofs_of
from sitebuild.extensions.formulas.typesetter import Typesetter
from teaching.homework import (
    add_seed_and_name,
    exercises,
    natural_number,
    notebook,
    output_folder,
    plain,
    write_files,
)

tidy = partial(format_value, style="tidy")
EXAM_QUESTIONS = ROOT / "teaching" / "exam_questions"
SHORT, PROOF = 3, 10  # minutes
GUESSING = 20  # percent of the points that it may earn
TRUTH = ["True", "False"]
GREEK = r"\b(alpha|beta|gamma|eta|lambda|rho|sigma)(_\w)?\b"
INDEXED = r"\b[A-Za-zη]_([+-]|(\w|\{[\d,]+\})(?![A-Za-z\d]))"
QUIZ = jinja2.Template(Path(__file__).with_name("moodle.xml").read_text("utf-8"))
PAGE = jinja2.Template(Path(__file__).with_suffix(".html").read_text("utf-8"))


@dataclass(frozen=True)
class Item:
    """A question of an exam, in Markdown with TeX between dollar signs.

    right    answer in the key
    blanks   (name, right number or truth value, its slips) for each answer to fill in
    choices  sentences; `right` is among them
    slips    {wrong answer: explanation}
    """

    title: str
    minutes: int
    text: str
    right: str
    blanks: list[tuple[str, float | bool, dict]] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    slips: dict[str, str] = field(default_factory=dict)

    @property
    def guessed(self) -> float:
        """The points that guessing earns on average."""
        truths = [isinstance(right, bool) for _, right, _ in self.blanks]
        share = sum(truths) / 2 / len(truths) if truths else 0.0
        return self.minutes * (1 / len(self.choices) if self.choices else share)


def short_questions(chapter: str, seed: int, published: bool) -> Iterator[Item]:
    """Yield the questions of the page Review or the unpublished questions."""
    tables = tomllib.loads((EXAM_QUESTIONS / f"{chapter}.toml").read_text())
    for one in review.ask(chapter, seed) if published else review.draw(tables, seed):
        is_choice = isinstance(one.right, str)
        slips = {w if is_choice else tidy(w): why for w, why in one.wrong.items()}
        yield Item(
            "Mark one" if is_choice else "A number", SHORT, one.ask,
            f"{one.right if is_choice else f'{tidy(one.right)}.'} {one.why}",
            [] if is_choice else [("", one.right, slips)],
            sorted([one.right, *one.wrong]) if is_choice else [], slips,
        )  # fmt: skip


def long_questions(chapter: str, seed: int) -> Iterator[Item]:
    """Yield the exercises that can be answered on paper, by numbers or truth values."""
    checks = import_module(f"halfspaces.exercises.{chapter}")
    for name, entry in exercises(chapter).items():
        check = getattr(checks, name)
        needs_computer = not getattr(check, "parameters", ()) or entry["library"]
        if needs_computer or "()" in entry["text"] or "second reading" in entry["title"]:
            continue
        value, question = check.build(seed), check.another(seed).text.partition(". ")[2]
        question = re.sub(r"\n(?=\d+\. )", "\n\n", question)  # a paragraph each
        if any(map(callable, value.solution)):
            continue  # the answer is a function
        parts = value.parts or {"answer": None}
        blanks, slips, right = [], {}, "; ".join(map(tidy, value.solution))
        if isinstance(value, define.FreeForm):
            right = f"For example {right}. {value.evaluate(*value.solution)} "
            names = f"{name}.another({seed})({', '.join(value.names())})"
            right += (
                f"To judge another answer: `from halfspaces.exercises import {chapter}` "
            )
            right += f"in Python, then `{chapter}.{names}`."
        if {*map(type, parts.values())} <= {define.Number, define.TrueFalse}:
            blanks = [one for key, part in parts.items() for one in blanks_of(key, part)]
            slips = {k: why for p in parts.values() for k, why in slips_of(p).items()}
            right = "; ".join(f"{key}: {tidy(answer)}" for key, answer, _ in blanks)
            right += f". {value.praise}" * any(
                isinstance(p, define.TrueFalse) for p in parts.values()
            )
        title, minutes = entry["title"], int(entry["minutes"])
        title = "Which are true?" if title == "Predict, then run" else title
        yield Item(title, minutes, question, right, blanks, slips=slips)


def slips_of(part) -> dict[str, str]:
    if isinstance(part, define.TrueFalse):
        return {}
    begin = part.reply(part.begin)
    return {
        tidy(slip): (begin + why).replace("{}", tidy(slip))
        for slip, why in part.misconceptions.items()
    }


def blanks_of(name: str, part) -> Iterator[tuple[str, float | bool, dict]]:
    if isinstance(part, define.TrueFalse):
        yield from ((*one, {}) for one in zip(part.names, part.truths, strict=True))
        return
    name, right = name.replace("_", " "), np.ravel(part.solution).tolist()
    for place, one in enumerate(right, start=1):
        yield f"{name} {place}" if len(right) > 1 else name, one, slips_of(part)


def proofs(chapter: str, seed: int) -> Iterator[Item]:
    for proof in (p.shuffled(seed) for p in PROOFS.values() if p.chapter == chapter):
        lines = {x: proof.lines[key] for x, key in proof.letters.items()}
        letter = {key: x for x, key in proof.letters.items()}
        wrong = {x: line.error for x, line in lines.items() if line.error}
        text = f"{proof.claim}\n\nPut the lines of the proof in order: give their letters. "
        text += f"{len(wrong)} of them are wrong and are left out.\n\n"
        text += "\n".join(f"- **{x}** {line.text}" for x, line in lines.items())
        needs = ", ".join(
            f"{letter[k]} after {' and '.join(letter[n] for n in proof.lines[k].needs)}"
            for k in proof.right if proof.lines[k].needs
        )  # fmt: skip
        right = f"{''.join(letter[k] for k in proof.right)}, or another order with {needs}"
        yield Item("A proof to put in order", PROOF, text, right, slips=wrong)


def claims(chapter: str, seed: int) -> Iterator[Item]:
    """Yield claims that the chapter proves and wrong versions that it refutes."""
    rng = np.random.default_rng([seed, *chapter.encode()])
    for proof in proofs_of(read_notebook(ROOT / "chapters" / f"{chapter}.ipynb")["cells"]):
        wrong, text = rng.choice(proof["refuted"]), proof["statement"]
        answer = f"True. It is proved in the chapter: {proof['name']}."
        slips = {"False": "It is proved, and was tried at numbers drawn at random."}
        if rng.random() < 0.5:
            text = re.sub(r"(?s) (=|\\ge) .*", r" \1 ", text) + wrong["statement"]
            answer = f"False. At {wrong['at']} the left side is {wrong['left']}, and this "
            answer += f"right side is {wrong['wrong']}."
            slips = {"True": f"What is wrong in it: {wrong['change']}."}
        text = re.sub(r"(?s)(\\quad\\text\{with \}.*?)( = .*)", r"\2\1", text)
        where = plain(DESCRIPTIONS.get(proof["name"], {}).get("where", ""))
        text = f"Is this true?\n\n$$\n{text}\n$$\n\n{f'Here {where}. ' * bool(where)}"
        text += f"Assumed: {proof['given']}."
        yield Item("True or false", SHORT, text, answer, choices=TRUTH, slips=slips)


def exam(chapters: list[str], seed: int, minutes: int, guessing=GUESSING) -> list[Item]:
    """Select questions for the given minutes, with the same time for each chapter.

    guessing  the percentage of all points that guessing may earn on average

    Raises ValueError if the minutes do not suffice for one question of each chapter.
    """
    rng, chosen = np.random.default_rng(seed), []
    for chapter in chapters:
        left = minutes // len(chapters)
        kinds = [
            list(rng.permutation(np.array([*items], dtype=object)))
            for items in (
                short_questions(chapter, seed, published=False),
                long_questions(chapter, seed), claims(chapter, seed), proofs(chapter, seed),
                short_questions(chapter, seed, published=True),
            )
        ]  # fmt: skip
        taken: list[Item] = []
        for item in filter(None, chain(*zip_longest(*kinds))):
            guessed = sum(one.guessed for one in (*taken, item))
            too_easy = 100 * guessed * len(chapters) > guessing * minutes
            if (
                item.minutes <= left
                and not too_easy
                and item.text not in {t.text for t in taken}
            ):
                taken.append(item)
                left -= item.minutes
        if not taken:
            least = SHORT * len(chapters)
            raise ValueError(
                f"minutes must be at least {least} for these chapters; got {minutes}"
            )
        chosen += sorted(taken, key=lambda item: item.minutes)
    return chosen


def in_markdown(number: int, item: Item, key: bool) -> str:
    text = f"## {number}. {item.title} ({item.minutes} points)\n\n{item.text}"
    text += "".join(f"\n- ☐ {choice}" for choice in item.choices)
    if not key:
        return set_formulas(text)
    slips = "".join(f"\n- *{wrong}* {why}" for wrong, why in item.slips.items())
    text = f"{text}\n\n**{item.right}**" + f"\n\nCommon slips:\n{slips}" * bool(slips)
    return set_formulas(text)


def set_formulas(text: str) -> str:
    """Typeset indices, Greek letters and minus signs outside of formulas and code."""
    parts = re.split(r"(\$\$.*?\$\$|\$[^$]*\$|`[^`]*`)", text, flags=re.S)
    for place in range(0, len(parts), 2):
        part = re.sub(GREEK, r"$\\\g<0>$", parts[place])
        part = re.sub(INDEXED, r"$\g<0>$", part)
        parts[place] = re.sub(r"(?<![\w.)-])-(?=\d)", "−", part)
    return "".join(parts)


def in_html(markdown: str, formula: Callable) -> str:
    put = lambda tex, of: formula(tex, of["display_mode"])  # noqa: E731
    return MarkdownIt("commonmark").use(dollarmath_plugin, renderer=put).render(markdown)


def page(title: str, summary: str, items: list[Item], key: bool) -> str:
    """Render the sheet or its key as HTML."""
    files = pdf.fetching.fetch()
    dist = files / "site" / pdf.fetching.TEMML / "dist"
    macros = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    temml = Typesetter(dist / "temml.min.js", macros["sphinx"]["config"]["formula_macros"])
    texts = [in_markdown(number, item, key) for number, item in enumerate(items, start=1)]
    sections = [in_html(text, temml.formula) for text in texts]
    temml.close()
    context = {"title": title, "summary": summary, "key": key}
    context["items"] = zip(items, sections, strict=True)
    context["temml"] = (dist / "Temml-STIX2.css").as_uri()
    context["font"] = next((files / "mathfont" / "files").glob("*.woff")).as_uri()
    return PAGE.render(context)


def tolerance(right: float, slips: dict[str, str]) -> float:
    """Return the allowed error: 0.06%, but at most half the distance to a listed slip."""
    numbers = [float(x) for x in re.findall(r"-?\d[\d.]*(?:e[-+]?\d+)?", " ".join(slips))]
    distances = [abs(right - x) for x in numbers if not np.isclose(x, right, 1e-5, 0)]
    return min([0.0006 * abs(right), *(distance / 2 for distance in distances)])


def gap(points: int, right: float | bool, slips: dict[str, str]) -> str:
    """Return a gap of Moodle's type Cloze, with feedback on the numbers among the slips."""
    if isinstance(right, bool):
        return f"{{{points}:MULTICHOICE:{'=True~False' if right else 'True~=False'}}}"
    error, answers = (
        tolerance(right, slips),
        [f"={right:.12g}:{tolerance(right, slips):.2g}"],
    )
    for wrong, why in slips.items():
        if re.fullmatch(r"-?[\d.]+", wrong) and abs(float(wrong) - right) > error:
            why = re.sub(r"\$([^$]*)\$", r"\\(\1\\)", set_formulas(why))
            why = re.sub(r"([}#~])", r"\\\1", why)
            answers.append(f"%0%{wrong}:{error:.2g}#{why}")
    return f"{{{points}:NUMERICAL:{'~'.join(answers)}}}"


def moodle(items: list[Item], title: str = "Exam") -> str:
    """Render the questions in Moodle's XML format; free text is an essay question.

    A number must be right to four significant digits, as a decimal.
    """

    def html(markdown: str) -> str:
        marks = {True: r"\[%s\]", False: r"\(%s\)"}
        markdown = set_formulas(markdown)
        return in_html(markdown, lambda tex, wide: marks[wide] % escape(tex))

    context = {"html": html, "truth": TRUTH, "gap": gap, "title": title}
    return QUIZ.render(items=enumerate(items, start=1), **context) + "\n"


def main(arguments: list[str] | None = None) -> str | None:
    parser = command_parser("teaching.exam", __doc__)
    parser.add_argument("chapters", nargs="+", metavar="CHAPTER")
    parser.add_argument("--minutes", type=int, default=60, help="length of the exam")
    text = "percentage of the points that guessing may earn on average"
    parser.add_argument("--guessing", type=natural_number, default=GUESSING, help=text)
    add_seed_and_name(parser)
    given = parser.parse_args(arguments)
    chapters = [*dict.fromkeys(given.chapters)]
    try:
        check_names("chapter", chapters, review.CHAPTERS)
        items = exam(chapters, given.seed, given.minutes, given.guessing)
        with output_folder("exam", given.name) as (folder, place):
            write(folder, chapters, given.seed, items)
    except (OSError, ValueError) as error:
        return f"No exam was written: {error}"
    total = sum(item.minutes for item in items)
    guessed = sum(item.guessed for item in items) / total
    print(f"{len(items)} questions, {total} minutes: see {place}.")
    print(f"Guessing earns {guessed:.0%} on average.  SEED={given.seed} makes it again.")
    if given.minutes - total >= SHORT * len(chapters):
        print(f"There are no more questions for {given.minutes} minutes.")
    return None


def write(folder: Path, chapters: list[str], seed: int, items: list[Item]) -> None:
    total = sum(item.minutes for item in items)
    print("Printing sheet and key ...", flush=True)
    for name, key in (("sheet", False), ("key", True)):
        title = ", ".join(chapters).replace("_", " ")
        title = (
            f"Key: {title}, seed {seed}" if key else title
        )  # the seed gives the key away
        summary = f"{total} minutes, {total} points; a wrong answer costs none"
        texts = [f"# {title}\n\n{summary}"]
        for number, item in enumerate(items, start=1):
            texts += [in_markdown(number, item, key), *["Answer: "] * (not key)]
        write_files(folder, {f"{name}.ipynb": notebook([*map(new_markdown_cell, texts)])})
        with tempfile.TemporaryDirectory(dir=BUILD) as draft:
            html = page(title, summary, items, key)
            pdf.print_sheet(html, title, Path(draft), folder / f"{name}.pdf")
    title = f"{' '.join(chapters)} {sha256(str(seed).encode()).hexdigest()[:6]}"
    write_files(folder, {"moodle.xml": moodle(items, title)})


if __name__ == "__main__":
    sys.exit(main())  # a message is printed, and the exit status is 1
