"""The edition without solutions: `hide_solutions: true` in _config.yml.

sphinx-exercise 1.2.1 hides a solution in one piece, and stops with an error at one that
spans cells, from `solution-start` to `solution-end`.  Here such a solution goes too,
with all between its two marks, and with it the notebooks offered for download.
"""

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx_exercise.directive import SolutionStartDirective
from sphinx_exercise.nodes import solution_end_node


class hidden_start(nodes.Element):
    """Where a hidden solution begins."""


class SolutionStart(SolutionStartDirective):
    """The stock directive; in the edition without solutions it leaves a mark."""

    def run(self):
        return super().run() or [hidden_start()]


class RemoveHidden(SphinxTransform):
    """Remove each hidden solution, from its mark through its end."""

    default_priority = 5  # before sphinx-exercise joins the parts of its own

    def apply(self):
        for start in list(self.document.findall(hidden_start)):
            siblings = start.parent.children
            first = last = siblings.index(start)
            while not isinstance(siblings[last], solution_end_node):
                last += 1
                if last == len(siblings):
                    raise ValueError(
                        f"{self.env.docname}: a heading or the end of the page comes "
                        "before the solution-end of a solution"
                    )
            del start.parent[first : last + 1]


def withhold_notebooks(app, config):
    """Solutions lie in the notebooks too: offer none for download."""
    if config.hide_solutions:
        config.html_copy_source = False
        config.html_theme_options["use_download_button"] = False


def setup(app):
    app.setup_extension("sphinx_exercise")
    app.add_directive("solution-start", SolutionStart, override=True)
    app.add_transform(RemoveHidden)
    app.connect("config-inited", withhold_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
