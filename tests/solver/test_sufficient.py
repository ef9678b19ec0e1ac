"""The smallest sufficient cells, held against trying every set of cells."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from tests.small_families import all_instances, family, instance_of, small, specification
from unco.solver.decide import Prover, Undecided
from unco.solver.judge import judge, violations
from unco.solver.sufficient import Sufficient, least_hitting_set, smallest_sufficient
from unco.specs.family import Cell, Family
from unco.specs.instance import Instance, NoWinner, SeveralEligible, Winner

TINY = family(
    specification(
        attributes={
            "score": {"label": "score", "owner": "marks", "type": "count", "range": [0, 2]},
            "licence": {"label": "licence", "owner": "office", "type": "boolean"},
            "fee": {"label": "fee", "owner": "till", "type": "count", "range": [1, 2]},
        },
        conditions={"good": "score >= 1", "licensed": "licence"},
        calculation={"operation": "sum", "label": "price", "formula": "fee + score"},
    )
)
RULED = family(
    specification(
        attributes={
            "score": {"label": "score", "owner": "marks", "type": "count", "range": [0, 2]},
            "licence": {"label": "licence", "owner": "office", "type": "boolean"},
            "fee": {"label": "fee", "owner": "till", "type": "count", "range": [1, 2]},
        },
        consistency={"tied": "not licence or fee == 2"},
        conditions={"good": "score >= 1", "licensed": "licence or score == 2"},
        calculation={"operation": "sum", "label": "price", "formula": "fee + score"},
    )
)


def by_trying(family: Family, legal: list[Instance], instance: Instance) -> tuple[Cell, ...]:
    """The first least set, in the author's order, that leaves one answer while the promise is kept."""
    gold = judge(family, instance)
    rivals = [
        {cell for cell in family.cells if each.cells[cell] != instance.cells[cell]}
        for each in legal
        if judge(family, each) != gold and not isinstance(judge(family, each), SeveralEligible)
    ]
    return next(
        chosen
        for size in range(len(family.cells) + 1)
        for chosen in combinations(family.cells, size)
        if all(not rival.isdisjoint(chosen) for rival in rivals)
    )


@pytest.mark.parametrize("family", [TINY, RULED], ids=["free", "ruled"])
def test_they_are_what_trying_every_set_gives(family: Family) -> None:
    prover = Prover(family)
    legal = [each for each in all_instances(family) if not violations(family, each)]
    for instance in Random(2).sample(legal, 12):
        if not isinstance(judge(family, instance), SeveralEligible):
            found = smallest_sufficient(prover, instance, judge(family, instance))
            assert isinstance(found, Sufficient)
            assert found.cells == by_trying(family, legal, instance)


def test_given_the_promise_the_losers_need_not_be_known() -> None:
    won = instance_of(small(), (3, True, 1, 3), (0, True, 2, 2))
    found = smallest_sufficient(Prover(small()), won, Winner(0, 4))
    assert isinstance(found, Sufficient)
    assert {cell.candidate for cell in found.cells} == {0}
    assert [cell.attribute for cell in found.cells] == ["score", "licence", "fee"]


def test_of_several_least_sets_the_first_in_the_authors_order_is_taken() -> None:
    nobody = instance_of(small(), (0, False, 3, 1), (0, False, 3, 1))
    found = smallest_sufficient(Prover(small()), nobody, NoWinner())
    assert isinstance(found, Sufficient)
    assert found.cells == (Cell(0, "score", 0, ""), Cell(1, "score", 0, ""))


def test_without_a_budget_they_are_not_known() -> None:
    nobody = instance_of(small(), (0, False, 3, 1), (0, False, 3, 1))
    assert isinstance(smallest_sufficient(Prover(small(), asks=False), nobody, NoWinner()), Undecided)


def test_the_least_hitting_set_is_what_trying_all_gives() -> None:
    rng = Random(3)
    for _ in range(60):
        sets = [tuple(sorted(rng.sample(range(7), rng.randint(1, 3)))) for _ in range(rng.randint(0, 6))]
        expected = next(
            chosen
            for size in range(8)
            for chosen in combinations(range(7), size)
            if all(set(each) & set(chosen) for each in sets)
        )
        assert least_hitting_set(sets) == expected


def test_an_empty_set_cannot_be_met() -> None:
    with pytest.raises(ValueError, match="empty"):
        least_hitting_set([()])
