"""The laws of the checker: its own reading of the language is the interpreter's, value by value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from generated_laws import any_instance, deeply, law, seeds
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from specification_strategies import family_of, specifications

from tests.expression_strategies import (
    DOMAINS,
    KINDS,
    MODES,
    OVERLAPPING,
    PARAMETERS,
    PHASES,
    PRODUCTIONS,
    QUIET,
    TABLES,
    Production,
    World,
    applications,
    expressions,
    worlds,
)
from unco.compiler.canonical import canonical, expression_tree, table_tree
from unco.compiler.checker import verify as checker
from unco.solver.harmless import harmless
from unco.solver.interpret import Undefined, interpret
from unco.solver.judge import judge, violations
from unco.solver.operators.table import AGGREGATES, OPERATORS
from unco.specs.document import Specification
from unco.specs.domains import BooleanDomain, DateDomain, Domain, NumberDomain, exact
from unco.specs.evidence import NOTHING, Between, Knowledge, OneOf
from unco.specs.expression import Apply, Constant, Expression, Table, scale_of, walk
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup, Harmless, Incomplete
from unco.specs.instance import Instance, NoWinner, SeveralEligible, Winner
from unco.specs.stored import store_group
from unco.specs.values import BOOLEAN, DATE, NUMBER, CategoryType, Value
from unco.specs.verdict import Proved


def as_read(data: Any) -> Any:
    """Plain data as the checker reads it from a file."""
    return checker.parse_json(json.dumps(data))


LANGUAGE = checker.Language({table.name: checker.Table(as_read(table_tree(table))) for table in TABLES})


def by_interpreter(expression: Expression, world: World) -> Value | None:
    try:
        return interpret(expression, world.cells, world.parameters)
    except Undefined:
        return None


def by_checker(expression: Expression, world: World, language: checker.Language = LANGUAGE) -> Value | None:
    """The checker's value, or None where it says undefined."""
    facts = {tuple(slot): based(value, DOMAINS[slot]) for slot, value in world.cells.items()}
    parameters = {name: based(value, PARAMETERS[name][1]) for name, value in world.parameters.items()}
    meaning = language.meaning(as_read(expression_tree(expression)))
    try:
        found: Value = meaning(checker.World(facts, parameters))  # type: ignore[arg-type]
    except checker.Undefined:
        return None
    return found


def based(value: Value, domain: Domain) -> Value:
    """A stored value in base units."""
    if isinstance(domain, NumberDomain):
        assert isinstance(value, int | Fraction)
        return checker.whole(value * scale_of(domain.type))  # type: ignore[no-any-return]
    return value


def kind_of(value: Value | None) -> type:
    return int if isinstance(value, Fraction) else type(value)


def agree(expression: Expression, world: World) -> None:
    """Both readings have the same value, of the same kind, or none. An overlapping table never passes a check."""
    if any(isinstance(part, Apply) and OVERLAPPING in part.options for part in walk(expression)):
        return
    found, expected = by_checker(expression, world), by_interpreter(expression, world)
    assert (kind_of(found), found) == (kind_of(expected), expected)


def name_of(production: Production) -> str:
    return f"{production.operator}({','.join(production.takes)})"


EACH_PRODUCTION = pytest.mark.parametrize("production", PRODUCTIONS, ids=name_of)
EACH_KIND = pytest.mark.parametrize("kind", KINDS)


@EACH_PRODUCTION
@settings(max_examples=12, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_the_checker_reads_every_operator_as_the_interpreter_does(production: Production, data: st.DataObject) -> None:
    expression = data.draw(applications(production))
    agree(expression, data.draw(worlds(expression)))


@EACH_KIND
@settings(max_examples=40, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_the_checker_reads_whole_expressions_as_the_interpreter_does(kind: str, data: st.DataObject) -> None:
    expression = data.draw(expressions(kind))
    agree(expression, data.draw(worlds(expression)))


@pytest.mark.laws
@EACH_PRODUCTION
@settings(max_examples=400, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_the_checker_reads_every_operator_alike_in_depth(production: Production, data: st.DataObject) -> None:
    expression = data.draw(applications(production, 2))
    agree(expression, data.draw(worlds(expression)))


# What random values seldom meet --------------------------------------------------------------------------------------


def literal(value: Value) -> Constant:
    """A constant of the plainest type."""
    if isinstance(value, bool):
        return Constant(value, BOOLEAN)
    if isinstance(value, str):
        return Constant(value, CategoryType((value,)))
    return Constant(value, DATE if isinstance(value, date) else NUMBER)


EXAMPLES = [
    pytest.param(Apply(name, tuple(map(literal, each.arguments)), NUMBER, each.options), id=f"{name} {number}")
    for name, operator in OPERATORS.items()
    if name not in AGGREGATES
    for number, each in enumerate(operator.examples)
    if each.options or name != "round"
]


@pytest.mark.parametrize("expression", EXAMPLES)
def test_the_checker_agrees_with_every_example_of_the_reference(expression: Apply) -> None:
    tables = [option for option in expression.options if isinstance(option, Table)]
    language = checker.Language({table.name: checker.Table(as_read(table_tree(table))) for table in tables})
    found = by_checker(expression, World({}, {}), language)
    expected = by_interpreter(expression, World({}, {}))
    assert (kind_of(found), found) == (kind_of(expected), expected)


@pytest.mark.parametrize("mode", MODES)
def test_the_checker_rounds_ties_and_negatives_as_the_interpreter_does(mode: str) -> None:
    for eighths, places in product(range(-40, 41), (-1, 0, 1, 2)):
        number = exact(Fraction(eighths, 8))
        agree(Apply("round", (Constant(number, NUMBER),), NUMBER, (places, mode)), World({}, {}))


@pytest.mark.parametrize("year", [1, 1900, 2000, 2023, 2024, 9999])
def test_the_checker_counts_months_and_years_as_the_interpreter_does(year: int) -> None:
    days = [date(year, month, day) for month, day in ((1, 31), (2, 27), (2, 28), (3, 1), (8, 31), (12, 31))]
    days += [date(year, 2, 29)] if year in (2000, 2024) else []
    for day, mode in product(days, ("up", "down")):
        for months in (-13, -12, -1, 0, 1, 6, 12, 48):
            agree(Apply("add_months", (literal(day), literal(months)), DATE, (mode,)), World({}, {}))
        for other, name in product(days, ("years_between", "months_between")):
            agree(Apply(name, (literal(day), literal(other)), NUMBER, (mode,)), World({}, {}))
        for name in ("month_end", "month_start"):
            agree(Apply(name, (literal(day),), DATE), World({}, {}))


# Instances -----------------------------------------------------------------------------------------------------------


def read_by_checker(family: Family, group: CandidateGroup, faults: list[tuple[Any, ...]]) -> checker.Group:
    specification = checker.Specification(as_read(canonical(family)))
    return checker.Group(
        specification, as_read(store_group(group)), checker.Counts(), lambda *told: faults.append(told)
    )


def bare(instance: Instance, coarse: tuple[Incomplete, ...] = ()) -> CandidateGroup:
    """A group of the instance without defects."""
    return CandidateGroup(0, instance, NoWinner(), None, None, None, None, Harmless(coarse))


@law(40, 2_000, specification=specifications(), seed=seeds)
def test_the_checker_judges_any_instance_as_the_interpreter_does(specification: Specification, seed: int) -> None:
    family = family_of(specification)
    instance = any_instance(family, Random(seed))
    group = read_by_checker(family, bare(instance), [])
    expected = {violation.candidate for violation in violations(family, instance)}
    assert {who for who, each in enumerate(group.instance.judged) if each.illegal} == expected
    if expected:
        return
    match judge(family, instance):
        case Winner(candidate, result):
            assert group.gold == (candidate, result)
        case NoWinner():
            assert group.gold is None
        case SeveralEligible(candidates):
            assert group.gold == list(candidates)


# Harmless facts ------------------------------------------------------------------------------------------------------


def vague(family: Family, instance: Instance, rng: Random) -> Incomplete:
    """Coarse knowledge of one attribute, true of every candidate."""
    usable = [each for each in family.attributes if not each.group and each.id not in sizes(family)]
    assume(usable)
    attribute = rng.choice(usable)
    cells = [cell for cell in family.cells if (cell.attribute, cell.context) == (attribute.id, attribute.required)]
    return Incomplete(attribute.id, {cell: _knowledge(attribute.domain, instance.cells[cell], rng) for cell in cells})


def sizes(family: Family) -> set[str | None]:
    return {group.size_attribute for group in family.groups}


def _knowledge(domain: Domain, value: Value, rng: Random) -> Knowledge:
    if isinstance(domain, BooleanDomain) or domain.size < 2 or rng.random() < 0.2:
        return NOTHING
    place = domain.index(value)
    assert place is not None
    low, high = rng.randint(max(0, place - 3), place), rng.randint(place, min(domain.size - 1, place + 3))
    if low == high:
        low, high = (low - 1, high) if low else (low, high + 1)
    if isinstance(domain, NumberDomain | DateDomain):
        return Between(domain.value(low), domain.value(high))
    return OneOf(tuple(domain.value(index) for index in range(low, high + 1)))


def is_settled(family: Family, instance: Instance, coarse: Mapping[Cell, Knowledge], by: checker.Group) -> bool:
    """Whether no condition and no result changes, by trying every value behind the coarse facts."""
    for who in range(family.candidates):
        own = {cell: by.harmless[cell] for cell in coarse if cell.candidate == who}
        found = set()
        for values in product(*(known.values() for known in own.values())):
            after = instance.changed(dict(zip(own, values, strict=True)))
            facts = after.candidate(who)
            met = tuple(interpret(rule.expression, facts, after.parameters) for rule in family.conditions)
            outcome = judge(family, after)
            found.add((met, outcome if isinstance(outcome, Winner) and outcome.candidate == who else None))
        if len(found) > 1:
            return False
    return True


@law(40, 2_000, specification=specifications("tiny", "small"), seed=seeds)
def test_facts_are_harmless_to_the_checker_where_they_are_harmless(specification: Specification, seed: int) -> None:
    family, rng = family_of(specification), Random(seed)
    instance = any_instance(family, rng)
    assume(not violations(family, instance))
    coarse = vague(family, instance, rng)
    group = bare(instance, (coarse,))
    faults: list[tuple[Any, ...]] = []
    read = read_by_checker(family, group, faults)
    assume(all(known.size <= 60 for known in read.harmless.values()))
    assume(not isinstance(judge(family, instance), SeveralEligible))
    try:
        settled = is_settled(family, instance, coarse.coarse, read)
    except Undefined:
        assume(False)
    read.check_harmless("harmless")
    unsettled = [told for told in faults if "settled" in told[1]]
    assert bool(unsettled) is not settled
    if isinstance(harmless(family, group), Proved):
        assert settled


test_deeply = deeply(__name__)
