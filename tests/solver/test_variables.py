"""Variables: what they can be told of a value, in the unit of their domain."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import pytest
import z3

from unco.solver.variables import Variable, declare
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain, values
from unco.specs.values import YEARS, CategoryType, Value

HALF_YEARS = NumberDomain(Fraction(-1), Fraction(2), Fraction(1, 2), YEARS.unit)
LEAP_DAYS = DateDomain(date(2024, 2, 27), date(2024, 3, 2))
NEW_YEAR = DateDomain(date(2023, 12, 30), date(2024, 1, 2))
DEGREE = CategoryDomain(CategoryType(("DNP", "MSN", "BSN")), ("BSN", "DNP"))


def possible_values(variable: Variable, claim: Any) -> list[Value]:
    """The domain's values that the variable can have while the claim holds."""
    found = []
    for value in values(variable.domain):
        solver = z3.Solver()
        solver.add(variable.constraint, claim, variable.is_value(value))
        if solver.check() == z3.sat:
            assert variable.decode(solver.model()) == value
            found.append(value)
    return found


@pytest.mark.parametrize(
    ("domain", "low", "high"),
    [
        (HALF_YEARS, Fraction(1, 2), Fraction(3, 2)),
        (HALF_YEARS, Fraction(-3, 4), Fraction(1, 4)),
        (HALF_YEARS, 1, 1),
        (HALF_YEARS, -100, 100),
        (HALF_YEARS, 1, 0),
        (LEAP_DAYS, date(2024, 2, 28), date(2024, 3, 1)),
        (LEAP_DAYS, date(2024, 2, 29), date(2024, 2, 29)),
        (NEW_YEAR, date(2024, 1, 1), date(2024, 12, 31)),
        (NEW_YEAR, date(2023, 1, 1), date(2023, 12, 31)),
    ],
)
def test_between_holds_for_the_values_from_end_to_end_alone(domain: Domain, low: Any, high: Any) -> None:
    variable = declare(z3, domain, "v")
    expected = [value for value in values(domain) if low <= value <= high]
    assert possible_values(variable, variable.between(low, high)) == expected


@pytest.mark.parametrize("domain", [BooleanDomain(), DEGREE, HALF_YEARS, LEAP_DAYS, NEW_YEAR])
def test_a_variable_takes_every_value_of_its_domain_and_no_more(domain: Domain) -> None:
    variable = declare(z3, domain, "v")
    assert possible_values(variable, z3.BoolVal(True)) == list(values(domain))
    solver = z3.Solver()
    solver.add(variable.constraint, *(z3.Not(variable.is_value(value)) for value in values(domain)))
    assert solver.check() == z3.unsat


@pytest.mark.parametrize(
    ("domain", "value"), [(HALF_YEARS, Fraction(1, 3)), (HALF_YEARS, 3), (DEGREE, "MSN"), (LEAP_DAYS, date(2024, 3, 3))]
)
def test_a_value_outside_the_domain_is_impossible_and_has_no_substitution(domain: Domain, value: Value) -> None:
    variable = declare(z3, domain, "v")
    assert z3.is_false(variable.is_value(value))
    with pytest.raises(ValueError, match="no value of the domain"):
        variable.substitution(value)


@pytest.mark.parametrize("domain", [BooleanDomain(), DEGREE])
def test_a_boolean_or_a_category_has_no_interval(domain: Domain) -> None:
    with pytest.raises(ValueError, match="no interval"):
        declare(z3, domain, "v").between(True, True)


def test_a_model_that_leaves_a_variable_open_decodes_to_a_value_of_the_domain() -> None:
    solver = z3.Solver()
    assert solver.check() == z3.sat
    for domain in (BooleanDomain(), DEGREE, HALF_YEARS, LEAP_DAYS):
        assert declare(z3, domain, "open").decode(solver.model()) == domain.value(0)
