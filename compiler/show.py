"""show: a group as a person would read it in a terminal."""

from __future__ import annotations

import re
import textwrap

from unco.specs.answer import Answer, AnswerFormat, write_answer
from unco.specs.characters import escaped
from unco.specs.errors import UsageError
from unco.specs.group import Setting
from unco.specs.scalars import exact_number
from unco.specs.task import DefectPart, Extra, GoldAnswer, PublicPart, RenderedGroup, Task
from unco.templates.loader import fill

WIDTH = 100
_PREFIX = re.compile(r" *(?:- |> |[0-9]+\. |\[\S+\] )?")


def show(group: RenderedGroup, setting: Setting | None = None) -> str:
    """The instructions, who knows what, the records, what each setting changes, and gold below a rule.

    With a setting, only that one; raises UsageError where the group does not have it.
    """
    tasks = [task for task in group.tasks if setting in (None, task.setting)]
    if not tasks:
        known = ", ".join(task.setting for task in group.tasks)
        raise UsageError(f"the group has no setting {setting}; it has {known}")
    text = fill(
        "show/group.txt.j2",
        group=group,
        public=tasks[0].public,
        private=tasks[0].private.records,
        extras=[_extra(tasks[0].public, extra) for extra in tasks[0].private.extras],
        settings=[_setting(task) for task in tasks],
        gold=_gold(tasks),
    )
    return "\n".join(_wrapped(line) for line in text.splitlines()) + "\n"


def _setting(task: Task) -> dict[str, object]:
    return {
        "name": task.setting.value,
        "id": task.id,
        "defects": [_defect(task.public, defect) for defect in task.private.defects],
    }


def _extra(public: PublicPart, extra: Extra) -> str:
    role = next(each.name for each in public.roles if each.id == extra.role)
    key = next(each for each in public.attributes if each.id == extra.attribute)
    return f"Asked about “{key.label}”, {role} also tells it in another context ({extra.context})."


def _defect(public: PublicPart, defect: DefectPart) -> dict[str, object]:
    role = next(each.name for each in public.roles if each.id == defect.role)
    label = next((each.label for each in public.attributes if each.id == defect.attribute), "")
    asked = f"Asked about “{label}”, {role} first replies" if label else f"To the first request, {role} replies"
    return {
        "opening": f"{asked} ({defect.kind}):",
        "turn": _turn(defect),
        "first": defect.first_reply.splitlines(),
        "recovery": defect.recovery_reply.splitlines(),
    }


def _turn(defect: DefectPart) -> str:
    match defect.kind:
        case "misaligned":
            return f"Asked again for the required context ({defect.required}), the role replies:"
        case "incomplete":
            return "Asked again for the exact value, the role replies:"
        case "omitted":
            return "Asked again for the missing value, the role replies:"
        case "missed":
            return "Asked again, the role replies:"


def _gold(tasks: list[Task]) -> list[str]:
    form = tasks[0].public.answer
    lines = [_answer_line(tasks[0].gold.answer, form)]
    for task in tasks:
        if task.gold.face_value is not None:
            lines.append(f"{task.setting} at face value: {_answer_line(task.gold.face_value, form)}")
    return lines


def _answer_line(answer: GoldAnswer, form: AnswerFormat) -> str:
    result = None if answer.result is None else exact_number(answer.result)
    return write_answer(Answer(decision=answer.decision, candidate=answer.candidate, result=result), form)


def _wrapped(line: str) -> str:
    """The line in at most 100 columns where its words allow it, later lines set below the first word."""
    prefix = _PREFIX.match(line)
    indent = " " * (len(prefix.group()) if prefix else 0)
    return textwrap.fill(
        escaped(line),
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )
