"""How a server is told which object to answer with, in each of the ways that servers know."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from unco.llm.endpoint import Structure
from unco.llm.protocol import Message, Request, Schema
from unco.templates.loader import fill


def fields(request: Request, way: Structure, limit_field: str) -> dict[str, Any]:
    """The body of the HTTP request."""
    sampling, schema = request.sampling, request.schema
    body: dict[str, Any] = {"model": sampling.model, limit_field: sampling.max_tokens}
    if sampling.temperature is not None:
        body["temperature"] = float(sampling.temperature)
    if sampling.seed is not None:
        body["seed"] = sampling.seed
    messages = request.messages
    match way:
        case Structure.SCHEMA:
            content = schema.content
            named = {"name": schema.name, "schema": content, "strict": _closed(content)}
            body["response_format"] = {"type": way.value, "json_schema": named}
        case Structure.OBJECT:
            body["response_format"] = {"type": way.value}
            messages = _with_schema(messages, schema)
        case Structure.TEXT:
            messages = _with_schema(messages, schema)
    body["messages"] = [{"role": each.role, "content": each.text} for each in messages]
    return {**body, "extra_body": json.loads(sampling.extra)}


def _with_schema(messages: tuple[Message, ...], schema: Schema) -> tuple[Message, ...]:
    """The schema in the last message, for servers that take it nowhere else."""
    *others, last = messages
    text = fill("llm/form.txt.j2", question=last.text, schema=schema.text)
    return (*others, replace(last, text=text))


def _closed(schema: Any) -> bool:
    """Whether every object in a schema has its fields listed and all required, as the strict mode of OpenAI wants."""
    if isinstance(schema, list):
        return all(map(_closed, schema))
    if not isinstance(schema, dict):
        return True
    properties = schema.get("properties")
    if schema.get("type") == "object" or isinstance(properties, dict):
        listed = set(properties or {}) == set(schema.get("required", ()))
        if schema.get("additionalProperties") is not False or not listed:
            return False
    return all(map(_closed, schema.values()))
