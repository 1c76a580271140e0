"""`make` on a book of two pages: killed, concurrent, offline, with broken sources."""

import os
import shutil
import signal

import nbformat
import pytest

from sitebuild import serve
from sitebuild.lab import start
from tests.helpers.temp_clone import OTHER_USER, Book, digests, wait_until

slow = pytest.mark.slow


@pytest.fixture(scope="module")
def shared_book(tmp_path_factory):
    return Book(tmp_path_factory.mktemp("book"))


@pytest.fixture
def built_book(shared_book):
    code, output = shared_book.make()
    assert code == 0, output
    return shared_book


@pytest.fixture
def book(shared_book):
    """A book whose pages a test may break; they are restored."""
    yield shared_book
    shared_book.restore()


@slow
def test_concurrent_builds_make_a_complete_site(built_book):
    complete = digests(built_book.site).keys()
    built_book.write_page("# Two\n\nNew.\n")
    first = built_book.start()
    assert "Building" in first.stdout.readline()
    second = built_book.start()
    assert "waiting" in second.stdout.readline()
    for process in (first, second):
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0, output
    assert digests(built_book.site).keys() == complete
    assert "New." in (built_book.site / "chapters" / "two.html").read_text()


@slow
def test_site_built_offline_is_rebuilt_with_network(built_book, tmp_path):
    page = built_book.site / "chapters" / "one.html"
    assert "cdn.jsdelivr.net" not in page.read_text()
    offline = {"HALFSPACES_CACHE": f"{tmp_path}/none", "HOME": f"{tmp_path}"}
    closed = "http://127.0.0.1:9"
    offline |= {"npm_config_registry": closed, "PIP_INDEX_URL": closed}
    (built_book.folder / "_build" / "built.json").write_bytes(b"\xe7\x00")  # damaged
    code, output = built_book.make(env=os.environ | offline)
    assert code == 0 and "The pages need a network: third-party files: " in output
    assert "Traceback" not in output
    assert "cdn.jsdelivr.net" in page.read_text()
    assert [p.name for p in (tmp_path / "none").iterdir()] == ["lock"]
    code, output = built_book.make()
    assert code == 0 and "network" not in output
    assert "cdn.jsdelivr.net" not in page.read_text()


@slow
def test_build_is_independent_of_user_settings(built_book):
    before = digests(built_book.site)
    shutil.rmtree(built_book.folder / "_build")
    env = os.environ | OTHER_USER
    del env["HOME"]
    code, output = built_book.make(env=env, umask=0o077)
    assert code == 0, output
    assert digests(built_book.site) == before


def test_lost_widget_model_fails_the_build(book):
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "1" * 32}}
    book.write_notebook(nbformat.v4.new_output("display_data", view))
    code, output = book.make()
    assert code != 0
    assert "chapters/one.ipynb: its animations were lost when it was saved" in output
    assert "Run `make notebooks`" in output and "Building" not in output


@slow
def test_page_error_is_reported_after_a_killed_build(book, built_book):
    before = digests(book.site)
    book.write_page("# Two\n\n```{nonsense}\n```\n")
    process = book.start()
    wait_until(lambda: [*book.folder.glob("_build/work/**/environment.pickle")])
    os.killpg(process.pid, signal.SIGKILL)  # after the pages were read
    process.communicate()
    code, output = book.make()
    assert code != 0 and "nonsense" in output and "not built" in output
    assert digests(book.site) == before, "the previous site is kept"


BROKEN = [
    ("book", "two.md", "# Two\n\n<<<<<<< HEAD\n", ", line 3: unresolved merge"),
    pytest.param("lab", "one.ipynb", ">>>>>>> mine\n", ", line 1: unresolved", marks=slow),
    pytest.param("book", "one.ipynb", '{"cells": [', " is not a notebook: ", marks=slow),
    pytest.param("book", "one.ipynb", "[]", " is not a notebook of format 4", marks=slow),
]


@pytest.mark.parametrize(("command", "file", "text", "message"), BROKEN)
def test_broken_source_fails_the_command(book, command, file, text, message):
    (book.folder / "chapters" / file).write_text(text)
    code, output = book.make(command)
    assert code and "Traceback" not in output
    (line,) = [line for line in output.splitlines() if file in line]
    assert line.startswith(f"chapters/{file}{message}") and "Building" not in output


def test_page_errors_name_file_cell_and_heading(book):
    """A heading skips a level, pictures have no alternative, and a link is broken."""
    book.write_page("# Two\n\n### Deep\n\n![](two.png) ![Words](two.png)\n")
    (book.folder / "chapters" / "two.png").touch()
    named = '<svg aria-label="a line"></svg><svg aria-hidden="true"/>'
    data = {"text/plain": "picture", "text/html": f'<svg aria-label=""></svg>{named}'}
    texts = ("## Part\n\nSee.", "See {ref}`gone`.")
    cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
    book.write_notebook(nbformat.v4.new_output("display_data", data=data), cells=cells)
    code, output = book.make()
    picture = "WARNING: picture without alternative text:"
    assert code and "two.md:3: WARNING: Non-consecutive header level" in output
    assert f"two.md:5: {picture} chapters/two.png" in output
    assert f"one.ipynb, cell 2, under “One”: {picture} <svg " in output
    assert output.count("without alternative text") == 2
    assert "one.ipynb, cell 4, under “Part”: WARNING: undefined label" in output


INVALID = {
    ("test", "PART=pages"): "PART must be unset or one of: package site slow kernels",
    ("test", "PART=package site"): "PART must be unset or one of: package site slow",
    ("book", "EDITION=x"): "EDITION must be unset or one of: student; got 'x'",
    ("lint", "FIX=no"): "FIX must be unset or one of: yes; got 'no'",
}


@pytest.mark.parametrize("arguments", INVALID)
def test_invalid_make_variable_fails(shared_book, arguments):
    code, output = shared_book.make(*arguments)
    assert code and INVALID[arguments] in output


@pytest.mark.parametrize("value", ["foo", "0", "99999"])
def test_invalid_port_is_reported(value, capsys):
    for main in (start.main, serve.main):
        with pytest.raises(SystemExit):
            main(["--port", value])
        assert f"invalid port value: '{value}'" in capsys.readouterr().err


def test_make_variables_are_quoted_and_not_read_from_the_environment(shared_book):
    assert "sitebuild.serve --port '9'" in shared_book.make("-n", "serve", "PORT=9")[1]
    assert "lab.start --port '9'" in shared_book.make("-n", "lab", "PORT=9")[1]
    environment = os.environ | {"NAME": "HOST.local", "SEED": "9"}
    code, output = shared_book.make("-n", "exam", "CHAPTERS=svm sgd", env=environment)
    assert code == 0 and output.rstrip().rstrip("\\ \n").endswith("'svm' 'sgd'")
    code, output = shared_book.make("-n", "exam", "CHAPTERS=svm", "NAME=may'x")
    assert code == 0 and r"--name 'may'\''x'" in output
