"""What a validator is given: a finished task with all its evidence, in an order of its own in each run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random

from unco.specs.answer import Answer, AnswerFormat
from unco.specs.family import Family
from unco.specs.group import Setting
from unco.specs.scalars import exact_number
from unco.specs.task import RecordEntry, RenderedGroup, Task

RUNS = 3
"""How often a task is solved (the paper, A.3.2)."""


@dataclass(frozen=True)
class Subject:
    """A task that is to be solved, and what it takes to name it."""

    specification: str
    digest: str
    index: int
    seed: int
    task: Task
    planned: str
    """The kind of group, `winner` or `nobody`."""

    @classmethod
    def of(cls, family: Family, rendered: RenderedGroup, seed: int) -> Subject:
        """The Reliable task of a group: its records are those of every other setting."""
        task = next(task for task in rendered.tasks if task.setting == Setting.RELIABLE)
        planned = "nobody" if task.gold.answer.candidate is None else "winner"
        return cls(family.name, family.digest, rendered.index, seed, task, planned)

    @property
    def instructions(self) -> str:
        return self.task.public.instructions

    @property
    def form(self) -> AnswerFormat:
        return self.task.public.answer

    @property
    def gold(self) -> Answer:
        told = self.task.gold.answer
        result = None if told.result is None else exact_number(told.result)
        return Answer(decision=told.decision, candidate=told.candidate, result=result)

    @cached_property
    def records(self) -> tuple[RecordEntry, ...]:
        """Every record of every role, those of other contexts too, in the order of the task."""
        return tuple(entry for records in self.task.private.records for entry in records.entries)

    def evidence(self, run: int) -> tuple[RecordEntry, ...]:
        """All records in the order of this run: drawn from the seed, the specification, the group and the run."""
        shuffled = list(self.records)
        Random(f"{self.digest}/{self.index}/{self.seed}/validate/{run}").shuffle(shuffled)
        return tuple(shuffled)
