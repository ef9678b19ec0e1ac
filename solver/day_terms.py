"""Dates as terms: year, month and day; the day number is derived from them.

Order is compared part by part, which the solver finds much easier than one key. Where the year is bounded, as that of
every cell is, centuries and leap years need no division but one by four.
"""

from __future__ import annotations

from types import ModuleType

from unco.solver.terms import (
    Day,
    Truth,
    Whole,
    choose_whole,
    conjunction,
    disjunction,
    floor_div,
    floor_mod,
    negation,
    plus,
)

_MOST_YEARS = 120
"""More years than this are left to divisions."""
_MOST_STEPS = 12
"""More centuries than this are left to a division."""
_OFFSET = 365
"""Year 0 has 366 days; day 1 is the first of year 1."""
_DAYS_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def year_bounds(day: Day) -> tuple[int, int] | None:
    """The least and greatest year, where they are known."""
    return (day.year, day.year) if isinstance(day.year, int) else day.years


def _multiples(z3: ModuleType, year: Whole, of: int, years: tuple[int, int] | None) -> Whole:
    """The floor of year / of."""
    if isinstance(year, int) or years is None or years[1] // of - years[0] // of > _MOST_STEPS:
        return floor_div(year, of)
    passed: Whole = years[0] // of
    for multiple in range(years[0] // of + 1, years[1] // of + 1):
        passed = plus(passed, choose_whole(z3, year >= multiple * of, 1, 0))
    return passed


def leap(z3: ModuleType, year: Whole, years: tuple[int, int] | None) -> Truth:
    """Whether the year has a 29 February."""
    fourth: Truth = floor_mod(year, 4) == 0
    if isinstance(year, int) or years is None or years[1] // 100 - years[0] // 100 > _MOST_STEPS:
        by_100, by_400 = floor_mod(year, 100) == 0, floor_mod(year, 400) == 0
        return conjunction(z3, (fourth, disjunction(z3, (negation(z3, by_100), by_400))))
    centuries = [100 * century for century in range(years[0] // 100, years[1] // 100 + 1) if century % 4]
    return conjunction(z3, (fourth, *(year != century for century in centuries)))


def month_length(z3: ModuleType, year: Whole, month: Whole, years: tuple[int, int] | None) -> Whole:
    """The number of days of the month."""
    short = disjunction(z3, (month == 4, month == 6, month == 9, month == 11))
    if isinstance(month, int) and month != 2:
        return 30 if short else 31
    february = choose_whole(z3, leap(z3, year, years), 29, 28)
    return choose_whole(z3, month == 2, february, choose_whole(z3, short, 30, 31))


def day_number(z3: ModuleType, day: Day) -> Whole:
    """The number of the day: 0001-01-01 is 1."""
    if day.number is not None:
        return day.number
    years = year_bounds(day)
    leaps = floor_div(day.year, 4) - _multiples(z3, day.year, 100, years) + _multiples(z3, day.year, 400, years)
    early = conjunction(z3, (day.month <= 2, leap(z3, day.year, years)))
    return 365 * day.year + leaps - choose_whole(z3, early, 1, 0) + _days_before(z3, day.month) + day.day - _OFFSET


def _days_before(z3: ModuleType, month: Whole) -> Whole:
    """The days of a common year before the month."""
    if isinstance(month, int) and 1 <= month <= 12:
        return _DAYS_BEFORE[month - 1]
    days: Whole = 0
    for number in range(1, 12):
        length = _DAYS_BEFORE[number] - _DAYS_BEFORE[number - 1]
        days = plus(days, choose_whole(z3, month > number, length, 0))
    return days


def day_of_number(z3: ModuleType, number: Whole, years: tuple[int, int] | None = None) -> Day:
    """The date with this day number; `years` bounds its year, where that is known."""
    if isinstance(number, int) or years is None or years[1] - years[0] > _MOST_YEARS:
        return _divided(z3, number)
    return _counted(z3, number, years)


def _counted(z3: ModuleType, number: Whole, years: tuple[int, int]) -> Day:
    """By counting the years and the months that have begun: nothing but comparisons."""
    year: Whole = years[0]
    start: Whole = _first_day(z3, years[0])
    for later in range(years[0] + 1, years[1] + 1):
        begun = number >= _first_day(z3, later)
        year = plus(year, choose_whole(z3, begun, 1, 0))
        start = choose_whole(z3, begun, _first_day(z3, later), start)
    leap_day = choose_whole(z3, leap(z3, year, years), 1, 0)
    in_year = number - start
    month: Whole = 1
    month_start: Whole = 0
    for later in range(2, 13):
        first = _DAYS_BEFORE[later - 1] + (leap_day if later > 2 else 0)
        begun = in_year >= first
        month = plus(month, choose_whole(z3, begun, 1, 0))
        month_start = choose_whole(z3, begun, first, month_start)
    return Day(year, month, in_year - month_start + 1, years, number)


def _first_day(z3: ModuleType, year: int) -> int:
    """The day number of the first of January."""
    return int(day_number(z3, Day(year, 1, 1)))


def _divided(z3: ModuleType, number: Whole) -> Day:
    """By centuries, years and months from March, so that a leap day comes last."""
    since_march = number + 305
    century = floor_div(4 * since_march + 3, 146_097)
    in_century = since_march - floor_div(146_097 * century, 4)
    year = floor_div(4 * in_century + 3, 1461)
    in_year = in_century - floor_div(1461 * year, 4)
    month = floor_div(5 * in_year + 2, 153)
    early = month >= 10
    return Day(
        year=100 * century + year + choose_whole(z3, early, 1, 0),
        month=month + choose_whole(z3, early, -9, 3),
        day=in_year - floor_div(153 * month + 2, 5) + 1,
        number=number,
    )


def before(z3: ModuleType, left: Day, right: Day) -> Truth:
    """left < right."""
    if left.number is not None or right.number is not None:
        return day_number(z3, left) < day_number(z3, right)
    in_month = conjunction(z3, (left.month == right.month, left.day < right.day))
    in_year = conjunction(z3, (left.year == right.year, disjunction(z3, (left.month < right.month, in_month))))
    return disjunction(z3, (left.year < right.year, in_year))


def not_after(z3: ModuleType, left: Day, right: Day) -> Truth:
    """left <= right."""
    return negation(z3, before(z3, right, left))


def same_day(z3: ModuleType, left: Day, right: Day) -> Truth:
    """left == right."""
    if left.number is not None or right.number is not None:
        return day_number(z3, left) == day_number(z3, right)
    return conjunction(z3, (left.year == right.year, left.month == right.month, left.day == right.day))


def choose_day(z3: ModuleType, condition: Truth, then: Day, otherwise: Day) -> Day:
    """One of two dates."""
    counted = then.number is not None or otherwise.number is not None
    bounds = [year_bounds(then), year_bounds(otherwise)]
    known = [pair for pair in bounds if pair is not None]
    return Day(
        choose_whole(z3, condition, then.year, otherwise.year),
        choose_whole(z3, condition, then.month, otherwise.month),
        choose_whole(z3, condition, then.day, otherwise.day),
        (min(known)[0], max(pair[1] for pair in known)) if len(known) == 2 else None,
        choose_whole(z3, condition, day_number(z3, then), day_number(z3, otherwise)) if counted else None,
    )
