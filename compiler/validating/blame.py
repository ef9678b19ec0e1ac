"""A hint whether the task or its validator is to blame for a disagreement: what the reader says, what was misread."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from unco.compiler.validating.answered import Answered, Used
from unco.compiler.validating.reader import READER, read
from unco.compiler.validating.subject import Subject
from unco.specs.answer import Verdict
from unco.specs.task import RecordEntry

TASK, VALIDATOR = "the task", "the validator"


def blame(subject: Subject, by: str, answers: Sequence[Answered]) -> dict[str, Any]:
    """Plain data: who is to blame as far as can be told, the reader's verdict, and each fact that was misread.

    The validator is, where it states a fact otherwise than the record that it names, or where the reader finds gold in
    the same texts. Else the task is: nobody found gold in it.
    """
    misread = [each for run, said in enumerate(answers) for each in _misread(subject, run, said)]
    reader = (answers[0] if by == READER else read(subject, subject.records)).score(subject).verdict
    on = VALIDATOR if misread or reader is Verdict.RIGHT else TASK
    return {"on": on, "reader": reader.value, "misread": misread}


def _misread(subject: Subject, run: int, said: Answered) -> Iterator[dict[str, Any]]:
    """The facts of a run that are not what the records say."""
    records = {entry.key: entry for entry in subject.records}
    for fact in said.facts:
        entry = records.get(fact.record.strip(" []"))
        if why := _fault(fact, entry):
            text = None if entry is None else entry.text
            yield {"run": run + 1, **vars(fact), "text": text, "why": why}


def _fault(fact: Used, entry: RecordEntry | None) -> str:
    if entry is None:
        return "there is no such record"
    if _bare(entry.candidate) != _bare(fact.candidate):
        return f"the record is about {entry.candidate}"
    return "" if _states(entry.text, fact.value) else "the record states no such value"


def _states(text: str, value: str) -> bool:
    """Whether a value stands in a text, whole."""
    whole = rf"(?<![\w.-]){re.escape(_bare(value))}(?!\w|\.\d)"
    return bool(value.strip()) and re.search(whole, _bare(text)) is not None


def _bare(text: str) -> str:
    """Without what may differ in a copy: case, separators of thousands, blanks and marks at the ends."""
    return " ".join(re.sub(r"(?<=\d),(?=\d)", "", text.casefold()).split()).strip(".'\"` ")
