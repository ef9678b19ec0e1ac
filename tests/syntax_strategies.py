"""Hypothesis strategies for syntax trees: every tree that the parser can make, within the limits of size.

Left out, since no text stands for them: negative numbers (they are `negate` of a number), numbers without a finite
decimal form, `and` directly in `and`, `or` directly in `or` (chains are flat), and calls with a wrong number of operands.
"""

from __future__ import annotations

import string
from datetime import date
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

names = st.one_of(
    st.sampled_from(("age", "income", "x2", "_", "android", "iffy", "In", "Not", "per_head", "e6", *FUNCTIONS)),
    st.text(string.ascii_letters + string.digits + "_", min_size=1, max_size=8).filter(
        lambda name: not name[0].isdigit() and name not in KEYWORDS
    ),
)
function_names = names.filter(lambda name: name not in ("negate", "weighted_mean"))
texts = st.one_of(
    st.sampled_from(("", '"', "'", '""', "DNP", "日本", "😀", "\\u{41}", "\\", "a\nb")), st.text(max_size=8)
)
units = st.one_of(
    st.sampled_from(("", "%", "years", "USD per month", "m2", "kWh", "% per year")),
    names,
    st.builds("{} per {}".format, names, names),
)


@st.composite
def magnitudes(draw: st.DrawFn) -> Fraction:
    """Non-negative decimals, edges of the digit grouping and of the longest number among them."""
    places = draw(st.integers(0, 6))
    digits = draw(st.one_of(st.integers(0, 10**8), st.sampled_from((9_999, 10_000, 10**40 - 1))))
    return Fraction(digits, 10**places)


leaves: st.SearchStrategy[Syntax] = st.one_of(
    st.builds(NumberLiteral, magnitudes(), units),
    st.builds(DateLiteral, st.one_of(st.dates(), st.just(date(2024, 2, 29)))),
    st.builds(TextLiteral, texts),
    st.builds(BooleanLiteral, st.booleans()),
    st.builds(Name, names, st.one_of(st.none(), texts)),
)


def _calls(operator: str, arguments: st.SearchStrategy[tuple[Syntax, ...]]) -> st.SearchStrategy[Syntax]:
    return arguments.map(lambda operands: Call(operator, operands))


def _chains(operator: str, operands: st.SearchStrategy[Syntax]) -> st.SearchStrategy[Syntax]:
    others = operands.filter(lambda node: not (isinstance(node, Call) and node.operator == operator))
    return _calls(operator, st.lists(others, min_size=2, max_size=4).map(tuple))


def _extended(operands: st.SearchStrategy[Syntax]) -> st.SearchStrategy[Syntax]:
    """One call more around the operands."""
    few = st.lists(operands, max_size=3).map(tuple)
    pairs = st.tuples(operands, operands)
    return st.one_of(
        st.builds(Call, st.sampled_from(COMPARISONS + ARITHMETIC), pairs),
        _chains("and", operands),
        _chains("or", operands),
        st.builds(Call, st.sampled_from(("not", "negate")), st.tuples(operands)),
        _calls("if", st.tuples(operands, operands, operands)),
        _calls("between", st.tuples(operands, operands, operands)),
        _calls("in", st.lists(operands, min_size=2, max_size=4).map(tuple)),
        _calls(
            "weighted_mean", st.lists(pairs, max_size=2).map(lambda rows: tuple(part for row in rows for part in row))
        ),
        st.builds(Call, function_names, few),
    )


syntax_trees: st.SearchStrategy[Syntax] = st.recursive(leaves, _extended, max_leaves=16)


def nodes(tree: Syntax) -> list[Syntax]:
    """The tree and all its parts."""
    parts = [tree]
    for node in parts:
        parts += node.arguments if isinstance(node, Call) else ()
    return parts
