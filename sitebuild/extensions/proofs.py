"""Mark up proofs of sphinx-proof, and fold the code of SymPy proofs into their cards.

sphinx-proof 0.4.0 gives each proof the id "proof", which is not unique, and its label is
plain text in the first sentence.  We remove the id, and put the label into an element of
class `hs-proof`.  The contents of proofs, exercises and solutions also share an id.

The output of a cell that calls `prove` is a card.  The code of the cell moves into the
card, so that both unfold together.
"""

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_proof.nodes import proof_node

LABEL = "Proof. "
REPEATED_IDS = ["proof-content"], ["exercise-content"], ["solution-content"]
CODE_MARK = "<!-- code -->"  # as in halfspaces.proofs.card


class LabelProofs(SphinxTransform):
    default_priority = 500

    def apply(self):
        for proof in self.document.findall(proof_node):
            for box in proof.findall(nodes.admonition):
                box["ids"] = []
            first = next(iter(proof.findall(nodes.paragraph)), None)
            text = first[0] if first else None
            if isinstance(text, nodes.Text) and text.startswith(LABEL):
                first[0] = nodes.Text(text.removeprefix(LABEL))
                label = nodes.inline("", LABEL.strip(), classes=["hs-proof"])
                first.insert(0, [label, nodes.Text(" ")])


class DropRepeatedIds(SphinxPostTransform):
    default_priority = 198
    formats = ("html",)

    def run(self, **kwargs):
        for section in self.document.findall(nodes.section):
            if section["ids"] in REPEATED_IDS:
                section["ids"] = []


class FoldCode(SphinxPostTransform):
    """Move the code of a cell to the mark inside the card in its output."""

    default_priority = 198  # after MyST-NB has selected an output, before it hides inputs
    formats = ("html",)

    def run(self, **kwargs):
        for cell in list(self.document.findall(nodes.container)):
            if cell.get("nb_element") != "cell_code":
                continue
            cards = [raw for raw in cell.findall(nodes.raw) if CODE_MARK in raw.astext()]
            inputs = [part for part in cell if part.get("nb_element") == "cell_code_source"]
            for card, source in zip(cards, inputs, strict=False):
                before, after = card.astext().split(CODE_MARK)
                pieces = [nodes.raw("", text, format="html") for text in (before, after)]
                cell.remove(source)
                cell["hide_mode"] = None
                card.parent.replace(card, [pieces[0], *source.children, pieces[1]])


def setup(app):
    app.setup_extension("sphinx_proof")
    app.add_transform(LabelProofs)
    app.add_post_transform(DropRepeatedIds)
    app.add_post_transform(FoldCode)
