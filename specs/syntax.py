"""The expression as the author wrote it: parsed, with spans, neither resolved nor typed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import TypeAlias

from unco.specs.errors import Span


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    """`12`, `12 years`, `30000 USD per year`, `75%` (unit "%"); the magnitude is exact, in the unit as written."""

    value: Fraction
    unit: str = ""
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class DateLiteral:
    """`2026-03-31`."""

    value: date
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TextLiteral:
    """`"DNP"`: the name of a category."""

    value: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class BooleanLiteral:
    """`true` or `false`."""

    value: bool
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """An attribute (in its required context, or the one in brackets), a parameter, a table, a group or a word.

    `clearance` or `clearance["April 2026"]`.
    """

    name: str
    context: str | None = None
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """An operator on its arguments, infix ones too: `a + b` is Call("+", (a, b)).

    `and`, `or` are n-ary and flat; `not`, `negate` unary; `if c then a else b` is Call("if", (c, a, b));
    `x in [a, b]` is Call("in", (x, a, b)); `x between a and b` is Call("between", (x, a, b));
    `weighted_mean(a: 3, b: 2)` is Call("weighted_mean", (a, 3, b, 2)); other functions keep their arguments in order.
    """

    operator: str
    arguments: tuple[Syntax, ...]
    span: Span | None = field(default=None, compare=False)


Syntax: TypeAlias = NumberLiteral | DateLiteral | TextLiteral | BooleanLiteral | Name | Call
