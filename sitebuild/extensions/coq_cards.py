"""Add a card after each theorem that Coq checked: one line that expands to the whole proof.

The first comment of a file in proofs/ contains the label of a theorem.  The card follows
the box with this label and shows the comments, definitions and statements, and the goal
after each proof step, from `sitebuild/coq.py`.  For an exercise, it is in the solution.
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
    """A file in proofs/: title, label of the theorem, scope, checker, and steps."""

    name: str
    title: str
    label: str
    scope: str
    checker: str
    steps: list[list[str]]

    def html(self) -> str:
        line = f"<strong>Checked: {self.checker}</strong> · {escape(self.title)}"
        parts, steps = [paragraph(self.scope), HOW_TO_READ], iter(self.steps[1:])
        for text, goal in steps:
            if text.startswith("(*"):
                parts.append(paragraph(text[2:-2]))
            elif "=====" in goal:
                parts.append(f"<pre>\n{escape(text)}</pre>{proof_html(text, goal, steps)}")
            else:
                parts.append(f"<pre>{escape(text)}</pre>")
        body = "".join(parts).replace("</pre><pre>", "\n")
        head = f'<details class="hs-check hs-coq" id="coq-{self.name}">'
        return f"{head}<summary>{line}</summary>{body}</details>"


def cards() -> list[Card]:
    stored = json.loads(STORED.read_text("utf-8"))
    checker = f"Coq {stored['coq']}, no axioms"  # sitebuild/coq.py rejects axioms
    return [
        Card(name, *HEADING.match(record["steps"][0][0]).groups(), checker, record["steps"])
        for name, record in stored["files"].items()
    ]


def paragraph(comment: str) -> str:
    text = re.sub("`(.*?)`", r"<code>\1</code>", escape(" ".join(comment.split())))
    return f"<p>{text}</p>"


def proof_html(statement: str, goal: str, steps: Iterator) -> str:
    """Show each step of a proof with its new hypotheses and the remaining goals.

    Takes its steps from the iterator; raises ValueError if they do not end with Qed.
    """
    items, known, text = "", format_goal(goal, set())[1], statement
    for text, new_goal in steps:
        if text[0].isupper() and text != "Proof.":
            break
        if text.startswith("(*"):
            items += f"<li>{paragraph(text[2:-2])}</li>"
        elif text != "Proof.":
            goal_text, known = format_goal(new_goal, known)
            items += f"<li><pre><code>{escape(text)}</code>\n{escape(goal_text)}</pre></li>"
    if text != "Qed.":
        raise ValueError(f"proofs/goals.json: {text} instead of Qed after {statement}")
    open_attribute = " open" if statement.startswith("Theorem") else ""
    head = f"<details{open_attribute}><summary>Proof, step by step</summary>"
    return f"{head}<ol>{items}</ol></details>"


def format_goal(goal: str, known: set[str]) -> tuple[str, set[str]]:
    """Format a goal with its new hypotheses only; also return all of its hypotheses."""
    if "=====" not in goal:
        return "Nothing is left to prove.", set()
    context, goals = re.split(r"\n *=+\n", goal, maxsplit=1)
    hypotheses = re.split(r"\n  (?=\S)", context)[1:]
    conclusion, n_others = goals.split("\n\ngoal ")[0], int(goal.split()[0]) - 1
    new = [hypothesis for hypothesis in hypotheses if hypothesis not in known]
    rest = f"\n(and {n_others} more)" if n_others else ""
    return "\n".join([*new, RULE, dedent(conclusion) + rest]), set(hypotheses)


def add_cards(app, doctree) -> None:
    app.env.note_dependency(str(STORED))
    all_cards = cards()
    for node in list(doctree.findall(nodes.Element)):
        labels = labels_of(node)
        for card in reversed([card for card in all_cards if card.label in labels]):
            raw = nodes.raw("", card.html(), format="html")
            if isinstance(node, (nodes.section, solution_node)):
                node.append(raw)
            else:
                node.parent.insert(node.parent.index(node) + 1, raw)


def labels_of(node) -> set[str]:
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
            lines.append(f"- {card.title} ({link}; {card.checker}). {scope}")
        container = nodes.container()
        self.state.nested_parse(StringList(lines, str(STORED)), 0, container)
        return container.children


def setup(app):
    app.connect("doctree-read", add_cards)
    app.add_directive("coq-list", CoqList)
