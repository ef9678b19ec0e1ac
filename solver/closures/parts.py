"""What an expression becomes: numbers and days as sums over places, truths, names; and where places stand in a row.

A row is a list of whole numbers: the places of a candidate's cells, then those of the parameters. A place is the index
of a value in its domain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from unco.specs.domains import Domain
from unco.specs.family import Family, Slot

Row: TypeAlias = Sequence[int]
Number: TypeAlias = int | Fraction
ReadNumber: TypeAlias = Callable[[Row], Number]
ReadTruth: TypeAlias = Callable[[Row], Any]
"""A true or a false value: not always a `bool`."""
ReadName: TypeAlias = Callable[[Row], str]
NONE: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Frame:
    """Where each cell and each parameter stands in a row, and its domain."""

    slots: tuple[Slot, ...]
    parameters: tuple[str, ...]
    domains: tuple[Domain, ...]

    @cached_property
    def position(self) -> dict[Slot | str, int]:
        """The position of each slot and of each parameter."""
        keys: list[Slot | str] = [*self.slots, *self.parameters]
        return {key: number for number, key in enumerate(keys)}

    @property
    def cells(self) -> int:
        """How many positions are those of cells."""
        return len(self.slots)

    @classmethod
    def of(cls, family: Family) -> Frame:
        """The frame of a family: slots and parameters in the author's order."""
        domains = [family.domains[slot] for slot in family.slots]
        parameters = family.parameters
        return cls(
            family.slots,
            tuple(each.id for each in parameters),
            (*domains, *(each.domain for each in parameters)),
        )


@dataclass(frozen=True, eq=False)
class Atom:
    """A number that is no sum: it is worked out anew. `total` unless it can be undefined, `whole` unless it can be a
    fraction. A quotient of whole numbers keeps the readers of its sides.
    """

    read: ReadNumber
    reads: frozenset[int]
    total: bool = True
    whole: bool = True
    sides: tuple[ReadNumber, ReadNumber] | None = None
    ratio: tuple[Sum, Sum] | None = None
    """Of a quotient: what is divided by what."""


@dataclass(frozen=True, eq=False)
class Sum:
    """A number in base units, or a day by its number: `constant`, places and atoms, each times its factor.

    An atom stays even where its factor is zero, for it can be undefined.
    """

    constant: Fraction
    places: tuple[tuple[int, Fraction], ...] = ()
    atoms: tuple[tuple[Atom, Fraction], ...] = ()

    @property
    def is_constant(self) -> bool:
        return not self.places and not self.atoms

    @property
    def total(self) -> bool:
        return all(atom.total for atom, _ in self.atoms)

    @property
    def whole(self) -> bool:
        """Whether it is a whole number once its factors are."""
        return all(atom.whole for atom, _ in self.atoms)

    @property
    def reads(self) -> frozenset[int]:
        return frozenset(place for place, _ in self.places).union(*(atom.reads for atom, _ in self.atoms))


@dataclass(frozen=True, eq=False)
class Truth:
    """A Boolean; `known` where it is the same for every row. A junction (`and`, `or`, `not`) shows its parts."""

    read: ReadTruth
    reads: frozenset[int]
    total: bool = True
    known: bool | None = None
    junction: str = ""
    parts: tuple[Truth, ...] = ()


@dataclass(frozen=True, eq=False)
class Name:
    """A category by its name."""

    read: ReadName
    reads: frozenset[int]
    total: bool = True
    known: str | None = None


Part: TypeAlias = Sum | Truth | Name


def constant(value: Number) -> Sum:
    """A number that no row changes."""
    return Sum(Fraction(value))


def certain(value: bool) -> Truth:
    """A truth that no row changes."""
    return Truth(lambda row: value, NONE, known=value)


def alone(atom: Atom) -> Sum:
    """The number that an atom gives."""
    return Sum(Fraction(0), (), ((atom, Fraction(1)),))
