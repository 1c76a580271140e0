"""Preprocessors for nbgrader, which then runs verdicts in place of a student's code."""

import json
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from halfspaces.homework import replace_code_by_verdicts


class Grader(NbGraderPreprocessor):
    """Put this before Execute in `c.Autograde.autograde_preprocessors`."""

    key = Unicode(help="path to the key of the homework").tag(config=True)

    def preprocess(self, notebook, resources):
        key = json.loads(Path(self.key).read_text("utf-8"))
        notebook = replace_code_by_verdicts(notebook, key, nbgrader=True)
        # the kernel must not import files that the student submitted
        resources["metadata"]["path"] = str(Path(self.key).resolve().parent)
        return nbformat.from_dict(notebook), resources


class RestoreMetadata(NbGraderPreprocessor):
    """Restore the metadata of the cells of the homework, and its tests.

    All other metadata are removed: nbgrader stops at those that it does not know, and gives
    full points for a test whose tag says that it is not executed.  Students see an empty
    cell for a test: they may delete it, or write into it, which nbgrader would replace.
    """

    def preprocess(self, notebook, resources):
        names = resources["nbgrader"]
        path = Path("source", names["assignment"], f"{names['notebook']}.ipynb")
        cells = nbformat.read(path, 4).cells
        known = {cell.metadata.nbgrader.grade_id: cell for cell in cells}
        for cell in notebook.cells:
            given = cell.metadata.get("nbgrader")
            id_ = given.get("grade_id") if isinstance(given, dict) else None
            original = known.get(str(id_))
            own = original is None or (original.metadata.nbgrader.grade and cell.source)
            cell.metadata = NotebookNode() if own else known.pop(str(id_)).metadata
        notebook.cells += [c for c in known.values() if c.metadata.nbgrader.grade]
        return notebook, resources
