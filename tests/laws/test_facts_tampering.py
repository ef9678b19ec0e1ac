"""The law of tampering with facts: a change after which a claim is false or missing is caught, hashes or not."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from facts_datasets import built
from facts_tampering import FALSE, PERHAPS, all_true
from generated_laws import deeply, law, seeds
from hypothesis import assume, event
from tampering import Nothing, faults_of


def test_the_facts_that_are_attacked_are_true_by_both_readings(tmp_path: Path) -> None:
    built().write(tmp_path)
    assert faults_of(tmp_path) == []
    assert all_true(built())


@law(25, 3_000, seed=seeds)
def test_a_change_of_facts_that_makes_a_claim_false_is_caught_by_meaning(seed: int) -> None:
    rng, data = Random(seed), built().copy()
    attack = rng.choice((*FALSE, *PERHAPS))
    try:
        attack(data, rng)
    except Nothing:
        assume(False)
    with TemporaryDirectory() as folder:
        data.write(Path(folder))
        found = faults_of(Path(folder))
    assert not [fault for fault in found if fault.claim == "hash"]
    if not found:
        assert attack in PERHAPS, attack
        assert all_true(data)
    event(f"{attack.__name__}: {'caught' if found else 'every claim stays true'}")


test_deeply = deeply(__name__)
