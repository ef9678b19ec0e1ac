"""A candidate group: one instance with its four settings and Mixed, the unit that is retained or rejected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from unco.specs.evidence import Evidence, Knowledge, full
from unco.specs.family import Cell
from unco.specs.instance import Instance, Outcome


class Setting(StrEnum):
    """How reliable the colleagues are."""

    RELIABLE = "Reliable"
    MISALIGNED = "Misaligned"
    INCOMPLETE = "Incomplete"
    MISSED = "Missed"
    MIXED = "Mixed"


@dataclass(frozen=True)
class Misaligned:
    """The owner of an attribute replies with its cells of another context, for every candidate."""

    attribute: str
    context: str


@dataclass(frozen=True)
class Incomplete:
    """The owner of an attribute replies with coarse knowledge of it, for every candidate; `coarse` names each cell."""

    attribute: str
    coarse: Mapping[Cell, Knowledge]


@dataclass(frozen=True)
class Missed:
    """A role overlooks the first request."""

    role: str


@dataclass(frozen=True)
class Mixed:
    """Three defects on three roles: a misaligned reply, a value omitted for every candidate, an overlooked request."""

    misaligned: Misaligned
    omitted: str
    missed: str


@dataclass(frozen=True)
class Harmless:
    """What is vague or about another context in every setting, Reliable included, so that form reveals no defect."""

    coarse: tuple[Incomplete, ...] = ()
    """Attributes that the records themselves state coarsely: nobody holds more, and no answer depends on it."""
    extras: tuple[tuple[str, str], ...] = ()
    """Attributes, each with another context that a reply tells beside the required one, unless contexts were named."""

    @property
    def cells(self) -> dict[Cell, Knowledge]:
        """What the records say of the cells that they do not state exactly."""
        return {cell: known for each in self.coarse for cell, known in each.coarse.items()}


@dataclass(frozen=True)
class CandidateGroup:
    """An instance, its outcome, and the planned defects; None where the specification offers no target."""

    index: int
    instance: Instance
    outcome: Outcome
    misaligned: Misaligned | None
    incomplete: Incomplete | None
    missed: Missed | None
    mixed: Mixed | None
    harmless: Harmless = field(default_factory=Harmless)

    @property
    def evidence(self) -> Evidence:
        """All that the records state: every cell exactly, or as coarsely as the harmless ones are recorded."""
        return full(self.instance).with_knowledge(self.harmless.cells)

    @property
    def targets(self) -> frozenset[str]:
        """The attributes that a defect of some setting is about."""
        found = [each.attribute for each in (self.misaligned, self.incomplete) if each is not None]
        if self.mixed is not None:
            found += [self.mixed.misaligned.attribute, self.mixed.omitted]
        return frozenset(found)
