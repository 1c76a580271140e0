"""Coq checks the proofs again, and each stands at its theorem."""

import json
import shutil

import coq
import pytest

STORED = json.loads(coq.STORED.read_text("utf-8"))


def test_stored_goals_belong_to_the_files():
    digests = {
        path.stem: coq.digest(path.read_text("utf-8")) for path in coq.PROOFS.glob("*.v")
    }
    assert digests == {name: record["sha256"] for name, record in STORED["files"].items()}


def needs_coq():
    if (found := coq.version()) != STORED["coq"]:
        pytest.skip(f"the proofs are for Coq {STORED['coq']}; here is {found or 'none'}")


def test_coq_accepts_every_proof_without_axioms():
    needs_coq()
    assert coq.check_all() == STORED["files"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [("Proof. by []. Qed.", "line 5: "), ("Admitted.", "not proved without axioms")],
)
def test_what_does_not_hold_is_named(tmp_path, wrong, said):
    needs_coq()
    shutil.copy(coq.PROOFS / "Numbers.v", tmp_path)
    text = "From Halfspaces Require Import Numbers.\n\n(* Two is three. *)\n"
    text += f"Lemma two_is_three : (2 = 3)%N.\n{wrong}\n"
    (tmp_path / "Wrong.v").write_text(text)
    with pytest.raises(coq.Failed, match=f"proofs/Wrong.v.*{said}"):
        coq.check_all(tmp_path)


def test_each_card_stands_on_one_page(site):
    text = "".join(path.read_text("utf-8") for path in site.glob("chapters/*.html"))
    named = [
        name for name, r in STORED["files"].items() if r["steps"][0][0].startswith("(** ")
    ]
    assert len(named) > 9
    assert [text.count(f'id="coq-{name}"') for name in named] == [1] * len(named)
