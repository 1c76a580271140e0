"""JupyterLab shows the citations and references of the pages, and trusts only chapters."""

import asyncio
import html
import json
import re
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest

from sitebuild.lab import references, trust

CITATION = re.compile(r'href="references\.html#[^"]*" title="([^"]*)">(.*?)</a>')


def test_citations_match_the_pages(site):
    cited = set()
    for page in (site / "chapters").glob("*.html"):
        for full, short in CITATION.findall(page.read_text()):
            cited.add((html.unescape(full), html.unescape(re.sub("<[^>]*>", "", short))))
    works = references.works().values()
    parenthetical = {(w["full"], f"{w['names']}, {w['year']}") for w in works}
    textual = {(w["full"], w["year"]) for w in works}
    assert len(cited) > 20 and cited <= parenthetical | textual


TITLE = re.compile(r'<h\d>(?:<span class="section-number">[^<]*</span>)?(.*?)<a', re.S)
NUMBER = re.compile(r'<span class="(?:caption-number|eqno)">([^<]*)')


def test_references_match_the_pages(site):
    """Compare headings by title, statements by kind and number, equations by number."""
    pages = {name: site / "chapters" / f"{name}.html" for name in references.pages()}
    texts = {name: path.read_text() for name, path in pages.items()}
    lower = {name: text.lower() for name, text in texts.items()}
    compared = 0
    for label, target in references.labels().items():
        page = target["page"]
        marks = (f'id="{label}"', f'id="equation-{label}"')
        start = max(map(lower[page].find, marks))
        assert start >= 0, label
        numbered = re.fullmatch(r"[A-Z]\w+ [\d.]+|\([\d.]+\)", target["text"])
        match = (NUMBER if numbered else TITLE).search(texts[page], start)
        plain = html.unescape(re.sub("<[^>]*>", "", match[1])).strip()
        if "<math" not in match[1]:  # skip titles with formulas
            assert plain.replace("’", "'") == target["text"], label
            compared += 1
    assert compared > 100


@pytest.fixture
def manager(tmp_path):
    manager = trust.ChapterManager(root_dir=str(tmp_path))
    manager.notary.db_file = ":memory:"
    manager.notary.secret = b"secret"
    yield manager
    manager.notary.close()


def test_saving_a_chapter_in_jupyterlab_keeps_its_bytes(manager, tmp_path):
    text = (references.ROOT / "chapters" / "perceptron.ipynb").read_text()
    (tmp_path / "perceptron.ipynb").write_text(text)
    notebook = nbformat.reads(text, 4)
    notebook.metadata["kernelspec"]["display_name"] = "Python 3 (ipykernel)"
    notebook.metadata["language_info"]["version"] = "3.99"
    for cell in notebook.cells:
        if cell["metadata"].get("jupyter"):
            cell["metadata"]["collapsed"] = True
    model = {"type": "notebook", "content": json.loads(json.dumps(notebook))}
    with ThreadPoolExecutor() as thread:  # this thread may run an event loop
        thread.submit(asyncio.run, manager.save(model, "perceptron.ipynb")).result()
    assert (tmp_path / "perceptron.ipynb").read_text() == text


def test_only_chapters_are_trusted(manager):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")])
    chapters = "svm.ipynb", "intro.ipynb"
    for path in (*chapters, "other.ipynb", "copies/svm.ipynb", "copies/other.ipynb"):
        manager.mark_trusted_cells(notebook, path)
        assert notebook.cells[0]["metadata"]["trusted"] == (path in chapters)
