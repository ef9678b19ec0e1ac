"""Contexts: values of other contexts that resemble those of the required one, as the figures of two years do."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random

from unco.compiler.planning.draw import Goal
from unco.compiler.planning.margins import compared, distance, existing, placed
from unco.compiler.planning.natural import NEAR, drawn_rung, nearest
from unco.solver.landmarks import Parameters
from unco.specs.domains import DateDomain, Domain, NumberDomain
from unco.specs.family import Family, Slot
from unco.specs.values import Value

ALIKE = Fraction(2, 3)
"""The share of values of other contexts that are drawn near the value of the required one."""
TRIES = 12


def with_likeness(goal: Goal, values: Mapping[Slot, Value], rng: Random) -> dict[Slot, Value]:
    """The cells with a stated share of those of other contexts near the required ones, wherever no rule changes."""
    moved, parameters = dict(values), tuple(sorted(goal.parameters.items()))
    for slot in existing(goal.family, moved):
        value = alike(goal.family, slot, moved, parameters, rng)
        if value is not None and not goal.unmet({**moved, slot: value}, slot):
            moved[slot] = value
    return moved


def alike(
    family: Family, slot: Slot, values: Mapping[Slot, Value], parameters: Parameters, rng: Random
) -> Value | None:
    """A natural value near that of the required context, in the stated share of draws; None in the others, and where
    the two cannot be compared.
    """
    required = slot._replace(context=family.attribute_by_id[slot.attribute].required)
    if slot == required or rng.randrange(ALIKE.denominator) >= ALIKE.numerator:
        return None
    domain, told = family.domains[slot], family.domains[required]
    index = _converted(told, values[required], domain)
    if index is None:
        return None
    same = isinstance(domain, DateDomain) or (isinstance(told, NumberDomain) and told.unit == domain.unit)  # type: ignore[union-attr]
    return _near(family, slot, index, compared(family, slot, parameters) if same else (), rng)


def _near(family: Family, slot: Slot, index: int, marks: tuple[int, ...], rng: Random) -> Value | None:
    """A value near an index, and as far from what it would be compared with: at its edge, near or far."""
    domain, reach = family.domains[slot], max(1, family.domains[slot].size // NEAR)
    margin = _margin(domain, index, marks)
    for _ in range(TRIES):
        if margin == "edge":
            value = placed(family, slot, marks, margin, rng)
            found = None if value is None else domain.index(value)
        else:
            found = nearest(domain, index + rng.randint(-reach, reach), drawn_rung(domain, rng, max(1, reach // 2)))
        inside = found is not None and 0 <= found < domain.size and abs(found - index) <= reach
        if found is not None and inside and _margin(domain, found, marks) == margin:
            return domain.value(found)
    return None


def _margin(domain: Domain, index: int, marks: tuple[int, ...]) -> str:
    """How far a value lies from the nearest mark."""
    if not marks:
        return ""
    steps = distance(index, marks)
    return "edge" if steps <= 1 else "near" if steps <= domain.size // NEAR else "far"


def _converted(told: Domain, value: Value, domain: Domain) -> int | None:
    """The index in a domain of a value of another one, in the units of the domain; None where it lies outside."""
    if isinstance(told, DateDomain) and isinstance(domain, DateDomain):
        return domain.index(value)
    if not isinstance(told, NumberDomain) or not isinstance(domain, NumberDomain):
        return None
    if told.unit.dimension != domain.unit.dimension:
        return None
    magnitude = Fraction(value) * told.unit.scale / domain.unit.scale  # type: ignore[arg-type]
    place = (magnitude - domain.low) / domain.step
    return int(place) if 0 <= place < domain.size else None
