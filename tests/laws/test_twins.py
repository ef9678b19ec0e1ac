"""The law of the twins: the encoding has exactly the value of the interpreter, and both agree on what is undefined."""

from __future__ import annotations

from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.expression_strategies import (
    DOMAINS,
    KINDS,
    PARAMETERS,
    PHASES,
    PRODUCTIONS,
    QUIET,
    Production,
    World,
    applications,
    expressions,
    worlds,
)
from unco.solver.any_term import same
from unco.solver.encode import Encoder, declare, equal, literal, stored
from unco.solver.interpret import Undefined, interpret
from unco.solver.operators.table import OPERATORS
from unco.solver.operators.tables import constant_term
from unco.specs.domains import Domain
from unco.specs.expression import Expression
from unco.specs.values import Value

CONTEXT = z3.Context()
"""Not the main context: a term that strays into that one would raise."""
BUDGET = 20_000_000
"""Solver resources for a question whose inputs are all fixed."""


def outcome(expression: Expression, world: World) -> Value | None:
    """The interpreter's value, or None where it says undefined."""
    try:
        return interpret(expression, world.cells, world.parameters)
    except Undefined:
        return None


def possible(*parts: Any) -> bool:
    solver = z3.Solver(ctx=CONTEXT)
    solver.set("rlimit", BUDGET)
    solver.add(*parts)
    found = solver.check()
    assert found != z3.unknown, solver.reason_unknown()
    return bool(found == z3.sat)


def check_with_unknowns(expression: Expression, world: World) -> None:
    """Cells and parameters are variables, constrained to the world: the solver has to find the value."""
    cells = {slot: declare(z3, DOMAINS[slot], repr(slot), CONTEXT) for slot in world.cells}
    names = {name: declare(z3, PARAMETERS[name][1], f"parameter.{name}", CONTEXT) for name in world.parameters}
    ties = [cells[slot].is_value(world.cells[slot]) for slot in cells]
    ties += [names[name].is_value(world.parameters[name]) for name in names]
    ties += [variable.constraint for variable in (*cells.values(), *names.values())]
    encoder = Encoder(z3, lambda slot: cells[slot].term, lambda name: names[name].term, CONTEXT)
    value, term, defined = outcome(expression, world), encoder.encode(expression), encoder.defined(expression)
    if value is None:
        assert not possible(defined, *ties)
        return
    agrees = equal(z3, term, literal(z3, value, expression.type, CONTEXT), CONTEXT)
    assert possible(agrees, *ties)
    assert not possible(z3.Not(z3.And(agrees, defined)), *ties)


def check_with_known(expression: Expression, world: World) -> None:
    """Cells and parameters are known: the encoding folds to the value."""
    encoder = Encoder(
        z3,
        lambda slot: stored(z3, world.cells[slot], DOMAINS[slot].type),
        lambda name: stored(z3, world.parameters[name], PARAMETERS[name][1].type),
    )
    value, defined = outcome(expression, world), encoder.fold_defined(expression)
    assert defined is (value is not None)
    if value is None:
        return
    assert same(z3, encoder.fold(expression), constant_term(value, expression.type)) is True


def _name(production: Production) -> str:
    return f"{production.operator}({','.join(production.takes)})"


EACH_PRODUCTION = pytest.mark.parametrize("production", PRODUCTIONS, ids=_name)
EACH_KIND = pytest.mark.parametrize("kind", KINDS)


@EACH_PRODUCTION
@settings(max_examples=12, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_every_row_folds_to_the_value_of_the_interpreter(production: Production, data: st.DataObject) -> None:
    expression = data.draw(applications(production))
    check_with_known(expression, data.draw(worlds(expression)))


@EACH_PRODUCTION
@settings(max_examples=4, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_every_row_has_the_value_of_the_interpreter_and_no_other(production: Production, data: st.DataObject) -> None:
    expression = data.draw(applications(production))
    check_with_unknowns(expression, data.draw(worlds(expression)))


@EACH_KIND
@settings(max_examples=60, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_whole_expressions_fold_to_the_value_of_the_interpreter(kind: str, data: st.DataObject) -> None:
    expression = data.draw(expressions(kind))
    check_with_known(expression, data.draw(worlds(expression)))


@EACH_KIND
@settings(max_examples=25, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_whole_expressions_have_the_value_of_the_interpreter_and_no_other(kind: str, data: st.DataObject) -> None:
    expression = data.draw(expressions(kind, 2))
    check_with_unknowns(expression, data.draw(worlds(expression)))


@pytest.mark.laws
@EACH_PRODUCTION
@settings(max_examples=60, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_every_row_obeys_the_law_in_depth(production: Production, data: st.DataObject) -> None:
    expression = data.draw(applications(production, 1))
    world = data.draw(worlds(expression))
    check_with_known(expression, world)
    check_with_unknowns(expression, world)


@pytest.mark.laws
@EACH_KIND
@settings(max_examples=400, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_whole_expressions_obey_the_law_in_depth(kind: str, data: st.DataObject) -> None:
    expression = data.draw(expressions(kind, 4))
    world = data.draw(worlds(expression))
    check_with_known(expression, world)
    check_with_unknowns(expression, world)


def test_every_row_has_a_production() -> None:
    assert {production.operator for production in PRODUCTIONS} == set(OPERATORS)


SMALL = [pytest.param(domain, id=slot.attribute) for slot, domain in DOMAINS.items() if slot.member in (0, 1)]


@pytest.mark.parametrize("domain", SMALL)
@settings(max_examples=8, suppress_health_check=QUIET, phases=PHASES)
@given(data=st.data())
def test_a_variable_takes_the_values_of_its_domain_and_decodes_them(domain: Domain, data: st.DataObject) -> None:
    context = z3.Context()
    variable = declare(z3, domain, "v", context)
    value = domain.value(data.draw(st.integers(0, domain.size - 1)))
    solver = z3.Solver(ctx=context)
    solver.add(variable.constraint, variable.is_value(value))
    assert solver.check() == z3.sat
    assert variable.decode(solver.model()) == value
    solver.add(z3.Not(equal(z3, variable.term, stored(z3, value, domain.type, context), context)))
    assert solver.check() == z3.unsat
