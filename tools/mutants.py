"""Break mlcore on purpose, one small slip at a time: do the tests notice?

    python tools/mutants.py                   the modules that changed
    python tools/mutants.py geometry nearest  those named
    python tools/mutants.py --all             all of them

What changed is seen from the last run or, for a module that has had none, from the main
branch.  A result counts until the code of the module or a file of tests that led to it
changes; its comments and docstrings may.
A slip that lives needs a reason in tests/survivors.toml, and a reason a slip that lives.
"""

import ast
import hashlib
import json
import subprocess
import sys
import time
import tomllib
from functools import cache

import trying
from slips import Mutant, mutants

from chapters import ROOT, replace

RESULTS = ROOT / "_build" / "mutants.json"
REASONS = ROOT / "tests" / "survivors.toml"
WIDTH = 26  # of the names of modules
SAID = ast.Module, ast.ClassDef, ast.FunctionDef  # what may have a docstring


def main(arguments: list[str]) -> int:
    files, results = trying.module_files(), read_results()
    found = {name: slips for name in files if (slips := mutants(files[name].read_text()))}
    chosen = choose(arguments, found, results)
    if isinstance(chosen, str):
        print(chosen, file=sys.stderr)
        return 2
    trying.warm_up({file for module in chosen for file in trying.tests_of(module)})
    for module in chosen:
        try_all(module, found[module], results)
    reasons = tomllib.loads(REASONS.read_text())
    living, wrong = judge({m: found[m] for m in chosen}, results, reasons)
    together = [result for module in chosen for result in results[module].values()]
    print(*living, *wrong, f"{'together':{WIDTH}}{score(together)}", sep="\n")
    return int(bool(wrong))


def choose(arguments: list[str], found: dict, results: dict) -> list[str] | str:
    """The modules to break, or what is wrong with the arguments."""
    if "--all" in arguments:
        return list(found)
    named = {
        word: [m for m in found if word in (m, m.rpartition("/")[2])] for word in arguments
    }
    if unknown := [word for word, modules in named.items() if not modules]:
        return f"no such module of mlcore with code: {', '.join(unknown)}"
    if arguments:
        return [module for module in found if any(module in ms for ms in named.values())]
    chosen = [module for module in found if changed(module, found[module], results)]
    return chosen or "no module changed; ALL=1 tries all, ONLY=geometry one"


def changed(module: str, slips: list[Mutant], results: dict) -> bool:
    """Since its last run; without one, since the main branch."""
    if module in results:
        return not all(settled(module, mutant, results) for mutant in slips)
    return not since_main().isdisjoint({f"mlcore/{module}.py", trying.tests_of(module)[0]})


@cache
def since_main() -> set[str]:
    """The files that differ from where this branch left the main one."""

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
        return done.stdout.splitlines()

    for main in "origin/HEAD", "main", "master":
        if base := git("merge-base", "HEAD", main):
            new = git("ls-files", "--others", "--exclude-standard")
            return {*git("diff", "--name-only", *base), *new}
    return set()


def read_results() -> dict:
    """What earlier runs saw: module -> slip -> [files tried, whether it lives, digest]."""
    try:
        return json.loads(RESULTS.read_text())
    except (OSError, ValueError):
        return {}


def settled(module: str, mutant: Mutant, results: dict) -> bool:
    """Whether a result is there, from the same code and the same tests."""
    tried, lives, seen = results.get(module, {}).get(mutant.name, ([], False, ""))
    complete = not lives or tried == trying.tests_of(module)
    return complete and seen == digest(module, mutant, *tried)


def digest(module: str, mutant: Mutant, *files: str) -> str:
    text = "".join([code(module), mutant.name, *map(content, files)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def code(module: str) -> str:
    """What a module does, without its comments and docstrings."""
    tree = ast.parse(trying.module_files()[module].read_text())
    for node in ast.walk(tree):
        if isinstance(node, SAID) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree)


@cache
def content(file: str) -> str:
    path = ROOT / file
    return path.read_text() if path.exists() else ""


def try_all(module: str, slips: list[Mutant], results: dict) -> None:
    """Put the results of a module in, those that are due anew; a line says how they are."""
    due = [mutant for mutant in slips if not settled(module, mutant, results)]
    own = {m.name: results[module][m.name] for m in slips if m not in due}
    results[module], begin = own, time.monotonic()
    for done, (mutant, tried, lives) in enumerate(trying.outcomes(module, due), 1):
        own[mutant.name] = [tried, lives, digest(module, mutant, *tried)]
        replace(RESULTS, json.dumps(results))  # whatever ends the run
        if sys.stdout.isatty():
            print(f"\r{module:{WIDTH}}{done:5} of {len(due)}", end="", flush=True)
    took = f"{len(due)} tried in {time.monotonic() - begin:.0f} s" if due else "as before"
    start = "\r" if sys.stdout.isatty() else ""
    print(f"{start}{module:{WIDTH}}{score(own.values())}, {took}", flush=True)


def score(results) -> str:
    """How many slips were noticed."""
    results = list(results)
    noticed = sum(not lives for _, lives, _ in results)
    return f"{noticed:5} of {len(results):4} slips noticed, {noticed / len(results):6.1%}"


def judge(found: dict, results: dict, reasons: dict) -> tuple[list[str], list[str]]:
    """The slips that live for a reason; those without, and reasons without a slip."""
    explained, wrong = [], []
    for module, slips in found.items():
        given = dict(reasons.get(module, {}))
        for mutant in slips:
            if results[module][mutant.name][1]:
                reason = given.pop(mutant.name, "")
                line = f"mlcore/{module}.py:{mutant.line}: {mutant.name}"
                (explained if reason else wrong).append(f"{line}: {reason or 'WHY?'}")
        wrong += [f"{REASONS.name}: {module}: {name}: does not live" for name in given]
    return explained, wrong


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nStopped; what has been tried is not tried again.")
