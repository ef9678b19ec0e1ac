"""Recovery: what a role withholds at first, a second request that aims at the defect brings as it is recorded.

The response policy handles values and never looks at them. So one run with values that nothing can look at decides it
for every instance of a family.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unco.specs.evidence import Exact
from unco.specs.family import Attribute, Cell, Family
from unco.specs.family_proof import FamilyProved, FamilyRefuted, FamilyVerdict, Method, Vacuous
from unco.specs.group import Harmless, Incomplete, Misaligned, Missed
from unco.specs.instance import Instance
from unco.specs.policy import Aim, Defect, Delivery, Reply, Request, respond
from unco.specs.wording import attribute_text


@dataclass(frozen=True, eq=False, slots=True)
class Opaque:
    """A value that is equal to itself alone. Whatever looks into it raises."""

    def __bool__(self) -> bool:
        raise TypeError("the response policy looked at a value")


def withheld(family: Family, instance: Instance, role: str, defect: Defect, harmless: Harmless) -> list[Cell]:
    """The required cells of a role that are not known as recorded after two requests for everything, the second of
    which aims at the defect.
    """
    memory, reply, coarse = Delivery(), Reply({}), harmless.cells
    for action, aim in enumerate((Aim.GENERIC, Aim.TARGETED), 1):
        reply, memory = respond(family, instance, role, defect, memory, Request(action, aim=aim), harmless)
    return [
        cell
        for cell in family.cells
        if family.attribute_by_id[cell.attribute].owner == role
        and cell.context == family.attribute_by_id[cell.attribute].required
        and reply.cells.get(cell) != coarse.get(cell, Exact(instance.cells[cell]))
    ]


def recovery(family: Family, role: str) -> FamilyVerdict:
    """Whether every defect that the role may have is repaired so, whatever the values are and whatever is harmless."""
    instance = Instance({cell: Opaque() for cell in family.cells}, {}, ())  # type: ignore[misc]
    runs = [(defect, harmless) for defect in _defects(family, role) for harmless in _harmless(family, role)]
    if not runs:
        return Vacuous("no defect may aim at it")
    for defect, harmless in runs:
        missing = withheld(family, instance, role, defect, harmless)
        if missing:
            attribute = family.attribute_by_id[missing[0].attribute]
            because = f"{attribute_text(attribute, missing[0].context)} is never returned: {_told(defect)}"
            return FamilyRefuted(Method.RUN, None, because=because)
    because = "two requests, the second aimed at the defect; the response policy looks at no value"
    return FamilyProved(Method.RUN, because=because)


def _defects(family: Family, role: str) -> Iterator[Defect]:
    """Each defect that the specification offers for the role, alone or as a part of Mixed."""
    offered = family.perturbations
    for attribute in family.owned(role):
        if attribute.id in offered.misaligned:
            others = [context for context, _ in attribute.contexts if context != attribute.required]
            yield from (Misaligned(attribute.id, context) for context in others)
        if attribute.id in offered.incomplete:
            yield Incomplete(attribute.id, {})
            yield Incomplete(attribute.id, {cell: Exact(Opaque()) for cell in _required(family, attribute)})  # type: ignore[arg-type]
    if role in offered.missed:
        yield Missed(role)


def _harmless(family: Family, role: str) -> Iterator[Harmless]:
    """Nothing beside the facts; and every attribute of the role stated vaguely, with every other context told."""
    yield Harmless()
    told = [
        Incomplete(each.id, {cell: Exact(Opaque()) for cell in _required(family, each)})  # type: ignore[arg-type]
        for each in family.owned(role)
    ]
    extras = [
        (each.id, context) for each in family.owned(role) for context, _ in each.contexts if context != each.required
    ]
    yield Harmless(tuple(told), tuple(extras))


def _required(family: Family, attribute: Attribute) -> Iterator[Cell]:
    return (cell for cell in family.cells if (cell.attribute, cell.context) == (attribute.id, attribute.required))


def _told(defect: Defect) -> str:
    match defect:
        case Misaligned(attribute, context):
            return f"{attribute} told for {context}"
        case Incomplete(attribute):
            return f"{attribute} told vaguely"
        case _:
            return "a request overlooked"
