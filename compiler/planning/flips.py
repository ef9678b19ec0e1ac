"""Flips: which other answers stay possible while the cells of a defect are not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, product

from unco.solver.judge import failed_conditions
from unco.solver.landmarks import landmarks
from unco.solver.witness import Board
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge, agrees
from unco.specs.expression import references
from unco.specs.family import Cell, Family, Slot
from unco.specs.instance import Instance, Outcome, SeveralEligible, Winner
from unco.specs.values import Value
from unco.specs.verdict import Flip

MOST_PAIRS = 60
"""How many moves of two cells are tried for a candidate."""
Hidden = Mapping[Cell, Knowledge]
"""What is known of the cells that are not known exactly."""


def touched(family: Family, attributes: Sequence[str]) -> frozenset[str]:
    """The ids of the conditions that read one of the attributes."""
    pairs = zip(family.conditions, family.condition_reads, strict=True)
    return frozenset(rule.id for rule, read in pairs if not read.isdisjoint(attributes))


def operands(family: Family) -> frozenset[str]:
    """The attributes that the calculation reads."""
    return frozenset(each.attribute for each in references(family.calculation.expression))


@dataclass(frozen=True)
class Standings:
    """One instance with its outcome: who fails what, and what could be of each candidate."""

    family: Family
    instance: Instance
    outcome: Outcome

    @cached_property
    def board(self) -> Board:
        return Board(self.family, self.instance)

    @cached_property
    def failed(self) -> tuple[frozenset[str], ...]:
        """The conditions that each candidate fails."""
        return tuple(
            frozenset(failed_conditions(self.family, self.instance.candidate(each), self.instance.parameters))
            for each in range(self.family.candidates)
        )

    @property
    def winner(self) -> int | None:
        return self.outcome.candidate if isinstance(self.outcome, Winner) else None

    def flips(self, hidden: Hidden) -> frozenset[Flip]:
        """How the answer could be another one: *to none* is said only where no rival could win instead."""
        rivals = self.rivals(hidden)
        if self.winner is None:
            return frozenset({Flip.TO_WINNER} if rivals else ())
        found = {Flip.OTHER_WINNER if rivals else Flip.TO_NONE} if self.could_fail(self.winner, hidden) else set()
        return frozenset(found | ({Flip.OTHER_RESULT} if self.could_differ(self.winner, hidden) else set()))

    def rivals(self, hidden: Hidden) -> tuple[int, ...]:
        """The candidates other than the winner who could be eligible."""
        open_conditions = touched(self.family, tuple({cell.attribute: None for cell in hidden}))
        others = [each for each in range(self.family.candidates) if each != self.winner]
        return tuple(each for each in others if self.failed[each] <= open_conditions and self.could_win(each, hidden))

    def could_win(self, candidate: int, hidden: Hidden) -> bool:
        """Whether the hidden cells could make the candidate eligible."""
        return any(stands(after, candidate) for after in self._afters(candidate, hidden))

    def could_fail(self, candidate: int, hidden: Hidden) -> bool:
        """Whether the hidden cells could make an eligible candidate fail."""
        return any(not stands(after, candidate) for after in self._afters(candidate, hidden))

    def could_differ(self, candidate: int, hidden: Hidden) -> bool:
        """Whether the hidden cells could give the winner another result."""
        if operands(self.family).isdisjoint(cell.attribute for cell in hidden):
            return False
        return any(isinstance(each, Winner) and each != self.outcome for each in self._afters(candidate, hidden))

    def _afters(self, candidate: int, hidden: Hidden) -> Iterator[Outcome]:
        """The outcomes after moves of one or two hidden cells of the candidate."""
        choices = {
            cell.slot: self._choices(cell, known)
            for cell, known in hidden.items()
            if cell.candidate == candidate and cell.slot in self._read and not isinstance(known, Exact)
        }
        for changes in _moves(choices):
            after = self.board.after(candidate, changes)
            if after is not None:
                yield after

    @cached_property
    def _read(self) -> frozenset[Slot]:
        return frozenset(self.family.read_slots)

    def _choices(self, cell: Cell, known: Knowledge) -> list[Value]:
        """The ends of an interval that lie in the domain, and the landmarks that agree with what is known."""
        domain = self.family.domains[cell.slot]
        ends = [known.low, known.high] if isinstance(known, Between) else []
        near = landmarks(self.family, cell.slot, tuple(sorted(self.instance.parameters.items())))
        choices = [*(each for each in ends if domain.index(each) is not None), *near]
        return [
            value for value in dict.fromkeys(choices) if agrees(known, value) and value != self.instance.cells[cell]
        ]


def _moves(choices: Mapping[Slot, Sequence[Value]]) -> Iterator[dict[Slot, Value]]:
    for slot, values in choices.items():
        yield from ({slot: value} for value in values)
    pairs = (
        {first: one, second: two}
        for first, second in combinations(choices, 2)
        for one, two in product(choices[first], choices[second])
    )
    yield from islice(pairs, MOST_PAIRS)


def stands(outcome: Outcome | None, candidate: int) -> bool:
    """Whether the candidate is eligible in this outcome."""
    if isinstance(outcome, SeveralEligible):
        return candidate in outcome.candidates
    return isinstance(outcome, Winner) and outcome.candidate == candidate


def hiding_role(family: Family, role: str) -> Hidden:
    """Nothing is known of any cell of the role."""
    owned = family.cells_of(role)
    return {cell: NOTHING for cell in family.cells if cell in owned}


def hiding_attribute(family: Family, attribute: str) -> Hidden:
    """Nothing is known of the attribute in its required context."""
    required = family.attribute_by_id[attribute].required
    return {cell: NOTHING for cell in family.cells if (cell.attribute, cell.context) == (attribute, required)}
