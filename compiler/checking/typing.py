"""Parsed expressions to typed ones: names resolved, units converted to base units, operators checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn, cast

from unco.compiler.checking.report import nearest
from unco.solver.operators.operator import Mismatch
from unco.solver.operators.table import OPERATORS
from unco.specs.domains import BooleanDomain, exact
from unco.specs.errors import Diagnostic, Span, SpecificationError
from unco.specs.expression import (
    NO_MEMBER,
    THIS_MEMBER,
    Aggregate,
    AggregateName,
    Apply,
    Constant,
    Expression,
    Option,
    ParameterReference,
    Reference,
    Table,
)
from unco.specs.family import Attribute, Group, Parameter
from unco.specs.syntax import BooleanLiteral, Call, DateLiteral, Name, NumberLiteral, Syntax, TextLiteral
from unco.specs.units import UnknownUnit, parse_unit
from unco.specs.values import BOOLEAN, DATE, NUMBER, PERCENT, CategoryType, NumberType, Type

_NO_FUNCTIONS = frozenset({"total", "negate", "and", "or", "not", "in", "if", "between"})
"""Operators that are no functions of an author's."""
FUNCTION_SLIPS = MappingProxyType(
    {
        "add": "write `a + b` or `sum(a, b)`",
        "average": "write `weighted_mean(a: 1, b: 1)`",
        "avg": "write `weighted_mean(a: 1, b: 1)`",
        "mean": "write `weighted_mean(a: 1, b: 1)`",
        "every": "write `all(group, ...)`",
        "some": "write `any(group, ...)`",
        "ceil": "write `round(x, 0, ceiling)`",
        "floor": "write `round(x, 0, floor)`",
        "today": "no rule knows the current day: write a date, as in `2026-03-31`",
        "now": "no rule knows the current day: write a date, as in `2026-03-31`",
        "date": "write a date as `2026-03-31`",
    }
)
AGGREGATES = MappingProxyType({"count": "count", "any": "any", "all": "all", "sum": "total"})


@dataclass(frozen=True)
class Scope:
    """What the names in an expression can mean."""

    attributes: Mapping[str, Attribute]
    parameters: Mapping[str, Parameter]
    tables: Mapping[str, Table]
    groups: Mapping[str, Group]
    author_units: Mapping[str, str | None]
    broken: frozenset[str] = frozenset()
    """Names that are declared but do not stand; they have their diagnostics already."""
    rules: frozenset[str] = frozenset()
    """Names of conditions and consistency rules, which no expression can use."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that can stand for a value."""
        return (*self.attributes, *self.parameters)


def type_expression(syntax: Syntax, scope: Scope) -> Expression:
    """The typed expression; SpecificationError with one diagnostic where names, types or units do not fit."""
    return _Typer(scope, None).type(syntax)


@dataclass(frozen=True)
class _Typer:
    """Types the parts of an expression, inside the body of an aggregate over `group` or outside (None)."""

    scope: Scope
    group: str | None

    def type(self, syntax: Syntax) -> Expression:
        match syntax:
            case NumberLiteral():
                return self._number(syntax)
            case DateLiteral(value, span):
                return Constant(value, DATE, span)
            case TextLiteral(value, span):
                return Constant(value, CategoryType((value,)), span)
            case BooleanLiteral(value, span):
                return Constant(value, BOOLEAN, span)
            case Name():
                return self._name(syntax)
            case Call():
                return self._call(syntax)

    def _number(self, literal: NumberLiteral) -> Constant:
        if literal.unit in ("", "%"):
            type_ = NUMBER if literal.unit == "" else NumberType(PERCENT)
        else:
            try:
                type_ = NumberType(parse_unit(literal.unit, self.scope.author_units))
            except UnknownUnit as error:
                near = f"did you mean {error.matches[0]}? " if error.matches else ""
                hint = f"{near}Counting units of your own go under `units:`"
                _fail("UNC205", f"`{error.name}` is not a unit", literal.span, found=literal.unit, hint=hint)
        return Constant(exact(literal.value * type_.unit.scale), type_, literal.span)

    def _name(self, name: Name) -> Expression:
        if name.name in self.scope.parameters and name.context is None:
            return ParameterReference(name.name, self.scope.parameters[name.name].domain.type, name.span)
        attribute = self.scope.attributes.get(name.name)
        if attribute is None:
            self._unknown(name)
        context = attribute.required if name.context is None else name.context
        domain = dict(attribute.contexts).get(context)
        if domain is None:
            known = ", ".join(f'"{each}"' for each, _ in attribute.contexts if each)
            _fail(
                "UNC207",
                f"`{name.name}` is not recorded in that context",
                name.span,
                found=f'"{context}"',
                expected=known or "no context",
                hint="contexts are declared with the attribute",
            )
        return Reference(name.name, self._member(attribute, name), context, domain.type, name.span)

    def _member(self, attribute: Attribute, name: Name) -> int:
        if attribute.group is None:
            return NO_MEMBER
        if attribute.group != self.group:
            _fail(
                "UNC211",
                f"`{name.name}` belongs to each member of {attribute.group}",
                name.span,
                hint=f"use count, any, all or sum, as in `any({attribute.group}, {name.name} ...)`",
            )
        return THIS_MEMBER

    def _unknown(self, name: Name) -> NoReturn:
        if name.name in self.scope.broken:
            raise SpecificationError([])
        if name.name in self.scope.tables:
            _fail("UNC203", f"`{name.name}` is a table", name.span, hint=f"use `lookup({name.name}, ...)`")
        if name.name in self.scope.groups:
            _fail("UNC203", f"`{name.name}` is a group", name.span, hint=f"use `count({name.name}, ...)`")
        hint = self._meant(name.name) or nearest(name.name, self.scope.names)
        _fail("UNC201", f"`{name.name}` is not defined", name.span, found=name.name, hint=hint)

    def _meant(self, name: str) -> str | None:
        """What an unknown name is, where it is something else than a value."""
        attributes = self.scope.attributes.values()
        if any(name in _category_names(attribute) for attribute in attributes):
            return f'write the value of a category in quotes: "{name}"'
        for attribute in attributes:
            if isinstance(attribute.domain, BooleanDomain) and name in attribute.domain.words:
                return f"a yes/no value stands alone: write `{attribute.id}` or `not {attribute.id}`"
        if name.lower() in ("yes", "no"):
            return "write the name of a yes/no attribute, or `true` or `false`"
        if name in self.scope.rules:
            return f"`{name}` is a rule, not a value: repeat its text where it is needed"
        try:
            parse_unit(name, self.scope.author_units)
        except UnknownUnit:
            return None
        return f"`{name}` is a unit: it stands after a number, as in `12 {name}` or `12 USD per {name}`"

    def _call(self, call: Call) -> Expression:
        special = _SPECIAL.get(call.operator)
        if special is not None:
            return special(self, call)
        if call.operator not in OPERATORS:
            known = tuple(name for name in (*_SPECIAL, *OPERATORS) if name.isidentifier() and name not in _NO_FUNCTIONS)
            hint = FUNCTION_SLIPS.get(call.operator.lower()) or nearest(call.operator, known)
            _fail("UNC202", f"`{call.operator}` is not a function", call.span, found=call.operator, hint=hint)
        return self._apply(call, call.operator, call.arguments)

    def _apply(self, call: Call, operator: str, arguments: Sequence[Syntax], options: tuple[Option, ...] = ()) -> Apply:
        typed = tuple(self.type(argument) for argument in arguments)
        try:
            type_ = OPERATORS[operator].signature(tuple(each.type for each in typed), options)
        except Mismatch as mismatch:
            _mismatch(call, arguments, mismatch)
        return Apply(operator, typed, type_, options, call.span)

    def _round(self, call: Call) -> Expression:
        if len(call.arguments) != 3:
            _arity(call, "round(x, places, mode), e.g. `round(x, 2, half_up)`")
        value, places, mode = call.arguments
        if not isinstance(places, NumberLiteral) or places.unit or places.value.denominator != 1:
            _fail(
                "UNC212",
                "the places of a rounding are a whole number",
                places.span,
                hint="as in `round(x, 2, half_up)`",
            )
        return self._apply(call, "round", (value,), (int(places.value), self._word(mode)))

    def _lookup(self, call: Call) -> Expression:
        if len(call.arguments) != 2:
            _arity(call, f"a table and a value, as in `{call.operator}(table, x)`")
        name, key = call.arguments
        table = self.scope.tables.get(name.name) if isinstance(name, Name) else None
        if isinstance(name, Name) and name.name in self.scope.broken:
            raise SpecificationError([])
        if table is None:
            found = name.name if isinstance(name, Name) else "an expression"
            _fail(
                "UNC201",
                "the first argument names a table",
                name.span,
                found=found,
                hint=nearest(found, tuple(self.scope.tables)) or "declare tables under `tables:`",
            )
        return self._apply(call, call.operator, (key,), (table,))

    def _dates(self, call: Call) -> Expression:
        arguments, last = call.arguments, call.arguments[-1] if call.arguments else None
        mode = "down"
        if len(arguments) == 3 and isinstance(last, Name):
            arguments, mode = arguments[:2], self._word(last)
        return self._apply(call, call.operator, arguments, (mode,))

    def _aggregate(self, call: Call) -> Expression:
        first = call.arguments[0] if call.arguments else None
        group = self.scope.groups.get(first.name) if isinstance(first, Name) else None
        if isinstance(first, Name) and first.name in self.scope.broken:
            raise SpecificationError([])
        if group is None:
            if call.operator == "sum" and call.arguments:
                return self._apply(call, "sum", call.arguments)
            if isinstance(first, Name) and first.name not in self.scope.names and len(call.arguments) == 2:
                _fail(
                    "UNC211",
                    f"`{first.name}` is not a group",
                    first.span,
                    found=first.name,
                    expected="a group, then an expression about its members",
                    hint=nearest(first.name, tuple(self.scope.groups)) or "groups are declared under `groups:`",
                )
            _fail(
                "UNC211",
                f"`{call.operator}` needs a group and an expression",
                call.span,
                hint=f"as in `{call.operator}(household, age >= 19 years)`; groups are declared under `groups:`",
            )
        if len(call.arguments) != 2:
            _arity(call, f"a group and an expression, as in `{call.operator}({group.id}, ...)`")
        if self.group is not None:
            _fail("UNC211", "an aggregate stands inside another", call.span, hint="aggregate over one group at a time")
        size, body = self._size(group), _Typer(self.scope, group.id).type(call.arguments[1])
        name = AGGREGATES[call.operator]
        try:
            type_ = OPERATORS[name].signature((size.type, body.type), ())
        except Mismatch as mismatch:
            _mismatch(call, call.arguments, mismatch)
        return Aggregate(cast("AggregateName", name), group.id, size, group.maximum, body, type_, call.span)

    def _size(self, group: Group) -> Expression:
        if group.size_attribute is None:
            return Constant(group.maximum, NUMBER)
        attribute = self.scope.attributes[group.size_attribute]
        return Reference(attribute.id, NO_MEMBER, attribute.required, attribute.domain.type)

    def _word(self, syntax: Syntax) -> str:
        if not isinstance(syntax, Name) or syntax.context is not None:
            _fail("UNC212", "expected the name of a mode", syntax.span, hint="such as half_up, floor, down or up")
        return syntax.name


_SPECIAL: Mapping[str, Callable[[_Typer, Call], Expression]] = MappingProxyType(
    {
        "round": _Typer._round,
        "lookup": _Typer._lookup,
        "tiered": _Typer._lookup,
        "add_months": _Typer._dates,
        "years_between": _Typer._dates,
        "months_between": _Typer._dates,
        "count": _Typer._aggregate,
        "any": _Typer._aggregate,
        "all": _Typer._aggregate,
        "sum": _Typer._aggregate,
    }
)


def _category_names(attribute: Attribute) -> tuple[str, ...]:
    type_: Type = attribute.domain.type
    return type_.values if isinstance(type_, CategoryType) else ()


def _mismatch(call: Call, arguments: Sequence[Syntax], mismatch: Mismatch) -> NoReturn:
    wrong = None if mismatch.argument is None else arguments[mismatch.argument]
    related = tuple(
        ("compared with this", argument.span)
        for number, argument in enumerate(arguments[:6])
        if wrong is not None and number != mismatch.argument and argument.span is not None
        if call.operator != "in" or number == 0
    )
    message = {
        "UNC202": f"`{call.operator}` has the wrong number of arguments",
        "UNC204": f"units do not fit in `{call.operator}`",
        "UNC206": "a category has no such value",
        "UNC212": f"`{call.operator}` does not offer that",
    }.get(mismatch.code, f"types do not fit in `{call.operator}`")
    diagnostic = Diagnostic(
        mismatch.code,
        message,
        (wrong.span if wrong is not None else None) or call.span,
        found=mismatch.found,
        expected=mismatch.expected,
        hint=_key_hint(call) if call.operator in ("lookup", "tiered") and wrong is not None else mismatch.hint,
        related=related,
    )
    raise SpecificationError([diagnostic]) from None


def _key_hint(call: Call) -> str:
    table = call.arguments[0]
    name = table.name if isinstance(table, Name) else "the table"
    return f"`{name}` is looked up by its `key:`, which is of another type or unit"


def _arity(call: Call, expected: str) -> NoReturn:
    _fail(
        "UNC202",
        f"`{call.operator}` has the wrong number of arguments",
        call.span,
        found=f"{len(call.arguments)}",
        expected=expected,
    )


def _fail(
    code: str,
    message: str,
    span: Span | None,
    *,
    found: str | None = None,
    expected: str | None = None,
    hint: str | None = None,
) -> NoReturn:
    raise SpecificationError([Diagnostic(code, message, span, found=found, expected=expected, hint=hint)])
