"""What a family proof settles of one group: its witness is the first move of the proof that works there.

By the interpreter alone. A claim that holds for every group in its scope needs no solver in this one; where none of its
moves works, the proof was wrong, which is a bug of ours. A group outside the space of the proof is told, and nothing
of the proof is used for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from unco.solver.claims import coarse_evidence, untrue
from unco.solver.families.moving import holds, values_of
from unco.solver.families.question import Case
from unco.solver.families.replies import HIGH, LOW, TURN, Form, end_of, is_read
from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import exists
from unco.solver.landmarks import landmarks
from unco.solver.witness import Board, flip_between
from unco.specs.domains import CategoryDomain
from unco.specs.errors import InconsistencyError, UsageError
from unco.specs.evidence import Between, Evidence, Knowledge, Nothing, OneOf, agrees, full
from unco.specs.family import Cell, Family, Slot
from unco.specs.family_proof import FamilyClaim, FamilyClaimName, FamilyProof, FamilyProved, Move, Scope
from unco.specs.group import Incomplete
from unco.specs.instance import Instance, Outcome, SeveralEligible, Winner
from unco.specs.values import Value
from unco.specs.verdict import Engine, Proved, WitnessPair
from unco.specs.wording import value_text

Ends = Mapping[str, Value]
"""The further parameters of a claim about replies: the ends of an interval, the values of a set."""


class FromProof:
    """The claims about one legal group with one answer that its family's proof settles."""

    def __init__(self, family: Family, proof: FamilyProof, instance: Instance, outcome: Outcome) -> None:
        if proof.digest != family.digest:
            raise UsageError(f"the family proof is of another specification than {family.name}")
        self.family = family
        self.proof = proof
        self.instance = instance
        self.outcome = outcome
        self.scope = Scope.WINNER if isinstance(outcome, Winner) else Scope.NO_WINNER
        self.candidate = outcome.candidate if isinstance(outcome, Winner) else 0
        """Whose cells the moves change. Without a winner the proof is about any candidate, so about the first."""

    @cached_property
    def outside(self) -> str:
        """Why the group lies outside the space of the proof; empty where it lies within."""
        given = self.instance.parameters
        for each in self.family.parameters:
            if each.value is not None and each.value != given[each.id]:
                here, there = value_text(given[each.id], each.domain), value_text(each.value, each.domain)
                return f"{each.label} is {here}, and the family proof holds where it is {there}"
        if self.scope is Scope.NO_WINNER:
            return ""
        cells = self._case.cells
        unmet = next((each for each in self.family.plan.winner if not holds(each.expression, cells, given)), None)
        if unmet is None:
            return ""
        winner = self.instance.names[self.candidate]
        return f"{winner} wins, but not as planned: `{unmet.id}` of `plan.winner` does not hold of {winner}"

    # Claims

    def necessity(self, role: str) -> Proved | None:
        """That the answer is open without the role; None where the proof does not settle it."""
        claim = self._settled(FamilyClaimName.NECESSARY, role)
        return None if claim is None else self._proved(claim, self.without(role), {})

    def no_oracle(self, role: str) -> Proved | None:
        """That the role alone leaves the answer open; None where the proof does not settle it by moves of its own."""
        claim = self._settled(FamilyClaimName.NO_ORACLE, role)
        return None if claim is None or not _moves(claim) else self._proved(claim, self.alone(role), {})

    def incomplete(self, defect: Incomplete) -> Proved | None:
        """That the true coarse reply leaves the answer open; None where the proof does not settle it."""
        if self.scope is Scope.NO_WINNER or untrue(self.family, self.instance, defect):
            return None
        evidence = coarse_evidence(self.family, self.instance, defect)
        told = self._told(defect.attribute, evidence)
        if told is None:
            return None
        form, ends = told
        claim = self._settled(FamilyClaimName.INCOMPLETE, defect.attribute, form.value)
        return None if claim is None else self._proved(claim, evidence, ends)

    def without(self, role: str) -> Evidence:
        """All cells but the role's."""
        return full(self.instance).hiding(self.family.cells_of(role))

    def alone(self, role: str) -> Evidence:
        """The role's cells alone."""
        return full(self.instance).only(self.family.cells_of(role))

    def _settled(self, name: FamilyClaimName, subject: str, form: str = "") -> FamilyClaim | None:
        """The claim in the scope of the group, where it is Proved and the group lies in the space of the proof."""
        claim = self.proof.of(name, subject, self.scope, form)
        return claim if claim is not None and claim.settled and not self.outside else None

    # Moves

    def _proved(self, claim: FamilyClaim, evidence: Evidence, ends: Ends) -> Proved:
        """The claim with the first move that works; InconsistencyError where none does."""
        moves = _moves(claim)
        case = Case(self._case.cells, {**self._case.parameters, **ends}, None)
        for number, move in enumerate(moves, 1):
            changes = values_of(self.family, case, move)
            witness = None if changes is None else self._witness(changes, evidence)
            if witness is not None:
                return Proved(Engine.FAMILY, witness=witness, because=f"move {number} of {len(moves)}")
        raise InconsistencyError(
            f"{self.family.name}: it is proved for every group {claim.scope.value} that {claim.statement}, "
            f"but none of the {len(moves)} moves works in this one: {dict(self.instance.cells)!r}"
        )

    def _witness(self, values: Mapping[Slot, Value], evidence: Evidence) -> WitnessPair | None:
        """The completion with these values, where it is legal, agrees with the evidence and has another answer."""
        changes = {slot: value for slot, value in values.items() if value != self._case.cells[slot]}
        cells = {Cell(self.candidate, *slot): value for slot, value in changes.items()}
        if not all(agrees(evidence.of(cell), value) for cell, value in cells.items()):
            return None
        found = self._board.after(self.candidate, changes)
        if found is None or found == self.outcome or isinstance(found, SeveralEligible):
            return None
        return WitnessPair(cells, found, flip_between(self.outcome, found))

    @cached_property
    def _board(self) -> Board:
        return Board(self.family, self.instance)

    @cached_property
    def _case(self) -> Case:
        return Case(self.instance.candidate(self.candidate), self.instance.parameters, None)

    # Coarse replies

    def _told(self, attribute: str, evidence: Evidence) -> tuple[Form, Ends] | None:
        """The form of the reply about the winner, with its ends; None where no claim is about such a reply."""
        required = self.family.attribute_by_id[attribute].required
        named = (slot for slot in self.family.slots if (slot.attribute, slot.context) == (attribute, required))
        slots = [slot for slot in named if exists(self.family, self.instance, Cell(self.candidate, *slot))]
        known = [evidence.of(Cell(self.candidate, *slot)) for slot in slots]
        if all(isinstance(each, Nothing) for each in known):
            return Form.OMITTED, {}
        return None if slots[0].member else self._told_of(slots[0], known[0])

    def _told_of(self, slot: Slot, known: Knowledge) -> tuple[Form, Ends] | None:
        domain = self.family.domains[slot]
        match known:
            case Between(low, high) if None not in (domain.index(low), domain.index(high)):
                ends = {end_of(slot, LOW): low, end_of(slot, HIGH): high}
                if not is_read(self.family, slot.attribute):
                    return Form.INTERVAL, ends
                near = landmarks(self.family, slot, tuple(sorted(self.instance.parameters.items())))
                turn = self._turn(slot, [low, high, *(value for value in near if agrees(known, value))])
                return None if turn is None else (Form.INTERVAL, {**ends, end_of(slot, TURN): turn})
            case OneOf(values) if isinstance(domain, CategoryDomain):
                among: dict[str, Value] = {end_of(slot, each): each in values for each in domain.values}
                if is_read(self.family, slot.attribute) and self._turn(slot, values) is None:
                    return None
                return Form.SET, among
            case _:
                return None

    def _turn(self, slot: Slot, values: Sequence[Value]) -> Value | None:
        """The first of these values at which a condition that reads the cell fails, and all have a value."""
        rules = zip(self.family.conditions, self.family.condition_reads, strict=True)
        reading = [rule.expression for rule, read in rules if slot.attribute in read]
        for value in values:
            cells = {**self._case.cells, slot: value}
            try:
                met = [interpret(rule, cells, self._case.parameters) is True for rule in reading]
            except Undefined:
                continue
            if not all(met):
                return value
        return None


def _moves(claim: FamilyClaim) -> tuple[Move, ...]:
    return claim.verdict.moves if isinstance(claim.verdict, FamilyProved) else ()
