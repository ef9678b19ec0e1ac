"""Moves in the author's words, and the candidates that serve every value of the thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from unco.solver.phrase import phrase
from unco.specs.domains import Domain
from unco.specs.expression import Aggregate, Apply, Constant, Expression, ParameterReference, Reference, walk
from unco.specs.family import Attribute, Family, Slot
from unco.specs.family_proof import Move, Scope
from unco.specs.values import NumberType, Value
from unco.specs.wording import attribute_text, definite, listing_text, plural, typed_text, value_text

SIGNS = {"+": "plus", "-": "minus"}


def move_text(family: Family, move: Move, scope: Scope) -> str:
    """What a move does: `move the winner's household income to the income limit plus 1 USD per year`."""
    who = "the winner's" if scope is Scope.WINNER else "a candidate's"
    changes = [each for each in move.changes if not _follows(family, each[0], move)]
    parts = [
        _change(family, who, attribute, list(together))
        for attribute, together in groupby(changes, key=lambda change: (change[0].attribute, change[0].context))
    ]
    return f"move {listing_text(parts)}"


def pattern_text(family: Family, pattern: Move) -> str:
    """A candidate written as terms over the thresholds: the terms that are no constants."""
    tracked = [(slot, term) for slot, term in pattern.changes if not isinstance(term, Constant)]
    if not tracked:
        return "one candidate serves every value of the thresholds" if _is_open(family) else "a candidate is found"
    parts = [f"{cell_text(family, slot)} at {term_text(family, slot, term)}" for slot, term in tracked]
    return f"a candidate with {listing_text(parts)}"


def _is_open(family: Family) -> bool:
    return any(each.value is None for each in family.parameters)


def _follows(family: Family, slot: Slot, move: Move) -> bool:
    """Whether the change of a member's cell only follows the size of the group."""
    group = family.attribute_by_id[slot.attribute].group
    size = None if group is None else family.group_by_id[group].size_attribute
    term = dict(move.changes)[slot]
    stays = isinstance(term, Apply) and term.operator == "if" and isinstance(term.arguments[1], Reference)
    return stays and any(each.attribute == size for each, _ in move.changes)


def _change(family: Family, who: str, attribute: tuple[str, str], changes: Sequence[tuple[Slot, Expression]]) -> str:
    slot, term = changes[0]
    if isinstance(term, Apply) and term.operator == "if":
        group = family.attribute_by_id[slot.attribute].group
        label = family.group_by_id[group].label if group is not None else "member"
        named = attribute_text(family.attribute_by_id[slot.attribute], slot.context)
        return f"{who} {named} of all {plural(label)} to {term_text(family, slot, term.arguments[1])}"
    parts = [f"{cell_text(family, slot)} to {term_text(family, slot, term)}" for slot, term in changes]
    return f"{who} {listing_text(parts)}"


def cell_text(family: Family, slot: Slot) -> str:
    """The cell: its attribute with the context, and the member it is of."""
    attribute = family.attribute_by_id[slot.attribute]
    named = attribute_text(attribute, slot.context)
    if slot.member and attribute.group is not None:
        return f"{named} of {family.group_by_id[attribute.group].label} {slot.member}"
    return named


def term_text(family: Family, slot: Slot, term: Expression) -> str:
    """What a cell is moved to."""
    if isinstance(term, Constant):
        return value_text(_stored(family.domains[slot], term.value), family.domains[slot])
    if isinstance(term, Apply) and term.operator in SIGNS and isinstance(term.arguments[1], Constant):
        base, step = term.arguments
        return f"{term_text(family, slot, base)} {SIGNS[term.operator]} {_step_text(step)}"
    if isinstance(term, Reference):
        return definite(cell_text(family, Slot(term.attribute, term.member, term.context)))
    told = _with_ends(family, term)
    return phrase(_as_references(term), told, {})


def _step_text(step: Expression) -> str:
    assert isinstance(step, Constant)
    return typed_text(step.value, step.type)


def _stored(domain: Domain, value: Value) -> Value:
    scale = domain.type.unit.scale if isinstance(domain.type, NumberType) else Fraction(1)
    return value if scale == 1 or isinstance(value, str) else Fraction(value) / scale  # type: ignore[arg-type]


# Thresholds and ends of replies have no value in a proof about all of them: they are told by name alone.


def _with_ends(family: Family, term: Expression) -> Family:
    """The family with an attribute of the same name for each threshold and end of a reply in the term."""
    parameters = {each.id: each.label for each in family.parameters}
    named = {
        each.name: Attribute(_key(each.name), parameters.get(each.name, each.name.partition(": ")[2]), "", "", ())
        for each in _open_ends(term)
    }
    return replace(family, attributes=(*family.attributes, *named.values()), digest=f"{family.digest} in words")


def _open_ends(term: Expression) -> Iterator[ParameterReference]:
    return (part for part in walk(term) if isinstance(part, ParameterReference))


def _key(name: str) -> str:
    return f"parameter {name}"


def _as_references(term: Expression) -> Expression:
    match term:
        case ParameterReference(name, type_):
            return Reference(_key(name), 0, "", type_)
        case Apply(arguments=arguments):
            return replace(term, arguments=tuple(_as_references(each) for each in arguments))
        case Aggregate(size=size, body=body):
            return replace(term, size=_as_references(size), body=_as_references(body))
        case _:
            return term
