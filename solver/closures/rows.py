"""Tables: rows found by bisection over the ends of their bands, tiers by what lies below them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import date
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from unco.solver.closures.parts import Name, Number, Part, Row, Sum, Truth
from unco.solver.closures.sums import made_of, scaled
from unco.solver.operators.operator import Undefined
from unco.specs.expression import Band, Table
from unco.specs.values import BooleanType, CategoryType

NO_ROW = -1


def looked_up(table: Table, key: Part) -> Part:
    """The value of the one row that the key lies in."""
    find = _by_band(table, key) if isinstance(key, Sum) else _by_name(table, key)
    values = [_plain(band.value) for band in table.bands]
    if isinstance(table.gives, BooleanType | CategoryType):
        kind = Truth if isinstance(table.gives, BooleanType) else Name
        return kind(lambda row: values[find(row)], key.reads, False)
    scale = lcm(*(Fraction(value).denominator for value in values))
    whole = [int(value * scale) for value in values]
    return made_of(lambda row: whole[find(row)], scale, (key,), total=False, whole=True)


def _plain(value: Any) -> Any:
    return value.toordinal() if isinstance(value, date) else value


def _by_name(table: Table, key: Truth | Name) -> Callable[[Row], int]:
    found: dict[Any, int] = {}
    for number, band in enumerate(table.bands):
        found[band.low] = number if band.low not in found else NO_ROW
    read, is_truth = key.read, isinstance(key, Truth)

    def find(row: Row) -> int:
        number = found.get(bool(read(row)) if is_truth else read(row), NO_ROW)
        return _one(number, table)

    return find


def _one(number: int, table: Table) -> int:
    if number < 0:
        raise Undefined(f"the key is in no row, or in several, of the table {table.label}")
    return number


def _by_band(table: Table, key: Sum) -> Callable[[Row], int]:
    """Ends cut the line into points and what lies between them: each of these lies in one row, or the key in none."""
    ends = sorted({Fraction(_plain(end)) for band in table.bands for end in (band.low, band.high) if end is not None})
    read, scale = scaled(key, lcm(*(end.denominator for end in ends)))
    cuts, rows = [int(end * scale) for end in ends], _rows(table.bands, ends)

    def find(row: Row) -> int:
        value = read(row)
        at = bisect_left(cuts, value)
        return _one(rows[2 * at + (at < len(cuts) and cuts[at] == value)], table)

    return find


def _rows(bands: Sequence[Band], ends: Sequence[Fraction]) -> list[int]:
    """The one band of what lies below the first end, of that end, of what lies up to the next, and so on."""
    if not ends:
        return [0 if len(bands) == 1 else NO_ROW]
    between = [(one + other) / 2 for one, other in pairwise(ends)]
    gaps = [ends[0] - 1, *between, ends[-1] + 1]
    points = [point for gap, end in zip(gaps, ends, strict=False) for point in (gap, end)] + [gaps[-1]]
    found = [[number for number, band in enumerate(bands) if _holds(band, point)] for point in points]
    return [each[0] if len(each) == 1 else NO_ROW for each in found]


def _holds(band: Band, point: Fraction) -> bool:
    low, high = _plain(band.low), _plain(band.high)
    above = low is None or low < point or (low == point and band.low_included)
    return above and (high is None or point < high or (point == high and band.high_included))


def tiered(table: Table, amount: Sum) -> Sum:
    """What the tiers of an amount come to: all of those below, and a part of the one that it lies in."""
    lows = [Fraction(band.low or 0) for band in table.bands]  # type: ignore[arg-type]
    rates = [Fraction(band.value) for band in table.bands]  # type: ignore[arg-type]
    below = [Fraction(0)]
    for number in range(1, len(lows)):
        below.append(below[-1] + (lows[number] - lows[number - 1]) * rates[number - 1])
    last = table.bands[-1]
    high = None if last.high is None else Fraction(last.high)  # type: ignore[arg-type]
    read, scale = scaled(amount, lcm(*(low.denominator for low in lows), 1 if high is None else high.denominator))
    grain = lcm(*(rate.denominator for rate in rates))
    starts = [int(low * scale) for low in lows]
    sums = [int(each * scale * grain) for each in below]
    factors = [int(rate * grain) for rate in rates]
    end = None if high is None else int(high * scale)

    def total(row: Row) -> Number:
        value = read(row)
        if value < 0 or (end is not None and value > 0 and (value > end or (value == end and not last.high_included))):
            raise Undefined(f"the amount lies outside the tiers of {table.label}")
        tier = bisect_left(starts, value) - 1
        return 0 if tier < 0 else sums[tier] + (value - starts[tier]) * factors[tier]

    return made_of(total, scale * grain, (amount,), total=False)
