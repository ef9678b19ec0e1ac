"""Sums: added, scaled and read; each is scaled so that everything in it is a whole number, wherever it can be."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, lcm
from typing import NamedTuple

from unco.solver.closures.parts import Atom, Frame, Number, Part, ReadNumber, Row, Sum, Truth, alone, certain
from unco.solver.operators.operator import Undefined, canonical


class Scaled(NamedTuple):
    """A reader of a number times `scale`: of a whole number, unless an atom in it is none."""

    read: ReadNumber
    scale: int


def plus(left: Sum, right: Sum, sign: int = 1) -> Sum:
    """The sum of two sums, or their difference with the sign -1."""
    factors = dict(left.places)
    for place, factor in right.places:
        factors[place] = factors.get(place, Fraction(0)) + sign * factor
    places = tuple((place, factor) for place, factor in factors.items() if factor)
    atoms = tuple((atom, sign * factor) for atom, factor in right.atoms)
    return Sum(left.constant + sign * right.constant, places, (*left.atoms, *atoms))


def times(number: Sum, factor: Number) -> Sum:
    """A sum times a number."""
    places = tuple((place, each * factor) for place, each in number.places) if factor else ()
    atoms = tuple((atom, each * factor) for atom, each in number.atoms)
    return Sum(number.constant * factor, places, atoms)


def product(left: Sum, right: Sum) -> Sum:
    """The product of two sums."""
    if right.is_constant:
        return times(left, right.constant)
    if left.is_constant:
        return times(right, left.constant)
    (first, scale), (second, other) = scaled(left), scaled(right)
    return made_of(lambda row: first(row) * second(row), scale * other, (left, right))


def quotient(left: Sum, right: Sum, reason: str = "division by zero") -> Sum:
    """One sum over another: an atom that keeps its sides, or a multiple where the divisor is known."""
    if right.is_constant and right.constant:
        return times(left, 1 / right.constant)
    (top, bottom), _ = together(left, right)

    def read(row: Row) -> Number:
        above, below = top(row), bottom(row)
        if not below:
            raise Undefined(reason)
        return Fraction(above, below)

    sides = (top, bottom) if left.whole and right.whole else None
    return alone(Atom(read, left.reads | right.reads, False, False, sides, (left, right)))


def without_quotient(number: Sum) -> Sum | None:
    """What is zero where the sum of one quotient and a number is zero, without dividing; None for another sum."""
    if number.places or len(number.atoms) != 1 or number.atoms[0][0].ratio is None:
        return None
    factor, (above, below) = number.atoms[0][1], number.atoms[0][0].ratio
    return plus(times(above, factor), times(below, number.constant))


def made_of(
    read: ReadNumber, scale: int, of: tuple[Part, ...], *, total: bool = True, whole: bool | None = None
) -> Sum:
    """The number that a reader gives times a scale, made of other parts; whole if they are, where that is not said."""
    reads = frozenset[int]().union(*(each.reads for each in of))
    if whole is None:
        whole = all(each.whole for each in of if isinstance(each, Sum))
    atom = Atom(read, reads, total and all(each.total for each in of), whole)
    return Sum(Fraction(0), (), ((atom, Fraction(1, scale)),))


def scaled(number: Sum, least: int = 1) -> Scaled:
    """The reader of a sum times the smallest multiple of `least` that makes its factors whole."""
    factors = [number.constant, *(factor for _, factor in (*number.places, *number.atoms))]
    scale = lcm(least, *(factor.denominator for factor in factors))
    return Scaled(_reader(times(number, scale)), scale)


def together(*numbers: Sum) -> tuple[list[ReadNumber], int]:
    """Readers of several sums, with one scale."""
    scale = lcm(*(scaled(each).scale for each in numbers))
    return [scaled(each, scale).read for each in numbers], scale


def exactly(number: Sum) -> ReadNumber:
    """The reader of the number itself: an int where it is whole, else a Fraction."""
    read, scale = scaled(number)
    if scale == 1 and number.whole:
        return read
    return lambda row: canonical(Fraction(read(row), scale))


def _reader(number: Sum) -> ReadNumber:
    """The reader of a sum of whole factors; the commonest forms without a loop."""
    fixed = int(number.constant)
    places = [(place, int(factor)) for place, factor in number.places]
    atoms = [(atom.read, int(factor)) for atom, factor in number.atoms]
    match places, atoms:
        case [], []:
            return lambda row: fixed
        case [(i, 1)], [] if not fixed:
            return lambda row: row[i]
        case [(i, a)], []:
            return lambda row: a * row[i] + fixed
        case [(i, a), (j, b)], []:
            return lambda row: a * row[i] + b * row[j] + fixed
        case [(i, a), (j, b), (k, c)], []:
            return lambda row: a * row[i] + b * row[j] + c * row[k] + fixed
        case [], [(read, 1)] if not fixed:
            return read
        case [], [(read, a)]:
            return lambda row: a * read(row) + fixed
        case [(i, a)], [(read, b)]:
            return lambda row: a * row[i] + b * read(row) + fixed
        case _:
            return _long(fixed, places, atoms)


def _long(fixed: int, places: list[tuple[int, int]], atoms: list[tuple[ReadNumber, int]]) -> ReadNumber:
    def read(row: Row) -> Number:
        total: Number = fixed
        for place, factor in places:
            total += factor * row[place]
        for atom, factor in atoms:
            total += factor * atom(row)
        return total

    return read


def bounds(number: Sum, frame: Frame) -> tuple[Fraction, Fraction] | None:
    """The least and the greatest value of a sum of places; None where an atom is in it."""
    if number.atoms:
        return None
    ends = [(Fraction(0), factor * (frame.domains[place].size - 1)) for place, factor in number.places]
    least, most = (number.constant + sum(map(end, ends)) for end in (min, max))
    return least, most


# Compared with zero ---------------------------------------------------------------------------------------------------


def not_negative(number: Sum, frame: Frame) -> Truth:
    """Whether a sum is zero or more."""
    if not number.atoms and len(number.places) == 1:
        return _beyond(number, frame)
    close = _least_difference(number)
    if close is not None:
        return Truth(close, number.reads)
    return _signed(number, lambda value: value >= 0, lambda read: lambda row: read(row) >= 0)


def positive(number: Sum, frame: Frame) -> Truth:
    """Whether a sum is more than zero."""
    if not number.atoms and number.places:
        scale = scaled(number).scale
        return not_negative(plus(times(number, scale), Sum(Fraction(-1))), frame)
    return _signed(number, lambda value: value > 0, lambda read: lambda row: read(row) > 0)


def is_zero(number: Sum, frame: Frame) -> Truth:
    """Whether a sum is zero."""
    if not number.atoms and len(number.places) == 1:
        ((place, factor),) = number.places
        at = -number.constant / factor
        inside = at.denominator == 1 and 0 <= at < frame.domains[place].size
        return Truth(_at(place, int(at)), frozenset((place,))) if inside else certain(False)
    return _signed(number, lambda value: value == 0, lambda read: lambda row: read(row) == 0)


def _at(place: int, wanted: int) -> Callable[[Row], bool]:
    return lambda row: row[place] == wanted


def _beyond(number: Sum, frame: Frame) -> Truth:
    """Whether one place lies at or beyond what makes the sum zero."""
    ((place, factor),) = number.places
    at, last = -number.constant / factor, frame.domains[place].size - 1
    reads = frozenset((place,))
    if factor > 0:
        low = ceil(at)
        return certain(low <= 0) if not 0 < low <= last else Truth(lambda row: row[place] >= low, reads)
    high = floor(at)
    return certain(high >= last) if not 0 <= high < last else Truth(lambda row: row[place] <= high, reads)


def _least_difference(number: Sum) -> Callable[[Row], bool] | None:
    """Of two places with opposite factors: whether one is at least the other and so many more."""
    if number.atoms or len(number.places) != 2 or number.places[0][1] != -number.places[1][1]:
        return None
    (more, _), (less, _) = sorted(number.places, key=lambda each: each[1] < 0)
    by = ceil(-number.constant / abs(number.places[0][1]))
    if not by:
        return lambda row: row[more] >= row[less]
    return lambda row: row[more] >= row[less] + by


def _signed(number: Sum, holds: Callable[[Number], bool], of: Callable[[ReadNumber], Callable[[Row], bool]]) -> Truth:
    if number.is_constant:
        return certain(holds(number.constant))
    return Truth(_two_sided(number, holds) or of(scaled(number).read), number.reads, number.total)


def _two_sided(number: Sum, holds: Callable[[Number], bool]) -> Callable[[Row], bool] | None:
    """Of a sum with one quotient, all else whole: its sign without a fraction."""
    if not number.atoms or number.atoms[0][0].sides is None or len(number.atoms) > 1:
        return None
    ratio = over_one(number)

    def read(row: Row) -> bool:
        above, below = ratio(row)
        return holds(above if below > 0 else -above)

    return read


def over_one(number: Sum) -> Callable[[Row], tuple[int, int]]:
    """A reader of the number as one whole number over another; raises Undefined where the other is zero."""
    if len(number.atoms) == 1 and number.atoms[0][0].sides is not None:
        factor, rest = number.atoms[0][1], Sum(number.constant, number.places)
        top, bottom = number.atoms[0][0].sides
        other, scale = scaled(rest, factor.denominator)
        return _over(top, bottom, int(factor * scale), other, scale, plain=rest.is_constant and not rest.constant)
    read, scale = scaled(number)
    if number.whole:
        return lambda row: (read(row), scale)  # type: ignore[return-value]

    def split(row: Row) -> tuple[int, int]:
        value = Fraction(read(row), scale)
        return value.numerator, value.denominator

    return split


def _over(
    top: ReadNumber, bottom: ReadNumber, factor: int, rest: ReadNumber, scale: int, *, plain: bool
) -> Callable[[Row], tuple[int, int]]:
    def read(row: Row) -> tuple[int, int]:
        below = bottom(row)
        if not below:
            raise Undefined("division by zero")
        above = factor * top(row)
        return (above if plain else above + rest(row) * below), below * scale  # type: ignore[return-value]

    return read
