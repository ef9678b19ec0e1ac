"""Terms: what an expression becomes for the solver.

A number is an integer over a positive denominator, a date is year, month and day, a category is an index. Whatever is
known stays a Python int or bool, so that ground parts fold away and never reach the solver. `z3` is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import z3 as solver

Whole: TypeAlias = "int | solver.ArithRef"
"""An integer: known, or an integer term."""
Truth: TypeAlias = "bool | solver.BoolRef"
"""A Boolean: known, or a Boolean term."""


@dataclass(frozen=True, slots=True)
class Num:
    """An exact number in base units; the denominator is positive wherever the number is defined."""

    numerator: Whole
    denominator: Whole = 1


@dataclass(frozen=True, slots=True)
class Day:
    """A date. `years` bounds its year where that is known: it keeps the leap years simple.

    `number` is its day number (0001-01-01 is 1) where it came from counting days.
    """

    year: Whole
    month: Whole
    day: Whole
    years: tuple[int, int] | None = None
    number: Whole | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A category: an index into names. Choices are compared by name."""

    index: Whole
    names: tuple[str, ...]


Term: TypeAlias = "Truth | Num | Day | Choice"


# Booleans -------------------------------------------------------------------------------------------------------------


def truth(z3: ModuleType, part: Truth, ctx: Any = None) -> Any:
    """A Boolean as z3 has it, also where it is known."""
    return z3.BoolVal(part, ctx) if isinstance(part, bool) else part


def negation(z3: ModuleType, part: Truth) -> Truth:
    """Not."""
    return not part if isinstance(part, bool) else z3.Not(part)


def conjunction(z3: ModuleType, parts: Iterable[Truth]) -> Truth:
    """All parts hold."""
    open_parts = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            open_parts.append(part)
    if not open_parts:
        return True
    return open_parts[0] if len(open_parts) == 1 else z3.And(*open_parts)


def disjunction(z3: ModuleType, parts: Iterable[Truth]) -> Truth:
    """At least one part holds."""
    open_parts = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            open_parts.append(part)
    if not open_parts:
        return False
    return open_parts[0] if len(open_parts) == 1 else z3.Or(*open_parts)


def implication(z3: ModuleType, premise: Truth, conclusion: Truth) -> Truth:
    """If the premise holds, so does the conclusion."""
    return disjunction(z3, (negation(z3, premise), conclusion))


def same_truth(z3: ModuleType, left: Truth, right: Truth) -> Truth:
    """Both hold or neither."""
    if isinstance(left, bool):
        return right if left else negation(z3, right)
    if isinstance(right, bool):
        return left if right else negation(z3, left)
    return left == right


# Integers -------------------------------------------------------------------------------------------------------------


def choose_whole(z3: ModuleType, condition: Truth, then: Whole, otherwise: Whole) -> Whole:
    """One of two integers."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if isinstance(then, int) and isinstance(otherwise, int) and then == otherwise:
        return then
    return z3.If(condition, then, otherwise)


def times(left: Whole, right: Whole) -> Whole:
    """The product, with 0 and 1 folded."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int) and one in (0, 1):
            return other if one else 0
    return left * right


def plus(left: Whole, right: Whole) -> Whole:
    """The sum, with 0 folded."""
    if isinstance(left, int) and left == 0:
        return right
    return left if isinstance(right, int) and right == 0 else left + right


def floor_div(whole: Whole, divisor: Whole) -> Whole:
    """The floor of the quotient; the divisor is positive."""
    if isinstance(divisor, int) and divisor == 1:
        return whole
    return whole // divisor if isinstance(whole, int) and isinstance(divisor, int) else whole / divisor


def floor_mod(whole: Whole, divisor: Whole) -> Whole:
    """What `floor_div` leaves; the divisor is positive."""
    if isinstance(divisor, int) and divisor == 1:
        return 0
    return whole % divisor
