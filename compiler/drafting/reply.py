"""From an LLM's reply to a specification: data alone. Rules are read by the grammar of the language."""

from __future__ import annotations

import hashlib
import json
import re
from random import Random
from typing import Any, TypeAlias

from unco.compiler.drafting.compose import NAMES
from unco.compiler.drafting.names import PEOPLE, names
from unco.compiler.drafting.skeleton import words_of
from unco.specs.document import Specification
from unco.specs.errors import Diagnostic, SpecificationError
from unco.specs.read import parse_specification

Data: TypeAlias = dict[str, Any]
_DECIMAL = re.compile(r"-?[0-9_]+\.([0-9]{1,9})")
MOST_ITEMS = 1_000
"""In all lists of a reply together; a large specification has about 300."""
MOST_DISTRACTORS = 2
"""So many facts may be used by no rule."""


def specification_of(reply: Data, rng: Random, domain: str = "", operation: str = "") -> Specification:
    """The specification that a reply holds, in this domain and with this operation where they are given.

    Raises SpecificationError (UNC1xx) with places in the data as JSON text.
    """
    _require_size(reply)
    data = _data(reply, rng, domain, operation)
    name = f"{_slug(reply['title'])}-{hashlib.sha256(json.dumps(data).encode()).hexdigest()[:6]}"
    text = json.dumps({"unco": 1, "name": name, **data}, indent=1, ensure_ascii=False)
    return parse_specification(text, f"{name}.json").specification


def _require_size(reply: Data) -> None:
    """Refuse what takes long to read and could not stand."""
    items = _items(reply)
    if items > MOST_ITEMS:
        found, expected = f"{items:,} in all lists together", f"at most {MOST_ITEMS:,}"
        raise SpecificationError([Diagnostic("UNC106", "the draft has too many parts", None, "", found, expected)])


def _items(part: Any) -> int:
    """How many items the lists in it have."""
    if isinstance(part, dict):
        return sum(map(_items, part.values()))
    return len(part) + sum(map(_items, part)) if isinstance(part, list) else 0


def _data(reply: Data, rng: Random, domain: str, operation: str) -> Data:
    calculation = reply["calculation"]
    people = reply["people"].strip().casefold() == "yes"
    found = {
        "title": reply["title"],
        "domain": domain or reply["domain"],
        "task": reply["task"],
        "decision": {"positive": reply["positive"], "negative": reply["negative"]},
        "candidates": {
            "noun": reply["noun"],
            "plural": reply["noun_plural"],
            "names": names(PEOPLE, NAMES, rng) if people else reply["names"],
        },
        "units": _units(reply),
        "roles": _by_id(reply, "roles"),
        "tables": {each["id"]: _table(each) for each in _once(reply, "tables")},
        "attributes": {each["id"]: _attribute(each) for each in _once(reply, "attributes")},
        "consistency": _rules(reply, "consistency"),
        "conditions": _rules(reply, "conditions"),
        "calculation": {
            "operation": operation or calculation["operation"],
            "label": calculation["label"],
            "formula": calculation["formula"],
            "unit": calculation["unit"],
            "rounding": {"places": calculation["places"], "mode": calculation["rounding"]},
        },
    }
    _mark_distractors(found)
    cleaned: Data = _without_blanks(found)
    return cleaned


def _once(reply: Data, part: str, name: str = "id") -> list[Data]:
    """The objects of a list, each with a name of its own."""
    seen: set[str] = set()
    for each in reply[part]:
        if each[name] in seen:
            raise SpecificationError([Diagnostic("UNC104", f"the name `{each[name]}` is given twice in `{part}`")])
        seen.add(each[name])
    found: list[Data] = reply[part]
    return found


def _units(reply: Data) -> Data:
    return {
        each["name"]: {"plural": each["plural"] or f"{each['name']}s"} for each in _once(reply, "own_units", "name")
    }


def _by_id(reply: Data, part: str) -> Data:
    return {each["id"]: {name: value for name, value in each.items() if name != "id"} for each in _once(reply, part)}


def _rules(reply: Data, part: str) -> Data:
    return {each["id"]: each["rule"] for each in _once(reply, part)}


def _attribute(each: Data) -> Data:
    words = [each["true_word"], each["false_word"]]
    ends = [each["lowest"], each["highest"]]
    return {
        "label": each["label"],
        "owner": each["role"],
        "type": each["type"],
        "unit": each["unit"],
        "range": ends if any(ends) else [],
        "step": each["step"],
        "places": "" if each["step"] else _places(ends),
        "values": each["values"],
        "words": words if any(words) else [],
        "context": each["context"],
    }


def _places(ends: list[str]) -> int | str:
    """The decimal places with which the ends are written; blank where they are whole or dates."""
    decimals = [found[1] for end in ends if (found := _DECIMAL.fullmatch(end))]
    return max(map(len, decimals)) if decimals else ""


def _table(each: Data) -> Data:
    return {
        "label": each["label"],
        "key": {"type": each["key_type"], "unit": each["key_unit"]},
        "gives": {"type": each["value_type"], "unit": each["value_unit"]},
        "rows": each["rows"],
    }


def _mark_distractors(data: Data) -> None:
    """A fact or two that no rule uses may be shown all the same, if their role has others; more is a mistake."""
    rules = (*data["conditions"].values(), *data["consistency"].values(), data["calculation"]["formula"])
    used = {word for rule in rules for word in words_of(rule)}
    holders = {each["owner"] for name, each in data["attributes"].items() if name in used}
    spare = [each for name, each in data["attributes"].items() if name not in used and each["owner"] in holders]
    for each in spare if len(spare) <= MOST_DISTRACTORS else ():
        each["distractor"] = True


def _without_blanks(part: Any) -> Any:
    """The data without what stands for nothing: empty texts, lists and mappings."""
    if isinstance(part, dict):
        cleaned = {name: _without_blanks(each) for name, each in part.items()}
        return {name: each for name, each in cleaned.items() if each not in ("", [], {})}
    return [_without_blanks(each) for each in part] if isinstance(part, list) else part


def _slug(title: str) -> str:
    return re.sub("[^a-z0-9]+", "-", title.casefold())[:40].strip("-") or "task"
