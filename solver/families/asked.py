"""What the claims about one family share: its compiled rules, candidates to show, and each question asked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from unco.solver.families.compiled import Compiled
from unco.solver.families.moving import face_fault
from unco.solver.families.posing import Posed, Poser, Posing
from unco.solver.families.question import Case, Question, deciding_slots
from unco.solver.families.search import Closed, Covered, Found, Nothing, Search, Undecided, decide
from unco.specs.evidence import Knowledge
from unco.specs.expression import Expression, references
from unco.specs.family import Cell, Family, Slot
from unco.specs.family_proof import (
    Counterexample,
    FamilyProved,
    FamilyRefuted,
    FamilyUnknown,
    FamilyVerdict,
    Method,
    Vacuous,
)
from unco.specs.instance import Instance
from unco.specs.values import Value


class Asked:
    """Decides questions about one family, in the thread that made it."""

    def __init__(self, family: Family, search: Search) -> None:
        self.family = family
        self.search = search
        self.compiled = Compiled(family)
        self.spent = 0
        """The resource units of all questions so far."""
        self._found: dict[Question, Found] = {}

    def decide(self, question: Question) -> Found:
        """What was found of the question; it is asked once."""
        if question not in self._found:
            alone = question.family is self.family and not question.beside
            known = self._known[question.winner] if alone else None
            self._found[question] = decide(question, self.compiled, self.search, known)
            self.spent += self._found[question].rlimit
        return self._found[question]

    @cached_property
    def _known(self) -> Mapping[bool, Case | None]:
        """A winner as planned and a loser, at the lowest values of the open parameters."""
        values = {
            each.id: each.domain.value(0) if each.value is None else each.value for each in self.family.parameters
        }
        found = {}
        for poser, posing in ((self.winners, self.winning), (self.losers, self.losing)):
            cells = poser.candidate(posing.patterns, values) if isinstance(posing, Posed) else None
            found[poser.winner] = None if cells is None else Case(cells, values, None)
        return found

    @cached_property
    def winners(self) -> Poser:
        """Candidates who win as planned."""
        return Poser(self.family, True, self.compiled, self.search)

    @cached_property
    def losers(self) -> Poser:
        """Candidates who are not eligible."""
        return Poser(self.family, False, self.compiled, self.search)

    @cached_property
    def winning(self) -> Posing:
        """Whether somebody can win, for every value of the parameters."""
        return self.winners.posed()

    @cached_property
    def losing(self) -> Posing:
        """Whether somebody can fail, for every value of the parameters."""
        return self.losers.posed()

    @property
    def plan(self) -> tuple[Expression, ...]:
        """What the planned winner obeys."""
        return tuple(rule.expression for rule in self.family.plan.winner)

    def hidden_with(self, role: str, *, alone: bool = False) -> tuple[Slot, ...]:
        """The deciding cells of a role; or, where it is known alone, all others."""
        owned = {attribute.id for attribute in self.family.owned(role)}
        return tuple(slot for slot in deciding_slots(self.family) if (slot.attribute in owned) is not alone)

    def question(self, hidden: tuple[Slot, ...], *, winner: bool) -> Question:
        """Whether hiding these cells leaves the answer open: the plan binds the winner of the instance alone."""
        return self.in_a_group(Question(self.family, winner, hidden, self.plan if winner else ()))

    def in_a_group(self, question: Question) -> Question:
        """The question about winners of groups: the others fail, so there must be somebody who can."""
        alone = not question.winner or self.family.candidates == 1 or isinstance(self.losing, Posed)
        return question if alone else replace(question, beside=True)

    def case_in(self, model: Any) -> Case:
        """The candidate of a model; what no rule reads is at the lowest of its domain."""
        compiled = self.compiled
        cells = {
            slot: compiled.variable(slot).decode(model) if slot in compiled.cells else domain.value(0)
            for slot, domain in self.family.domains.items()
        }
        opened = ((each, each.value) for each in self.family.parameters)
        parameters = {
            each.id: compiled.parameter(each).decode(model) if known is None else known for each, known in opened
        }
        return Case(cells, parameters, None)

    # Verdicts

    def verdict(self, question: Question, empty: str, reply: Mapping[Slot, Knowledge] | None = None) -> FamilyVerdict:
        """The verdict on a question that is Proved where every case has another answer."""
        match self.decide(question):
            case Covered(moves, rlimit):
                return FamilyProved(Method.MOVES, moves, rlimit)
            case Closed(case, rlimit):
                because = face_fault(question, case)
                return FamilyRefuted(Method.MOVES, self.counterexample(question, case, reply or {}), rlimit, because)
            case Nothing(rlimit):
                return Vacuous(empty, rlimit)
            case Undecided(reason, decides, rlimit):
                return FamilyUnknown(reason, decides, rlimit)

    def logic(self, question: Question) -> str:
        """The logic of what the solver was asked."""
        return self.decide(question).logic

    def counterexample(
        self, question: Question, case: Case, reply: Mapping[Slot, Knowledge] | None = None
    ) -> Counterexample:
        """The case as an instance: with a winner, among others who are not eligible; else all candidates like it."""
        shown = shown_cells(question)
        stays = question.hidden if question.face is None else tuple(slot for slot, _ in question.face.changes)
        return Counterexample(self.instance(case, winner=question.winner), shown, reply or {}, stays)

    def instance(self, case: Case, *, winner: bool) -> Instance:
        """All candidates: the case first."""
        values = {each.id: case.parameters[each.id] for each in self.family.parameters}
        other = (case.other or self._loser(values)) if winner else case.cells
        cells = {Cell(0, *slot): case.cells[slot] for slot in self.family.slots}
        for number in range(1, self.family.candidates):
            cells |= {Cell(number, *slot): other[slot] for slot in self.family.slots}
        return Instance(cells, values, self.family.candidate_names[: self.family.candidates])

    def _loser(self, values: Mapping[str, Value]) -> Mapping[Slot, Value]:
        patterns = self.losing.patterns if isinstance(self.losing, Posed) else ()
        found = self.losers.candidate(patterns, values) or self.losers.search_candidate(values)
        if not isinstance(found, dict):
            return {slot: domain.value(0) for slot, domain in self.family.domains.items()}
        return found


def shown_cells(question: Question) -> tuple[Slot, ...]:
    """The cells that enter a rule which the question's cells enter too, and what the question assumes."""
    family = question.family
    changed = question.hidden if question.face is None else tuple(slot for slot, _ in question.face.changes)
    hidden = {slot.attribute for slot in changed}
    rules = [rule.expression for rule in (*family.conditions, *family.consistency)]
    rules = [rule for rule in (*rules, family.calculation.expression) if not hidden.isdisjoint(_names(rule))]
    told = [term for _, term in question.face.changes] if question.face is not None else []
    known = question.face is not None or bool(question.known)
    read = {(each.attribute, each.context) for rule in (*rules, *told) for each in references(rule)}
    return tuple(
        slot
        for slot in question.slots
        if (slot.attribute, slot.context) in read and (known or slot.attribute not in hidden)
    )


def _names(rule: Expression) -> set[str]:
    return {each.attribute for each in references(rule)}
