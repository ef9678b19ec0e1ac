"""Every operator row: its boundary examples hold in both twins, its signature speaks the author's words."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
import z3

from unco.solver.any_term import same
from unco.solver.day_terms import day_number, day_of_number
from unco.solver.encode import Encoder, literal, round_term, truth
from unco.solver.interpret import interpret
from unco.solver.number_terms import known
from unco.solver.operators.fitting import base_unit
from unco.solver.operators.operator import Example, Mismatch, Undefined
from unco.solver.operators.rounding import round_exact
from unco.solver.operators.table import AGGREGATES, OPERATORS
from unco.solver.terms import Choice, Day, Num
from unco.specs.expression import Apply, Band, Constant, Reference, Table
from unco.specs.family import Slot
from unco.specs.values import (
    BOOLEAN,
    DATE,
    DAYS,
    MONTHS,
    NUMBER,
    PERCENT,
    RATIO,
    YEARS,
    CategoryType,
    NumberType,
    Type,
    Unit,
    Value,
)

AUD = NumberType(Unit((("AUD", 1),), Fraction(1), "AUD"))
EUR = NumberType(Unit((("EUR", 1),), Fraction(1), "EUR"))
AUD_PER_MONTH = NumberType(Unit((("AUD", 1), ("calendar", -1)), Fraction(1), "AUD per month"))
AUD_PER_YEAR = NumberType(Unit((("AUD", 1), ("calendar", -1)), Fraction(1, 12), "AUD per year"))
PERCENTAGE = NumberType(PERCENT)
QUOTIENT = NumberType(RATIO)
DEGREE = CategoryType(("DNP", "MSN", "BSN"))

ROWS_AND_EXAMPLES = [
    pytest.param(name, example, id=f"{name}-{number}")
    for name, row in OPERATORS.items()
    for number, example in enumerate(row.examples)
]


def type_of(value: Value) -> Type:
    match value:
        case bool():
            return BOOLEAN
        case str():
            return CategoryType((value,))
        case date():
            return DATE
        case _:
            return NUMBER


def symbolic(value: Value, name: str) -> tuple[Any, list[Any]]:
    """An unknown term of the value's kind, and the assertions that it has the value: nothing can fold away."""
    term = literal(z3, value, type_of(value))
    match term:
        case Num(numerator, denominator):
            unknown = Num(z3.Int(name), denominator)
            return unknown, [z3.Int(name) == numerator]
        case Day(year, month, day):
            parts = z3.Ints(f"{name}.y {name}.m {name}.d")
            return Day(*parts), [part == known for part, known in zip(parts, (year, month, day), strict=True)]
        case Choice(index, names):
            return Choice(z3.Int(name), names), [z3.Int(name) == index]
        case _:
            return z3.Bool(name), [z3.Bool(name) == term]


def encoded(name: str, example: Example, fold: bool) -> tuple[Any, Any, list[Any]]:
    """The term, where it is defined, and what ties the arguments to the example."""
    row = OPERATORS[name]
    arguments = example.arguments
    if name in AGGREGATES:
        arguments = (len(arguments), *arguments, *arguments[:1])
    pairs = [
        (literal(z3, value, type_of(value)), []) if fold else symbolic(value, f"a{n}")
        for n, value in enumerate(arguments)
    ]
    terms = tuple(term for term, _ in pairs)
    ties = [tie for _, tied in pairs for tie in tied]
    return row.encode(z3, terms, example.options), truth(z3, row.defined(z3, terms, example.options)), ties


def satisfiable(*parts: object) -> bool:
    solver = z3.Solver()
    solver.add(*parts)
    outcome = solver.check()
    assert outcome != z3.unknown
    return bool(outcome == z3.sat)


@pytest.mark.parametrize(("name", "example"), ROWS_AND_EXAMPLES)
def test_the_interpreter_gives_the_example(name: str, example: Example) -> None:
    row = OPERATORS[name]
    if example.result is None:
        with pytest.raises(Undefined):
            row.apply(example.arguments, example.options)
        return
    result = row.apply(example.arguments, example.options)
    assert result == example.result
    assert type(result) is type(example.result)


@pytest.mark.parametrize("fold", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize(("name", "example"), ROWS_AND_EXAMPLES)
def test_the_encoding_gives_the_example_and_nothing_else(name: str, example: Example, fold: bool) -> None:
    term, defined, ties = encoded(name, example, fold)
    if example.result is None:
        assert not satisfiable(defined, *ties)
        return
    equal = truth(z3, same(z3, term, literal(z3, example.result, type_of(example.result))))
    assert not satisfiable(z3.Not(defined), *ties)
    assert satisfiable(equal, *ties)
    assert not satisfiable(z3.Not(equal), *ties)


def test_every_row_has_examples_and_a_phrase() -> None:
    for name, row in OPERATORS.items():
        assert row.examples, name
        arity = max(2, len(row.examples[0].arguments))
        words = tuple(f"word{n}" for n in range(arity))
        assert "word0" in row.phrase(words, row.examples[0].options), name


def test_every_partial_row_shows_an_undefined_example_and_no_total_row_does() -> None:
    from unco.solver.operators.operator import everywhere

    for name, row in OPERATORS.items():
        assert (row.defined is everywhere) == all(example.result is not None for example in row.examples), name


FITTING: list[tuple[str, tuple[Type, ...], tuple[object, ...], Type]] = [
    ("+", (AUD, AUD), (), AUD),
    ("+", (YEARS, MONTHS), (), YEARS),
    ("+", (DATE, DAYS), (), DATE),
    ("-", (DATE, DAYS), (), DATE),
    ("*", (AUD, PERCENTAGE), (), AUD),
    ("*", (PERCENTAGE, AUD), (), AUD),
    ("*", (AUD, NUMBER), (), AUD),
    ("*", (NUMBER, PERCENTAGE), (), QUOTIENT),
    ("*", (PERCENTAGE, PERCENTAGE), (), PERCENTAGE),
    ("*", (AUD_PER_YEAR, YEARS), (), AUD),
    ("*", (MONTHS, AUD_PER_MONTH), (), AUD),
    ("/", (AUD, AUD), (), QUOTIENT),
    ("/", (AUD, NUMBER), (), AUD),
    ("/", (AUD, MONTHS), (), AUD_PER_MONTH),
    ("/", (AUD, YEARS), (), AUD_PER_YEAR),
    ("/", (AUD, AUD_PER_MONTH), (), NumberType(base_unit((("calendar", 1),)))),
    ("//", (YEARS, MONTHS), (), NUMBER),
    ("mod", (DAYS, DAYS), (), DAYS),
    ("==", (DEGREE, CategoryType(("MSN",))), (), BOOLEAN),
    ("==", (CategoryType(("MSN",)), DEGREE), (), BOOLEAN),
    ("==", (BOOLEAN, BOOLEAN), (), BOOLEAN),
    ("<=", (PERCENTAGE, QUOTIENT), (), BOOLEAN),
    ("<=", (NUMBER, QUOTIENT), (), BOOLEAN),
    ("<=", (AUD_PER_YEAR, AUD_PER_MONTH), (), BOOLEAN),
    ("between", (DATE, DATE, DATE), (), BOOLEAN),
    ("in", (DEGREE, CategoryType(("MSN",)), CategoryType(("BSN",))), (), BOOLEAN),
    ("if", (BOOLEAN, CategoryType(("MSN",)), CategoryType(("BSN",))), (), CategoryType(("MSN", "BSN"))),
    ("if", (BOOLEAN, QUOTIENT, PERCENTAGE), (), PERCENTAGE),
    ("max", (DATE, DATE), (), DATE),
    ("sum", (QUOTIENT, NUMBER, NUMBER), (), NUMBER),
    ("weighted_mean", (AUD, NUMBER, AUD, NUMBER), (), AUD),
    ("weighted_mean", (AUD, YEARS, AUD, MONTHS), (), AUD),
    ("percent_change", (AUD, AUD), (), PERCENTAGE),
    ("round", (AUD,), (2, "half_even"), AUD),
    ("round", (AUD,), (), AUD),
    ("years_between", (DATE, DATE), ("up",), YEARS),
    ("months_between", (DATE, DATE), (), MONTHS),
    ("add_months", (DATE, YEARS), ("down",), DATE),
    ("count", (NUMBER, BOOLEAN), (), NUMBER),
    ("total", (NUMBER, AUD), (), AUD),
]


@pytest.mark.parametrize(("name", "types", "options", "result"), FITTING)
def test_fitting_types_give_a_type(
    name: str, types: tuple[Type, ...], options: tuple[str | int, ...], result: Type
) -> None:
    assert OPERATORS[name].signature(types, options) == result


MISFITS: list[tuple[str, tuple[Type, ...], tuple[object, ...], int | None, str, str]] = [
    ("and", (BOOLEAN,), (), None, "UNC202", "2 or more parts"),
    ("and", (BOOLEAN, AUD), (), 1, "UNC203", "true or false"),
    ("not", (NUMBER,), (), 0, "UNC203", "true or false"),
    ("==", (BOOLEAN, NUMBER), (), 1, "UNC203", "stands alone"),
    ("==", (DEGREE, CategoryType(("PhD",))), (), 1, "UNC206", '"DNP", "MSN", "BSN"'),
    ("<", (DEGREE, DEGREE), (), 0, "UNC203", "use == or in"),
    ("<", (BOOLEAN, BOOLEAN), (), 0, "UNC203", "not x"),
    ("<=", (DATE, YEARS), (), 1, "UNC203", "years_between"),
    ("<=", (AUD, EUR), (), 1, "UNC204", "exchange rate"),
    ("<=", (AUD, AUD_PER_MONTH), (), 1, "UNC204", "per time"),
    ("<=", (YEARS, DAYS), (), 1, "UNC204", "no fixed number of days"),
    ("<=", (YEARS, NUMBER), (), 1, "UNC204", "write the unit"),
    ("<=", (PERCENTAGE, NUMBER), (), 1, "UNC204", "75%"),
    ("+", (NUMBER, PERCENTAGE), (), 1, "UNC204", "75%"),
    ("+", (AUD, YEARS), (), 1, "UNC204", "AUD"),
    ("+", (DATE, MONTHS), (), 1, "UNC204", "add_months"),
    ("+", (DATE, NUMBER), (), 1, "UNC204", "14 days"),
    ("+", (DAYS, DATE), (), 1, "UNC203", "date first"),
    ("-", (DATE, DATE), (), 1, "UNC203", "days_between"),
    ("*", (DATE, NUMBER), (), 0, "UNC203", "days_between"),
    ("/", (AUD, BOOLEAN), (), 1, "UNC203", "a number"),
    ("//", (YEARS, NUMBER), (), 1, "UNC204", "depends on the unit"),
    ("between", (AUD, AUD, NUMBER), (), 2, "UNC204", "AUD"),
    ("in", (DEGREE, AUD), (), 1, "UNC203", "one of"),
    ("if", (NUMBER, AUD, AUD), (), 0, "UNC203", "true or false"),
    ("if", (BOOLEAN, AUD, EUR), (), 2, "UNC204", "exchange rate"),
    ("min", (DATE, AUD), (), 1, "UNC203", "a date"),
    ("weighted_mean", (AUD, NUMBER, AUD), (), None, "UNC202", "a weight for each value"),
    ("weighted_mean", (AUD, NUMBER, AUD, AUD), (), 3, "UNC204", "plain number"),
    ("round", (AUD,), (2, "nearest"), None, "UNC212", "half_up"),
    ("round", (AUD,), (99, "half_up"), None, "UNC212", "from -9 to 9"),
    ("round", (DATE,), (), 0, "UNC203", "a number"),
    ("years_between", (DATE, DATE), ("sideways",), None, "UNC212", "down, up"),
    ("add_months", (DATE, DAYS), (), 1, "UNC204", "14 days"),
    ("lookup", (NUMBER,), (), None, "UNC202", "a table"),
    ("count", (NUMBER, AUD), (), 1, "UNC203", "true or false"),
    ("count", (AUD, BOOLEAN), (), 0, "UNC211", "plain number"),
]


@pytest.mark.parametrize(("name", "types", "options", "argument", "code", "words"), MISFITS)
def test_misfits_are_refused_in_the_authors_words(
    name: str, types: tuple[Type, ...], options: tuple[str | int, ...], argument: int | None, code: str, words: str
) -> None:
    with pytest.raises(Mismatch) as caught:
        OPERATORS[name].signature(types, options)
    mismatch = caught.value
    assert (mismatch.argument, mismatch.code) == (argument, code)
    assert words in f"{mismatch.found} {mismatch.expected} {mismatch.hint}"


def tiers(*bounds: tuple[int, int | None]) -> Table:
    bands = tuple(Band(low, True, high, False, Fraction(1, 10)) for low, high in bounds)
    return Table("tiers", "tiers", AUD, PERCENTAGE, bands)


def test_tiers_give_the_unit_of_the_amount() -> None:
    assert OPERATORS["tiered"].signature((AUD,), (tiers((0, 10), (10, None)),)) == AUD


@pytest.mark.parametrize(
    ("bounds", "code"),
    [
        (((1, 2),), "UNC408"),
        (((0, 5), (6, None)), "UNC408"),
        (((0, 5), (4, None)), "UNC409"),
        (((0, None), (5, 6)), "UNC409"),
    ],
)
def test_tiers_with_gaps_or_overlaps_are_refused(bounds: tuple[tuple[int, int | None], ...], code: str) -> None:
    with pytest.raises(Mismatch) as caught:
        OPERATORS["tiered"].signature((AUD,), (tiers(*bounds),))
    assert caught.value.code == code


PHRASES: list[tuple[str, tuple[str, ...], tuple[object, ...], tuple[Type, ...], str]] = [
    (">=", ("age", "60 years"), (), (YEARS, YEARS), "age is at least 60 years"),
    (">", ("age", "60 years"), (), (YEARS, YEARS), "age is more than 60 years"),
    ("<=", ("age", "60 years"), (), (), "age is at most 60 years"),
    ("<", ("age", "18 years"), (), (), "age is less than 18 years"),
    ("<=", ("start", "1 August 2026"), (), (DATE, DATE), "start is on or before 1 August 2026"),
    ("<", ("start", "1 August 2026"), (), (DATE, DATE), "start is before 1 August 2026"),
    ("==", ("degree", "DNP"), (), (), "degree is DNP"),
    ("!=", ("degree", "DNP"), (), (), "degree is not DNP"),
    ("between", ("age", "19", "64"), (), (), "age is between 19 and 64, both included"),
    ("in", ("degree", "DNP", "MSN"), (), (), "degree is either DNP or MSN"),
    ("and", ("a is 1", "b is 2"), (), (), "a is 1 and b is 2"),
    ("and", ("a is 1", "b is 2 or c is 3"), (), (), "a is 1 and (b is 2 or c is 3)"),
    ("if", ("a is 1", "5", "b + 1"), (), (), "5 if a is 1, otherwise b + 1"),
    ("+", ("grant", "allowance"), (), (), "grant + allowance"),
    ("*", ("rate", "a + b"), (), (), "rate × (a + b)"),
    ("max", ("A", "B"), (), (), "the larger of A and B"),
    ("max", ("A", "B", "C"), (), (DATE, DATE, DATE), "the latest of A, B and C"),
    ("-", ("10", "the larger of A and B"), (), (), "10 − (the larger of A and B)"),
    (
        "round",
        ("a ÷ b",),
        (2, "half_even"),
        (),
        "(a ÷ b) rounded to 2 decimal places (halves rounded to the even neighbour)",
    ),
    ("round", ("a",), (0, "floor"), (YEARS,), "a rounded to a whole number of years (rounded down)"),
    ("round", ("a",), (-2, "up"), (AUD,), "a rounded to a multiple of 100 AUD (rounded away from zero)"),
    ("round", ("a",), (1,), (AUD,), "a rounded to 1 decimal place in AUD (halves rounded away from zero)"),
    ("+", ("a × b", "c"), (), (), "a × b + c"),
    ("-", ("a − b", "c"), (), (), "a − b − c"),
    ("-", ("a", "b − c"), (), (), "a − (b − c)"),
    ("/", ("a × b", "c"), (), (), "(a × b) ÷ c"),
    ("*", ("a", "b × c"), (), (), "a × (b × c)"),
    ("<=", ("a ÷ b", "the larger of A and B"), (), (), "a ÷ b is at most (the larger of A and B)"),
    ("not", ("a is 1 and b is 2",), (), (), "it is not the case that (a is 1 and b is 2)"),
    ("if", ("a is 1 or b is 2 (or both)", "5", "6"), (), (), "5 if a is 1 or b is 2 (or both), otherwise 6"),
]


@pytest.mark.parametrize(("name", "arguments", "options", "types", "words"), PHRASES)
def test_phrases_have_one_reading(
    name: str, arguments: tuple[str, ...], options: tuple[str | int, ...], types: tuple[Type, ...], words: str
) -> None:
    assert OPERATORS[name].phrase(arguments, options, types) == words


def test_every_comparator_has_a_phrase_of_its_own() -> None:
    signs = ("==", "!=", "<", "<=", ">", ">=")
    for types in ((), (NUMBER, NUMBER), (DATE, DATE)):
        assert len({OPERATORS[sign].phrase(("a", "b"), (), types) for sign in signs}) == len(signs)


@pytest.mark.parametrize("number", [1, 59, 60, 365, 366, 730_485, 730_486, 3_652_059, *range(693_596, 693_700, 7)])
def test_day_numbers_count_the_days_of_the_calendar_both_ways(number: int) -> None:
    found = day_of_number(z3, number)
    day = date.fromordinal(number)
    assert (found.year, found.month, found.day) == (day.year, day.month, day.day)
    assert day_number(z3, Day(day.year, day.month, day.day)) == number


MODES = ("half_up", "half_even", "half_down", "up", "down", "floor", "ceiling")


@pytest.mark.parametrize(
    ("mode", "outcomes"),
    [
        ("half_even", ("2", "-2", "0.12")),
        ("half_up", ("3", "-3", "0.13")),
        ("half_down", ("2", "-2", "0.12")),
        ("up", ("3", "-3", "0.13")),
        ("down", ("2", "-2", "0.12")),
        ("floor", ("2", "-3", "0.12")),
        ("ceiling", ("3", "-2", "0.13")),
    ],
)
def test_s3_rounding_names_say_what_happens_to_ties(mode: str, outcomes: tuple[str, str, str]) -> None:
    for text, places, outcome in zip(("2.5", "-2.5", "0.125"), (0, 0, 2), outcomes, strict=True):
        number = Fraction(text)
        assert round_exact(number, places, mode) == Fraction(outcome)
        term = round_term(z3, known(number), places, mode)
        assert Fraction(term.numerator, term.denominator) == Fraction(outcome)


def test_rounding_works_on_the_shown_number_in_both_twins() -> None:
    months = Constant(30, YEARS)
    node = Apply("round", (months,), YEARS, (0, "half_even"))
    assert interpret(node, {}, {}) == 24
    assert Encoder(z3, _no_cell, _no_parameter).encode(node) == Num(24)


def _no_cell(slot: Slot) -> object:
    raise AssertionError(slot)


def _no_parameter(name: str) -> object:
    raise AssertionError(name)


def test_s1_floor_division_has_one_meaning_in_both_twins() -> None:
    x, y = (Reference(name, 0, "now", NUMBER) for name in ("x", "y"))
    encoder = Encoder(z3, lambda slot: Num(z3.Int(slot.attribute)), _no_parameter)
    floored = Apply("//", (x, Constant(2, NUMBER)), NUMBER)
    rest = Apply("mod", (x, Constant(2, NUMBER)), NUMBER)
    equal = Apply("==", (floored, y), BOOLEAN)
    for left in range(-3, 4):
        assert interpret(rest, {Slot("x", 0, "now"): left}, {}) in (0, 1)
        for right in range(-3, 4):
            cells: dict[Slot, Value] = {Slot("x", 0, "now"): left, Slot("y", 0, "now"): right}
            holds = interpret(equal, cells, {})
            assert satisfiable(encoder.encode(equal), z3.Int("x") == left, z3.Int("y") == right) == holds
    assert interpret(equal, {Slot("x", 0, "now"): -3, Slot("y", 0, "now"): -2}, {}) is True
    assert interpret(equal, {Slot("x", 0, "now"): -3, Slot("y", 0, "now"): -1}, {}) is False
    assert interpret(Apply("//", (Constant(7, NUMBER), Constant(-2, NUMBER)), NUMBER), {}, {}) == -4


def test_s2_a_hidden_divisor_is_undefined_exactly_at_zero() -> None:
    seventh = Apply("/", (Constant(7, NUMBER), Reference("d", 0, "now", NUMBER)), NUMBER)
    encoder = Encoder(z3, lambda slot: Num(z3.Int("d")), _no_parameter)
    d, defined = z3.Int("d"), encoder.defined(seventh)
    solver = z3.Solver()
    solver.add(d >= 0, d <= 3, z3.Not(defined))
    assert solver.check() == z3.sat
    assert solver.model()[d].as_long() == 0
    assert not satisfiable(d == 0, defined)
    with pytest.raises(Undefined, match="zero"):
        interpret(seventh, {Slot("d", 0, "now"): 0}, {})


def test_s2_a_guard_makes_the_division_defined() -> None:
    d = Reference("d", 0, "now", NUMBER)
    seventh = Apply("/", (Constant(7, NUMBER), d), NUMBER)
    more = Apply(">", (seventh, Constant(2, NUMBER)), BOOLEAN)
    guard = Apply("!=", (d, Constant(0, NUMBER)), BOOLEAN)
    encoder = Encoder(z3, lambda slot: Num(z3.Int("d")), _no_parameter)
    for node in (
        Apply("and", (guard, more), BOOLEAN),
        Apply("or", (Apply("not", (guard,), BOOLEAN), more), BOOLEAN),
        Apply("if", (guard, more, Constant(True, BOOLEAN)), BOOLEAN),
    ):
        assert not satisfiable(z3.Not(encoder.defined(node)))
        assert interpret(node, {Slot("d", 0, "now"): 0}, {}) in (True, False)
    late = Apply("and", (more, guard), BOOLEAN)
    assert satisfiable(z3.Not(encoder.defined(late)))


def test_s4_two_eighths_make_a_quarter_when_rounded_once() -> None:
    eighth = Constant(Fraction(1, 8), NUMBER)
    both = Apply("+", (eighth, eighth), NUMBER)
    assert round_exact(Fraction(interpret(both, {}, {})), 2, "half_up") == Fraction(1, 4)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sign", "age", "limit", "holds"),
    [(">=", 60, 60, True), ("<", 18, 18, False), (">", 60, 60, False), ("<=", 18, 18, True)],
)
def test_s5_thresholds_are_inclusive_as_written(sign: str, age: int, limit: int, holds: bool) -> None:
    node = Apply(sign, (Reference("age", 0, "now", YEARS), Constant(12 * limit, YEARS)), BOOLEAN)
    assert interpret(node, {Slot("age", 0, "now"): age}, {}) is holds
    encoder = Encoder(z3, lambda slot: Num(12 * z3.Int("age")), _no_parameter)
    assert satisfiable(encoder.encode(node), z3.Int("age") == age) is holds
    assert satisfiable(z3.Not(encoder.encode(node)), z3.Int("age") == age) is not holds


@pytest.mark.parametrize("number", [25_000_000, 10**30])
def test_s7_neighbouring_large_numbers_differ_in_both_twins(number: int) -> None:
    node = Apply("==", (Reference("x", 0, "now", AUD), Constant(number, AUD)), BOOLEAN)
    assert interpret(node, {Slot("x", 0, "now"): number}, {}) is True
    assert interpret(node, {Slot("x", 0, "now"): number + 1}, {}) is False
    encoder = Encoder(z3, lambda slot: Num(z3.Int("x")), _no_parameter)
    assert not satisfiable(encoder.encode(node), z3.Int("x") == number + 1)
    assert satisfiable(encoder.encode(node), z3.Int("x") == number)


def test_s8_a_month_before_the_last_of_july_is_the_last_of_june() -> None:
    minus_one = Constant(-1, MONTHS)
    node = Apply("add_months", (Constant(date(2018, 7, 31), DATE), minus_one), DATE)
    assert interpret(node, {}, {}) == date(2018, 6, 30)
    assert same(z3, Encoder(z3, _no_cell, _no_parameter).encode(node), Day(2018, 6, 30)) is True


@pytest.mark.parametrize("days", [-500_000, -146_400, 146_400, 500_000])
def test_a_day_far_away_has_the_year_and_month_of_the_calendar(days: int) -> None:
    start = date(2000, 1, 1) if days < 0 else date(101, 12, 31)
    year, month, day = z3.Ints("y m d")
    term = OPERATORS["+"].encode(z3, (Day(year, month, day, (start.year, start.year)), Num(days * 86_400)), ())
    assert isinstance(term, Day)
    end = start + timedelta(days)
    ties = [part == known for part, known in zip((year, month, day), (start.year, start.month, start.day), strict=True)]
    parts = z3.And(term.year == end.year, term.month == end.month, term.day == end.day)
    assert not satisfiable(z3.Not(parts), *ties)


def test_an_undefined_part_is_placed_where_it_stands() -> None:
    from unco.specs.errors import Span

    span = Span("a.yaml", 3, 4, 3, 9)
    ratio = Apply("/", (Constant(1, NUMBER), Constant(0, NUMBER)), QUOTIENT, (), span)
    with pytest.raises(Undefined) as caught:
        interpret(Apply("round", (ratio,), QUOTIENT), {}, {})
    assert caught.value.span == span
