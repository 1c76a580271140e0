"""Check proofs/ with Coq and store the goal after each sentence for the pages.

    python -m sitebuild.coq

Coq compiles each file; then each sentence must match SENTENCE, only Qed may end a
proof, no proof may use an axiom or print, no name may be redefined, and a statement
printed in full may contain no library name outside of VOCABULARY.
"""

import json
import re
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from sitebuild.chapters import ROOT, write_atomic

PROOFS = ROOT / "proofs"
STORED = PROOFS / "goals.json"
HEADING = re.compile(r"\(\*\* (.*?) \(([\w-]+)\)\s+(.*?)\s*\*\)", re.S)
NEEDS = re.compile(r"^From Halfspaces Require Import ([\w ]+)\.$", re.M)
# Only Numbers.v loads libraries, sets options and defines a symbol.
LIBRARIES = """From mathcomp Require Export all_ssreflect all_algebra.
From Coq Require Export Ring.
Export Order.TTheory GRing.Theory Num.Theory.
Open Scope ring_scope.
#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Set Maximal Implicit Insertion.
#[export] Unset Printing Implicit Defensive.
Notation "u · v" := (dot u v) (at level 40) : ring_scope.""".splitlines()
# Reject comments, runs of spaces, tabs, empty lines, strings (in a Notation), tactics in
# terms, Ltac ::=, coercions; accept a statement, definition, command, bullet, or tactic.
SENTENCE = re.compile(
    r'(?![\s\S]*(\(\*|\s{9}|[^\S\n ]|\n\s*\n|"|\bltac\b|::=|^[VH][\s\S]*:\s*>))((Local )?'
    r"(Theorem|Lemma|Corollary|Fact|Remark|Proposition"
    r"|Property|Example|Definition|Fixpoint|Notation)\s+[a-zA-Z]|Proof\.$|Qed\.$"
    r"|(Section|End|Variables?|Hypothes[ei]s|Implicit Types|Add Ring|Ltac)\s"
    r"|From Halfspaces Require Import( \w+)+\.$|[-+*]+$|[{}]$|[a-z0-9([])"
)
QUOTED = re.compile(r'"[^"*]*"')  # in Coq a quoted *) does not end a comment
COMMENT = re.compile(r"\(\*.*?\*\)(?=\s*(?:\(\*|\Z))", re.S)
# Output of `coqc -time`: the first and last byte of a sentence.
TIMED = re.compile(r"^Chars (\d+) - (\d+) \[.*\] \S+ secs \(\S+u,\S+s\)\n", re.M)
PROMPT = re.compile(r"<prompt>\S+ < \d+ \|(.*?)\| \d+ < </prompt>")  # the open proof's name
NEW_NAME = re.compile(r"^(prf|def|sec) \S+ \S+ ([^\s:]+)", re.M)  # from a .glob file
# Positions in a .glob file: references (R), but not to a notation (line ends with "not"),
# binders, and definitions.
POSITION = re.compile(r"^(R|binder|def|prf|abbrev) ?(\d+):(?!.* not$)", re.M)
BINDER = re.compile(r"^binder (\d+):\d+ \S+ ([^\s:]+)", re.M)
NAME = re.compile(
    rb"(?<![%\w[])(?!(?:Prop|Set|Type)(?![\w']))(?:[a-zA-Z]|_[\w'])(?:[\w']|\.[a-zA-Z])*"
)
# The library's names that a statement may contain when printed in full: symbols that the
# page "How to read a proof" explains, and what Coq adds to them.
VOCABULARY = """
    Prop True False not and and3 and4 or iff ex ex2 eq forall fun let in match with end
    return fix struct _ bool true false is_true negb andb eq_op all prop_in1 mem
    in_mem eq_mem inPhantom nat O S addn leq Posz int int_Ring intmul rat archiType
    ring_theory GRing.zero GRing.one GRing.add GRing.opp GRing.mul GRing.inv GRing.exp
    GRing.natmul GRing.scale Num.Def.normr Num.Def.sgr Order.le Order.lt Order.max
    ring_display matrix matrix_of_fun matrix_key fun_of_matrix const_mx delta_mx row_mx
    ordinal nat_of_ord ord0 ord_max lift BigOp.bigop BigBody index_enum Phant list seq nil
    cons cat rcons map foldl foldr flatten nseq mkseq iota nth size prod pair fst snd sum
    inl inr"""
WORD = re.compile(r"(?<![\w'])[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*")
STRUCTURE = re.compile(  # the type of an addition, order, ...
    r"(GRing\.(Ring|UnitRing|Lmodule|Zmodule)|Num\.(RealField|ArchimedeanField|NumDomain)"
    r"|Order\.POrder|FinRing\.Zmodule|Finite|Equality)\.(sort|\w+Type)"
    r"|(Num\.(RealField|ArchimedeanField)|Finite)\.type"
    r"|(matrix|ordinal|prod|Zp)_(eq|fin|zmod|lmod|finZmod)Type"
    r"|[a-z]\d?"  # a variable, which Coq may have named
)
# In a statement printed in full: a quotient outside of a field (over the integers 1 / 2 is
# 2); computing modulo n, except for the index 0; integers that are not literals; or an
# index that can only be 0.
NOT_NUMBERS = re.compile(
    r"GRing\.inv(?! (rat\b(?!')|\((\w+\.)*\w*Field\.unitRingType))( \S+)?"
    r"|(?<!GRing\.zero \()(?<!GRing\.zero \(zmodp\.)"
    r"(?<!GRing\.zero \(FinRing\.Zmodule\.zmodType \()\b[ZF]p_\w+"
    r"|(?<!\) : )\bint\b|forall (?:\([^,]*\) )?\(?[A-Za-z][\w' ]* : ordinal \(S O\)"
)
PARTIAL = re.compile(r"Notation (\S+) := \(\1( \w+)+\)\.$")  # a partially applied name
# What Coq says of a name that has no meaning yet, or of a keyword ("Syntax error").
UNKNOWN = re.compile(r"not\s+found|Cannot\s+find\s+module|Syntax error")
# Remove what Coq prints besides a goal, and write the library's types as the proofs do.
REPLACEMENTS = {
    r"</?infomsg>| \(ID \d+\)|Fetching opaque proofs.*|\[Loading ML file.*": "",
    r"\bmatrix_\w+Type\s+\w+\s+1\s+(\w+)|'cV_(1)\b": r"'rV_\1\2",
    r"\bordinal_\w+Type\s+(\w+)": r"'I_\1",
    r"\b(rat|nat|seq)_\w*(Type|Ring)": r"\1",
}
# Names that REPLACEMENTS, NOT_NUMBERS or fail_if_unexplained would mistake for Coq output.
LIKE_COQ = re.compile(r"(rat|nat|seq|matrix|ordinal)[_']|(Fetching|Loading|Arguments)\b")
NO_AXIOM = "Closed under the global context"
OPTIONS = ["-q", "-Q", ".", "Halfspaces", "-w", "none,+local-declaration"]
OPTIONS += ["-set", "Default Timeout=120"]


class ProofError(Exception):
    """A failed check of a file: the location, the sentence, and the reason."""


def version() -> str:
    """Return the version of the installed Coq ("" without Coq)."""
    return run(["coqtop", "--print-version"]).split()[0] if shutil.which("coqtop") else ""


def run(command: list[str], folder: Path = PROOFS, stdin: str = "") -> str:
    """Return the output of a program, even if it fails."""
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(command, input=stdin, text=True, cwd=folder, **both).stdout


def check_all(proofs: Path = PROOFS) -> dict[str, dict]:
    """Check all files; return {name: record}, with imported files first."""
    texts = {path.stem: path.read_text("utf-8") for path in sorted(proofs.glob("*.v"))}
    needs = {name: " ".join(NEEDS.findall(text)).split() for name, text in texts.items()}
    order = TopologicalSorter(needs).static_order()
    with TemporaryDirectory() as folder:
        return {name: check(Path(folder), name, texts[name]) for name in order}


def check(folder: Path, name: str, text: str) -> dict:
    """Check one file and return its record; `folder` has its compiled imports."""
    parts = compile_file(folder, name, text)
    glob = (folder / f"{name}.glob").read_text("utf-8")
    new: dict = {"prf": [], "def": [], "sec": []}
    for kind, defined_name in NEW_NAME.findall(glob):
        new[kind].append(defined_name)
    names, defined = statement_names(parts, text.encode(), glob)
    bound = {variable for _, variable in BINDER.findall(glob)}
    if confusing := sorted(filter(LIKE_COQ.match, names.union(bound, *new.values()))):
        raise ProofError(f"proofs/{name}.v: a name may look like Coq output: {confusing}")
    write_atomic(folder / f"{name}.names", " ".join(sorted(defined)))
    stated = [f"@Halfspaces.{name}.{statement}" for statement in new["prf"] + new["def"]]
    before = sentences_before(folder, name, parts, names)
    before += [f"Fail Import {section}." for section in new["sec"]]
    after = [f"From Halfspaces Require {name}."]
    after += [f"Definition all_of_{name} := ({', '.join(stated)})."]
    after += [f"Print Assumptions all_of_{name}."]
    in_full = printing_sentences(stated, proved_names(parts))
    location = f"proofs/{name}.v"
    first = [(location, sentence) for sentence in before]
    last = [(location, sentence) for sentence in after + in_full]
    steps = goals(folder, first + parts + last)
    words = {*VOCABULARY.split()} | names | names_so_far(folder)
    for query, (_, output) in zip(in_full, steps[-len(in_full) :], strict=True):
        fail_if_unexplained(f"{location}: {query}", output, words)
    axioms = steps[-len(in_full) - 1][1]
    steps = steps[len(before) : -len(after + in_full)]
    if axioms != NO_AXIOM or not any("=====" in goal for _, goal in steps):
        problem = "It contains no theorem, or depends on an axiom"
        raise ProofError(f"{location}: {problem}: {axioms}")
    return {"sha256": sha256(text.encode()).hexdigest(), "axioms": axioms, "steps": steps}


def printing_sentences(stated: list[str], proved: set[str]) -> list[str]:
    """Return sentences that print statements and the bodies of definitions in full."""
    queries = ["Set Printing All.", "Set Printing Depth 99999."]
    for name in stated:
        has_proof = name.rpartition(".")[2] in proved
        queries.append(f"Check {name}." if has_proof else f"Print {name[1:]}.")
    return queries


def fail_if_unexplained(query: str, output: str, words: set[str]) -> None:
    """Raise ProofError if a statement or definition printed in full has unknown words."""
    statement = " ".join(output.partition("\n\nArguments ")[0].split())
    if found := NOT_NUMBERS.search(statement):
        raise ProofError(f"{query}\n{found[0]} does not behave like ordinary arithmetic.")
    used = {*WORD.findall(statement)} - words
    if other := sorted(word for word in used if not STRUCTURE.fullmatch(word)):
        raise ProofError(f"{query}\nNo page explains {', '.join(other)}.")


def names_so_far(folder: Path) -> set[str]:
    """Return the names that the checked files define, with and without the file's name."""
    files = {file.stem: file.read_text("utf-8").split() for file in folder.glob("*.names")}
    short = {ident for names in files.values() for ident in names}
    return short | {f"{stem}.{i}" for stem, names in files.items() for i in names}


def sentences_before(folder: Path, name: str, parts: list, names: set[str]) -> list[str]:
    """Return sentences that load the imports and fail if the file redefines known names."""
    partial = {match[1] for _, text in parts if (match := PARTIAL.match(text))}
    sentences = [*LIBRARIES[:-1], f"Fail Import {name}."]
    sentences += [f"Fail Check {ident}." for ident in sorted(names | partial)]
    for imports in (match[1] for _, text in parts if (match := NEEDS.match(text))):
        for module in imports.split():
            defined = (folder / f"{module}.names").read_text("utf-8").split()
            sentences += [f"Fail Check {ident}." for ident in defined]
            sentences += [f"From Halfspaces Require Import {module}."]
    return [*sentences, *(f"Fail Check {ident}." for ident in names)]


def proved_names(parts: list) -> set[str]:
    """Return the names of statements with a proof, whose terms are not shown."""
    sentences = [text for _, text in parts if not text.startswith("(*")]
    return {
        re.sub(r"^(Local )?\w+\s+", "", text).split()[0].rstrip(":")
        for text, following in pairwise(sentences)
        if following == "Proof."
    }


def compile_file(folder: Path, name: str, text: str) -> list[tuple[str, str]]:
    """Compile a file; return its comments and its sentences as Coq separates them."""
    (folder / f"{name}.v").write_text(text, "utf-8")
    output = run(["coqc", *OPTIONS, "-time", f"{name}.v"], folder)
    source, parts, end = text.encode(), [], 0
    for start, stop in (map(int, span) for span in TIMED.findall(output)):
        location = f"proofs/{name}.v, line {len(source[: start + 1].splitlines())}"
        between, sentence = source[end:start].decode(), source[start:stop].decode()
        shared = name == "Numbers" and sentence in LIBRARIES
        outside = COMMENT.sub("", between).strip() or '"' in QUOTED.sub("", between)
        if outside or not (shared or SENTENCE.match(sentence)):
            raise ProofError(f"{location}: {sentence}\nThis is not allowed in proofs/.")
        parts += [(location, comment) for comment in COMMENT.findall(between)]
        parts.append((location, sentence))
        end = stop
    if not (folder / f"{name}.vo").exists():
        sentence, where = source[end:].decode().strip(), output.rpartition(", line ")[2]
        steps = goals(folder, parts)
        goal = steps[-1][1] if steps else ""
        raise ProofError(f"proofs/{name}.v, line {where}{sentence[:80]}\n{goal}")
    if output := TIMED.sub("", output):
        raise ProofError(f"proofs/{name}.v: A proof may not print anything.\n{output}")
    if not (HEADING.match(text) and text.replace("·", "").isascii()):
        raise ProofError(f"proofs/{name}.v: A file needs a heading with a label, in ASCII.")
    return parts


def statement_names(parts: list, source: bytes, glob: str) -> tuple[set[str], set[str]]:
    """Return the names that statements bind or define, and the defined names alone."""
    kind_at = {int(byte): kind for kind, byte in sorted(POSITION.findall(glob))}
    names, defined, end = set(), set(), 0
    for location, text in parts:
        start = source.index(text.encode(), end)
        end = start + len(text.encode())
        if re.match("(?!Add|End|Ltac|Section)[A-Z]", text) and not PARTIAL.match(text):
            found = NAME.finditer(source, start, end)
            found = [(m[0].decode(), kind_at.get(m.start())) for m in found]
            new = {ident for ident, kind in found if kind != "R"}
            new |= {i for byte, i in BINDER.findall(glob) if start <= int(byte) < end}
            if again := defined & new:
                raise ProofError(f"{location}: {text}\nIt redefines {again.pop()}.")
            names |= new
            defined |= {i for i, kind in found if kind in ("prf", "def", "abbrev")}
    return names, defined


def goals(folder: Path, parts: list[tuple[str, str]]) -> list[list[str]]:
    """Return each comment and each sentence, with its bullets, and the goal after it."""
    commands = [" ".join(text.split()) for _, text in parts if not text.startswith("(*")]
    output = run(["coqtop", *OPTIONS, "-emacs"], folder, "\n".join(commands))
    for pattern, text in REPLACEMENTS.items():
        output = re.sub(pattern, text, output)
    _, was_open, *answers, goal = (answer.strip() for answer in PROMPT.split(output))
    if len(answers) != 2 * len(commands):
        raise ProofError(f"{parts[-1][0]}: The proof prints Coq prompts.")
    pairs, steps, bullets = zip(answers[::2], answers[1::2], strict=True), [], ""
    for location, text in parts:
        answer, is_open = ("", was_open) if text.startswith("(*") else next(pairs)
        unknown = text.startswith("Fail ") and UNKNOWN.search(answer)
        inside = was_open and re.match(r"(?!Proof\.|Qed\.)[A-Z]", text)
        if inside or (not unknown and re.search("Error:|indeed failed", answer)):
            raise ProofError(f"{location}: {text}\n{answer}\n{goal}")
        bullets, was_open, goal = f"{bullets} {text}".strip(), is_open, answer
        if not re.fullmatch(r"[-+*{ ]+", bullets):
            steps, bullets = [*steps, [bullets, answer]], ""
    return steps


def main() -> str | None:
    """Write proofs/goals.json; return the message if a file fails."""
    if not (found := version()):
        return "Coq is not installed; install Debian's coq and libcoq-mathcomp-algebra."
    try:
        records = check_all()
    except ProofError as error:
        return str(error)
    stored = {"coq": found, "files": records}
    write_atomic(STORED, json.dumps(stored, indent=1, ensure_ascii=False) + "\n")
    steps = sum(len(record["steps"]) for record in records.values())
    print(f"{len(records)} files, {steps} steps, no axioms: Coq {found}")


if __name__ == "__main__":
    sys.exit(main())
