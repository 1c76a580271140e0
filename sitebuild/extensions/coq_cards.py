"""Put a card after each theorem that Coq checked: one line that unfolds to the whole file.

The first comment of a file in proofs/ names the label of a theorem.  The card follows the
box with this label and shows comments, definitions, statements, and the goal after each
step of a proof, from `sitebuild/coq.py`.  The card of an exercise is in its solution.
`{coq-list}` lists all cards.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from textwrap import dedent

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective
from sphinx_exercise.nodes import is_exercise_node, solution_node

from sitebuild.coq import HEADING, STORED

HOW_TO_READ = '<p><a href="proof_assistant.html">How to read this</a></p>'
RULE = "─" * 24


@dataclass(frozen=True)
class Card:
    """A file of proofs/: its title, the label of its theorem, its scope, and its steps."""

    name: str
    title: str
    label: str
    scope: str
    checked: str
    steps: list[list[str]]

    def html(self) -> str:
        line = f"<strong>Checked: {self.checked}</strong> · {escape(self.title)}"
        parts, steps = [prose(self.scope), HOW_TO_READ], iter(self.steps[1:])
        for text, goal in steps:
            if text.startswith("(*"):
                parts.append(prose(text[2:-2]))
            elif "=====" in goal:
                parts.append(f"<pre>\n{escape(text)}</pre>{proof(text, goal, steps)}")
            else:
                parts.append(f"<pre>{escape(text)}</pre>")
        body = "".join(parts).replace("</pre><pre>", "\n")
        head = f'<details class="hs-check hs-coq" id="coq-{self.name}">'
        return f"{head}<summary>{line}</summary>{body}</details>"


def cards() -> list[Card]:
    stored = json.loads(STORED.read_text("utf-8"))
    checked = f"Coq {stored['coq']}, no axioms"  # sitebuild/coq.py rejects axioms
    return [
        Card(name, *HEADING.match(record["steps"][0][0]).groups(), checked, record["steps"])
        for name, record in stored["files"].items()
    ]


def prose(comment: str) -> str:
    words = re.sub("`(.*?)`", r"<code>\1</code>", escape(" ".join(comment.split())))
    return f"<p>{words}</p>"


def proof(statement: str, goal: str, steps: Iterator) -> str:
    """Show each step of a proof with its new hypotheses and the goals that remain.

    Raises ValueError if the proof does not end with Qed.
    """
    items, known, text = "", news(goal, set())[1], statement
    for text, after in steps:
        if text[0].isupper() and text != "Proof.":
            break
        if text.startswith("(*"):
            items += f"<li>{prose(text[2:-2])}</li>"
        elif text != "Proof.":
            shown, known = news(after, known)
            items += f"<li><pre><code>{escape(text)}</code>\n{escape(shown)}</pre></li>"
    if text != "Qed.":
        raise ValueError(f"proofs/goals.json: {text} instead of Qed after {statement}")
    opened = " open" if statement.startswith("Theorem") else ""
    head = f"<details{opened}><summary>Proof, step by step</summary>"
    return f"{head}<ol>{items}</ol></details>"


def news(goal: str, known: set[str]) -> tuple[str, set[str]]:
    """Return a goal without its known hypotheses, and all of its hypotheses."""
    if "=====" not in goal:
        return "Nothing is left to prove.", set()
    above, below = re.split(r"\n *=+\n", goal, maxsplit=1)
    hypotheses = re.split(r"\n  (?=\S)", above)[1:]
    conclusion, waiting = below.split("\n\ngoal ")[0], int(goal.split()[0]) - 1
    new = [each for each in hypotheses if each not in known]
    rest = f"\n(and {waiting} more)" if waiting else ""
    return "\n".join([*new, RULE, dedent(conclusion) + rest]), set(hypotheses)


def put_cards(app, doctree) -> None:
    app.env.note_dependency(str(STORED))
    found = cards()
    for node in list(doctree.findall(nodes.Element)):
        names = names_of(node)
        for card in reversed([card for card in found if card.label in names]):
            raw = nodes.raw("", card.html(), format="html")
            if isinstance(node, (nodes.section, solution_node)):
                node.append(raw)
            else:
                node.parent.insert(node.parent.index(node) + 1, raw)


def names_of(node) -> set[str]:
    """Return the labels of a box or section; a solution has the label of its exercise."""
    if isinstance(node, nodes.section):
        return {*node["ids"]}
    if isinstance(node, solution_node):
        return {node["target_label"]}
    is_box = isinstance(node, nodes.Admonition) and not is_exercise_node(node)
    return {node.get("label")} if is_box else set()


class CoqList(SphinxDirective):
    """List the theorems that Coq checked, each with its scope."""

    def run(self):
        self.env.note_dependency(str(STORED))
        lines = []
        for card in cards():
            role = "prf:ref" if card.label.startswith("thm-") else "ref"
            link, scope = f"{{{role}}}`{card.label}`", " ".join(card.scope.split())
            lines.append(f"- {card.title} ({link}; {card.checked}). {scope}")
        place = nodes.container()
        self.state.nested_parse(StringList(lines, str(STORED)), 0, place)
        return place.children


def setup(app):
    app.connect("doctree-read", put_cards)
    app.add_directive("coq-list", CoqList)
