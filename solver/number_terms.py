"""Numbers as terms: integers over a positive denominator, compared by cross-multiplication."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from types import ModuleType

from unco.solver.terms import Num, Truth, Whole, choose_whole, floor_div, floor_mod, plus, times


def known(value: int | Fraction) -> Num:
    """A number that is known."""
    return Num(value.numerator, value.denominator)


def _reduced(numerator: Whole, denominator: Whole) -> Num:
    if isinstance(numerator, int) and isinstance(denominator, int):
        common = gcd(numerator, denominator)
        return Num(numerator // common, denominator // common)
    return Num(numerator, denominator)


def aligned(left: Num, right: Num) -> tuple[Whole, Whole, Whole]:
    """Both numerators over one denominator."""
    a, b = left.denominator, right.denominator
    if isinstance(a, int) and isinstance(b, int):
        common = lcm(a, b)
        return times(left.numerator, common // a), times(right.numerator, common // b), common
    return times(left.numerator, b), times(right.numerator, a), times(a, b)


def negative(number: Num) -> Num:
    """The number with the other sign."""
    return Num(-number.numerator, number.denominator)


def total(left: Num, right: Num) -> Num:
    """The sum."""
    a, b, denominator = aligned(left, right)
    return _reduced(plus(a, b), denominator)


def difference(left: Num, right: Num) -> Num:
    """The first less the second."""
    a, b, denominator = aligned(left, right)
    return _reduced(a if isinstance(b, int) and b == 0 else a - b, denominator)


def product(left: Num, right: Num) -> Num:
    """The product."""
    return _reduced(times(left.numerator, right.numerator), times(left.denominator, right.denominator))


def quotient(z3: ModuleType, left: Num, right: Num) -> Num:
    """The first over the second; means nothing where the second is zero."""
    numerator, denominator = times(left.numerator, right.denominator), times(left.denominator, right.numerator)
    if isinstance(right.numerator, int) and right.numerator == 0:
        return Num(0)
    falls = right.numerator < 0
    return _reduced(choose_whole(z3, falls, -numerator, numerator), choose_whole(z3, falls, -denominator, denominator))


def floor_of(number: Num) -> Whole:
    """The greatest whole number that is not greater."""
    return floor_div(number.numerator, number.denominator)


def is_whole(number: Num) -> Truth:
    """Whether the number has no fractional part."""
    return floor_mod(number.numerator, number.denominator) == 0


def at_most(left: Num, right: Num) -> Truth:
    """left <= right."""
    a, b, _ = aligned(left, right)
    return a <= b


def below(left: Num, right: Num) -> Truth:
    """left < right."""
    a, b, _ = aligned(left, right)
    return a < b


def same_number(left: Num, right: Num) -> Truth:
    """left == right."""
    a, b, _ = aligned(left, right)
    return a == b
