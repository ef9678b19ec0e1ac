"""Rules in English: two rules never have the same words, and brackets say which part belongs to which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import permutations, product

import pytest
from rendered_groups import GRANT, family_of

from unco.compiler.reading.meaning import meaning, mode_matters
from unco.solver.leap_rule import leap_matters
from unco.solver.operators.table import OPERATORS
from unco.solver.outline import outline
from unco.solver.phrase import band_text, phrase, table_text
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
    yield from (apply("not", part) for part in parts if getattr(part, "operator", "") not in COMPARISONS)
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
        (1, "the state residency is confirmed"),
        (1, "the enrolment in food aid is current and the rent is 10 USD per month"),
    )
    assert outline(inner, FAMILY, PARAMETERS) == ((0, words(inner)),)


def test_a_sum_of_cases_is_told_in_a_list() -> None:
    aged, settled = apply(">=", AMOUNT, LIMIT), apply("<=", AMOUNT, OTHER)
    more = Apply("if", (settled, LIMIT, OTHER), RENT)
    cases = Apply("if", (apply("or", aged, ENROLLED), OTHER, more), RENT)
    lines = outline(Apply("+", (LIMIT, cases), RENT), FAMILY, PARAMETERS)
    assert lines == (
        (0, "the sum of these amounts:"),
        (1, "10 USD per month"),
        (1, "the first of these that applies:"),
        (
            2,
            "20 USD per month if "
            "the rent is at least 10 USD per month or the enrolment in food aid is current (or both)",
        ),
        (2, "10 USD per month if the rent is at most 20 USD per month"),
        (2, "otherwise 20 USD per month"),
    )
    assert outline(more, FAMILY, PARAMETERS) == ((0, words(more)),)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (apply("not", RESIDENT), "the state residency is refused"),
        (apply("==", RESIDENT, Constant(False, BOOLEAN)), "the state residency is refused"),
        (apply("!=", Constant(False, BOOLEAN), RESIDENT), "the state residency is confirmed"),
        (
            apply("==", RESIDENT, ENROLLED),
            "either both of these hold or neither does: "
            "the state residency is confirmed; the enrolment in food aid is current",
        ),
        (
            apply("<", AMOUNT, ParameterReference("debt_limit", RENT)),
            "the rent is less than the debt limit (20,000 USD)",
        ),
        (apply("<", AMOUNT, Constant(1, YEARLY)), "the rent is less than 12 USD per year"),
        (apply("<", AMOUNT, Constant(Fraction(1, 12), YEARLY)), "the rent is less than 1 USD per year"),
        (
            Aggregate(
                "all", "people", Constant(2, NUMBER), 4,
                apply(">", Reference("age", THIS_MEMBER, "", YEARS), Constant(216, YEARS)), BOOLEAN,
            ),
            "for each of the household members numbered from 1 to 2: the age is more than 18 years",
        ),
        (apply("between", AMOUNT, LIMIT, OTHER), "the rent is between 10 and 20 USD per month, both included"),
        (apply("between", MOVED, DAY, LATER), "the date of moving in is between 1 and 2 January 2026, both included"),
        (
            apply("between", AMOUNT, LIMIT, Constant(1, YEARLY)),
            "the rent is between 10 USD per month and 12 USD per year, both included",
        ),
        (
            apply("or", ENROLLED, RESIDENT, apply(">", AMOUNT, LIMIT)),
            "at least one of these holds: the enrolment in food aid is current, the state residency is confirmed or "
            "the rent is more than 10 USD per month",
        ),
    ],
)  # fmt: skip
def test_wordings(expression: Expression, text: str) -> None:
    assert words(expression) == text


@pytest.mark.parametrize("sign", [each for each in COMPARISONS if each not in ("==", "!=")])
def test_a_comparison_denied_has_the_words_of_its_opposite(sign: str) -> None:
    opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[sign]
    for left, right in ((AMOUNT, LIMIT), (MOVED, DAY)):
        assert words(apply("not", apply(sign, left, right))) == words(apply(opposite, left, right))


@pytest.mark.parametrize(("operator", "who"), [("any", "at least one"), ("all", "each")])
def test_one_thing_said_of_members_is_said_of_their_fact(operator: str, who: str) -> None:
    age = Reference("age", THIS_MEMBER, "", YEARS)

    def of(body: Expression) -> str:
        return words(Aggregate(operator, "people", cell("household_size", NUMBER), 4, body, BOOLEAN))

    assert of(apply(">", age, Constant(216, YEARS))) == f"the age of {who} household member is more than 18 years"
    assert of(apply("between", age, Constant(216, YEARS), Constant(240, YEARS))) == (
        f"the age of {who} household member is between 18 and 20 years, both included"
    )
    for body in (apply(">", age, age), apply("!=", age, Constant(216, YEARS)), apply("and", ENROLLED, RESIDENT)):
        assert of(body).startswith(f"for {who} of the household members: ")


def test_a_weighted_mean_is_told_in_a_list() -> None:
    mean = apply("weighted_mean", AMOUNT, Constant(3, NUMBER), OTHER, AMOUNT, type_=RENT)
    assert outline(mean, FAMILY, PARAMETERS) == (
        (0, "the weighted mean of these amounts:"),
        (1, "the rent, weighted by 3"),
        (1, "20 USD per month, weighted by the rent"),
    )
    assert [text for depth, text in outline(apply("+", mean, LIMIT, type_=RENT), FAMILY, PARAMETERS) if depth < 2] == [
        "the sum of these amounts:", "the weighted mean of these amounts:", "10 USD per month",
    ]  # fmt: skip


ENDS = tuple(
    date.fromisoformat(day)
    for day in (
        "2026-02-27", "2026-02-28", "2028-02-28", "2028-02-29", "2026-03-01", "2026-04-29", "2026-04-30", "2026-07-31",
        "2026-12-31",
    )
)  # fmt: skip


@pytest.mark.parametrize("operator", ["years_between", "months_between"])
@pytest.mark.parametrize("end", ENDS)
def test_the_leap_rule_is_told_where_some_start_needs_it(operator: str, end: date) -> None:
    counted = apply(operator, MOVED, Constant(end, DATE), type_=YEARS)
    values = [
        [OPERATORS[operator].apply((date(2023, 1, 1) + timedelta(days), end), (mode,)) for days in range(800)]
        for mode in ("down", "up")
    ]
    assert leap_matters(counted) == (values[0] != values[1])
    assert (" (in a " in words(counted)) == leap_matters(counted)
    assert mode_matters(meaning(replace(counted, options=("up",)), FAMILY, {})) == leap_matters(counted)


@pytest.mark.parametrize("operator", ["years_between", "months_between"])
@pytest.mark.parametrize("start", [*ENDS, date(2024, 1, 31), date(2024, 2, 29)])
def test_the_leap_rule_is_left_out_only_where_no_end_needs_it(operator: str, start: date) -> None:
    counted = apply(operator, Constant(start, DATE), MOVED, type_=YEARS)
    values = [
        [OPERATORS[operator].apply((start, date(2029, 1, 1) + timedelta(days)), (mode,)) for days in range(800)]
        for mode in ("down", "up")
    ]
    assert leap_matters(counted) or values[0] == values[1]
    assert mode_matters(meaning(replace(counted, options=("up",)), FAMILY, {})) == leap_matters(counted)


def test_the_smaller_of_what_is_calculated_is_told_in_a_list() -> None:
    product = apply("*", AMOUNT, OTHER, type_=RENT)
    capped = apply("min", LIMIT, product, type_=RENT)
    assert outline(capped, FAMILY, PARAMETERS) == (
        (0, "the smaller of these amounts:"),
        (1, "10 USD per month"),
        (1, "rent × 20 USD per month"),
    )
    plain = apply("min", LIMIT, AMOUNT, type_=RENT)
    assert outline(plain, FAMILY, PARAMETERS) == ((0, "the smaller of 10 USD per month and the rent"),)
    three = apply("max", LIMIT, AMOUNT, product, type_=RENT)
    lines = outline(apply("+", three, OTHER, type_=RENT), FAMILY, PARAMETERS)
    assert [text for depth, text in lines if depth < 2] == [
        "the sum of these amounts:", "the largest of these amounts:", "20 USD per month",
    ]  # fmt: skip


def test_what_is_long_or_joined_is_told_in_a_list() -> None:
    label = "rent " * 20
    attributes = tuple(replace(each, label=label.strip()) if each.id == "rent" else each for each in FAMILY.attributes)
    family = replace(FAMILY, attributes=attributes)
    pair = apply("and", apply("==", AMOUNT, LIMIT), apply("<", AMOUNT, OTHER))
    assert len(outline(pair, FAMILY, PARAMETERS)) == 1
    assert len(outline(pair, family, PARAMETERS)) == 3
    assert len(outline(apply("or", ENROLLED, RESIDENT, ATOMS[2]), FAMILY, PARAMETERS)) == 4


def test_a_formula_has_no_bracket_that_the_order_of_calculation_makes_needless() -> None:
    def of(sign: str, left: Expression, right: Expression) -> Expression:
        return apply(sign, left, right, type_=RENT)

    product, total = of("*", AMOUNT, LIMIT), of("-", AMOUNT, LIMIT)
    assert words(of("+", product, OTHER)) == "rent × 10 USD per month + 20 USD per month"
    assert words(of("-", total, OTHER)) == "rent − 10 USD per month − 20 USD per month"
    assert words(of("-", OTHER, total)) == "20 USD per month − (rent − 10 USD per month)"
    assert words(of("*", total, OTHER)) == "(rent − 10 USD per month) × 20 USD per month"
    assert words(of("/", product, OTHER)) == "(rent × 10 USD per month) ÷ 20 USD per month"
    assert words(apply("<", of("/", AMOUNT, LIMIT), OTHER)) == (
        "the rent ÷ 10 USD per month is less than 20 USD per month"
    )


def test_the_difference_of_two_is_named_as_one() -> None:
    apart = apply("abs", apply("-", AMOUNT, LIMIT, type_=RENT), type_=RENT)
    assert words(apply("<=", apart, OTHER)) == (
        "the difference between the rent and 10 USD per month is at most 20 USD per month"
    )


def test_months_on_from_a_day_are_told_from_its_month_where_only_the_month_counts() -> None:
    on = Apply("add_months", (MOVED, Constant(12, NumberType(parse_unit("months")))), DATE)
    assert words(apply("month_end", on, type_=DATE)) == (
        "the last day of the twelfth month after the month of the date of moving in"
    )
    assert words(on) == (
        "the day 12 months after the date of moving in (or the last day of that month if it has no such day)"
    )


def test_a_category_that_could_be_read_as_a_denial_stands_in_quotation_marks() -> None:
    type_ = CategoryType(("paid", "not paid", "waived"))
    status = [words(apply(sign, AMOUNT, Constant(name, type_))) for sign in ("==", "!=") for name in type_.values]
    assert status == [
        'the rent is "paid"', 'the rent is "not paid"', "the rent is waived",
        'the rent is not "paid"', 'the rent is not "not paid"', "the rent is not waived",
    ]  # fmt: skip


def test_the_verb_of_a_rule_agrees_with_its_label() -> None:
    attributes = tuple(replace(each, label="rents") if each.id == "rent" else each for each in FAMILY.attributes)
    assert phrase(ATOMS[2], replace(FAMILY, attributes=attributes), {}) == "the rents are 10 USD per month"


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
