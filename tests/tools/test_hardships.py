"""`make book` and `make notebooks` of a small book where the machine is not kind.

A full disk, a folder that cannot be written, garbage for a download, two at once, and
the settings of another user.  Either the bytes are right, or one line says what is wrong,
the exit code is not zero, what was there stays, and the next run is right.
"""

import os
import shutil
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from making import STRANGER, Book, digests

pytestmark = pytest.mark.slow
DISK = "256m"


@pytest.fixture
def book(tmp_path):
    book = Book(tmp_path / "a book, déjà vu")
    book.write("# Two\n\nÆther – fine.\n")
    yield book
    subprocess.run(["chmod", "-R", "u+w", book.folder], check=True)


def environment(book, **variables) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(book.folder)} | variables


def refused(code: int, said: str) -> str:
    """The one line that says why; what goes before is progress, what follows is make's."""
    assert code != 0 and "Traceback" not in said, said
    lines = [line for line in said.splitlines() if line and not line.startswith("make:")]
    (line,) = [line for line in lines if not line.endswith("...")]
    return line


@contextmanager
def disk(folder: Path):
    """A small disk in the place of a folder, with its files; only root can mount one."""
    files = folder.with_name("files")
    folder.mkdir(exist_ok=True)
    shutil.copytree(folder, files)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a disk that can be filled is mounted by root alone")
    try:
        shutil.copytree(files, folder, dirs_exist_ok=True)
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@contextmanager
def filled(folder: Path, free: int):
    """The disk of the folder with so many bytes left."""
    ballast = folder / "ballast"
    size = shutil.disk_usage(folder).free - free
    with open(ballast, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, size)
    yield
    ballast.unlink()


def test_a_full_disk_leaves_the_last_site_and_is_named(book):
    build = book.folder / "_build"
    with disk(build):
        assert book.make(env=environment(book))[0] == 0
        whole = digests(book.site)
        (build / "tmp").mkdir()
        everywhere = environment(book, TMPDIR=str(build / "tmp"))
        book.write("# Two\n\nNew.\n")
        for free in (0, 40_000, 1_000_000, 6_000_000):
            with filled(build, free):
                line = refused(*book.make(env=everywhere))
            assert line.startswith("The book was not built: [Errno 28]"), (free, line)
            assert len(line) < 500, (free, line)
            assert digests(book.site) == whole, free
        code, said = book.make(env=environment(book))
        assert code == 0, said
        assert "New." in (book.site / "chapters" / "two.html").read_text()


@pytest.mark.parametrize("place", ["chapters", "_build"])
def test_a_full_disk_leaves_a_notebook_and_is_named(book, place):
    folder, page = book.folder / place, book.folder / "chapters" / "one.ipynb"
    run = ("make", "notebooks")
    with disk(folder):
        before = page.read_bytes()
        with filled(folder, 0):
            running = book.start(*run, env=environment(book))
            said, _ = running.communicate(timeout=300)
        assert running.returncode != 0 and "Traceback" not in said, said
        assert "No space left on device" in said and page.read_bytes() == before
        assert {p.name for p in page.parent.iterdir()} == {"one.ipynb", "two.md"}
        again = book.start(*run, env=environment(book))
        said, _ = again.communicate(timeout=300)
        assert again.returncode == 0 and "1 executed" in said, said


class Garbage(BaseHTTPRequestHandler):
    """A registry that answers everything with a page."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>Please sign in</html>")

    def log_message(self, *words):
        pass


def test_a_garbage_download_is_named_and_never_served(book, tmp_path):
    with ThreadingHTTPServer(("127.0.0.1", 0), Garbage) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        registry = f"http://127.0.0.1:{server.server_port}"
        cache = {"HALFSPACES_CACHE": str(tmp_path / "cache"), "HOME": str(tmp_path)}
        mirrors = {"npm_config_registry": registry, "PIP_INDEX_URL": registry}
        code, said = book.make(env=environment(book, **cache, **mirrors))
        server.shutdown()
    assert code == 0 and "Traceback" not in said, said
    assert "The pages need the network: the files of others: " in said
    assert [p.name for p in (tmp_path / "cache").iterdir()] == ["lock"]
    assert b"sign in" not in b"".join(p.read_bytes() for p in book.site.rglob("*.*"))
    code, said = book.make(env=environment(book))
    assert code == 0 and "network" not in said


def test_settings_of_another_user_change_no_byte(book):
    assert book.make(env=environment(book))[0] == 0
    here = digests(book.site)
    shutil.rmtree(book.folder / "_build")
    env = environment(book, **STRANGER)
    del env["HOME"]
    code, said = book.make(env=env, umask=0o077)
    assert code == 0, said
    assert digests(book.site) == here


def test_a_full_disk_leaves_no_part_of_a_zip(book):
    build = book.folder / "_build"
    with disk(build):
        assert book.make(env=environment(book))[0] == 0
        before = {path.name for path in build.iterdir()}
        with filled(build, 40_000):
            running = book.start("make", "zip", env=environment(book))
            said, _ = running.communicate(timeout=300)
            assert "\nThe zip was not made: [Errno 28]" in said and "Traceback" not in said
        assert {path.name for path in build.iterdir()} == before
