"""What an expression of the family means, in the form that a reader of its sentence arrives at, and the normal form."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import assert_never

from unco.compiler.reading.engine import Node
from unco.specs.expression import (
    Aggregate,
    Apply,
    Constant,
    Expression,
    ParameterReference,
    Reference,
    Table,
)
from unco.specs.family import Family
from unco.specs.values import BooleanType, CategoryType, DateType, NumberType, Type, Value

TRUTH, NUMBER, DATE, CATEGORY = "truth", "number", "date", "category"
_UNORDERED = frozenset({"and", "or", "==", "!=", "iff", "xor", "min", "max", "*", "sum"})
_FLAT = frozenset({"and", "or", "sum", "min", "max"})
_TURNED = {">": "<", ">=": "<="}
_OPPOSITE = {"<": "<=", "<=": "<", "==": "!=", "!=": "=="}


NO_MODE = "no mode"
"""The mode of a count of months for which no mode matters."""


def meaning(expression: Expression, family: Family, parameters: Mapping[str, Value]) -> Node:
    """The expression as a reader should understand it, in normal form, with the thresholds of one instance."""
    return normal(_node(expression, family, parameters))


def kind_of(type_: Type) -> str:
    """The kind of value of a type."""
    match type_:
        case BooleanType():
            return TRUTH
        case NumberType():
            return NUMBER
        case DateType():
            return DATE
        case CategoryType():
            return CATEGORY


def constant(value: Value, type_: Type) -> Node:
    """A value; numbers in base units, with the dimension and the scale of their unit."""
    if isinstance(type_, NumberType):
        unit = type_.unit
        return ("constant", NUMBER, Fraction(value), unit.dimension, unit.scale)  # type: ignore[arg-type]
    return ("constant", kind_of(type_), value)


def _node(expression: Expression, family: Family, parameters: Mapping[str, Value]) -> Node:
    kind = kind_of(expression.type)
    match expression:
        case Constant(value, type_):
            return constant(value, type_)
        case Reference(attribute, member, context):
            return ("fact", kind, attribute, member, context)
        case ParameterReference(name):
            return ("threshold", kind, name, parameters[name])
        case Apply(operator, arguments, _, options):
            parts = tuple(_node(argument, family, parameters) for argument in arguments)
            if operator == "round" and isinstance(expression.type, NumberType):
                options = (*options, *(0, "half_up")[len(options) :])
                return (operator, kind, *options, expression.type.unit.dimension, expression.type.unit.scale, *parts)
            return _applied(operator, kind, parts, options)
        case Aggregate(operator, group, size, _, body):
            told = "all" if _is_whole(size, group, family) else _node(size, family, parameters)
            return (f"{operator} of", kind, group, told, _node(body, family, parameters))
        case _:
            assert_never(expression)


def _applied(operator: str, kind: str, parts: tuple[Node, ...], options: tuple[object, ...]) -> Node:
    match operator, options:
        case (("lookup" | "tiered"), (Table() as table,)):
            return (operator, kind, table.label, *parts)
        case (("years_between" | "months_between" | "add_months"), _):
            return (operator, kind, *(options or ("down",)), *parts)
        case _:
            return (operator, kind, *parts)


def _is_whole(size: Expression, group_id: str, family: Family) -> bool:
    """Whether a size is the number of all members that a candidate has."""
    group = family.group_by_id[group_id]
    if group.size_attribute is None:
        return isinstance(size, Constant) and size.value == group.maximum
    if not isinstance(size, Reference) or size.attribute != group.size_attribute:
        return False
    return size.context == family.attribute_by_id[group.size_attribute].required


def normal(node: Node) -> Node:
    """The one form of all expressions that mean the same by order, direction or double negation."""
    if node[0] in ("years_between", "months_between", "add_months") and not mode_matters(node):
        node = (*node[:2], NO_MODE, *node[3:])
    name, kind, *rest = node
    parts = [normal(part) if _is_node(part) else part for part in rest]
    match name, parts:
        case "not", [part]:
            return _denied(part)
        case (("iff" | "xor"), [left, right]):
            return _alike(left, right, name == "iff")
        case (("==" | "!="), [left, right]) if left[1] == TRUTH:
            return _alike(left, right, name == "==")
        case "in", [value, one]:
            return normal(("==", kind, value, one))
        case "in", [value, *others]:
            return (name, kind, value, *sorted(others, key=repr))
        case ((">" | ">="), [left, right]):
            return (_TURNED[name], kind, right, left)
        case "negate", [("constant", _, value, *unit)]:
            return ("constant", kind, -value, *unit)
        case "+", [left, right] if kind == NUMBER:
            return normal(("sum", kind, left, right))
    if name in _FLAT:
        parts = [inner for part in parts for inner in (part[2:] if part[0] == name else (part,))]
    return (name, kind, *(sorted(parts, key=repr) if name in _UNORDERED else parts))


def mode_matters(node: Node) -> bool:
    """Whether years, months or a day some months on ask what counts in a month without the day."""
    start, end = (part[2] if part[0] == "constant" and part[1] == DATE else None for part in node[3:5])
    if start is not None and (start.day <= 28 or (node[0] == "years_between" and start.month != 2)):
        return False
    if node[0] == "add_months" or end is None:
        return True
    tomorrow = end.toordinal() + 1
    last = tomorrow <= date.max.toordinal() and date.fromordinal(tomorrow).day == 1
    return last and (end.month == 2 and end.day == 28 if node[0] == "years_between" else end.day < 31)


def _is_node(part: object) -> bool:
    return isinstance(part, tuple) and len(part) > 1 and isinstance(part[0], str) and isinstance(part[1], str)


def _denied(part: Node) -> Node:
    match part:
        case ("not", _, inner):
            return inner  # type: ignore[no-any-return]
        case ("constant", _, bool() as truth):
            return ("constant", TRUTH, not truth)
        case (("<" | "<=" | "==" | "!=") as sign, _, left, right):
            turned = (right, left) if sign in ("<", "<=") else (left, right)
            return (_OPPOSITE[sign], TRUTH, *turned)
        case ("iff", _, *both):
            return ("xor", TRUTH, *both)
        case ("xor", _, *both):
            return ("iff", TRUTH, *both)
        case _:
            return ("not", TRUTH, part)


def _alike(left: Node, right: Node, same: bool) -> Node:
    """Whether two truths are the same; a constant one leaves the other, or its denial."""
    if left[0] == "constant":
        left, right = right, left
    if right[0] == "constant":
        return left if right[2] == same else _denied(left)
    for part in (left, right):
        if part[0] == "not":
            other = right if part is left else left
            return _alike(part[2], other, not same)
    return ("iff" if same else "xor", TRUTH, *sorted((left, right), key=repr))
