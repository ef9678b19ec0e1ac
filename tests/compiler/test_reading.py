"""The gate's reader understands numbers, dates, facts and rules by itself, and says so where words are ambiguous."""

from __future__ import annotations

import ast
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rendered_groups import GRANT, SUPERINTENDENT, family_of
from specification_strategies import family_of as generated_family
from specification_strategies import specifications

from unco.compiler import fidelity
from unco.compiler.reading.engine import Grammar, Listing, Production, Symbol
from unco.compiler.reading.facts import FactReader
from unco.compiler.reading.leaks import Giveaways
from unco.compiler.reading.meaning import NUMBER, TRUTH, kind_of, meaning, normal
from unco.compiler.reading.numerals import MONTH_NAMES, read_amount, read_day, read_number, read_span
from unco.compiler.reading.rules import RuleReader
from unco.compiler.reading.sections import Item, items, marked, sections
from unco.compiler.reading.tables import read_row
from unco.compiler.reading.vocabulary import Vocabulary, plural_forms
from unco.solver.phrase import phrase
from unco.specs.document import Specification
from unco.specs.evidence import NOTHING, Between, Exact, OneOf
from unco.specs.expression import Band
from unco.specs.family import Cell, Family

FOLDER = Path(fidelity.__file__).parent / "reading"
NAMES = ("Ana Ruiz", "Ben's", "Cy")


@cache
def words(path: Path) -> Vocabulary:
    return Vocabulary(family_of(path))


@cache
def rules(path: Path) -> RuleReader:
    return RuleReader(words(path))


def understood(text: str) -> tuple[object, ...]:
    return (*rules(GRANT).sentence(text, TRUTH), *rules(GRANT).sentence(text, NUMBER))


def test_the_reader_shares_no_code_with_what_writes_the_texts() -> None:
    forbidden = (
        "unco.specs.wording",
        "unco.solver.phrase",
        "unco.solver.outline",
        "unco.solver.leap_rule",
        "unco.solver.operators",
        "unco.templates",
        "unco.compiler.render",
    )
    files = [*FOLDER.glob("*.py"), Path(fidelity.__file__)]
    assert len(files) > 10
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not str(node.module).startswith(forbidden), file.name
            if isinstance(node, ast.Import):
                assert not any(each.name.startswith(forbidden) for each in node.names), file.name


# Numbers and dates ---------------------------------------------------------------------------------------------------


@given(number=st.integers(-(10**13), 10**13), places=st.integers(0, 4))
@example(number=-5, places=1)
def test_a_number_is_read_exactly(number: int, places: int) -> None:
    text = f"{abs(number) // 10**places:,}" + (f".{abs(number) % 10**places:0{places}}" if places else "")
    assert read_number(f"{'-' if number < 0 else ''}{text}") == Fraction(number, 10**places)


@pytest.mark.parametrize(
    "text", ["45,00", "4,5000", "45,0000", "1.", ".5", "1 000", "1/0", "--1", "1e3", "٣", "1,000,00", ""]
)
def test_a_malformed_number_is_no_number(text: str) -> None:
    assert read_number(text) is None


@given(day=st.dates(min_value=date(1000, 1, 1)), length=st.integers(0, 800))
def test_days_and_periods_are_read_exactly(day: date, length: int) -> None:
    def said(each: date) -> str:
        return f"{each.day} {MONTH_NAMES[each.month - 1]} {each.year}"

    last = day + timedelta(days=min(length, (date.max - day).days))
    assert read_day(said(day)) == day
    assert read_span(f"{said(day)} and {said(last)}") == (day, last)
    if day.year == last.year:
        assert read_span(f"{day.day} {MONTH_NAMES[day.month - 1]} and {said(last)}") == (day, last)
    if (day.year, day.month) == (last.year, last.month):
        assert read_span(f"{day.day} and {said(last)}") == (day, last)


@pytest.mark.parametrize(
    "text", ["30 February 2026", "0 May 2026", "May 2026", "2026-05-22", "22 may 2026", "022 May 2026"]
)
def test_what_is_no_day_is_not_read_as_one(text: str) -> None:
    assert read_day(text) is None


def test_an_amount_carries_its_unit() -> None:
    units = words(GRANT).units
    assert read_amount("75%", units) == (Fraction(3, 4), None)
    number, unit = read_amount("1,250.50 USD per month", units) or (None, None)
    assert number == Fraction("1250.5")
    assert unit is not None
    assert unit.symbol == "USD per month"
    assert read_amount("3 parsecs", units) is None


def test_a_value_in_another_unit_is_another_value() -> None:
    domain = family_of(SUPERINTENDENT).attribute_by_id["hardrock_years"].domain
    assert words(SUPERINTENDENT).values("1 year", domain) == (1,)
    assert words(SUPERINTENDENT).values("12 months", domain) == ()


@pytest.mark.parametrize(
    ("noun", "plural"),
    [("household member", "household members"), ("child", "children"), ("deputy", "deputies"), ("box", "boxes")],
)
def test_plurals_are_known(noun: str, plural: str) -> None:
    assert plural in plural_forms(noun)


# Facts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "cell", "known"),
    [
        ("For Ana Ruiz, the household size is 2.", Cell(0, "household_size", 0, ""), Exact(2)),
        ("For Ben's, the household size is between 1 and 3.", Cell(1, "household_size", 0, ""), Between(1, 3)),
        ("For Ben's, the household size is 1 or 2.", Cell(1, "household_size", 0, ""), Between(1, 2)),
        (
            "For Cy, the date of moving in is 31 May or 1 June 2026.",
            Cell(2, "moved_in", 0, ""),
            Between(date(2026, 5, 31), date(2026, 6, 1)),
        ),
        ("For Cy, the household size is not stated.", Cell(2, "household_size", 0, ""), NOTHING),
        (
            "For Cy's household member 2, the age is either 18 years or 19 years.",
            Cell(2, "age", 2, ""),
            OneOf((18, 19)),
        ),
        (
            "For Cy's household member 1, the age is one of 1 year, 2 years or 3 years.",
            Cell(2, "age", 1, ""),
            OneOf((1, 2, 3)),
        ),
        ("For Cy, the type of tenancy is private.", Cell(2, "tenancy", 0, ""), Exact("private")),
        ("Cy's household size is 2.", Cell(2, "household_size", 0, ""), Exact(2)),
        ("The household size for Ana Ruiz: between 1 and 3.", Cell(0, "household_size", 0, ""), Between(1, 3)),
        ("Ben's – the household size: not stated.", Cell(1, "household_size", 0, ""), NOTHING),
        ("Our files list the age of household member 2 of Cy as 18 years.", Cell(2, "age", 2, ""), Exact(18)),
    ],
)  # fmt: skip
def test_a_fact_is_read_whole(sentence: str, cell: Cell, known: object) -> None:
    (said,) = FactReader(words(GRANT), NAMES).read(sentence)
    assert (said.cell, said.known) == (cell, known)


@pytest.mark.parametrize(
    "sentence",
    [
        "For Dan, the household size is 2.", "For Cy, the shoe size is 2.", "For Cy, the household size was 2.",
        "For Cy, the household size is 2", "Our doubtful files list the household size of Cy as 2.",
        "For Ana Ruiz, the household size of Cy is 2.", "Cy says that the household size is 2.",
    ],
)  # fmt: skip
def test_what_states_no_fact_is_not_read_as_one(sentence: str) -> None:
    assert FactReader(words(GRANT), NAMES).read(sentence) == ()


@pytest.mark.parametrize("words_said", ["1 or 3", "between 1 or 2", "2 or 1", "1 or 2 or 3"])
def test_two_values_are_a_range_only_if_none_lies_between_them(words_said: str) -> None:
    (said,) = FactReader(words(GRANT), NAMES).read(f"For Cy, the household size is {words_said}.")
    assert said.known is None


def test_a_subject_without_a_readable_value_is_still_named() -> None:
    (said,) = FactReader(words(GRANT), NAMES).read("For Cy, the household size is 2 or so.")
    assert (said.cell.attribute, said.known, said.words) == ("household_size", None, "2 or so")


# Rules ---------------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(specification=specifications(risky=True), seed=st.integers(0, 10**6))
def test_the_sentence_of_a_rule_has_one_reading_and_that_is_its_meaning(
    specification: Specification, seed: int
) -> None:
    family, rng = generated_family(specification), Random(seed)
    parameters = {each.id: each.domain.value(rng.randrange(each.domain.size)) for each in family.parameters}
    reader = RuleReader(Vocabulary(family))
    rules = [rule.expression for rule in (*family.conditions, *family.consistency)]
    for expression in (*rules, family.calculation.expression):
        text = phrase(expression, family, parameters)
        kind = kind_of(expression.type)
        assert reader.sentence(text, kind) == (meaning(expression, family, parameters),), text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rent is more than 0 USD per month", "0 USD per month is less than rent"),
        ("it is not the case that (it is not the case that household size is 2)", "household size is 2"),
        ("household size is 2 and debt is 3 USD", "the debt is 3 USD and the household size is 2"),
        ("share of rent covered is at least 80%", "Share of rent covered is at least 80%."),
        ("the sum of 1, 2 and 3", "(1 + 2) + 3"),
        ("1 + 2 × 3 − 4", "(1 + (2 × 3)) − 4"),
        ("1 − 2 − 3", "(1 − 2) − 3"),
        ("rent is at least 5 USD per month", "the rent is at least 5 USD per month"),
        ("the difference between 1 and 2", "the absolute value of (1 − 2)"),
        (
            "the age of at least one household member is at least 18 years",
            "for at least one of the household members: the age is at least 18 years",
        ),
        ("The age of each household member is 2 years.", "for each of the household members: age is 2 years"),
        (
            "rent is between 5 and 9 USD per month, both included",
            "rent is between 5 USD per month and 9 USD per month, both included",
        ),
        (
            "date of moving in is between 1 and 9 May 2026, both included",
            "date of moving in is between 1 May 2026 and 9 May 2026, both included",
        ),
        (
            "the last day of the twelfth month after the month of the date of moving in is after 1 May 2026",
            "the last day of the month that comes 12 months after the month of the date of moving in "
            "is after 1 May 2026",
        ),
        (
            "the time from the date of moving in to 30 June 2026 in completed years is 1 year",
            "the time from the date of moving in to 30 June 2026 in completed years (in a year without 29 February, "
            "1 March counts) is 1 year",
        ),
    ],
)
def test_words_that_mean_the_same_have_the_same_reading(one: str, other: str) -> None:
    assert understood(one.replace("debt", "student debt"))
    assert understood(one.replace("debt", "student debt")) == understood(other.replace("debt", "student debt"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rent is at least 5 USD per month", "rent is more than 5 USD per month"),
        ("rent is at least 5 USD per month", "rent is at least 5 USD per year"),
        ("household size is between 1 and 3, both included", "household size is between 1 and 4, both included"),
        ("1 − 2", "2 − 1"),
        ("1 − 2 − 3", "1 − (2 − 3)"),
        ("(1 + 2) × 3", "1 + 2 × 3"),
        ("1 USD rounded to 1 decimal place in USD (rounded up)", "1 USD rounded to 1 decimal place (rounded up)"),
        (
            "the number of household members for whom age is 2 years",
            "the number of household members numbered from 1 to 2 for which age is 2 years",
        ),
        ("1 ÷ 2", "2 ÷ 1"),
        (
            "household size is 2 or household size is 3 (or both)",
            "household size is 2 and household size is 3",
        ),
        (
            "for at least one of the household members: age is 2 years",
            "for each of the household members: age is 2 years",
        ),
        (
            "household size rounded to a whole number (rounded away from zero)",
            "household size rounded to a whole number (rounded towards zero)",
        ),
        (
            "for each of the household members: age is 2 years",
            "for each of the household members numbered from 1 to 2: age is 2 years",
        ),
        ("the age of each household member is 2 years", "the age of at least one household member is 2 years"),
        (
            "rent is between 5 and 9 USD per month, both included",
            "rent is between 5 USD and 9 USD per month, both included",
        ),
        (
            "the last day of the twelfth month after the month of the date of moving in is after 1 May 2026",
            "the last day of the eleventh month after the month of the date of moving in is after 1 May 2026",
        ),
        (
            "the time from the date of moving in to 28 February 2026 in completed years "
            "(in a year without 29 February, 28 February counts) is 1 year",
            "the time from the date of moving in to 28 February 2026 in completed years "
            "(in a year without 29 February, 1 March counts) is 1 year",
        ),
    ],
)  # fmt: skip
def test_words_that_mean_something_else_have_another_reading(one: str, other: str) -> None:
    assert len(understood(one)) == len(understood(other)) == 1
    assert understood(one) != understood(other)


@pytest.mark.parametrize(
    "text",
    [
        "household size is about 2", "household size is at least",
        "both household size is 2 and student debt is 3 USD",
        "rent is on or after 5 USD per month", "type of tenancy is at least private", "1 × 2 ÷ 3",
        "1 ÷ 2 ÷ 3", "1 − 2 and 3", "shoe size is 2",
        "household size is 2 or household size is 3",
        "the time from the date of moving in to 28 February 2026 in completed years is 1 year",
        "the day 1 month after the date of moving in is 1 May 2026",
    ],
)  # fmt: skip
def test_what_states_no_rule_is_not_read_as_one(text: str) -> None:
    assert understood(text) == ()


def test_a_text_with_two_meanings_has_two_readings() -> None:
    leaf = [Production((letter,), lambda letter=letter: ("is", "truth", letter)) for letter in "abc"]
    joint = Production((Symbol("part"), " and ", Symbol("any")), lambda a, b: ("and", "truth", a, b))
    loose = Production((Symbol("pair"), " and ", Symbol("part")), lambda a, b: ("and", "truth", a, b))
    pair = Production((Symbol("part"), " and ", Symbol("part")), lambda a, b: ("and", "truth", a, b))
    clear = Grammar({}, {"part": leaf, "any": [*leaf, joint]})
    unclear = Grammar({}, {"part": leaf, "pair": [pair], "any": [*leaf, joint, loose]})
    assert len(clear.readings("any", "a and b and c")) == 1
    assert len(unclear.readings("any", "a and b and c")) == 2


@pytest.mark.parametrize("depth", [50, 100, 200])
def test_a_rule_as_deep_as_the_language_allows_is_read(depth: int) -> None:
    assert len(understood(f"household size is at least {'(' * depth}1{')' * depth}")) == 1
    assert len(understood(f"{'it is not the case that (' * depth}household size is 2{')' * depth}")) == 1
    assert understood("(" * 5_000 + "1" + ")" * 5_000) == ()


def test_a_long_sum_is_read() -> None:
    terms = [f"{number} USD" for number in range(1, 99)]
    text = "(" * 96 + " + ".join([terms[0], *(f"{term})" for term in terms[1:97]), terms[97]])
    assert len(understood(f"student debt is at least ({text})")) == 1


def test_a_listing_needs_its_joint() -> None:
    leaf = [Production((letter,), lambda letter=letter: ("letter", "x", letter)) for letter in "abc"]
    grammar = Grammar(
        {}, {"letter": leaf, "any": [Production((Listing("letter", "and"),), lambda parts: ("all", "x", *parts))]}
    )
    assert [len(node) - 2 for node in grammar.readings("any", "a, b and c")] == [3]
    assert grammar.readings("any", "a, b, c") == ()


def test_order_and_direction_do_not_change_a_meaning() -> None:
    a, b = ("fact", "number", "a", 0, ""), ("fact", "number", "b", 0, "")
    assert normal((">", "truth", a, b)) == normal(("<", "truth", b, a))
    assert normal(("+", "number", a, ("+", "number", b, a))) == normal(("sum", "number", a, a, b))
    assert normal(("-", "number", a, b)) != normal(("-", "number", b, a))


# Tables and sections -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "band"),
    [
        ("2: 5 USD per month", Band(2, True, 2, True, 5)),
        ("at least 3: 5 USD per month", Band(3, True, None, False, 5)),
        ("more than 3 and less than 5: 5 USD per month", Band(3, False, 5, False, 5)),
        ("from 3 to 5, both included: 5 USD per month", Band(3, True, 5, True, 5)),
        ("at most 3: 5 USD per month", Band(None, False, 3, True, 5)),
        ("any value: 5 USD per month", Band(None, False, None, False, 5)),
    ],
)
def test_a_row_of_a_table_is_read_as_its_band(row: str, band: Band) -> None:
    (table,) = words(GRANT).tables.values()
    assert read_row(row, table, words(GRANT)) == (band,)
    assert read_row(row.replace(" USD per month", " USD"), table, words(GRANT)) == ()


def test_instructions_are_cut_at_their_headings() -> None:
    family: Family = family_of(GRANT)
    text = (
        f"{family.task.strip()}\n\nThe households are A and B.\n\nConditions\n1. x\n   - y\n     - z\n\nConversions\n"
    )
    text += "- 1"
    bare, _ = marked(text, family)
    found = sections(bare, family)
    assert found.of("Task") == [family.task.strip(), "The households are A and B."]
    listed, loose = items(found.of("Conditions"), r"[0-9]+\. ", ())
    assert listed == (Item("x", (Item("y", (Item("z"),)),)),)
    assert (loose, found.of("Conversions")) == ((), ["- 1"])


@pytest.mark.parametrize(
    "text",
    [
        "She should be approved.", "It is the only suitable one", "the correct answer", "He is not eligible",
        "is ineligible", "meets all of them", "the winner", "Ana Ruiz must be chosen",
    ],
)  # fmt: skip
def test_verdicts_are_recognised(text: str) -> None:
    assert Giveaways(NAMES).verdicts(text)


@pytest.mark.parametrize(
    "text",
    ["the answers are kept here", "Keeps the list of eligible universities.", "an only child", "It should be dry."],
)
def test_ordinary_words_are_no_verdict(text: str) -> None:
    assert not Giveaways(NAMES).verdicts(text)
