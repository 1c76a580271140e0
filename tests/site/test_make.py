"""`make` on a book of two pages: killed, doubled, offline, half a page, elsewhere."""

import os
import shutil
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import nbformat
import pytest

from tests.helpers.making import STRANGER, Book, digests

slow = pytest.mark.slow  # `make test` builds the real book, and these go further


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    return Book(tmp_path_factory.mktemp("book"))


@pytest.fixture
def built(shared):
    code, said = shared.make()
    assert code == 0, said
    return shared


@pytest.fixture
def book(shared):
    """The book, built or not, whose pages a test may break; they are restored."""
    yield shared
    shared.restore()


@slow
def test_two_builds_at_once_give_a_whole_site(built):
    whole = built.files()
    built.write("# Two\n\nNew.\n")
    with built.halted() as first:
        second = built.start()
        assert "waiting" in second.stdout.readline()
    for running in (first, second):
        said, _ = running.communicate(timeout=300)
        assert running.returncode == 0, said
    assert built.files() == whole
    assert "New." in (built.site / "chapters" / "two.html").read_text()


class SignIn(BaseHTTPRequestHandler):
    """A registry that answers everything with a page."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>Please sign in</html>")

    def log_message(self, *words):
        pass


@slow
@pytest.mark.parametrize("answers", [False, True])
def test_pages_built_without_a_network_are_built_again_with_one(built, tmp_path, answers):
    page = built.site / "chapters" / "one.html"
    assert "cdn.jsdelivr.net" not in page.read_text()
    with ThreadingHTTPServer(("127.0.0.1", 0), SignIn) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        registry = f"http://127.0.0.1:{server.server_port if answers else 9}"
        own = {"HALFSPACES_CACHE": f"{tmp_path}/none", "HOME": f"{tmp_path}"}
        own |= {"npm_config_registry": registry, "PIP_INDEX_URL": registry}
        (built.folder / "_build" / "built.json").write_text('{"fra')  # harmless
        code, said = built.make(env=os.environ | own)
        server.shutdown()
    assert code == 0 and "The pages need the network: the files of others: " in said
    assert "Traceback" not in said
    assert "cdn.jsdelivr.net" in page.read_text()
    assert [p.name for p in (tmp_path / "none").iterdir()] == ["lock"]
    code, said = built.make()
    assert code == 0 and "network" not in said
    assert "cdn.jsdelivr.net" not in page.read_text()


@slow
def test_settings_of_another_user_change_no_byte(built):
    here = digests(built.site)
    shutil.rmtree(built.folder / "_build")
    env = os.environ | STRANGER
    del env["HOME"]
    code, said = built.make(env=env, umask=0o077)
    assert code == 0, said
    assert digests(built.site) == here


def test_a_moving_picture_without_its_model_is_refused(book):
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "1" * 32}}
    book.notebook(nbformat.v4.new_output("display_data", view))
    code, said = book.make()
    assert code != 0
    assert "chapters/one.ipynb: its moving pictures were lost when it was saved" in said
    assert "Run `make notebooks`" in said and "Building" not in said


@slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGHUP])
def test_the_error_of_a_page_outlives_a_build_that_was_killed(book, built, how):
    before = book.files()
    book.write("# Two\n\n```{nonsense}\n```\n")
    with book.halted() as running:
        os.killpg(running.pid, how)
        running.communicate()
    code, said = book.make()
    assert code != 0 and "nonsense" in said and "not built" in said
    assert book.files() == before, "the last site stays"


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("one.ipynb", '{"cells": [', "chapters/one.ipynb is not a notebook: Expecting"),
        ("one.ipynb", "[]", "chapters/one.ipynb is not a notebook of format 4, with"),
        ("one.ipynb", ">>>>>>> mine\n", "chapters/one.ipynb, line 1: a merge left a"),
        ("two.md", "# Two\n\n<<<<<<< HEAD\n", "chapters/two.md, line 3: a merge left a"),
    ],
)
def test_half_a_page_is_refused_in_one_sentence(book, file, text, said):
    (book.folder / "chapters" / file).write_text(text)
    for command in ("book", "lab") if file.endswith(".ipynb") else ("book",):
        code, printed = book.make(command)
        assert code and "Traceback" not in printed
        (sentence,) = [line for line in printed.splitlines() if file in line]
        assert sentence.startswith(said) and "Building" not in printed


def test_a_link_that_leads_nowhere_is_named_by_its_cell_and_heading(book):
    texts = ("# One", "Text.\n\n## Part\n\nSee.", "See {ref}`gone`.")
    page = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell(text) for text in texts]
    )
    nbformat.write(page, book.folder / "chapters" / "one.ipynb")
    code, said = book.make()
    assert code and "one.ipynb, cell 3, under “Part”: WARNING: undefined label" in said


def test_a_part_that_nobody_knows_is_refused(shared):
    code, said = shared.make("test", "PART=pages")
    assert code and "PART is package, site, slow or kernels" in said
