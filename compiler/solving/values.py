"""The value of a fact as a text tells it: exactly, as a range, as a choice, or not at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unco.compiler.solving.amounts import DATE, PERIOD, Amount, amount_at, day_of, like, two_days
from unco.compiler.solving.spans import Span, exactly, one_of
from unco.compiler.solving.units import Units
from unco.compiler.solving.unreadable import Unreadable

Known = Span | frozenset[str] | None
"""A span, the words that it may be, or nothing."""
_PERIOD = re.compile(rf"(?:between |from |either |on )?{PERIOD}")
_DATE = re.compile(rf"(?:on )?({DATE})")
_RANGE = re.compile(r"(?:between|from) (.+?) (?:and|to) (.+)")
_TWO = re.compile(r"(?:either )?(\S+(?: \S+)*?) or (.+)")
_CHOICE = re.compile(r"(?:either|one of) (.+)")
_PART = re.compile(r'\s*("(?:[^"]|"")*"|[^",]+?)\s*(?:,|\bor\b|$)')


def no_value(text: str) -> bool:
    """Whether the text says that nobody tells."""
    return text == "not stated"


def is_choice(text: str) -> bool:
    """Whether the text offers several values, told apart from words that a value may have."""
    return _CHOICE.fullmatch(text) is not None


def known(text: str, units: Units) -> Known:
    """What a text such as `between 5 and 30 years` says."""
    if no_value(text):
        return None
    return _of_days(text) or _of_numbers(text, units) or _of_words(text, units)


def _of_days(text: str) -> Span | None:
    if found := _DATE.fullmatch(text):
        return exactly(day_of(found[1]))
    if found := _PERIOD.fullmatch(text):
        low, high = two_days([each or "" for each in found.groups()])
        return _ordered(low, high, text)
    return None


def _of_numbers(text: str, units: Units) -> Span | None:
    if exact := _amount(text, units):
        return exactly(exact)
    if found := _RANGE.fullmatch(text):
        low, high = _amount(found[1], units), _amount(found[2], units)
        return _ordered(like(low, high), high, text) if low and high else None
    if found := _TWO.fullmatch(text):
        low, high = _amount(found[1], units), _amount(found[2], units)
        return one_of([exactly(like(low, high)), exactly(high)]) if low and high else None
    return None


def _amount(text: str, units: Units) -> Amount | None:
    found = amount_at(text, 0, units)
    return found[0] if found and found[1] == len(text) else None


def _ordered(low: Amount, high: Amount, text: str) -> Span:
    if low.dimension != high.dimension or low.number > high.number:
        raise Unreadable("expected a lower and an upper end", text)
    return Span(low.number, high.number, low.dimension)


def _of_words(text: str, units: Units) -> Known:
    if text.startswith('"') and text.endswith('"') and text.count('"') % 2 == 0 and '" ' not in text[1:-1]:
        return frozenset((_plain(text),))
    if found := _CHOICE.fullmatch(text):
        parts = _parts(found[1])
        spans = [_of_days(each) or _of_numbers(each, units) for each in parts]
        exact = [each for each in spans if each is not None]
        return one_of(exact) if len(exact) == len(parts) else frozenset(map(_plain, parts))
    return frozenset((text,))


def _parts(text: str) -> Sequence[str]:
    parts = [each[1] for each in _PART.finditer(text) if each[1].strip()]
    if len(parts) < 2:
        raise Unreadable("expected several values", text)
    return parts


def _plain(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') and text.endswith('"') else text
