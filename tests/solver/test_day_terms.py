"""Dates as terms, proved over a century by the solver: these proofs also guard the encoding's speed."""

from __future__ import annotations

import subprocess
import sys
from calendar import isleap
from datetime import date
from typing import Any

import pytest
import z3

from unco.solver.day_terms import before, day_number, day_of_number, leap, not_after
from unco.solver.number_terms import total
from unco.solver.operators.table import OPERATORS
from unco.solver.terms import Day, Num, truth
from unco.solver.variables import declare
from unco.specs.domains import DateDomain

CENTURY = DateDomain(date(1950, 1, 1), date(2049, 12, 31))
BUDGET = 40_000_000
"""Solver resources, several times what each proof takes."""


def proved(claim: Any, *assumptions: Any) -> bool:
    solver = z3.Solver()
    solver.set("rlimit", BUDGET)
    solver.add(*assumptions, z3.Not(claim))
    return bool(solver.check() == z3.unsat)


def test_calendar_order_is_day_order() -> None:
    one, other = declare(z3, CENTURY, "one"), declare(z3, CENTURY, "other")
    by_number = day_number(z3, one.term) < day_number(z3, other.term)
    assert proved(before(z3, one.term, other.term) == by_number, one.constraint, other.constraint)


@pytest.mark.parametrize("mode", ["down", "up"])
@pytest.mark.parametrize(("name", "step"), [("years_between", 12), ("months_between", 1)])
def test_completed_time_is_the_greatest_that_does_not_go_past_the_end(name: str, step: int, mode: str) -> None:
    start, end = declare(z3, CENTURY, "start"), declare(z3, CENTURY, "end")
    elapsed: Any = OPERATORS[name].encode(z3, (start.term, end.term), (mode,))
    add = OPERATORS["add_months"].encode
    reached: Any = add(z3, (start.term, elapsed), (mode,))
    beyond: Any = add(z3, (start.term, total(elapsed, Num(step))), (mode,))
    claim = z3.And(not_after(z3, reached, end.term), z3.Not(not_after(z3, beyond, end.term)))
    assert proved(claim, start.constraint, end.constraint)


@pytest.mark.parametrize("year", [1, 4, 100, 1900, 2000, 2024, 9999])
@pytest.mark.parametrize("bounded", [True, False])
def test_day_numbers_count_every_day_of_a_year_both_ways(year: int, bounded: bool) -> None:
    number = z3.Int("number")
    years = (max(1, year - 3), min(9999, year + 2)) if bounded else None
    term = day_of_number(z3, number, years)
    first = date(year, 1, 1).toordinal()
    for ordinal in (first, first + 58, first + 59, first + 60, date(year, 12, 31).toordinal()):
        day = date.fromordinal(ordinal)
        parts = [
            z3.simplify(z3.substitute(part, (number, z3.IntVal(ordinal)))) for part in (term.year, term.month, term.day)
        ]
        assert [part.as_long() for part in parts] == [day.year, day.month, day.day]
        assert day_number(z3, Day(day.year, day.month, day.day)) == ordinal


@pytest.mark.parametrize("bounds", [(1599, 2401), (1, 9999), None])
@pytest.mark.parametrize("year", [*range(1600, 2401, 100), 2023, 2024])
def test_bounded_years_leap_as_the_calendar_says(year: int, bounds: tuple[int, int] | None) -> None:
    unknown = z3.Int("year")
    day = Day(unknown, 3, 1, bounds)
    pairs = (unknown, z3.IntVal(year))
    found = z3.simplify(z3.substitute(truth(z3, leap(z3, unknown, bounds)), pairs))
    assert z3.is_true(found) == isleap(year)
    assert z3.simplify(z3.substitute(day_number(z3, day), pairs)).as_long() == date(year, 3, 1).toordinal()


def test_interpreting_does_not_load_the_solver() -> None:
    script = "import sys, unco.solver.interpret; sys.exit('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
