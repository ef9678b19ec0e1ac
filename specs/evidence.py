"""Evidence: what is known of each cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from unco.specs.family import Cell
from unco.specs.instance import Instance
from unco.specs.values import Value


@dataclass(frozen=True)
class Exact:
    """The value itself."""

    value: Value


@dataclass(frozen=True)
class OneOf:
    """One of a finite set."""

    values: tuple[Value, ...]


@dataclass(frozen=True)
class Between:
    """A number or a date from `low` to `high`, both included, in the unit of the cell."""

    low: Value
    high: Value


@dataclass(frozen=True)
class Nothing:
    """Nothing is known of the cell but its domain."""


Knowledge: TypeAlias = Exact | OneOf | Between | Nothing
NOTHING = Nothing()


@dataclass(frozen=True)
class Evidence:
    """Knowledge of cells, and the parameters, which everybody knows. A cell that is not named is Nothing."""

    known: Mapping[Cell, Knowledge]
    parameters: Mapping[str, Value]

    def of(self, cell: Cell) -> Knowledge:
        """What is known of a cell."""
        return self.known.get(cell, NOTHING)

    def hiding(self, cells: Iterable[Cell]) -> Evidence:
        """The evidence without some cells."""
        hidden = frozenset(cells)
        return Evidence({cell: known for cell, known in self.known.items() if cell not in hidden}, self.parameters)

    def only(self, cells: Iterable[Cell]) -> Evidence:
        """The evidence of some cells alone."""
        kept = frozenset(cells)
        return Evidence({cell: known for cell, known in self.known.items() if cell in kept}, self.parameters)

    def with_knowledge(self, known: Mapping[Cell, Knowledge]) -> Evidence:
        """The evidence with some cells replaced."""
        return Evidence({**self.known, **known}, self.parameters)


def full(instance: Instance) -> Evidence:
    """Every cell of the instance, exactly."""
    return Evidence({cell: Exact(value) for cell, value in instance.cells.items()}, instance.parameters)


def agrees(knowledge: Knowledge, value: Value) -> bool:
    """Whether a value is compatible with what is known."""
    match knowledge:
        case Exact(known):
            return known == value and isinstance(known, bool) == isinstance(value, bool)
        case OneOf(values):
            return value in values
        case Between(low, high):
            return low <= value <= high  # type: ignore[operator]
        case Nothing():
            return True
