"""Specifications of any size: so many roles, conditions and candidates, checked as an author's are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unco.compiler.check import CheckOptions, check
from unco.specs.family import Family
from unco.specs.read import parse_specification

WORDS = (
    *("alder", "birch", "cedar", "fir", "hazel", "juniper", "larch", "maple", "oak", "poplar"),
    *("rowan", "spruce", "teak", "walnut", "yew", "acacia", "ebony", "ginkgo", "linden", "sequoia"),
)
NAMES = ("Ada Brook", "Ben Crane", "Cleo Dunn", "Dov Eagle", "Eva Flint", "Finn Grove", "Gil Hart", "Hope Ives")
OWNERS = 4
"""Conditions are spread over so many roles at least, operands over two: the defaults of the language."""


@dataclass(frozen=True)
class Size:
    """How large a specification is."""

    roles: int = 7
    conditions: int = 7
    candidates: int = 3

    @property
    def name(self) -> str:
        return f"grown-{self.roles}-{self.conditions}-{self.candidates}"

    @property
    def condition_roles(self) -> int:
        """So many roles, the first ones, own conditions."""
        return min(self.conditions, max(OWNERS, self.roles - 2))

    @property
    def operand_roles(self) -> range:
        """The roles that own an operand: the last two, and every other that owns no condition."""
        return range(min(self.condition_roles, self.roles - 2), self.roles)


def grown(size: Size) -> Family:
    """The family of a size; raises SpecificationError where the language has none."""
    return check(parse_specification(json.dumps(document(size))), CheckOptions(findings=False)).require()


def document(size: Size) -> dict[str, Any]:
    """The specification as plain data: conditions on counts, Booleans, categories and dates in turn, and a sum."""
    tests = {f"{word}_test": _test(number, size) for number, word in enumerate(WORDS[: size.conditions])}
    fees = {f"{WORDS[role]}_fee": _fee(role) for role in size.operand_roles}
    return {
        "unco": 1,
        "name": size.name,
        "title": "A task that was grown",
        "domain": "measurement",
        "task": "Decide which of the candidates, if any, to take, and work out the fee.",
        "decision": {"positive": "Take", "negative": "Take nobody"},
        "candidates": {"count": size.candidates, "names": list(NAMES)},
        "roles": {WORDS[role]: _role(role) for role in range(size.roles)},
        "attributes": tests | fees,
        "conditions": {name.removesuffix("_test"): _condition(number, name) for number, name in enumerate(tests)},
        "calculation": {"operation": "sum", "label": "fee", "formula": " + ".join(fees), "unit": "AUD"},
        "limits": {"roles": [size.roles, size.roles], "conditions": [size.conditions, size.conditions]},
    }


def _role(role: int) -> dict[str, Any]:
    return {"name": f"{WORDS[role].title()} Office", "description": f"Keeps the {WORDS[role]} files."}


KINDS: tuple[tuple[Mapping[str, Any], str], ...] = (
    ({"type": "count", "range": [0, 40]}, "{} >= 12"),
    ({"type": "boolean", "words": ["passed", "failed"]}, "{}"),
    ({"type": "category", "values": ["first class", "second class", "third class"]}, '{} in ["first class"]'),
    ({"type": "date", "range": ["2026-05-01", "2026-12-31"]}, "{} <= 2026-08-01"),
)


def _test(number: int, size: Size) -> dict[str, Any]:
    """Every other one is recorded in another context too."""
    kind, _ = KINDS[number % len(KINDS)]
    about = {"label": f"{WORDS[number]} test", "owner": WORDS[number % size.condition_roles], **kind}
    context = {"kind": "register", "required": "state register", "others": ["town register"]}
    return about if number % 2 else {**about, "context": context}


def _condition(number: int, name: str) -> str:
    _, rule = KINDS[number % len(KINDS)]
    return rule.format(name)


def _fee(role: int) -> dict[str, Any]:
    label, owner = f"{WORDS[role]} fee", WORDS[role]
    return {"label": label, "owner": owner, "type": "money", "unit": "AUD", "range": [1000, 50000], "step": 500}
