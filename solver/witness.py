"""Witness pairs: the first legal move, in a stated order, that changes the answer.

A move changes one or two unknown cells of one candidate that some rule reads. Order: the winner's cells first, then
candidate by candidate; slots in the author's order; values: lowest, highest, then the landmarks of the slot upwards,
then the ends of the interval that is known. One cell before two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

from unco.solver.interpret import interpret
from unco.solver.judge import result, stays_legal
from unco.solver.landmarks import Parameters, landmarks
from unco.specs.evidence import Between, Evidence, Exact, Knowledge, agrees
from unco.specs.family import Cell, Family, Rule, Slot
from unco.specs.instance import Instance, NoWinner, Outcome, SeveralEligible, Winner
from unco.specs.values import Value
from unco.specs.verdict import Flip, WitnessPair

MOST_PAIRS = 300
"""How many moves of two cells are tried for a candidate before the solver is asked."""


def first_move(
    family: Family, instance: Instance, evidence: Evidence, outcome: Outcome, pairs: int = MOST_PAIRS
) -> WitnessPair | None:
    """The first move to a legal completion of the evidence that keeps the promise and has another outcome.

    `pairs` is the most moves of two cells that are tried for each candidate.
    """
    board = Board(family, instance)
    for candidate in _order(family, outcome):
        for changes in _moves(family, instance, evidence, candidate, pairs):
            found = board.after(candidate, changes)
            if found is not None and found != outcome and not isinstance(found, SeveralEligible):
                cells = {Cell(candidate, *slot): value for slot, value in changes.items()}
                return WitnessPair(cells, found, flip_between(outcome, found))
    return None


def pair_from(
    family: Family, instance: Instance, completion: Instance, outcome: Outcome, found: Outcome
) -> WitnessPair:
    """The witness pair of the instance and a completion that a solver found."""
    changes = {cell: completion.cells[cell] for cell in family.cells if completion.cells[cell] != instance.cells[cell]}
    return WitnessPair(changes, found, flip_between(outcome, found))


def flip_between(before: Outcome, after: Outcome) -> Flip:
    """How two outcomes differ."""
    match before, after:
        case _, SeveralEligible():
            return Flip.PROMISE_BROKEN
        case _, NoWinner():
            return Flip.TO_NONE
        case Winner(first, _), Winner(second, _):
            return Flip.OTHER_RESULT if first == second else Flip.OTHER_WINNER
        case _:
            return Flip.TO_WINNER


class Board:
    """An instance of which is known who meets which condition, so that a move costs only what it touches."""

    def __init__(self, family: Family, instance: Instance) -> None:
        self.family = family
        self.parameters = instance.parameters
        self.values = [instance.candidate(number) for number in range(family.candidates)]
        self.met = [[self._meets(rule, values) for rule in family.conditions] for values in self.values]
        self.eligible = [all(met) for met in self.met]

    def after(self, candidate: int, changes: Mapping[Slot, Value]) -> Outcome | None:
        """The outcome after a move, or None where the candidate's cells are not legal then."""
        values = {**self.values[candidate], **changes}
        if not stays_legal(self.family, values, changes, self.parameters):
            return None
        eligible = list(self.eligible)
        eligible[candidate] = self._eligible(candidate, values, {slot.attribute for slot in changes})
        winners = tuple(number for number, holds in enumerate(eligible) if holds)
        if len(winners) != 1:
            return SeveralEligible(winners) if winners else NoWinner()
        cells = values if winners[0] == candidate else self.values[winners[0]]
        return Winner(winners[0], result(self.family, cells, self.parameters))

    def _eligible(self, candidate: int, values: Mapping[Slot, Value], touched: set[str]) -> bool:
        """Whether the conditions that the change does not touch were met, and those that it touches are met now."""
        met = self.met[candidate]
        affected = [not touched.isdisjoint(read) for read in self.family.condition_reads]
        if not all(known for known, changed in zip(met, affected, strict=True) if not changed):
            return False
        rules = zip(self.family.conditions, affected, strict=True)
        return all(self._meets(rule, values) for rule, changed in rules if changed)

    def _meets(self, rule: Rule, values: Mapping[Slot, Value]) -> bool:
        return interpret(rule.expression, values, self.parameters) is True


def _order(family: Family, outcome: Outcome) -> list[int]:
    first = [outcome.candidate] if isinstance(outcome, Winner) else []
    return first + [number for number in range(family.candidates) if number not in first]


def _moves(
    family: Family, instance: Instance, evidence: Evidence, candidate: int, pairs: int
) -> Iterator[dict[Slot, Value]]:
    open_slots = [slot for slot in family.read_slots if not isinstance(evidence.of(Cell(candidate, *slot)), Exact)]
    parameters = tuple(sorted(instance.parameters.items()))
    choices = {
        slot: [
            value
            for value in _values(family, slot, evidence.of(Cell(candidate, *slot)), parameters)
            if value != instance.cells[Cell(candidate, *slot)] and agrees(evidence.of(Cell(candidate, *slot)), value)
        ]
        for slot in open_slots
    }
    for slot in open_slots:
        for value in choices[slot]:
            yield {slot: value}
    tried = 0
    for first, second in combinations(open_slots, 2):
        for one, two in product(choices[first], choices[second]):
            if (tried := tried + 1) > pairs:
                return
            yield {first: one, second: two}


def _values(family: Family, slot: Slot, known: Knowledge, parameters: Parameters) -> tuple[Value, ...]:
    """The landmarks of the slot, and the ends of an interval that are values of its domain."""
    found = landmarks(family, slot, parameters)
    if not isinstance(known, Between):
        return found
    domain = family.domains[slot]
    ends = tuple(end for end in (known.low, known.high) if domain.index(end) is not None)
    return tuple(dict.fromkeys([*found, *ends]))
