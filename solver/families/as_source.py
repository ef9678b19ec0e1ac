"""Expressions as an author writes them: the text of a typed rule."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from unco.specs.expression import Aggregate, Apply, Constant, Expression, ParameterReference, Reference, Table, scale_of
from unco.specs.family import Family
from unco.specs.printer import print_expression
from unco.specs.syntax import BooleanLiteral, Call, DateLiteral, Name, NumberLiteral, Syntax, TextLiteral
from unco.specs.values import NumberType


class Unwritable(Exception):  # noqa: N818 -- no fault: another change is tried
    """The expression has a part that is not written back."""


def as_source(family: Family, expression: Expression) -> str:
    """The text of an expression, which parses and types to it; raises Unwritable."""
    return print_expression(_syntax(family, expression))


def _syntax(family: Family, expression: Expression) -> Syntax:
    match expression:
        case Constant():
            return _literal(expression)
        case Reference(attribute, _, context):
            required = family.attribute_by_id[attribute].required
            return Name(attribute, None if context == required else context)
        case ParameterReference(name):
            return Name(name)
        case Apply(operator, arguments, _, options):
            tables = tuple(Name(option.name) for option in options if isinstance(option, Table))
            if len(tables) < len(options):
                raise Unwritable(operator)
            return Call(operator, (*tables, *(_syntax(family, each) for each in arguments)))
        case Aggregate(operator):
            raise Unwritable(operator)
        case _:
            assert_never(expression)


def _literal(constant: Constant) -> Syntax:
    value = constant.value
    match value:
        case bool():
            return BooleanLiteral(value)
        case str():
            return TextLiteral(value)
        case int() | Fraction():
            symbol = constant.type.unit.symbol if isinstance(constant.type, NumberType) else ""
            return NumberLiteral(Fraction(value) / scale_of(constant.type), "" if symbol == "ratio" else symbol)
        case _:
            return DateLiteral(value)
