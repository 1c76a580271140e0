"""Write an exam on some chapters, and its key, as PDF, as notebooks and for Moodle.

The seed selects questions and numbers from the exercises, the Review page, the
unpublished questions in teaching/exam_questions, the claims that a chapter proves or
refutes, and the proofs to put in order.  A question is worth as many points as it takes
minutes.
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
from halfspaces.exercises.texts import NUMBER_WORDS
from halfspaces.formatting import format_value
from halfspaces.proofs_in_order import PROOFS
from sitebuild import pdf
from sitebuild.chapters import BUILD, ROOT, check_names, command_parser, read_notebook
from sitebuild.checks_page import DESCRIPTIONS, proofs_of
from sitebuild.extensions.formulas.typesetter import Typesetter
from teaching import homework
from teaching.homework import exercises, natural_number, notebook, write_files

tidy = partial(format_value, style="tidy")
EXAM_QUESTIONS = ROOT / "teaching" / "exam_questions"
SHORT, PROOF = 3, 10  # minutes
GUESSING = 20  # percentage of the points that guessing may earn on average
MAX_FORMULA = 600  # a claim with more characters of TeX may not fit the page
TRUTH = ["True", "False"]
GREEK = r"\b(alpha|b?eta|gamma|[dD]elta|ell|epsilon|theta|lambda|mu|xi|rho|sigma)(_\w)?\b"
INDEXED = r"\b[A-Za-zη]_([+-]|(\w|\{[\d,]+\})(?![A-Za-z\d]))"
QUIZ = jinja2.Template(Path(__file__).with_name("moodle.xml").read_text("utf-8"))
ASKED_DIGITS = re.compile(r"\b(two|three|four) (decimals|digits after|digits)\b")
PAGE = jinja2.Template(Path(__file__).with_suffix(".html").read_text("utf-8"))


@dataclass(frozen=True)
class Item:
    """A question of an exam, in Markdown with TeX between dollar signs.

    right     answer in the key
    blanks    (name, right number or truth value, mistakes) for each answer to fill in
    choices   sentences, one of them true
    mistakes  {wrong answer, or letter of a wrong line: why it is wrong}
    judge     how to judge other answers; students must not see its seed
    """

    title: str
    minutes: int
    text: str
    right: str
    blanks: list[tuple[str, float | bool, dict]] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    mistakes: dict[str, str] = field(default_factory=dict)
    judge: str = ""

    @property
    def guess_points(self) -> float:
        """The points that guessing earns on average."""
        truths = [isinstance(right, bool) for _, right, _ in self.blanks]
        share = sum(truths) / 2 / len(truths) if truths else 0.0
        return self.minutes * (1 / len(self.choices) if self.choices else share)


def short_questions(chapter: str, seed: int, published: bool) -> Iterator[Item]:
    """Yield the published questions (Review page) or the unpublished (exam_questions)."""
    tables = tomllib.loads((EXAM_QUESTIONS / f"{chapter}.toml").read_text())
    questions = review.ask(chapter, seed) if published else review.draw(tables, seed)
    for question in questions:
        right, wrong = question.right, question.wrong
        is_choice = isinstance(right, str)
        mistakes = {w if is_choice else tidy(w): why for w, why in wrong.items()}
        yield Item(
            "Mark one" if is_choice else "A number", SHORT, question.ask,
            f"{right.rstrip('.') if is_choice else tidy(right)}. {question.why}",
            [] if is_choice else [("", right, mistakes)],
            sorted([right, *wrong]) if is_choice else [], mistakes,
        )  # fmt: skip


def long_questions(chapter: str, seed: int) -> Iterator[Item]:
    """Yield the exercises that can be answered on paper, by numbers or truth values."""
    checks = import_module(f"halfspaces.exercises.{chapter}")
    for name, entry in exercises(chapter).items():
        check = getattr(checks, name)
        has_variants = bool(getattr(check, "parameters", ()))
        needs_computer = entry["library"] or "()" in entry["text"]  # calls a function
        if not has_variants or needs_computer or "second reading" in entry["title"]:
            continue
        exercise = check.build(seed)
        question = check.another(seed).text.partition(". ")[2]
        question = re.sub(r"\n(?=\d+\. )", "\n\n", question)  # a paragraph each
        if any(map(callable, exercise.solution)):
            continue  # the answer is a function
        parts, blanks, mistakes = exercise.parts, [], {}
        answers = [*map(tidy, exercise.solution)]
        if parts:
            pairs = zip(parts, answers, strict=True)
            answers = [f"{key.replace('_', ' ')}: {answer}" for key, answer in pairs]
        right, judge = "; ".join(answers), ""
        if isinstance(exercise, define.FreeForm):
            right = f"For example {right}. {exercise.evaluate(*exercise.solution)}"
            names = f"{name}.another({seed})({', '.join(exercise.names())})"
            judge = f"To judge another answer: `from halfspaces.exercises import {chapter}`"
            judge += f" in Python, then `{chapter}.{names}`."
        kinds = {*map(type, parts.values())}
        if parts and kinds <= {define.Number, define.TrueFalse}:
            blanks = [b for key, part in parts.items() for b in blanks_of(key, part)]
            mistakes = {k: why for p in parts.values() for k, why in mistakes_of(p).items()}
            right = "; ".join(f"{key}: {tidy(answer)}" for key, answer, _ in blanks)
            right += f". {exercise.praise}" * (define.TrueFalse in kinds)
        title, minutes = entry["title"], int(entry["minutes"])
        title = "Which are true?" if title == "Predict, then run" else title
        yield Item(title, minutes, question, right, blanks, mistakes=mistakes, judge=judge)


def mistakes_of(part) -> dict[str, str]:
    if isinstance(part, define.TrueFalse):
        return {}
    opening = part.reply("begin")
    return {
        tidy(mistake): (opening + why).replace("{}", tidy(mistake))
        for mistake, why in part.misconceptions.items()
    }


def blanks_of(name: str, part) -> Iterator[tuple[str, float | bool, dict]]:
    if isinstance(part, define.TrueFalse):
        for statement, truth in zip(part.names, part.truths, strict=True):
            yield statement, truth, {}
        return
    name, right = name.replace("_", " "), np.ravel(part.solution).tolist()
    for k, number in enumerate(right, start=1):
        yield f"{name} {k}" if len(right) > 1 else name, number, mistakes_of(part)


def proofs(chapter: str, seed: int) -> Iterator[Item]:
    for name, proof in PROOFS.items():
        if proof.chapter != chapter:
            continue
        # with the seed alone, several proofs would have the same order of letters
        proof = proof.shuffled([seed, *name.encode()])
        lines = {x: proof.lines[key] for x, key in proof.letters.items()}
        letter = {key: x for x, key in proof.letters.items()}
        wrong = {x: line.error for x, line in lines.items() if line.error}
        text = f"{proof.claim}\n\nPut the lines of the proof in order: give their letters. "
        text += f"Leave out the {len(wrong)} lines that are wrong.\n\n"
        text += "\n".join(f"- **{x}** {line.text}" for x, line in lines.items())
        needs = ", ".join(
            f"{letter[k]} after {' and '.join(letter[n] for n in proof.lines[k].needs)}"
            for k in proof.correct_order if proof.lines[k].needs
        )  # fmt: skip
        order = "".join(letter[k] for k in proof.correct_order)
        right = f"{order}, or another order with {needs}"
        yield Item("A proof to put in order", PROOF, text, right, mistakes=wrong)


def claims(chapter: str, seed: int) -> Iterator[Item]:
    """Yield short claims that the chapter proves and wrong versions that it refutes."""
    rng = np.random.default_rng([seed, *chapter.encode()])
    for proof in proofs_of(read_notebook(ROOT / "chapters" / f"{chapter}.ipynb")["cells"]):
        wrong, text = rng.choice(proof["refuted"]), proof["statement"]
        where = homework.plain(DESCRIPTIONS.get(proof["name"], {}).get("where", ""))
        answer = f"True. It is proved in the chapter: {proof['name']}."
        mistakes = {"False": "The chapter proves it, and tests it with random numbers."}
        if rng.random() < 0.5:
            text = re.sub(r"(?s) (=|\\ge) .*", r" \1 ", text) + wrong["right_side"]
            answer = f"False. The mistake: {wrong['change']}."
            if not where:  # the random numbers may not satisfy `where`
                answer += f" At {wrong['at']} the left side is {wrong['left']}, "
                answer += f"and the right side is {wrong['wrong']}."
            mistakes = {"True": f"The mistake: {wrong['change']}."}
        if len(text) > MAX_FORMULA:
            continue
        text = f"Is this true?\n\n$$\n{text}\n$$\n\n{f'Here {where}. ' * bool(where)}"
        text += f"Assumed: {proof['given']}."
        yield Item("True or false", SHORT, text, answer, choices=TRUTH, mistakes=mistakes)


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
            guess_points = sum(other.guess_points for other in (*taken, item))
            too_easy = 100 * guess_points * len(chapters) > guessing * minutes
            is_new = item.text not in {t.text for t in taken}
            if item.minutes <= left and is_new and not too_easy:
                taken.append(item)
                left -= item.minutes
        if not taken:
            rule = f"at least {SHORT * len(chapters)} for these chapters"
            raise ValueError(f"minutes must be {rule}; got {minutes}")
        chosen += sorted(taken, key=lambda item: item.minutes)
    return chosen


def to_markdown(number: int, item: Item, is_key: bool) -> str:
    text = f"## {number}. {item.title} ({item.minutes} points)\n\n{item.text}"
    text += "".join(f"\n- ☐ {choice}" for choice in item.choices)
    if not is_key:
        return typeset_plain_text(text)
    mistakes = "".join(f"\n- *{wrong}* {why}" for wrong, why in item.mistakes.items())
    text = f"{text}\n\n**{item.right}**" + f"\n\n{item.judge}" * bool(item.judge)
    text += f"\n\nWrong answers:\n{mistakes}" * bool(mistakes)
    return typeset_plain_text(text)


def typeset_plain_text(text: str) -> str:
    """Typeset indices, Greek letters and minus signs outside of formulas and code."""
    parts = re.split(r"(\$\$.*?\$\$|\$[^$]*\$|`[^`]*`)", text, flags=re.S)
    for k in range(0, len(parts), 2):  # the others are formulas and code
        part = re.sub(GREEK, r"$\\\g<0>$", parts[k])
        part = re.sub(INDEXED, r"$\g<0>$", part)
        parts[k] = re.sub(r"(?<![\w.)-])-(?=\d)", "−", part)
    return "".join(parts)


def to_html(markdown: str, formula: Callable) -> str:
    def render(tex: str, options: dict) -> str:
        return formula(tex, options["display_mode"])

    parser = MarkdownIt("commonmark").use(dollarmath_plugin, renderer=render)
    return parser.render(markdown)


def page(title: str, summary: str, items: list[Item], is_key: bool) -> str:
    """Render the sheet or its key as HTML."""
    files = pdf.fetching.fetch()
    dist = files / "site" / pdf.fetching.TEMML / "dist"
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    macros = config["sphinx"]["config"]["formula_macros"]
    temml = Typesetter(dist / "temml.min.js", macros)
    numbered = enumerate(items, start=1)
    texts = [to_markdown(number, item, is_key) for number, item in numbered]
    sections = [to_html(text, temml.formula) for text in texts]
    temml.close()
    context = {"title": title, "summary": summary, "is_key": is_key}
    context["items"] = zip(items, sections, strict=True)
    context["temml"] = (dist / "Temml-STIX2.css").as_uri()
    context["font"] = next((files / "mathfont" / "files").glob("*.woff")).as_uri()
    return PAGE.render(context)


def tolerance(right: float, mistakes: dict[str, str], asked: float = 0.0) -> float:
    """Return the largest accepted error of an answer.

    It is 0.06% of `right`, or `asked` if larger, but at most half the distance to a
    listed mistake.
    """
    numbers = map(float, re.findall(r"-?\d[\d.]*(?:e[-+]?\d+)?", " ".join(mistakes)))
    distances = [abs(right - x) for x in numbers if not np.isclose(x, right, 1e-5, 0)]
    return min([max(0.0006 * abs(right), asked), *(distance / 2 for distance in distances)])


def asked_error(text: str, right: float) -> float:
    """Return half a unit of the last digit that a question requests, 0 without one.

    "Three digits" are significant or after the point, whichever allows more.
    """
    if not (asked := ASKED_DIGITS.search(text)):
        return 0.0
    digits, magnitude = NUMBER_WORDS.index(asked[1]), np.floor(np.log10(abs(right) or 1.0))
    first = magnitude + 1 if asked[2] == "digits" else 0.0
    return 0.5001 * max(10.0**-digits, 10.0 ** (first - digits))


def cloze_blank(
    points: int, right: float | bool, mistakes: dict[str, str], text: str = ""
) -> str:
    """Return a blank in Moodle's Cloze format, with feedback on numeric mistakes.

    text  the question, which may ask for a number of digits
    """
    if isinstance(right, bool):
        return f"{{{points}:MULTICHOICE:{'=True~False' if right else 'True~=False'}}}"
    allowed = tolerance(right, mistakes, asked_error(text, right))
    answers = [f"={right:.12g}:{allowed:.4g}"]
    for wrong, why in mistakes.items():
        is_number = re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?", wrong)
        if is_number and abs(float(wrong) - right) > allowed:
            why = re.sub(r"\$([^$]*)\$", r"\\(\1\\)", typeset_plain_text(why))
            why = re.sub(r"([}#~])", r"\\\1", why)
            answers.append(f"%0%{wrong}:{allowed:.4g}#{why}")
    return f"{{{points}:NUMERICAL:{'~'.join(answers)}}}"


def rounding_rule(text: str, right: float | bool) -> str:
    """Return the text after a blank: how to round; "" for a truth value."""
    if isinstance(right, bool):
        return ""
    digits = "" if ASKED_DIGITS.search(text) else ", to four significant digits"
    return f" (a decimal{digits})"


def moodle(items: list[Item], title: str = "Exam") -> str:
    """Render the questions in Moodle's XML format; free text is an essay question.

    A number may be rounded as the question asks or to four significant digits, unless a
    listed mistake is closer.
    """

    def html(markdown: str) -> str:
        delimiters = {True: r"\[%s\]", False: r"\(%s\)"}  # True: display mode
        markdown = typeset_plain_text(markdown)
        return to_html(markdown, lambda tex, display: delimiters[display] % escape(tex))

    context = {"html": html, "truth": TRUTH, "title": title}
    context |= {"cloze_blank": cloze_blank, "rounding_rule": rounding_rule}
    return QUIZ.render(items=enumerate(items, start=1), **context) + "\n"


def main(arguments: list[str] | None = None) -> str | None:
    parser = command_parser("teaching.exam", __doc__)
    parser.add_argument("chapters", nargs="+", metavar="CHAPTER")
    parser.add_argument("--minutes", type=int, default=60, help="length of the exam")
    text = "percentage of the points that guessing may earn on average"
    parser.add_argument("--guessing", type=natural_number, default=GUESSING, help=text)
    homework.add_seed_and_name(parser)
    given = parser.parse_args(arguments)
    chapters = [*dict.fromkeys(given.chapters)]
    try:
        check_names("chapter", chapters, review.CHAPTERS)
        items = exam(chapters, given.seed, given.minutes, given.guessing)
        with homework.output_folder("exam", given.name) as (folder, path):
            write(folder, chapters, given.seed, items)
    except (OSError, ValueError) as error:
        return f"No exam was written: {error}"
    total = sum(item.minutes for item in items)
    guessed = sum(item.guess_points for item in items)
    print(f"{len(items)} questions, {total} minutes: see {path}.")
    print(f"Guessing earns {guessed:.1f} points on average.")
    print(f"SEED={given.seed} reproduces this exam.")
    if given.minutes - total >= SHORT * len(chapters):
        print(f"There are not enough suitable questions to fill {given.minutes} minutes.")
    return None


def write(folder: Path, chapters: list[str], seed: int, items: list[Item]) -> None:
    total = sum(item.minutes for item in items)
    print("Printing sheet and key ...", flush=True)
    for name, is_key in (("sheet", False), ("key", True)):
        title = ", ".join(map(homework.chapter_title, chapters))
        if is_key:  # the seed gives the key away
            title = f"Key: {title}, seed {seed}"
        summary = f"{total} minutes, {total} points; no penalty for wrong answers"
        texts = [f"# {title}\n\n{summary}"]
        for number, item in enumerate(items, start=1):
            texts += [to_markdown(number, item, is_key), *["Answer: "] * (not is_key)]
        write_files(folder, {f"{name}.ipynb": notebook([*map(new_markdown_cell, texts)])})
        with tempfile.TemporaryDirectory(dir=BUILD) as draft:
            html = page(title, summary, items, is_key)
            pdf.print_sheet(html, title, Path(draft), folder / f"{name}.pdf")
    title = f"{' '.join(chapters)} {sha256(str(seed).encode()).hexdigest()[:6]}"
    write_files(folder, {"moodle.xml": moodle(items, title)})


if __name__ == "__main__":
    sys.exit(main())  # a message from main is printed, with exit status 1
