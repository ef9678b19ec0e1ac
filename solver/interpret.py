"""The interpreter: the exact value of an expression. The reference meaning of the language.

Operands are evaluated before the operator, with three exceptions that let one part guard another: `and` stops at the
first false part, `or` at the first true one, and `if` evaluates the branch that it takes. An aggregate evaluates its
body for each member that exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias, assert_never

from unco.solver.operators.operator import Undefined, canonical
from unco.solver.operators.rounding import round_exact
from unco.solver.operators.table import OPERATORS
from unco.specs.expression import (
    THIS_MEMBER,
    Aggregate,
    Apply,
    Constant,
    Expression,
    ParameterReference,
    Reference,
    scale_of,
)
from unco.specs.family import Slot
from unco.specs.values import NumberType, Type, Value

__all__ = ["Undefined", "based", "interpret", "round_exact"]


Cells: TypeAlias = Mapping[Slot, Value]
Parameters: TypeAlias = Mapping[str, Value]


def interpret(expression: Expression, cells: Cells, parameters: Parameters, member: int = 0) -> Value:
    """The value of the expression for one candidate, numbers in base units; raises Undefined.

    Cells and parameters are as stored, in the unit of their type; `member` is the member at hand in an aggregate.
    """
    match expression:
        case Apply():
            return _apply(expression, cells, parameters, member)
        case Reference():
            at = member if expression.member == THIS_MEMBER else expression.member
            return based(cells[Slot(expression.attribute, at, expression.context)], expression.type)
        case Constant():
            return expression.value
        case ParameterReference():
            return based(parameters[expression.name], expression.type)
        case Aggregate():
            return _aggregate(expression, cells, parameters, member)
        case _:
            assert_never(expression)


def based(value: Value, type_: Type) -> Value:
    """A stored value in base units."""
    if not isinstance(type_, NumberType):
        return value
    scale = type_.unit.scale
    factor = scale.numerator if scale.denominator == 1 else scale
    return value if factor == 1 else canonical(value * factor)  # type: ignore[operator, arg-type]


def _apply(node: Apply, cells: Cells, parameters: Parameters, member: int) -> Value:
    lazy = _LAZY.get(node.operator)
    if lazy is not None:
        return lazy(node.arguments, cells, parameters, member)
    values = tuple([interpret(part, cells, parameters, member) for part in node.arguments])
    operator = OPERATORS[node.operator]
    try:
        return _apply_shown(node, values[0]) if operator.shown else operator.apply(values, node.options)
    except Undefined as undefined:
        raise Undefined(undefined.reason, undefined.span or node.span) from None


def _and(parts: tuple[Expression, ...], cells: Cells, parameters: Parameters, member: int) -> Value:
    return all(interpret(part, cells, parameters, member) for part in parts)


def _or(parts: tuple[Expression, ...], cells: Cells, parameters: Parameters, member: int) -> Value:
    return any(interpret(part, cells, parameters, member) for part in parts)


def _if(parts: tuple[Expression, ...], cells: Cells, parameters: Parameters, member: int) -> Value:
    branch = parts[1] if interpret(parts[0], cells, parameters, member) else parts[2]
    return interpret(branch, cells, parameters, member)


_LAZY = {"and": _and, "or": _or, "if": _if}


def _apply_shown(node: Apply, value: Value) -> Value:
    """Apply an operator that works on the number as shown."""
    scale = scale_of(node.type)
    shown = canonical(Fraction(value) / scale)  # type: ignore[arg-type]
    result = OPERATORS[node.operator].apply((shown,), node.options)
    return canonical(Fraction(result) * scale)  # type: ignore[arg-type]


def _aggregate(node: Aggregate, cells: Cells, parameters: Parameters, member: int) -> Value:
    size = interpret(node.size, cells, parameters, member)
    if not isinstance(size, int) or not 0 <= size <= node.maximum:
        raise Undefined(f"the number of members is {size}, not one of 0 to {node.maximum}", node.span)
    bodies = tuple([interpret(node.body, cells, parameters, number) for number in range(1, size + 1)])
    return OPERATORS[node.operator].apply(bodies, ())
