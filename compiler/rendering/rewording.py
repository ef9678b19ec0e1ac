"""The requests that ask an LLM for other words: what it is shown of a family, and the schemas of its replies."""

from __future__ import annotations

import json
from collections.abc import Sequence

from unco.compiler.reading.around import WORDS
from unco.compiler.reading.discrepancy import Discrepancy
from unco.compiler.rendering.wording import Wording
from unco.llm.protocol import Json, Message, Request, Sampling, Schema
from unco.specs.domains import DateDomain, Domain, NumberDomain
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge
from unco.specs.family import Attribute, Family, Role
from unco.specs.wording import attribute_text, definite, knowledge_text
from unco.templates.loader import fill

TEXT = {"type": "string", "minLength": 1}


def task_request(family: Family, sampling: Sampling) -> Request:
    """The text that opens the task, to be put in other words."""
    schema = Schema.of("reworded_task", _object({"task": TEXT}))
    return _request(fill("reword/task.txt.j2", data=as_data({"task": family.task.strip()})), schema, sampling)


def role_request(family: Family, wording: Wording, role: Role, sampling: Sampling) -> Request:
    """The description of a role and the forms of its sentences; no fact of any instance is in it."""
    attributes = [each for each in family.shown_attributes if each.owner == role.id]
    sentences = _object({each.id: TEXT for each in attributes})
    data = {
        "colleague": role.name,
        "description": role.description,
        "sentences": {each.id: _shown(each, wording.forms[each.id], family) for each in attributes},
    }
    members = any(each.group is not None for each in attributes)
    prompt = fill("reword/role.txt.j2", data=as_data(data), members=members, words=", ".join(sorted(WORDS)))
    schema = Schema.of("reworded_role", _object({"description": TEXT, "sentences": sentences}))
    return _request(prompt, schema, sampling)


def repair(request: Request, content: Json, found: Sequence[Discrepancy]) -> Request:
    """The request with the reply and what is wrong with it."""
    wrong = [{"text": each.subject, "found": each.found, "expected": each.expected} for each in found]
    told = Message("assistant", json.dumps(content, ensure_ascii=False, default=str))
    asked = Message("user", fill("reword/repair.txt.j2", data=as_data(wrong)))
    return Request((*request.messages, told, asked), request.schema, request.sampling, request.repetition)


def as_data(content: Json) -> str:
    """JSON that cannot end the part of a prompt in which it stands."""
    return json.dumps(content, ensure_ascii=False, indent=1).replace("<", "\\u003c").replace(">", "\\u003e")


def _request(prompt: str, schema: Schema, sampling: Sampling) -> Request:
    return Request((Message("system", fill("reword/system.txt.j2")), Message("user", prompt)), schema, sampling)


def _object(properties: dict[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _shown(attribute: Attribute, form: str, family: Family) -> dict[str, Json]:
    found = {
        "form": form,
        "fact": [definite(attribute_text(attribute, context)) for context, _ in attribute.contexts],
        "value": [*_values(attribute.domain)],
    }
    if attribute.group is not None:
        found["member"] = [f"{family.group_by_id[attribute.group].label} 1"]
    return found


def _values(domain: Domain) -> list[str]:
    """What may be recorded, by example: the ends of the domain, a range where there are ranges, nothing."""
    low, high = domain.value(0), domain.value(domain.size - 1)
    known: list[Knowledge] = [Exact(low), Exact(high), NOTHING]
    if isinstance(domain, NumberDomain | DateDomain) and domain.size > 1:
        known.insert(2, Between(low, high))
    return [knowledge_text(each, domain) for each in known]
