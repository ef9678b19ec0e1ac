"""Strategies for random typed expressions over a small world of attributes, parameters, tables and a group.

Every operator has at least one production here, and a test says so. Values aim at ties, zeros, bounds, month ends and
thresholds plus or minus one step. `expressions("boolean")` draws a condition, `expressions("money")` an amount; KINDS
lists the others. `worlds(e)` draws values for the cells and parameters that an expression reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st

from unco.solver.operators.table import AGGREGATES, OPERATORS
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain
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
    parameters,
    references,
)
from unco.specs.family import Slot
from unco.specs.values import (
    BOOLEAN,
    DATE,
    DAYS,
    MONTHS,
    NUMBER,
    PERCENT,
    PLAIN,
    YEARS,
    CategoryType,
    NumberType,
    Type,
    Unit,
    Value,
)

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
PHASES = tuple(phase for phase in Phase if phase is not Phase.explain)
"""How a law over expressions runs: large examples are wanted, and no explanation of a failure."""
CONTEXT = "now"
MEMBERS = 3
DEGREE = CategoryType(("DNP", "MSN", "BSN"))
AUD = Unit((("AUD", 1),), Fraction(1), "AUD")
AUD_PER_MONTH = Unit((("AUD", 1), ("calendar", -1)), Fraction(1), "AUD per month")
AUD_PER_YEAR = Unit((("AUD", 1), ("calendar", -1)), Fraction(1, 12), "AUD per year")
HOURS = Unit((("clock", 1),), Fraction(3600), "hours")
PERCENTAGE = NumberType(PERCENT)
MONEY = NumberType(AUD)

ORDERED_KINDS = ("plain", "percent", "money", "rate", "calendar", "clock", "date")
NUMBER_KINDS = ORDERED_KINDS[:-1]
KINDS = (*ORDERED_KINDS, "boolean", "degree")


def numbers(low: str, high: str, step: str, unit: Unit = PLAIN) -> NumberDomain:
    return NumberDomain(Fraction(low), Fraction(high), Fraction(step), unit)


CELLS: Mapping[str, tuple[str, Domain]] = {
    "yes": ("boolean", BooleanDomain()),
    "sure": ("boolean", BooleanDomain()),
    "degree": ("degree", CategoryDomain(DEGREE, DEGREE.values)),
    "second_degree": ("degree", CategoryDomain(DEGREE, ("BSN", "DNP"))),
    "count": ("plain", numbers("-3", "3", "1")),
    "size": ("plain", numbers("0", str(MEMBERS), "1")),
    "tie": ("plain", numbers("-5/2", "5/2", "1/2")),
    "eighth": ("plain", numbers("-1/4", "3/8", "1/8")),
    "share": ("percent", numbers("-25", "100", "25/2", PERCENT)),
    "pay": ("money", numbers("0", "30000.01", "6000.002", AUD)),
    "loss": ("money", numbers("-10", "10", "5/2", AUD)),
    "rent": ("rate", numbers("0", "2000", "500", AUD_PER_MONTH)),
    "salary": ("rate", numbers("0", "48000", "12000", AUD_PER_YEAR)),
    "service": ("calendar", numbers("0", "30", "1/2", YEARS.unit)),
    "notice": ("calendar", numbers("-14", "14", "1", MONTHS.unit)),
    "leave": ("clock", numbers("-40", "40", "1", DAYS.unit)),
    "shift": ("clock", numbers("0", "48", "12", HOURS)),
    "start": ("date", DateDomain(date(2023, 12, 29), date(2024, 3, 2))),
    "birth": ("date", DateDomain(date(2000, 2, 27), date(2000, 3, 2))),
    "century": ("date", DateDomain(date(1899, 12, 30), date(1900, 3, 2))),
    "first": ("date", DateDomain(date(1, 1, 1), date(1, 2, 2))),
    "last": ("date", DateDomain(date(9999, 11, 29), date(9999, 12, 31))),
}
MEMBER_CELLS: Mapping[str, tuple[str, Domain]] = {
    "age": ("calendar", numbers("17", "20", "1", YEARS.unit)),
    "income": ("money", numbers("-1", "1", "1/2", AUD)),
    "student": ("boolean", BooleanDomain()),
}
PARAMETERS: Mapping[str, tuple[str, Domain]] = {
    "limit": ("money", numbers("0", "30000.01", "6000.002", AUD)),
    "years": ("calendar", numbers("11", "13", "1", YEARS.unit)),
    "cutoff": ("date", DateDomain(date(2024, 2, 28), date(2024, 3, 1))),
    "floor": ("percent", numbers("0", "50", "25/2", PERCENT)),
}
CONSTANTS: Mapping[str, tuple[Value, ...]] = {
    "boolean": (True, False),
    "degree": DEGREE.values,
    "plain": (0, 1, -1, 2, 3, Fraction(1, 2), Fraction(-5, 2), Fraction(1, 8), 10**30, 10**30 + 1),
    "percent": (0, Fraction(1, 4), Fraction(-1, 8), 1, Fraction(1, 3)),
    "money": (0, 25_000, Fraction(3_000_001, 100), 6250, -10, Fraction(5, 2)),
    "rate": (0, 1500, 1000, Fraction(1, 3)),
    "calendar": (0, 12, 144, -1, 1, 2, Fraction(1, 2), 228, 12 * 9998),
    "clock": (0, 86_400, -86_400, 43_200, 29 * 86_400, 3600),
    "date": (
        date(2024, 2, 29),
        date(2024, 3, 1),
        date(2023, 2, 28),
        date(1, 1, 1),
        date(9999, 12, 31),
        date(2000, 2, 29),
    ),
}
CONSTANT_TYPES: Mapping[str, Type] = {
    "boolean": BOOLEAN,
    "plain": NUMBER,
    "percent": PERCENTAGE,
    "money": MONEY,
    "rate": NumberType(AUD_PER_YEAR),
    "calendar": YEARS,
    "clock": DAYS,
    "date": DATE,
}


def band(low: Value | None, high: Value | None, value: Value, ends: str = "[)") -> Band:
    return Band(low, ends[0] == "[", high, ends[1] == "]", value)


def row(key: Value, value: Value) -> Band:
    return Band(key, True, key, True, value)


WHOLE = Table("whole", "whole", NUMBER, NUMBER, (band(None, 0, -1, "()"), band(0, 2, 0), band(2, None, 7)))
GAPPED = Table("gapped", "gapped", NUMBER, MONEY, (band(-1, 0, 5, "()"), band(0, 1, 10, "(]"), band(2, 3, 20, "[]")))
OVERLAPPING = Table("overlapping", "overlapping", YEARS, PERCENTAGE, (band(0, 144, 0, "[]"), band(144, None, 1)))
BY_DEGREE = Table("by_degree", "by degree", DEGREE, MONEY, (row("DNP", 6250), row("BSN", -1)))
BY_YES = Table("by_yes", "by yes", BOOLEAN, DATE, (row(True, date(2024, 2, 29)), row(False, date(2024, 3, 31))))
BY_DATE = Table(
    "by_date",
    "by date",
    DATE,
    DEGREE,
    (band(None, date(2024, 2, 29), "MSN", "(]"), band(date(2024, 2, 29), date(2024, 3, 1), "DNP", "(]")),
)
OPEN_TIERS = Table(
    "open_tiers",
    "open tiers",
    MONEY,
    PERCENTAGE,
    (band(0, 10, 0), band(10, 25_000, Fraction(1, 10)), band(25_000, None, 1)),
)
CLOSED_TIERS = Table("closed_tiers", "closed tiers", NUMBER, MONEY, (band(0, 1, 2, "[]"), band(1, 2, -3, "(]")))
TABLES = (WHOLE, GAPPED, OVERLAPPING, BY_DEGREE, BY_YES, BY_DATE, OPEN_TIERS, CLOSED_TIERS)


@dataclass(frozen=True)
class Production:
    """An application of an operator that gives a kind, from arguments of kinds."""

    gives: str
    operator: str
    takes: tuple[str, ...]
    options: st.SearchStrategy[tuple[Any, ...]] = field(default_factory=lambda: st.just(()))


MODES = ("half_up", "half_even", "half_down", "up", "down", "floor", "ceiling")
ROUNDING = st.tuples(st.sampled_from([0, 0, 1, 2, -1, -3]), st.sampled_from(MODES))
MONTH_MODE = st.sampled_from([(), ("up",), ("down",)])


def _productions() -> list[Production]:
    found = []

    def give(kind: str, operator: str, *takes: str, options: st.SearchStrategy[tuple[Any, ...]] | None = None) -> None:
        found.append(Production(kind, operator, takes, st.just(()) if options is None else options))

    def look_up(kind: str, operator: str, key: str, table: Table) -> None:
        give(kind, operator, key, options=st.just((table,)))

    for junction in ("and", "or"):
        give("boolean", junction, "boolean", "boolean")
        give("boolean", junction, "boolean", "boolean", "boolean")
    give("boolean", "not", "boolean")
    for kind in KINDS:
        give(kind, "if", "boolean", kind, kind)
        left = "attribute" if kind == "degree" else kind
        give("boolean", "==", left, kind)
        give("boolean", "!=", left, kind)
        give("boolean", "in", left, kind, kind)
    for kind in ORDERED_KINDS:
        for sign in ("<", "<=", ">", ">="):
            give("boolean", sign, kind, kind)
        give("boolean", "between", kind, kind, kind)
        give(kind, "min", kind, kind)
        give(kind, "max", kind, kind, kind)
    for kind in NUMBER_KINDS:
        for sign in ("+", "-", "mod"):
            give(kind, sign, kind, kind)
        give(kind, "sum", kind, kind, kind)
        give(kind, "negate", kind)
        give(kind, "abs", kind)
        give(kind, "round", kind, options=ROUNDING)
        give(kind, "weighted_mean", kind, "plain", kind, "plain")
        give("plain", "/", kind, kind)
        give("plain", "//", kind, kind)
        give("percent", "percent_change", kind, kind)
        if kind not in ("plain", "percent"):
            give(kind, "*", kind, "plain")
            give(kind, "*", "percent", kind)
            give(kind, "/", kind, "plain")
    give("plain", "*", "plain", "plain")
    give("percent", "*", "percent", "percent")
    give("money", "*", "rate", "calendar")
    give("rate", "/", "money", "calendar")
    give("calendar", "/", "money", "rate")
    give("date", "+", "date", "clock")
    give("date", "-", "date", "clock")
    give("clock", "days_between", "date", "date")
    give("calendar", "years_between", "date", "date", options=MONTH_MODE)
    give("calendar", "months_between", "date", "date", options=MONTH_MODE)
    give("date", "add_months", "date", "calendar", options=MONTH_MODE)
    give("date", "month_start", "date")
    give("date", "month_end", "date")
    look_up("plain", "lookup", "plain", WHOLE)
    look_up("money", "lookup", "plain", GAPPED)
    look_up("percent", "lookup", "calendar", OVERLAPPING)
    look_up("money", "lookup", "degree", BY_DEGREE)
    look_up("date", "lookup", "boolean", BY_YES)
    look_up("degree", "lookup", "date", BY_DATE)
    look_up("money", "tiered", "money", OPEN_TIERS)
    look_up("money", "tiered", "plain", CLOSED_TIERS)
    give("plain", "count", "boolean")
    give("boolean", "any", "boolean")
    give("boolean", "all", "boolean")
    for kind in NUMBER_KINDS:
        give(kind, "total", kind)
    return found


PRODUCTIONS = tuple(_productions())


# Expressions ---------------------------------------------------------------------------------------------------------


@cache
def leaves(kind: str, inside: bool = False) -> st.SearchStrategy[Expression]:
    """Constants, references and parameters of a kind; `inside` a group, its members' attributes too.

    The kind `attribute` is a degree, but no literal: two literals are never compared.
    """
    if kind == "attribute":
        return st.sampled_from([Reference(name, 0, CONTEXT, DEGREE) for name in ("degree", "second_degree")])
    cells = [Reference(name, 0, CONTEXT, domain.type) for name, (of, domain) in CELLS.items() if of == kind]
    members = [
        Reference(name, THIS_MEMBER, CONTEXT, domain.type) for name, (of, domain) in MEMBER_CELLS.items() if of == kind
    ]
    open_ones = [ParameterReference(name, domain.type) for name, (of, domain) in PARAMETERS.items() if of == kind]
    fixed = [_constant(kind, value) for value in CONSTANTS[kind]]
    choices: list[list[Any]] = [cells, fixed, open_ones, *([members] * 2 if inside else [])]
    return st.one_of(*(st.sampled_from(choice) for choice in choices if choice))


def _constant(kind: str, value: Value) -> Constant:
    """A literal; that of a category has a type of its name alone."""
    return Constant(value, CategoryType((value,)) if isinstance(value, str) else CONSTANT_TYPES[kind])


@cache
def expressions(kind: str, depth: int = 3, inside: bool = False) -> st.SearchStrategy[Expression]:
    """Well-typed expressions of a kind (one of KINDS), with at most `depth` operators one in another."""
    if depth == 0 or kind == "attribute":
        return leaves(kind, inside)
    rows = [production for production in PRODUCTIONS if production.gives == kind]
    grown = st.sampled_from(rows).flatmap(lambda production: _applications(production, depth - 1, inside))
    return st.one_of(grown, leaves(kind, inside))


def applications(production: Production, depth: int = 0) -> st.SearchStrategy[Expression]:
    """Expressions with this production outermost."""
    return _applications(production, depth, False)


def _applications(production: Production, depth: int, inside: bool) -> st.SearchStrategy[Expression]:
    if production.operator in AGGREGATES:
        return _aggregates(production, depth)
    parts = st.tuples(*(expressions(kind, depth, inside) for kind in production.takes))
    return st.builds(
        lambda arguments, options: typed(production.operator, arguments, options), parts, production.options
    )


def typed(operator: str, arguments: tuple[Expression, ...], options: tuple[Any, ...] = ()) -> Apply:
    """An application with the type that the operator's signature gives it."""
    type_ = OPERATORS[operator].signature(tuple(argument.type for argument in arguments), options)
    return Apply(operator, arguments, type_, options)


def _aggregates(production: Production, depth: int) -> st.SearchStrategy[Expression]:
    sizes = st.sampled_from(
        [
            Reference("size", 0, CONTEXT, NUMBER),
            Reference("size", 0, CONTEXT, NUMBER),
            Reference("tie", 0, CONTEXT, NUMBER),
            *(Constant(number, NUMBER) for number in (0, 1, MEMBERS, MEMBERS + 1)),
        ]
    )

    def build(size: Expression, body: Expression) -> Expression:
        type_ = OPERATORS[production.operator].signature((size.type, body.type), ())
        return Aggregate(production.operator, "household", size, MEMBERS, body, type_)  # type: ignore[arg-type]

    return st.builds(build, sizes, expressions(production.takes[0], depth, True))


# Values --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """Values of all cells and parameters, as stored."""

    cells: Mapping[Slot, Value]
    parameters: Mapping[str, Value]


DOMAINS: Mapping[Slot, Domain] = {
    **{Slot(name, 0, CONTEXT): domain for name, (_, domain) in CELLS.items()},
    **{
        Slot(name, member, CONTEXT): domain
        for name, (_, domain) in MEMBER_CELLS.items()
        for member in range(1, MEMBERS + 1)
    },
}


def values_of(domain: Domain) -> st.SearchStrategy[Value]:
    """Values of a domain, its ends and middle often."""
    edges = sorted({0, domain.size - 1, domain.size // 2, min(1, domain.size - 1), max(0, domain.size - 2)})
    return st.one_of(st.sampled_from(edges), st.integers(0, domain.size - 1)).map(domain.value)


def worlds(*read_by: Expression) -> st.SearchStrategy[World]:
    """Values for every cell and parameter that the expressions read."""
    read = {reference for expression in read_by for reference in references(expression)}
    names = {(reference.attribute, reference.member) for reference in read}
    slots = [slot for slot in DOMAINS if {(slot.attribute, slot.member), (slot.attribute, THIS_MEMBER)} & names]
    open_ones = dict.fromkeys(name for expression in read_by for name in parameters(expression))
    return st.builds(
        World,
        st.fixed_dictionaries({slot: values_of(DOMAINS[slot]) for slot in slots}),
        st.fixed_dictionaries({name: values_of(PARAMETERS[name][1]) for name in open_ones}),
    )
