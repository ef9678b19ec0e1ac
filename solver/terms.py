"""Terms: what an expression becomes for the solver.

A number is an integer over a positive denominator, a date is year, month and day, a category is an index. Whatever is
known stays a Python int or bool, so that ground parts fold away and never reach the solver. `z3` is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import z3 as solver

Whole: TypeAlias = "int | solver.ArithRef"
"""An integer: known, or an integer term."""
Truth: TypeAlias = "bool | solver.BoolRef"
"""A Boolean: known, or a Boolean term."""


@dataclass(frozen=True, slots=True)
class Num:
    """An exact number in base units; the denominator is positive wherever the number is defined."""

    numerator: Whole
    denominator: Whole = 1


@dataclass(frozen=True, slots=True)
class Day:
    """A date; `number` is its day number (0001-01-01 is 1) where it came from counting days."""

    year: Whole
    month: Whole
    day: Whole
    number: Whole | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A category: an index into names. Choices are compared by name."""

    index: Whole
    names: tuple[str, ...]


Term: TypeAlias = "Truth | Num | Day | Choice"


# Booleans ------------------------------------------------------------------------------------------------------------


def negation(z3: ModuleType, part: Truth) -> Truth:
    """Not."""
    return not part if isinstance(part, bool) else z3.Not(part)


def conjunction(z3: ModuleType, parts: Iterable[Truth]) -> Truth:
    """All parts hold."""
    open_parts = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            open_parts.append(part)
    if not open_parts:
        return True
    return open_parts[0] if len(open_parts) == 1 else z3.And(*open_parts)


def disjunction(z3: ModuleType, parts: Iterable[Truth]) -> Truth:
    """At least one part holds."""
    open_parts = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            open_parts.append(part)
    if not open_parts:
        return False
    return open_parts[0] if len(open_parts) == 1 else z3.Or(*open_parts)


def implication(z3: ModuleType, premise: Truth, conclusion: Truth) -> Truth:
    """If the premise holds, so does the conclusion."""
    return disjunction(z3, (negation(z3, premise), conclusion))


def same_truth(z3: ModuleType, left: Truth, right: Truth) -> Truth:
    """Both hold or neither."""
    if isinstance(left, bool):
        return right if left else negation(z3, right)
    if isinstance(right, bool):
        return left if right else negation(z3, left)
    return left == right


# Integers ------------------------------------------------------------------------------------------------------------


def choose_whole(z3: ModuleType, condition: Truth, then: Whole, otherwise: Whole) -> Whole:
    """One of two integers."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if isinstance(then, int) and isinstance(otherwise, int) and then == otherwise:
        return then
    return z3.If(condition, then, otherwise)


def times(left: Whole, right: Whole) -> Whole:
    """The product, with 0 and 1 folded."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int) and one in (0, 1):
            return other if one else 0
    return left * right


def plus(left: Whole, right: Whole) -> Whole:
    """The sum, with 0 folded."""
    if isinstance(left, int) and left == 0:
        return right
    return left if isinstance(right, int) and right == 0 else left + right


def floor_div(whole: Whole, divisor: Whole) -> Whole:
    """The floor of the quotient; the divisor is positive."""
    if isinstance(divisor, int) and divisor == 1:
        return whole
    return whole // divisor if isinstance(whole, int) and isinstance(divisor, int) else whole / divisor


def floor_mod(whole: Whole, divisor: Whole) -> Whole:
    """What `floor_div` leaves; the divisor is positive."""
    if isinstance(divisor, int) and divisor == 1:
        return 0
    return whole % divisor


# Numbers -------------------------------------------------------------------------------------------------------------


def known(value: int | Fraction) -> Num:
    """A number that is known."""
    return Num(value.numerator, value.denominator)


def _reduced(numerator: Whole, denominator: Whole) -> Num:
    if isinstance(numerator, int) and isinstance(denominator, int):
        common = gcd(numerator, denominator)
        return Num(numerator // common, denominator // common)
    return Num(numerator, denominator)


def aligned(left: Num, right: Num) -> tuple[Whole, Whole, Whole]:
    """Both numerators over one denominator."""
    a, b = left.denominator, right.denominator
    if isinstance(a, int) and isinstance(b, int):
        common = lcm(a, b)
        return times(left.numerator, common // a), times(right.numerator, common // b), common
    return times(left.numerator, b), times(right.numerator, a), times(a, b)


def negative(number: Num) -> Num:
    """The number with the other sign."""
    return Num(-number.numerator, number.denominator)


def total(left: Num, right: Num) -> Num:
    """The sum."""
    a, b, denominator = aligned(left, right)
    return _reduced(plus(a, b), denominator)


def difference(left: Num, right: Num) -> Num:
    """The first less the second."""
    a, b, denominator = aligned(left, right)
    return _reduced(a if isinstance(b, int) and b == 0 else a - b, denominator)


def product(left: Num, right: Num) -> Num:
    """The product."""
    return _reduced(times(left.numerator, right.numerator), times(left.denominator, right.denominator))


def quotient(z3: ModuleType, left: Num, right: Num) -> Num:
    """The first over the second; means nothing where the second is zero."""
    numerator, denominator = times(left.numerator, right.denominator), times(left.denominator, right.numerator)
    if isinstance(right.numerator, int) and right.numerator == 0:
        return Num(0)
    falls = right.numerator < 0
    return _reduced(choose_whole(z3, falls, -numerator, numerator), choose_whole(z3, falls, -denominator, denominator))


def floor_of(number: Num) -> Whole:
    """The greatest whole number that is not greater."""
    return floor_div(number.numerator, number.denominator)


def is_whole(number: Num) -> Truth:
    """Whether the number has no fractional part."""
    return floor_mod(number.numerator, number.denominator) == 0


def at_most(left: Num, right: Num) -> Truth:
    """left <= right."""
    a, b, _ = aligned(left, right)
    return a <= b


def below(left: Num, right: Num) -> Truth:
    """left < right."""
    a, b, _ = aligned(left, right)
    return a < b


def same_number(left: Num, right: Num) -> Truth:
    """left == right."""
    a, b, _ = aligned(left, right)
    return a == b


# Dates ---------------------------------------------------------------------------------------------------------------


def order_key(day: Day) -> Whole:
    """A number that grows with the date and needs no division: every month counts as 31 days."""
    return day.year * 372 + day.month * 31 + day.day


def leap(z3: ModuleType, year: Whole) -> Truth:
    """Whether the year has a 29 February."""
    fourth, hundredth, four_hundredth = (floor_mod(year, k) == 0 for k in (4, 100, 400))
    return conjunction(z3, (fourth, disjunction(z3, (negation(z3, hundredth), four_hundredth))))


def month_length(z3: ModuleType, year: Whole, month: Whole) -> Whole:
    """The number of days of the month."""
    short = disjunction(z3, (month == 4, month == 6, month == 9, month == 11))
    if isinstance(month, int) and month != 2:
        return 30 if short else 31
    february = choose_whole(z3, leap(z3, year), 29, 28)
    return choose_whole(z3, month == 2, february, choose_whole(z3, short, 30, 31))


def day_number(z3: ModuleType, day: Day) -> Whole:
    """Days since the end of year 0; years are counted from March, so that a leap day comes last."""
    if day.number is not None:
        return day.number
    early = day.month <= 2
    year = day.year - choose_whole(z3, early, 1, 0)
    month = day.month + choose_whole(z3, early, 9, -3)
    leaps = floor_div(year, 4) - floor_div(year, 100) + floor_div(year, 400)
    return 365 * year + leaps + floor_div(153 * month + 2, 5) + day.day - 306


def day_of_number(z3: ModuleType, number: Whole) -> Day:
    """The date with this day number: `day_number` backwards, by centuries, years and months from March."""
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


def not_after(z3: ModuleType, left: Day, right: Day) -> Truth:
    """left <= right."""
    if left.number is not None or right.number is not None:
        return day_number(z3, left) <= day_number(z3, right)
    return order_key(left) <= order_key(right)


def before(z3: ModuleType, left: Day, right: Day) -> Truth:
    """left < right."""
    if left.number is not None or right.number is not None:
        return day_number(z3, left) < day_number(z3, right)
    return order_key(left) < order_key(right)


def same_day(z3: ModuleType, left: Day, right: Day) -> Truth:
    """left == right."""
    if left.number is not None or right.number is not None:
        return day_number(z3, left) == day_number(z3, right)
    return conjunction(z3, (left.year == right.year, left.month == right.month, left.day == right.day))


# Categories, and any term --------------------------------------------------------------------------------------------


def same_choice(z3: ModuleType, left: Choice, right: Choice) -> Truth:
    """Whether both have the same name."""
    if left.names == right.names:
        return left.index == right.index
    return disjunction(
        z3,
        (
            conjunction(z3, (left.index == position, right.index == right.names.index(name)))
            for position, name in enumerate(left.names)
            if name in right.names
        ),
    )


def renamed(z3: ModuleType, choice: Choice, names: tuple[str, ...]) -> Choice:
    """The same name as an index into other names, which hold all of its own."""
    if choice.names == names:
        return choice
    positions = [names.index(name) for name in choice.names]
    if isinstance(choice.index, int):
        return Choice(positions[choice.index], names)
    index: Whole = positions[-1]
    for old, new in enumerate(positions[:-1]):
        index = choose_whole(z3, choice.index == old, new, index)
    return Choice(index, names)


def same(z3: ModuleType, left: Term, right: Term) -> Truth:
    """Whether two terms of one type are equal."""
    match left, right:
        case Num(), Num():
            return same_number(left, right)
        case Day(), Day():
            return same_day(z3, left, right)
        case Choice(), Choice():
            return same_choice(z3, left, right)
        case (Num() | Day() | Choice(), _) | (_, Num() | Day() | Choice()):
            raise TypeError(f"terms of two types: {left!r} and {right!r}")
        case _:
            return same_truth(z3, left, right)


def choose(z3: ModuleType, condition: Truth, then: Term, otherwise: Term) -> Term:
    """One of two terms of one type."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    match then, otherwise:
        case Num(), Num():
            return _choose_number(z3, condition, then, otherwise)
        case Day(), Day():
            return _choose_day(z3, condition, then, otherwise)
        case Choice(), Choice():
            return _choose_choice(z3, condition, then, otherwise)
        case (Num() | Day() | Choice(), _) | (_, Num() | Day() | Choice()):
            raise TypeError(f"terms of two types: {then!r} and {otherwise!r}")
        case _:
            return _choose_truth(z3, condition, then, otherwise)


def _choose_number(z3: ModuleType, condition: Truth, then: Num, otherwise: Num) -> Num:
    if isinstance(then.denominator, int) and isinstance(otherwise.denominator, int):
        a, b, denominator = aligned(then, otherwise)
        return Num(choose_whole(z3, condition, a, b), denominator)
    return Num(
        choose_whole(z3, condition, then.numerator, otherwise.numerator),
        choose_whole(z3, condition, then.denominator, otherwise.denominator),
    )


def _choose_day(z3: ModuleType, condition: Truth, then: Day, otherwise: Day) -> Day:
    counted = then.number is not None or otherwise.number is not None
    numbers = (day_number(z3, then), day_number(z3, otherwise)) if counted else None
    return Day(
        choose_whole(z3, condition, then.year, otherwise.year),
        choose_whole(z3, condition, then.month, otherwise.month),
        choose_whole(z3, condition, then.day, otherwise.day),
        choose_whole(z3, condition, *numbers) if numbers else None,
    )


def _choose_choice(z3: ModuleType, condition: Truth, then: Choice, otherwise: Choice) -> Choice:
    names = then.names + tuple(name for name in otherwise.names if name not in then.names)
    a, b = renamed(z3, then, names), renamed(z3, otherwise, names)
    return Choice(choose_whole(z3, condition, a.index, b.index), names)


def _choose_truth(z3: ModuleType, condition: Truth, then: Truth, otherwise: Truth) -> Truth:
    if isinstance(then, bool):
        kept = condition if then else negation(z3, condition)
        return disjunction(z3, (kept, otherwise)) if then else conjunction(z3, (kept, otherwise))
    if isinstance(otherwise, bool):
        kept = negation(z3, condition) if otherwise else condition
        return disjunction(z3, (kept, then)) if otherwise else conjunction(z3, (kept, then))
    return z3.If(condition, then, otherwise)
