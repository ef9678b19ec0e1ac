"""Datasets of facts are read back as they stand, and go through the checker that ships with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from facts_datasets import built

from benchmarks import facts
from benchmarks.engines.answer import gold_of
from benchmarks.shipped_checker import check
from unco.solver.claims import necessity
from unco.solver.decide import Prover
from unco.solver.judge import judge, violations
from unco.specs.verdict import Proved


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("facts") / "out"
    built().write(place)
    return place


def test_lines_are_read_as_legal_instances_with_their_gold_and_roles_that_are_necessary(folder: Path) -> None:
    for name, family in built().families.items():
        prover, read = Prover(family), list(facts.read(family, folder))
        assert len(read) == built().wanted, name
        for instance, answer in read:
            outcome = judge(family, instance)
            assert not violations(family, instance)
            assert gold_of(outcome) == answer.gold
            shown = [role.id for role, open_ in zip(family.roles, answer.open_without, strict=True) if open_]
            assert len(shown) > 1
            assert all(isinstance(necessity(prover, instance, outcome, role), Proved) for role in shown)


def test_only_as_many_are_read_as_are_asked_for(folder: Path) -> None:
    (family, *_) = built().families.values()
    assert list(facts.read(family, folder, 2)) == list(facts.read(family, folder))[:2]


def test_the_checker_counts_every_instance_and_a_fault_stops_the_benchmark(folder: Path, tmp_path: Path) -> None:
    assert check(folder) == built().wanted * len(built().families)
    data = built().copy()
    line = next(each for lines in data.lines.values() for each in lines if each.get("winner") is not None)
    line["result"] = str(int(line["result"]) + 1)
    data.write(tmp_path / "wrong")
    with pytest.raises(AssertionError, match="the checker found"):
        check(tmp_path / "wrong")
