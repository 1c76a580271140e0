"""Check proofs/ with Coq, and store what it prints after each step, for the pages.

    python tools/coq.py

A proof that fails is named with file, line and goal; proofs/goals.json then stays.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from graphlib import TopologicalSorter
from pathlib import Path

from chapters import ROOT, replace

PROOFS = ROOT / "proofs"
STORED = PROOFS / "goals.json"
PART = re.compile(r"\(\*.*?\*\)|\S.*?\.(?=\s|\Z)", re.S)  # a comment, or a sentence
NEEDS = re.compile(r"^From Halfspaces Require Import (.*)\.$", re.M)
NAMED = re.compile(r"^(?:Theorem|Lemma|Example) (\w+)", re.M)
NO_AXIOM = "Closed under the global context"
QUIET = ["-q", "-w", "-notation-overridden,-ambiguous-paths"]


class Failed(Exception):
    """A proof that does not hold, or an axiom: with file, line and goal."""


def version() -> str:
    """The version of Coq that is installed; nothing without one."""
    found = shutil.which("coqtop") and shutil.which("coqc")
    return run(["coqc", "--print-version"]).split()[0] if found else ""


def run(command: list[str], typed: str = "") -> str:
    """What a program prints, whatever it thinks of it."""
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(command, input=typed, text=True, **both).stdout


def check_all(proofs: Path = PROOFS) -> dict[str, dict]:
    """What is stored of each file, in the order in which they need each other."""
    texts = {path.stem: path.read_text("utf-8") for path in sorted(proofs.glob("*.v"))}
    needs = {name: " ".join(NEEDS.findall(text)).split() for name, text in texts.items()}
    records = {}
    with tempfile.TemporaryDirectory() as folder:
        options = [*QUIET, "-Q", folder, "Halfspaces"]
        for name in TopologicalSorter(needs).static_order():
            records[name] = check(name, texts[name], options)
            if any(name in others for others in needs.values()):
                copy = Path(folder, f"{name}.v")
                copy.write_text(texts[name], "utf-8")
                run(["coqc", *options, str(copy)])
    return records


def check(name: str, text: str, options: list[str]) -> dict:
    """Type a file into Coq, one sentence after the other, and ask for all axioms."""
    parts = list(PART.finditer(text))
    sentences = [part for part in parts if not part[0].startswith("(*")]
    proved = ", ".join(f"@{found}" for found in NAMED.findall(text))
    asked = [f"Definition all_of_them := ({proved}).", "Print Assumptions all_of_them."]
    typed = ["Set Default Timeout 30."]
    typed += [" ".join(sentence[0].split()) for sentence in sentences] + asked
    said = run(["coqtop", "-emacs", *options], "\n".join(typed))
    said = re.sub(r"</?infomsg>| \(ID \d+\)|Fetching opaque proofs.*", "", said)
    answers = [part.strip() for part in re.split(r"<prompt>.*?</prompt>", said)[1:]]
    steps = iter(answers[1:])
    goals = {part.start(): next(steps) for part in sentences}
    for before, part in zip([None, *sentences], sentences, strict=False):
        if "Error:" in goals[part.start()]:
            line = text.count("\n", 0, part.start()) + 1
            goal = goals[before.start()] if before else ""
            raise Failed(f"proofs/{name}.v, line {line}: {goals[part.start()]}\n{goal}")
    axioms = list(steps)[1]
    if axioms != NO_AXIOM:
        raise Failed(f"proofs/{name}.v is not proved without axioms: {axioms}")
    return {
        "sha256": digest(text),
        "axioms": axioms,
        "steps": [[part[0], goals.get(part.start(), "")] for part in parts],
    }


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def main() -> int:
    if not (found := version()):
        print("Coq is not installed: Debian's packages coq, libcoq-mathcomp-algebra.")
        return 2
    try:
        records = check_all()
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    stored = {"coq": found, "files": records}
    replace(STORED, json.dumps(stored, indent=1, ensure_ascii=False) + "\n")
    steps = sum(len(record["steps"]) for record in records.values())
    print(f"{len(records)} files, {steps} steps, no axioms: Coq {found}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
