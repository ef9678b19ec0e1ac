"""The JSON Schema of the language agrees with the reader."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from reading_samples import SAMPLE, SPECIFICATIONS

from unco.specs.document import Specification
from unco.specs.errors import SpecificationError
from unco.specs.read import parse_specification
from unco.specs.schema import alternatives, fields, json_schema, words

SCHEMA = json_schema()
KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def is_kind(value: Any, kind: str) -> bool:
    return isinstance(value, KINDS[kind]) and (isinstance(value, bool) <= (kind == "boolean"))


def faults(value: Any, schema: dict[str, Any]) -> Iterator[str]:
    """What a validator of draft 2020-12 would say, for the keywords that the schema uses."""
    if "$ref" in schema:
        yield from faults(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema and all(any(faults(value, option)) for option in schema["anyOf"]):
        yield f"{value!r} fits none of the alternatives"
    kinds = schema.get("type", [])
    if kinds and not any(is_kind(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        yield f"{value!r} is no {kinds}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{value!r} is not one of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{value!r} is not {schema['const']}"
    yield from (
        fault for check in (text_faults, number_faults, list_faults, map_faults) for fault in check(value, schema)
    )


def text_faults(value: Any, schema: dict[str, Any]) -> Iterator[str]:
    if isinstance(value, str):
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10**9):
            yield f"{value!r} has a wrong length"
        if not re.search(schema.get("pattern", ""), value):
            yield f"{value!r} has a wrong form"


def number_faults(value: Any, schema: dict[str, Any]) -> Iterator[str]:
    if is_kind(value, "number") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{value!r} is out of bounds"


def list_faults(value: Any, schema: dict[str, Any]) -> Iterator[str]:
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10**9):
            yield f"{value!r} has a wrong number of parts"
        prefix = schema.get("prefixItems", [])
        for index, item in enumerate(value):
            yield from faults(item, prefix[index] if index < len(prefix) else schema.get("items", {}))


def map_faults(value: Any, schema: dict[str, Any]) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{name} is missing" for name in schema.get("required", []) if name not in value)
        for name, item in value.items():
            matching = [
                part for pattern, part in schema.get("patternProperties", {}).items() if re.search(pattern, name)
            ]
            matching += [schema["properties"][name]] if name in schema.get("properties", {}) else []
            if not matching and schema.get("additionalProperties") is False:
                yield f"{name} is not known"
            yield from (fault for part in matching for fault in faults(item, part))


def sample() -> dict[str, Any]:
    """The sample as an editor sees it: numbers as numbers."""
    data: dict[str, Any] = json.loads(json.dumps(parse_specification(SAMPLE).specification.dump()))
    return data


class TestSchema:
    def test_it_says_what_it_is(self) -> None:
        assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert SCHEMA["$id"].startswith("urn:unco:schema:")
        assert SCHEMA["title"] == "unco specification"
        assert SCHEMA["description"] == (Specification.__doc__ or "")

    def test_it_is_the_same_each_time_and_a_copy(self) -> None:
        assert json.dumps(json_schema()) == json.dumps(SCHEMA)
        json_schema()["properties"].clear()
        assert json_schema() == SCHEMA

    def test_keywords_are_those_that_the_check_above_knows(self) -> None:
        known = {"$ref", "anyOf", "type", "enum", "const", "minLength", "maxLength", "pattern", "minimum", "maximum"}
        known |= {"minItems", "maxItems", "prefixItems", "items", "required", "patternProperties", "properties"}
        known |= {"additionalProperties", "description", "default", "$schema", "$id", "$defs", "title"}
        assert set(keywords(SCHEMA)) <= known

    def test_every_mapping_is_closed(self) -> None:
        assert all(part.get("additionalProperties") is False for part in parts(SCHEMA) if part.get("type") == "object")

    def test_every_section_is_described(self) -> None:
        assert all(part.get("description") for part in SCHEMA["$defs"].values())

    @settings(max_examples=30)
    @given(SPECIFICATIONS)
    def test_whatever_the_reader_accepts_is_valid(self, specification: Specification) -> None:
        assert list(faults(json.loads(json.dumps(specification.dump())), SCHEMA)) == []

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            (("attributes", "hardrock", "step"), 0.5),
            (("attributes", "hardrock", "step"), "1/3"),
            (("attributes", "hardrock", "range"), [0, "40"]),
            (("parameters", "least", "value"), 12.5),
            (("plan", "failed_conditions"), {"1": 2, "40": "1/2"}),
            (("conditions", "start"), "a >= 1"),
            (("groups", "household", "size"), "members"),
            (("candidates", "count"), 8),
            (("notes",), None),
            (("tables", "fees", "rows"), [{"is": True, "value": 1}, {"above": 1, "to": 2.5, "value": "x"}]),
        ],
    )
    def test_editor_and_reader_accept_what_is_right(self, path: tuple[str, ...], value: Any) -> None:
        data = changed(path, value)
        assert list(faults(data, SCHEMA)) == []
        parse_specification(json.dumps(data), "a.json")

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            (("attributes", "hardrock", "step"), "1e5"),
            (("attributes", "hardrock", "step"), True),
            (("attributes", "hardrock", "range"), [0]),
            (("attributes", "hardrock", "type"), "durations"),
            (("attributes", "hardrock", "ownr"), "hr"),
            (("attributes", "hardrock"), {}),
            (("attributes", "Hard rock"), {"label": "a", "owner": "hr", "type": "count"}),
            (("plan", "failed_conditions"), {"0": 1}),
            (("plan", "failed_conditions"), {"41": 1}),
            (("plan", "failed_conditions"), {"1": -1}),
            (("plan", "none_eligible"), 2),
            (("conditions", "start"), {"rul": "a"}),
            (("conditions", "start"), ["a"]),
            (("groups", "household", "size"), 13),
            (("candidates", "count"), 9),
            (("candidates", "names"), ["a"]),
            (("title",), ""),
            (("title",), None),
            (("unco",), 2),
            (("tables", "fees", "rows"), [{"is": 1}]),
        ],
    )
    def test_editor_and_reader_refuse_what_is_wrong(self, path: tuple[str, ...], value: Any) -> None:
        data = changed(path, value)
        assert list(faults(data, SCHEMA)) != []
        with pytest.raises(SpecificationError):
            parse_specification(json.dumps(data), "a.json")

    @pytest.mark.parametrize(
        "name", sorted(name for name, field in Specification.model_fields.items() if field.is_required())
    )
    def test_editor_and_reader_miss_the_same_fields(self, name: str) -> None:
        data = sample()
        del data[name]
        assert list(faults(data, SCHEMA)) == [f"{name} is missing"]
        with pytest.raises(SpecificationError, match="UNC108"):
            parse_specification(json.dumps(data), "a.json")


def changed(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    data = sample()
    node = data
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    return data


def parts(node: Any) -> Iterator[dict[str, Any]]:
    """Every schema in the schema."""
    if isinstance(node, dict) and ("type" in node or "anyOf" in node or "$ref" in node):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from parts(child)


def keywords(schema: dict[str, Any]) -> Iterator[str]:
    """The keywords of every schema, without the names that mappings of schemas have."""
    yield from schema
    for key, value in schema.items():
        if key in ("properties", "patternProperties", "$defs"):
            yield from (word for part in value.values() for word in keywords(part))
        elif key in ("anyOf", "prefixItems"):
            yield from (word for part in value for word in keywords(part))
        elif key == "items":
            yield from keywords(value)


class TestWords:
    @pytest.mark.parametrize(
        ("path", "said"),
        [
            (("unco",), "`1`"),
            (("candidates", "count"), "a whole number, from 2 to 8"),
            (("candidates", "names"), "a list of 2 to 500"),
            (("candidates", "names", 7), "a text of 1 to 400 characters"),
            (("attributes", "any", "step"), "an exact number such as 12, -0.5, 25_000_000 or 1/3"),
            (("attributes", "any", "range"), "a list of 2"),
            (("attributes", "any", "range", 1), "a number, a date, true or false, or a name"),
            (("roles", "any", "dispensable"), "true or false"),
            (("conditions", "any"), "a text of 1 to 4,000 characters or a mapping with the fields `rule`, `text`"),
            (("conditions",), "a mapping of names to values"),
            (("limits", "operand_roles"), "a whole number"),
            (("difficulty", "depth"), "a whole number, from 1 to 40"),
            (("nonsense", "any"), "nothing"),
            ((0,), "nothing"),
        ],
    )
    def test_what_may_stand_at_a_path_is_said_in_plain_words(self, path: tuple[str | int, ...], said: str) -> None:
        assert words(alternatives(path)) == said

    def test_the_fields_of_a_mapping_are_those_of_its_section(self) -> None:
        assert list(fields(())) == list(Specification.model_fields)
        assert list(fields(("tables", "any", "rows", 3))) == ["is", "from", "above", "to", "below", "value"]
        assert dict(fields(("conditions",))) == {}
