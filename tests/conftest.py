"""What several tests share: their order, the built site, a browser, a server."""

import os
import signal
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "_ext"))
sys.path.insert(0, str(ROOT / "tools"))
sys.path.append(str(ROOT))  # for benchmarks
import kernels  # noqa: E402
import noise  # noqa: E402
from chromium import chromium  # noqa: E402
from policy import HEADER  # noqa: E402

if "MLCORE_NOISE" in os.environ:
    noise.put_in(int(os.environ["MLCORE_NOISE"]))

for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"):
    os.environ.pop(name, None)  # `make` in a test is not a part of `make test`

# After nohup, or in the background of a script, what tests start would ignore these.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# A worker that begins with one of these at the end keeps all waiting: they come first.
LONGEST = ["test_engines", "test_answers", "test_print", "test_student", "test_lab"]
LONGEST += ["test_live", "test_make", "test_session", "test_life", "test_pages"]
LONGEST += ["svm.ipynb"]
LONGEST += [".ipynb", "test_leukemia_study", "test_package", "test_beyond_memory"]
LONGEST += ["test_safety", "test_estimators", "test_imports"]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_report_header():
    return f"kernel {kernels.blas()}, NumPy's vectors: {' '.join(kernels.vectors())}"


def pytest_sessionstart(session):
    """No test is blamed for a kernel that computes wrongly."""
    if fault := kernels.wrong():
        pytest.exit(
            f"The kernel {kernels.blas()} of BLAS is faulty: {fault}.", returncode=1
        )


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: rank(item.path.name))
    for item in items:
        if isinstance(item, pytest.Function) and of_site(item):
            item.add_marker("site")


def of_site(item) -> bool:
    """Whether it looks at the built book, or builds one, as what `making` has does."""
    used = {getattr(part, "__module__", "") for part in vars(item.module).values()}
    return "making" in used or bool({"site", "browser"} & {*item.fixturenames})


def rank(file: str) -> int:
    found = (rank for rank, name in enumerate(LONGEST) if name in file)
    return next(found, len(LONGEST))


@pytest.fixture(scope="session")
def site() -> Path:
    folder = ROOT / "_build" / "html"
    if not (folder / "index.html").exists():
        pytest.fail("the book is not built: run `make book` first")
    return folder


@pytest.fixture(scope="session")
def browser():
    """Chromium.  Without it tests of the pages are skipped; in CI they fail."""
    try:
        found = chromium()
    except OSError as error:
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say(str(error))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield started
        started.close()


class Quiet(SimpleHTTPRequestHandler):
    """Says nothing, and sends the policy: what the pages do elsewhere they do under it."""

    def log_message(self, *words):
        pass

    def end_headers(self):
        self.send_header("Content-Security-Policy", HEADER)
        super().end_headers()


@pytest.fixture(scope="session")
def server(site):
    """The address at which the site is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()
