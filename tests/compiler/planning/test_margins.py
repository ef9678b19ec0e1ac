"""Margins: natural values at a drawn distance from what they are compared with."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.desk_family import desk
from unco.compiler.planning.margins import compared, distance, distance_miss, placed
from unco.compiler.planning.natural import grid
from unco.specs.family import Slot

FEE = Slot("fee", 0, "this")
MARK = 137_500
"""The index of 187,500 EUR."""


def indices(margin: str, bounds: tuple[int, int] | None = None) -> list[int]:
    family = replace(desk(), difficulty=replace(desk().difficulty, distance=bounds), digest=f"desk {bounds}")
    values = [placed(family, FEE, (MARK,), margin, Random(number)) for number in range(400)]
    found = [desk().domains[FEE].index(value) for value in values if value is not None]
    return [index for index in found if index is not None]


def test_a_value_of_another_context_is_compared_by_its_magnitude() -> None:
    assert compared(desk(), FEE, ()) == (MARK,)
    assert compared(desk(), FEE._replace(context="last"), ()) == (MARK,)
    assert compared(desk(), Slot("grant", 0, "this"), ()) == ()


def test_at_the_edge_a_value_is_the_threshold_or_a_step_off_that_people_use_or_now_and_then_the_finest() -> None:
    steps = [abs(index - MARK) for index in indices("edge")]
    assert set(steps) == {0, 1, 500}
    assert 150 < steps.count(0) < 250
    assert steps.count(1) < 40


@pytest.mark.parametrize(("margin", "least", "most"), [("near", 2, 25_000), ("far", 25_001, 250_001)])
def test_near_and_far_lie_within_and_beyond_a_tenth_of_the_domain(margin: str, least: int, most: int) -> None:
    found = indices(margin)
    assert len(found) > 100
    assert all(least <= distance(index, (MARK,)) <= most for index in found)
    assert sum(
        index in grid(desk().domains[FEE], 200) or index in grid(desk().domains[FEE], 500) for index in found
    ) > (len(found) * 4 // 5)


@pytest.mark.parametrize("margin", ["edge", "near", "far"])
def test_the_distance_of_the_difficulty_bounds_every_margin(margin: str) -> None:
    found = indices(margin, (5, 40))
    assert found
    assert all(5 <= distance(index, (MARK,)) <= 40 for index in found)


def test_a_distance_that_the_domain_does_not_have_is_told_as_such() -> None:
    def told(bounds: tuple[int, int]) -> str:
        family = replace(desk(), difficulty=replace(desk().difficulty, distance=bounds), digest=f"desk {bounds}")
        return distance_miss(family, FEE, desk().domains[FEE].value(MARK + 3), ())

    assert " lies 3 steps from " in told((5, 40))
    assert told((5, 40)).endswith("`difficulty.distance` asks for 5 to 40")
    assert told((300_000, 300_001)).endswith(", and its domain has no value so far from what it is compared with")
