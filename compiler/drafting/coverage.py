"""Coverage: how often each domain, operation and skeleton was used, and what is due next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from unco.compiler.drafting.skeleton import Skeleton


@dataclass
class Coverage:
    """Counts of what was drafted so far; the least used comes next, ties drawn."""

    skeletons: tuple[Skeleton, ...]
    cells: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By domain and operation."""
    used: Counter[str] = field(default_factory=Counter)
    """By skeleton."""

    def count(self, domain: str, operation: str, skeleton: str = "", many: int = 1) -> None:
        """Take in one specification, or, with -1, take one back."""
        self.cells[domain, operation] += many
        self.used[skeleton] += many

    def due(self, rng: Random, passed: Iterable[tuple[str, str]] = ()) -> tuple[Skeleton, str] | None:
        """The least used skeleton of the least used pair of domain and operation; None where all pairs are passed by.

        Of pairs used as often, those of the less used domain and then of the less used operation come first.
        """
        pairs = {(each.domain, operation) for each in self.skeletons for operation in each.operations} - set(passed)
        if not pairs:
            return None
        domain, operation = min(sorted(pairs), key=lambda pair: (self.cells[pair], *self._totals(pair), rng.random()))
        fitting = [each for each in self.skeletons if each.domain == domain and operation in each.operations]
        return min(fitting, key=lambda each: (self.used[each.name], rng.random())), operation

    def _totals(self, pair: tuple[str, str]) -> tuple[int, int]:
        domain, operation = pair
        of_domain = sum(many for (each, _), many in self.cells.items() if each == domain)
        return of_domain, sum(many for (_, each), many in self.cells.items() if each == operation)
