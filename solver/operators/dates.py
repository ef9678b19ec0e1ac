"""days_between years_between months_between add_months month_start month_end.

Months are counted in the proleptic Gregorian calendar. Where the target month is too short, mode `down` (the default)
takes its last day and mode `up` the first day of the next month.
"""

from __future__ import annotations

from calendar import isleap
from collections.abc import Callable, Sequence
from datetime import MAXYEAR, MINYEAR, date
from fractions import Fraction
from types import ModuleType
from typing import TypeAlias

from unco.solver.day_terms import day_number, month_length, year_bounds
from unco.solver.number_terms import floor_of, is_whole
from unco.solver.operators import fitting
from unco.solver.operators.operator import (
    Example,
    Mismatch,
    Operator,
    Options,
    Terms,
    Types,
    Undefined,
    Values,
)
from unco.solver.operators.wording import grouped
from unco.solver.terms import Day, Num, Term, Truth, Whole, choose_whole, conjunction, disjunction, floor_div, floor_mod
from unco.specs.values import DATE, DAYS, MONTHS, YEARS, Type, Value

MODES = ("down", "up")
DAY = 86_400
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_Ymd: TypeAlias = tuple[int, int, int]


def mode_of(options: Options) -> str:
    """The option of these operators: `down` if left out."""
    return str(options[0]) if options else "down"


# Signatures ----------------------------------------------------------------------------------------------------------


def _options(options: Options) -> None:
    if len(options) > 1:
        raise Mismatch(None, "UNC202", f"{len(options)} options", "one mode, up or down")
    fitting.one_of(mode_of(options), MODES, "mode")


def _two_dates(types: Types) -> None:
    fitting.count(types, 2, each="date")
    fitting.date(types, 0)
    fitting.date(types, 1)


def _days_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    _two_dates(types)
    return DAYS


def _counted_in(unit: Type) -> Callable[[Types, Options], Type]:
    def signature(types: Types, options: Options) -> Type:
        _options(options)
        _two_dates(types)
        return unit

    return signature


def _add_signature(types: Types, options: Options) -> Type:
    _options(options)
    fitting.count(types, 2)
    fitting.date(types, 0)
    by = fitting.number(types, 1)
    if by.unit.dimension != fitting.CALENDAR:
        hint = "write date + 14 days" if by.unit.dimension == fitting.CLOCK else "write the unit, e.g. 3 months"
        raise Mismatch(1, "UNC204", fitting.describe(by), "a number of months or years", hint)
    return DATE


def _month_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 1, each="date")
    fitting.date(types, 0)
    return DATE


# Values --------------------------------------------------------------------------------------------------------------


def _last_day(year: int, month: int) -> int:
    return 29 if month == 2 and isleap(year) else _LENGTHS[month - 1]


def _moved(day: date, months: int, mode: str) -> _Ymd:
    """Year, month and day after some months, beyond the years 1 to 9999 too."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = _last_day(year, month + 1)
    if day.day <= last or mode == "down":
        return year, month + 1, min(day.day, last)
    year, month = divmod(year * 12 + month + 1, 12)
    return year, month + 1, 1


def _add_months(values: Values, options: Options) -> Value:
    day, months = values
    if not isinstance(months, int):
        raise Undefined("a date moves by whole months only")
    moved = _moved(day, months, mode_of(options))
    if not MINYEAR <= moved[0] <= MAXYEAR:
        raise Undefined("the date falls outside the years 1 to 9999")
    return date(*moved)


def _greatest(start: date, end: date, step: int, mode: str) -> int:
    """The greatest whole number of steps of `step` months from start that do not go past the end."""
    goal = (end.year, end.month, end.day)
    steps = ((end.year - start.year) * 12 + end.month - start.month) // step + 1
    while _moved(start, steps * step, mode) > goal:
        steps -= 1
    return steps


def _years(values: Values, options: Options) -> Value:
    return 12 * _greatest(values[0], values[1], 12, mode_of(options))


def _months(values: Values, options: Options) -> Value:
    return _greatest(values[0], values[1], 1, mode_of(options))


def _month_end(values: Values, options: Options) -> Value:
    day = values[0]
    return date(day.year, day.month, _last_day(day.year, day.month))


def _days(values: Values, options: Options) -> Value:
    start, end = values
    return int((end - start).days) * DAY


# Terms ---------------------------------------------------------------------------------------------------------------


def _moved_bounds(day: Day, months: Whole) -> tuple[int, int] | None:
    """The bounds of the year after a known number of months, an overflow into the next month included."""
    years = year_bounds(day)
    if years is None or not isinstance(months, int):
        return None
    return years[0] + months // 12, years[1] + months // 12 + 2


def _add_term(z3: ModuleType, terms: Terms, options: Options) -> Day:
    day, months = terms
    index = day.year * 12 + day.month - 1 + floor_of(months)
    years = _moved_bounds(day, floor_of(months))
    last = month_length(z3, floor_div(index, 12), floor_mod(index, 12) + 1, years)
    short: Truth = last < day.day
    if mode_of(options) == "down":
        return Day(floor_div(index, 12), floor_mod(index, 12) + 1, choose_whole(z3, short, last, day.day), years)
    index = index + choose_whole(z3, short, 1, 0)
    return Day(floor_div(index, 12), floor_mod(index, 12) + 1, choose_whole(z3, short, 1, day.day), years)


def _add_defined(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    year = _add_term(z3, terms, options).year
    return conjunction(z3, (is_whole(terms[1]), year >= MINYEAR, year <= MAXYEAR))


def _day_is_reached(z3: ModuleType, start: Day, end: Day, mode: str) -> Truth:
    """Whether the day of the month of `start` is reached by `end`, in the month of `end`."""
    reached: Truth = start.day <= end.day
    if mode == "up":
        return reached
    return disjunction(z3, (reached, end.day == month_length(z3, end.year, end.month, year_bounds(end))))


def _months_term(z3: ModuleType, terms: Terms, options: Options) -> Num:
    start, end = terms
    months = (end.year - start.year) * 12 + end.month - start.month
    return Num(months - choose_whole(z3, _day_is_reached(z3, start, end, mode_of(options)), 0, 1))


def _years_term(z3: ModuleType, terms: Terms, options: Options) -> Num:
    start, end = terms
    same_month = conjunction(z3, (start.month == end.month, _day_is_reached(z3, start, end, mode_of(options))))
    reached = disjunction(z3, (start.month < end.month, same_month))
    years: Whole = end.year - start.year - choose_whole(z3, reached, 0, 1)
    return Num(12 * years)


def _days_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return Num((day_number(z3, terms[1]) - day_number(z3, terms[0])) * DAY)


def _month_end_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    day = terms[0]
    years = year_bounds(day)
    return Day(day.year, day.month, month_length(z3, day.year, day.month, years), years)


# Wording -------------------------------------------------------------------------------------------------------------


_LEAP_WORDS = {
    "down": (
        "in a year without 29 February, 28 February counts",
        "in a month without the starting day, its last day counts",
        "or the last day of that month if it has no such day",
    ),
    "up": (
        "in a year without 29 February, 1 March counts",
        "in a month without the starting day, the first day of the next month counts",
        "or the first day of the next month if that month has no such day",
    ),
}
"""For years, for months, and for a day some months on."""


def _years_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    start, end = (grouped(argument) for argument in arguments)
    return f"the time from {start} to {end} in completed years ({_LEAP_WORDS[mode_of(options)][0]})"


def _months_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    start, end = (grouped(argument) for argument in arguments)
    return f"the time from {start} to {end} in completed months ({_LEAP_WORDS[mode_of(options)][1]})"


def _days_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    return f"the time from {grouped(arguments[0])} to {grouped(arguments[1])}"


def _add_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    return f"the day {grouped(arguments[1])} after {grouped(arguments[0])} ({_LEAP_WORDS[mode_of(options)][2]})"


_LEAP_DAY = date(2012, 2, 29)

ROWS = (
    Operator(
        name="days_between",
        signature=_days_signature,
        apply=_days,
        encode=_days_term,
        phrase=_days_phrase,
        examples=(
            Example((date(2024, 2, 28), date(2024, 3, 1)), 2 * DAY),
            Example((date(2023, 3, 1), date(2023, 2, 28)), -DAY),
            Example((date(1, 1, 1), date(9999, 12, 31)), 3_652_058 * DAY),
        ),
    ),
    Operator(
        name="years_between",
        signature=_counted_in(YEARS),
        apply=_years,
        encode=_years_term,
        phrase=_years_phrase,
        examples=(
            Example((_LEAP_DAY, date(2013, 2, 28)), 12, ("down",)),
            Example((_LEAP_DAY, date(2013, 2, 28)), 0, ("up",)),
            Example((_LEAP_DAY, date(2013, 3, 1)), 12, ("up",)),
            Example((_LEAP_DAY, date(2016, 2, 28)), 36, ("down",)),
            Example((date(2008, 8, 2), date(2026, 8, 1)), 17 * 12),
            Example((date(2008, 8, 1), date(2026, 8, 1)), 18 * 12),
            Example((date(2026, 8, 1), date(2026, 7, 31)), -12),
        ),
    ),
    Operator(
        name="months_between",
        signature=_counted_in(MONTHS),
        apply=_months,
        encode=_months_term,
        phrase=_months_phrase,
        examples=(
            Example((date(2012, 1, 31), date(2012, 2, 29)), 1, ("down",)),
            Example((date(2012, 1, 31), date(2012, 2, 29)), 0, ("up",)),
            Example((date(2012, 1, 31), date(2012, 3, 1)), 1, ("up",)),
            Example((date(2012, 3, 1), date(2012, 2, 29)), -1),
        ),
    ),
    Operator(
        name="add_months",
        signature=_add_signature,
        apply=_add_months,
        encode=_add_term,
        phrase=_add_phrase,
        examples=(
            Example((date(2018, 7, 31), -1), date(2018, 6, 30), ("down",)),
            Example((date(2018, 7, 31), -1), date(2018, 7, 1), ("up",)),
            Example((date(2012, 2, 29), 12), date(2013, 2, 28)),
            Example((date(2024, 12, 31), 2), date(2025, 2, 28)),
            Example((date(1, 2, 1), -1), date(1, 1, 1)),
            Example((date(9999, 11, 30), 1), date(9999, 12, 30)),
            Example((date(1, 1, 1), -1), None),
            Example((date(9999, 12, 1), 1), None),
            Example((date(2024, 1, 1), Fraction(1, 2)), None),
        ),
        defined=_add_defined,
    ),
    Operator(
        name="month_start",
        signature=_month_signature,
        apply=lambda values, options: values[0].replace(day=1),
        encode=lambda z3, terms, options: Day(terms[0].year, terms[0].month, 1, terms[0].years),
        phrase=lambda arguments, options=(), types=(): f"the first day of the month of {grouped(arguments[0])}",
        examples=(Example((date(2012, 2, 15),), date(2012, 2, 1)), Example((date(1, 1, 1),), date(1, 1, 1))),
    ),
    Operator(
        name="month_end",
        signature=_month_signature,
        apply=_month_end,
        encode=_month_end_term,
        phrase=lambda arguments, options=(), types=(): f"the last day of the month of {grouped(arguments[0])}",
        examples=(
            Example((date(2012, 2, 15),), date(2012, 2, 29)),
            Example((date(2013, 2, 15),), date(2013, 2, 28)),
            Example((date(1900, 2, 1),), date(1900, 2, 28)),
            Example((date(2000, 2, 1),), date(2000, 2, 29)),
        ),
    ),
)
