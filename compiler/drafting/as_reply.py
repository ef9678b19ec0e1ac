"""A specification as an LLM would fill it in: the example of a prompt, and what tests reply with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from unco.specs.document import RuleSection, Specification
from unco.specs.scalars import number_text

Data: TypeAlias = dict[str, Any]


def reply_of(specification: Specification) -> Data:
    """A specification as an LLM would fill it in; what a reply has no place for is left out."""
    data = specification.dump()
    calculation, candidates = data["calculation"], data["candidates"]
    rounding = specification.calculation.rounding
    return {
        "idea": "",
        "title": data["title"],
        "domain": data["domain"],
        "task": data["task"],
        **data["decision"],
        "noun": candidates.get("noun", "candidate"),
        "noun_plural": candidates.get("plural", ""),
        "people": "no",
        "names": candidates["names"],
        "own_units": [{"name": name, "plural": each.get("plural", "")} for name, each in data.get("units", {}).items()],
        "roles": [
            {"id": name, "name": each["name"], "description": each["description"]}
            for name, each in data["roles"].items()
        ],
        "attributes": [_attribute_reply(name, each) for name, each in data["attributes"].items()],
        "tables": [_table_reply(name, each) for name, each in data.get("tables", {}).items()],
        "consistency": _rules_reply(specification.consistency),
        "conditions": _rules_reply(specification.conditions),
        "calculation": {
            "operation": calculation["operation"],
            "label": calculation["label"],
            "formula": calculation["formula"],
            "unit": calculation.get("unit", ""),
            "places": rounding.places,
            "rounding": rounding.mode,
        },
    }


def _rules_reply(rules: Mapping[str, str | RuleSection]) -> list[Data]:
    texts = {name: rule.rule if isinstance(rule, RuleSection) else rule for name, rule in rules.items()}
    return [{"id": name, "rule": text} for name, text in texts.items()]


def _attribute_reply(name: str, each: Data) -> Data:
    lowest, highest = map(str, each.get("range", ("", "")))
    true_word, false_word = each.get("words", ("", ""))
    context = each.get("context", {"kind": "", "required": ""})
    return {
        "id": name,
        "label": each["label"],
        "role": each["owner"],
        "type": each["type"],
        "unit": each.get("unit", ""),
        "lowest": lowest,
        "highest": highest,
        "step": _step(each),
        "values": each.get("values", []),
        "true_word": true_word,
        "false_word": false_word,
        "context": {
            "kind": context["kind"],
            "required": context["required"],
            "others": list(_names(context.get("others", ()))),
        },
    }


def _step(each: Data) -> str:
    places = each.get("places")
    return number_text(Fraction(1, 10**places)) if places is not None else str(each.get("step", ""))


def _names(others: Iterable[str | Data]) -> Iterable[str]:
    return (other if isinstance(other, str) else other["name"] for other in others)


def _table_reply(name: str, each: Data) -> Data:
    return {
        "id": name,
        "label": each["label"],
        "key_type": each["key"]["type"],
        "key_unit": each["key"].get("unit", ""),
        "value_type": each["gives"]["type"],
        "value_unit": each["gives"].get("unit", ""),
        "rows": [{part: str(row.get(part, "")) for part in ("from", "below", "is", "value")} for row in each["rows"]],
    }
