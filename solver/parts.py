"""Parts of an expression that should be able to decide it, and the expression with each part replaced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from unco.specs.expression import Aggregate, Apply, Constant, Expression
from unco.specs.values import BOOLEAN

Path: TypeAlias = tuple[int, ...]
"""The way from the top to a part, by argument numbers."""


@dataclass(frozen=True)
class Replacement:
    """The whole with the part replaced, and what it means where the whole never changes by it."""

    whole: Expression
    message: str


@dataclass(frozen=True)
class Part:
    """A part of an expression, the way to it, the code of the finding, and its replacements."""

    path: Path
    expression: Expression
    code: str
    replacements: tuple[Replacement, ...]


def parts_of(whole: Expression) -> Iterator[Part]:
    """Every Boolean part below the top, every branch, and every argument of a minimum or maximum."""
    for path, part, parent in _below(whole, (), None):
        if path and part.type == BOOLEAN and not isinstance(part, Constant):
            yield _boolean(whole, path, part, parent)
        if isinstance(part, Apply) and part.operator in ("min", "max") and len(part.arguments) > 1:
            yield from _arguments(whole, path, part)


def _boolean(whole: Expression, path: Path, part: Expression, parent: Expression | None) -> Part:
    branch = isinstance(parent, Apply) and parent.operator == "if" and path[-1] == 0
    true, false = (_replaced(whole, path, Constant(value, BOOLEAN)) for value in (True, False))
    if branch:
        return Part(
            path,
            part,
            "UNC411",
            (
                Replacement(true, "the branch after `else` is dead"),
                Replacement(false, "the branch after `then` is dead"),
            ),
        )
    return Part(
        path,
        part,
        "UNC405",
        (
            Replacement(true, "this part never decides: it could be left out or always be true"),
            Replacement(false, "this part never decides: it could always be false"),
        ),
    )


def _arguments(whole: Expression, path: Path, part: Apply) -> Iterator[Part]:
    for position, argument in enumerate(part.arguments):
        rest = part.arguments[:position] + part.arguments[position + 1 :]
        without = rest[0] if len(rest) == 1 else replace(part, arguments=rest)
        message = f"this argument of `{part.operator}` never decides"
        yield Part((*path, position), argument, "UNC411", (Replacement(_replaced(whole, path, without), message),))


def _below(
    expression: Expression, path: Path, parent: Expression | None
) -> Iterator[tuple[Path, Expression, Expression | None]]:
    yield path, expression, parent
    match expression:
        case Apply(arguments=arguments):
            for position, argument in enumerate(arguments):
                yield from _below(argument, (*path, position), expression)
        case Aggregate(body=body):
            yield from _below(body, (*path, 0), expression)
        case _:
            return


def _replaced(whole: Expression, path: Path, new: Expression) -> Expression:
    if not path:
        return new
    match whole:
        case Apply(arguments=arguments):
            inner = _replaced(arguments[path[0]], path[1:], new)
            return replace(whole, arguments=(*arguments[: path[0]], inner, *arguments[path[0] + 1 :]))
        case Aggregate(body=body):
            return replace(whole, body=_replaced(body, path[1:], new))
        case _:
            raise ValueError("the path does not lead to a part")
