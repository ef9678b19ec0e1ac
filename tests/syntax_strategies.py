"""Hypothesis strategies for syntax trees: every tree that the parser can make, within the limits of size.

Left out, since no text stands for them: negative numbers (they are `negate` of a number), numbers without a finite
decimal form, `and` directly in `and`, `or` directly in `or` (chains are flat), and a wrong number of operands.
"""

from __future__ import annotations

import string
from fractions import Fraction

from hypothesis import strategies as st

from unco.specs.mistakes import KEYWORDS
from unco.specs.syntax import BooleanLiteral, Call, DateLiteral, Name, NumberLiteral, Syntax, TextLiteral

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
ARITHMETIC = ("+", "-", "*", "/", "//")
FUNCTIONS = (
    "round",
    "min",
    "max",
    "sum",
    "abs",
    "lookup",
    "tiered",
    "mod",
    "days_between",
    "add_months",
    "count",
    "all",
)
OPERATORS = (*COMPARISONS, *ARITHMETIC, "negate", "not", "and", "or", "if", "in", "between", "weighted_mean")
"""Every operator that has a notation of its own; any other name is a function."""

ARITIES = {"negate": (1, 1), "not": (1, 1), "and": (2, 4), "or": (2, 4), "if": (3, 3), "in": (2, 4), "between": (3, 3)}
"""The least and the greatest number of operands, where it is not two."""

SOME_NAMES = ("age", "income", "x2", "_", "android", "iffy", "In", "Not", "per_head", "e6", *FUNCTIONS)
SOME_TEXTS = ("", '"', "'", '""', "DNP", "日本", "😀", "\\u{41}", "\\", "a\nb")
SOME_UNITS = ("", "%", "years", "USD per month", "m2", "kWh", "% per year")


@st.composite
def names(draw: st.DrawFn) -> str:
    """Names, close to keywords and to numbers among them; never a keyword."""
    if draw(st.booleans()):
        return draw(st.sampled_from(SOME_NAMES))
    first = draw(st.sampled_from(string.ascii_letters + "_"))
    name = first + draw(st.text(string.ascii_letters + string.digits + "_", max_size=7))
    return f"{name}_" if name in KEYWORDS else name


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Any short text, quotes and Unicode included."""
    return draw(st.sampled_from(SOME_TEXTS)) if draw(st.booleans()) else draw(st.text(max_size=8))


@st.composite
def units(draw: st.DrawFn) -> str:
    """The unit of a number as written: none, known ones, any name, any name per any name."""
    if draw(st.booleans()):
        return draw(st.sampled_from(SOME_UNITS))
    return " per ".join(draw(st.lists(names(), min_size=1, max_size=2)))


@st.composite
def magnitudes(draw: st.DrawFn) -> Fraction:
    """Non-negative decimals, edges of the digit grouping and of the longest number among them."""
    digits = draw(st.one_of(st.integers(0, 10**8), st.sampled_from((9_999, 10_000, 10**40 - 1))))
    return Fraction(digits, 10 ** draw(st.integers(0, 6)))


LEAVES: dict[type, st.SearchStrategy[Syntax]] = {
    NumberLiteral: st.builds(NumberLiteral, magnitudes(), units()),
    DateLiteral: st.builds(DateLiteral, st.dates()),
    TextLiteral: st.builds(TextLiteral, texts()),
    BooleanLiteral: st.builds(BooleanLiteral, st.booleans()),
    Name: st.builds(Name, names(), st.none() | texts()),
}


@st.composite
def syntax_trees(draw: st.DrawFn, depth: int = 4) -> Syntax:
    """A tree of at most `depth` operators inside one another."""
    if depth == 0 or draw(st.booleans()):
        return draw(LEAVES[draw(st.sampled_from(list(LEAVES)))])
    operator = draw(st.sampled_from((*OPERATORS, "function")))
    least, most = (0, 3) if operator == "function" else ARITIES.get(operator, (2, 2))
    operands = draw(st.lists(syntax_trees(depth - 1), min_size=least, max_size=most))
    if operator == "function":
        name = draw(st.sampled_from(FUNCTIONS) | names())
        return Call("round" if name in ("negate", "weighted_mean") else name, tuple(operands))
    return Call(operator, _flat(operator, operands) if operator in ("and", "or") else tuple(operands))


def _flat(operator: str, operands: list[Syntax]) -> tuple[Syntax, ...]:
    groups = [node.arguments if isinstance(node, Call) and node.operator == operator else (node,) for node in operands]
    return tuple(node for group in groups for node in group)


def nodes(tree: Syntax) -> list[Syntax]:
    """The tree and all its parts."""
    parts = [tree]
    for node in parts:
        parts += node.arguments if isinstance(node, Call) else ()
    return parts
