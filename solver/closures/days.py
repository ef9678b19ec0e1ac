"""Days as numbers: moved by days and months, counted in months and years."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date
from fractions import Fraction

from unco.solver.closures.parts import Frame, Number, ReadNumber, Row, Sum
from unco.solver.closures.sums import bounds, exactly, made_of, plus, times
from unco.solver.operators.operator import Undefined

DAY = 86_400
FIRST, LAST = date.min.toordinal(), date.max.toordinal()


def moved(day: Sum, seconds: Sum, sign: int, frame: Frame) -> Sum:
    """A day some seconds later, or earlier, which must be whole days; a sum where it always is one of the calendar."""
    days = plus(day, times(seconds, Fraction(1, DAY)), sign)
    if _is_always_a_day(days, frame):
        return days
    read = exactly(days)

    def checked(row: Row) -> Number:
        number = read(row)
        if not isinstance(number, int):
            raise Undefined("a date moves by whole days only")
        return _of_the_calendar(number)

    return made_of(checked, 1, (days,), total=False)


def _is_always_a_day(days: Sum, frame: Frame) -> bool:
    ends = bounds(days, frame)
    whole = all(factor.denominator == 1 for factor in (days.constant, *(factor for _, factor in days.places)))
    return ends is not None and whole and ends[0] >= FIRST and ends[1] <= LAST


def _of_the_calendar(number: int) -> int:
    if not FIRST <= number <= LAST:
        raise Undefined("the date falls outside the years 1 to 9999")
    return number


def add_months(day: Sum, months: Sum, mode: str) -> Sum:
    """The day some months later; in a month that is too short, its last day, or with `up` the first of the next."""
    start, count = exactly(day), exactly(months)

    def read(row: Row) -> Number:
        number = count(row)
        if not isinstance(number, int):
            raise Undefined("a date moves by whole months only")
        return _months_on(date.fromordinal(int(start(row))), number, mode)

    return made_of(read, 1, (day, months), total=False)


def _months_on(day: date, months: int, mode: str) -> int:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if date.min.year <= year <= date.max.year:
        last = monthrange(year, month + 1)[1]
        if day.day <= last:
            return date(year, month + 1, day.day).toordinal()
        number = date(year, month + 1, last).toordinal()
        return number if mode == "down" else _of_the_calendar(number + 1)
    raise Undefined("the date falls outside the years 1 to 9999")


def counted(start: Sum, end: Sum, step: int, mode: str) -> Sum:
    """The months from one day to another in completed steps of so many months."""
    first, second = exactly(start), exactly(end)

    def read(row: Row) -> Number:
        one, other = date.fromordinal(int(first(row))), date.fromordinal(int(second(row)))
        months = (other.year - one.year) * 12 + other.month - one.month
        reached = one.day <= other.day or (mode == "down" and other.day == monthrange(other.year, other.month)[1])
        return (months if reached else months - 1) // step * step

    return made_of(read, 1, (start, end))


def month_start(day: Sum) -> Sum:
    """The first day of the month."""
    return _in_month(day, lambda each: each.replace(day=1))


def month_end(day: Sum) -> Sum:
    """The last day of the month."""
    return _in_month(day, lambda each: each.replace(day=monthrange(each.year, each.month)[1]))


def _in_month(day: Sum, of: Callable[[date], date]) -> Sum:
    read: ReadNumber = exactly(day)
    return made_of(lambda row: of(date.fromordinal(int(read(row)))).toordinal(), 1, (day,))
