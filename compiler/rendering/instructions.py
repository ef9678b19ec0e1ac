"""The instructions of a task: every rule in the program's own words, with the thresholds of one instance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from unco.solver.operators.rounding import rounding_words
from unco.solver.phrase import outline, phrase, table_text, tables_in
from unco.specs.expression import Constant, Expression, ParameterReference, Reference, references, walk
from unco.specs.family import Attribute, Family, Rule
from unco.specs.instance import Instance
from unco.specs.values import Dimension, NumberType, Unit, Value
from unco.specs.wording import (
    amount_text,
    attribute_text,
    definite,
    listing_text,
    plural,
    sentence,
    unit_text,
    value_text,
)
from unco.templates.loader import fill

_OPERATIONS = {
    "sum": "a sum",
    "difference": "a difference",
    "product": "a product",
    "ratio": "a ratio",
    "weighted_mean": "a weighted mean",
    "percentage_change": "a percentage change",
    "capped": "a capped value",
    "tiered_rate": "a value by tiers",
}


def instructions(family: Family, instance: Instance, answer_format: str, *, author_words: bool) -> str:
    """The task as the main agent reads it."""
    parameters = instance.parameters
    return fill(
        "render/instructions.txt.j2",
        task=family.task.strip(),
        noun=family.noun,
        plural=family.noun_plural,
        article=_article(family.noun),
        candidates=listing_text(instance.names),
        conditions=[_rule(rule, family, parameters, author_words) for rule in family.conditions],
        consistency=[_rule(rule, family, parameters, author_words) for rule in family.consistency],
        thresholds=_thresholds(family, parameters),
        tables=[{"label": table.label, "rows": table_text(table)} for table in tables_in(_expressions(family))],
        members=_members(family),
        units=_conversions(family),
        result=_result(family, parameters, author_words),
        needed=_needed(family),
        positive=family.decision.positive,
        negative=family.decision.negative,
        answer_format=answer_format,
    )


def _expressions(family: Family) -> tuple[Expression, ...]:
    rules = (*family.conditions, *family.consistency)
    return (*(rule.expression for rule in rules), family.calculation.expression)


def _rule(rule: Rule, family: Family, parameters: Mapping[str, Value], author_words: bool) -> Mapping[str, object]:
    (_, head), *parts = outline(rule.expression, family, parameters)
    return {
        "text": sentence(head),
        "parts": [f"{'  ' * (depth - 1)}- {text}" for depth, text in parts],
        "author": sentence(rule.text) if author_words and rule.text else None,
    }


def _thresholds(family: Family, parameters: Mapping[str, Value]) -> list[str]:
    return [f"{each.label}: {value_text(parameters[each.id], each.domain)}" for each in family.parameters]


def _members(family: Family) -> list[str]:
    """How the members of each group are counted."""
    return [_member_line(family, group.label, group.size_attribute, group.maximum) for group in family.groups]


def _member_line(family: Family, label: str, size: str | None, maximum: int) -> str:
    if size is None:
        return f"Every {family.noun} has {maximum} {plural(label)}, numbered from 1."
    attribute = family.attribute_by_id[size]
    counted = attribute_text(attribute, attribute.required)
    return (
        f"The {plural(label)} of each {family.noun} are numbered from 1; {definite(counted)} says how many there are."
    )


def _conversions(family: Family) -> list[str]:
    """How units of one kind that the rules mix convert: `1 USD per month is 12 USD per year`."""
    kinds: dict[Dimension, dict[Fraction, Unit]] = {}
    for unit in _units(family):
        if unit.dimension:
            kinds.setdefault(unit.dimension, {}).setdefault(unit.scale, unit)
    chains = (sorted(kind.values(), key=lambda unit: unit.scale, reverse=True) for kind in kinds.values())
    return [_conversion(large, small) for chain in chains for large, small in pairwise(chain)]


def _conversion(large: Unit, small: Unit) -> str:
    return f"{amount_text(Fraction(1), large, 0)} is {amount_text(large.scale / small.scale, small, None)}."


def _units(family: Family) -> Iterator[Unit]:
    """The unit of every number that the rules and the answer are made of."""
    for expression in _expressions(family):
        for part in walk(expression):
            if isinstance(part, Constant | Reference | ParameterReference) and isinstance(part.type, NumberType):
                yield part.type.unit
    for table in tables_in(_expressions(family)):
        yield from (type_.unit for type_ in (table.key, table.gives) if isinstance(type_, NumberType))
    yield family.calculation.unit


def _result(family: Family, parameters: Mapping[str, Value], author_words: bool) -> Mapping[str, str | None]:
    calculation = family.calculation
    return {
        "label": calculation.label,
        "named": definite(calculation.label),
        "operation": _OPERATIONS[calculation.operation],
        "formula": phrase(calculation.expression, family, parameters),
        "unit": "%" if calculation.unit.symbol == "%" else unit_text(calculation.unit),
        "rounding": rounding_words(calculation.places, calculation.mode),
        "author": sentence(calculation.text) if author_words and calculation.text else None,
    }


def _needed(family: Family) -> list[str]:
    """Each attribute that the conditions and the calculation use, in the contexts that they use it in."""
    used = [(each.attribute, each.context) for each in _used(family)]
    ordered = [
        (attribute, context)
        for attribute in family.attributes
        for context, _ in attribute.contexts
        if (attribute.id, context) in used
    ]
    return [_needed_line(family, attribute, context) for attribute, context in ordered]


def _needed_line(family: Family, attribute: Attribute, context: str) -> str:
    named = attribute_text(attribute, context)
    return named if attribute.group is None else f"{named}, for each {family.group_by_id[attribute.group].label}"


def _used(family: Family) -> Iterator[Reference]:
    for rule in family.conditions:
        yield from references(rule.expression)
    yield from references(family.calculation.expression)


def _article(noun: str) -> str:
    return "An" if noun[0].lower() in "aeiou" else "A"
