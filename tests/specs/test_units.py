"""Units: exact scales, separate dimensions, hostile texts and display."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unco.specs.units import LONGEST_UNIT, UnknownUnit, convert, parse_unit, unit_name, unit_names
from unco.specs.values import DAYS, MONTHS, PERCENT, YEARS, Dimension, NumberType, Unit

AUTHOR = {"term": None, "bed": None, "child": "children", "bed_night": "bed_nights"}
names = st.sampled_from(unit_names())
whole = st.integers(-(10**12), 10**12)
values = st.builds(Fraction, whole, st.integers(1, 10**6))


def amount(value: int | str, from_: str, to: str) -> Fraction:
    return convert(Fraction(value), parse_unit(from_, AUTHOR), parse_unit(to, AUTHOR))


CONVERSIONS = [
    ("12", "months", "years", "1"),
    ("4", "quarters", "year", "1"),
    ("90", "minutes", "hours", "3/2"),
    ("2", "weeks", "days", "14"),
    ("1500", "USD per month", "USD per year", "18000"),
    ("1", "USD per year", "USD per month", "1/12"),
    ("6", "USD/hour", "USD per minute", "1/10"),
    ("1", "km2", "m2", "1000000"),
    ("1", "hectare", "m2", "10000"),
    ("1", "m3", "litres", "1000"),
    ("1", "kg per m3", "g per litre", "1"),
    ("1", "tonne", "kg", "1000"),
    ("1", "MWh", "kWh", "1000"),
    ("1", "kWh", "J", "3600000"),
    ("36", "kmh", "metres per second", "10"),
    ("1", "GB", "MB", "1000"),
    ("8", "bits", "bytes", "1"),
    ("1", "feet", "inches", "12"),
    ("1", "mile", "metres", "1609344/1000"),
    ("1", "bar", "kPa", "100"),
    ("1", "psi", "Pa", "8896443230521/1290320000"),
    ("1", "mmHg", "Pa", "133322387415/1000000000"),
    ("1", "mph", "km per hour", "1609344/1000000"),
    ("12", "% per year", "% per month", "1"),
    ("1", "term", "terms", "1"),
    ("3", "children per year", "children per month", "1/4"),
]

SEPARATE = [
    ("months", "days"),
    ("years", "hours"),
    ("quarters", "weeks"),
    ("USD per month", "USD per day"),
    ("AUD", "EUR"),
    ("USD", "USD per month"),
    ("years", "AUD"),
    ("term", "bed"),
    ("term", "%"),
    ("celsius", "fahrenheit"),
    ("m2", "m3"),
    ("kW", "kWh"),
    ("bits", "kg"),
]


@pytest.mark.parametrize(("value", "from_", "to", "result"), CONVERSIONS)
def test_compatible_units_convert_exactly(value: str, from_: str, to: str, result: str) -> None:
    assert amount(value, from_, to) == Fraction(result)
    assert amount(result, to, from_) == Fraction(value)


@pytest.mark.parametrize(("one", "other"), SEPARATE)
def test_there_is_no_path_between_separate_dimensions(one: str, other: str) -> None:
    with pytest.raises(ValueError, match="cannot become"):
        amount(1, one, other)


@pytest.mark.parametrize(("text", "known"), [("years", YEARS), ("months", MONTHS), ("days", DAYS)])
def test_the_constants_are_what_their_texts_mean(text: str, known: NumberType) -> None:
    assert parse_unit(text) == known.unit
    assert parse_unit(text.removesuffix("s")) == known.unit


def test_percent_has_one_form() -> None:
    assert parse_unit("%") == parse_unit("percent") == PERCENT


@given(values, names, names)
def test_converting_there_and_back_changes_nothing(value: Fraction, one: str, other: str) -> None:
    from_, to = parse_unit(one), parse_unit(other)
    if from_.dimension == to.dimension:
        assert convert(convert(value, from_, to), to, from_) == value
    else:
        with pytest.raises(ValueError, match="cannot become"):
            convert(value, from_, to)


@given(values, names, names, names)
def test_a_rate_converts_as_its_parts_do(value: Fraction, above: str, below: str, other: str) -> None:
    if "percent" in (below, other) or parse_unit(below).dimension != parse_unit(other).dimension:
        return
    rate = convert(value, parse_unit(f"{above} per {below}"), parse_unit(f"{above} per {other}"))
    assert rate == convert(value, parse_unit(other), parse_unit(below))


def test_every_name_has_an_exact_positive_scale_and_sorted_dimensions() -> None:
    for name in unit_names():
        unit = parse_unit(name)
        assert type(unit.scale) is Fraction, name
        assert unit.scale > 0, name
        assert unit.dimension == tuple(sorted(unit.dimension)), name
        assert all(type(power) is int and power for _, power in unit.dimension), name


def test_a_symbol_is_a_unit_text_of_the_same_unit_and_so_is_its_singular() -> None:
    for name in unit_names():
        unit = parse_unit(name)
        assert parse_unit(unit.symbol) == unit
        assert parse_unit(unit_name(unit.symbol, 1)) == unit
        assert unit_name(unit_name(unit.symbol, 1), 2) == unit.symbol


@given(names.filter(lambda name: name != "percent"), names.filter(lambda name: name != "percent"))
def test_a_rates_symbol_is_a_unit_text_of_the_same_unit(above: str, below: str) -> None:
    unit = parse_unit(f"{above}/{below}")
    assert parse_unit(unit.symbol) == unit


@pytest.mark.parametrize("code", ["USD", "EUR", "AUD", "JPY", "CHF", "BHD", "XOF"])
def test_a_currency_is_a_dimension_of_its_own(code: str) -> None:
    assert parse_unit(code) == Unit(((code, 1),), Fraction(1), code)


@pytest.mark.parametrize("base", ["length", "mass", "calendar", "clock", "USD"])
def test_an_authors_unit_never_has_a_built_in_dimension(base: str) -> None:
    own = parse_unit(base, {base: None})
    assert own.dimension == ((f"unit:{base}", 1),)


def test_an_authors_unit_is_known_by_its_plural_too() -> None:
    child = Unit((("unit:child", 1),), Fraction(1), "children")
    assert parse_unit("child", AUTHOR) == parse_unit("children", AUTHOR) == child
    with pytest.raises(UnknownUnit):
        parse_unit("childs", AUTHOR)
    with pytest.raises(UnknownUnit):
        parse_unit("term")


SYMBOLS = [
    ("USD/month", "USD per month"),
    ("USD  per  months", "USD per month"),
    (" year ", "years"),
    ("km/hours", "km per hour"),
    ("term / year", "terms per year"),
    ("USD per terms", "USD per term"),
    ("foot", "feet"),
    ("m2", "m2"),
]


@pytest.mark.parametrize(("text", "symbol"), SYMBOLS)
def test_a_symbol_has_one_form(text: str, symbol: str) -> None:
    assert parse_unit(text, AUTHOR).symbol == symbol


DISPLAY = [
    ("years", 1, "year"),
    ("years", 12, "years"),
    ("years", Fraction(1, 2), "years"),
    ("years", 0, "years"),
    ("years", -1, "year"),
    ("year", 12, "years"),
    ("feet", 1, "foot"),
    ("inches", 1, "inch"),
    ("children", 1, "child"),
    ("children", 2, "children"),
    ("terms per year", 1, "term per year"),
    ("USD per month", 12, "USD per month"),
    ("USD", 2, "USD"),
    ("kWh", 2, "kWh"),
    ("%", 1, "%"),
    ("", 5, ""),
]


@pytest.mark.parametrize(("symbol", "count", "shown"), DISPLAY)
def test_a_unit_agrees_with_its_number(symbol: str, count: int | Fraction, shown: str) -> None:
    assert unit_name(symbol, count, AUTHOR) == shown


NEAR = [
    ("usd", "USD"),
    ("KWH", "kWh"),
    ("monhts", "months"),
    ("$", "USD"),
    ("m²", "m2"),
    ("Years", "years"),
    ("terms2", "term"),
]


@pytest.mark.parametrize(("text", "match"), NEAR)
def test_an_unknown_unit_names_its_near_matches(text: str, match: str) -> None:
    with pytest.raises(UnknownUnit) as caught:
        parse_unit(text, AUTHOR)
    assert match in caught.value.matches
    assert match in str(caught.value)


def test_an_unknown_part_is_named() -> None:
    with pytest.raises(UnknownUnit) as caught:
        parse_unit("USD per fornight")
    assert (caught.value.name, caught.value.matches[0]) == ("fornight", "fortnight")


HOSTILE = [
    "", " ", "per", "USD per", "per month", "USD per month per year", "USD per %", "USD / / month", "1", "12 months",
    "m**2", "m^2", "USD*EUR", "USDs", "ms", "kyear", "__class__", "__import__('os')", "exit()", "lambda: 0", "1e999",
    "[calendar]", "dimensionless", "radian", "USD\nper month", "USD\tper month", "USDpermonth", "ＵＳＤ", "USD\x00",
    "9" * 10**6, "m" * 10**6, "{{ 7*7 }}",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_a_hostile_text_is_an_unknown_unit(text: str) -> None:
    with pytest.raises(UnknownUnit) as caught:
        parse_unit(text)
    assert len(str(caught.value)) < 4 * LONGEST_UNIT


@given(
    st.one_of(
        st.text(max_size=30),
        st.lists(st.sampled_from(["USD", "per", "/", " ", "%", "m", "2", "^", "term"])).map("".join),
    )
)
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_unit_or_an_unknown_unit(text: str) -> None:
    try:
        unit = parse_unit(text, AUTHOR)
    except UnknownUnit:
        return
    assert parse_unit(unit.symbol, AUTHOR) == unit


def test_dimensions_are_a_closed_list() -> None:
    bases: set[Dimension] = {((base, 1),) for name in unit_names() for base, _ in parse_unit(name).dimension}
    physical = {base for ((base, _),) in bases if not base.isupper()}
    assert physical == {
        "angle", "calendar", "celsius", "clock", "current", "data", "dose", "fahrenheit", "illuminance", "kelvin",
        "length", "level", "luminous_flux", "mass", "substance",
    }  # fmt: skip


def test_pint_and_lark_are_imported_only_where_used() -> None:
    modules = "unco.specs.units, unco.specs.parser, unco.specs.printer"
    program = f"import sys, {modules}; print({{'pint', 'lark'}} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "set()"
