"""Witnesses: for each role, the first legal move that changes the answer, as changed places of one candidate."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import NamedTuple, TypeAlias

from unco.compiler.facts.blocks import Check, Guard
from unco.compiler.facts.marks import Marks
from unco.compiler.facts.recipes import Kitchen
from unco.solver.closures.parts import ReadNumber, Row, Truth
from unco.solver.closures.placing import ReadPlace, placed
from unco.solver.closures.rounding import ReadWhole, rounded
from unco.solver.closures.sums import times
from unco.solver.operators.operator import Undefined
from unco.specs.domains import BooleanDomain, CategoryDomain
from unco.specs.family_proof import FamilyClaimName, FamilyProof, FamilyProved, Move

Changes: TypeAlias = tuple[tuple[int, int], ...]
"""Changed cells of a candidate: position and place, by position."""
SMALL = 16
"""A domain of at most so many values is tried whole."""
MOST_PAIRS = 24
"""So many moves of two cells are tried for a candidate who fails, and a role."""


@dataclass(frozen=True)
class Trial:
    """What may follow from changed positions: consistency rules, idle members, conditions, and the result."""

    legal: tuple[Check, ...]
    guards: tuple[Guard, ...]
    conditions: tuple[Check, ...]
    counts: bool


class CompiledMove(NamedTuple):
    """A move: the position and the new place of each changed cell, and what may follow."""

    changes: tuple[tuple[int, ReadPlace | int], ...]
    trial: Trial


class Witnesses:
    """The moves of a family, ready to be tried."""

    def __init__(self, kitchen: Kitchen, proof: FamilyProof) -> None:
        self.kitchen = kitchen
        self.family = kitchen.family
        self.frame = kitchen.frame
        calculation = self.family.calculation
        number = kitchen.rules.reading.number(calculation.expression)
        self.result: ReadWhole = rounded(
            times(number, 1 / calculation.unit.scale), calculation.places, calculation.mode
        )
        self.result_reads = number.reads
        self._trials: dict[frozenset[int], Trial] = {}
        self._lifts: dict[frozenset[int], list[tuple[str, list[Lift]]]] = {}
        self.owned = {role.id: self._owned(role.id) for role in self.family.roles}
        proved = {role.id: proof.of(FamilyClaimName.NECESSARY, role.id) for role in self.family.roles}
        self.proved: dict[str, list[CompiledMove]] = {
            role: [self._compiled(move) for move in claim.verdict.moves]
            for role, claim in proved.items()
            if claim is not None and isinstance(claim.verdict, FamilyProved)
        }
        """The moves of each role that is necessary in every instance with a winner."""
        self.sure = {role: self._sure(moves[0]) if moves else () for role, moves in self.proved.items()}
        """The changes of a first move that every winner fails by, whatever else there is."""

    # With a winner

    def of_winner(self, row: list[int], whole: int, role: str) -> Changes | None:
        """The first legal move of the proof after which the winner fails or has another result."""
        if self.sure[role]:
            return self.sure[role]
        for move in self.proved[role]:
            changes = self._changes(move, row)
            if changes and self._flips(row, changes, move.trial, whole):
                return changes
        return None

    def _changes(self, move: CompiledMove, row: Row) -> Changes:
        found = []
        for position, place in move.changes:
            at = place if isinstance(place, int) else place(row)
            if at < 0:
                return ()
            if at != row[position]:
                found.append((position, at))
        return tuple(found)

    def _flips(self, row: list[int], changes: Changes, trial: Trial, whole: int) -> bool:
        after = row.copy()
        for position, place in changes:
            after[position] = place
        if not _is_legal(after, trial):
            return False
        for holds in trial.conditions:
            if not holds(after):
                return True
        return trial.counts and self.result(after) != whole

    def _sure(self, move: CompiledMove) -> Changes:
        """One cell to a fixed place at which a condition fails that reads nothing else; only conditions read it."""
        (position, place), *more = move.changes
        if more or not isinstance(place, int) or place < 0 or move.trial.legal or move.trial.guards:
            return ()
        alone = [truth for truth in self.kitchen.rules.conditions if truth.reads == frozenset((position,))]
        return () if _hold(alone, position, place, self) else ((position, place),)

    # Without one

    def of_loser(self, row: list[int], failing: frozenset[int], shown: Container[str]) -> Iterator[tuple[str, Changes]]:
        """Each further role that alone can make a candidate eligible who fails these conditions, with the first simple
        move that does.
        """
        for role, lifts in self._lifting(failing):
            if role not in shown:
                changes = lifts[0].sure or next((each for lift in lifts for each in _tried(lift, row)), ())
                if changes:
                    yield role, changes

    def _lifting(self, failing: frozenset[int]) -> list[tuple[str, list[Lift]]]:
        """The roles of whom each of these conditions reads something, with the cells that are changed together."""
        if failing not in self._lifts:
            reads = [self.kitchen.rules.conditions[number].reads for number in failing]
            self._lifts[failing] = [
                (role, lifts)
                for role, owned in self.owned.items()
                if all(not owned.isdisjoint(each) for each in reads)
                and (lifts := [self._lift(cells, failing) for cells in self._together(owned, reads)])
            ]
        return self._lifts[failing]

    def _together(self, owned: frozenset[int], reads: Sequence[frozenset[int]]) -> Iterator[tuple[int, ...]]:
        """Each cell that all of the conditions read; two where there is none; and all members of a group."""
        touching = sorted(owned & frozenset[int]().union(*reads))
        single = [cell for cell in touching if all(cell in each for each in reads)]
        yield from ((cell,) for cell in single)
        for one, other in combinations(touching, 2) if not single else ():
            if all(one in each or other in each for each in reads):
                yield one, other
        named: dict[tuple[str, str], list[int]] = {}
        for cell in touching:
            if self.frame.slots[cell].member:
                slot = self.frame.slots[cell]
                named.setdefault((slot.attribute, slot.context), []).append(cell)
        for cells in named.values():
            if len(cells) > 1 and all(not each.isdisjoint(cells) for each in reads):
                yield tuple(cells)

    def _lift(self, cells: tuple[int, ...], failing: frozenset[int]) -> Lift:
        """Cells with the places that they may take. A condition that reads nothing but one of them is asked here."""
        rules, alone = self.kitchen.rules.conditions, frozenset(cells) if len(cells) == 1 else None
        settled = {number for number, truth in enumerate(rules) if truth.reads == alone}
        fixed, moving = [], []
        for cell in cells:
            marks = self.kitchen.proposer.marks.get(cell, Marks())
            domain = self.frame.domains[cell]
            small = isinstance(domain, BooleanDomain | CategoryDomain) or domain.size <= SMALL
            around = [near for mark in marks.fixed for near in (mark, mark - 1, mark + 1)]
            at = range(domain.size) if small else [0, domain.size - 1, *around]
            held = [rules[number] for number in settled]
            fixed.append(
                [each for each in dict.fromkeys(at) if 0 <= each < domain.size and _hold(held, cell, each, self)]
            )
            moving.append([] if small or settled else [each.read for each in marks.moving])
        trial, sizes = self._trial(frozenset(cells)), [self.frame.domains[cell].size for cell in cells]
        left = [truth for number, truth in enumerate(rules) if number not in settled]
        asked = tuple(truth.read for truth in left if not truth.reads.isdisjoint(cells))
        enough = failing <= settled and not (asked or trial.legal or trial.guards) and fixed[0]
        return Lift(cells, fixed, moving, sizes, trial, asked, ((cells[0], fixed[0][0]),) if enough else ())

    # Compiled once

    def _compiled(self, move: Move) -> CompiledMove:
        changes = tuple(
            sorted((position, placed(term, position, self.frame)) for slot, term in move.changes
                   for position in [self.frame.position[slot]])
        )  # fmt: skip
        return CompiledMove(changes, self._trial(frozenset(position for position, _ in changes)))

    def _trial(self, changed: frozenset[int]) -> Trial:
        if changed not in self._trials:
            rules = self.kitchen.rules

            def touched(truths: Iterable[Truth]) -> tuple[Check, ...]:
                return tuple(truth.read for truth in truths if not truth.reads.isdisjoint(changed))

            guards = tuple(each for each in self.kitchen.guards if each[0] in changed or each[1] in changed)
            counts = not self.result_reads.isdisjoint(changed)
            self._trials[changed] = Trial(touched(rules.consistency), guards, touched(rules.conditions), counts)
        return self._trials[changed]

    def _owned(self, role: str) -> frozenset[int]:
        attributes = {attribute.id for attribute in self.family.owned(role)}
        return frozenset(position for position, slot in enumerate(self.frame.slots) if slot.attribute in attributes)


class Lift(NamedTuple):
    """Cells that are changed together: the places tried for each, the marks that other cells decide, the sizes of the
    domains; what may follow, and which conditions must hold then.
    """

    cells: tuple[int, ...]
    fixed: list[list[int]]
    moving: list[list[ReadNumber]]
    sizes: list[int]
    trial: Trial
    asked: tuple[Check, ...]
    sure: Changes
    """What is legal and enough for every candidate who fails so; nothing where that depends."""


def _tried(lift: Lift, row: list[int]) -> Iterator[Changes]:
    """The changes that are legal and make the candidate eligible."""
    if len(lift.cells) == 1:
        (cell,) = lift.cells
        for place in lift.fixed[0] if not lift.moving[0] else _choices(lift, 0, row):
            if place != row[cell] and _makes_eligible(lift, row, ((cell, place),)):
                yield ((cell, place),)
        return
    choices = [_choices(lift, number, row) for number in range(len(lift.cells))]
    tried: Iterable[tuple[int, ...]] = product(*choices) if len(choices) == 2 else zip(*choices, strict=False)
    for places in islice(tried, MOST_PAIRS):
        changes = tuple([(cell, at) for cell, at in zip(lift.cells, places, strict=True) if at != row[cell]])
        if changes and _makes_eligible(lift, row, changes):
            yield changes


def _choices(lift: Lift, number: int, row: Row) -> list[int]:
    at = list(lift.fixed[number])
    for read in lift.moving[number]:
        mark = int(read(row))
        at += (mark, mark - 1, mark + 1)
    size = lift.sizes[number]
    return [place for place in dict.fromkeys(at) if 0 <= place < size]


def _makes_eligible(lift: Lift, row: list[int], changes: Changes) -> bool:
    after = row.copy()
    for cell, place in changes:
        after[cell] = place
    if not _is_legal(after, lift.trial):
        return False
    for holds in lift.asked:  # noqa: SIM110 -- a generator would cost more than the rules
        if not holds(after):
            return False
    return True


def _hold(truths: Sequence[Truth], cell: int, place: int, witnesses: Witnesses) -> bool:
    """Whether truths that read one cell alone hold where it has this place."""
    row = [0] * len(witnesses.frame.domains)
    row[cell] = place
    return all(truth.read(row) for truth in truths)


def _is_legal(row: Row, trial: Trial) -> bool:
    """Whether the touched rules of consistency hold, and members who do not exist hold place 0."""
    for member, size, least in trial.guards:
        if row[size] < least and row[member]:
            return False
    try:
        for holds in trial.legal:
            if not holds(row):
                return False
    except Undefined:
        return False
    return True
