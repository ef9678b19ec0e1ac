"""Pinned facts: what an author fixes of an instance and of its defects; the rest is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from unco.specs.document import Section
from unco.specs.evidence import Knowledge
from unco.specs.family import Cell, Slot
from unco.specs.group import Misaligned, Missed, Mixed
from unco.specs.scalars import Scalar
from unco.specs.values import Value

Facts: TypeAlias = Scalar | tuple[Scalar, ...] | dict[str, Scalar | tuple[Scalar, ...]]
"""A value; one value a member; or either of these for each named context."""


def _version(value: object) -> object:
    return 1 if value == "1" else value


class CoarseSection(Section):
    """What a coarse reply says of one candidate: an interval, a set of values, or nothing."""

    between: tuple[Scalar, Scalar] | None = None
    one_of: Annotated[tuple[Scalar, ...], Field(min_length=2)] | None = None
    omitted: bool = False


class MisalignedSection(Section):
    """The reply gives the attribute in another context."""

    attribute: str
    context: str


class IncompleteSection(Section):
    """The reply is coarse; candidates that are not named get a drawn coarse value."""

    attribute: str
    coarse: Annotated[dict[str, CoarseSection], Field(default_factory=dict)]


class MixedSection(Section):
    """Three defects on three roles."""

    misaligned: MisalignedSection
    omitted: str
    missed: str


class DefectsSection(Section):
    """The defects of the settings; what is left out is drawn."""

    misaligned: MisalignedSection | None = None
    incomplete: IncompleteSection | None = None
    missed: str | None = None
    mixed: MixedSection | None = None


class FactsDocument(Section):
    """A facts file: values by candidate name and attribute, parameters, and defects."""

    unco_facts: Annotated[Literal[1], BeforeValidator(_version)]
    """The version of the format."""
    candidates: Annotated[dict[str, dict[str, Facts]], Field(default_factory=dict, max_length=8)]
    parameters: Annotated[dict[str, Scalar], Field(default_factory=dict)]
    defects: DefectsSection = DefectsSection()


@dataclass(frozen=True)
class Pins:
    """Facts that fit a family, as values of its slots."""

    candidates: Mapping[str, Mapping[Slot, Value]] = field(default_factory=dict)
    parameters: Mapping[str, Value] = field(default_factory=dict)
    misaligned: Misaligned | None = None
    incomplete: str | None = None
    coarse: Mapping[tuple[str, int], Knowledge] = field(default_factory=dict)
    """What the coarse reply says, by candidate name and member."""
    missed: Missed | None = None
    mixed: Mixed | None = None

    def known(self, cells: Mapping[Cell, Knowledge], names: tuple[str, ...]) -> dict[Cell, Knowledge]:
        """Drawn coarse knowledge, with what is pinned in its place."""
        return {cell: self.coarse.get((names[cell.candidate], cell.member), known) for cell, known in cells.items()}
