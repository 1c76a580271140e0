"""For otter-grader: what it runs of a submission are the verdicts on it."""

import nbformat
from otter.plugins import AbstractOtterPlugin

from halfspaces.homework import graded


class Grader(AbstractOtterPlugin):
    """Its configuration, in otter_config.json, holds the `key` of the homework."""

    def before_execution(self, submission):
        return nbformat.from_dict(graded(submission, self.plugin_config["key"]))
