"""Margins: how far the drawn values lie from what the conditions compare them with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random

from unco.compiler.planning.draw import Goal
from unco.compiler.planning.natural import NEAR, drawn_rung, nearest, rung_through, weighted
from unco.solver.judge import member_count
from unco.solver.landmarks import Parameters, thresholds
from unco.specs.domains import DateDomain, Domain, NumberDomain
from unco.specs.family import Family, Slot
from unco.specs.values import Value
from unco.specs.wording import value_text

TRIES = 12
"""How many values of the drawn distance are tried for a slot before its value is left as it is."""


def with_margins(goal: Goal, values: Mapping[Slot, Value], rng: Random) -> dict[Slot, Value]:
    """The cells with each compared value moved to a drawn distance, wherever the goal is met there too.

    Values of other contexts are moved in the same way, by what they would be compared with in the required one.
    """
    moved = dict(values)
    parameters = tuple(sorted(goal.parameters.items()))
    for slot in existing(goal.family, moved):
        marks = compared(goal.family, slot, parameters)
        if marks:
            moved[slot] = _moved(goal, moved, slot, marks, rng)
    return moved


@lru_cache(maxsize=4_096)
def compared(family: Family, slot: Slot, parameters: Parameters) -> tuple[int, ...]:
    """The indices of the values that a slot is compared with, or would be if it were of the required context."""
    domain, required = family.domains[slot], slot._replace(context=family.attribute_by_id[slot.attribute].required)
    marks = thresholds(family, slot, parameters)
    if marks or slot == required or not isinstance(domain, NumberDomain | DateDomain):
        return marks
    magnitudes = (family.domains[required].value(mark) for mark in thresholds(family, required, parameters))
    return tuple(index for each in magnitudes if (index := domain.index(each)) is not None)


def _moved(goal: Goal, values: Mapping[Slot, Value], slot: Slot, marks: tuple[int, ...], rng: Random) -> Value:
    """The first of several values at a drawn distance at which no rule changes, or the value as it is."""
    name = weighted(goal.family.plan.margins, rng)
    for _ in range(TRIES):
        value = placed(goal.family, slot, marks, name, rng)
        if value is not None and not goal.unmet({**values, slot: value}, slot):
            return value
    return values[slot]


def placed(family: Family, slot: Slot, marks: tuple[int, ...], margin: str, rng: Random) -> Value | None:
    """A natural value at a distance of this margin from the nearest mark; None where the one that is drawn is not."""
    domain, bounds, mark = family.domains[slot], family.difficulty.distance, rng.choice(marks)
    least, most = _distances(margin, domain, bounds)
    side = rng.choice((-1, 1))
    if margin == "edge" and bounds is None:
        most = rung_through(domain, mark, domain.size // NEAR, rng)
        index = mark + side * rng.choice((0, most))
    else:
        index = nearest(domain, mark + side * rng.randint(least, most), drawn_rung(domain, rng, max(1, most // 2)))
    if not (0 <= index < domain.size and least <= distance(index, marks) <= most):
        return None
    return domain.value(index)


def _distances(name: str, domain: Domain, bounds: tuple[int, int] | None) -> tuple[int, int]:
    """The least and greatest distance in steps of a margin, within the bounds that the difficulty sets."""
    near = max(2, domain.size // NEAR)
    least, most = {"edge": (0, 1), "near": (min(2, near), near), "far": (min(near + 1, domain.size), domain.size)}[name]
    if bounds is None:
        return least, most
    least, most = max(least, bounds[0]), min(most, bounds[1])
    return (least, most) if least <= most else bounds


def distance(index: int, marks: tuple[int, ...]) -> int:
    """How many steps a value lies from the nearest mark."""
    return min(abs(index - mark) for mark in marks)


def outside_distance(family: Family, values: Mapping[Slot, Value], parameters: Parameters) -> Slot | None:
    """A slot whose value is nearer to, or farther from, what it is compared with than the difficulty allows."""
    bounds = family.difficulty.distance
    for slot in existing(family, values) if bounds is not None else ():
        marks = thresholds(family, slot, parameters)
        index = family.domains[slot].index(values[slot])
        if marks and index is not None and bounds is not None and not bounds[0] <= distance(index, marks) <= bounds[1]:
            return slot
    return None


def distance_miss(family: Family, slot: Slot, value: Value, parameters: Parameters) -> str:
    """Why a value is not at the distance that the difficulty asks for, and whether its domain has one that is."""
    bounds, domain, marks = family.difficulty.distance, family.domains[slot], thresholds(family, slot, parameters)
    index = domain.index(value)
    if bounds is None or index is None or not marks:
        return ""
    least, most = bounds
    mark = min(marks, key=lambda each: (abs(each - index), each))
    wide = any(
        0 <= each < domain.size and distance(each, marks) == least for m in marks for each in (m - least, m + least)
    )
    told = (
        f"`{slot.attribute}` {value_text(value, domain)} lies {distance(index, marks)} steps from "
        f"{value_text(domain.value(mark), domain)}; `difficulty.distance` asks for {least} to {most}"
    )
    return told if wide else f"{told}, and its domain has no value so far from what it is compared with"


def existing(family: Family, values: Mapping[Slot, Value]) -> list[Slot]:
    """The slots of a candidate, without those of members that do not exist."""
    counts = {group.id: member_count(family, group, values) for group in family.groups}
    groups = {slot: group for group, slot in family.member_slots}
    return [slot for slot in family.slots if slot not in groups or slot.member <= counts[groups[slot]]]
