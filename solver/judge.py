"""What the rules say of an instance, by the interpreter alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from unco.solver.interpret import interpret
from unco.solver.operators.rounding import round_exact
from unco.specs.domains import exact
from unco.specs.family import Cell, Family, Group, Slot
from unco.specs.instance import Instance, NoWinner, Outcome, SeveralEligible, Winner
from unco.specs.values import Value


@dataclass(frozen=True)
class Violation:
    """Why an instance is not legal: a cell outside its domain, or a consistency rule that does not hold."""

    candidate: int
    subject: str
    reason: str


def judge(family: Family, instance: Instance) -> Outcome:
    """The outcome of a legal instance: who is eligible, and the rounded result of a sole winner."""
    eligible = tuple(
        candidate
        for candidate in range(family.candidates)
        if not failed_conditions(family, instance.candidate(candidate), instance.parameters, first_only=True)
    )
    if not eligible:
        return NoWinner()
    if len(eligible) > 1:
        return SeveralEligible(eligible)
    return Winner(eligible[0], result(family, instance.candidate(eligible[0]), instance.parameters))


def failed_conditions(
    family: Family, values: Mapping[Slot, Value], parameters: Mapping[str, Value], *, first_only: bool = False
) -> tuple[str, ...]:
    """The ids of the conditions that a candidate fails, in the author's order; the first alone where that is enough."""
    failed = []
    for condition in family.conditions:
        if interpret(condition.expression, values, parameters) is not True:
            failed.append(condition.id)
            if first_only:
                break
    return tuple(failed)


def result(family: Family, values: Mapping[Slot, Value], parameters: Mapping[str, Value]) -> int | Fraction:
    """The numerical rule for one candidate, in the unit of the answer, rounded once."""
    calculation = family.calculation
    number = interpret(calculation.expression, values, parameters)
    if isinstance(number, bool) or not isinstance(number, int | Fraction):
        raise TypeError(f"the calculation gave {number!r}, not a number")
    return exact(round_exact(Fraction(number) / calculation.unit.scale, calculation.places, calculation.mode))


def violations(family: Family, instance: Instance) -> tuple[Violation, ...]:
    """Everything that keeps an instance from being legal; the promise is not looked at."""
    return tuple(
        violation
        for candidate in sorted({cell.candidate for cell in instance.cells})
        for violation in candidate_violations(family, candidate, instance.candidate(candidate), instance.parameters)
    )


def candidate_violations(
    family: Family, candidate: int, values: Mapping[Slot, Value], parameters: Mapping[str, Value]
) -> tuple[Violation, ...]:
    """What keeps the cells of one candidate from being legal. A later consistency rule may rest on an earlier one, so
    the first that fails is the last that is looked at.
    """
    outside = [
        Violation(candidate, slot.attribute, f"{values.get(slot)!r} is outside the domain")
        for slot, domain in family.domains.items()
        if slot not in values or domain.index(values[slot]) is None
    ]
    return tuple(outside) or _inconsistencies(family, candidate, values, parameters)


def _inconsistencies(
    family: Family, candidate: int, values: Mapping[Slot, Value], parameters: Mapping[str, Value]
) -> tuple[Violation, ...]:
    """The first consistency rule that does not hold, or members that should be idle."""
    for rule in family.consistency:
        if interpret(rule.expression, values, parameters) is not True:
            return (Violation(candidate, rule.id, "the consistency rule does not hold"),)
    return tuple(_idle_members(family, candidate, values))


def stays_legal(
    family: Family, values: Mapping[Slot, Value], changes: Mapping[Slot, Value], parameters: Mapping[str, Value]
) -> bool:
    """Whether the legal cells of a candidate are legal after some changes, which `values` already holds."""
    return all(
        family.domains[slot].index(value) is not None for slot, value in changes.items()
    ) and not _inconsistencies(family, 0, values, parameters)


def _idle_members(family: Family, candidate: int, values: Mapping[Slot, Value]) -> list[Violation]:
    """Members beyond the size of their group hold the lowest value of their domain, so that nothing hides there."""
    counts = {group.id: member_count(family, group, values) for group in family.groups}
    return [
        Violation(candidate, slot.attribute, f"member {slot.member} does not exist and must hold the lowest value")
        for group, slot in family.member_slots
        if slot.member > counts[group] and values[slot] != family.domains[slot].value(0)
    ]


def member_count(family: Family, group: Group, values: Mapping[Slot, Value]) -> int:
    """How many members a candidate's group has."""
    if group.size_attribute is None:
        return group.maximum
    size = values[Slot(group.size_attribute, 0, family.attribute_by_id[group.size_attribute].required)]
    if not isinstance(size, int):
        raise TypeError(f"the size of {group.id} is {size!r}, not a whole number")
    return size


def exists(family: Family, instance: Instance, cell: Cell) -> bool:
    """Whether a cell is the candidate's own, or that of a member whom the candidate has."""
    group = family.attribute_by_id[cell.attribute].group
    if group is None:
        return True
    return cell.member <= member_count(family, family.group_by_id[group], instance.candidate(cell.candidate))
