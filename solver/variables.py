"""Variables: a cell or a parameter whose value the solver chooses within its domain."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import ceil, floor, lcm
from types import ModuleType
from typing import Any

from unco.solver.day_terms import month_length, not_after
from unco.solver.terms import Choice, Day, Num, Truth, conjunction, plus, times
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain
from unco.specs.values import Value


@dataclass(frozen=True)
class Variable:
    """A value of a domain that is left open; `term` is its Term, values go in and out in the domain's unit."""

    z3: ModuleType
    domain: Domain
    term: Any
    """A Term in base units."""
    constraint: Any
    """The value lies in the domain: a z3 Boolean, to be asserted."""
    symbols: tuple[Any, ...]
    """The z3 constants: an index into the domain, a Boolean, or year, month and day."""

    def decode(self, model: Any) -> Value:
        """The value that a model gives; the domain's first where the model leaves it open."""
        found = [model.eval(symbol, model_completion=True) for symbol in self.symbols]
        match self.domain:
            case BooleanDomain():
                return bool(self.z3.is_true(found[0]))
            case DateDomain(low, high):
                return _date_between(low, high, *(part.as_long() for part in found))
            case CategoryDomain() | NumberDomain():
                index = found[0].as_long()
                return self.domain.value(index if 0 <= index < self.domain.size else 0)

    def is_value(self, value: Value) -> Any:
        """SAT iff the variable can have this value, given in the domain's unit; false where it is no domain value."""
        index = self.domain.index(value)
        if index is None:
            return self._known(False)
        match self.domain:
            case BooleanDomain():
                return self.symbols[0] if value else self.z3.Not(self.symbols[0])
            case DateDomain():
                return self.z3.And(*(symbol == part for symbol, part in self.substitution(value)))
            case CategoryDomain() | NumberDomain():
                return self.symbols[0] == index

    def substitution(self, value: Value) -> list[tuple[Any, Any]]:
        """Each z3 constant with what stands for it where the variable has this value of its domain."""
        index = self.domain.index(value)
        if index is None:
            raise ValueError(f"{value!r} is no value of the domain")
        ctx = self.symbols[0].ctx
        match value:
            case bool():
                return [(self.symbols[0], self.z3.BoolVal(value, ctx))]
            case date():
                parts = (value.year, value.month, value.day)
                return [(symbol, self.z3.IntVal(part, ctx)) for symbol, part in zip(self.symbols, parts, strict=True)]
            case _:
                return [(self.symbols[0], self.z3.IntVal(index, ctx))]

    def between(self, low: Value, high: Value) -> Any:
        """SAT iff the variable, a number or a date, can lie from low to high, both included, in the domain's unit."""
        match self.domain:
            case NumberDomain(first, _, step):
                index = self.symbols[0]
                least = ceil((Fraction(low) - first) / step)  # type: ignore[arg-type]
                most = floor((Fraction(high) - first) / step)  # type: ignore[arg-type]
                return self.z3.And(index >= least, index <= most)
            case DateDomain():
                day = self.term
                return conjunction(self.z3, _within(self.z3, day, low, high))
            case _:
                raise ValueError("a Boolean or a category has no interval")

    def _known(self, value: bool) -> Any:
        return self.z3.BoolVal(value, self.symbols[0].ctx)


def declare(z3: ModuleType, domain: Domain, name: str, ctx: Any = None) -> Variable:
    """A new variable over the domain, its z3 constants named after `name`."""
    match domain:
        case BooleanDomain():
            boolean = z3.Bool(name, ctx)
            return Variable(z3, domain, boolean, z3.BoolVal(True, ctx), (boolean,))
        case DateDomain():
            return _declare_date(z3, domain, name, ctx)
        case CategoryDomain(type_, names):
            index = z3.Int(name, ctx)
            term = Choice(_among(z3, index, names, type_.values), type_.values)
            return Variable(z3, domain, term, z3.And(index >= 0, index < domain.size), (index,))
        case NumberDomain():
            index = z3.Int(name, ctx)
            within = z3.And(index >= 0, index < domain.size)
            return Variable(z3, domain, _number(domain, index), within, (index,))


def _among(z3: ModuleType, index: Any, names: tuple[str, ...], all_names: tuple[str, ...]) -> Any:
    """An index into some names as an index into all."""
    if names == all_names:
        return index
    positions = [all_names.index(name) for name in names]
    result: Any = positions[-1]
    for place, position in enumerate(positions[:-1]):
        result = z3.If(index == place, position, result)
    return result


def _number(domain: NumberDomain, index: Any) -> Num:
    low, step = domain.low * domain.unit.scale, domain.step * domain.unit.scale
    denominator = lcm(low.denominator, step.denominator)
    return Num(plus(int(low * denominator), times(int(step * denominator), index)), denominator)


def _declare_date(z3: ModuleType, domain: DateDomain, name: str, ctx: Any) -> Variable:
    parts = tuple(z3.Int(f"{name}.{part}", ctx) for part in ("year", "month", "day"))
    year, month, day = parts
    term = Day(year, month, day, (domain.low.year, domain.high.year))
    within = conjunction(
        z3,
        (
            year >= domain.low.year,
            year <= domain.high.year,
            month >= 1,
            month <= 12,
            day >= 1,
            day <= month_length(z3, year, month, term.years),
            *_within(z3, term, domain.low, domain.high),
        ),
    )
    return Variable(z3, domain, term, within, parts)


def _within(z3: ModuleType, day: Day, low: Value, high: Value) -> tuple[Truth, Truth]:
    """The day is from low to high, both included; whole years are told by the year alone."""
    if not isinstance(low, date) or not isinstance(high, date):
        raise ValueError(f"not two dates: {low!r} and {high!r}")
    first, last = Day(low.year, low.month, low.day), Day(high.year, high.month, high.day)
    from_low = day.year >= low.year if (low.month, low.day) == (1, 1) else not_after(z3, first, day)
    to_high = day.year <= high.year if (high.month, high.day) == (12, 31) else not_after(z3, day, last)
    return from_low, to_high


def _date_between(low: date, high: date, year: int, month: int, day: int) -> date:
    """The date, or the first of the domain where the parts are left open by the model."""
    try:
        found = date(year, month, day)
    except ValueError:
        return low
    return found if low <= found <= high else low
