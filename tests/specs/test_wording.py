"""Values and knowledge in words: exact, and never the same words for two of them."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unco.compiler.reading.vocabulary import named_in
from unco.specs.domains import BooleanDomain, CategoryDomain, DateDomain, Domain, NumberDomain, values
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge, OneOf
from unco.specs.family import Attribute
from unco.specs.units import parse_unit
from unco.specs.values import PERCENT, PLAIN, RATIO, CategoryType, NumberType, Unit
from unco.specs.wording import (
    article,
    attribute_text,
    definite,
    is_person,
    knowledge_text,
    period_text,
    plural,
    sentence,
    typed_text,
    unit_text,
    value_text,
    verb,
)

AUD, USD, YEARS = parse_unit("AUD"), parse_unit("USD"), parse_unit("years")
TERMS = parse_unit("terms", {"term": None})
CRITERIA = parse_unit("criteria per term", {"criterion": "criteria", "term": None})
DATES = DateDomain(date(2020, 1, 1), date(2030, 12, 31))
TRICKY = ("a", "b", "a or b", "a, b or c", "either a or b", "not stated", '"a"', '"a or b"', '"', "one of a, b", "none")


def numbers(low: str, high: str, step: str, unit: Unit) -> NumberDomain:
    return NumberDomain(Fraction(low), Fraction(high), Fraction(step), unit)


def categories(*names: str) -> CategoryDomain:
    return CategoryDomain(CategoryType(names), names)


@pytest.mark.parametrize(
    ("domain", "value", "text"),
    [
        (numbers("0", "90000", "500", AUD), 45000, "45,000 AUD"),
        (numbers("0", "9000", "0.01", USD), 2660, "2,660.00 USD"),
        (numbers("0", "9000", "0.1", USD), Fraction("0.5"), "0.50 USD"),
        (numbers("0", "9000", "0.1", YEARS), Fraction("0.5"), "0.5 years"),
        (numbers("0", "40", "1", YEARS), 17, "17 years"),
        (numbers("0", "40", "1", YEARS), 1, "1 year"),
        (numbers("-5", "40", "1", YEARS), -1, "-1 year"),
        (numbers("-5", "40", "0.25", YEARS), Fraction("-0.25"), "-0.25 years"),
        (numbers("0", "40", "1/3", YEARS), Fraction(1, 3), "1/3 years"),
        (numbers("0", "100", "5", PERCENT), 75, "75%"),
        (numbers("0", "1", "0.25", RATIO), Fraction(3, 4), "0.75"),
        (numbers("0", "9000", "1", PLAIN), 1234, "1,234"),
        (numbers("0", "9", "1", TERMS), 1, "1 term"),
        (numbers("0", "9", "1", TERMS), 3, "3 terms"),
        (numbers("0", "9", "1", CRITERIA), 1, "1 criterion per term"),
        (numbers("0", "9", "1", CRITERIA), 2, "2 criteria per term"),
        (numbers("0", str(10**30 + 1), "1", PLAIN), 10**30 + 1, "1" + ",000" * 9 + ",001"),
        (BooleanDomain(("passed", "failed")), False, "failed"),
        (BooleanDomain(), True, "yes"),
        (categories("first class", "none"), "first class", "first class"),
        (categories("Certified or chartered", "none"), "Certified or chartered", '"Certified or chartered"'),
        (DATES, date(2026, 7, 13), "13 July 2026"),
    ],
)
def test_a_value_is_written_as_a_careful_person_would(domain: Domain, value: object, text: str) -> None:
    assert value_text(value, domain) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("domain", "knowledge", "text"),
    [
        (numbers("0", "40", "1", YEARS), Between(5, 30), "between 5 and 30 years"),
        (numbers("0", "40", "1", PLAIN), Between(5, 30), "between 5 and 30"),
        (numbers("0", "100", "5", PERCENT), Between(5, 30), "between 5% and 30%"),
        (numbers("0", "90", "0.01", USD), Between(5, Fraction("7.5")), "between 5.00 and 7.50 USD"),
        (numbers("0", "40", "1", YEARS), OneOf((1, 5)), "either 1 year or 5 years"),
        (categories("first class", "deputy", "none"), OneOf(("first class", "deputy")), "either first class or deputy"),
        (categories("x", "y", "z"), OneOf(("x", "y", "z")), "one of x, y or z"),
        (DATES, Between(date(2026, 6, 1), date(2026, 7, 12)), "between 1 June and 12 July 2026"),
        (DATES, NOTHING, "not stated"),
        (DATES, Exact(date(2026, 6, 1)), "1 June 2026"),
    ],
)
def test_knowledge_says_no_more_than_is_known(domain: Domain, knowledge: Knowledge, text: str) -> None:
    assert knowledge_text(knowledge, domain) == text


def test_a_period_names_its_month_and_year_where_they_differ() -> None:
    assert period_text(date(2026, 7, 1), date(2026, 7, 12)) == "1 and 12 July 2026"
    assert period_text(date(2025, 7, 1), date(2026, 7, 12)) == "1 July 2025 and 12 July 2026"


fractions = st.fractions(min_value=-2000, max_value=2000, max_denominator=100)
units = st.sampled_from([PLAIN, PERCENT, RATIO, AUD, YEARS, TERMS, CRITERIA])


@given(low=fractions, step=fractions.filter(lambda step: step > 0), size=st.integers(0, 40), unit=units)
def test_two_numbers_of_a_domain_never_have_the_same_text(low: Fraction, step: Fraction, size: int, unit: Unit) -> None:
    domain = NumberDomain(low, low + size * step, step, unit)
    texts = [value_text(value, domain) for value in values(domain)]
    assert len(set(texts)) == domain.size


@given(low=fractions, step=fractions.filter(lambda step: step > 0), index=st.integers(0, 40))
def test_the_digits_of_a_text_are_the_exact_value(low: Fraction, step: Fraction, index: int) -> None:
    domain = NumberDomain(low, low + 40 * step, step, PLAIN)
    value = domain.value(index)
    assert Fraction(value_text(value, domain).replace(",", "")) == value


def test_two_days_never_have_the_same_text() -> None:
    assert len({value_text(day, DATES) for day in values(DATES)}) == DATES.size


@given(st.lists(st.sampled_from(TRICKY), min_size=2, unique=True))
def test_knowledge_of_names_never_reads_as_other_knowledge(names: list[str]) -> None:
    domain = categories(*names)
    known: list[Knowledge] = [NOTHING, *(Exact(name) for name in names)]
    known += [OneOf((first, second)) for first in names for second in names if first != second]
    known.append(OneOf(tuple(names)) if len(names) > 2 else NOTHING)
    texts = {knowledge_text(each, domain) for each in known}
    assert len(texts) == len(set(known))


@given(st.lists(st.sampled_from(TRICKY), min_size=2, max_size=2, unique=True))
def test_the_words_of_a_boolean_never_read_as_nothing(words: list[str]) -> None:
    domain = BooleanDomain((words[0], words[1]))
    assert len({value_text(True, domain), value_text(False, domain), knowledge_text(NOTHING, domain)}) == 3


def test_a_constant_is_shown_in_the_unit_it_is_typed_with() -> None:
    assert typed_text(144, NumberType(YEARS)) == "12 years"
    assert typed_text(1, NumberType(YEARS)) == "1/12 years"
    assert typed_text(Fraction("3606.67"), NumberType(USD)) == "3,606.67 USD"
    assert typed_text(Fraction("2660.5"), NumberType(USD)) == "2,660.50 USD"
    assert typed_text(Fraction(3, 4), NumberType(PERCENT)) == "75%"


@pytest.mark.parametrize(
    ("article_", "nouns"),
    [
        (
            "a",
            "university,unit,union,user,European,one-off,once-only,UV lamp,ukulele,utility,house,yard,unique site",
        ),
        (
            "an",
            "applicant,hour,honest broker,heir,MRI scanner,SUV,uncle,unimportant site,uninsured driver,umbrella,X-ray"
            ",8-seater,onion,undertaker",
        ),
    ],
)
def test_an_article_goes_by_the_sound_of_its_noun(article_: str, nouns: str) -> None:
    assert {noun: article(noun) for noun in nouns.split(",")} == dict.fromkeys(nouns.split(","), article_)


def test_a_label_keeps_the_article_that_it_has() -> None:
    labels = ("debt limit", "the debt limit", "an index", "their share", "theory test")
    assert [definite(label) for label in labels] == [
        "the debt limit", "the debt limit", "an index", "their share", "the theory test",
    ]  # fmt: skip


def test_people_ask_for_whom_and_things_for_which() -> None:
    assert all(map(is_person, ("household member", "child", "shift worker", "bus driver")))
    assert not any(map(is_person, ("pump", "container", "membership", "room")))


def test_units_that_print_has_a_sign_for_are_shown_with_it() -> None:
    shown = [unit_text(parse_unit(symbol)) for symbol in ("celsius", "m3 per second", "EUR per m2", "litres")]
    assert shown == ["°C", "m³ per second", "EUR per m²", "litres"]


@pytest.mark.parametrize(
    ("kind", "context", "text"),
    [
        ("month", "March 2026", "income (month: March 2026)"),
        ("statement", "2025 annual statement", "income (2025 annual statement)"),
        ("list", "enlisted", "income (list: enlisted)"),
        ("Fuel Plan", "final fuel plan", "income (final fuel plan)"),
    ],
)
def test_a_context_that_names_its_kind_stands_alone(kind: str, context: str, text: str) -> None:
    domain = numbers("0", "9", "1", PLAIN)
    attribute = Attribute("income", "income", "a", "count", ((context, domain),), context_kind=kind)
    assert attribute_text(attribute, context) == text
    assert named_in(attribute, context) == text


def test_nouns_have_their_plural() -> None:
    nouns = ("household member", "deputy", "child", "box", "key")
    assert [plural(noun) for noun in nouns] == ["household members", "deputies", "children", "boxes", "keys"]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("underground hardrock experience", "is"),
        ("completed semesters", "are"),
        ("terms at a remote site", "are"),
        ("clinical hours still to do", "are"),
        ("number of terms", "is"),
        ("marital status", "is"),
        ("GPS", "is"),
        ("master's", "is"),
        ("dependent children", "are"),
        ("of", "is"),
    ],
)
def test_the_verb_agrees_with_the_noun_of_the_label(label: str, expected: str) -> None:
    assert verb(label) == expected


def test_a_sentence_begins_with_a_capital_where_its_first_word_is_an_ordinary_one() -> None:
    assert sentence("rent is at most 5 AUD") == "Rent is at most 5 AUD."
    assert sentence("pH is at least 7") == "pH is at least 7."
    assert sentence("(a + b) is at least 7") == "(a + b) is at least 7."
