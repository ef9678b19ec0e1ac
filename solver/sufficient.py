"""The smallest sufficient cells: the least set of cells that determines the answer, given the promise.

By implicit hitting sets: every completion with another answer shows a set of cells, one of which must be known; the
least set that meets all of them is put to the solver again, until it is proved sufficient.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unco.solver.decide import Prover, Sat, Undecided
from unco.solver.judge import judge, violations
from unco.solver.queries import another_answer
from unco.solver.witness import first_move
from unco.specs.evidence import Evidence, agrees, full
from unco.specs.family import Cell
from unco.specs.instance import Instance, Outcome, SeveralEligible
from unco.specs.values import Value

MOST_ROUNDS = 400


@dataclass(frozen=True)
class Sufficient:
    """The cells, in the author's order; of several least sets, the first in that order."""

    cells: tuple[Cell, ...]
    rlimit: int


def smallest_sufficient(
    prover: Prover, instance: Instance, outcome: Outcome, evidence: Evidence | None = None
) -> Sufficient | Undecided:
    """The least cells that determine the outcome given the promise, or why they are not known.

    A cell is known as the evidence has it (exactly, where none is given), which must determine the outcome as a whole.
    """
    family, everything = prover.family, evidence or full(instance)
    order = {cell: position for position, cell in enumerate(family.cells)}
    differences: list[tuple[int, ...]] = []
    used = 0
    for _ in range(MOST_ROUNDS):
        if () in differences:
            return Undecided("all the evidence together leaves the answer open", used)
        chosen = least_hitting_set(differences)
        cells = [family.cells[position] for position in chosen]
        known = everything.only(cells)
        move = first_move(family, instance, known, outcome, pairs=0)
        if move is not None:
            differences.append(_told_apart(order, everything, move.changes))
            continue
        decision = prover.decide(another_answer(family, known, outcome, promise=True), instance.names)
        used += decision.rlimit
        if isinstance(decision, Undecided):
            return decision
        if not isinstance(decision, Sat):
            return Sufficient(tuple(cells), used)
        changed = _fewest_changes(prover, instance, decision.completion, outcome)
        completion = {cell: decision.completion.cells[cell] for cell in changed}
        differences.append(_told_apart(order, everything, completion))
    return Undecided(f"no end after {MOST_ROUNDS} rounds", used)


def _told_apart(order: Mapping[Cell, int], evidence: Evidence, changes: Mapping[Cell, Value]) -> tuple[int, ...]:
    """The places of the changed cells of which the evidence knows better."""
    return tuple(sorted(order[cell] for cell, value in changes.items() if not agrees(evidence.of(cell), value)))


def _fewest_changes(prover: Prover, instance: Instance, completion: Instance, outcome: Outcome) -> list[Cell]:
    """Changes of which none can be taken back, one at a time, without losing the other answer."""
    family = prover.family
    changed = [cell for cell in family.cells if completion.cells[cell] != instance.cells[cell]]
    for cell in tuple(changed):
        rest = [kept for kept in changed if kept != cell]
        smaller = instance.changed({kept: completion.cells[kept] for kept in rest})
        found = judge(family, smaller)
        if found != outcome and not isinstance(found, SeveralEligible) and not violations(family, smaller):
            changed = rest
    return changed


def least_hitting_set(sets: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The least set of numbers that meets every given set; of several, the first in order."""
    best: tuple[int, ...] | None = None

    def extend(chosen: frozenset[int]) -> None:
        nonlocal best
        missed = next((each for each in sets if chosen.isdisjoint(each)), None)
        if missed is None:
            found = tuple(sorted(chosen))
            if best is None or (len(found), found) < (len(best), best):
                best = found
        elif best is None or len(chosen) < len(best):
            for number in missed:
                extend(chosen | {number})

    forced = frozenset(each[0] for each in sets if len(each) == 1)
    extend(forced)
    if best is None:
        raise ValueError("an empty set cannot be met")
    return best
