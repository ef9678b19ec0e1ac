"""Families so small that every instance can be looked at; between them they have all that a query can be about."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.families import parameter_values
from tests.small_families import family as family_of
from tests.small_families import specification
from unco.specs.family import Family

LIMITS = {"roles": [2, 3], "conditions": [1, 5], "condition_owners": 1, "operand_roles": 1}
FEE = {"label": "fee", "owner": "till", "type": "money", "unit": "EUR per month", "range": [1, 3]}
SCORE = {"label": "score", "owner": "marks", "type": "count", "range": [0, 3]}
LICENCE = {"label": "licence", "owner": "office", "type": "boolean"}
YEARS = {"kind": "year", "required": "this", "others": ["last"]}


def _made(**sections: Any) -> Family:
    return family_of(specification(**{"limits": LIMITS, **sections}))


@cache
def plain() -> Family:
    """A score, a licence and a fee in two contexts, of which one never matters."""
    return _made(
        attributes={
            "score": {**SCORE, "range": [0, 2]},
            "licence": LICENCE,
            "fee": {"label": "fee", "owner": "till", "type": "count", "range": [1, 2], "context": YEARS},
        },
        conditions={"good": "score >= 1", "licensed": "licence", "cheap": "fee <= 1"},
    )


@cache
def opened() -> Family:
    """A threshold, a rule of consistency, a group of members and a second context."""
    return _made(
        groups={"member": {"label": "member", "size": "size", "maximum": 2}},
        parameters={"pass": {"label": "pass mark", "type": "count", "range": [1, 3]}},
        attributes={
            "score": SCORE,
            "licence": LICENCE,
            "fee": {"label": "fee", "owner": "till", "type": "count", "range": [1, 3], "context": YEARS},
            "size": {"label": "size", "owner": "office", "type": "count", "range": [1, 2]},
            "age": {"label": "age", "owner": "office", "type": "count", "range": [0, 2], "per": "member"},
        },
        consistency={"close": "fee <= score + 1"},
        conditions={"good": "score >= pass", "licensed": "licence or any(member, age == 1)", "cheap": "fee <= 2"},
        calculation={"operation": "sum", "label": "price", "formula": "fee + size"},
    )


@cache
def measured() -> Family:
    """Units, a date, a category, a result with places, and an operand that no condition reads."""
    other = {"name": "last", "unit": "EUR per year", "range": [1, 4]}
    return _made(
        attributes={
            "score": {**SCORE, "range": [1, 3]},
            "grade": {"label": "grade", "owner": "office", "type": "category", "values": ["a", "b", "c"]},
            "since": {"label": "start", "owner": "office", "type": "date", "range": ["2024-02-28", "2024-03-01"]},
            "fee": {**FEE, "context": {**YEARS, "others": [other]}},
        },
        conditions={"graded": 'grade in ["a", "b"]', "early": "since <= 2024-02-29", "cheap": "fee <= 2 EUR per month"},
        calculation={
            "operation": "ratio",
            "label": "price",
            "formula": "fee / score",
            "unit": "EUR per month",
            "rounding": {"places": 1, "mode": "half_even"},
        },
        plan={"winner": {"scored": "score >= 1"}},
    )


@cache
def planned() -> Family:
    """A plan of the winner, a threshold with a value, and a rule across two contexts; the fee only counts."""
    return _made(
        attributes={
            "score": {**SCORE, "range": [1, 3]},
            "licence": LICENCE,
            "fee": {"label": "fee", "owner": "till", "type": "count", "range": [1, 2], "context": YEARS},
        },
        parameters={"least": {"label": "least score", "type": "count", "range": [1, 3], "value": 2}},
        consistency={"grows": 'fee["last"] <= fee'},
        conditions={"good": "score >= least", "licensed": "licence or score == 3"},
        calculation={"operation": "product", "label": "price", "formula": "min(fee, 2) * score"},
        plan={"winner": {"not_best": "score < 3", "dear": "fee >= 2"}},
    )


@cache
def beside() -> Family:
    """A threshold that every score meets at its lowest value: no group has one winner there, and only there does the
    bonus count.
    """
    other = {"name": "last", "unit": "EUR per month", "range": [1, 2]}
    return _made(
        parameters={"pass": {"label": "pass mark", "type": "count", "range": [0, 2]}},
        attributes={
            "score": {**SCORE, "range": [0, 2]},
            "licence": LICENCE,
            "fee": {**FEE, "range": [1, 2], "context": YEARS},
            "bonus": {**FEE, "label": "bonus", "range": [0, 2], "context": {**YEARS, "others": [other]}},
        },
        conditions={
            "good": "score >= pass",
            "licensed": "licence or score >= pass",
            "cheap": "fee <= 1 EUR per month or pass == 0",
            "fair": "fee >= 2 EUR per month or licence or pass == 0",
        },
        plan={"winner": {"just": "score <= pass"}},
        calculation={
            "operation": "sum",
            "label": "price",
            "formula": "fee + (if pass == 0 then bonus else 0 EUR per month)",
            "unit": "EUR per year",
        },
    )


@cache
def crowded() -> Family:
    """Two groups; no condition reads the height of the members, nor the grade."""
    formula = 'score + sum(member, height) + (if grade == "a" then 0 else 1)'
    member = {"label": "age", "owner": "office", "type": "count", "range": [0, 2], "per": "member"}
    return _made(
        groups={
            "member": {"label": "member", "size": "size", "maximum": 3},
            "guest": {"label": "guest", "size": "guests", "maximum": 2},
        },
        attributes={
            "score": SCORE,
            "licence": LICENCE,
            "fee": FEE,
            "size": {"label": "size", "owner": "office", "type": "count", "range": [1, 3]},
            "age": member,
            "height": {**member, "label": "height"},
            "grade": {"label": "grade", "owner": "marks", "type": "category", "values": ["a", "b", "c"]},
            "guests": {"label": "guests", "owner": "till", "type": "count", "range": [1, 2]},
            "tall": {"label": "tall", "owner": "till", "type": "boolean", "per": "guest"},
        },
        conditions={
            "good": "score >= 1",
            "licensed": "licence or any(member, age == 1)",
            "fit": "score >= 1 or any(guest, tall)",
            "cheap": "fee <= 2 EUR per month",
        },
        calculation={"operation": "sum", "label": "price", "formula": formula},
    )


RULES = (
    "income >= 100 and score >= 1",
    "licence or income <= 850",
    "not (income > 900)",
    "if licence then income >= 0 else score >= 2",
    "if licence then score >= 1 else income >= 1",
    "income between 0 and 900",
    "income between score and 900",
    "score between 1 and 2",
    "abs(income - 450) <= 450",
    "abs(score - 2) <= 1",
    "score * (3 - score) >= 1",
    "income + score * 2 >= 5",
    "income - fee * 2 >= 0 and fee - income <= 5",
    'grade in ["a", "b"]',
    'grade == "c" or income >= score',
    "(if licence then income else 5) >= 5",
    "min(income, 5) + max(score, 1) >= 1",
    "income >= abs(score - 5)",
    "abs(income - score - 448) >= 5",
    "abs(income - 450) + score >= 1",
)


@cache
def ruled() -> Family:
    """Rules of every form that is taken apart, and of forms that are not; an income with more values than are tried."""
    return _made(
        limits={**LIMITS, "conditions": [1, len(RULES)]},
        attributes={
            "income": {"label": "income", "owner": "marks", "type": "count", "range": [0, 900]},
            "score": SCORE,
            "licence": LICENCE,
            "grade": {"label": "grade", "owner": "office", "type": "category", "values": ["a", "b", "c"]},
            "fee": {"label": "fee", "owner": "till", "type": "count", "range": [1, 3], "context": YEARS},
        },
        conditions={f"rule_{number}": rule for number, rule in enumerate(RULES)},
        calculation={"operation": "sum", "label": "price", "formula": "fee + income"},
    )


@cache
def passing(rule: str) -> Family:
    """One condition, about a score and a threshold; what else there is always holds."""
    return _made(
        parameters={"pass": {"label": "pass mark", "type": "count", "range": [1, 3]}},
        attributes={"score": SCORE, "licence": LICENCE, "fee": FEE},
        conditions={"good": rule, "licensed": "licence or not licence", "cheap": "fee + fee > pass * 0 * fee"},
        calculation={"operation": "sum", "label": "price", "formula": "fee + fee", "unit": "EUR per month"},
    )


@cache
def divided(
    rule: str = "score >= 0",
    condition: str = "score >= 0",
    formula: str = "fee / score",
    operation: str = "ratio",
) -> Family:
    """A quotient that may have no value."""
    return _made(
        parameters={
            "pass": {"label": "pass mark", "type": "count", "range": [1, 3]},
            "least": {"label": "least score", "type": "count", "range": [0, 3], "value": 1},
        },
        attributes={"score": SCORE, "licence": LICENCE, "fee": FEE},
        consistency={"rule": rule},
        conditions={"good": condition, "licensed": "licence"},
        calculation={"operation": operation, "label": "price", "formula": formula, "unit": "EUR per month"},
    )


def families() -> dict[str, Family]:
    """All whose every question is asked."""
    return {"plain": plain(), "opened": opened(), "measured": measured(), "planned": planned(), "beside": beside()}


def first_parameters(family: Family) -> Iterator[dict[str, Any]]:
    """Every value of the parameters."""
    return parameter_values(family)
