"""Facts and rules named in the author's terms, for a report: apart from the wording that is under test."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any, assert_never

from unco.compiler.reading.numerals import MONTH_NAMES
from unco.specs.domains import BooleanDomain, Domain, NumberDomain
from unco.specs.evidence import Between, Exact, Knowledge, Nothing, OneOf
from unco.specs.expression import parameters as parameters_of
from unco.specs.family import Calculation, Cell, Family, Rule
from unco.specs.instance import Instance
from unco.specs.values import Value


def tell_cell(family: Family, names: tuple[str, ...], cell: Cell) -> str:
    """`medical clearance (month: March 2026) of Ana Ruiz`, `age of household member 2 of Ana Ruiz`."""
    attribute = family.attribute_by_id[cell.attribute]
    context = f" ({attribute.context_kind}: {cell.context})" if cell.context else ""
    member = f" of {family.group_by_id[attribute.group].label} {cell.member}" if attribute.group else ""
    return f"{attribute.label}{context}{member} of {names[cell.candidate]}"


def tell_known(known: Knowledge | None, domain: Domain) -> str:
    """What is known, in plain words."""
    match known:
        case None:
            return "nothing that can be known of it"
        case Exact(value):
            return tell_value(value, domain)
        case OneOf(values):
            return "one of " + " / ".join(tell_value(value, domain) for value in values)
        case Between(low, high):
            return f"from {tell_value(low, domain)} to {tell_value(high, domain)}"
        case Nothing():
            return "that it is not stated"
        case _:
            assert_never(known)


def tell_value(value: Value, domain: Domain) -> str:
    """A value, in the words of its domain."""
    match domain:
        case BooleanDomain(words):
            return words[0] if value else words[1]
        case NumberDomain():
            unit = domain.unit.symbol
            return f"{_digits(value)}{unit if unit in ('', '%') else f' {unit}'}"
        case _:
            return tell_plain(value)


def tell_plain(value: object) -> str:
    """A value without its unit."""
    match value:
        case bool():
            return "true" if value else "false"
        case date():
            return f"{value.day} {MONTH_NAMES[value.month - 1]} {value.year}"
        case int() | Fraction():
            return _digits(value)
        case _:
            return str(value)


def _digits(value: Any) -> str:
    number = Fraction(value)
    for places in range(10):
        scaled = number * 10**places
        if scaled.denominator == 1:
            whole, rest = divmod(abs(scaled.numerator), 10**places)
            sign = "-" if number < 0 else ""
            return f"{sign}{whole:,}" + (f".{rest:0{places}}" if places else "")
    return f"{number.numerator:,}/{number.denominator:,}"


def tell_rule(rule: Rule | Calculation, family: Family, instance: Instance) -> str:
    """The rule as its author wrote it, with the thresholds of the instance that it reads."""
    domains = {parameter.id: parameter.domain for parameter in family.parameters}
    values: Mapping[str, Value] = instance.parameters
    told = [f"{name} = {tell_value(values[name], domains[name])}" for name in parameters_of(rule.expression)]
    return f"{rule.source} with {', '.join(told)}" if told else rule.source
