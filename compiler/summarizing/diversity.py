"""Diversity: how retained groups spread over domains and operations, as in Table 4 and Figure 7 of the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unco.compiler.drafting.near import Print
from unco.compiler.drafting.skeleton import DOMAINS, OPERATIONS
from unco.compiler.guesses.interval import decimal
from unco.compiler.summarizing.likeness import Likeness, likeness_of, median_and_most
from unco.compiler.summarizing.rows import Draft, Group


@dataclass(frozen=True)
class Diversity:
    """Of a run; each group is counted once, whatever its settings."""

    domains: tuple[str, ...]
    """Those of the grammar, and others that occur."""
    cells: Mapping[tuple[str, str], int]
    """By domain and operation, those that occur."""
    specifications: int
    """With one group at least."""
    scenarios: Mapping[str, int]
    """Groups by the skeleton that their specification was composed of, where that is known."""
    likeness: Likeness

    @property
    def groups(self) -> int:
        return sum(self.cells.values())

    @property
    def possible(self) -> int:
        """All pairs of domain and operation."""
        return len(self.domains) * len(OPERATIONS)

    def of_domain(self, domain: str) -> int:
        """Groups of a domain."""
        return sum(self.cells.get((domain, operation), 0) for operation in OPERATIONS)

    def of_operation(self, operation: str) -> int:
        """Groups of an operation."""
        return sum(self.cells.get((domain, operation), 0) for domain in self.domains)

    @property
    def largest(self) -> str:
        """The domain with most groups, the first of equals."""
        return max(self.domains, key=self.of_domain)

    @property
    def complete(self) -> int:
        """Domains with all operations."""
        return sum(all((domain, each) in self.cells for each in OPERATIONS) for domain in self.domains)

    def as_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        median, most = median_and_most(self.likeness.nearest)
        return {
            "groups": self.groups,
            "cells": {
                domain: {each: self.cells.get((domain, each), 0) for each in OPERATIONS} for domain in self.domains
            },
            "filled": len(self.cells),
            "possible": self.possible,
            "domains": {domain: self.of_domain(domain) for domain in self.domains},
            "operations": {operation: self.of_operation(operation) for operation in OPERATIONS},
            "complete_domains": self.complete,
            "specifications": self.specifications,
            "scenarios": dict(self.scenarios),
            "near_duplicates": [list(pair) for pair in self.likeness.near],
            "nearest": {"median": decimal(median), "most": decimal(most)},
        }


def diversity(groups: Iterable[Group], prints: Sequence[Print], drafts: Sequence[Draft]) -> Diversity:
    """Of the groups of a run and the specifications that they come of."""
    scenario = {draft.name: draft.scenario for draft in drafts if draft.kept and draft.scenario}
    cells: Counter[tuple[str, str]] = Counter()
    scenarios: Counter[str] = Counter()
    names = set()
    for group in groups:
        cells[group.domain, group.operation] += 1
        names.add(group.specification)
        if group.specification in scenario:
            scenarios[scenario[group.specification]] += 1
    others = sorted({domain for domain, _ in cells} - set(DOMAINS))
    likeness = likeness_of([each for each in prints if each.name in names])
    return Diversity((*DOMAINS, *others), cells, len(names), dict(sorted(scenarios.items())), likeness)
