"""What a main agent sees that never repairs the defect: everything but the defective fact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unco.solver.claims import DEFECTS, defect_cells, face_values
from unco.solver.judge import exists
from unco.specs.evidence import NOTHING, Evidence
from unco.specs.expression import references
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup, Incomplete, Misaligned, Missed, Mixed, Setting
from unco.specs.values import Value


@dataclass(frozen=True)
class Sight:
    """The knowledge of all cells, the misaligned reply read as if it were meant, and what the defect is aimed at."""

    evidence: Evidence
    face: Mapping[Cell, Value]
    target: str
    """The attribute or the role; for Mixed the misaligned attribute."""
    decides: str
    """Whether the target can change who is eligible (`conditions`), the result (`operands`), or `both`."""


def sights(family: Family, group: CandidateGroup) -> Iterator[tuple[Setting, Sight]]:
    """What is seen in each defective setting that the group has."""
    if group.misaligned is not None:
        yield Setting.MISALIGNED, _misaligned(family, group, group.misaligned)
    if group.incomplete is not None:
        yield Setting.INCOMPLETE, _incomplete(family, group, group.incomplete)
    if group.missed is not None:
        yield Setting.MISSED, _missed(family, group, group.missed)
    if group.mixed is not None:
        yield Setting.MIXED, _mixed(family, group, group.mixed)


def _misaligned(family: Family, group: CandidateGroup, defect: Misaligned) -> Sight:
    """Of the target, the cells of the other context alone."""
    face = face_values(family, group.instance, defect)
    evidence = group.evidence.with_knowledge(dict.fromkeys(face, NOTHING))
    return Sight(evidence, face, defect.attribute, _decides(family, {defect.attribute}))


def _incomplete(family: Family, group: CandidateGroup, defect: Incomplete) -> Sight:
    """Of the target, the coarse knowledge."""
    said = {cell: known for cell, known in defect.coarse.items() if exists(family, group.instance, cell)}
    return Sight(group.evidence.with_knowledge(said), {}, defect.attribute, _decides(family, {defect.attribute}))


def _missed(family: Family, group: CandidateGroup, defect: Missed) -> Sight:
    """Nothing of the role."""
    owned = {attribute.id for attribute in family.owned(defect.role)}
    evidence = group.evidence.hiding(family.cells_of(defect.role))
    return Sight(evidence, {}, defect.role, _decides(family, owned))


def _mixed(family: Family, group: CandidateGroup, defect: Mixed) -> Sight:
    """All three defects, none of them repaired."""
    hidden = [cell for name in DEFECTS for cell in defect_cells(family, defect, name)]
    face = face_values(family, group.instance, defect.misaligned)
    owned = {attribute.id for attribute in family.owned(defect.missed)}
    decides = _decides(family, owned | {defect.misaligned.attribute, defect.omitted})
    evidence = group.evidence.with_knowledge(dict.fromkeys(hidden, NOTHING))
    return Sight(evidence, face, defect.misaligned.attribute, decides)


def _decides(family: Family, attributes: set[str]) -> str:
    conditions = any(not read.isdisjoint(attributes) for read in family.condition_reads)
    operands = any(each.attribute in attributes for each in references(family.calculation.expression))
    if conditions and operands:
        return "both"
    return "conditions" if conditions else "operands" if operands else "neither"
