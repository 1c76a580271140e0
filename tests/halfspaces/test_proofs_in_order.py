"""Every order counts in which each line follows what it uses, and no other one."""

import random

import pytest

from halfspaces.proofs_in_order import PROOFS

each = pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)


def any_right_order(proof, rng):
    order, left = "", set(proof.right)
    while left:
        ready = sorted(k for k in left if set(proof.lines[k].needs) <= set(order))
        order += rng.choice(ready)
        left.remove(order[-1])
    return order


@each
def test_right_orders_count_and_others_hear_what_is_missing(proof):
    rng = random.Random(0)
    for _ in range(50):
        order = any_right_order(proof, rng)
        assert proof.judge(list(order)).right
        assert "lacks some" in proof.judge(list(order[:-1])).sentence
        mixed = rng.sample(order, len(order))
        early = [k for k, x in enumerate(mixed) if set(proof.lines[x].needs) - {*mixed[:k]}]
        verdict = proof.judge(mixed)
        assert verdict.right == (not early)
        assert not early or f"Line {early[0] + 1} uses" in verdict.sentence


@each
def test_a_wrong_line_has_its_own_sentence_wherever_it_stands(proof):
    slips = {k: line.wrong for k, line in proof.lines.items() if line.wrong}
    assert len(set(slips.values())) == len(slips) >= 2
    for k, wrong in slips.items():
        assert proof.judge([k, *proof.right]).sentence.endswith(wrong)
        said = proof.judge([*proof.right, k]).sentence
        assert said == f"Not yet. Line {len(proof.right) + 1} is wrong. {wrong}"


@each
def test_all_lines_lead_to_the_last_one(proof):
    used = {need for k in proof.right for need in proof.lines[k].needs}
    assert used == set(proof.right[:-1])


novikoff = PROOFS["novikoff"]


def test_in_a_notebook_the_letters_are_those_that_are_shown():
    shown = dict(line.split(". ", 1) for line in repr(novikoff).splitlines()[1:])
    letter = {text: x for x, text in shown.items()}
    order = [letter[novikoff.lines[k].text] for k in novikoff.right]
    assert novikoff(", ".join(order).lower()).right
    for wrong in "HH", "Z":
        assert "letters from A to J" in novikoff(wrong).sentence
