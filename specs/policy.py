"""The response policy: what a role agent returns to a request, by setting (DESIGN.md, section 9), as one table.

Purely about cells: wording and episodes are elsewhere. A request that does not cover the target leaves the defect
armed. A repair counts only from a later action than the one in which the defect was delivered. What is harmless is the
same in every setting and at every request: no defect, so nothing repairs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from unco.specs.evidence import NOTHING, Exact, Knowledge
from unco.specs.family import Attribute, Cell, Family
from unco.specs.group import Harmless, Incomplete, Misaligned, Missed
from unco.specs.instance import Instance


class Aim(StrEnum):
    """What a request says about the target of the defect."""

    GENERIC = "generic"
    """The target is covered, nothing more; also a verbatim repetition."""
    TARGETED = "targeted"
    """Misaligned: names the required context for the target. Incomplete: asks for the exact or missing value."""


@dataclass(frozen=True)
class Request:
    """A request to one role: which attributes of which candidates, None for all; in which contexts, None where it names
    none (the required ones, with the extras, are given then); and how it aims at the target.
    """

    action: int
    """The number of the main agent's action that the request is part of."""
    attributes: frozenset[str] | None = None
    candidates: frozenset[int] | None = None
    contexts: frozenset[str] | None = None
    aim: Aim = Aim.GENERIC


@dataclass(frozen=True)
class Delivery:
    """What a role remembers of its defect: the action in which it was delivered, if it was."""

    delivered: int | None = None
    forestalled: bool = False
    """Whether the request that met the defect aimed at the target already; such episodes are reported apart."""


@dataclass(frozen=True)
class Reply:
    """Knowledge of cells; `silent` where there is no response at all."""

    cells: Mapping[Cell, Knowledge]
    silent: bool = False


NO_HARM = Harmless()
Defect = Misaligned | Incomplete | Missed | None
"""The defect of one role in one setting; None for a reliable role. An omitted value is an Incomplete of nothing."""


def respond(
    family: Family,
    instance: Instance,
    role: str,
    defect: Defect,
    memory: Delivery,
    request: Request,
    harmless: Harmless = NO_HARM,
) -> tuple[Reply, Delivery]:
    """The reply of a role, and what it remembers."""
    recorded = _asked_for(family, instance, role, request, harmless)
    if defect is None or not _covers(family, role, defect, recorded):
        return Reply(recorded), memory
    later = memory.delivered is not None and request.action > memory.delivered
    targeted = request.aim is Aim.TARGETED
    remembered = memory if memory.delivered is not None else Delivery(request.action, targeted)
    if later and (targeted or isinstance(defect, Missed)):
        return Reply(recorded), remembered
    if isinstance(defect, Missed):
        return Reply({}, silent=True), remembered
    return Reply(_defective(family, instance, defect, recorded)), remembered


def _asked_for(
    family: Family, instance: Instance, role: str, request: Request, harmless: Harmless
) -> dict[Cell, Knowledge]:
    """The cells asked for, as they are recorded, with the extras that go with them."""
    coarse = harmless.cells
    return {
        cell: coarse.get(cell, Exact(instance.cells[cell]))
        for cell in family.cells
        if family.attribute_by_id[cell.attribute].owner == role
        and _in_context(family.attribute_by_id[cell.attribute], cell.context, request.contexts, harmless)
        and (request.attributes is None or cell.attribute in request.attributes)
        and (request.candidates is None or cell.candidate in request.candidates)
    }


def _in_context(attribute: Attribute, context: str, named: frozenset[str] | None, harmless: Harmless) -> bool:
    """Whether a context is told: what has one alone always; else those named, or the required one and its extras."""
    if named is None or len(attribute.contexts) == 1:
        return context == attribute.required or (attribute.id, context) in harmless.extras
    return context in named


def _covers(
    family: Family, role: str, defect: Misaligned | Incomplete | Missed, asked_for: Mapping[Cell, Knowledge]
) -> bool:
    """Whether the request covers the target of the defect, for some candidate: for an overlooked request, anything."""
    if isinstance(defect, Missed):
        return defect.role == role
    return any(_is_target(family, defect, cell) for cell in asked_for)


def _is_target(family: Family, defect: Misaligned | Incomplete, cell: Cell) -> bool:
    """Whether the defect is about the cell: one of its attribute, in the required context."""
    return (cell.attribute, cell.context) == (defect.attribute, family.attribute_by_id[defect.attribute].required)


def _defective(
    family: Family, instance: Instance, defect: Misaligned | Incomplete, recorded: Mapping[Cell, Knowledge]
) -> dict[Cell, Knowledge]:
    """The reply with the target's cells of the other context, or coarse, in place of the required ones."""
    reply: dict[Cell, Knowledge] = {}
    for cell, known in recorded.items():
        if not _is_target(family, defect, cell):
            reply[cell] = known
        elif isinstance(defect, Misaligned):
            other = cell._replace(context=defect.context)
            reply[other] = Exact(instance.cells[other])
        else:
            reply[cell] = defect.coarse.get(cell, NOTHING)
    return reply
