"""Rounding of one whole number over another, by mode."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from unco.solver.closures.parts import Row, Sum
from unco.solver.closures.sums import over_one, times

ReadWhole: TypeAlias = Callable[[Row], int]


def rounded(number: Sum, places: int, mode: str) -> ReadWhole:
    """A reader of the number times 10 ** places, rounded to a whole one."""
    ratio, rule = over_one(times(number, Fraction(10) ** places)), RULES[mode]

    def read(row: Row) -> int:
        above, below = ratio(row)
        return rule(above, below) if below > 0 else rule(-above, -below)

    return read


def _half_even(above: int, below: int) -> int:
    whole, rest = divmod(above, below)
    return whole + (2 * rest > below or (2 * rest == below and whole % 2))


def _half_up(above: int, below: int) -> int:
    return (2 * above + below) // (2 * below) if above >= 0 else -((below - 2 * above) // (2 * below))


def _half_down(above: int, below: int) -> int:
    return -((below - 2 * above) // (2 * below)) if above >= 0 else (2 * above + below) // (2 * below)


RULES: dict[str, Callable[[int, int], int]] = {
    "half_up": _half_up,
    "half_even": _half_even,
    "half_down": _half_down,
    "up": lambda above, below: -(-above // below) if above > 0 else above // below,
    "down": lambda above, below: above // below if above > 0 else -(-above // below),
    "floor": lambda above, below: above // below,
    "ceiling": lambda above, below: -(-above // below),
}
"""Each mode for `above / below`, where `below` is positive."""
