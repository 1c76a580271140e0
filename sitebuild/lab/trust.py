"""The chapters of this book in JupyterLab: their pictures show, and a save keeps them.

Jupyter trusts outputs that were computed on the same machine, and shows of all others no
picture and no widget.  A signature, as `jupyter trust` gives it, is lost whenever the
file is written again, by `make notebooks` or by git.
"""

from contextlib import suppress

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from tornado.web import HTTPError

from sitebuild.freshness import keep_models
from sitebuild.lab.references import pages

CHAPTERS = {page["path"] for page in pages().values()}


class Chapters(AsyncLargeFileManager):
    """Files as Jupyter has them, where a chapter of the book needs no signature."""

    def mark_trusted_cells(self, nb, path=""):
        if path.strip("/") in CHAPTERS:
            self.notary.mark_cells(nb, True)
        else:
            super().mark_trusted_cells(nb, path)

    async def save(self, model, path=""):
        """Save a file; of a notebook also the moving pictures that have not run again."""
        if model["type"] == "notebook":
            with suppress(HTTPError):  # a new file, or one that is no notebook
                keep_models(model["content"], (await self.get(path))["content"])
        return await super().save(model, path)
