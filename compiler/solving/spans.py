"""Values that are known more or less: numbers and days between two ends, exact where the ends meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from fractions import Fraction
from itertools import product as product_of
from operator import mul
from typing import NamedTuple

from unco.compiler.solving.amounts import DAY, Amount
from unco.compiler.solving.units import Dimension, times
from unco.compiler.solving.unreadable import Unreadable

MOST_VAGUE = 6
"""So many weights of a mean may be vague; of more, little is made."""
DAY_LENGTH = 86_400
"""Seconds."""
TIME: Dimension = (("time", 1),)
CALENDAR: Dimension = (("calendar", 1),)


class Span(NamedTuple):
    """All numbers from the low end to the high one; an end of None is not known. So is a dimension of None."""

    low: Fraction | None
    high: Fraction | None
    dimension: Dimension | None
    only: tuple[Fraction, ...] = ()
    """The few numbers that it may be, where a text lists them."""

    @property
    def exact(self) -> Fraction | None:
        """The number, where there is one alone."""
        return self.low if self.low is not None and self.low == self.high else None

    @property
    def ends(self) -> tuple[Fraction, Fraction] | None:
        """Both ends, where they are known and apart."""
        return None if self.low is None or self.high is None or self.low == self.high else (self.low, self.high)


ANYTHING = Span(None, None, None)
NOT_BELOW_ZERO = Span(Fraction(0), None, None)


def exactly(amount: Amount) -> Span:
    """The one number."""
    return Span(amount.number, amount.number, amount.dimension)


def alike(*spans: Span) -> Dimension | None:
    """The dimension that all have; Unreadable where they have several: what cannot be compared was not understood."""
    found = {each.dimension for each in spans if each.dimension is not None}
    if len(found) > 1:
        raise Unreadable("different measures are compared or added", str(sorted(found)))
    return next(iter(found), None)


def plus(one: Span, other: Span) -> Span:
    """The sum; of a day and a time, a day."""
    if one.dimension == DAY and other.dimension == TIME:
        other = product(other, Span(Fraction(1, DAY_LENGTH), Fraction(1, DAY_LENGTH), ()))._replace(dimension=DAY)
    return Span(_both(one.low, other.low), _both(one.high, other.high), alike(one, other))


def minus(one: Span, other: Span) -> Span:
    """The difference."""
    return plus(one, negated(other))


def negated(one: Span) -> Span:
    """The number below zero that is as far from it."""
    return Span(None if one.high is None else -one.high, None if one.low is None else -one.low, one.dimension)


def _both(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one + other


def product(one: Span, other: Span) -> Span:
    """The product; with an end that is not known, only of numbers that are not below zero."""
    dimension = None if one.dimension is None or other.dimension is None else times(one.dimension, other.dimension)
    ends = (one.low, one.high, other.low, other.high)
    if None not in ends:
        found = [a * b for a in one[:2] for b in other[:2]]  # type: ignore[operator]
        return Span(min(found), max(found), dimension)
    if one.low is not None and other.low is not None and one.low >= 0 and other.low >= 0:
        return Span(one.low * other.low, None, dimension)
    return Span(None, None, dimension)


def quotient(one: Span, other: Span) -> Span:
    """The quotient; nothing is known of it where the divisor may be zero."""
    if other.exact == 0:
        raise Unreadable("a number is divided by zero", f"{one.low} ÷ {other.low}")
    below = None if other.dimension is None else times((), other.dimension, -1)
    if other.high is not None and other.high < 0:
        return quotient(negated(one), negated(other))
    if other.low is None or other.low < 0:
        return product(one, Span(None, None, below))
    low = Fraction(0) if other.high is None else 1 / other.high
    return product(one, Span(low, 1 / other.low if other.low else None, below))


def absolute(one: Span) -> Span:
    """How far from zero."""
    if one.low is not None and one.low >= 0:
        return one
    if one.high is not None and one.high <= 0:
        return negated(one)
    far = None if one.low is None or one.high is None else max(-one.low, one.high)
    return Span(Fraction(0), far, one.dimension)


def change(old: Span, new: Span) -> Span:
    """The percentage change, as a part of the old number."""
    alike(old, new)
    return minus(quotient(new, old), Span(Fraction(1), Fraction(1), ()))


def least(spans: Sequence[Span]) -> Span:
    """The smallest of them."""
    lows = [each.low for each in spans]
    highs = [each.high for each in spans if each.high is not None]
    low = None if None in lows else min(each for each in lows if each is not None)
    return Span(low, min(highs, default=None), alike(*spans))


def most(spans: Sequence[Span]) -> Span:
    """The largest of them."""
    return negated(least([negated(each) for each in spans]))


def hull(spans: Iterable[Span]) -> Span:
    """From the lowest end to the highest."""
    found = list(spans)
    return Span(least(found).low, most(found).high, alike(*found))


def one_of(spans: Sequence[Span]) -> Span:
    """From the lowest to the highest of listed numbers, and nothing between them."""
    whole = hull(spans)
    numbers = [each.exact for each in spans if each.exact is not None]
    return whole._replace(only=tuple(sorted(set(numbers)))) if len(numbers) == len(spans) > 1 else whole


def parted(one: Span) -> tuple[Span, ...]:
    """Smaller spans that hold all its numbers; nothing where there are none."""
    if one.ends is None:
        return ()
    if one.only:
        return tuple(Span(each, each, one.dimension) for each in one.only)
    low, high = one.ends
    if one.dimension == DAY:
        middle = Fraction((low + high) // 2)
        return Span(low, middle, DAY), Span(middle + 1, high, DAY)
    middle = (low + high) / 2
    return Span(low, middle, one.dimension), Span(middle, high, one.dimension)


def width(one: Span) -> Fraction:
    """How far its ends lie apart, beside the larger of them; zero where it cannot be parted."""
    if one.ends is None:
        return Fraction(0)
    low, high = one.ends
    return (high - low) / max(abs(low), abs(high))


def mean(pairs: Sequence[tuple[Span, Span]]) -> Span:
    """The mean, each value with its weight; no more than "between the values" where little is known of the weights.

    If every weight but one is held, the mean goes one way as that one grows: so its ends are where weights have ends.
    """
    values, weights = [value for value, _ in pairs], [weight for _, weight in pairs]
    alike(*weights)
    dimension = alike(*values)
    if all(each.exact == 0 for each in weights):
        raise Unreadable("the weights of a mean are all zero", str(weights))
    lows = [each.low for each in weights if each.low is not None and each.low >= 0]
    if len(lows) < len(weights):
        return Span(None, None, dimension)
    ends = [{low, each.high} for low, each in zip(lows, weights, strict=True) if each.high is not None]
    if len(ends) < len(weights) or not sum(lows) or sum(len(each) > 1 for each in ends) > MOST_VAGUE:
        return hull(values)
    corners = list(product_of(*map(sorted, ends)))
    return Span(
        _end_of_mean(min, [each.low for each in values], corners),
        _end_of_mean(max, [each.high for each in values], corners),
        dimension,
    )


def _end_of_mean(
    of: Callable[[Iterable[Fraction]], Fraction],
    values: Sequence[Fraction | None],
    corners: Sequence[Sequence[Fraction]],
) -> Fraction | None:
    found = [each for each in values if each is not None]
    if len(found) < len(values):
        return None
    return of(sum(map(mul, found, weights), Fraction(0)) / sum(weights) for weights in corners)


def sum_of(spans: Sequence[Span]) -> Span:
    """The sum of one or more."""
    found = spans[0]
    for each in spans[1:]:
        found = plus(found, each)
    return found


def rising(one: Span, by: Callable[[Fraction], Fraction], dimension: Dimension | None = None) -> Span:
    """What a function makes of a span that gives no smaller number for a larger one."""
    low, high = (None if end is None else by(end) for end in one[:2])
    return Span(low, high, one.dimension if dimension is None else dimension)


def as_day(one: Span) -> Span:
    """The span as days of the calendar, which have no zero."""
    if one.dimension not in (None, DAY):
        raise Unreadable("expected days of the calendar", str(one))
    return one if one.dimension else Span(None, None, DAY)


def days_between(start: Span, end: Span) -> Span:
    """The time from one day to another."""
    return rising(minus(as_day(end), as_day(start)), lambda days: days * DAY_LENGTH, TIME)


def completed(start: Span, end: Span, months: int, late: bool) -> Span:
    """How many whole months, or years of so many months, lie between two days."""
    start, end = as_day(start), as_day(end)
    low = None if start.high is None or end.low is None else _completed(start.high, end.low, months, late)
    high = None if start.low is None or end.high is None else _completed(start.low, end.high, months, late)
    return Span(low, high, CALENDAR)


def _completed(start: Fraction, end: Fraction, months: int, late: bool) -> Fraction:
    first, last = date.fromordinal(int(start)), date.fromordinal(int(end))
    apart = (last.year - first.year) * 12 + last.month - first.month
    whole = apart // months
    while later(start, Fraction(whole * months), late) > end:
        whole -= 1
    while later(start, Fraction((whole + 1) * months), late) <= end:
        whole += 1
    return Fraction(whole * months)


def later(start: Fraction, months: Fraction, late: bool) -> Fraction:
    """The day so many months after; where that month has no such day, its last one or the first of the next."""
    day = date.fromordinal(int(start))
    if months.denominator != 1:
        raise Unreadable("expected a whole number of months", str(months))
    year, month = divmod(day.year * 12 + day.month - 1 + int(months), 12)
    if not 1 <= year <= 9998:
        raise Unreadable("a day lies too far away", str(year))
    try:
        return Fraction(date(year, month + 1, day.day).toordinal())
    except ValueError:
        after = date(year + (month == 11), (month + 1) % 12 + 1, 1).toordinal()
        return Fraction(after if late else after - 1)


def month_start(day: Fraction) -> Fraction:
    """The first day of the month of a day."""
    return Fraction(date.fromordinal(int(day)).replace(day=1).toordinal())


def month_end(day: Fraction) -> Fraction:
    """The last day of the month of a day."""
    return later(month_start(day), Fraction(1), late=False) - 1
