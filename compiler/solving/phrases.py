"""Small parts of the grammar that amounts and conditions share: lists, and the members of groups."""

from __future__ import annotations

from collections.abc import Iterator

from unco.compiler.solving.grammar import Parser
from unco.compiler.solving.tree import Node


def named_group(parser: Parser, place: int) -> Iterator[tuple[int, int]]:
    """A group by its name, in the plural or for one of its members."""
    for number, name in enumerate(parser.groups):
        if end := parser.after(place, name):
            yield number // 2, end


def amounts_below(parser: Parser, place: int, words: str) -> int:
    """The token after a head whose amounts stand below, or 0."""
    end = parser.after(place, words)
    return end + 1 if end and parser.is_at(end, "below") else 0


def pair(parser: Parser, place: int, head: str, joint: str) -> Iterator[tuple[Node, Node, int]]:
    """Two amounts, such as those of `the difference between A and B`."""
    start = parser.after(place, head)
    for first, end in parser.read("formula", start) if start else ():
        again = parser.after(end, joint)
        for second, last in parser.read("formula", again) if again else ():
            yield first, second, last


def members(parser: Parser, place: int) -> Iterator[tuple[Node, int]]:
    """`pumps`, `pumps numbered from 1 to 3`: which members are meant."""
    for group, end in named_group(parser, place):
        yield Node("members", (), group), end
        start = parser.after(end, "numbered from")
        if start and parser.is_at(start, "amount") and (start := parser.after(start + 1, "to")):
            for size, last in parser.read("formula", start):
                yield Node("members", (size,), group), last


def listed(parser: Parser, place: int, joint: str, part: str) -> Iterator[tuple[tuple[Node, ...], int]]:
    """`A, B and C`."""
    for node, end in parser.read(part, place):
        if start := parser.after(end, ","):
            for others, last in listed(parser, start, joint, part):
                yield (node, *others), last
        if start := parser.after(end, joint):
            for other, last in parser.read(part, start):
                yield (node, other), last
