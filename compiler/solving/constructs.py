"""The grammar of amounts that have words of their own: sums, means, cases, tables, members."""

from __future__ import annotations

from unco.compiler.solving.grammar import Parser, Readings
from unco.compiler.solving.month_phrases import of_days
from unco.compiler.solving.phrases import amounts_below, listed, members, pair
from unco.compiler.solving.tree import Node
from unco.compiler.solving.unreadable import Unreadable

_EXTREMES = {
    "least": ("smaller", "smallest", "earlier", "earliest"),
    "most": ("larger", "largest", "later", "latest"),
}


def construct(parser: Parser, place: int) -> Readings:
    """Whatever has words of its own."""
    for each in (_extreme, _sum, _mean, _difference, _change, _cases, _lookup, _tiered, of_days, _whole_times, _rest,
                 _absolute, _counted, _total):  # fmt: skip
        yield from each(parser, place)


def _extreme(parser: Parser, place: int) -> Readings:
    for kind, words in _EXTREMES.items():
        for word in words:
            if end := amounts_below(parser, place, f"the {word} of these amounts :"):
                yield Node(kind, parser.below("amount")), end
            elif start := parser.after(place, f"the {word} of"):
                for nodes, last in listed(parser, start, "and", "formula"):
                    yield Node(kind, nodes), last


def _sum(parser: Parser, place: int) -> Readings:
    if end := amounts_below(parser, place, "the sum of these amounts :"):
        yield Node("sum", parser.below("amount")), end
    elif start := parser.after(place, "the sum of"):
        for nodes, last in listed(parser, start, "and", "formula"):
            yield Node("sum", nodes), last


def _mean(parser: Parser, place: int) -> Readings:
    if end := amounts_below(parser, place, "the weighted mean of these amounts :"):
        yield Node("mean", parser.below("weighted item")), end
    elif start := parser.after(place, "the mean of"):
        yield from ((node, last) for node, last in _bracketed_mean(parser, start))


def weighted_item(parser: Parser, place: int) -> Readings:
    """`A, weighted by B` on a line of its own."""
    for node, end in parser.read("amount", place):
        start = parser.after(end, ", weighted by")
        for weight, last in parser.read("amount", start) if start else ():
            yield Node("weighted", (node, weight)), last


def weighted_part(parser: Parser, place: int) -> Readings:
    """`A (weighted by B)` in a sentence."""
    for node, end in parser.read("formula", place):
        start = parser.after(end, "( weighted by")
        for weight, last in parser.read("amount", start) if start else ():
            if closed := parser.after(last, ")"):
                yield Node("weighted", (node, weight)), closed


def _bracketed_mean(parser: Parser, place: int) -> Readings:
    for parts, end in listed(parser, place, "and", "weighted part"):
        yield Node("mean", parts), end
    for part, end in parser.read("weighted part", place):
        yield Node("mean", (part,)), end


def _difference(parser: Parser, place: int) -> Readings:
    for first, second, end in pair(parser, place, "the difference between", "and"):
        yield Node("absolute", (Node("minus", (first, second)),)), end


def _change(parser: Parser, place: int) -> Readings:
    for first, second, end in pair(parser, place, "the percentage change from", "to"):
        yield Node("change", (first, second)), end


def _whole_times(parser: Parser, place: int) -> Readings:
    for small, large, end in pair(parser, place, "the whole number of times that", "goes into"):
        if last := parser.after(end, "( rounded down )"):
            yield Node("whole times", (large, small)), last


def _rest(parser: Parser, place: int) -> Readings:
    for large, small, end in pair(parser, place, "what is left of", "after taking away whole multiples of"):
        yield Node("rest", (large, small)), end


def _absolute(parser: Parser, place: int) -> Readings:
    start = parser.after(place, "the absolute value of")
    for node, end in parser.read("formula", start) if start else ():
        yield Node("absolute", (node,)), end


def _cases(parser: Parser, place: int) -> Readings:
    end = amounts_below(parser, place, "the first of these that applies :")
    if end:
        parts = parser.below("case")
        if parts[-1].kind != "otherwise" or any(each.kind == "otherwise" for each in parts[:-1]):
            raise Unreadable("expected the last case to be `otherwise`", parser.text)
        yield Node("cases", parts), end


def case(parser: Parser, place: int) -> Readings:
    """`A if C`, or `otherwise B`, on a line of its own."""
    if start := parser.after(place, "otherwise"):
        for node, end in parser.read("amount", start):
            yield Node("otherwise", (node,)), end
    for node, end in parser.read("formula", place):
        start = parser.after(end, "if")
        for test, last in parser.read("condition", start) if start else ():
            yield Node("case", (test, node)), last


def _table(parser: Parser, place: int) -> str | None:
    return str(parser.tokens[place].what) if parser.is_at(place, "quoted") else None


def _lookup(parser: Parser, place: int) -> Readings:
    start = parser.after(place, "the value in the table")
    if not start or (name := _table(parser, start)) is None or not (start := parser.after(start + 1, "for")):
        return
    for node, end in parser.read("formula", start):
        yield Node("lookup", (node,), name), end
    if inner := parser.after(start, "("):
        for node, end in parser.read("condition", inner):
            if last := parser.after(end, ")"):
                yield Node("lookup", (Node("true or false", (node,)),), name), last


def _tiered(parser: Parser, place: int) -> Readings:
    start = parser.after(place, "the total for")
    for node, end in parser.read("formula", start) if start else ():
        tiers = parser.after(end, "by the tiers of")
        if not tiers or (name := _table(parser, tiers)) is None:
            continue
        meant = "( the part of it within each tier × the rate of that tier , added up )"
        yield Node("tiered", (node,), name), parser.after(tiers + 1, meant) or tiers + 1


def _counted(parser: Parser, place: int) -> Readings:
    start = parser.after(place, "the number of")
    for group, end in members(parser, start) if start else ():
        body = parser.after_any(end, "for whom", "for which")
        for node, last in parser.read("clause", body) if body else ():
            yield Node("count", (group, node)), last


def _total(parser: Parser, place: int) -> Readings:
    start = parser.after(place, "the total over the")
    for group, end in members(parser, start) if start else ():
        body = parser.after(end, "of")
        for node, last in parser.read("formula", body) if body else ():
            yield Node("total", (group, node)), last
