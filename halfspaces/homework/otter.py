"""Plugin for otter-grader, which then runs verdicts in place of a student's code."""

import os

import nbformat
from otter.plugins import AbstractOtterPlugin

from halfspaces.homework import replace_code_by_verdicts


class Grader(AbstractOtterPlugin):
    """Configured in otter_config.json with the `key` of the homework."""

    def before_execution(self, submission):
        os.environ["PYTHONSAFEPATH"] = "1"  # the kernel imports no file of a submitted zip
        submission.metadata.pop("kernelspec", None)  # a kernel of the student's computer
        key = self.plugin_config["key"]
        return nbformat.from_dict(replace_code_by_verdicts(submission, key))
