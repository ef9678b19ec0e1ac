"""Rules in English: two rules never have the same words, and brackets say which part belongs to which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import permutations, product

import pytest
from rendered_groups import GRANT, family_of

from unco.solver.phrase import band_text, outline, phrase, table_text
from unco.specs.expression import (
    THIS_MEMBER,
    Aggregate,
    Apply,
    Band,
    Constant,
    Expression,
    ParameterReference,
    Reference,
    Table,
)
from unco.specs.units import parse_unit
from unco.specs.values import BOOLEAN, DATE, NUMBER, YEARS, CategoryType, NumberType, Type

FAMILY = family_of(GRANT)
PARAMETERS = {"debt_limit": 20_000}
RENT = NumberType(parse_unit("USD per month"))
YEARLY = NumberType(parse_unit("USD per year"))


def cell(attribute: str, type_: Type, context: str = "") -> Reference:
    return Reference(attribute, 0, context, type_)


def apply(operator: str, *arguments: Expression, type_: Type = BOOLEAN) -> Apply:
    return Apply(operator, arguments, type_)


def words(expression: Expression) -> str:
    return phrase(expression, FAMILY, PARAMETERS)


ENROLLED, RESIDENT = cell("enrolled", BOOLEAN), cell("resident", BOOLEAN)
AMOUNT, MOVED = cell("rent", RENT), cell("moved_in", DATE)
LIMIT, OTHER = Constant(10, RENT), Constant(20, RENT)
DAY, LATER = Constant(date(2026, 1, 1), DATE), Constant(date(2026, 1, 2), DATE)
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
ATOMS = (
    ENROLLED,
    RESIDENT,
    *(apply(sign, AMOUNT, limit) for sign in COMPARISONS for limit in (LIMIT, OTHER)),
    *(apply(sign, MOVED, DAY) for sign in COMPARISONS),
    apply("between", AMOUNT, LIMIT, OTHER),
    apply("between", MOVED, DAY, LATER),
    apply("in", AMOUNT, LIMIT, OTHER),
)


def combined(parts: tuple[Expression, ...]) -> Iterator[Expression]:
    yield from (apply("not", part) for part in parts)
    for operator, (left, right) in product(("and", "or", "==", "!="), permutations(parts, 2)):
        yield apply(operator, left, right)
    for operator, three in product(("and", "or"), permutations(parts, 3)):
        yield apply(operator, *three)


def sums(parts: tuple[Expression, ...]) -> Iterator[Expression]:
    for operator, (left, right) in product(("+", "-", "*", "/", "min", "max", "//", "mod"), permutations(parts, 2)):
        yield apply(operator, left, right, type_=RENT)
    yield from (apply("abs", part, type_=RENT) for part in parts)
    yield from (apply("negate", part, type_=RENT) for part in parts)


def colliding(expressions: list[Expression]) -> list[tuple[str, Expression, Expression]]:
    seen: dict[str, Expression] = {}
    found = []
    for each in expressions:
        text = words(each)
        if seen.setdefault(text, each) != each:
            found.append((text, seen[text], each))
    return found


def test_two_conditions_never_have_the_same_words() -> None:
    few = (ENROLLED, RESIDENT, ATOMS[2], ATOMS[9])
    deep = tuple(combined(few))
    deeper = [apply(sign, part, atom) for sign in ("and", "or", "==") for part in deep for atom in few]
    assert not colliding([*ATOMS, *combined(ATOMS[:8]), *deep, *deeper, *combined(deep[:12])])


def test_two_formulas_never_have_the_same_words() -> None:
    few: tuple[Expression, ...] = (AMOUNT, LIMIT, ParameterReference("debt_limit", RENT))
    deep = tuple(sums(few))
    deeper = [
        apply(sign, *pair, type_=RENT) for sign in ("+", "-", "*", "min") for pair in permutations((*few, *deep), 2)
    ]
    choices = [Apply("if", (ATOMS[2], left, right), RENT) for left, right in permutations(deep[:20], 2)]
    rounded = [
        Apply("round", (part,), RENT, options) for part in deep for options in ((0, "up"), (1, "up"), (0, "floor"))
    ]
    assert not colliding([*few, *deep, *deeper, *choices, *rounded])


def test_an_outline_has_the_words_of_its_parts() -> None:
    inner = apply("and", ENROLLED, ATOMS[2])
    lines = outline(apply("or", RESIDENT, inner), FAMILY, PARAMETERS)
    assert lines == (
        (0, "at least one of these holds:"),
        (1, "state residency is confirmed"),
        (1, "all of these hold:"),
        (2, "enrolment in food aid is current"),
        (2, "rent is 10 USD per month"),
    )
    assert outline(inner, FAMILY, PARAMETERS) == ((0, words(inner)),)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (apply("not", RESIDENT), "state residency is refused"),
        (apply("==", RESIDENT, Constant(False, BOOLEAN)), "state residency is refused"),
        (apply("!=", Constant(False, BOOLEAN), RESIDENT), "state residency is confirmed"),
        (
            apply("==", RESIDENT, ENROLLED),
            "either both of these hold or neither does: state residency is confirmed; enrolment in food aid is current",
        ),
        (
            apply("<", AMOUNT, ParameterReference("debt_limit", RENT)),
            "rent is less than the debt limit (20,000 USD)",
        ),
        (apply("<", AMOUNT, Constant(1, YEARLY)), "rent is less than 12 USD per year"),
        (apply("<", AMOUNT, Constant(Fraction(1, 12), YEARLY)), "rent is less than 1 USD per year"),
        (
            Aggregate(
                "all", "people", Constant(2, NUMBER), 4,
                apply(">", Reference("age", THIS_MEMBER, "", YEARS), Constant(216, YEARS)), BOOLEAN,
            ),
            "for every one of the household members numbered from 1 to 2: age is more than 18 years",
        ),
    ],
)  # fmt: skip
def test_wordings(expression: Expression, text: str) -> None:
    assert words(expression) == text


def test_the_verb_of_a_rule_agrees_with_its_label() -> None:
    attributes = tuple(replace(each, label="rents") if each.id == "rent" else each for each in FAMILY.attributes)
    assert phrase(ATOMS[2], replace(FAMILY, attributes=attributes), {}) == "rents are 10 USD per month"


@pytest.mark.parametrize(
    ("band", "text"),
    [
        (Band(19, True, 64, True, 0), "from 19 to 64, both included"),
        (Band(19, True, 64, False, 0), "at least 19 and less than 64"),
        (Band(19, False, 64, True, 0), "more than 19 and at most 64"),
        (Band(19, False, 64, False, 0), "more than 19 and less than 64"),
        (Band(19, True, 19, True, 0), "19"),
        (Band(None, False, 64, False, 0), "less than 64"),
        (Band(19, True, None, False, 0), "at least 19"),
        (Band(None, False, None, False, 0), "any value"),
    ],
)
def test_a_band_says_whether_its_ends_are_included(band: Band, text: str) -> None:
    assert band_text(band, NUMBER) == text


def test_bands_of_other_keys() -> None:
    assert band_text(Band(date(2026, 1, 1), True, None, False, 0), DATE) == "on or after 1 January 2026"
    assert band_text(Band(None, False, date(2026, 1, 1), False, 0), DATE) == "before 1 January 2026"
    assert band_text(Band("a", True, "a", True, 0), CategoryType(("a", "b"))) == "a"
    assert band_text(Band(True, True, True, True, 0), BOOLEAN) == "true"


def test_the_values_of_a_table_have_the_same_places() -> None:
    bands = (Band(1, True, 1, True, Fraction(5, 2)), Band(2, True, 2, True, 3))
    assert table_text(Table("t", "t", NUMBER, NUMBER, bands)) == ("1: 2.5", "2: 3.0")
