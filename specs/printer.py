"""The printer of expressions: the one canonical text of a syntax tree, with no parentheses that it can do without."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from unco.specs.syntax import BooleanLiteral, Call, DateLiteral, Name, NumberLiteral, Syntax, TextLiteral

CHOICE, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, ATOM = range(9)
"""Levels of precedence, lowest first: an operand below the level that its place asks for stands in parentheses."""

_BINARY = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "//": PRODUCT} | dict.fromkeys(
    ("==", "!=", "<", "<=", ">", ">="), COMPARISON
)


def print_expression(tree: Syntax) -> str:
    """The canonical text: `parse(print_expression(tree)) == tree` for every tree that `parse` makes.

    Raises ValueError for a number that has no finite decimal form; the parser makes none.
    """
    return _print(tree)[0]


def _print(tree: Syntax) -> tuple[str, int]:
    """The text and its level of precedence."""
    match tree:
        case NumberLiteral(value, unit):
            text = f"{_number(value)}{unit}" if unit.startswith("%") else f"{_number(value)} {unit}".rstrip()
            return text, SIGN if value < 0 else ATOM
        case DateLiteral(value):
            return value.isoformat(), ATOM
        case TextLiteral(value):
            return _quoted(value), ATOM
        case BooleanLiteral(value):
            return ("true" if value else "false"), ATOM
        case Name(name, context):
            return (name if context is None else f"{name}[{_quoted(context)}]"), ATOM
        case Call(operator, arguments):
            return _call(operator, arguments)
        case _:
            assert_never(tree)


def _call(operator: str, arguments: tuple[Syntax, ...]) -> tuple[str, int]:
    match operator, arguments:
        case "if", (condition, then, otherwise):
            # A choice inside a condition or a first branch needs no parentheses to parse, but a reader needs them.
            return f"if {_at(OR, condition)} then {_at(OR, then)} else {_at(CHOICE, otherwise)}", CHOICE
        case "or", _:
            return " or ".join(_at(AND, argument) for argument in arguments), OR
        case "and", _:
            return " and ".join(_at(NOT, argument) for argument in arguments), AND
        case "not", (Call("in" | "between" as inner, operands),):
            return _relation(f"not {inner}", operands), COMPARISON
        case "not", (operand,):
            return f"not {_at(NOT, operand)}", NOT
        case (("in" | "between"), _):
            return _relation(operator, arguments), COMPARISON
        case "negate", (operand,):
            return f"-{_at(SIGN, operand)}", SIGN
        case _, (left, right) if operator in _BINARY:
            return _binary(operator, left, right)
        case "weighted_mean", _:
            pairs = zip(arguments[::2], arguments[1::2], strict=True)
            return f"weighted_mean({', '.join(f'{_at(CHOICE, a)}: {_at(CHOICE, b)}' for a, b in pairs)})", ATOM
        case _:
            return f"{operator}({_list(arguments)})", ATOM


def _binary(operator: str, left: Syntax, right: Syntax) -> tuple[str, int]:
    """Sums and products nest to the left; comparisons do not chain at all."""
    level = _BINARY[operator]
    left_level = SUM if level == COMPARISON else level
    return f"{_at(left_level, left)} {operator} {_at(level + 1, right)}", level


def _relation(words: str, operands: tuple[Syntax, ...]) -> str:
    first, *rest = operands
    if words.endswith("in"):
        return f"{_at(SUM, first)} {words} [{_list(tuple(rest))}]"
    low, high = rest
    return f"{_at(SUM, first)} {words} {_at(SUM, low)} and {_at(SUM, high)}"


def _list(items: tuple[Syntax, ...]) -> str:
    return ", ".join(_at(CHOICE, item) for item in items)


def _at(level: int, tree: Syntax) -> str:
    text, own = _print(tree)
    return text if own >= level else f"({text})"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _number(value: Fraction) -> str:
    """The exact decimal digits, grouped by `_` from five digits on."""
    places = _places(value.denominator)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    whole, decimals = digits[: len(digits) - places], digits[len(digits) - places :]
    grouped = f"{int(whole):_}" if len(whole) > 4 else whole
    return f"{'-' if value < 0 else ''}{grouped}{'.' if places else ''}{decimals}"


def _places(denominator: int) -> int:
    """The least number of decimal places that shows a fraction of this denominator exactly."""
    places = next((places for places in range(denominator.bit_length()) if 10**places % denominator == 0), None)
    if places is None:
        raise ValueError(f"a number with the denominator {denominator} has no finite decimal form")
    return places
