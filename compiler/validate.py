"""validate: a finished task is solved from all its evidence, three times in other orders; every answer must be gold."""

from __future__ import annotations

from unco.compiler.validating.judged import Validation, judged
from unco.compiler.validating.reader import READER, read
from unco.compiler.validating.subject import RUNS, Subject
from unco.specs.family import Family
from unco.specs.rejection import Rejection
from unco.specs.task import RenderedGroup

__all__ = ["Validation", "validate"]


def validate(family: Family, rendered: RenderedGroup, seed: int) -> Validation | Rejection:
    """By the reader, which is given the texts alone; `running.conversation` asks an LLM instead, in the same way."""
    subject = Subject.of(family, rendered, seed)
    return judged(subject, READER, [read(subject, subject.evidence(run)) for run in range(RUNS)])
