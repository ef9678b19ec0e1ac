"""Tables: rows of keys and values, looked up, or added up tier by tier."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from unco.compiler.solving.amounts import Amount, like
from unco.compiler.solving.sections import Line
from unco.compiler.solving.spans import Span, alike, exactly, hull, rising
from unco.compiler.solving.tokens import Lexicon, Token
from unco.compiler.solving.units import times
from unco.compiler.solving.unreadable import Unreadable
from unco.compiler.solving.values import known

Value = Span | frozenset[str]
_LOWS = {"at least": True, "on or after": True, "more than": False, "after": False}
_HIGHS = {"at most": True, "on or before": True, "less than": False, "before": False}


class Row(NamedTuple):
    """The keys of a row, by two ends or by a name, and its value."""

    name: str
    low: Amount | None
    low_included: bool
    high: Amount | None
    high_included: bool
    value: Value

    def has(self, key: Span) -> bool | None:
        """Whether a number is a key of the row; None where it may be and may not."""
        if self.name:
            return False
        ends = [exactly(each) for each in (self.low, self.high) if each is not None]
        alike(key, *ends)
        if self._below(key.high) or self._over(key.low):
            return False
        return True if self._below(key.low) is False and self._over(key.high) is False else None

    def _below(self, key: Fraction | None) -> bool | None:
        if self.low is None:
            return False
        if key is None:
            return None
        return key < self.low.number or (key == self.low.number and not self.low_included)

    def _over(self, key: Fraction | None) -> bool | None:
        if self.high is None:
            return False
        if key is None:
            return None
        return key > self.high.number or (key == self.high.number and not self.high_included)


def table(lines: Sequence[Line], lexicon: Lexicon) -> tuple[Row, ...]:
    """The rows of a table."""
    return tuple(_row(each.text, lexicon) for each in lines)


def _row(text: str, lexicon: Lexicon) -> Row:
    keys, sign, told = text.rpartition(": ")
    if not sign:
        raise Unreadable("expected a key, a colon and a value", text)
    return _keyed(keys, _value(told, lexicon), lexicon)


def _value(text: str, lexicon: Lexicon) -> Value:
    found = known(text, lexicon.units)
    if found is None:
        raise Unreadable("expected the value of a row", text)
    return found


def _keyed(text: str, value: Value, lexicon: Lexicon) -> Row:
    tokens = lexicon.tokens(text)
    amounts = [each.what for each in tokens if each.kind == "amount"]
    rest = " ".join(_word(each) for each in tokens)
    if rest == "@":
        return Row("", amounts[0], True, amounts[0], True, value)
    if rest == "from @ to @ , both included":
        return Row("", like(amounts[0], amounts[1]), True, amounts[1], True, value)
    if rest == "any value":
        return Row("", None, True, None, True, value)
    low, high = _ends(rest)
    if low is None and high is None:
        return Row(text.strip('"'), None, True, None, True, value)
    first = amounts[0] if low is not None else None
    last = amounts[-1] if high is not None else None
    return Row("", first, bool(low), last, bool(high), value)


def _word(token: Token) -> str:
    return "@" if token.kind == "amount" else str(token.what)


def _ends(rest: str) -> tuple[bool | None, bool | None]:
    """Whether each end that `at least @ and less than @` names is included; None where there is no such end."""
    for low_words, low in ((f"{words} @", included) for words, included in _LOWS.items()):
        if rest == low_words:
            return low, None
        for high_words, high in _HIGHS.items():
            if rest == f"{low_words} and {high_words} @":
                return low, high
    return None, next((high for words, high in _HIGHS.items() if rest == f"{words} @"), None)


def looked_up(rows: Sequence[Row], key: Span | frozenset[str] | None) -> Value | None:
    """The value for a key; for a key that is not known exactly, all that it may be."""
    found = [row.value for row in _hit(rows, key)]
    spans = [each for each in found if isinstance(each, Span)]
    if spans and len(spans) == len(found):
        return hull(spans)
    words = [each for each in found if isinstance(each, frozenset)]
    return frozenset().union(*words) if words and len(words) == len(found) else None


def _hit(rows: Sequence[Row], key: Span | frozenset[str] | None) -> Sequence[Row]:
    if key is None:
        return rows
    if isinstance(key, Span):
        hit = [row for row in rows if row.has(key) is not False]
    else:
        hit = [row for row in rows if row.name in key]
        if len({row.name for row in hit}) < len(key):
            raise Unreadable("a table has no row for a key", str(sorted(key)))
    if not hit:
        raise Unreadable("a table has no row for a key", str(key))
    return hit[:1] if isinstance(key, Span) and key.exact is not None else hit


def tiered(rows: Sequence[Row], amount: Span) -> Span:
    """The part of an amount within each tier times the rate of that tier, added up."""
    rates = [row.value for row in rows if isinstance(row.value, Span)]
    if len(rates) < len(rows):
        raise Unreadable("expected a rate for each tier", str(rows))
    rate = alike(*rates)
    alike(amount, *(exactly(row.low) for row in rows if row.low is not None))
    dimension = None if rate is None or amount.dimension is None else times(rate, amount.dimension)
    if any(each.low is None or each.low < 0 for each in rates) and amount.exact is None:
        return Span(None, None, dimension)
    return rising(amount, lambda number: _through(rows, number))._replace(dimension=dimension)


def _through(rows: Sequence[Row], number: Fraction) -> Fraction:
    total = Fraction(0)
    for row in rows:
        low = row.low.number if row.low else Fraction(0)
        high = number if row.high is None else min(number, row.high.number)
        if high > low and isinstance(row.value, Span) and row.value.low is not None:
            total += (high - low) * row.value.low
    return total
