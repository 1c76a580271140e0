"""Proofs in order: right orders, missing lines, wrong lines."""

import random

import pytest

from halfspaces.proofs_in_order import PROOFS

each = pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)


def random_right_order(proof, rng):
    order, left = "", set(proof.right)
    while left:
        ready = sorted(k for k in left if set(proof.lines[k].needs) <= set(order))
        order += rng.choice(ready)
        left.remove(order[-1])
    return order


@each
def test_right_orders_are_accepted_unless_a_line_is_missing(proof):
    rng = random.Random(0)
    for _ in range(50):
        order = random_right_order(proof, rng)
        assert proof.check(list(order)).right
        assert "some lines are missing" in proof.check(list(order[:-1])).sentence


@each
def test_reply_names_the_first_line_without_its_premises(proof):
    rng = random.Random(0)
    for _ in range(50):
        order = rng.sample(proof.right, len(proof.right))
        early = [k for k, x in enumerate(order) if set(proof.lines[x].needs) - {*order[:k]}]
        verdict = proof.check(order)
        assert verdict.right == (not early)
        assert not early or f"Line {early[0] + 1} uses" in verdict.sentence


@each
def test_wrong_line_is_explained_in_any_place(proof):
    errors = {k: line.error for k, line in proof.lines.items() if line.error}
    assert len(set(errors.values())) == len(errors) >= 2
    for k, error in errors.items():
        assert proof.check([k, *proof.right]).sentence.endswith(error)
        sentence = proof.check([*proof.right, k]).sentence
        assert sentence == f"Not yet. Line {len(proof.right) + 1} is wrong. {error}"


@each
def test_every_line_leads_to_the_conclusion(proof):
    used = {need for k in proof.right for need in proof.lines[k].needs}
    assert used == set(proof.right[:-1])


novikoff = PROOFS["novikoff"]


def test_letters_of_the_notebook_are_accepted():
    texts = dict(line.split(". ", 1) for line in repr(novikoff).splitlines()[1:])
    letter = {text: x for x, text in texts.items()}
    order = [letter[novikoff.lines[k].text] for k in novikoff.right]
    assert novikoff(", ".join(order).lower()).right


@pytest.mark.parametrize("letters", ["HH", "Z"])
def test_repeated_or_unknown_letters_are_refused(letters):
    assert "letters from A to J" in novikoff(letters).sentence
