"""Trust the book's chapters in JupyterLab, and keep their animations on saving.

Jupyter trusts only outputs that were computed on the same machine, and hides pictures and
widgets of other notebooks.  A signature by `jupyter trust` is lost whenever git or
`make notebooks` rewrites the file.
"""

from contextlib import suppress

import nbformat
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from tornado.web import HTTPError

from sitebuild.lab.references import pages
from sitebuild.normalize import normalize_metadata
from sitebuild.staleness import keep_widget_models

CHAPTERS = {page["path"] for page in pages().values()}


class ChapterManager(AsyncLargeFileManager):
    """Jupyter's contents manager, for which chapters of the book need no signature."""

    def mark_trusted_cells(self, nb, path=""):
        if path.strip("/") in CHAPTERS:
            self.notary.mark_cells(nb, True)
        else:
            super().mark_trusted_cells(nb, path)

    async def save(self, model, path=""):
        """Save a file; a notebook keeps animations that were not executed again.

        Saving a chapter without an edit leaves its file unchanged.
        """
        if model["type"] == "notebook":
            notebook = model["content"] = nbformat.from_dict(model["content"])
            with suppress(HTTPError):  # a new file or not a notebook
                keep_widget_models(notebook, (await self.get(path))["content"])
            if path.strip("/") in CHAPTERS:
                normalize_metadata(notebook)
        return await super().save(model, path)
