"""The outlook of a candidate: what it may come to, by what is seen of it.

Unknown cells take values of an even grid over what is known of them, each as likely; cells that no single rule ties
together are independent. Where the grid shows no eligible completion, the landmarks are tried. The search is bounded,
so an outlook is a statistic and no claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import TypeAlias, assert_never

from unco.compiler.planning.draw import settled
from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import result
from unco.solver.landmarks import landmarks
from unco.specs.domains import BooleanDomain, CategoryDomain, Domain, indices_between
from unco.specs.evidence import Between, Evidence, Exact, Knowledge, Nothing, OneOf, agrees
from unco.specs.expression import Expression, references
from unco.specs.family import Cell, Family, Slot
from unco.specs.instance import Instance
from unco.specs.values import Value

GRID = 20
"""At most this many values of an unknown cell are tried."""
SAMPLES = 24
"""At most this many completions of several unknown cells are tried, and as many again of landmarks."""
SLIM = Fraction(1, 200)
"""The chance of what the landmarks show to be possible and the grid never meets."""
Number: TypeAlias = int | Fraction
Cells: TypeAlias = dict[Slot, Value]


@dataclass(frozen=True)
class Outlook:
    """Of one candidate: the chance to be eligible, and the results it may have then, the most common first."""

    chance: Fraction
    results: tuple[Number, ...]
    middle: Number | None
    """The result at the middle of what its cells can be."""
    at: tuple[Number | None, Number | None, Number | None]
    """With all unknown cells at the lowest, the middle and the highest of what is known: its result, if eligible."""
    failed: int
    """How many conditions are seen to fail."""

    @property
    def possible(self) -> bool:
        return self.chance > 0

    @property
    def determined(self) -> bool:
        """Whether the result is known, should the candidate be eligible."""
        return len(self.results) == 1


class Onlooker:
    """Works out outlooks for one group; what the defects do not touch is evaluated once."""

    def __init__(self, family: Family, instance: Instance, seed: str) -> None:
        self.family = family
        self.instance = instance
        self.seed = seed
        self.rows = [instance.candidate(number) for number in range(family.candidates)]
        self.read = [_reads(rule.expression, family.domains) for rule in family.conditions]
        self.met = [[self._holds(rule.expression, row) for rule in family.conditions] for row in self.rows]

    def outlook(self, evidence: Evidence, number: int) -> Outlook:
        """What the candidate may come to."""
        seen = {slot: evidence.of(Cell(number, *slot)) for slot in self.family.read_slots}
        unknown = {slot: known for slot, known in seen.items() if not isinstance(known, Exact)}
        row, misled = dict(self.rows[number]), set[Slot]()
        for slot, known in seen.items():
            if isinstance(known, Exact) and known.value != row[slot]:
                row[slot] = known.value
                misled.add(slot)
        rules, failed = [], 0
        for condition, read, met in zip(self.family.conditions, self.read, self.met[number], strict=True):
            if not read.isdisjoint(unknown):
                rules.append(condition.expression)
            elif not (met if read.isdisjoint(misled) else self._holds(condition.expression, row)):
                failed += 1
        if failed:
            return Outlook(Fraction(0), (), None, (None, None, None), failed)
        return _Search(self, row, unknown, rules, Random(f"{self.seed}/{number}")).outlook()

    def _holds(self, rule: Expression, row: Mapping[Slot, Value]) -> bool:
        return holds(rule, row, self.instance)


class _Search:
    """Over the completions of one candidate whose known conditions all hold."""

    def __init__(
        self,
        onlooker: Onlooker,
        row: Cells,
        unknown: Mapping[Slot, Knowledge],
        conditions: list[Expression],
        rng: Random,
    ) -> None:
        self.family = onlooker.family
        self.instance = onlooker.instance
        self.row = row
        self.unknown = unknown
        self.rng = rng
        self.conditions = [(rule, _reads(rule, unknown)) for rule in conditions]
        laws = [(rule.expression, _reads(rule.expression, unknown)) for rule in self.family.consistency]
        self.laws = [(rule, read) for rule, read in laws if read]
        self.counted = bool(_reads(self.family.calculation.expression, unknown))
        self.indices = {slot: indices_of(self.family.domains[slot], known) for slot, known in unknown.items()}
        self.grid = {slot: self._values(slot, spread(indices)) for slot, indices in self.indices.items()}

    def outlook(self) -> Outlook:
        legal = {slot: self._filtered(slot, values, self.laws) for slot, values in self.grid.items()}
        passing = {slot: self._filtered(slot, values, self.conditions) for slot, values in legal.items()}
        shares = [Fraction(len(passing[slot]), len(legal[slot]) or 1) for slot in self.unknown]
        lawful, found = self._tried(passing)
        chance = prod(shares, start=Fraction(len(found), lawful or 1))
        if not found:
            found = self._by_landmarks()
            chance = SLIM if found else Fraction(0)
        return Outlook(chance, self._results(found), self._middle(passing), self._at(), 0)

    def _values(self, slot: Slot, indices: Sequence[int]) -> list[Value]:
        return [self.family.domains[slot].value(index) for index in indices]

    def _filtered(
        self, slot: Slot, values: Sequence[Value], rules: list[tuple[Expression, frozenset[Slot]]]
    ) -> list[Value]:
        """The values with which the rules hold that read this unknown cell and no other."""
        alone = [rule for rule, read in rules if read == {slot}]
        return [
            value for value in values if all(holds(rule, {**self.row, slot: value}, self.instance) for rule in alone)
        ]

    def _tried(self, choices: Mapping[Slot, Sequence[Value]]) -> tuple[int, list[Cells]]:
        """How many completions of those tried are lawful, and those in which the candidate is eligible."""
        rows = [settled(self.family, {**self.row, **cells}) for cells in self._completions(choices)]
        lawful = [row for row in rows if self._together(self.laws, row)]
        return len(lawful), [row for row in lawful if self._together(self.conditions, row)]

    def _completions(self, choices: Mapping[Slot, Sequence[Value]]) -> list[Cells]:
        """Every one, or a drawn part of them."""
        slots = tuple(choices)
        if prod(len(values) for values in choices.values()) <= SAMPLES:
            return [dict(zip(slots, values, strict=True)) for values in product(*choices.values())]
        return [{slot: self.rng.choice(choices[slot]) for slot in slots} for _ in range(SAMPLES)]

    def _together(self, rules: list[tuple[Expression, frozenset[Slot]]], row: Cells) -> bool:
        return all(holds(rule, row, self.instance) for rule, read in rules if len(read) > 1)

    def _by_landmarks(self) -> list[Cells]:
        parameters = tuple(sorted(self.instance.parameters.items()))
        marks = {
            slot: [value for value in landmarks(self.family, slot, parameters) if agrees(known, value)]
            for slot, known in self.unknown.items()
        }
        rules = self.laws + self.conditions
        return self._tried({slot: self._filtered(slot, values, rules) for slot, values in marks.items()})[1]

    def _results(self, rows: list[Cells]) -> tuple[Number, ...]:
        """The distinct results, the most common first; of equally common ones, the first found."""
        rows = rows if self.counted else rows[:1]
        counts = Counter(result(self.family, row, self.instance.parameters) for row in rows)
        return tuple(number for number, _ in counts.most_common())

    def _middle(self, passing: Mapping[Slot, Sequence[Value]]) -> Number | None:
        if not all(passing.values()):
            return None
        return self._result_at({slot: values[len(values) // 2] for slot, values in passing.items()})

    def _at(self) -> tuple[Number | None, Number | None, Number | None]:
        if not all(self.indices.values()):
            return None, None, None
        cells = {slot: self._ends(slot, indices) for slot, indices in self.indices.items()}
        low, middle, high = (self._eligible_at({slot: each[part] for slot, each in cells.items()}) for part in range(3))
        return low, middle, high

    def _ends(self, slot: Slot, indices: Sequence[int]) -> list[Value]:
        """The lowest, the middle and the highest value."""
        return self._values(slot, (indices[0], indices[len(indices) // 2], indices[-1]))

    def _eligible_at(self, cells: Cells) -> Number | None:
        """The result with these values, if the candidate is eligible with them."""
        row = settled(self.family, {**self.row, **cells})
        rules = [rule for rule, _ in self.laws + self.conditions]
        return self._result_at(cells) if all(holds(rule, row, self.instance) for rule in rules) else None

    def _result_at(self, cells: Cells) -> Number | None:
        try:
            return result(self.family, settled(self.family, {**self.row, **cells}), self.instance.parameters)
        except Undefined:
            return None


def holds(rule: Expression, row: Mapping[Slot, Value], instance: Instance) -> bool:
    """Whether the rule holds; not where cells that break a consistency rule leave it without a value."""
    try:
        return interpret(rule, row, instance.parameters) is True
    except Undefined:
        return False


def indices_of(domain: Domain, known: Knowledge) -> Sequence[int]:
    """The indices of the values of the domain that agree with what is known, upwards."""
    match known:
        case Exact(value):
            values: tuple[Value, ...] = (value,)
        case OneOf(values):
            pass
        case Between(low, high):
            if isinstance(domain, BooleanDomain | CategoryDomain):
                raise TypeError("an interval of names")
            return indices_between(domain, low, high)
        case Nothing():
            return range(domain.size)
        case _:
            assert_never(known)
    return sorted(index for value in values if (index := domain.index(value)) is not None)


def spread(indices: Sequence[int]) -> Sequence[int]:
    """All of the indices, or so many, evenly spread, with both ends."""
    last = len(indices) - 1
    return indices if last < GRID else [indices[step * last // (GRID - 1)] for step in range(GRID)]


def _reads(rule: Expression, slots: Iterable[Slot]) -> frozenset[Slot]:
    """Those of the slots that the rule reads."""
    read = {(each.attribute, each.context) for each in references(rule)}
    return frozenset(slot for slot in slots if (slot.attribute, slot.context) in read)
