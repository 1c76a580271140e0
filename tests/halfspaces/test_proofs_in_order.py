"""Proofs to put in order: right orders, missing lines, wrong lines."""

import random

import pytest

from halfspaces.proofs_in_order import PROOFS

each_proof = pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)


def random_right_order(proof, rng):
    order, remaining = "", set(proof.correct_order)
    while remaining:
        ready = sorted(k for k in remaining if set(proof.lines[k].needs) <= set(order))
        order += rng.choice(ready)
        remaining.remove(order[-1])
    return order


@each_proof
def test_right_orders_are_accepted_unless_a_line_is_missing(proof):
    rng = random.Random(0)
    for _ in range(50):
        order = random_right_order(proof, rng)
        assert proof.check(list(order)).right
        assert "some lines are missing" in proof.check(list(order[:-1])).sentence


@each_proof
def test_reply_names_the_first_line_without_its_premises(proof):
    rng = random.Random(0)
    for _ in range(50):
        order = rng.sample(proof.correct_order, len(proof.correct_order))
        early = [i for i, k in enumerate(order) if set(proof.lines[k].needs) - {*order[:i]}]
        verdict, letters = proof.check(order), {k: x for x, k in proof.letters.items()}
        assert verdict.right == (not early)
        if early:
            place = f"Line {early[0] + 1} ({letters[order[early[0]]]})"
            assert verdict.sentence.startswith(f"Not yet. {place} uses a line")


@each_proof
def test_wrong_line_is_explained_at_the_start_and_at_the_end(proof):
    letters = {key: letter for letter, key in proof.letters.items()}
    errors = {k: line.error for k, line in proof.lines.items() if line.error}
    assert len(set(errors.values())) == len(errors) >= 2
    for k, error in errors.items():
        assert proof.check([k, *proof.correct_order]).sentence.endswith(error)
        place = f"Line {len(proof.correct_order) + 1} ({letters[k]})"
        sentence = proof.check([*proof.correct_order, k]).sentence
        assert sentence == f"Not yet. {place} is wrong. {error}"


@each_proof
def test_every_line_but_the_last_is_used_by_another(proof):
    used = {need for k in proof.correct_order for need in proof.lines[k].needs}
    assert used == set(proof.correct_order[:-1])


novikoff = PROOFS["novikoff"]


def test_letters_shown_in_the_notebook_are_accepted():
    texts = dict(line.split(". ", 1) for line in repr(novikoff).splitlines()[1:])
    letters = {text: letter for letter, text in texts.items()}
    order = [letters[novikoff.lines[k].text] for k in novikoff.correct_order]
    assert novikoff(", ".join(order).lower()).right


@pytest.mark.parametrize("letters", ["HH", "Z"])
def test_repeated_or_unknown_letters_get_a_message(letters):
    assert "letters from A to J" in novikoff(letters).sentence
