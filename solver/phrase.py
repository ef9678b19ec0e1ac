"""Typed expressions in plain English, through the wording of each operator's row.

A term that has a name of its own (an attribute, a threshold, a constant) is never put in brackets by the rows: it is
handed to them as one private character, and the text takes its place at the end. Specifications hold no such character.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import assert_never

from unco.solver.operators.table import AGGREGATES, OPERATORS
from unco.solver.operators.wording import clause, grouped
from unco.specs.domains import BooleanDomain
from unco.specs.expression import (
    Aggregate,
    Apply,
    Band,
    Constant,
    Expression,
    ParameterReference,
    Reference,
    Table,
    walk,
)
from unco.specs.family import Attribute, Family
from unco.specs.values import BOOLEAN, DateType, Type, Value
from unco.specs.wording import attribute_text, definite, plural, typed_places, typed_text, value_text, verb

FIRST_PRIVATE = 0xE000
_HEADS = {"and": "all of these hold:", "or": "at least one of these holds:"}
_BOUND_WORDS = {
    False: (("at least ", "more than "), ("at most ", "less than ")),
    True: (("on or after ", "after "), ("on or before ", "before ")),
}


def phrase(expression: Expression, family: Family, parameters: Mapping[str, Value]) -> str:
    """The expression in English, with the thresholds of one instance: `hardrock experience is at least 12 years`."""
    return _Writer(family, parameters).whole(expression)


def outline(
    expression: Expression, family: Family, parameters: Mapping[str, Value], depth: int = 0
) -> tuple[tuple[int, str], ...]:
    """The expression in lines, each with its depth: one line, or a list where `and` and `or` stand in each other."""
    if not isinstance(expression, Apply) or not ((depth and _is_joint(expression)) or _is_nested(expression)):
        return ((depth, phrase(expression, family, parameters)),)
    parts = (outline(argument, family, parameters, depth + 1) for argument in expression.arguments)
    return ((depth, _HEADS[expression.operator]), *chain.from_iterable(parts))


def _is_joint(expression: Expression) -> bool:
    return isinstance(expression, Apply) and expression.operator in _HEADS


def _is_nested(expression: Apply) -> bool:
    return _is_joint(expression) and any(_is_joint(argument) for argument in expression.arguments)


def tables_in(expressions: Sequence[Expression]) -> tuple[Table, ...]:
    """Every table that the expressions look up, in order of appearance."""
    found = (
        option
        for expression in expressions
        for part in walk(expression)
        if isinstance(part, Apply)
        for option in part.options
        if isinstance(option, Table)
    )
    return tuple(dict.fromkeys(found))


def table_text(table: Table) -> tuple[str, ...]:
    """One line a band: `at least 18 years and less than 60 years: 22 days`. Every end says whether it is included."""
    places = typed_places([band.value for band in table.bands], table.gives)
    return tuple(f"{band_text(band, table.key)}: {typed_text(band.value, table.gives, places)}" for band in table.bands)


def band_text(band: Band, key: Type) -> str:
    """The keys of a band: `1`, `from 19 to 64 years, both included`, `more than 10 AUD`, `any value`."""
    low = None if band.low is None else typed_text(band.low, key)
    high = None if band.high is None else typed_text(band.high, key)
    if low is not None and low == high:
        return low
    if low is not None and high is not None and band.low_included and band.high_included:
        return f"from {low} to {high}, both included"
    lower, upper = _BOUND_WORDS[isinstance(key, DateType)]
    bounds = [f"{lower[not band.low_included]}{low}"] if low is not None else []
    bounds += [f"{upper[not band.high_included]}{high}"] if high is not None else []
    return " and ".join(bounds) or "any value"


class _Writer:
    def __init__(self, family: Family, parameters: Mapping[str, Value]) -> None:
        self.family = family
        self.parameters = parameters
        self.terms: list[str] = []
        self.plurals: list[str] = []

    def whole(self, expression: Expression) -> str:
        text = self._quantified(expression) if isinstance(expression, Aggregate) else self.text(expression)
        for term in self.plurals:
            text = text.replace(f"{term} is ", f"{term} are ")
        for number, term in reversed(tuple(enumerate(self.terms))):
            text = text.replace(chr(FIRST_PRIVATE + number), term)
        return text

    def _quantified(self, expression: Aggregate) -> str:
        """A rule that is one aggregate: its body is the rest of the sentence and needs no brackets."""
        return self._aggregate(expression, self._term(self.text(expression.body)))

    def text(self, expression: Expression) -> str:
        match expression:
            case Constant(value, type_):
                return self._term(typed_text(value, type_))
            case Reference(attribute, member, context, type_):
                named = self._attribute(self.family.attribute_by_id[attribute], member, context)
                return f"{named} is {self._word(expression, True)}" if type_ == BOOLEAN else named
            case ParameterReference():
                return self._parameter(expression)
            case Apply():
                return self._boolean(expression) or self._apply(expression)
            case Aggregate():
                return self._aggregate(expression, self.text(expression.body))
            case _:
                assert_never(expression)

    def _term(self, text: str) -> str:
        self.terms.append(text)
        return chr(FIRST_PRIVATE + len(self.terms) - 1)

    def _attribute(self, attribute: Attribute, member: int, context: str) -> str:
        named = attribute_text(attribute, context)
        if member > 0 and attribute.group is not None:
            named = f"{named} of {self.family.group_by_id[attribute.group].label} {member}"
        # A label that is itself made of parts keeps its brackets.
        term = self._term(clause(attribute.label) if named == attribute.label else named)
        if verb(attribute.label) == "are":
            self.plurals.append(term)
        return term

    def _parameter(self, reference: ParameterReference) -> str:
        parameter = next(each for each in self.family.parameters if each.id == reference.name)
        value = self.parameters[reference.name]
        if isinstance(parameter.domain, BooleanDomain):
            label, yes = self._term(parameter.label), value_text(True, parameter.domain)
            return f"{label} is {yes} (in this task it is {value_text(value, parameter.domain)})"
        return self._term(f"{definite(parameter.label)} ({value_text(value, parameter.domain)})")

    def _apply(self, expression: Apply) -> str:
        arguments = [self.text(argument) for argument in expression.arguments]
        types = tuple(argument.type for argument in expression.arguments)
        return OPERATORS[expression.operator].phrase(arguments, expression.options, types)

    def _boolean(self, expression: Apply) -> str | None:
        """The wording of a Boolean denied, looked up, or compared with a Boolean; None for all else."""
        match expression.operator, expression.arguments:
            case "not", (Reference() as reference,):
                return self._stated(reference, False)
            case ("==" | "!=") as sign, (left, right) if left.type == BOOLEAN:
                return self._alike(sign == "==", left, right)
            case "lookup", _ if expression.type == BOOLEAN:
                return f"({self._apply(expression)}) is true"
            case _:
                return None

    def _alike(self, same: bool, left: Expression, right: Expression) -> str:
        if isinstance(left, Constant):
            left, right = right, left
        if isinstance(right, Constant):
            wanted = bool(right.value) == same
            if isinstance(left, Reference):
                return self._stated(left, wanted)
            return self.text(left) if wanted else f"not ({self.text(left)})"
        both = f"{clause(self.text(left))}; {clause(self.text(right))}"
        return f"either both of these hold or neither does: {both}" if same else f"exactly one of these holds: {both}"

    def _stated(self, reference: Reference, value: bool) -> str:
        named = self._attribute(self.family.attribute_by_id[reference.attribute], reference.member, reference.context)
        return f"{named} is {self._word(reference, value)}"

    def _word(self, reference: Reference, value: bool) -> str:
        domain = dict(self.family.attribute_by_id[reference.attribute].contexts)[reference.context]
        return self._term(value_text(value, domain))

    def _aggregate(self, expression: Aggregate, body: str) -> str:
        group = self.family.group_by_id[expression.group]
        members = plural(group.label)
        if not self._is_whole_group(expression):
            members = f"{members} numbered from 1 to {grouped(self.text(expression.size))}"
        if expression.operator != "count":
            members = f"the {members}"
        types = (expression.size.type, expression.body.type)
        return AGGREGATES[expression.operator].phrase((members, body), (), types)

    def _is_whole_group(self, expression: Aggregate) -> bool:
        """Whether the aggregate runs over all members that the candidate has."""
        size, group = expression.size, self.family.group_by_id[expression.group]
        match size:
            case Reference(attribute, _, context):
                return attribute == group.size_attribute and context == self.family.attribute_by_id[attribute].required
            case Constant(value):
                return group.size_attribute is None and value == group.maximum
            case _:
                return False
