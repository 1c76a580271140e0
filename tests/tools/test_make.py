"""`make book` and `make serve`, on a book of two pages: killed, doubled, old, offline."""

import os
import signal
import socket
import subprocess
import sys
from urllib.error import HTTPError
from urllib.request import urlopen

import nbformat
import pytest
from making import Book

# What `make notebooks` notes down, without the cells being run.
STAMP = """
import json
from chapters import in_book_order, read
from freshness import digest
for path in in_book_order():
    notebook = read(path)
    notebook["metadata"]["halfspaces"] = digest(notebook)
    path.write_text(json.dumps(notebook))
"""
BROKEN = "# Two\n\n```{nonsense}\n```\n"

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


@slow
def test_a_page_with_an_older_date_is_seen_and_the_site_is_readable(built):
    page = built.folder / "chapters" / "two.md"
    date = page.stat().st_mtime - 1e6
    built.write("# Two\n\nFrom elsewhere.\n")
    os.utime(page, (date, date))
    code, said = built.make(preexec_fn=lambda: os.umask(0o077))
    assert code == 0, said
    assert "From elsewhere." in (built.site / "chapters" / "two.html").read_text()
    for path in [built.site, *built.site.rglob("*")]:
        wanted = 0o555 if path.is_dir() else 0o444
        assert path.stat().st_mode & wanted == wanted, path


@slow
def test_old_outputs_are_named_in_each_build(built):
    warning = "chapters/one.ipynb: {}.  Its outputs may be old: run `make notebooks`."
    for _ in range(2):
        assert warning.format("never executed") in built.make()[1]
    run = [sys.executable, "-c", STAMP]
    subprocess.run(run, cwd=built.folder / "tools", check=True, timeout=300)
    code, said = built.make()
    assert code == 0 and "one.ipynb" not in said


@slow
def test_pages_built_without_a_network_are_built_again_with_one(built, tmp_path):
    page = built.site / "chapters" / "one.html"
    assert "cdn.jsdelivr.net" not in page.read_text()
    offline = {"HALFSPACES_CACHE": f"{tmp_path}/none", "HOME": f"{tmp_path}"}
    offline["npm_config_registry"] = "http://127.0.0.1:9"
    (built.folder / "_build" / "built.json").write_text('{"fra')  # harmless: built anew
    code, said = built.make(env=os.environ | offline)
    assert code == 0 and "The pages need the network: temml 0.13.5 was not fetched" in said
    assert "ECONNREFUSED" in said
    assert "cdn.jsdelivr.net" in page.read_text()
    code, said = built.make()
    assert code == 0 and "network" not in said
    assert "cdn.jsdelivr.net" not in page.read_text()


@slow
def test_nothing_is_built_twice(built):
    assert "Building" not in built.make()[1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@slow
def test_the_book_is_served_at_the_port_that_was_asked_for(built):
    port = free_port()
    running = built.start("make", "serve", f"PORT={port}")
    lines = iter(running.stdout.readline, "")
    assert any(f"http://127.0.0.1:{port}" in line for line in lines)
    with urlopen(f"http://127.0.0.1:{port}/chapters/two.html", timeout=300) as answer:
        assert b"Two" in answer.read()
    for path in ("nosuch.html", "chapters/", "_static/", "%00"):
        with pytest.raises(HTTPError, match="404") as missing:
            urlopen(f"http://127.0.0.1:{port}/{path}", timeout=300)
        assert missing.value.read() == (built.site / "404.html").read_bytes()
    os.killpg(running.pid, signal.SIGINT)
    said, _ = running.communicate(timeout=300)
    assert "Stopped." in said and "Traceback" not in said


def test_it_is_served_to_this_machine_alone(shared):
    """A server that listens everywhere would also answer at the second address."""
    port = free_port()
    running = shared.start(sys.executable, "tools/serve.py", str(port))
    try:
        assert f"http://127.0.0.1:{port}" in running.stdout.readline()
        socket.create_connection(("127.0.0.1", port), timeout=300).close()
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.2", port), timeout=5)
    finally:
        os.killpg(running.pid, signal.SIGINT)
        running.communicate(timeout=300)


@pytest.mark.parametrize("port", ["taken", "80O0", "0", "65536"])
def test_a_port_that_cannot_be_used_is_named_in_one_sentence(shared, port):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1]) if port == "taken" else port
        running = shared.start(sys.executable, "tools/serve.py", port)
        said, _ = running.communicate(timeout=300)
    assert running.returncode == 1
    assert port in said and said.count("\n") == 1 and "Traceback" not in said


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
    book.write(BROKEN)
    with book.halted() as running:
        os.killpg(running.pid, how)
        running.communicate()
    code, said = book.make()
    assert code != 0 and "nonsense" in said and "not built" in said
    assert book.files() == before, "the last site stays"


@slow
def test_who_comes_after_a_killed_build_waits_for_what_is_left_of_it(book):
    book.write(BROKEN)
    with book.halted(sys.executable, "tools/build.py") as running:
        running.kill()  # but not its child, which goes on writing
        running.communicate()
        second = book.start()
        assert "waiting" in second.stdout.readline()
    said, _ = second.communicate(timeout=300)
    assert second.returncode != 0 and "nonsense" in said


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
    code, printed = book.make()
    assert code != 0 and "Traceback" not in printed and "Building" not in printed
    (sentence,) = [line for line in printed.splitlines() if file in line]
    assert sentence.startswith(said)


@slow
def test_a_record_of_another_shape_counts_as_none(built):
    (built.folder / "_build" / "built.json").write_text("[]")
    code, said = built.make()
    assert code == 0 and "Building" in said
