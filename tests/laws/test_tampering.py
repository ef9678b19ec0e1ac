"""The law of tampering: a change after which a claim is false or missing is caught, though every hash is right."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from generated_laws import deeply, law, seeds
from hypothesis import assume, event
from tampering import FALSE, PERHAPS, Nothing, all_true, built, faults_of


def test_the_dataset_that_is_attacked_is_true_by_both_readings(tmp_path: Path) -> None:
    built().copy().write(tmp_path)
    assert faults_of(tmp_path) == []
    assert all_true(built())


@law(40, 2_000, seed=seeds)
def test_a_change_that_makes_a_claim_false_is_caught_by_meaning(seed: int) -> None:
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
        assert attack in PERHAPS
        assert all_true(data)
    event(f"{attack.__name__}: {'caught' if found else 'every claim stays true'}")


test_deeply = deeply(__name__)
