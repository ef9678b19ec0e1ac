"""Closures read the language as the interpreter does: the same values, and undefined where it is."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.expression_strategies import (
    DOMAINS,
    KINDS,
    PARAMETERS,
    PRODUCTIONS,
    Production,
    World,
    applications,
    expressions,
    worlds,
)
from tests.families import shipped
from unco.solver.closures.parts import Frame, Name, Truth
from unco.solver.closures.reading import Reading
from unco.solver.closures.rounding import RULES, rounded
from unco.solver.closures.sums import exactly, times
from unco.solver.interpret import Undefined, interpret, round_exact
from unco.solver.judge import result
from unco.specs.expression import Constant, Expression
from unco.specs.shipped import shipped_specifications
from unco.specs.values import NUMBER, Value

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
PHASES = tuple(phase for phase in Phase if phase is not Phase.explain)
FRAME = Frame(tuple(DOMAINS), tuple(PARAMETERS), (*DOMAINS.values(), *(domain for _, domain in PARAMETERS.values())))


def name_of(production: Production) -> str:
    return f"{production.operator}({','.join(production.takes)})"


def by_interpreter(expression: Expression, world: World) -> Value | None:
    try:
        value = interpret(expression, world.cells, world.parameters)
    except Undefined:
        return None
    return value.toordinal() if isinstance(value, date) else value


def by_closure(expression: Expression, world: World) -> Value | None:
    places = [domain.index(world.cells.get(slot, domain.value(0))) for slot, domain in DOMAINS.items()]
    places += [domain.index(world.parameters.get(name, domain.value(0))) for name, (_, domain) in PARAMETERS.items()]
    row = [place for place in places if place is not None]
    assert len(row) == len(places)
    try:
        part = Reading(FRAME).part(expression)
        match part:
            case Truth():
                assert part.known in (None, bool(part.read(row)))
                return bool(part.read(row))
            case Name():
                return part.read(row)
            case _:
                return exactly(part)(row)
    except Undefined:
        return None


def agree(expression: Expression, world: World) -> None:
    expected, found = by_interpreter(expression, world), by_closure(expression, world)
    assert (isinstance(found, bool), found) == (isinstance(expected, bool), expected)


EACH_PRODUCTION = pytest.mark.parametrize("production", PRODUCTIONS, ids=name_of)


@EACH_PRODUCTION
@settings(max_examples=12, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_closures_read_every_operator_as_the_interpreter_does(production: Production, data: st.DataObject) -> None:
    expression = data.draw(applications(production))
    agree(expression, data.draw(worlds(expression)))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_closures_read_whole_expressions_as_the_interpreter_does(kind: str, data: st.DataObject) -> None:
    expression = data.draw(expressions(kind))
    agree(expression, data.draw(worlds(expression)))


@pytest.mark.laws
@EACH_PRODUCTION
@settings(max_examples=300, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_closures_read_every_operator_alike_in_depth(production: Production, data: st.DataObject) -> None:
    expression = data.draw(applications(production, 2))
    agree(expression, data.draw(worlds(expression)))


@pytest.mark.parametrize("mode", RULES)
def test_closures_round_ties_and_both_signs_as_the_interpreter_does(mode: str) -> None:
    for eighths in range(-24, 25):
        for places in (-1, 0, 1, 2):
            number = Fraction(eighths, 8) if places >= 0 else Fraction(eighths * 10, 8)
            read = rounded(Reading(FRAME).number(Constant(number, NUMBER)), places, mode)
            assert Fraction(read([])) / Fraction(10) ** places == round_exact(number, places, mode)


@pytest.mark.parametrize("name", shipped_specifications())
def test_closures_read_every_rule_of_a_shipped_family_as_the_interpreter_does(name: str) -> None:
    family, rng = shipped(name), Random(name)
    frame = Frame.of(family)
    rules = [*family.conditions, *family.consistency, *family.plan.winner]
    truths = [(rule.expression, Reading(frame).truth(rule.expression)) for rule in rules]
    calculation = family.calculation
    amount = rounded(
        times(Reading(frame).number(calculation.expression), 1 / calculation.unit.scale),
        calculation.places,
        calculation.mode,
    )
    for _ in range(300):
        row = [rng.choice((0, domain.size - 1, rng.randrange(domain.size))) for domain in frame.domains]
        values = [domain.value(place) for domain, place in zip(frame.domains, row, strict=True)]
        cells = dict(zip(frame.slots, values, strict=False))
        parameters = dict(zip(frame.parameters, values[frame.cells :], strict=True))
        world = World(cells, parameters)
        for expression, truth in truths:
            try:
                found: bool | None = bool(truth.read(row))
            except Undefined:
                found = None
            assert found == by_interpreter(expression, world)
        try:
            expected: Fraction | None = Fraction(result(family, cells, parameters))
        except Undefined:
            expected = None
        try:
            shown: Fraction | None = Fraction(amount(row)) / 10**calculation.places
        except Undefined:
            shown = None
        assert shown == expected
