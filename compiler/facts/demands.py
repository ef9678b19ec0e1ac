"""Demands: what must hold of a candidate, taken apart into the smallest truths that can be asked alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from unco.solver.closures.junctions import opposite
from unco.solver.closures.parts import Frame, ReadTruth, Row, Truth
from unco.solver.closures.reading import Reading
from unco.solver.landmarks import thresholds
from unco.specs.expression import Expression
from unco.specs.family import Family, Slot


@dataclass(frozen=True)
class Rules:
    """The rules of a family as truths, in the author's order, and everything that comparisons compare."""

    conditions: tuple[Truth, ...]
    consistency: tuple[Truth, ...]
    plan: tuple[Truth, ...]
    distances: tuple[Truth, ...]
    reading: Reading

    @classmethod
    def of(cls, family: Family, frame: Frame) -> Rules:
        """Read every rule once."""
        reading = Reading(frame)

        def read(expressions: Iterator[Expression]) -> tuple[Truth, ...]:
            return tuple(reading.truth(each) for each in expressions)

        return cls(
            read(rule.expression for rule in family.conditions),
            read(rule.expression for rule in family.consistency),
            read(rule.expression for rule in family.plan.winner),
            tuple(_distances(family, frame)),
            reading,
        )


def demanded(truth: Truth, wanted: bool) -> list[Truth]:
    """Truths that hold together exactly where a truth is as wanted."""
    if truth.known is wanted:
        return []
    match truth.junction, wanted:
        case "not", _:
            return demanded(truth.parts[0], not wanted)
        case ("and", True) | ("or", False):
            return [each for part in truth.parts for each in demanded(part, wanted)]
        case _:
            return [truth if wanted else opposite(truth)]


def _distances(family: Family, frame: Frame) -> Iterator[Truth]:
    """Where the difficulty says how far values lie from what they are compared with: that they do."""
    bounds = family.difficulty.distance
    open_places = frozenset(range(frame.cells, len(frame.domains)))
    for slot in family.slots if bounds is not None else ():
        first = tuple((name, frame.domains[frame.position[name]].value(0)) for name in frame.parameters)
        if bounds is not None and thresholds(family, slot, tuple(sorted(first))):
            place = frame.position[slot]
            yield Truth(_far_enough(family, frame, slot, bounds), frozenset((place,)) | open_places)


def _far_enough(family: Family, frame: Frame, slot: Slot, bounds: tuple[int, int]) -> ReadTruth:
    place, cells, domains = frame.position[slot], frame.cells, frame.domains
    size = None
    group = family.attribute_by_id[slot.attribute].group
    if group is not None and family.group_by_id[group].size_attribute is not None:
        size = True

    @lru_cache(4_096)
    def allowed(parameters: tuple[int, ...]) -> frozenset[int]:
        values = {
            name: domains[cells + number].value(parameters[number]) for number, name in enumerate(frame.parameters)
        }
        marks = thresholds(family, slot, tuple(sorted(values.items())))
        least, most = bounds
        near = {mark + each * side for mark in marks for each in range(least, most + 1) for side in (1, -1)}
        far = {each for each in near if min((abs(each - mark) for mark in marks), default=least) >= least}
        return frozenset(far) if marks else frozenset(range(domains[place].size))

    def read(row: Row) -> bool:
        return row[place] in allowed(tuple(row[cells:])) or (size is not None and row[place] == 0)

    return read
