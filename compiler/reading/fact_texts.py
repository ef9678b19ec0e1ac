"""Records and replies, held against the cells of one instance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.reading.facts import FactReader
from unco.compiler.reading.subject_matter import Matter, shown
from unco.compiler.reading.telling import tell_cell, tell_known
from unco.compiler.reading.vocabulary import the
from unco.solver.judge import member_count
from unco.specs.evidence import Knowledge
from unco.specs.family import Cell, Family, Role
from unco.specs.instance import Instance
from unco.specs.task import RecordEntry, RoleRecords


def fact_discrepancies(
    lines: Sequence[str], expected: Mapping[Cell, Knowledge], where: str, matter: Matter, reader: FactReader
) -> Iterator[Discrepancy]:
    """Everything that sentences, one a line, say otherwise than the knowledge of some cells."""
    names, told = matter.instance.names, set()
    for line in lines:
        readings = reader.read(line)
        if not readings:
            yield matter.giveaways.stray(where, line)
            continue
        said = readings[0]
        subject, domain = tell_cell(matter.family, names, said.cell), matter.family.domains.get(said.cell.slot)
        known = None if domain is None else tell_known(said.known, domain)
        if len(readings) > 1:
            yield Discrepancy("altered", where, subject, f"words with {len(readings)} readings", "one reading", line)
        elif said.cell not in expected:
            yield Discrepancy("added", where, subject, known or f'"{said.words}"', "no such fact here", line)
        elif said.cell in told:
            yield Discrepancy("added", where, subject, "it twice", "it once", line)
        elif domain is not None and said.known != expected[said.cell]:
            rest = reader.beyond(said, expected[said.cell])
            if rest:
                yield matter.giveaways.stray(where, rest)
            else:
                found = f'"{said.words}"' if said.known is None else f"{known}"
                yield Discrepancy("altered", where, subject, found, tell_known(expected[said.cell], domain), line)
        told.add(said.cell)
    for cell in (cell for cell in expected if cell not in told):
        wanted = tell_known(expected[cell], matter.family.domains[cell.slot])
        yield Discrepancy("missing", where, tell_cell(matter.family, names, cell), expected=wanted)


def existing(family: Family, instance: Instance, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """The cells without those of members that a candidate does not have."""
    sizes: dict[tuple[int, str], int] = {}
    kept = []
    for cell in cells:
        group = family.attribute_by_id[cell.attribute].group
        if group is not None:
            key = (cell.candidate, group)
            if key not in sizes:
                sizes[key] = member_count(family, family.group_by_id[group], instance.candidate(cell.candidate))
            if cell.member > sizes[key]:
                continue
        kept.append(cell)
    return tuple(kept)


def owned(matter: Matter, role: Role) -> dict[Cell, Knowledge]:
    """What a role records: every cell of its attributes, but for distractors beyond those that the difficulty shows."""
    family, told = matter.family, set(shown(matter.family))
    mine = {attribute.id for attribute in family.owned(role.id) if attribute.id in told}
    return matter.recorded(existing(family, matter.instance, (cell for cell in family.cells if cell.attribute in mine)))


def record_discrepancies(records: RoleRecords, role: Role, matter: Matter, reader: FactReader) -> Iterator[Discrepancy]:
    """The records of a role: their heading, their keys, and every fact in them, in the text and entry by entry."""
    where = f"records of {role.name}"
    expected = owned(matter, role)
    heading, *lines = records.text.split("\n")
    if heading != f"Records of {the(role.name)}":
        yield matter.giveaways.stray(where, heading, f"Records of {the(role.name)}")
    keyed = [(re.match(r"\[([^\]]+)\] ", line), line) for line in lines if line]
    yield from (matter.giveaways.stray(where, line) for key, line in keyed if key is None)
    keys = [key[1] for key, _ in keyed if key]
    facts = [line[key.end() :] for key, line in keyed if key]
    wanted = [f"{role.id.upper()}-{number}" for number in range(1, len(keys) + 1)]
    if keys != wanted:
        yield Discrepancy("altered", where, "the keys of the records", ", ".join(keys), ", ".join(wanted))
    yield from fact_discrepancies(facts, expected, where, matter, reader)
    if [(entry.key, entry.text) for entry in records.entries] != list(zip(keys, facts, strict=True)):
        yield from fact_discrepancies(
            [entry.text for entry in records.entries], expected, f"{where}, one by one", matter, reader
        )
    yield from entry_discrepancies(records.entries, where, matter, reader)


def entry_discrepancies(
    entries: Sequence[RecordEntry], where: str, matter: Matter, reader: FactReader
) -> Iterator[Discrepancy]:
    """Each sentence is filed under the fact that it states."""
    names = matter.instance.names
    for entry in entries:
        filed = (entry.candidate, entry.attribute, entry.member, entry.context)
        for said in reader.read(entry.text):
            cell = said.cell
            if (names[cell.candidate], *cell[1:]) != filed:
                subject = tell_cell(matter.family, names, cell)
                yield Discrepancy("altered", where, subject, f"it filed under {filed}", f"{tuple(cell)}", entry.text)
