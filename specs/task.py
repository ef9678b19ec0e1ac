"""Finished tasks: what anybody may read, what the role agents hold, and the answer, in parts that cannot be mixed up.

Each part is a class of its own, closed to other fields, and says in `part` which it is. Ids are hashes of content.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import Any, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, model_validator

from unco.specs.answer import AnswerFormat
from unco.specs.group import Setting

CANARY = "unco task data, not for training corpora: canary 8c1f6d0e-4b57-4e0a-9a53-2f7be1d6c394"
"""Stands in every task, so that a corpus which holds tasks can be found out."""

DefectKind: TypeAlias = Literal["misaligned", "incomplete", "omitted", "missed"]


class Artifact(BaseModel):
    """Frozen, closed data."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class PublicRole(Artifact):
    """A colleague as everybody knows them."""

    id: str
    name: str
    description: str


class AttributeKey(Artifact):
    """An attribute that may be asked for, and the context in which the task needs it (`kind` and `context` may be
    empty: the attribute has one context only, without a name).
    """

    id: str
    label: str
    kind: str = ""
    context: str = ""


class PublicPart(Artifact):
    """What the main agent is given."""

    part: Literal["public"] = "public"
    title: str
    instructions: str
    """The task, the conditions, the rules, the tables, the calculation and the form of the answer."""
    roles: tuple[PublicRole, ...]
    candidates: tuple[str, ...]
    """The names, in the order of the instance."""
    attributes: tuple[AttributeKey, ...]
    answer_format: str
    """How to answer, as it stands at the end of the instructions."""
    answer: AnswerFormat
    """The same for the scorer."""


class RecordEntry(Artifact):
    """One sentence about one cell. That of a coarse reply has the key of the record that it stands for."""

    key: str
    """`HEALTH-1`: the role and a running number."""
    candidate: str
    attribute: str
    member: int = 0
    """The number of a group member, from 1; 0 where the attribute is the candidate's own."""
    context: str = ""
    text: str


class RoleRecords(Artifact):
    """The private records of a role: every candidate, member and context."""

    role: str
    entries: tuple[RecordEntry, ...]
    text: str
    """The records as the role reads them."""


class DefectPart(Artifact):
    """What a role replies first where a request covers the target, and what it replies once that is repaired."""

    kind: DefectKind
    role: str
    attribute: str | None = None
    """The target; None where the whole request is overlooked."""
    context: str = ""
    """The context that the first reply is about."""
    required: str = ""
    """The context that the task needs."""
    first: tuple[RecordEntry, ...] = ()
    """What the first reply says; nothing where there is no response."""
    first_reply: str
    recovery: tuple[RecordEntry, ...]
    recovery_reply: str


class Extra(Artifact):
    """What a role tells unasked, in every setting: where a request asks it for the attribute and names no context, the
    records of this other context beside those of the required one, about the same candidates. No defect, no repair.
    """

    role: str
    attribute: str
    context: str


class PrivatePart(Artifact):
    """What the role agents hold, and how the setting makes them reply."""

    part: Literal["private"] = "private"
    records: tuple[RoleRecords, ...]
    extras: tuple[Extra, ...] = ()
    """The same in every setting of the group."""
    defects: tuple[DefectPart, ...] = ()


class GoldAnswer(Artifact):
    """A decision with its candidate and result, both null where it is negative."""

    decision: str
    candidate: str | None = None
    result: str | None = None
    """Exact decimal text in the unit of the answer, such as `60000` or `-2.5`."""

    @model_validator(mode="after")
    def _null_together(self) -> Self:
        if (self.candidate is None) != (self.result is None):
            raise ValueError("expected a candidate and a result, or neither")
        return self


class GoldPart(Artifact):
    """The answer."""

    part: Literal["gold"] = "gold"
    answer: GoldAnswer
    face_value: GoldAnswer | None = None
    """The answer to the misaligned reply, read as if it were in the required context."""


class Rendered(Artifact):
    """An instance in words, before any defect: the Reliable setting."""

    public: PublicPart
    records: tuple[RoleRecords, ...]
    gold: GoldPart


class Task(Artifact):
    """One setting of a group: the unit that is given to a main agent."""

    id: str
    group: str
    setting: Setting
    public: PublicPart
    private: PrivatePart
    gold: GoldPart
    canary: str = CANARY

    @cached_property
    def content(self) -> str:
        """The hash of the setting and the three parts."""
        return _content(self.setting, self.public, self.private, self.gold)

    @model_validator(mode="after")
    def _id_is_the_hash(self) -> Self:
        if self.id != _task_id(self.group, self.content):
            raise ValueError("the id of the task is not the hash of its content")
        return self


class RenderedGroup(Artifact):
    """A group in words: one task a setting."""

    id: str
    specification: str
    """The digest of the specification."""
    index: int
    tasks: tuple[Task, ...]

    def task(self, setting: Setting) -> Task | None:
        """The task of a setting, where the group has one."""
        return next((task for task in self.tasks if task.setting == setting), None)

    def _repr_html_(self) -> str:
        """What each setting says to whom, for a notebook."""
        return "\n".join([f"<p><strong>{escape(self.id)}</strong></p>", *map(_html, self.tasks)])

    @classmethod
    def seal(
        cls, specification: str, index: int, parts: Sequence[tuple[Setting, PublicPart, PrivatePart, GoldPart]]
    ) -> RenderedGroup:
        """The group with its id and its tasks with theirs."""
        contents = [_content(*part) for part in parts]
        group = _group_id(specification, index, contents)
        tasks = tuple(
            Task(id=_task_id(group, content), group=group, setting=setting, public=public, private=private, gold=gold)
            for content, (setting, public, private, gold) in zip(contents, parts, strict=True)
        )
        return cls(id=group, specification=specification, index=index, tasks=tasks)

    @model_validator(mode="after")
    def _id_is_the_hash(self) -> Self:
        if self.id != _group_id(self.specification, self.index, [task.content for task in self.tasks]):
            raise ValueError("the id of the group is not the hash of its content")
        if any(task.group != self.id for task in self.tasks):
            raise ValueError("a task belongs to another group")
        return self


def canonical_json(content: Any) -> str:
    """The one text of plain data or artifacts that is hashed: sorted keys, no blanks, ASCII."""
    return json.dumps(_plain(content), sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _plain(content: Any) -> Any:
    match content:
        case BaseModel():
            return content.model_dump(mode="json")
        case dict():
            return {name: _plain(part) for name, part in content.items()}
        case list() | tuple():
            return [_plain(part) for part in content]
        case _:
            return content


def _hash(content: Any) -> str:
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def _content(setting: Setting, public: PublicPart, private: PrivatePart, gold: GoldPart) -> str:
    return _hash({"setting": setting, "public": public, "private": private, "gold": gold})


def _task_id(group: str, content: str) -> str:
    return f"task-{_hash({'group': group, 'content': content})[:32]}"


def _group_id(specification: str, index: int, contents: Sequence[str]) -> str:
    return f"group-{_hash({'specification': specification, 'index': index, 'contents': contents})[:32]}"


def _html(task: Task) -> str:
    """The setting and its defective replies with their recovery, as a table; every text is escaped."""
    rows = [
        "".join(f"<td>{escape(text)}</td>" for text in (each.role, each.kind, each.first_reply, each.recovery_reply))
        for each in task.private.defects
    ] or ["<td colspan='4'>every request is answered from the records</td>"]
    head = "".join(f"<th>{name}</th>" for name in ("role", "defect", "first reply", "recovery"))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><caption>{escape(task.setting)}</caption><tr>{head}</tr>{body}</table>"
