"""Advice: a small change of a specification that makes a refuted claim provable."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Remedy(StrEnum):
    """What is changed, the smaller change first."""

    PLAN = "plan"
    THRESHOLD = "threshold"
    OWNER = "owner"


@dataclass(frozen=True)
class Advice:
    """A change that was tried: the claim is Proved for the changed family, and the family is still about something."""

    claim: tuple[str, str, str, str]
    """The key of the refuted claim."""
    remedy: Remedy
    says: str
    """The change in words."""
    yaml: str
    """The section to paste, with what stands in it already."""
    changes: int
    """How many clauses, ends of ranges or owners are new."""
