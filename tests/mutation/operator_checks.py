"""Checks of the operators: each boundary example in both twins, known and unknown."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from functools import cache, partial
from typing import Any

import z3

from tests.mutation.examples import EXAMPLES
from tests.mutation.fate import Check
from tests.mutation.scope import FIELDS, functions_of, reached
from unco.solver.any_term import same
from unco.solver.encode import literal, truth
from unco.solver.operators.operator import Example, Operator, Undefined
from unco.solver.operators.table import AGGREGATES, OPERATORS
from unco.solver.terms import Choice, Day, Num
from unco.specs.values import BOOLEAN, DATE, NUMBER, CategoryType, Type, Value


def examples() -> Iterator[tuple[str, int, Example]]:
    """Every example of every operator: those of its row, then more."""
    for name, row in OPERATORS.items():
        for number, example in enumerate((*row.examples, *EXAMPLES.get(name, ()))):
            yield name, number, example


def type_of(value: Value) -> Type:
    """The type of a plain value."""
    match value:
        case bool():
            return BOOLEAN
        case str():
            return CategoryType((value,))
        case date():
            return DATE
        case _:
            return NUMBER


MIXED = frozenset(("if", "==", "and", "or", "mod", "//"))
"""Operators whose terms look at which of their arguments are known."""


class Given(StrEnum):
    """What is known of the arguments."""

    KNOWN = "known"
    UNKNOWN = "unknown"
    FIRST = "the first unknown"
    REST = "all but the first unknown"
    FROM = "dates unknown from their year"
    UNTIL = "dates unknown until their year"
    WITHIN = "all unknown, dates within some years"

    def hides(self, place: int, value: Value) -> bool:
        """Whether an argument is unknown."""
        if self in (Given.FROM, Given.UNTIL):
            return isinstance(value, date)
        first = place == 0
        return self in (Given.UNKNOWN, Given.WITHIN) or (self is (Given.FIRST if first else Given.REST))

    def differs(self, example: Example) -> bool:
        """Whether other arguments are unknown than by KNOWN or UNKNOWN; or, of dates, whether they are bounded."""
        if self in (Given.FIRST, Given.REST):
            return len(example.arguments) > 1
        return self in (Given.KNOWN, Given.UNKNOWN) or any(isinstance(value, date) for value in example.arguments)


def bounds(year: int, given: Given) -> tuple[int, int] | None:
    """The years that a date may have: its own, and more to one side or both; as many as show which end is meant."""
    before = {Given.UNTIL: 3, Given.WITHIN: 1}.get(given, 0)
    after = {Given.FROM: 3, Given.WITHIN: 1}.get(given, 0)
    return (max(1, year - before), min(year + after, 9_999)) if before or after else None


def symbolic(value: Value, name: str, given: Given) -> tuple[Any, list[tuple[Any, Any]]]:
    """An unknown term of the value's kind, and what stands for its unknowns: nothing can fold away."""
    match value:
        case bool():
            return z3.Bool(name), [(z3.Bool(name), z3.BoolVal(value))]
        case str():
            return Choice(z3.Int(name), (value,)), [(z3.Int(name), z3.IntVal(0))]
        case date():
            parts = z3.Ints(f"{name}.y {name}.m {name}.d")
            years = bounds(value.year, given)
            known = zip(parts, (value.year, value.month, value.day), strict=True)
            return Day(*parts, years), [(part, z3.IntVal(number)) for part, number in known]
        case _:
            return Num(z3.Int(name), value.denominator), [(z3.Int(name), z3.IntVal(value.numerator))]


def encoded(name: str, example: Example, given: Given) -> tuple[Any, Any, list[tuple[Any, Any]]]:
    """The term, where it is defined, and what stands for the unknown arguments."""
    row = OPERATORS[name]
    arguments = example.arguments
    if name in AGGREGATES:
        arguments = (len(arguments), *arguments, *arguments[:1])
    found = [
        symbolic(value, f"a{n}", given) if given.hides(n, value) else (literal(z3, value, type_of(value)), [])
        for n, value in enumerate(arguments)
    ]
    terms, pairs = tuple(term for term, _ in found), [pair for _, some in found for pair in some]
    return row.encode(z3, terms, example.options), row.defined(z3, terms, example.options), pairs


def told(part: Any, pairs: list[tuple[Any, Any]]) -> Any:
    """A truth at known values; itself where it cannot be told."""
    found = z3.simplify(z3.substitute(truth(z3, part), *pairs)) if pairs else z3.simplify(truth(z3, part))
    return True if z3.is_true(found) else False if z3.is_false(found) else found


def interpreter_gives(name: str, example: Example) -> None:
    """The interpreter gives the example, or says that it is undefined."""
    try:
        result = OPERATORS[name].apply(example.arguments, example.options)
    except Undefined:
        assert example.result is None
        return
    assert result == example.result
    assert type(result) is type(example.result)


def encoding_gives(name: str, example: Example, given: Given) -> None:
    """The encoding has the result of the example and no other, and is defined exactly where there is one."""
    term, defined, pairs = encoded(name, example, given)
    assert told(defined, pairs) is (example.result is not None)
    if example.result is not None:
        assert told(same(z3, term, literal(z3, example.result, type_of(example.result))), pairs) is True
    if isinstance(term, Day) and example.result is not None:
        expected = zip((term.year, term.month, term.day), _parts(example.result), strict=True)
        assert all(told(z3.IntVal(0) + part == number, pairs) is True for part, number in expected)
        assert term.years is None or term.years[0] <= _parts(example.result)[0] <= term.years[1]


def _parts(day: Any) -> tuple[int, int, int]:
    """A day that comes from counting is equal by its number: its parts are looked at too."""
    return day.year, day.month, day.day


def operator_checks() -> list[Check]:
    """The checks, the quick ones first."""
    every = [(name, number, example, reached_by(OPERATORS[name])) for name, number, example in examples()]
    found = [
        Check(f"{name} {n} interpreted", partial(interpreter_gives, name, each), keys) for name, n, each, keys in every
    ]
    for given in Given:
        found += [
            Check(f"{name} {n} {given}", partial(encoding_gives, name, each, given), keys)
            for name, n, each, keys in every
            if given.differs(each) and (given not in (Given.FIRST, Given.REST) or _is_mixed(name, each))
        ]
    return found


def _is_mixed(name: str, example: Example) -> bool:
    """Whether it matters which of the arguments are known."""
    return name in MIXED or isinstance(example.arguments[0], date)


@cache
def reached_by(row: Operator) -> frozenset[object]:
    """Every function that an example of a row calls."""
    return reached(same) | reached(literal) | reached(truth).union(*(functions_of(row, field) for field in FIELDS))
