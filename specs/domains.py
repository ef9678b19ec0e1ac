"""Domains: the finite, ordered set of printable values that a cell or a parameter can take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import TypeAlias

from unco.specs.values import BOOLEAN, DATE, CategoryType, NumberType, Type, Unit, Value


@dataclass(frozen=True, slots=True)
class BooleanDomain:
    """True or false, told as the words (for true, for false)."""

    words: tuple[str, str] = ("yes", "no")

    @property
    def type(self) -> Type:
        return BOOLEAN

    @property
    def size(self) -> int:
        return 2

    def value(self, index: int) -> Value:
        return index == 1

    def index(self, value: Value) -> int | None:
        return int(value) if isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class CategoryDomain:
    """A closed list of names; `values` may be a part of the type's list."""

    type: CategoryType
    values: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.values)

    def value(self, index: int) -> Value:
        return self.values[index]

    def index(self, value: Value) -> int | None:
        return self.values.index(value) if isinstance(value, str) and value in self.values else None


@dataclass(frozen=True, slots=True)
class NumberDomain:
    """`low`, `low + step`, ..., `high`: magnitudes in `unit`."""

    low: Fraction
    high: Fraction
    step: Fraction
    unit: Unit

    @property
    def type(self) -> Type:
        return NumberType(self.unit)

    @property
    def size(self) -> int:
        return int((self.high - self.low) / self.step) + 1

    def value(self, index: int) -> Value:
        return exact(self.low + index * self.step)

    def index(self, value: Value) -> int | None:
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            return None
        steps = (Fraction(value) - self.low) / self.step
        return int(steps) if steps.denominator == 1 and 0 <= steps < self.size else None


@dataclass(frozen=True, slots=True)
class DateDomain:
    """Every day from `low` to `high`, both included."""

    low: date
    high: date

    @property
    def type(self) -> Type:
        return DATE

    @property
    def size(self) -> int:
        return (self.high - self.low).days + 1

    def value(self, index: int) -> Value:
        return self.low + timedelta(days=index)

    def index(self, value: Value) -> int | None:
        if not isinstance(value, date):
            return None
        days = (value - self.low).days
        return days if 0 <= days < self.size else None


Domain: TypeAlias = BooleanDomain | CategoryDomain | NumberDomain | DateDomain
"""Every domain has `type`, `size`, `value(index)` and `index(value)` (None outside); indices run from 0 to size - 1."""


def exact(number: Fraction) -> int | Fraction:
    """The number as an int where it is whole: the canonical form of a number."""
    return number.numerator if number.denominator == 1 else number


def values(domain: Domain) -> Iterator[Value]:
    """All values of the domain, in order."""
    return (domain.value(index) for index in range(domain.size))
