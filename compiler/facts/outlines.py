"""Outlines: who wins, and which conditions the others fail, drawn as for ordinary groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import lcm, prod
from typing import TypeVar

from unco.compiler.checking.structure import owners
from unco.compiler.facts.proposals import Bits
from unco.compiler.planning.sketch import SHAPES, SINGLE
from unco.specs.family import Family

TRIES = 200
"""So often sets are drawn before those are taken in which one role shows alone that nobody is eligible."""
Item = TypeVar("Item")
Sets = list[frozenset[int]]


class Outlines:
    """Draws outlines of a family's groups."""

    def __init__(self, family: Family) -> None:
        self.candidates = family.candidates
        self.none = _weighed({True: family.plan.none_eligible, False: 1 - family.plan.none_eligible})
        every = range(len(family.conditions))
        self.counts = _weighed(_counts(family))
        """How many conditions each candidate fails, each possibility as often as it is likely."""
        sizes = {many for counts in self.counts for many in counts}
        self.of_size = {many: [frozenset(each) for each in combinations(every, many)] for many in sizes}
        self.alone = [_sole_owner(family, number) for number in every]
        """The one role that owns all that a condition reads, where there is one."""

    def winner(self, bits: Bits) -> int | None:
        """The position of the winner; None in the stated share."""
        return None if _one_of(self.none, bits) else bits(32) * self.candidates >> 32

    def failing(self, winner: int | None, bits: Bits) -> Sets:
        """The conditions, by number, that each candidate fails. Without a winner no one role owns a failed condition of
        every candidate, for it would show alone that nobody is eligible.
        """
        for _ in range(TRIES):
            sets = [_one_of(self.of_size[many], bits) for many in _one_of(self.counts, bits)]
            if winner is not None:
                sets[winner] = frozenset()
                break
            if not self._shown_by_one(sets):
                break
        return sets

    def _shown_by_one(self, sets: Sets) -> bool:
        """Whether one role owns a failed condition of every candidate."""
        first, *others = sets
        return any(
            self.alone[number] and all(self.alone[number] in {self.alone[other] for other in each} for each in others)
            for number in first
        )


def _counts(family: Family) -> dict[tuple[int, ...], Fraction]:
    """How likely it is that the candidates fail so many conditions: three of them one each, or two in groups of the
    shape *free*, and the others as the plan says; or all as the plan says, where the author gave the weights.
    """
    free, found = dict(SHAPES)["free"], dict[tuple[int, ...], Fraction]()
    for single, share in ((0, Fraction(1)),) if family.plan.every_loser else ((SINGLE, free), (SINGLE + 1, 1 - free)):
        ones = min(single, family.candidates)
        for drawn in product(family.plan.failed_conditions, repeat=family.candidates - ones):
            counts = sorted([1] * ones + [min(many, len(family.conditions)) for many, _ in drawn])
            orders = set(permutations(counts))
            weight = share * prod([each for _, each in drawn], start=Fraction(1)) / len(orders)
            total = sum((each for _, each in family.plan.failed_conditions), Fraction(0)) ** len(drawn)
            for order in orders:
                found[order] = found.get(order, Fraction(0)) + weight / total
    return dict(sorted(found.items()))


def _sole_owner(family: Family, number: int) -> str:
    found = owners(family, [family.conditions[number].expression])
    return found[0] if len(found) == 1 else ""


def _weighed(weights: Mapping[Item, Fraction]) -> list[Item]:
    shared = lcm(*(weight.denominator for weight in weights.values()))
    return [item for item, weight in weights.items() for _ in range(int(weight * shared))]


def _one_of(choices: Sequence[Item], bits: Bits) -> Item:
    return choices[bits(32) * len(choices) >> 32]
