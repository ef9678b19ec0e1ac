"""What an LLM fills in to draft a specification: a JSON schema that servers take as structured output.

No field is optional and no key is free: a mapping is a list of named objects, and what is left out is empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from unco.llm.protocol import Schema
from unco.specs.scalars import Kind, Operation, RoundingMode

Part = dict[str, Any]


def _text(about: str) -> Part:
    return {"type": "string", "description": about}


def _one_of(kinds: Any, about: str) -> Part:
    return {"type": "string", "enum": list(get_args(kinds)), "description": about}


def _list(items: Part, about: str) -> Part:
    return {"type": "array", "items": items, "description": about}


def _fields(**parts: Part) -> Part:
    return {"type": "object", "properties": parts, "required": list(parts), "additionalProperties": False}


_ID = _text("a-z, digits and _, beginning with a letter")
_UNIT = _text("a unit or currency such as `USD per month`; empty where there is none")
_RULE = _fields(id=_ID, rule=_text("a Boolean expression"))
_CONTEXT = _fields(
    kind=_text("what sort of context, such as `month`; empty where a value can be about one thing only"),
    required=_text("the context that the task needs; empty without a kind"),
    others=_list(_text("another context in which it is also recorded"), "one or two; empty without a kind"),
)
_ATTRIBUTE = _fields(
    id=_ID,
    label=_text("a noun phrase without an article"),
    role=_text("the id of the role that holds it"),
    type=_one_of(Kind, "the type of its values"),
    unit=_UNIT,
    lowest=_text("the lowest number or first date; empty for boolean and category"),
    highest=_text("the highest number or last date; empty for boolean and category"),
    step=_text("the distance of neighbouring values, such as 0.5; empty for 1"),
    values=_list(_text("a value"), "of a category; else empty"),
    true_word=_text("what true is called, of a boolean; else empty"),
    false_word=_text("what false is called, of a boolean; else empty"),
    context=_CONTEXT,
)
_ROW = {
    "from": _text("the lowest key, included; or empty"),
    "below": _text("the upper bound, not included; or empty"),
    "is": _text("the only key, in place of bounds; or empty"),
    "value": _text("what the table gives"),
}
_TABLE = _fields(
    id=_ID,
    label=_text("what the table is called"),
    key_type=_one_of(Kind, "the type of its keys"),
    key_unit=_UNIT,
    value_type=_one_of(Kind, "the type of what it gives"),
    value_unit=_UNIT,
    rows=_list(_fields(**_ROW), "together they cover every key once"),
)
CONTENT: Mapping[str, Any] = _fields(
    idea=_text("in two sentences: who decides what, and why colleagues hold the facts apart"),
    title=_text("of the task, a few words"),
    domain=_text("the application domain"),
    task=_text("what is to be decided and worked out, in two sentences, without rules or facts"),
    positive=_text("the decision where one is eligible, such as `Appoint`"),
    negative=_text("the decision where none is, such as `Appoint nobody`"),
    noun=_text("what one candidate is called, such as `supplier`"),
    noun_plural=_text("its plural where that is irregular; else empty"),
    people=_text("`yes` where candidates are people: then the program names them"),
    names=_list(_text("an invented name"), "12 or more where candidates are no people; else empty"),
    own_units=_list(_fields(name=_text("such as `bed`"), plural=_text("such as `beds`")), "counting units"),
    roles=_list(_fields(id=_ID, name=_text("of the colleague"), description=_text("what they hold")), "5 to 7"),
    attributes=_list(_ATTRIBUTE, "9 to 16 facts of every candidate"),
    tables=_list(_TABLE, "for lookup and tiered; mostly empty"),
    consistency=_list(_RULE, "rules that hold for every real record; mostly empty"),
    conditions=_list(_RULE, "5 to 7; a candidate is eligible if all hold"),
    calculation=_fields(
        operation=_one_of(Operation, "the form of the formula"),
        label=_text("what the number is, a noun phrase without an article"),
        formula=_text("an expression over attributes of at least two roles"),
        unit=_UNIT,
        places={"type": "integer", "description": "decimal places of the result, 0 to 4"},
        rounding=_one_of(RoundingMode, "how it is rounded, once, at the end"),
    ),
)
SCHEMA = Schema.of("specification", CONTENT)
