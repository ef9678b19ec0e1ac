"""Decoys: values of another context that, read as if of the required one, give a planned other answer."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from unco.compiler.planning.contexts import alike
from unco.compiler.planning.flips import Standings, hiding_attribute, stands
from unco.compiler.planning.margins import compared, placed
from unco.compiler.planning.natural import draw, weighted
from unco.solver.claims import misaligned
from unco.solver.judge import exists, judge, stays_legal, violations
from unco.solver.landmarks import Parameters
from unco.specs.family import Cell, Family, Slot
from unco.specs.group import Misaligned
from unco.specs.instance import Instance, Outcome, Winner
from unco.specs.values import Value
from unco.specs.verdict import Flip, Proved


def face_flip(family: Family, instance: Instance, outcome: Outcome, defect: Misaligned) -> Flip | None:
    """How the face value of the reply flips the answer; None where the reply is no valid defect."""
    verdict = misaligned(family, instance, outcome, defect)
    return verdict.witness.flip if isinstance(verdict, Proved) and verdict.witness is not None else None


def with_decoy(
    standings: Standings,
    defect: Misaligned,
    flip: Flip,
    pinned: Mapping[str, Mapping[Slot, Value]],
    rng: Random,
    tries: int,
) -> Instance | None:
    """The instance with off-context values, drawn like all others, at whose face value the answer flips as planned."""
    family, instance = standings.family, standings.instance
    rivals = standings.rivals(hiding_attribute(family, defect.attribute))
    if flip in (Flip.TO_WINNER, Flip.OTHER_WINNER) and not rivals:
        return None
    raised = rng.choice(rivals) if flip in (Flip.TO_WINNER, Flip.OTHER_WINNER) else None
    changes: dict[Cell, Value] = {}
    for candidate in range(family.candidates):
        wanted = candidate == raised or (flip is Flip.OTHER_RESULT and candidate == standings.winner)
        drawn = _drawn(standings, candidate, defect, wanted, pinned.get(instance.names[candidate], {}), rng, tries)
        if drawn is None:
            return None
        changes |= drawn
    changed = instance.changed(changes)
    if violations(family, changed) or judge(family, changed) != standings.outcome:
        return None
    return changed if face_flip(family, changed, standings.outcome, defect) is flip else None


def _drawn(
    standings: Standings,
    candidate: int,
    defect: Misaligned,
    eligible: bool,
    pinned: Mapping[Slot, Value],
    rng: Random,
    tries: int,
) -> dict[Cell, Value] | None:
    """Off-context cells of a candidate who at face value is eligible, or is not; the first of them as they are."""
    family, instance = standings.family, standings.instance
    cells = [
        cell
        for cell in family.cells
        if (cell.candidate, cell.attribute, cell.context) == (candidate, defect.attribute, defect.context)
        and exists(family, instance, cell)
    ]
    parameters = tuple(sorted(instance.parameters.items()))
    values = {cell: instance.cells[cell] for cell in cells}
    for _ in range(tries):
        if _reads(standings, candidate, defect, values, eligible):
            return values
        values = {
            cell: pinned[cell.slot] if cell.slot in pinned else _value(standings, cell, parameters, rng)
            for cell in cells
        }
    return None


def _reads(
    standings: Standings, candidate: int, defect: Misaligned, values: Mapping[Cell, Value], eligible: bool
) -> bool:
    """Whether the candidate is legal with these values and, at face value, legal and as eligible as planned, with
    another result if the winner.
    """
    family, instance = standings.family, standings.instance
    changes = {cell.slot: value for cell, value in values.items()}
    if not stays_legal(family, {**standings.board.values[candidate], **changes}, changes, instance.parameters):
        return False
    required = family.attribute_by_id[defect.attribute].required
    after = standings.board.after(
        candidate, {slot._replace(context=required): value for slot, value in changes.items()} | changes
    )
    if after is None or stands(after, candidate) is not eligible:
        return False
    return not (eligible and isinstance(standings.outcome, Winner) and after == standings.outcome)


def _value(standings: Standings, cell: Cell, parameters: Parameters, rng: Random) -> Value:
    """A value drawn as those of all other contexts are: near that of the required one, or at a drawn margin from what
    that is compared with.
    """
    family, slot = standings.family, cell.slot
    near = alike(family, slot, standings.board.values[cell.candidate], parameters, rng)
    if near is not None:
        return near
    marks = compared(family, slot, parameters)
    value = placed(family, slot, marks, weighted(family.plan.margins, rng), rng) if marks else None
    return draw(family.domains[slot], rng) if value is None else value
