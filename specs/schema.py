"""The JSON Schema of the language, for editors; and what it says of one field, for diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any, TypeAlias

from unco.specs.document import Section, Specification
from unco.specs.facts import FactsDocument
from unco.specs.located import FieldPath
from unco.specs.scalars import NUMBER_PATTERN

Schema: TypeAlias = dict[str, Any]

SCHEMA_ID = "urn:unco:schema:specification:1"
_SMALL_NUMBER = "^([1-9]|[1-3][0-9]|40)$"
"""A key that counts conditions."""


def json_schema() -> Schema:
    """The language as JSON Schema (draft 2020-12): exact numbers as numbers or texts, dates as texts, keys as texts."""
    return deepcopy(_schema(Specification))


@cache
def _definitions() -> Mapping[str, Schema]:
    """What the schemas of all documents refer to, by name."""
    return {
        name: schema for model in (Specification, FactsDocument) for name, schema in _schema(model)["$defs"].items()
    }


@cache
def _schema(model: type[Section]) -> Schema:
    generated = model.model_json_schema(by_alias=True, mode="validation")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "unco specification",
    }
    return head | {key: value for key, value in _closed(generated).items() if key not in head}


def _closed(node: Any) -> Any:
    """The schema with names of an author's own held to their pattern, integer keys to digits, without field titles."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    closed = {key: _closed(value) for key, value in node.items() if not (key == "title" and isinstance(value, str))}
    if "patternProperties" in closed:
        closed.pop("propertyNames", None)
        closed["additionalProperties"] = False
    elif isinstance(closed.get("additionalProperties"), dict) and "properties" not in closed:
        closed["patternProperties"] = {_SMALL_NUMBER: closed["additionalProperties"]}
        closed["additionalProperties"] = False
    return closed


def alternatives(path: FieldPath, model: type[Section] = Specification) -> tuple[Schema, ...]:
    """What may stand at a path: the schemas of each kind of value, null left out; none for an unknown field."""
    found = _expanded(_schema(model))
    for step in path:
        found = tuple(part for schema in found for part in _step(schema, step))
    return found


def fields(path: FieldPath, model: type[Section] = Specification) -> Mapping[str, Schema]:
    """The fields that a mapping at this path may have, in order, each with its schema."""
    return {name: schema for found in alternatives(path, model) for name, schema in found.get("properties", {}).items()}


def _step(schema: Schema, step: str | int) -> tuple[Schema, ...]:
    """What may stand at a key or an index."""
    if isinstance(step, int):
        prefix = schema.get("prefixItems", [])
        child = prefix[step] if step < len(prefix) else schema.get("items")
    else:
        child = schema.get("properties", {}).get(step) or next(iter(schema.get("patternProperties", {}).values()), None)
    return _expanded(child) if isinstance(child, dict) else ()


def _expanded(schema: Schema) -> tuple[Schema, ...]:
    """The schema with its reference followed and its alternatives apart."""
    if "$ref" in schema:
        return _expanded(_definitions()[schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return tuple(part for option in schema["anyOf"] for part in _expanded(option))
    return () if schema.get("type") == "null" else (schema,)


def words(schemas: tuple[Schema, ...]) -> str:
    """What may stand there, in an author's words: `a whole number from 2 to 8`."""
    return " or ".join(dict.fromkeys(_words(schema) for schema in schemas)) or "nothing"


def _words(schema: Schema) -> str:
    match schema:
        case {"const": value}:
            return f"`{value}`"
        case {"enum": values}:
            return "one of " + ", ".join(f"`{value}`" for value in values)
        case {"type": list(), "pattern": str()}:
            return "an exact number such as 12, -0.5, 25_000_000 or 1/3" + _bounds(schema)
        case {"type": list()}:
            return "a number, a date, true or false, or a name"
        case {"type": "integer"}:
            return "a whole number" + _bounds(schema)
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "string"}:
            return _text_words(schema)
        case {"type": "array"}:
            return "a list" + _sizes(schema)
        case {"properties": properties}:
            return "a mapping with the fields " + ", ".join(f"`{name}`" for name in properties)
        case _:
            return "a mapping of names to values"


def _bounds(schema: Schema) -> str:
    match schema.get("minimum"), schema.get("maximum"):
        case None, None:
            return ""
        case low, None:
            return f", at least {low}"
        case None, high:
            return f", at most {high}"
        case low, high:
            return f", from {low} to {high}"


def _sizes(schema: Schema) -> str:
    match schema.get("minItems"), schema.get("maxItems"):
        case None, None:
            return ""
        case low, None:
            return f" of at least {low}"
        case None, high:
            return f" of at most {high}"
        case low, high:
            return f" of {low}" if low == high else f" of {low} to {high}"


def _text_words(schema: Schema) -> str:
    pattern = schema.get("pattern")
    if pattern == NUMBER_PATTERN:
        return "an exact number"
    if pattern is not None and "_" in pattern:
        return "a name of a-z, 0-9 and _ that begins with a letter, at most 40 characters"
    if pattern is not None:
        return "a name of a-z, 0-9 and - at most 60 characters long"
    return f"a text of 1 to {schema['maxLength']:,} characters" if "maxLength" in schema else "a text"
