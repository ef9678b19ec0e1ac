"""What a finished text says otherwise than its instance and its family do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["missing", "altered", "added", "leaked", "slots", "reworded"]
CODE_OF: Mapping[Kind, str] = MappingProxyType(
    {
        "missing": "UNC603",
        "altered": "UNC604",
        "added": "UNC605",
        "leaked": "UNC606",
        "slots": "UNC607",
        "reworded": "UNC608",
    }
)


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One fact or rule that the text lacks, alters, adds or gives away; or what a rewording may not be."""

    kind: Kind
    where: str
    """Which text: `instructions`, `records of Chief Engineer`, `first reply of Chief Engineer (Missed)`."""
    subject: str
    """The fact or rule, in the author's terms."""
    found: str = "nothing"
    expected: str = "nothing"
    words: str = ""
    """The words of the text, where there are any."""

    @property
    def code(self) -> str:
        """The code of a rejection for it."""
        return CODE_OF[self.kind]

    def __str__(self) -> str:
        quoted = f', in the words "{self.words}"' if self.words else ""
        fault = "cannot be used" if self.kind in ("slots", "reworded") else f"is {self.kind}"
        return f"{self.where}: {self.subject} {fault}: found {self.found}, expected {self.expected}{quoted}"
