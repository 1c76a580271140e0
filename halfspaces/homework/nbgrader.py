"""For nbgrader: what it runs of a submission are the verdicts on it."""

import json
from pathlib import Path

import nbformat
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from halfspaces.homework import graded


class Grader(NbGraderPreprocessor):
    """Stands before Execute among `c.Autograde.autograde_preprocessors`."""

    key = Unicode(help="the path of the key of the homework").tag(config=True)

    def preprocess(self, notebook, resources):
        key = json.loads(Path(self.key).read_text("utf-8"))
        return nbformat.from_dict(graded(notebook, key)), resources
