"""Coq checks the proofs again, and each stands at its theorem."""

import json
import re
import shutil
from hashlib import sha256

import pytest

from sitebuild import coq

STORED = json.loads(coq.STORED.read_text("utf-8"))
SAID = "\n".join(
    "\n".join(column)
    for record in STORED["files"].values()
    for column in zip(*record["steps"], strict=True)
)


def test_stored_goals_belong_to_the_files():
    files = coq.PROOFS.glob("*.v")
    digests = {path.stem: sha256(path.read_bytes()).hexdigest() for path in files}
    assert digests == {name: record["sha256"] for name, record in STORED["files"].items()}


def test_goals_name_types_as_the_proofs_do():
    assert not re.findall(r"\b(?:matrix|ordinal|rat|nat|seq)_\w*(?:Type|Ring)|'cV_1", SAID)


def test_the_reading_page_quotes_the_proofs():
    page = (coq.ROOT / "chapters" / "proof_assistant.md").read_text("utf-8")
    quotes = re.findall(r"^```text\n(.*?)\n```$", page, re.M | re.S)
    assert quotes[0].startswith("Definition dot ")
    assert [quote for quote in quotes if quote not in SAID] == []


def needs_coq():
    if (found := coq.version()) != STORED["coq"]:
        pytest.skip(f"the proofs are for Coq {STORED['coq']}; here is {found or 'none'}")


@pytest.mark.slow
def test_coq_accepts_every_proof_without_axioms():
    needs_coq()
    assert coq.check_all() == STORED["files"]


@pytest.mark.slow
def test_a_step_has_its_own_goal_and_what_does_not_hold_is_named(tmp_path):
    needs_coq()
    shutil.copy(coq.PROOFS / "Numbers.v", tmp_path)
    right = """From Halfspaces Require Import Numbers.

(* Both. *)
Lemma both (a b : bool) : a -> b -> a && b.
Proof. move=> p q. apply/andP; split.
- exact: p.
"""
    (tmp_path / "Both.v").write_text(f"{right}- {{ exact: q. }}\nQed.\n")
    steps = coq.check_all(tmp_path)["Both"]["steps"]
    *_, first, last, end, qed = steps
    assert first[0] == "- exact: p." and first[1].endswith("===\n  b")
    assert [last, end] == [["- { exact: q.", "No more goals."], ["}", "No more goals."]]
    assert qed == ["Qed.", ""]
    for wrong, said in (
        ("- exact: p.\nQed.", "line 7: "),
        ("Admitted.", "not proved without"),
    ):
        (tmp_path / "Both.v").write_text(right + wrong)
        with pytest.raises(coq.Failed, match=f"proofs/Both.v.*{said}"):
            coq.check_all(tmp_path)


def test_each_card_stands_on_one_page(site):
    text = "".join(path.read_text("utf-8") for path in site.glob("chapters/*.html"))
    named = [name for name, r in STORED["files"].items() if r["steps"][0][0][:4] == "(** "]
    assert len(named) > 9
    assert [text.count(f'id="coq-{name}"') for name in named] == [1] * len(named)
    card = text.partition('id="coq-Novikoff"')[2]
    assert card.index("How to read this") < card.index("Definition update")
