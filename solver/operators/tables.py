"""lookup and tiered: values from a table whose rows are bands of a key."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise
from types import ModuleType
from typing import Any

from unco.solver.any_term import choose, same
from unco.solver.day_terms import before, not_after
from unco.solver.number_terms import at_most, below, difference, known, product, total
from unco.solver.operators import fitting
from unco.solver.operators.operator import (
    Example,
    Mismatch,
    Number,
    Operator,
    Options,
    Terms,
    Types,
    Undefined,
    Values,
    canonical,
)
from unco.solver.operators.wording import grouped
from unco.solver.terms import Choice, Day, Num, Term, Truth, conjunction, disjunction, negation
from unco.specs.expression import Band, Table
from unco.specs.values import NUMBER, CategoryType, NumberType, Type, Value


def table_of(options: Options) -> Table:
    """The table, the one option of these operators."""
    table = options[0]
    if not isinstance(table, Table):
        raise TypeError(f"not a table: {table!r}")
    return table


# Signatures ----------------------------------------------------------------------------------------------------------


def _keyed(types: Types, options: Options) -> Table:
    fitting.count(types, 1)
    if len(options) != 1 or not isinstance(options[0], Table):
        raise Mismatch(None, "UNC202", "no table", "a table and a key", "lookup(table, key)")
    table = options[0]
    fitting.alike(table.key, types[0], 0)
    return table


def _lookup_signature(types: Types, options: Options) -> Type:
    return _keyed(types, options).gives


def _tiered_signature(types: Types, options: Options) -> Type:
    table = _keyed(types, options)
    amount = fitting.number(types, 0)
    rate = table.gives
    if not isinstance(rate, NumberType):
        raise Mismatch(None, "UNC203", f"a table that gives {fitting.describe(rate)}", "a table of rates")
    first = table.bands[0]
    if first.low != 0:
        raise Mismatch(None, "UNC408", "a first tier that does not start at 0", "tiers from 0 upwards")
    for lower, upper in pairwise(table.bands):
        if lower.high is None or upper.low is None or lower.high > upper.low:  # type: ignore[operator]
            raise Mismatch(None, "UNC409", "tiers that overlap", "each tier to start where the last one ends")
        if lower.high < upper.low:  # type: ignore[operator]
            raise Mismatch(None, "UNC408", "a gap between tiers", "each tier to start where the last one ends")
    return fitting.product_type(amount, rate)


# Values --------------------------------------------------------------------------------------------------------------


def in_band(key: Any, band: Band) -> bool:
    """Whether a key lies in a band."""
    low: Any = band.low
    high: Any = band.high
    if low is not None and (key < low or (key == low and not band.low_included)):
        return False
    return high is None or key < high or (key == high and band.high_included)


def _lookup(values: Values, options: Options) -> Value:
    table = table_of(options)
    key = values[0]
    if isinstance(key, bool | str):
        rows = [band for band in table.bands if band.low == key]
    else:
        rows = [band for band in table.bands if in_band(key, band)]
    if len(rows) != 1:
        where = "in no row" if not rows else "in several rows"
        raise Undefined(f"the key is {where} of the table {table.label}")
    return rows[0].value


def _tiered(values: Values, options: Options) -> Value:
    table = table_of(options)
    amount: Number = values[0]
    last = table.bands[-1]
    if amount < 0 or (amount > 0 and last.high is not None and not in_band(amount, _closing(last))):
        raise Undefined(f"the amount lies outside the tiers of {table.label}")
    result: Number = 0
    for band in table.bands:
        low, high, rate = _numbers(band)
        if amount > low:
            result += ((amount if high is None else min(amount, high)) - low) * rate
    return canonical(result)


def _numbers(band: Band) -> tuple[Number, Number | None, Number]:
    """Where a tier starts, where it ends, and its rate."""
    low: Any = band.low
    high: Any = band.high
    rate: Any = band.value
    return low or 0, high, rate


def _closing(last: Band) -> Band:
    """The last tier as an upper bound alone."""
    return Band(None, False, last.high, last.high_included, last.value)


# Terms ---------------------------------------------------------------------------------------------------------------


def constant_term(value: Value, type_: Type) -> Term:
    """A known value, numbers in base units, as a term."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        names = type_.values if isinstance(type_, CategoryType) and value in type_.values else (value,)
        return Choice(names.index(value), names)
    if isinstance(value, date):
        return Day(value.year, value.month, value.day)
    return known(value)


def _precedes(z3: ModuleType, left: Any, right: Any, inclusive: bool) -> Truth:
    """left <= right, or left < right."""
    if isinstance(left, Day):
        return not_after(z3, left, right) if inclusive else before(z3, left, right)
    return at_most(left, right) if inclusive else below(left, right)


def _inside(z3: ModuleType, key: Term, band: Band, type_: Type) -> Truth:
    if not isinstance(key, Num | Day):
        return band.low is not None and same(z3, key, constant_term(band.low, type_))
    sides: list[Truth] = []
    if band.low is not None:
        sides.append(_precedes(z3, constant_term(band.low, type_), key, band.low_included))
    if band.high is not None:
        sides.append(_precedes(z3, key, constant_term(band.high, type_), band.high_included))
    return conjunction(z3, sides)


def _lookup_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    table = table_of(options)
    chosen = constant_term(table.bands[-1].value, table.gives)
    for band in reversed(table.bands[:-1]):
        row = constant_term(band.value, table.gives)
        chosen = choose(z3, _inside(z3, terms[0], band, table.key), row, chosen)
    return chosen


def _lookup_defined(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    table = table_of(options)
    inside = [_inside(z3, terms[0], band, table.key) for band in table.bands]
    clashes = (
        negation(z3, conjunction(z3, (inside[i], inside[j])))
        for i, j in combinations(range(len(inside)), 2)
        if _overlap(z3, table.bands[i], table.bands[j], table.key)
    )
    return conjunction(z3, (disjunction(z3, inside), *clashes))


def _overlap(z3: ModuleType, one: Band, other: Band, type_: Type) -> bool:
    """Whether two bands may share a key; their bounds are known, so the comparison folds."""
    if isinstance(one.low, bool | str):
        return one.low == other.low
    meets = []
    for lower, upper in ((one, other), (other, one)):
        if lower.low is None or upper.high is None:
            meets.append(True)
            continue
        both = lower.low_included and upper.high_included
        ends = constant_term(lower.low, type_), constant_term(upper.high, type_)
        meets.append(_precedes(z3, *ends, both) is True)
    return all(meets)


def _tiered_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    amount = terms[0]
    parts = [_tier(z3, amount, band) for band in table_of(options).bands]
    return reduce(total, parts)


def _tier(z3: ModuleType, amount: Num, band: Band) -> Num:
    """The rate of a tier times the part of the amount inside it."""
    low = known(band.low or 0)  # type: ignore[arg-type]
    above = difference(amount, low)
    if band.high is not None:
        width = difference(known(band.high), low)  # type: ignore[arg-type]
        above = choose(z3, at_most(width, above), width, above)  # type: ignore[assignment]
    part = choose(z3, at_most(amount, low), Num(0), above)
    return product(part, known(band.value))  # type: ignore[arg-type]


def _tiered_defined(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    amount, last = terms[0], table_of(options).bands[-1]
    from_zero = at_most(Num(0), amount)
    if last.high is None:
        return from_zero
    within = _precedes(z3, amount, known(last.high), last.high_included)  # type: ignore[arg-type]
    return conjunction(z3, (from_zero, disjunction(z3, (within, amount.numerator == 0))))


# Wording -------------------------------------------------------------------------------------------------------------


def _lookup_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    return f'the value in the table "{table_of(options).label}" for {grouped(arguments[0])}'


def _tiered_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    meant = "the part of it within each tier × the rate of that tier, added up"
    return f'the total for {grouped(arguments[0])} by the tiers of "{table_of(options).label}" ({meant})'


_LIMITS = Table(
    "limits",
    "limits",
    NUMBER,
    NUMBER,
    (Band(1, True, 2, True, 10), Band(2, False, 4, False, 20), Band(4, True, 5, True, 30), Band(5, True, 6, True, 40)),
)
_TIERS = Table(
    "tiers",
    "tiers",
    NUMBER,
    NUMBER,
    (Band(0, True, 10, True, Fraction(1, 10)), Band(10, False, 20, True, Fraction(1, 5))),
)

ROWS = (
    Operator(
        name="lookup",
        signature=_lookup_signature,
        apply=_lookup,
        encode=_lookup_term,
        phrase=_lookup_phrase,
        examples=(
            Example((1,), 10, (_LIMITS,)),
            Example((2,), 10, (_LIMITS,)),
            Example((Fraction(5, 2),), 20, (_LIMITS,)),
            Example((4,), 30, (_LIMITS,)),
            Example((0,), None, (_LIMITS,)),
            Example((5,), None, (_LIMITS,)),
            Example((7,), None, (_LIMITS,)),
        ),
        defined=_lookup_defined,
    ),
    Operator(
        name="tiered",
        signature=_tiered_signature,
        apply=_tiered,
        encode=_tiered_term,
        phrase=_tiered_phrase,
        examples=(
            Example((0,), 0, (_TIERS,)),
            Example((10,), 1, (_TIERS,)),
            Example((20,), 3, (_TIERS,)),
            Example((-1,), None, (_TIERS,)),
            Example((21,), None, (_TIERS,)),
        ),
        defined=_tiered_defined,
    ),
)
