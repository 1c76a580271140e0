"""Proofs are accepted, invalid or misleading files are rejected; pages show each proof."""

import json
import re
import shutil
from hashlib import sha256

import pytest

from sitebuild import coq
from sitebuild.extensions import coq_cards

STORED = json.loads(coq.STORED.read_text("utf-8"))
STEPS_AND_GOALS = ""
for record in STORED["files"].values():
    texts, goals = zip(*record["steps"], strict=True)
    STEPS_AND_GOALS += "\n".join([*texts, *goals, ""])
HEADING = "(** A false theorem (thm-novikoff)\n    Stated: the whole theorem. *)\n"
TRUE = "Theorem plain : true = true. Proof. reflexivity. Qed."
FALSE = "Theorem nonsense : true = false."
PROVED = f"{FALSE} Proof. destruct wrong. Qed."  # from a proof of False
HIDDEN = "transparent_abstract (exact True) using False"  # defines the name False
NONSENSE = "Theorem nonsense : False \\/ true = false. Proof. (left + right); exact I. Qed."
LOOP = "Fixpoint wrong (n : nat) : False := wrong n."
CLAIM = "Definition claim := (true = false)."
EASY = "Proof. exact I. Qed."
BY = "Proof. by []. Qed."
MOVE = "Proof. by move=> ->. Qed."
NUMBERS = "From Halfspaces Require Import Numbers. "
HALF = f"{NUMBERS}Theorem one_half"

REJECTED = {  # reason in the message: {name: file without its heading}
    "is not allowed in proofs": {
        "admitted": f"{FALSE}\nProof.\nAdmitted.",
        "axiom": f"Axiom wrong : False. {PROVED}",
        "guard": f"Unset Guard Checking. {LOOP} {TRUE}",
        "bypass_check": f"#[bypass_check(guard)] {LOOP} {TRUE}",
        "inductive": f"Inductive wrong := Wrong. {TRUE}",
        "library": f"From Coq Require Import Classical. {TRUE}",
        "scope": f"Open Scope type_scope. {TRUE}",
        "program": f"Program Definition two : nat := 2. {TRUE}",
        "defined": TRUE.replace("Qed", "Defined"),
        "proof_term": "Theorem plain : true = true. Proof (eq_refl true).",
        "gap": f"Theorem nonsense : true = false{' ' * 99}\\/ True. Proof. tauto. Qed.",
        "inner": "Theorem nonsense (* : true = false. *) : True. Proof. trivial. Qed.",
        "quoted_proof": f'(* " *) {FALSE} {BY} (* " *) {TRUE}',
        "equality": f'Notation "a = b" := True. {FALSE} Proof. trivial. Qed.',
        "spaced": f"Definition two : Prop := ltac : ({HIDDEN}). {NONSENSE}",
        "changed_tactic": f"Ltac easy ::= idtac. {TRUE}",
        "spaced_coercion": f"Section A. Variable f : > bool -> nat. {TRUE} End A.",
        "tabs": "Theorem nonsense : true = false\t\t\t\t\\/ True. Proof. tauto. Qed.",
        "empty_lines": "Theorem wrong : true = false\n\n\n\\/ True. Proof. tauto. Qed.",
        "filtered": f"From Halfspaces Require Import Numbers(dot). {TRUE}",
    },
    "pending proofs": {"no_qed": f"{FALSE} Proof."},
    "contains no theorem": {"no_theorem": "Definition two := true."},
    "local-declaration": {"hypothesis": f"Hypothesis wrong : False. {PROVED}"},
    "given up": {"admit": f"{FALSE} Proof. admit. Qed."},
    "unresolved": {"shelve": f"{FALSE} Proof. shelve. Qed."},
    "Error:": {"cast": f"{FALSE} Proof. vm_cast_no_check (eq_refl true). Qed."},
    "ASCII": {"cyrillic": f"Definition F\u0430lse := True. {TRUE}"},
    "already exists": {"question": f"Definition all_of_question := true. {TRUE}"},
    "may not print": {"output": TRUE.replace(". r", ". time idtac. r")},
    "Definition two": {"in_proof": TRUE.replace("Proof", "Definition two := true. Proof")},
    "Fail Check (False|True|or|bool|sum|orb)": {
        "redefined_false": f"Definition False := True. {TRUE}",
        "bound": "Lemma a (False := True) : False. Proof. exact I. Qed.",
        "let_in": "Lemma a : let or := and in or True True. Proof. easy. Qed.",
        "pattern": f"Theorem a : match (True, 1) with (False, b) => False end. {EASY}",
        "implicit_binder": "Theorem a : ~ (forall [True : Prop], True). "
        "Proof. intro h. exact (h _). Qed.",
        "redefined_type": f"Section S. Variable bool : Type. {TRUE} End S.",
        "abbreviation": f"Notation sum := andb. {TRUE}",
        "in_comment": f"(* Notation False := (False ) *) Definition False := True. {TRUE}",
        "not_partial": f"Notation False := (False -> False). {TRUE}",
        "partial": f"Section A. Variable x : bool. Notation orb := (orb x). {TRUE} End A.",
    },
    "Fail Check enum.*not applied enough": {
        "with_arguments": f"Definition enum (b : bool) := b. {TRUE}",
    },
    "Fail Import Num": {
        "Num": f"Definition sgn (n : nat) := n. {TRUE}",
        "section_as_module": f"Section Num. Definition sqrt := negb. {TRUE} End Num.",
    },
    "It redefines (_?claim|Set')": {
        "shadowed_name": f"{CLAIM} Theorem b (claim := True) : claim. {EASY}",
        "underscore": "Fixpoint f (n : nat) := n with _claim (n : nat) := true = false. "
        f"Theorem b (_claim := True) : _claim. {EASY}",
        "defined_twice": f"Section A. Notation claim := (true = false). {TRUE} End A. "
        f"Definition claim := True. Theorem b : claim. {EASY}",
        "primed_sort": f"Section A. Notation Set' := (true = false). {TRUE} End A. "
        f"Definition Set' := True. Theorem b : Set'. {EASY}",
    },
    "does not behave like ordinary arithmetic": {
        "spaced_quotient": f"{HALF} : (1 / 2) %:Q = 2%:Q. {BY}",
        "modulo": f"{HALF} (i : 'I_2) : i + i = 0. "
        "Proof. by case: i => -[|[|//]] j; apply/val_inj. Qed.",
        "field_modulo": f"{HALF} : 1 / 2%:R = 2%:R :> Fp_fieldType 3. "
        "Proof. by apply/val_inj. Qed.",
        "hidden_quotient": f"{HALF} (h : forall R : unitRingType, R -> R) : "
        f"h = @GRing.inv -> (h int_unitRingType 2%:R)%:Q = 2%:R. {MOVE}",
        "hidden_row": f"{NUMBERS}Theorem a (F : realFieldType) (u : 'rV[F]_2) : "
        "forall i, u i 0 = u 0 0. Proof. by move=> i; rewrite ord1. Qed.",
        "hidden_integers": f"{NUMBERS}Theorem a f : (f 0%N)%:Q < (f 1%N)%:Q -> "
        "(f 0%N)%:Q + 1 <= (f 1%N)%:Q. Proof. by rewrite "
        "ltr_int -lez_addr1 -(ler_int [numDomainType of rat]) rmorphD. Qed.",
    },
    "may look like Coq output": {
        "named_as_a_type": f"{NUMBERS}Definition rat_oneType := int_numDomainType. "
        "Theorem gap (a b : rat_oneType) : a < b -> a + 1 <= b. "
        "Proof. by rewrite -lez_addr1. Qed.",
        "bound_as_a_type": f"{HALF} (rat' := int_unitRingType) (a : rat') : "
        f"a = 1 / 2%:R -> a = 2%:R. {MOVE}",
        "output_of_coq": f"Definition a := let Arguments := negb in Arguments true. {TRUE}",
    },
    "No page explains": {
        "singular": f"{HALF} (F : realFieldType) : invmx (0 : 'M[F]_1) = 0. "
        "Proof. by rewrite /invmx unitr0. Qed.",
        "whole_quotient": f"{HALF} : (7 %/ 2)%N = 3%N. {BY}",
        "cast_in_definition": f"{NUMBERS}Definition a (F : realFieldType) n : F := "
        f"((1 - n)%N : nat)%:R. {TRUE}",
        "complex_numbers": f"{HALF} (F : numClosedFieldType) (x : F) : x = x. {BY}",
    },
}
REASONS = {name: reason for reason, files in REJECTED.items() for name in files}
ACCEPTED = {
    "comments": f"(* Axiom a. (* Admitted. *) Abort. *) {TRUE} (* Admitted. *)",
    "names": f"  Local {TRUE}  Corollary plain' : true = true. Proof. reflexivity. Qed.",
    "patterns": f"Definition e (p : nat * bool) := let (m, c) := p in m. {TRUE}",
    "section": f"Section S. Hypothesis wrong : False. {PROVED} End S.",
}


def test_stored_goals_belong_to_the_files():
    assert {path.stem for path in coq.PROOFS.glob("*.v")} == set(STORED["files"])
    assert STORED["coq"] == "8.16.1"  # with another Coq the slow tests are skipped
    for name, record in STORED["files"].items():
        source = (coq.PROOFS / f"{name}.v").read_bytes()
        assert sha256(source).hexdigest() == record["sha256"]
        steps = "".join(text for text, _ in record["steps"])
        assert "".join(steps.split()) == "".join(source.decode().split())


def test_goals_show_no_internal_names_of_types():
    internal = r"\b(?:matrix|ordinal|rat|nat|seq)_\w*(?:Type|Ring)|'cV_1"
    assert not re.findall(internal, STEPS_AND_GOALS)


def test_proof_assistant_page_quotes_the_proofs():
    page = (coq.ROOT / "chapters" / "proof_assistant.md").read_text("utf-8")
    quotes = re.findall(r"^```text\n(.*?)\n```$", page, re.M | re.S)
    assert quotes[0].startswith("Definition dot ")
    assert [quote for quote in quotes if quote not in STEPS_AND_GOALS] == []


@pytest.mark.parametrize("last", ["Abort.", "Admitted.", "Defined.", "by []."])
def test_card_without_qed_raises_an_error(last):
    steps = [["(* *)", ""], ["Lemma a : b.", "1 goal\n  \n  =====\n  b"], [last, ""]]
    with pytest.raises(ValueError, match="instead of Qed"):
        coq_cards.Card("A", "title", "label", "scope", "Coq", steps).html()


@pytest.fixture(scope="module")
def installed():
    if (version := coq.version()) != STORED["coq"]:
        pytest.skip(f"the proofs need Coq {STORED['coq']}; found {version or 'none'}")


@pytest.mark.slow
def test_coq_and_its_checker_accept_every_proof(tmp_path, installed):
    for name, record in STORED["files"].items():
        text = (coq.PROOFS / f"{name}.v").read_text("utf-8")
        assert coq.check(tmp_path, name, text) == record
    command = ["coqchk", "-silent", "-o", "-Q", ".", "Halfspaces"]
    for name in STORED["files"]:
        command += ["-norec", f"Halfspaces.{name}"]  # trust Debian's library files
    output = coq.run(command, tmp_path)
    axioms, unsafe = output.partition("* Axioms:")[2].split("*", 1)
    assert "Halfspaces." not in axioms and unsafe.count("<none>") == 3, output


@pytest.fixture(scope="module")
def numbers(tmp_path_factory, installed):
    """A folder with the compiled Numbers.v."""
    folder = tmp_path_factory.mktemp("numbers")
    coq.check(folder, "Numbers", (coq.PROOFS / "Numbers.v").read_text("utf-8"))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", REASONS)
def test_invalid_or_misleading_file_is_rejected(tmp_path, numbers, name):
    reason, text = REASONS[name], REJECTED[REASONS[name]][name]
    if NUMBERS in text:
        shutil.copytree(numbers, tmp_path, dirs_exist_ok=True)
    with pytest.raises(coq.ProofError, match=rf"(?s)^proofs/{name}.v.*{reason}"):
        coq.check(tmp_path, name, HEADING + text)


@pytest.mark.slow
@pytest.mark.parametrize("name", ACCEPTED)
def test_proof_in_another_layout_is_accepted(tmp_path, installed, name):
    assert coq.check(tmp_path, name, HEADING + ACCEPTED[name])["axioms"] == coq.NO_AXIOM


@pytest.mark.slow
def test_each_step_has_its_goal_and_a_failing_step_its_line(tmp_path, installed):
    right = f"""{HEADING}
(* Both. *)
Lemma both (a b : bool) : a = true -> b = true -> a = true /\\ b = true.
Proof. intros p q. split.
- exact p.
"""
    (tmp_path / "Both.v").write_text(f"{right}- {{ exact q. }}\nQed.\n")
    steps = coq.check_all(tmp_path)["Both"]["steps"]
    *_, first, last, end, qed = steps
    assert first[0] == "- exact p." and first[1].endswith("===\n  b = true")
    assert [last, end] == [["- { exact q.", "No more goals."], ["}", "No more goals."]]
    assert qed == ["Qed.", ""]
    wrong_ends = {"- exact p.\nQed.": r"8: exact p\..*expected", "Qed.": "8.*Qed"}
    for wrong, reason in wrong_ends.items():
        (tmp_path / "Both.v").write_text(right + wrong)
        message = rf"(?s)^proofs/Both.v, line {reason}.*b = true"
        with pytest.raises(coq.ProofError, match=message):
            coq.check_all(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "redefinition"),  # Two imports One; Both imports One and Two
    [
        ("Two", "Definition two := false."),
        ("Two", "Definition three (two := false) := two."),
        ("Both", "Notation two := false."),
    ],
)
def test_imported_name_must_not_be_redefined(tmp_path, installed, file, redefinition):
    imports, other = "From Halfspaces Require Import One", TRUE.replace("plain", "other")
    (tmp_path / "One.v").write_text(f"{HEADING}Definition two := true. {TRUE}")
    two = f"{imports}.\n" if file == "Two" else ""
    (tmp_path / "Two.v").write_text(f"{HEADING}{two}{redefinition} {other}")
    if file == "Both":
        (tmp_path / "Both.v").write_text(f"{HEADING}{imports} Two.\n{TRUE}")
    with pytest.raises(coq.ProofError, match=rf"^proofs/{file}.v: Fail Check two"):
        coq.check_all(tmp_path)


def test_each_proof_card_is_on_one_page(site):
    text = "".join(path.read_text("utf-8") for path in site.glob("chapters/*.html"))
    assert text.count('class="hs-check hs-coq"') == len(STORED["files"]) > 9
    for name in STORED["files"]:
        assert text.count(f'id="coq-{name}"') == 1
    card = text.partition('id="coq-Novikoff"')[2]
    assert card.index("How to read this") < card.index("Definition update")
