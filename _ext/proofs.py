"""Proofs as sphinx-proof 0.4.0 makes them, with two repairs.

Each proof gets the id "proof", so a page with two has one id twice; and its label is
plain text, glued to the first sentence.  Here the id goes, and the label is an element
of the class `hs-proof`, for the style sheet.
"""

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx_proof.nodes import proof_node

LABEL = "Proof. "


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


def setup(app):
    app.setup_extension("sphinx_proof")
    app.add_transform(LabelProofs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
