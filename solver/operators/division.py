"""/ // mod weighted_mean percent_change: undefined where they would divide by zero.

`//` is the floor of the quotient and `mod` what it leaves, with the sign of the divisor: -3 // 2 is -2, -3 mod 2 is 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from types import ModuleType

from unco.solver.number_terms import aligned, difference, floor_of, product, quotient, total
from unco.solver.operators import fitting
from unco.solver.operators.arithmetic import infix, two_numbers
from unco.solver.operators.operator import (
    Example,
    Mismatch,
    Operator,
    Options,
    Terms,
    Types,
    Undefined,
    Values,
    canonical,
)
from unco.solver.operators.wording import grouped
from unco.solver.terms import Num, Term, Truth, floor_mod, negation
from unco.specs.values import PERCENT, NumberType, Type, Value

# Signatures -----------------------------------------------------------------------------------------------------------


def _over_signature(types: Types, options: Options) -> Type:
    return fitting.quotient_type(*two_numbers(types, options))


def _floor_signature(types: Types, options: Options) -> Type:
    first, second = two_numbers(types, options)
    if first.unit.dimension != () and second.unit.dimension == ():
        hint = "how many fit depends on the unit: divide by one unit, or use round(x / y, 0, floor)"
        raise Mismatch(1, "UNC204", fitting.describe(second), fitting.describe(first), hint)
    fitting.fitted(first, second, 1)
    return fitting.PLAIN_NUMBER


def _mod_signature(types: Types, options: Options) -> Type:
    return fitting.fitted(*two_numbers(types, options), 1)


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
    fitting.fitted(*two_numbers(types, options), 1)
    return NumberType(PERCENT)


# Values ---------------------------------------------------------------------------------------------------------------


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


# Terms ----------------------------------------------------------------------------------------------------------------


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
    a, b, denominator = aligned(left, right)
    if isinstance(b, int) and b > 0:
        return Num(floor_mod(a, b), denominator)
    return difference(left, product(right, Num(floor_of(quotient(z3, left, right)))))


def _mean_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    weighted = reduce(total, (product(value, share) for value, share in zip(terms[::2], terms[1::2], strict=True)))
    return quotient(z3, weighted, reduce(total, terms[1::2]))


def _mean_defined(z3: ModuleType, terms: Terms, options: Options) -> Truth:
    return negation(z3, reduce(total, terms[1::2]).numerator == 0)


def _change_term(z3: ModuleType, terms: Terms, options: Options) -> Term:
    old, new = terms
    return quotient(z3, difference(new, old), old)


# Wording --------------------------------------------------------------------------------------------------------------


def _mean_phrase(arguments: Sequence[str], options: Options = (), types: Types = ()) -> str:
    pairs = [
        f"{grouped(value)} (weighted by {weight})"
        for value, weight in zip(arguments[::2], arguments[1::2], strict=True)
    ]
    parts = pairs[0] if len(pairs) == 1 else f"{', '.join(pairs[:-1])} and {pairs[-1]}"
    return f"the mean of {parts}"


ROWS = (
    Operator(
        name="/",
        signature=_over_signature,
        apply=_over,
        encode=_over_term,
        phrase=infix("÷"),
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
            Example((Fraction(7, 2), -1), -4),
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
