"""Coverage: how often each domain, operation and skeleton was used, and what is due next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from unco.compiler.drafting.skeleton import Skeleton

Pair: TypeAlias = tuple[str, str]
"""A domain and an operation."""


@dataclass
class Coverage:
    """Counts of what was drafted so far; the least used comes next, ties drawn."""

    cells: Counter[Pair] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)
    """By skeleton."""

    def count(self, domain: str, operation: str, skeleton: str = "", many: int = 1) -> None:
        """Take in one specification, or, with -1, take one back."""
        self.cells[domain, operation] += many
        self.used[skeleton] += many

    def least(self, pairs: Iterable[Pair], rng: Random) -> Pair:
        """The least used of these pairs. Of equals, that of the less used domain, then of the less used operation."""
        of_domain: Counter[str] = Counter()
        of_operation: Counter[str] = Counter()
        for (domain, operation), many in self.cells.items():
            of_domain[domain] += many
            of_operation[operation] += many
        return min(
            sorted(pairs),
            key=lambda pair: (self.cells[pair], of_domain[pair[0]], of_operation[pair[1]], rng.random()),
        )

    def due(self, skeletons: Iterable[Skeleton], pairs: set[Pair], rng: Random) -> tuple[Skeleton, str] | None:
        """The least used skeleton for the least used of the pairs that a skeleton has; None where none has one."""
        offered = [(each, operation) for each in skeletons for operation in each.operations]
        open_pairs = {(each.domain, operation) for each, operation in offered} & pairs
        if not open_pairs:
            return None
        due = self.least(open_pairs, rng)
        fitting = [each for each, operation in offered if (each.domain, operation) == due]
        return min(fitting, key=lambda each: (self.used[each.name], rng.random())), due[1]
