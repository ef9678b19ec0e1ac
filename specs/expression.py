"""Typed expressions: the tree that both twins read.

Numbers are in base units (a constant of 12 years is 144 months); categories are names; dates are days. The tree is
closed: tables and group sizes stand in it, so that it means the same without its specification.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from unco.specs.errors import Span
from unco.specs.values import NumberType, Type, Value

NO_MEMBER = 0
THIS_MEMBER = -1
"""The member at hand, inside the body of an aggregate. Members are numbered from 1."""

AggregateName: TypeAlias = Literal["count", "any", "all", "total"]


@dataclass(frozen=True, slots=True)
class Band:
    """One row of a table: keys from `low` to `high` (None: unbounded), each end included or not, and the value there.

    Numbers are in base units. A category or a Boolean key has low == high, both included.
    """

    low: Value | None
    low_included: bool
    high: Value | None
    high_included: bool
    value: Value


@dataclass(frozen=True, slots=True)
class Table:
    """A lookup table or a schedule of tiers: bands in the author's order, without gap or overlap once checked."""

    name: str
    label: str
    key: Type
    gives: Type
    bands: tuple[Band, ...]


Option: TypeAlias = str | int | Table
"""A static argument: a rounding mode, a number of places, a table."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A fixed value; numbers in base units, shown in the unit of `type`."""

    value: Value
    type: Type
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """The cell of the candidate at hand for an attribute, in an evidence context."""

    attribute: str
    member: int
    context: str
    type: Type
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ParameterReference:
    """A threshold that the family leaves open and an instance fixes."""

    name: str
    type: Type
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator, named as in the operator table, on its arguments."""

    operator: str
    arguments: tuple[Expression, ...]
    type: Type
    options: tuple[Option, ...] = ()
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`count`, `any`, `all` or `total` of `body` over the members 1 to `size` of a group of at most `maximum`."""

    operator: AggregateName
    group: str
    size: Expression
    maximum: int
    body: Expression
    type: Type
    span: Span | None = field(default=None, compare=False)


Expression: TypeAlias = Constant | Reference | ParameterReference | Apply | Aggregate


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct parts of an expression."""
    match expression:
        case Apply():
            return expression.arguments
        case Aggregate():
            return (expression.size, expression.body)
        case _:
            return ()


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and all its parts, outermost first."""
    yield expression
    for child in children(expression):
        yield from walk(child)


def references(expression: Expression) -> tuple[Reference, ...]:
    """Every reference in the expression, in order of appearance, without repetition."""
    return tuple(dict.fromkeys(part for part in walk(expression) if isinstance(part, Reference)))


def parameters(expression: Expression) -> tuple[str, ...]:
    """The names of the parameters in the expression, in order of appearance."""
    return tuple(dict.fromkeys(part.name for part in walk(expression) if isinstance(part, ParameterReference)))


def scale_of(type_: Type) -> Fraction:
    """How many base units one shown unit is; 1 for what is not a number."""
    return type_.unit.scale if isinstance(type_, NumberType) else Fraction(1)
