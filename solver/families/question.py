"""Questions about a whole family: which instances, what a completion may change, and what it must agree with.

A question is about one candidate. With a winner it is about the winner; without one, about any candidate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from unco.specs.expression import Expression, references
from unco.specs.family import Family, Slot
from unco.specs.family_proof import Move
from unco.specs.values import Value


@dataclass(frozen=True)
class Question:
    """For every instance of the space: has some completion another answer?"""

    family: Family
    """With the ends of a coarse reply as further parameters, where there is one."""
    winner: bool
    """Whether the candidate is eligible, or is not."""
    hidden: tuple[Slot, ...]
    """The cells that a completion may change: some rule reads each of them."""
    assumed: tuple[Expression, ...] = ()
    """What holds in every instance of the space: the plan of the winner, and what is known of the reply."""
    known: tuple[Expression, ...] = ()
    """What a completion must agree with: the coarse reply."""
    face: Move | None = None
    """The one completion that is looked at, where the question is about a reply at its face value. Of the instances,
    those count in which, at face value, a condition that reads the attribute fails; or, where none does, it differs.
    """
    first: tuple[Move, ...] = ()
    """Moves that are tried before all others."""
    beside: bool = False
    """Whether each case has another candidate, who is not eligible: asked where some parameters allow none, so that a
    group with one winner has other parameters.
    """

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The slots that matter: what some rule or term reads, in the author's order."""
        family = self.family
        terms = [term for _, term in self.face.changes] if self.face is not None else []
        read = {(each.attribute, each.context) for rule in (*self.assumed, *terms) for each in references(rule)}
        needed = {*deciding_slots(family), *self.hidden}
        return tuple(slot for slot in family.slots if slot in needed or (slot.attribute, slot.context) in read)


def deciding_slots(family: Family) -> tuple[Slot, ...]:
    """The slots on which the answer, the legality or the plan of a candidate depends: what rules read, the sizes of
    groups, and the cells of members, who may or may not exist.
    """
    open_groups = {each.id for each in family.groups if each.size_attribute is not None}
    sizes = {each.size_attribute for each in family.groups}
    members = {slot for group, slot in family.member_slots if group in open_groups}
    planned = {(each.attribute, each.context) for rule in family.plan.winner for each in references(rule.expression)}
    read = {*family.read_slots, *members}
    return tuple(
        slot
        for slot in family.slots
        if slot in read or slot.attribute in sizes or (slot.attribute, slot.context) in planned
    )


@dataclass(frozen=True)
class Case:
    """One instance of a question's space: a candidate's cells, the parameters, and the result of a winner."""

    cells: Mapping[Slot, Value]
    parameters: Mapping[str, Value]
    result: Value | None
    other: Mapping[Slot, Value] | None = None
    """The cells of the candidate beside, where the question has one."""
