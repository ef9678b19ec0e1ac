"""Three answers to a validation, or to a rejection with its transcript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unco.compiler.validating.answered import Answered
from unco.compiler.validating.blame import blame
from unco.compiler.validating.subject import Subject
from unco.specs.answer import Score, Verdict
from unco.specs.rejection import Rejection

DISAGREES, UNREADABLE = "UNC609", "UNC610"


@dataclass(frozen=True)
class Validation:
    """Who solved a task from all its evidence, and how often: always with the answer that is gold."""

    by: str
    """`reader`, or the LLM by its name."""
    runs: int


def judged(subject: Subject, by: str, answers: Sequence[Answered]) -> Validation | Rejection:
    """Retained only if every answer is right; a wrong one weighs more than one that cannot be read."""
    scores = [each.score(subject) for each in answers]
    if all(found.verdict is Verdict.RIGHT for found in scores):
        return Validation(by, len(answers))
    place = min(range(len(scores)), key=lambda run: _order(scores[run]))
    code, detail = _reason(subject, answers[place], scores[place])
    transcript = {
        "specification": subject.specification,
        "index": subject.index,
        "code": code,
        "by": by,
        "instructions": subject.instructions,
        "records": {entry.key: entry.text for entry in subject.records},
        "gold": subject.task.gold.answer.model_dump(mode="json"),
        "runs": [each.told(subject, run) for run, each in enumerate(answers)],
        "blame": blame(subject, by, answers),
    }
    words = f"{by}, run {place + 1} of {len(answers)}: {detail}"
    return Rejection(
        "validate", code, words, subject.specification, subject.index, planned=subject.planned, transcript=transcript
    )


def _order(found: Score) -> int:
    return (Verdict.WRONG, Verdict.UNPARSABLE, Verdict.RIGHT).index(found.verdict)


def _reason(subject: Subject, said: Answered, found: Score) -> tuple[str, str]:
    """The code of a rejection and what was found; gold stands in the transcript alone."""
    if found.verdict is Verdict.WRONG:
        what = "the decision is right, the result is not" if found.decision_right else "another decision than gold"
        return DISAGREES, found.reason or what
    return said.code or UNREADABLE, said.detail or found.reason
