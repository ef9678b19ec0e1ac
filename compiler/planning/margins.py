"""Margins: how far the drawn values lie from what the conditions compare them with."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from unco.compiler.planning.draw import Goal, weighted
from unco.solver.judge import member_count
from unco.solver.landmarks import Parameters, thresholds
from unco.specs.domains import Domain
from unco.specs.family import Family, Slot
from unco.specs.values import Value

TRIES = 12
"""How many values of the drawn distance are tried for a slot before its value is left as it is."""
NEAR = 10
"""Near is within one part in this many of the domain."""


def with_margins(goal: Goal, values: Mapping[Slot, Value], rng: Random) -> dict[Slot, Value]:
    """The cells with each compared value moved to a drawn distance, wherever the goal is met there too."""
    moved = dict(values)
    parameters = tuple(sorted(goal.parameters.items()))
    for slot in _existing(goal.family, moved):
        marks = thresholds(goal.family, slot, parameters)
        if marks:
            moved[slot] = _moved(goal, moved, slot, marks, rng)
    return moved


def _moved(goal: Goal, values: Mapping[Slot, Value], slot: Slot, marks: tuple[int, ...], rng: Random) -> Value:
    """The first of several values at a drawn distance at which no rule changes, or the value as it is."""
    domain, plan = goal.family.domains[slot], goal.family.plan
    least, most = _distances(weighted(plan.margins, rng), domain, goal.family.difficulty.distance)
    for _ in range(TRIES):
        index = rng.choice(marks) + rng.choice((-1, 1)) * rng.randint(least, most)
        if 0 <= index < domain.size and least <= distance(index, marks) <= most:
            value = domain.value(index)
            if not goal.unmet({**values, slot: value}, slot):
                return value
    return values[slot]


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
    for slot in _existing(family, values) if bounds is not None else ():
        marks = thresholds(family, slot, parameters)
        index = family.domains[slot].index(values[slot])
        if marks and index is not None and bounds is not None and not bounds[0] <= distance(index, marks) <= bounds[1]:
            return slot
    return None


def _existing(family: Family, values: Mapping[Slot, Value]) -> list[Slot]:
    """The slots that some rule reads, without those of members that do not exist."""
    counts = {group.id: member_count(family, group, values) for group in family.groups}
    groups = {slot: group for group, slot in family.member_slots}
    return [slot for slot in family.read_slots if slot not in groups or slot.member <= counts[groups[slot]]]
