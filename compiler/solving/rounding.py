"""Rounding as a text words it: how fine, and what becomes of halves and of what is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from unco.compiler.solving.unreadable import Unreadable


@dataclass(frozen=True)
class Rounding:
    """To so many decimal places (fewer than none: to tens, hundreds and so on), in so worded a way."""

    places: int
    words: str

    def __call__(self, number: Fraction) -> Fraction:
        scale = Fraction(10) ** self.places
        return _WAYS[self.words](number * scale) / scale


def _half(number: Fraction, of_a_tie: Callable[[int], int]) -> Fraction:
    """The nearest whole number; of two that are as near, the one chosen from the lower."""
    low = floor(number)
    twice = 2 * (number - low)
    return Fraction(of_a_tie(low) if twice == 1 else low + (twice > 1))


def _away(number: Fraction) -> Fraction:
    return Fraction(ceil(number) if number > 0 else floor(number))


def _towards(number: Fraction) -> Fraction:
    return Fraction(floor(number) if number > 0 else ceil(number))


_WAYS: Mapping[str, Callable[[Fraction], Fraction]] = {
    "halves rounded away from zero": lambda number: _half(number, lambda low: low + (low >= 0)),
    "halves rounded towards zero": lambda number: _half(number, lambda low: low + (low < 0)),
    "halves rounded to the even neighbour": lambda number: _half(number, lambda low: low + low % 2),
    "rounded away from zero": _away,
    "rounded towards zero": _towards,
    "rounded down": lambda number: Fraction(floor(number)),
    "rounded up": lambda number: Fraction(ceil(number)),
}
_GRAIN = re.compile(
    r"(?:(?:to|as|in) )?(?:"
    r"(?P<percent>a whole percentage)"
    r"|a whole number(?: of (?P<of>.+?))?"
    r"|(?:a )?multiple of (?P<tens>10+|1(?:0|00)?(?:,000)+)(?: (?P<tens_of>.+?))?"
    r"|(?P<kind>a percentage|a number without a unit|.+?) with (?P<places>\d+) decimal places?"
    r"|(?P<only>\d+) decimal places?(?: in (?P<only_of>.+?))?"
    r") \((?P<way>[^()]+)\)"
)


def read_rounding(text: str) -> tuple[str, Rounding]:
    """The unit and the rounding of words such as `as a whole number of EUR (rounded down)`."""
    text = text.partition("Round the final result ")[2].rstrip(". ") or text
    found = _GRAIN.fullmatch(text)
    if found is None or found["way"] not in _WAYS:
        raise Unreadable("expected how to round", text)
    kind = found["kind"] or found["of"] or found["tens_of"] or found["only_of"] or ""
    if found["percent"] or kind in ("a percentage", "per cent"):
        kind = "%"
    elif kind == "a number without a unit":
        kind = ""
    places = int(found["places"] or found["only"] or 0)
    if found["tens"]:
        places = 1 - len(found["tens"].replace(",", ""))
    return kind, Rounding(places, found["way"])
