"""What a validator said in one run, and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unco.compiler.validating.subject import Subject
from unco.specs.answer import Reading, Score, Verdict, score


@dataclass(frozen=True)
class Used:
    """A fact as the validator says that it used it."""

    candidate: str
    record: str
    """The key of the record, as `HEALTH-1`."""
    value: str


@dataclass(frozen=True)
class Answered:
    """The reply of one run: its whole text, the answer in it, and the facts that it rests on."""

    text: str
    answer: str | Reading | None
    """A text that ends with the answer, the answer itself, or None where there is none."""
    facts: tuple[Used, ...] = ()
    code: str = ""
    """Why there is no reply that can be read; empty where there is one."""
    detail: str = ""

    def score(self, subject: Subject) -> Score:
        """Against gold, exactly."""
        if self.code:
            return Score(verdict=Verdict.UNPARSABLE, reason=f"{self.code}: {self.detail}")
        return score(self.answer, subject.gold, subject.form)

    def told(self, subject: Subject, run: int) -> dict[str, Any]:
        """The run as it stands in a transcript: the order of the records, what was said, and what it is worth."""
        found = self.score(subject)
        return {
            "run": run + 1,
            "records": [entry.key for entry in subject.evidence(run)],
            "reply": self.text,
            "facts": [vars(fact) for fact in self.facts],
            "verdict": found.verdict.value,
            "reason": found.reason,
        }
