"""Rows of tables, read back as bands of keys with the value of each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unco.compiler.reading.numerals import read_span
from unco.compiler.reading.vocabulary import Vocabulary
from unco.specs.expression import Band, Table
from unco.specs.values import DateType, NumberType, Type, Value

_NUMBERS = {
    "at least ": ("low", True),
    "more than ": ("low", False),
    "at most ": ("high", True),
    "less than ": ("high", False),
}
_DAYS = {
    "on or after ": ("low", True),
    "after ": ("low", False),
    "on or before ": ("high", True),
    "before ": ("high", False),
}


def read_row(row: str, table: Table, words: Vocabulary) -> tuple[Band, ...]:
    """Every band that a row may state: `at least 18 years and less than 60 years: 22 days`."""
    found = (
        Band(*keys, value)
        for colon in re.finditer(": ", row)
        for value in words.typed(row[colon.end() :], table.gives)
        for keys in _keys(row[: colon.start()], table.key, words)
    )
    return tuple(dict.fromkeys(found))


_Keys = tuple[Value | None, bool, Value | None, bool]


def _keys(text: str, key: Type, words: Vocabulary) -> Iterator[_Keys]:
    if text == "any value":
        yield None, False, None, False
    yield from ((value, True, value, True) for value in words.typed(text, key))
    if not isinstance(key, NumberType | DateType):
        return
    found = re.fullmatch(r"from (.+) to (.+), both included", text)
    if found:
        yield from ((low, True, high, True) for low, high in _ends(found[1], found[2], key, words))
    signs = _DAYS if isinstance(key, DateType) else _NUMBERS
    yield from _bounded(text, key, signs, words)


def _ends(first: str, last: str, key: Type, words: Vocabulary) -> Iterator[tuple[Value, Value]]:
    """`19` and `64 years`, `1 July` and `31 August 2026`: the first end may leave out what the last one says."""
    days = read_span(f"{first} and {last}") if isinstance(key, DateType) else None
    if days:
        yield days
    unit = last.partition(" ")[2]
    whole = (first, f"{first} {unit}") if unit else (first,)
    for high in words.typed(last, key):
        yield from ((low, high) for told in whole for low in words.typed(told, key))


def _bounded(text: str, key: Type, signs: dict[str, tuple[str, bool]], words: Vocabulary) -> Iterator[_Keys]:
    """One bound, or a lower and an upper one with `and` between them."""
    ends = []
    for part in text.split(" and "):
        read = [
            (*told, value)
            for sign, told in signs.items()
            if part.startswith(sign)
            for value in words.typed(part[len(sign) :], key)
        ]
        if len(read) != 1:
            return
        ends += read
    match ends:
        case [("low", included, value)]:
            yield value, included, None, False
        case [("high", included, value)]:
            yield None, False, value, included
        case [("low", low_included, low), ("high", high_included, high)]:
            yield low, low_included, high, high_included


def plain_band(band: Band) -> Band:
    """The band with an open end told in one way."""
    low_included = band.low is not None and band.low_included
    return Band(band.low, low_included, band.high, band.high is not None and band.high_included, band.value)
