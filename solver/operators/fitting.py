"""Which types fit together, and the words for those that do not."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from fractions import Fraction

from unco.solver.operators.operator import Mismatch, Options, Types
from unco.specs.values import (
    BOOLEAN,
    PERCENT,
    PLAIN,
    RATIO,
    BooleanType,
    CategoryType,
    DateType,
    Dimension,
    NumberType,
    Type,
    Unit,
)

CALENDAR: Dimension = (("calendar", 1),)
CLOCK: Dimension = (("clock", 1),)
MODES = ("half_up", "half_even", "half_down", "up", "down", "floor", "ceiling")
"""Rounding modes. Up is away from zero, down is towards zero; half_up and half_down say so of ties."""
_BASE_SYMBOLS = {
    "calendar": "months",
    "clock": "seconds",
    "length": "metres",
    "mass": "kilograms",
    "current": "amperes",
    "data": "bits",
    "substance": "moles",
    "angle": "degrees",
    "illuminance": "lux",
    "luminous_flux": "lumens",
    "level": "decibels",
    "dose": "sieverts",
    "temperature": "kelvin",
}


# Words ---------------------------------------------------------------------------------------------------------------


def describe(type_: Type) -> str:
    """A type in an author's words."""
    match type_:
        case BooleanType():
            return "true or false"
        case CategoryType(values):
            return f'the category "{values[0]}"' if len(values) == 1 else f"one of {_listed(values)}"
        case DateType():
            return "a date"
        case NumberType(unit):
            return _describe_unit(unit)


def _describe_unit(unit: Unit) -> str:
    if is_percent(unit):
        return "a percentage"
    if unit == RATIO:
        return "a ratio"
    return f"a number in {unit.symbol}" if unit.symbol else "a plain number"


def _listed(names: Sequence[str]) -> str:
    shown = [f'"{name}"' for name in names[:6]]
    return ", ".join(shown) + (", ..." if len(names) > 6 else "")


# Arity and options ---------------------------------------------------------------------------------------------------


def count(types: Types, least: int, most: int | None = None, each: str = "argument") -> None:
    """Refuse too few or too many arguments; `most` None: as many as `least`, -1: no limit."""
    most = least if most is None else most
    if len(types) >= least and most in (-1, max(len(types), most)):
        return
    wanted = f"{least}" if most == least else f"{least} or more" if most == -1 else f"{least} to {most}"
    plural = "" if wanted == "1" else "s"
    raise Mismatch(None, "UNC202", f"{len(types)} {each}{'' if len(types) == 1 else 's'}", f"{wanted} {each}{plural}")


def one_of(option: object, offered: Sequence[str], what: str) -> None:
    """Refuse an option that is not offered."""
    if option not in offered:
        raise Mismatch(None, "UNC212", f"the {what} {option!r}", f"one of {', '.join(offered)}")


def no_options(options: Options) -> None:
    """Refuse options where there are none."""
    if options:
        raise Mismatch(None, "UNC212", f"the option {options[0]!r}", "no option")


# Kinds ---------------------------------------------------------------------------------------------------------------


def boolean(types: Types) -> None:
    """Refuse what is not Boolean."""
    for index, type_ in enumerate(types):
        if not isinstance(type_, BooleanType):
            raise Mismatch(index, "UNC203", describe(type_), describe(BOOLEAN), _comparison_hint(type_))


def _comparison_hint(found: Type) -> str:
    if isinstance(found, CategoryType):
        name = found.values[0]
        return f'compare on both sides: `x == "a" or x == "{name}"`, or write `x in ["a", "{name}"]`'
    return "compare it with something, e.g. `x >= 12`"


def number(types: Types, index: int, hint: str | None = None) -> NumberType:
    """The type of a numerical argument."""
    found = types[index]
    if not isinstance(found, NumberType):
        raise Mismatch(index, "UNC203", describe(found), "a number", hint or _number_hint(found))
    return found


def _number_hint(found: Type) -> str | None:
    match found:
        case BooleanType():
            return "use `if ... then ... else ...` to turn true or false into numbers"
        case DateType():
            return "use days_between or years_between to turn dates into numbers"
        case _:
            return "use a table and lookup to turn a category into a number"


def date(types: Types, index: int) -> None:
    """Refuse what is not a date."""
    if not isinstance(types[index], DateType):
        raise Mismatch(index, "UNC203", describe(types[index]), "a date", "write a date as 2026-03-31")


# Units ---------------------------------------------------------------------------------------------------------------


def is_percent(unit: Unit) -> bool:
    """Whether numbers of this unit are percentages."""
    return unit.dimension == () and unit.scale == PERCENT.scale


def fitted(first: NumberType, second: NumberType, index: int) -> NumberType:
    """The type of two like numbers together: the first, unless it is a ratio.

    A ratio fits plain numbers and percentages, which do not fit each other.
    """
    one, other = first.unit, second.unit
    if one.dimension != other.dimension:
        raise Mismatch(index, "UNC204", describe(second), describe(first), _unit_hint(one, other))
    if one.dimension != () or is_percent(one) == is_percent(other) or RATIO in (one, other):
        return second if one == RATIO else first
    raise Mismatch(index, "UNC204", describe(second), describe(first), "write a percentage with its sign, e.g. 75%")


def like_numbers(types: Types, start: int = 0, step: int = 1) -> NumberType:
    """The type of several like numbers together."""
    together = number(types, start)
    for index in range(start + step, len(types), step):
        together = fitted(together, number(types, index), index)
    return together


def _unit_hint(one: Unit, other: Unit) -> str | None:
    dimensions = {one.dimension, other.dimension}
    if dimensions == {CALENDAR, CLOCK}:
        return "years and months have no fixed number of days: use one kind of unit, or count with dates"
    if () in dimensions and PERCENT.scale in {unit.scale for unit in (one, other) if unit.dimension == ()}:
        return "a share of an amount is a product, as in `10% * x`"
    if () in dimensions:
        return f"write the unit, e.g. 12 {one.symbol or other.symbol}"
    names = [dict(dimension) for dimension in (one.dimension, other.dimension)]
    if _per_time(names[0], names[1]) or _per_time(names[1], names[0]):
        return "one is an amount, the other an amount per time: multiply or divide by a duration"
    if _is_currency(one.dimension) and _is_currency(other.dimension):
        return "currencies are not converted: multiply by an exchange rate with its unit"
    return None


def _per_time(amount: dict[str, int], rate: dict[str, int]) -> bool:
    """Whether the second is the first per time."""
    times = {"calendar", "clock"}
    return not times & set(amount) and any(amount | {name: -1} == rate for name in times)


def _is_currency(dimension: Dimension) -> bool:
    """Currencies have a dimension of their own, named by the code in capitals."""
    return len(dimension) == 1 and dimension[0][0].isupper() and dimension[0][1] == 1


def _added(one: Dimension, other: Dimension, sign: int) -> Dimension:
    exponents = dict(one)
    for name, exponent in other:
        exponents[name] = exponents.get(name, 0) + sign * exponent
    return tuple(sorted((name, exponent) for name, exponent in exponents.items() if exponent))


def product_type(first: NumberType, second: NumberType) -> NumberType:
    """The type of a product: a share of something has its unit; otherwise the dimensions add up."""
    one, other = first.unit, second.unit
    if one.dimension == () and other.dimension == ():
        return _dimensionless_product(first, second)
    if one.dimension == () or other.dimension == ():
        return second if one.dimension == () else first
    dimension = _added(one.dimension, other.dimension, 1)
    if _cancels(one.dimension, dimension) or _cancels(other.dimension, dimension):
        return NumberType(base_unit(dimension))
    return NumberType(Unit(dimension, one.scale * other.scale, f"{_part(one)}·{_part(other)}"))


def _dimensionless_product(first: NumberType, second: NumberType) -> NumberType:
    """A plain number times a percentage is a ratio, since it may be meant either way."""
    if RATIO in (first.unit, second.unit):
        return second if first.unit == RATIO else first
    return first if is_percent(first.unit) == is_percent(second.unit) else NumberType(RATIO)


def quotient_type(first: NumberType, second: NumberType) -> NumberType:
    """The type of a quotient: of like quantities a ratio, otherwise the dimensions subtract."""
    one, other = first.unit, second.unit
    if one.dimension == other.dimension:
        return NumberType(RATIO)
    if other.dimension == ():
        return first
    dimension = _added(one.dimension, other.dimension, -1)
    if _cancels(one.dimension, dimension):
        return NumberType(base_unit(dimension))
    above = _part(one) if one.symbol and one.dimension else "1"
    return NumberType(Unit(dimension, one.scale / other.scale, f"{above} per {_singular(_part(other))}"))


def _cancels(before: Dimension, after: Dimension) -> bool:
    """Whether a base dimension is gone."""
    return not {name for name, _ in before} <= {name for name, _ in after}


def _part(unit: Unit) -> str:
    return f"({unit.symbol})" if " per " in unit.symbol else unit.symbol


def _singular(symbol: str) -> str:
    return {
        "years": "year",
        "months": "month",
        "days": "day",
        "hours": "hour",
        "minutes": "minute",
        "weeks": "week",
        "seconds": "second",
    }.get(symbol, symbol)


def base_unit(dimension: Dimension) -> Unit:
    """The base unit of a dimension, with a symbol made of those of its parts."""
    if not dimension:
        return RATIO
    above = "·".join(_power(name, exponent) for name, exponent in dimension if exponent > 0) or "1"
    below = [_singular(_power(name, -exponent)) for name, exponent in dimension if exponent < 0]
    return Unit(dimension, Fraction(1), " per ".join([above, *below]))


def _power(name: str, exponent: int) -> str:
    symbol = _BASE_SYMBOLS.get(name, name.removeprefix("unit:"))
    return symbol if exponent == 1 else f"{symbol}^{exponent}"


# Any type ------------------------------------------------------------------------------------------------------------


def alike(first: Type, second: Type, index: int) -> Type:
    """The type of two values that can be compared, or that two branches can give."""
    match first, second:
        case NumberType(), NumberType():
            return fitted(first, second, index)
        case (BooleanType(), BooleanType()) | (DateType(), DateType()):
            return first
        case CategoryType(), CategoryType():
            return _alike_categories(first, second, index)
        case _:
            raise Mismatch(index, "UNC203", describe(second), describe(first), _kind_hint(first, second))


def alike_branches(first: Type, second: Type, index: int) -> Type:
    """The type of a value that is one or the other: two categories give a category of the names of both."""
    if isinstance(first, CategoryType) and isinstance(second, CategoryType):
        return CategoryType(first.values + tuple(name for name in second.values if name not in first.values))
    return alike(first, second, index)


def _alike_categories(first: CategoryType, second: CategoryType, index: int) -> CategoryType:
    """One must hold all names of the other: a literal is a category of one name."""
    if set(second.values) <= set(first.values):
        return first
    if set(first.values) <= set(second.values):
        return second
    expected = f"one of {_listed(first.values)}"
    raise Mismatch(index, "UNC206", describe(second), expected, _name_hint(first, second))


def _name_hint(first: CategoryType, second: CategoryType) -> str:
    """The known name that is nearest to an unknown one."""
    unknown = next(name for name in second.values if name not in first.values)
    folded = {name.casefold(): name for name in first.values}
    close = get_close_matches(unknown.casefold(), folded, n=1) if len(unknown) <= 60 else []
    if close:
        return f'did you mean "{folded[close[0]]}"? Names are compared letter by letter'
    return "names of categories are compared letter by letter"


def _kind_hint(first: Type, second: Type) -> str | None:
    kinds = {type(first), type(second)}
    if BooleanType in kinds:
        return "a yes/no value stands alone: write `x` or `not x`"
    if kinds == {DateType, CategoryType}:
        return "write a date without quotes, as in 2026-03-31"
    if kinds == {CategoryType, NumberType}:
        return "a text in quotes is the name of a category; write a number without quotes"
    if kinds == {DateType, NumberType}:
        return "compare a date with a date, or use years_between, days_between or add_months"
    return None


PLAIN_NUMBER = NumberType(PLAIN)
