"""The conversions that a reader of the rules has to make: of units that a rule compares or combines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from unco.specs.expression import Aggregate, Apply, Constant, Expression, ParameterReference, Reference, Table
from unco.specs.family import Family
from unco.specs.units import UnknownUnit, parse_unit, unit_name
from unco.specs.values import DAYS, MONTHS, YEARS, Dimension, NumberType, Type, Unit
from unco.specs.wording import amount_text, typed_places

Powers = Counter[str]
"""The units of a number by name, with their powers: `EUR per MWh` is EUR once and MWh minus once."""
Pair = tuple[Unit, Unit]
_PERIODS = {"days_between": DAYS, "years_between": YEARS, "months_between": MONTHS}


def conversions(family: Family) -> list[str]:
    """One line for each pair of units that the rules mix, the larger first: `1 MWh is 1,000 kWh.`"""
    found: dict[tuple[Dimension, Fraction, Fraction], Pair] = {}
    for large, small in _pairs(family):
        found.setdefault((large.dimension, large.scale, small.scale), (large, small))
    return [_line(large, small) for large, small in found.values()]


def _line(large: Unit, small: Unit) -> str:
    ratio = large.scale / small.scale
    places = typed_places((large.scale,), NumberType(small))
    return f"{amount_text(Fraction(1), large, 0)} is {amount_text(ratio, small, places)}."


def _pairs(family: Family) -> Iterator[Pair]:
    calculation = family.calculation
    for rule in (*family.conditions, *family.consistency):
        yield from _walk(rule.expression)[1]
    powers, pairs = _walk(calculation.expression)
    yield from pairs
    yield from _mixed(powers, _of_unit(calculation.unit))


def _walk(expression: Expression) -> tuple[Powers, list[Pair]]:
    """The units of an expression, and the pairs that meet in it."""
    match expression:
        case Constant() | Reference() | ParameterReference():
            return _of(expression.type), []
        case Aggregate():
            powers, pairs = _walk(expression.body)
            return (powers if expression.operator == "total" else Counter()), pairs
        case Apply():
            walked = [_walk(argument) for argument in expression.arguments]
            parts = [powers for powers, _ in walked]
            powers, own = _applied(expression, parts)
            powers = powers if isinstance(expression.type, NumberType) else Counter()
            return powers, [*(pair for _, pairs in walked for pair in pairs), *own]


def _applied(expression: Apply, parts: list[Powers]) -> tuple[Powers, list[Pair]]:
    table = next((option for option in expression.options if isinstance(option, Table)), None)
    match expression.operator:
        case "*":
            return _product(parts), []
        case "/":
            return _product([parts[0], _inverse(parts[1])]), []
        case "weighted_mean":
            return parts[0], [*_alike(parts[::2]), *_alike(parts[1::2])]
        case "if":
            return parts[1], _alike(parts[1:])
        case "lookup" | "tiered" if table is not None:
            gives = _of(table.gives)
            result = gives if expression.operator == "lookup" else _product([gives, parts[0]])
            return result, _mixed(parts[0], _of(table.key))
        case "add_months" | "month_start" | "month_end":
            return Counter(), []
        case "days_between" | "years_between" | "months_between" as name:
            return _of(_PERIODS[name]), []
        case "//" | "percent_change":
            return Counter(), _alike(parts)
        case _:
            return parts[0], _alike(parts)


def _of(type_: Type) -> Powers:
    return _of_unit(type_.unit) if isinstance(type_, NumberType) else Counter()


def _of_unit(unit: Unit) -> Powers:
    if unit.symbol in ("", "%", "ratio"):
        return Counter()
    above, per, below = unit.symbol.partition(" per ")
    powers = Counter({_own(above, unit): 1})
    if per:
        powers[_own(below, unit)] -= 1
    return powers


def _single(name: str) -> Unit:
    """The unit of one name; one that the language does not know is the author's own."""
    try:
        return parse_unit(name)
    except UnknownUnit:
        return Unit(((f"unit:{name}", 1),), Fraction(1), name)


def _own(name: str, unit: Unit) -> str:
    """The name in one form: the author's own units in the singular, all others as their symbol."""
    authors = [each.removeprefix("unit:") for each, _ in unit.dimension if each.startswith("unit:")]
    return next((each for each in authors if unit_name(name, 1, {each: None}) == each), _single(name).symbol)


def _product(parts: list[Powers]) -> Powers:
    powers: Powers = Counter()
    for part in parts:
        for name, power in part.items():
            powers[name] += power
    return Counter({name: power for name, power in powers.items() if power})


def _inverse(powers: Powers) -> Powers:
    return Counter({name: -power for name, power in powers.items()})


def _alike(parts: list[Powers]) -> list[Pair]:
    return [pair for one, other in pairwise(parts) for pair in _mixed(one, other)]


def _mixed(one: Powers, other: Powers) -> list[Pair]:
    """What one number would have to be divided by to be in the units of another: pairs of one dimension."""
    kinds: dict[Dimension, dict[Fraction, Unit]] = {}
    for name in _product([one, _inverse(other)]):
        unit = _single(name)
        kinds.setdefault(unit.dimension, {}).setdefault(unit.scale, unit)
    ordered = (sorted(kind.values(), key=lambda unit: unit.scale, reverse=True) for kind in kinds.values())
    return [pair for kind in ordered for pair in pairwise(kind)]
