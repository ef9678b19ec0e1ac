"""Whether a term has a value of a domain: what a completion may hold."""

from __future__ import annotations

from fractions import Fraction
from types import ModuleType
from typing import Any

from unco.solver.any_term import same
from unco.solver.day_terms import not_after
from unco.solver.number_terms import at_most, difference, is_whole, known, product
from unco.solver.operators.tables import constant_term
from unco.solver.terms import Day, Num, Truth, conjunction, disjunction
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain


def within(z3: ModuleType, domain: Domain, term: Any) -> Truth:
    """SAT iff the term, numbers in base units, can have a value of the domain: between its ends and on its step."""
    match domain:
        case BooleanDomain():
            return True
        case CategoryDomain(type_, values):
            if set(values) == set(type_.values) == set(term.names):
                return True
            return disjunction(z3, (same(z3, term, constant_term(value, type_)) for value in values))
        case DateDomain(low, high):
            first, last = (Day(end.year, end.month, end.day) for end in (low, high))
            return conjunction(z3, (not_after(z3, first, term), not_after(z3, term, last)))
        case NumberDomain():
            index = _index(domain, term)
            return conjunction(z3, (is_whole(index), at_most(Num(0), index), at_most(index, Num(domain.size - 1))))


def _index(domain: NumberDomain, term: Num) -> Num:
    """Where the number lies among the values of the domain: a whole number from 0, if it is one of them."""
    shown = product(term, known(1 / domain.unit.scale))
    return product(difference(shown, known(Fraction(domain.low))), known(1 / Fraction(domain.step)))
