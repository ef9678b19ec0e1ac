"""A term of a move as the place that its cell takes, or none."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from unco.solver.closures.parts import Frame, Name, Row, Sum, Truth
from unco.solver.closures.reading import Reading
from unco.solver.closures.sums import plus, scaled, times
from unco.solver.operators.operator import Undefined
from unco.specs.domains import CategoryDomain, DateDomain, NumberDomain
from unco.specs.expression import Expression

ReadPlace: TypeAlias = Callable[[Row], int]
NOWHERE = -1


def placed(expression: Expression, place: int, frame: Frame) -> ReadPlace | int:
    """The place that holds the value of an expression, fixed where no row changes it; NOWHERE where none does."""
    domain, part = frame.domains[place], Reading(frame).part(expression)
    match part:
        case Truth(known=known, read=read):
            return int(known) if known is not None else lambda row: int(bool(read(row)))
        case Name(read=read):
            if not isinstance(domain, CategoryDomain):
                raise TypeError(f"a name for {domain}")
            places = {name: number for number, name in enumerate(domain.values)}
            return lambda row: places.get(read(row), NOWHERE)
        case Sum():
            return _on_grid(_steps(part, domain), domain.size)


def _steps(number: Sum, domain: object) -> Sum:
    """How many steps a number lies above the lowest value of its domain."""
    match domain:
        case DateDomain(low=low):
            return plus(number, Sum(Fraction(-low.toordinal())))
        case NumberDomain(low=low, step=step, unit=unit):
            return times(plus(number, Sum(-low * unit.scale)), 1 / (step * unit.scale))
        case _:
            raise TypeError(f"a number for {domain}")


def _on_grid(steps: Sum, size: int) -> ReadPlace | int:
    read, scale = scaled(steps)

    def place(row: Row) -> int:
        try:
            found, rest = divmod(read(row), scale)
        except Undefined:
            return NOWHERE
        return int(found) if not rest and 0 <= found < size else NOWHERE

    return place([]) if steps.is_constant else place
