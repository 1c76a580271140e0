"""Every stub, solution and wrong answer of the book, run in the page's Python."""

import json

import pytest
from browsing import visiting
from reader import PATIENCE

from chapters import in_book_order

pytestmark = pytest.mark.slow
PATHS = [p for p in in_book_order() if '"stub"' in p.read_text()]
START = """async (name) => {
    const root = new URL("..", location.href);
    const data = await (await fetch(new URL(`in-page/${name}.json`, root))).json();
    data.wheel = new URL(data.wheel, root).href;
    const worker = new Worker(new URL("_static/in-page/worker.js", root), {type: "module"});
    window.answers = new Map();
    window.ask = (id, code) => new Promise((done, fail) => {
        answers.set(id, [done, fail]);
        worker.postMessage({id, code});
    });
    worker.onmessage = ({data}) => {
        if (data.fatal) for (const [, fail] of answers.values()) fail(data.fatal);
        if (data.id) answers.get(data.id)[0](data);
    };
    worker.postMessage({start: data});
}"""


def tried(path):
    """(code, what the notebook has as its answer) of each cell of an exercise."""
    for cell in json.loads(path.read_text())["cells"]:
        if set(cell["metadata"].get("tags", [])) & {"stub", "solution", "wrong-answer"}:
            data = [o["data"] for o in cell["outputs"] if "data" in o]
            yield "".join(cell["source"]), "".join(data[-1]["text/plain"])


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_the_page_answers_as_the_notebook(browser, server, path):
    with visiting(browser, server, f"chapters/{path.stem}.html") as visit:
        page = visit.page
        page.set_default_timeout(PATIENCE)
        page.evaluate(START, path.stem)
        differ = []
        for number, (code, want) in enumerate(tried(path), 1):
            got = page.evaluate("([id, code]) => ask(id, code)", [number, code])
            if got.get("sentence") != want:
                differ.append((code, want, got))
        assert differ == []
        assert visit.outside == []
