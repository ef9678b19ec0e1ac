"""The encoding of an instance that is known whole says what the interpreter says."""

from __future__ import annotations

import pytest

from tests.families import shipped
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.solver.ground import Ground
from unco.solver.judge import judge, violations
from unco.specs.family import Family
from unco.specs.group import CandidateGroup
from unco.specs.instance import NoWinner, SeveralEligible, Winner
from unco.specs.shipped import shipped_specifications


def drawn(family: Family, index: int) -> CandidateGroup:
    group = instantiate(family, index, InstantiateOptions())
    assert isinstance(group, CandidateGroup)
    return group


@pytest.mark.parametrize("name", shipped_specifications())
def test_a_whole_instance_has_its_own_outcome_in_the_encoding_and_no_other(name: str) -> None:
    family = shipped(name)
    ground = Ground(family)
    for index in range(3):
        group = drawn(family, index)
        known = ground.at(group.instance)
        assert known.has(group.outcome)
        if isinstance(group.outcome, Winner):
            candidate, result = group.outcome.candidate, group.outcome.result
            others = [Winner(candidate, result + 1), Winner((candidate + 1) % family.candidates, result), NoWinner()]
        else:
            others = [Winner(0, 0)]
        assert not any(known.has(other) for other in others)


@pytest.mark.parametrize("name", ["underground-superintendent", "graduate-scholarship", "vacation-days"])
def test_each_changed_cell_tells_as_the_interpreter_does(name: str) -> None:
    family = shipped(name)
    group = drawn(family, 1)
    known = Ground(family).at(group.instance)
    for cell in family.cells:
        domain = family.domains[cell.slot]
        for place in {0, domain.size // 2, domain.size - 1}:
            changes = {cell: domain.value(place)}
            other = group.instance.changed(changes)
            legal = not violations(family, other)
            after = judge(family, other) if legal else group.outcome
            another = legal and not isinstance(after, SeveralEligible) and after != group.outcome
            assert known.has_another(changes, group.outcome) is another
    assert known.has(group.outcome)
