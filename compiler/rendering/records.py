"""Facts in sentences: the private records of the roles, and the replies that are made of them."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from unco.compiler.rendering.forms import stated
from unco.compiler.rendering.wording import Wording
from unco.solver.judge import exists
from unco.specs.evidence import Exact, Knowledge
from unco.specs.family import Cell, Family, Role
from unco.specs.group import CandidateGroup
from unco.specs.instance import Instance
from unco.specs.task import RecordEntry, RoleRecords
from unco.specs.wording import attribute_text, definite, knowledge_text
from unco.templates.loader import fill


def shown_roles(family: Family) -> tuple[Role, ...]:
    """Every role that has something to tell."""
    owners = {attribute.owner for attribute in family.shown_attributes}
    return tuple(role for role in family.roles if role.id in owners)


def role_records(family: Family, group: CandidateGroup, role: Role, wording: Wording) -> RoleRecords:
    """The records of a role, candidate by candidate: each cell as it is, or what the role knows in its place.

    Attributes, and the contexts of each, stand in an order that is drawn for the group: place tells nothing.
    """
    instance, coarse = group.instance, group.harmless.cells
    entries = tuple(
        record_entry(
            family,
            instance,
            wording,
            f"{role.id.upper()}-{number}",
            cell,
            coarse.get(cell, Exact(instance.cells[cell])),
        )
        for number, cell in enumerate(_recorded(family, group, role), 1)
    )
    return RoleRecords(
        role=role.id, entries=entries, text=fill("render/record.txt.j2", role=definite(role.name), entries=entries)
    )


def _recorded(family: Family, group: CandidateGroup, role: Role) -> list[Cell]:
    """The cells of a role in the order of its records; members that a candidate does not have are left out."""
    place = {slot: number for number, slot in enumerate(_drawn_order(family, group.index, role))}
    found = [
        cell
        for cell in family.cells
        if (cell.attribute, cell.context) in place and exists(family, group.instance, cell)
    ]
    return sorted(found, key=lambda cell: (cell.candidate, place[cell.attribute, cell.context], cell.member))


def _drawn_order(family: Family, index: int, role: Role) -> list[tuple[str, str]]:
    """The attributes of a role with their contexts: an order of the group's own, the same for every candidate."""
    rng = Random(f"{family.digest}/{index}/records/{role.id}")
    attributes = sorted(each.id for each in family.shown_attributes if each.owner == role.id)
    rng.shuffle(attributes)
    found = []
    for name in attributes:
        contexts = sorted(context for context, _ in family.attribute_by_id[name].contexts)
        rng.shuffle(contexts)
        found += [(name, context) for context in contexts]
    return found


def record_entry(
    family: Family, instance: Instance, wording: Wording, key: str, cell: Cell, known: Knowledge
) -> RecordEntry:
    """What is known of a cell, as one sentence in the form of its attribute."""
    attribute = family.attribute_by_id[cell.attribute]
    name = instance.names[cell.candidate]
    text = stated(
        wording.forms[cell.attribute],
        candidate=name,
        fact=attribute_text(attribute, cell.context),
        member=f"{family.group_by_id[attribute.group].label} {cell.member}" if attribute.group else "",
        value=knowledge_text(known, family.domains[cell.slot]),
    )
    return RecordEntry(
        key=key, candidate=name, attribute=cell.attribute, member=cell.member, context=cell.context, text=text
    )


def reply_text(entries: Iterable[RecordEntry]) -> str:
    """A reply that says these facts, one a line: the one form of every reply, in every setting."""
    return fill("render/reply.txt.j2", facts=[entry.text for entry in entries])
