"""Rules and calculations that are told in a list, read as what the list means."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from unco.compiler.reading.engine import Node
from unco.compiler.reading.meaning import NUMBER, TRUTH, normal
from unco.compiler.reading.sections import Item
from unco.compiler.reading.subject_matter import Matter

_JOINTS = {
    "all of these hold:": ("and", TRUTH),
    "at least one of these holds:": ("or", TRUTH),
    "the sum of these amounts:": ("sum", NUMBER),
}
_TWO = {"the smaller of these amounts:": "min", "the larger of these amounts:": "max"}
_SEVERAL = {"the smallest of these amounts:": "min", "the largest of these amounts:": "max"}
_CASES, _MEAN = "the first of these that applies:", "the weighted mean of these amounts:"


def understood(item: Item, kind: str, matter: Matter) -> Iterator[Node]:
    """Every meaning of an entry: of its sentence, or of the list below it."""
    if not item.parts:
        yield from matter.rules.sentence(item.words, kind)
        return
    head = f"{item.words[:1].lower()}{item.words[1:]}"
    if head == _CASES:
        yield from _chosen(item.parts, kind, matter)
    if head == _MEAN and kind == NUMBER:
        for pairs in product(*(() if part.parts else matter.rules.weighed(part.words) for part in item.parts)):
            yield normal(("weighted_mean", NUMBER, *(part for pair in pairs for part in pair[2:])))
    extreme = (_TWO if len(item.parts) == 2 else _SEVERAL).get(head)
    joint, joined = (extreme, NUMBER) if extreme else _JOINTS.get(head, ("", ""))
    if joined == kind:
        combined = product(*(tuple(understood(part, kind, matter)) for part in item.parts))
        yield from dict.fromkeys(normal((joint, kind, *parts)) for parts in combined)


def _chosen(cases: tuple[Item, ...], kind: str, matter: Matter) -> Iterator[Node]:
    """`VALUE if TEST`, one a line, and `otherwise VALUE` on the last."""
    readings = [() if case.parts else matter.rules.case(case.words, kind) for case in cases]
    for *tested, last in product(*readings):
        node = last
        fits = last[0] != "case" and all(case[0] == "case" for case in tested)
        for case in reversed(tested if fits else []):
            node = ("if", kind, case[2], case[3], node)
        if fits:
            yield normal(node)


def told_words(item: Item) -> str:
    """The words of an entry and of those below it, on one line."""
    return " / ".join([item.words, *map(told_words, item.parts)])
