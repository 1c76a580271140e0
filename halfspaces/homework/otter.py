"""Plugin for otter-grader, which then runs verdicts in place of a student's code."""

import os
from pathlib import Path

import nbformat
from otter.plugins import AbstractOtterPlugin

from halfspaces.homework import replace_code_by_verdicts


class Grader(AbstractOtterPlugin):
    """Configured in otter_config.json with the `key` of the homework."""

    def before_grading(self, config):
        log = Path(".OTTER_LOG")  # otter would unpickle this file from a submitted zip
        if log.is_file():
            log.unlink()

    def before_execution(self, submission):
        os.environ["PYTHONSAFEPATH"] = "1"  # the kernel must import no file from a zip
        # otter runs tests in cell metadata; the kernelspec may name a missing kernel
        own = {k: v for k, v in submission.metadata.items() if k == "halfspaces"}
        submission.metadata = nbformat.from_dict(own)
        for cell in submission.cells:
            cell.metadata = nbformat.NotebookNode()
        key = self.plugin_config["key"]
        return nbformat.from_dict(replace_code_by_verdicts(submission, key))
