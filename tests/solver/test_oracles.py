"""Outside oracles: results that other people published, which both twins must give."""

from __future__ import annotations

import csv
import re
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import z3

from unco.solver.encode import Encoder, equal, literal
from unco.solver.interpret import interpret
from unco.solver.operators.operator import Mismatch
from unco.solver.operators.table import OPERATORS
from unco.solver.terms import Day, Num
from unco.specs.expression import Apply, Expression, Reference, scale_of
from unco.specs.family import Slot
from unco.specs.values import DATE, DAYS, MONTHS, NUMBER, YEARS, Type, Value

ORACLES = Path(__file__).parents[2] / "../shared/data/oracles"
NOT_APPLICABLE = {
    ("1100-feel-decimal-function", "002_f4ed9cd487"): "2.5 places: we refuse a number of places that is not whole",
}

needs_oracles = pytest.mark.skipif(not ORACLES.is_dir(), reason="the oracles are not on this machine")


def lines(name: str, delimiter: str) -> list[list[str]]:
    if not ORACLES.is_dir():
        return []
    with (ORACLES / name).open(encoding="utf-8", newline="") as file:
        return [[field.strip() for field in row] for row in csv.reader(file, delimiter=delimiter)][1:]


def both_twins_give(
    operator: str, arguments: list[tuple[Value, Type]], options: tuple[Any, ...], expected: Value
) -> None:
    """The arguments are cells: known to the interpreter, unknown but fixed by assertions to the solver."""
    parts: tuple[Expression, ...] = tuple(Reference(f"a{n}", 0, "", type_) for n, (_, type_) in enumerate(arguments))
    node = Apply(operator, parts, OPERATORS[operator].signature(tuple(part.type for part in parts), options), options)
    cells = {Slot(f"a{n}", 0, ""): value for n, (value, _) in enumerate(arguments)}
    assert interpret(node, cells, {}) == expected
    terms, ties = {}, []
    for slot, value in cells.items():
        terms[slot], tied = _unknown(slot.attribute, value, arguments[int(slot.attribute[1:])][1])
        ties += tied
    encoder = Encoder(z3, terms.__getitem__, _no_parameter)
    agrees = equal(z3, encoder.encode(node), literal(z3, expected, node.type))
    assert _check(agrees, encoder.defined(node), *ties) == z3.sat
    assert _check(z3.Not(z3.And(agrees, encoder.defined(node))), *ties) == z3.unsat


def _unknown(name: str, value: Value, type_: Type) -> tuple[Any, list[Any]]:
    if isinstance(value, date):
        parts = z3.Ints(f"{name}.y {name}.m {name}.d")
        return Day(*parts), [parts[0] == value.year, parts[1] == value.month, parts[2] == value.day]
    number = Fraction(value) * scale_of(type_)
    return Num(z3.Int(name), number.denominator), [z3.Int(name) == number.numerator]


def _check(*parts: Any) -> Any:
    solver = z3.Solver()
    solver.add(*parts)
    return solver.check()


def _no_parameter(name: str) -> Any:
    raise AssertionError(name)


# Arithmetic ----------------------------------------------------------------------------------------------------------

ROUNDINGS = {
    "round up": "up",
    "round down": "down",
    "round half up": "half_up",
    "round half down": "half_down",
    "decimal": "half_even",
}
DURATIONS: dict[str, tuple[Value, Type]] = {"P1D": (1, DAYS), "P1Y": (1, YEARS)}


def rational(text: str) -> Fraction:
    """A product of quotients of decimals, such as 15/78*2."""
    result = Fraction(1)
    for sign, number in re.findall(r"(^|[*/])(-?[0-9.]+)", text.strip()):
        result = result / Fraction(number) if sign == "/" else result * Fraction(number)
    return result


def read_call(text: str) -> tuple[str, list[str]]:
    """The function and its arguments, names of arguments dropped."""
    name, inside = text.split("(", 1)
    arguments = inside.rstrip()[:-1]
    return name.strip(), [argument.split(":")[-1].strip() for argument in arguments.split(",")]


def check_arithmetic(call: str, expected: str) -> None:
    name, arguments = read_call(call)
    if name in ROUNDINGS:
        number, places = rational(arguments[0]), rational(arguments[1])
        options = (int(places) if places.denominator == 1 else places, ROUNDINGS[name])
        both_twins_give("round", [(number, NUMBER)], options, Fraction(expected))
    elif name == "modulo":
        values: list[tuple[Value, Type]] = [(rational(argument), NUMBER) for argument in arguments]
        both_twins_give("mod", values, (), Fraction(expected))
    elif name == "abs" and arguments[0].startswith("duration"):
        value, type_ = DURATIONS[arguments[0][len('duration("') : -2]]
        scale = scale_of(type_)
        assert DURATIONS[expected] == (value, type_)
        both_twins_give("abs", [(value, type_)], (), value * scale)  # type: ignore[operator]
        both_twins_give("abs", [(-value, type_)], (), value * scale)  # type: ignore[operator]
    elif name == "abs":
        both_twins_give("abs", [(rational(arguments[0]), NUMBER)], (), Fraction(expected))
    else:
        raise AssertionError(f"no reading for {call}")


ARITHMETIC = lines("arithmetic.csv", ",")


@needs_oracles
@pytest.mark.parametrize(
    ("source", "row", "call", "expected"), ARITHMETIC, ids=[f"{row[0]}-{row[1]}" for row in ARITHMETIC]
)
def test_arithmetic_agrees_with_the_decision_model_tests(source: str, row: str, call: str, expected: str) -> None:
    if (source, row) not in NOT_APPLICABLE:
        check_arithmetic(call, expected)
        return
    with pytest.raises(Mismatch):
        check_arithmetic(call, expected)


@needs_oracles
def test_the_list_of_rows_that_do_not_apply_names_rows_of_the_file() -> None:
    assert len(ARITHMETIC) > 20
    assert set(NOT_APPLICABLE) <= {(row[0], row[1]) for row in ARITHMETIC}


# Dates ---------------------------------------------------------------------------------------------------------------


def period(text: str) -> tuple[int, int]:
    """Months and days of `[1 years, 2 months, 3 days]`."""
    years, months, days = (int(number) for number in re.findall(r"-?\d+", text))
    return 12 * years + months, days


def check_period(start: str, text: str, mode: str, expected: str) -> None:
    months, days = period(text)
    begin, end = date.fromisoformat(start), date.fromisoformat(expected)
    assert months == 0 or days == 0
    if months:
        both_twins_give("add_months", [(begin, DATE), (months, MONTHS)], (mode,), end)
    else:
        both_twins_give("+", [(begin, DATE), (days, DAYS)], (), end)


AMBIGUOUS = lines("dates_ambiguous_computations.csv", ";")
EXACT = lines("dates_exact_computations.csv", ";")
MONTH_ENDS = lines("dates_first_last_day_of_month.csv", ";")


@needs_oracles
@pytest.mark.parametrize(("start", "text", "up", "down"), AMBIGUOUS)
def test_ambiguous_dates_go_up_and_down_as_published(start: str, text: str, up: str, down: str) -> None:
    check_period(start, text, "up", up)
    check_period(start, text, "down", down)


@needs_oracles
@pytest.mark.parametrize("mode", ["up", "down"])
@pytest.mark.parametrize(("start", "text", "end"), EXACT)
def test_exact_dates_are_as_published_in_both_modes(start: str, text: str, end: str, mode: str) -> None:
    check_period(start, text, mode, end)


@needs_oracles
@pytest.mark.parametrize(("day", "first", "last"), MONTH_ENDS)
def test_months_start_and_end_as_published(day: str, first: str, last: str) -> None:
    begin = date.fromisoformat(day)
    both_twins_give("month_start", [(begin, DATE)], (), date.fromisoformat(first))
    both_twins_give("month_end", [(begin, DATE)], (), date.fromisoformat(last))


@needs_oracles
def test_no_file_of_dates_is_empty() -> None:
    assert min(len(AMBIGUOUS), len(EXACT), len(MONTH_ENDS)) > 1
