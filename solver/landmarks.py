"""Landmarks: the values of a slot around which an answer can change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from functools import lru_cache

from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain
from unco.specs.expression import Apply, Constant, Expression, ParameterReference, Table, references, scale_of, walk
from unco.specs.family import Family, Slot
from unco.specs.values import NumberType, Type, Value

SMALL = 16
"""A domain of at most this many values is tried whole."""
Parameters = tuple[tuple[str, Value], ...]
"""Names and values, sorted by name: parameters in a form that can be a key."""


@lru_cache(maxsize=4_096)
def landmarks(family: Family, slot: Slot, parameters: Parameters) -> tuple[Value, ...]:
    """Values of a slot where an answer may change: ends of the domain, and one step around what stands beside it."""
    domain = family.domains[slot]
    if isinstance(domain, BooleanDomain | CategoryDomain) or domain.size <= SMALL:
        indices = list(range(domain.size))
    else:
        rules = (*family.conditions, *family.consistency)
        expressions = [rule.expression for rule in rules] + [family.calculation.expression]
        places = _places(expressions, slot, domain, parameters)
        indices = sorted({near for place in places for near in range(place - 1, place + 3) if 0 <= near < domain.size})
    ends = [0, domain.size - 1]
    return tuple(domain.value(index) for index in dict.fromkeys(ends + indices))


@lru_cache(maxsize=4_096)
def thresholds(family: Family, slot: Slot, parameters: Parameters) -> tuple[int, ...]:
    """The indices of the values at, or just below, what a condition that reads the slot compares."""
    domain = family.domains[slot]
    if not isinstance(domain, NumberDomain | DateDomain):
        return ()
    expressions = [rule.expression for rule in family.conditions]
    places = _places(expressions, slot, domain, parameters)
    return tuple(sorted({place for place in places if 0 <= place < domain.size}))


def _places(
    expressions: Iterable[Expression], slot: Slot, domain: NumberDomain | DateDomain, parameters: Parameters
) -> Iterator[int]:
    """The index at or just below each value that stands in an expression which reads the slot."""
    for expression in expressions:
        if any((each.attribute, each.context) == (slot.attribute, slot.context) for each in references(expression)):
            for part in walk(expression):
                for value, type_ in _values_in(part, dict(parameters)):
                    place = _place(domain, value, type_)
                    if place is not None:
                        yield place


def _place(domain: Domain, value: Value, type_: Type) -> int | None:
    """The index of a value in base units, rounded down; None where it is of another kind or dimension."""
    if isinstance(domain, DateDomain):
        return (value - domain.low).days if isinstance(value, date) else None
    if not isinstance(domain, NumberDomain) or not isinstance(type_, NumberType):
        return None
    if type_.unit.dimension != domain.unit.dimension or isinstance(value, bool | date | str):
        return None
    index = (Fraction(value) / domain.unit.scale - domain.low) / domain.step
    return index.numerator // index.denominator


def _values_in(part: Expression, parameters: Mapping[str, Value]) -> Iterator[tuple[Value, Type]]:
    """The values that a part holds, in base units, with their types."""
    match part:
        case Constant(value, type_):
            yield value, type_
        case ParameterReference(name, type_):
            value = parameters[name]
            is_number = isinstance(value, int | Fraction) and not isinstance(value, bool)
            yield (value * scale_of(type_) if is_number else value), type_  # type: ignore[operator]
        case Apply(options=options):
            for table in options:
                if isinstance(table, Table):
                    yield from _values_of(table)
        case _:
            return


def _values_of(table: Table) -> Iterator[tuple[Value, Type]]:
    for band in table.bands:
        yield from ((key, table.key) for key in (band.low, band.high) if key is not None)
        yield band.value, table.gives
