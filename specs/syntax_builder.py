"""From lark's tree to the syntax tree, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from typing import Any, TypeAlias

from lark import Token
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive, v_args

from unco.specs.errors import Diagnostic, Span
from unco.specs.syntax import BooleanLiteral, Call, DateLiteral, Name, NumberLiteral, Syntax, TextLiteral

Parts: TypeAlias = list[Any]
"""The children of a rule: tokens, and what was built from the rules below."""


@v_args(meta=True)
class SyntaxBuilder(Transformer_NonRecursive[Token, Syntax]):
    """One method a grammar rule. What the grammar allows and the language does not is put in `diagnostics`."""

    def __init__(self, locate: Callable[[int, int], Span]) -> None:
        super().__init__()
        self._locate = locate
        self.diagnostics: list[Diagnostic] = []

    def start(self, meta: Meta, parts: Parts) -> Syntax:
        return _operands(parts)[0]

    parenthesised = start

    def number(self, meta: Meta, parts: Parts) -> Syntax:
        unit = parts[1] if len(parts) > 1 else ""
        return NumberLiteral(Fraction(parts[0].replace("_", "")), unit, self._span(meta))

    def unit(self, meta: Meta, parts: Parts) -> str:
        return " ".join(map(str, parts))

    def date(self, meta: Meta, parts: Parts) -> Syntax:
        return DateLiteral(date.fromisoformat(parts[0]), self._span(meta))

    def text(self, meta: Meta, parts: Parts) -> Syntax:
        return TextLiteral(_unquoted(parts[0]), self._span(meta))

    def boolean(self, meta: Meta, parts: Parts) -> Syntax:
        return BooleanLiteral(parts[0].type == "TRUE", self._span(meta))

    def name(self, meta: Meta, parts: Parts) -> Syntax:
        context = _unquoted(parts[2]) if len(parts) > 1 else None
        return Name(str(parts[0]), context, self._span(meta))

    def conditional(self, meta: Meta, parts: Parts) -> Syntax:
        return self._call("if", meta, _operands(parts))

    def disjunction(self, meta: Meta, parts: Parts) -> Syntax:
        return self._call("or", meta, _flat("or", _operands(parts)))

    def conjunction(self, meta: Meta, parts: Parts) -> Syntax:
        return self._call("and", meta, _flat("and", _operands(parts)))

    def negation(self, meta: Meta, parts: Parts) -> Syntax:
        return self._call("not", meta, _operands(parts))

    def minus(self, meta: Meta, parts: Parts) -> Syntax:
        return self._call("negate", meta, _operands(parts))

    def binary(self, meta: Meta, parts: Parts) -> Syntax:
        left, operator, right = parts
        return self._call(str(operator), meta, (left, right))

    def between(self, meta: Meta, parts: Parts) -> Syntax:
        return self._call("between", meta, _operands(parts))

    def not_between(self, meta: Meta, parts: Parts) -> Syntax:
        return self._call("not", meta, (self.between(meta, parts),))

    def membership(self, meta: Meta, parts: Parts) -> Syntax:
        return self._call("in", meta, (parts[0], *parts[-1]))

    def not_membership(self, meta: Meta, parts: Parts) -> Syntax:
        return self._call("not", meta, (self.membership(meta, parts),))

    def list(self, meta: Meta, parts: Parts) -> tuple[Syntax, ...]:
        return _operands(parts)

    def argument(self, meta: Meta, parts: Parts) -> tuple[Syntax, ...]:
        return _operands(parts)

    def call(self, meta: Meta, parts: Parts) -> Syntax:
        function = str(parts[0])
        arguments = [part for part in parts if isinstance(part, tuple)]
        self.diagnostics += self._misused(function, arguments, meta)
        return self._call(function, meta, tuple(operand for argument in arguments for operand in argument))

    def _misused(self, function: str, arguments: Parts, meta: Meta) -> Iterator[Diagnostic]:
        """`value: weight` stands in weighted_mean, always there and only there; the minus sign is no function."""
        weighted = function == "weighted_mean"
        wrong = next((argument for argument in arguments if len(argument) != 1 + weighted), None)
        if wrong is not None:
            expected = "`value: weight` for every argument" if weighted else "arguments without `:`"
            hint = (
                "write `weighted_mean(written: 3, oral: 2)`"
                if weighted
                else "only `weighted_mean` takes `value: weight`"
            )
            message = f"the arguments of `{function}` do not have their form"
            found = "an argument without its weight" if weighted else "`value: weight`"
            yield Diagnostic("UNC110", message, wrong[0].span, found=found, expected=expected, hint=hint)
        if function == "negate":
            message = "`negate` is not a function"
            yield Diagnostic("UNC110", message, self._span(meta), found="`negate(`", expected="`-`", hint="write `-x`")

    def _call(self, operator: str, meta: Meta, operands: tuple[Syntax, ...]) -> Call:
        return Call(operator, operands, self._span(meta))

    def _span(self, meta: Meta) -> Span:
        return self._locate(meta.start_pos, meta.end_pos)


def _operands(parts: Parts) -> tuple[Syntax, ...]:
    return tuple(part for part in parts if not isinstance(part, Token))


def _flat(operator: str, operands: tuple[Syntax, ...]) -> tuple[Syntax, ...]:
    """The operands, those of the same operator opened: parentheses around a part of a chain mean nothing."""
    groups = (node.arguments if isinstance(node, Call) and node.operator == operator else (node,) for node in operands)
    return tuple(node for group in groups for node in group)


def _unquoted(token: str) -> str:
    quote = token[0]
    return token[1:-1].replace(quote * 2, quote)
