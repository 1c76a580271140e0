"""Preprocessors for nbgrader, which then runs verdicts in place of a student's code."""

import json
from pathlib import Path

import nbformat
from nbgrader.preprocessors import DeduplicateIds, NbGraderPreprocessor
from traitlets import Unicode

from halfspaces.homework import replace_code_by_verdicts


class Grader(NbGraderPreprocessor):
    """Put this before Execute in `c.Autograde.autograde_preprocessors`."""

    key = Unicode(help="path of the key of the homework").tag(config=True)

    def preprocess(self, notebook, resources):
        key = json.loads(Path(self.key).read_text("utf-8"))
        notebook = replace_code_by_verdicts(notebook, key, nbgrader=True)
        return nbformat.from_dict(notebook), resources


class Deduplicate(DeduplicateIds):
    """Take a copied cell for a cell of the student; nbgrader would stop at it."""

    def preprocess_cell(self, cell, resources, cell_index):
        super().preprocess_cell(cell, resources, cell_index)
        if cell.metadata.get("nbgrader") == {}:
            del cell.metadata["nbgrader"]
        return cell, resources
