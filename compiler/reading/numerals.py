"""Numbers, amounts and dates as English text states them, read exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction

from unco.specs.units import UnknownUnit, parse_unit
from unco.specs.values import Dimension, Unit

MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DIGITS = r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)"
NUMBER = re.compile(rf"(?P<sign>-?)(?P<whole>{_DIGITS})(?P<decimals>\.[0-9]+)?(?:/(?P<divisor>{_DIGITS}))?(?![0-9])")
DAY = re.compile(rf"(?P<day>[1-9][0-9]?) (?P<month>{'|'.join(MONTH_NAMES)}) (?P<year>[1-9][0-9]{{0,3}})(?![0-9])")
SPAN = re.compile(
    rf"(?P<day>[1-9][0-9]?)(?: (?P<month>{'|'.join(MONTH_NAMES)})(?: (?P<year>[1-9][0-9]{{0,3}}))?)? and (?P<last>.+)"
)
"""A period whose first day leaves out what its last day says."""
_EVERYDAY: Mapping[str, tuple[Dimension, int]] = {
    "years": ((("calendar", 1),), 12),
    "months": ((("calendar", 1),), 1),
    "weeks": ((("clock", 1),), 604_800),
    "days": ((("clock", 1),), 86_400),
    "hours": ((("clock", 1),), 3_600),
    "minutes": ((("clock", 1),), 60),
}
_SIGNS = {"celsius": "°C", "m2": "m²", "m3": "m³", "km2": "km²", "cm2": "cm²", "mm2": "mm²", "cm3": "cm³"}
_ODD_SINGULARS = {"feet": "foot", "inches": "inch"}


def read_number(text: str) -> Fraction | None:
    """`45,000`, `-0.50`, `4/3`: the number that the whole text states."""
    found = NUMBER.fullmatch(text)
    return None if found is None else number_of(found)


def number_of(found: re.Match[str]) -> Fraction | None:
    """The number of a match of NUMBER; None where it divides by zero."""
    number = Fraction(found["whole"].replace(",", "") + (found["decimals"] or ""))
    if found["divisor"]:
        divisor = Fraction(found["divisor"].replace(",", ""))
        if divisor == 0:
            return None
        number /= divisor
    return -number if found["sign"] else number


def read_day(text: str) -> date | None:
    """`13 July 2026`: the day that the whole text states."""
    found = DAY.fullmatch(text)
    return None if found is None else day_of(found["day"], found["month"], found["year"])


def read_span(text: str) -> tuple[date, date] | None:
    """`1 and 12 July 2026`, `1 June and 12 July 2026`, `1 June 2025 and 12 July 2026`, after the word between."""
    found = SPAN.fullmatch(text)
    last = read_day(found["last"]) if found else None
    if found is None or last is None:
        return None
    month = found["month"] or MONTH_NAMES[last.month - 1]
    first = day_of(found["day"], month, found["year"] or str(last.year))
    return None if first is None else (first, last)


def day_of(day: str, month: str, year: str) -> date | None:
    """The date of these words, where there is such a day."""
    try:
        return date(int(year), MONTH_NAMES.index(month) + 1, int(day))
    except ValueError:
        return None


def parts_of(unit: Unit) -> tuple[tuple[Unit, int], ...]:
    """The units that a rate is made of, with their exponents; a unit that is no rate, alone."""
    head, per, tail = unit.symbol.partition(" per ")
    if head in ("", "%", "ratio"):
        return ()
    if not per:
        return ((unit, 1),)
    below = _plain_unit(tail)
    exponents = dict(unit.dimension)
    for name, exponent in below.dimension:
        exponents[name] = exponents.get(name, 0) + exponent
    above = tuple(sorted((name, exponent) for name, exponent in exponents.items() if exponent))
    return (Unit(above, unit.scale * below.scale, head), 1), (below, -1)


def _plain_unit(name: str) -> Unit:
    """The unit of one word: the language's, or else the author's own."""
    try:
        return parse_unit(name)
    except UnknownUnit:
        return Unit(((f"unit:{name}", 1),), Fraction(1), name)


def unit_words(units: Iterable[Unit]) -> dict[str, Unit]:
    """Each text that stands for a unit after a number, singular and plural: `USD per month`, `year`, `years`."""
    found: dict[str, Unit] = {}
    for name, (dimension, scale) in _EVERYDAY.items():
        unit = Unit(dimension, Fraction(scale), name)
        found |= {name: unit, name[:-1]: unit}
    whole = list(units)
    for unit in (*(part for each in whole for part, _ in parts_of(each)), *whole):
        found |= dict.fromkeys(sorted(_forms(unit)), unit)
    return found


def _forms(unit: Unit) -> set[str]:
    head, per, tail = unit.symbol.partition(" per ")
    if head in ("", "%", "ratio"):
        return set()
    own = {name.removeprefix("unit:") for name, power in unit.dimension if name.startswith("unit:") and power > 0}
    words = {head, _singular(head), *own}
    return {f"{_SIGNS.get(word, word)}{per}{_SIGNS.get(tail, tail)}" for word in words}


def signed(symbol: str) -> str:
    """The symbol with the signs that print has for its units."""
    return " per ".join(_SIGNS.get(word, word) for word in symbol.split(" per "))


def _singular(word: str) -> str:
    if word in _ODD_SINGULARS:
        return _ODD_SINGULARS[word]
    return word[:-1] if len(word) > 2 and word.endswith("s") else word


def read_amount(text: str, units: Mapping[str, Unit]) -> tuple[Fraction, Unit | None] | None:
    """`45,000 AUD`, `75%`, `3`: the magnitude and its unit, None for a plain number or a percentage in parts of one."""
    found = NUMBER.match(text)
    number = number_of(found) if found else None
    if found is None or number is None:
        return None
    rest = text[found.end() :]
    if rest == "":
        return number, None
    if rest == "%":
        return number / 100, None
    unit = units.get(rest[1:]) if rest.startswith(" ") else None
    return None if unit is None else (number, unit)
