"""Check proofs/ with Coq, and store what it prints after each step, for the pages.

    python -m sitebuild.coq

A proof that fails is named with file, line and goal; proofs/goals.json then stays.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from itertools import islice
from pathlib import Path

from sitebuild.chapters import ROOT, write_atomic

PROOFS = ROOT / "proofs"
STORED = PROOFS / "goals.json"
# A comment, the end of a block, or a sentence with what Coq answers by itself before it.
PART = re.compile(r"\(\*.*?\*\)|\}|((?:[-+*]+\s+|\{\s*)*)\S.*?\.(?=\s|\Z)", re.S)
NEEDS = re.compile(r"^From Halfspaces Require Import (.*)\.$", re.M)
NAMED = re.compile(r"^(?:Theorem|Lemma|Example) (\w+)", re.M)
# What Coq says beside a goal is left out, and its names for types of the library are turned
# into those that a proof is written with: vectors, indices, numbers, lists.
WORDS = {
    r"</?infomsg>| \(ID \d+\)|Fetching opaque proofs.*|\[Loading ML file.*": "",
    r"matrix_\w+Type\s+\w+\s+1\s+(\w+)|'cV_(1)\b": r"'rV_\1\2",
    r"ordinal_\w+Type\s+(\w+)": r"'I_\1",
    r"(rat|nat|seq)_\w*(Type|Ring)": r"\1",
}
NO_AXIOM = "Closed under the global context"
COQTOP = ["coqtop", "-q", "-w", "-notation-overridden,-ambiguous-paths,-require-in-module"]


class Failed(Exception):
    """A proof that does not hold, or an axiom: with file, line and goal."""


def version() -> str:
    """The version of Coq that is installed; nothing without one."""
    return run(["coqtop", "--print-version"]).split()[0] if shutil.which("coqtop") else ""


def run(command: list[str], typed: str = "") -> str:
    """What a program prints, whatever it thinks of it."""
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(command, input=typed, text=True, **both).stdout


def check_all(proofs: Path = PROOFS) -> dict[str, dict]:
    """What is stored of each file, in the order in which they need each other.

    Coq starts once, which takes a second, and reads each file as a module.
    """
    texts = {path.stem: path.read_text("utf-8") for path in sorted(proofs.glob("*.v"))}
    needs = {name: " ".join(NEEDS.findall(text)).split() for name, text in texts.items()}
    order = list(TopologicalSorter(needs).static_order())
    typed = [sentence for name in order for sentence in sentences(name, texts[name])]
    said = run([*COQTOP, "-emacs"], "\n".join(typed))
    for pattern, word in WORDS.items():
        said = re.sub(pattern, word, said)
    answers = re.split(r"<prompt>.*?</prompt>", said)
    steps = (answer.strip() for answer in answers[1:])
    return {name: record(name, texts[name], steps) for name in order}


def sentences(name: str, text: str) -> Iterator[str]:
    """What is typed for a file, each on one line; it asks for all axioms at the end."""
    yield f"Module {name}. Set Default Timeout 30."
    for part in PART.finditer(text):
        if not part[0].startswith("(*"):
            yield NEEDS.sub(r"Import \1.", " ".join(part[0].split()))
    proved = ", ".join(f"@{found}" for found in NAMED.findall(text))
    yield f"Definition all_of_them := ({proved}). Print Assumptions all_of_them."
    yield f"End {name}."


def record(name: str, text: str, answers: Iterator[str]) -> dict:
    """What Coq answered to each part of a file; Failed if it did not accept one."""
    next(answers), next(answers)  # a module, a limit
    steps, goal = [], ""
    for part in PART.finditer(text):
        bullets = re.findall(r"[-+*]+|\{", part[1] or "")
        typed = 0 if part[0].startswith("(*") else len(bullets) + 1
        *_, answer = "", *islice(answers, typed)
        if "Error:" in answer:
            line = text.count("\n", 0, part.start()) + 1
            raise Failed(f"proofs/{name}.v, line {line}: {answer}\n{goal}")
        steps.append([part[0], answer])
        goal = answer or goal
    _, axioms, _ = next(answers), next(answers), next(answers)
    if axioms != NO_AXIOM:
        raise Failed(f"proofs/{name}.v is not proved without axioms: {axioms}")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"sha256": digest, "axioms": axioms, "steps": steps}


def main() -> str | None:
    """Returns what went wrong."""
    if not (found := version()):
        return "Coq is not installed: Debian's packages coq, libcoq-mathcomp-algebra."
    try:
        records = check_all()
    except Failed as error:
        return str(error)
    stored = {"coq": found, "files": records}
    write_atomic(STORED, json.dumps(stored, indent=1, ensure_ascii=False) + "\n")
    steps = sum(len(record["steps"]) for record in records.values())
    print(f"{len(records)} files, {steps} steps, no axioms: Coq {found}")


if __name__ == "__main__":
    sys.exit(main())
