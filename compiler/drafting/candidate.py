"""A drafted specification with what became of it, and the line that a draft folder keeps of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from unco.specs.document import Specification
from unco.specs.rejection import Rejection

By: TypeAlias = Literal["grammar", "llm"]


@dataclass(frozen=True)
class Candidate:
    """One specification that was drafted, or tried; it is kept where it has no rejection."""

    number: int
    by: By
    domain: str
    operation: str
    scenario: str = ""
    """The skeleton that it was composed of."""
    repaired: bool = False
    """Whether it was drafted a second time, with the diagnostics of the first."""
    specification: Specification | None = None
    rejection: Rejection | None = None
    told: tuple[str, ...] = ()
    """What the check found in each attempt, as an author reads it."""
    text: str = ""
    """The draft that does not stand, for who wants to mend it."""

    @property
    def kept(self) -> bool:
        return self.rejection is None

    @property
    def line(self) -> dict[str, Any]:
        """What `drafts.jsonl` holds of it."""
        found, rejection = self.specification, self.rejection
        return {
            "number": self.number,
            "by": self.by,
            "kept": self.kept,
            "name": "" if found is None else found.name,
            "scenario": self.scenario,
            "domain": self.domain,
            "operation": self.operation,
            "repaired": self.repaired,
            "phase": "" if rejection is None else rejection.phase,
            "code": "" if rejection is None else rejection.code,
            "detail": "" if rejection is None else rejection.detail,
        }
