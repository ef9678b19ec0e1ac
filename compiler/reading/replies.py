"""First replies and recovery replies, held against the defects that the group has in a setting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.fact_texts import entry_discrepancies, existing, fact_discrepancies, owned
from unco.compiler.reading.facts import FactReader
from unco.compiler.reading.subject_matter import Matter
from unco.compiler.reading.vocabulary import the
from unco.specs.evidence import NOTHING, Knowledge
from unco.specs.family import Cell, Role
from unco.specs.group import CandidateGroup, Misaligned, Setting
from unco.specs.task import DefectPart, RecordEntry, Task

Facts = Mapping[Cell, Knowledge]


@dataclass(frozen=True)
class Defect:
    """What a role should reply first, and once the defect is repaired; `first` of None is silence."""

    kind: str
    role: str
    attribute: str | None
    first: Facts | None
    recovery: Facts


def reply_discrepancies(task: Task, group: CandidateGroup, matter: Matter, reader: FactReader) -> Iterator[Discrepancy]:
    """Everything that the replies of a task say otherwise than its setting asks for."""
    yield from _extras(task, group, matter)
    expected = {(each.kind, each.role): each for each in _defects(task.setting, group, matter)}
    roles = {role.id: role for role in matter.family.roles}
    for part in task.private.defects:
        defect = expected.pop((part.kind, part.role), None)
        if defect is None or part.attribute != defect.attribute:
            yield Discrepancy("added", f"replies ({task.setting})", f"a defect of {part.role}", part.kind)
            continue
        yield from _replies(part, defect, roles[part.role], task.setting, matter, reader)
    for defect in expected.values():
        yield Discrepancy("missing", f"replies ({task.setting})", f"a defect of {defect.role}", expected=defect.kind)


def _extras(task: Task, group: CandidateGroup, matter: Matter) -> Iterator[Discrepancy]:
    """The roles tell the other contexts that the group plans for every setting, and no more."""
    owners = {attribute.id: attribute.owner for attribute in matter.family.attributes}
    planned = [(owners[name], name, context) for name, context in group.harmless.extras]
    told = [(each.role, each.attribute, each.context) for each in task.private.extras]
    where = f"replies ({task.setting})"
    yield from (
        Discrepancy("missing", where, f"{each[1]} ({each[2]})", expected="an extra")
        for each in planned
        if each not in told
    )
    yield from (
        Discrepancy("added", where, f"{each[1]} ({each[2]})", "an extra") for each in told if each not in planned
    )


def _replies(
    part: DefectPart, defect: Defect, role: Role, setting: str, matter: Matter, reader: FactReader
) -> Iterator[Discrepancy]:
    first, recovery = f"first reply of {role.name} ({setting})", f"recovery reply of {role.name} ({setting})"
    if defect.first is None:
        yield from _silence(part, role, first, matter)
    else:
        yield from _facts(part.first_reply, part.first, defect.first, first, matter, reader)
    yield from _facts(part.recovery_reply, part.recovery, defect.recovery, recovery, matter, reader)


def _silence(part: DefectPart, role: Role, where: str, matter: Matter) -> Iterator[Discrepancy]:
    said = f"No response from {the(role.name)}."
    if part.first_reply != said:
        yield matter.giveaways.stray(where, part.first_reply, said)
    yield from (matter.giveaways.stray(where, entry.text) for entry in part.first)


def _facts(
    text: str, entries: Sequence[RecordEntry], expected: Facts, where: str, matter: Matter, reader: FactReader
) -> Iterator[Discrepancy]:
    lines = [line for line in text.split("\n") if line]
    yield from fact_discrepancies(lines, expected, where, matter, reader)
    if [entry.text for entry in entries] != lines:
        yield from fact_discrepancies(
            [entry.text for entry in entries], expected, f"{where}, one by one", matter, reader
        )
    yield from entry_discrepancies(entries, where, matter, reader)


def _defects(setting: Setting, group: CandidateGroup, matter: Matter) -> Iterator[Defect]:
    """The defects that the group plans for a setting."""
    if setting is Setting.MISALIGNED and group.misaligned:
        yield _misaligned(group.misaligned, matter)
    if setting is Setting.INCOMPLETE and group.incomplete:
        yield _vague("incomplete", group.incomplete.attribute, group.incomplete.coarse, matter)
    if setting is Setting.MISSED and group.missed:
        yield _missed(group.missed.role, matter)
    if setting is Setting.MIXED and group.mixed:
        yield _misaligned(group.mixed.misaligned, matter)
        yield _vague("omitted", group.mixed.omitted, {}, matter)
        yield _missed(group.mixed.missed, matter)


def _misaligned(defect: Misaligned, matter: Matter) -> Defect:
    attribute = matter.family.attribute_by_id[defect.attribute]
    first = _recorded(attribute.id, defect.context, matter)
    return Defect(
        "misaligned", attribute.owner, attribute.id, first, _recorded(attribute.id, attribute.required, matter)
    )


def _vague(kind: str, name: str, coarse: Facts, matter: Matter) -> Defect:
    attribute = matter.family.attribute_by_id[name]
    recorded = _recorded(name, attribute.required, matter)
    return Defect(kind, attribute.owner, name, {cell: coarse.get(cell, NOTHING) for cell in recorded}, recorded)


def _missed(role: str, matter: Matter) -> Defect:
    named = next(each for each in matter.family.roles if each.id == role)
    return Defect("missed", role, None, None, owned(matter, named))


def _recorded(attribute: str, context: str, matter: Matter) -> Facts:
    cells = (cell for cell in matter.family.cells if (cell.attribute, cell.context) == (attribute, context))
    return matter.recorded(existing(matter.family, matter.instance, cells))
