"""The instructions of a task: every rule in the program's own words, with the thresholds of one instance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from unco.compiler.rendering.conversions import conversions
from unco.compiler.rendering.forms import filled, opened
from unco.compiler.rendering.wording import Wording
from unco.solver.operators.rounding import rounding_words
from unco.solver.outline import outline
from unco.solver.phrase import table_text, tables_in
from unco.specs.expression import Apply, Expression, Reference, Table, references, walk
from unco.specs.family import Attribute, Family, Rule
from unco.specs.instance import Instance
from unco.specs.values import Value
from unco.specs.wording import (
    article,
    attribute_text,
    definite,
    listing_text,
    plural,
    sentence,
    unit_text,
)
from unco.templates.loader import fill


def instructions(
    family: Family, instance: Instance, wording: Wording, answer_format: str, *, author_words: bool
) -> str:
    """The task as the main agent reads it."""
    parameters = instance.parameters
    return fill(
        "render/instructions.txt.j2",
        task=wording.task,
        noun=family.noun,
        article=article(family.noun),
        opening=_opening(family, instance, wording),
        holders=wording.holders,
        needs=filled(wording.needs, {"noun": family.noun}),
        conditions=[_rule(rule, family, parameters, author_words) for rule in family.conditions],
        consistency=[_rule(rule, family, parameters, author_words) for rule in family.consistency],
        tables=[_table(family, table) for table in tables_in(_expressions(family))],
        members=_members(family),
        units=conversions(family),
        result=_result(family, parameters, author_words),
        needed=_needed(family),
        positive=family.decision.positive,
        negative=family.decision.negative,
        answer_format=answer_format,
    )


def _opening(family: Family, instance: Instance, wording: Wording) -> str:
    """The candidates by name."""
    values = {"plural": definite(family.noun_plural), "names": listing_text(instance.names)}
    return opened(filled(wording.opening, values))


def _expressions(family: Family) -> tuple[Expression, ...]:
    rules = (*family.conditions, *family.consistency)
    return (*(rule.expression for rule in rules), family.calculation.expression)


def _rule(rule: Rule, family: Family, parameters: Mapping[str, Value], author_words: bool) -> Mapping[str, object]:
    (_, head), *parts = outline(rule.expression, family, parameters)
    return {
        "text": sentence(head),
        "parts": _indented(parts),
        "author": sentence(rule.text) if author_words and rule.text else None,
    }


def _indented(parts: Iterable[tuple[int, str]]) -> list[str]:
    return [f"{'  ' * (depth - 1)}- {text}" for depth, text in parts]


def _table(family: Family, table: Table) -> Mapping[str, object]:
    """A table, with the label of the fact that it is looked up by, where there is one such fact."""
    keys = {
        family.attribute_by_id[key.attribute].label if isinstance(key, Reference) else ""
        for expression in _expressions(family)
        for part in walk(expression)
        if isinstance(part, Apply) and table in part.options
        for key in part.arguments
    }
    key = "".join(keys) if len(keys) == 1 else ""
    return {"label": table.label, "key": "" if f"by {key}" in table.label else key, "rows": table_text(table)}


def _members(family: Family) -> list[str]:
    """How the members of each group are counted."""
    return [_member_line(family, group.label, group.size_attribute, group.maximum) for group in family.groups]


def _member_line(family: Family, label: str, size: str | None, maximum: int) -> str:
    if size is None:
        return f"Every {family.noun} has {maximum} {plural(label)}, numbered from 1."
    attribute = family.attribute_by_id[size]
    counted = attribute_text(attribute, attribute.required)
    return (
        f"{opened(definite(plural(label)))} of each {family.noun} are numbered from 1; "
        f"{definite(counted)} says how many there are."
    )


def _result(family: Family, parameters: Mapping[str, Value], author_words: bool) -> Mapping[str, object]:
    calculation = family.calculation
    (_, formula), *parts = outline(calculation.expression, family, parameters)
    unit = unit_text(calculation.unit)
    return {
        "label": calculation.label,
        "named": definite(calculation.label),
        "formula": formula,
        "parts": _indented(parts),
        "unit": "as a percentage" if calculation.unit.symbol == "%" else unit and f"in {unit}",
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
