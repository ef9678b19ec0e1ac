"""Reads what a server sends: a chat completion, and in it exactly one JSON object of the schema. Repairs nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from pydantic import BaseModel, Field, ValidationError
from referencing import Registry

from unco.llm.protocol import Fault, Json, Kind, Outcome, Reply, Schema, Usage

FENCED = re.compile(r"\s*```(?:json)?\n(.*)\n```\s*", re.DOTALL)
DEEPEST = 100
LARGEST_EXPONENT = 308
MOST_TOKENS = 100_000_000
"""Of a prompt or a completion; more is no count."""
SHOWN = 300
"""So many characters of what was found are told."""


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    """What is read of a chat completion."""

    choices: list[_Choice] = Field(min_length=1)
    model: Any = ""
    usage: Any = None
    """Whatever stands there: a reply is none the worse for it."""


def read(body: bytes, schema: Schema, *, fenced: bool = False) -> Outcome:
    """The reply in the body of an answer, or why there is none. `fenced`: the object may stand in one code fence."""
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"]))
        place = f" (see {field})" if field else ""
        found = shown(body.decode("utf-8", "replace"))
        return Fault(Kind.GARBLED, f"the answer is no chat completion{place}: {found}", usage=None)
    choice = completion.choices[0]
    text, finish = choice.message.content or "", choice.finish_reason or ""
    model = completion.model if isinstance(completion.model, str) else ""
    outcome = _judge(choice.message, text, finish, schema, fenced)
    return replace(outcome, text=text, usage=_usage(completion.usage), finish=finish, model=model)


def _usage(found: Any) -> Usage | None:
    """What was paid for; None, which is unknown, where that is not told in whole numbers that can be."""
    told = found if isinstance(found, dict) else {}
    prompt, completion = (_count(told.get(name)) for name in ("prompt_tokens", "completion_tokens"))
    return None if prompt is None or completion is None else Usage(prompt, completion)


def _count(found: Any) -> int | None:
    """A number of tokens; None where it is no whole number that can be one."""
    return found if type(found) is int and 0 <= found <= MOST_TOKENS else None


def _judge(message: _Message, text: str, finish: str, schema: Schema, fenced: bool) -> Outcome:
    if message.refusal or finish == "content_filter":
        return Fault(Kind.REFUSAL, f"the LLM refuses: {shown(message.refusal or finish)}")
    if finish == "length":
        return Fault(Kind.TRUNCATED, f"the reply is cut off: ...{shown(text[-40:])}; allow more with max_tokens")
    if not text.strip():
        return Fault(Kind.EMPTY, f"the reply is empty (finish reason {finish or 'none'}); expected one JSON object")
    return parse(text, schema, fenced=fenced)


def parse(text: str, schema: Schema, *, fenced: bool = False) -> Outcome:
    """The one object that the text is."""
    if fenced and (match := FENCED.fullmatch(text)):
        text = match[1]
    try:
        content = _object(text)
    except (ValueError, RecursionError) as error:
        return Fault(Kind.NOT_JSON, f"the reply is not one JSON object: {error}, in {shown(text)}")
    wrong = best_match(_validator(schema).iter_errors(content))
    if wrong is not None:
        return Fault(Kind.OTHER_SCHEMA, f"the reply has another schema: {wrong.json_path}: {shown(wrong.message)}")
    return Reply(content, text, None, "", "")


def _object(text: str) -> dict[str, Json]:
    """The object, its numbers exact. Raises ValueError."""
    try:
        content = json.loads(text, parse_float=_number, parse_constant=_constant, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is wrong at line {error.lineno}, column {error.colno}") from error
    if not isinstance(content, dict):
        raise ValueError(f"found {type(content).__name__}")
    _require_characters(content)
    return content


def _number(text: str) -> Decimal:
    number = Decimal(text)
    if abs(number.adjusted()) > LARGEST_EXPONENT:
        raise ValueError(f"the number {shown(text)} is out of range")
    return number


def _constant(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _require_characters(content: Json, depth: int = 0) -> None:
    """Refuse what is nested too deeply, and escapes that stand for no character."""
    if depth > DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    parts: Iterable[Json] = ()
    if isinstance(content, str):
        content.encode()
    elif isinstance(content, dict):
        parts = (*content, *content.values())
    elif isinstance(content, list):
        parts = content
    for part in parts:
        _require_characters(part, depth + 1)


@lru_cache(maxsize=64)
def _validator(schema: Schema) -> Draft202012Validator:
    Draft202012Validator.check_schema(schema.content)
    return Draft202012Validator(schema.content, registry=Registry())


def shown(text: str) -> str:
    """The text in one line, shortened."""
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")
