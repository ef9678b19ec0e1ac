"""Rules in lines: what is long, joined, summed or chosen from stands below each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from unco.solver.operators.wording import clause
from unco.solver.phrase import Writer, phrase
from unco.specs.expression import Aggregate, Apply, Expression
from unco.specs.family import Family
from unco.specs.values import DATE, NumberType, Value

_LONGEST = 160
"""Characters that two joined parts may have on one line."""
_HEADS = {"and": "all of these hold:", "or": "at least one of these holds:"}
_SUM_HEAD, _CASES_HEAD = "the sum of these amounts:", "the first of these that applies:"
_MEAN_HEAD = "the weighted mean of these amounts:"
_EXTREME_HEADS = {
    "min": ("the smaller of these amounts:", "the smallest of these amounts:"),
    "max": ("the larger of these amounts:", "the largest of these amounts:"),
}


def outline(
    expression: Expression, family: Family, parameters: Mapping[str, Value], depth: int = 0
) -> tuple[tuple[int, str], ...]:
    """The expression in lines, each with its depth: one line, or a list of what is joined, summed or chosen from."""
    if isinstance(expression, Apply) and _is_long(expression, family, parameters):
        parts = (outline(argument, family, parameters, depth + 1) for argument in expression.arguments)
        return ((depth, _HEADS[expression.operator]), *chain.from_iterable(parts))
    if len(terms := _terms(expression)) > 1 and any(map(_is_told_at_length, terms)):
        parts = (outline(term, family, parameters, depth + 1) for term in terms)
        return ((depth, _SUM_HEAD), *chain.from_iterable(parts))
    if isinstance(expression, Apply) and _is_choice(expression):
        parts = (outline(argument, family, parameters, depth + 1) for argument in expression.arguments)
        head = _EXTREME_HEADS[expression.operator][len(expression.arguments) > 2]
        return ((depth, head), *chain.from_iterable(parts))
    if _has_cases(expression):
        return ((depth, _CASES_HEAD), *((depth + 1, line) for line in _cases(expression, family, parameters)))
    if isinstance(expression, Apply) and expression.operator == "weighted_mean":
        return ((depth, _MEAN_HEAD), *((depth + 1, line) for line in _weighted(expression, family, parameters)))
    return ((depth, phrase(expression, family, parameters)),)


def _is_joint(expression: Expression) -> bool:
    return isinstance(expression, Apply) and expression.operator in _HEADS


def _is_long(expression: Apply, family: Family, parameters: Mapping[str, Value]) -> bool:
    """Whether a joint has more than two parts, long ones, or one that would stand in brackets."""
    if not _is_joint(expression):
        return False
    texts = [Writer(family, parameters).text(argument) for argument in expression.arguments]
    length = sum(len(phrase(argument, family, parameters)) for argument in expression.arguments)
    return len(texts) > 2 or length > _LONGEST or any(clause(text) != text for text in texts)


def _terms(expression: Expression) -> tuple[Expression, ...]:
    """The terms of a sum."""
    if isinstance(expression, Apply) and expression.operator in ("+", "sum") and expression.type != DATE:
        return tuple(term for argument in expression.arguments for term in _terms(argument))
    return (expression,)


def _has_cases(expression: Expression) -> bool:
    """Whether a number is chosen by a joint, or from more than two."""
    if not isinstance(expression, Apply) or expression.operator != "if" or not isinstance(expression.type, NumberType):
        return False
    test, _, otherwise = expression.arguments
    return _is_joint(test) or (isinstance(otherwise, Apply) and otherwise.operator == "if")


def _is_choice(expression: Expression) -> bool:
    """Whether a number is the smaller or the larger of several, one of them calculated."""
    if not isinstance(expression, Apply) or expression.operator not in _EXTREME_HEADS or expression.type == DATE:
        return False
    return any(isinstance(argument, Apply) for argument in expression.arguments)


def _is_told_at_length(term: Expression) -> bool:
    """Whether a term of a sum asks for a line of its own."""
    is_long = isinstance(term, Aggregate | Apply) and term.operator in ("total", "tiered", "weighted_mean")
    return is_long or _has_cases(term) or _is_choice(term)


def _weighted(mean: Apply, family: Family, parameters: Mapping[str, Value]) -> Iterator[str]:
    for value, weight in zip(mean.arguments[::2], mean.arguments[1::2], strict=True):
        yield Writer(family, parameters).weighted(value, weight)


def _cases(expression: Expression, family: Family, parameters: Mapping[str, Value]) -> Iterator[str]:
    while isinstance(expression, Apply) and expression.operator == "if":
        test, then, otherwise = expression.arguments
        yield Writer(family, parameters).case(then, test)
        expression = otherwise
    yield f"otherwise {phrase(expression, family, parameters)}"
