"""Families small enough to try every instance."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from unco.compiler.check import CheckOptions, check
from unco.specs.document import Specification
from unco.specs.family import Cell, Family
from unco.specs.instance import Instance


def specification(**changed: Any) -> Specification:
    """Two candidates; a score that one owner keeps, a licence, and a fee in two contexts; sections can be replaced."""
    sections: dict[str, Any] = {
        "unco": 1,
        "name": "small",
        "title": "Small",
        "domain": "testing",
        "task": "Decide which of the two to take, if any.",
        "decision": {"positive": "Take", "negative": "Take none"},
        "candidates": {"noun": "thing", "count": 2, "names": ["Ash", "Birch", "Cedar"]},
        "limits": {"roles": [2, 3], "conditions": [1, 4], "condition_owners": 1, "operand_roles": 1},
        "roles": {
            "marks": {"name": "Marks Desk", "description": "Keeps the marks."},
            "office": {"name": "Licence Office", "description": "Keeps the licences."},
            "till": {"name": "Till", "description": "Keeps the fees."},
        },
        "attributes": {
            "score": {"label": "score", "owner": "marks", "type": "count", "range": [0, 3]},
            "licence": {"label": "licence", "owner": "office", "type": "boolean"},
            "fee": {
                "label": "fee",
                "owner": "till",
                "type": "count",
                "range": [1, 3],
                "context": {"kind": "year", "required": "this", "others": ["last"]},
            },
        },
        "conditions": {"good": "score >= 2", "licensed": "licence", "cheap": "fee <= 2"},
        "calculation": {"operation": "sum", "label": "price", "formula": "fee + score"},
    }
    return Specification.model_validate(sections | changed)


def nobody_fails_at_zero() -> Specification:
    """A threshold that every score meets at its lowest value, where no group has one winner."""
    return specification(
        parameters={"pass": {"label": "pass mark", "type": "count", "range": [0, 2]}},
        conditions={"good": "score >= pass", "licensed": "licence or score >= pass"},
        calculation={"operation": "sum", "label": "price", "formula": "fee + fee"},
    )


@cache
def small() -> Family:
    return family(specification())


def family(made: Specification) -> Family:
    return check(made, CheckOptions(findings=False, values=False)).require()


def instance_of(family: Family, *rows: tuple[Any, ...], **parameters: Any) -> Instance:
    """Each candidate's values in the order of the slots."""
    cells = {
        Cell(number, *slot): value
        for number, row in enumerate(rows)
        for slot, value in zip(family.slots, row, strict=True)
    }
    return Instance(cells, parameters, ("Ash", "Birch"))


def all_instances(family: Family, parameters: dict[str, Any] | None = None) -> list[Instance]:
    """Every assignment of the cells."""
    domains = [family.domains[cell.slot] for cell in family.cells]
    spaces = [[domain.value(index) for index in range(domain.size)] for domain in domains]
    return [
        Instance(dict(zip(family.cells, values, strict=True)), parameters or {}, ("Ash", "Birch"))
        for values in product(*spaces)
    ]
