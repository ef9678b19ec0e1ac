"""A reply is one JSON object of its schema, whole and alone; its numbers are exact."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unco.llm.protocol import Fault, Reply, Schema
from unco.llm.reading import parse
from unco.llm.structure import _closed
from unco.specs.errors import UsageError

ANY = Schema.of("any", {"type": "object"})
texts = st.text(st.characters(codec="utf-8"))
values = st.recursive(st.none() | st.booleans() | st.integers() | texts, st.lists, max_leaves=5)
objects = st.dictionaries(texts, values)


@given(objects, st.sampled_from(["", " ", "\n\t "]))
def test_one_object_is_read_as_it_is(content: dict[str, object], blank: str) -> None:
    outcome = parse(f"{blank}{json.dumps(content)}{blank}", ANY)
    assert isinstance(outcome, Reply)
    assert outcome.content == content


@given(objects, st.data())
def test_no_beginning_of_an_object_is_a_reply(content: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(content)
    outcome = parse(text[: data.draw(st.integers(0, len(text) - 1))], ANY)
    assert isinstance(outcome, Fault)
    assert outcome.code == "UNC811"


@given(objects, texts.filter(str.strip), st.booleans())
def test_nothing_may_stand_beside_the_object(content: dict[str, object], more: str, before: bool) -> None:
    text = json.dumps(content)
    if not more.strip(" \t\r\n"):
        more = "x"
    assert isinstance(parse(more + text if before else text + more, ANY), Fault)


@pytest.mark.parametrize("number", ["0.1", "25000000.01", "0.10000000000000000000001", "-1e3", "1E-300"])
def test_numbers_are_exact(number: str) -> None:
    schema = Schema.of("n", {"properties": {"n": {"type": "number", "maximum": 26000000}}})
    outcome = parse(f'{{"n": {number}}}', schema)
    assert isinstance(outcome, Reply)
    assert outcome.content["n"] == Decimal(number)


@pytest.mark.parametrize(
    ("number", "fits"), [("9", False), ("10", True), ("10.0", True), ("9.99999999999999999", False)]
)
def test_a_bound_of_the_schema_is_exact(number: str, fits: bool) -> None:
    outcome = parse(f'{{"n": {number}}}', Schema.of("n", {"properties": {"n": {"minimum": 10}}}))
    assert isinstance(outcome, Reply) == fits


def test_the_fields_of_a_schema_keep_their_order() -> None:
    content = {"properties": {"reason": {}, "answer": {}}}
    assert list(Schema.of("ordered", content).content["properties"]) == ["reason", "answer"]


@pytest.mark.parametrize("name", ["", "two words", "ä", "a" * 65])
def test_a_schema_name_that_servers_refuse_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        Schema.of(name, {})


STRICT = {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "closed"),
    [
        (STRICT, True),
        ({**STRICT, "required": []}, False),
        ({**STRICT, "additionalProperties": True}, False),
        ({"type": "object"}, False),
        ({**STRICT, "properties": {"a": STRICT}}, True),
        ({**STRICT, "properties": {"a": {"type": "array", "items": {"type": "object"}}}}, False),
    ],
)
def test_the_strict_way_is_asked_for_where_every_object_is_closed(schema: dict[str, object], closed: bool) -> None:
    assert _closed(schema) == closed
