"""A candidate group: one instance with its four settings and Mixed, the unit that is retained or rejected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from unco.specs.evidence import Knowledge
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
class CandidateGroup:
    """An instance, its outcome, and the planned defects; None where the specification offers no target."""

    index: int
    instance: Instance
    outcome: Outcome
    misaligned: Misaligned | None
    incomplete: Incomplete | None
    missed: Missed | None
    mixed: Mixed | None
