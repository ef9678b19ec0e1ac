"""Domains: the finite, ordered set of printable values that a cell or a parameter can take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm
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


@dataclass(frozen=True)
class NumberDomain:
    """`low`, `low + step`, ..., `high`: magnitudes in `unit`."""

    low: Fraction
    high: Fraction
    step: Fraction
    unit: Unit

    @property
    def type(self) -> Type:
        return NumberType(self.unit)

    @cached_property
    def size(self) -> int:
        return int((self.high - self.low) / self.step) + 1

    @cached_property
    def _grid(self) -> tuple[int, int, int]:
        """The lowest value and the step as whole numbers over one denominator, and that denominator."""
        shared = lcm(self.low.denominator, self.step.denominator)
        return int(self.low * shared), int(self.step * shared), shared

    def value(self, index: int) -> Value:
        low, step, shared = self._grid
        scaled = low + index * step
        return scaled if shared == 1 else exact(Fraction(scaled, shared))

    def index(self, value: Value) -> int | None:
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            return None
        low, step, shared = self._grid
        scaled = value * shared - low
        if scaled.denominator != 1:
            return None
        steps, rest = divmod(scaled.numerator, step)
        return steps if rest == 0 and 0 <= steps < self.size else None


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


def indices_between(domain: NumberDomain | DateDomain, low: Value, high: Value) -> range:
    """The indices of the values from `low` to `high`, both included, which need not be values themselves."""
    first, last = (_position(domain, bound) for bound in (low, high))
    return range(max(0, ceil(first)), min(domain.size - 1, floor(last)) + 1)


def _position(domain: NumberDomain | DateDomain, value: Value) -> Fraction:
    """Where a value lies among the indices of a domain."""
    if isinstance(domain, DateDomain):
        if not isinstance(value, date):
            raise ValueError(f"expected a date, found {value!r}")
        return Fraction((value - domain.low).days)
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise ValueError(f"expected a number, found {value!r}")
    return (value - domain.low) / domain.step
