"""How retained groups rest on the proof of their family: inside its space or not, and audited or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unco.compiler.pipeline import Retained


@dataclass(frozen=True)
class Footing:
    """Of one group."""

    outside: str = ""
    """Why the proof says nothing of it; empty where it does."""
    claims: int | None = None
    """How many claims an audit decided again; None where the group was not in the sample."""
    undecided: int = 0
    """Of how many of these the solver came to no end."""


def footing_of(group: Retained) -> Footing:
    """That of a group which passed every phase."""
    if group.audit is None:
        return Footing(group.proof.outside)
    return Footing(group.proof.outside, group.audit.claims, group.audit.undecided)


@dataclass
class Footings:
    """Of all groups of a family together."""

    outside: int = 0
    first_outside: str = ""
    audited: int = 0
    claims: int = 0
    undecided: int = 0

    def add(self, each: Footing) -> None:
        """Count a group."""
        self.outside += bool(each.outside)
        self.first_outside = self.first_outside or each.outside
        self.audited += each.claims is not None
        self.claims += each.claims or 0
        self.undecided += each.undecided

    def as_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "outside": {"groups": self.outside, "first": self.first_outside},
            "audit": {"groups": self.audited, "claims": self.claims, "undecided": self.undecided},
        }
