"""The moves of a question, in a stated order: one cell, then all members of a group, then the cells of a completion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product

from unco.solver.families.moving import changes_answer, flips, value_of
from unco.solver.families.question import Case, Question
from unco.solver.families.terms import Terms, constant, constants_of, reference, terms_of
from unco.specs.expression import Apply, Constant, Expression, references
from unco.specs.family import Family, Group, Slot
from unco.specs.family_proof import Move
from unco.specs.values import BOOLEAN, NUMBER, Value

MOST_TOGETHER = 2_000
"""How many moves of several cells are tried, before the solver's completion is taken as it is."""
FEW = 3
"""So many cells at most are tried together."""


class Moves:
    """Finds the first move that covers a case."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.family = question.family

    def first(self, case: Case) -> Move | None:
        """The first move of one cell, or of all members of a group, that changes the answer of the case."""
        return next((move for move in self._few(case) if changes_answer(self.question, case, move)), None)

    def towards(self, case: Case, completion: Mapping[Slot, Value]) -> Move:
        """A move of the cells that a completion changes: the first, where they are few; else each hidden cell takes,
        one after the other, the first term with which the answer is still another.
        """
        cells = self._needed(case, completion)
        if len(cells) <= FEW:
            together = islice(product(*(self._terms(slot, case) for slot in cells)), MOST_TOGETHER)
            tried = (self._settled(dict(zip(cells, terms, strict=True))) for terms in together)
            found = next((move for move in tried if changes_answer(self.question, case, move)), None)
            if found is not None:
                return found
        return self._one_by_one(case, completion)

    def _one_by_one(self, case: Case, completion: Mapping[Slot, Value]) -> Move:
        """All hidden cells, as the completion has them or as terms over what is known: so the move serves every case
        that has the same in what is known. Twice, since one cell may be in the way of another.
        """
        values = dict(completion)
        found: dict[Slot, Expression] = {slot: constant(self.family, slot, value) for slot, value in values.items()}
        for slot in (*completion, *completion):
            for term in self._known_terms(slot, case):
                value = value_of(self.family, slot, term, case)
                if value is not None and flips(self.question, case, {**values, slot: value}):
                    values[slot], found[slot] = value, term
                    break
        return Move(tuple(found.items()))

    def _known_terms(self, slot: Slot, case: Case) -> Terms:
        """The terms of a cell that read no hidden cell."""
        hidden = {(each.attribute, each.context) for each in self.question.hidden}
        terms = self._terms(slot, case)
        return tuple(
            each for each in terms if hidden.isdisjoint((read.attribute, read.context) for read in references(each))
        )

    @cached_property
    def _deciding(self) -> tuple[Slot, ...]:
        """The hidden cells that some rule reads, and the sizes of groups."""
        sizes = {group.size_attribute for group in self.family.groups}
        read = set(self.family.read_slots)
        return tuple(slot for slot in self.question.hidden if slot in read or slot.attribute in sizes)

    @cached_property
    def _named(self) -> dict[Slot, Terms]:
        return {slot: terms_of(self.question, slot) for slot in self.question.hidden}

    def _terms(self, slot: Slot, case: Case) -> Terms:
        """The terms of a cell: constants last."""
        return tuple(dict.fromkeys((*self._named[slot], *constants_of(self.question, slot, case))))

    def _few(self, case: Case) -> Iterator[Move]:
        yield from self.question.first
        for slot in self._deciding:
            yield from (self._settled({slot: term}) for term in self._terms(slot, case))
        for members in self._members():
            for term in self._terms(members[0], case):
                yield Move(tuple((slot, of_existing(self.family, slot, term)) for slot in members))

    def _members(self) -> Iterator[Sequence[Slot]]:
        """The hidden cells of each attribute of group members, in each context."""
        named = dict.fromkeys((slot.attribute, slot.context) for slot in self._deciding if slot.member)
        for attribute, context in named:
            yield [slot for slot in self.question.hidden if (slot.attribute, slot.context) == (attribute, context)]

    def _needed(self, case: Case, completion: Mapping[Slot, Value]) -> dict[Slot, Value]:
        """Changes of which none can be taken back, one at a time, without losing the other answer."""
        changed = {slot: value for slot, value in completion.items() if value != case.cells[slot]}
        for slot in tuple(changed):
            rest = {kept: value for kept, value in changed.items() if kept != slot}
            if rest and flips(self.question, case, rest):
                changed = rest
        return changed

    def _settled(self, changes: Mapping[Slot, Expression]) -> Move:
        """The move; where it changes the size of a group, members who exist no longer hold the lowest value."""
        more: dict[Slot, Expression] = {}
        for group in self.family.groups:
            size = next((slot for slot in changes if slot.attribute == group.size_attribute), None)
            if size is not None:
                more |= self._cut(group, changes[size])
        return Move(tuple({**more, **changes}.items()))

    def _cut(self, group: Group, size: Expression) -> dict[Slot, Expression]:
        slots = [slot for of, slot in self.family.member_slots if of == group.id and slot in self.question.hidden]
        return {slot: _while(self.family, slot, size, reference(self.family, slot)) for slot in slots}


def of_existing(family: Family, slot: Slot, term: Expression) -> Expression:
    """The term, where the slot is not that of a member who does not exist; the lowest value there."""
    group = family.attribute_by_id[slot.attribute].group
    size = None if group is None else family.group_by_id[group].size_attribute
    if size is None:
        return term
    return _while(family, slot, reference(family, Slot(size, 0, family.attribute_by_id[size].required)), term)


def _while(family: Family, slot: Slot, size: Expression, term: Expression) -> Expression:
    domain = family.domains[slot]
    there = Apply(">=", (size, Constant(slot.member, NUMBER)), BOOLEAN)
    return Apply("if", (there, term, constant(family, slot, domain.value(0))), domain.type)
