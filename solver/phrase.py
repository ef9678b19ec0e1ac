"""Typed expressions in plain English, through the wording of each operator's row.

A term that has a name of its own (an attribute, a threshold, a constant) is never put in brackets by the rows: it is
handed to them as one private character, and the text takes its place at the end. Specifications hold no such character.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import assert_never

from unco.solver.leap_rule import leap_matters
from unco.solver.operators.table import AGGREGATES, OPERATORS
from unco.solver.operators.wording import FIRST_PRIVATE, clause, condition, grouped, side
from unco.specs.domains import BooleanDomain
from unco.specs.expression import (
    THIS_MEMBER,
    Aggregate,
    Apply,
    Band,
    Constant,
    Expression,
    ParameterReference,
    Reference,
    Table,
    references,
    scale_of,
    walk,
)
from unco.specs.family import Attribute, Family
from unco.specs.values import BOOLEAN, DATE, CategoryType, DateType, NumberType, Type, Value
from unco.specs.wording import (
    attribute_text,
    definite,
    is_person,
    period_text,
    plural,
    quoted,
    range_text,
    typed_places,
    typed_text,
    value_text,
    verb,
)

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
_OF_MEMBERS = {"any": "at least one", "all": "each"}
_NO_SUBJECT = re.compile(r"(?:[+−×÷]|\b(?:of|to|from|for|after|by|minus|between)|\b(?:of|between) .{1,2} and) $")
"""What stands before a term that is not the subject of the verb after it."""
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_CALCULATED = re.compile(r"[+−×÷]")
_BOUND_WORDS = {
    False: (("at least ", "more than "), ("at most ", "less than ")),
    True: (("on or after ", "after "), ("on or before ", "before ")),
}


def phrase(expression: Expression, family: Family, parameters: Mapping[str, Value]) -> str:
    """The expression in English, with the thresholds of one instance: `hardrock experience is at least 12 years`."""
    return Writer(family, parameters).whole(expression)


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
        return f"from {_ends_text(band.low, band.high, key, 'to')}, both included"
    lower, upper = _BOUND_WORDS[isinstance(key, DateType)]
    bounds = [f"{lower[not band.low_included]}{low}"] if low is not None else []
    bounds += [f"{upper[not band.high_included]}{high}"] if high is not None else []
    return " and ".join(bounds) or "any value"


class Writer:
    """Writes the parts of one rule."""

    def __init__(self, family: Family, parameters: Mapping[str, Value]) -> None:
        self.family = family
        self.parameters = parameters
        self.terms: list[tuple[str, str]] = []
        """Each term as it stands in a formula, and as it stands in a sentence."""
        self.plurals: list[str] = []
        self.of_members = ""
        """Whose facts are meant, where a rule says one thing of the members of a group."""

    def whole(self, expression: Expression) -> str:
        text = self._quantified(expression) if isinstance(expression, Aggregate) else self.text(expression)
        return self._told(text, in_rule=expression.type == BOOLEAN)

    def case(self, value: Expression, test: Expression) -> str:
        """`5 days if the age is less than 18 years`: the test needs no brackets at the end of a line."""
        text = self.text(test)
        told = text if "if" not in re.findall(r"\w+", text) else condition(text)
        return f"{self._told(clause(self.text(value)))} if {self._told(told, in_rule=True)}"

    def weighted(self, value: Expression, weight: Expression) -> str:
        """`the grade of the examination, weighted by its credits`."""
        return f"{self._told(clause(self.text(value)))}, weighted by {self._told(clause(self.text(weight)))}"

    def _told(self, text: str, *, in_rule: bool = False) -> str:
        """The text with its terms in place: each with its article, but for those of a formula that is no part of a
        rule, and its verb in the plural where it asks for one.
        """
        for term in self.plurals:
            text = re.sub(f"{term} is ", lambda found: self._agreed(found, text), text)  # noqa: B023
        for number, (bare, definite_) in reversed(tuple(enumerate(self.terms))):
            sign = chr(FIRST_PRIVATE + number)
            place = text.find(sign)
            beside = text[max(place - 2, 0) : place] + text[place + 1 : place + 3]
            text = text.replace(sign, bare if _CALCULATED.search(beside) and not in_rule else definite_)
        return text

    @staticmethod
    def _agreed(found: re.Match[str], text: str) -> str:
        is_subject = not _NO_SUBJECT.search(text[: found.start()])
        return f"{found[0][0]} are " if is_subject else found[0]

    def _quantified(self, expression: Aggregate) -> str:
        """A rule that is one aggregate: its body is the rest of the sentence and needs no brackets."""
        whose = _OF_MEMBERS.get(expression.operator)
        if whose and self._is_whole_group(expression) and _says_one_thing(expression.body):
            self.of_members = f"{whose} {self.family.group_by_id[expression.group].label}"
            return self.text(expression.body)
        return self._aggregate(expression, self._term(self.text(expression.body)))

    def text(self, expression: Expression) -> str:
        match expression:
            case Constant(value, CategoryType(values)):
                return self._term(_category_text(str(value), values))
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

    def _term(self, bare: str, definite_: str = "") -> str:
        self.terms.append((bare, definite_ or bare))
        return chr(FIRST_PRIVATE + len(self.terms) - 1)

    def _attribute(self, attribute: Attribute, member: int, context: str) -> str:
        named = attribute_text(attribute, context)
        if member > 0 and attribute.group is not None:
            named = f"{named} of {self.family.group_by_id[attribute.group].label} {member}"
        if member == THIS_MEMBER and self.of_members:
            named = f"{named} of {self.of_members}"
        # A label that is itself made of parts keeps its brackets.
        forms = (named, definite(named))
        term = self._term(*(map(clause, forms) if named == attribute.label else forms))
        if verb(attribute.label) == "are":
            self.plurals.append(term)
        return term

    def _parameter(self, reference: ParameterReference) -> str:
        parameter = next(each for each in self.family.parameters if each.id == reference.name)
        value = self.parameters[reference.name]
        if isinstance(parameter.domain, BooleanDomain):
            label, yes = self._term(parameter.label), value_text(True, parameter.domain)
            return f"{label} is {yes} (in this task it is {value_text(value, parameter.domain)})"
        named = f"{parameter.label} ({value_text(value, parameter.domain)})"
        return self._term(named, definite(named))

    def _apply(self, expression: Apply) -> str:
        arguments = [self.text(argument) for argument in expression.arguments]
        types = tuple(argument.type for argument in expression.arguments)
        return OPERATORS[expression.operator].phrase(arguments, expression.options, types)

    def _boolean(self, expression: Apply) -> str | None:
        """The wording of what has one of its own: Booleans denied, looked up or compared, and parts in parts."""
        match expression.operator, expression.arguments:
            case "abs", (Apply("-", (left, right)),) if left.type != DATE:
                return f"the difference between {grouped(self.text(left))} and {grouped(self.text(right))}"
            case "add_months", (day, months) if _is_back(months):
                amount, told = self._term(self._amount_back(months)), self.text(day)
                row = OPERATORS["add_months"].phrase([told, amount], expression.options)
                return _without_needless_leap(row.replace(f"{amount} after", f"{amount} before", 1), expression)
            case (("month_start" | "month_end"), (Apply("add_months", (day, months), _, options),)) if not (
                "up" in options or _is_back(months)
            ):
                end = "first" if expression.operator == "month_start" else "last"
                return f"the {end} day of the {self._month_on(months)} after the month of {grouped(self.text(day))}"
            case (("years_between" | "months_between" | "add_months"), _):
                return _without_needless_leap(self._apply(expression), expression)
            case "between", (value, Constant() as low, Constant() as high) if low.type == high.type:
                ends = self._term(_ends_text(low.value, high.value, low.type))
                return f"{side(self.text(value))} is between {ends}, both included"
            case "not", (Apply("<" | "<=" | ">" | ">=" | "==" | "!=" as sign, (left, _)) as denied,) if (
                left.type != BOOLEAN
            ):
                return self._apply(replace(denied, operator=_OPPOSITE[sign]))
            case "not", (Reference() as reference,):
                return self._stated(reference, False)
            case ("==" | "!=") as sign, (left, right) if left.type == BOOLEAN:
                return self._alike(sign == "==", left, right)
            case "lookup", _ if expression.type == BOOLEAN:
                return f"({self._apply(expression)}) is true"
            case _:
                return None

    def _month_on(self, months: Expression) -> str:
        """`twelfth month`, or `month that comes 2 years`."""
        match months:
            case Constant(int() as number, NumberType(unit)) if unit.symbol == "months" and 0 < number <= len(ORDINALS):
                return f"{ORDINALS[number - 1]} month"
            case _:
                return f"month that comes {grouped(self.text(months))}"

    def _amount_back(self, months: Expression) -> str:
        """A number of months below zero without its sign."""
        constant = months.arguments[0] if isinstance(months, Apply) else months
        if not isinstance(constant, Constant) or not isinstance(constant.value, int | Fraction):
            raise TypeError(f"{months} is no number of months")
        return typed_text(-constant.value if constant.value < 0 else constant.value, constant.type)

    def _alike(self, same: bool, left: Expression, right: Expression) -> str:
        if isinstance(left, Constant):
            left, right = right, left
        if isinstance(right, Constant):
            wanted = bool(right.value) == same
            if isinstance(left, Reference):
                return self._stated(left, wanted)
            return self.text(left) if wanted else OPERATORS["not"].phrase([self.text(left)])
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
        if expression.operator == "count":
            members = f"{members} for whom" if is_person(group.label) else members
        else:
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


def _without_needless_leap(text: str, counted: Apply) -> str:
    """The text without the bracket at its end, where what that says cannot matter."""
    return text if leap_matters(counted) else text.rpartition(" (")[0]


def _says_one_thing(body: Expression) -> bool:
    """Whether one fact of the member is compared with what does not depend on the member, and nothing is denied."""
    match body:
        case Apply("<" | "<=" | ">" | ">=" | "==" | "between" | "in", (Reference(member=member), *others)):
            about = [each.member for other in others for each in references(other)]
            return member == THIS_MEMBER and THIS_MEMBER not in about and body.arguments[0].type != BOOLEAN
        case _:
            return False


def _ends_text(low: Value | None, high: Value | None, type_: Type, joint: str = "and") -> str:
    """`18 and 70 years`, `1 July and 31 August 2026`, `19 to 64 years`."""
    match low, high, type_:
        case date(), date(), _:
            return period_text(low, high, joint)
        case int() | Fraction(), int() | Fraction(), NumberType(unit):
            scale = scale_of(type_)
            return range_text(low / scale, high / scale, unit, typed_places([low, high], type_), joint)
        case _:
            raise TypeError(f"{low!r} and {high!r} are no ends of a range")


def _is_back(months: Expression) -> bool:
    """Whether a number of months is a constant below zero."""
    match months:
        case Constant(int() | Fraction() as number):
            return number < 0
        case Apply("negate", (Constant(int() | Fraction() as number),)):
            return number > 0
        case _:
            return False


def _category_text(value: str, values: tuple[str, ...]) -> str:
    """A category in a rule: in quotation marks where `is not` before it, or in it, could deny another one."""
    denied = re.match(r"not\b", value, re.IGNORECASE) or any(
        other.lower() == f"not {value.lower()}" for other in values
    )
    return quoted(value) if denied else typed_text(value, CategoryType(values))
