"""An instance: one value for every cell and every parameter; and the answer it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from unco.specs.family import Cell, Slot
from unco.specs.values import Value


@dataclass(frozen=True)
class Instance:
    """Values of all cells, in the unit of each cell's domain, the parameters that they share, and the names."""

    cells: Mapping[Cell, Value]
    parameters: Mapping[str, Value]
    names: tuple[str, ...]

    def candidate(self, candidate: int) -> dict[Slot, Value]:
        """The cells of one candidate, by slot."""
        return {cell.slot: value for cell, value in self.cells.items() if cell.candidate == candidate}

    def changed(self, cells: Mapping[Cell, Value]) -> Instance:
        """The instance with some cells changed."""
        return Instance({**self.cells, **cells}, self.parameters, self.names)


@dataclass(frozen=True)
class Winner:
    """The one eligible candidate and the rounded result, in the unit of the answer."""

    candidate: int
    result: int | Fraction


@dataclass(frozen=True)
class NoWinner:
    """No candidate is eligible: a negative decision, candidate and result null."""


@dataclass(frozen=True)
class SeveralEligible:
    """More than one candidate is eligible: the promise is broken, and there is no answer."""

    candidates: tuple[int, ...]


Outcome: TypeAlias = Winner | NoWinner | SeveralEligible
"""What the rules say of an instance; an answer is a Winner or NoWinner."""


def kind_of(outcome: Outcome) -> str:
    """The kind of a group with this outcome: `winner` or `nobody`; empty where there is no answer."""
    return {Winner: "winner", NoWinner: "nobody"}.get(type(outcome), "")
