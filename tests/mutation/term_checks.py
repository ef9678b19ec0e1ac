"""Checks of expressions and variables: what they are at known values, put in place of their unknowns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import z3

from tests.expression_strategies import (
    BY_DATE,
    BY_DEGREE,
    BY_YES,
    CLOSED_TIERS,
    DEGREE,
    DOMAINS,
    MEMBERS,
    OPEN_TIERS,
    OVERLAPPING,
    PARAMETERS,
    World,
    typed,
)
from tests.mutation.fate import Check
from unco.solver.any_term import same
from unco.solver.encode import Encoder, declare, equal, literal, stored
from unco.solver.interpret import Undefined, based, interpret
from unco.solver.operators.tables import constant_term
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain
from unco.specs.expression import (
    THIS_MEMBER,
    Aggregate,
    Constant,
    Expression,
    ParameterReference,
    Reference,
    parameters,
    references,
)
from unco.specs.family import Slot
from unco.specs.values import BOOLEAN, NUMBER, CategoryType, NumberType, Unit, Value

CONTEXT = "now"

# Expressions ---------------------------------------------------------------------------------------------------------


def cell(name: str, member: int = 0) -> Reference:
    """A cell of the world."""
    return Reference(name, member, CONTEXT, DOMAINS[Slot(name, 1 if member else 0, CONTEXT)].type)


def number(value: int | Fraction) -> Constant:
    return Constant(value, NUMBER)


def op(name: str, *parts: Expression, options: tuple[Any, ...] = ()) -> Expression:
    return typed(name, parts, options)


def of_members(name: str, body: Expression, size: Expression | None = None) -> Expression:
    group = size or cell("size")
    type_ = body.type if name == "total" else BOOLEAN if name in ("any", "all") else NUMBER
    return Aggregate(name, "household", group, MEMBERS, body, type_)  # type: ignore[arg-type]


def expressions() -> Iterator[Expression]:
    """Expressions in which parts are undefined, guarded, shown in other units, or have unknown denominators."""
    count, tie, eighth, size = (cell(name) for name in ("count", "tie", "eighth", "size"))
    yes, sure, student = cell("yes"), cell("sure"), cell("student", THIS_MEMBER)
    start, birth, service = cell("start"), cell("birth"), cell("service")
    ratio, other = op("/", eighth, count), op("/", tie, size)
    positive, much = op(">", count, number(0)), op(">=", ratio, number(Fraction(1, 8)))
    yield from (op("+", ratio, other), op("-", ratio, other), op("*", ratio, other), op("/", ratio, other))
    yield from (op(sign, ratio, other) for sign in ("==", "!=", "<", "<=", ">", ">=", "min", "max", "mod", "//"))
    yield op("if", yes, ratio, other)
    yield op("if", yes, ratio, tie)
    yield op("if", yes, tie, ratio)
    yield op("sum", ratio, tie, eighth)
    yield from (op("and", positive, much), op("or", op("not", positive), much), op("and", much, positive))
    yield from (op("and", yes, positive, much), op("or", yes, sure, much), op("or", much, yes))
    yield op("and", op("or", yes, much), sure)
    yield op("if", positive, ratio, number(-1))
    yield op("if", much, number(1), number(2))
    yield op("if", op("<=", count, number(0)), number(-1), ratio)
    yield op("if", yes, sure, op("not", sure))
    yield op("if", yes, op("and", sure, positive), Constant(False, BOOLEAN))
    yield op("if", yes, Constant(True, BOOLEAN), sure)
    yield op("if", sure, yes, Constant(True, BOOLEAN))
    yield op("if", sure, Constant(False, BOOLEAN), yes)
    yield from (op("==", yes, sure), op("==", yes, Constant(True, BOOLEAN)), op("==", Constant(False, BOOLEAN), sure))
    yield op("abs", op("negate", ratio))
    yield from (op("round", service, options=(0, mode)) for mode in ("half_even", "up", "floor"))
    yield op("round", op("/", cell("pay"), tie), options=(2, "half_up"))
    yield op("round", cell("notice"), options=(-1, "half_down"))
    yield op("round", cell("share"), options=(1, "half_even"))
    yield op("<=", service, ParameterReference("years", PARAMETERS["years"][1].type))
    yield op("<", cell("pay"), ParameterReference("limit", PARAMETERS["limit"][1].type))
    yield op(">=", start, ParameterReference("cutoff", PARAMETERS["cutoff"][1].type))
    yield op("*", ParameterReference("floor", PARAMETERS["floor"][1].type), cell("pay"))
    yield op("+", start, cell("leave"))
    yield op("-", cell("first"), cell("leave"))
    yield op("<", op("+", start, cell("leave")), Constant(date(2024, 2, 29), start.type))
    yield op("if", yes, op("+", start, Constant(86_400, cell("leave").type)), birth)
    yield op("==", op("+", start, Constant(-40 * 86_400, cell("leave").type)), start)
    yield from (op("add_months", start, cell("notice"), options=(mode,)) for mode in ("up", "down"))
    yield op("add_months", cell("last"), cell("notice"), options=("up",))
    yield op("month_end", op("add_months", birth, Constant(1, cell("notice").type)))
    yield op("days_between", birth, op("month_end", start))
    yield op("years_between", birth, op("add_months", start, Constant(-13, cell("notice").type)), options=("up",))
    yield op("month_start", cell("century"))
    yield op("max", start, birth, cell("century"))
    yield op("min", start, op("month_end", start))
    yield op("==", cell("degree"), cell("second_degree"))
    yield op("==", cell("second_degree"), cell("degree"))
    yield op("in", cell("degree"), Constant("MSN", CategoryType(("MSN",))), cell("second_degree"))
    yield op("if", yes, cell("degree"), cell("second_degree"))
    yield op("if", yes, Constant("BSN", CategoryType(("BSN",))), Constant("DNP", CategoryType(("DNP",))))
    yield op("lookup", cell("degree"), options=(BY_DEGREE,))
    yield op("==", op("lookup", start, options=(BY_DATE,)), cell("degree"))
    yield op("lookup", yes, options=(BY_YES,))
    yield op("lookup", service, options=(OVERLAPPING,))
    yield op("tiered", cell("loss"), options=(OPEN_TIERS,))
    yield op("tiered", tie, options=(CLOSED_TIERS,))
    yield from (of_members(name, student) for name in ("count", "any", "all"))
    yield of_members("total", cell("income", THIS_MEMBER))
    yield of_members("all", op("and", student, op(">", op("/", number(1), count), number(0))))
    yield of_members("count", student, tie)
    yield of_members("count", student, op("/", count, tie))
    yield of_members("count", student, op("+", size, number(1)))
    yield of_members("any", op(">=", cell("age", THIS_MEMBER), Constant(216, cell("age", THIS_MEMBER).type)), number(2))
    yield op("if", of_members("any", student), cell("age", 2), service)


def worlds(expression: Expression, rng: Random) -> Iterator[World]:
    """Values for what the expression reads: ends often."""
    read = {(each.attribute, each.member) for each in references(expression)}
    slots = [each for each in DOMAINS if {(each.attribute, each.member), (each.attribute, THIS_MEMBER)} & read]

    def value(domain: Domain) -> Value:
        ends = (0, domain.size - 1, domain.size // 2)
        return domain.value(rng.choice(ends) if rng.random() < 0.5 else rng.randrange(domain.size))

    for _ in range(14):
        names = dict.fromkeys(parameters(expression))
        yield World(
            {slot: value(DOMAINS[slot]) for slot in slots}, {each: value(PARAMETERS[each][1]) for each in names}
        )


def in_both_twins(expression: Expression, seen: list[World]) -> list[object]:
    """The values by the interpreter; the encoding has them, known and with the values put in place of unknowns."""
    context = z3.Context()
    cells = {slot: declare(z3, DOMAINS[slot], repr(slot), context) for slot in seen[0].cells}
    names = {name: declare(z3, PARAMETERS[name][1], name, context) for name in seen[0].parameters}
    encoder = Encoder(z3, lambda slot: cells[slot].term, lambda name: names[name].term, context)
    term, defined = encoder.encode(expression), encoder.defined(expression)
    found: list[object] = []
    for world in seen:
        value = _value(expression, world)
        found.append((type(value).__name__, value))
        pairs = [pair for slot in cells for pair in cells[slot].substitution(world.cells[slot])]
        pairs += [pair for name in names for pair in names[name].substitution(world.parameters[name])]
        agrees = defined
        if value is not None:
            equals = equal(z3, term, literal(z3, value, expression.type, context), context)
            agrees = z3.And(defined, equals)
        told = z3.simplify(z3.substitute(agrees, *pairs)) if pairs else z3.simplify(agrees)
        assert z3.is_true(told) if value is not None else z3.is_false(told)
        _known(expression, world, value)
    return found


def _value(expression: Expression, world: World) -> Value | None:
    try:
        return interpret(expression, world.cells, world.parameters)
    except Undefined:
        return None


def _known(expression: Expression, world: World, value: Value | None) -> None:
    """With everything known, nothing is left for a solver."""
    encoder = Encoder(
        z3,
        lambda slot: stored(z3, world.cells[slot], DOMAINS[slot].type),
        lambda name: stored(z3, world.parameters[name], PARAMETERS[name][1].type),
    )
    assert encoder.fold_defined(expression) is (value is not None)
    if value is not None:
        assert same(z3, encoder.fold(expression), constant_term(value, expression.type)) is True


# Variables -----------------------------------------------------------------------------------------------------------

VARIABLES: dict[str, Domain] = {
    "boolean": BooleanDomain(),
    "category": CategoryDomain(DEGREE, DEGREE.values),
    "part of a category": CategoryDomain(DEGREE, ("BSN", "DNP")),
    "number": NumberDomain(Fraction(-1, 2), Fraction(5, 2), Fraction(3, 4), NUMBER.unit),
    "years": DOMAINS[Slot("age", 1, CONTEXT)],
    "date": DateDomain(date(2023, 12, 30), date(2024, 3, 1)),
    "whole years": DateDomain(date(2023, 1, 1), date(2024, 12, 31)),
    "century": DateDomain(date(1900, 2, 27), date(1900, 3, 2)),
}


def values_of(name: str) -> list[object]:
    """The values that a variable takes: those of its domain, each by its own symbols, and no others."""
    domain, context = VARIABLES[name], z3.Context()
    variable = declare(z3, domain, "v", context)
    values = [domain.value(index) for index in range(domain.size)]
    few = values[:3] + values[-3:]
    solver = z3.Solver(ctx=context)
    solver.add(variable.constraint)
    found: list[object] = []
    for value in few:
        solver.push()
        solver.add(variable.is_value(value))
        assert solver.check() == z3.sat
        found.append(variable.decode(solver.model()))
        told = equal(z3, variable.term, stored(z3, value, domain.type, context), context)
        assert z3.is_true(z3.simplify(z3.substitute(told, *variable.substitution(value))))
        solver.add(z3.Not(told))
        assert solver.check() == z3.unsat
        solver.pop()
    solver.add(*(z3.Not(variable.is_value(value)) for value in values))
    assert solver.check() == z3.unsat
    return found


def outside(name: str) -> list[object]:
    """What is asserted of the symbols themselves, one step beyond each end."""
    domain, context = VARIABLES[name], z3.Context()
    variable = declare(z3, domain, "v", context)
    found: list[object] = [str(variable.is_value("nothing")), getattr(variable.term, "years", None)]
    if isinstance(domain, DateDomain):
        days = [domain.low - timedelta(1), domain.low, domain.high, domain.high + timedelta(1)]
        parts = [(day.year, day.month, day.day) for day in days]
        parts += [(2023, 2, 29), (1900, 2, 29), (2024, 2, 0), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0), (2024, 1, 32)]
    else:
        parts = [(each,) for each in (-1, 0, domain.size - 1, domain.size)]
    for part in parts if not isinstance(domain, BooleanDomain) else ():
        pairs = [(symbol, z3.IntVal(value, context)) for symbol, value in zip(variable.symbols, part, strict=True)]
        found.append(str(z3.simplify(z3.substitute(variable.constraint, *pairs))))
        solver = z3.Solver(ctx=context)
        solver.add(*(symbol == value for symbol, value in pairs))
        assert solver.check() == z3.sat
        found.append(variable.decode(solver.model()))
    return found


def in_base_units() -> list[Value]:
    """Stored values in base units, of units larger and smaller than the base."""
    scales = (Fraction(1), Fraction(2), Fraction(12), Fraction(1, 2), Fraction(2, 3))
    units = [NumberType(Unit((("pair", 1),), scale, "pairs")) for scale in scales]
    return [based(value, unit) for unit in units for value in (0, 3, Fraction(3, 2))]


def between(name: str) -> list[object]:
    """Which values lie in an interval: ends on a value, beside one, and beyond all."""
    domain, context = VARIABLES[name], z3.Context()
    variable = declare(z3, domain, "v", context)
    values = [domain.value(index) for index in range(min(domain.size, 6))]
    ends: list[Any] = [values[0], values[1], values[-1]]
    if isinstance(domain, NumberDomain):
        ends += [values[1] + Fraction(1, 8), values[1] - Fraction(1, 8), -9, 99]  # type: ignore[operator]
    else:
        ends += [date(2023, 1, 1), date(2024, 12, 31), date(1900, 1, 1)]
    found: list[object] = []
    for low in ends:
        for high in ends:
            term = variable.between(low, high)
            told = [z3.simplify(z3.substitute(term, *variable.substitution(each))) for each in values]
            found.append([z3.is_true(each) for each in told])
            assert found[-1] == [low <= each <= high for each in values]
    return found


def term_checks() -> list[Check]:
    """The checks of expressions and variables."""
    rng, every = Random(4), list(expressions())
    seen = [list(worlds(each, rng)) for each in every]
    return [
        *(
            Check(f"expression {n}", partial(in_both_twins, *each))
            for n, each in enumerate(zip(every, seen, strict=True))
        ),
        Check("in base units", in_base_units),
        *(Check(f"values of {name}", partial(values_of, name)) for name in VARIABLES),
        *(Check(f"outside {name}", partial(outside, name)) for name in VARIABLES),
        *(Check(f"interval of {name}", partial(between, name)) for name in ("number", "years", "date", "century")),
    ]
