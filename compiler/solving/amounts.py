"""Numbers with their units and dates, as they stand in a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from unco.compiler.solving.units import Dimension, Unit, Units, is_known
from unco.compiler.solving.unreadable import Unreadable

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
DAY: Dimension = (("date", 1),)
"""What dates measure: days of the calendar."""
_MONTH = "|".join(MONTHS)
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)"
NUMBER = rf"(?:[-−]|[Mm]inus )?{_DIGITS}(?:\.\d+)?(?:/{_DIGITS})?"
DATE = rf"\d{{1,2}} (?:{_MONTH}) \d{{4}}"
PERIOD = rf"(\d{{1,2}})(?: ({_MONTH}))?(?: (\d{{4}}))? (and|or|to) (\d{{1,2}}) ({_MONTH}) (\d{{4}})"
"""Two days, the first of which may leave out what they have in common."""
_AMOUNT = re.compile(rf"({NUMBER})( ?%|(?![\w°]))")
_UNIT_WORD = re.compile(r" (per )?([A-Za-z°µ][\w°²³µ-]*)")
_SPACED = re.compile(r" (square|cubic) (\w+)")
_WORDS = (
    "a after an and are as at be before both but by each for from had has have if in is it not of on only or otherwise"
    " over per plus minus rounded so than that the this times to under was weighted were when which while who with"
)
_NO_UNIT = frozenset(_WORDS.split(" "))
"""Words that go on with a sentence after a number."""
_MOST_DIGITS = 60


class Amount(NamedTuple):
    """An exact number in the smallest measure of its dimension; a date counts its days."""

    number: Fraction
    dimension: Dimension
    size: Fraction = Fraction(1)
    """Of the unit that it was told in."""


def amount(number: str, unit: Unit) -> Amount:
    """The number in digits times its unit."""
    plain = number.replace(",", "").replace("−", "-").lower().replace("minus ", "-")
    if len(plain) > _MOST_DIGITS:
        raise Unreadable("a number is too long", plain)
    dimension, size = unit
    try:
        return Amount(Fraction(plain) * size, dimension, size)
    except ZeroDivisionError:
        raise Unreadable("a number is divided by zero", number) from None


def like(low: Amount, high: Amount) -> Amount:
    """The lower end in the unit of the upper one, where that is told once: `5 and 30 years`."""
    return low if low.dimension or low.size != 1 else Amount(low.number * high.size, high.dimension, high.size)


def day(year: str, month: str, number: str) -> Amount:
    """A day of the calendar."""
    try:
        return Amount(Fraction(date(int(year), MONTHS.index(month) + 1, int(number)).toordinal()), DAY)
    except ValueError:
        raise Unreadable("there is no such day", f"{number} {month} {year}") from None


@lru_cache(maxsize=4096)
def day_of(text: str) -> Amount:
    """The day that `13 July 2026` is."""
    number, month, year = text.split(" ")
    return day(year, month, number)


def two_days(found: Sequence[str]) -> tuple[Amount, Amount]:
    """The days of a match of PERIOD."""
    first, month, year, _, last, last_month, last_year = found
    return day(year or last_year, month or last_month, first), day(last_year, last_month, last)


def amount_at(text: str, place: int, units: Units) -> tuple[Amount, int] | None:
    """The number with its unit that begins at a place, and where it ends."""
    found = _AMOUNT.match(text, place)
    if found is None:
        return None
    if found[2]:
        return amount(found[1], units.unit("%")), found.end()
    unit, end = _unit_at(text, found.end())
    return amount(found[1], units.unit(unit)), end


def _unit_at(text: str, place: int) -> tuple[str, int]:
    """The words of a unit: the first one known to all or no word of grammar, more of them after `per`."""
    spaced = _SPACED.match(text, place)
    first = None if spaced else _UNIT_WORD.match(text, place)
    if spaced:
        unit, place = f"{spaced[1]} {spaced[2]}", spaced.end()
    elif first and first[2] == "per" and text.startswith(" cent", first.end()):
        return "%", first.end() + len(" cent")
    elif first and not first[1] and (first[2] not in _NO_UNIT or is_known(first[2])):
        unit, place = first[2], first.end()
    else:
        return "", place
    while (more := _UNIT_WORD.match(text, place)) and more[1]:
        unit, place = f"{unit} per {more[2]}", more.end()
    return unit, place
