"""Closed: evidence of which evaluation alone shows that it determines the answer, given the promise.

As long as a winner stands with one result, whoever else is eligible breaks the promise. Without a winner, somebody
would have to become eligible. So it is enough to look at the winner's conditions and result, or at one failed condition
of each candidate.
"""

from __future__ import annotations

from unco.solver.judge import failed_conditions
from unco.solver.operators.operator import Undefined
from unco.solver.throughout import Throughout, indices
from unco.specs.evidence import Evidence, Exact
from unco.specs.expression import Expression, references
from unco.specs.family import Cell, Family, Slot
from unco.specs.instance import Instance, NoWinner, Outcome, Winner
from unco.specs.values import Value


def untouched(family: Family, instance: Instance, evidence: Evidence, outcome: Outcome) -> bool:
    """Whether no rule that decides the outcome reads a cell that is not known."""
    if isinstance(outcome, Winner):
        unknown = _names(_unknown(family, evidence, outcome.candidate))
        rules = (*family.condition_reads, _reads(family.calculation.expression))
        return all(unknown.isdisjoint(read) for read in rules)
    return isinstance(outcome, NoWinner) and all(
        _fails_untouched(family, instance, evidence, candidate) for candidate in range(family.candidates)
    )


def closed(family: Family, instance: Instance, evidence: Evidence, outcome: Outcome) -> bool:
    """Whether the rules that decide the outcome are as they are at every value of the cells that are not known."""
    if isinstance(outcome, Winner):
        return _Known(family, instance, evidence, outcome.candidate).stands(outcome.result)
    return isinstance(outcome, NoWinner) and all(
        _Known(family, instance, evidence, candidate).stays_out() for candidate in range(family.candidates)
    )


def _unknown(family: Family, evidence: Evidence, candidate: int) -> tuple[Slot, ...]:
    return tuple(slot for slot in family.read_slots if not isinstance(evidence.of(Cell(candidate, *slot)), Exact))


def _names(slots: tuple[Slot, ...]) -> frozenset[str]:
    return frozenset(slot.attribute for slot in slots)


def _reads(rule: Expression) -> frozenset[str]:
    return frozenset(each.attribute for each in references(rule))


def _fails_untouched(family: Family, instance: Instance, evidence: Evidence, candidate: int) -> bool:
    """Whether the candidate fails a condition that reads nothing unknown."""
    unknown = _names(_unknown(family, evidence, candidate))
    failed = failed_conditions(family, instance.candidate(candidate), instance.parameters)
    rules = zip(family.conditions, family.condition_reads, strict=True)
    return any(rule.id in failed and unknown.isdisjoint(read) for rule, read in rules)


class _Known:
    """What is known of one candidate."""

    def __init__(self, family: Family, instance: Instance, evidence: Evidence, candidate: int) -> None:
        self.family = family
        unknown = _unknown(family, evidence, candidate)
        sizes = {group.size_attribute for group in family.groups}
        own = tuple(slot for slot in unknown if not slot.member and slot.attribute not in sizes)
        self.of_groups = _names(tuple(slot for slot in unknown if slot not in own))
        places = {slot: indices(family.domains[slot], evidence.of(Cell(candidate, *slot))) for slot in own}
        self.parts = Throughout(family, instance.candidate(candidate), instance.parameters, places)

    def stands(self, result: Value) -> bool:
        """Whether every condition holds throughout, and the result is this one."""
        if not self.of_groups.isdisjoint(_reads(self.family.calculation.expression)):
            return False
        try:
            return all(self._truth(number) for number in range(len(self.family.conditions))) and (
                self.parts.result() == result
            )
        except Undefined:
            return False

    def stays_out(self) -> bool:
        """Whether some condition fails throughout."""
        return any(self._truth(number) is False for number in range(len(self.family.conditions)))

    def _truth(self, number: int) -> Value | None:
        """The one value of a condition; None where it may have several, or unknown members enter it."""
        if not self.of_groups.isdisjoint(self.family.condition_reads[number]):
            return None
        try:
            return self.parts.value(self.family.conditions[number].expression)
        except Undefined:
            return None
