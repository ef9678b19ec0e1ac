"""Text to specification: exact, complete in its findings, in an author's words; and back to equal text."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from reading_samples import SAMPLE, SPECIFICATIONS

from unco.specs.codes import CODES
from unco.specs.diagnostics import render_text, to_json, to_sarif
from unco.specs.document import LimitsSection, Specification, TableRow
from unco.specs.errors import Diagnostic, Severity, SpecificationError
from unco.specs.read import (
    MAXIMUM_FINDINGS,
    Loaded,
    located_specification,
    parse_specification,
    read_specification,
    to_yaml,
)
from unco.specs.scalars import exact_number, number_text

JARGON = re.compile(r"Input should|pydantic|https?://|\bstr\b|\bdict\b|\bNone\b|type=|constrained|Section|Fraction")


def findings(old: str, new: str) -> tuple[Diagnostic, ...]:
    """What is found in the sample with one part changed."""
    assert SAMPLE.count(old) >= 1
    with pytest.raises(SpecificationError) as caught:
        parse_specification(SAMPLE.replace(old, new, 1), "a.yaml")
    rendered = render_text(caught.value.diagnostics, caught.value.text)
    assert not JARGON.search(rendered), rendered
    return caught.value.diagnostics


def finding(old: str, new: str) -> Diagnostic:
    (diagnostic,) = findings(old, new)
    return diagnostic


class TestReading:
    LOADED = parse_specification(SAMPLE, "a.yaml")

    def test_numbers_stay_exact(self) -> None:
        specification = self.LOADED.specification
        assert specification.attributes["hardrock"].step == Fraction("0.10000000000000000000001")
        assert specification.plan.none_eligible == Fraction(1, 3)
        assert specification.plan.failed_conditions == {1: Fraction(3), 2: Fraction(1, 2)}

    def test_scalars_stay_the_text_that_the_author_wrote(self) -> None:
        specification = self.LOADED.specification
        assert specification.parameters["least"].range == ("10", "14")
        assert specification.attributes["start"].range == ("2026-01-01", "2026-12-31")
        assert [row.from_ for row in specification.tables["fees"].rows] == ["0", "30_000"]
        assert [row.value for row in specification.tables["fees"].rows] == ["0.05", "0.10000000000000000000001"]

    def test_fields_with_words_or_whole_numbers_are_converted(self) -> None:
        specification = self.LOADED.specification
        assert specification.roles["hr"].dispensable is True
        assert specification.groups["household"].size == 3
        assert specification.limits.roles == (1, 7)
        assert specification.notes is None

    def test_a_text_may_look_like_a_number(self) -> None:
        context = self.LOADED.specification.attributes["hardrock"].context
        assert context is not None
        assert context.required == "2026"
        assert context.others[0] == "2025"

    def test_a_file_and_a_json_file_read_equal(self, tmp_path: Path) -> None:
        yaml_path, json_path = tmp_path / "a.yaml", tmp_path / "a.json"
        yaml_path.write_text(SAMPLE, encoding="utf-8")
        json_path.write_text(json.dumps(self.LOADED.specification.dump()), encoding="utf-8")
        assert read_specification(yaml_path).specification == self.LOADED.specification
        specification = read_specification(json_path).specification
        assert specification == self.LOADED.specification

    def test_every_section_of_the_language_is_in_the_sample(self) -> None:
        assert set(self.LOADED.specification.model_fields_set) == set(Specification.model_fields)


class TestFindings:
    def test_an_unknown_field_names_the_nearest(self) -> None:
        (unknown,) = findings("    owner: hr\n", "    ownr: hr\n")
        assert (unknown.code, unknown.path, unknown.hint) == (
            "UNC107",
            "attributes.hardrock.ownr",
            "did you mean `owner`?",
        )
        assert unknown.span is not None
        assert SAMPLE.splitlines()[unknown.span.line - 1][unknown.span.column - 1 :].startswith("owner")

    def test_a_missing_field_is_shown_at_the_key_of_its_mapping(self) -> None:
        diagnostic = finding("    label: fees\n", "")
        assert (diagnostic.code, diagnostic.path) == ("UNC108", "tables.fees.label")
        assert diagnostic.span is not None
        line = SAMPLE.splitlines()[diagnostic.span.line - 1]
        assert line[diagnostic.span.column - 1 : diagnostic.span.end_column - 1] == "fees"

    @pytest.mark.parametrize(
        ("old", "new", "code", "path", "expected"),
        [
            ("unco: 1", "unco: 2", "UNC109", "unco", "`1`"),
            ("type: duration, unit", "type: durations, unit", "UNC109", "parameters.least.type", "one of `boolean`"),
            ("size: 3", "size: 13", "UNC109", "groups.household.size", "a whole number, from 1 to 12"),
            ("size: 3", "size: Big One", "UNC109", "groups.household.size", "a name of a-z"),
            (
                "hardrock >= least",
                "[a]",
                "UNC109",
                "conditions.experience",
                "a text of 1 to 4,000 characters or a mapping",
            ),
            ("hardrock >= least", "{}", "UNC108", "conditions.experience.rule", "`rule`: a text"),
            ("hardrock >= least", "~", "UNC109", "conditions.experience", "a text of 1 to 4,000 characters or"),
            (
                "1/3",
                "4/3",
                "UNC109",
                "plan.none_eligible",
                "an exact number such as 12, -0.5, 25_000_000 or 1/3, from 0",
            ),
            ("1/3", "1/0", "UNC113", "plan.none_eligible", "an exact number"),
            ("1/3", "1e5", "UNC113", "plan.none_eligible", "an exact number"),
            ("1/3", ".nan", "UNC113", "plan.none_eligible", "an exact number"),
            ("1/3", "٣", "UNC113", "plan.none_eligible", "an exact number"),
            ("1/3", "[]", "UNC113", "plan.none_eligible", "an exact number"),
            ("1/3", "0." + "3" * 60, "UNC106", "plan.none_eligible", "at most 40 digits"),
            ("  hr:\n", "  HR Manager:\n", "UNC109", "roles.HR Manager", "a name of a-z"),
            ("{1: 3,", "{0: 3,", "UNC109", "plan.failed_conditions.0", "a whole number from 1 to 40"),
            ("{1: 3,", "{41: 3,", "UNC109", "plan.failed_conditions.41", "a whole number from 1 to 40"),
            ("{1: 3,", "{x: 3,", "UNC109", "plan.failed_conditions.x", "a whole number from 1 to 40"),
            ("{1: 3,", "{1: -3,", "UNC109", "plan.failed_conditions.1", "an exact number such as 12, -0.5"),
            ("yes", "maybe", "UNC109", "roles.hr.dispensable", "true or false"),
            ("[10, 14]", "[10]", "UNC109", "parameters.least.range", "a list of 2"),
            ("[10, 14]", "[1, 2, 3]", "UNC109", "parameters.least.range", "a list of 2"),
            ("[10, 14]", "{}", "UNC109", "parameters.least.range", "a list of 2"),
            ("[10, 14]", "10", "UNC109", "parameters.least.range", "a list of 2"),
            ("[10, 14]", "[10, []]", "UNC109", "parameters.least.range[1]", "a number, a date"),
            ("places: 2", "places: two", "UNC109", "calculation.rounding.places", "a whole number, from 0 to 9"),
            ("places: 2", "places: 10", "UNC109", "calculation.rounding.places", "a whole number, from 0 to 9"),
            ("places: 2", "places: 1.5", "UNC109", "calculation.rounding.places", "a whole number, from 0 to 9"),
            (
                "places: 2",
                "places: " + "9" * 3999,
                "UNC109",
                "calculation.rounding.places",
                "a whole number, from 0 to 9",
            ),
            ("title: Underground", "title: " + "x" * 400, "UNC106", "title", "a text of 1 to 400 characters"),
            ("title: Underground superintendent", "title:", "UNC109", "title", "a text of 1 to 400 characters"),
            ("title: Underground superintendent", "title: ' a'", "UNC112", "title", "characters that a reader can see"),
            (
                "title: Underground superintendent",
                'title: "a\\nb"',
                "UNC112",
                "title",
                "characters that a reader can see",
            ),
            ("title: Underground superintendent", 'title: ""', "UNC109", "title", "a text of 1 to 400 characters"),
            ("name: underground", "name: Underground", "UNC109", "name", "a name of a-z, 0-9 and -"),
            ('[Marcus Vance, 日本 Ko, "A, B"]', "[x]", "UNC109", "candidates.names", "a list of 2 to 500"),
            ("others: [2025", "others: [[]", "UNC109", "attributes.hardrock.context.others[0]", "a text of 1 to 400"),
            (
                "{name: 2024,",
                "{nme: 2024, name: a,",
                "UNC107",
                "attributes.hardrock.context.others[1].nme",
                "one of `unit`",
            ),
        ],
    )
    def test_each_kind_of_fault_has_its_code_its_path_and_what_was_expected(
        self, old: str, new: str, code: str, path: str, expected: str
    ) -> None:
        diagnostic = finding(old, new)
        assert (diagnostic.code, diagnostic.path) == (code, path)
        assert expected in (diagnostic.expected or "")
        assert diagnostic.span is not None

    def test_a_wrong_name_comes_with_a_right_one(self) -> None:
        assert finding("  hr:\n", "  HR Manager:\n").hint == "for example `hr_manager`"
        assert finding("type: duration, unit", "type: Durations, unit").hint == "did you mean `duration`?"

    def test_all_faults_are_found_in_one_run_in_file_order(self) -> None:
        text = (
            SAMPLE.replace("unco: 1", "unco: 9")
            .replace("yes", "maybe")
            .replace("1/3", "x")
            .replace("size: 3", "sze: 3")
        )
        with pytest.raises(SpecificationError) as caught:
            parse_specification(text, "a.yaml")
        spans = [diagnostic.span for diagnostic in caught.value.diagnostics]
        assert [diagnostic.code for diagnostic in caught.value.diagnostics] == [
            "UNC109",
            "UNC109",
            "UNC107",
            "UNC113",
        ]
        places = [(span.line, span.column) for span in spans if span]
        assert places == sorted(places)

    def test_too_few_parts_are_not_reported_because_some_are_wrong(self) -> None:
        found = findings('[Marcus Vance, 日本 Ko, "A, B"]', "[a, [], {}]")
        assert [diagnostic.path for diagnostic in found] == ["candidates.names[1]", "candidates.names[2]"]

    def test_a_flood_of_faults_is_cut_with_a_note(self) -> None:
        extra = "".join(f"x{number}: 1\n" for number in range(20_000))
        found = findings("unco: 1\n", "unco: 1\n" + extra)
        assert len(found) == MAXIMUM_FINDINGS + 1
        assert found[-1].severity is Severity.NOTE
        assert found[-1].message == "further findings are not shown: mend these first"

    @pytest.mark.parametrize("text", ["[]", "- a\n", "text\n", "~\n"])
    def test_a_file_that_holds_no_mapping_is_refused(self, text: str) -> None:
        with pytest.raises(SpecificationError) as caught:
            parse_specification(text, "a.yaml")
        assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["UNC109"]

    def test_names_of_alternatives_do_not_lead_astray(self) -> None:
        """The validation library calls an alternative by its class, and an author may have that name for a key."""
        text = SAMPLE.replace("hardrock >= least", "{rule: a, RuleSection: {RuleSection: b}}")
        with pytest.raises(SpecificationError) as caught:
            parse_specification(text, "a.yaml")
        codes = [(diagnostic.code, diagnostic.path) for diagnostic in caught.value.diagnostics]
        assert codes == [("UNC107", "conditions.experience.RuleSection")]


NASTY = st.sampled_from(
    [
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xe2\x80\xae",
        b"&a ",
        b"*a",
        b"!!int ",
        b"---\n",
        b"<<: ",
        b"~",
        b"[",
        b"{",
        b"- ",
        b"\t",
        b"\n",
        b"\r",
        b": ",
        b"?",
        b"'",
        b'"',
        b"|",
        b">",
        b"#",
        b"9" * 50,
        b"1e9",
        b"  ",
        b"\\ud800",
        b"%",
        b"@",
        b"null",
    ]
)


@st.composite
def mutations(draw: st.DrawFn, text: bytes) -> bytes:
    """The bytes with a few cuts, copies and insertions."""
    data = text
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 30)))
        piece = draw(NASTY | st.binary(max_size=4) | st.just(data[end : end + 40]))
        data = data[:start] + piece + data[end:]
    return data


class TestHostile:
    JSON = json.dumps(parse_specification(SAMPLE).specification.dump()).encode()

    @settings(max_examples=300)
    @given(mutations(SAMPLE.encode()))
    @example(SAMPLE.encode().replace(b"hr:", b"*hr:"))
    def test_a_mutated_file_ends_in_a_specification_or_in_diagnostics(self, data: bytes) -> None:
        self.ends_well(data, "a.yaml")

    @settings(max_examples=200)
    @given(mutations(JSON))
    def test_a_mutated_json_file_ends_in_a_specification_or_in_diagnostics(self, data: bytes) -> None:
        self.ends_well(data, "a.json")

    @staticmethod
    def ends_well(data: bytes, file: str) -> None:
        diagnostics: tuple[Diagnostic, ...] = ()
        text = None
        try:
            outcome = parse_specification(data, file)
            assert isinstance(outcome, Loaded)
        except SpecificationError as error:
            diagnostics, text = error.diagnostics, error.text
            assert diagnostics
        rendered = render_text(diagnostics, text)
        assert all(character.isprintable() or character == "\n" or ord(character) > 0x7F for character in rendered)
        assert not JARGON.search(re.sub("`[^`]*`", "", "".join(d.message + (d.expected or "") for d in diagnostics)))
        json.dumps([to_json(diagnostics), to_sarif(diagnostics)])
        for diagnostic in diagnostics:
            assert diagnostic.code in CODES
            assert diagnostic.span is not None


class TestWriting:
    @settings(max_examples=60)
    @given(SPECIFICATIONS)
    def test_read_after_write_is_the_identity(self, specification: Specification) -> None:
        written = to_yaml(specification)
        assert parse_specification(written, "a.yaml").specification == specification
        assert to_yaml(parse_specification(written, "a.yaml").specification) == written

    @settings(max_examples=30)
    @given(SPECIFICATIONS)
    def test_json_read_after_dump_is_the_identity(self, specification: Specification) -> None:
        assert parse_specification(json.dumps(specification.dump()), "a.json").specification == specification

    def test_the_order_of_an_authors_names_is_kept(self) -> None:
        data = parse_specification(SAMPLE).specification.dump()
        data["conditions"] = dict.fromkeys(("z", "type", "label", "a", "name"), "a")
        written = to_yaml(Specification.model_validate(data))
        again = parse_specification(written, "a.yaml").specification
        assert [*again.conditions] == ["z", "type", "label", "a", "name"]

    def test_a_specification_from_python_has_places(self) -> None:
        specification = parse_specification(SAMPLE).specification
        loaded = located_specification(specification)
        assert loaded.specification == specification
        span = loaded.source.span(("conditions", "experience"))
        assert span.file == "<underground-superintendent>"
        assert loaded.source.line(span.line)[span.column - 1 : span.end_column - 1] == "hardrock >= least"

    def test_the_text_is_what_a_person_would_write(self) -> None:
        written = to_yaml(parse_specification(SAMPLE).specification)
        for line in (
            "title: Underground superintendent",
            "  names: [Marcus Vance, 日本 Ko, 'A, B']",
            "    range: [10, 14]",
            "    - {from: 0, below: 30000, value: 0.05}",
            "    range: [2026-01-01, 2026-12-31]",
            "  experience: hardrock >= least",
            "    2: 0.5",
            "      required: '2026'",
        ):
            assert line in written.splitlines()


class TestNumbers:
    @given(st.fractions(-(10**12), 10**12, max_denominator=10**12))
    def test_a_number_reads_back_from_its_text(self, number: Fraction) -> None:
        assert exact_number(number_text(number)) == number

    @given(st.from_regex(r"-?[0-9]{1,20}(\.[0-9]{1,19}|/[1-9][0-9]{0,18})?", fullmatch=True))
    def test_every_number_of_the_language_reads_exactly_and_has_a_text(self, text: str) -> None:
        assert exact_number(text) == Fraction(text)
        assert exact_number(number_text(exact_number(text))) == Fraction(text)

    @pytest.mark.parametrize(("text", "shown"), [("0.50", "0.5"), ("-1/40", "-0.025"), ("2/6", "1/3"), ("12.0", "12")])
    def test_the_text_of_a_number_is_the_shortest_exact_one(self, text: str, shown: str) -> None:
        assert number_text(Fraction(text)) == shown

    @pytest.mark.parametrize(
        "text", ["", "1e5", "1/0", "nan", "inf", "+1", ".5", "5.", "1__0", "_1", "1 / 3", "0x1", "٣", "1" * 43]
    )
    def test_other_texts_are_no_numbers(self, text: str) -> None:
        with pytest.raises(ValueError, match="expected a number"):
            exact_number(text)

    @pytest.mark.parametrize(
        "value", [0.5, float("nan"), 10**50, Decimal("1E+999999"), Decimal("Infinity"), Decimal("NaN")]
    )
    def test_python_code_cannot_bring_in_what_is_not_exact(self, value: object) -> None:
        with pytest.raises(ValidationError):
            TableRow.model_validate({"value": value})

    def test_python_values_become_their_text(self) -> None:
        row = TableRow.model_validate({"is": True, "from": 12, "to": Fraction(1, 3), "value": Decimal("0.50")})
        assert (row.is_, row.from_, row.to, row.value) == ("true", "12", "1/3", "0.5")

    def test_defaults_are_those_of_the_paper(self) -> None:
        assert LimitsSection() == LimitsSection(roles=(5, 7), conditions=(5, 7), condition_owners=4, operand_roles=2)
