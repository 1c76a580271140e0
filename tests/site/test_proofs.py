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
TRIVIAL = f"{FALSE} Proof. trivial. Qed."
SAME = "Fixpoint same (a b : bool) {struct a} : Prop := True"
HIDDEN = "transparent_abstract (exact True) using False"  # defines the name False
NONSENSE = "Theorem nonsense : False \\/ true = false. Proof. (left + right); exact I. Qed."
LOOP = "Fixpoint wrong (n : nat) : False := wrong n."
MATCH = "Theorem a : match (True, 1)"
CLAIM = "Definition claim := (true = false)."
EASY = "Proof. exact I. Qed."
BY = "Proof. by []. Qed."
NUMBERS = "From Halfspaces Require Import Numbers. "
HALF = f"{NUMBERS}Theorem one_half"
NOT_NUMBERS = "GRing.inv int_unitRingType does not behave like ordinary arithmetic"

# Files with a forbidden command, without their heading.
FORBIDDEN = {
    "admitted": f"{FALSE}\nProof.\nAdmitted.",
    "axiom": f"Axiom wrong : False. {PROVED}",
    "guard": f"Unset Guard Checking. {LOOP} {TRUE}",
    "aborted": f"{FALSE}\nProof.\nAbort.",
    "aborted_then_true": f"{FALSE} Abort. {TRUE.replace('plain', 'nonsense')}",
    "indented": f"{TRUE}\n  {FALSE} Admitted.",
    "corollary": f"{FALSE.replace('Theorem', 'Corollary')} Admitted.",
    "fact": f"{FALSE.replace('Theorem', 'Fact')} Admitted.",
    "local": f"Local {FALSE} Admitted.",
    "prime": f"{TRUE} Theorem plain' : true = false. Admitted.",
    "definition": "Axiom a : False. Definition d : true = false := match a with end.",
    "other_order": f'Notation "a <= b" := (b < a). {TRUE}',
    "parameter": f"Parameter wrong : False. {PROVED}",
    "conjecture": f"Conjecture wrong : False. {PROVED}",
    "context": f"Context (wrong : False). {PROVED}",
    "bypass_check": f"#[bypass_check(guard)] {LOOP} {TRUE}",
    "universes": f"Unset Universe Checking. {TRUE}",
    "positivity": f"Unset Positivity Checking. {TRUE}",
    "inductive": f"Inductive wrong := Wrong. {TRUE}",
    "load": f'Load "missing". {TRUE}',
    "plugin": f'Declare ML Module "ltac_plugin". {TRUE}',
    "library": f"From Coq Require Import Classical. {TRUE}",
    "scope": f"Open Scope type_scope. {TRUE}",
    "equality": f'Notation "a = b" := True. {TRIVIAL}',
    "infix": f'Infix "=" := or : type_scope. {TRUE}',
    "local_notation": f'Local Notation "a = b" := True. {TRIVIAL}',
    "dot": f"Definition dot := andb. {coq.LIBRARIES[-1].replace('ring', 'bool')} {TRUE}",
    "coercion": f"Coercion two (b : bool) := 2. {TRUE}",
    "canonical": f"Canonical two := 2. {TRUE}",
    "module": f"Module Type T. Axiom wrong : False. End T. {TRUE}",
    "goal": f"Goal true = false. Abort. {TRUE}",
    "program": f"Program Definition two : nat := 2. {TRUE}",
    "instance": f"Existing Class True. Instance two : True. Admitted. {TRUE}",
    "defined": TRUE.replace("Qed", "Defined"),
    "proof_term": "Theorem plain : true = true. Proof (eq_refl true).",
    "fail": f"Fail Check nonsense. {TRUE}",
    "one_line": f"{TRUE} {FALSE} Admitted. {TRUE.replace('plain', 'more')}",
    "nested": f"Set Nested Proofs Allowed. {FALSE} {TRUE} Abort.",
    "gap": f"Theorem nonsense : true = false{' ' * 99}\\/ True. Proof. tauto. Qed.",
    "inner": "Theorem nonsense (* : true = false. *) : True. Proof. trivial. Qed.",
    "quoted": f'(* " *) Admitted. (* " *) {FALSE} Admitted.',
    "quoted_proof": f'(* " *) {FALSE} {BY} (* " *) {TRUE}',
    "notation": f'{SAME} where "a = b" := (same a b) : type_scope. {NONSENSE}',
    "tactic_in_term": f"Definition two : Prop := ltac:({HIDDEN}). {NONSENSE}",
    "spaced": f"Definition two : Prop := ltac : ({HIDDEN}). {NONSENSE}",
    "changed_tactic": f"Ltac easy ::= idtac. {TRUE}",
    "hidden_coercion": f"Section A. Variable f :> bool -> nat. {TRUE} End A.",
    "spaced_coercion": f"Section A. Variable f : > bool -> nat. {TRUE} End A.",
    "tabs": "Theorem nonsense : true = false\t\t\t\t\\/ True. Proof. tauto. Qed.",
    "empty_lines": "Theorem nonsense : true = false\n\n\n\\/ True. Proof. tauto. Qed.",
    "strings": TRUE.replace(". r", '. idtac "Chars 0 - 9 [A] 0. secs (0.u,0.s)". r'),
    "prompt": TRUE.replace(". r", '. idtac "<prompt>Coq < 9 || 0 < </prompt>". r'),
    "filtered": f"From Halfspaces Require Import Numbers(dot). {TRUE}",
}
REJECTED = {name: (text, "is not allowed in proofs") for name, text in FORBIDDEN.items()}
REJECTED |= {  # (text, reason in the message)
    "no_qed": (f"{FALSE} Proof.", "pending proofs"),
    "no_theorem": ("Definition two := true.", "contains no theorem"),
    "hypothesis": (f"Hypothesis wrong : False. {PROVED}", "local-declaration"),
    "variables": (f"Variables (wrong : False). {PROVED}", "local-declaration"),
    "admit": (f"{FALSE} Proof. admit. Qed.", "given up"),
    "give_up": (f"{FALSE} Proof. give_up. Qed.", "given up"),
    "shelve": (f"{FALSE} Proof. shelve. Qed.", "unresolved"),
    "cast": (f"{FALSE} Proof. vm_cast_no_check (eq_refl true). Qed.", "Error:"),
    "redefined_false": (f"Definition False := True. {TRUE}", "Fail Check False"),
    "bound": ("Lemma a (False := True) : False. Proof. exact I. Qed.", "Fail Check False"),
    "let_in": ("Lemma a : let or := and in or True True. Proof. easy. Qed.", "Check or"),
    "pattern": (f"{MATCH} with (False, b) => False end. {EASY}", "Check False"),
    "let_pattern": (
        f"Theorem a : let '(False, b) := (True, 1) in False. {EASY}",
        "Fail Check False",
    ),
    "return_name": (
        f"{MATCH} as False return Prop with (a, b) => a end. {EASY}",
        "Fail Check False",
    ),
    "shadowed_name": (
        f"{CLAIM} Theorem b (claim := True) : claim. {EASY}",
        "It redefines claim",
    ),
    "mutual_name": (
        "Fixpoint f (n : nat) := n with claim (n : nat) := true = false. "
        f"Theorem b (claim := True) : claim. {EASY}",
        "It redefines claim",
    ),
    "underscore": (
        "Fixpoint f (n : nat) := n with _claim (n : nat) := true = false. "
        f"Theorem b (_claim := True) : _claim. {EASY}",
        "It redefines _claim",
    ),
    "spaced_quotient": (f"{HALF} : (1 / 2) %:Q = 2%:Q. {BY}", NOT_NUMBERS),
    "bracketed_quotient": (f"{HALF} : ((1) / 2)%:Q = 2%:Q. {BY}", NOT_NUMBERS),
    "other_field": (
        f"{HALF} (F : realFieldType) : (1 / 2) %:~R = 2%:R :> F. {BY}",
        NOT_NUMBERS,
    ),
    "inferred_quotient": (
        f"{HALF} a : a = 1 / 2 -> a%:Q = 2%:Q. Proof. by move=> ->. Qed.",
        NOT_NUMBERS,
    ),
    "defined_quotient": (
        f"{NUMBERS}Definition h : int := 1 / 2. Theorem one_half : h%:Q = 2%:Q. {BY}",
        NOT_NUMBERS,
    ),
    "power": (
        f"{HALF} : ((2 : int) ^ (- 1 : int))%:Q = 2%:Q. {BY}",
        "No page explains exprz",
    ),
    "modulo": (
        f"{HALF} (i : 'I_2) : i + i = 0. "
        "Proof. by case: i => -[|[|//]] j; apply/val_inj. Qed.",
        "Zp_zmodType does not behave",
    ),
    "named_as_a_type": (
        f"{NUMBERS}Definition rat_oneType := int_numDomainType. Theorem gap (a b : "
        "rat_oneType) : a < b -> a + 1 <= b. Proof. by rewrite -lez_addr1. Qed.",
        "may look like Coq output",
    ),
    "bound_as_a_type": (
        f"{HALF} (rat' := int_unitRingType) (a : rat') : a = 1 / 2%:R -> a = 2%:R. "
        "Proof. by move=> ->. Qed.",
        "may look like Coq output",
    ),
    "field_modulo": (
        f"{HALF} : 1 / 2%:R = 2%:R :> Fp_fieldType 3. Proof. by apply/val_inj. Qed.",
        "does not behave",
    ),
    "hidden_quotient": (
        f"{HALF} (h : forall R : unitRingType, R -> R) : h = @GRing.inv -> "
        "(h int_unitRingType 2%:R)%:Q = 2%:R. Proof. by move=> ->. Qed.",
        "GRing.inv does not behave",
    ),
    "half": (f"{HALF} : (5./2)%N = 2%N. {BY}", "No page explains .*half"),
    "singular": (
        f"{HALF} (F : realFieldType) : invmx (0 : 'M[F]_1) = 0. "
        "Proof. by rewrite /invmx unitr0. Qed.",
        "No page explains",
    ),
    "whole_quotient": (f"{HALF} : (7 %/ 2)%N = 3%N. {BY}", "No page explains .*divn"),
    "difference": (
        f"{NUMBERS}Theorem a (F : realFieldType) : (1 - 2)%:R = 0 :> F. {BY}",
        "No page explains .*subn",
    ),
    "logarithm": (f"{NUMBERS}Theorem a : logn 2 3 = 0%N. {BY}", "No page explains .*logn"),
    "index_out_of_range": (
        f"{NUMBERS}Theorem a : inord 5 = inord 7 :> 'I_2. "
        "Proof. by rewrite /inord /insubd !insubN. Qed.",
        "No page explains .*inord",
    ),
    "cast_in_definition": (
        f"{NUMBERS}Definition a (F : realFieldType) n : F := ((1 - n)%N : nat)%:R. {TRUE}",
        "No page explains subn",
    ),
    "output_of_coq": (
        f"Definition a := let Arguments := negb in Arguments true. {TRUE}",
        "like Coq output.*Arguments",
    ),
    "complex_numbers": (
        f"{NUMBERS}Theorem a (F : numClosedFieldType) (x : F) : x = x. {BY}",
        "No page explains Num.ClosedField",
    ),
    "hidden_row": (
        f"{NUMBERS}Theorem a (F : realFieldType) (u : 'rV[F]_2) : forall i, u i 0 = u 0 0. "
        "Proof. by move=> i; rewrite ord1. Qed.",
        "does not behave",
    ),
    "hidden_integers": (
        f"{NUMBERS}Theorem a f : (f 0%N)%:Q < (f 1%N)%:Q -> (f 0%N)%:Q + 1 <= (f 1%N)%:Q. "
        "Proof. by rewrite ltr_int -lez_addr1 -(ler_int [numDomainType of rat]) rmorphD. "
        "Qed.",
        "int does not behave",
    ),
    "defined_twice": (
        f"Section A. {CLAIM.replace('Definition', 'Notation')} {TRUE} End A. "
        f"Definition claim := True. Theorem b : claim. {EASY}",
        "It redefines claim",
    ),
    "primed_sort": (
        f"Section A. Notation Set' := (true = false). {TRUE} End A. "
        f"Definition Set' := True. Theorem b : Set'. {EASY}",
        "It redefines Set'",
    ),
    "implicit_binder": (
        "Theorem a : ~ (forall [True : Prop], True). Proof. intro h. exact (h _). Qed.",
        "Fail Check True",
    ),
    "redefined_type": (
        f"Section S. Variable bool : Type. {TRUE} End S.",
        "Fail Check bool",
    ),
    "abbreviation": (f"Notation sum := andb. {TRUE}", "Fail Check sum"),
    "cyrillic": (f"Definition F\u0430lse := True. {TRUE}", "ASCII"),
    "question": (f"Definition all_of_question := true. {TRUE}", "already exists"),
    "output": (TRUE.replace(". r", ". time idtac. r"), "may not print"),
    "in_proof": (
        TRUE.replace("Proof.", "Definition two := true. Proof."),
        "Definition two",
    ),
    "Num": (f"Definition sgn (n : nat) := n. {TRUE}", "Fail Import Num"),
    "section_as_module": (
        f"Section Num. Definition sqrt (b : bool) := b. {TRUE} End Num.",
        "Fail Import Num",
    ),
    "in_comment": (
        f"(* Notation False := (False ) *) Definition False := True. {TRUE}",
        "Fail Check False",
    ),
    "not_partial": (f"Notation False := (False -> False). {TRUE}", "Fail Check False"),
    "partial": (
        f"Section A. Variable x : bool. Notation orb := (orb x). {TRUE} End A.",
        "Fail Check orb",
    ),
    "with_arguments": (
        f"Definition enum (b : bool) := b. {TRUE}",
        "Fail Check enum.*not applied enough",
    ),
}
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


def skip_without_coq():
    if (version := coq.version()) != STORED["coq"]:
        pytest.skip(f"the proofs need Coq {STORED['coq']}; found {version or 'none'}")


@pytest.mark.slow
def test_coq_and_its_checker_accept_every_proof(tmp_path):
    skip_without_coq()
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
def numbers(tmp_path_factory):
    """A folder with the compiled Numbers.v."""
    skip_without_coq()
    folder = tmp_path_factory.mktemp("numbers")
    coq.check(folder, "Numbers", (coq.PROOFS / "Numbers.v").read_text("utf-8"))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", REJECTED)
def test_invalid_or_misleading_file_is_rejected(tmp_path, numbers, name):
    text, reason = REJECTED[name]
    if NUMBERS in text:
        shutil.copytree(numbers, tmp_path, dirs_exist_ok=True)
    with pytest.raises(coq.ProofError, match=rf"(?s)^proofs/{name}.v.*{reason}"):
        coq.check(tmp_path, name, HEADING + text)


@pytest.mark.slow
@pytest.mark.parametrize("name", ACCEPTED)
def test_proof_in_another_layout_is_accepted(tmp_path, name):
    skip_without_coq()
    assert coq.check(tmp_path, name, HEADING + ACCEPTED[name])["axioms"] == coq.NO_AXIOM


@pytest.mark.slow
def test_each_step_has_its_goal_and_a_failing_step_its_line(tmp_path):
    skip_without_coq()
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
    for wrong, reason in (
        ("- exact p.\nQed.", r"8: exact p\..*expected"),
        ("Qed.", "8.*Qed"),
    ):
        (tmp_path / "Both.v").write_text(right + wrong)
        message = rf"(?s)^proofs/Both.v, line {reason}.*b = true"
        with pytest.raises(coq.ProofError, match=message):
            coq.check_all(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "redefinition"),  # Two imports One; Both imports One and Two
    [
        ("Two", "Definition two := false."),
        ("Two", "Notation two := false."),
        ("Two", "Definition three (two := false) := two."),
        ("Both", "Definition two := false."),
        ("Both", "Notation two := false."),
    ],
)
def test_imported_name_must_not_be_redefined(tmp_path, file, redefinition):
    skip_without_coq()
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
