"""The reader as a validator: it is given texts alone, as an LLM is."""

from __future__ import annotations

from collections.abc import Sequence

from unco.compiler.solving.solve import Unreadable, solve
from unco.compiler.validating.answered import Answered
from unco.compiler.validating.subject import Subject
from unco.specs.task import RecordEntry

READER = "reader"


def read(subject: Subject, records: Sequence[RecordEntry]) -> Answered:
    """What the reader answers to the task with the records in this order."""
    try:
        text = solve(subject.instructions, [entry.text for entry in records])
    except Unreadable as error:
        return Answered(str(error), None, detail=str(error))
    return Answered(text, text)
