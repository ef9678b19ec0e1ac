"""Tells: plain counts over a dataset that a reviewer looks at first, since each of them could give answers away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unco.compiler.guesses.outlook import Outlook
from unco.compiler.planning.natural import NEAR
from unco.solver.claims import face_values
from unco.solver.judge import exists, failed_conditions, judge
from unco.solver.landmarks import thresholds
from unco.solver.witness import flip_between
from unco.specs.domains import NumberDomain
from unco.specs.evidence import Between, Nothing, OneOf
from unco.specs.expression import references
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup, Setting
from unco.specs.instance import Winner
from unco.specs.verdict import Flip

TENTHS = 10
ROUND = 5
"""A round value is a multiple of this many steps."""
Tell = tuple[str, str, str]
"""A table, a row of it, and the value that is counted."""


def tells(family: Family, group: CandidateGroup, outlooks: Mapping[str, Sequence[Outlook]]) -> list[list[Any]]:
    """What a group adds to each table: table, row, value, how often. `outlooks` are those of each defective setting."""
    counts = Counter(_tells(family, group, outlooks))
    return [[*tell, number] for tell, number in sorted(counts.items())]


def _tells(family: Family, group: CandidateGroup, outlooks: Mapping[str, Sequence[Outlook]]) -> Iterator[Tell]:
    winner = group.outcome.candidate if isinstance(group.outcome, Winner) else None
    yield "winner", "position", "none" if winner is None else str(winner + 1)
    for setting, seen in outlooks.items():
        yield "flips", setting, _flips(family, group, setting, seen)
    yield from (("targets", f"{family.name}, {setting}", target) for setting, target in _targets(group))
    yield from _losers(family, group, winner)
    yield from _margins(family, group, winner)
    yield from _coarse(family, group)
    yield from _round(family, group)


def _flips(family: Family, group: CandidateGroup, setting: str, outlooks: Sequence[Outlook]) -> str:
    """How the answer can change: that at face value for Misaligned, else every way that is possible."""
    if setting == Setting.MISALIGNED and group.misaligned is not None:
        read = group.instance.changed(face_values(family, group.instance, group.misaligned))
        return flip_between(group.outcome, judge(family, read)).value
    if not isinstance(group.outcome, Winner):
        return Flip.TO_WINNER.value
    winner = group.outcome.candidate
    ways = {
        Flip.TO_NONE: outlooks[winner].chance < 1,
        Flip.OTHER_WINNER: any(each.possible for number, each in enumerate(outlooks) if number != winner),
        Flip.OTHER_RESULT: len(outlooks[winner].results) > 1,
    }
    return ", ".join(way.value for way, open_ in ways.items() if open_) or "not found"


def _targets(group: CandidateGroup) -> Iterator[tuple[str, str]]:
    if group.misaligned is not None:
        yield Setting.MISALIGNED.value, group.misaligned.attribute
    if group.incomplete is not None:
        yield Setting.INCOMPLETE.value, group.incomplete.attribute
    if group.missed is not None:
        yield Setting.MISSED.value, group.missed.role


def _losers(family: Family, group: CandidateGroup, winner: int | None) -> Iterator[Tell]:
    """How many conditions each loser fails."""
    row = "without a winner" if winner is None else "with a winner"
    for number in range(family.candidates):
        if number != winner:
            failed = failed_conditions(family, group.instance.candidate(number), group.instance.parameters)
            yield "failed conditions of losers", row, str(len(failed))


def _margins(family: Family, group: CandidateGroup, winner: int | None) -> Iterator[Tell]:
    """How far compared values lie from what they are compared with."""
    parameters = tuple(sorted(group.instance.parameters.items()))
    for number in range(family.candidates):
        values = group.instance.candidate(number)
        failed = failed_conditions(family, values, group.instance.parameters)
        for rule in family.conditions:
            who = "winner" if number == winner else f"loser, condition {'fails' if rule.id in failed else 'holds'}"
            read = {(each.attribute, each.context) for each in references(rule.expression)}
            for slot in family.read_slots:
                marks = thresholds(family, slot, parameters) if (slot.attribute, slot.context) in read else ()
                if marks and exists(family, group.instance, Cell(number, *slot)):
                    index = family.domains[slot].index(values[slot])
                    yield "margins", who, _distance(index or 0, marks, family.domains[slot].size)


def _distance(index: int, marks: Sequence[int], size: int) -> str:
    steps = min(abs(index - mark) for mark in marks)
    return "edge" if steps <= 1 else "near" if steps * NEAR <= size else "far"


def _coarse(family: Family, group: CandidateGroup) -> Iterator[Tell]:
    """What kind of coarse knowledge, and where in it the value lies: tenths of an interval, place in a set."""
    coarse = {} if group.incomplete is None else group.incomplete.coarse
    said = {cell: known for cell, known in coarse.items() if exists(family, group.instance, cell)}
    for cell, known in said.items():
        value = group.instance.cells[cell]
        match known:
            case Between(low, high):
                first, place, last = (family.domains[cell.slot].index(each) for each in (low, value, high))
                yield "coarse replies", "kind", "interval"
                if first is not None and place is not None and last is not None:
                    yield "coarse replies", "tenth of the interval", _tenth(place - first, last - first + 1)
            case OneOf(values):
                yield "coarse replies", "kind", "set"
                yield "coarse replies", "place in the set", f"{values.index(value) + 1} of {len(values)}"
            case Nothing():
                yield "coarse replies", "kind", "omitted"


def _tenth(place: int, size: int) -> str:
    """The tenth in which the middle of the value's own part of the interval lies: fair to short intervals too."""
    return str((2 * place + 1) * TENTHS // (2 * size))


def _round(family: Family, group: CandidateGroup) -> Iterator[Tell]:
    """Whether numbers are multiples of several steps: those of targets, and all others."""
    aimed = {each.attribute for each in (group.misaligned, group.incomplete) if each is not None}
    for cell, value in group.instance.cells.items():
        domain = family.domains[cell.slot]
        if isinstance(domain, NumberDomain) and not isinstance(value, str) and exists(family, group.instance, cell):
            is_round = (value / domain.step) % ROUND == 0  # type: ignore[operator]
            yield "round values", "targets" if cell.attribute in aimed else "others", "round" if is_round else "not"


class Tells:
    """Counts of many groups."""

    def __init__(self) -> None:
        self.counts: Counter[Tell] = Counter()

    def add(self, found: Sequence[Sequence[Any]]) -> None:
        """Take one group in."""
        for table, row, value, number in found:
            self.counts[table, row, value] += number

    def report(self) -> dict[str, dict[str, dict[str, int]]]:
        """Table, row, value, count."""
        tables: dict[str, dict[str, dict[str, int]]] = {}
        for (table, row, value), number in sorted(self.counts.items()):
            tables.setdefault(table, {}).setdefault(row, {})[value] = number
        return tables
