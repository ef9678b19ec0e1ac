"""canonical: a family as one JSON tree, complete, with numbers of rules in base units: what the checker reads."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias, assert_never

from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain, exact
from unco.specs.expression import (
    Aggregate,
    Apply,
    Constant,
    Expression,
    Option,
    ParameterReference,
    Reference,
    Table,
    scale_of,
    walk,
)
from unco.specs.family import Attribute, Calculation, Difficulty, Family, Plan, Rule
from unco.specs.stored import stored_value
from unco.specs.task import canonical_json
from unco.specs.values import BooleanType, CategoryType, DateType, NumberType, Type, Unit, Value

Json: TypeAlias = Any
FORMAT = 1
"""The version of the tree's form."""
DATE_MODES = ("years_between", "months_between", "add_months")


def canonical(family: Family) -> Json:
    """The family as plain data. Facts and ends of domains are in the unit that is shown, with its scale beside them."""
    return {
        "format": FORMAT,
        "digest": family.digest,
        "name": family.name,
        "title": family.title,
        "domain": family.domain,
        "task": family.task,
        "decision": _plain(family.decision),
        "noun": family.noun,
        "noun_plural": family.noun_plural,
        "candidates": family.candidates,
        "candidate_names": list(family.candidate_names),
        "roles": [_plain(role) for role in family.roles],
        "groups": [_plain(group) for group in family.groups],
        "parameters": [
            {"id": each.id, "label": each.label, "domain": domain_tree(each.domain), "value": _optional(each.value)}
            for each in family.parameters
        ],
        "attributes": [_attribute(attribute) for attribute in family.attributes],
        "tables": {name: table_tree(table) for name, table in tables_of(family).items()},
        "consistency": [_rule(rule) for rule in family.consistency],
        "conditions": [_rule(rule) for rule in family.conditions],
        "calculation": _calculation(family.calculation),
        "perturbations": _plain(family.perturbations),
        "plan": _plan(family.plan),
        "difficulty": _difficulty(family.difficulty),
    }


@lru_cache(64)
def canonical_hash(family: Family) -> str:
    """The hash of the tree: it stands in every certificate of the family."""
    return hashlib.sha256(canonical_json(canonical(family)).encode()).hexdigest()


def tables_of(family: Family) -> dict[str, Table]:
    """The tables that rules use, by name."""
    rules = [rule.expression for rule in (*family.consistency, *family.conditions, *family.plan.winner)]
    return {
        option.name: option
        for rule in (*rules, family.calculation.expression)
        for part in walk(rule)
        if isinstance(part, Apply)
        for option in part.options
        if isinstance(option, Table)
    }


def expression_tree(expression: Expression) -> Json:
    """An expression: constants with their kind, operators with their options by name."""
    match expression:
        case Constant(value, type_):
            return {"constant": stored_value(value), **type_tree(type_)}
        case Reference(attribute, member, context):
            return {"attribute": attribute, "member": member, "context": context}
        case ParameterReference(name):
            return {"parameter": name}
        case Apply(operator, arguments, type_, options):
            trees = [expression_tree(argument) for argument in arguments]
            return {"operator": operator, "arguments": trees, **_options(operator, options, type_)}
        case Aggregate(operator, group, size, maximum, body):
            sizes = {"size": expression_tree(size), "maximum": maximum}
            return {"aggregate": operator, "group": group, **sizes, "body": expression_tree(body)}
        case _:
            assert_never(expression)


def _options(operator: str, options: tuple[Option, ...], type_: Type) -> Json:
    if operator == "round":
        places, mode = options
        return {"places": places, "mode": mode, "scale": stored_value(exact(scale_of(type_)))}
    if operator in DATE_MODES:
        return {"mode": options[0] if options else "down"}
    table = next((option for option in options if isinstance(option, Table)), None)
    return {} if table is None else {"table": table.name}


def table_tree(table: Table) -> Json:
    """A table: rows of low end, whether it is included, high end, whether it is included, and the value there."""
    rows = [
        [_optional(band.low), band.low_included, _optional(band.high), band.high_included, stored_value(band.value)]
        for band in table.bands
    ]
    return {"label": table.label, "key": type_tree(table.key), "gives": type_tree(table.gives), "rows": rows}


def type_tree(type_: Type) -> Json:
    """A type by its kind; a number with its unit and how many base units one of it is."""
    match type_:
        case BooleanType():
            return {"kind": "boolean"}
        case CategoryType():
            return {"kind": "category"}
        case DateType():
            return {"kind": "date"}
        case NumberType(unit):
            return {"kind": "number", **_unit(unit)}
        case _:
            assert_never(type_)


def domain_tree(domain: Domain) -> Json:
    """A domain: its kind, and its values or ends."""
    match domain:
        case BooleanDomain(words):
            return {"kind": "boolean", "words": list(words)}
        case CategoryDomain(_, values):
            return {"kind": "category", "values": list(values)}
        case DateDomain(low, high):
            return {"kind": "date", "low": stored_value(low), "high": stored_value(high)}
        case NumberDomain(low, high, step, unit):
            ends = {"low": low, "high": high, "step": step}
            return {
                "kind": "number",
                **{name: stored_value(exact(Fraction(end))) for name, end in ends.items()},
                **_unit(unit),
            }
        case _:
            assert_never(domain)


def _unit(unit: Unit) -> Json:
    return {"unit": unit.symbol, "scale": stored_value(exact(unit.scale))}


def _attribute(attribute: Attribute) -> Json:
    return {
        "id": attribute.id,
        "label": attribute.label,
        "owner": attribute.owner,
        "kind": attribute.kind,
        "group": attribute.group,
        "distractor": attribute.distractor,
        "context_kind": attribute.context_kind,
        "contexts": [{"name": name, "domain": domain_tree(domain)} for name, domain in attribute.contexts],
    }


def _rule(rule: Rule) -> Json:
    return {"id": rule.id, "expression": expression_tree(rule.expression), "source": rule.source, "text": rule.text}


def _calculation(calculation: Calculation) -> Json:
    return {
        "operation": calculation.operation,
        "expression": expression_tree(calculation.expression),
        "label": calculation.label,
        **_unit(calculation.unit),
        "places": calculation.places,
        "mode": calculation.mode,
        "source": calculation.source,
        "text": calculation.text,
    }


def _plan(plan: Plan) -> Json:
    return {
        "none_eligible": stored_value(exact(plan.none_eligible)),
        "winner": [_rule(rule) for rule in plan.winner],
        "margins": {name: stored_value(exact(weight)) for name, weight in plan.margins},
        "failed_conditions": [[many, stored_value(exact(weight))] for many, weight in plan.failed_conditions],
        **({"every_loser": True} if plan.every_loser else {}),
    }


def _difficulty(difficulty: Difficulty) -> Json:
    distance = None if difficulty.distance is None else list(difficulty.distance)
    return {"distance": distance, "distractors": difficulty.distractors}


def _optional(value: Value | None) -> Json:
    return None if value is None else stored_value(value)


def _plain(part: Any) -> Json:
    """A dataclass of texts, numbers and lists of them."""
    values = {each.name: getattr(part, each.name) for each in fields(part)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
