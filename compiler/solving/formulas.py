"""The grammar of amounts: signs in their usual order, facts, and thresholds with a name."""

from __future__ import annotations

from collections.abc import Sequence

from unco.compiler.solving.grammar import Parser, Readings
from unco.compiler.solving.phrases import named_group
from unco.compiler.solving.rounding import read_rounding
from unco.compiler.solving.tree import Node

_LONGEST_NAME = 16


def amount(parser: Parser, place: int) -> Readings:
    """A formula, or one of two by a condition."""
    for node, end in parser.read("formula", place):
        yield from _chosen(parser, node, end)
        yield node, end


def _chosen(parser: Parser, node: Node, place: int) -> Readings:
    start = parser.after(place, "if")
    for test, end in parser.read("condition", start) if start else ():
        start_else = parser.after(end, ", otherwise")
        for other, last in parser.read("formula", start_else) if start_else else ():
            yield Node("if", (test, node, other)), last


def formula(parser: Parser, place: int) -> Readings:
    """Terms, added and taken away from left to right."""
    yield from _chain(parser, parser.read("term", place), "term", {"+": "plus", "−": "minus", "-": "minus"})


def term(parser: Parser, place: int) -> Readings:
    """Factors, multiplied and divided from left to right."""
    yield from _chain(parser, parser.read("factor", place), "factor", {"×": "times", "÷": "over"})


def _chain(parser: Parser, firsts: Sequence[tuple[Node, int]], part: str, signs: dict[str, str]) -> Readings:
    for node, end in firsts:
        sign = parser.tokens[end].what if parser.is_at(end, "sign") else ""
        if sign in signs:
            for other, last in parser.read(part, end + 1):
                yield from _chain(parser, [(Node(signs[sign], (node, other)), last)], part, signs)
        yield node, end


def factor(parser: Parser, place: int) -> Readings:
    """One amount, perhaps with a minus before it and rounded."""
    if start := parser.after_any(place, "minus", "−", "-"):
        for node, end in parser.read("factor", start):
            yield Node("negated", (node,)), end
    for node, end in parser.read("single", place):
        yield from _rounded(parser, node, end)
        yield node, end


def _rounded(parser: Parser, node: Node, place: int) -> Readings:
    if not parser.after(place, "rounded to"):
        return
    for end in range(place + 2, len(parser.tokens)):
        if parser.tokens[end].what == ")":
            unit, rounding = read_rounding(parser.raw(place + 1, end + 1))
            yield Node("rounded", (node,), (rounding, parser.lexicon.units.unit(unit)[1])), end + 1
            return


def single(parser: Parser, place: int) -> Readings:
    """What is one amount by itself."""
    if parser.is_at(place, "amount"):
        yield Node("amount", (), parser.tokens[place].what), place + 1
    if parser.is_at(place, "fact"):
        yield from _fact(parser, place)
    if start := parser.after(place, "("):
        for node, end in parser.read("amount", start):
            if last := parser.after(end, ")"):
                yield node, last
    yield from parser.read("construct", place)
    yield from _threshold(parser, place)


def _fact(parser: Parser, place: int) -> Readings:
    fact = Node("fact", (), parser.tokens[place].what)
    start = parser.after(place + 1, "of")
    for group, end in named_group(parser, start) if start else ():
        if parser.is_at(end, "amount"):
            number = parser.tokens[end].what.number
            yield Node("of member", (fact,), (group, int(number))), end + 1
    yield fact, place + 1


def _threshold(parser: Parser, place: int) -> Readings:
    """`the debt limit (20,000 USD)`: a name, and in brackets what it stands for in this task."""
    start = parser.after(place, "the") or place
    for end in range(start, min(start + _LONGEST_NAME, len(parser.tokens))):
        token = parser.tokens[end]
        if token.what == "(" and end > start:
            if parser.is_at(end + 1, "amount") and (last := parser.after(end + 2, ")")):
                yield Node("amount", (), parser.tokens[end + 1].what), last
            return
        if token.kind not in ("word", "fact", "amount") or token.what in ("is", "are"):
            return
