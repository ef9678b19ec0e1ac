"""Checks of days and categories as terms: what they are at known values, put in place of their unknowns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial
from typing import Any

import z3

from tests.mutation.fate import Check
from unco.solver import day_terms
from unco.solver.any_term import choose, same, same_choice
from unco.solver.terms import Choice, Day, Num

CONTEXT = "now"

# Days ----------------------------------------------------------------------------------------------------------------

YEARS = (1, 4, 100, 1899, 1900, 2000, 2024, 2399, 2400, 2500, 9999)
SPANS = ((0, 0), (1, 119), (700, 700))
"""How many years before and after the year of a date are possible."""


def at(term: Any, *values: tuple[Any, int]) -> Any:
    """What a term is where its unknowns have these values; a plain value is itself."""
    if isinstance(term, bool | int):
        return term
    found = z3.simplify(z3.substitute(term, *((unknown, z3.IntVal(value)) for unknown, value in values)))
    return z3.is_true(found) if z3.is_bool(found) else found.as_long()


def spans(year: int) -> Iterator[tuple[int, int] | None]:
    """Bounds of a year, narrow and wide."""
    yield None
    yield from ((max(1, year - before), min(9_999, year + after)) for before, after in SPANS)


def days_of(year: int) -> Iterator[date]:
    """The first, the last and the leap days of the months that differ."""
    for month, day in ((1, 1), (1, 31), (2, 28), (3, 1), (4, 30), (6, 30), (7, 31), (9, 30), (11, 30), (12, 31)):
        yield date(year, month, day)
    if year % 4 == 0 and (year % 100 or year % 400 == 0):
        yield date(year, 2, 29)


def calendar(year: int) -> list[object]:
    """All that is derived of dates of a year, by every bound of the year."""
    y, m, d = z3.Ints("y m d")
    found: list[object] = []
    for bounds in spans(year):
        leap = at(day_terms.leap(z3, y, bounds), (y, year))
        lengths = [at(day_terms.month_length(z3, y, m, bounds), (y, year), (m, month)) for month in range(1, 13)]
        number = day_terms.day_number(z3, Day(y, m, d, bounds))
        numbers = [at(number, (y, each.year), (m, each.month), (d, each.day)) for each in days_of(year)]
        assert numbers == [each.toordinal() for each in days_of(year)]
        found.append((leap, lengths, numbers))
    return found


def known_months(year: int) -> list[object]:
    """Month lengths and day numbers where the month or the year is known."""
    y, d = z3.Ints("y d")
    lengths = [at(day_terms.month_length(z3, y, month, (year, year)), (y, year)) for month in range(1, 13)]
    numbers = [day_terms.day_number(z3, Day(y, month, d)) for month in range(1, 13)]
    return [lengths, [at(each, (y, year), (d, 1)) for each in numbers]]


AROUND = (None, (1, 1), (0, 0))
"""How many years before and after are possible where a date comes from its number."""


def back_from_number(year: int) -> list[object]:
    """Dates of numbers, by dividing and by counting, the number unknown."""
    n, found = z3.Int("n"), []
    for around in AROUND:
        bounds = around and (max(1, year - around[0]), min(9_999, year + around[1]))
        term = day_terms.day_of_number(z3, n, bounds)
        for day in days_of(year):
            parts = tuple(at(part, (n, day.toordinal())) for part in (term.year, term.month, term.day))
            assert parts == (day.year, day.month, day.day)
        found.append((term.years, str(term.number), len(str(term.year))))
    return found


def every_day(first: date, days: int) -> None:
    """Numbers and dates of a run of days, all known."""
    for number in range(first.toordinal(), first.toordinal() + days):
        day, told = date.fromordinal(number), day_terms.day_of_number(z3, number)
        assert (told.year, told.month, told.day) == (day.year, day.month, day.day)
        assert day_terms.day_number(z3, Day(day.year, day.month, day.day)) == number


def orders(counted: tuple[bool, bool]) -> list[object]:
    """Order and equality of days, told in parts or by their number."""
    near = [date(2023, 12, 31), date(2024, 1, 1), date(2024, 2, 29), date(2024, 3, 1), date(2025, 2, 28)]

    def day(value: date, number: bool) -> Day:
        return Day(value.year, value.month, value.day, None, value.toordinal() if number else None)

    found: list[object] = []
    for left in near:
        for right in near:
            one, other = day(left, counted[0]), day(right, counted[1])
            chosen = day_terms.choose_day(z3, z3.Bool("b"), one, other)
            told = [day_terms.before(z3, one, other), day_terms.not_after(z3, one, other)]
            assert told == [left < right, left <= right]
            found.append((told, day_terms.same_day(z3, one, other), chosen.years, str(chosen.number)))
    return found


# Categories ----------------------------------------------------------------------------------------------------------

NAMES = (("a", "b", "c"), ("c", "a", "d"), ("b", "a", "c"), ("d",), ("a", "b", "c", "d"))


def choices(left: tuple[str, ...], right: tuple[str, ...]) -> None:
    """Equality and choice of categories with other lists of names, known and unknown."""
    i, j, b = z3.Int("i"), z3.Int("j"), z3.Bool("b")
    equals = same_choice(z3, Choice(i, left), Choice(j, right))
    chosen = choose(z3, b, Choice(i, left), Choice(j, right))
    assert isinstance(chosen, Choice)
    assert len(set(chosen.names)) == len(chosen.names)
    for one, first in enumerate(left):
        for other, second in enumerate(right):
            assert same_choice(z3, Choice(one, left), Choice(other, right)) is (first == second)
            assert at(equals, (i, one), (j, other)) is (first == second)
            for given, name in ((True, first), (False, second)):
                index = (
                    z3.substitute(chosen.index, (b, z3.BoolVal(given))) if z3.is_expr(chosen.index) else chosen.index
                )
                assert chosen.names[at(index, (i, one), (j, other))] == name
                known = choose(z3, b, Choice(one, left), Choice(other, right))
                assert isinstance(known, Choice)
                index = z3.substitute(known.index, (b, z3.BoolVal(given))) if z3.is_expr(known.index) else known.index
                assert known.names[at(index, (i, 0))] == name


def two_types() -> list[str]:
    """Terms of two types are neither compared nor chosen between."""
    found = []
    terms: list[Any] = [Num(1), Day(1, 1, 1), Choice(0, ("a",)), True, z3.Bool("b")]
    for left in terms:
        for right in terms:
            for ask in (same, partial(choose, z3, z3.Bool("c"))):
                try:
                    given = (z3, left, right) if ask is same else (left, right)
                    found.append(type(ask(*given)).__name__)
                except TypeError as error:
                    found.append(type(error).__name__)
    return found


# All of them ---------------------------------------------------------------------------------------------------------


def day_checks() -> list[Check]:
    """The checks of days and categories."""
    days = [Check(f"days of {year}", partial(calendar, year)) for year in YEARS]
    days += [Check(f"numbers of {year}", partial(back_from_number, year)) for year in (4, 1900, 2000)]
    days += [Check(f"known months of {year}", partial(known_months, year)) for year in YEARS[:4]]
    days += [Check(f"every day from {day}", partial(every_day, day, 800)) for day in (date(1, 1, 1), date(1899, 6, 1))]
    days += [Check(f"orders {each}", partial(orders, each)) for each in ((False, False), (False, True), (True, True))]
    days += [Check(f"choices {one} {other}", partial(choices, one, other)) for one in NAMES for other in NAMES]
    return [*days, Check("two types", two_types)]
