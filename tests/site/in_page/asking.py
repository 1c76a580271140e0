"""Ask a page's worker directly, as its scripts do."""

from contextlib import contextmanager

from browsing import visiting
from reader import PATIENCE

START = """async (name) => {
    const root = new URL("..", location.href);
    const data = await (await fetch(new URL(`in-page/${name}.json`, root))).json();
    data.wheel = new URL(data.wheel, root).href;
    const worker = new Worker(new URL("_static/in-page/worker.js", root), {type: "module"});
    const waiting = new Map();
    let count = 0;
    window.ask = (message) => new Promise((done, fail) => {
        waiting.set(++count, [done, fail]);
        worker.postMessage({id: count, ...message});
    });
    worker.onmessage = ({data}) => {
        const failed = new Error(data.fatal);
        if (data.fatal) for (const [, fail] of waiting.values()) fail(failed);
        if (data.id) waiting.get(data.id)[0](data);
    };
    worker.postMessage({start: data});
}"""


@contextmanager
def asking(browser, server, name):
    """A function that gives the worker's answer to a message, on the page of a chapter."""
    with visiting(browser, server, f"chapters/{name}.html") as visit:
        visit.page.set_default_timeout(PATIENCE)
        visit.page.evaluate(START, name)
        yield lambda message: visit.page.evaluate("(message) => ask(message)", message)
        assert visit.outside == []
