"""More boundary examples of the operators: ties, zeros, ends and thresholds, month ends, leap days.

Results come from the standard library (`decimal` for rounding, `calendar` and `datetime` for dates) or from hand.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import (
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_DOWN,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    ROUND_UP,
    Decimal,
)
from fractions import Fraction
from itertools import product

from unco.solver.operators.operator import Example
from unco.specs.expression import Band, Table
from unco.specs.values import BOOLEAN, DATE, NUMBER, CategoryType, Type, Value

DAY = 86_400

# Rounding ------------------------------------------------------------------------------------------------------------

ROUNDINGS = {
    "half_up": ROUND_HALF_UP,
    "half_even": ROUND_HALF_EVEN,
    "half_down": ROUND_HALF_DOWN,
    "up": ROUND_UP,
    "down": ROUND_DOWN,
    "floor": ROUND_FLOOR,
    "ceiling": ROUND_CEILING,
}


def _number(text: Decimal) -> int | Fraction:
    found = Fraction(text)
    return found.numerator if found.denominator == 1 else found


def _rounded() -> Iterator[Example]:
    """On, below and above a tie, on both sides of zero, in every mode."""
    quarters = [Decimal(quarters) / 4 for quarters in (-6, -3, -2, -1, 0, 1, 2, 3, 6)]
    for mode, way in ROUNDINGS.items():
        for number in quarters:
            yield Example((_number(number),), _number(number.quantize(Decimal(1), way)), (0, mode))
        for number, places in product((Decimal("0.25"), Decimal("-0.35"), Decimal("15"), Decimal("-4")), (1, -1)):
            unit = Decimal(10) ** -places
            yield Example((_number(number),), _number((number / unit).quantize(Decimal(1), way) * unit), (places, mode))
    yield Example((Fraction(-5, 2),), -3, (0,))
    yield Example((Fraction(1, 4),), Fraction(3, 10), (1,))


# Dates ---------------------------------------------------------------------------------------------------------------

STARTS = [date(2012, 2, 29), date(2023, 1, 31), date(2023, 12, 31), date(1900, 2, 28), date(2000, 3, 1)]
ENDS = [
    date(2013, 2, 28),
    date(2013, 3, 1),
    date(2016, 2, 29),
    date(2023, 2, 28),
    date(2024, 3, 31),
    date(1999, 12, 30),
]


def _later(day: date, months: int, mode: str) -> date:
    """The day some months later, by counting them."""
    years, month = divmod(day.month - 1 + months, 12)
    year, last = day.year + years, monthrange(day.year + years, month + 1)[1]
    if day.day <= last:
        return date(year, month + 1, day.day)
    return date(year, month + 1, last) + timedelta(mode == "up")


def _completed(start: date, end: date, step: int, mode: str) -> int:
    """How many steps of some months fit, by trying them all."""
    around = (end.year - start.year) * 12 // step
    fitting = [n for n in range(around - 14, around + 14) if _later(start, n * step, mode) <= end]
    return step * max(fitting)


def _months_added() -> Iterator[Example]:
    for start, months, mode in product(STARTS, (-480, -13, -12, -1, 0, 1, 11, 12, 13, 480), ("down", "up")):
        yield Example((start, months), _later(start, months, mode), (mode,))
    yield Example((date(9999, 12, 31), 2), None, ("up",))
    yield Example((date(1, 1, 31), -1), None, ("up",))
    yield Example((date(2024, 1, 1), Fraction(1, 2)), None, ("up",))


def _counted(step: int) -> Iterator[Example]:
    for start, end, mode in product(STARTS, ENDS, ("down", "up")):
        yield Example((start, end), _completed(start, end, step, mode), (mode,))
    yield Example((STARTS[0], STARTS[0]), 0)


MARKS = [
    date(1900, 2, 28),
    date(1900, 3, 1),
    date(1999, 12, 31),
    date(2000, 2, 29),
    date(2024, 12, 31),
    date(2100, 2, 28),
]
"""Days around which a calendar goes wrong."""
FAR = [
    (date(2000, 1, 1), -366),
    (date(2000, 1, 1), -731),
    (date(2022, 12, 31), 366),
    (date(101, 12, 31), 500_000),
    (date(2000, 1, 1), -500_000),
    (date(1, 1, 1), 3_000_000),
    (date(9999, 12, 31), -3_000_000),
]
"""Moves that pass as many years as the days can."""


def _days_added(sign: int) -> Iterator[Example]:
    for day, days in product(MARKS, (-366, -1, 0, 1, 365, 366)):
        yield Example((day, sign * days * DAY), day + timedelta(days))
    for day, days in FAR:
        yield Example((day, sign * days * DAY), day + timedelta(days))
    yield Example((date(2024, 2, 28), DAY + 1), None)
    yield Example((date(2024, 2, 28), 1 - DAY), None)
    yield Example((date(9999, 12, 31), sign * 2 * DAY), None)
    yield Example((date(1, 1, 1), -sign * DAY), None)
    yield Example((date(1, 1, 1), 0), date(1, 1, 1))
    yield Example((date(9999, 12, 31), 0), date(9999, 12, 31))


# Tables --------------------------------------------------------------------------------------------------------------


def _table(key: Type, *bands: Band) -> tuple[Table]:
    return (Table("table", "table", key, NUMBER, bands),)


DEGREE = CategoryType(("DNP", "MSN", "BSN"))
OPEN = _table(NUMBER, Band(None, False, -1, False, 1), Band(-1, True, 1, False, 2), Band(1, False, None, False, 3))
HALF = _table(NUMBER, Band(0, True, 1, False, 1), Band(1, True, 2, False, 2), Band(2, False, 3, True, 3))
NEITHER = _table(NUMBER, Band(0, False, 1, False, 1), Band(1, False, 2, False, 2))
CLASHING = _table(NUMBER, Band(0, True, 3, True, 1), Band(2, True, None, False, 2), Band(3, True, 9, True, 3))
BACKWARDS = _table(NUMBER, Band(2, True, 3, True, 1), Band(0, True, 2, True, 2))
TOUCHING = _table(NUMBER, Band(0, False, 2, True, 1), Band(2, True, 3, False, 2))
ENDLESS = _table(NUMBER, Band(None, False, None, False, 1), Band(4, True, 4, True, 2))
BY_DEGREE = _table(DEGREE, Band("DNP", True, "DNP", True, 1), Band("BSN", True, "BSN", True, 2))
TWICE = _table(DEGREE, Band("DNP", True, "DNP", True, 1), Band("DNP", True, "DNP", True, 2))
BY_YES = _table(BOOLEAN, Band(True, True, True, True, 1), Band(False, True, False, True, 2))
BY_DAY = _table(
    DATE,
    Band(None, False, date(2024, 2, 29), False, 1),
    Band(date(2024, 2, 29), True, date(2024, 3, 1), False, 2),
    Band(date(2024, 3, 1), False, None, False, 3),
)
LOOKED_UP: list[tuple[tuple[Table], Value, int | None]] = [
    *((OPEN, key, value) for key, value in ((-2, 1), (-1, 2), (0, 2), (1, None), (2, 3))),
    *((HALF, key, value) for key, value in ((0, 1), (1, 2), (2, None), (3, 3), (4, None), (-1, None))),
    *((NEITHER, key, value) for key, value in ((0, None), (Fraction(1, 2), 1), (1, None), (2, None))),
    *((CLASHING, key, value) for key, value in ((1, 1), (2, None), (3, None), (4, None), (10, 2))),
    *((BACKWARDS, key, value) for key, value in ((0, 2), (1, 2), (2, None), (3, 1))),
    *((TOUCHING, key, value) for key, value in ((1, 1), (2, None), (Fraction(5, 2), 2))),
    *((ENDLESS, key, value) for key, value in ((4, None), (5, 1))),
    *((BY_DEGREE, key, value) for key, value in (("DNP", 1), ("BSN", 2), ("MSN", None))),
    (TWICE, "DNP", None),
    *((BY_YES, key, value) for key, value in ((True, 1), (False, 2))),
    *((BY_DAY, date(2024, 2, day), value) for day, value in ((28, 1), (29, 2))),
    *((BY_DAY, date(2024, 3, day), value) for day, value in ((1, None), (2, 3))),
]
OPEN_TIERS = _table(NUMBER, Band(0, True, 10, False, 1), Band(10, True, 20, False, 3), Band(20, True, None, False, -2))
SHUT_TIERS = _table(NUMBER, Band(0, True, 10, True, 1), Band(10, False, 20, False, 3))
THREE_TIERS = _table(
    NUMBER, Band(None, False, 1, True, 5), Band(1, False, 3, True, 7), Band(3, False, 4, True, Fraction(1, 2))
)
ONE_TIER = _table(NUMBER, Band(None, False, 5, True, 2))
NO_TIERS = _table(NUMBER, Band(0, True, 0, False, 5))
TIERED: list[tuple[tuple[Table], Value, int | Fraction | None]] = [
    *((OPEN_TIERS, key, value) for key, value in ((-1, None), (0, 0), (9, 9), (10, 10), (11, 13), (20, 40), (25, 30))),
    *((SHUT_TIERS, key, value) for key, value in ((0, 0), (10, 10), (19, 37), (20, None))),
    *((THREE_TIERS, key, value) for key, value in ((1, 5), (2, 12), (3, 19), (4, Fraction(39, 2)), (5, None))),
    *((THREE_TIERS, key, value) for key, value in ((Fraction(1, 2), Fraction(5, 2)), (Fraction(-1, 2), None))),
    *((ONE_TIER, key, value) for key, value in ((5, 10), (6, None))),
    *((NO_TIERS, key, value) for key, value in ((0, 0), (1, None), (Fraction(1, 2), None))),
]

# All of them ---------------------------------------------------------------------------------------------------------

_HALF = Fraction(1, 2)
EXAMPLES: dict[str, tuple[Example, ...]] = {
    "+": (*_days_added(1), Example((_HALF, -_HALF), 0), Example((0, 3), 3), Example((3, 0), 3)),
    "-": (
        *_days_added(-1),
        Example((_HALF, _HALF), 0),
        Example((3, 0), 3),
        Example((0, 3), -3),
        Example((Fraction(3, 2), _HALF), 1),
    ),
    "*": (Example((_HALF, _HALF), Fraction(1, 4)), Example((1, -3), -3), Example((-3, 1), -3), Example((2, _HALF), 1)),
    "abs": (Example((1,), 1), Example((Fraction(3, 2),), Fraction(3, 2)), Example((-2,), 2)),
    "min": (
        Example((-3, 2), -3),
        Example((2, -3, -4), -4),
        Example((date(2024, 3, 1), date(2024, 2, 29)), date(2024, 2, 29)),
    ),
    "max": (
        Example((-3, 2), 2),
        Example((2, -3, 4), 4),
        Example((date(2024, 3, 1), date(2024, 2, 29)), date(2024, 3, 1)),
    ),
    "/": (Example((Fraction(-5, 2), _HALF), -5), Example((3, 2), Fraction(3, 2)), Example((0, 0), None)),
    "//": (Example((6, 3), 2), Example((-6, 3), -2), Example((0, -3), 0), Example((5, -3), -2), Example((1, 3), 0)),
    "mod": (
        Example((Fraction(5, 2), 1), _HALF),
        Example((6, 3), 0),
        Example((-6, -3), 0),
        Example((-1, 1), 0),
        Example((Fraction(5, 2), _HALF), 0),
        Example((5, -3), -1),
    ),
    "weighted_mean": (
        Example((10, 1, 20, 0), 10),
        Example((1, _HALF, 2, _HALF), Fraction(3, 2)),
        Example((2, 1, 4, 1), 3),
    ),
    "percent_change": (Example((4, 2), -_HALF), Example((-1, 1), -2), Example((0, 0), None)),
    "total": (Example((_HALF, _HALF), 1), Example((1, 2), 3), Example((_HALF,), _HALF)),
    "count": (Example((False, False), 0), Example((True, True), 2), Example((True,), 1)),
    "any": (Example((True,), True), Example((False,), False)),
    "all": (Example((True,), True), Example((False,), False)),
    "if": (
        *(
            Example((given, one, other), one if given else other)
            for given, one, other in product((True, False), repeat=3)
        ),
        Example((True, _HALF, 2), _HALF),
        Example((False, 2, Fraction(1, 3)), Fraction(1, 3)),
        *(Example((given, MARKS[0], MARKS[3]), MARKS[0] if given else MARKS[3]) for given in (True, False)),
        Example((True, "A", "B"), "A"),
        Example((False, "A", "A"), "A"),
    ),
    "and": tuple(Example(each, all(each)) for each in product((True, False), repeat=2)),
    "or": tuple(Example(each, any(each)) for each in product((True, False), repeat=2)),
    "==": (
        Example((_HALF, _HALF), True),
        Example((_HALF, 1), False),
        Example((_HALF, 2), False),
        Example(("A", "A"), True),
        Example(("A", "B"), False),
        *(Example(each, each[0] is each[1]) for each in product((True, False), repeat=2)),
        *(
            Example((date(2024, 2, 29), each), False)
            for each in (date(2023, 2, 28), date(2024, 3, 29), date(2024, 2, 28))
        ),
    ),
    "<": (
        Example((_HALF, Fraction(2, 3)), True),
        Example((1, _HALF), False),
        *(
            Example((date(2024, 2, 29), each), False)
            for each in (date(2023, 3, 30), date(2024, 1, 30), date(2024, 2, 28))
        ),
        *(
            Example((each, date(2024, 2, 29)), True)
            for each in (date(2023, 3, 30), date(2024, 1, 30), date(2024, 2, 28))
        ),
    ),
    "in": (
        Example((1, 0, 2), False),
        Example((True, False), False),
        Example((date(2024, 2, 29), date(2024, 3, 1)), False),
    ),
    "round": tuple(_rounded()),
    "add_months": tuple(_months_added()),
    "years_between": tuple(_counted(12)),
    "months_between": tuple(_counted(1)),
    "days_between": tuple(
        Example((start, end), (end - start).days * DAY) for start, end in product(MARKS, (*MARKS, *STARTS))
    ),
    "month_end": tuple(
        Example((day,), _later(day.replace(day=1), 1, "down") - timedelta(1)) for day in (*MARKS, *STARTS)
    ),
    "month_start": tuple(Example((day,), day.replace(day=1)) for day in (*MARKS, *STARTS)),
    "lookup": tuple(Example((key,), value, table) for table, key, value in LOOKED_UP),
    "tiered": tuple(Example((key,), value, table) for table, key, value in TIERED),
}
