"""Proofs as the reader meets them: those of sphinx-proof, and those made by SymPy.

sphinx-proof 0.4.0 gives each proof the id "proof", so a page with two has one id twice;
and its label is plain text, glued to the first sentence.  Here the id goes, and the
label is an element of the class `hs-proof`, for the style sheet.

A cell that calls `prove` shows one line, its card.  Here its code moves into the card,
so that both unfold together.
"""

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_proof.nodes import proof_node

LABEL = "Proof. "
CODE = "<!-- code -->"  # as in halfspaces.proofs.card


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


class FoldCode(SphinxPostTransform):
    """Move the code of a cell to its mark inside the card that the cell put out."""

    default_priority = 198  # after an output was chosen, before inputs are hidden
    formats = ("html",)

    def run(self, **kwargs):
        for cell in list(self.document.findall(nodes.container)):
            if cell.get("nb_element") != "cell_code":
                continue
            cards = [raw for raw in cell.findall(nodes.raw) if CODE in raw.astext()]
            inputs = [part for part in cell if part.get("nb_element") == "cell_code_source"]
            for card, source in zip(cards, inputs, strict=False):
                before, after = card.astext().split(CODE)
                pieces = [nodes.raw("", text, format="html") for text in (before, after)]
                cell.remove(source)
                cell["hide_mode"] = None
                card.parent.replace(card, [pieces[0], *source.children, pieces[1]])


def setup(app):
    app.setup_extension("sphinx_proof")
    app.add_transform(LabelProofs)
    app.add_post_transform(FoldCode)
