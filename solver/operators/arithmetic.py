"""+ - * / negate abs min max sum // mod weighted_mean percent_change."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import reduce
from types import ModuleType

from unco.solver.operators import fitting
from unco.solver.operators.operator import (
    Example,
    Mismatch,
    Number,
    Operator,
    Options,
    Phrase,
    Terms,
    Types,
    Undefined,
    Values,
    canonical,
)
from unco.solver.operators.wording import about_dates, grouped, listing
from unco.solver.terms import (
    Day,
    Num,
    Term,
    Truth,
    at_most,
    choose,
    conjunction,
    day_number,
    day_of_number,
    difference,
    floor_mod,
    floor_of,
    is_whole,
    negation,
    negative,
    not_after,
    product,
    quotient,
    total,
)
from unco.specs.values import DATE, PERCENT, DateType, NumberType, Type, Value

DAY = 86_400
"""Seconds, the base of clock durations, in a day."""
LAST_DAY = 3_652_059
"""The day number of 9999-12-31."""


# Signatures ----------------------------------------------------------------------------------------------------------


def _plus_signature(types: Types, options: Options) -> Type:
    return _shift_or_like(types, options, "+")


def _minus_signature(types: Types, options: Options) -> Type:
    return _shift_or_like(types, options, "-")


def _shift_or_like(types: Types, options: Options, sign: str) -> Type:
    """Like numbers, or a date and a number of days."""
    fitting.no_options(options)
    fitting.count(types, 2, each="side")
    if isinstance(types[0], DateType):
        return _shifted_date(types[1], sign)
    if isinstance(types[1], DateType):
        hint = "write the date first" if sign == "+" and isinstance(types[0], NumberType) else None
        raise Mismatch(1, "UNC203", fitting.describe(types[1]), fitting.describe(types[0]), hint)
    return fitting.like_numbers(types)


def _shifted_date(by: Type, sign: str) -> Type:
    if isinstance(by, DateType):
        hint = "use days_between(earlier, later)" if sign == "-" else "two dates cannot be added"
        raise Mismatch(1, "UNC203", fitting.describe(by), "a number of days", hint)
    if not isinstance(by, NumberType):
        raise Mismatch(1, "UNC203", fitting.describe(by), "a number of days", None)
    if by.unit.dimension == fitting.CALENDAR:
        raise Mismatch(1, "UNC204", fitting.describe(by), "a number of days", "use add_months(date, months)")
    if by.unit.dimension != fitting.CLOCK:
        raise Mismatch(1, "UNC204", fitting.describe(by), "a number of days", "write the unit, e.g. 14 days")
    return DATE


def _binary(types: Types, options: Options) -> tuple[NumberType, NumberType]:
    fitting.no_options(options)
    fitting.count(types, 2, each="side")
    return fitting.number(types, 0), fitting.number(types, 1)


def _times_signature(types: Types, options: Options) -> Type:
    return fitting.product_type(*_binary(types, options))


def _over_signature(types: Types, options: Options) -> Type:
    return fitting.quotient_type(*_binary(types, options))


def _floor_signature(types: Types, options: Options) -> Type:
    first, second = _binary(types, options)
    if first.unit.dimension != () and second.unit.dimension == ():
        hint = "how many fit depends on the unit: divide by one unit, or use round(x / y, 0, floor)"
        raise Mismatch(1, "UNC204", fitting.describe(second), fitting.describe(first), hint)
    fitting.fitted(first, second, 1)
    return fitting.PLAIN_NUMBER


def _mod_signature(types: Types, options: Options) -> Type:
    return fitting.fitted(*_binary(types, options), 1)


def _one_number(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 1)
    return fitting.number(types, 0)


def _several_numbers(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 2, -1)
    return fitting.like_numbers(types)


def _extreme_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 2, -1)
    if not isinstance(types[0], DateType):
        return fitting.like_numbers(types)
    for index in range(1, len(types)):
        fitting.date(types, index)
    return DATE


def _mean_signature(types: Types, options: Options) -> Type:
    fitting.no_options(options)
    fitting.count(types, 2, -1)
    if len(types) % 2:
        raise Mismatch(
            None, "UNC202", f"{len(types)} arguments", "a weight for each value", "weighted_mean(a: 3, b: 2)"
        )
    fitting.like_numbers(types, 1, 2)
    return fitting.like_numbers(types, 0, 2)


def _change_signature(types: Types, options: Options) -> Type:
    fitting.fitted(*_binary(types, options), 1)
    return NumberType(PERCENT)


# Values --------------------------------------------------------------------------------------------------------------


def _shift(day: date, seconds: Number) -> date:
    days = Fraction(seconds) / DAY
    if days.denominator != 1:
        raise Undefined("a date moves by whole days only")
    try:
        return day + timedelta(days=int(days))
    except OverflowError:
        raise Undefined("the date falls outside the years 1 to 9999") from None


def _plus(values: Values, options: Options) -> Value:
    left, right = values
    return _shift(left, right) if isinstance(left, date) else canonical(left + right)


def _minus(values: Values, options: Options) -> Value:
    left, right = values
    return _shift(left, -right) if isinstance(left, date) else canonical(left - right)


def _over(values: Values, options: Options) -> Value:
    left, right = values
    if right == 0:
        raise Undefined("division by zero")
    return canonical(Fraction(left, right))


def _floor(values: Values, options: Options) -> Value:
    left, right = values
    if right == 0:
        raise Undefined("division by zero")
    return int(left // right)


def _mod(values: Values, options: Options) -> Value:
    left, right = values
    if right == 0:
        raise Undefined("division by zero")
    return canonical(left % right)


def _mean(values: Values, options: Options) -> Value:
    weight = sum(values[1::2])
    if weight == 0:
        raise Undefined("the weights sum to zero")
    return canonical(
        Fraction(sum(value * share for value, share in zip(values[::2], values[1::2], strict=True)), weight)
    )


def _change(values: Values, options: Options) -> Value:
    old, new = values
    if old == 0:
        raise Undefined("the old value of a percentage change is zero")
    return canonical(Fraction(new - old, old))


# Terms ---------------------------------------------------------------------------------------------------------------


def _whole_days(seconds: Num) -> Num:
    return product(seconds, Num(1, DAY))


def _moved(z3: ModuleType, day: Day, seconds: Num) -> Day:
    return day_of_number(z3, day_number(z3, day) + floor_of(_whole_days(seconds)))


def _plus_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    left, right = terms
    return _moved(z3, left, right) if isinstance(left, Day) else total(left, right)


def _minus_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    left, right = terms
    return _moved(z3, left, negative(right)) if isinstance(left, Day) else difference(left, right)


def _plus_defined(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    left, right = terms
    if not isinstance(left, Day):
        return True
    days = _whole_days(right)
    number = day_number(z3, left) + floor_of(days)
    return conjunction(z3, (is_whole(days), number >= 1, number <= LAST_DAY))


def _minus_defined(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    left, right = terms
    return _plus_defined(z3, (left, negative(right)), options) if isinstance(left, Day) else True


def _second_not_zero(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    return negation(z3, terms[1].numerator == 0)


def _first_not_zero(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    return negation(z3, terms[0].numerator == 0)


def _over_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return quotient(z3, terms[0], terms[1])


def _floor_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return Num(floor_of(quotient(z3, terms[0], terms[1])))


def _mod_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    left, right = terms
    if isinstance(right.numerator, int) and right.numerator > 0 and left.denominator == right.denominator:
        return Num(floor_mod(left.numerator, right.numerator), left.denominator)
    return difference(left, product(right, Num(floor_of(quotient(z3, left, right)))))


def _abs_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return choose(z3, terms[0].numerator < 0, negative(terms[0]), terms[0])


def _lesser(z3: ModuleType, left: Term, right: Term) -> Term:
    if isinstance(left, Day):
        return choose(z3, not_after(z3, left, right), left, right)  # type: ignore[arg-type]
    return choose(z3, at_most(left, right), left, right)  # type: ignore[arg-type]


def _greater(z3: ModuleType, left: Term, right: Term) -> Term:
    if isinstance(left, Day):
        return choose(z3, not_after(z3, left, right), right, left)  # type: ignore[arg-type]
    return choose(z3, at_most(left, right), right, left)  # type: ignore[arg-type]


def _min_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return reduce(lambda left, right: _lesser(z3, left, right), terms)


def _max_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    return reduce(lambda left, right: _greater(z3, left, right), terms)


def _mean_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    weighted = reduce(total, (product(value, share) for value, share in zip(terms[::2], terms[1::2], strict=True)))
    return quotient(z3, weighted, reduce(total, terms[1::2]))


def _mean_defined(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    return negation(z3, reduce(total, terms[1::2]).numerator == 0)


def _change_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    old, new = terms
    return quotient(z3, difference(new, old), old)


# Wording -------------------------------------------------------------------------------------------------------------


def _infix(sign: str) -> Phrase:
    def phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
        return f" {sign} ".join(grouped(argument) for argument in arguments)

    return phrase


def _extreme_phrase(words: tuple[str, str, str, str]) -> Phrase:
    """Words for two numbers, several numbers, two dates, several dates."""

    def phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
        word = words[2 * about_dates(types) + (len(arguments) > 2)]
        return f"the {word} of {listing(arguments, 'and')}"

    return phrase


def _mean_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    pairs = [
        f"{grouped(value)} (weight {weight})" for value, weight in zip(arguments[::2], arguments[1::2], strict=True)
    ]
    parts = pairs[0] if len(pairs) == 1 else f"{', '.join(pairs[:-1])} and {pairs[-1]}"
    return f"the weighted mean of {parts}"


ROWS = (
    Operator(
        name="+",
        signature=_plus_signature,
        apply=_plus,
        encode=_plus_term,
        phrase=_infix("+"),
        examples=(
            Example((Fraction(1, 8), Fraction(1, 8)), Fraction(1, 4)),
            Example((Fraction(1, 2), Fraction(1, 2)), 1),
            Example((date(2024, 2, 28), DAY), date(2024, 2, 29)),
            Example((date(9999, 12, 31), DAY), None),
            Example((date(2024, 2, 28), DAY // 2), None),
        ),
        defined=_plus_defined,
    ),
    Operator(
        name="-",
        signature=_minus_signature,
        apply=_minus,
        encode=_minus_term,
        phrase=_infix("−"),
        examples=(
            Example((1, Fraction(3, 2)), Fraction(-1, 2)),
            Example((10**30, 10**30 + 1), -1),
            Example((date(2023, 3, 1), DAY), date(2023, 2, 28)),
            Example((date(1, 1, 1), DAY), None),
        ),
        defined=_minus_defined,
    ),
    Operator(
        name="*",
        signature=_times_signature,
        apply=lambda values, options: canonical(values[0] * values[1]),
        encode=lambda z3, terms, options: product(terms[0], terms[1]),
        phrase=_infix("×"),
        examples=(Example((-3, Fraction(1, 3)), -1), Example((0, 5), 0), Example((-2, -2), 4)),
    ),
    Operator(
        name="/",
        signature=_over_signature,
        apply=_over,
        encode=_over_term,
        phrase=_infix("÷"),
        examples=(
            Example((7, -2), Fraction(-7, 2)),
            Example((-6, -3), 2),
            Example((0, 5), 0),
            Example((7, 0), None),
        ),
        defined=_second_not_zero,
    ),
    Operator(
        name="//",
        signature=_floor_signature,
        apply=_floor,
        encode=_floor_term,
        phrase=lambda arguments, options=(), types=(): (
            f"the whole number of times that {grouped(arguments[1])} goes into {grouped(arguments[0])} (rounded down)"
        ),
        examples=(
            Example((7, -2), -4),
            Example((-3, 2), -2),
            Example((-7, -2), 3),
            Example((Fraction(-101, 10), Fraction(9, 2)), -3),
            Example((1, 0), None),
        ),
        defined=_second_not_zero,
    ),
    Operator(
        name="mod",
        signature=_mod_signature,
        apply=_mod,
        encode=_mod_term,
        phrase=lambda arguments, options=(), types=(): (
            f"what is left of {grouped(arguments[0])} after taking away whole multiples of {grouped(arguments[1])}"
        ),
        examples=(
            Example((-3, 2), 1),
            Example((7, -2), -1),
            Example((-12, -5), -2),
            Example((Fraction(-101, 10), Fraction(9, 2)), Fraction(17, 5)),
            Example((1, 0), None),
        ),
        defined=_second_not_zero,
    ),
    Operator(
        name="negate",
        signature=_one_number,
        apply=lambda values, options: -values[0],
        encode=lambda z3, terms, options: negative(terms[0]),
        phrase=lambda arguments, options=(), types=(): f"minus {grouped(arguments[0])}",
        examples=(Example((0,), 0), Example((Fraction(-1, 2),), Fraction(1, 2))),
    ),
    Operator(
        name="abs",
        signature=_one_number,
        apply=lambda values, options: abs(values[0]),
        encode=_abs_term,
        phrase=lambda arguments, options=(), types=(): f"the size of {grouped(arguments[0])} without its sign",
        examples=(Example((0,), 0), Example((-1,), 1), Example((Fraction(-1, 2),), Fraction(1, 2))),
    ),
    Operator(
        name="min",
        signature=_extreme_signature,
        apply=lambda values, options: min(values),
        encode=_min_term,
        phrase=_extreme_phrase(("smaller", "smallest", "earlier", "earliest")),
        examples=(Example((2, -3, 2), -3), Example((date(2024, 2, 29), date(2024, 3, 1)), date(2024, 2, 29))),
    ),
    Operator(
        name="max",
        signature=_extreme_signature,
        apply=lambda values, options: max(values),
        encode=_max_term,
        phrase=_extreme_phrase(("larger", "largest", "later", "latest")),
        examples=(Example((2, -3, 2), 2), Example((date(2024, 2, 29), date(2024, 3, 1)), date(2024, 3, 1))),
    ),
    Operator(
        name="sum",
        signature=_several_numbers,
        apply=lambda values, options: canonical(sum(values)),
        encode=lambda z3, terms, options: reduce(total, terms),
        phrase=lambda arguments, options=(), types=(): f"the sum of {listing(arguments, 'and')}",
        examples=(Example((1, 2, -3), 0), Example((Fraction(1, 3), Fraction(2, 3)), 1)),
    ),
    Operator(
        name="weighted_mean",
        signature=_mean_signature,
        apply=_mean,
        encode=_mean_term,
        phrase=_mean_phrase,
        examples=(
            Example((10, 1, 20, 3), Fraction(35, 2)),
            Example((10, 1, 20, -1), None),
            Example((10, 0), None),
            Example((10, 1, 20, -3), 25),
        ),
        defined=_mean_defined,
    ),
    Operator(
        name="percent_change",
        signature=_change_signature,
        apply=_change,
        encode=_change_term,
        phrase=lambda arguments, options=(), types=(): (
            f"the percentage change from {grouped(arguments[0])} to {grouped(arguments[1])}"
        ),
        examples=(
            Example((80, 100), Fraction(1, 4)),
            Example((-2, 1), Fraction(-3, 2)),
            Example((5, 5), 0),
            Example((0, 1), None),
        ),
        defined=_first_not_zero,
    ),
)
