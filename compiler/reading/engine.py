"""Every reading of a text by a grammar: productions of literal words, symbols and listings.

A sentence with one reading says one thing; with several it is ambiguous, and the caller gets them all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, TypeAlias

Node: TypeAlias = tuple[Any, ...]
"""What a part of a text means: its operator, its kind, then its parts. Hashable."""
Found: TypeAlias = tuple[Node, int]
"""A meaning, and where in the text it ends."""
DEEPEST = 220
"""Brackets in brackets that a text may have: a rule of the deepest specification needs no more."""
FRAMES = 40 * DEEPEST
"""Python frames that reading them takes at most."""
Terminal: TypeAlias = Callable[[str, int], Iterable[Found]]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A part that another rule of the grammar reads."""

    name: str


@dataclass(frozen=True, slots=True)
class Listing:
    """`A, B and C`: two or more parts that one rule reads, with a joint before the last."""

    name: str
    joint: str


@dataclass(frozen=True, slots=True)
class Chain:
    """`A + B − C`: one or more parts that one rule reads, with a sign between each two, as far as it goes."""

    name: str
    signs: tuple[str, ...]


Part: TypeAlias = str | Symbol | Listing | Chain


@dataclass(frozen=True, slots=True)
class Production:
    """Parts in a row, and what they mean together; `build` gives None where they do not fit each other."""

    parts: tuple[Part, ...]
    build: Callable[..., Node | None]


class Grammar:
    """Rules by name: each is read by its terminals and its productions."""

    def __init__(self, terminals: Mapping[str, Sequence[Terminal]], rules: Mapping[str, Sequence[Production]]) -> None:
        self.terminals = terminals
        self.rules = rules

    def readings(self, name: str, text: str) -> tuple[Node, ...]:
        """Every meaning of the whole text, without repetition; none where its brackets are nested too deeply."""
        if _depth(text) > DEEPEST:
            return ()
        with _room():
            found = _Reading(self, text).at(name, 0)
        return tuple(dict.fromkeys(node for node, end in found if end == len(text)))


class _Reading:
    """One text; what was read at a place is kept."""

    def __init__(self, grammar: Grammar, text: str) -> None:
        self.grammar = grammar
        self.text = text
        self.known: dict[tuple[str, int], tuple[Found, ...]] = {}

    def at(self, name: str, start: int) -> tuple[Found, ...]:
        """Every reading of the rule from a place on."""
        key = (name, start)
        if key not in self.known:
            found = [each for terminal in self.grammar.terminals.get(name, ()) for each in terminal(self.text, start)]
            for production in self.grammar.rules.get(name, ()):
                found += self.produced(production, start)
            self.known[key] = tuple(dict.fromkeys(found))
        return self.known[key]

    def produced(self, production: Production, start: int) -> Iterable[Found]:
        states: list[tuple[tuple[Any, ...], int]] = [((), start)]
        for part in production.parts:
            states = [state for values, end in states for state in self.further(part, values, end)]
            if not states:
                return
        for values, end in states:
            node = production.build(*values)
            if node is not None:
                yield node, end

    def further(self, part: Part, values: tuple[Any, ...], end: int) -> Iterable[tuple[tuple[Any, ...], int]]:
        match part:
            case str():
                if self.text.startswith(part, end):
                    yield values, end + len(part)
            case Symbol(name):
                for node, after in self.at(name, end):
                    yield (*values, node), after
            case Listing(name, joint):
                for nodes, after in self.listed(name, f" {joint} ", end):
                    yield (*values, nodes), after
            case Chain(name, signs):
                for nodes, after in self.chained(name, signs, end):
                    yield (*values, nodes), after

    def chained(self, name: str, signs: tuple[str, ...], start: int) -> Iterable[tuple[tuple[Any, ...], int]]:
        """The parts of a chain and the signs between them."""
        for node, end in self.at(name, start):
            sign = next((each for each in signs if self.text.startswith(each, end)), None)
            if sign is None:
                yield (node,), end
            else:
                further = self.chained(name, signs, end + len(sign))
                yield from (((node, sign, *rest), after) for rest, after in further)

    def listed(self, name: str, joint: str, start: int) -> Iterable[tuple[tuple[Node, ...], int]]:
        """The parts of a listing: commas between them, the joint before the last."""
        for node, end in self.at(name, start):
            if self.text.startswith(joint, end):
                yield from (((node, last), after) for last, after in self.at(name, end + len(joint)))
            if self.text.startswith(", ", end):
                yield from (((node, *rest), after) for rest, after in self.listed(name, joint, end + 2))


@contextmanager
def _room() -> Iterator[None]:
    """More frames for a while, where there are fewer."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _depth(text: str) -> int:
    """How deeply brackets are opened in each other at most."""
    return max(accumulate((sign == "(") - (sign == ")") for sign in text), default=0)
