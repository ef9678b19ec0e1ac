"""Facts in sentences: the private records of the roles, and the replies that are made of them."""

from __future__ import annotations

from collections.abc import Iterable

from unco.solver.judge import exists
from unco.specs.evidence import Exact, Knowledge
from unco.specs.family import Attribute, Cell, Family, Role
from unco.specs.instance import Instance
from unco.specs.task import RecordEntry, RoleRecords
from unco.specs.wording import attribute_text, definite, knowledge_text, verb
from unco.templates.loader import fill


def shown_attributes(family: Family) -> tuple[Attribute, ...]:
    """Every attribute that a rule uses, and as many distractors, in the author's order, as the difficulty asks for."""
    distractors = [attribute.id for attribute in family.attributes if attribute.distractor]
    hidden = set(distractors[family.difficulty.distractors :] if family.difficulty.distractors is not None else ())
    return tuple(attribute for attribute in family.attributes if attribute.id not in hidden)


def shown_roles(family: Family) -> tuple[Role, ...]:
    """Every role that has something to tell."""
    owners = {attribute.owner for attribute in shown_attributes(family)}
    return tuple(role for role in family.roles if role.id in owners)


def role_records(family: Family, instance: Instance, role: Role) -> RoleRecords:
    """The records of a role: candidate by candidate, attributes and contexts in the author's order."""
    cells = cells_of(family, instance, (each for each in shown_attributes(family) if each.owner == role.id))
    entries = tuple(
        record_entry(family, instance, f"{role.id.upper()}-{number}", cell, Exact(instance.cells[cell]))
        for number, cell in enumerate(cells, 1)
    )
    return RoleRecords(
        role=role.id, entries=entries, text=fill("render/record.txt.j2", role=role.name, entries=entries)
    )


def cells_of(family: Family, instance: Instance, attributes: Iterable[Attribute]) -> tuple[Cell, ...]:
    """The cells of some attributes; members that a candidate does not have are left out."""
    owned = {attribute.id for attribute in attributes}
    return tuple(cell for cell in family.cells if cell.attribute in owned and exists(family, instance, cell))


def record_entry(family: Family, instance: Instance, key: str, cell: Cell, known: Knowledge) -> RecordEntry:
    """What is known of a cell, as one sentence."""
    attribute = family.attribute_by_id[cell.attribute]
    name, named = instance.names[cell.candidate], attribute_text(attribute, cell.context)
    text = fill(
        "render/fact.txt.j2",
        candidate=name,
        attribute=definite(named) if cell.member else named,
        group=family.group_by_id[attribute.group].label if attribute.group else "",
        member=cell.member,
        verb=verb(attribute.label),
        known=knowledge_text(known, family.domains[cell.slot]),
    )
    return RecordEntry(
        key=key, candidate=name, attribute=cell.attribute, member=cell.member, context=cell.context, text=text
    )


def reply_text(entries: Iterable[RecordEntry]) -> str:
    """A reply that says these facts, one a line: the one form of every reply, in every setting."""
    return fill("render/reply.txt.j2", facts=[entry.text for entry in entries])
