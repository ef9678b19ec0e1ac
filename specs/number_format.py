"""The one number format of a task's result: how it is described, written and read, exactly.

What is read: ASCII digits; thousands ungrouped or in threes after a comma, a space of any kind or `_`, one kind at a
time; a full stop before decimals; an exponent (`6e4` is 60000). One sign, directly before the digits or the currency.
A label (`Result:`), quotes, brackets and a closing full stop are ignored, so `(60000)` is 60000: brackets are no sign.
The unit may be left out; a unit that is stated must be the one asked for. All else is unparsable: other digits, words
of magnitude (`60k`), fractions, ranges, malformed grouping (`60,00`), more than 200 characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from unco.specs.scalars import RoundingMode

MAX_LENGTH = 200
EXAMPLE, PERCENT_EXAMPLE = Fraction(123_456_789, 100_000), Fraction(123_456_789, 10_000_000)
"""Shown in every task, cut to its places, so that they say nothing about the answer of one."""

_ROUNDING = {
    "half_up": "halves rounded away from zero",
    "half_even": "halves rounded to the even neighbour",
    "half_down": "halves rounded towards zero",
    "up": "rounded away from zero",
    "down": "rounded towards zero",
    "floor": "rounded down",
    "ceiling": "rounded up",
}
_DOLLARS = ("USD", "AUD", "CAD", "NZD", "SGD", "HKD", "TWD", "FJD", "JMD", "BBD", "BSD", "BZD", "NAD", "TTD", "XCD")
_SYMBOLS = {
    "$": _DOLLARS, "dollar": _DOLLARS, "dollars": _DOLLARS,
    "US$": ("USD",), "A$": ("AUD",), "AU$": ("AUD",), "C$": ("CAD",), "CA$": ("CAD",), "NZ$": ("NZD",),
    "S$": ("SGD",), "HK$": ("HKD",), "NT$": ("TWD",), "R$": ("BRL",),
    "€": ("EUR",), "euro": ("EUR",), "euros": ("EUR",), "£": ("GBP",), "¥": ("JPY", "CNY"),
    "₹": ("INR",), "₩": ("KRW",),
}  # fmt: skip
_ABBREVIATIONS = {"yr": "year", "mo": "month", "mth": "month", "wk": "week", "hr": "hour", "min": "minute"}
_EVERYDAY = frozenset({"second", "minute", "hour", "day", "week", "month", "year"})
_MAGNITUDES = frozenset(
    {"k", "m", "mn", "mio", "b", "bn", "t", "hundred", "thousand", "million", "billion", "trillion"}
)
_PAIRS = frozenset({"()", "[]", "{}", "<>", '""', "''", "``", "**", "__", "“”", "‘’", "«»"})
_SPACES, _MINUS = "\t\u00a0\u2007\u2008\u2009\u202f", "\u2011\u2013\u2212"
_FOLD = str.maketrans(_SPACES + _MINUS, " " * len(_SPACES) + "-" * len(_MINUS))
_LABEL = re.compile(r"(?:final )?(?:result|answer|value|amount|total) ?[:=]", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<before>[A-Z]{0,3}[$€£¥₹₩]|[A-Z]{3}) ?)?(?P<inner>[+-]?)"
    r"(?P<digits>(?:[1-9][0-9]{0,2}(?P<gap>[, _])[0-9]{3}(?:(?P=gap)[0-9]{3})*|[0-9]+)?(?:\.[0-9]+)?)"
    r"(?:[eE](?P<exponent>[+-]?[0-9]{1,2}))?(?P<after>.*)"
)


@dataclass(frozen=True, slots=True)
class Unparsable:
    """A text that states nothing in the format; two of them never match."""

    reason: str


@dataclass(frozen=True, slots=True)
class WrongUnit:
    """A number that carries another unit than the one asked for: wrong, whatever its value."""

    value: Fraction
    unit: str


class NumberFormat(BaseModel):
    """The unit, the decimal places and the rounding of a result; values are compared exactly all the same."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    unit: str = ""
    """A currency code, `%`, a unit such as `years` or `USD per month`, or nothing for a plain number."""
    places: Annotated[int, Field(ge=0, le=9)] = 0
    mode: RoundingMode = "half_up"
    """Said in the text alone: a result is compared as it stands, never rounded again."""
    also: tuple[str, ...] = ()
    """Further spellings of the unit, such as an irregular singular."""

    @property
    def example(self) -> Fraction:
        """The value in the example of `describe`; the same for every task with these places, and for percentages."""
        scale = 10**self.places
        return Fraction((PERCENT_EXAMPLE if self.unit == "%" else EXAMPLE) * scale // 1, scale)

    def describe(self) -> str:
        """The format in a sentence, for the task text."""
        above, below = write_number(self.example, self), write_number(-self.example, self)
        commas = "; the comma between thousands may be left out" if "," in above else ""
        return (
            f"Give the result {self._kind()} ({_ROUNDING[self.mode]}), in the form {above}, "
            f"or {below} if it is negative{commas}."
        )

    def _kind(self) -> str:
        """`in EUR with 2 decimal places`, `as a whole number of days`, `as a percentage with 1 decimal place`."""
        plain = self.unit in ("", "ratio")
        if not self.places:
            of_unit = "" if plain else f" of {self.unit}"
            return "as a whole percentage" if self.unit == "%" else f"as a whole number{of_unit}"
        kind = "as a percentage" if self.unit == "%" else "as a number without a unit" if plain else f"in {self.unit}"
        return f"{kind} with {self.places} decimal place{'' if self.places == 1 else 's'}"


def write_number(value: int | Fraction, form: NumberFormat) -> str:
    """The value in the format: `60,000 AUD`, `-2.5%`; ValueError if the places do not hold it exactly."""
    scaled = Fraction(value) * 10**form.places
    if scaled.denominator != 1:
        raise ValueError(f"expected a value with at most {form.places} decimal places, found {value}")
    whole, decimals = divmod(abs(scaled.numerator), 10**form.places)
    digits = f"{whole:,}" + (f".{decimals:0{form.places}}" if form.places else "")
    space = "" if form.unit in ("", "%") else " "
    return f"{'-' if scaled < 0 else ''}{digits}{space}{form.unit}"


def parse_number(text: str, form: NumberFormat) -> Fraction | WrongUnit | Unparsable:
    """The exact value that the text states in the format; see the head of this file. Never raises."""
    if len(text) > MAX_LENGTH:
        return Unparsable(f"expected a number, found {len(text)} characters")
    found = _NUMBER.fullmatch(_bare(text))
    if found is None or not found["digits"] or (found["sign"] and found["inner"]):
        return Unparsable(f"expected a number such as {write_number(form.example, form)}, found {text!r}")
    value = _value(found)
    before, after = found["before"] or "", found["after"].strip()
    if not before + after or _fits(before, after, form):
        return value
    if after and not _may_be_a_unit(after):
        return Unparsable(f"expected a number, then its unit or nothing, found {text!r}")
    return WrongUnit(value, f"{before} {after}".strip())


def _may_be_a_unit(text: str) -> bool:
    begins = text[0].isalpha() or text[0] in "%°/$€£¥₹₩"
    return begins and not re.search(r"[\d|()\[\]{}<>,;:?!=~]", text) and text.split()[0].casefold() not in _MAGNITUDES


def _bare(text: str) -> str:
    """The text without label, wrapping and closing punctuation; spaces and minus signs made uniform."""
    bare = _unwrapped(text.translate(_FOLD))
    label = _LABEL.match(bare)
    return _unwrapped(bare[label.end() :]) if label else bare


def _unwrapped(text: str) -> str:
    while True:
        bare = text.strip().rstrip(".,;!")
        if len(bare) > 1 and bare[0] + bare[-1] in _PAIRS:
            bare = bare[1:-1]
        if bare == text:
            return bare
        text = bare


def _value(found: re.Match[str]) -> Fraction:
    digits = found["digits"].replace(found["gap"] or ",", "")
    magnitude = Fraction(f"0{digits}") * Fraction(10) ** int(found["exponent"] or 0)
    return -magnitude if "-" in (found["sign"], found["inner"]) else magnitude


def _fits(before: str, after: str, form: NumberFormat) -> bool:
    """Whether the stated unit is the one asked for: `$5`, `5 AUD`, `$5 AUD`, and `$5 per month` for a rate."""
    if before and not _same_unit(before, _parts(form.unit)[0]):
        return False
    stated = f"{before} {after}" if after.startswith(("/", "per ")) else after or before
    return any(_same(stated, unit) for unit in (form.unit, *form.also))


def _same(stated: str, wanted: str) -> bool:
    left, right = _parts(stated), _parts(wanted)
    return len(left) == len(right) and all(map(_same_unit, left, right))


def _parts(unit: str) -> list[str]:
    """A unit and what it is per: `USD per month` or `USD/month` as USD, month."""
    return re.split(r" ?/ ?| ?\bper ", re.sub(r"\bper cent\b", "percent", unit.strip()))


def _same_unit(stated: str, wanted: str) -> bool:
    if stated == wanted or wanted in _SYMBOLS.get(stated, ()):
        return True
    if wanted in _DOLLARS and stated == f"{wanted}$":
        return True
    if wanted == "%":
        return stated.casefold() == "percent"
    if re.fullmatch(r"[A-Z]{3}", wanted):
        return stated.upper() == wanted
    return bool(wanted) and _word(stated) == _word(wanted)


def _word(text: str) -> str:
    """A unit's word in the singular; case counts only in short symbols, where it tells mW from MW."""
    stem = text[:-1] if len(text) > 2 and text.endswith("s") else text
    folded = _ABBREVIATIONS.get(stem, stem.casefold())
    return folded if len(folded) > 4 or folded in _EVERYDAY else stem
