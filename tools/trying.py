"""Run tests on a broken module, in a process forked for that.

What the tests import beside the package is imported once, here, so that a mutant costs
tenths of a second.  The package itself is imported afresh in each process.
"""

import ast
import faulthandler
import gc
import importlib
import importlib.machinery
import importlib.util
import io
import json
import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path

from slips import Mutant

from chapters import ROOT, short

TESTS = ROOT / "tests"
EVERY = TESTS / "test_safety.py"  # it calls every public function
INSIDE = "scipy.optimize scipy.sparse.linalg sklearn.svm"  # imported by functions
PYTEST = ["-x", "-q", "--tb=no", "-m", "not slow", "-o", "addopts="]
PYTEST += ["-p", "no:cacheprovider", "-p", "no:faulthandler"]
PYTEST += ["-p", "_hypothesis_pytestplugin"]
GREEN, NO_TESTS = 0, 5  # exit codes of pytest; a file may have slow tests only
MEMORY = 4 * 2**30  # bytes that a mutant may ask for beyond what is there


def module_files() -> dict[str, Path]:
    """The modules that are broken, by name: all but those of the book."""
    package = ROOT / "mlcore"
    names = {path.relative_to(package): path for path in sorted(package.rglob("*.py"))}
    return {
        name.with_suffix("").as_posix(): path
        for name, path in names.items()
        if name.parts[0] != "book"
    }


def dotted(module: str) -> str:
    return f"mlcore/{module}".removesuffix("/__init__").replace("/", ".")


@cache
def imports(path: Path) -> frozenset[str]:
    """What a file imports, also in a function: modules, and names that may be some."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
    return frozenset(found)


@cache
def tests_of(module: str) -> list[str]:
    """The files with tests of a module, in the order in which they are tried.

    Its own; those that import it; for a solver, or where there are none, those of the
    modules that import it; those of all public functions.
    """
    level, found, depth = [module], dict[Path, None](), 0
    while level and (not found or (depth == 1 and module.startswith("solvers/"))):
        for name in level:
            room, _, last = f"/{name}".rpartition("/")
            folders = {TESTS, TESTS / room.lstrip("/")}
            own = TESTS / room.lstrip("/") / f"test_{last}.py"
            found |= dict.fromkeys([own] if own.exists() else [])
            others = sorted(path for f in folders for path in f.glob("test_*.py"))
            found |= {path: None for path in others if dotted(name) in imports(path)}
        known = {dotted(name) for name in level}
        level = [m for m, path in module_files().items() if known & imports(path)]
        depth += 1
    return [short(path) for path in found | {EVERY: None}]


def warm_up(files: set[str]) -> None:
    """Import what these tests need, all but the package and themselves."""
    os.chdir(ROOT)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as in `make test`
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    os.environ |= {"HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / "_build" / "hypothesis")}
    sys.path.insert(0, str(ROOT))
    for name in INSIDE.split():
        importlib.import_module(name)
    pytest, hypothesis = map(importlib.import_module, ("pytest", "hypothesis"))
    brief = {"phases": [hypothesis.Phase.explicit, hypothesis.Phase.generate]}
    hypothesis.settings.register_profile("brief", **brief)  # that it fails is enough
    hypothesis.settings.load_profile("brief")
    with redirect_stdout(io.StringIO()):
        pytest.main([*PYTEST, "--collect-only", *sorted(files)])
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if name.partition(".")[0] == "mlcore" or file.startswith(f"{TESTS}/"):
            del sys.modules[name]
    gc.freeze()  # a process that looks for garbage copies what it looks at


class Broken(importlib.machinery.SourceFileLoader):
    """Imports one module from another text than that of its file."""

    def __init__(self, module: str, source: str):
        super().__init__(dotted(module), str(module_files()[module]))
        self.source = source

    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def get_code(self, fullname):
        return compile(self.source, self.path, "exec")


class Quickest:
    """For pytest: takes the seconds of each test, and runs the quickest first."""

    def __init__(self, seconds: dict[str, float]):
        self.seconds = seconds

    def pytest_collection_modifyitems(self, items):
        items.sort(key=lambda item: self.seconds.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report):
        name = report.nodeid
        self.seconds[name] = self.seconds.get(name, 0.0) + report.duration


def start(file: str, log, broken: Broken | None = None) -> int:
    """Fork a process that runs a file of tests; its number.

    Without a slip its last line says how long each test took.
    """
    seconds, order = (0.0, {}) if broken is None else sound(file)
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        if broken:
            limit(5 * seconds + 2)
            sys.meta_path.insert(0, broken)
        run = importlib.import_module("pytest").main
        code = run([*PYTEST, file], plugins=[Quickest(order)])
        code = GREEN if code == NO_TESTS else code
        print("", json.dumps(order), sep="\n", flush=True)
    finally:
        os._exit(code)  # what the parent registered to be done at its end is not for us


def limit(seconds: float) -> None:
    """Let a slip neither hang nor take all memory; a busy machine may take ten times."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + MEMORY, held + MEMORY))
    faulthandler.dump_traceback_later(10 * seconds, exit=True)


@cache
def sound(file: str) -> tuple[float, dict[str, float]]:
    """What a file of tests takes in seconds, and each of them; all green without a slip."""
    with tempfile.TemporaryFile() as log:
        _, status, used = os.wait4(start(file, log), 0)
        log.seek(0)
        *said, last = log.read().decode().splitlines()
    if status != GREEN:
        raise SystemExit("\n".join([*said, f"{file} is red without any slip"]))
    return used.ru_utime + used.ru_stime, json.loads(last)


def outcomes(module: str, found: list[Mutant]) -> Iterator[tuple[Mutant, list[str], bool]]:
    """Each mutant as it ends, the files that it was tried on, and whether it survived."""
    files, waiting, running = tests_of(module), [(mutant, 0) for mutant in found], {}
    with open(os.devnull, "wb") as log:
        while waiting or running:
            while waiting and len(running) < len(os.sched_getaffinity(0)):
                mutant, tried = waiting.pop(0)
                broken = Broken(module, mutant.source)
                running[start(files[tried], log, broken)] = mutant, tried + 1
            process, status = os.wait()
            mutant, tried = running.pop(process)
            if status == GREEN and tried < len(files):
                waiting.insert(0, (mutant, tried))
            else:
                yield mutant, files[:tried], status == GREEN
