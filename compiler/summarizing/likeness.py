"""How alike the specifications of a run are, by the measure of the drafter's gate, over all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from unco.compiler.drafting.near import MOST_WITH_STRUCTURE, Print, are_near, print_from


class Nearest(NamedTuple):
    """The specification that shares most words with another one."""

    name: str
    other: str
    share: Fraction


@dataclass(frozen=True)
class Likeness:
    """Over all specifications of a run."""

    near: tuple[tuple[str, str], ...]
    """Near-duplicates, each with the first earlier specification that it nearly copies."""
    nearest: tuple[Nearest, ...]
    """For each specification, in order, where there are two at least."""


def print_of_tree(tree: Any) -> Print:
    """What a specification is compared by, from its canonical tree."""
    rules = (*tree["conditions"], *tree["consistency"], tree["calculation"])
    return print_from(tree["name"], _texts(tree), [rule["source"] for rule in rules])


def _texts(tree: Any) -> Iterator[str]:
    yield from (tree["title"], tree["task"], tree["calculation"]["label"])
    for role in tree["roles"]:
        yield from (role["name"], role["description"])
    for attribute in tree["attributes"]:
        yield from (attribute["label"], attribute["context_kind"], attribute["contexts"][0]["name"])


def likeness_of(prints: Sequence[Print]) -> Likeness:
    """By the words and the structure of specifications."""
    near: dict[str, str] = {}
    for late, early, common, every in _pairs(prints):
        if common > MOST_WITH_STRUCTURE * every and are_near(prints[late], prints[early]):
            near.setdefault(prints[late].name, prints[early].name)
    return Likeness(tuple(near.items()), nearest(prints))


def nearest(prints: Sequence[Print]) -> tuple[Nearest, ...]:
    """For each text, in order, the one that shares most words with it; nothing where there is no other."""
    best = [(-1, 1, 0)] * len(prints)
    for late, early, common, every in _pairs(prints):
        for one, two in ((late, early), (early, late)):
            if common * best[one][1] > best[one][0] * every:
                best[one] = common, every, two
    found = zip(prints, best, strict=True) if len(prints) > 1 else ()
    return tuple(
        Nearest(one.name, prints[two].name, Fraction(common, every or 1)) for one, (common, every, two) in found
    )


def _pairs(prints: Sequence[Print]) -> Iterator[tuple[int, int, int, int]]:
    """All pairs, and how many words they share, of how many: as bits, so that millions take seconds."""
    bits: dict[tuple[str, int], int] = {}
    masks = [_mask(each, bits) for each in prints]
    for late, mine in enumerate(masks):
        for early, other in enumerate(masks[:late]):
            yield late, early, (mine & other).bit_count(), (mine | other).bit_count()


def median_and_most(found: Sequence[Nearest]) -> tuple[Fraction, Fraction]:
    """Of the shares of words: the upper median and the largest."""
    shares = sorted(each.share for each in found) or [Fraction(0)]
    return shares[len(shares) // 2], shares[-1]


def _mask(one: Print, bits: dict[tuple[str, int], int]) -> int:
    """A bit for each word and for each time that it stands there."""
    return sum(1 << bits.setdefault(each, len(bits)) for each in one.numbered)
