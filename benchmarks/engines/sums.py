"""Families that engines for small domains take as they are: each condition reads one cell, the result is a sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from benchmarks.engines.answer import Unfit
from unco.solver.interpret import interpret
from unco.specs.domains import Domain, NumberDomain, values
from unco.specs.expression import Apply, Expression, Reference, references, walk
from unco.specs.family import Family, Slot
from unco.specs.instance import Instance

MOST_VALUES = 1_000


@dataclass(frozen=True)
class Sums:
    """What a candidate is, in places in the domains: what passes each condition, and what is added up."""

    family: Family
    passing: tuple[tuple[Slot, frozenset[int]], ...]
    """Each condition: the one cell that it reads, and the places at which it holds."""
    operands: tuple[Slot, ...]

    @cached_property
    def domains(self) -> Mapping[Slot, Domain]:
        """Of the cells that a rule reads."""
        return {slot: self.family.domains[slot] for slot in self.family.read_slots}

    def amounts(self, slot: Slot) -> list[int]:
        """What an operand adds to the result at each place of its domain."""
        return [int(value) for value in values(self.domains[slot])]  # type: ignore[arg-type]

    def places(self, instance: Instance) -> list[dict[Slot, int]]:
        """Where in its domain each cell of each candidate is."""
        found: list[dict[Slot, int]] = [{} for _ in range(self.family.candidates)]
        for cell, value in instance.cells.items():
            if cell.slot in self.domains:
                found[cell.candidate][cell.slot] = self.domains[cell.slot].index(value) or 0
        return found

    @property
    def hidden(self) -> tuple[frozenset[Slot], ...]:
        """What each role keeps, in the order of the roles."""
        owners = self.family.attribute_by_id
        return tuple(
            frozenset(slot for slot in self.domains if owners[slot.attribute].owner == role.id)
            for role in self.family.roles
        )


def sums(family: Family) -> Sums | Unfit:
    """The family as sums, or why it is none."""
    large = next((slot for slot in family.read_slots if family.domains[slot].size > MOST_VALUES), None)
    if large is not None:
        return Unfit(f"{large.attribute} has {family.domains[large].size:,} values, and each would be written down")
    if family.groups or family.consistency or family.parameters:
        return Unfit("it has groups, consistency rules or thresholds: no small model was written for it")
    reads = [_slots(rule.expression) for rule in family.conditions]
    formula = family.calculation.expression
    if any(len(read) != 1 for read in reads) or not _is_sum(family, formula):
        return Unfit("a condition reads several cells, or the result is no sum: no small model was written for it")
    passing = tuple(
        (read[0], _holding(family, rule.expression, read[0]))
        for read, rule in zip(reads, family.conditions, strict=True)
    )
    return Sums(family, passing, _slots(formula))


def _slots(expression: Expression) -> tuple[Slot, ...]:
    return tuple(Slot(each.attribute, each.member, each.context) for each in references(expression))


def _holding(family: Family, condition: Expression, slot: Slot) -> frozenset[int]:
    domain = family.domains[slot]
    return frozenset(place for place, value in enumerate(values(domain)) if interpret(condition, {slot: value}, {}))


def _is_sum(family: Family, formula: Expression) -> bool:
    """Whether whole numbers in the unit of the answer are added, each once."""
    parts = tuple(walk(formula))
    adds = all(isinstance(each, Reference) or (isinstance(each, Apply) and each.operator == "+") for each in parts)
    read = _slots(formula)
    return adds and len(set(read)) == len(read) and all(_is_whole(family, family.domains[slot]) for slot in read)


def _is_whole(family: Family, domain: Domain) -> bool:
    return (
        isinstance(domain, NumberDomain)
        and domain.unit == family.calculation.unit
        and domain.low.denominator == domain.step.denominator == 1
    )
