"""+ - * negate abs min max sum; a date moves by + and - of whole days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import reduce
from types import ModuleType

from unco.solver.any_term import choose
from unco.solver.day_terms import day_number, day_of_number, not_after, year_bounds
from unco.solver.number_terms import at_most, difference, floor_of, is_whole, negative, product, total
from unco.solver.operators import fitting
from unco.solver.operators.operator import (
    Example,
    Mismatch,
    Number,
    Operator,
    Options,
    Phrase,
    Terms,
    Types,
    Undefined,
    Values,
    canonical,
)
from unco.solver.operators.wording import about_dates, grouped, listing, operand
from unco.solver.terms import Day, Num, Term, Truth, conjunction
from unco.specs.values import DATE, DateType, NumberType, Type, Value

DAY = 86_400
"""Seconds, the base of clock durations, in a day."""
LAST_DAY = 3_652_059
"""The day number of 9999-12-31."""


# Signatures ----------------------------------------------------------------------------------------------------------


def _plus_signature(types: Types, options: Options) -> Type:
    return _shift_or_like(types, options, "+")


def _minus_signature(types: Types, options: Options) -> Type:
    return _shift_or_like(types, options, "-")


def _shift_or_like(types: Types, options: Options, sign: str) -> Type:
    """Like numbers, or a date and a number of days."""
    fitting.no_options(options)
    fitting.count(types, 2, each="side")
    if isinstance(types[0], DateType):
        return _shifted_date(types[1], sign)
    if isinstance(types[1], DateType):
        hint = "write the date first" if sign == "+" and isinstance(types[0], NumberType) else None
        raise Mismatch(1, "UNC203", fitting.describe(types[1]), fitting.describe(types[0]), hint)
    return fitting.like_numbers(types)


def _shifted_date(by: Type, sign: str) -> Type:
    if isinstance(by, DateType):
        hint = "use days_between(earlier, later)" if sign == "-" else "two dates cannot be added"
        raise Mismatch(1, "UNC203", fitting.describe(by), "a number of days", hint)
    if not isinstance(by, NumberType):
        raise Mismatch(1, "UNC203", fitting.describe(by), "a number of days", None)
    if by.unit.dimension == fitting.CALENDAR:
        raise Mismatch(1, "UNC204", fitting.describe(by), "a number of days", "use add_months(date, months)")
    if by.unit.dimension != fitting.CLOCK:
        raise Mismatch(1, "UNC204", fitting.describe(by), "a number of days", "write the unit, e.g. 14 days")
    return DATE


def two_numbers(types: Types, options: Options) -> tuple[NumberType, NumberType]:
    """The types of exactly two numbers."""
    fitting.no_options(options)
    fitting.count(types, 2, each="side")
    return fitting.number(types, 0), fitting.number(types, 1)


def _times_signature(types: Types, options: Options) -> Type:
    return fitting.product_type(*two_numbers(types, options))


def _one_number(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 1)
    return fitting.number(types, 0)


def _several_numbers(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 2, -1)
    return fitting.like_numbers(types)


def _extreme_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 2, -1)
    if not isinstance(types[0], DateType):
        return fitting.like_numbers(types)
    for index in range(1, len(types)):
        fitting.date(types, index)
    return DATE


# Values --------------------------------------------------------------------------------------------------------------


def _shift(day: date, seconds: Number) -> date:
    days = Fraction(seconds) / DAY
    if days.denominator != 1:
        raise Undefined("a date moves by whole days only")
    try:
        return day + timedelta(days=int(days))
    except OverflowError:
        raise Undefined("the date falls outside the years 1 to 9999") from None


def _plus(values: Values, options: Options) -> Value:
    left, right = values
    return _shift(left, right) if isinstance(left, date) else canonical(left + right)


def _minus(values: Values, options: Options) -> Value:
    left, right = values
    return _shift(left, -right) if isinstance(left, date) else canonical(left - right)


# Terms ---------------------------------------------------------------------------------------------------------------


def _whole_days(seconds: Num) -> Num:
    return product(seconds, Num(1, DAY))


def _years_after(years: tuple[int, int], days: int) -> tuple[int, int]:
    """Bounds of the year some days later, or earlier: a year has 365 or 366 days."""
    passed = days // 365, days // 366
    return years[0] + min(passed) - 1, years[1] + max(passed) + 1


def _moved(z3: ModuleType, day: Day, seconds: Num) -> Day:
    days = floor_of(_whole_days(seconds))
    years = year_bounds(day)
    if years is not None:
        years = _years_after(years, days) if isinstance(days, int) else None
    return day_of_number(z3, day_number(z3, day) + days, years)


def _plus_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    left, right = terms
    return _moved(z3, left, right) if isinstance(left, Day) else total(left, right)


def _minus_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    left, right = terms
    return _moved(z3, left, negative(right)) if isinstance(left, Day) else difference(left, right)


def _plus_defined(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    left, right = terms
    if not isinstance(left, Day):
        return True
    days = _whole_days(right)
    number = day_number(z3, left) + floor_of(days)
    return conjunction(z3, (is_whole(days), number >= 1, number <= LAST_DAY))


def _minus_defined(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    left, right = terms
    return _plus_defined(z3, (left, negative(right)), options) if isinstance(left, Day) else True


def _abs_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return choose(z3, terms[0].numerator < 0, negative(terms[0]), terms[0])


def _lesser(z3: ModuleType, left: Term, right: Term) -> Term:
    if isinstance(left, Day):
        return choose(z3, not_after(z3, left, right), left, right)  # type: ignore[arg-type]
    return choose(z3, at_most(left, right), left, right)  # type: ignore[arg-type]


def _greater(z3: ModuleType, left: Term, right: Term) -> Term:
    if isinstance(left, Day):
        return choose(z3, not_after(z3, left, right), right, left)  # type: ignore[arg-type]
    return choose(z3, at_most(left, right), right, left)  # type: ignore[arg-type]


def _min_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return reduce(lambda left, right: _lesser(z3, left, right), terms)


def _max_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return reduce(lambda left, right: _greater(z3, left, right), terms)


# Wording -------------------------------------------------------------------------------------------------------------


def infix(sign: str) -> Phrase:
    """The arguments with a sign between them."""

    def phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
        parts = (operand(argument, sign, first=place == 0) for place, argument in enumerate(arguments))
        return f" {sign} ".join(parts)

    return phrase


def _extreme_phrase(words: tuple[str, str, str, str]) -> Phrase:
    """Words for two numbers, several numbers, two dates, several dates."""

    def phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
        word = words[2 * about_dates(types) + (len(arguments) > 2)]
        return f"the {word} of {listing(arguments, 'and')}"

    return phrase


ROWS = (
    Operator(
        name="+",
        signature=_plus_signature,
        apply=_plus,
        encode=_plus_term,
        phrase=infix("+"),
        examples=(
            Example((Fraction(1, 8), Fraction(1, 8)), Fraction(1, 4)),
            Example((Fraction(1, 2), Fraction(1, 2)), 1),
            Example((date(2024, 2, 28), DAY), date(2024, 2, 29)),
            Example((date(9999, 12, 30), DAY), date(9999, 12, 31)),
            Example((date(9999, 12, 31), DAY), None),
            Example((date(2024, 2, 28), DAY // 2), None),
        ),
        defined=_plus_defined,
    ),
    Operator(
        name="-",
        signature=_minus_signature,
        apply=_minus,
        encode=_minus_term,
        phrase=infix("−"),
        examples=(
            Example((1, Fraction(3, 2)), Fraction(-1, 2)),
            Example((10**30, 10**30 + 1), -1),
            Example((date(2023, 3, 1), DAY), date(2023, 2, 28)),
            Example((date(1, 1, 2), DAY), date(1, 1, 1)),
            Example((date(1, 1, 1), DAY), None),
        ),
        defined=_minus_defined,
    ),
    Operator(
        name="*",
        signature=_times_signature,
        apply=lambda values, options: canonical(values[0] * values[1]),
        encode=lambda z3, terms, options: product(terms[0], terms[1]),
        phrase=infix("×"),
        examples=(Example((-3, Fraction(1, 3)), -1), Example((0, 5), 0), Example((-2, -2), 4)),
    ),
    Operator(
        name="negate",
        signature=_one_number,
        apply=lambda values, options: -values[0],
        encode=lambda z3, terms, options: negative(terms[0]),
        phrase=lambda arguments, options=(), types=(): f"minus {grouped(arguments[0])}",
        examples=(Example((0,), 0), Example((Fraction(-1, 2),), Fraction(1, 2))),
    ),
    Operator(
        name="abs",
        signature=_one_number,
        apply=lambda values, options: abs(values[0]),
        encode=_abs_term,
        phrase=lambda arguments, options=(), types=(): f"the absolute value of {grouped(arguments[0])}",
        examples=(Example((0,), 0), Example((-1,), 1), Example((Fraction(-1, 2),), Fraction(1, 2))),
    ),
    Operator(
        name="min",
        signature=_extreme_signature,
        apply=lambda values, options: min(values),
        encode=_min_term,
        phrase=_extreme_phrase(("smaller", "smallest", "earlier", "earliest")),
        examples=(Example((2, -3, 2), -3), Example((date(2024, 2, 29), date(2024, 3, 1)), date(2024, 2, 29))),
    ),
    Operator(
        name="max",
        signature=_extreme_signature,
        apply=lambda values, options: max(values),
        encode=_max_term,
        phrase=_extreme_phrase(("larger", "largest", "later", "latest")),
        examples=(Example((2, -3, 2), 2), Example((date(2024, 2, 29), date(2024, 3, 1)), date(2024, 3, 1))),
    ),
    Operator(
        name="sum",
        signature=_several_numbers,
        apply=lambda values, options: canonical(sum(values)),
        encode=lambda z3, terms, options: reduce(total, terms),
        phrase=lambda arguments, options=(), types=(): f"the sum of {listing(arguments, 'and')}",
        examples=(Example((1, 2, -3), 0), Example((Fraction(1, 3), Fraction(2, 3)), 1)),
    ),
)
