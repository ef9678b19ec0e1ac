"""What every engine is asked about an instance, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from unco.specs.family import Cell, Family
from unco.specs.instance import Instance, Outcome, Winner

Gold: TypeAlias = tuple[int, int | Fraction] | None
"""Who is chosen, and the result; None where nobody is."""


@dataclass(frozen=True)
class Answer:
    """The answer that full evidence has; and, for each role in order, whether hiding its cells leaves it open."""

    gold: Gold
    open_without: tuple[bool | None, ...]
    """None where the engine gave up."""

    def agrees(self, other: Answer) -> bool:
        """Whether both say the same, wherever both say something."""
        pairs = zip(self.open_without, other.open_without, strict=True)
        return self.gold == other.gold and all(None in pair or pair[0] is pair[1] for pair in pairs)


Ask: TypeAlias = Callable[[Instance], Answer]


@dataclass(frozen=True)
class Unfit:
    """Why an engine is not asked about a family."""

    reason: str


@dataclass(frozen=True)
class Engine:
    """An engine: how it is used, the package it needs, and what makes it ready for a family, which is not timed."""

    name: str
    module: str
    ready: Callable[[Family], Ask | Unfit]


def gold_of(outcome: Outcome) -> Gold:
    """The answer of an outcome that is one."""
    return (outcome.candidate, outcome.result) if isinstance(outcome, Winner) else None


def hidden_cells(family: Family) -> Iterator[frozenset[Cell]]:
    """What each role keeps, in the order of the roles."""
    return (family.cells_of(role.id) for role in family.roles)
