"""A family whose amounts can be anything to the unit: what is natural there is the generator's own doing."""

from __future__ import annotations

from functools import cache

from tests import small_families
from unco.specs.family import Family


@cache
def desk() -> Family:
    """Three candidates with money by the unit, in two contexts; one amount is compared, and one only counts."""
    money = {"type": "money", "unit": "EUR", "range": [50_000, 300_000]}
    year = {"context": {"kind": "year", "required": "this", "others": ["last"]}}
    attributes = {
        "score": {"label": "score", "owner": "marks", "type": "count", "range": [0, 30]},
        "licence": {
            "label": "licence",
            "owner": "office",
            "type": "category",
            "values": ["full", "partial", "old", "lapsed", "none"],
        },
        "fee": {"label": "fee", "owner": "till", **money, **year},
        "grant": {"label": "grant", "owner": "fund", **money, **year},
    }
    names = {"marks": "Marks Desk", "office": "Licence Office", "till": "Till", "fund": "Fund"}
    made = small_families.specification(
        candidates={"noun": "thing", "count": 3, "names": ["Ash", "Birch", "Cedar", "Elder", "Fir", "Hazel"]},
        limits={"roles": [2, 4], "conditions": [1, 4], "condition_owners": 1, "operand_roles": 1},
        roles={key: {"name": name, "description": "Keeps records."} for key, name in names.items()},
        attributes=attributes,
        conditions={"good": "score >= 12", "licensed": 'licence in ["full", "partial"]', "cheap": "fee <= 187_500 EUR"},
        calculation={"operation": "difference", "label": "price", "formula": "fee - grant", "unit": "EUR"},
    )
    return small_families.family(made)
