"""Pages are read again when what they hold has changed.

Sphinx compares dates: it misses an older file that was copied over a page with its date,
and an edit made while it reads the page.
"""

import hashlib
from pathlib import Path


def changed(app, env, added, changed, removed) -> list[str]:
    """The pages whose digest is not the one that lies beside what was read of them."""
    now = {name: _digest(env.doc2path(name)) for name in env.found_docs}
    before = getattr(env, "page_digests", {})
    env.page_digests = now  # taken before reading: what changes meanwhile differs then
    return [name for name in now if now[name] != before.get(name)]


def _digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def setup(app):
    app.connect("env-get-outdated", changed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
