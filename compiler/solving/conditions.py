"""The grammar of conditions: comparisons, what is joined, denied, or said of members."""

from __future__ import annotations

from collections.abc import Iterator

from unco.compiler.solving.amounts import like
from unco.compiler.solving.grammar import Parser, Readings
from unco.compiler.solving.phrases import listed, members
from unco.compiler.solving.tree import Node

_BOUNDS = {
    "at least": "at least", "on or after": "at least", "at most": "at most", "on or before": "at most",
    "more than": "more than", "after": "more than", "less than": "less than", "before": "less than",
}  # fmt: skip
_PAIRED = {"either both of these hold or neither does :": "same", "exactly one of these holds :": "odd"}
_JOINTS = ("and", "or", "if")
_LONGEST_TEXT = 12


def condition(parser: Parser, place: int) -> Readings:
    """A condition, or two that are joined, or several after a head."""
    yield from _headed(parser, place)
    for node, end in parser.read("clause", place):
        for joint, kind, closing in (("and", "all", ""), ("or", "any", "( or both )")):
            start = parser.after(end, joint)
            for other, last in parser.read("clause", start) if start else ():
                closed = parser.after(last, closing) if closing else last
                if closed:
                    yield Node(kind, (node, other)), closed
        yield from _chosen(parser, node, end)
        yield node, end


def _chosen(parser: Parser, node: Node, place: int) -> Readings:
    """`A if B, otherwise C`, of conditions."""
    start = parser.after(place, "if")
    for test, end in parser.read("condition", start) if start else ():
        again = parser.after(end, ", otherwise")
        for other, last in parser.read("clause", again) if again else ():
            yield Node("either", (test, node, other)), last


def _headed(parser: Parser, place: int) -> Readings:
    for head, kind, joint in (("all of these hold :", "all", "and"), ("at least one of these holds :", "any", "or")):
        start = parser.after(place, head)
        if start and parser.is_at(start, "below"):
            yield Node(kind, parser.below("condition")), start + 1
        for nodes, end in listed(parser, start, joint, "clause") if start else ():
            yield Node(kind, nodes), end
    for head, kind in (
        ("either both of these hold or neither does :", "same"),
        ("exactly one of these holds :", "odd"),
    ):
        start = parser.after(place, head)
        for node, end in parser.read("clause", start) if start else ():
            again = parser.after(end, ";")
            for other, last in parser.read("clause", again) if again else ():
                yield Node(kind, (node, other)), last


def clause(parser: Parser, place: int) -> Readings:
    """One condition that nothing joins to another."""
    if start := parser.after(place, "("):
        for node, end in parser.read("condition", start):
            if last := parser.after(end, ")"):
                yield node, last
    if start := parser.after(place, "it is not the case that"):
        for node, end in parser.read("clause", start):
            yield Node("not", (node,)), end
    yield from _of_members(parser, place)
    yield from _comparison(parser, place)
    yield from _stated(parser, place)


def _of_members(parser: Parser, place: int) -> Readings:
    for head, kind in (("for each of the", "each"), ("for at least one of the", "some")):
        start = parser.after(place, head)
        for group, end in members(parser, start) if start else ():
            body = parser.after(end, ":")
            for node, last in (*_headed(parser, body), *parser.read("clause", body)) if body else ():
                yield Node(kind, (group, node)), last


def _comparison(parser: Parser, place: int) -> Readings:
    for subject, end in parser.read("formula", place):
        if start := parser.after_any(end, "is", "are"):
            yield from _said(parser, subject, start)
        for kind, group, last in _whose(parser, end) if subject.kind == "fact" else ():
            if start := parser.after_any(last, "is", "are"):
                for node, closed in _said(parser, subject, start):
                    yield Node(kind, (group, node)), closed


def _whose(parser: Parser, place: int) -> Iterator[tuple[str, Node, int]]:
    for words, kind in (("of each", "each"), ("of at least one", "some")):
        start = parser.after(place, words)
        for group, end in members(parser, start) if start else ():
            yield kind, group, end


def _said(parser: Parser, subject: Node, place: int) -> Readings:
    """What stands after `is`: words that compare, or else what the subject is."""
    compared = list(_compared(parser, subject, place))
    yield from compared
    for node, end in parser.read("value", place) if not compared else ():
        yield Node("in", (subject, node)), end


def _compared(parser: Parser, subject: Node, place: int) -> Readings:
    for words, kind in _BOUNDS.items():
        start = parser.after(place, words)
        for bound, end in parser.read("formula", start) if start else ():
            yield Node(kind, (subject, bound)), end
    yield from _between(parser, subject, place)
    for words in ("either", "one of"):
        start = parser.after(place, words)
        for nodes, end in listed(parser, start, "or", "value") if start else ():
            yield Node("in", (subject, *nodes)), end
    start = parser.after(place, "not")
    for node, end in parser.read("value", start) if start else ():
        yield Node("is not", (subject, node)), end


def _between(parser: Parser, subject: Node, place: int) -> Readings:
    start = parser.after(place, "between")
    for low, end in parser.read("formula", start) if start else ():
        again = parser.after(end, "and")
        for high, last in parser.read("formula", again) if again else ():
            if closed := parser.after(last, ", both included"):
                ends = Node("at least", (subject, _like(low, high))), Node("at most", (subject, high))
                yield Node("all", ends), closed


def _like(low: Node, high: Node) -> Node:
    both = low.kind == high.kind == "amount"
    return Node("amount", (), like(low.what, high.what)) if both else low


def value(parser: Parser, place: int) -> Readings:
    """What something is said to be: an amount, a quoted name, or words as they stand."""
    found = parser.read("formula", place)
    yield from found
    if parser.is_at(place, "quoted"):
        yield Node("text", (), parser.tokens[place].what), place + 1
    elif not found:
        yield from _words(parser, place, place + 1)
    elif found[0][0].kind == "amount":
        yield from _words(parser, place, found[0][1] + 1)


def _words(parser: Parser, place: int, least: int) -> Readings:
    """Words up to what may join them to more; the shortest reading first."""
    for end in range(least, min(place + _LONGEST_TEXT, len(parser.tokens)) + 1):
        token = parser.tokens[end - 1]
        if token.kind in ("fact", "quoted", "below") or token.what in (",", "(", ")", ":", ";", "or"):
            return
        if end == len(parser.tokens) or parser.tokens[end].kind == "sign" or parser.tokens[end].what in _JOINTS:
            yield Node("text", (), parser.raw(place, end)), end


def _stated(parser: Parser, place: int) -> Readings:
    """`the extra check is wanted (in this task it is not wanted)`: a threshold that is true or false."""
    verb = _after_words(parser, place, ("is", "are"))
    start = _after_words(parser, verb, ("(",)) if verb else 0
    told = parser.after(start - 1, "( in this task it is") if start else 0
    closed = _after_words(parser, told, (")",)) if told else 0
    if closed:
        yield Node("known", (), parser.raw(verb, start - 1) == parser.raw(told, closed - 1)), closed


def _after_words(parser: Parser, place: int, last: tuple[str, ...]) -> int:
    """The token after the first of these, with plain words before it; 0 where something else stands there."""
    for end in range(place, min(place + _LONGEST_TEXT, len(parser.tokens))):
        if parser.tokens[end].what in last:
            return end + 1 if end > place else 0
        if parser.tokens[end].kind not in ("word", "amount"):
            return 0
    return 0
