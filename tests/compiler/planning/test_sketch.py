"""Sketches: what a group is to be before any value is drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from tests.rendered_groups import SUPERINTENDENT, family_of
from unco.compiler.planning.flips import touched
from unco.compiler.planning.sketch import SHAPES, failing_sets, offered, sketched, turned
from unco.specs.family import Family
from unco.specs.verdict import Flip

THIRD, PAIR = Fraction(1, 3), dict(SHAPES)["pair"]
FAMILY = family_of(SUPERINTENDENT)


def test_every_candidate_fails_as_many_conditions_as_the_sketch_says() -> None:
    for number in range(200):
        rng = Random(number)
        sketch = sketched(FAMILY, rng.choice((None, 0, 1, 2)), rng)
        sets, _ = failing_sets(FAMILY, sketch, rng)
        assert tuple(map(len, sets)) == sketch.counts
        assert sketch.winner is None or sketch.counts[sketch.winner] == 0
        assert sorted(sketch.counts)[:2] == ([1, 1] if sketch.winner is None else [0, 1])


def test_what_a_loser_fails_does_not_depend_on_the_place_of_the_winner() -> None:
    drawn = {winner: Counter[int]() for winner in (0, 2)}
    for winner, counts in drawn.items():
        for number in range(600):
            counts.update(count for count in sketched(FAMILY, winner, Random(f"{winner}/{number}")).counts if count)
    assert all(abs(drawn[0][count] - drawn[2][count]) < 80 for count in (1, 2, 3))


def test_a_winner_group_has_a_rival_for_the_target_that_asks_for_one_and_none_beside_the_others() -> None:
    agreed = 0
    for number in range(200):
        rng = Random(number)
        sets, sketch = failing_sets(FAMILY, sketched(FAMILY, 0, rng), rng)
        for name in ("missed", "incomplete"):
            aim = sketch.aims[name]
            if aim.flip is not Flip.OTHER_RESULT:
                withheld = touched(FAMILY, offered(FAMILY)[name][aim.targets[0]])
                rivals = sum(each <= withheld for each in sets[1:])
                agreed += (rivals > 0) is (aim.flip is Flip.OTHER_WINNER)
    assert agreed > 240


def test_without_a_winner_two_roles_can_be_necessary() -> None:
    owner = {"experience": "operations", "medical": "health", "start": "planning", "licence": "licensing"}
    for number in range(200):
        rng = Random(number)
        sets, _ = failing_sets(FAMILY, sketched(FAMILY, None, rng), rng)
        assert len({owner.get(each, "training") for failing in sets if len(failing) == 1 for each in failing}) > 1


def test_two_rivals_for_one_target_are_sketched_for_a_third_of_the_groups_without_a_winner() -> None:
    made = [sketched(FAMILY, None, Random(number)) for number in range(1_200)]
    for name, share in (("missed", THIRD), ("incomplete", THIRD), ("misaligned", PAIR)):
        several = sum(each.aims[name].rivals == 2 for each in made)
        assert abs(several - 1_200 * share) < 4 * (1_200 * share * (1 - share)) ** Fraction(1, 2)
    assert all(sketch.counts == (1, 1, 1) for sketch in made if sketch.aims["misaligned"].rivals == 2)


def test_mixed_is_planned_for_half_of_the_groups_whoever_wins() -> None:
    for winner in (None, 1):
        made = [sketched(FAMILY, winner, Random(f"{winner}/{number}")) for number in range(600)]
        assert abs(sum(each.mixed for each in made) - 300) < 50
        assert all(("mixed" in each.aims) is each.mixed for each in made)


def test_where_mixed_is_planned_the_losers_fail_what_different_roles_own() -> None:
    owner = {"experience": "operations", "medical": "health", "start": "planning", "licence": "licensing"}
    for number in range(200):
        rng = Random(number)
        sketch = sketched(FAMILY, rng.choice((None, 0, 1, 2)), rng)
        sets, _ = failing_sets(FAMILY, sketch, rng)
        roles = [owner.get(each, "training") for failing in sets for each in failing]
        assert not sketch.mixed or len(set(roles)) == len(roles)


def test_a_target_that_did_not_do_is_asked_last() -> None:
    sketch = sketched(FAMILY, 0, Random(1))
    first, *others = sketch.aims["missed"].targets
    after = turned(sketch, "missed", sketch)
    assert after.aims["missed"].targets == (*others, first)
    assert after.aims["incomplete"] == sketch.aims["incomplete"]


def weighing(*weights: tuple[int, Fraction]) -> Family:
    """The family with weights that its author gives."""
    plan = replace(FAMILY.plan, failed_conditions=weights, every_loser=True)
    return replace(FAMILY, plan=plan, digest=f"weights {weights}")


@pytest.mark.parametrize("winner", [None, 1])
def test_every_loser_fails_a_number_by_the_weights_that_the_author_gives(winner: int | None) -> None:
    family = weighing((2, Fraction(1)), (4, Fraction(3)))
    counts = Counter[int]()
    for number in range(400):
        rng = Random(f"{winner}/{number}")
        sketch = sketched(family, winner, rng)
        sets, _ = failing_sets(family, sketch, rng)
        assert tuple(map(len, sets)) == sketch.counts
        counts.update(len(each) for place, each in enumerate(sets) if place != winner)
    losers = counts.total()
    assert set(counts) == {2, 4}
    assert abs(counts[4] - losers * Fraction(3, 4)) < 4 * (losers * Fraction(3, 16)) ** Fraction(1, 2)


def test_without_a_winner_mixed_is_planned_where_three_losers_fail_one_condition() -> None:
    ones = [sketched(weighing((1, Fraction(1))), None, Random(number)).mixed for number in range(40)]
    assert any(ones)
    assert not any(sketched(weighing((2, Fraction(1))), None, Random(number)).mixed for number in range(40))
