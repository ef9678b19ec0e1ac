"""What a rule says, as a tree: each node has a kind, parts, and what is known of it beside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class Node(NamedTuple):
    """One step of a rule: what `evaluate` does with it stands there under its kind."""

    kind: str
    parts: tuple[Node, ...] = ()
    what: Any = None


class Fact(NamedTuple):
    """A fact that a task needs of every candidate, or of every member of a candidate's group."""

    phrase: str
    """With its context in brackets, as the task writes it."""
    member: str = ""
    """What its members are called, one of them; empty where the fact is the candidate's own."""


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it."""
    yield node
    for part in node.parts:
        yield from walk(part)
