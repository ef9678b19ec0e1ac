"""Values, units and types: what a fact can be, and what an expression can mean."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TypeAlias

Value: TypeAlias = bool | int | Fraction | date | str
"""An exact value: Boolean, number, date, or the name of a category. Never a float."""

Dimension: TypeAlias = tuple[tuple[str, int], ...]
"""Base dimensions with their exponents, sorted by name; empty for a plain number."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measurement: `scale` base units make one of it (12 for a year, whose base is the month)."""

    dimension: Dimension
    scale: Fraction
    symbol: str


PLAIN = Unit((), Fraction(1), "")
PERCENT = Unit((), Fraction(1, 100), "%")
RATIO = Unit((), Fraction(1), "ratio")
"""A quotient of like quantities. It compares with plain numbers and with percentages; those do not with each other."""


@dataclass(frozen=True, slots=True)
class BooleanType:
    """True or false."""


@dataclass(frozen=True, slots=True)
class CategoryType:
    """One of a closed list of names, in the author's order."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberType:
    """An exact number. Inside expressions it is held in base units; `unit` is the unit it is shown in."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class DateType:
    """A day of the proleptic Gregorian calendar."""


Type: TypeAlias = BooleanType | CategoryType | NumberType | DateType

BOOLEAN = BooleanType()
DATE = DateType()
NUMBER = NumberType(PLAIN)

YEARS = NumberType(Unit((("calendar", 1),), Fraction(12), "years"))
MONTHS = NumberType(Unit((("calendar", 1),), Fraction(1), "months"))
DAYS = NumberType(Unit((("clock", 1),), Fraction(86_400), "days"))
"""Calendar units (base: month) and clock units (base: second) are separate dimensions."""
