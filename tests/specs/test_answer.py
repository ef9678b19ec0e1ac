"""The scorer: equal values are equal, unequal never; what is no answer is never right (S19 to S21)."""

from __future__ import annotations

import json
import time
import unicodedata
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from unco.specs.answer import (
    Answer,
    AnswerFormat,
    Misstated,
    NumberFormat,
    Score,
    Unparsable,
    Verdict,
    WrongUnit,
    answer_from_fields,
    parse_answer,
    parse_number,
    score,
    why_unwritable,
    write_answer,
    write_number,
)

AUD = NumberFormat(unit="AUD")
EUR = NumberFormat(unit="EUR")
PERCENT = NumberFormat(unit="%", places=1)
YEARS = NumberFormat(unit="years")
RATE = NumberFormat(unit="USD per month", places=2)
PLAIN = NumberFormat(places=2)
FORMATS = {form.unit: form for form in (AUD, EUR, PERCENT, YEARS, RATE, PLAIN)}
HIRING = AnswerFormat(positive="Appoint", negative="Do not appoint", candidates=("A", "AB", "Zoë Ng"), number=AUD)
GOLD = Answer(decision="Appoint", candidate="A", result=60_000)
NULL = Answer(decision="Do not appoint")


@pytest.mark.parametrize(
    ("text", "form", "value"),
    [
        ("20%", PERCENT, "20"),
        ("20", PERCENT, "20"),
        ("20 per cent", PERCENT, "20"),
        ("20.0 percent.", PERCENT, "20"),
        ("60,000 AUD", AUD, "60000"),
        ("AUD 60,000.00", AUD, "60000"),
        ("60000aud", AUD, "60000"),
        ("$60,000", AUD, "60000"),
        ("$60,000 AUD", AUD, "60000"),
        ("A$60,000", AUD, "60000"),
        ("AUD$60,000", AUD, "60000"),
        ("60,000 dollars", AUD, "60000"),
        ("Result: (60000).", AUD, "60000"),
        ("**Final answer: 60,000 AUD**", AUD, "60000"),
        ("(60000)", AUD, "60000"),
        ("6e4", AUD, "60000"),
        ("6.0E+4 AUD", AUD, "60000"),
        ("60.000", AUD, "60"),
        ("60 000", AUD, "60000"),
        ("60\u202f000\u00a0AUD", AUD, "60000"),
        ("60\u2009000", AUD, "60000"),
        ("60_000", AUD, "60000"),
        ("1,234,567.5", AUD, "1234567.5"),
        ("+60000", AUD, "60000"),
        ("0060000", AUD, "60000"),
        (".5", PLAIN, "0.5"),
        ("-5", AUD, "-5"),
        ("\u22125", AUD, "-5"),
        ("\u20135 AUD", AUD, "-5"),
        ("-$5", AUD, "-5"),
        ("$-5", AUD, "-5"),
        ("€5", EUR, "5"),
        ("5 Years", YEARS, "5"),
        ("1 year", YEARS, "1"),
        ("5 yrs", YEARS, "5"),
        ("$500/month", RATE, "500"),
        ("USD 500 per month", RATE, "500"),
        ("US$ 500 per month", RATE, "500"),
        ("500.00 USD / month", RATE, "500"),
        ("33.14", PLAIN, "33.14"),
        ("1" + "0" * 30, AUD, str(10**30)),
        ("1" + "0" * 29 + "1", AUD, str(10**30 + 1)),
    ],
)
def test_a_number_in_the_format_has_its_exact_value(text: str, form: NumberFormat, value: str) -> None:
    assert parse_number(text, form) == Fraction(value)


@pytest.mark.parametrize(
    ("text", "form", "value", "unit"),
    [
        ("60,000 USD", AUD, 60_000, "USD"),
        ("USD 60,000", AUD, 60_000, "USD"),
        ("US$60,000", AUD, 60_000, "US$"),
        ("US$60,000 AUD", AUD, 60_000, "US$ AUD"),
        ("$60,000 USD", AUD, 60_000, "$ USD"),
        ("$60,000", EUR, 60_000, "$"),
        ("A$5", NumberFormat(unit="USD"), 5, "A$"),
        ("60,000 AUD per year", AUD, 60_000, "AUD per year"),
        ("500 USD", RATE, 500, "USD"),
        ("500 USD per year", RATE, 500, "USD per year"),
        ("5 months", YEARS, 5, "months"),
        ("20%", PLAIN, 20, "%"),
        ("20 points", PERCENT, 20, "points"),
        ("5 MW", NumberFormat(unit="mW"), 5, "MW"),
        ("5 ms", NumberFormat(unit="m"), 5, "ms"),
    ],
)
def test_another_unit_is_told_apart_from_no_number(text: str, form: NumberFormat, value: int, unit: str) -> None:
    assert parse_number(text, form) == WrongUnit(Fraction(value), unit)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "-", ".", "e4", "AUD", "none", "about 60000", "60k", "60 thousand", "6 million AUD", "6 x 10^4",
        "1,23,456", "60,00", "1234,567", "0,500", "1,234 567", "60 0000", "1,,234", "1.2.3", "6e400", "6e4e4",
        "--5", "-$-5", "- 5", "-(5)", "(5", "5 or 6", "5 to 30 years", "1/2", "60000 AUD (rounded)", "NaN", "inf",
        "Result in USD: 5", "USD: 5", "0x10", "٦٠٠٠٠", "６００００", "6²", "6½", "5\n6", "\x005", "1" * 1_000_000,
    ],
)  # fmt: skip
def test_what_is_no_number_in_the_format_is_unparsable(text: str) -> None:
    assert isinstance(parse_number(text, AUD), Unparsable)


@pytest.mark.parametrize(
    ("text", "other"),
    [("-5", "5"), ("33.14", "3.14"), ("42", "4"), ("60000.4", "60000"), ("60.000", "60,000"), ("25000001", "25000000")],
)
def test_numbers_that_look_alike_are_told_apart(text: str, other: str) -> None:
    assert parse_number(text, PLAIN) != parse_number(other, PLAIN)


@pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))
def test_the_description_shows_an_example_that_reads_back(form: NumberFormat) -> None:
    assert parse_number(write_number(form.example, form), form) == form.example
    assert write_number(form.example, form) in form.describe()


def test_the_description_names_unit_places_and_rounding() -> None:
    assert AUD.describe() == (
        "Give the result as a whole number of AUD (halves rounded away from zero), in the form 1,234 AUD, or "
        "-1,234 AUD if it is negative; the comma between thousands may be left out."
    )


def test_a_value_that_the_places_do_not_hold_is_not_written() -> None:
    with pytest.raises(ValueError, match="at most 1 decimal places, found 1/4"):
        write_number(Fraction(1, 4), PERCENT)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("ANSWER: Appoint | A | 60,000 AUD", "right"),
        ("Thus **ANSWER: Appoint | A | $60,000**", "right"),
        ("**Answer:** appoint | a | (60000).", "right"),
        ("ANSWER: Appoint | AB | 5 ... actually ANSWER: Appoint | A | 60000", "right"),
        ("ANSWER: Appoint | A | 60000\nANSWER: Appoint | AB | 60000", "wrong"),
        ("ANSWER: Appoint | A | 60000 ... actually ANSWER: Appoint | AB | 60000", "wrong"),
        ("ANSWER: Appoint | A | 60000\nANSWER: Do not appoint", "wrong"),
        ("ANSWER: Appoint | A | 60000\nMy answer: as above.", "right"),
        ("ANSWER: Appoint | A | 60000\nANSWER: Appoint | AB", "unparsable"),
        ("ANSWER: Appoint | A | 60,000 USD", "wrong"),
        ("ANSWER: Appoint | A | 60000.4", "wrong"),
        ("ANSWER: Appoint | A | none", "wrong"),
        ("ANSWER: Appoint | none | 60000", "wrong"),
        ("ANSWER: Appoint | Ab C | 60000", "wrong"),
        ("ANSWER: Do not appoint | none | none", "wrong"),
        ("ANSWER: Do not appoint | A | 60000", "wrong"),
        ("ANSWER: App | A | 60000", "unparsable"),
        ("ANSWER: Appoint | A | about 60000", "unparsable"),
        ("ANSWER: Appoint | A | 60000 | x", "unparsable"),
        ("ANSWER: A", "unparsable"),
        ("A, 60000", "unparsable"),
        ("NOTANSWER: Appoint | A | 60000", "unparsable"),
        ("", "unparsable"),
        (None, "unparsable"),
    ],
)
def test_the_last_answer_counts_and_is_matched_whole(text: str | None, verdict: str) -> None:
    assert score(text, GOLD, HIRING).verdict == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("ANSWER: Do not appoint | none | none", "right"),
        ("ANSWER: do not appoint | - | N/A.", "right"),
        ("ANSWER: Do not appoint.", "right"),
        ("ANSWER: Do not appoint | none | 0", "wrong"),
        ("ANSWER: Do not appoint | none |", "wrong"),
        ("ANSWER: Do not appoint | A | none", "wrong"),
        ("ANSWER: Appoint | none | none", "wrong"),
        ("ANSWER: Do not", "unparsable"),
        ("ANSWER: none | none | none", "unparsable"),
        ("ANSWER: | |", "unparsable"),
        ("ANSWER:", "unparsable"),
        ("none", "unparsable"),
        ("", "unparsable"),
        ("\x00\ud800", "unparsable"),
        (None, "unparsable"),
    ],
)
def test_a_null_gold_is_matched_by_a_stated_null_alone(text: str | None, verdict: str) -> None:
    assert score(text, NULL, HIRING).verdict == verdict


def test_two_unparsables_never_match() -> None:
    assert score(parse_answer("garbage", HIRING), NULL, HIRING).verdict is Verdict.UNPARSABLE


@pytest.mark.parametrize(
    ("text", "decision", "result"),
    [
        ("ANSWER: Appoint | A | 60000", True, True),
        ("ANSWER: Appoint | A | 5", True, False),
        ("ANSWER: Appoint | A | 60,000 USD", True, False),
        ("ANSWER: Appoint | AB | 60000", False, True),
        ("ANSWER: Do not appoint | none | none", False, False),
    ],
)
def test_decision_and_result_are_judged_apart(text: str, decision: bool, result: bool) -> None:
    judged = score(text, GOLD, HIRING)
    assert (judged.decision_right, judged.result_right) == (decision, result)


def test_a_name_matches_in_any_normal_form_and_case() -> None:
    gold = Answer(decision="Appoint", candidate="Zoë Ng", result=5)
    name = unicodedata.normalize("NFD", "ZOË NG")
    assert score(f"ANSWER: Appoint |  {name} | 5", gold, HIRING).verdict is Verdict.RIGHT


def test_case_decides_between_names_that_differ_in_case_alone() -> None:
    form = AnswerFormat(positive="Yes", negative="No", candidates=("ab", "AB"), number=AUD)
    assert answer_from_fields("Yes", "AB", 5, form) == Answer(decision="Yes", candidate="AB", result=5)
    assert isinstance(answer_from_fields("Yes", "Ab", 5, form), Misstated)


def test_a_candidate_called_none_is_no_null() -> None:
    form = AnswerFormat(positive="Yes", negative="No", candidates=("None", "B"), number=AUD)
    gold = Answer(decision="Yes", candidate="None", result=5)
    assert score("ANSWER: Yes | none | 5", gold, form).verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    "result", [60_000, "60,000 AUD", Decimal("60000.00"), Fraction(60_000), Decimal("6E+4")], ids=repr
)
def test_a_structured_answer_scores_like_its_text(result: object) -> None:
    assert score(answer_from_fields("Appoint", "A", result, HIRING), GOLD, HIRING).verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    "result",
    [60_000.0, True, [60_000], Decimal("NaN"), Decimal("1e999999999"), 10**400, float("inf"), b"60000", "9" * 10**6],
    ids=lambda value: type(value).__name__,
)
def test_a_structured_result_that_is_not_exact_or_too_large_is_unparsable(result: object) -> None:
    assert isinstance(answer_from_fields("Appoint", "A", result, HIRING), Unparsable)


@pytest.mark.parametrize(("decision", "candidate"), [(None, "A"), (1, "A"), ([], {}), ("x" * 10**6, "A")])
def test_structured_fields_of_any_kind_are_never_right(decision: object, candidate: object) -> None:
    assert score(answer_from_fields(decision, candidate, 60_000, HIRING), GOLD, HIRING).verdict is Verdict.UNPARSABLE


@pytest.mark.parametrize(
    "gold",
    [
        Answer(decision="Hire", candidate="A", result=5),
        Answer(decision="Appoint"),
        Answer(decision="Appoint", candidate="C", result=5),
        Answer(decision="Do not appoint", candidate="A", result=5),
        Answer(decision="Appoint", candidate="A", result=Fraction(1, 2)),
    ],
)
def test_a_gold_outside_its_format_is_a_fault_and_no_score(gold: Answer) -> None:
    with pytest.raises(ValueError, match=r"gold is not an answer|decimal places"):
        score("ANSWER: Appoint | A | 5", gold, HIRING)


def test_an_answer_has_both_nulls_or_none() -> None:
    with pytest.raises(ValueError, match="a candidate and a result, or neither"):
        Answer(decision="Appoint", candidate="A")


@pytest.mark.parametrize("name", ["", " A", "A|B", "A\nB", "A\u2028B", "A\x00", "ANSWER: A"])
def test_a_name_that_would_break_the_line_is_refused(name: str) -> None:
    assert why_unwritable(name)
    with pytest.raises(ValueError, match=r"is empty|holds"):
        AnswerFormat(positive="Yes", negative="No", candidates=(name, "B"), number=AUD)


def test_names_that_are_the_same_in_normal_form_are_refused() -> None:
    with pytest.raises(ValueError, match="distinct"):
        AnswerFormat(positive="Yes", negative="No", candidates=("Zoë", "Zoe\u0308"), number=AUD)


def test_the_description_names_labels_candidates_and_number_format() -> None:
    text = HIRING.describe()
    for part in ("`Appoint`", "`Do not appoint`", "`A`, `AB` or `Zoë Ng`", "`none`", AUD.describe()):
        assert part in text
    assert isinstance(parse_answer(text, HIRING), Unparsable)


@pytest.mark.parametrize("artifact", [GOLD, NULL, HIRING, score("ANSWER: Do not appoint", GOLD, HIRING)], ids=str)
def test_artifacts_read_back_equal_from_json(artifact: Answer | AnswerFormat | Score) -> None:
    assert type(artifact).model_validate_json(artifact.model_dump_json()) == artifact
    assert "." not in json.dumps(GOLD.model_dump(mode="json"))


@pytest.mark.parametrize(
    "text",
    [
        "ANSWER:" * 150_000,
        "ANSWER: x " * 100_000,
        "ANSWER: " + "|" * 1_000_000,
        "ANSWER: Appoint | A | " + "9" * 1_000_000,
        "ANSWER: Appoint | A | " + "1,000 " * 200_000,
        "ANSWER" + "*" * 1_000_000,
        "\n" * 1_000_000,
        "ANSWER: Appoint | A\u0301" + "\u0301\u0323" * 500_000,
        "answer" * 200_000,
    ],
    ids=lambda text: text[:24].strip(),
)
def test_a_megabyte_of_hostile_text_is_scored_within_seconds(text: str) -> None:
    begun = time.process_time()
    assert score(text, GOLD, HIRING).verdict is Verdict.UNPARSABLE
    assert time.process_time() - begun < 5


def test_an_answer_at_the_end_of_a_huge_text_is_found() -> None:
    text = "thinking " * 400_000 + "\nANSWER: Appoint | A | 60,000 AUD\n"
    assert score(text, GOLD, HIRING).verdict is Verdict.RIGHT


@st.composite
def values(draw: st.DrawFn, form: NumberFormat) -> Fraction:
    """Values that the places hold: zero, small, around a thousand, one step apart in the tens of digits."""
    near = st.sampled_from([0, 1, 999, 1_000, 1_001, 999_999, 1_000_000, 25_000_001, 10**30 + 1])
    scaled = draw(near | st.integers(0, 10**12)) * draw(st.sampled_from([1, 10**form.places]))
    return Fraction(draw(st.sampled_from([1, -1])) * scaled, 10**form.places)


UNITS = {
    "AUD": ("{} AUD", "AUD {}", "{}aud", "{}", "{} dollars", "A${}"),
    "EUR": ("{} EUR", "€{}", "{}€", "{} euros"),
    "%": ("{}%", "{} %", "{} percent", "{}"),
    "years": ("{} years", "{} year", "{}"),
    "USD per month": ("{} USD per month", "${}/month", "USD {} per month", "{}"),
    "": ("{}",),
}
WRAPPED = ("{}", " {} ", "({})", "**{}**", "Result: {}", "Answer = {}.", '"{}"', "`{}`", "[({}.)]")


@st.composite
def spellings(draw: st.DrawFn, value: Fraction, form: NumberFormat) -> str:
    """One of the many allowed ways to write the value."""
    written = write_number(abs(value), NumberFormat(places=form.places))
    digits = written.replace(",", draw(st.sampled_from([",", "", " ", "\u00a0", "\u202f", "_"])))
    zeros = "0" * draw(st.integers(0, 3))
    digits += (zeros if "." in digits else f".{zeros}") if zeros else ""
    sign = draw(st.sampled_from(["-", "\u2212"])) if value < 0 else draw(st.sampled_from(["", "+"]))
    united = draw(st.sampled_from(UNITS[form.unit])).format(sign + digits)
    return draw(st.sampled_from(WRAPPED)).format(united)


forms = st.sampled_from(list(FORMATS.values()))


def form_with(number: NumberFormat) -> AnswerFormat:
    return HIRING.model_copy(update={"number": number})


@given(st.data(), forms)
def test_a_value_written_in_any_allowed_way_is_right(data: st.DataObject, number: NumberFormat) -> None:
    value = data.draw(values(number))
    text = data.draw(spellings(value, number))
    gold = Answer(decision="Appoint", candidate="AB", result=value)
    assert score(f"ANSWER: Appoint | AB | {text}", gold, form_with(number)).verdict is Verdict.RIGHT


@given(st.data(), forms)
def test_another_value_is_wrong_however_it_is_written(data: st.DataObject, number: NumberFormat) -> None:
    value, step = data.draw(values(number)), Fraction(1, 10**number.places)
    other = data.draw(values(number) | st.sampled_from([value + step, value - step, -value, value * 10, value * 1000]))
    assume(other != value)
    text = data.draw(spellings(other, number))
    gold = Answer(decision="Appoint", candidate="AB", result=value)
    judged = score(f"ANSWER: Appoint | AB | {text}", gold, form_with(number))
    assert (judged.verdict, judged.decision_right, judged.result_right) == (Verdict.WRONG, True, False)


@given(st.data(), forms)
def test_a_text_with_one_digit_changed_is_never_right(data: st.DataObject, number: NumberFormat) -> None:
    value = data.draw(values(number))
    text = data.draw(spellings(value, number))
    place = data.draw(st.sampled_from([index for index, character in enumerate(text) if character.isdigit()]))
    digit = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != text[place]]))
    changed = text[:place] + digit + text[place + 1 :]
    gold = Answer(decision="Appoint", candidate="AB", result=value)
    assert score(f"ANSWER: Appoint | AB | {changed}", gold, form_with(number)).verdict is not Verdict.RIGHT


@given(st.data(), forms)
def test_a_text_with_one_character_dropped_is_right_only_if_its_value_stays(
    data: st.DataObject, number: NumberFormat
) -> None:
    text = data.draw(spellings(data.draw(values(number)), number))
    place = data.draw(st.integers(0, len(text) - 1))
    dropped = text[:place] + text[place + 1 :]
    if text[place].isdigit() and "." not in text and text.strip("0") == text:
        assert parse_number(dropped, number) != parse_number(text, number)


alphabet = st.sampled_from(
    [*"0123456789.,-+$€%eE|:()* \n", "\u2212", "\u00a0", "ANSWER:", "Appoint", "none", "A", "AUD"]
)
noise = st.text() | st.lists(alphabet, max_size=40).map("".join)


@given(noise)
@example("ANSWER:|\ud800|")
@example("ANSWER: Appoint | A | 5. AUD")
def test_arbitrary_text_never_raises_and_never_matches_an_unstated_value(text: str) -> None:
    assert isinstance(parse_answer(text, HIRING), Answer | Misstated | Unparsable)
    assert isinstance(parse_number(text, AUD), Fraction | WrongUnit | Unparsable)
    assert (
        score(text, Answer(decision="Appoint", candidate="AB", result=7_777_777), HIRING).verdict is not Verdict.RIGHT
    )


@given(noise, noise, noise)
def test_arbitrary_fields_read_as_an_answer_only_if_it_writes_and_reads_back(
    decision: str, candidate: str, result: str
) -> None:
    reading = answer_from_fields(decision, candidate, result, HIRING)
    if isinstance(reading, Answer) and (reading.result is None or reading.result.denominator == 1):
        assert parse_answer(write_answer(reading, HIRING), HIRING) == reading


names = st.lists(
    (st.text(min_size=1, max_size=8) | st.sampled_from(["A", "a", "A.", "AB", "*A*", "none", "-", "Zoe\u0308"]))
    .map(lambda name: unicodedata.normalize("NFC", name).strip())
    .map(lambda name: "A B" if why_unwritable(name) else name),
    min_size=2,
    max_size=4,
    unique=True,
)


@given(names, st.data())
def test_every_candidate_with_a_writable_name_is_told_from_every_other(names: list[str], data: st.DataObject) -> None:
    form = AnswerFormat(positive="Appoint", negative="Do not appoint", candidates=tuple(names), number=AUD)
    said, gold = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    line = write_answer(Answer(decision="Appoint", candidate=said, result=5), form)
    right = score(line, Answer(decision="Appoint", candidate=gold, result=5), form).verdict is Verdict.RIGHT
    assert right == (said == gold)
