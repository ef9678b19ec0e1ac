"""What stays the same over all that a fact may be, found by looking at smaller and smaller parts of it.

A span is worked out end by end, as if each mention of a fact were another fact: of `(a + 1) ÷ a` it knows too little.
In a small part of `a` that hardly matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from unco.compiler.solving.evaluate import Known, World
from unco.compiler.solving.spans import Span, parted, width
from unco.compiler.solving.tree import Node, walk

MOST = 2_000
"""So many parts are looked at."""
Said = TypeVar("Said")
Key = tuple[int, int]


def agreed(world: World, rules: Callable[[World], Sequence[Node]], ask: Callable[[World], Said | None]) -> Said | None:
    """What `ask` says of every part of a world; None where parts differ, or where it says nothing of parts too small.

    `rules` are the rules on which the answer still depends; only facts of theirs are parted.
    """
    waiting, found = [world], None
    for _ in range(MOST):
        if not waiting:
            return found
        part = waiting.pop()
        said = ask(part)
        if said is None:
            smaller = _smaller(part, rules(part))
            if not smaller:
                return None
            waiting += smaller
        elif found is None:
            found = said
        elif said != found:
            return None
    return None


def _smaller(world: World, rules: Sequence[Node]) -> list[World]:
    """The worlds that the vaguest fact of some rules parts a world into; none where no fact can be parted."""
    used = {node.what for rule in rules for node in walk(rule) if node.kind == "fact"}
    vague = {key: _vagueness(known) for key, known in world.facts.items() if key[0] in used}
    key = max(vague, key=lambda each: (vague[each], each), default=None)
    if key is None or not vague[key]:
        return []
    return [replace(world, facts={**world.facts, key: part}) for part in _parts(world.facts[key])]


def _vagueness(known: Known) -> Fraction:
    match known:
        case None:
            return Fraction(0)
        case Span():
            return width(known)
        case _:
            return Fraction(len(known) - 1)


def _parts(known: Known) -> Iterator[Known]:
    match known:
        case Span():
            yield from parted(known)
        case frozenset():
            yield from (frozenset((each,)) for each in sorted(known))
